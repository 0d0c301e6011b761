//! Replays the inputs of the fuzzers on stable Rust: every seed, every regression, the minimized corpora, and randomly changed
//! seeds.
//! `ROUNDS=100` changes a hundred times as many.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use miniz_oxide::inflate::decompress_to_vec_zlib;
use worldview_corpus::ff13::naive;
use worldview_corpus::rng::Rng;
use worldview_corpus::trial::rounds;
use worldview_corpus::trial::{Trial, place};
use worldview_readers::change::change;
use worldview_tools::fuzz::{TARGETS, seeds};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz").join(name)
}

/// Returns the names of the entries of a folder, which may not exist.
fn names(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Returns the files of a target in one of the folders.
fn files(kind: &str, target: &str) -> Vec<(String, Vec<u8>)> {
    let folder = folder(kind).join(target);
    names(&folder).into_iter().map(|name| (name.clone(), fs::read(folder.join(name)).unwrap())).collect()
}

/// Runs the body of a target, and names it and the file if it panics.
fn holds(target: &str, body: fn(&[u8]), what: &str, bytes: &[u8]) {
    let _trial = Trial::new(target, what, bytes);
    body(bytes);
}

#[test]
fn every_target_has_all_of_its_files() {
    let targets: Vec<_> = TARGETS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(names(&folder("fuzz_targets")), targets.iter().map(|name| format!("{name}.rs")).collect::<Vec<_>>());
    assert_eq!(names(&folder("dictionaries")), targets.iter().map(|name| format!("{name}.dict")).collect::<Vec<_>>());
    assert_eq!(names(&folder("seeds")), targets);
    for name in names(&folder("regressions")) {
        assert!(targets.contains(&name), "regressions of {name}, which is not a target");
    }
    let manifest = fs::read_to_string(folder("Cargo.toml")).unwrap();
    for name in &targets {
        let bin = format!("name = \"{name}\"\npath = \"fuzz_targets/{name}.rs\"\n");
        assert!(manifest.contains(&bin), "{name} is not built");
        // Each target is a single line, so that its body is reviewed and tested here.
        let text = fs::read_to_string(folder("fuzz_targets").join(format!("{name}.rs"))).unwrap();
        let line = format!("libfuzzer_sys::fuzz_target!(|data: &[u8]| worldview_tools::fuzz::{name}(data));");
        assert_eq!(text, format!("#![no_main]\n{line}\n"));
    }
    assert_eq!(manifest.matches("[[bin]]").count(), targets.len());
}

#[test]
fn dictionaries_are_valid() {
    for (name, _) in TARGETS {
        let text = fs::read_to_string(folder("dictionaries").join(format!("{name}.dict"))).unwrap();
        let mut entries = 0;
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let inside =
                line.strip_prefix('"').and_then(|line| line.strip_suffix('"')).filter(|inside| !inside.is_empty());
            let mut rest = inside.unwrap_or_else(|| panic!("{name}: {line}")).bytes();
            while let Some(byte) = rest.next() {
                assert!((b' '..=b'~').contains(&byte) && byte != b'"', "{name}: {line}");
                if byte == b'\\' && rest.next() == Some(b'x') {
                    let digits = [rest.next(), rest.next()];
                    assert!(
                        digits.iter().all(|digit| digit.is_some_and(|digit| digit.is_ascii_hexdigit())),
                        "{name}: {line}"
                    );
                }
            }
            entries += 1;
        }
        assert!(entries >= 10, "{name} has {entries} entries");
    }
}

#[test]
fn committed_seeds_match_the_generator() {
    let mut expected: BTreeMap<_, BTreeMap<_, _>> = BTreeMap::new();
    for (target, name, bytes) in seeds() {
        // A level with the archive of its pictures is larger than any other.
        let most = if target == "level_draw" { 16_000 } else { 10_000 };
        assert!(bytes.len() < most, "{target}/{name} has {} bytes", bytes.len());
        let twice = expected.entry(target).or_default().insert(name.clone(), bytes);
        assert!(twice.is_none(), "{target}/{name} exists twice");
    }
    for (target, _) in TARGETS {
        let expected = expected.remove(target).unwrap_or_default();
        assert!(expected.len() >= 4, "{target} has {} seeds", expected.len());
        let found: BTreeMap<_, _> = files("seeds", target).into_iter().collect();
        let both = [&found, &expected].map(|files| files.keys().cloned().collect::<Vec<_>>());
        assert_eq!(both[0], both[1], "{target}: run `just seeds` to update them");
        for (name, bytes) in expected {
            assert!(found[&name] == bytes, "{target}/{name} differs: run `just seeds` to update it");
        }
    }
}

#[test]
fn seeds_and_regressions_hold() {
    for (target, body) in TARGETS {
        for kind in ["seeds", "regressions"] {
            for (name, bytes) in files(kind, target) {
                holds(target, body, &format!("{kind}/{target}/{name}"), &bytes);
            }
        }
        holds(target, body, "no bytes", &[]);
    }
}

#[test]
fn corpora_hold() {
    let (folder, mut total) = (folder("corpora"), 0);
    for name in names(&folder) {
        let target = TARGETS.iter().find(|(target, _)| name.strip_suffix(".wpd.zlib") == Some(*target));
        let (target, body) = target.unwrap_or_else(|| panic!("{name} is not the corpus of a target"));
        let bytes = fs::read(folder.join(&name)).unwrap();
        total += bytes.len();
        let inputs = naive::archive(&decompress_to_vec_zlib(&bytes).unwrap()).unwrap().members;
        assert!(inputs.len() >= 50, "{name} has {} inputs", inputs.len());
        for input in inputs {
            holds(target, *body, &format!("{name}/{}", input.name.escape_ascii()), &input.data);
        }
    }
    assert!((500_000..2_000_000).contains(&total), "the corpora have {total} bytes");
}

#[test]
fn changed_seeds_hold() {
    for (number, (target, body)) in (0..).zip(TARGETS) {
        let seeds = files("seeds", target);
        let mut rng = Rng::new(number);
        for _ in 0..rounds(300) {
            let (name, seed) = rng.pick(&seeds).unwrap();
            let mut bytes = seed.clone();
            // Most words start at a multiple of four.
            let labels: Vec<_> = (0..seed.len()).step_by(4).collect();
            let word = if rng.one_in(2) { u32::to_le_bytes } else { u32::to_be_bytes };
            for _ in 0..=rng.below(4) {
                change(&mut rng, &mut bytes, &labels, word);
            }
            holds(target, body, &format!("{name}, {}", place(seed, &bytes)), &bytes);
        }
    }
}
