//! Exports tables as text and as columns, against the bare writers of those formats with prepared input.
#![allow(missing_docs, reason = "criterion's macros generate undocumented functions")]
#![allow(clippy::unwrap_used, clippy::arithmetic_side_effects, reason = "a benchmark of files that it generated")]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use serde::{Deserialize, Serialize};
use worldview::wpd::Table;
use worldview_benches::Row;
use worldview_benches::inputs::{self, LARGE, MIDDLE, SMALL, Size, id, sizes};
use worldview_benches::limits::table::{Columns, batches, cells, sheet};
use worldview_corpus::ff13::generate::{Shape, table};
use worldview_export::table::{
    Selection, arrow as table_arrow, csv as table_csv, json as table_json, parquet as table_parquet,
};

const THIRTY_TWO: Size = Size { name: "32 MiB", bytes: 32 << 20 };

/// Returns tables of two shapes: strings, floats and packed numbers; and full words.
fn tables(sizes: &[Size]) -> Vec<(String, Vec<u8>)> {
    let mut all = Vec::new();
    for size in sizes {
        for shape in [Shape::monster(), Shape::battle_scene()] {
            let name = id(&format!("{} of {}-byte records", size.name, shape.record_size()));
            all.push((name, table(inputs::SEED, size.bytes, &shape.embedded())));
        }
    }
    all
}

fn csv(criterion: &mut Criterion) {
    for (name, file) in tables(sizes(&[SMALL, MIDDLE, THIRTY_TWO])) {
        let table = Table::parse(&file).unwrap();
        let mut out = Vec::new();
        table_csv::records(&table, &Selection::ALL, &mut out).unwrap();
        let rows = sheet(&out);
        // One row at a time, as prepared strings.
        let bare = |out: &mut Vec<u8>| {
            out.clear();
            let mut writer = ::csv::Writer::from_writer(out);
            black_box(&rows).iter().for_each(|row| writer.write_record(row).unwrap());
            writer.flush().unwrap();
        };
        let cells = cells(&table, &rows);
        let width = rows.first().unwrap().len();
        let in_place = |out: &mut Vec<u8>| {
            out.clear();
            let mut writer = ::csv::Writer::from_writer(out);
            black_box(&cells).chunks(width).for_each(|row| writer.write_record(row).unwrap());
            writer.flush().unwrap();
        };
        let expected = out.clone();
        for limit in [&bare as &dyn Fn(&mut Vec<u8>), &in_place] {
            limit(&mut out);
            assert_eq!(out, expected, "the bare writer gives different output");
        }
        Row::new(criterion, "table as CSV", name, expected.len(), expected.len())
            .limit("csv, fed with ready rows", || bare(&mut out))
            .limit("csv, fed with strings where the table has them", || in_place(&mut out))
            .ours(|| {
                out.clear();
                table_csv::records(black_box(&table), &Selection::ALL, &mut out).unwrap();
                out.len()
            });
    }
}

/// A record of the `monster` shape.
#[derive(Serialize, Deserialize)]
#[expect(non_snake_case, reason = "the names of the fields")]
struct Monster {
    record: String,
    sSpecId: String,
    sOpenItem: String,
    fScale: f32,
    fYaw: f32,
    iLeafId: i32,
    uNodeFlags: u32,
    u7Race: u32,
    u9SortId: u32,
    s4CountToSpec: Option<String>,
    s8Link: Option<String>,
    u1IsBoss: u32,
    u3MemorySize: u32,
    i16Threshold: i32,
    f10Angle: i32,
    i5Attribute: i32,
    u1Quick: u32,
}

fn ndjson(criterion: &mut Criterion) {
    for size in sizes(&[SMALL, MIDDLE, THIRTY_TWO]) {
        let file = table(inputs::SEED, size.bytes, &Shape::monster().embedded());
        let table = Table::parse(&file).unwrap();
        let mut out = Vec::new();
        table_json::records(&table, &Selection::ALL, &mut out).unwrap();
        let rows: Vec<Monster> = serde_json::Deserializer::from_slice(&out).into_iter().map(Result::unwrap).collect();
        let bare = |out: &mut Vec<u8>| {
            out.clear();
            for row in black_box(&rows) {
                serde_json::to_writer(&mut *out, row).unwrap();
                out.push(b'\n');
            }
        };
        let expected = out.clone();
        bare(&mut out);
        assert_eq!(out, expected, "the bare writer gives different output");
        Row::new(
            criterion,
            "table as NDJSON",
            id(&format!("{} of 32-byte records", size.name)),
            expected.len(),
            expected.len(),
        )
        .limit("serde_json, fed with ready rows", || bare(&mut out))
        .ours(|| {
            out.clear();
            table_json::records(black_box(&table), &Selection::ALL, &mut out).unwrap();
            out.len()
        });
    }
}

fn arrow(criterion: &mut Criterion) {
    for (name, file) in tables(sizes(&[SMALL, MIDDLE, LARGE])) {
        let table = Table::parse(&file).unwrap();
        let mut out = Vec::new();
        table_arrow::records(&table, &Selection::ALL, &mut out).unwrap();
        let expected = out.len();
        let (written, mut columns) = (out.clone(), Columns::new(&file, &table, batches(&table)));
        out.clear();
        columns.write(&mut out);
        assert!(out == written, "the loops give different columns");
        drop(written);
        Row::new(criterion, "table as Arrow IPC", name, file.len(), expected)
            .least("loops over words, strings by ready offsets, arrow", || {
                out.clear();
                columns.write(black_box(&mut out));
                out.len()
            })
            .ours(|| {
                out.clear();
                table_arrow::records(black_box(&table), &Selection::ALL, &mut out).unwrap();
                out.len()
            });
    }
}

fn parquet(criterion: &mut Criterion) {
    for (name, file) in tables(sizes(&[SMALL, MIDDLE, THIRTY_TWO])) {
        let table = Table::parse(&file).unwrap();
        let batches = batches(&table);
        let mut out = Vec::new();
        table_parquet::records(&table, &Selection::ALL, &mut out).unwrap();
        let expected = out.len();
        Row::new(criterion, "table as Parquet", name, file.len(), expected)
            .limit("parquet, fed with ready arrays", || {
                out.clear();
                let properties = WriterProperties::builder().set_compression(Compression::LZ4_RAW).build();
                let mut writer =
                    ArrowWriter::try_new(&mut out, batches.first().unwrap().schema(), Some(properties)).unwrap();
                black_box(&batches).iter().for_each(|batch| writer.write(batch).unwrap());
                writer.close().unwrap();
            })
            .ours(|| {
                out.clear();
                table_parquet::records(black_box(&table), &Selection::ALL, &mut out).unwrap();
                out.len()
            });
    }
}

criterion_group!(benches, csv, ndjson, arrow, parquet);
criterion_main!(benches);
