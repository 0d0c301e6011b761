//! The reader of `tests/corpus`, which favors obviousness over speed.
use worldview_corpus::ff13::naive::{NaiveValue, table};

use crate::readers::Digest;

/// Returns the digest of a file.
pub fn digest(bytes: &[u8]) -> Digest {
    let table = table(bytes, None)?;
    let mut sum = 0_u32;
    for row in &table.rows {
        for value in &row.values {
            sum = sum.wrapping_add(word(value));
        }
    }
    Ok(sum)
}

/// Returns the sum of one field over all records.
pub fn column(bytes: &[u8], name: &str) -> Option<u32> {
    let table = table(bytes, None).ok()?;
    let at = table.fields.iter().position(|field| field.name == name.as_bytes())?;
    table.rows.iter().try_fold(0_u32, |sum, row| Some(sum.wrapping_add(word(row.values.get(at)?))))
}

/// Returns what a value adds to the digest.
fn word(value: &NaiveValue) -> u32 {
    #[expect(clippy::cast_possible_truncation, reason = "sums wrap")]
    match value {
        NaiveValue::I32(value) => value.cast_unsigned(),
        NaiveValue::U32(value) | NaiveValue::F32(value) => *value,
        NaiveValue::U64(value) => (*value as u32).wrapping_add((value >> 32) as u32),
        NaiveValue::Text(text) => text.as_ref().map_or(0, Vec::len) as u32,
    }
}
