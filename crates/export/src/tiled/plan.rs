use std::collections::{BTreeMap, BTreeSet, HashMap};

use worldview_core::{Budget, ErrorKind};
use worldview_wwd::{Level, Plane, Tile, TileKind};

use super::names::Names;
use super::shape::{Shape, shapes};
use super::view::MAX_IMAGE_SETS;
use super::{Layer, Map, Tileset};
use crate::{Cell, Encoding, Result, Sheet};

/// Where not even the main plane has a tile size: that of Claw, in pixels.
const DEFAULT_TILE: u32 = 64;

/// A tile larger than this is junk; up to this no picture of a tileset outgrows 31 bits.
const MAX_TILE: u32 = 4096;

/// The bits above flip and turn a tile.
const MAX_GID: u64 = 1 << 28;

/// A picture of up to 256 cells has 16 columns, a larger one is about square.
const COLUMNS: u32 = 16;

/// Bytes that an empty cell of padding takes in a file, with its comma.
const PADDING_SIZE: u64 = 2;

/// The maps that show a level; that with the main plane is the first, and there always is one.
///
/// Everything the maps hold is walked through once here; afterwards only writing can fail.
///
/// # Errors
///
/// An object or a name of an image set that cannot be read. The walk's limit, where planes that overlap would make the
/// maps several times larger than the level is.
pub fn plan<'a>(level: &'a Level<'a>, encoding: Encoding) -> Result<Vec<Map<'a>>> {
    let main = level.main_plane().or_else(|| level.planes().first());
    let main_tile = main.map_or([DEFAULT_TILE; 2], |plane| tile_size(plane, [DEFAULT_TILE; 2]));
    let mut groups = vec![(main_tile, Vec::new())];
    let mut group_of = HashMap::from([(main_tile, 0)]);
    for plane in level.planes() {
        let tile = tile_size(plane, main_tile);
        let group = *group_of.entry(tile).or_insert(groups.len());
        if group == groups.len() {
            groups.push((tile, Vec::new()));
        }
        groups[group].1.push(plane);
    }
    let mut planner = Planner {
        level,
        encoding,
        main: main.map(Plane::index),
        budget: Budget::for_bytes(level.image().len(), "maps of overlapping planes"),
        names: Names::default(),
    };
    let mut maps = Vec::new();
    for (tile, planes) in groups {
        let suffix = if maps.is_empty() { String::new() } else { format!("-{}x{}", tile[0], tile[1]) };
        maps.push(planner.map(tile, &suffix, planes)?);
    }
    // Padding gets what the walk left over, and is done without where that is not enough.
    for map in &mut maps {
        map.infinite =
            planner.budget.spend(padding(map).saturating_mul(PADDING_SIZE), 0, level.image().space()).is_err();
    }
    Ok(maps)
}

fn tile_size(plane: &Plane<'_>, instead: [u32; 2]) -> [u32; 2] {
    let side =
        |value: i32, instead| u32::try_from(value).ok().filter(|side| (1..=MAX_TILE).contains(side)).unwrap_or(instead);
    let header = plane.header();
    [side(header.tile_width.get(), instead[0]), side(header.tile_height.get(), instead[1])]
}

/// The empty cells that make all grids of a map as large as it is.
fn padding(map: &Map<'_>) -> u64 {
    let cells = u64::from(map.size[0]).saturating_mul(map.size[1].into());
    let missing = map.layers.iter().map(|layer| cells.saturating_sub(layer.plane.tiles().len() as u64));
    missing.fold(0, u64::saturating_add)
}

/// What tells an image set from the others of a map.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum ImageSet<'a> {
    Named(&'a [u8]),
    Nameless { plane: u32, index: u16 },
}

/// A tileset whose cells are being collected.
struct Draft<'a> {
    image_set: ImageSet<'a>,
    cells: BTreeSet<Cell>,
    has_attributes: bool,
}

/// The tilesets of one map.
#[derive(Default)]
struct Drafts<'a> {
    drafts: Vec<Draft<'a>>,
    index: HashMap<ImageSet<'a>, usize>,
}

impl<'a> Drafts<'a> {
    fn of(&mut self, image_set: ImageSet<'a>) -> usize {
        *self.index.entry(image_set).or_insert_with(|| {
            self.drafts.push(Draft { image_set, cells: BTreeSet::from([Cell::Filled]), has_attributes: false });
            self.drafts.len() - 1
        })
    }
}

struct Planner<'a> {
    level: &'a Level<'a>,
    encoding: Encoding,
    main: Option<u32>,
    budget: Budget,
    names: Names,
}

impl<'a> Planner<'a> {
    fn map(&mut self, tile: [u32; 2], suffix: &str, planes: Vec<&'a Plane<'a>>) -> Result<Map<'a>> {
        let mut map = Map {
            level: self.level,
            encoding: self.encoding,
            stem: format!("map{suffix}"),
            tile,
            // Tiled has no map without a cell.
            size: [1, 1],
            infinite: false,
            tilesets: Vec::new(),
            layers: Vec::new(),
        };
        let mut drafts = Drafts::default();
        let (mut id, mut first_object) = (1, 1);
        for plane in planes {
            let layer = Layer { plane: *plane, id, first_object, tilesets: self.cells(plane, &mut drafts)? };
            self.walk_objects(plane)?;
            map.size = std::array::from_fn(|axis| map.size[axis].max(layer.size()[axis]));
            map.layers.push(layer);
            id += 2;
            first_object += plane.objects().count();
        }
        let mut next_gid = 1;
        for draft in drafts.drafts {
            let tileset = self.tileset(draft, tile, suffix, next_gid)?;
            next_gid += u32::try_from(tileset.sheet.cells.len()).unwrap_or(u32::MAX);
            map.tilesets.push(tileset);
        }
        Ok(map)
    }

    /// Puts the plane's cells into their tilesets; which these are, by the index that tiles have.
    fn cells(&mut self, plane: &Plane<'a>, drafts: &mut Drafts<'a>) -> Result<BTreeMap<u16, usize>> {
        let names = self.image_sets(plane)?;
        let named = |index: u16| match names.get(usize::from(index)) {
            Some(name) if !name.is_empty() => ImageSet::Named(name),
            _ => ImageSet::Nameless { plane: plane.index(), index },
        };
        self.spend(size_of_val(plane.tiles()), plane.at())?;
        let mut tilesets = BTreeMap::new();
        let mut last = Tile::EMPTY;
        for tile in plane.tiles() {
            // Equal cells mostly lie side by side.
            if std::mem::replace(&mut last, tile.get()) == tile.get() {
                continue;
            }
            let (index, cell) = match tile.kind() {
                TileKind::Empty => continue,
                TileKind::Filled => (0, Cell::Filled),
                TileKind::Image { image_set, .. } => (image_set, Cell::Frame { word: tile.get() }),
            };
            let at = *tilesets.entry(index).or_insert_with(|| drafts.of(named(index)));
            drafts.drafts[at].cells.insert(cell);
        }
        let attributes = self.level.attributes().records().len();
        if self.main == Some(plane.index()) && attributes > 0 {
            let first = *tilesets.entry(0).or_insert_with(|| drafts.of(named(0)));
            let frames = (0..=u32::from(u16::MAX)).take(attributes);
            drafts.drafts[first].cells.extend(frames.map(|word| Cell::Frame { word }));
            tilesets.values().for_each(|&at| drafts.drafts[at].has_attributes = true);
        }
        Ok(tilesets)
    }

    fn image_sets(&mut self, plane: &Plane<'a>) -> Result<Vec<&'a [u8]>> {
        let mut names = Vec::new();
        for name in plane.image_sets().iter().take(MAX_IMAGE_SETS) {
            let name = name?;
            self.spend(size_of_val(name) + size_of::<&[u8]>(), plane.at())?;
            names.push(name);
        }
        Ok(names)
    }

    fn walk_objects(&mut self, plane: &Plane<'_>) -> Result<()> {
        let mut objects = plane.objects().iter();
        let mut start = objects.position();
        while let Some(object) = objects.next() {
            let at = object?.at;
            self.spend(objects.position() - start, at)?;
            start = objects.position();
        }
        Ok(())
    }

    fn tileset(&mut self, draft: Draft<'a>, tile: [u32; 2], suffix: &str, first_gid: u32) -> Result<Tileset<'a>> {
        let (name, image_set) = match draft.image_set {
            ImageSet::Named(name) => (self.encoding.visible(name).into_owned(), name),
            ImageSet::Nameless { plane, index } => (format!("plane {plane} image set {index}"), &[][..]),
        };
        let cells: Vec<_> = draft.cells.into_iter().collect();
        let end = u64::from(first_gid) + cells.len() as u64;
        if end > MAX_GID {
            let kind = ErrorKind::Limit { need: end, limit: MAX_GID };
            return Err(self.level.image().error(kind, "tiles of a map", 0).into());
        }
        let count = u32::try_from(cells.len()).unwrap_or(u32::MAX);
        let tileset = Tileset {
            picture: {
                let name = if image_set.is_empty() { name.as_bytes() } else { image_set };
                format!("tilesets/{}.png", self.names.unique(name, suffix))
            },
            name,
            sheet: Sheet {
                image_set: image_set.to_vec(),
                cells,
                columns: count.isqrt().max(COLUMNS).min(count),
                tile_width: tile[0],
                tile_height: tile[1],
            },
            first_gid,
            attributes: draft.has_attributes.then(|| self.level.attributes()),
        };
        self.walk_tiles(&tileset)?;
        Ok(tileset)
    }

    /// Spends what a tileset takes in the plan, and what its attributes take as they are written.
    fn walk_tiles(&mut self, tileset: &Tileset<'_>) -> Result<()> {
        let at = self.level.attributes().extent().0;
        self.spend(size_of_val(tileset), at)?;
        if tileset.attributes.is_some() {
            for &cell in &tileset.sheet.cells {
                let Some(attribute) = tileset.attribute(cell) else { continue };
                self.spend(attribute.size(), at)?;
                self.spend(shapes(&attribute).len() * size_of::<Shape>(), at)?;
            }
        }
        Ok(())
    }

    fn spend(&mut self, units: impl TryInto<u64>, at: u64) -> Result<()> {
        let units = units.try_into().unwrap_or(u64::MAX);
        Ok(self.budget.spend(units, at, self.level.image().space())?)
    }
}
