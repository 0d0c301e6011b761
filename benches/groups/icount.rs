//! Counts the instructions of one case per group under callgrind, so that increases do not go unnoticed. `just icount`
//! compares them with `record/icount.csv`.
//!
//! Without arguments this lists its cases; with the name of a case it runs that. Callgrind counts inside [`measured`].
#![allow(clippy::unwrap_used, reason = "a benchmark of files that it generated")]

use std::env;
use std::hint::black_box;

use worldview::island::{Contents, Database, Geometry, Library, Scope};
use worldview::wpd::{Archive, Table};
use worldview::wwd::{self, Level};
use worldview_benches::inputs;
use worldview_benches::readers::{level, table, world};
use worldview_corpus::ff13::generate::{Shape, generic, table as table_of, table_of_rows};
use worldview_corpus::wwd::spec::Packing;
use worldview_export::model::glb::{self, Options};
use worldview_export::table::{Selection, arrow, csv, json};
use worldview_inspect::find::{self, Pattern};
use worldview_inspect::{Options as Shown, Root, json as whole};

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

fn open_directory(file: &[u8]) -> usize {
    black_box(Archive::parse(black_box(file)).unwrap().entries().len())
}

fn outline(file: &[u8]) -> usize {
    let mut scratch = Vec::new();
    black_box(wwd::outline(black_box(file), &mut scratch).unwrap().planes.len())
}

fn checksum(file: &[u8]) -> usize {
    word(wwd::byte_sum(black_box(file)))
}

fn column_copied(file: &[u8]) -> usize {
    let table = Table::parse(file).unwrap();
    let mut out = vec![0; table.len()];
    table.column("iFlagIndex").unwrap().copy_to(black_box(&mut out))
}

fn column_added_up(file: &[u8]) -> usize {
    let table = Table::parse(file).unwrap();
    word(table.column::<i32>("iLeafId").unwrap().iter().fold(0, i32::wrapping_add).cast_unsigned())
}

fn record_by_name(file: &[u8]) -> usize {
    let table = Table::parse(file).unwrap();
    table
        .rows()
        .step_by(37)
        .map(|row| black_box(&table).by_name(row.name()).unwrap().index())
        .fold(0, usize::wrapping_add)
}

fn parse_level(file: &[u8]) -> usize {
    word(level::ours::digest(black_box(file)).unwrap())
}

fn parse_table(file: &[u8]) -> usize {
    word(table::ours::by_columns(black_box(file)).unwrap())
}

fn unpack_and_visit(file: &[u8]) -> usize {
    let mut scratch = Vec::new();
    let unpacked = wwd::unpack_in(black_box(file), &mut scratch).unwrap();
    assert!(!unpacked.checksum().is_unexplained());
    word(level::ours::visit(&Level::parse(&unpacked).unwrap()).unwrap())
}

fn world_directory(file: &[u8]) -> usize {
    black_box(Database::parse(black_box(file)).unwrap().blobs().len())
}

fn world_structure(file: &[u8]) -> usize {
    black_box(Contents::read(&Database::parse(black_box(file)).unwrap()).blobs.len())
}

fn world_payload(file: &[u8]) -> usize {
    word(world::ours::digest(black_box(file)).unwrap())
}

fn world_meshes(file: &[u8]) -> usize {
    let contents = Contents::read(&Database::parse(file).unwrap());
    let mut geometry = Geometry::default();
    let lods = contents.parts.as_ref().unwrap().iter().flat_map(|part| part.lods.iter());
    lods.flat_map(|lod| lod.meshes.iter()).fold(0, |sum, mesh| {
        mesh.decode_into(&mut geometry).unwrap();
        black_box(&geometry).indices.len().wrapping_add(sum)
    })
}

fn world_as_glb(file: &[u8]) -> usize {
    let database = Database::parse(file).unwrap();
    let contents = Contents::read(&database);
    let library = Library::new(&database, &contents);
    let mut out = Vec::new();
    let models = (0..database.blobs().len()).filter(|&blob| library.model(blob).is_some());
    for blob in models.take(2) {
        glb::model(&library, blob, Scope::Blob(blob), None, &Options::default(), &mut out).unwrap();
    }
    black_box(out.len())
}

fn table_as_csv(file: &[u8]) -> usize {
    let mut out = Vec::new();
    csv::records(&Table::parse(file).unwrap(), &Selection::ALL, &mut out).unwrap();
    black_box(out.len())
}

fn table_as_ndjson(file: &[u8]) -> usize {
    let mut out = Vec::new();
    json::records(&Table::parse(file).unwrap(), &Selection::ALL, &mut out).unwrap();
    black_box(out.len())
}

fn table_as_json(file: &[u8]) -> usize {
    let table = Table::parse(file).unwrap();
    let mut out = Vec::new();
    whole::write(&Root::new("wdb", table.archive().source(), &table), &Shown::default(), &mut out).unwrap();
    black_box(out.len())
}

/// Searches for the end of a string that records refer to.
fn find_string(file: &[u8]) -> usize {
    let table = Table::parse(file).unwrap();
    let strings = table.strings().bytes().trim_ascii_end();
    let last = strings.split(|&byte| byte == 0).rfind(|text| text.len() > 6).unwrap();
    let pattern = Pattern::new(std::str::from_utf8(last.get(2..).unwrap()).unwrap());
    let mut hits = 0_usize;
    let root = Root::new("wdb", table.archive().source(), &table);
    find::search(black_box(&root), &pattern, &Shown::default(), &mut |_| hits = hits.wrapping_add(1)).unwrap();
    black_box(hits)
}

fn table_as_arrow(file: &[u8]) -> usize {
    let mut out = Vec::new();
    arrow::records(&Table::parse(file).unwrap(), &Selection::ALL, &mut out).unwrap();
    black_box(out.len())
}

fn check_level(file: &[u8]) -> usize {
    let unpacked = wwd::unpack(black_box(file)).unwrap();
    let mut findings = 0_usize;
    wwd::check(&unpacked, &Level::parse(&unpacked).unwrap(), &mut |_| findings = findings.wrapping_add(1));
    black_box(findings)
}

fn word(word: u32) -> usize {
    usize::try_from(black_box(word)).unwrap()
}

/// A case: its name, its input, and the work to count.
type Case = (&'static str, fn() -> Vec<u8>, fn(&[u8]) -> usize);

const CASES: &[Case] = &[
    ("open_directory", archive, open_directory),
    ("outline", packed, outline),
    ("checksum", plain, checksum),
    ("column_copied", flags, column_copied),
    ("column_added_up", monsters, column_added_up),
    ("record_by_name", flags, record_by_name),
    ("parse_level", plain, parse_level),
    ("parse_table", monsters, parse_table),
    ("unpack_and_visit", packed, unpack_and_visit),
    ("world_directory", database, world_directory),
    ("world_structure", database, world_structure),
    ("world_payload", database, world_payload),
    ("world_meshes", database, world_meshes),
    ("world_as_glb", database, world_as_glb),
    ("table_as_csv", monsters, table_as_csv),
    ("table_as_ndjson", monsters, table_as_ndjson),
    ("table_as_json", monsters, table_as_json),
    ("table_as_arrow", monsters, table_as_arrow),
    ("find_string", monsters, find_string),
    ("check_level", plain, check_level),
];

/// Callgrind counts from the entry of this function to its return.
#[inline(never)]
fn measured(case: fn(&[u8]) -> usize, file: &[u8]) -> usize {
    black_box(case(file))
}

fn main() {
    let Some(wanted) = env::args().nth(1) else {
        CASES.iter().for_each(|(name, ..)| println!("{name}"));
        return;
    };
    let (_, input, case) = CASES.iter().find(|(name, ..)| *name == wanted).unwrap();
    let file = input();
    println!("{}", measured(*case, &file));
}
