use worldview_core::{Budget, Cursor, Error, ErrorKind, Limit, Place, Result, Source};

mod directory;

pub use directory::{Directory, DirectoryEntry, Entries, EntryPath, Extension, File, Files, split_name};

use crate::finding::{Finding, FindingKind};
use crate::labels;
use crate::raw::{EntryHeader, FileHeader, RezHeader};

/// A REZ archive: its directory tree in place, and its files as views. See [`crate::format`].
///
/// Opening reads every directory once. Entries vary in size, so an index of them is kept: 64 bytes for each.
#[derive(Clone)]
pub struct Rez<'a> {
    source: Source<'a>,
    header: &'a RezHeader,
    /// The root, and after it the entries of all directories. Those of one directory follow each other in file order,
    /// and those of directories nearer to the root come first.
    nodes: Vec<Node<'a>>,
}

worldview_core::debug_summary!("Rez", Rez<'_>, |this| entries: this.nodes.len().saturating_sub(1), at: this.source.base(), len: this.source.len());

/// A directory or a file.
#[derive(Clone, Copy)]
pub(crate) struct Node<'a> {
    /// `None` for the root, which has no entry.
    pub(crate) entry: Option<&'a EntryHeader>,
    /// `None` for a directory.
    pub(crate) file: Option<&'a FileHeader>,
    pub(crate) name: &'a [u8],
    /// The bytes of the entry after the name and its NUL: the comment and the keys of a file.
    pub(crate) rest: &'a [u8],
    /// The index of the directory that has the entry; 0 for the root itself.
    pub(crate) parent: u32,
    /// The index of a directory's first entry, and their number.
    pub(crate) first: u32,
    pub(crate) count: u32,
}

/// A directory that has not been read yet.
struct Pending {
    node: u32,
    depth: u32,
    pos: u32,
    size: u32,
    /// Offset of the field that stores `pos`.
    stored_at: u64,
}

impl<'a> Rez<'a> {
    /// Maximum depth of directories. The deepest known archive has seven.
    pub const MAX_DEPTH: u32 = 32;

    /// Opens an archive: reads all directories, and checks that the data of every file lies inside the archive.
    ///
    /// Accepts bytes, or the [`Source`] of an archive inside another file; offsets in errors then count in that file.
    ///
    /// # Errors
    ///
    /// Returns an error if the header is not that of a REZ archive of version 1, if directories or data are truncated,
    /// if an entry does not end inside its directory, if two directories are the same, or if they are nested too deeply.
    ///
    /// ```
    /// # fn main() -> worldview_rez::Result<()> {
    /// # let file = include_bytes!("../../../samples/harbour.rez");
    /// use worldview_rez::Rez;
    ///
    /// let archive = Rez::parse(file)?;
    /// for file in archive.files() {
    ///     println!("{}: {} bytes", file.path(), file.data().len());
    /// }
    /// let level = archive.by_path("level1/worlds/world.wwd"); // ignores case, copies nothing
    /// # assert!(level.is_some());
    /// # Ok(())
    /// # }
    /// ```
    pub fn parse(source: impl Into<Source<'a>>) -> Result<Self> {
        Self::open(source.into(), &mut |error, _| Err(error))
    }

    /// Opens as much of an archive as possible.
    ///
    /// A file whose data is truncated is empty, a directory that cannot be read is empty or ends at the entry that
    /// cannot be read. Both are reported.
    ///
    /// # Errors
    ///
    /// Returns an error if the header is not that of a REZ archive of version 1.
    pub fn parse_lossy(source: impl Into<Source<'a>>, report: &mut dyn FnMut(Finding<'a>)) -> Result<Self> {
        Self::open(source.into(), &mut |error, name| {
            let place = Place::one(error.what, error.index()).with_name(name);
            let kind = FindingKind::Broken { kind: error.kind };
            report(Finding { kind, at: error.at, space: error.space(), place });
            Ok(())
        })
    }

    /// Returns whether `bytes` begin like a REZ archive. The bytes that the engine checks and the version are compared.
    pub fn sniff(bytes: &[u8]) -> bool {
        let source = Source::from(bytes);
        source.view(0, labels::HEADER).is_ok_and(|header| RezHeader::check(header, source).is_ok())
    }

    fn open(source: Source<'a>, on_problem: &mut dyn FnMut(Error, &'a [u8]) -> Result<()>) -> Result<Self> {
        // Check the signature first: for a short file of another kind, that is the more useful error.
        if let Ok(&[first, ..]) = source.view::<[u8; 1]>(0, labels::HEADER)
            && first != b'\r'
        {
            return Err(source.error(ErrorKind::Mismatch { want: 13, found: first.into() }, labels::SIGNATURE, 0));
        }
        let header: &RezHeader = source.view(0, labels::HEADER)?;
        header.check(source)?;
        let root = Node { entry: None, file: None, name: b"", rest: b"", parent: 0, first: 0, count: 0 };
        let mut tree = Tree { source, nodes: vec![root], budget: Budget::for_bytes(source.len(), labels::WALK) };
        tree.read(header, on_problem)?;
        Ok(Self { source, header, nodes: tree.nodes })
    }

    /// Opens the archive whose only entry `source` begins with, wherever the entry says that its data is. Returns the length of the
    /// entry, too.
    pub(crate) fn of_entry(header: &'a RezHeader, source: Source<'a>) -> Result<(Self, u64)> {
        let mut cursor = Cursor::new(source);
        let node = Node::read(&mut cursor, 0)?;
        let root = Node { entry: None, file: None, name: b"", rest: b"", parent: 0, first: 1, count: 1 };
        let len = cursor.position().saturating_sub(source.base());
        Ok((Self { source, header, nodes: vec![root, node] }, len))
    }

    /// Returns the header.
    #[inline]
    pub const fn header(&self) -> &'a RezHeader {
        self.header
    }

    /// Returns the bytes of the archive and their offset in the file.
    #[inline]
    pub const fn source(&self) -> Source<'a> {
        self.source
    }

    /// Returns the root directory.
    #[inline]
    pub const fn root(&self) -> Directory<'_, 'a> {
        Directory::new(self, 0)
    }

    /// Returns all files, in the order of the entries: those of a subdirectory come where the subdirectory's entry is.
    #[inline]
    pub fn files(&self) -> Files<'_, 'a> {
        self.root().all_files()
    }

    /// Returns the file at a path such as `LEVEL1/WORLDS/WORLD.WWD`, ignoring the case of ASCII letters. The names of
    /// directories are separated by `/` or `\`.
    ///
    /// As in the engine, the first of several files with the same name is returned, and the last of several directories
    /// with the same name is searched.
    pub fn by_path(&self, path: impl AsRef<[u8]>) -> Option<File<'_, 'a>> {
        self.root().by_path(path)
    }

    /// Returns the directory at a path, by the same rules as [`by_path`](Self::by_path). The empty path is the root.
    pub fn directory(&self, path: impl AsRef<[u8]>) -> Option<Directory<'_, 'a>> {
        self.root().descend(path)
    }

    /// Returns the directory with this [index](Directory::index), whatever its name.
    pub fn directory_at(&self, index: u32) -> Option<Directory<'_, 'a>> {
        self.node(index).filter(|node| node.file.is_none()).map(|_| Directory::new(self, index))
    }

    #[inline]
    pub(crate) fn node(&self, index: u32) -> Option<&Node<'a>> {
        self.nodes.get(usize::try_from(index).ok()?)
    }
}

impl RezHeader {
    /// Checks what the engine checks, and the version.
    fn check(&self, source: Source<'_>) -> Result<()> {
        let bytes = [
            (self.line_1.raw().first(), b'\r', 0_u64),
            (self.line_2.raw().last(), b'\n', 63),
            (self.line_3.raw().last(), 0x1A, 126),
        ];
        for (found, want, at) in bytes {
            let found = found.copied().unwrap_or(0);
            if found != want {
                let kind = ErrorKind::Mismatch { want: want.into(), found: found.into() };
                return Err(source.error(kind, labels::SIGNATURE, at));
            }
        }
        let version = self.format_version.get();
        if version != 1 {
            let kind = ErrorKind::Mismatch { want: 1, found: version.into() };
            return Err(source.error(
                kind,
                "version of a REZ archive",
                core::mem::offset_of!(Self, format_version) as u64,
            ));
        }
        Ok(())
    }
}

/// The index of an archive while its directories are read.
struct Tree<'a> {
    source: Source<'a>,
    nodes: Vec<Node<'a>>,
    budget: Budget,
}

impl<'a> Tree<'a> {
    /// Reads all directories, those nearer to the root first.
    fn read(&mut self, header: &RezHeader, on_problem: &mut dyn FnMut(Error, &'a [u8]) -> Result<()>) -> Result<()> {
        let stored_at = core::mem::offset_of!(RezHeader, root_dir_pos) as u64;
        let (pos, size) = (header.root_dir_pos.get(), header.root_dir_size.get());
        let mut pending = std::collections::VecDeque::from([Pending { node: 0, depth: 0, pos, size, stored_at }]);
        // An empty directory has no bytes, and its position is usually that of the next one.
        let mut seen = std::collections::HashSet::new();
        while let Some(directory) = pending.pop_front() {
            if directory.size == 0 {
                continue;
            }
            let name = self.nodes.get(directory.node as usize).map_or(&b""[..], |node| node.name);
            match self.body(&directory, &mut seen) {
                Ok(body) => self.entries(&directory, body, &mut pending, on_problem)?,
                Err(error) => on_problem(error, name)?,
            }
        }
        Ok(())
    }

    /// Returns the bytes of a directory.
    fn body(&mut self, directory: &Pending, seen: &mut std::collections::HashSet<u32>) -> Result<Source<'a>> {
        let &Pending { depth, pos, size, stored_at, .. } = directory;
        if depth > Rez::MAX_DEPTH {
            let kind = ErrorKind::Limit { of: Limit::Depth, need: depth.into(), limit: Rez::MAX_DEPTH.into() };
            return Err(self.source.error(kind, labels::DEPTH, stored_at));
        }
        if u64::from(pos) > self.source.len() {
            let kind = ErrorKind::Outside { found: pos.into(), end: self.source.len() };
            return Err(self.source.error(kind, labels::DIRECTORY_POS, stored_at));
        }
        let body = self.source.window(pos.into(), size.into(), labels::DIRECTORY)?;
        if !seen.insert(pos) {
            let kind = ErrorKind::Corrupt { why: "expected a directory of its own, found one that another entry has" };
            return Err(self.source.error(kind, labels::DIRECTORY_POS, stored_at));
        }
        self.budget.spend(size.into(), body.base(), body.space())?;
        Ok(body)
    }

    /// Appends the entries of a directory, up to the first that cannot be read.
    fn entries(
        &mut self,
        directory: &Pending,
        body: Source<'a>,
        pending: &mut std::collections::VecDeque<Pending>,
        on_problem: &mut dyn FnMut(Error, &'a [u8]) -> Result<()>,
    ) -> Result<()> {
        let first = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        let mut cursor = Cursor::new(body);
        let mut count = 0_u32;
        while cursor.rest().len() > 0 {
            let at = cursor.position().saturating_sub(self.source.base());
            let node = match Node::read(&mut cursor, directory.node) {
                Ok(node) => node,
                Err(error) => {
                    on_problem(error.with_index(count), b"")?;
                    break;
                }
            };
            if let Some(entry) = node.entry {
                let (pos, size) = (entry.pos.get(), entry.size.get());
                if node.file.is_none() {
                    let node = first.saturating_add(count);
                    let stored_at = at.saturating_add(core::mem::offset_of!(EntryHeader, pos) as u64);
                    let depth = directory.depth.saturating_add(1);
                    // The engine skips directories at position 0.
                    if pos != 0 {
                        pending.push_back(Pending { node, depth, pos, size, stored_at });
                    }
                } else if let Err(error) = data(self.source, entry, at) {
                    on_problem(error.with_index(count), node.name)?;
                }
            }
            self.nodes.push(node);
            count = count.saturating_add(1);
        }
        if let Some(node) = self.nodes.get_mut(directory.node as usize) {
            (node.first, node.count) = (first, count);
        }
        Ok(())
    }
}

impl<'a> Node<'a> {
    /// Reads an entry. On failure the cursor's position is undefined.
    fn read(cursor: &mut Cursor<'a>, parent: u32) -> Result<Self> {
        let entry: &EntryHeader = cursor.view(labels::ENTRY)?;
        if entry.kind.get() == EntryHeader::DIRECTORY {
            let name = until_nul(cursor, labels::ENTRY_NAME)?;
            return Ok(Self { entry: Some(entry), file: None, name, rest: b"", parent, first: 0, count: 0 });
        }
        let file: &FileHeader = cursor.view(labels::ENTRY)?;
        let name = until_nul(cursor, labels::ENTRY_NAME)?;
        let rest = cursor.rest();
        let comment = until_nul(cursor, "comment of entry")?;
        let keys = u64::from(file.key_count.get()).saturating_mul(4);
        cursor.slice(keys, "keys of entry")?;
        let len = (comment.len() as u64).saturating_add(1).saturating_add(keys);
        let rest = rest.slice(0, len, labels::ENTRY)?;
        Ok(Self { entry: Some(entry), file: Some(file), name, rest, parent, first: 0, count: 0 })
    }
}

/// Reads the bytes before the next NUL, and the NUL. A directory is read once, so names need no bound of their own.
fn until_nul<'a>(cursor: &mut Cursor<'a>, what: &'static str) -> Result<&'a [u8]> {
    let Some(len) = memchr::memchr(0, cursor.rest().bytes()) else {
        let why = "expected a NUL before the end of the directory, found none";
        return Err(cursor.error(ErrorKind::Corrupt { why }, what));
    };
    let text = cursor.slice(len as u64, what)?;
    cursor.slice(1, what)?;
    Ok(text)
}

/// Returns the data of the file whose entry lies at offset `at` of the archive.
pub(crate) fn data<'a>(source: Source<'a>, entry: &EntryHeader, at: u64) -> Result<Source<'a>> {
    let (pos, size) = (u64::from(entry.pos.get()), u64::from(entry.size.get()));
    if size == 0 {
        // The position of an empty file may point anywhere.
        return source.window(pos.min(source.len()), 0, labels::DATA);
    }
    if pos > source.len() {
        let at = at.saturating_add(core::mem::offset_of!(EntryHeader, pos) as u64);
        return Err(source.error(ErrorKind::Outside { found: pos, end: source.len() }, labels::DATA_POS, at));
    }
    source.window(pos, size, labels::DATA)
}

worldview_core::debug_summary!("Node", Node<'_>, |this| name: worldview_core::quoted(this.name));

worldview_core::assert_send_sync!(Rez<'_>);
