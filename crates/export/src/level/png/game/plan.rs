use std::collections::HashMap;
use std::ops::Range;

use worldview_core::Budget;
use worldview_wwd::{Level, Plane, Tile, TileKind, flags};

use super::View;
use super::gallery::{Gallery, TileSet};
use super::place::{Place, is_drawn, is_inside};
use crate::Result;
use crate::level::game::LevelPictures;
use crate::level::number;
use crate::level::png::Options;
use crate::level::png::atlas::image_sets;
use crate::level::png::grid::{Grid, USUAL_TILE};
use crate::level::png::inks::spend;

/// The size of the drawn rectangle in pixels of the level.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    pub(super) width: u64,
    pub(super) height: u64,
}

impl Extent {
    pub(super) fn of(grid: &Grid) -> Self {
        let length = |cells: u32, tile: u32| u64::from(cells) * u64::from(tile);
        Self { width: length(grid.across.cells, grid.across.tile), height: length(grid.down.cells, grid.down.tile) }
    }

    const fn pixels(self) -> u64 {
        self.width.saturating_mul(self.height)
    }
}

/// What is drawn, in the order in which it is drawn.
pub(super) struct Plan<'p> {
    pub(super) extent: Extent,
    pub(super) layers: Vec<Layer<'p>>,
    /// The objects with a picture, by depth, and those of the same depth in file order.
    pub(super) objects: Vec<Item>,
    pub(super) steps: Vec<Step>,
    /// The positions of the objects that are marked because they have no picture.
    pub(super) unseen: Vec<(i32, i32)>,
}

pub(super) enum Step {
    /// A layer, by its index.
    Layer(usize),
    /// Some of the objects.
    Objects(Range<usize>),
}

/// A plane over the drawn rectangle.
pub(super) struct Layer<'p> {
    pub(super) plane: Plane<'p>,
    /// Width and height of a tile in pixels.
    pub(super) tile: (u32, u32),
    pub(super) wraps: (bool, bool),
    /// The picture of each tile word that has one.
    pub(super) stamps: HashMap<u32, usize>,
    /// The palette index of filled cells.
    pub(super) fill: u8,
    pub(super) is_filled: bool,
}

/// An object with its picture.
pub(super) struct Item {
    z: i32,
    pub(super) place: Place,
    pub(super) stamp: usize,
}

impl<'p> Plan<'p> {
    pub(super) fn of(
        level: &Level<'p>,
        view: View<'_, 'p>,
        extent: Extent,
        options: &Options<'_>,
        gallery: &mut Gallery<'_, '_>,
        budget: &mut Budget,
    ) -> Result<Self> {
        let mut plan = Self { extent, layers: Vec::new(), objects: Vec::new(), steps: Vec::new(), unseen: Vec::new() };
        plan.add_objects(level, view.plane(), options, gallery, budget)?;
        let depths: Vec<_> = plan.objects.iter().map(|object| object.z).collect();
        for (plane, objects) in level.planes().iter().zip(between_planes(level, &depths)) {
            if is_shown(view, plane) && !plane.tiles().is_empty() {
                plan.steps.push(Step::Layer(plan.layers.len()));
                plan.layers.push(Layer::of(level, view, plane, extent, gallery, budget)?);
            }
            plan.steps.push(Step::Objects(objects));
        }
        Ok(plan)
    }

    fn add_objects(
        &mut self,
        level: &Level<'p>,
        plane: &Plane<'p>,
        options: &Options<'_>,
        gallery: &mut Gallery<'_, '_>,
        budget: &mut Budget,
    ) -> Result<()> {
        if !options.objects && !options.marks {
            return Ok(());
        }
        for object in plane.objects() {
            let object = object?;
            let paid = budget.spend(object.size(), object.at, level.image().space());
            paid.map_err(|error| error.within(&"plane", number(plane.index())))?;
            if !is_inside(&object, (self.extent.width, self.extent.height)) {
                continue;
            }
            let is_drawn = options.objects && is_drawn(&object);
            let Some((stamp, sprite)) = is_drawn.then(|| gallery.object(&object)).flatten() else {
                if options.marks {
                    self.unseen.push((object.x.get(), object.y.get()));
                }
                continue;
            };
            self.objects.push(Item { z: object.z.get(), place: Place::of(&object, &sprite), stamp });
        }
        self.objects.sort_by_key(|object| object.z);
        Ok(())
    }

    /// Returns the palette indices of filled cells.
    pub(super) fn fills(&self) -> impl Iterator<Item = u8> {
        self.layers.iter().filter(|layer| layer.is_filled).map(|layer| layer.fill)
    }

    /// Returns the cost of painting everything in full size: the number of pixels, and a fixed number for each cell and
    /// object.
    pub(super) fn cost(&self) -> u64 {
        /// The number of pixels that can be copied in the time that an object takes in addition.
        const OBJECT: u64 = 256;

        let layers = self.layers.iter().map(|layer| layer.cost(self.extent));
        let objects = self.objects.iter().map(|object| {
            let (across, down) = (object.columns(self.extent), object.rows(self.extent));
            let (wide, high) = (across.end.saturating_sub(across.start), down.end.saturating_sub(down.start));
            // Each of its rows takes time, too.
            high.saturating_mul(wide.saturating_add(16)).saturating_add(OBJECT)
        });
        layers.chain(objects).fold(self.extent.pixels(), u64::saturating_add)
    }
}

/// Returns which objects are drawn directly after each plane, given the ascending depths of all objects.
pub(in crate::level::png) fn between_planes(level: &Level<'_>, depths: &[i32]) -> Vec<Range<usize>> {
    let uses_z = level.header().flags.get() & flags::USE_Z_COORDS != 0;
    let (planes, main) = (level.planes(), level.main_plane().map(Plane::index));
    let mut drawn = 0;
    let ranges = planes.iter().enumerate().map(|(at, plane)| {
        let end = match planes.get(at + 1) {
            None => depths.len(),
            // As in the game, which draws the list up to the first object that is not less deep. Planes that are not
            // drawn still have their place among the objects.
            Some(next) if uses_z => {
                let z = next.header().z_coord.get();
                depths.partition_point(|&depth| depth < z).max(drawn)
            }
            Some(_) if Some(plane.index()) == main => depths.len(),
            Some(_) => drawn,
        };
        std::mem::replace(&mut drawn, end)..end
    });
    ranges.collect()
}

/// Whether a plane is part of a picture.
fn is_shown(view: View<'_, '_>, plane: &Plane<'_>) -> bool {
    match view {
        View::Level(_) => plane.is_drawn(),
        View::Plane(only) => plane.index() == only.index(),
    }
}

/// Returns the cost of painting the planes of a picture, before anything is looked up.
pub(super) fn cost_of_layers(
    level: &Level<'_>,
    view: View<'_, '_>,
    extent: Extent,
    pictures: &LevelPictures<'_>,
) -> u64 {
    let shown = level.planes().iter().filter(|plane| is_shown(view, plane));
    let costs = shown.map(|plane| Layer::empty(view, plane, pictures).cost(extent));
    costs.fold(extent.pixels(), u64::saturating_add)
}

impl<'p> Layer<'p> {
    fn empty(view: View<'_, '_>, plane: &Plane<'p>, pictures: &LevelPictures<'_>) -> Self {
        // A plane without a tile size has that of the main plane, which is a good guess.
        let tile = pictures.tile_size(plane).or_else(|| pictures.tile_size(view.plane()));
        let wraps = match view {
            View::Level(_) => (plane.wraps_x(), plane.wraps_y()),
            View::Plane(_) => (false, false),
        };
        let [fill, ..] = plane.header().fill_color.get().to_le_bytes();
        Self {
            plane: *plane,
            tile: tile.unwrap_or((USUAL_TILE, USUAL_TILE)),
            wraps,
            stamps: HashMap::new(),
            fill,
            is_filled: false,
        }
    }

    fn of(
        level: &Level<'p>,
        view: View<'_, 'p>,
        plane: &Plane<'p>,
        extent: Extent,
        gallery: &mut Gallery<'_, '_>,
        budget: &mut Budget,
    ) -> Result<Self> {
        let mut layer = Self::empty(view, plane, gallery.pictures());
        spend(level, plane, budget)?;
        let sets = image_sets(level, plane, budget)?;
        let sets: Vec<_> = sets.iter().map(|name| gallery.set(name)).collect();
        let nameless = TileSet::default();
        let mut before = Tile::EMPTY;
        let mut known = std::collections::HashSet::new();
        let rows = usize::try_from(extent.height.div_ceil(layer.tile.1.into())).unwrap_or(usize::MAX);
        for tile in plane.rows().take(rows).flatten() {
            let word = tile.get();
            // Adjacent tiles are often the same.
            if std::mem::replace(&mut before, word) == word {
                continue;
            }
            match tile.kind() {
                TileKind::Empty => {}
                TileKind::Filled => layer.is_filled = true,
                TileKind::Image { image_set, frame } => {
                    if known.insert(word) {
                        let set = sets.get(usize::from(image_set)).unwrap_or(&nameless);
                        if let Some(stamp) = gallery.tile(set, frame, layer.tile)? {
                            layer.stamps.insert(word, stamp);
                        }
                    }
                }
            }
        }
        Ok(layer)
    }

    /// Returns the number of columns and rows.
    pub(super) fn cells(&self) -> (u64, u64) {
        (self.plane.columns() as u64, self.plane.rows().len() as u64)
    }

    fn cost(&self, extent: Extent) -> u64 {
        /// The number of pixels that can be copied in the time that a row of a cell takes in addition.
        const CELL: u64 = 4;

        let covered = |cells: u64, tile: u32, wraps: bool, most: u64| {
            if wraps { most } else { most.min(cells.saturating_mul(tile.into())) }
        };
        let (columns, rows) = self.cells();
        let width = covered(columns, self.tile.0, self.wraps.0, extent.width);
        let height = covered(rows, self.tile.1, self.wraps.1, extent.height);
        let cells = (width / u64::from(self.tile.0)).saturating_add(1);
        // Each layer takes time for each row of the picture, even if it does not reach it.
        width.saturating_add(cells.saturating_mul(CELL)).saturating_mul(height).saturating_add(extent.height)
    }
}

impl Item {
    /// Returns the columns of the drawn rectangle that the picture covers.
    pub(super) fn columns(&self, extent: Extent) -> Range<u64> {
        cut(self.place.left, self.place.width, extent.width)
    }

    /// Returns the rows of the drawn rectangle that the picture covers.
    pub(super) fn rows(&self, extent: Extent) -> Range<u64> {
        cut(self.place.top, self.place.height, extent.height)
    }
}

fn cut(start: i64, length: u32, end: u64) -> Range<u64> {
    let place = |at: i64| u64::try_from(at).unwrap_or(0).min(end);
    place(start)..place(start + i64::from(length))
}
