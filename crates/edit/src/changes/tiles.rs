//! The tiles of levels that changes set: one by one, or as rectangles.

use std::collections::HashMap;

use worldview_core::Path;
use worldview_wwd::Tile;

use super::{Change, Changes, place};
use crate::checked::Checked as _;
use crate::fields;
use crate::{EditError, Result, Value};

/// A tile by row and column, with the expected and the new word.
pub(crate) type Cell = ((usize, usize), Option<u32>, u32);

/// Returns the tiles that a change sets; none if it is about something else.
pub(crate) fn cells(change: &Change) -> Result<Vec<Cell>> {
    let Change::Set { path, from, to } = change else { return Ok(Vec::new()) };
    let Some(segment) = path.segments().last() else { return Ok(Vec::new()) };
    if !matches!(segment.kind, Some("tile" | "tiles")) {
        return Ok(Vec::new());
    }
    let not_found = || EditError::not_found(path);
    let numbers = std::str::from_utf8(&segment.key).map_err(|_| not_found())?.split(',');
    let numbers = numbers.map(str::parse).collect::<std::result::Result<Vec<usize>, _>>().map_err(|_| not_found())?;
    match (segment.kind, segment.nth, numbers.as_slice()) {
        (Some("tile"), None, &[x, y]) => {
            Ok(vec![((y, x), from.as_ref().map(|from| word(from, path)).transpose()?, word(to, path)?)])
        }
        (Some("tiles"), None, &[x, y, wide, high]) => {
            let to = words(to, wide, high, path)?;
            let from = from.as_ref().map(|from| words(from, wide, high, path)).transpose()?;
            let all = (0..high).flat_map(|row| (0..wide).map(move |column| (row, column)));
            let cell = |(index, (to, (row, column))): (usize, (u32, (usize, usize)))| {
                let cell = y.checked_add(row).zip(x.checked_add(column)).ok_or_else(not_found)?;
                Ok((cell, from.as_ref().map(|from| from.get(index).copied().checked()).transpose()?, to))
            };
            // Rows without columns are not visited, which may be many.
            to.into_iter().zip(all).enumerate().map(cell).collect()
        }
        _ => Err(not_found()),
    }
}

/// The words of a rectangle of tiles, in rows from the top.
fn words(value: &Value, wide: usize, high: usize, path: &Path) -> Result<Vec<u32>> {
    let Value::Integers(list) = value else {
        return Err(fields::wrong(value, "a list of tiles", path));
    };
    if Some(list.len()) != wide.checked_mul(high) {
        let limit = format!("{wide} times {high} tiles");
        return Err(EditError::does_not_fit(path, value.clone(), limit));
    }
    list.iter().map(|tile| word(&Value::Integer(*tile), path)).collect()
}

/// The word of a tile: as the file has it, or by its text.
fn word(value: &Value, path: &Path) -> Result<u32> {
    let Value::Text(text) = value else { return fields::word(value, path) };
    let part = |text: &str| text.parse::<u16>().ok().map(u32::from);
    let word = match text.as_str() {
        "." => Some(Tile::EMPTY),
        "#" => Some(Tile::FILLED),
        text => match text.split_once(':') {
            Some((set, frame)) => part(set).zip(part(frame)).map(|(set, frame)| (set << 16) | frame),
            None => part(text),
        },
    };
    word.ok_or_else(|| fields::wrong(value, "a tile", path))
}

/// The tiles that a list sets, by their planes.
#[derive(Default)]
pub(super) struct Tiles<'c> {
    planes: HashMap<Path, Plane<'c>>,
}

/// Tiles by row and column, with the expected and the new word and the change.
type Plane<'c> = HashMap<(usize, usize), (Option<u32>, u32, &'c Change)>;

impl<'c> Tiles<'c> {
    pub(super) fn of(changes: &'c Changes) -> Result<Self> {
        let mut tiles = Self::default();
        for change in changes {
            for (cell, from, to) in cells(change)? {
                tiles.planes.entry(plane(change)).or_default().insert(cell, (from, to, change));
            }
        }
        Ok(tiles)
    }

    /// Returns the changes that give a tile another value than a change of another list, or expect another one.
    pub(super) fn conflicts(&self, change: &Change) -> Result<Vec<&'c Change>> {
        let mut found: Vec<&Change> = Vec::new();
        let cells = cells(change)?;
        let tiles = if cells.is_empty() { None } else { self.planes.get(&plane(change)) };
        let Some(tiles) = tiles else { return Ok(found) };
        for (cell, from, to) in cells {
            let Some((old, same, other)) = tiles.get(&cell) else { continue };
            let is_same = *same == to && (from.is_none() || old.is_none() || *old == from);
            if !is_same && !found.iter().any(|known| std::ptr::eq(*known, *other)) {
                found.push(other);
            }
        }
        Ok(found)
    }
}

/// The place of what contains that of a change.
fn plane(change: &Change) -> Path {
    place(change.path()).first(change.path().len().saturating_sub(1))
}
