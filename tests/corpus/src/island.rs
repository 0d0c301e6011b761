//! `WORLD.WDB` of LEGO Island: specs, builder, naive reader, generators, and the sample.
//!
//! Questions that the format notes leave open are settled in `island/choices.md` for every reader.

pub mod build;
pub mod generate;
pub mod naive;
mod shapes;
pub mod spec;
#[allow(clippy::cast_possible_truncation, clippy::unwrap_used, reason = "numbers are small, and files valid")]
pub mod versions;

/// Version of every model in the game.
pub const MODEL_VERSION: u32 = 19;
/// Flag of a level of detail with no data after its flags.
pub const LOD_EMPTY: u32 = 4;

/// Returns the name and bytes of the database in `samples/`.
pub fn samples() -> Vec<(&'static str, Vec<u8>)> {
    samples!["world.wdb"]
}

/// Returns the name and bytes of the texture file in `samples/`.
pub fn texture_files() -> Vec<(&'static str, Vec<u8>)> {
    samples!["pennant.tex"]
}
