//! The generated folder: what is in it, and that it is the same every time.
#![cfg(test)]
#![allow(clippy::arithmetic_side_effects, reason = "a slip fails the test")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use worldview_corpus::tree::{self, Options, Planted};
use worldview_corpus::{ff13, island, wwd};

fn plant(files: usize, broken_per_mille: u32, seed: u64) -> (tempfile::TempDir, Planted) {
    let folder = tempfile::tempdir().unwrap();
    let planted = tree::write(folder.path(), &Options { files, broken_per_mille, seed }).unwrap();
    (folder, planted)
}

/// Path and bytes of every file in a folder, without the folder's own path.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.insert(path.strip_prefix(folder).unwrap().to_path_buf(), fs::read(&path).unwrap());
            }
        }
    }
    files
}

#[test]
fn everything_that_was_planted_is_there_and_nothing_else() {
    let (folder, planted) = plant(700, 30, 4);
    let found = files(folder.path());
    let broken = planted.broken.iter().map(|(path, _)| path);
    let listed: BTreeSet<_> =
        planted.good.iter().chain(broken).chain(&planted.foreign).chain(&planted.containers).collect();
    let listed: Vec<_> = listed.into_iter().map(|path| path.strip_prefix(folder.path()).unwrap()).collect();
    assert_eq!(found.keys().collect::<Vec<_>>(), listed);
    assert_eq!(found.len(), 700);
    assert_eq!(found.values().map(|bytes| bytes.len() as u64).sum::<u64>(), planted.bytes);
    assert_eq!(planted.broken.len(), 21);
    // No folder tells these apart only by capitals.
    let small: BTreeSet<_> = found.keys().map(|path| path.to_str().unwrap().to_lowercase()).collect();
    assert_eq!(small.len(), 700);
}

#[test]
fn a_seed_means_the_same_tree() {
    let [(one, _), (again, _), (other, _)] = [5, 5, 6].map(|seed| plant(300, 50, seed));
    assert!(files(one.path()) == files(again.path()));
    assert!(files(one.path()) != files(other.path()));
}

#[test]
fn every_breakage_has_its_turn() {
    let (_folder, planted) = plant(80, 200, 7);
    let kinds: BTreeSet<_> = planted.broken.iter().map(|(_, what)| *what).collect();
    assert_eq!(planted.broken.len(), 16);
    assert_eq!(
        kinds.into_iter().collect::<Vec<_>>(),
        ["count", "cut", "cut in the header", "empty", "member", "nested", "signature", "zlib"]
    );
    let (_folder, none) = plant(80, 0, 7);
    assert!(none.broken.is_empty());
    let (_folder, nothing) = plant(0, 10, 7);
    assert_eq!(nothing, Planted::default());
}

/// By the naive readers: the tree is as mixed as it is meant to be.
#[test]
fn the_files_are_mixed() {
    let (folder, planted) = plant(1000, 0, 8);
    let (mut packed, mut plain, mut databases, mut nested) = (0, 0, 0, 0);
    let mut records = BTreeMap::new();
    for path in &planted.good {
        let bytes = fs::read(path).unwrap();
        if bytes.starts_with(&1524_u32.to_le_bytes()) {
            let level = wwd::naive::read(&bytes).unwrap();
            assert!(!level.planes.is_empty());
            *if bytes[8] & 2 == 2 { &mut packed } else { &mut plain } += 1;
        } else if bytes.starts_with(b"WPD\0") {
            let archive = ff13::naive::archive(&bytes).unwrap();
            let inner = archive.members.iter().filter(|member| member.data.starts_with(b"WPD\0"));
            let deep = inner.filter(|member| {
                let inner = ff13::naive::archive(&member.data).unwrap();
                inner.members.iter().any(|member| member.data.starts_with(b"WPD\0"))
            });
            nested += deep.count();
            *records.entry(archive.members.len() / 10).or_insert(0) += 1;
        } else {
            assert!(!island::naive::directory(&bytes).unwrap().worlds.is_empty(), "{}", path.display());
            databases += 1;
        }
    }
    drop(folder);
    assert!(packed > 80 && plain > 10 && databases == 5 && nested > 30, "{packed} {plain} {databases} {nested}");
    assert!(records.len() > 4, "tables and archives of all sizes: {records:?}");
}
