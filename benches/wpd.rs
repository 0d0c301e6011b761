//! Archives and tables: directories, columns, rows and names, each against its limit.
#![allow(missing_docs, reason = "criterion's macros make undocumented functions")]
#![allow(clippy::unwrap_used, clippy::arithmetic_side_effects, reason = "a benchmark of files that it made itself")]

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use worldview::wpd::{Archive, Table, Value};
use worldview_benches::{SEED, read_pass};
use worldview_corpus::ff13::generate::{Shape, generic, table, table_of_rows};
use worldview_corpus::ff13::naive::{self, NaiveValue};

/// The directory of an archive against a read pass over its entries.
fn directory(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("archive");
    let file = generic(SEED, 1000);
    assert_eq!(Archive::parse(&file).unwrap().entries().len(), 1000);
    let id = format!("1000 members, seed {SEED}");
    group.bench_function(BenchmarkId::new("parse", &id), |bencher| {
        bencher.iter(|| Archive::parse(black_box(&file)).unwrap().entries().len());
    });
    group.bench_function(BenchmarkId::new("read pass over the entries", &id), |bencher| {
        bencher.iter(|| read_pass(black_box(&file).get(..16 + 32 * 1000).unwrap()));
    });
    group.finish();
}

/// A column of whole words copied out, against a plain copy and a read pass over the records.
fn columns(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("column");
    for (shape, field) in [(Shape::flag(), "iFlagIndex"), (Shape::battle_scene(), "iOption0")] {
        let named = shape.embedded();
        for (name, size) in [("64 KiB", 64 << 10), ("4 MiB", 4 << 20)] {
            let file = table(SEED, size, &named);
            let table = Table::parse(&file).unwrap();
            let mut out = vec![0_i32; table.len()];
            let column = table.column::<i32>(field).unwrap();
            column.copy_to(&mut out);
            let by_rows: Vec<_> = table.rows().map(|row| row.get(field)).collect();
            assert!(out.iter().zip(&by_rows).all(|(&one, other)| Some(Value::I32(one)) == *other));
            let size = table.record_size();
            let id = format!("{size} byte records, {name}, seed {SEED}");
            let records = table.rows().next().map_or(0, |row| row.entry().offset.get()) as usize;
            let records = file.get(records..records + table.len() * size as usize).unwrap();
            group.throughput(Throughput::Bytes(records.len() as u64));
            group.bench_function(BenchmarkId::new("copy_to", &id), |bencher| {
                bencher.iter(|| black_box(&column).copy_to(black_box(&mut out)));
            });
            group.bench_function(BenchmarkId::new("sum", &id), |bencher| {
                bencher.iter(|| black_box(&column).iter().fold(0_i32, i32::wrapping_add));
            });
            group.bench_function(BenchmarkId::new("read pass over the records", &id), |bencher| {
                bencher.iter(|| read_pass(black_box(records)));
            });
            let mut bytes = vec![0_u8; table.len() * 4];
            group.bench_function(BenchmarkId::new("copy of as many bytes", &id), |bencher| {
                bencher
                    .iter(|| black_box(&mut bytes).copy_from_slice(black_box(records).get(..table.len() * 4).unwrap()));
            });
        }
    }
    group.finish();
}

fn add(sum: u64, value: Value<'_>) -> u64 {
    sum.wrapping_add(match value {
        Value::I32(value) => u64::from(value.cast_unsigned()),
        Value::U32(value) => value.into(),
        Value::F32(value) => value.to_bits().into(),
        Value::U64(value) => value,
        Value::Text(text) => text.map_or(1, |text| text.len() as u64),
    })
}

/// Every value of a table by rows, against the naive reader.
fn everything(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("parse, every value of every record");
    for shape in [Shape::monster(), Shape::battle_scene(), Shape::chara_set()] {
        let file = table(SEED, 1 << 20, &shape.embedded());
        let ours = |file: &[u8]| {
            let table = Table::parse(file).unwrap();
            table.rows().fold(0, |sum, row| row.values().fold(sum, |sum, (_, value)| add(sum, value)))
        };
        let naively = |file: &[u8]| {
            let table = naive::table(file, None).unwrap();
            table.rows.iter().flat_map(|row| &row.values).fold(0_u64, |sum, value| {
                sum.wrapping_add(match value {
                    NaiveValue::I32(value) => u64::from(value.cast_unsigned()),
                    NaiveValue::U32(value) | NaiveValue::F32(value) => u64::from(*value),
                    NaiveValue::U64(value) => *value,
                    NaiveValue::Text(text) => text.as_ref().map_or(1, |text| text.len() as u64),
                })
            })
        };
        assert_eq!(ours(&file), naively(&file));
        group.throughput(Throughput::Bytes(file.len() as u64));
        let id = format!("{} byte records, 1 MiB, seed {SEED}", Table::parse(&file).unwrap().record_size());
        group.bench_function(BenchmarkId::new("ours", &id), |bencher| bencher.iter(|| ours(black_box(&file))));
        group.sample_size(10);
        group.bench_function(BenchmarkId::new("naive reader", &id), |bencher| {
            bencher.iter(|| naively(black_box(&file)))
        });
        group.sample_size(100);
        group
            .bench_function(BenchmarkId::new("read pass", &id), |bencher| bencher.iter(|| read_pass(black_box(&file))));
    }
    group.finish();
}

/// Records by name, against a binary search in a ready array of the names.
fn by_name(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("record by name");
    let file = table_of_rows(SEED, 20_000, 0, &Shape::flag().embedded());
    let table = Table::parse(&file).unwrap();
    let names: Vec<[u8; 16]> = table.rows().map(|row| *row.entry().name.raw()).collect();
    let asked: Vec<&[u8]> = table.rows().step_by(7).map(|row| row.name()).collect();
    let mut padded = Vec::new();
    for name in &asked {
        let mut raw = [0; 16];
        raw.get_mut(..name.len()).unwrap().copy_from_slice(name);
        assert_eq!(table.row(name).unwrap().index(), names.binary_search(&raw).unwrap());
        padded.push(raw);
    }
    let id = format!("20000 records, seed {SEED}");
    group.throughput(Throughput::Elements(asked.len() as u64));
    group.bench_function(BenchmarkId::new("row", &id), |bencher| {
        bencher.iter(|| asked.iter().filter(|name| black_box(&table).row(name).is_some()).count());
    });
    group.bench_function(BenchmarkId::new("binary_search", &id), |bencher| {
        bencher.iter(|| padded.iter().filter(|name| black_box(&names).binary_search(name).is_ok()).count());
    });
    group.finish();
}

criterion_group!(benches, directory, columns, everything, by_name);
criterion_main!(benches);
