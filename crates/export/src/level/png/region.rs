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

mod objects;
mod reduced;

use std::io::Write;
use std::sync::OnceLock;

use worldview_core::Limit;
use worldview_wwd::{Attribute, Game, Level, Plane};

use super::Options;
use super::class::Class;
use super::colors::{Colors, rgba};
use super::draw::{Output, Picture, Row};
use super::gallery::Shown;
#[cfg(feature = "game")]
use super::gallery::TileSet;
use super::grid::{Axis, Grid, USUAL_TILE, tile_size, within};
use super::marks::Marks;
use super::overlay::class_at;
use super::scene::{Flat, Layer as Tiles, Scene, View};
use crate::level::palette::Rgb;
use crate::picture::{self, Ink, Size};
use crate::{Error, Result};
use objects::Placed;
pub use objects::PlacedObject;
pub(super) use reduced::{ReducedPictures, Reduction};

/// The sides in pixels of the pictures of a pyramid.
const SIDE: u32 = 256;
/// Maximum number of pixels of a region, which limits its memory.
const MAX_PIXELS: u64 = 1 << 24;
/// Maximum zoom: with it, a pixel shows the largest tile.
const MAX_ZOOM: u32 = 31;
/// Maximum side of a tile whose attributes are averaged. In larger ones, a pixel shows the attribute at its center.
const MAX_TILE: u32 = 1 << 10;
/// The fully transparent ink.
const CLEAR: Ink = 0;
/// How often a pixel of a region is halved where it shows parts of several cells. Of more cells, some stand for all.
const FINER: u32 = 2;

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
/// Keeps where the objects are, and up to about 8 MiB of reduced tile attributes. All painters with the same pictures of a game share
/// about as much of reduced pictures.
pub struct PlanePainter<'p> {
    level: &'p Level<'p>,
    plane: Plane<'p>,
    options: Options<'p>,
    tile: (u32, u32),
    #[cfg(feature = "game")]
    sets: OnceLock<Vec<TileSet<'p>>>,
    attributes: ReducedPictures,
    objects: OnceLock<Placed>,
}

worldview_core::debug_summary!("PlanePainter", PlanePainter<'_>, |this| plane: this.plane, tile: this.tile);
worldview_core::assert_send_sync!(PlanePainter<'_>);

impl<'p> PlanePainter<'p> {
    /// Creates a painter for a plane of a level, without pictures of the game.
    pub fn new(level: &'p Level<'p>, plane: &Plane<'p>) -> Self {
        Self::of(level, *plane, Options::default())
    }

    fn of(level: &'p Level<'p>, plane: Plane<'p>, options: Options<'p>) -> Self {
        let tile = tile_size(&plane, &options).unwrap_or((USUAL_TILE, USUAL_TILE));
        Self {
            level,
            plane,
            options,
            tile,
            #[cfg(feature = "game")]
            sets: OnceLock::new(),
            attributes: ReducedPictures::default(),
            objects: OnceLock::new(),
        }
    }

    /// Shows the pictures of the level's game, if there are any.
    ///
    /// Tiles whose image set has a name that cannot be read are not shown.
    #[cfg(feature = "game")]
    #[must_use]
    pub fn game(self, pictures: impl Into<Option<&'p crate::level::game::LevelPictures<'p>>>) -> Self {
        Self::of(self.level, self.plane, self.options.game(pictures))
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

    /// Returns the number of zooms of the pyramid, at most 32. With the last, a single picture shows the whole plane, unless
    /// that has more than 2^39 pixels in one dimension.
    pub fn zooms(&self) -> u32 {
        let (width, height) = self.size();
        let pictures = width.max(height).div_ceil(SIDE.into()).max(1);
        1 + pictures.next_power_of_two().trailing_zeros().min(MAX_ZOOM)
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
    /// Returns an [`Error::Limit`] if the region has more than 2^24 pixels or a zoom of more than 31, or if so many
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
        // The zoom in which the layer is drawn: one with which cells are whole pixels, if possible.
        let of_cells = |tile: u32| tile.trailing_zeros().clamp(zoom.saturating_sub(FINER), zoom);
        let flat = match layer {
            Layer::Attributes if !self.has_attributes() => return Ok(None),
            Layer::Attributes => Flat::Attributes { level: self.level, is_overlay: true },
            Layer::Tiles if !self.options.has_game() => Flat::Color,
            _ => Flat::Nothing,
        };
        let zooms = match layer {
            Layer::Tiles | Layer::Attributes => [self.tile.0, self.tile.1].map(of_cells),
            Layer::Objects | Layer::ObjectsAfter(_) => [zoom; 2],
        };
        let (wide, high) = self.size();
        let shown = axis((x, width), wide, zoom, zooms[0]).zip(axis((y, height), high, zoom, zooms[1]));
        let Some(((columns, across), (rows, down))) = shown else { return Ok(None) };
        let mut scene = Scene::new(Grid { across, down }, flat, CLEAR, &self.options);
        match layer {
            Layer::Tiles | Layer::Attributes => self.add_tiles(&mut scene, zooms)?,
            Layer::Objects => self.placed().add(self, None, zoom, &mut scene)?,
            Layer::ObjectsAfter(plane) => self.placed().add(self, Some(plane), zoom, &mut scene)?,
        }
        if scene.steps.is_empty() {
            return Ok(None);
        }
        let mut inks = vec![CLEAR; width as usize * height as usize];
        let mut to = inks.chunks_exact_mut(width as usize);
        let size = Size { width: columns, height: rows };
        let picture = Picture { scene: &scene, marks: Marks::default(), size, stride: 1, legend: None };
        picture.direct(Output::Rows(&mut |row| {
            if let (Row::Colors(row), Some(to)) = (row, to.next()) {
                // Whatever color an ink without opacity has.
                let clear = |ink: Ink| if rgba(ink)[3] == 0 { CLEAR } else { ink };
                to.iter_mut().zip(row).for_each(|(to, &ink)| *to = clear(ink));
            }
            Ok(())
        }))?;
        Ok(Some(inks).filter(|inks| inks.iter().any(|&ink| ink != CLEAR)))
    }

    /// Adds the tiles of the plane, or their attributes.
    fn add_tiles(&self, scene: &mut Scene<'p>, zooms: [u32; 2]) -> Result<()> {
        let mut layer = Tiles::of(View::Plane(&self.plane), &self.plane, &self.options);
        let side = |cell: u32, zoom: u32| Reduction { cell, zoom, shift: 0 };
        let sides = [side(self.tile.0, zooms[0]), side(self.tile.1, zooms[1])];
        let is_averaged = self.tile.0.max(self.tile.1) <= MAX_TILE;
        match scene.flat {
            Flat::Attributes { level, is_overlay } => layer.find_looks(&scene.grid, |_, frame, cell| {
                let attribute = level.attributes().get(frame);
                let attribute = attribute.filter(|found| is_averaged && !matches!(found, Attribute::Single(_)));
                let Some(attribute) = attribute else { return Ok(None) };
                let class = |x: u32, y: u32| class_at(Some(attribute), level.game(), (x, y)).ink(is_overlay);
                let picture = self.attributes.get(frame.into(), self.tile, sides, class);
                let stamp = scene.gallery.show(Shown::Other(picture));
                Ok(Some(scene.gallery.look(stamp, cell)))
            })?,
            #[cfg(feature = "game")]
            Flat::Nothing => {
                scene.gallery.reduced = self.options.pictures().map(|pictures| (pictures.kept(), sides));
                let sets = self.sets.get_or_init(|| {
                    // Tiles cannot refer to more names.
                    let names = self.plane.image_sets().iter().take(1 << 16).map_while(std::result::Result::ok);
                    names.map(|name| scene.gallery.set(name)).collect()
                });
                layer.find_looks(&scene.grid, |index, frame, cell| match sets.get(usize::from(index)) {
                    Some(set) => scene.gallery.tile(set, frame, cell),
                    None => Ok(None),
                })?;
            }
            _ => {}
        }
        scene.add(layer);
        Ok(())
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
}

/// Returns one dimension of the part of a region that is on the plane: the number of pixels, and what is drawn for them
/// with another zoom.
fn axis((start, length): (u64, u32), plane: u64, zoom: u32, drawn: u32) -> Option<(u32, Axis)> {
    let end = start.saturating_add(length.into()).min(plane.div_ceil(1 << zoom));
    let pixels = u32::try_from(end.checked_sub(start)?).ok().filter(|&pixels| pixels > 0)?;
    let finer = zoom - drawn;
    Some((pixels, Axis { start: start << finer, cells: pixels << finer, tile: 1 << drawn, cell: 1 }))
}
