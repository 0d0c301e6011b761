use std::collections::BTreeMap;

use worldview_core::Path;
use worldview_wwd::raw::PlaneHeader;
use worldview_wwd::{Level, Plane, Tile};
use zerocopy::{FromBytes as _, IntoBytes as _};

use super::image::{Image, fields, missing};
use super::objects;
use super::record::{Record, decode, encode, int, same};
use crate::tree::{Tree, unexpected};
use crate::{Change, EditError, EditErrorKind, Position, Result, Value};

/// The word of an empty tile, which new cells have.
const EMPTY: u32 = 0xFFFF_FFFF;
const FILLED: u32 = 0xEEEE_EEEE;

/// Applies the changes of a plane.
pub(super) fn edit<'a>(level: &Level<'a>, plane: &Plane<'a>, tree: &Tree<'_>, image: &mut Image<'a>) -> Result<()> {
    if let Some(change) = tree.change {
        return Err(unexpected(change));
    }
    let raw = plane.header();
    let mut record = Record::of(raw.as_bytes(), raw.fields());
    let (mut own, mut tiles, mut names, mut list) = (Tree::default(), BTreeMap::new(), Vec::new(), Vec::new());
    let mut path = Path::new();
    for (name, node) in &tree.children {
        if let Some(change) = node.any() {
            path = change.path().clone();
        }
        let Some(segment) = name.segments().next() else { continue };
        match segment.kind {
            Some("tile") => {
                let (cell, from, to, path) = tile(&segment.key, node)?;
                tiles.insert((cell.1, cell.0), (from, to, path));
            }
            Some("object") => list.push((segment, node)),
            None if &*segment.key == b"image_set" => names.push((segment.nth, node)),
            None if record.has(&segment.key) => {
                own.children.insert(name.clone(), node.share());
            }
            _ => return Err(missing(node, true, 0)),
        }
    }
    let old_size = [raw.tiles_wide.get(), raw.tiles_high.get()];
    fields(&mut record, &own)?;
    let mut header = PlaneHeader::read_from_bytes(record.bytes()).unwrap_or(*raw);
    let new_size = [header.tiles_wide.get(), header.tiles_high.get()];
    if old_size == new_size {
        set_tiles(plane, &tiles, image)?;
    } else {
        resize(level, plane, &header, &tiles, image, &path)?;
        fit_pixels(raw, &mut header);
    }
    if !names.is_empty() {
        header.num_image_sets.set(image_sets(level, plane, &names, image, &path)?);
    }
    if !list.is_empty() {
        header.num_objects.set(objects::edit(level, plane, &list, image)?);
    }
    image.patch(plane.at(), raw.as_bytes(), header.as_bytes(), &path)
}

/// The size in pixels follows the number of tiles where it did so before.
fn fit_pixels(old: &PlaneHeader, new: &mut PlaneHeader) {
    let product = |tiles: i32, size: i32| tiles.checked_mul(size);
    if Some(old.width_px.get()) == product(old.tiles_wide.get(), old.tile_width.get())
        && old.width_px == new.width_px
        && let Some(width) = product(new.tiles_wide.get(), new.tile_width.get())
    {
        new.width_px.set(width);
    }
    if Some(old.height_px.get()) == product(old.tiles_high.get(), old.tile_height.get())
        && old.height_px == new.height_px
        && let Some(height) = product(new.tiles_high.get(), new.tile_height.get())
    {
        new.height_px.set(height);
    }
}

/// Tiles by row and column, with the expected and the new word and the path.
type Tiles<'c> = BTreeMap<(usize, usize), (Option<u32>, u32, &'c Path)>;

/// The cell and the words of a change of a tile.
#[expect(clippy::type_complexity, reason = "a cell and what `Tiles` has for it")]
fn tile<'c>(key: &[u8], node: &Tree<'c>) -> Result<((usize, usize), Option<u32>, u32, &'c Path)> {
    let (Some(Change::Set { path, from, to }), true) = (node.change, node.children.is_empty()) else {
        return Err(missing(node, true, 0));
    };
    let text = std::str::from_utf8(key).ok();
    let cell = text.and_then(|text| text.split_once(',')).and_then(|(x, y)| Some((x.parse().ok()?, y.parse().ok()?)));
    let cell = cell.ok_or_else(|| EditError::new(path, EditErrorKind::NotFound))?;
    let from = from.as_ref().map(|from| word(from, path)).transpose()?;
    Ok((cell, from, word(to, path)?, path))
}

/// The word of a tile: as the file has it, or by its text.
fn word(value: &Value, path: &Path) -> Result<u32> {
    let Value::Text(text) = value else { return int(value, path, 0, u32::MAX.into()) };
    let part = |text: &str| text.parse::<u16>().ok().map(u32::from);
    let word = match text.as_str() {
        "." => Some(EMPTY),
        "#" => Some(FILLED),
        text => match text.split_once(':') {
            Some((set, frame)) => part(set).zip(part(frame)).map(|(set, frame)| (set << 16) | frame),
            None => part(text),
        },
    };
    word.ok_or_else(|| EditError::new(path, EditErrorKind::WrongType { wanted: "a tile", found: value.clone() }))
}

fn expect(from: Option<u32>, found: u32, path: &Path) -> Result<()> {
    match from {
        Some(expected) if expected != found => {
            Err(EditError::new(path, EditErrorKind::Differs { expected: expected.into(), found: found.into() }))
        }
        _ => Ok(()),
    }
}

/// Sets tiles in place, those in a row as one range.
fn set_tiles(plane: &Plane<'_>, tiles: &Tiles<'_>, image: &mut Image<'_>) -> Result<()> {
    let (columns, start) = (plane.columns(), u64::from(plane.header().tiles_offset.get()));
    let mut run: Option<(usize, Vec<u8>)> = None;
    let mut last = None;
    for (&(y, x), (from, to, path)) in tiles {
        let index = (x < columns).then(|| y.checked_mul(columns)?.checked_add(x)).flatten();
        let found = index.and_then(|index| Some((index, plane.tiles().get(index)?.get())));
        let (index, found) = found.ok_or_else(|| EditError::new(path, EditErrorKind::NotFound))?;
        expect(*from, found, path)?;
        if found == *to {
            continue;
        }
        last = Some(*path);
        match &mut run {
            Some((first, bytes)) if first.checked_add(bytes.len() / 4) == Some(index) => bytes.extend(to.to_le_bytes()),
            run => {
                if let Some((first, bytes)) = run.replace((index, to.to_le_bytes().to_vec())) {
                    image.replace(start.saturating_add((first as u64).saturating_mul(4)), bytes.len(), bytes, path)?;
                }
            }
        }
    }
    match (run, last) {
        (Some((first, bytes)), Some(path)) => {
            image.replace(start.saturating_add((first as u64).saturating_mul(4)), bytes.len(), bytes, path)
        }
        _ => Ok(()),
    }
}

/// Gives a plane another size: cells that both sizes have keep their tiles, new ones are empty.
fn resize(
    level: &Level<'_>,
    plane: &Plane<'_>,
    header: &PlaneHeader,
    tiles: &Tiles<'_>,
    image: &mut Image<'_>,
    path: &Path,
) -> Result<()> {
    let start = plane.header().tiles_offset.get();
    if level.planes().iter().any(|other| other.index() != plane.index() && other.header().tiles_offset.get() == start) {
        return Err(EditError::unsupported(
            path,
            "another plane shares the tiles, so the plane cannot get another size",
        ));
    }
    let size = |tiles: i32| usize::try_from(tiles).ok();
    let cells = size(header.tiles_wide.get()).zip(size(header.tiles_high.get()));
    // The engine's own bound on a grid.
    let cells = cells.filter(|(wide, high)| wide.checked_mul(*high).is_some_and(|cells| cells <= 1 << 26));
    let Some((wide, high)) = cells else {
        let value = Value::Text(format!("{}x{}", header.tiles_wide, header.tiles_high));
        return Err(EditError::new(
            path,
            EditErrorKind::DoesNotFit { value, limit: "at most 67108864 tiles".to_owned() },
        ));
    };
    let mut grid = Vec::with_capacity(wide.saturating_mul(high).saturating_mul(4));
    for y in 0..high {
        for x in 0..wide {
            let word = plane.tile(x, y).map_or(EMPTY, Tile::get);
            grid.extend(word.to_le_bytes());
        }
    }
    for (&(y, x), (from, to, path)) in tiles {
        if let Some(found) = plane.tile(x, y) {
            expect(*from, found.get(), path)?;
        }
        let at = (x < wide && y < high).then(|| y.saturating_mul(wide).saturating_add(x).saturating_mul(4));
        let place = at.and_then(|at| grid.get_mut(at..at.saturating_add(4)));
        place.ok_or_else(|| EditError::new(path, EditErrorKind::NotFound))?.copy_from_slice(&to.to_le_bytes());
    }
    image.replace(start.into(), size_of_val(plane.tiles()), grid, path)
}

/// Appends and renames image-set names, and returns their number.
fn image_sets(
    level: &Level<'_>,
    plane: &Plane<'_>,
    changes: &[(Option<u32>, &Tree<'_>)],
    image: &mut Image<'_>,
    path: &Path,
) -> Result<u32> {
    let start = u64::from(plane.header().image_sets_offset.get());
    let (mut old, mut end) = (Vec::new(), start);
    let mut iter = plane.image_sets().iter();
    while let Some(name) = iter.next() {
        old.push(name?.to_vec());
        end = iter.position();
    }
    // Monolith's editors store one list, and each plane points at its own first name in it.
    let is_shared = level.planes().iter().any(|other| {
        let at = u64::from(other.header().image_sets_offset.get());
        other.index() != plane.index() && other.header().num_image_sets.get() > 0 && (start..end).contains(&at)
    });
    if is_shared {
        return Err(EditError::unsupported(path, "another plane shares these image-set names"));
    }
    let mut new = old.clone();
    let mut added = BTreeMap::new();
    for (nth, node) in changes {
        let index = nth.and_then(|nth| usize::try_from(nth).ok());
        let (path, from, to, is_new) = match node.change {
            Some(Change::Set { path, from, to }) => (path, from.as_ref(), to, false),
            Some(Change::Rename { path, to }) => (path, None, to, false),
            Some(Change::Add { path, data: Some(to), position: Position::Natural, .. }) => (path, None, to, true),
            _ => return Err(missing(node, true, 0)),
        };
        let bytes = encode(to, path)?.into_owned();
        if bytes.contains(&0) {
            let limit = "names have no NUL".to_owned();
            return Err(EditError::new(path, EditErrorKind::DoesNotFit { value: to.clone(), limit }));
        }
        let not_found = || EditError::new(path, EditErrorKind::NotFound);
        let index = index.ok_or_else(not_found)?;
        if is_new {
            added.insert(index, (bytes, path));
            continue;
        }
        let name = new.get_mut(index).ok_or_else(not_found)?;
        let found = decode(name);
        if let Some(expected) = from.filter(|expected| !same(expected, &found)) {
            return Err(EditError::new(path, EditErrorKind::Differs { expected: expected.clone(), found }));
        }
        *name = bytes;
    }
    for (index, (bytes, path)) in added {
        if index != new.len() {
            return Err(EditError::unsupported(
                path,
                "image-set names can only be appended, for tiles refer to them by number",
            ));
        }
        new.push(bytes);
    }
    if new != old {
        let list = new.iter().flat_map(|name| name.iter().copied().chain([0])).collect();
        image.replace(start, usize::try_from(end.saturating_sub(start)).unwrap_or(0), list, path)?;
    }
    u32::try_from(new.len()).map_err(|_| EditError::new(path, EditErrorKind::NotFound))
}
