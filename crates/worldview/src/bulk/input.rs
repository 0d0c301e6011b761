use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;
use worldview_map::{Bytes, Loader};

use crate::{Container, Format, OpenError};

/// A file to work on.
#[non_exhaustive]
#[derive(Debug)]
pub enum Input<'i> {
    /// The file at a path that somebody named: whatever it is, it is opened.
    Path(PathBuf),
    /// A file that was found in a folder: it is opened only if its name or its first bytes say that it is of a known
    /// format, and is [`OpenError::Unknown`] otherwise.
    Found(PathBuf),
    /// Bytes that are there already, and a name for them.
    Bytes(PathBuf, &'i [u8]),
    /// A place that cannot be searched; comes out as its error.
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
        Self::Bytes(name.into(), bytes)
    }
}

/// Why there is no result for a file, or for a part of one.
#[non_exhaustive]
#[derive(Debug)]
pub enum BulkError {
    /// It cannot be read, or shrank while it was.
    Io(io::Error),
    /// It can be read, and not opened.
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

/// All files below a folder, recursively and in the order of their names; the path itself if it is a file.
///
/// Links are followed to files, never to folders; pipes and devices are left alone. A folder that cannot be read is an
/// input that fails. Files of no known format come too, and fail with [`OpenError::Unknown`].
pub fn walk(path: impl AsRef<Path>) -> impl Iterator<Item = Input<'static>> + Send {
    let root = path.as_ref().to_path_buf();
    WalkDir::new(path).sort_by_file_name().into_iter().filter_map(move |entry| match entry {
        Ok(entry) if !entry.path().is_file() => None,
        Ok(entry) if entry.depth() == 0 => Some(Input::Path(entry.into_path())),
        Ok(entry) => Some(Input::Found(entry.into_path())),
        Err(error) => Some(Input::Failed(error.path().unwrap_or(&root).into(), error.into())),
    })
}

/// Loads a file that somebody named, as [`Bulk::each`](super::Bulk::each) does with [`Input::Path`].
///
/// A container that holds files of ours is not read any further than it takes to recognize it.
///
/// # Errors
///
/// Returns an error if the file cannot be read, or if it is a [`Container`].
pub fn load<'b>(loader: Loader, path: &Path, buffer: &'b mut Vec<u8>) -> Result<Bytes<'b>, BulkError> {
    load_if(loader, path, true, buffer)
}

/// Loads a file that was found in a folder, as [`Bulk::each`](super::Bulk::each) does with [`Input::Found`].
///
/// # Errors
///
/// Returns an error if the file cannot be read, if it is a [`Container`], or if neither its name nor its first bytes are
/// those of a known format.
pub fn load_found<'b>(loader: Loader, path: &Path, buffer: &'b mut Vec<u8>) -> Result<Bytes<'b>, BulkError> {
    load_if(loader, path, false, buffer)
}

fn load_if<'b>(loader: Loader, path: &Path, is_named: bool, buffer: &'b mut Vec<u8>) -> Result<Bytes<'b>, BulkError> {
    /// Bytes above which a file is looked at before it is read: a folder may hold gigabytes of other things.
    const LARGE: u64 = 64 << 10;
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    if Format::of_file_name(&name).is_some() {
        return Ok(loader.open_in(path, buffer)?);
    }
    let metadata = std::fs::metadata(path)?;
    // A pipe has no first bytes to spare.
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
    if Format::sniff(start).is_some() {
        return Ok(());
    }
    match Container::sniff(start).or_else(|| Container::of_file_name(name)) {
        Some(container) => Err(OpenError::Container(container)),
        None if is_named => Ok(()),
        None => Err(OpenError::Unknown),
    }
}
