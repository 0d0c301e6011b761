use std::borrow::Cow;
use std::fs::{self, File as DiskFile};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use worldview_rez::{Directory, DirectoryEntry, File, PictureKind, Rez};

use crate::level::folder::{below, entries, io_error};
use crate::{Error, Result};

/// Maximum depth of folders on disk, which is that of an archive.
const MAX_DEPTH: usize = Rez::MAX_DEPTH as usize;
/// Maximum number of files below a folder. The largest game has 22,827.
const MAX_FILES: usize = 1 << 20;
/// Maximum length of the name of an image set without its prefix; the engine's buffer for names has 1024 bytes.
const MAX_SET_LEN: usize = 1023;
/// Maximum size in bytes of a file on disk: more than any picture can use.
const MAX_BYTES: u64 = 1 << 28;

/// Where the pictures of a game come from: REZ archives, and folders with the same directories.
///
/// What is added first wins: a picture in the second archive is used only if the first has no frame with that number in
/// that image set. Names on disk ignore case, as those in archives do.
#[derive(Clone, Debug, Default)]
pub struct Assets<'g> {
    roots: Vec<Root<'g>>,
}

#[derive(Clone, Debug)]
enum Root<'g> {
    Rez(&'g Rez<'g>),
    Folder(PathBuf),
}

impl<'g> Assets<'g> {
    /// Creates assets without any pictures.
    pub const fn new() -> Self {
        Self { roots: Vec::new() }
    }

    /// Adds an archive, such as `CLAW.REZ`.
    #[must_use]
    pub fn archive(mut self, archive: &'g Rez<'g>) -> Self {
        self.roots.push(Root::Rez(archive));
        self
    }

    /// Adds a folder that has the directories of an archive, such as an unpacked `CLAW.REZ` or the folder `Assets` of a
    /// game, whose files replace those of the archive. Nothing is read yet.
    #[must_use]
    pub fn folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.roots.push(Root::Folder(folder.into()));
        self
    }

    /// Returns whether there are no archives and folders.
    pub fn is_empty(&self) -> bool {
        self.roots.is_empty()
    }

    /// Returns the directories with this path, one for each archive and folder that has it.
    pub(super) fn directories(&self, path: &[&str]) -> Result<Vec<Place<'g>>> {
        let found = self.roots.iter().map(|root| match root {
            Root::Rez(archive) => Ok(archive.directory(path.join("/")).map(Place::Rez)),
            Root::Folder(folder) => Ok(below(folder, path)?.map(Place::Folder)),
        });
        found.filter_map(Result::transpose).collect()
    }

    /// Returns the first file with this path.
    pub(super) fn file(&self, path: &[&str]) -> Result<Option<Stored<'g>>> {
        let Some((name, directories)) = path.split_last() else { return Ok(None) };
        for place in self.directories(directories)? {
            let found = match place {
                Place::Rez(directory) => directory.file(name).map(Stored::File),
                Place::Folder(folder) => entries(&folder)?
                    .into_iter()
                    .find(|(file, path)| file.eq_ignore_ascii_case(name) && path.is_file())
                    .map(|(_, path)| Stored::Disk(path)),
            };
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }
}

/// A directory of an archive, or a folder.
#[derive(Clone, Debug)]
pub(super) enum Place<'g> {
    Rez(Directory<'g, 'g>),
    Folder(PathBuf),
}

/// A file of an archive or on disk.
#[derive(Clone, Debug)]
pub(super) enum Stored<'g> {
    File(File<'g, 'g>),
    Disk(PathBuf),
}

impl<'g> Stored<'g> {
    pub(super) fn read(&self) -> Result<Cow<'g, [u8]>> {
        match self {
            Self::File(file) => Ok(Cow::Borrowed(file.data())),
            Self::Disk(path) => {
                let mut bytes = Vec::new();
                let file = DiskFile::open(path).map_err(|error| io_error(path, error))?;
                file.take(MAX_BYTES).read_to_end(&mut bytes).map_err(|error| io_error(path, error))?;
                Ok(Cow::Owned(bytes))
            }
        }
    }

    pub(super) fn path(&self) -> String {
        match self {
            Self::File(file) => file.path().to_string(),
            Self::Disk(path) => path.display().to_string(),
        }
    }
}

/// A picture of the game that has not been decoded.
#[derive(Clone, Debug)]
pub struct Frame<'g> {
    /// The number among the pictures of the level.
    pub(super) id: u32,
    pub(super) kind: PictureKind,
    pub(super) stored: Stored<'g>,
}

impl Frame<'_> {
    /// Returns the path in the archive, or on disk.
    pub fn path(&self) -> String {
        self.stored.path()
    }

    /// Returns the number among the pictures of the level.
    pub(crate) const fn id(&self) -> u32 {
        self.id
    }

    /// Returns the kind of the picture.
    pub const fn kind(&self) -> PictureKind {
        self.kind
    }
}

/// A file below a [`Place`], of a kind that its extension says.
pub(super) struct FoundFile<'g, K> {
    /// The names of the directories between.
    pub(super) directories: Arc<[Vec<u8>]>,
    /// The name without its extension.
    pub(super) name: Cow<'g, [u8]>,
    pub(super) kind: K,
    pub(super) stored: Stored<'g>,
}

/// Returns the kind of a file by its extension, unless it is none that is looked for.
type Sought<K> = fn(&[u8]) -> Option<K>;

impl<'g> Place<'g> {
    /// Returns all files of some kinds, in an order that is the same on every system.
    pub(super) fn files<K>(&self, sought: Sought<K>) -> Result<Vec<FoundFile<'g, K>>> {
        let mut found = Vec::new();
        match self {
            Self::Rez(directory) => list(*directory, &[], sought, &mut found),
            Self::Folder(folder) => walk(folder, &mut Vec::new(), sought, &mut found)?,
        }
        Ok(found)
    }

    /// Returns all pictures.
    pub(super) fn pictures(&self) -> Result<Vec<FoundFile<'g, PictureKind>>> {
        let mut found = self.files(|extension| PictureKind::of_extension(extension))?;
        // Where a frame is stored twice, the engine keeps what it meets first. Editors and this crate prefer PID.
        found.sort_by_key(|picture| picture.kind != PictureKind::Pid);
        Ok(found)
    }
}

/// Adds the files below a directory of an archive, whose depth is limited.
fn list<'g, K>(directory: Directory<'g, 'g>, names: &[&'g [u8]], sought: Sought<K>, found: &mut Vec<FoundFile<'g, K>>) {
    // The engine cannot name them, and a copy of each name for each file would take long.
    if names.iter().map(|name| name.len()).sum::<usize>() > MAX_SET_LEN {
        return;
    }
    let directories: Arc<[Vec<u8>]> = names.iter().map(|name| name.to_vec()).collect();
    for entry in directory {
        match entry {
            DirectoryEntry::Directory(child) => {
                list(child, &[names, &[child.name()]].concat(), sought, found);
            }
            DirectoryEntry::File(file) => {
                if let Some(kind) = sought(file.extension().as_ref()) {
                    let (directories, name) = (Arc::clone(&directories), file.name().into());
                    found.push(FoundFile { directories, name, kind, stored: Stored::File(file) });
                }
            }
        }
    }
}

/// Adds the files below a folder. Links to folders are not followed.
fn walk<K>(
    folder: &Path,
    directories: &mut Vec<Vec<u8>>,
    sought: Sought<K>,
    found: &mut Vec<FoundFile<'_, K>>,
) -> Result<()> {
    for (name, path) in entries(folder)? {
        let kind = fs::symlink_metadata(&path).map_err(|error| io_error(&path, error))?;
        if kind.is_dir() {
            if directories.len() < MAX_DEPTH {
                directories.push(name.into_bytes());
                walk(&path, directories, sought, found)?;
                directories.pop();
            }
            continue;
        }
        let Some((stem, extension)) = name.rsplit_once('.') else { continue };
        let Some(kind) = sought(extension.as_bytes()) else { continue };
        // Opening a pipe would wait for a writer.
        if !path.is_file() {
            continue;
        }
        if found.len() == MAX_FILES {
            let why = format!("{}: more than {MAX_FILES} files below the folder", folder.display());
            return Err(Error::Picture { why });
        }
        let name = stem.as_bytes().to_vec().into();
        found.push(FoundFile { directories: directories.as_slice().into(), name, kind, stored: Stored::Disk(path) });
    }
    Ok(())
}
