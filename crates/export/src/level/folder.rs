//! Folders with pictures.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::{Error, Result};

/// Returns the folder at a path below another, ignoring case.
pub(super) fn below(folder: &Path, path: &[&str]) -> Result<Option<PathBuf>> {
    let mut folder = folder.to_owned();
    for part in path {
        let Some(path) = named(&folder, part)?.into_iter().next() else { return Ok(None) };
        folder = path;
    }
    Ok(folder.is_dir().then_some(folder))
}

/// Returns the folders with a name in another, ignoring case. On Windows they are one.
pub(super) fn named(folder: &Path, name: &str) -> Result<Vec<PathBuf>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let found = entries(folder)?.into_iter().filter(|(found, path)| found.eq_ignore_ascii_case(name) && path.is_dir());
    Ok(found.map(|(_, path)| path).collect())
}

/// Returns the contents of a folder sorted by name, so that the choice between files is the same on all systems.
pub(super) fn entries(folder: &Path) -> Result<Vec<(String, PathBuf)>> {
    let list = fs::read_dir(folder).and_then(|entries| {
        entries
            .map(|entry| entry.map(|entry| (entry.file_name().to_string_lossy().into_owned(), entry.path())))
            .collect()
    });
    let mut list: Vec<_> = list.map_err(|error| io_error(folder, error))?;
    list.sort();
    Ok(list)
}

/// Returns an error with the path of the file.
pub(super) fn io_error(path: &Path, error: io::Error) -> Error {
    Error::Io(io::Error::new(error.kind(), format!("{}: {error}", path.display())))
}
