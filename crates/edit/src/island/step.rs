//! The steps that edits of elements and lists consist of.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use worldview_core::Path;
use worldview_island::Lod;

use super::alone::{self, Alone};
use super::field::Field;
use super::image::{Image, Piece};
use super::select::{Index, split};
use super::view::View;
use crate::{EditError, EditErrorKind, Position, Result, Value};

pub(super) const TANGLED: &str = "parts of this blob overlap, so no length in it can change";

/// The new bytes of fields, by name.
pub(super) type Set = HashMap<&'static str, Vec<u8>>;

/// Gives a value to a field, which must have the expected one.
pub(super) fn set(
    view: &View<'_, '_>,
    field: &Field,
    (from, to): (Option<&Value>, &Value),
    path: &Path,
    image: &mut Image<'_>,
    all: &mut Set,
) -> Result<()> {
    let old = image.get(&field.range);
    let new = field.set(image.bytes, from, to, path)?;
    keeps_layout(view, field.name, old, &new, path)?;
    image.path = path.clone();
    image.replace(field.range.clone(), new.clone());
    all.insert(field.name, new);
    Ok(())
}

/// Returns an error if a field decides what is stored besides it, and would decide otherwise.
pub(super) fn keeps_layout(view: &View<'_, '_>, name: &str, old: &[u8], new: &[u8], path: &Path) -> Result<()> {
    let (decides, why): (fn(&[u8]) -> bool, _) = match (view, name) {
        (View::Texture(_, true), "name") => {
            (|name| name.get(4) == Some(&b'^'), "a `^` before the name says that there are two images; set the texture")
        }
        (View::Actor(_), "name") => (|name| name.len() > 4, "only an actor with a name has a type; set the actor"),
        (View::Lod(_), "flags") => (
            |flags| flags.first().is_some_and(|&flags| u32::from(flags) & Lod::NO_DATA != 0),
            "this flag decides whether the level has data; set the level",
        ),
        (View::Roi(..), "shared") => {
            (|shared| shared != [0], "this value decides whether the object has levels of its own; set the object")
        }
        _ => return Ok(()),
    };
    if decides(old) == decides(new) { Ok(()) } else { Err(EditError::unsupported(path, why)) }
}

/// Returns an error if the pixels of an image do not fill its new size.
pub(super) fn fits_pixels(old: &worldview_island::Image<'_>, new: &Set, path: &Path) -> Result<()> {
    let side = |name, old: u32| {
        let new = new.get(name).and_then(|bytes| bytes.first_chunk());
        u64::from(new.map_or(old, |&new| u32::from_le_bytes(new)))
    };
    let (width, height) = (side("width", old.width), side("height", old.height));
    let pixels = new.get("pixels").map_or(old.pixels.len(), Vec::len);
    if width.checked_mul(height) == Some(pixels as u64) {
        return Ok(());
    }
    let value = Value::Integers(vec![width.into(), height.into()]);
    let limit = format!("the size must match the number of pixels, {pixels}");
    Err(EditError::new(path, EditErrorKind::DoesNotFit { value, limit }))
}

/// What happens to a list.
#[derive(Default)]
pub(super) struct Plan {
    pub(super) removed: Vec<usize>,
    /// New elements by the element before which they go.
    pub(super) inserted: BTreeMap<usize, Vec<Piece>>,
}

impl Plan {
    pub(super) fn insert(&mut self, at: usize, piece: Piece) {
        self.inserted.entry(at).or_default().push(piece);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.removed.is_empty() && self.inserted.is_empty()
    }
}

/// Returns the element before which a position is.
pub(super) fn slot(position: &Position, path: &Path, index: &Index, len: usize) -> Result<usize> {
    match position {
        Position::Natural => Ok(len),
        Position::Before(other) => sibling(other, path, index),
        Position::After(other) => Ok(sibling(other, path, index)?.saturating_add(1)),
    }
}

/// Returns the element of the list that `path` is about, by its path.
pub(super) fn sibling(other: &Path, path: &Path, index: &Index) -> Result<usize> {
    let missing = || EditError::new(other, EditErrorKind::NotFound);
    let ((parent, last), (own, own_last)) = split(other).zip(split(path)).ok_or_else(missing)?;
    let is_numbered = last.kind.is_none();
    if parent != own || last.kind != own_last.kind || (is_numbered && last.key != own_last.key) {
        return Err(missing());
    }
    index.find(&last, other)
}

/// Writes the number of a list's elements.
pub(super) fn recount(place: &Range<usize>, count: usize, image: &mut Image<'_>) -> Result<()> {
    let max = if place.len() == 2 { u64::from(u16::MAX) } else { u64::from(u32::MAX) };
    let count = u64::try_from(count).ok().filter(|count| *count <= max).ok_or_else(|| {
        let limit = format!("at most {max} elements");
        EditError::new(&image.path, EditErrorKind::DoesNotFit { value: Value::Integer(count as i128), limit })
    })?;
    image.replace(place.clone(), count.to_le_bytes().into_iter().take(place.len()).collect());
    Ok(())
}

/// Returns the bytes of a value.
pub(super) fn bytes(value: &Value, path: &Path) -> Result<Vec<u8>> {
    let wrong = || EditError::new(path, EditErrorKind::WrongType { wanted: "bytes", found: value.clone() });
    value.as_bytes().map(<[u8]>::to_vec).ok_or_else(wrong)
}

/// Returns an error unless an element has the expected bytes.
pub(super) fn expect_bytes(found: &[u8], expected: Option<&Value>, path: &Path) -> Result<()> {
    match expected {
        Some(expected) if expected.as_bytes() != Some(found) => {
            let found = Value::Bytes(found.to_vec());
            Err(EditError::new(path, EditErrorKind::Differs { expected: expected.clone(), found }))
        }
        _ => Ok(()),
    }
}

/// The error about bytes that are not an element of the kind of their place.
pub(super) fn does_not_parse(kind: Alone, bytes: &[u8], path: &Path) -> EditError {
    let limit = format!("these bytes are not exactly {}", kind.describe());
    EditError::new(path, EditErrorKind::DoesNotFit { value: Value::Bytes(bytes.to_vec()), limit })
}

/// Returns an element as a piece that goes into the blob that starts at `base`.
pub(super) fn piece(kind: Alone, bytes: Vec<u8>, base: usize, path: &Path) -> Result<Piece> {
    alone::piece(kind, bytes, base).map_err(|bytes| does_not_parse(kind, &bytes, path))
}
