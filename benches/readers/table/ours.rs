//! The views of this project.
use worldview::wpd::{Table, Value};

/// The digest of a file.
pub fn digest(bytes: &[u8]) -> Option<u32> {
    let table = Table::parse(bytes).ok()?;
    let mut sum = 0_u32;
    for row in table.rows() {
        for (_, value) in row.values() {
            sum = sum.wrapping_add(word(value));
        }
    }
    Some(sum)
}

/// What a value adds to the digest.
fn word(value: Value<'_>) -> u32 {
    // Of the two words of a number, and of a length, the sum has 32 bits.
    #[expect(clippy::cast_possible_truncation, reason = "sums wrap")]
    match value {
        Value::I32(value) => value.cast_unsigned(),
        Value::U32(value) => value,
        Value::F32(value) => value.to_bits(),
        Value::U64(value) => (value as u32).wrapping_add((value >> 32) as u32),
        Value::Text(text) => text.map_or(0, <[u8]>::len) as u32,
    }
}
