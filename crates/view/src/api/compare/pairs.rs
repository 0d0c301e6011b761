//! The files of two folders, matched by their relative paths.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::answer::Failed;
use crate::api::children;
use crate::library::{self, Root};
use crate::places::Node;
use crate::state::State;
use crate::work::CancelToken;

/// The maximum number of files of a folder.
const MAX: usize = 200_000;

/// Two files with the same relative path; one of them may be missing.
pub(super) struct Pair {
    pub(super) left: Option<Node>,
    pub(super) right: Option<Node>,
}

/// The files below a folder by their relative paths, with an error for folders that cannot be read.
type Files = BTreeMap<PathBuf, Option<String>>;

/// Returns the pairs of files, by name. Each file is looked at when its pair is taken. Returns an error if a folder has too many
/// files.
pub(super) fn pairs<'s>(
    state: &'s State,
    left: &'s Root,
    right: &'s Root,
    cancel: &CancelToken,
) -> Result<impl Iterator<Item = Pair> + use<'s>, Failed> {
    let (lefts, rights) = (files(&left.path, cancel)?, files(&right.path, cancel)?);
    let ways: BTreeSet<PathBuf> = lefts.keys().chain(rights.keys()).cloned().collect();
    Ok(ways.into_iter().map(move |way| Pair {
        left: lefts.get(&way).map(|error| node(state, left, &way, error.as_deref())),
        right: rights.get(&way).map(|error| node(state, right, &way, error.as_deref())),
    }))
}

fn node(state: &State, root: &Root, way: &Path, error: Option<&str>) -> Node {
    // The two files that are compared may have different names.
    if way.as_os_str().is_empty() {
        return children::node(state, root.at.clone(), &root.name, &root.path);
    }
    let path = root.path.join(way);
    let at = library::below(&root.at, &root.path, &path).unwrap_or_default();
    let name = way.iter().map(|name| name.to_string_lossy()).collect::<Vec<_>>().join("/");
    let Some(error) = error else { return children::node(state, at, &name, &path) };
    let mut node = Node::new(at, name, "broken");
    node.error = Some(error.to_owned());
    node
}

/// Returns the files below a folder; a file alone has the empty path.
fn files(root: &Path, cancel: &CancelToken) -> Result<Files, Failed> {
    let mut files = Files::new();
    if !root.is_dir() {
        files.insert(PathBuf::new(), None);
    }
    for entry in library::walk(root) {
        cancel.check()?;
        let (path, error) = match &entry {
            Ok(entry) if entry.file_type().is_file() || is_file_inside(root, entry.path()) => (entry.path(), None),
            Ok(_) => continue,
            Err(error) => (error.path().unwrap_or(root), error.io_error().map(ToString::to_string)),
        };
        files.insert(path.strip_prefix(root).unwrap_or(path).to_owned(), error);
        if files.len() > MAX {
            return Err(Failed::broken(format_args!("has more than {MAX} files, too many to compare here")));
        }
    }
    Ok(files)
}

/// Returns whether a link leads to a file of the same root. Links to folders could lead in a circle.
fn is_file_inside(root: &Path, link: &Path) -> bool {
    link.canonicalize().is_ok_and(|real| real.starts_with(root) && real.is_file())
}
