//! Plain levels, or the images of packed ones.
//!
//! The digest is the wrapping sum of every tile of every plane, of the 71 words of each object's fixed record, and of
//! each tile attribute: the 5 words of a single one, the 10 of a double one, or the 4 words of a mask's header and
//! every byte of its pixels. The strings of an object are skipped by means of their four lengths.

use super::Reader;

#[cfg(feature = "readers")]
mod binrw;
mod checked;
pub mod naive;
pub mod ours;

/// All readers of levels, by name.
pub const ALL: &[(&str, Reader)] = &[
    ("worldview", ours::digest),
    ("check per element", checked::digest),
    ("naive reader", naive::digest),
    #[cfg(feature = "readers")]
    ("binrw", binrw::digest),
];
