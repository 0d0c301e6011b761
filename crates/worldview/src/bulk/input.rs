use std::borrow::Cow;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;
use worldview_map::{Bytes, Loader};

use crate::{Container, Format, OpenError};

/// A file to process.
#[non_exhaustive]
#[derive(Debug)]
pub enum Input<'i> {
    /// The path of a file that the user named. It is always opened.
    Path(PathBuf),
    /// The path of a file found in a folder. It is opened only if its name or its first bytes are those of a known
    /// format; otherwise it fails with [`OpenError::Unknown`].
    Found(PathBuf),
    /// Bytes that are already in memory, and a name for them.
    Bytes(PathBuf, Cow<'i, [u8]>),
    /// A path that cannot be searched, and the error, which becomes the result.
    Failed(PathBuf, io::Error),
}

impl From<PathBuf> for Input<'_> {
    fn from(path: PathBuf) -> Self {
        Self::Path(path)
    }
}

impl From<&Path> for Input<'_> {
    fn from(path: &Path) -> Self {
        Self::Path(path.into())
    }
}

impl From<&str> for Input<'_> {
    fn from(path: &str) -> Self {
        Self::Path(path.into())
    }
}

impl<'i> From<(&str, &'i [u8])> for Input<'i> {
    fn from((name, bytes): (&str, &'i [u8])) -> Self {
        Self::Bytes(name.into(), Cow::Borrowed(bytes))
    }
}

/// Error returned when a file, or a part of it, cannot be processed.
#[non_exhaustive]
#[derive(Debug)]
pub enum BulkError {
    /// The file cannot be read, or shrank while being read.
    Io(io::Error),
    /// The file can be read but not opened.
    Open(OpenError),
}

impl fmt::Display for BulkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Open(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for BulkError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            Self::Open(error) => Some(error),
        }
    }
}

impl From<io::Error> for BulkError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<OpenError> for BulkError {
    fn from(error: OpenError) -> Self {
        Self::Open(error)
    }
}

/// Returns all files below a folder, recursively and sorted by name, or the path itself if it is a file.
///
/// Links to files are followed, links to folders are not. Pipes and devices are skipped. A folder that cannot be read
/// yields an input that fails. Files of unknown formats are included, and fail with [`OpenError::Unknown`].
pub fn walk(path: impl AsRef<Path>) -> impl Iterator<Item = Input<'static>> + Send {
    let root = path.as_ref().to_path_buf();
    WalkDir::new(path).sort_by_file_name().into_iter().filter_map(move |entry| match entry {
        Ok(entry) if !is_file(&entry) => None,
        Ok(entry) if entry.depth() == 0 => Some(Input::Path(entry.into_path())),
        Ok(entry) => Some(Input::Found(entry.into_path())),
        Err(error) => Some(Input::Failed(error.path().unwrap_or(&root).into(), error.into())),
    })
}

/// Returns whether an entry of a folder is a file, or a link to a file. Most systems say so without another call.
fn is_file(entry: &walkdir::DirEntry) -> bool {
    let kind = entry.file_type();
    kind.is_file() || kind.is_symlink() && entry.path().is_file()
}

/// Loads a file that the user named, as [`Bulk::each`](super::Bulk::each) does for [`Input::Path`].
///
/// A large container is only read as far as necessary to recognize it.
///
/// # Errors
///
/// Returns an error if the file cannot be read, or if it is a [`Container`].
pub fn load<'b>(loader: Loader, path: &Path, buffer: &'b mut Vec<u8>) -> Result<Bytes<'b>, BulkError> {
    load_if(loader, path, true, buffer)
}

/// Loads a file found in a folder, as [`Bulk::each`](super::Bulk::each) does for [`Input::Found`].
///
/// # Errors
///
/// Returns an error if the file cannot be read, if it is a [`Container`], or if neither its name nor its first bytes are
/// those of a known format.
pub fn load_found<'b>(loader: Loader, path: &Path, buffer: &'b mut Vec<u8>) -> Result<Bytes<'b>, BulkError> {
    load_if(loader, path, false, buffer)
}

fn load_if<'b>(loader: Loader, path: &Path, is_named: bool, buffer: &'b mut Vec<u8>) -> Result<Bytes<'b>, BulkError> {
    /// Files above this size are sniffed before they are read, because a folder may contain gigabytes of other data.
    const LARGE: u64 = 64 << 10;
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    if Format::of_file_name(&name).is_some_and(Format::is_known_by_name) {
        return Ok(loader.open_in(path, buffer)?);
    }
    let metadata = std::fs::metadata(path)?;
    // Sniffing would consume the first bytes of a pipe.
    if is_named && !metadata.is_file() {
        return Ok(loader.open_in(path, buffer)?);
    }
    let is_large = metadata.len() > LARGE;
    if is_large {
        let mut start = vec![0; Container::SNIFF_LEN];
        is_worth_opening(loader.prefix(path, &mut start)?, &name, is_named)?;
    }
    let bytes = loader.open_in(path, buffer)?;
    if !is_large {
        is_worth_opening(&bytes, &name, is_named)?;
    }
    Ok(bytes)
}

fn is_worth_opening(start: &[u8], name: &str, is_named: bool) -> Result<(), OpenError> {
    if Format::sniff(start).is_some() || Format::of_file(name, start).is_some() {
        return Ok(());
    }
    match Container::of_file(name, start) {
        Some(container) => Err(OpenError::Container(container)),
        None if is_named => Ok(()),
        None => Err(OpenError::Unknown),
    }
}
