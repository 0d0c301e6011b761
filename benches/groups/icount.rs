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

/// A case: its name, its input, and the work to count, with a result that depends on all of it.
type Case = (&'static str, fn() -> Vec<u8>, fn(&[u8]) -> usize);

const CASES: &[Case] = &[
    ("open_directory", archive, |file| Archive::parse(black_box(file)).unwrap().entries().len()),
    ("outline", packed, |file| wwd::outline(black_box(file), &mut Vec::new()).unwrap().planes.len()),
    ("checksum", plain, |file| word(wwd::byte_sum(black_box(file)))),
    ("column_copied", flags, |file| {
        let table = Table::parse(file).unwrap();
        let mut out = vec![0; table.len()];
        table.column("iFlagIndex").unwrap().copy_to(black_box(&mut out))
    }),
    ("column_added_up", monsters, |file| {
        let table = Table::parse(file).unwrap();
        word(table.column::<i32>("iLeafId").unwrap().iter().fold(0, i32::wrapping_add).cast_unsigned())
    }),
    ("record_by_name", flags, |file| {
        let table = Table::parse(file).unwrap();
        let found = table.rows().step_by(37).map(|row| black_box(&table).by_name(row.name()).unwrap().index());
        found.fold(0, usize::wrapping_add)
    }),
    ("parse_level", plain, |file| word(level::ours::digest(black_box(file)).unwrap())),
    ("parse_table", monsters, |file| word(table::ours::by_columns(black_box(file)).unwrap())),
    ("unpack_and_visit", packed, |file| {
        let mut scratch = Vec::new();
        let unpacked = wwd::unpack_in(black_box(file), &mut scratch).unwrap();
        assert!(!unpacked.checksum().is_unexplained());
        word(level::ours::visit(&Level::parse(&unpacked).unwrap()).unwrap())
    }),
    ("world_directory", database, |file| Database::parse(black_box(file)).unwrap().blobs().len()),
    ("world_structure", database, |file| Contents::read(&Database::parse(black_box(file)).unwrap()).blobs.len()),
    ("world_payload", database, |file| word(world::ours::digest(black_box(file)).unwrap())),
    ("world_meshes", database, world_meshes),
    ("world_as_glb", database, world_as_glb),
    ("table_as_csv", monsters, |file| {
        written(|out| csv::records(&Table::parse(file).unwrap(), &Selection::ALL, out).unwrap())
    }),
    ("table_as_ndjson", monsters, |file| {
        written(|out| json::records(&Table::parse(file).unwrap(), &Selection::ALL, out).unwrap())
    }),
    ("table_as_json", monsters, |file| {
        let table = Table::parse(file).unwrap();
        written(|out| whole::write(&root(&table), &Shown::default(), out).unwrap())
    }),
    ("table_as_arrow", monsters, |file| {
        written(|out| arrow::records(&Table::parse(file).unwrap(), &Selection::ALL, out).unwrap())
    }),
    ("find_string", monsters, find_string),
    ("check_level", plain, |file| {
        let unpacked = wwd::unpack(black_box(file)).unwrap();
        let mut findings = 0_usize;
        wwd::check(&unpacked, &Level::parse(&unpacked).unwrap(), &mut |_| findings = findings.wrapping_add(1));
        findings
    }),
];

fn word(word: u32) -> usize {
    usize::try_from(word).unwrap()
}

/// Returns how many bytes are written.
fn written(write: impl FnOnce(&mut Vec<u8>)) -> usize {
    let mut out = Vec::new();
    write(&mut out);
    black_box(&out).len()
}

fn root<'r>(table: &'r Table<'_>) -> Root<'r> {
    Root::new("wdb", table.archive().source(), table)
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
    let models = (0..database.blobs().len()).filter(|&blob| library.model(blob).is_some());
    written(|out| {
        for blob in models.take(2) {
            glb::model(&library, blob, Scope::Blob(blob), None, &Options::default(), &mut *out).unwrap();
        }
    })
}

/// Searches for the end of a string that records refer to.
fn find_string(file: &[u8]) -> usize {
    let table = Table::parse(file).unwrap();
    let strings = table.strings().bytes().trim_ascii_end();
    let last = strings.split(|&byte| byte == 0).rfind(|text| text.len() > 6).unwrap();
    let pattern = Pattern::new(std::str::from_utf8(last.get(2..).unwrap()).unwrap());
    let mut hits = 0_usize;
    find::search(black_box(&root(&table)), &pattern, &Shown::default(), &mut |_| hits = hits.wrapping_add(1)).unwrap();
    hits
}

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
