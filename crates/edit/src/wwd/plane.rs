use worldview_core::{Path, field_name};
use worldview_wwd::raw::PlaneHeader;
use worldview_wwd::{Level, Plane, Tile};
use zerocopy::IntoBytes as _;

use super::planes::{Part, Planes};
use crate::changes::tiles::cells;
use crate::checked::{Checked as _, Number as _, index, sized};
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
    let (mut own, mut tiles, mut lists) = (Vec::new(), Vec::new(), [Vec::new(), Vec::new()]);
    let [names, objects] = &mut lists;
    let mut path = Path::new();
    for (segment, node) in tree.elements() {
        if let Some(change) = node.any() {
            path = change.path().clone();
        }
        match segment.kind {
            Some("tile" | "tiles") => tiles.push(node),
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
            draft.count(&edited)?;
            planes.put_list(plane.index(), part, edited, &path)?;
        }
    }
    let mut header: PlaneHeader = draft.finish_as()?;
    if header.num_objects != raw.num_objects && header.num_objects.get() == 0 {
        // So do all known programs.
        header.objects_offset.set(0);
    }
    let is_set = |field: &str| own.iter().any(|wish| *wish.name == *field.as_bytes());
    fit_pixels(raw, &mut header, is_set);
    let is_resized =
        [field_name!(PlaneHeader, tiles_wide), field_name!(PlaneHeader, tiles_high)].into_iter().any(is_set);
    if !tiles.is_empty() || [raw.tiles_wide, raw.tiles_high] != [header.tiles_wide, header.tiles_high] {
        let grid = with_tiles(plane, grid_size(&header, &path)?, &tiles, is_resized)?;
        planes.put_part(plane.index(), Part::Tiles, grid, &path)?;
    }
    planes.slots.iter_mut().find(|slot| slot.origin == Some(plane.index())).checked()?.header = header;
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

/// Returns the grid of a plane, of any size, with the tiles that changes set: cells that both sizes have keep their tiles, new ones are
/// empty.
fn with_tiles(
    plane: &Plane<'_>,
    (wide, high): (usize, usize),
    changes: &[&Tree<'_>],
    is_resized: bool,
) -> Result<Vec<u8>> {
    // Which change set each tile, by its number from 1.
    let (mut grid, mut set_by) = (grid(Some(plane), wide, high)?, Vec::<u32>::new());
    for (number, node) in (1..).zip(changes) {
        let Some(change @ Change::Set { path, .. }) = node.change.filter(|_| node.children.is_empty()) else {
            return Err(EditError::not_found(&node.path()));
        };
        let mut are_there = true;
        for ((y, x), from, to) in cells(change)? {
            let found = plane.tile(x, y).map(|tile| tile.get());
            are_there &= found.is_none_or(|found| found == to);
            let expected = from.zip(found).filter(|(from, found)| from != found && *found != to);
            if let Some((expected, found)) = expected {
                return Err(EditError::differs(path, &expected.into(), found.into()));
            }
            let is_inside = x < wide && y < high;
            if to == Tile::EMPTY && !is_inside && (found.is_some() || is_resized) {
                // A grid of another size does not have this cell.
                continue;
            }
            if !is_inside {
                return Err(EditError::not_found(path));
            }
            let at = y.times(wide)?.plus(x)?;
            if set_by.is_empty() {
                set_by.resize(wide.times(high)?, 0);
            }
            let tile = grid.get_mut(sized(at.times(4)?, 4)?).checked()?;
            let other = std::mem::replace(set_by.get_mut(at).checked()?, number);
            // Changes that overlap may say the same.
            if other > 0 && *tile != to.to_le_bytes() {
                let other = changes.get(index(other.saturating_sub(1).into())?).and_then(|other| other.change);
                return Err(EditError::conflict(path, other.checked()?.path()));
            }
            tile.copy_from_slice(&to.to_le_bytes());
        }
        if are_there {
            node.is_done_already();
        }
    }
    Ok(grid)
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
pub(super) fn grid(plane: Option<&Plane<'_>>, wide: usize, high: usize) -> Result<Vec<u8>> {
    let mut grid = Tile::EMPTY.to_le_bytes().repeat(wide.times(high)?);
    // A grid without columns may have any number of rows, so its rows are not visited.
    let rows = plane.map(|plane| plane.tiles().chunks(plane.columns().max(1)));
    for (new, old) in grid.chunks_mut(wide.times(4)?.max(1)).zip(rows.into_iter().flatten()) {
        for (to, from) in new.iter_mut().zip(old.as_bytes()) {
            *to = *from;
        }
    }
    Ok(grid)
}
