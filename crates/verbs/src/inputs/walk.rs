//! The files that a path on the command line refers to.

use std::io;
use std::path::{Component, Path, PathBuf};

use walkdir::WalkDir;

use super::last_name;
use crate::only::{self, Term};
use crate::output::EditLog;
use crate::table;

/// A file to be processed.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    /// The path as used for opening and in messages; `-` for standard input.
    pub(crate) path: PathBuf,
    /// The source path: the location of the file's outputs relative to the output folder.
    pub(crate) source: PathBuf,
    /// The name of a member in nested archives, separated by `/`, if the path continues inside the file.
    pub(crate) inner: Option<Vec<u8>>,
    /// Whether the path was given on the command line rather than found in a folder.
    pub(crate) named: bool,
}

impl Input {
    /// Returns the path as text, including the names inside the file.
    pub(crate) fn shown(&self) -> String {
        match &self.inner {
            Some(inner) => format!("{}/{}", table::path(&self.path), String::from_utf8_lossy(inner)),
            None => table::path(&self.path),
        }
    }
}

/// An item found for a path.
pub(super) enum WalkEvent {
    File(Input),
    Unreadable(PathBuf, io::Error),
    /// A file in a folder that cannot match --only, by its name.
    Unwanted(PathBuf),
    /// The output folder, which is not read.
    Output(PathBuf),
    /// All files of a path have been found.
    End(PathBuf),
}

impl WalkEvent {
    /// Leaves out a file that was found and cannot match the terms of `--only`. Files that were named are always opened.
    pub(super) fn of(self, terms: &[Term]) -> Self {
        match self {
            Self::File(input) if !input.named && !only::may_want(terms, &last_name(&input.path)) => {
                Self::Unwanted(input.path)
            }
            found => found,
        }
    }
}

/// Returns the files of a path: the file itself, all files in a folder in the order of their names, or all matches
/// of a pattern.
///
/// The folder `exclude` below the path is skipped.
pub(super) fn path(path: &Path, exclude: &Option<PathBuf>) -> Box<dyn Iterator<Item = WalkEvent>> {
    let end = std::iter::once(WalkEvent::End(path.into()));
    if let Some(pattern) = path.to_str().filter(|_| is_glob(path)) {
        return match glob::glob(pattern) {
            Ok(paths) => {
                let exclude = exclude.clone().filter(|exclude| is_searched(path, exclude));
                Box::new(paths.filter(move |found| !is_in(found, &exclude)).flat_map(matched).chain(end))
            }
            Err(error) => {
                let error = io::Error::new(io::ErrorKind::InvalidInput, error.to_string());
                Box::new(std::iter::once(WalkEvent::Unreadable(path.into(), error)))
            }
        };
    }
    plain(path, exclude)
}

/// Returns how many files a path leads to.
pub(super) fn count(path: &Path, exclude: &Option<PathBuf>) -> u64 {
    self::path(path, exclude).filter(|found| matches!(found, WalkEvent::File(_))).count() as u64
}

/// Returns the files of a path that is not a pattern.
pub(super) fn plain(path: &Path, exclude: &Option<PathBuf>) -> Box<dyn Iterator<Item = WalkEvent>> {
    if path.as_os_str() == "-" {
        let input = Input { path: "-".into(), source: "stdin".into(), inner: None, named: true };
        return Box::new(std::iter::once(WalkEvent::File(input)));
    }
    let end = std::iter::once(WalkEvent::End(path.into()));
    // A pattern expanded by the shell may include the output folder.
    let is_it = |exclude: &PathBuf| path.is_dir() && path.canonicalize().is_ok_and(|path| path == *exclude);
    if exclude.as_ref().is_some_and(is_it) {
        return Box::new(std::iter::once(WalkEvent::Output(path.into())).chain(end));
    }
    Box::new(expand(path, exclude.clone()).chain(end))
}

/// Returns whether a path is a pattern: it contains `*`, `?` or `[`, and no file has exactly this name.
pub(super) fn is_glob(path: &Path) -> bool {
    path.to_str().is_some_and(|text| text.contains(['*', '?', '['])) && !path.exists()
}

/// Returns whether a folder is below the base folder of a pattern. If the base folder is the same or inside of it,
/// inputs and outputs cannot be distinguished.
fn is_searched(pattern: &Path, folder: &Path) -> bool {
    let is_fixed = |part: &Component<'_>| !part.as_os_str().to_string_lossy().contains(['*', '?', '[']);
    let base: PathBuf = Path::new(".").components().chain(pattern.components()).take_while(is_fixed).collect();
    base.canonicalize().is_ok_and(|base| folder != base && folder.starts_with(base))
}

/// Returns whether a match of a pattern is inside `exclude`.
fn is_in(found: &glob::GlobResult, exclude: &Option<PathBuf>) -> bool {
    let (Ok(path), Some(exclude)) = (found, exclude) else { return false };
    // Resolving links is expensive, so only paths that contain a folder of this name are resolved.
    path.components().any(|part| Some(part.as_os_str()) == exclude.file_name())
        && path.canonicalize().is_ok_and(|path| path.starts_with(exclude))
}

/// Matches of a pattern are found rather than named, so files of unknown format are skipped.
fn matched(found: glob::GlobResult) -> Box<dyn Iterator<Item = WalkEvent>> {
    match found {
        // Folders are not searched, and pipes are not opened, because that would wait for a writer.
        Ok(path) if !path.is_file() || is_of_edits(&path) => Box::new(std::iter::empty()),
        Ok(path) => {
            // Keep all components, so that matches with the same name in different folders get different output
            // folders.
            let source = path.components().filter(|part| matches!(part, Component::Normal(_))).collect();
            Box::new(std::iter::once(WalkEvent::File(Input { source, path, inner: None, named: false })))
        }
        Err(error) => Box::new(std::iter::once(WalkEvent::Unreadable(error.path().into(), error.into()))),
    }
}

fn expand(path: &Path, exclude: Option<PathBuf>) -> Box<dyn Iterator<Item = WalkEvent>> {
    // The last name of the path. `.`, `..` and a root have none, so their contents are at the top level of the output.
    let name = path.components().next_back().and_then(|last| match last {
        Component::Normal(name) => Some(PathBuf::from(name)),
        _ => None,
    });
    if !path.is_dir() {
        let (path, inner) = split(path);
        let source = path.file_name().map_or_else(|| "input".into(), PathBuf::from);
        return Box::new(std::iter::once(WalkEvent::File(Input { path: path.into(), source, inner, named: true })));
    }
    let (base, root) = (name.unwrap_or_default(), path.to_path_buf());
    let is_wanted = move |entry: &walkdir::DirEntry| {
        let Some(exclude) = &exclude else { return true };
        // Resolving links is expensive, so only folders of this name are resolved.
        let may_be = entry.depth() > 0 && entry.file_type().is_dir() && Some(entry.file_name()) == exclude.file_name();
        !may_be || entry.path().canonicalize().ok().as_ref() != Some(exclude)
    };
    let entries = WalkDir::new(path).sort_by_file_name().into_iter().filter_entry(is_wanted);
    Box::new(entries.filter_map(move |entry| {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                let at = error.path().unwrap_or(&root).to_path_buf();
                return Some(WalkEvent::Unreadable(at, error.into()));
            }
        };
        // Links to files are followed, links to folders are not. Pipes and devices are ignored.
        let is_file = entry.file_type().is_file() || (entry.path_is_symlink() && entry.path().is_file());
        if !is_file || is_of_edits(entry.path()) {
            return None;
        }
        let below = entry.path().strip_prefix(&root).unwrap_or(entry.path());
        Some(WalkEvent::File(Input { source: base.join(below), path: entry.path().into(), inner: None, named: false }))
    }))
}

/// Returns whether a file is what edits left: their log, or a backup, `NAME.bak` or `NAME.bak1` beside NAME. Only a named one is read.
fn is_of_edits(path: &Path) -> bool {
    if path.ends_with(EditLog::NAME) {
        return true;
    }
    let Some((name, number)) = path.to_str().and_then(|path| path.rsplit_once(".bak")) else { return false };
    number.bytes().all(|digit| digit.is_ascii_digit()) && Path::new(name).is_file()
}

/// Splits a path that continues inside a file, such as `pack.bin/items.wdb`, into the file and the names inside.
fn split(path: &Path) -> (&Path, Option<Vec<u8>>) {
    if path.exists() {
        return (path, None);
    }
    let file = path.ancestors().skip(1).find(|ancestor| ancestor.is_file());
    match file.and_then(|file| Some((file, path.strip_prefix(file).ok()?))) {
        Some((file, inner)) => (file, Some(inner.as_os_str().as_encoded_bytes().to_vec())),
        None => (path, None),
    }
}
