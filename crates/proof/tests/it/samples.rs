//! The committed samples match the generator, so that every tool can rely on them.

use std::fs;
use std::path::{Path, PathBuf};

use worldview::wwd;
use worldview_corpus::{ff13, island, wwd as levels};

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
