//! Whole files to one digest, by every way of reading that there is: the same work for each.
#![allow(missing_docs, reason = "criterion's macros make undocumented functions")]
#![allow(clippy::unwrap_used, reason = "a benchmark of files that it made itself")]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use worldview_benches::Row;
use worldview_benches::inputs::{self, LARGE, MIDDLE, SMALL, WHOLE, id, sizes};
use worldview_benches::limits::read_pass;
use worldview_benches::readers::{Reader, level, table, world};
use worldview_corpus::ff13::generate::{Shape, table as table_of};
use worldview_corpus::wwd::spec::Packing;

/// One row: all readers of a file that fits a cache, and of a larger one ours and the one that checks each element.
fn row(criterion: &mut Criterion, group: &str, size: inputs::Size, file: &[u8], readers: &[(&str, Reader)]) {
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
            row(criterion, &group, *size, &file, table::ALL);
        }
    }
}

fn worlds(criterion: &mut Criterion) {
    for size in sizes(&[SMALL, MIDDLE, WHOLE]) {
        row(criterion, "parse WORLD.WDB", *size, &inputs::database(size.bytes), world::ALL);
    }
}

criterion_group!(benches, levels, tables, worlds);
criterion_main!(benches);
