//! `WORLD.WDB`, whole: the directory, the global textures and parts, and every distinct blob once.
//!
//! The digest is the wrapping sum of
//! - length and offset of every reference; of those to models also the 9 floats of the place, and the visible byte;
//! - of each image, both of a pair among them: width, height, number of colours, every byte of the palette and every
//!   pixel;
//! - of each level of detail of parts and ROIs: all positions, normals and texture coordinates;
//! - of each mesh: every corner and every index of a texture coordinate;
//! - of each ROI: the 10 floats of its bounds;
//! - of each node of an animation: every key with its time, 4 words a translation or scale, 5 a rotation, a word and a
//!   byte a morph.
//!
//! Floats count as their bits, so the peers read them as words, for which all of them have the shorter way. Names are
//! passed over by their lengths, but for the first byte of a texture's.

use super::Reader;

mod binrw;
mod checked;
mod deku;
pub mod naive;
pub mod ours;
mod winnow;

/// All ways of reading a database, by name.
pub const ALL: &[(&str, Reader)] = &[
    ("worldview", ours::digest),
    ("check per element", checked::digest),
    ("naive reader", naive::digest),
    ("binrw", binrw::digest),
    ("winnow", winnow::digest),
    ("deku", deku::digest),
];

/// A blob as the references tell it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Blob {
    offset: u32,
    length: u32,
    is_model: bool,
}

/// Each blob once.
fn distinct(mut blobs: Vec<Blob>) -> Vec<Blob> {
    blobs.sort_unstable();
    blobs.dedup();
    blobs
}
