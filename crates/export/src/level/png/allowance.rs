use worldview_core::Budget;
use worldview_wwd::Level;

use super::Options;
use super::grid::within;
use crate::Result;
use crate::picture::Size;

/// What all pictures of one level may take together.
///
/// Planes may lie over the same bytes, and a plane header is small: a file of some kilobytes could otherwise ask for
/// thousands of the largest pictures. Each function of this module takes its part of what is left.
#[derive(Debug)]
pub struct Allowance {
    /// The bytes of the level that the pictures of planes walk over; those of the other two are apart, so that no
    /// kind takes what another needs.
    pub(super) planes: Budget,
    pub(super) level: Budget,
    pub(super) attributes: Budget,
    pixels: u64,
    most: u64,
}

impl Allowance {
    /// The allowance for the pictures of a level: to walk over its bytes a few times for each kind, and twice the
    /// pixels that one picture may have.
    pub fn of(level: &Level<'_>, options: &Options<'_>) -> Self {
        /// With the smallest of bounds, hundreds of small pictures are still none too many.
        const LEAST: u64 = 1 << 24;

        let walk = |what| Budget::for_bytes(level.image().len(), what);
        Self {
            planes: walk("walk for the pictures of planes"),
            level: walk("walk for the picture of the level"),
            attributes: walk("walk for the picture of the attributes"),
            pixels: 0,
            most: options.max_pixels.saturating_mul(2).max(LEAST),
        }
    }

    /// Takes the pixels of one more picture.
    pub(super) fn picture(&mut self, size: Size) -> Result<()> {
        /// A file takes its time too, however little is in it.
        const FILE: u64 = 1 << 16;

        let need = self.pixels.saturating_add(size.pixels().max(FILE));
        within("the pixels of all pictures of the level", need, self.most)?;
        self.pixels = need;
        Ok(())
    }
}
