use core::fmt;

use worldview_core::Source;
use worldview_core::describe::Span;
use zerocopy::little_endian::U32;
use zerocopy::{FromBytes as _, IntoBytes as _};

use super::{Node, Rez, data};
use crate::raw::{EntryHeader, FileHeader};

/// A directory of an archive. See [Directories](crate::format#directories).
#[derive(Clone, Copy)]
pub struct Directory<'v, 'a> {
    archive: &'v Rez<'a>,
    index: u32,
}

/// A file in an archive: a view that knows its offset.
///
/// The data outlives the archive; the path needs it.
#[derive(Clone, Copy)]
pub struct File<'v, 'a> {
    archive: &'v Rez<'a>,
    node: &'v Node<'a>,
    entry: &'a EntryHeader,
    header: &'a FileHeader,
    index: u32,
}

/// An entry of a directory.
#[derive(Clone, Copy, Debug)]
pub enum DirectoryEntry<'v, 'a> {
    /// A subdirectory.
    Directory(Directory<'v, 'a>),
    /// A file.
    File(File<'v, 'a>),
}

worldview_core::debug_summary!("Directory", Directory<'_, '_>, |this| name: worldview_core::quoted(this.name()), entries: this.len());
worldview_core::debug_summary!("File", File<'_, '_>, |this| name: worldview_core::quoted(this.name()), extension: this.extension(), data: this.source());

impl<'v, 'a> Directory<'v, 'a> {
    pub(crate) const fn new(archive: &'v Rez<'a>, index: u32) -> Self {
        Self { archive, index }
    }

    fn node(&self) -> Option<&'v Node<'a>> {
        self.archive.node(self.index)
    }

    /// Returns the archive.
    #[inline]
    pub const fn archive(&self) -> &'v Rez<'a> {
        self.archive
    }

    /// Returns the index of the directory in the archive, for [`Rez::directory_at`]; 0 for the root. Unlike the path, it is that of
    /// no other directory.
    #[inline]
    pub const fn index(&self) -> u32 {
        self.index
    }

    /// Returns the name; empty for the root.
    #[inline]
    pub fn name(&self) -> &'a [u8] {
        self.node().map_or(b"", |node| node.name)
    }

    /// Returns the directory's entry in its parent, or `None` for the root.
    #[inline]
    pub fn entry(&self) -> Option<&'a EntryHeader> {
        self.node()?.entry
    }

    /// Returns the directory that contains this one, or `None` for the root.
    #[inline]
    pub fn parent(&self) -> Option<Self> {
        (self.index != 0).then_some(Self::new(self.archive, self.node()?.parent))
    }

    /// Returns the names of the directories from the root to this one, for printing with `/` between them.
    pub const fn path(&self) -> EntryPath<'v, 'a> {
        EntryPath { directory: Some(*self), file: None }
    }

    /// Returns the number of entries.
    #[inline]
    pub fn len(&self) -> usize {
        self.node().map_or(0, |node| node.count as usize)
    }

    /// Returns whether there are no entries.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the entry at `index`, counted from 0 in file order.
    #[inline]
    pub fn get(&self, index: usize) -> Option<DirectoryEntry<'v, 'a>> {
        let own = self.node()?;
        let index = u32::try_from(index).ok().filter(|index| *index < own.count)?;
        let index = own.first.checked_add(index)?;
        let node = self.archive.node(index)?;
        Some(match (node.entry, node.file) {
            (Some(entry), Some(header)) => {
                DirectoryEntry::File(File { archive: self.archive, node, entry, header, index })
            }
            _ => DirectoryEntry::Directory(Self::new(self.archive, index)),
        })
    }

    /// Returns the entries, in file order.
    #[inline]
    pub fn entries(&self) -> Entries<'v, 'a> {
        Entries::new(*self)
    }

    /// Returns the subdirectory with this name, ignoring the case of ASCII letters; the last if there are several, as
    /// in the engine.
    pub fn directory(&self, name: impl AsRef<[u8]>) -> Option<Self> {
        let name = name.as_ref();
        self.directories().rfind(|directory| directory.name().eq_ignore_ascii_case(name))
    }

    /// Returns the file with this name and extension, such as `WORLD.WWD`, ignoring the case of ASCII letters; the
    /// first if there are several, as in the engine.
    pub fn file(&self, name: impl AsRef<[u8]>) -> Option<File<'v, 'a>> {
        let name = name.as_ref();
        self.files().find(|file| file.is_called(name))
    }

    /// Returns the file at a path from here, by the same rules as [`Rez::by_path`].
    pub fn by_path(&self, path: impl AsRef<[u8]>) -> Option<File<'v, 'a>> {
        let path = path.as_ref();
        match path.iter().rposition(|byte| matches!(byte, b'/' | b'\\')) {
            None => self.file(path),
            Some(at) => {
                let (directories, name) = path.split_at_checked(at)?;
                self.descend(directories)?.file(name.get(1..)?)
            }
        }
    }

    /// Returns the directory at a path from here, by the same rules as [`Rez::by_path`]. The empty path is this directory.
    pub fn descend(&self, path: impl AsRef<[u8]>) -> Option<Self> {
        let mut names = path.as_ref().split(|byte| matches!(byte, b'/' | b'\\')).filter(|name| !name.is_empty());
        names.try_fold(*self, |directory, name| directory.directory(name))
    }

    /// Returns the subdirectories, in file order.
    pub fn directories(&self) -> impl DoubleEndedIterator<Item = Self> + use<'v, 'a> {
        self.entries().filter_map(|entry| match entry {
            DirectoryEntry::Directory(directory) => Some(directory),
            DirectoryEntry::File(_) => None,
        })
    }

    /// Returns the files of this directory, in file order.
    pub fn files(&self) -> impl DoubleEndedIterator<Item = File<'v, 'a>> + use<'v, 'a> {
        self.entries().filter_map(|entry| match entry {
            DirectoryEntry::File(file) => Some(file),
            DirectoryEntry::Directory(_) => None,
        })
    }

    /// Returns the files of this directory and of all directories below it, in the order of the entries.
    pub fn all_files(&self) -> Files<'v, 'a> {
        Files { open: vec![self.entries()] }
    }

    /// Returns the offset and length of the directory's entries.
    pub fn span(&self) -> Span {
        let (pos, size) = match self.entry() {
            Some(entry) => (entry.pos, entry.size),
            None => (self.archive.header().root_dir_pos, self.archive.header().root_dir_size),
        };
        let source = self.archive.source();
        Span::new(source.base().saturating_add(pos.get().into()), size.get().into(), source.space())
    }
}

impl<'a> DirectoryEntry<'_, 'a> {
    /// Returns the bytes of the entry: its fixed part, the name, and the comment and keys of a file; `None` for the root, which has
    /// none.
    pub fn bytes(&self) -> Option<&'a [u8]> {
        let (at, source) = (self.span()?, self.source());
        source.slice(at.at.checked_sub(source.base())?, at.len, crate::labels::ENTRY).ok()
    }

    const fn source(&self) -> Source<'a> {
        match self {
            Self::Directory(directory) => directory.archive.source(),
            Self::File(file) => file.archive.source(),
        }
    }

    /// Returns the offset and length of these bytes.
    pub(crate) fn span(&self) -> Option<Span> {
        let (entry, name, rest, fixed) = match self {
            Self::Directory(directory) => (directory.entry()?, directory.name(), &[][..], EntryHeader::SIZE),
            Self::File(file) => {
                (file.entry, file.name(), file.rest(), EntryHeader::SIZE.saturating_add(FileHeader::SIZE))
            }
        };
        let len = fixed.saturating_add(name.len() as u64).saturating_add(1).saturating_add(rest.len() as u64);
        Some(Span { len, ..Span::of(entry.as_bytes(), self.source()) })
    }
}

worldview_core::index_iter! {
    /// An iterator over the entries of a [`Directory`], in file order.
    pub struct Entries['v, 'a] over Directory<'v, 'a> => DirectoryEntry<'v, 'a>;
}

worldview_core::into_iter!(['v, 'a] Directory<'v, 'a> => DirectoryEntry<'v, 'a>, Entries<'v, 'a>, entries);

/// An iterator over all files below a directory: [`Rez::files`], [`Directory::all_files`].
#[derive(Clone, Debug)]
pub struct Files<'v, 'a> {
    /// The directories that are being listed, outermost first. The depth limit bounds their number.
    open: Vec<Entries<'v, 'a>>,
}

impl<'v, 'a> Iterator for Files<'v, 'a> {
    type Item = File<'v, 'a>;

    fn next(&mut self) -> Option<File<'v, 'a>> {
        loop {
            match self.open.last_mut()?.next() {
                None => drop(self.open.pop()),
                Some(DirectoryEntry::Directory(directory)) => self.open.push(directory.entries()),
                Some(DirectoryEntry::File(file)) => return Some(file),
            }
        }
    }
}

impl core::iter::FusedIterator for Files<'_, '_> {}

impl<'v, 'a> File<'v, 'a> {
    /// Returns the name without the extension.
    #[inline]
    pub const fn name(&self) -> &'a [u8] {
        self.node.name
    }

    /// Returns the extension, up to four letters; empty if the file has none.
    #[inline]
    pub fn extension(&self) -> Extension {
        Extension::of(*self.header.extension.raw())
    }

    /// Returns the name with a dot and the extension, if the file has one.
    pub fn file_name(&self) -> Vec<u8> {
        let extension = self.extension();
        match extension.as_bytes() {
            [] => self.name().to_vec(),
            extension => [self.name(), b".", extension].concat(),
        }
    }

    /// Returns whether this is the name with the extension, ignoring the case of ASCII letters.
    pub fn is_called(&self, file_name: impl AsRef<[u8]>) -> bool {
        let file_name = file_name.as_ref();
        let Some((name, rest)) = file_name.split_at_checked(self.name().len()) else { return false };
        if !name.eq_ignore_ascii_case(self.name()) {
            return false;
        }
        let extension = self.extension();
        match (rest, extension.as_bytes()) {
            ([], []) => true,
            ([b'.', rest @ ..], extension) => !extension.is_empty() && rest.eq_ignore_ascii_case(extension),
            _ => false,
        }
    }

    /// Returns the directory that contains the file.
    #[inline]
    pub const fn parent(&self) -> Directory<'v, 'a> {
        Directory::new(self.archive, self.node.parent)
    }

    /// Returns the names of the directories from the root, and that of the file, for printing with `/` between them.
    pub const fn path(&self) -> EntryPath<'v, 'a> {
        EntryPath { directory: None, file: Some(*self) }
    }

    /// Returns the data, in place; empty if a lossy parse found it truncated.
    #[inline]
    pub fn data(&self) -> &'a [u8] {
        self.source().bytes()
    }

    /// Returns the data with its offset, from which a level or picture can be parsed.
    pub fn source(&self) -> Source<'a> {
        let source = self.archive.source();
        let at = u64::from(self.entry.pos.get()).min(source.len());
        data(source, self.entry, 0).or_else(|_| source.window(at, 0, "data")).unwrap_or(source)
    }

    /// Returns whether the archive says that this is a level, by its extension.
    pub fn is_level(&self) -> bool {
        self.extension().is("WWD")
    }

    /// Returns whether the data is truncated.
    pub fn is_missing(&self) -> bool {
        (self.data().len() as u64) < u64::from(self.entry.size.get())
    }

    /// Returns the first part of the entry: offset, size and time.
    #[inline]
    pub const fn entry(&self) -> &'a EntryHeader {
        self.entry
    }

    /// Returns the second part of the entry.
    #[inline]
    pub const fn header(&self) -> &'a FileHeader {
        self.header
    }

    /// Returns the bytes of the entry after the name and its NUL: the comment with its NUL, and the keys.
    #[inline]
    pub const fn rest(&self) -> &'a [u8] {
        self.node.rest
    }

    /// Returns the comment; empty in every known archive.
    pub fn comment(&self) -> &'a [u8] {
        let rest = self.node.rest;
        rest.get(..memchr::memchr(0, rest).unwrap_or(rest.len())).unwrap_or(rest)
    }

    /// Returns the keys, whose meaning is unknown; none in every known archive.
    pub fn keys(&self) -> &'a [U32] {
        let keys = self.node.rest.get(self.comment().len().saturating_add(1)..).unwrap_or(&[]);
        <[U32]>::ref_from_bytes(keys).unwrap_or(&[])
    }

    /// Returns the number of the entry in its directory, counted from 0.
    pub fn index(&self) -> usize {
        let first = self.archive.node(self.node.parent).map_or(0, |parent| parent.first);
        self.index.saturating_sub(first) as usize
    }
}

/// Splits the name of a file as the packer does: at the last dot, if one to four bytes follow.
pub fn split_name(file_name: &[u8]) -> (&[u8], &[u8]) {
    let at = memchr::memrchr(b'.', file_name);
    match at.and_then(|at| Some((file_name.get(..at)?, file_name.get(at.checked_add(1)?..)?))) {
        Some((name, extension)) if (1..=4).contains(&extension.len()) => (name, extension),
        _ => (file_name, &[]),
    }
}

/// The extension of a [`File`]: up to four bytes, in reading order.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Extension {
    bytes: [u8; 4],
    len: u8,
}

impl Extension {
    /// Returns the extension as stored in a file's entry: reversed, and filled with NULs.
    fn of(stored: [u8; 4]) -> Self {
        let mut bytes = [0; 4];
        let mut len = 0_u8;
        let used = stored.iter().position(|&byte| byte == 0).unwrap_or(stored.len());
        for (to, from) in bytes.iter_mut().zip(stored.iter().take(used).rev()) {
            *to = *from;
            len = len.saturating_add(1);
        }
        Self { bytes, len }
    }

    /// Returns the letters, without a dot.
    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..self.len.into()).unwrap_or(&[])
    }

    /// Returns whether this is the extension, ignoring the case of ASCII letters.
    #[inline]
    pub fn is(&self, extension: impl AsRef<[u8]>) -> bool {
        self.as_bytes().eq_ignore_ascii_case(extension.as_ref())
    }
}

impl AsRef<[u8]> for Extension {
    fn as_ref(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl fmt::Debug for Extension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        worldview_core::quoted(self.as_bytes()).fmt(f)
    }
}

/// The path of a directory or file in an archive. `Display` prints it with `/` between the names, and bytes that are
/// not ASCII as replacement characters.
#[derive(Clone, Copy, Debug)]
pub struct EntryPath<'v, 'a> {
    directory: Option<Directory<'v, 'a>>,
    file: Option<File<'v, 'a>>,
}

impl<'v, 'a> EntryPath<'v, 'a> {
    /// Returns the names, outermost first: those of directories, and that of the file with its extension.
    pub fn names(&self) -> Vec<Vec<u8>> {
        let file = self.file.map(|file| file.file_name());
        let innermost = self.directory.or(self.file.map(|file| file.parent()));
        let directories = core::iter::successors(innermost, Directory::parent).filter(|dir| dir.parent().is_some());
        let mut names: Vec<_> = file.into_iter().chain(directories.map(|dir| dir.name().to_vec())).collect();
        names.reverse();
        names
    }
}

impl fmt::Display for EntryPath<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, name) in self.names().iter().enumerate() {
            let slash = if index == 0 { "" } else { "/" };
            write!(f, "{slash}{}", String::from_utf8_lossy(name))?;
        }
        Ok(())
    }
}

worldview_core::assert_send_sync!(Directory<'_, '_>, File<'_, '_>, DirectoryEntry<'_, '_>, Files<'_, '_>, Extension);
