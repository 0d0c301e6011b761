//! Work that covers all bytes of a part: the byte sum of the checksum, columns copied and summed, and name lookups.
#![allow(missing_docs, reason = "criterion's macros generate undocumented functions")]
#![allow(clippy::unwrap_used, clippy::arithmetic_side_effects, reason = "a benchmark of files that it generated")]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use worldview::wpd::Table;
use worldview::wwd;
use worldview_benches::Row;
use worldview_benches::inputs::{self, LARGE, MIDDLE, SMALL, Size, id, sizes};
use worldview_benches::limits::{apart, column_of_16, read_pass};
use worldview_benches::readers::table::{COLUMN, checked, naive};
use worldview_corpus::ff13::generate::{Shape, table_of_rows};
use worldview_corpus::wwd::spec::Packing;

fn checksum(criterion: &mut Criterion) {
    for size in sizes(&[SMALL, MIDDLE, LARGE]) {
        let bytes = inputs::level(size.bytes, Packing::Raw);
        let expected = bytes.iter().fold(0_u32, |sum, &byte| sum.wrapping_add(byte.into()));
        Row::new(criterion, "checksum", id(size.name), bytes.len(), expected)
            .limit("read pass", || read_pass(black_box(&bytes)))
            .ours(|| wwd::byte_sum(black_box(&bytes)))
            // The additions are hidden from the compiler so that it cannot vectorize them.
            .reader("byte after byte", || {
                black_box(&bytes).iter().fold(0_u32, |sum, &byte| black_box(sum.wrapping_add(byte.into())))
            });
    }
}

/// Returns the bytes from the first to the last record of a table with contiguous records, which is what a read pass
/// covers.
fn records<'a>(file: &'a [u8], table: &Table<'_>) -> &'a [u8] {
    let first = table.get(0).unwrap().entry().offset.get() as usize;
    file.get(first..first + table.len() * table.record_size() as usize).unwrap()
}

/// Columns of 4-byte records, which are whole records: a copy that swaps the bytes of each word.
fn copied(criterion: &mut Criterion) {
    for size in sizes(&[SMALL, MIDDLE, LARGE]) {
        // A record of 4 bytes has an entry of 32 bytes in the directory.
        let rows = size.bytes / 4;
        let file = table_of_rows(inputs::SEED, rows, 0, &Shape::flag().embedded());
        let table = Table::parse(&file).unwrap();
        let column = table.column::<i32>("iFlagIndex").unwrap();
        let records = records(&file, &table);
        let (words, _) = records.as_chunks::<4>();
        let expected: Vec<i32> = words.iter().map(|word| i32::from_be_bytes(*word)).collect();
        let (mut out, mut bytes) = (vec![0_i32; table.len() + 1024], vec![0_u8; records.len() + 4096]);
        let (out, bytes) = (apart(records, &mut out), apart(records, &mut bytes));
        assert_eq!(column.copy_to(out), rows);
        assert_eq!(*out, expected);
        Row::new(criterion, "column of 4-byte records, copied", id(size.name), records.len(), rows)
            .limit("memcpy", || black_box(&mut *bytes).copy_from_slice(black_box(records)))
            .ours(|| black_box(&column).copy_to(black_box(&mut *out)))
            .reader("check per element", || {
                let mut copied = 0;
                for (row, out) in out.iter_mut().enumerate() {
                    let Some(value) = black_box(&column).get(row) else { break };
                    *out = value;
                    copied += 1;
                }
                copied
            });
    }
}

/// 100 MB of records.
const HUNDRED: Size = Size { name: "100 MB", bytes: 100_000_000 };

/// Sums one field over all records, for several record sizes: once from an open table, and once from the bytes of the
/// file, as the other readers do.
fn column(criterion: &mut Criterion) {
    let shapes = [
        (Shape::zone(), "i12Offset"),
        (Shape::monster(), "iLeafId"),
        (Shape::battle_scene(), "iOption0"),
        (Shape::chara_set(), "iVideoMemorySizeLimit"),
    ];
    for (shape, field) in sizes(&shapes) {
        for size in sizes(&[SMALL, MIDDLE, HUNDRED]) {
            let rows = size.bytes / shape.record_size();
            let file = table_of_rows(inputs::SEED, rows, 1 << 16, &shape.clone().embedded());
            let table = Table::parse(&file).unwrap();
            let records = records(&file, &table);
            let all = size.bytes < HUNDRED.bytes;
            let expected = if all { naive::column } else { checked::column }(&file, field).unwrap();
            let sum = |values: &mut dyn Iterator<Item = i32>| values.fold(0, i32::wrapping_add).cast_unsigned();
            let mut out = vec![0_i32; rows];
            let group = format!("one column of {}-byte records", shape.record_size());
            let mut row = Row::new(criterion, &group, id(size.name), records.len(), expected);
            row.limit("read pass over the records", || read_pass(black_box(records)));
            if shape.record_size() == 16 {
                row.least("loop with known shifts", || column_of_16(black_box(records)));
            }
            row.ours(|| {
                let column = black_box(&table).column::<i32>(field).unwrap();
                column.iter().fold(0, i32::wrapping_add).cast_unsigned()
            })
            .reader("worldview, copied, then added up", || {
                black_box(&table).column::<i32>(field).unwrap().copy_to(&mut out);
                sum(&mut out.iter().copied())
            });
            drop(row);
            let group = format!("parse, and one column of {}-byte records", shape.record_size());
            let mut row = Row::new(criterion, &group, id(size.name), file.len(), expected);
            row.limit("read pass over the file", || read_pass(black_box(&file)));
            for (name, read) in COLUMN {
                if all || ["worldview", "check per element"].contains(name) {
                    row.reader(name, || read(black_box(&file), field).unwrap());
                }
            }
        }
    }
}

/// Looks up records by name, against a binary search in a prepared array of names.
fn by_name(criterion: &mut Criterion) {
    let file = table_of_rows(inputs::SEED, 20_000, 0, &Shape::flag().embedded());
    let table = Table::parse(&file).unwrap();
    let names: Vec<[u8; 16]> = table.rows().map(|row| *row.entry().name.raw()).collect();
    // The names of every seventh record, in an order that caches cannot exploit.
    let mut asked: Vec<&[u8]> = table.rows().step_by(7).map(|row| row.name()).collect();
    asked.sort_unstable_by_key(|name| name.iter().rev().copied().collect::<Vec<_>>());
    let padded: Vec<[u8; 16]> = asked
        .iter()
        .map(|name| {
            let mut raw = [0; 16];
            raw.get_mut(..name.len()).unwrap().copy_from_slice(name);
            raw
        })
        .collect();
    let expected: usize = padded.iter().map(|name| names.binary_search(name).unwrap()).sum();
    Row::new(criterion, "record by name", id("20000 records"), asked.len() * 16, expected)
        .limit("binary_search in an array of the names", || -> usize {
            padded.iter().map(|name| black_box(&names).binary_search(name).unwrap()).sum()
        })
        .ours(|| asked.iter().map(|name| black_box(&table).by_name(name).unwrap().index()).sum())
        .reader("one after the other, of 100", || {
            let found = |name: &&[u8]| table.rows().position(|row| row.name() == *name);
            asked.iter().take(100).for_each(|name| _ = black_box(found(name)));
            expected
        });
}

criterion_group!(benches, checksum, copied, column, by_name);
criterion_main!(benches);
