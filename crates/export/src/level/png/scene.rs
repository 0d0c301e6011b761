//! What a picture of a level shows: planes, objects, and what tiles without a picture look like.

use std::cell::Cell;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::Range;

use worldview_wwd::{Level, Plane, Tile, TileKind, flags};

use super::Options;
use super::compose::rows_of_band;
use super::gallery::Gallery;
use super::grid::{Axis, Beyond, Cells, Grid, USUAL_TILE, tile_size, within};
use super::place::{Place, is_drawn, is_inside};
use crate::Result;
use crate::level::image_sets;
use crate::level::palette::{self, Rgb};
use crate::picture::{Ink, Size, opaque};

/// How often each pixel of a picture of the maximum size may be painted over.
const DEPTH: u64 = 4;
/// The number of painted pixels that is always allowed, so that small pictures may have many layers.
const MIN: u64 = 1 << 24;
/// The maximum width of a drawing in pixels, which limits the memory for its rows.
const MAX_WIDTH: u64 = 1 << 22;

/// What is drawn: all planes over the rectangle of the main plane, or one plane over its own.
#[derive(Clone, Copy)]
pub(super) enum View<'v, 'a> {
    Level(&'v Plane<'a>),
    Plane(&'v Plane<'a>),
}

impl<'v, 'a> View<'v, 'a> {
    /// The plane whose rectangle is drawn.
    pub(super) const fn plane(self) -> &'v Plane<'a> {
        match self {
            Self::Level(plane) | Self::Plane(plane) => plane,
        }
    }

    /// Whether a plane is part of the picture.
    fn shows(self, plane: &Plane<'_>) -> bool {
        match self {
            Self::Level(_) => plane.is_drawn(),
            Self::Plane(only) => plane.index() == only.index(),
        }
    }
}

/// What tiles without a picture show.
#[derive(Clone, Copy)]
pub(super) enum Flat<'p> {
    /// Nothing, as in the game.
    Nothing,
    /// A color for each tile word.
    Color,
    /// The same with a darker edge, in a tileset.
    Framed,
    /// What a tile does to those who touch it, as an overlay or as a picture that stands for the level.
    Attributes { level: &'p Level<'p>, is_overlay: bool },
}

/// What a cell shows.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Look {
    Nothing,
    /// The fill color of the layer.
    Filled,
    Flat(Ink),
    /// A picture, by its number in the gallery.
    Stamp(u32),
    /// A color with a darker edge, and stripes inside.
    Framed {
        color: Rgb,
        is_hatched: bool,
    },
    /// The attribute of this frame, which is not the same everywhere.
    Attribute(u16),
}

impl Look {
    /// Returns whether a cell looks the same everywhere.
    pub(super) const fn is_even(self) -> bool {
        matches!(self, Self::Nothing | Self::Filled | Self::Flat(_))
    }
}

/// What is drawn, in the order in which it is drawn.
pub(super) struct Scene<'p> {
    /// The grid of the drawing, of which the picture may be a smaller version.
    pub(super) grid: Grid,
    pub(super) flat: Flat<'p>,
    /// The color where nothing is drawn.
    pub(super) background: Ink,
    pub(super) layers: Vec<Layer<'p>>,
    /// The objects with a picture, by depth, and those of the same depth in file order.
    pub(super) objects: Vec<Item>,
    pub(super) steps: Vec<Step>,
    /// The positions of the objects that are marked.
    pub(super) marks: Vec<(i32, i32)>,
    pub(super) gallery: Gallery<'p>,
    /// The maximum number of pixels to paint.
    pub(super) work: u64,
}

pub(super) enum Step {
    /// A layer, by its index.
    Layer(usize),
    /// Some of the objects.
    Objects(Range<usize>),
}

/// A grid of tiles over the drawing.
pub(super) struct Layer<'p> {
    pub(super) tiles: &'p [Tile],
    pub(super) columns: Cells,
    pub(super) rows: Cells,
    /// What each tile word shows, if that is a picture.
    looks: HashMap<u32, Option<Look>>,
    /// The palette index of filled cells.
    pub(super) fill: u8,
    pub(super) is_filled: bool,
}

/// An object with its picture.
pub(super) struct Item {
    pub(super) z: i32,
    pub(super) place: Place,
    pub(super) stamp: u32,
}

impl<'p> Scene<'p> {
    /// Creates a scene of a single layer, or of none yet.
    pub(super) fn new(grid: Grid, flat: Flat<'p>, background: Ink, options: &Options<'p>) -> Self {
        Self {
            grid,
            flat,
            background,
            layers: Vec::new(),
            objects: Vec::new(),
            steps: Vec::new(),
            marks: Vec::new(),
            gallery: Gallery::new(options),
            work: work(options),
        }
    }

    pub(super) fn add(&mut self, layer: Layer<'p>) {
        self.steps.push(Step::Layer(self.layers.len()));
        self.layers.push(layer);
    }

    /// Creates the scene of a plane or of all planes, and of their objects.
    ///
    /// Returns an error if painting a `least` part of its rows would take too long.
    pub(super) fn of(
        level: &'p Level<'p>,
        view: View<'_, 'p>,
        grid: Grid,
        least: u64,
        options: &Options<'p>,
    ) -> Result<Self> {
        let (flat, background) = match options.has_game() {
            true => (Flat::Nothing, 0),
            false => (Flat::Color, opaque(palette::EMPTY)),
        };
        let mut scene = Self::new(grid, flat, background, options);
        scene.check(cost_of_layers(level, view, &scene.grid, options) / least.max(1))?;
        let all = [*view.plane()];
        // With the pictures of the game, the objects of other planes are not at their places.
        let marked = match view {
            View::Level(_) if !options.has_game() => level.planes(),
            _ => &all,
        };
        for plane in marked {
            scene.add_objects(plane, options)?;
        }
        scene.objects.sort_by_key(|object| object.z);
        let between = between_planes(level, &scene.objects, |object| object.z);
        for (plane, objects) in level.planes().iter().zip(between) {
            if view.shows(plane) && !plane.tiles().is_empty() {
                let mut layer = Layer::of(view, plane, options);
                if !scene.gallery.is_empty() {
                    let sets = image_sets(plane)?;
                    let sets: Vec<_> = sets.iter().map(|name| scene.gallery.set(name)).collect();
                    let nameless = scene.gallery.nameless();
                    let set = |index: u16| sets.get(usize::from(index)).unwrap_or(&nameless);
                    layer.find_looks(&scene.grid, |index, frame, cell| scene.gallery.tile(set(index), frame, cell))?;
                }
                scene.add(layer);
            }
            scene.steps.push(Step::Objects(objects));
        }
        Ok(scene)
    }

    /// Adds the objects of a plane: their pictures or marks.
    pub(super) fn add_objects(&mut self, plane: &Plane<'p>, options: &Options<'_>) -> Result<()> {
        let shows_pictures = options.shows_objects();
        if !shows_pictures && !options.marks {
            return Ok(());
        }
        let full = self.grid.full();
        let size = (full.across.length(), full.down.length());
        for object in plane.objects() {
            let object = &object?;
            if !is_inside(object, size) {
                continue;
            }
            let is_drawn = shows_pictures && is_drawn(object);
            match is_drawn.then(|| self.gallery.object(object)).flatten() {
                Some((stamp, place)) => self.objects.push(Item { z: object.z.get(), place, stamp }),
                None if options.marks => self.marks.push((object.x.get(), object.y.get())),
                None => {}
            }
        }
        Ok(())
    }

    /// Returns the width and height of the drawing in pixels.
    pub(super) fn extent(&self) -> (u64, u64) {
        (self.grid.across.length(), self.grid.down.length())
    }

    /// Returns whether each row of the drawing looks like the one above, unless a layer reaches its next row there.
    pub(super) fn is_flat(&self) -> bool {
        matches!(self.flat, Flat::Color) && self.gallery.shown.is_empty()
    }

    /// Returns what a tile of a layer shows.
    pub(super) fn look(&self, layer: &Layer<'_>, tile: Tile) -> Look {
        if let Some(&Some(look)) = layer.looks.get(&tile.get()) {
            return look;
        }
        match (tile.get(), self.flat) {
            (_, Flat::Attributes { level, is_overlay }) => super::overlay::look(level, tile, is_overlay),
            (Tile::EMPTY, _) => Look::Nothing,
            (Tile::FILLED, Flat::Framed) if self.gallery.shown.is_empty() || self.gallery.palette().is_none() => {
                Look::Framed { color: palette::FILLED, is_hatched: true }
            }
            (Tile::FILLED, _) => Look::Filled,
            (word, Flat::Color) => Look::Flat(opaque(palette::tile(word))),
            (word, Flat::Framed) => Look::Framed { color: palette::tile(word), is_hatched: false },
            (_, Flat::Nothing) => Look::Nothing,
        }
    }

    /// Returns the cost of painting everything: the number of pixels, and a fixed number for each cell and object.
    pub(super) fn cost(&self) -> u64 {
        /// The number of pixels that can be copied in the time that an object takes in addition.
        const OBJECT: u64 = 256;

        let layers = cost(&self.layers, &self.grid, matches!(self.flat, Flat::Nothing), self.is_flat());
        let objects = self.objects.iter().map(|object| {
            let (across, down) = (object.columns(self), object.rows(self));
            let (wide, high) = (across.end.saturating_sub(across.start), down.end.saturating_sub(down.start));
            // Each of its rows takes time, too.
            high.saturating_mul(wide.saturating_add(16)).saturating_add(OBJECT)
        });
        objects.fold(layers, u64::saturating_add)
    }

    /// Returns which of the rows to paint for a picture of this size: painting only some of them is enough for a
    /// small picture of a large level.
    pub(super) fn stride(&self, size: Size) -> Result<u64> {
        let (width, height) = self.extent();
        if width > size.width.into() {
            within("the pixels of a row of the level", width, MAX_WIDTH)?;
        }
        let skipped = self.cost().div_ceil(self.work).max(1);
        let stride = skipped.min((height / u64::from(size.height)).max(1));
        self.check(self.cost() / stride)?;
        Ok(stride)
    }

    /// Returns an error if painting so many pixels would take too long.
    fn check(&self, painted: u64) -> Result<()> {
        let what = match self.flat {
            Flat::Nothing => "the pixels of all planes and objects together",
            _ => "the pixels of all planes together",
        };
        within(what, painted, self.work)
    }
}

/// The maximum number of pixels to paint for a picture.
pub(super) fn work(options: &Options<'_>) -> u64 {
    options.max_pixels.saturating_mul(DEPTH).max(MIN)
}

/// Returns which objects are drawn directly after each plane. `objects` are sorted by their depth, which `z` returns.
pub(super) fn between_planes<T>(level: &Level<'_>, objects: &[T], z: impl Fn(&T) -> i32) -> Vec<Range<usize>> {
    let uses_z = level.header().flags.get() & flags::USE_Z_COORDS != 0;
    let (planes, main) = (level.planes(), level.main_plane().map(Plane::index));
    let mut drawn = 0;
    let ranges = planes.iter().enumerate().map(|(at, plane)| {
        let end = match planes.get(at + 1) {
            None => objects.len(),
            // As in the game, which draws the list up to the first object that is not less deep. Planes that are not
            // drawn still have their place among the objects.
            Some(next) if uses_z => {
                let depth = next.header().z_coord.get();
                objects.partition_point(|object| z(object) < depth).max(drawn)
            }
            Some(_) if Some(plane.index()) == main => objects.len(),
            Some(_) => drawn,
        };
        std::mem::replace(&mut drawn, end)..end
    });
    ranges.collect()
}

/// Returns the cost of painting the planes of a picture, before anything is looked up.
pub(super) fn cost_of_layers(level: &Level<'_>, view: View<'_, '_>, grid: &Grid, options: &Options<'_>) -> u64 {
    let shown = level.planes().iter().filter(|plane| view.shows(plane) && !plane.tiles().is_empty());
    let layers: Vec<_> = shown.map(|plane| Layer::of(view, plane, options)).collect();
    cost(&layers, grid, options.has_game(), !options.has_game() && options.tiles.is_none())
}

/// Returns the cost of painting the layers over each other, with the pictures of a game or without. Rows of flat cells
/// that look the same are only painted once in a band.
fn cost(layers: &[Layer<'_>], grid: &Grid, has_game: bool, is_flat: bool) -> u64 {
    let (width, height) = (grid.across.length(), grid.down.length());
    let sum = |parts: &mut dyn Iterator<Item = u64>| parts.fold(0, u64::saturating_add);
    // The number of pixels that can be copied in the time that a cell takes in addition.
    let (cell, background) = if has_game { (4, width.saturating_mul(height)) } else { (2, 0) };
    let paints = if is_flat {
        let looks = sum(&mut layers.iter().map(|layer| grid.down.covered(layer.rows).1));
        height.min(looks.saturating_add(height / rows_of_band(width, size_of::<Ink>()) as u64))
    } else {
        height
    };
    let layers = sum(&mut layers.iter().map(|layer| {
        let ((wide, columns), (high, _)) = (grid.across.covered(layer.columns), grid.down.covered(layer.rows));
        let row = wide.saturating_add(columns.saturating_mul(cell));
        // Each layer takes time for each row of the picture, even if it does not reach it.
        row.saturating_mul(high.min(paints)).saturating_add(height)
    }));
    layers.saturating_add(background)
}

/// Returns the tiles, skipping most repetitions.
pub(super) fn changes<'t>(tiles: impl IntoIterator<Item = &'t Tile>) -> impl Iterator<Item = Tile> {
    let recent = Recent::new(());
    tiles.into_iter().copied().filter(move |&tile| {
        let mut is_new = false;
        recent.get(tile, || is_new = true);
        is_new
    })
}

/// What was found for the tiles that were looked up last. The same tile is often needed again soon.
pub(super) struct Recent<T>(Vec<Cell<(u32, T)>>);

impl<T: Copy> Recent<T> {
    /// `empty` is what is found for an empty tile.
    pub(super) fn new(empty: T) -> Self {
        Self(vec![Cell::new((Tile::EMPTY, empty)); 1 << 10])
    }

    #[inline]
    pub(super) fn get(&self, tile: Tile, find: impl FnOnce() -> T) -> T {
        // The upper bits of a product with an odd number depend on all bits of the word.
        let slot = &self.0[(tile.get().wrapping_mul(0x9E37_79B1) >> 22) as usize];
        let (word, known) = slot.get();
        if word == tile.get() {
            return known;
        }
        let found = find();
        slot.set((tile.get(), found));
        found
    }
}

impl<'p> Layer<'p> {
    pub(super) fn new(tiles: &'p [Tile], columns: Cells, rows: Cells, fill: u8) -> Self {
        Self { tiles, columns, rows, looks: HashMap::new(), fill, is_filled: false }
    }

    /// Creates the layer of a plane, without pictures.
    pub(super) fn of(view: View<'_, '_>, plane: &Plane<'p>, options: &Options<'_>) -> Self {
        // A plane without a tile size has that of the main plane, which is a good guess.
        let tile = tile_size(plane, options).or_else(|| tile_size(view.plane(), options));
        let tile = tile.unwrap_or((USUAL_TILE, USUAL_TILE));
        let cells = |count: usize, tile: u32, wraps: bool| {
            let repeats = wraps && matches!(view, View::Level(_));
            let beyond = if repeats { Beyond::Repeat } else { Beyond::Nothing };
            Cells { count: u32::try_from(count).unwrap_or(u32::MAX), tile, beyond }
        };
        let columns = cells(plane.columns(), tile.0, plane.wraps_x());
        let rows = cells(plane.rows().len(), tile.1, plane.wraps_y());
        let [fill, ..] = plane.header().fill_color.get().to_le_bytes();
        Self::new(plane.tiles(), columns, rows, fill)
    }

    /// Finds what the tiles that can be visible show, by the index of their image set, their frame and the size of a cell.
    pub(super) fn find_looks(
        &mut self,
        grid: &Grid,
        mut find: impl FnMut(u16, u16, (u32, u32)) -> Result<Option<Look>>,
    ) -> Result<()> {
        let cell = (grid.across.cell_of(self.columns), grid.down.cell_of(self.rows));
        let columns: Vec<_> = grid.across.visible(self.columns).collect();
        let rows = grid.down.visible(self.rows).map(|row| self.row(row));
        let tiles = rows.flat_map(|tiles| columns.iter().filter_map(move |&column| tiles.get(column)));
        let (mut looks, mut is_filled) = (HashMap::new(), false);
        for tile in changes(tiles) {
            match tile.kind() {
                TileKind::Empty => {}
                TileKind::Filled => is_filled = true,
                TileKind::Image { image_set, frame } => {
                    if let Entry::Vacant(entry) = looks.entry(tile.get()) {
                        entry.insert(find(image_set, frame, cell)?);
                    }
                }
            }
        }
        (self.looks, self.is_filled) = (looks, is_filled);
        Ok(())
    }

    /// Returns the tiles in a row of the grid.
    pub(super) fn row(&self, row: usize) -> &'p [Tile] {
        let columns = self.columns.count as usize;
        self.tiles.get(row.saturating_mul(columns)..).and_then(|rest| rest.get(..columns)).unwrap_or(&[])
    }
}

impl Item {
    /// Returns the columns of the drawing that the picture covers.
    pub(super) fn columns(&self, scene: &Scene<'_>) -> Range<u64> {
        cut(self.place.columns(), scene.grid.across)
    }

    /// Returns the rows of the drawing that the picture covers.
    pub(super) fn rows(&self, scene: &Scene<'_>) -> Range<u64> {
        cut(self.place.rows(), scene.grid.down)
    }
}

fn cut(range: Range<i64>, axis: Axis) -> Range<u64> {
    let pixels = axis.pixels();
    let place = |at: i64| u64::try_from(at).unwrap_or(0).clamp(pixels.start, pixels.end);
    place(range.start)..place(range.end)
}
