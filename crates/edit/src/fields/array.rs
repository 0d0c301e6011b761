//! Arrays: single items, rectangles, and all bytes.

use std::collections::HashMap;

use worldview_core::Path;
use worldview_core::describe::{Array, Elements, Int, Span, Stored};

use super::values::{INTEGERS, bytes, color, color_text, encode_several, integer, word, wrong};
use super::{Draft, Wish};
use crate::checked::{Checked as _, Number as _};
use crate::{EditError, Result, Value};

/// Sets elements of a grid: one, named by its column and row, or a rectangle, named by its sides, too.
///
/// `known` has what other changes say of the elements.
pub(super) fn items<'c>(
    array: &Array<'_>,
    wish: &Wish<'c>,
    draft: &mut Draft<'_>,
    in_shape: bool,
    known: &mut HashMap<usize, (Value, &'c Path)>,
) -> Result<()> {
    let path = wish.path;
    let not_found = || EditError::not_found(path);
    let numbers = std::str::from_utf8(&wish.name).ok().map(|text| text.split(',').map(str::parse).collect());
    let numbers: std::result::Result<Vec<usize>, _> = numbers.ok_or_else(not_found)?;
    let ((x, y), (wide, high)) = match *numbers.map_err(|_| not_found())?.as_slice() {
        [x, y] if wish.kind == Some(array.item) => ((x, y), (1, 1)),
        [x, y, wide, high] if wish.kind == Some(array.name) => ((x, y), (wide, high)),
        _ => return Err(not_found()),
    };
    let list = |value: Option<&Value>| match value {
        None => Ok(None),
        Some(value) if wish.kind == Some(array.item) => Ok(Some(vec![value.clone()])),
        Some(Value::Integers(list)) if Some(list.len()) == wide.checked_mul(high) => {
            Ok(Some(list.iter().copied().map(Value::Integer).collect()))
        }
        Some(value @ Value::Integers(_)) => {
            let limit = format!("{wide} times {high} {}", array.name);
            Err(EditError::does_not_fit(path, value.clone(), limit))
        }
        Some(value) => Err(wrong(value, INTEGERS, path)),
    };
    let (from, to) = (list(wish.from)?, list(wish.to)?);
    // Rows without columns are not visited, which may be many.
    let cells = (0..if wide == 0 { 0 } else { high }).flat_map(|row| (0..wide).map(move |column| (column, row)));
    let mut are_there = true;
    for (index, (column, row)) in cells.enumerate() {
        let one = |list: &Option<Vec<Value>>| list.as_ref().and_then(|list| list.get(index)).cloned();
        let (from, to) = (one(&from), one(&to));
        let cell = x.checked_add(column).zip(y.checked_add(row)).ok_or_else(not_found)?;
        if let (Some(to), Some(index)) = (&to, self::index(array, cell)) {
            let (same, other) = known.entry(index).or_insert_with(|| (to.clone(), path));
            if same != to {
                return Err(EditError::conflict(path, other));
            }
        }
        are_there &= item(array, cell, (from.as_ref(), to.as_ref()), path, draft, in_shape)?;
    }
    if are_there {
        wish.is_done_already();
    }
    Ok(())
}

/// Sets an element of a grid. Returns whether it has the value already.
fn item(
    array: &Array<'_>,
    cell: (usize, usize),
    (from, to): (Option<&Value>, Option<&Value>),
    path: &Path,
    draft: &mut Draft<'_>,
    in_shape: bool,
) -> Result<bool> {
    let not_found = || EditError::not_found(path);
    let form = match array.elements {
        Elements::Bytes(_) => Int::word(1, false),
        Elements::Words(_) => Int::word(4, false),
        Elements::Ints(_) => Int::word(4, true),
        _ => return Err(EditError::unsupported(path, "values of this kind cannot be set")),
    };
    let blank = Value::from(array.blank);
    let index = index(array, cell);
    if index.is_none() && in_shape && to.or(from).is_none_or(|value| *value == blank) {
        // The cell is gone with the old shape, or comes with the new one.
        return Ok(false);
    }
    let index = index.ok_or_else(not_found)?;
    let bits = array.elements.bits(index).ok_or_else(not_found)?;
    let found = Value::Integer(if form.signed { bits.cast_signed().into() } else { bits.into() });
    if to == Some(&found) {
        return Ok(true);
    }
    if let Some(expected) = from.filter(|expected| **expected != found) {
        return Err(EditError::differs(path, expected, found));
    }
    let Some((to, at)) = to.zip(array.at) else { return Ok(false) };
    let offset = (index as u64).times(form.bytes.into())?;
    let at = Span { at: at.at.plus(offset)?, len: form.bytes.into(), ..at };
    if draft.put(at, form, integer(to, form, path)?) { Ok(false) } else { Err(not_found()) }
}

/// Sets one item of an array that has a number: a color of a palette, a point.
pub(super) fn row(array: &Array<'_>, wish: &Wish<'_>, draft: &mut Draft<'_>) -> Result<()> {
    let path = wish.path;
    let not_found = || EditError::not_found(path);
    let found = wish.nth.and_then(|nth| row_value(array, usize::try_from(nth).ok()?));
    let ((found, stored), start) = found.zip(array.at).ok_or_else(not_found)?;
    let expected = |value: &Value| match (value, &found) {
        (Value::Integers(_), Value::Floats(_)) => value.as_floats() == found.as_floats(),
        _ => *value == found || color(value).is_some() && color(value) == color(&found),
    };
    if wish.to.is_some_and(&expected) {
        wish.is_done_already();
        return Ok(());
    }
    if let Some(expected) = wish.from.filter(|from| !expected(from)) {
        return Err(EditError::differs(path, expected, found));
    }
    let Some(to) = wish.to else { return Ok(()) };
    let len = stored.size().checked()? as u64;
    let at = Span { at: start.at.plus(u64::from(wish.nth.checked()?).times(len)?)?, len, ..start };
    let is_done = match stored {
        Stored::Int(form) => draft.put(at, form, integer(to, form, path)?),
        _ => draft.replace(at, &encode_several(stored, array.item, to, path)?),
    };
    if is_done { Ok(()) } else { Err(not_found()) }
}

/// The value of an item of an array that has a number, and how it is stored.
pub(crate) fn row_value(array: &Array<'_>, nth: usize) -> Option<(Value, Stored<'static>)> {
    let columns = if array.rows_are_items { array.columns.max(1) } else { 1 };
    let start = nth.checked_mul(columns)?;
    let bits: Vec<u32> = (start..start.checked_add(columns)?).map_while(|at| array.elements.bits(at)).collect();
    if bits.len() < columns {
        return None;
    }
    Some(match array.elements {
        Elements::StoredFloats(_) | Elements::Floats(_) => {
            let floats: Vec<f32> = bits.into_iter().map(f32::from_bits).collect();
            (floats.as_slice().into(), Stored::Floats(u16::try_from(columns).ok()?))
        }
        Elements::Colors(_) => (color_text(bits.first()?.to_be_bytes().last_chunk()?), Stored::Color),
        Elements::Bytes(_) => ((*bits.first()?).into(), Stored::Int(Int::word(1, false))),
        _ => ((*bits.first()?).into(), Stored::Int(Int::word(4, false))),
    })
}

/// The bytes of an array of bytes or colors.
pub(crate) fn array_bytes<'e>(array: &Array<'e>) -> Option<&'e [u8]> {
    match array.elements {
        Elements::Bytes(bytes) => Some(bytes),
        Elements::Colors(colors) => Some(colors.as_flattened()),
        _ => None,
    }
}

/// Everything that an array of counted words has.
pub(crate) fn words(array: &Array<'_>) -> Option<Value> {
    match (array.elements, array.count) {
        (Elements::Words(words), Some(_)) => {
            Some(Value::Integers(words.iter().map(|word| word.get().into()).collect()))
        }
        _ => None,
    }
}

/// Replaces all of the words.
fn whole_words(array: &Array<'_>, found: Value, wish: &Wish<'_>, draft: &mut Draft<'_>) -> Result<()> {
    if wish.to == Some(&found) {
        wish.is_done_already();
        return Ok(());
    }
    if let Some(expected) = wish.from.filter(|expected| **expected != found) {
        return Err(EditError::differs(wish.path, expected, found));
    }
    let Some(to) = wish.to else { return Ok(()) };
    let Value::Integers(new) = to else { return Err(wrong(to, INTEGERS, wish.path)) };
    let words = new.iter().map(|integer| word(&Value::Integer(*integer), wish.path)).collect::<Result<Vec<_>>>()?;
    let new: Vec<u8> = words.iter().copied().flat_map(u32::to_le_bytes).collect();
    let is_done = array.at.zip(array.count).is_some_and(|(at, (count, int))| {
        draft.put(count, int, i128::from(words.len() as u64)) && draft.replace(at, &new)
    });
    if is_done {
        Ok(())
    } else {
        Err(EditError::unsupported(wish.path, "this field lies outside the part that has it"))
    }
}

/// Replaces all of an array.
pub(super) fn whole(array: &Array<'_>, wish: &Wish<'_>, draft: &mut Draft<'_>) -> Result<()> {
    if let Some(found) = words(array) {
        return whole_words(array, found, wish, draft);
    }
    let (Some(found), Some(at)) = (array_bytes(array), array.at) else {
        return Err(EditError::unsupported(wish.path, "values of this kind cannot be set"));
    };
    if wish.to.is_some_and(|to| to.as_bytes() == Some(found)) {
        wish.is_done_already();
        return Ok(());
    }
    if let Some(expected) = wish.from.filter(|expected| expected.as_bytes() != Some(found)) {
        let found = Value::Bytes(found.to_vec());
        return Err(EditError::differs(wish.path, expected, found));
    }
    let Some(to) = wish.to else { return Ok(()) };
    let new = bytes(to, wish.path)?;
    let size = if matches!(array.elements, Elements::Colors(_)) { 3 } else { 1 };
    let is_done = match array.count {
        _ if new.len() == found.len() => draft.replace(at, new),
        Some((count, int)) if new.len().is_multiple_of(size) => {
            let len = i128::from(new.chunks(size).len() as u64);
            draft.put(count, int, len) && draft.replace(at, new)
        }
        // Bytes that are no grid may be more or fewer.
        _ => size == 1 && (draft.is_parsed || array.columns == 0) && draft.replace(at, new),
    };
    if is_done {
        return Ok(());
    }
    let limit = match size {
        1 => format!("{} has {} bytes", array.name, found.len()),
        _ => format!("{size} bytes a color"),
    };
    Err(EditError::does_not_fit(wish.path, to.clone(), limit))
}

/// The element of a grid in a column and row.
pub(super) fn index(array: &Array<'_>, (x, y): (usize, usize)) -> Option<usize> {
    let index = y.checked_mul(array.columns)?.checked_add(x)?;
    (x < array.columns && index < array.elements.len()).then_some(index)
}
