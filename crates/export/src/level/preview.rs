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
    /// Maximum width of the picture in pixels; must not exceed [`Options::MAX_SIZE`].
    pub width: u32,
    /// Maximum height of the picture in pixels; must not exceed [`Options::MAX_SIZE`].
    pub height: u32,
    /// Real pictures for the tiles. Tiles without a picture keep their color.
    pub tiles: Option<&'a TileImages>,
    /// The pictures of the level's game. They take precedence over [`tiles`](Self::tiles).
    #[cfg(feature = "game")]
    pub game: Option<&'a super::game::LevelPictures<'a>>,
    /// Whether the picture shows a color for each tile number where there are no real pictures, instead of the tile
    /// attributes.
    pub tile_colors: bool,
}

impl<'a> Options<'a> {
    /// The maximum side of the box in pixels.
    pub const MAX_SIZE: u32 = 2048;

    /// Sets the width and height of the box in pixels.
    #[must_use]
    pub const fn size(mut self, width: u32, height: u32) -> Self {
        self.width = width;
        self.height = height;
        self
    }

    worldview_core::setters! {
        /// Sets real pictures for the tiles.
        pub fn tiles(images: impl Into<Option<&'a TileImages>>) => tiles = images.into();

        /// Sets the pictures of the level's game.
        #[cfg(feature = "game")]
        pub fn game(pictures: impl Into<Option<&'a super::game::LevelPictures<'a>>>) => game = pictures.into();

        /// Sets whether the picture shows a color for each tile number instead of the tile attributes.
        pub const fn tile_colors(tile_colors: bool) => tile_colors = tile_colors;
    }
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self {
            width: 480,
            height: 320,
            tiles: None,
            #[cfg(feature = "game")]
            game: None,
            tile_colors: false,
        }
    }
}

/// Draws a level into a box, as [`png::level`](crate::level::png::level()) does but without marks and legend.
///
/// The time depends on the size of the box and not on that of the level: of a level with very many tiles, only some are
/// sampled. The picture has the shape of the level, and may be a little smaller than the box so that tiles have whole pixels.
///
/// # Errors
///
/// Returns an error if:
///
/// - the level has no main plane, or that has no grid: [`Error::Nothing`]
/// - the box is too large, or drawing all planes over each other would take too long: [`Error::Limit`]
/// - [`TileImages`] cannot read a picture, or writing to `out` fails
pub fn level(level: &Level<'_>, options: &Options<'_>, out: &mut dyn Write) -> Result<()> {
    for (what, side) in [("the width of a preview", options.width), ("the height of a preview", options.height)] {
        let limit = Options::MAX_SIZE.into();
        if u64::from(side) > limit {
            return Err(Error::Limit { of: Limit::Capacity, what, need: side.into(), limit });
        }
        if side == 0 {
            return Err(Error::Nothing { what: "pixels in a preview of that size" });
        }
    }
    let drawing = png::Options::default().tiles(options.tiles).tile_colors(options.tile_colors);
    #[cfg(feature = "game")]
    let drawing = drawing.game(options.game);
    png::thumbnail(level, (options.width, options.height), drawing, out)
}
