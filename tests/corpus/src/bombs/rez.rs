//! Archives and pictures that cost a reader far more than their size suggests.

use super::{Bomb, long, put};
use crate::rez::HEADER_SIZE;
use crate::rez::build::build;
use crate::rez::picture::{PcxSpec, PidSpec, SKIP_RUNS};
use crate::rez::spec::{ArchiveSpec, DirectorySpec, EntrySpec, FileSpec};

/// All archive bombs.
pub const ARCHIVES: &[Bomb] = &[
    Bomb { name: "directories that are the root", attacks: "recursion without end", make: recursive },
    Bomb { name: "a directory at every entry", attacks: "directories that overlap", make: overlapping },
    Bomb { name: "entries that share a large picture", attacks: "decoding each of them", make: shared },
    Bomb { name: "files that are the whole archive", attacks: "copies of the data", make: whole },
    Bomb { name: "files without names", attacks: "the index of entries", make: nameless },
    Bomb { name: "directories without names", attacks: "the index of entries", make: empty_directories },
    Bomb { name: "files that are called the same", attacks: "findings, and lookup by path", make: same_names },
    Bomb { name: "many files below long names", attacks: "a path for each file", make: long_paths },
    Bomb { name: "a file with many keys", attacks: "lists of an entry", make: keys },
];

/// All picture bombs, which are PID files.
pub const PIDS: &[Bomb] = &[
    Bomb { name: "skips", attacks: "127 pixels of a byte", make: |size| pid(size, SKIP_RUNS, &[0xFF]) },
    Bomb { name: "repeats", attacks: "63 pixels of two bytes", make: |size| pid(size, 0, &[0xFF, 7]) },
    Bomb { name: "tokens of no pixels", attacks: "decoding twice", make: |size| pid(size, 0, &[0xC0, 0xC1]) },
    Bomb { name: "skips of no pixels", attacks: "loops without progress", make: |size| pid(size, SKIP_RUNS, &[0x80]) },
    Bomb { name: "single literals", attacks: "the cost of a token", make: |size| pid(size, SKIP_RUNS, &[1, 5]) },
];

/// All picture bombs that are PCX files.
pub const PCXS: &[Bomb] = &[
    Bomb { name: "three planes", attacks: "63 bytes of two", make: |size| pcx(size, 3) },
    Bomb { name: "one plane", attacks: "63 pixels of two bytes", make: |size| pcx(size, 1) },
];

fn archive(root: DirectorySpec) -> Vec<u8> {
    build(&ArchiveSpec { root, holes: false, ..ArchiveSpec::default() }).bytes
}

fn directories(count: usize) -> DirectorySpec {
    let entries = (0..count).map(|_| EntrySpec::Directory(DirectorySpec::default())).collect();
    DirectorySpec { entries, ..DirectorySpec::default() }
}

fn files(count: usize, file: &FileSpec) -> DirectorySpec {
    let entries = (0..count).map(|_| EntrySpec::File(file.clone())).collect();
    DirectorySpec { entries, ..DirectorySpec::default() }
}

/// Overwrites position and size of entries of a length that follow each other from `first`.
fn point(bytes: &mut [u8], (first, len): (usize, usize), to: impl Fn(usize) -> (usize, usize)) {
    let count = (bytes.len() - first) / len;
    for entry in 0..count {
        let (pos, size) = to(entry);
        put(bytes, first + entry * len + 4, long(pos));
        put(bytes, first + entry * len + 8, long(size));
    }
}

fn recursive(size: usize) -> Vec<u8> {
    let mut bytes = archive(directories(size / 17));
    let len = bytes.len();
    point(&mut bytes, (HEADER_SIZE, 17), |_| (HEADER_SIZE, len - HEADER_SIZE));
    bytes
}

fn overlapping(size: usize) -> Vec<u8> {
    let mut bytes = archive(directories(size / 17));
    let len = bytes.len();
    point(&mut bytes, (HEADER_SIZE, 17), |entry| (HEADER_SIZE + 17 * entry, len - HEADER_SIZE - 17 * entry));
    bytes
}

fn shared(size: usize) -> Vec<u8> {
    let picture = pid(size / 4, SKIP_RUNS, &[0xFF]);
    let mut root = files(1, &FileSpec { extension: b"PID".to_vec(), data: picture.clone(), ..FileSpec::default() });
    let more = FileSpec { extension: b"PID".to_vec(), ..FileSpec::default() };
    root.entries.extend(files(size * 3 / 4 / 30, &more).entries);
    let mut bytes = archive(root);
    point(&mut bytes, (HEADER_SIZE + picture.len(), 30), |_| (HEADER_SIZE, picture.len()));
    bytes
}

fn whole(size: usize) -> Vec<u8> {
    let mut bytes = archive(files(size / 30, &FileSpec { extension: b"RID".to_vec(), ..FileSpec::default() }));
    let len = bytes.len();
    point(&mut bytes, (HEADER_SIZE, 30), |_| (0, len));
    bytes
}

fn nameless(size: usize) -> Vec<u8> {
    archive(files(size / 30, &FileSpec::default()))
}

fn empty_directories(size: usize) -> Vec<u8> {
    archive(directories(size / 17))
}

fn same_names(size: usize) -> Vec<u8> {
    let file =
        FileSpec { name: b"FRAME001".to_vec(), extension: b"PID".to_vec(), data: vec![1], ..FileSpec::default() };
    archive(files(size / 39, &file))
}

fn long_paths(size: usize) -> Vec<u8> {
    let mut at = files(size / 2 / 32, &FileSpec { name: b"F".to_vec(), data: vec![7], ..FileSpec::default() });
    for _ in 0..30 {
        at.name = vec![b'D'; size / 2 / 31];
        at = DirectorySpec { entries: vec![EntrySpec::Directory(at)], ..DirectorySpec::default() };
    }
    archive(at)
}

fn keys(size: usize) -> Vec<u8> {
    archive(files(1, &FileSpec { keys: (0..long(size / 4)).collect(), ..FileSpec::default() }))
}

/// Returns a square picture as large as its stream may claim.
fn pid(size: usize, flags: u32, pattern: &[u8]) -> Vec<u8> {
    let stream: Vec<_> = pattern.iter().copied().cycle().take(size).collect();
    let side = i32::try_from((size * 127).min(1 << 26).isqrt()).unwrap_or(1).max(1);
    PidSpec { flags, width: side, height: side, ..PidSpec::new(1, &[0]) }.build_with(&stream)
}

fn pcx(size: usize, planes: u8) -> Vec<u8> {
    let side = u16::try_from((size / 2 * 63 / usize::from(planes)).min(1 << 26).isqrt()).unwrap_or(1).max(1);
    let pixels = vec![9; usize::from(side) * usize::from(side) * usize::from(planes)];
    PcxSpec { width: side, height: side, planes, pixels, palette: [[0; 3]; 256], padding: 0 }.build()
}
