use std::collections::HashMap;

use worldview_core::{Budget, ErrorKind, Limit};
use worldview_wwd::raw::PlaneHeader;
use worldview_wwd::{Level, Plane};

use super::collection::Collection;
use super::detail::Detail;
use super::drafts::{Draft, Drafts, ImageSet, MAX_IMAGE_SETS, MAX_TILESETS};
use super::names::Names;
use super::shape::{Shape, shapes};
use super::{Layer, Map, Tileset};
use crate::level::Sheet;
use crate::{Encoding, Result};

/// The tile size in pixels if not even the main plane has one; the default of Claw.
const DEFAULT_TILE: u32 = 64;

/// Maximum size of a tile; larger ones are invalid. Up to this size, every picture of a tileset fits into 31 bits.
const MAX_TILE: u32 = 4096;

/// Maximum number of maps of a level, each of which contains the level's header. Real levels have one to three; this
/// keeps invalid tile sizes from becoming thousands of files.
const MAX_MAPS: usize = 256;

/// The limit of global tile ids. The bits above it flip and rotate a tile.
const MAX_GID: u64 = 1 << 28;

/// Minimum number of columns. A picture of up to 256 square cells has 16 columns; larger pictures are approximately
/// square.
const COLUMNS: u32 = 16;

// The budgets count bytes of the level. What is walked without fail costs at most four times its bytes, so that no level
// without overlaps is refused. What a map may do without is charged to a budget of its own, as large as the level and a
// megabyte, and costs a twelfth of what it takes in a map: it is at most twelve times the level.

/// Cost of the name of an image set, in addition to its bytes. With the NUL of an empty name, this covers 50 bytes
/// of a map.
const NAME_COST: usize = 4;

/// Cost of a tile of a tileset, which takes 190 bytes. Any level can have 65,000 of them; real ones show a few
/// hundred.
const CELL_COST: usize = 16;

/// Cost of the properties of an attribute, which take up to 600 bytes.
const ATTRIBUTE_COST: usize = 48;

/// Cost of an empty cell of padding, with its comma.
const PADDING_COST: u64 = 2;

/// Returns the maps for a level. There is at least one, and the first one contains the main plane.
///
/// This reads everything that the maps contain, so later only writing can fail.
///
/// # Errors
///
/// Returns an error if:
///
/// - an object or the name of an image set is truncated
/// - the grids, names and objects of all planes together are several times larger than the level
/// - there are more tiles than a map can number
pub fn plan<'a>(level: &'a Level<'a>, encoding: Encoding) -> Result<Vec<Map<'a>>> {
    let main = level.main_plane().or_else(|| level.planes().first());
    let main_tile = main.map_or([DEFAULT_TILE; 2], |plane| tile_size(plane, [DEFAULT_TILE; 2]));
    let mut planner = Planner {
        level,
        encoding,
        budget: Budget::for_bytes(level.image().len(), "walk over the grids, names and objects of all planes"),
        extras: Budget::new(
            level.image().len().saturating_add(1 << 20),
            Limit::Work,
            "tiles of tilesets and their properties",
        ),
        names: Names::default(),
        room: MAX_TILESETS,
    };
    let mut groups = vec![(main_tile, Vec::new())];
    let mut group_of = HashMap::from([(main_tile, 0)]);
    for plane in level.planes() {
        planner.walk(plane)?;
        let tile = tile_size(plane, main_tile);
        let next = if groups.len() < MAX_MAPS { groups.len() } else { 0 };
        let group = *group_of.entry(tile).or_insert(next);
        if group == groups.len() {
            groups.push((tile, Vec::new()));
        }
        groups[group].1.push(plane);
    }
    // From here on, content that exceeds the budget is omitted. The steps are ordered so that the content most likely
    // to be invalid is omitted first.
    let main = main.map(Plane::index);
    let mut sketches: Vec<_> = (0..).zip(groups).map(|(at, group)| planner.sketch(at, group, main)).collect();
    sketches.iter_mut().for_each(|sketch| planner.nameless_cells(sketch));
    let mut maps = sketches.into_iter().map(|sketch| planner.map(sketch)).collect::<Result<Vec<_>>>()?;
    planner.details(maps.iter_mut().flat_map(|map| &mut map.tilesets).collect());
    for map in &mut maps {
        map.infinite = planner.spend(padding(map).saturating_mul(PADDING_COST), 0).is_err();
    }
    Ok(maps)
}

fn tile_size(plane: &Plane<'_>, instead: [u32; 2]) -> [u32; 2] {
    let side =
        |value: i32, instead| u32::try_from(value).ok().filter(|side| (1..=MAX_TILE).contains(side)).unwrap_or(instead);
    let header = plane.header();
    [side(header.tile_width.get(), instead[0]), side(header.tile_height.get(), instead[1])]
}

/// Returns the number of empty cells that pad all grids of a map to the same size.
fn padding(map: &Map<'_>) -> u64 {
    let cells = u64::from(map.size[0]).saturating_mul(map.size[1].into());
    let missing = map.layers.iter().map(|layer| cells.saturating_sub(layer.plane.tiles().len() as u64));
    missing.fold(0, u64::saturating_add)
}

/// Returns the number of columns of a picture with this many cells.
fn columns(cells: u32, [width, height]: [u32; 2]) -> u32 {
    // The picture is square if columns * width = rows * height, where columns * rows = cells.
    let square = (u64::from(cells) * u64::from(height) / u64::from(width)).isqrt();
    u32::try_from(square).unwrap_or(u32::MAX).max(COLUMNS).min(cells)
}

/// A map with unfinished tilesets.
struct Sketch<'a> {
    map: Map<'a>,
    suffix: String,
    drafts: Drafts<'a>,
}

struct Planner<'a> {
    level: &'a Level<'a>,
    encoding: Encoding,
    budget: Budget,
    /// The budget for optional content.
    extras: Budget,
    names: Names,
    /// The number of tilesets that may still be added.
    room: usize,
}

impl<'a> Planner<'a> {
    /// Charges for everything that a plane contains.
    fn walk(&mut self, plane: &Plane<'_>) -> Result<()> {
        self.spend(PlaneHeader::SIZE, plane.offset())?;
        for name in plane.image_sets().iter().take(MAX_IMAGE_SETS) {
            self.spend(name?.len() + NAME_COST, plane.offset())?;
        }
        self.spend(size_of_val(plane.tiles()), plane.offset())?;
        for object in plane.objects() {
            let object = object?;
            self.spend(object.size(), object.at)?;
        }
        Ok(())
    }

    /// Creates the map of the planes with one tile size, with the cells that have a named image set.
    fn sketch(&mut self, at: u32, (tile, planes): ([u32; 2], Vec<&Plane<'a>>), main: Option<usize>) -> Sketch<'a> {
        let suffix = if at == 0 { String::new() } else { format!("-{}x{}", tile[0], tile[1]) };
        let mut map = Map {
            level: self.level,
            encoding: self.encoding,
            stem: format!("map{suffix}"),
            tile,
            // A Tiled map has at least one cell.
            size: [1, 1],
            infinite: false,
            full: false,
            outline: false,
            tilesets: Vec::new(),
            layers: Vec::new(),
            collection: Collection::default(),
        };
        let mut drafts = Drafts::default();
        let mut room = self.room;
        let (mut id, mut first_object) = (1, 1);
        for plane in planes {
            let is_main = main == Some(plane.index());
            let attributes = if is_main { self.level.attributes().records().len() } else { 0 };
            let (places, is_whole) = drafts.named(plane, attributes, &mut room, || self.pay(CELL_COST));
            let layer = Layer { plane: *plane, id, first_object, places, is_whole };
            map.size = std::array::from_fn(|axis| map.size[axis].max(layer.size()[axis]));
            map.layers.push(layer);
            id += 2;
            first_object += plane.objects().count();
        }
        self.room = room;
        Sketch { map, suffix, drafts }
    }

    /// Adds the cells without a named image set.
    fn nameless_cells(&mut self, sketch: &mut Sketch<'a>) {
        for layer in &mut sketch.map.layers {
            layer.is_whole &= sketch.drafts.nameless(&layer.plane, &layer.places, || self.pay(CELL_COST));
        }
    }

    fn map(&mut self, Sketch { mut map, suffix, drafts }: Sketch<'a>) -> Result<Map<'a>> {
        let mut next_gid = 1;
        for draft in drafts.drafts {
            let tileset = self.tileset(draft, map.tile, &suffix, next_gid)?;
            next_gid += tileset.count();
            map.tilesets.push(tileset);
        }
        Ok(map)
    }

    fn tileset(&mut self, draft: Draft<'a>, tile: [u32; 2], suffix: &str, first_gid: u32) -> Result<Tileset<'a>> {
        let (name, image_set) = match draft.image_set {
            ImageSet::Named(name) => (self.encoding.decode(name).into_owned(), name),
            ImageSet::Nameless { plane } => (format!("plane {plane} nameless"), &[][..]),
            ImageSet::Rest => ("all other image sets".to_owned(), &[][..]),
        };
        let cells: Vec<_> = draft.cells.into_iter().collect();
        let count = u32::try_from(cells.len()).unwrap_or(u32::MAX);
        let columns = columns(count, tile);
        let end = u64::from(first_gid) + u64::from(count) + u64::from(columns);
        if end > MAX_GID {
            let kind = ErrorKind::Limit { of: Limit::Capacity, need: end, limit: MAX_GID };
            return Err(self.level.image().error(kind, "tiles of a map", 0).into());
        }
        Ok(Tileset {
            picture: {
                let name = if image_set.is_empty() { name.as_bytes() } else { image_set };
                format!("tilesets/{}.png", self.names.unique(name, suffix))
            },
            name,
            sheet: Sheet {
                image_set: image_set.to_vec(),
                cells,
                columns,
                tile_width: tile[0],
                tile_height: tile[1],
                fill: draft.fill.unwrap_or(0),
            },
            first_gid,
            attributes: draft.has_attributes.then(|| self.level.attributes()),
            details: Vec::new(),
        })
    }

    /// Decides how much of their attributes the tiles include: properties first, then shapes within the remaining
    /// budget.
    fn details(&mut self, mut tilesets: Vec<&mut Tileset<'a>>) {
        tilesets.retain(|tileset| tileset.attributes.is_some());
        for tileset in &mut tilesets {
            let pays = tileset.sheet.cells.iter().map(|&cell| {
                let is_shown = tileset.attribute(cell).is_none() || self.pay(ATTRIBUTE_COST);
                if is_shown { Detail::Properties } else { Detail::Nothing }
            });
            tileset.details = pays.collect();
        }
        let mut found = Vec::new();
        for tileset in &mut tilesets {
            for at in 0..tileset.details.len() {
                let Some(attribute) = tileset.attribute(tileset.sheet.cells[at]) else { continue };
                if tileset.details[at] == Detail::Properties
                    // A mask is processed before the number of its shapes is known.
                    && self.pay(usize::try_from(attribute.size()).unwrap_or(usize::MAX))
                    && shapes(&attribute, &mut found).is_ok()
                    && self.pay(found.len() * size_of::<Shape>())
                {
                    tileset.details[at] = Detail::Shapes;
                }
            }
        }
    }

    fn spend(&mut self, units: impl TryInto<u64>, at: u64) -> Result<()> {
        let units = units.try_into().unwrap_or(u64::MAX);
        Ok(self.budget.spend(units, at, self.level.image().space())?)
    }

    /// Charges the budget for optional content, and returns whether it was sufficient.
    fn pay(&mut self, units: usize) -> bool {
        self.extras.spend(units as u64, 0, self.level.image().space()).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_about_square_and_never_too_large() {
        assert_eq!(columns(1, [64, 64]), 1);
        assert_eq!(columns(100, [64, 64]), 16);
        assert_eq!(columns(400, [64, 64]), 20);
        // 50 columns of 32 pixels are 1,600 pixels, and so are 100 rows of 16 pixels.
        assert_eq!(columns(5000, [32, 16]), 50);
        assert_eq!(columns(5000, [16, 32]), 100);
        for cells in [1, 15, 16, 17, 255, 256, 257, 4095, 1 << 20, 1 << 28] {
            for tile in [[1, 1], [64, 64], [MAX_TILE, 1], [1, MAX_TILE], [MAX_TILE, MAX_TILE]] {
                let columns = columns(cells, tile);
                let [width, height] = [columns * tile[0], cells.div_ceil(columns) * tile[1]].map(u64::from);
                assert!(columns >= 1 && width.max(height) <= 1 << 27, "{cells} of {tile:?}: {width} x {height}");
            }
        }
    }
}
