//! An archive as plain data: what the builder writes and what a reader should find.

/// Spec of a whole archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchiveSpec {
    /// Title in the header, 60 bytes, padded with blanks.
    pub user_title: Vec<u8>,
    /// When the archive was written, in seconds since 1970.
    pub time: u32,
    /// The word that the packer never sets.
    pub root_dir_time: u32,
    /// The root directory; its name and time are not stored.
    pub root: DirectorySpec,
    /// Whether a hole follows each directory but the root, as the packer leaves it.
    pub holes: bool,
    /// Bytes that nothing refers to, before the data of each file.
    pub gap: usize,
    /// Bytes after the root directory.
    pub trailing: Vec<u8>,
}

/// Spec of a directory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DirectorySpec {
    /// Name.
    pub name: Vec<u8>,
    /// When it was last modified, in seconds since 1970.
    pub time: u32,
    /// Its entries, in file order.
    pub entries: Vec<EntrySpec>,
}

/// Spec of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntrySpec {
    /// A directory.
    Directory(DirectorySpec),
    /// A file.
    File(FileSpec),
}

/// Spec of a file in an archive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileSpec {
    /// Name without extension.
    pub name: Vec<u8>,
    /// Extension in reading order, up to four bytes.
    pub extension: Vec<u8>,
    /// The number that the packer assigns.
    pub id: u32,
    /// When it was last modified, in seconds since 1970.
    pub time: u32,
    /// Comment.
    pub comment: Vec<u8>,
    /// Keys.
    pub keys: Vec<u32>,
    /// The data.
    pub data: Vec<u8>,
}

impl Default for ArchiveSpec {
    fn default() -> Self {
        Self {
            user_title: Vec::new(),
            time: 0,
            root_dir_time: 0,
            root: DirectorySpec::default(),
            holes: true,
            gap: 0,
            trailing: Vec::new(),
        }
    }
}

impl DirectorySpec {
    /// Creates an empty directory.
    pub fn new(name: impl Into<Vec<u8>>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// Adds a file at a path such as `LEVEL1/TILES/ACTION/001.PID`, and the directories on the way to it: before the
    /// files of their parent, as the packer does.
    ///
    /// # Panics
    ///
    /// Panics if the extension is longer than four bytes.
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
