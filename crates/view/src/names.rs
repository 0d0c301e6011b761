//! The names inside of files, which the filter of the tree looks into while they are closed.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use worldview::rez::{Directory, DirectoryEntry};
use worldview::wpd::{Archive, Nesting};
use worldview::{Asset, Format, Handle, Options};
use worldview_export::table::label;
use worldview_inspect::{Encoding, utf8};

use crate::catalog::Catalog;
use crate::files::{Files, Version, lock};

/// The maximum size, in bytes, of the names that are kept for all files.
const KEPT_BYTES: usize = 32 << 20;

/// The maximum number of files whose names are kept.
const KEPT_FILES: usize = 100_000;

/// What is between two names.
const BETWEEN: char = '\n';

/// The names inside of the files that were asked for, in lower case.
#[derive(Debug, Default)]
pub(crate) struct Names {
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    files: HashMap<PathBuf, (Version, Arc<str>)>,
    bytes: usize,
}

impl Names {
    /// Returns the names of everything in a file, at any depth, in lower case and one a line. A file that cannot be opened
    /// has none.
    pub(crate) fn of(&self, files: &Files, path: &Path, encoding: Encoding) -> Arc<str> {
        let Ok(version) = Version::of(path) else { return Arc::default() };
        if let Some((known, names)) = lock(&self.kept).files.get(path)
            && *known == version
        {
            return Arc::clone(names);
        }
        let names: Arc<str> = read(files, path, encoding).unwrap_or_default().to_lowercase().into();
        let mut kept = lock(&self.kept);
        if kept.bytes + names.len() > KEPT_BYTES || kept.files.len() >= KEPT_FILES {
            *kept = Kept::default();
        }
        kept.bytes += names.len();
        if let Some((_, old)) = kept.files.insert(path.to_owned(), (version, Arc::clone(&names))) {
            kept.bytes -= old.len();
        }
        names
    }
}

/// Reads the names in a file. Tables and levels are not opened: nothing in them is in the tree.
fn read(files: &Files, path: &Path, encoding: Encoding) -> Option<String> {
    let file = files.load(path).ok()?;
    let name = path.file_name()?.to_string_lossy();
    let format = Options { recover: true, ..Options::new() }.format(file.bytes(), &name).ok()?;
    if !matches!(format, Format::Island | Format::Rez | Format::Tex | Format::Wpd) {
        return None;
    }
    let is_table = |archive: Archive<'_>| archive.is_table();
    if format == Format::Wpd && Archive::parse_lossy(file.bytes(), &mut |_| {}).is_ok_and(is_table) {
        return None;
    }
    let mut names = String::new();
    let handle = Handle::of(&file, &[], files.options()).ok()?;
    match handle.asset() {
        Asset::Archive(archive) => of_archive(archive, &mut Nesting::new(archive), 0, &mut names),
        Asset::Rez(archive) => of_directory(archive.root(), &mut names),
        _ => {
            for item in &Catalog::of(&handle, encoding)?.items {
                push(&mut names, &item.name);
            }
        }
    }
    Some(names)
}

/// Adds the names of the members of an archive at a depth, and of the archives in it.
pub(crate) fn of_archive(archive: &Archive<'_>, nesting: &mut Nesting, depth: u32, names: &mut String) {
    for member in archive.members() {
        push(names, &label(&member));
        if let Ok(Some(inner)) = nesting.enter(&member, depth, &mut |_| {})
            && !inner.is_table()
        {
            of_archive(&inner, nesting, depth + 1, names);
        }
    }
}

/// Adds the names of everything in a directory.
pub(crate) fn of_directory(directory: Directory<'_, '_>, names: &mut String) {
    let mut open = vec![directory];
    while let Some(directory) = open.pop() {
        for entry in directory.entries() {
            let path = match entry {
                DirectoryEntry::Directory(inner) => {
                    open.push(inner);
                    inner.path()
                }
                DirectoryEntry::File(file) => file.path(),
            };
            push(names, &utf8(path.names().last().map_or(&[][..], |name| name)));
        }
    }
}

fn push(names: &mut String, name: &str) {
    names.push_str(name);
    names.push(BETWEEN);
}
