//! A whole `WORLD.WDB`: the directory, the global textures and parts, and every distinct blob once.
//!
//! The digest is the wrapping sum of
//! - the length and offset of every reference; for models also the 9 floats of the placement and the visibility byte;
//! - for each image, including both of a pair: width, height, number of colors, every byte of the palette and every
//!   pixel;
//! - for each level of detail of parts and ROIs: all positions, normals and texture coordinates;
//! - for each mesh: every corner and every texture-coordinate index;
//! - for each ROI: the 10 floats of its bounds;
//! - for each animation node: every key with its time, which is 4 words for a translation or scale, 5 for a rotation,
//!   and a word and a byte for a morph.
//!
//! Floats count as their bits, so the peers read them as words, which is faster in all of them. Names are skipped by
//! means of their lengths, except for the first byte of a texture's name.

use super::Reader;

#[cfg(feature = "readers")]
mod binrw;
mod checked;
pub mod naive;
pub mod ours;

/// All readers of databases, by name.
pub const ALL: &[(&str, Reader)] = &[
    ("worldview", ours::digest),
    ("check per element", checked::digest),
    ("naive reader", naive::digest),
    #[cfg(feature = "readers")]
    ("binrw", binrw::digest),
];

/// A blob as given by a reference.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Blob {
    offset: u32,
    length: u32,
    is_model: bool,
}

/// Returns each blob once.
fn distinct(mut blobs: Vec<Blob>) -> Vec<Blob> {
    blobs.sort_unstable();
    blobs.dedup();
    blobs
}
