//! WWD levels: specs, builder, checksum, naive reader, generators, and the samples.

pub mod build;
pub mod checksum;
pub mod generate;
pub mod naive;
pub mod spec;
#[allow(clippy::cast_possible_truncation, clippy::unwrap_used, reason = "numbers are small, and files valid")]
pub mod versions;

/// Size of the file header in bytes; the header is never packed.
pub const HEADER_SIZE: usize = 1524;
/// Size of a plane header in bytes.
pub const PLANE_HEADER_SIZE: usize = 160;
/// Size of an object in bytes, without its four strings.
pub const OBJECT_SIZE: usize = 284;
/// Tile value of an empty cell.
pub const EMPTY_TILE: u32 = 0xFFFF_FFFF;
/// Tile value of a cell filled with the plane's fill color.
pub const FILLED_TILE: u32 = 0xEEEE_EEEE;

/// Returns the name and bytes of each level in `samples/`.
pub fn samples() -> Vec<(&'static str, Vec<u8>)> {
    samples!["harbour.wwd", "garden.wwd", "cellar.wwd"]
}
