//! Handles of the samples, whose files are dropped before anything is read.

#![allow(clippy::unwrap_used, reason = "a failure ends the test")]

use std::path::{Path, PathBuf};

use worldview::Loader;
use worldview_handles::{File, Handle, Options, open, open_all, split_path};

fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples")
}

fn opened(path: &str) -> Handle {
    let (file, inside) = split_path(&samples().join(path));
    let file = File::load(Loader::read(), &file).unwrap();
    open(&file, &inside, &Options::default()).unwrap()
}

#[test]
fn a_handle_outlives_its_file_and_moves_to_other_threads() {
    let handle = opened("harbour.wwd");
    let tiles = std::thread::spawn(move || {
        let Handle::Level(level) = handle else { unreachable!("a level") };
        level.level().planes().iter().map(|plane| plane.tiles().len()).collect::<Vec<_>>()
    });
    assert_eq!(tiles.join().unwrap().len(), 3, "samples/README.md lists three planes");
}

#[test]
fn paths_continue_inside_archives() {
    let names = |path: &str| opened(path).part().inside().join("/");
    assert_eq!(opened("harbour.rez/LEVEL1/WORLDS/WORLD.WWD").kind(), "level");
    assert_eq!(names("harbour.rez/LEVEL1/WORLDS/WORLD.WWD"), "LEVEL1/WORLDS/WORLD.WWD");
    assert_eq!(opened("harbour.rez/LEVEL1").kind(), "archive");
    assert_eq!(opened("items.wdb/apple_dried").kind(), "record");
    let (file, inside) = split_path(&samples().join("items.wdb/no_such_record"));
    let file = File::load(Loader::read(), &file).unwrap();
    let error = open(&file, &inside, &Options::default()).unwrap_err();
    assert_eq!(error.to_string(), "no member or record has this name");
}

#[test]
fn a_directory_of_an_archive_describes_itself_only() {
    let Handle::Directory(root) = opened("harbour.rez") else { unreachable!("an archive") };
    let level = root.at("LEVEL1");
    assert!(level.directory().len() > 0 && level.directory().len() < root.rez().files().count());
}

#[test]
fn every_part_has_its_bytes_at_its_offset() {
    for name in ["wdbpack.bin", "harbour.rez"] {
        let file = File::load(Loader::read(), &samples().join(name)).unwrap();
        let mut parts = 0;
        open_all(&file, &Options::default(), &mut |handle| {
            let handle = handle.unwrap();
            let part = handle.part();
            assert_eq!(part.bytes(), &file.bytes()[part.offset()..][..part.bytes().len()]);
            // Opening the part by its path gives the same bytes.
            let again = open(&file, part.inside().join("/").as_bytes(), &Options::default()).unwrap();
            assert_eq!(again.part().bytes(), part.bytes(), "{}", part.name());
            parts += 1;
        });
        assert!(parts > 2, "{name} has members");
    }
}

#[test]
fn a_broken_file_names_the_part_and_the_offset() {
    let mut bytes = std::fs::read(samples().join("harbour.wwd")).unwrap();
    bytes.truncate(700);
    let file = File::from_bytes(bytes, "harbour.wwd");
    let error = open(&file, b"", &Options::default()).unwrap_err();
    assert!(error.error().is_some(), "{error}");
    let lossy = Options { lossy: true, ..Options::default() };
    let handle = open(&file, b"", &lossy);
    assert!(handle.is_err() || !handle.unwrap().findings().is_empty());
}
