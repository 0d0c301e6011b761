use super::Options;
use super::grid::within;
use crate::Result;
use crate::picture::Size;

/// The limit on all pictures of a level together.
///
/// Planes may share the same bytes, and a plane header is small, so a file of a few kilobytes could otherwise ask
/// for thousands of pictures of the maximum size. Each function of this module spends part of the allowance.
#[derive(Debug)]
pub struct Allowance {
    pixels: u64,
    most: u64,
}

impl Allowance {
    /// Creates the allowance for the pictures of a level: four times as many pixels as a single picture may have. The largest
    /// levels of Claw need that: for the level, its attributes and its planes, each at full size.
    pub fn new(options: &Options<'_>) -> Self {
        /// The number of pixels that is always allowed: enough for hundreds of small pictures, even if `max_pixels` is
        /// tiny.
        const MIN: u64 = 1 << 24;

        Self { pixels: 0, most: options.max_pixels.saturating_mul(4).max(MIN) }
    }

    /// Spends the pixels of another picture.
    pub(super) fn picture(&mut self, size: Size) -> Result<()> {
        /// The minimum cost of a picture, because every file takes time.
        const FILE: u64 = 1 << 16;

        let need = self.pixels.saturating_add(size.pixels().max(FILE));
        within("the pixels of all pictures of the level", need, self.most)?;
        self.pixels = need;
        Ok(())
    }
}
