//! Pictures of planes, levels, attributes and tilesets, as PNG.
//!
//! A level holds no colors, so the picture of a level shows what its tiles do to those who touch them. A tile is drawn
//! as a flat cell whose color follows from its number, or with the real pictures of a folder, [`TileImages`]. Rows are streamed: what a picture takes in memory is a few of its rows.
//! Up to 240 different tiles make an 8-bit indexed picture, more an RGB one, and so do real pictures.

mod allowance;
mod class;
mod colors;
mod compose;
mod draw;
mod font;
mod gallery;
mod grid;
mod legend;
mod marks;
mod overlay;
mod place;
mod reduce;
pub mod region;
mod scene;
mod sheet;
mod stamp;
mod thumbnail;
mod tiles;

use std::io::Write;

use worldview_wwd::{Level, Plane};

use crate::level::Sheet;
use crate::{Error, Result};
use draw::{Output, Picture};
use grid::Grid;
use marks::Marks;
use scene::{Scene, View};

pub use allowance::Allowance;
pub use draw::Row;
pub(crate) use thumbnail::thumbnail;
pub use tiles::{TileImages, TileReport};

/// Options for pictures of levels.
///
/// ```
/// use worldview_export::level::png::Options;
///
/// let options = Options::default().scale(16).marks(false);
/// assert_eq!(options.scale, Some(16));
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// Size in pixels of the longer side of a tile.
    ///
    /// The default is the largest size that keeps the picture within 4,096 pixels in each direction, but at most 64 or,
    /// with real pictures, the tile's own size.
    pub scale: Option<u32>,
    /// Maximum number of pixels of a picture; 2^28 by default.
    pub max_pixels: u64,
    /// Real pictures for the tiles. Tiles without a picture keep their color.
    pub tiles: Option<&'a TileImages>,
    /// The pictures of the level's game. They take precedence over [`tiles`](Self::tiles).
    #[cfg(feature = "game")]
    pub game: Option<&'a super::game::LevelPictures<'a>>,
    /// Whether to show the pictures of objects, if the game's pictures are shown; true by default.
    #[cfg(feature = "game")]
    pub objects: bool,
    /// Whether to mark objects; true by default. If the pictures of objects are shown, only objects without one are
    /// marked.
    pub marks: bool,
    /// Whether the picture of a level shows a color for each tile number where there are no real pictures, instead of
    /// the tile attributes.
    pub tile_colors: bool,
}

impl<'a> Options<'a> {
    worldview_core::setters! {
        /// Sets the size in pixels of the longer side of a tile.
        pub fn scale(pixels: impl Into<Option<u32>>) => scale = pixels.into();

        /// Sets the maximum number of pixels of a picture.
        pub const fn max_pixels(pixels: u64) => max_pixels = pixels;

        /// Sets real pictures for the tiles.
        pub fn tiles(images: impl Into<Option<&'a TileImages>>) => tiles = images.into();

        /// Sets the pictures of the level's game.
        #[cfg(feature = "game")]
        pub fn game(pictures: impl Into<Option<&'a super::game::LevelPictures<'a>>>) => game = pictures.into();

        /// Sets whether to show the pictures of objects.
        #[cfg(feature = "game")]
        pub const fn objects(objects: bool) => objects = objects;

        /// Sets whether to mark objects.
        pub const fn marks(marks: bool) => marks = marks;

        /// Sets whether the picture of a level shows a color for each tile number instead of the tile attributes.
        pub const fn tile_colors(tile_colors: bool) => tile_colors = tile_colors;
    }
}

#[cfg(feature = "game")]
impl<'a> Options<'a> {
    /// Returns the pictures of the game, if there are any.
    fn pictures(&self) -> Option<&'a super::game::LevelPictures<'a>> {
        self.game.filter(|pictures| !pictures.is_empty())
    }
}

impl Options<'_> {
    /// Returns whether there are pictures of the game.
    fn has_game(&self) -> bool {
        #[cfg(feature = "game")]
        return self.pictures().is_some();
        #[cfg(not(feature = "game"))]
        return false;
    }

    /// Returns whether the pictures of objects are shown, if there are any.
    fn shows_objects(&self) -> bool {
        #[cfg(feature = "game")]
        return self.objects && self.has_game();
        #[cfg(not(feature = "game"))]
        return false;
    }

    const fn without_game(self) -> Self {
        Self {
            #[cfg(feature = "game")]
            game: None,
            ..self
        }
    }
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self {
            scale: None,
            max_pixels: 1 << 28,
            tiles: None,
            #[cfg(feature = "game")]
            game: None,
            #[cfg(feature = "game")]
            objects: true,
            marks: true,
            tile_colors: false,
        }
    }
}

/// Draws one plane in its own grid, and marks its objects.
///
/// # Errors
///
/// Returns an error if:
///
/// - the plane has no grid: [`Error::Nothing`]
/// - the picture, or all pictures that share the allowance, would have too many pixels: [`Error::Limit`]
/// - an object is truncated and objects are marked
/// - [`TileImages`] cannot read a picture, or writing to `out` fails
pub fn plane(
    level: &Level<'_>,
    plane: &Plane<'_>,
    options: &Options<'_>,
    allowance: &mut Allowance,
    mut out: impl Write,
) -> Result<()> {
    draw_view(level, View::Plane(plane), options, allowance, Output::Png(&mut out))
}

/// Draws the level: what the tiles of its main plane do to those who touch them, with a legend below; or, with real
/// pictures or [`Options::tile_colors`], as the game shows it, its planes over the rectangle of the main plane and the
/// camera at 0, 0.
///
/// The tile attributes are drawn as [`attributes()`] does, but opaque. A level without any is drawn as the game shows it.
///
/// As the game shows it, planes are laid over each other in file order, as the game does: their depths only say which objects it draws
/// between them. Planes that are not to be drawn are left out; those that wrap are repeated over the whole rectangle,
/// the others end where their grid ends. Planes of another tile size keep their size in pixels. Objects of all planes
/// are marked, on top of everything.
///
/// ```
/// use worldview_export::level::png::{self, Allowance, Options};
/// use worldview_wwd::{Level, unpack};
///
/// # let file = &worldview_corpus::sample("harbour.wwd");
/// let image = unpack(file)?;
/// let level = Level::parse(&image)?;
/// let options = Options::default().scale(4);
/// let mut out = Vec::new();
/// png::level(&level, &options, &mut Allowance::new(&options), &mut out)?;
/// assert!(out.starts_with(b"\x89PNG"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Returns an error as [`plane()`] does, and [`Error::Nothing`] if the level has no main plane or that has no grid,
/// [`Error::Limit`] if drawing all planes over each other would take too long.
pub fn level(level: &Level<'_>, options: &Options<'_>, allowance: &mut Allowance, mut out: impl Write) -> Result<()> {
    let main = main_plane(level)?;
    if !options.has_game() && shows_attributes(level, options) {
        return overlay::draw(level, main, false, options, allowance, &mut out);
    }
    draw_view(level, View::Level(main), options, allowance, Output::Png(&mut out))
}

/// Draws the level with the pictures of its game as [`level()`] does, and passes its rows to `push` from the top:
/// palette indices if all pictures share the palette of the level, otherwise colors.
///
/// # Errors
///
/// Returns an error as [`level()`] does, and [`Error::Nothing`] if the options have no pictures of a game; or the error
/// of `push`.
pub fn rows(
    level: &Level<'_>,
    options: &Options<'_>,
    allowance: &mut Allowance,
    push: &mut dyn FnMut(Row<'_>) -> Result<()>,
) -> Result<()> {
    let main = main_plane(level)?;
    if !options.has_game() {
        return Err(Error::Nothing { what: "pictures of the game" });
    }
    draw_view(level, View::Level(main), options, allowance, Output::Rows(push))
}

/// Draws the attributes of the main plane's tiles, as an overlay for the picture of [`level()`].
///
/// Clear pixels are transparent; all others are two-thirds opaque. A legend is added below. The level starts at the
/// top left and has the same size as the picture of [`level()`] with the same options, but a narrow picture is
/// widened to fit the legend.
///
/// # Errors
///
/// Returns an error under the same conditions as [`level()`], and [`Error::Nothing`] if the level has no tile
/// attributes.
pub fn attributes(
    level: &Level<'_>,
    options: &Options<'_>,
    allowance: &mut Allowance,
    mut out: impl Write,
) -> Result<()> {
    if level.attributes().header().is_none() {
        return Err(Error::Nothing { what: "tile attributes" });
    }
    overlay::draw(level, main_plane(level)?, true, options, allowance, &mut out)
}

/// Draws a tileset for map editors: exactly the cells of the plan, with a darker edge that makes them
/// distinguishable.
///
/// Cells with a real picture have no edge. Unused cells are transparent.
///
/// # Errors
///
/// Returns an error if the picture, or all pictures that share the allowance, would have too many pixels
/// ([`Error::Limit`]), if [`TileImages`] cannot read a picture, or if writing to `out` fails.
pub fn sheet(sheet: &Sheet, options: &Options<'_>, allowance: &mut Allowance, mut out: impl Write) -> Result<()> {
    sheet::draw(sheet, options, allowance, &mut out)
}

/// Whether a picture of the level is one of its tile attributes: they are the best there is without real pictures.
fn shows_attributes(level: &Level<'_>, options: &Options<'_>) -> bool {
    options.tiles.is_none() && !options.tile_colors && !level.attributes().records().is_empty()
}

fn main_plane<'l, 'a>(level: &'l Level<'a>) -> Result<&'l Plane<'a>> {
    level.main_plane().ok_or(Error::Nothing { what: "main plane" })
}

/// Draws the tiles and objects of one plane or of all.
fn draw_view(
    level: &Level<'_>,
    view: View<'_, '_>,
    options: &Options<'_>,
    allowance: &mut Allowance,
    output: Output<'_>,
) -> Result<()> {
    let grid = Grid::of(level, view, options)?;
    let size = grid::size(grid.across.length(), grid.down.length(), options.max_pixels)?;
    // The game's pictures are drawn in full size, of which a smaller picture is the average.
    let drawn = if options.has_game() { grid.full() } else { grid };
    let least = drawn.down.length() / u64::from(size.height);
    let scene = Scene::of(level, view, drawn, least, options)?;
    let stride = scene.stride(size)?;
    allowance.picture(size)?;
    let marks = Marks::new(&scene.marks, &grid);
    Picture { scene: &scene, marks, size, stride, legend: None }.draw(output)
}
