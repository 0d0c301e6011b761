//! The committed samples match the generator, so that every tool can rely on them.

use std::fs;
use std::path::{Path, PathBuf};

use worldview::wwd;
use worldview_corpus::{ff13, island, rez, wwd as levels};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples")
}

fn committed(name: &str) -> Vec<u8> {
    fs::read(folder().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn all_samples_come_from_the_generator() {
    let mut names: Vec<_> =
        fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    let mut made: Vec<_> = worldview_corpus::samples().into_iter().map(|(name, _)| name).collect();
    names.sort_unstable();
    made.sort_unstable();
    assert_eq!(names, made);
}

#[test]
fn committed_tables_archives_and_databases_match_the_generator() {
    for (name, made) in [ff13::samples::samples(), island::samples::samples()].concat() {
        assert!(committed(name) == made, "{name}: run `just samples` to update it");
    }
}

/// Returns the path and data of each file of an archive.
fn contents(archive: &[u8]) -> Vec<(Vec<u8>, &[u8])> {
    let read = rez::naive::archive(archive).unwrap();
    read.files().into_iter().map(|(path, file)| (path, &archive[file.data.clone()])).collect()
}

#[test]
fn the_committed_archive_matches_the_generator() {
    for (name, made) in rez::samples::samples() {
        let committed = committed(name);
        let (committed, made) = (contents(&committed), contents(&made));
        assert_eq!(committed.len(), made.len(), "{name}: run `just samples` to update it");
        for ((path, committed), (made_path, made)) in committed.iter().zip(&made) {
            assert_eq!(path, made_path, "{name}: run `just samples` to update it");
            // As for levels, another deflate implementation writes different bytes.
            let alike = if path.ends_with(b".WWD") {
                wwd::unpack(committed).unwrap()[1524..] == wwd::unpack(made).unwrap()[1524..]
            } else {
                committed == made
            };
            assert!(alike, "{name}: {}: run `just samples` to update it", path.escape_ascii());
        }
    }
}

#[test]
fn committed_levels_match_the_generator() {
    for (name, made) in levels::samples::samples() {
        let committed = committed(name);
        // Another deflate implementation writes different bytes, so the inflated bytes are
        // compared.
        let (committed, made) = (wwd::unpack(&committed).unwrap(), wwd::unpack(&made).unwrap());
        assert!(committed[1524..] == made[1524..], "{name}: run `just samples` to update it");
        assert_eq!(committed.trailing(), made.trailing(), "{name}");
        assert_eq!(committed.is_packed(), made.is_packed(), "{name}");
    }
}
