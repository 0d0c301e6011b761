//! REZ archives and their pictures: specs, builders, naive readers, generators, and the sample.

pub mod build;
pub mod generate;
pub mod naive;
pub mod picture;
pub mod spec;

/// Size of an archive's header in bytes.
pub const HEADER_SIZE: usize = 168;
/// 256 colors of red, green and blue.
pub type Palette = [[u8; 3]; 256];

/// Returns the name and bytes of the archive in `samples/`.
pub fn samples() -> Vec<(&'static str, Vec<u8>)> {
    samples!["harbour.rez"]
}
