//! The directory tree of an archive.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

use super::{NaiveError, Result, byte, bytes_at, text_at, u32_at, wide};
use crate::builder::{Field, layout};
use crate::rez::spec::ArchiveSpec;

/// The fields of an archive's header.
static HEADER: LazyLock<Vec<Field>> = LazyLock::new(|| layout(&ArchiveSpec::default()));

/// The deepest directory that is read; the root has depth 0.
const MAX_DEPTH: u32 = 32;

/// What an archive contains.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NaiveArchive {
    /// Names and values of the header's words.
    pub header: Vec<(&'static str, u32)>,
    /// The title, with its padding.
    pub user_title: Vec<u8>,
    /// The directories; the first is the root. Those nearer to the root come first.
    pub directories: Vec<NaiveDirectory>,
}

/// A directory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NaiveDirectory {
    /// Name; empty for the root.
    pub name: Vec<u8>,
    /// The words of its entry: position, size, time.
    pub words: [u32; 3],
    /// Its entries, in file order.
    pub entries: Vec<NaiveEntry>,
}

/// An entry of a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NaiveEntry {
    /// The directory with this index in the archive.
    Directory(usize),
    /// A file.
    File(NaiveFile),
}

/// A file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NaiveFile {
    /// Name without extension.
    pub name: Vec<u8>,
    /// Extension in reading order.
    pub extension: Vec<u8>,
    /// The words of its entry: position, size, time, id, type, number of keys.
    pub words: [u32; 6],
    /// Comment.
    pub comment: Vec<u8>,
    /// Keys.
    pub keys: Vec<u32>,
    /// Where the data lies; nowhere if it is not all in the archive.
    pub data: Range<usize>,
}

impl NaiveFile {
    /// Returns the name with the extension.
    pub fn file_name(&self) -> Vec<u8> {
        let mut name = self.name.clone();
        if !self.extension.is_empty() {
            name.push(b'.');
            name.extend(&self.extension);
        }
        name
    }
}

/// Reads an archive in which everything can be read.
pub fn archive(bytes: &[u8]) -> Result<NaiveArchive> {
    let (archive, problems) = lossy(bytes)?;
    match problems.into_iter().next() {
        None => Ok(archive),
        Some(problem) => Err(problem),
    }
}

/// A directory that is still to be read.
struct Pending {
    index: usize,
    depth: u32,
    pos: u32,
    size: u32,
    stored_at: u64,
}

/// Reads what can be read of an archive, and returns it with what could not.
pub fn lossy(bytes: &[u8]) -> Result<(NaiveArchive, Vec<NaiveError>)> {
    for (at, want) in [(0, b'\r'), (63, b'\n'), (126, 0x1A)] {
        if byte(bytes, at)? != want {
            return Err(NaiveError::new(at, "not the signature"));
        }
    }
    // The last byte of the header.
    byte(bytes, 167)?;
    if u32_at(bytes, 127)? != 1 {
        return Err(NaiveError::new(127, "not version 1"));
    }
    let mut out = NaiveArchive { user_title: bytes_at(bytes, 64, 60)?, ..NaiveArchive::default() };
    for Field { name, at, number, .. } in HEADER.iter() {
        match *number {
            Some("u32") => out.header.push((name, u32_at(bytes, wide(*at))?)),
            Some(_) => out.header.push((name, byte(bytes, wide(*at))?.into())),
            None => {}
        }
    }
    let (pos, size) = (u32_at(bytes, 131)?, u32_at(bytes, 135)?);
    out.directories.push(NaiveDirectory { words: [pos, size, u32_at(bytes, 139)?], ..NaiveDirectory::default() });
    let mut pending = vec![Pending { index: 0, depth: 0, pos, size, stored_at: 131 }];
    let mut problems = Vec::new();
    let mut read = BTreeSet::new();
    let mut total = 0_u64;
    // One level of the tree after the other, so that of two entries for one directory the nearer to the root has it.
    while !pending.is_empty() {
        let mut below = Vec::new();
        for directory in pending {
            if directory.size == 0 {
                continue;
            }
            match place(bytes, &directory, &read, total) {
                Err(problem) => problems.push(problem),
                Ok(()) => {
                    read.insert(directory.pos);
                    total += u64::from(directory.size);
                    let end = entries(bytes, &directory, &mut out.directories, &mut below, &mut problems);
                    problems.extend(end.err());
                }
            }
        }
        pending = below;
    }
    Ok((out, problems))
}

/// Checks whether a directory can be read.
fn place(bytes: &[u8], directory: &Pending, read: &BTreeSet<u32>, total: u64) -> Result<()> {
    let refuse = |why| Err(NaiveError::new(directory.stored_at, why));
    let (pos, size) = (u64::from(directory.pos), u64::from(directory.size));
    if directory.depth > MAX_DEPTH {
        return refuse("too deep");
    }
    if pos + size > wide(bytes.len()) {
        return refuse("past the end of the archive");
    }
    if read.contains(&directory.pos) {
        return refuse("read before");
    }
    // Directories that overlap may have more bytes than the archive, but not without bound.
    if total + size > 4 * wide(bytes.len()) + (1 << 20) {
        return refuse("too much in all");
    }
    Ok(())
}

/// Reads the entries of a directory up to the first that cannot be read, which is the error.
fn entries(
    bytes: &[u8],
    directory: &Pending,
    directories: &mut Vec<NaiveDirectory>,
    below: &mut Vec<Pending>,
    problems: &mut Vec<NaiveError>,
) -> Result<()> {
    let end = u64::from(directory.pos) + u64::from(directory.size);
    // Nothing behind the end of the directory belongs to it.
    let bytes_of_body = &bytes[..usize::try_from(end).unwrap_or(0)];
    let mut at = u64::from(directory.pos);
    while at < end {
        let [kind, pos, size, time] = words(bytes_of_body, at)?;
        if kind == 1 {
            let stored_at = at + 4;
            let (name, next) = text_at(bytes_of_body, at + 16)?;
            at = next;
            let index = directories.len();
            directories.push(NaiveDirectory { name, words: [pos, size, time], entries: Vec::new() });
            directories[directory.index].entries.push(NaiveEntry::Directory(index));
            if pos != 0 {
                below.push(Pending { index, depth: directory.depth + 1, pos, size, stored_at });
            }
        } else {
            let (mut file, next) = file(bytes_of_body, at)?;
            if size > 0 && u64::from(pos) + u64::from(size) > wide(bytes.len()) {
                problems.push(NaiveError::new(at + 4, "data past the end of the archive"));
            } else if size > 0 {
                let pos = usize::try_from(pos).unwrap_or(0);
                file.data = pos..pos + usize::try_from(size).unwrap_or(0);
            }
            directories[directory.index].entries.push(NaiveEntry::File(file));
            at = next;
        }
    }
    Ok(())
}

fn words<const N: usize>(bytes: &[u8], at: u64) -> Result<[u32; N]> {
    let mut words = [0; N];
    for (index, word) in (0..).zip(&mut words) {
        *word = u32_at(bytes, at + 4 * index)?;
    }
    Ok(words)
}

/// Reads a file's entry, and returns where it ends as well.
fn file(bytes: &[u8], at: u64) -> Result<(NaiveFile, u64)> {
    let words: [u32; 6] = words(bytes, at + 4)?;
    let (name, next) = text_at(bytes, at + 28)?;
    let (comment, mut next) = text_at(bytes, next)?;
    let mut keys = Vec::new();
    for _ in 0..words[5] {
        keys.push(u32_at(bytes, next)?);
        next += 4;
    }
    let mut extension: Vec<_> = bytes_at(bytes, at + 20, 4)?.into_iter().take_while(|&letter| letter != 0).collect();
    extension.reverse();
    Ok((NaiveFile { name, extension, words, comment, keys, data: 0..0 }, next))
}

impl NaiveArchive {
    /// Returns the file at a path of names separated by `/`. Case is ignored; the first of several files counts, and
    /// the last of several directories.
    pub fn by_path(&self, path: &[u8]) -> Option<&NaiveFile> {
        let mut names: Vec<_> = path.split(|&byte| byte == b'/').collect();
        let file_name = names.pop()?;
        let mut at = self.directories.first()?;
        for name in names {
            let mut found = None;
            for entry in &at.entries {
                if let NaiveEntry::Directory(index) = entry
                    && self.directories[*index].name.eq_ignore_ascii_case(name)
                {
                    found = Some(*index);
                }
            }
            at = &self.directories[found?];
        }
        at.entries.iter().find_map(|entry| match entry {
            NaiveEntry::File(file) if file.file_name().eq_ignore_ascii_case(file_name) => Some(file),
            _ => None,
        })
    }

    /// Returns the paths of all files and the files: those of a subdirectory where the subdirectory's entry is.
    pub fn files(&self) -> Vec<(Vec<u8>, &NaiveFile)> {
        let mut out = Vec::new();
        self.files_below(0, &[], &mut out);
        out
    }

    fn files_below<'n>(&'n self, index: usize, path: &[u8], out: &mut Vec<(Vec<u8>, &'n NaiveFile)>) {
        let Some(directory) = self.directories.get(index) else { return };
        for entry in &directory.entries {
            match entry {
                NaiveEntry::Directory(index) => {
                    let name = &self.directories[*index].name;
                    self.files_below(*index, &[path, name, b"/"].concat(), out);
                }
                NaiveEntry::File(file) => out.push(([path, &file.file_name()].concat(), file)),
            }
        }
    }
}
