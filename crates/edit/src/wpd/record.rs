use worldview_core::Path;
use worldview_wpd::{Field, FieldKind, Row, Value as Cell};
use zerocopy::FromBytes as _;
use zerocopy::big_endian::U32;

use super::members::wrong;
use crate::{EditError, EditErrorKind, Result, Value};

/// The value of a field as changes express it; `None` for a string that lies outside the pool.
pub(crate) fn value(cell: &Cell<'_>) -> Option<Value> {
    Some(match *cell {
        Cell::I32(integer) => integer.into(),
        Cell::U32(integer) => integer.into(),
        Cell::U64(integer) => integer.into(),
        Cell::F32(float) => float.into(),
        Cell::Text(text) => Value::from_bytes(text?),
    })
}

/// Whether a field has the value of a change: numbers by value, floats by their bits, texts by their bytes.
pub(super) fn equals(cell: &Cell<'_>, expected: &Value) -> bool {
    match *cell {
        Cell::F32(float) => expected.as_float().is_some_and(|expected| expected.to_bits() == float.to_bits()),
        Cell::Text(text) => text.is_some() && text == expected.as_bytes(),
        _ => value(cell).is_some_and(|found| found == *expected),
    }
}

/// The smallest and the largest integer that a field holds; `None` for floats. Strings have the range of their reference.
pub(crate) fn range(field: &Field<'_>) -> Option<(i128, i128)> {
    let power = |bits: u32| 1_i128.unbounded_shl(bits);
    let width = u32::from(field.width());
    match field.kind() {
        FieldKind::Float => None,
        FieldKind::Int | FieldKind::BitsInt | FieldKind::BitsFixed => {
            let half = power(width.saturating_sub(1));
            Some((half.saturating_neg(), half.saturating_sub(1)))
        }
        FieldKind::Uint64 => Some((0, u64::MAX.into())),
        _ => Some((0, power(width).saturating_sub(1))),
    }
}

/// What fits into a number, in words.
pub(crate) fn limit(field: &Field<'_>) -> String {
    let (name, width) = (field.name().escape_ascii(), field.width());
    match range(field) {
        Some((min, max)) => format!("{name} has {width} bits, {min} to {max}"),
        None => format!("{name} is a 32-bit float"),
    }
}

/// A record that is being edited, as words.
pub(super) struct Words {
    bytes: Vec<u8>,
}

impl Words {
    /// Takes a copy of a record's data.
    pub(super) fn of(data: &[u8]) -> Self {
        Self { bytes: data.to_vec() }
    }

    /// Returns the word of a field, or one behind it.
    fn word(&mut self, field: &Field<'_>, behind: usize, path: &Path) -> Result<&mut U32> {
        let index = usize::try_from(field.word()).ok().and_then(|word| word.checked_add(behind));
        let at = index.and_then(|index| index.checked_mul(4));
        let word = at.and_then(|at| self.bytes.get_mut(at..at.checked_add(4)?));
        word.and_then(|word| U32::mut_from_bytes(word).ok())
            .ok_or_else(|| EditError::unsupported(path, "the record is too short for this field"))
    }

    /// Puts bits into a field; the others of its word stay.
    pub(super) fn put(&mut self, field: &Field<'_>, bits: u32, path: &Path) -> Result<()> {
        let mask = !u32::MAX.unbounded_shl(field.width().into());
        let word = self.word(field, 0, path)?;
        let cleared = word.get() & !mask.unbounded_shl(field.bit().into());
        word.set(cleared | (bits & mask).unbounded_shl(field.bit().into()));
        Ok(())
    }

    /// Gives a number to a field.
    pub(super) fn number(&mut self, field: &Field<'_>, to: &Value, path: &Path) -> Result<()> {
        let (min, max) = match range(field) {
            Some(range) => range,
            None => {
                let float = to.as_float().ok_or_else(|| wrong(path, "a number", to))?;
                return self.put(field, float.to_bits(), path);
            }
        };
        let integer = match *to {
            Value::Integer(integer) if (min..=max).contains(&integer) => integer,
            Value::Integer(_) => {
                return Err(EditError::new(path, EditErrorKind::DoesNotFit { value: to.clone(), limit: limit(field) }));
            }
            _ => return Err(wrong(path, "an integer", to)),
        };
        if field.kind() == FieldKind::Uint64 {
            let [high, low] = [integer.unbounded_shr(32), integer & i128::from(u32::MAX)];
            self.word(field, 0, path)?.set(u32::try_from(high).unwrap_or_default());
            self.word(field, 1, path)?.set(u32::try_from(low).unwrap_or_default());
            return Ok(());
        }
        // In range, so the lowest bits are all of it.
        let bits =
            u32::try_from(integer).unwrap_or_else(|_| i32::try_from(integer).unwrap_or_default().cast_unsigned());
        self.put(field, bits, path)
    }

    /// Returns the data of the record.
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// Returns the field of a row with its value, or an error if the value is not the one that a change expects.
pub(super) fn expect(row: &Row<'_, '_>, field: &Field<'_>, expected: Option<&Value>, path: &Path) -> Result<()> {
    let (Some(expected), Some(cell)) = (expected, row.value(field)) else { return Ok(()) };
    if equals(&cell, expected) {
        return Ok(());
    }
    let found = value(&cell).unwrap_or_else(|| Value::Text("a string outside the pool".to_owned()));
    Err(EditError::new(path, EditErrorKind::Differs { expected: expected.clone(), found }))
}
