//! Instructions that one case of each group takes, counted under callgrind: what must not creep up unseen.
//! `just icount` compares with `record/icount.csv`.
#![allow(missing_docs, reason = "the macros make undocumented functions")]
#![allow(clippy::unwrap_used, reason = "a benchmark of files that it made itself")]

use std::hint::black_box;

use gungraun::prelude::*;
use worldview::island::{Contents, Database, Geometry, Library, Scope};
use worldview::wpd::{Archive, Table};
use worldview::wwd::{self, Level};
use worldview_benches::inputs;
use worldview_benches::readers::{level, table, world};
use worldview_corpus::ff13::generate::{Shape, generic, table as table_of, table_of_rows};
use worldview_corpus::wwd::spec::Packing;
use worldview_export::model::glb::{self, Options};
use worldview_export::table::{Selection, arrow, csv, json};

const SIZE: usize = 64 << 10;

fn packed() -> Vec<u8> {
    inputs::level(SIZE, Packing::Zlib { level: 6 })
}

fn plain() -> Vec<u8> {
    inputs::level(SIZE, Packing::Raw)
}

fn monsters() -> Vec<u8> {
    table_of(inputs::SEED, SIZE, &Shape::monster().embedded())
}

fn flags() -> Vec<u8> {
    table_of_rows(inputs::SEED, SIZE / 4, 0, &Shape::flag().embedded())
}

fn archive() -> Vec<u8> {
    generic(inputs::SEED, 1000)
}

fn database() -> Vec<u8> {
    inputs::database(SIZE)
}

#[library_benchmark]
#[bench::of(archive())]
fn open_directory(file: Vec<u8>) -> usize {
    black_box(Archive::parse(black_box(&file)).unwrap().entries().len())
}

#[library_benchmark]
#[bench::of(packed())]
fn outline(file: Vec<u8>) -> usize {
    let mut scratch = Vec::new();
    black_box(wwd::outline(black_box(&file), &mut scratch).unwrap().planes.len())
}

#[library_benchmark]
#[bench::of(plain())]
fn checksum(file: Vec<u8>) -> u32 {
    black_box(wwd::byte_sum(black_box(&file)))
}

#[library_benchmark]
#[bench::of(flags())]
fn column_copied(file: Vec<u8>) -> Vec<i32> {
    let table = Table::parse(&file).unwrap();
    let mut out = vec![0; table.len()];
    table.column("iFlagIndex").unwrap().copy_to(black_box(&mut out));
    out
}

#[library_benchmark]
#[bench::of(monsters())]
fn column_added_up(file: Vec<u8>) -> i32 {
    let table = Table::parse(&file).unwrap();
    black_box(table.column::<i32>("iLeafId").unwrap().iter().fold(0, i32::wrapping_add))
}

#[library_benchmark]
#[bench::of(flags())]
fn record_by_name(file: Vec<u8>) -> usize {
    let table = Table::parse(&file).unwrap();
    table.rows().step_by(37).map(|row| black_box(&table).row(row.name()).unwrap().index()).fold(0, usize::wrapping_add)
}

#[library_benchmark]
#[bench::of(plain())]
fn parse_level(file: Vec<u8>) -> Option<u32> {
    black_box(level::ours::digest(black_box(&file)))
}

#[library_benchmark]
#[bench::of(monsters())]
fn parse_table(file: Vec<u8>) -> Option<u32> {
    black_box(table::ours::by_columns(black_box(&file)))
}

#[library_benchmark]
#[bench::of(packed())]
fn unpack_and_visit(file: Vec<u8>) -> Option<u32> {
    let mut scratch = Vec::new();
    let unpacked = wwd::unpack_in(black_box(&file), &mut scratch).unwrap();
    assert!(!unpacked.checksum().is_unexplained());
    black_box(level::ours::visit(&Level::parse(&unpacked).unwrap()))
}

#[library_benchmark]
#[bench::of(database())]
fn world_directory(file: Vec<u8>) -> usize {
    black_box(Database::parse(black_box(&file)).unwrap().blobs().len())
}

#[library_benchmark]
#[bench::of(database())]
fn world_structure(file: Vec<u8>) -> usize {
    black_box(Contents::read(&Database::parse(black_box(&file)).unwrap()).blobs.len())
}

#[library_benchmark]
#[bench::of(database())]
fn world_payload(file: Vec<u8>) -> Option<u32> {
    black_box(world::ours::digest(black_box(&file)))
}

#[library_benchmark]
#[bench::of(database())]
fn world_meshes(file: Vec<u8>) -> usize {
    let contents = Contents::read(&Database::parse(&file).unwrap());
    let mut geometry = Geometry::default();
    let lods = contents.parts.as_ref().unwrap().iter().flat_map(|part| part.lods.iter());
    lods.flat_map(|lod| lod.meshes.iter()).fold(0, |sum, mesh| {
        mesh.decode_into(&mut geometry).unwrap();
        black_box(&geometry).indices.len().wrapping_add(sum)
    })
}

#[library_benchmark]
#[bench::of(database())]
fn world_as_glb(file: Vec<u8>) -> usize {
    let database = Database::parse(&file).unwrap();
    let contents = Contents::read(&database);
    let library = Library::new(&database, &contents);
    let mut out = Vec::new();
    let models = (0..database.blobs().len()).filter(|&blob| library.model(blob).is_some());
    for blob in models.take(2) {
        glb::model(&library, blob, Scope::Blob(blob), None, &Options::default(), &mut out).unwrap();
    }
    black_box(out.len())
}

#[library_benchmark]
#[bench::of(monsters())]
fn table_as_csv(file: Vec<u8>) -> usize {
    let mut out = Vec::new();
    csv::records(&Table::parse(&file).unwrap(), &Selection::ALL, &mut out).unwrap();
    black_box(out.len())
}

#[library_benchmark]
#[bench::of(monsters())]
fn table_as_ndjson(file: Vec<u8>) -> usize {
    let mut out = Vec::new();
    json::records(&Table::parse(&file).unwrap(), &Selection::ALL, &mut out).unwrap();
    black_box(out.len())
}

#[library_benchmark]
#[bench::of(monsters())]
fn table_as_arrow(file: Vec<u8>) -> usize {
    let mut out = Vec::new();
    arrow::records(&Table::parse(&file).unwrap(), &Selection::ALL, &mut out).unwrap();
    black_box(out.len())
}

#[library_benchmark]
#[bench::of(plain())]
fn check_level(file: Vec<u8>) -> usize {
    let unpacked = wwd::unpack(black_box(&file)).unwrap();
    let mut findings = 0_usize;
    wwd::check(&unpacked, &Level::parse(&unpacked).unwrap(), &mut |_| findings = findings.wrapping_add(1));
    black_box(findings)
}

library_benchmark_group!(
    name = all,
    benchmarks = [
        open_directory,
        outline,
        checksum,
        column_copied,
        column_added_up,
        record_by_name,
        parse_level,
        parse_table,
        unpack_and_visit,
        world_directory,
        world_structure,
        world_payload,
        world_meshes,
        world_as_glb,
        table_as_csv,
        table_as_ndjson,
        table_as_arrow,
        check_level,
    ]
);

main!(library_benchmark_groups = all);
