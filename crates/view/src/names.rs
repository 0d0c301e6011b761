//! The names inside of files, which the filter of the tree looks into while they are closed.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use worldview::wpd::{Archive, Nesting};
use worldview::{Asset, Entry, Handle, Kind};
use worldview_export::outputs;
use worldview_inspect::{Encoding, utf8};

use crate::catalog::Catalog;
use crate::files::{Files, Version, lock};
use crate::places::level_title;

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

/// Reads the names in a file, and of a level its name and its title. Tables are not opened: nothing in them is in the tree.
fn read(files: &Files, path: &Path, encoding: Encoding) -> Option<String> {
    let file = files.load(path).ok()?;
    let (_, kind) = files.format(&file)?;
    if kind == Kind::Level {
        return Some(format!("{} {}", file.name(), level_title(file.bytes(), encoding)?));
    }
    if !kind.has_parts() {
        return None;
    }
    let mut names = String::new();
    let handle = Handle::of(&file, &[], files.options()).ok()?;
    if let Some(catalog) = Catalog::of(&handle, encoding) {
        catalog.items.iter().for_each(|item| push(&mut names, item.name()));
    }
    let mut nesting = handle.archive().map(Nesting::new);
    for entry in handle.entries() {
        push(&mut names, &named(entry, encoding));
        inside((handle.asset(), encoding), entry, &mut nesting, 0, &mut names);
    }
    Some(names)
}

/// Adds the names, and the titles of levels, of everything in an entry of an asset. `depth` is the number of archives around it, of which `nesting` has the first.
pub(crate) fn inside(
    (asset, encoding): (&Asset<'_>, Encoding),
    entry: Entry<'_, '_>,
    nesting: &mut Option<Nesting>,
    depth: u32,
    names: &mut String,
) {
    let archive = match entry {
        Entry::Member(member) => {
            nesting.as_mut().and_then(|nesting| nesting.enter(&member, depth, &mut |_| {}).ok()?)
        }
        _ => None,
    };
    let members = archive.iter().filter(|inner| !inner.is_table()).flat_map(Archive::members).map(Entry::Member);
    for inner in entry.at().into_iter().flat_map(|at| asset.entries(at)).chain(members) {
        push(names, &named(inner, encoding));
        inside((asset, encoding), inner, nesting, depth + 1, names);
    }
}

/// Returns the name of an entry, and after it the title of a level.
fn named(entry: Entry<'_, '_>, encoding: Encoding) -> String {
    let name = entry.name();
    let title = match entry {
        Entry::File(file) if outputs::kind_of(&file) == Kind::Level => level_title(entry.source().bytes(), encoding),
        _ => None,
    };
    [utf8(&name), title.unwrap_or_default().into()].join(" ")
}

fn push(names: &mut String, name: &str) {
    names.push_str(name);
    names.push(BETWEEN);
}
