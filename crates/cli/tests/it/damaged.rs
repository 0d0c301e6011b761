//! Tests with a folder of damaged tables and archives: the library opens exactly what the command opens.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};

use crate::support::{failed as failed_inputs, slashed};
use serde_json::Value;
use worldview::bulk::{self, Bulk};
use worldview::{Loader, OpenError, Options};
use worldview_cli::{Command, Streams};
use worldview_corpus::ff13::build::build_table;
use worldview_corpus::ff13::generate;
use worldview_corpus::{island, wwd};

/// A kind of damage: its name, and a function that applies it.
type Damage = (&'static str, fn(&mut Vec<u8>));

/// The damages, applied to the files in turn.
const DAMAGES: [Damage; 13] = [
    ("whole", |_| {}),
    ("magic", |file| file[..4].copy_from_slice(b"\0\0\0\0")),
    ("header", |file| file[..8].copy_from_slice(b"garbage!")),
    ("zeroed", |file| file[..16].fill(0)),
    ("count", |file| file[4..8].copy_from_slice(&0x7000_0000_u32.to_be_bytes())),
    ("first-offset", |file| {
        file[..4].fill(0xFF);
        file[32..36].copy_from_slice(&77_u32.to_be_bytes());
    }),
    ("first-outside", |file| {
        file[..4].fill(0xFF);
        file[32..36].copy_from_slice(&0x7000_0010_u32.to_be_bytes());
    }),
    ("first-entry", |file| file[..48].fill(0)),
    ("entries-cut", |file| file.truncate(60)),
    ("header-and-entries-cut", |file| {
        file[..8].fill(0xAA);
        file.truncate(60);
    }),
    ("header-and-body-cut", |file| {
        file[..8].fill(0xAA);
        file.truncate(file.len() * 3 / 4);
    }),
    ("body-cut", |file| file.truncate(file.len() * 3 / 4)),
    ("junk", |file| file.iter_mut().for_each(|byte| *byte = byte.wrapping_mul(89) ^ 0x5C)),
];

/// File extensions. The last two do not suggest a format.
const ENDINGS: [&str; 6] = ["wdb", "wpd", "xgr", "WDB", "bin", "dat"];

fn plant(folder: &Path) -> usize {
    let mut files: Vec<Vec<u8>> = generate::folder(1, 150).into_iter().map(|(_, file)| file).collect();
    files.extend((0..80).map(|seed| build_table(&generate::small_table(seed)).bytes));
    files.extend((0..40).map(|seed| generate::pack(seed, 3)));
    files.extend((0..40).map(|seed| generate::generic(seed, 4)));
    let count = files.len();
    for (number, mut file) in files.into_iter().enumerate() {
        let (damage, change) = DAMAGES[number % DAMAGES.len()];
        change(&mut file);
        let ending = ENDINGS[number / DAMAGES.len() % ENDINGS.len()];
        std::fs::write(folder.join(format!("{number:03}-{damage}.{ending}")), file).unwrap();
    }
    let others = [wwd::samples(), island::samples()].into_iter().flatten();
    others.for_each(|(name, file)| std::fs::write(folder.join(name), file).unwrap());
    std::fs::write(folder.join("nothing.wdb"), b"").unwrap();
    std::fs::write(folder.join("notes.txt"), b"Nothing that anybody here knows.").unwrap();
    std::fs::write(folder.join("levels.dat"), b"PK\x03\x04 and so on").unwrap();
    count
}

#[derive(Clone, Default)]
struct Memory(Arc<Mutex<Vec<u8>>>);

impl Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn list(folder: &Path, options: &[&str]) -> Value {
    let words = ["worldview", "list", folder.to_str().unwrap(), "--format", "json", "--quiet"];
    let out = Memory::default();
    let command = Command::new(words.iter().chain(options)).unwrap();
    command.run(Loader::read, Streams::new(out.clone(), io::sink()));
    let bytes = out.0.lock().unwrap().clone();
    serde_json::from_slice(&bytes).unwrap()
}

/// Returns the paths of all entries in a list.
fn listed(list: &Value) -> BTreeSet<String> {
    let lists = ["levels", "tables", "archives", "databases"].map(|kind| list[kind].as_array().unwrap());
    lists.into_iter().flatten().map(|entry| entry["path"].as_str().unwrap().to_owned()).collect()
}

/// Runs over the folder with the library. Returns the paths that were opened, and the errors for the others.
fn run(folder: &Path, options: &Options) -> (BTreeSet<String>, Vec<(String, OpenError)>) {
    let (mut opened, mut failed) = (BTreeSet::new(), Vec::new());
    Bulk::new(Loader::read()).options(options).each(
        bulk::walk(folder),
        |_, _| (),
        |item, result| {
            let path = slashed(Path::new(&item.to_string()));
            match result {
                Ok(()) => assert!(opened.insert(path), "{item} comes twice"),
                Err(bulk::BulkError::Open(error)) => failed.push((path, error)),
                Err(error) => panic!("{item}: {error}"),
            }
        },
    );
    (opened, failed)
}

/// Implements the rules of `crates/wpd/FORMAT.md`, Damaged headers: the data of the first entry follows the last entry, or only the
/// first two entries of a table of XIII-1 are lost.
fn has_entries(file: &[u8]) -> bool {
    let named = |at: usize, name: &[u8]| file.get(at..at + 16).is_some_and(|field| field.starts_with(name));
    if !named(48, b"!!strtypelist\0") && named(80, b"!!typelist\0") && named(112, b"!!version\0") {
        return true;
    }
    let Some(first) = file.get(32..36).filter(|_| file.len() >= 48) else { return false };
    let first = u32::from_be_bytes(first.try_into().unwrap()) as usize;
    first >= 48 && first % 32 == 16 && first <= file.len()
}

fn has_header(file: &[u8]) -> bool {
    let count = |bytes: &[u8]| u32::from_be_bytes(bytes.try_into().unwrap()) as usize;
    file.len() >= 16 && file.starts_with(b"WPD\0") && 16 + count(&file[4..8]) * 32 <= file.len()
}

#[test]
fn the_library_opens_what_the_command_opens() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    assert!(plant(folder) >= 300);
    let mut counts = Vec::new();
    for (recover, options) in [(true, &["--recover"][..]), (false, &[])] {
        let list = list(folder, options);
        let (opened, failed) = run(folder, &Options { lossy: true, recover, ..Options::new() });
        assert_eq!(opened, listed(&list), "{options:?}");
        counts.push(opened.len());
        // The command skips files of unknown format and containers, and reports all other files that cannot be opened.
        let is_passed_over = |error: &OpenError| matches!(error, OpenError::Unknown | OpenError::Container(_));
        let (passed_over, failed): (Vec<_>, Vec<_>) = failed.into_iter().partition(|(_, error)| is_passed_over(error));
        assert_eq!(list["totals"]["skipped"], passed_over.len());
        let printed: BTreeSet<&str> =
            failed_inputs(&list).into_iter().map(|failure| failure["path"].as_str().unwrap()).collect();
        for (path, error) in &failed {
            assert!(printed.contains(path.as_str()), "{path}: {error}");
        }
        // All other messages concern parts of files that can be opened.
        let failed: BTreeSet<&str> = failed.iter().map(|(path, _)| path.as_str()).collect();
        assert!(printed.iter().all(|path| failed.contains(path) || opened.contains(*path)));
    }
    assert!(counts[1] > 50 && counts[0] > counts[1] + 100, "{counts:?}");
}

#[test]
fn without_recovery_what_it_would_open_is_an_error_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    plant(folder);
    let (_, strict) = run(folder, &Options::new());
    let (_, lossy) = run(folder, &Options { lossy: true, ..Options::new() });
    let (recovered, refused) = run(folder, &Options { lossy: true, recover: true, ..Options::new() });
    let (mut overwritten, mut unrecoverable) = (0, 0);
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let file = std::fs::read(&path).unwrap();
        let name = &slashed(&path);
        let is_called_so = ["wdb", "WDB", "wpd", "xgr"].iter().any(|ending| name.ends_with(ending));
        if !is_called_so && !file.starts_with(b"WPD\0") || name.ends_with("world.wdb") {
            continue;
        }
        let error = |errors: &[(String, OpenError)]| errors.iter().find(|(of, _)| of == name).map(|(_, error)| *error);
        let (is_broken, would_open) = (!has_header(&file), has_entries(&file));
        for found in [error(&strict), error(&lossy)] {
            let is_overwritten = matches!(found, Some(OpenError::Overwritten { is_known: true, .. }));
            assert_eq!(is_overwritten, is_broken && would_open, "{name}: {found:?}");
        }
        let found = error(&refused);
        match (is_broken, would_open) {
            (true, true) => {
                overwritten += 1;
                assert!(recovered.contains(name) || matches!(found, Some(OpenError::Format(_))), "{name}: {found:?}");
            }
            _ if file.is_empty() => assert!(matches!(found, Some(OpenError::Empty)), "{name}: {found:?}"),
            (true, false) => {
                unrecoverable += 1;
                assert!(matches!(found, Some(OpenError::Unrecoverable(_))), "{name}: {found:?}");
            }
            (false, _) => assert!(recovered.contains(name) || found.is_some(), "{name}"),
        }
    }
    assert!(overwritten > 50 && unrecoverable > 50, "{overwritten} {unrecoverable}");
}
