//! WWD levels: description, builder, checksum, naive reader, generator and the three committed samples.

pub mod build;
pub mod checksum;
pub mod generate;
pub mod naive;
pub mod samples;
pub mod spec;

/// The size of the file header, which is never packed.
pub const HEADER_SIZE: usize = 1524;
/// The size of one plane header.
pub const PLANE_HEADER_SIZE: usize = 160;
/// The size of an object without its four strings.
pub const OBJECT_SIZE: usize = 284;
/// The size of the head of the tile-attribute table.
pub const TABLE_HEAD_SIZE: usize = 32;
/// The tile value of an empty cell.
pub const EMPTY_TILE: u32 = 0xFFFF_FFFF;
/// The tile value of a cell filled with the plane's fill colour.
pub const FILLED_TILE: u32 = 0xEEEE_EEEE;
