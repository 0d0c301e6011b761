//! An archive as plain data: what the builder writes and what a reader should find.

use crate::builder::{Builder, count};
use crate::spec::{elsewhere, spec};

spec! {
    /// Spec of a whole archive. It is stored as its header with the words that `build` sets still 0.
    pub struct ArchiveSpec |archive, b| {
        line_1: b"\r\n",
        @ { blanks(b"RezMgr Version 1 Copyright (C) 1995 MONOLITH INC.", b, "file_type"); }
        line_2: b"\r\n",
        pub user_title: Vec<u8> => blanks,
        line_3: b"\r\n\x1A",
        format_version: 1_u32,
        root_dir_pos: 0_u32,
        root_dir_size: 0_u32,
        /// The word that the packer never sets.
        pub root_dir_time: u32,
        next_write_pos: 0_u32,
        /// When the archive was written, in seconds since 1970.
        pub time: u32,
        largest_key_ary: 0_u32,
        largest_dir_name: 0_u32,
        largest_rez_name: 0_u32,
        largest_comment: 0_u32,
        is_sorted: 1_u8,
        /// The root directory; its name and time are not stored.
        pub root: DirectorySpec => elsewhere,
        /// Whether a hole follows each directory but the root, as the packer leaves it.
        pub holes: bool = true => elsewhere,
        /// Bytes that nothing refers to, before the data of each file.
        pub gap: usize => elsewhere,
        /// Bytes after the root directory.
        pub trailing: Vec<u8> => elsewhere,
    }

    /// Spec of a directory.
    pub struct DirectorySpec {
        pub name: Vec<u8>,
        /// When it was last modified, in seconds since 1970.
        pub time: u32,
        pub entries: Vec<EntrySpec>,
    }

    /// Spec of a file in an archive.
    pub struct FileSpec {
        /// Name without extension.
        pub name: Vec<u8>,
        /// Extension in reading order, up to four bytes.
        pub extension: Vec<u8>,
        /// The number that the packer assigns.
        pub id: u32,
        /// When it was last modified, in seconds since 1970.
        pub time: u32,
        pub comment: Vec<u8>,
        pub keys: Vec<u32>,
        pub data: Vec<u8>,
    }
}

/// A text of 60 bytes, padded with blanks.
fn blanks(text: &[u8], b: &mut Builder, name: &str) {
    let mut field = [b' '; 60];
    field.iter_mut().zip(text).for_each(|(to, from)| *to = *from);
    b.field(name).put(field);
}

/// Spec of an entry.
#[derive(Clone, Debug, PartialEq)]
pub enum EntrySpec {
    /// A directory.
    Directory(DirectorySpec),
    /// A file.
    File(FileSpec),
}

impl EntrySpec {
    /// Writes the entry of a file, or of a directory of entries, at a position and of a size.
    pub(super) fn store(&self, pos: u32, size: u32, b: &mut Builder) {
        match self {
            Self::Directory(DirectorySpec { name, time, entries: _ }) => b.put((1_u32, pos, size, time, name, 0_u8)),
            Self::File(FileSpec { name, extension, id, time, comment, keys, data: _ }) => {
                let mut backward = [0_u8; 4];
                backward.iter_mut().zip(extension.iter().rev()).for_each(|(to, from)| *to = *from);
                b.put((0_u32, pos, size, time, id))
                    .put((backward, count(keys.len()), name, 0_u8, comment, 0_u8))
                    .put(keys)
            }
        };
    }
}

impl DirectorySpec {
    /// Creates an empty directory.
    pub fn new(name: impl Into<Vec<u8>>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// Adds a file at a path such as `LEVEL1/TILES/ACTION/001.PID`, and the directories on the way to it: before the files of their
    /// parent, as the packer does. Panics if the extension is longer than four bytes.
    pub fn add(&mut self, path: &str, data: Vec<u8>) -> &mut FileSpec {
        if let Some((first, rest)) = path.split_once('/') {
            return self.child(first).add(rest, data);
        }
        let (name, extension) = path.rsplit_once('.').unwrap_or((path, ""));
        assert!(extension.len() <= 4, "{path}");
        let number = u32::try_from(self.files().count()).unwrap_or(0);
        // The packer takes the number from the name if that is one.
        let id = if name.bytes().all(|byte| byte.is_ascii_digit()) { name.parse().ok() } else { None };
        self.entries.push(EntrySpec::File(FileSpec {
            name: name.into(),
            extension: extension.into(),
            id: id.unwrap_or(10_000_000 + number),
            data,
            ..FileSpec::default()
        }));
        match self.entries.last_mut() {
            Some(EntrySpec::File(file)) => file,
            _ => unreachable!("a file has just been added"),
        }
    }

    /// Returns the subdirectory with this name, which is added if there is none.
    pub fn child(&mut self, name: &str) -> &mut Self {
        let is_it = |entry: &EntrySpec| matches!(entry, EntrySpec::Directory(child) if child.name == name.as_bytes());
        let at = self.entries.iter().position(is_it).unwrap_or_else(|| {
            let at = self.directories().count();
            self.entries.insert(at, EntrySpec::Directory(Self::new(name)));
            at
        });
        match &mut self.entries[at] {
            EntrySpec::Directory(child) => child,
            EntrySpec::File(_) => unreachable!("it is a directory"),
        }
    }

    /// Returns the subdirectories, in file order.
    pub fn directories(&self) -> impl Iterator<Item = &Self> {
        self.entries.iter().filter_map(|entry| match entry {
            EntrySpec::Directory(directory) => Some(directory),
            EntrySpec::File(_) => None,
        })
    }

    /// Returns the files, in file order.
    pub fn files(&self) -> impl Iterator<Item = &FileSpec> {
        self.entries.iter().filter_map(|entry| match entry {
            EntrySpec::File(file) => Some(file),
            EntrySpec::Directory(_) => None,
        })
    }
}
