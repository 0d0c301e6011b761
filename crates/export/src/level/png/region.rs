//! Parts of a plane at any zoom: the pictures of a viewer's tile pyramid, drawn when they are needed.
//!
//! A [`PlanePainter`] shows what [`plane()`](super::plane()) and [`attributes()`](super::attributes()) show, as separate
//! layers. A region costs what its own pixels and pictures cost, however large the plane is.
//!
//! ```
//! use worldview_export::level::png::region::{Layer, PlanePainter, Region};
//! use worldview_wwd::{Level, unpack};
//!
//! # let file = &worldview_corpus::sample("harbour.wwd");
//! let image = unpack(file)?;
//! let level = Level::parse(&image)?;
//! let main = level.main_plane().expect("the sample has a main plane");
//! let painter = PlanePainter::new(&level, main);
//! // The whole plane in one picture.
//! let region = Region::of_pyramid(0, 0, painter.zooms() - 1);
//! let mut out = Vec::new();
//! assert!(painter.png(region, Layer::Tiles, &mut out)?);
//! assert!(out.starts_with(b"\x89PNG"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod color;
mod look;
mod objects;
#[cfg(feature = "game")]
mod plane_game;
mod side;
#[cfg(feature = "game")]
mod stamp;

use std::io::Write;
use std::sync::OnceLock;

use worldview_core::Limit;
use worldview_wwd::{Game, Level, Plane, Tile};

use super::Options;
use super::class::Class;
use super::colors::{Colors, rgba};
use super::grid::{USUAL_TILE, tile_size, within};
use crate::level::palette::{self, Rgb};
use crate::picture::{self, Ink, Size};
use crate::{Error, Result};
use color::{Color, color, ink};
use look::{CellLook, Memo};
use objects::Placed;
pub use objects::PlacedObject;
use side::{Side, Span};

/// The sides in pixels of the pictures of a pyramid.
const SIDE: u32 = 256;
/// Maximum number of pixels of a region, which limits its memory.
const MAX_PIXELS: u64 = 1 << 24;
/// Maximum number of pixels of prepared pictures that are kept. Each takes 16 bytes.
const MAX_KEPT: usize = 1 << 21;
/// Maximum zoom: pixels twice as large could not be counted.
const MAX_ZOOM: u32 = 62;

/// A rectangle of a plane, in pixels of the picture.
///
/// Such a pixel shows 2^`zoom` x 2^`zoom` pixels of the plane, as their average. The origin is the top left of the
/// plane. What is outside the plane is transparent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// Distance from the left side of the plane.
    pub x: u64,
    /// Distance from the top of the plane.
    pub y: u64,
    /// Width.
    pub width: u32,
    /// Height.
    pub height: u32,
    /// How often pixels of the plane are halved: 0 for full size.
    pub zoom: u32,
}

impl Region {
    /// Returns a picture of the pyramid by its column and row among those of its zoom. They have 256 x 256 pixels.
    pub const fn of_pyramid(column: u64, row: u64, zoom: u32) -> Self {
        let (x, y) = (column.saturating_mul(SIDE as u64), row.saturating_mul(SIDE as u64));
        Self { x, y, width: SIDE, height: SIDE, zoom }
    }
}

/// What a picture of a region shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layer {
    /// The tiles: with the pictures of the game, or with a flat color for each tile number.
    Tiles,
    /// The pictures of all objects, if there are pictures of the game.
    Objects,
    /// Those of the objects that the game draws directly after the plane with this index, before any later plane.
    ObjectsAfter(usize),
    /// The tile attributes of the main plane, two-thirds opaque.
    Attributes,
}

/// Returns the names and colors of the tile attributes that levels of a game can have. Those of attributes that do
/// nothing are left out, because they are transparent.
pub fn legend(game: Option<Game>) -> impl Iterator<Item = (&'static str, Rgb)> {
    let shown = Class::all().filter(move |class| class.is_of(game) && *class != Class::Clear);
    shown.map(|class| (class.word(), class.color()))
}

/// Draws regions of one plane, from any number of threads.
///
/// Keeps where the objects are. All painters with the same pictures of a game share about 32 MiB of prepared pictures.
pub struct PlanePainter<'p> {
    level: &'p Level<'p>,
    plane: Plane<'p>,
    tile: (u32, u32),
    #[cfg(feature = "game")]
    game: Option<plane_game::PlaneGame<'p>>,
    objects: OnceLock<Placed>,
}

worldview_core::debug_summary!("PlanePainter", PlanePainter<'_>, |this| plane: this.plane, tile: this.tile);
worldview_core::assert_send_sync!(PlanePainter<'_>);

impl<'p> PlanePainter<'p> {
    /// Creates a painter for a plane of a level, without pictures of the game.
    pub fn new(level: &'p Level<'p>, plane: &Plane<'p>) -> Self {
        Self {
            level,
            plane: *plane,
            tile: tile_size(plane, &Options::default()).unwrap_or((USUAL_TILE, USUAL_TILE)),
            #[cfg(feature = "game")]
            game: None,
            objects: OnceLock::new(),
        }
    }

    /// Shows the pictures of the level's game, if there are any.
    ///
    /// Tiles whose image set has a name that cannot be read are not shown.
    #[cfg(feature = "game")]
    #[must_use]
    pub fn game(self, pictures: impl Into<Option<&'p crate::level::game::LevelPictures<'p>>>) -> Self {
        let Some(pictures) = pictures.into().filter(|pictures| !pictures.is_empty()) else { return self };
        let tile = pictures.tile_size(&self.plane).unwrap_or((USUAL_TILE, USUAL_TILE));
        let game = plane_game::PlaneGame::new(&self.plane, tile, pictures);
        Self { tile, game: Some(game), objects: OnceLock::new(), ..self }
    }

    /// Returns the width and height of a tile in pixels.
    pub const fn tile(&self) -> (u32, u32) {
        self.tile
    }

    /// Returns the width and height of the plane in pixels; 0 if it has no tiles.
    pub fn size(&self) -> (u64, u64) {
        let (columns, rows) = self.cells();
        (columns.saturating_mul(self.tile.0.into()), rows.saturating_mul(self.tile.1.into()))
    }

    /// Returns the number of zooms of the pyramid. With the last, a single picture shows the whole plane.
    pub fn zooms(&self) -> u32 {
        let (width, height) = self.size();
        let pictures = width.max(height).div_ceil(SIDE.into()).max(1);
        1 + pictures.next_power_of_two().trailing_zeros()
    }

    /// Returns the objects in file order, with the rectangles that they take on the plane.
    ///
    /// The list ends before an object that cannot be read; see [`objects_error`](Self::objects_error).
    pub fn objects(&self) -> &[PlacedObject] {
        &self.placed().list
    }

    /// Returns why objects are missing from [`objects`](Self::objects), if some are.
    pub fn objects_error(&self) -> Option<worldview_core::Error> {
        self.placed().error
    }

    /// Returns the indices of the planes directly after which the game draws objects with a picture, in their order.
    pub fn objects_after(&self) -> Vec<usize> {
        #[cfg(feature = "game")]
        return self.placed().after().collect();
        #[cfg(not(feature = "game"))]
        return Vec::new();
    }

    /// Draws a layer of a region as red, green, blue and opacity of each pixel, row by row. Returns false if nothing is
    /// there: all pixels are transparent.
    ///
    /// # Errors
    ///
    /// Returns an [`Error::Limit`] if the region has more than 2^24 pixels or a zoom of more than 62, or if so many
    /// objects overlap in it that drawing them would take too long.
    pub fn rgba(&self, region: Region, layer: Layer, out: &mut Vec<u8>) -> Result<bool> {
        let inks = self.inks(region, layer)?;
        out.clear();
        match &inks {
            Some(inks) => out.extend(inks.iter().flat_map(|&ink| rgba(ink))),
            // The pixels are within the limit, so that 4 times as many are not too many.
            None => out.resize(region.width as usize * region.height as usize * 4, 0),
        }
        Ok(inks.is_some())
    }

    /// Writes a layer of a region as PNG, quickly rather than as small as possible. Writes nothing and returns false if
    /// nothing is there.
    ///
    /// # Errors
    ///
    /// Returns an error as [`rgba`](Self::rgba) does, or if writing to `out` fails.
    pub fn png(&self, region: Region, layer: Layer, mut out: impl Write) -> Result<bool> {
        let Some(inks) = self.inks(region, layer)? else { return Ok(false) };
        let Region { width, height, .. } = region;
        match Colors::indexed(&inks) {
            // It is smaller with a palette, and as fast.
            Some((palette, indices)) => {
                picture::numbered(&mut out, (width, height), palette, indices.chunks_exact(width as usize))?;
            }
            None => {
                let bytes: Vec<u8> = inks.iter().flat_map(|&ink| rgba(ink)).collect();
                picture::quick(&mut out, Size { width, height }, &bytes)?;
            }
        }
        Ok(true)
    }

    /// Returns the pixels of a region, or `None` if all are transparent.
    fn inks(&self, region: Region, layer: Layer) -> Result<Option<Vec<Ink>>> {
        let Region { x, y, width, height, zoom } = region;
        within("the pixels of the region", u64::from(width) * u64::from(height), MAX_PIXELS)?;
        if zoom > MAX_ZOOM {
            let (need, limit) = (zoom.into(), MAX_ZOOM.into());
            return Err(Error::Limit { of: Limit::Side, what: "the zoom of the region", need, limit });
        }
        let across = Side { start: x, length: width, zoom };
        let down = Side { start: y, length: height, zoom };
        let inks = match layer {
            Layer::Tiles => self.paint(across, down, |tile, is_whole| self.tile_look(tile, is_whole)),
            Layer::Objects => self.paint_objects(None, (across, down))?,
            Layer::ObjectsAfter(plane) => self.paint_objects(Some(plane), (across, down))?,
            Layer::Attributes if self.has_attributes() => {
                self.paint(across, down, |tile, _| CellLook::of_attribute(self.level, tile))
            }
            Layer::Attributes => None,
        };
        Ok(inks.filter(|inks| inks.iter().any(|&ink| rgba(ink)[3] > 0)))
    }

    /// Returns the number of columns and rows.
    fn cells(&self) -> (u64, u64) {
        (self.plane.columns() as u64, self.plane.rows().len() as u64)
    }

    fn placed(&self) -> &Placed {
        self.objects.get_or_init(|| Placed::of(self))
    }

    /// Returns whether the attributes of the level are those of this plane.
    fn has_attributes(&self) -> bool {
        let is_main = self.level.main_plane().is_some_and(|main| main.index() == self.plane.index());
        is_main && self.level.attributes().header().is_some()
    }

    #[cfg(feature = "game")]
    fn paint_objects(&self, after: Option<usize>, region: (Side, Side)) -> Result<Option<Vec<Ink>>> {
        self.placed().paint(self, after, region)
    }

    #[cfg(not(feature = "game"))]
    #[expect(clippy::unnecessary_wraps, reason = "as with pictures")]
    const fn paint_objects(&self, _: Option<usize>, _: (Side, Side)) -> Result<Option<Vec<Ink>>> {
        Ok(None)
    }

    /// Paints the cells of a region. `look` returns what a tile shows; its second argument is true if no pixel shows only a
    /// part of a cell.
    fn paint<'l>(&self, across: Side, down: Side, look: impl Fn(Tile, bool) -> CellLook<'l>) -> Option<Vec<Ink>> {
        let (columns, rows) = self.cells();
        let (width, height) = (across.length as usize, down.length as usize);
        let (across, down) = (across.of_cells(columns, self.tile.0), down.of_cells(rows, self.tile.1));
        if across.is_empty() || down.is_empty() {
            return None;
        }
        let is_whole = |spans: &[Span], tile: u32| spans.iter().all(|span| span.is_whole(tile));
        let is_whole = is_whole(&across, self.tile.0) && is_whole(&down, self.tile.1);
        let runs: Vec<_> = across.chunk_by(|one, next| one.cell == next.cell).collect();
        let mut memo = Memo::new(|tile| look(tile, is_whole));
        let mut inks = vec![0; width * height];
        let mut sums: Vec<Color> = vec![[0.0; 4]; width];
        for parts in down.chunk_by(|one, next| one.pixel == next.pixel) {
            sums.fill([0.0; 4]);
            for part in parts {
                let Some(tiles) = self.plane.rows().nth(part.cell) else { continue };
                for run in &runs {
                    if let Some(tile) = tiles.get(run[0].cell) {
                        memo.look(*tile).add(run, part, &mut sums);
                    }
                }
            }
            let start = parts[0].pixel * width;
            for (to, sum) in inks[start..start + width].iter_mut().zip(&sums) {
                *to = ink(*sum);
            }
        }
        Some(inks)
    }

    /// Returns what a tile shows.
    fn tile_look(&self, tile: Tile, is_whole: bool) -> CellLook<'p> {
        #[cfg(feature = "game")]
        if let Some(game) = &self.game {
            return game.look(tile, is_whole);
        }
        #[cfg(not(feature = "game"))]
        let _ = is_whole;
        match tile.get() {
            Tile::EMPTY => CellLook::Nothing,
            Tile::FILLED => CellLook::Flat(color(palette::FILLED, 0xFF)),
            word => CellLook::Flat(color(palette::tile(word), 0xFF)),
        }
    }
}
