//! Files whose parts are the same bytes again and again, and lists of thousands of one name.

use worldview_corpus::ff13::build::{build_archive, build_table};
use worldview_corpus::ff13::spec::{ArchiveSpec, Generation, MemberSpec, RowSpec, TableSpec};
use worldview_corpus::island::build::build as build_database;
use worldview_corpus::island::generate::{deep_nodes, deep_rois, edge_cases as databases, small};
use worldview_corpus::island::spec::{BlobSpec, DatabaseSpec, ModelRefSpec, ModelSpec, NodeSpec, RoiSpec, WorldSpec};
use worldview_corpus::wwd::build::build as build_level;
use worldview_corpus::wwd::generate::edge_cases as levels;
use worldview_corpus::wwd::spec::{LevelSpec, ObjectSpec, PlaneSpec};
use worldview_inspect::{Result, Root, diff};
use worldview_island::{Contents, Database};
use worldview_wpd::{Archive, Table};
use worldview_wwd::{Level, unpack};

use crate::support::{count, edited, file, is_limit, tables_of};

fn level_difference(left: &[u8], right: &[u8]) -> (Result<()>, usize) {
    let (left, right) = (unpack(left).unwrap(), unpack(right).unwrap());
    let (first, second) = (Level::parse(&left).unwrap(), Level::parse(&right).unwrap());
    let left = worldview_wwd::LevelDescription::new(&left, &first);
    let right = worldview_wwd::LevelDescription::new(&right, &second);
    count((first.image(), &left), (second.image(), &right))
}

fn database_difference(left: &[u8], right: &[u8]) -> (Result<()>, usize) {
    let open = |bytes| Database::parse_lossy(bytes, &mut |_| {}).unwrap();
    let (left, right) = (open(left), open(right));
    let (first, second) = (Contents::read(&left), Contents::read(&right));
    let first = worldview_island::DatabaseDescription::new(&left, &first);
    let second = worldview_island::DatabaseDescription::new(&right, &second);
    count((left.source(), &first), (right.source(), &second))
}

/// Planes of one name without a part of their own; a grid and an object list are given to all of them.
fn shared(planes: usize, x: i32) -> Vec<u8> {
    let mut first = PlaneSpec::empty(b"P", 64, 400, 400);
    first.objects = (0..500).map(|id| ObjectSpec { id, x, ..ObjectSpec::default() }).collect();
    let rest = PlaneSpec { name: b"P".to_vec(), ..PlaneSpec::default() };
    let mut level = LevelSpec { planes: vec![rest; planes], ..LevelSpec::default() };
    level.planes[0] = first;
    let mut built = build_level(&level);
    let header = built.at("plane[0]").unwrap();
    let header = built.bytes[header..header + 160].to_vec();
    for plane in 1..planes {
        let at = built.at(&format!("plane[{plane}]")).unwrap();
        built.bytes[at..at + 160].copy_from_slice(&header);
    }
    built.bytes
}

#[test]
fn two_thousand_planes_over_one_grid() {
    let (left, right) = (shared(2000, 0), shared(2000, 1));
    let (result, count) = level_difference(&left, &right);
    assert!(is_limit(&result), "{result:?}");
    // No more planes than the walk could pay for: their 1.6 MB grids and objects fit a handful of times into it.
    assert!(count < 10_000, "{count}");
    // Whoever knows that the files are equal need not look.
    let image = unpack(&left).unwrap();
    let level = Level::parse(&image).unwrap();
    let body = worldview_wwd::LevelDescription::new(&image, &level);
    let root = Root::new("wwd", level.image(), &body).file(&left);
    diff::compare(&root, &root, &diff::DiffOptions::default(), &mut |_| panic!("no difference")).unwrap();
}

#[test]
fn thousands_of_one_name() {
    let plane = PlaneSpec { name: b"same".to_vec(), ..PlaneSpec::default() };
    let left = LevelSpec { planes: vec![plane; 20_000], ..LevelSpec::default() };
    let right = edited(&left, |level| level.planes[19_000].z_coord = 1);
    let (result, count) = level_difference(&build_level(&left).bytes, &build_level(&right).bytes);
    assert!(result.is_ok() && count == 1, "{result:?} {count}");

    let mut plane = PlaneSpec::empty(b"same", 64, 1, 1);
    plane.objects = (0..40_000).map(|x| ObjectSpec { x, ..ObjectSpec::default() }).collect();
    let left = LevelSpec { planes: vec![plane], ..LevelSpec::default() };
    // Each of them is another: they go by their places.
    let right = edited(&left, |level| level.planes[0].objects.iter_mut().for_each(|object| object.score = 1));
    let (result, count) = level_difference(&build_level(&left).bytes, &build_level(&right).bytes);
    assert!(result.is_ok() && count == 40_000, "{result:?} {count}");

    let row = RowSpec { name: b"same".to_vec(), values: vec![1.into()], data: None };
    let left = TableSpec { rows: vec![row; 40_000], keep_order: true, ..TableSpec::new(Generation::G3, &["iCount"]) };
    let right = edited(&left, |table| table.rows[39_000].values = vec![2.into()]);
    let (left, right) = (build_table(&left).bytes, build_table(&right).bytes);
    assert_eq!(tables_of(&left, &right), ["~ same#39000: iCount: 1 -> 2"]);

    let world = WorldSpec { models: vec![ModelRefSpec::new("same", 0); 20_000], ..WorldSpec::new("W") };
    let blobs = vec![BlobSpec::model(ModelSpec::new("one", Vec::new()))];
    let left = DatabaseSpec { worlds: vec![world], blobs, ..DatabaseSpec::default() };
    let right = edited(&left, |database| database.worlds[0].models[19_000].visible = 0);
    let (result, count) = database_difference(&build_database(&left).bytes, &build_database(&right).bytes);
    assert!(result.is_ok() && count == 1, "{result:?} {count}");
}

#[test]
fn one_long_string_for_all_records() {
    let table = |text: &str| {
        let text = text.repeat(100_000);
        let mut table = TableSpec::new(Generation::G3, &["sText"]);
        table.pool.share_tails = false;
        (0..5000).fold(table, |table, index| table.row(&format!("r{index}"), [text.as_str().into()]))
    };
    let (left, right) = (build_table(&table("a")).bytes, build_table(&table("b")).bytes);
    let (first, second) = (Table::parse(&left).unwrap(), Table::parse(&right).unwrap());
    let (result, count) = count((file(&left), &first), (file(&right), &second));
    assert!(is_limit(&result), "{result:?}");
    // Sixteen times both files and 16 MiB, of which each record takes 200,000 bytes.
    assert!(count < 200, "{count}");
}

#[test]
fn one_long_name_for_all_values() {
    let field = format!("i{}", "x".repeat(100_000));
    let table = |value: i64| {
        let table = TableSpec::new(Generation::G3, &[&field]);
        build_table(&(0..5000).fold(table, |table, index| table.row(&format!("r{index}"), [value.into()]))).bytes
    };
    let (left, right) = (table(1), table(2));
    let (first, second) = (Table::parse(&left).unwrap(), Table::parse(&right).unwrap());
    let (result, count) = count((file(&left), &first), (file(&right), &second));
    assert!(is_limit(&result), "{result:?}");
    // Each of them is told by a name of 100,000 bytes, and both files have half a megabyte.
    assert!(count < 400, "{count}");
}

#[test]
fn an_archive_that_is_its_own_member() {
    let archive = |byte| {
        let members: Vec<_> = (0..200).map(|i| MemberSpec::new(format!("m{i}"), vec![byte; 8])).collect();
        let mut bytes = build_archive(&ArchiveSpec { members, ..ArchiveSpec::default() }).bytes;
        let len = u32::try_from(bytes.len()).unwrap().to_be_bytes();
        for entry in bytes[16..].chunks_mut(32).take(200) {
            entry[16..20].copy_from_slice(&[0; 4]);
            entry[20..24].copy_from_slice(&len);
        }
        bytes
    };
    let (left, right) = (archive(1), archive(2));
    let (first, second) = (Archive::parse(&left).unwrap(), Archive::parse(&right).unwrap());
    let (result, count) = count((file(&left), &first), (file(&right), &second));
    assert!(is_limit(&result), "{result:?}");
    assert!(count < 1000, "{count}");
}

#[test]
fn blobs_that_overlap() {
    // Each reference to the whole blob from another byte on would be walked for itself.
    let database = |byte: u8| {
        let blob = BlobSpec::raw(vec![byte; 1 << 20]);
        let models = (0..2000).map(|i| ModelRefSpec::new(&format!("m{i}"), 0)).collect();
        let worlds = vec![WorldSpec { models, ..WorldSpec::new("W") }];
        let mut built = build_database(&DatabaseSpec { worlds, blobs: vec![blob], ..DatabaseSpec::default() });
        for i in 0..2000_u32 {
            let at = built.at(&format!("world[0].model[{i}].length")).unwrap();
            built.bytes[at..at + 4].copy_from_slice(&((1 << 20) - i).to_le_bytes());
        }
        built.bytes
    };
    let (result, count) = database_difference(&database(1), &database(2));
    assert!(is_limit(&result), "{result:?}");
    assert!(count < 100, "{count}");
}

#[test]
fn trees_of_any_depth() {
    let root = |name: &str| BlobSpec::model(ModelSpec::of(RoiSpec::new(name, Vec::new()), NodeSpec::new(name)));
    let of = |blob| DatabaseSpec {
        worlds: vec![WorldSpec::new("W").model(ModelRefSpec::new("deep", 0))],
        blobs: vec![blob],
        ..DatabaseSpec::default()
    };
    let one = build_database(&of(root("n"))).bytes;
    for deep in [deep_nodes(50_000), deep_rois(20_000)] {
        let (result, count) = database_difference(&one, &deep);
        assert!(result.is_ok() && count > 0, "{result:?} {count}");
    }
}

#[test]
fn a_long_name_around_thousands_of_differences() {
    let database = |visible| {
        let models = vec![ModelRefSpec { visible, ..ModelRefSpec::new("same", 0) }; 5000];
        let blobs = vec![BlobSpec::model(ModelSpec::new("one", Vec::new()))];
        let worlds = vec![WorldSpec { models, ..WorldSpec::new(&"w".repeat(1 << 20)) }];
        build_database(&DatabaseSpec { worlds, blobs, ..DatabaseSpec::default() }).bytes
    };
    let (result, count) = database_difference(&database(0), &database(1));
    assert!(is_limit(&result), "{result:?}");
    // 16 times both files, and 16 MiB.
    assert!(count < 60, "{count}");
}

#[test]
fn odd_files_against_each_other() {
    let files: Vec<_> = levels().into_iter().map(|(name, level)| (name, build_level(&level).bytes)).collect();
    let mut open: Vec<_> = files.iter().map(|(name, bytes)| (name, unpack(bytes))).collect();
    open.retain(|(_, image)| image.as_ref().is_ok_and(|image| Level::parse(image).is_ok()));
    let mut compared = 0;
    for (name, left) in &open {
        for (other, right) in open.iter().take(20) {
            let (left, right) = (left.as_ref().unwrap(), right.as_ref().unwrap());
            let (first, second) = (Level::parse(left).unwrap(), Level::parse(right).unwrap());
            let left = worldview_wwd::LevelDescription::new(left, &first);
            let right = worldview_wwd::LevelDescription::new(right, &second);
            let (result, count) = count((first.image(), &left), (second.image(), &right));
            compared += usize::from(result.is_ok());
            assert!(name != other || count == 0, "{name} differs from itself");
        }
    }
    assert!(compared > 100, "{compared}");
    let one = build_database(&small(1)).bytes;
    for (name, bytes) in databases() {
        if Database::parse_lossy(&bytes, &mut |_| {}).is_ok() {
            assert_eq!(database_difference(&bytes, &bytes).1, 0, "{name}");
            assert!(database_difference(&bytes, &one).1 > 0, "{name}");
        }
    }
}
