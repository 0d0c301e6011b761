//! Files whose parts are the same bytes again and again: searches stop with a limit.

use worldview_core::describe::Describe;
use worldview_core::{ErrorKind, Source, Space};
use worldview_corpus::ff13::build::{build_archive, build_table};
use worldview_corpus::ff13::generate::edge_cases as tables;
use worldview_corpus::ff13::spec::{ArchiveSpec, Generation, MemberSpec, TableSpec};
use worldview_corpus::island::build::build as build_database;
use worldview_corpus::island::generate::edge_cases as databases;
use worldview_corpus::island::spec::{BlobSpec, DatabaseSpec, ModelRefSpec, ModelSpec, WorldSpec};
use worldview_corpus::wwd::build::build as build_level;
use worldview_corpus::wwd::generate::edge_cases as levels;
use worldview_corpus::wwd::spec::{LevelSpec, ObjectSpec, PlaneSpec};
use worldview_inspect::find::{self, Hit, Pattern};
use worldview_inspect::{Error, Options, Result, Root};
use worldview_island::{Contents, Database};
use worldview_wpd::{Archive, Table};
use worldview_wwd::{Level, unpack};

fn search(source: Source<'_>, body: &dyn Describe, pattern: &str, note: &mut dyn FnMut(&Hit<'_>)) -> Result<()> {
    find::search(&Root::new("", source, body), &Pattern::new(pattern), &Options::default(), note).map(|_| ())
}

/// A search must stop with a limit, after at most so many hits.
fn stops(most: u64, source: Source<'_>, body: &dyn Describe, pattern: &str) {
    let mut count = 0;
    let result = search(source, body, pattern, &mut |_| count += 1);
    let Err(Error::Format(error)) = result else { panic!("{result:?} after {count}") };
    assert!(matches!(error.kind, ErrorKind::Limit { .. }), "{error}");
    assert!(count <= most, "{count}");
}

#[test]
fn two_thousand_planes_over_one_list_of_objects() {
    let object = ObjectSpec { logic: b"Logic".to_vec(), ..ObjectSpec::default() };
    let mut first = PlaneSpec::empty(b"P", 64, 1, 1);
    first.objects = vec![object; 10_000];
    let rest = PlaneSpec { name: b"P".to_vec(), ..PlaneSpec::default() };
    let mut level = LevelSpec { planes: vec![rest; 2000], ..LevelSpec::default() };
    level.planes[0] = first;
    let mut built = build_level(&level);
    let header = built.at("plane[0]").unwrap();
    let header = built.bytes[header..header + 160].to_vec();
    for plane in 1..2000 {
        let at = built.at(&format!("plane[{plane}]")).unwrap();
        built.bytes[at..at + 160].copy_from_slice(&header);
    }
    let image = unpack(&built.bytes).unwrap();
    let level = Level::parse(&image).unwrap();
    // Four times 10,000 objects, and those that the headers and the megabyte pay for.
    stops(50_000, level.image(), &worldview_wwd::LevelDescription::new(&image, &level), "logic");
}

#[test]
fn one_long_string_for_all_records() {
    let text = "a".repeat(100_000);
    let mut table = TableSpec::new(Generation::G3, &["sText"]);
    table.pool.share_tails = false;
    let table = (0..5000).fold(table, |table, index| table.row(&format!("r{index}"), [text.as_str().into()]));
    let bytes = build_table(&table).bytes;
    stops(300, Source::new(&bytes, Space::File), &Table::parse(&bytes).unwrap(), "aaa");
}

#[test]
fn an_archive_that_is_its_own_member() {
    let members: Vec<_> = (0..200).map(|i| MemberSpec::new(format!("m{i}"), [0; 8])).collect();
    let mut bytes = build_archive(&ArchiveSpec { members, ..ArchiveSpec::default() }).bytes;
    let len = u32::try_from(bytes.len()).unwrap().to_be_bytes();
    for entry in bytes[16..].chunks_mut(32).take(200) {
        entry[16..20].copy_from_slice(&[0; 4]);
        entry[20..24].copy_from_slice(&len);
    }
    let archive = Archive::parse(&bytes).unwrap();
    // Each of 200 entries for each time that 4 times the file and a megabyte pay for it.
    let most = 200 * (4 + (1 << 20) / bytes.len() as u64 + 1);
    stops(most, Source::new(&bytes, Space::File), &archive, "m");
}

#[test]
fn thousands_of_references_to_one_blob() {
    let models = vec![ModelRefSpec::new("same", 0); 20_000];
    let blobs = vec![BlobSpec::model(ModelSpec::new("object", Vec::new()))];
    let worlds = vec![WorldSpec { models, ..WorldSpec::new("W") }];
    let bytes = build_database(&DatabaseSpec { worlds, blobs, ..DatabaseSpec::default() }).bytes;
    let database = Database::parse(&bytes).unwrap();
    let contents = Contents::read(&database);
    let count = |pattern: &str| {
        let mut count = 0;
        let body = worldview_island::DatabaseDescription::new(&database, &contents);
        search(database.source(), &body, pattern, &mut |_| count += 1).unwrap();
        count
    };
    assert_eq!(count("same"), 20_000);
    // The object, and the node of its name.
    assert_eq!(count("object"), 2);
}

#[test]
fn a_long_name_around_thousands_of_hits() {
    let models = vec![ModelRefSpec::new("same", 0); 5000];
    let blobs = vec![BlobSpec::model(ModelSpec::new("object", Vec::new()))];
    let worlds = vec![WorldSpec { models, ..WorldSpec::new(&"w".repeat(1 << 20)) }];
    let bytes = build_database(&DatabaseSpec { worlds, blobs, ..DatabaseSpec::default() }).bytes;
    let database = Database::parse(&bytes).unwrap();
    let contents = Contents::read(&database);
    // The long name is shown at most 16 times for its own bytes, and 16 times for the 16 MiB that any file may take.
    stops(40, database.source(), &worldview_island::DatabaseDescription::new(&database, &contents), "same");
}

#[test]
fn every_hit_of_every_odd_file_lies_inside_it() {
    let mut count = 0;
    for (name, level) in levels() {
        let bytes = build_level(&level).bytes;
        let Ok(image) = unpack(&bytes) else { continue };
        let Ok(level) = Level::parse(&image) else { continue };
        let _ = search(level.image(), &worldview_wwd::LevelDescription::new(&image, &level), "*", &mut |hit| {
            let end = if hit.space.name() == "image" { image.len() } else { bytes.len() };
            assert!(hit.at < end as u64, "{name}: {hit}");
            count += 1;
        });
    }
    for (name, bytes) in tables() {
        let inside = &mut |hit: &Hit<'_>| {
            assert!(hit.at < bytes.len() as u64, "{name}: {hit}");
            count += 1;
        };
        let (Ok(archive), source) = (Archive::parse(&bytes), Source::new(&bytes, Space::File)) else { continue };
        let _ = match Table::parse(&bytes) {
            Ok(table) => search(source, &table, "*", inside),
            Err(_) => search(source, &archive, "*", inside),
        };
    }
    for (name, bytes) in databases() {
        let Ok(database) = Database::parse_lossy(&bytes, &mut |_| {}) else { continue };
        let contents = Contents::read_lossy(&database, &mut |_| {});
        let body = worldview_island::DatabaseDescription::new(&database, &contents);
        let _ = search(database.source(), &body, "*", &mut |hit| {
            assert!(hit.at < bytes.len() as u64, "{name}: {hit}");
            count += 1;
        });
    }
    assert!(count > 1000, "{count}");
}
