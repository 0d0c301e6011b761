//! Whole files reduced to one digest by every reader, all doing the same work.
#![allow(missing_docs, reason = "criterion's macros generate undocumented functions")]
#![allow(clippy::unwrap_used, reason = "a benchmark of files that it generated")]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use worldview::wpd::Table;
use worldview_benches::Row;
use worldview_benches::inputs::{self, LARGE, MIDDLE, SMALL, WHOLE, id, is_trial, sizes};
use worldview_benches::limits::read_pass;
use worldview_benches::limits::table::Fields;
use worldview_benches::readers::table::ff13;
use worldview_benches::readers::{Reader, level, table, world};
use worldview_corpus::ff13::generate::{Shape, table as table_of};
use worldview_corpus::wwd::spec::Packing;

/// One row: all readers for files that fit into a cache; for larger ones, only our reader and the one that checks each
/// element.
fn row<'c>(
    criterion: &'c mut Criterion,
    group: &str,
    size: inputs::Size,
    file: &[u8],
    readers: &[(&str, Reader)],
) -> Row<'c, u32> {
    let read = |name: &str| {
        let (_, read) = readers.iter().find(|(other, _)| *other == name).unwrap();
        read(file).unwrap()
    };
    let all = size.bytes < LARGE.bytes;
    let expected = read(if all { "naive reader" } else { "check per element" });
    let mut row = Row::new(criterion, group, id(size.name), file.len(), expected);
    row.limit("read pass", || read_pass(black_box(file)));
    for (name, read) in readers {
        if all || ["worldview", "check per element"].contains(name) {
            row.reader(name, || read(black_box(file)).unwrap());
        }
    }
    row
}

fn levels(criterion: &mut Criterion) {
    for size in sizes(&[SMALL, MIDDLE, LARGE]) {
        row(criterion, "parse a level", *size, &inputs::level(size.bytes, Packing::Raw), level::ALL);
    }
}

fn tables(criterion: &mut Criterion) {
    for shape in [Shape::monster(), Shape::battle_scene()] {
        let group = format!("parse a table of {}-byte records", shape.record_size());
        for size in sizes(&[SMALL, MIDDLE, LARGE]) {
            let file = table_of(inputs::SEED, size.bytes, &shape.clone().embedded());
            let fields = Fields::new(&file, &Table::parse(&file).unwrap());
            row(criterion, &group, *size, &file, table::ALL)
                .least("ready shifts, and strings at ready offsets", || black_box(&fields).digest());
        }
    }
}

fn worlds(criterion: &mut Criterion) {
    for size in sizes(&[SMALL, MIDDLE, WHOLE]) {
        row(criterion, "parse WORLD.WDB", *size, &inputs::database(size.bytes), world::ALL);
    }
}

/// The tables of XIII-1, against a published reader for them.
fn five_hundred(criterion: &mut Criterion) {
    let files = ff13::files(if is_trial() { 36 } else { ff13::FILES });
    let bytes = files.iter().map(|file| file.bytes.len()).sum();
    let input = id(&format!("{} tables", files.len()));
    let expected = ff13::all(&files, ff13::theirs).unwrap();
    Row::new(criterion, "every field of 500 tables", &input, bytes, expected)
        .limit("read pass", || files.iter().fold(0, |sum, file| read_pass(black_box(&file.bytes)) ^ sum))
        .ours(|| ff13::all(black_box(&files), ff13::ours).unwrap())
        .reader("ff13-formats", || ff13::all(black_box(&files), ff13::theirs).unwrap());
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    ff13::ours_as_json(&files, &mut ours).unwrap();
    ff13::theirs_as_json(&files, &mut theirs).unwrap();
    assert_eq!(ff13::digest_of_json(&ours), Some(expected));
    assert_eq!(ff13::digest_of_json(&theirs), Some(expected));
    Row::new(criterion, "records of 500 tables as JSON", &input, bytes, ())
        .ours(|| {
            ours.clear();
            ff13::ours_as_json(black_box(&files), &mut ours).unwrap();
        })
        .reader("ff13-formats", || {
            theirs.clear();
            ff13::theirs_as_json(black_box(&files), &mut theirs).unwrap();
        });
}

criterion_group!(benches, levels, tables, worlds, five_hundred);
criterion_main!(benches);
