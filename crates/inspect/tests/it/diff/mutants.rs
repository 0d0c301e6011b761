//! Files with a few bytes changed, compared with the originals: nothing panics, and both directions report the same.

use worldview_core::describe::Describe;
use worldview_corpus::ff13::build::build_table;
use worldview_corpus::ff13::generate::{edge_cases as tables, pack, small_table};
use worldview_corpus::island::build::build as build_database;
use worldview_corpus::island::generate::small;
use worldview_corpus::rng::Rng;
use worldview_corpus::wwd::build::build as build_level;
use worldview_corpus::wwd::generate::{Shape, level};
use worldview_inspect::diff::DiffOptions;
use worldview_island::{Contents, Database};
use worldview_wpd::{Archive, TableOptions};
use worldview_wwd::{Level, Unpacker};

use super::support::{both_ways, file};

/// Returns the bytes with a few of them changed, mostly within the first `head`.
fn mutant(rng: &mut Rng, bytes: &[u8], head: usize) -> Vec<u8> {
    let mut mutant = bytes.to_vec();
    for _ in 0..=rng.below(4) {
        let end = if rng.one_in(3) { bytes.len() } else { head.min(bytes.len()) };
        let at = usize::try_from(rng.below(u32::try_from(end).unwrap())).unwrap();
        mutant[at] = match rng.below(4) {
            0 => 0,
            1 => 0xFF,
            2 => mutant[at] ^ 1,
            _ => rng.next_u64().to_le_bytes()[0],
        };
    }
    mutant
}

#[test]
fn changed_levels_differ_alike_in_both_directions() {
    let mut rng = Rng::new(7);
    let bytes = build_level(&level(3, &Shape { masks: 2, trailer: true, image_sets: 3, ..Shape::small() })).bytes;
    let (mut compared, mut differences) = (0, 0);
    for _ in 0..400 {
        let other = mutant(&mut rng, &bytes, 2100);
        let open = |bytes| Unpacker::new().max_inflate(1 << 20).unpack_lossy(bytes, &mut |_| {});
        let (Ok(left), Ok(right)) = (open(&bytes), open(&other)) else { continue };
        let parse = |image| Level::parse_lossy(image, &mut |_| {});
        let (Ok(first), Ok(second)) = (parse(&left), parse(&right)) else { continue };
        let left = worldview_wwd::LevelDescription::new(&left, &first);
        let right = worldview_wwd::LevelDescription::new(&right, &second);
        let lines = both_ways((first.image(), &left), (second.image(), &right), &DiffOptions::default());
        compared += 1;
        differences += usize::from(lines.is_ok_and(|lines| !lines.is_empty()));
    }
    assert!(compared > 200 && differences > 200, "{compared} compared, {differences} different");
}

#[test]
fn changed_tables_and_archives_differ_alike_in_both_directions() {
    let mut rng = Rng::new(8);
    let mut files: Vec<_> = (0..30).map(|seed| build_table(&small_table(seed)).bytes).collect();
    files.extend(tables().into_iter().map(|(_, bytes)| bytes));
    files.push(pack(1, 3));
    files.retain(|bytes| !bytes.is_empty());
    let (mut compared, mut differences) = (0, 0);
    for _ in 0..8 {
        for bytes in &files {
            let other = mutant(&mut rng, bytes, 600);
            let open = |bytes| Archive::parse_lossy(file(bytes), &mut |_| {});
            let (Ok(left), Ok(right)) = (open(bytes), open(&other)) else { continue };
            let table = |archive| TableOptions::new().table_lossy(archive, &mut |_| {});
            let tables = (table(left), table(right));
            let (first, second): (&dyn Describe, &dyn Describe) = match &tables {
                (Ok(left), Ok(right)) => (left, right),
                _ => (&left, &right),
            };
            let lines = both_ways((file(bytes), first), (file(&other), second), &DiffOptions::default());
            compared += 1;
            differences += usize::from(lines.is_ok_and(|lines| !lines.is_empty()));
        }
    }
    assert!(compared > 400 && differences > 300, "{compared} compared, {differences} different");
}

#[test]
fn changed_databases_differ_alike_in_both_directions() {
    let mut rng = Rng::new(9);
    let (mut compared, mut differences) = (0, 0);
    for seed in 0..300 {
        let bytes = build_database(&small(seed % 10)).bytes;
        let other = mutant(&mut rng, &bytes, bytes.len());
        let open = |bytes| Database::parse_lossy(bytes, &mut |_| {});
        let (Ok(left), Ok(right)) = (open(&bytes), open(&other)) else { continue };
        let (first, second) = (Contents::read_lossy(&left, &mut |_| {}), Contents::read_lossy(&right, &mut |_| {}));
        let first = worldview_island::DatabaseDescription::new(&left, &first);
        let second = worldview_island::DatabaseDescription::new(&right, &second);
        let lines = both_ways((left.source(), &first), (right.source(), &second), &DiffOptions::default());
        compared += 1;
        differences += usize::from(lines.is_ok_and(|lines| !lines.is_empty()));
    }
    assert!(compared > 200 && differences > 150, "{compared} compared, {differences} different");
}
