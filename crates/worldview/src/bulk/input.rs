use std::io;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

/// A file to work on.
#[derive(Debug)]
pub enum Input<'i> {
    /// The file at a path.
    Path(PathBuf),
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

/// All files below a folder, through and through, in the order of their names; the path itself if it is a file.
///
/// Links are followed to files, never to folders; pipes and devices are left alone. A folder that cannot be read is an
/// input that fails. Files of no known format come too, and fail with [`OpenError::Unknown`](crate::OpenError::Unknown).
pub fn walk(path: impl AsRef<Path>) -> impl Iterator<Item = Input<'static>> + Send {
    let root = path.as_ref().to_path_buf();
    WalkDir::new(path).sort_by_file_name().into_iter().filter_map(move |entry| match entry {
        Ok(entry) => entry.path().is_file().then(|| Input::Path(entry.into_path())),
        Err(error) => Some(Input::Failed(error.path().unwrap_or(&root).into(), error.into())),
    })
}
