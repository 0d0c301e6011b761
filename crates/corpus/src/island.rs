//! `WORLD.WDB` of LEGO Island: description, builder, naive reader, generators and one sample.
//!
//! What the format notes leave open is settled in `island/choices.md`, beside these files, for every reader.

pub mod build;
pub mod generate;
pub mod naive;
pub mod samples;
mod shapes;
pub mod spec;

/// The version that every model of the game has.
pub const MODEL_VERSION: u32 = 19;
/// The flag of a level of detail that has no bytes behind its flags.
pub const LOD_EMPTY: u32 = 4;
/// The flag of the level of detail that is shown when its model is tiny.
pub const LOD_EXTRA: u32 = 8;
/// The flag of a key that does something.
pub const KEY_ACTIVE: u8 = 1;
/// The flag of a rotation key whose quaternion is negated when the one before turns towards it.
pub const KEY_NEGATE: u8 = 2;
/// The flag of a rotation key that the one before does not turn towards.
pub const KEY_HOLD: u8 = 4;
