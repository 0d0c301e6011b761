//! Where a mapping comes from, without an open file.

use std::fs::Metadata;
use std::path::Path;

/// The path of a file when it was opened, and the numbers that identify the file. While it is mapped, no other file gets
/// these numbers.
pub(crate) struct Origin {
    #[cfg(unix)]
    file: (std::path::PathBuf, u64, u64),
}

#[cfg(unix)]
impl Origin {
    pub(crate) fn new(path: &Path, metadata: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt as _;
        // The current directory may change. It is unknown if it was deleted.
        let absolute = if path.is_absolute() { None } else { std::path::absolute(path).ok() };
        let path = absolute.unwrap_or_else(|| path.to_owned());
        Self { file: (path, metadata.dev(), metadata.ino()) }
    }

    /// Returns the current length of the file, or `None` if the path no longer leads to it.
    pub(crate) fn len(&self) -> Option<u64> {
        use std::os::unix::fs::MetadataExt as _;
        let (path, device, inode) = &self.file;
        let metadata = std::fs::metadata(path).ok()?;
        ((metadata.dev(), metadata.ino()) == (*device, *inode)).then_some(metadata.len())
    }
}

/// Elsewhere, a mapped file cannot be shortened.
#[cfg(not(unix))]
impl Origin {
    pub(crate) fn new(_: &Path, _: &Metadata) -> Self {
        Self {}
    }

    pub(crate) fn len(&self) -> Option<u64> {
        None
    }
}
