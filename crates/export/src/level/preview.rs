use std::io::Write;

use worldview_core::Limit;
use worldview_wwd::Level;

use crate::png::{self, TileImages};
use crate::{Error, Result};

/// How a level is drawn small.
#[derive(Clone, Copy, Debug)]
pub struct LevelOptions<'a> {
    /// The width in pixels that the picture has at most, and never more than [`LevelOptions::MOST`].
    pub width: u32,
    /// The height that it has at most.
    pub height: u32,
    /// Real pictures for the tiles; those without one keep their colour.
    pub tiles: Option<&'a TileImages>,
}

impl LevelOptions<'_> {
    /// The largest side of the box.
    pub const MOST: u32 = 2048;
}

impl Default for LevelOptions<'_> {
    fn default() -> Self {
        Self { width: 480, height: 320, tiles: None }
    }
}

/// Draws a level into a box, as [`png::level`](crate::png::level()) does but without marks.
///
/// It takes as long as the box is large, and not as the level is: of a level with very many tiles only some are looked
/// at. The picture has the shape of the level, and may be a little smaller than the box so that tiles have whole pixels.
///
/// # Errors
///
/// [`Error::Nothing`] for a level without a main plane, or with one without a grid; [`Error::Limit`] for a box too
/// large, or so many planes over each other that they take too much painting; what [`TileImages`] cannot read; a failing
/// `out`.
pub fn level(level: &Level<'_>, options: &LevelOptions<'_>, out: &mut dyn Write) -> Result<()> {
    for (what, side) in [("the width of a preview", options.width), ("the height of a preview", options.height)] {
        let limit = LevelOptions::MOST.into();
        if u64::from(side) > limit {
            return Err(Error::Limit { of: Limit::Capacity, what, need: side.into(), limit });
        }
        if side == 0 {
            return Err(Error::Nothing { what: "pixels in a preview of that size" });
        }
    }
    png::thumbnail(level, (options.width, options.height), options.tiles, out)
}
