use std::collections::BTreeMap;

use worldview_core::{Path, field_name};
use worldview_wwd::raw::PlaneHeader;
use worldview_wwd::{Level, Plane, Tile};
use zerocopy::IntoBytes as _;

use super::planes::{Part, Planes};
use crate::changes::tiles::cells;
use crate::fields::{self, Draft, Wish};
use crate::list;
use crate::tree::Tree;
use crate::{Change, EditError, Result, Value};

/// Applies the changes of a plane.
///
/// A change of the plane itself, such as its removal, is the caller's.
pub(super) fn edit<'a>(level: &Level<'a>, plane: &Plane<'a>, tree: &Tree<'_>, planes: &mut Planes<'a>) -> Result<()> {
    let (raw, source) = (plane.header(), level.image());
    let mut draft = Draft::new(plane.offset(), raw.as_bytes());
    let (mut own, mut tiles, mut lists) = (Vec::new(), BTreeMap::new(), [Vec::new(), Vec::new()]);
    let [names, objects] = &mut lists;
    let mut path = Path::new();
    let sides = [field_name!(PlaneHeader, tiles_wide), field_name!(PlaneHeader, tiles_high)];
    let is_resized = tree.children.keys().any(|name| sides.contains(&name.as_str()));
    for (segment, node) in tree.elements() {
        if let Some(change) = node.any() {
            path = change.path().clone();
        }
        match segment.kind {
            Some("tile" | "tiles") => set_cells(plane, is_resized, node, &mut tiles)?,
            Some("object") => objects.push((segment, node)),
            None if &*segment.key == b"image_set" => names.push((segment, node)),
            _ => own.push(Wish::of(segment, node)?),
        }
    }
    fields::set(plane, &own, &mut draft)?;
    for (part, kind, changes) in [(Part::ImageSets, "image_set", names), (Part::Objects, "object", objects)] {
        if !changes.is_empty() {
            let edited = list::of_kind(plane, kind, |parts| list::edit(parts, source, changes));
            let edited = edited.ok_or_else(|| EditError::not_found(&tree.path()))??;
            draft.count(&edited, &path)?;
            planes.put_list(plane.index(), part, edited, &path)?;
        }
    }
    let mut header: PlaneHeader = draft.finish_as(&path)?;
    if header.num_objects != raw.num_objects && header.num_objects.get() == 0 {
        // So do all known programs.
        header.objects_offset.set(0);
    }
    let (old_size, new_size) = ([raw.tiles_wide, raw.tiles_high], [header.tiles_wide, header.tiles_high]);
    fit_pixels(raw, &mut header, |field| own.iter().any(|wish| *wish.name == *field.as_bytes()));
    if old_size != new_size {
        set_tiles(plane, grid_size(&header, &path)?, &tiles, planes, &path)?;
    } else if !tiles.is_empty() {
        let rows = plane.tiles().len().checked_div(plane.columns()).unwrap_or(0);
        set_tiles(plane, (plane.columns(), rows), &tiles, planes, &path)?;
    }
    let slot = planes.slots.iter_mut().find(|slot| slot.origin == Some(plane.index()));
    slot.into_iter().for_each(|slot| slot.header = header);
    Ok(())
}

/// The width and height in pixels that a plane has if no change names them: they follow the tiles where they did so before.
pub(super) fn size_in_pixels(old: &PlaneHeader, new: &PlaneHeader) -> [i32; 2] {
    let width = |plane: &PlaneHeader| plane.tiles_wide.get().checked_mul(plane.tile_width.get());
    let height = |plane: &PlaneHeader| plane.tiles_high.get().checked_mul(plane.tile_height.get());
    let follow = |pixels: i32, was: Option<i32>, is: Option<i32>| is.filter(|_| was == Some(pixels)).unwrap_or(pixels);
    [follow(old.width_px.get(), width(old), width(new)), follow(old.height_px.get(), height(old), height(new))]
}

/// Gives a plane the size in pixels that follows from its tiles, unless a change names it.
pub(super) fn fit_pixels(old: &PlaneHeader, new: &mut PlaneHeader, is_named: impl Fn(&str) -> bool) {
    let [width, height] = size_in_pixels(old, new);
    if !is_named(field_name!(PlaneHeader, width_px)) {
        new.width_px.set(width);
    }
    if !is_named(field_name!(PlaneHeader, height_px)) {
        new.height_px.set(height);
    }
}

/// Tiles by row and column, with the expected and the new word and the path.
type Tiles<'c> = BTreeMap<(usize, usize), (Option<u32>, u32, &'c Path)>;

/// Adds the change of a tile, or of a rectangle of tiles.
fn set_cells<'c>(plane: &Plane<'_>, is_resized: bool, node: &Tree<'c>, tiles: &mut Tiles<'c>) -> Result<()> {
    let Some(change) = node.change.filter(|change| matches!(change, Change::Set { .. }) && node.children.is_empty())
    else {
        return Err(EditError::not_found(&node.path()));
    };
    let path = change.path();
    let mut are_there = true;
    for (cell, from, to) in cells(change)? {
        let found = plane.tile(cell.1, cell.0).map(|tile| tile.get());
        let is_there = found == Some(to);
        are_there &= is_there || found.is_none();
        if found.is_none() && to == Tile::EMPTY && is_resized {
            // It is in the part that a plane of another size does not have.
            continue;
        }
        let from = from.filter(|_| !is_there);
        match tiles.get_mut(&cell) {
            None => {
                tiles.insert(cell, (from, to, path));
            }
            // Changes that overlap may say the same.
            Some((old, same, _)) if *same == to && (from.is_none() || old.is_none() || *old == from) => {
                *old = old.or(from);
            }
            Some((.., other)) => return Err(EditError::conflict(path, other)),
        }
    }
    if are_there {
        node.is_done_already();
    }
    Ok(())
}

/// Sets tiles. A plane of another size gets a grid of its own: cells that both sizes have keep their tiles, new ones are empty.
fn set_tiles(
    plane: &Plane<'_>,
    (wide, high): (usize, usize),
    tiles: &Tiles<'_>,
    planes: &mut Planes<'_>,
    path: &Path,
) -> Result<()> {
    let mut grid = grid(Some(plane), wide, high);
    for (&(y, x), (from, to, path)) in tiles {
        let found = plane.tile(x, y).map(|tile| tile.get());
        if let Some((expected, found)) = from.zip(found).filter(|(expected, found)| expected != found) {
            return Err(EditError::differs(path, &expected.into(), found.into()));
        }
        let is_inside = x < wide && y < high;
        if *to == Tile::EMPTY && !is_inside && found.is_some() {
            // The tile is gone with its cell.
            continue;
        }
        let at = is_inside.then(|| y.saturating_mul(wide).saturating_add(x).saturating_mul(4));
        let place = at.and_then(|at| grid.get_mut(at..at.saturating_add(4)));
        place.ok_or_else(|| EditError::not_found(path))?.copy_from_slice(&to.to_le_bytes());
    }
    planes.put_part(plane.index(), Part::Tiles, grid, path)
}

/// The numbers of columns and rows that a header asks for.
pub(super) fn grid_size(header: &PlaneHeader, path: &Path) -> Result<(usize, usize)> {
    let size = |tiles: i32| usize::try_from(tiles).ok();
    let cells = size(header.tiles_wide.get()).zip(size(header.tiles_high.get()));
    // The engine's own bound on a grid.
    cells.filter(|(wide, high)| wide.checked_mul(*high).is_some_and(|cells| cells <= 1 << 26)).ok_or_else(|| {
        let value = Value::Text(format!("{}x{}", header.tiles_wide, header.tiles_high));
        EditError::does_not_fit(path, value, "at most 67108864 tiles")
    })
}

/// The bytes of a grid with the tiles of a plane where it has such a cell.
pub(super) fn grid(plane: Option<&Plane<'_>>, wide: usize, high: usize) -> Vec<u8> {
    let mut grid = Tile::EMPTY.to_le_bytes().repeat(wide.saturating_mul(high));
    // A grid without columns may have any number of rows, so its rows are not visited.
    let rows = plane.map(|plane| plane.tiles().chunks(plane.columns().max(1)));
    for (new, old) in grid.chunks_mut(wide.saturating_mul(4).max(1)).zip(rows.into_iter().flatten()) {
        for (to, from) in new.iter_mut().zip(old.as_bytes()) {
            *to = *from;
        }
    }
    grid
}
