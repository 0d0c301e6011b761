//! File names.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use unicode_normalization::UnicodeNormalization as _;
use worldview_corpus::hostile::complaint;
use worldview_export::names::{Folders, Taken, file_name, safe_name, source_name};

/// Makes file names from arbitrary names. Each input name is a length byte followed by that many bytes.
pub fn export_names(data: &[u8]) {
    let mut raw = Vec::new();
    // Two names are enough for a conflict, and a hundred for a chain of them.
    let mut rest = &data[..data.len().min(1 << 10)];
    while let Some((&len, behind)) = rest.split_first() {
        // Some names are repeated, since names beyond the maximum length are cut.
        let times = if len == 0xFF { 8 } else { 1 };
        let (name, behind) = behind.split_at(behind.len().min(len.into()));
        raw.push(name.repeat(times));
        rest = behind;
    }
    match super::turn(data, 2) {
        0 => members(&raw),
        _ => inputs(&raw),
    }
}

/// Names from inside an archive or a database.
fn members(raw: &[Vec<u8>]) {
    let mut taken = Taken::default();
    let mut unique = Unique::default();
    let mut made = BTreeMap::new();
    for raw in raw {
        let name = file_name(raw);
        assert!(name.len() <= 120, "{name:?} is too long for a suffix");
        if !name.contains('~') && !raw.is_empty() {
            assert_eq!(unescaped(&name), *raw, "{name:?} does not decode to its name");
        }
        // Different bytes must give different names, even before the names are compared as a file system would.
        let other = made.insert(name.clone(), raw);
        assert!(other.is_none_or(|other| other == raw), "{name:?} is made from {other:?} and from {raw:?}");
        // The name pattern of plane pictures, which is a number and a name.
        let safe = format!("00-{}.png", safe_name(&String::from_utf8_lossy(raw)));
        assert_eq!(complaint(&safe), None);
        // A file, and a folder next to it.
        unique.add(&taken.take(name.clone()));
        unique.add(&taken.take_whole(name));
    }
}

/// Paths of inputs, and the output folders that they get: no folder may be inside another.
fn inputs(raw: &[Vec<u8>]) {
    let mut folders = Folders::default();
    let mut given: Vec<String> = vec!["manifest.ndjson".into()];
    for raw in raw.iter().take(20) {
        // Each folder is compared with its whole path.
        let path: PathBuf = as_path(raw).components().take(12).collect();
        if !path.components().any(|part| matches!(part, Component::Normal(_))) {
            // Such a path cannot be an input, because it has no file or folder name.
            continue;
        }
        for part in &*path {
            let name = source_name(part);
            assert_eq!(complaint(&name), None, "{name:?} of {part:?}");
        }
        let folder = folders.folder(&path);
        let Some(folder) = folder.to_str() else {
            assert_eq!(folder.to_str(), Some("text"));
            continue;
        };
        for part in folder.split('/') {
            assert_eq!(complaint(part), None, "{part:?} of {folder:?}");
        }
        given.push(folded(folder));
    }
    let folders: BTreeSet<&str> = given.iter().map(String::as_str).collect();
    assert_eq!(folders.len(), given.len(), "two inputs have one folder: {given:?}");
    for (end, one) in given.iter().flat_map(|one| one.match_indices('/').map(move |(end, _)| (end, one))) {
        assert!(!folders.contains(&one[..end]), "{one:?} is in {:?}", &one[..end]);
    }
}

/// Converts the bytes to a path of this system: any bytes on Unix, text elsewhere.
fn as_path(raw: &[u8]) -> Box<Path> {
    #[cfg(unix)]
    let name = std::os::unix::ffi::OsStrExt::from_bytes(raw);
    #[cfg(not(unix))]
    let text = String::from_utf8_lossy(raw);
    #[cfg(not(unix))]
    let name = OsStr::new(&*text);
    let name: &OsStr = name;
    Path::new(name).into()
}

/// Returns the bytes that a name was made from; `%` and two digits stand for one byte.
fn unescaped(name: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut parts = name.split('%');
    bytes.extend(parts.next().unwrap_or_default().bytes());
    for part in parts {
        let (digits, rest) = part.split_at(part.len().min(2));
        bytes.push(u8::from_str_radix(digits, 16).unwrap_or_default());
        bytes.extend(rest.bytes());
    }
    bytes
}

/// Folds a name as file systems do that ignore case and Unicode normalization.
fn folded(name: &str) -> String {
    let upper: String = name.nfd().collect::<String>().to_uppercase();
    upper.nfd().collect::<String>().to_lowercase().nfc().collect()
}

/// Names in one folder, each of which must be a distinct file on every system.
#[derive(Debug, Default)]
struct Unique {
    seen: BTreeSet<String>,
}

impl Unique {
    /// Adds the name of a file.
    fn add(&mut self, name: &str) {
        let complaint = complaint(name);
        assert!(complaint.is_none(), "{name:?}: {}", complaint.unwrap_or_default());
        assert!(self.seen.insert(folded(name)), "{name:?} is the name of two files");
    }
}
