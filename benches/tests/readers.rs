//! All readers of a format must return the same digest, and the digest must depend on the bytes.
#![cfg(test)]
#![allow(clippy::arithmetic_side_effects, reason = "a mistake fails the test")]

use worldview_benches::readers::table::ff13 as ff13_peer;
use worldview_benches::readers::{Reader, level, table, world};
use worldview_corpus::ff13::build::build_table;
use worldview_corpus::ff13::generate as ff13;
use worldview_corpus::ff13::naive::{archive, table as naive_table};
use worldview_corpus::ff13::spec::{CellSpec, Generation, TableSpec};
use worldview_corpus::island::build::build as build_world;
use worldview_corpus::island::generate as island;
use worldview_corpus::wwd::build::build;
use worldview_corpus::wwd::generate as wwd;

const SIZE: usize = 64 << 10;

/// Labels of numbers in a database that are part of the digest.
const FIELDS: [&str; 18] = [
    ".location",
    ".up",
    ".visible",
    ".palette",
    ".pixels",
    ".second.palette",
    ".second.pixels",
    ".vertices",
    ".normals",
    ".uvs",
    ".corners",
    ".uv_indices",
    ".sphere",
    ".box",
    ".translations",
    ".rotations",
    ".scales",
    ".morphs",
];

/// Returns the digest that all readers agree on.
fn agreed(about: &str, readers: &[(&str, Reader)], file: &[u8]) -> u32 {
    let digests =
        readers.iter().map(|(name, read)| (*name, read(file).unwrap_or_else(|why| panic!("{about}, {name}: {why}"))));
    let digests: Vec<_> = digests.collect();
    let (_, first) = digests[0];
    assert!(digests.iter().all(|(_, digest)| *digest == first), "{about}: {digests:x?}");
    first
}

/// Flips the lowest bit of a byte that counts as `weight`, and checks that each digest changes
/// accordingly.
fn follows(about: &str, readers: &[(&str, Reader)], file: &[u8], at: usize, weight: u32) {
    let before = agreed(about, readers, file);
    let mut file = file.to_vec();
    file[at] ^= 1;
    let after = if file[at] & 1 == 1 { before.wrapping_add(weight) } else { before.wrapping_sub(weight) };
    assert_eq!(agreed(about, readers, &file), after, "{about}: the byte at {at}");
}

/// Checks that no reader returns a digest for half of a file.
fn half_is_refused(about: &str, readers: &[(&str, Reader)], file: &[u8]) {
    for (name, read) in readers {
        assert!(read(&file[..file.len() / 2]).is_err(), "{about}: {name}");
    }
}

#[test]
fn readers_of_levels_agree_on_changed_bytes() {
    for seed in 1..5 {
        let masks = wwd::Shape { masks: 3, attributes: 11, ..wwd::Shape::small() };
        for shape in [wwd::Shape::sized(SIZE as u64), masks] {
            let built = build(&wwd::level(seed, &shape));
            let at = |label: &str| built.at(label).unwrap();
            let about = format!("seed {seed}, {shape:?}");
            let check = |at, weight| follows(&about, level::ALL, &built.bytes, at, weight);
            check(at("plane[0].tiles"), 1);
            check(at("plane[1].tiles") + 5, 1 << 8);
            check(at("object[1][2].x") + 2, 1 << 16);
            check(at("object[1][3]") + 280, 1);
            check(at("attribute[0].width"), 1);
            // The last byte of the file belongs to a mask, or is the highest byte of a word.
            check(built.bytes.len() - 1, if shape.masks > 0 { 1 } else { 1 << 24 });
            half_is_refused(&about, level::ALL, &built.bytes);
        }
    }
}

#[test]
fn readers_of_tables_agree_on_changed_bytes() {
    for seed in 1..5 {
        for shape in ff13::Shape::all() {
            let file = ff13::table(seed, SIZE, &shape.clone().embedded());
            let about = format!("seed {seed}, {}", shape.sheet);
            // The last byte is the lowest of the last record's last word, which holds a number.
            follows(&about, table::ALL, &file, file.len() - 1, 1);
            half_is_refused(&about, table::ALL, &file);
            let sections = archive(&file).unwrap();
            let Some(pool) = sections.members.iter().find(|member| member.name == b"!!string") else {
                continue;
            };
            // Strings end at the first NUL.
            let before = agreed(&about, table::ALL, &file);
            let mut cut = file.clone();
            let pool = pool.offset as usize..(pool.offset + pool.size) as usize;
            cut[pool].iter_mut().filter(|byte| **byte == b'm').for_each(|byte| *byte = 0);
            assert_ne!(agreed(&about, table::ALL, &cut), before, "{about}");
        }
    }
}

#[test]
fn an_archive_that_is_not_a_table_is_rejected() {
    let file = ff13::generic(1, 20);
    for (name, read) in table::ALL {
        assert!(read(&file).is_err(), "{name}");
    }
}

#[test]
fn a_table_of_every_kind() {
    let fields = ["iOne", "fTwo", "sThree", "uFour", "u3Five", "i4Six", "s4Seven", "f5Eight", "u641"];
    let row = |text: &str, last: i64| {
        let (int, text) = (CellSpec::Int, CellSpec::from(text));
        [int(-7), 0.5_f32.into(), text, int(9), int(5), int(-2), "abc".into(), int(-16), int(last)]
    };
    let spec = TableSpec::new(Generation::G3, &fields);
    let file = build_table(&spec.row("a", row("lamp", 0x2_0000_0003)).row("b", row("", 1))).bytes;
    let each = 0x3F00_0000 + 9 + 5 + 3 - (7 + 2 + 16);
    assert_eq!(agreed("every kind", table::ALL, &file), 2 * each + 4 + (2 + 3) + 1);
}

#[test]
fn readers_of_databases_agree_on_changed_bytes() {
    for seed in 1..5 {
        // A small database contains every feature of the format.
        let built = build_world(&island::small(seed));
        let about = format!("small one of seed {seed}");
        let places: Vec<usize> = built.labels.values().copied().collect();
        for field in FIELDS {
            // An empty list has the same position as whatever follows it.
            let is_there = |at: usize| places.iter().filter(|&&place| place == at).count() == 1;
            let mut found = built.labels.iter().filter(|(label, at)| label.ends_with(field) && is_there(**at));
            let (label, &at) = found.next().unwrap_or_else(|| panic!("{about}: no {field}"));
            follows(&format!("{about}, {label}"), world::ALL, &built.bytes, at, 1);
        }
        half_is_refused(&about, world::ALL, &built.bytes);
        let file = island::database(seed, 16 * SIZE);
        agreed(&format!("seed {seed}"), world::ALL, &file);
        half_is_refused(&format!("seed {seed}"), world::ALL, &file);
    }
}

#[test]
fn tables_of_xiii_1() {
    let mut files = ff13_peer::files(72);
    let digest = ff13_peer::all(&files, ff13_peer::ours).unwrap();
    let rows: usize = files.iter().map(|file| naive_table(&file.bytes, None).unwrap().rows.len()).sum();
    assert_eq!(digest.records, rows);
    assert_eq!(ff13_peer::all(&files, ff13_peer::theirs).unwrap(), digest);
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    ff13_peer::ours_as_json(&files, &mut ours).unwrap();
    ff13_peer::theirs_as_json(&files, &mut theirs).unwrap();
    assert_eq!(ff13_peer::digest_of_json(&ours), Some(digest));
    assert_eq!(ff13_peer::digest_of_json(&theirs), Some(digest));
    // Each of its records is one number.
    let event_flag = files.iter().position(|file| file.name == "eventflag").unwrap();
    *files[event_flag].bytes.last_mut().unwrap() ^= 1;
    let changed = ff13_peer::all(&files, ff13_peer::ours).unwrap();
    assert_eq!(changed.sum.abs_diff(digest.sum), 1);
    assert_eq!(ff13_peer::all(&files, ff13_peer::theirs).unwrap(), changed);
}

#[test]
fn there_are_as_many_xiii_1_tables_as_expected() {
    let files = ff13_peer::files(ff13_peer::FILES);
    let bytes: usize = files.iter().map(|file| file.bytes.len()).sum();
    let records = ff13_peer::all(&files, ff13_peer::ours).unwrap().records;
    assert_eq!((files.len(), bytes / 100_000, records / 1000), (500, 59, 94), "{bytes} bytes, {records} records");
}

#[test]
fn readers_of_columns_agree() {
    for (shape, field) in [(ff13::Shape::zone(), "i12Offset"), (ff13::Shape::monster(), "s8Link")] {
        let file = ff13::table(1, SIZE, &shape.embedded());
        let sums: Vec<_> = table::COLUMN.iter().map(|(name, read)| (*name, read(&file, field))).collect();
        let (_, first) = sums[0];
        assert!(sums.iter().all(|(_, sum)| sum.is_some() && *sum == first), "{field}: {sums:x?}");
        assert_ne!(first, Some(0), "{field}");
        let nothing: Vec<_> = table::COLUMN.iter().map(|(_, read)| read(&file, "i12Nobody")).collect();
        assert!(nothing.iter().all(Option::is_none), "{nothing:?}");
    }
}
