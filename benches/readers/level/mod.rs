//! Levels that are stored plain, or their images.
//!
//! The digest is the wrapping sum of every tile of every plane, of the 71 words of each object's fixed record, and of
//! each tile attribute: the 5 words of a single one, the 10 of a double one, the 4 of a mask's head and every byte of
//! its pixels. The strings of an object are passed over, by their four lengths.

use super::Reader;

mod binrw;
mod checked;
mod deku;
pub mod naive;
pub mod ours;
mod winnow;

/// All ways of reading a level, by name.
pub const ALL: &[(&str, Reader)] = &[
    ("worldview", ours::digest),
    ("check per element", checked::digest),
    ("naive reader", naive::digest),
    ("binrw", binrw::digest),
    ("winnow", winnow::digest),
    ("deku", deku::digest),
];
