//! Archives and tables.

use worldview_corpus::ff13::build::{build_archive, build_table};
use worldview_corpus::ff13::spec::{ArchiveSpec, CellSpec, TableSpec};
use worldview_corpus::trial::Trial;
use worldview_wpd::{Archive, Schema, TableOptions, Value};

use super::RULE;
use crate::holds;

/// Builds an archive, which both readers must read alike, with the members of the description.
pub fn archive(spec: &ArchiveSpec) {
    let file = build_archive(spec).bytes;
    holds(crate::wpd::archives_agree(&file));
    holds(crate::wpd::lossy_keeps_its_word(&file));
    let found = Archive::parse(&file).map(|archive| {
        archive
            .members()
            .map(|found| (found.name().to_vec(), found.extension().to_vec(), found.data().to_vec()))
            .collect()
    });
    // A name has up to 16 bytes and an extension up to 8, each ending at its first NUL.
    let field = |text: &[u8], size| text.iter().copied().take(size).take_while(|&byte| byte != 0).collect();
    let expected: Vec<(Vec<u8>, Vec<u8>, Vec<u8>)> = spec
        .members
        .iter()
        .map(|member| (field(&member.name, 16), field(&member.extension, 8), member.data.clone()))
        .collect();
    assert_eq!(found, Ok(expected));
}

/// Builds a table, which both readers must read alike, with everything that the description says.
pub fn table(spec: &TableSpec) {
    let file = build_table(spec).bytes;
    let _trial = Trial::new(RULE, "a table", &file);
    let names: Vec<&str> = spec.fields.iter().map(String::as_str).collect();
    holds(crate::wpd::tables_agree(&file, Some(&names)));
    holds(crate::wpd::lossy_keeps_its_word(&file));
    let schema = Schema::new("described", spec.fields.iter().cloned());
    let table = Archive::parse(&file).and_then(|archive| TableOptions::new().schema(&schema).table(archive));
    let table = match table {
        Ok(table) => table,
        Err(error) => return assert_eq!(Some(error), None, "a described table fails to open"),
    };
    let found: Vec<_> = table.fields().iter().map(|field| String::from_utf8_lossy(field.name()).into_owned()).collect();
    assert_eq!(found, spec.fields);
    assert_eq!((table.sheet_name(), table.layout_version()), (spec.sheet_name.as_deref(), spec.version));
    let mut rows: Vec<_> = spec.rows.iter().collect();
    rows.sort_by_key(|row| &row.name);
    assert_eq!(table.len(), rows.len());
    for (found, row) in table.rows().zip(rows) {
        assert_eq!(found.name(), row.name);
        for ((field, value), cell) in found.values().zip(&row.values) {
            let is_same = match (value, cell) {
                (Value::I32(value), CellSpec::Int(cell)) => i64::from(value) == *cell,
                (Value::U32(value), CellSpec::Int(cell)) => i64::from(value) == *cell,
                (Value::U64(value), CellSpec::Int(cell)) => value == cell.cast_unsigned(),
                (Value::F32(value), CellSpec::Float(cell)) => value.to_bits() == *cell,
                (Value::Text(value), CellSpec::Text(cell)) => value == Some(cell),
                _ => false,
            };
            assert!(is_same, "{}: {value:?} is not {cell:?}", field.name().escape_ascii());
        }
    }
}
