use worldview_core::describe::{Array, List, Part};
use worldview_core::{Path, field_name};
use worldview_inspect::{Root, Select};
use worldview_wwd::raw::PlaneHeader;
use worldview_wwd::{Level, LevelDescription, Unpacker};

use super::TRAILING;
use super::level::has_elements;
use super::plane::size_in_pixels;
use crate::diff::Also;
use crate::pairs::{compare, complete};
use crate::{Change, Changes, Planned, Result, Value};

/// Returns the changes that make one level say what another says, and an account of the differences that they leave.
///
/// Planes are compared by name, objects by id, and of several planes or objects with one name or id the first with the first.
/// Offsets, checksums and packing mean nothing. What is behind the main block, such as an editor's trailer, is one value.
///
/// # Errors
///
/// Returns an error if a file is not a level, if a list of objects or image-set names is broken, or if tiles of the right level refer
/// to tile attributes or image sets that only the left one has.
pub fn diff(left: &[u8], right: &[u8]) -> Result<Planned> {
    diff_with(left, right, Unpacker::new())
}

/// Returns the changes that make one level say what another says, and an account of the differences that they leave. Levels are
/// unpacked with the caller's limits.
///
/// # Errors
///
/// Returns an error as [`diff`] does.
pub fn diff_with(left: &[u8], right: &[u8], unpacker: Unpacker) -> Result<Planned> {
    let planned = changes(left, right, unpacker)?;
    let edited = super::apply_with(left, &planned.changes, unpacker);
    Ok(complete(planned, edited, right, |edited, note| {
        let (left, right) = (unpacker.unpack(edited)?, unpacker.unpack(right)?);
        let (old, new) = (Level::parse(&left)?, Level::parse(&right)?);
        let (before, after) = (LevelDescription::new(&left, &old), LevelDescription::new(&right, &new));
        let before = Root::new("wwd", old.image(), &before).besides(left.trailing().len() as u64);
        compare(&before, &Root::new("wwd", new.image(), &after).besides(right.trailing().len() as u64), note)
    }))
}

/// Returns the changes between two levels.
pub(crate) fn changes(left: &[u8], right: &[u8], unpacker: Unpacker) -> Result<Planned> {
    let (left, right) = (unpacker.unpack(left)?, unpacker.unpack(right)?);
    let (old, new) = (Level::parse(&left)?, Level::parse(&right)?);
    let (before, after) = (LevelDescription::new(&left, &old), LevelDescription::new(&right, &new));
    let (before, after) = (Root::new("wwd", old.image(), &before), Root::new("wwd", new.image(), &after));
    let mut also = Also(|path: &Path, [one, other]: [&Part<'_>; 2], changes: &mut Changes| {
        if path.segments().last().is_none_or(|last| last.kind != Some("plane")) {
            return Ok(());
        }
        let planes = old.planes().get(one.index as usize).zip(new.planes().get(other.index as usize));
        planes.map_or(Ok(()), |(one, other)| {
            sizes(path, one.header(), other.header(), changes);
            has_elements(path, (&old, one), (&new, other))
        })
    });
    let mut planned = crate::diff::diff(&before, &after, &Block, &mut also)?;
    if left.trailing() != right.trailing() {
        let path = Path::new().with(|path| path.push_name(TRAILING.as_bytes()));
        let [from, to] = [&left, &right].map(|file| Value::Bytes(file.trailing().to_vec()));
        planned.changes.push(Change::Set { path, from: Some(from), to });
    }
    Ok(planned)
}

/// The same size in pixels must be named where it would follow the tiles.
fn sizes(path: &Path, old: &PlaneHeader, new: &PlaneHeader, changes: &mut Changes) {
    let sizes = [
        (field_name!(PlaneHeader, width_px), old.width_px, new.width_px),
        (field_name!(PlaneHeader, height_px), old.height_px, new.height_px),
    ];
    for ((name, from, to), follows) in sizes.into_iter().zip(size_in_pixels(old, new)) {
        if from == to && to.get() != follows {
            let path = path.with(|path| path.push_name(name.as_bytes()));
            changes.push(Change::Set { path, from: Some(from.get().into()), to: to.get().into() });
        }
    }
}

/// Everything but what is behind the main block.
struct Block;

impl Select for Block {
    fn list(&self, list: &List) -> bool {
        list.name != "trailer"
    }

    fn array(&self, array: &Array<'_>) -> bool {
        array.name != TRAILING
    }
}
