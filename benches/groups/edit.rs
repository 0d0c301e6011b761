//! Edits: one value of a large file, written to disk, against writing the same bytes; and an edited spreadsheet against its
//! export.
#![allow(missing_docs, reason = "criterion's macros generate undocumented functions")]
#![allow(
    clippy::unwrap_used,
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "a benchmark of files that it generated"
)]

use std::fs::{self, File};
use std::io::{BufWriter, Write as _};

use criterion::{Criterion, criterion_group, criterion_main};
use worldview::wpd::{Field, Table, Value};
use worldview_benches::Row;
use worldview_benches::inputs::{self, id, mapping, sizes};
use worldview_corpus::ff13::generate::{Shape, table};
use worldview_edit::{Change, Changes, wpd};
use worldview_export::table::{Selection, csv as export};

/// Returns a change of one number, of 32 bits, in the record in the middle of a table.
fn change(table: &Table<'_>) -> Changes {
    let row = table.rows().nth(table.len() / 2).unwrap();
    let is_word = |field: &&Field<'_>| {
        field.width() == 32 && matches!(row.get(field.name()), Some(Value::U32(_) | Value::I32(_)))
    };
    let field = table.fields().iter().find(is_word).unwrap();
    let path = format!("{}/{}", row.name().escape_ascii(), field.name().escape_ascii());
    [Change::set(path.parse().unwrap(), 12345)].into_iter().collect()
}

/// One value of a table.
fn set(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("input"), folder.path().join("output"));
    for (name, bytes) in sizes(&[("1 MB", 1_000_000), ("100 MB", 100_000_000)]) {
        let file = table(inputs::SEED, *bytes, &Shape::battle_scene().embedded());
        fs::write(&input, &file).unwrap();
        let changes = change(&Table::parse(&file).unwrap());
        let mut expected = file.clone();
        let edited = wpd::apply(&file, &changes).unwrap().to_vec();
        let at = (0..file.len()).find(|&at| file[at] != edited[at]).unwrap() & !3;
        expected[at..at + 4].copy_from_slice(&12345_u32.to_be_bytes());
        assert!(expected == edited, "the edit changes other bytes");
        Row::new(criterion, "set one value of a table", id(name), file.len(), file.len() as u64)
            .limit("write the same bytes", || fs::write(&output, &edited).unwrap())
            .ours(|| {
                let bytes = mapping().open(&input).unwrap();
                let mut out = BufWriter::new(File::create(&output).unwrap());
                wpd::apply(&bytes, &changes).unwrap().write_to(&mut out).unwrap();
                out.flush().unwrap();
                fs::metadata(&output).unwrap().len()
            });
    }
}

/// A table from its CSV, in which one cell was edited.
fn csv(criterion: &mut Criterion) {
    for (name, bytes) in sizes(&[("64 KiB", 64 << 10), ("4 MiB", 4 << 20)]) {
        let file = table(inputs::SEED, *bytes, &Shape::monster().embedded());
        let parsed = Table::parse(&file).unwrap();
        let edited = wpd::apply(&file, &change(&parsed)).unwrap().to_vec();
        let mut sheet = Vec::new();
        export::records(&Table::parse(&edited).unwrap(), &Selection::ALL, &mut sheet).unwrap();
        let mut out = Vec::new();
        Row::new(criterion, "apply an edited CSV", id(name), sheet.len(), edited)
            .limit("export the CSV", || {
                out.clear();
                export::records(&parsed, &Selection::ALL, &mut out).unwrap();
            })
            .ours(|| {
                let planned =
                    worldview_import::csv::records(&parsed, &sheet, &worldview_import::csv::Options::default())
                        .unwrap();
                let changes = planned.complete().unwrap();
                wpd::apply(&file, &changes).unwrap().to_vec()
            });
    }
}

criterion_group!(benches, set, csv);
criterion_main!(benches);
