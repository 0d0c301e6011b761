//! 882 small tables, as many as a game has, to each output, against the bare writers with prepared input.
#![allow(missing_docs, reason = "criterion's macros generate undocumented functions")]
#![allow(clippy::unwrap_used, clippy::arithmetic_side_effects, reason = "a benchmark of files that it generated")]

use std::hint::black_box;

use arrow_array::RecordBatch;
use criterion::{Criterion, criterion_group, criterion_main};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReader;
use parquet::file::properties::WriterProperties;
use worldview::wpd::Table;
use worldview_benches::Row;
use worldview_benches::inputs::{self, id, is_trial};
use worldview_benches::limits::table::{Columns, batches, cells, sheet};
use worldview_corpus::ff13::generate::{Shape, sizes, table};
use worldview_export::table::{Selection, arrow, csv, json, parquet as table_parquet};

/// Returns tables of the sizes that a game's have, of all shapes.
fn files(count: usize) -> Vec<Vec<u8>> {
    let shapes = Shape::all().map(Shape::embedded);
    let shapes = shapes.iter().cycle().zip(inputs::SEED..);
    sizes(count).zip(shapes).map(|(size, (shape, seed))| table(seed, size, shape)).collect()
}

/// Writes all tables with one of the exporters, each to the same memory. Returns the total size of the files.
fn each<T>(tables: &mut [T], mut write: impl FnMut(&mut T, &mut Vec<u8>)) -> usize {
    let mut out = Vec::new();
    tables.iter_mut().fold(0, |sum, table| {
        out.clear();
        write(black_box(table), &mut out);
        sum + out.len()
    })
}

fn text(criterion: &mut Criterion, tables: &mut [Table<'_>], input: &str, bytes: usize) {
    let mut ours = |table: &mut Table<'_>, out: &mut Vec<u8>| csv::records(table, &Selection::ALL, out).unwrap();
    let expected = each(tables, &mut ours);
    let sheets: Vec<Vec<_>> = tables
        .iter_mut()
        .map(|table| {
            let mut out = Vec::new();
            ours(table, &mut out);
            sheet(&out)
        })
        .collect();
    let mut ready: Vec<_> = sheets
        .iter()
        .zip(tables.iter())
        .map(|(sheet, table)| (sheet.first().unwrap().len(), cells(table, sheet)))
        .collect();
    Row::new(criterion, "882 tables as CSV", input, bytes, expected)
        .least("csv, fed with strings where the tables have them", || {
            each(&mut ready, |(width, cells), out| {
                let mut writer = ::csv::Writer::from_writer(out);
                cells.chunks(*width).for_each(|row| writer.write_record(row).unwrap());
                writer.flush().unwrap();
            })
        })
        .ours(|| each(tables, &mut ours));

    let mut ours = |table: &mut Table<'_>, out: &mut Vec<u8>| json::records(table, &Selection::ALL, out).unwrap();
    let expected = each(tables, &mut ours);
    let document = |table: &mut Table<'_>| -> Vec<serde_json::Value> {
        let mut out = Vec::new();
        ours(table, &mut out);
        serde_json::Deserializer::from_slice(&out).into_iter().map(Result::unwrap).collect()
    };
    let mut ready: Vec<_> = tables.iter_mut().map(document).collect();
    Row::new(criterion, "882 tables as NDJSON", input, bytes, expected)
        .limit("serde_json, fed with ready rows", || {
            each(&mut ready, |rows, out| {
                for row in rows {
                    serde_json::to_writer(&mut *out, row).unwrap();
                    out.push(b'\n');
                }
            })
        })
        .ours(|| each(tables, &mut ours));
}

fn columns(criterion: &mut Criterion, files: &[Vec<u8>], tables: &mut [Table<'_>], input: &str, bytes: usize) {
    let mut ours = |table: &mut Table<'_>, out: &mut Vec<u8>| arrow::records(table, &Selection::ALL, out).unwrap();
    let expected = each(tables, &mut ours);
    let mut ready: Vec<_> = tables.iter().map(|table| batches(table)).collect();
    let mut plans: Vec<_> = files
        .iter()
        .zip(&*tables)
        .zip(&ready)
        .map(|((file, table), ready)| Columns::new(file, table, ready.clone()))
        .collect();
    Row::new(criterion, "882 tables as Arrow IPC", input, bytes, expected)
        .least("loops over words, strings by ready offsets, arrow", || each(&mut plans, |plan, out| plan.write(out)))
        .ours(|| each(tables, &mut ours));

    let mut ours =
        |table: &mut Table<'_>, out: &mut Vec<u8>| table_parquet::records(table, &Selection::ALL, out).unwrap();
    let expected = each(tables, &mut ours);
    let bare = |batches: &mut Vec<RecordBatch>, out: &mut Vec<u8>| {
        let properties = WriterProperties::builder().set_dictionary_enabled(false).build();
        let mut writer = ArrowWriter::try_new(out, batches.first().unwrap().schema(), Some(properties)).unwrap();
        batches.iter().for_each(|batch| writer.write(batch).unwrap());
        writer.close().unwrap();
    };
    for (batches, table) in ready.iter_mut().zip(&mut *tables) {
        let (mut own, mut others) = (Vec::new(), Vec::new());
        ours(table, &mut own);
        bare(batches, &mut others);
        let [own, others] = [own, others].map(|file| {
            let batches = ParquetRecordBatchReader::try_new(bytes::Bytes::from(file), usize::MAX >> 8).unwrap();
            batches.map(|batch| batch.unwrap().columns().to_vec()).collect::<Vec<_>>()
        });
        assert_eq!(own, others, "the bare writer gives a different table");
    }
    Row::new(criterion, "882 tables as Parquet", input, bytes, expected)
        .limit("parquet, uncompressed and without dictionaries, fed with ready arrays", || each(&mut ready, bare))
        .ours(|| each(tables, &mut ours));
}

fn all(criterion: &mut Criterion) {
    let files = files(if is_trial() { 10 } else { 882 });
    let mut tables: Vec<_> = files.iter().map(|file| Table::parse(file).unwrap()).collect();
    let (input, bytes) = (id(&format!("{} tables", files.len())), files.iter().map(Vec::len).sum());
    text(criterion, &mut tables, &input, bytes);
    columns(criterion, &files, &mut tables, &input, bytes);
}

criterion_group!(benches, all);
criterion_main!(benches);
