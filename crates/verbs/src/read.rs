//! The only place where files are read that are named as options or sources, or lie in folders that are: regular files, and only as
//! many bytes as a run has memory for.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::fs::{self, File, Metadata};
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use sha2::{Digest as _, Sha256};
use worldview_export::hex;
use worldview_export::names::is_reserved;

use crate::output::Hashing;
use crate::table;
use crate::table::size;

/// The purpose of reading a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SourceKind {
    /// A member of an archive, or anything else that is kept as it is.
    Data,
    /// Words for keys, field names, and the manifest of an export.
    List,
    /// A picture or a workbook. What they are packed into has bounds of its own.
    Packed,
    Model,
    /// A changes file, or a mod.
    Changes,
    /// A map of Tiled, or a document.
    Document,
    /// A sheet as text.
    Sheet,
}

impl SourceKind {
    /// Returns what a source is read as, by its name.
    pub(crate) fn of(path: &Path) -> Self {
        match &*path.extension().unwrap_or_default().to_ascii_lowercase().to_string_lossy() {
            "csv" | "ndjson" => Self::Sheet,
            "json" | "tmx" | "tmj" => Self::Document,
            "png" | "xlsx" => Self::Packed,
            "glb" => Self::Model,
            _ => Self::Data,
        }
    }

    /// Returns how many bytes of memory a byte takes, each of some bytes that begin an element, and each of some between values. Measured
    /// with files of many small elements and values, which take the most.
    const fn weights(self) -> (u64, [(u64, &'static [u8]); 2]) {
        const NONE: [(u64, &[u8]); 2] = [(0, b""); 2];
        match self {
            Self::Data => (6, NONE),
            Self::List => (8, NONE),
            Self::Packed => (16, NONE),
            Self::Model => (40, NONE),
            Self::Changes => (8, [(1500, b"{"), (250, b",:")]),
            Self::Document => (8, [(2500, b"{<"), (300, b",:")]),
            Self::Sheet => (8, [(1200, b"\n"), (320, b",;\t")]),
        }
    }

    fn memory(self, bytes: &[u8]) -> u64 {
        let (each, marks) = self.weights();
        let count = |of: &[u8]| bytes.iter().filter(|byte| of.contains(byte)).count() as u64;
        each * bytes.len() as u64 + marks.iter().map(|(weight, of)| weight * count(of)).sum::<u64>()
    }

    const fn advice(self) -> &'static str {
        match self {
            Self::Changes => "apply the changes in several files, one after the other",
            Self::Sheet => "split the sheet; rows that it lacks stay as they are",
            Self::Document => "edit the file itself instead, with changes or a sheet of the rows that differ",
            _ => "give fewer or smaller files at once",
        }
    }
}

/// The bytes of memory that the sources of one file may take. With the program and the file itself, a run stays below 1 GB.
const ROOM: u64 = 900_000_000;

/// Larger sources are planned one after another.
const SMALL: u64 = ROOM / 32;
static LARGE: Mutex<()> = Mutex::new(());

/// The memory for all sources that are held at the same time.
#[derive(Debug, Default)]
pub(crate) struct Room {
    used: Cell<u64>,
    turn: RefCell<Option<MutexGuard<'static, ()>>>,
}

impl Room {
    /// Reads a regular file. Returns an error if the file cannot be read, is a pipe or a device, or if there is no room for it.
    pub(crate) fn read(&self, path: &Path, kind: SourceKind) -> io::Result<Vec<u8>> {
        let (file, metadata) = open(path)?;
        self.fill(file, metadata.len(), kind)
    }

    /// Reads a regular file, or standard input for `-`. Returns an error as [`read`](Self::read) does.
    pub(crate) fn read_or_stdin(&self, path: &Path, kind: SourceKind) -> io::Result<Vec<u8>> {
        if path.as_os_str() == "-" { self.fill(io::stdin().lock(), 0, kind) } else { self.read(path, kind) }
    }

    /// Reads a regular file in a folder, out of which no link may lead. Returns an error as [`read`](Self::read) does, or if the
    /// path leads out of the folder.
    pub(crate) fn read_in(&self, folder: &Path, path: &Path, kind: SourceKind) -> io::Result<Vec<u8>> {
        if leads_out(path, folder) {
            return Err(io::Error::other(LEADS_OUT));
        }
        self.read(path, kind)
    }

    /// Returns bytes that are in memory already, if there is room for what is made of them. Returns an error if there is not.
    pub(crate) fn hold(&self, bytes: &[u8], kind: SourceKind) -> io::Result<Vec<u8>> {
        self.fill(bytes, bytes.len() as u64, kind)
    }

    fn fill(&self, from: impl Read, len: u64, kind: SourceKind) -> io::Result<Vec<u8>> {
        let left = ROOM.saturating_sub(self.used.get());
        let most = left / kind.weights().0;
        let (mut bytes, mut need) = (Vec::new(), len.saturating_mul(kind.weights().0));
        if len <= most {
            bytes.try_reserve_exact(usize::try_from(len).unwrap_or(usize::MAX))?;
            from.take(most + 1).read_to_end(&mut bytes)?;
            need = kind.memory(&bytes);
        }
        if need > left {
            let (need, all) = (size(need), size(ROOM));
            let rest = if left < ROOM { format!(", of which {} are left", size(left)) } else { String::new() };
            let why =
                format!("is too large: it may take {need} of memory, and a run has {all}{rest}; {}", kind.advice());
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, why));
        }
        self.used.set(self.used.get() + need);
        if self.used.get() > SMALL && self.turn.borrow().is_none() {
            *self.turn.borrow_mut() = Some(LARGE.lock().unwrap_or_else(PoisonError::into_inner));
        }
        Ok(bytes)
    }
}

/// Opens a regular file. A pipe is not even opened, because that would wait for a writer.
fn open(path: &Path) -> io::Result<(File, Metadata)> {
    let metadata = fs::metadata(path)?;
    if metadata.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a folder"));
    }
    if !metadata.is_file() {
        return Err(io::Error::other("is a pipe or a device, not a file"));
    }
    Ok((File::open(path)?, metadata))
}

/// Returns the first bytes of a regular file.
pub(crate) fn start(path: &Path, len: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.0.take(len).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Copies a regular file.
pub(crate) fn copy(path: &Path, mut out: impl Write) -> io::Result<()> {
    io::copy(&mut open(path)?.0, &mut out).map(drop)
}

/// Returns the text of a file: UTF-8 with or without a byte order mark, or UTF-16 with one, as PowerShell writes it.
pub(crate) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    encoding_rs::UTF_8.decode(bytes).0
}

/// Returns the SHA-256 of a file that an option names.
pub(crate) fn digest_of_option(path: &Path) -> io::Result<String> {
    Ok(hex(&Sha256::digest(Room::default().read(path, SourceKind::List)?)))
}

/// Returns the size and SHA-256 of bytes.
pub(crate) fn digest_of(bytes: &[u8]) -> (u64, String) {
    (bytes.len() as u64, hex(&Sha256::digest(bytes)))
}

/// Returns the size and SHA-256 of a file that is not a link.
pub(crate) fn digest(path: &Path) -> io::Result<(u64, String)> {
    if !fs::symlink_metadata(path)?.is_file() {
        return Err(io::Error::other("is not a file"));
    }
    let mut out = Hashing::new(io::sink());
    copy(path, &mut out)?;
    let (_, size, sha256) = out.finish();
    Ok((size, sha256))
}

/// The message about links that lead out of a folder.
pub(crate) const LEADS_OUT: &str = "leads out of the folder by a link";

/// Returns whether a path in a folder leads out of it by a link.
pub(crate) fn leads_out(path: &Path, folder: &Path) -> bool {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    match (path.canonicalize(), folder.canonicalize()) {
        (Ok(path), Ok(folder)) => !path.starts_with(folder),
        // What does not exist leads nowhere.
        (Err(error), _) => error.kind() != io::ErrorKind::NotFound || fs::symlink_metadata(path).is_ok(),
        _ => true,
    }
}

/// Returns whether a relative path of a mod or a manifest stays inside its folder, on every system. Neither is trusted, because
/// anybody can write one.
pub(crate) fn is_inside(path: &str) -> bool {
    // Windows ignores dots and spaces at the end of a name, and takes what follows a letter and a colon for a path on another disk.
    let is_name = |name: &str| {
        !name.trim_matches(['.', ' ']).is_empty()
            && name.as_bytes().get(1) != Some(&b':')
            && !is_reserved(name.as_bytes())
    };
    path.split(['/', '\\']).all(is_name)
}

/// Returns an error unless a path of a mod stays inside the folder that the mod is applied to.
pub(crate) fn check_inside(path: &str) -> Result<(), String> {
    let why = || {
        format!(
            "the path {} does not lead to a file in the folder: it must be relative, without `..` and names of devices",
            table::shown(path)
        )
    };
    is_inside(path).then_some(()).ok_or_else(why)
}
