//! The fields of every fixed-size structure, in file order: as their specs declare them.

use std::sync::LazyLock;

use super::{Fields, NaiveValue, Result};
use crate::builder::{Field, layout};
use crate::naive::{bytes_at, i32_at, u32_at, wide};
use crate::wwd::spec::{AttributeSpec, HeaderSpec, ObjectSpec, PlaneSpec};

type Table = LazyLock<Vec<Field>>;

pub(super) static HEADER: Table = Table::new(|| layout(&HeaderSpec::default()));
pub(super) static PLANE: Table = Table::new(|| layout(&PlaneSpec::default()));
pub(super) static OBJECT: Table = Table::new(|| layout(&ObjectSpec::default()));

/// The layouts of tile-attribute records: single, double and mask, whose types are 1, 2 and 3.
pub(super) static ATTRIBUTES: [Table; 3] = [
    Table::new(|| layout(&AttributeSpec::single(0, 0, 0))),
    Table::new(|| layout(&AttributeSpec::double(0, 0, 0, 0, [0; 4]))),
    Table::new(|| layout(&AttributeSpec::mask(0, 0, Vec::new()))),
];

/// Returns the size of a table's fields in bytes.
pub(super) fn size(table: &[Field]) -> u64 {
    wide(table.iter().map(|field| field.size).sum())
}

/// Reads the fields of a structure.
pub(super) fn fields_at(bytes: &[u8], start: u64, table: &'static [Field]) -> Result<Fields> {
    let mut fields = Fields::new();
    for Field { name, at, size, number } in table {
        let at = start.saturating_add(wide(*at));
        let value = match (number, size) {
            (None, size) => NaiveValue::Text(bytes_at(bytes, at, wide(*size))?),
            (Some("u32"), _) => NaiveValue::Int(u32_at(bytes, at)?.into()),
            (_, 4) => NaiveValue::Int(i32_at(bytes, at)?.into()),
            _ => {
                let mut rect = [0; 4];
                for (side, at) in rect.iter_mut().zip((at..).step_by(4)) {
                    *side = i32_at(bytes, at)?;
                }
                NaiveValue::Rect(rect)
            }
        };
        fields.push((name, value));
    }
    Ok(fields)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_match_the_format_notes() {
        assert_eq!([&HEADER, &PLANE, &OBJECT].map(|table| size(table)), [1524, 160, 284]);
        assert_eq!(ATTRIBUTES.each_ref().map(|table| size(table)), [20, 40, 16]);
    }
}
