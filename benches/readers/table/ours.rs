//! The views of this project.

use worldview::wpd::{Element, Field, FieldKind, Table, Value};

use crate::readers::Digest;

/// Reads row by row, with a type for each value.
pub fn by_rows(bytes: &[u8]) -> Digest {
    let table = Table::parse(bytes)?;
    let mut sum = 0_u32;
    for row in table.rows() {
        for (_, value) in row.values() {
            sum = sum.wrapping_add(word(value));
        }
    }
    Ok(sum)
}

/// Returns what a value adds to the digest.
fn word(value: Value<'_>) -> u32 {
    match value {
        Value::I32(value) => value.cast_unsigned(),
        Value::U32(value) => value,
        Value::F32(value) => value.to_bits(),
        Value::U64(value) => halves(value),
        Value::Text(text) => length(text),
    }
}

/// Reads column by column, with one type check per column.
pub fn by_columns(bytes: &[u8]) -> Digest {
    columns(&Table::parse(bytes)?)
}

/// Returns the sum of every field of a table.
pub(super) fn columns(table: &Table<'_>) -> Digest {
    let sum = table.fields().iter().try_fold(0_u32, |sum, field| Some(sum.wrapping_add(sum_of(table, field)?)));
    Ok(sum.ok_or("a field has another type than its column")?)
}

/// Returns the sum of one field over all records.
pub fn column(bytes: &[u8], name: &str) -> Option<u32> {
    let table = Table::parse(bytes).ok()?;
    sum_of(&table, table.field(name.as_bytes())?)
}

fn sum_of(table: &Table<'_>, field: &Field<'_>) -> Option<u32> {
    Some(match field.kind() {
        FieldKind::Int | FieldKind::BitsInt | FieldKind::BitsFixed => {
            table.column_of::<i32>(field)?.iter().map(i32::cast_unsigned).fold(0, u32::wrapping_add)
        }
        FieldKind::Float => table.column_of::<f32>(field)?.iter().map(f32::to_bits).fold(0, u32::wrapping_add),
        FieldKind::Uint64 => table.column_of::<u64>(field)?.iter().map(halves).fold(0, u32::wrapping_add),
        FieldKind::String => table.column_of::<Option<&[u8]>>(field)?.iter().map(length).fold(0, u32::wrapping_add),
        FieldKind::Element => {
            let elements = table.column_of::<Element<'_>>(field)?;
            elements.iter().map(|element| length(element.text)).fold(0, u32::wrapping_add)
        }
        _ => table.column_of::<u32>(field)?.iter().fold(0, u32::wrapping_add),
    })
}

#[expect(clippy::cast_possible_truncation, reason = "takes the two words of a number separately")]
fn halves(value: u64) -> u32 {
    (value as u32).wrapping_add((value >> 32) as u32)
}

#[expect(clippy::cast_possible_truncation, reason = "no string is that long")]
fn length(text: Option<&[u8]>) -> u32 {
    text.map_or(0, <[u8]>::len) as u32
}
