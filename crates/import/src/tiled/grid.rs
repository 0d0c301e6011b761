//! The tiles of a plane, and its size.

use std::collections::HashMap;
use std::fmt::Display;
use std::path::Path as FilePath;

use worldview_core::{Path, field_name};
use worldview_edit::account::{Column, Entry};
use worldview_export::Encoding;
use worldview_export::level::Cell;
use worldview_export::level::tiled::{Layer, Map, Tileset};
use worldview_wwd::raw::PlaneHeader;
use worldview_wwd::{Plane, Tile};
use zerocopy::FromBytes as _;

use super::cells::decode;
use super::codes::OUTSIDE;
use super::draft::Draft;
use super::fields::encode;
use super::saved::{Data, Element, Kind};
use worldview_edit::{Change, EditError, Result, Value};

/// The bits of a tile id that flip and rotate a tile.
const FLIPS: u32 = 0xF000_0000;

/// The remaining budget of a map.
pub(super) struct Budget {
    /// Cells that may be decoded.
    cells: u64,
    /// Tiles that may change.
    changes: u64,
}

impl Budget {
    /// Allows a few times what the export of the level has, and enough for any map to be made larger.
    pub(super) fn of(maps: &[Map<'_>]) -> Self {
        let padded = |map: &Map<'_>| {
            let [width, height] = map.size().map(u64::from);
            width.saturating_mul(height).saturating_mul(map.layers().len() as u64)
        };
        let exported = maps.iter().filter(|map| !map.is_infinite()).map(padded).fold(0, u64::saturating_add);
        let layers = maps.iter().flat_map(Map::layers);
        let own = layers.map(|layer| layer.plane().tiles().len() as u64).fold(0, u64::saturating_add);
        Self {
            cells: exported.saturating_add(own).saturating_mul(4).saturating_add(1 << 22),
            changes: own.saturating_add(1 << 20),
        }
    }

    fn cells(&mut self, [width, height]: [u32; 2], path: &Path) -> Result<usize> {
        let count = u64::from(width).saturating_mul(height.into());
        let left = self.cells.checked_sub(count);
        let limit = format!("the layers of the map may have {} more cells", self.cells);
        self.cells = left.ok_or_else(|| EditError::does_not_fit(path, format!("{width}x{height}"), limit))?;
        Ok(usize::try_from(count).unwrap_or(usize::MAX))
    }

    fn change(&mut self, path: &Path) -> Result<()> {
        let left = self.changes.checked_sub(1);
        let why = "more tiles change than the level has, and a million";
        self.changes = left.ok_or_else(|| EditError::unsupported(path, why))?;
        Ok(())
    }
}

/// The tilesets of a saved map, by the ids of their tiles.
pub(super) struct Tilesets<'m> {
    /// In the order of the ids.
    sets: Vec<Set<'m>>,
}

/// A saved tileset.
pub(super) struct Set<'m> {
    pub(super) first: u32,
    /// The tileset of the export.
    pub(super) own: Option<(usize, &'m Tileset<'m>)>,
    pub(super) saved: &'m Element,
    /// The frames that tiles show, according to their properties.
    cells: HashMap<u32, Cell>,
}

impl<'m> Set<'m> {
    /// Returns what a tile shows: by its property, or else as in the export.
    pub(super) fn cell(&self, id: u32) -> Option<Cell> {
        let own = || self.own?.1.sheet().cells.get(usize::try_from(id).ok()?).copied();
        self.cells.get(&id).copied().or_else(own)
    }

    /// Returns the id in the tileset of the export of the tile that shows what a tile of this one shows.
    pub(super) fn exported(&self, tile: &Element) -> Option<u32> {
        let found = self.own?.1.sheet().cells.binary_search(&self.cell(tile.number("id"))?);
        u32::try_from(found.ok()?).ok()
    }
}

impl<'m> Tilesets<'m> {
    /// Finds the tilesets of the export by name, then by picture or file.
    pub(super) fn of(map: &'m Map<'m>, saved: &'m Element) -> Self {
        let (mut by_name, mut by_file) = (HashMap::new(), HashMap::new());
        for (index, tileset) in map.tilesets().iter().enumerate() {
            by_name.entry(tileset.name()).or_insert(index);
            by_file.insert(stem(tileset.picture()), index);
        }
        let set = |saved: &'m Element| {
            let file = saved.get("image").filter(|image| !image.is_empty()).unwrap_or_else(|| saved.text("source"));
            // Names of image sets may repeat where those of pictures do not.
            let file = by_file.get(stem(file)).copied();
            let named = |index: &usize| map.tilesets().get(*index).is_some_and(|own| own.name() == saved.name());
            let index = file.filter(named).or_else(|| by_name.get(saved.name()).copied()).or(file);
            let own = index.and_then(|index| Some((index, map.tilesets().get(index)?)));
            let mut cells = HashMap::new();
            for tile in saved.all(Kind::Tile) {
                if let Some(cell) = shown(tile) {
                    // Of tiles with one id, which is refused, the first counts.
                    cells.entry(tile.number("id")).or_insert(cell);
                }
            }
            Set { first: saved.number("firstgid"), own, saved, cells }
        };
        let mut sets: Vec<_> = saved.all(Kind::Tileset).map(set).collect();
        sets.sort_by_key(|set| set.first);
        Self { sets }
    }

    /// Returns the tilesets.
    pub(super) fn iter(&self) -> std::slice::Iter<'_, Set<'m>> {
        self.sets.iter()
    }

    /// Returns the tileset and the id in it of a global tile id other than 0.
    pub(super) fn place(&self, gid: u32) -> Option<(&Set<'m>, u32)> {
        let at = self.sets.partition_point(|set| set.first <= gid);
        let set = self.sets.get(at.checked_sub(1)?)?;
        Some((set, gid.checked_sub(set.first)?))
    }
}

/// The frame that a tile shows, according to its properties.
fn shown(tile: &Element) -> Option<Cell> {
    if tile.properties.get("filled") == Some("true") {
        return Some(Cell::Filled);
    }
    let number = |name: &str| tile.properties.get(name)?.trim().parse::<u16>().ok().map(u32::from);
    let frame = number("frame")?;
    Some(Cell::Frame { word: number("image_set_index").unwrap_or(0) << 16 | frame })
}

/// The name of a file without folders and extension.
pub(super) fn stem(path: &str) -> &str {
    FilePath::new(path).file_stem().and_then(|stem| stem.to_str()).unwrap_or_default()
}

/// A plane and the layer that it became.
pub(super) struct Pair<'p> {
    pub(super) map: &'p Map<'p>,
    pub(super) layer: &'p Layer<'p>,
    pub(super) saved: &'p Element,
    pub(super) saved_layer: &'p Element,
    pub(super) tilesets: &'p Tilesets<'p>,
    /// The names of the plane's image sets, added ones included.
    pub(super) image_sets: &'p [Vec<u8>],
}

impl Pair<'_> {
    /// Compares the size and the tiles of a plane. `sides` are new values of `tiles_wide` and `tiles_high` among the
    /// properties.
    pub(super) fn compare(&self, draft: &mut Draft, sides: [Option<i32>; 2], budget: &mut Budget) -> Result<()> {
        let size = self.size(draft, sides)?;
        let mut grid = Grid { size, gids: vec![0; budget.cells(size, &draft.path)?] };
        let mut refusals = Refusals::default();
        let layer = self.saved_layer;
        let none = Data::Gids(Vec::new());
        let mut copy = |of: &Element, at, budget: &mut Budget| -> Result<()> {
            let [width, height] = ["width", "height"].map(|name| of.number(name));
            let count = budget.cells([width, height], &draft.path)?;
            let data = of.data.as_ref().unwrap_or(&none);
            let gids = decode(data, layer.text("encoding"), layer.text("compression"), count, &draft.path)?;
            grid.copy(&gids, at, width, &draft.path, &mut refusals);
            Ok(())
        };
        let has_cells = match &layer.data {
            Some(Data::Gids(gids)) => !gids.is_empty(),
            Some(Data::Text(text)) => !text.trim().is_empty(),
            None => false,
        };
        // A layer of an infinite map may have no chunk.
        if has_cells || layer.children.is_empty() && !self.saved.flag("infinite") {
            copy(layer, [0, 0], budget)?;
        }
        for chunk in layer.all(Kind::Chunk) {
            copy(chunk, [chunk.number("x"), chunk.number("y")], budget)?;
        }
        let compared = self.tiles(draft, &grid, budget, &mut refusals);
        refusals.report(draft);
        compared
    }

    /// Returns the plane's number of columns and rows, which follow those of the map where they were the map's.
    fn size(&self, draft: &mut Draft, sides: [Option<i32>; 2]) -> Result<[u32; 2]> {
        let header = self.layer.plane().header();
        let old = self.layer.size();
        let mut size = old;
        let maps = ["width", "height"].map(|name| self.saved.number::<u32>(name));
        let is_finite = !self.map.is_infinite() && !self.saved.flag("infinite");
        let fields = [
            (field_name!(PlaneHeader, tiles_wide), header.tiles_wide.get()),
            (field_name!(PlaneHeader, tiles_high), header.tiles_high.get()),
        ];
        for (axis, ((name, value), saved)) in fields.into_iter().zip(maps).enumerate() {
            let (Some(&was), Some(&side), Some(property)) = (self.map.size().get(axis), old.get(axis), sides.get(axis))
            else {
                continue;
            };
            let path = draft.field(name);
            let new = match *property {
                Some(new) => new,
                None if is_finite && saved != was && (side == was || saved < side) => {
                    i32::try_from(saved).map_err(|_| too_large(saved, &path))?
                }
                None => continue,
            };
            if let Some(side) = size.get_mut(axis) {
                *side = u32::try_from(new).map_err(|_| too_large(new, &path))?;
            }
            draft.set(name, value.into(), new.into());
        }
        Ok(size)
    }

    fn tiles(&self, draft: &mut Draft, grid: &Grid, budget: &mut Budget, refusals: &mut Refusals) -> Result<()> {
        let plane = self.layer.plane();
        let width = usize::try_from(grid.size[0]).unwrap_or(usize::MAX).max(1);
        // Neighbors are often the same.
        let mut last = None;
        for (y, row) in grid.gids.chunks(width).enumerate() {
            for (x, &gid) in row.iter().enumerate() {
                let old = plane.tile(x, y);
                if last == Some((old, gid)) {
                    continue;
                }
                let known = old.and_then(|tile| self.map.place(self.layer, tile));
                let new = (gid != 0).then(|| self.tilesets.place(gid));
                let is_same = match (known, &new) {
                    (None, None) => true,
                    (Some((index, id)), Some(Some((set, new)))) => set.own.is_some_and(|(own, tileset)| {
                        let cell = usize::try_from(id).ok().and_then(|id| tileset.sheet().cells.get(id)).copied();
                        own == index && set.cell(*new) == cell
                    }),
                    _ => false,
                };
                if is_same {
                    last = Some((old, gid));
                    continue;
                }
                let path = tile(&draft.path, [x, y]);
                let word = match new {
                    None => Tile::EMPTY,
                    Some(place) => match self.word(gid, place, plane, draft.encoding, &path) {
                        Ok(word) => word,
                        Err(error) => {
                            refusals.push(error, [x, y]);
                            continue;
                        }
                    },
                };
                if old.map_or(Tile::EMPTY, Tile::get) == word {
                    continue;
                }
                budget.change(&path)?;
                let from = old.map(|tile| tile.get().into());
                draft.push(Change::Set { path, from, to: word.into() });
            }
        }
        Ok(())
    }

    /// Returns the word for a painted tile.
    fn word(
        &self,
        gid: u32,
        place: Option<(&Set<'_>, u32)>,
        plane: &Plane<'_>,
        encoding: Encoding,
        path: &Path,
    ) -> Result<u32> {
        if gid & FLIPS != 0 {
            return Err(EditError::unsupported(path, "the tile is flipped or rotated, which levels do not have"));
        }
        let wrong = |why: String| EditError::wrong(path, why);
        let (set, id) = place.ok_or_else(|| wrong(format!("no tileset has the tile id {gid}")))?;
        let shown = set.saved.shown();
        let frame = match (set.cell(id), set.own) {
            (Some(Cell::Filled), _) => return Ok(Tile::FILLED),
            (Some(Cell::Frame { word }), _) => word,
            (None, Some(_)) => {
                return Err(wrong(format!("tile {id} of the tileset {shown} shows no frame")));
            }
            (None, None) => {
                let why = match set.saved.text("source") {
                    "" => "which is not one of the export, and whose tiles have no `frame`",
                    _ => {
                        "an external file, which is not read; embed it in the map, and give its tiles a property `frame`"
                    }
                };
                return Err(wrong(format!("the tile is from the tileset {shown}, {why}")));
            }
        };
        // A plane without tiles has no tileset in the export; a user may have added one.
        let name = match set.own {
            Some((_, own)) => own.sheet().image_set.clone(),
            None => encode(set.saved.name(), encoding, path)?,
        };
        // The number by which the plane knows the image set.
        let names = |index: u32| {
            let own = usize::try_from(index).ok().and_then(|index| self.image_sets.get(index));
            !name.is_empty() && own == Some(&name)
        };
        if names(frame >> 16) || set.own.is_some_and(|(index, _)| self.is_own(frame, index)) {
            return Ok(frame);
        }
        let count = u32::try_from(self.image_sets.len()).unwrap_or(u32::MAX).min(1 << 16);
        let found = (0..count).find(|index| names(*index)).ok_or_else(|| {
            let names = self.image_sets.iter().map(|name| format!("\"{}\"", name.escape_ascii()));
            let names = names.collect::<Vec<_>>().join(", ");
            wrong(format!("the tile is from the image set {shown}, and the plane has only {names}"))
        })?;
        let word = found << 16 | frame & 0xFFFF;
        if word == Tile::EMPTY || word == Tile::FILLED {
            return Err(wrong(format!("{word:#010x} is not a frame of the plane {}", plane.index())));
        }
        Ok(word)
    }

    /// Whether a tile without a named image set is one that the export shows for this plane.
    fn is_own(&self, word: u32, tileset: usize) -> bool {
        let tile = Tile::read_from_bytes(&word.to_le_bytes()).ok();
        let place = tile.and_then(|tile| self.map.place(self.layer, tile));
        place.is_some_and(|(own, _)| own == tileset)
    }
}

fn too_large(side: impl Into<Value>, path: &Path) -> EditError {
    let limit = "0 to 2147483647".to_owned();
    EditError::does_not_fit(path, side, limit)
}

/// The cells of a plane with its new size.
struct Grid {
    size: [u32; 2],
    gids: Vec<u32>,
}

impl Grid {
    /// Copies cells to a place of the plane, outside of which they must be empty.
    fn copy(&mut self, gids: &[u32], [left, top]: [i64; 2], columns: u32, plane: &Path, refusals: &mut Refusals) {
        let [width, height] = self.size.map(i64::from);
        let rows = gids.chunks(usize::try_from(columns).unwrap_or(usize::MAX).max(1));
        for (y, row) in (0_i64..).zip(rows) {
            for (x, &gid) in (0_i64..).zip(row).filter(|(_, gid)| **gid != 0) {
                let at = [left.saturating_add(x), top.saturating_add(y)];
                let [x, y] = at;
                let is_inside = (0..width).contains(&x) && (0..height).contains(&y);
                let index = usize::try_from(y.saturating_mul(width).saturating_add(x)).ok().filter(|_| is_inside);
                match index.and_then(|index| self.gids.get_mut(index)) {
                    Some(cell) => *cell = gid,
                    None => refusals.outside(plane, at, self.size),
                }
            }
        }
    }
}

/// The tiles of a plane that cannot be what the map says, by the reason.
#[derive(Default)]
struct Refusals(HashMap<String, Refusal>);

/// Reasons that are told apart; others share the last one.
const MAX_REASONS: usize = 100;

struct Refusal {
    error: EditError,
    count: u64,
    tiles: Vec<String>,
}

impl Refusals {
    fn push<T: Display>(&mut self, error: EditError, [x, y]: [T; 2]) {
        let mut why = error.kind.to_string();
        if self.0.len() >= MAX_REASONS && !self.0.contains_key(&why) {
            why.clear();
        }
        let refusal = self.0.entry(why).or_insert(Refusal { error, count: 0, tiles: Vec::new() });
        refusal.count = refusal.count.saturating_add(1);
        if refusal.tiles.len() < Entry::MAX_KEYS {
            refusal.tiles.push(format!("{x},{y}"));
        }
    }

    fn outside(&mut self, plane: &Path, at: [i64; 2], [width, height]: [u32; 2]) {
        let why =
            format!("the plane has {width}x{height} tiles; set `tiles_wide` and `tiles_high` of its layer for more");
        self.push(EditError::refused(&tile(plane, at), OUTSIDE, why), at);
    }

    /// Adds an entry for each reason, in the order of the first tiles.
    fn report(self, draft: &mut Draft) {
        let mut all: Vec<_> = self.0.into_values().collect();
        all.sort_by(|left, right| left.error.path.as_str().cmp(right.error.path.as_str()));
        for Refusal { error, count, tiles } in all {
            let first = tiles.first().cloned().unwrap_or_default();
            let entry = Entry::new(Column::Refused, error.kind.code(), &error.path, error.kind.to_string());
            draft.planned.account.push(entry.at(draft.at(&format!("tile {first}"))).about(count, tiles));
        }
    }
}

/// Returns the path of a tile of a plane.
fn tile<T: Display>(plane: &Path, [x, y]: [T; 2]) -> Path {
    plane.with(|path| path.push("tile", format!("{x},{y}").as_bytes(), None))
}
