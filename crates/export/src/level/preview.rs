//! Draws small pictures of levels as PNG.

use std::io::Write;

use worldview_core::Limit;
use worldview_wwd::Level;

use super::png::{self, TileImages};
use crate::{Error, Result};

/// Options for a preview of a level.
#[non_exhaustive]
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// Maximum width of the picture in pixels; must not exceed [`Options::MOST`].
    pub width: u32,
    /// Maximum height of the picture in pixels; must not exceed [`Options::MOST`].
    pub height: u32,
    /// Real pictures for the tiles. Tiles without a picture keep their color.
    pub tiles: Option<&'a TileImages>,
}

impl<'a> Options<'a> {
    /// The maximum side of the box in pixels.
    pub const MOST: u32 = 2048;

    /// Sets the width and height of the box in pixels.
    #[must_use]
    pub const fn size(mut self, width: u32, height: u32) -> Self {
        self.width = width;
        self.height = height;
        self
    }

    /// Sets real pictures for the tiles.
    #[must_use]
    pub fn tiles(mut self, images: impl Into<Option<&'a TileImages>>) -> Self {
        self.tiles = images.into();
        self
    }
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self { width: 480, height: 320, tiles: None }
    }
}

/// Draws a level into a box, like [`png::level`](crate::level::png::level()) but without marks.
///
/// The running time depends on the size of the box, not of the level: if there are very many tiles, only some of
/// them are sampled. The picture has the aspect ratio of the level. It may be a little smaller than the box, so that
/// each tile has a whole number of pixels.
///
/// # Errors
///
/// Returns an error if:
///
/// - the level has no main plane, or the main plane has no grid: [`Error::Nothing`]
/// - the box is too large, or drawing all planes over each other would take too long: [`Error::Limit`]
/// - [`TileImages`] cannot read a picture, or writing to `out` fails
pub fn level(level: &Level<'_>, options: &Options<'_>, out: &mut dyn Write) -> Result<()> {
    for (what, side) in [("the width of a preview", options.width), ("the height of a preview", options.height)] {
        let limit = Options::MOST.into();
        if u64::from(side) > limit {
            return Err(Error::Limit { of: Limit::Capacity, what, need: side.into(), limit });
        }
        if side == 0 {
            return Err(Error::Nothing { what: "pixels in a preview of that size" });
        }
    }
    png::thumbnail(level, (options.width, options.height), options.tiles, out)
}
