//! The tree: what is in a folder, an archive or a database.

use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use worldview::Kind;

use crate::answer::{Answer, Failed};
use crate::library::{self, Location};
use crate::places::{Node, level_title, members};
use crate::state::State;
use crate::work::CancelToken;

/// The maximum number of nodes in an answer.
const MAX: usize = 1000;

#[derive(Deserialize)]
pub(super) struct Nothing {}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) struct Session<'s> {
    version: &'static str,
    /// Of which files the changes are that a tab of the browser keeps.
    id: String,
    roots: Vec<Node>,
    compare: bool,
    game: Vec<std::borrow::Cow<'s, str>>,
}

/// What the page needs first.
pub(super) fn session(state: &State, _: &Nothing, _: &CancelToken) -> Result<Answer, Failed> {
    let game = state.game.iter().filter_map(|path| path.file_name()).map(|name| name.to_string_lossy()).collect();
    let version = env!("CARGO_PKG_VERSION");
    let mut digest = Sha256::new();
    for root in &state.library.roots {
        digest.update(root.path.as_os_str().as_encoded_bytes());
        digest.update([0]);
    }
    let id = worldview_inspect::hex(&digest.finalize()[..8]).replace(' ', "");
    Answer::json(&Session { version, id, roots: roots(state), compare: state.compares, game })
}

#[derive(Deserialize)]
pub(super) struct Query {
    #[serde(default)]
    at: String,
    #[serde(default)]
    path: String,
    #[serde(default)]
    from: usize,
    limit: Option<usize>,
    #[serde(default)]
    filter: String,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Children"))]
pub(super) struct Document {
    total: usize,
    from: usize,
    children: Vec<Node>,
}

/// What is in a place.
pub(super) fn children(state: &State, query: &Query, cancel: &CancelToken) -> Result<Answer, Failed> {
    let filter = Filter::new(&query.filter);
    let at = query.at.trim_end_matches('/');
    let (from, limit) = (query.from, query.limit.unwrap_or(500).min(MAX));
    let page = |nodes: Vec<Node>| {
        let total = nodes.len();
        let children = nodes.into_iter().skip(from).take(limit).collect();
        Answer::json(&Document { total, from, children })
    };
    match state.library.locate(at)? {
        Location::Overview => {
            let mut nodes = Vec::new();
            for (root, mut node) in state.library.roots.iter().zip(roots(state)) {
                node.inside = filter.finds_inside(state, &root.path, cancel)?;
                if node.inside || filter.matches(&node.name, None) {
                    nodes.push(node);
                }
            }
            page(nodes)
        }
        Location::Folder(path) => {
            let entries = entries(state, &path, &filter, cancel)?;
            let total = entries.len();
            let mut children = Vec::new();
            for (_, name, is_inside) in entries.into_iter().skip(from).take(limit) {
                cancel.check()?;
                let at = library::join(at, &library::encode_os(&name));
                let node = node(state, at, &name.to_string_lossy(), &path.join(&name));
                children.push(Node { inside: is_inside && node.open, ..node });
            }
            Answer::json(&Document { total, from, children })
        }
        Location::File(path, inside) => {
            let opened = state.open_file(&path, &inside)?;
            let Ok(catalog) = state.catalog(&opened) else {
                return page(members(at, &opened.handle, &filter, state.encoding));
            };
            let items = if query.path.is_empty() {
                &catalog.roots
            } else {
                let item = catalog.find(&query.path).ok_or_else(|| Failed::missing("there is no such part"))?;
                &catalog.items[item].children
            };
            let nodes = items.iter().map(|&item| {
                let item = &catalog.items[item];
                let is_inside = filter.is_set() && catalog.any_inside(item, &|name| filter.matches(name, None));
                Node { inside: is_inside, ..item.node(at) }
            });
            page(nodes.filter(|node| node.inside || filter.matches(&node.name, None)).collect())
        }
    }
}

fn roots(state: &State) -> Vec<Node> {
    state.library.roots.iter().map(|root| node(state, root.at.clone(), &root.name, &root.path)).collect()
}

/// Whether an entry of a folder is a file, its name, and whether the filter finds something in it.
type Entry = (bool, std::ffi::OsString, bool);

/// Lists a folder: folders first, then files, by name.
fn entries(state: &State, path: &Path, filter: &Filter, cancel: &CancelToken) -> Result<Vec<Entry>, Failed> {
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(path)? {
        let entry = entry?;
        let name = entry.file_name();
        // Links are shown as what they lead to, and not searched.
        let kind = entry.file_type()?;
        let is_file = if kind.is_symlink() { !entry.path().is_dir() } else { !kind.is_dir() };
        let is_inside = !kind.is_symlink() && filter.finds_inside(state, &entry.path(), cancel)?;
        if is_inside || filter.matches(&name.to_string_lossy(), None) {
            entries.push((is_file, name, is_inside));
        }
    }
    entries.sort();
    Ok(entries)
}

/// The words that a name in the tree, together with the title, has to contain in any order, ignoring case.
pub(crate) struct Filter(Vec<String>);

impl Filter {
    fn new(text: &str) -> Self {
        Self(text.to_lowercase().split_whitespace().map(str::to_owned).collect())
    }

    pub(crate) const fn is_set(&self) -> bool {
        !self.0.is_empty()
    }

    pub(crate) fn matches(&self, name: &str, title: Option<&str>) -> bool {
        let (name, title) = (name.to_lowercase(), title.unwrap_or_default().to_lowercase());
        self.0.iter().all(|word| name.contains(word) || title.contains(word))
    }

    /// Returns whether the filter is set and one of several names, as [`Names`](crate::names::Names) has them, matches.
    pub(crate) fn matches_any(&self, names: &str) -> bool {
        let is_match = |name: &str| self.0.iter().all(|word| name.contains(word));
        self.is_set() && self.0.iter().all(|word| names.contains(word)) && names.lines().any(is_match)
    }

    /// Returns whether the filter is set and a name in a folder or file, at any depth, matches. Links are not followed.
    fn finds_inside(&self, state: &State, path: &Path, cancel: &CancelToken) -> Result<bool, Failed> {
        if !self.is_set() {
            return Ok(false);
        }
        let mut files: Vec<_> = path.is_file().then(|| path.to_owned()).into_iter().collect();
        // What cannot be listed says so when it is opened.
        for entry in library::walk(path).flatten() {
            cancel.check()?;
            if self.matches(&entry.file_name().to_string_lossy(), None) {
                return Ok(true);
            }
            if entry.file_type().is_file() {
                files.push(entry.into_path());
            }
        }
        // Files are opened only if no name outside of them matches.
        for file in files {
            cancel.check()?;
            if self.matches_any(&state.names.of(&state.files, &file, state.encoding)) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Returns the node of a file or folder, recognized by its first bytes.
pub(crate) fn node(state: &State, at: String, name: &str, path: &Path) -> Node {
    // A link that leads out of the given folder reveals nothing, not even a size.
    let metadata = match path.canonicalize() {
        Ok(real) if state.library.contains(&real) => std::fs::metadata(real),
        Ok(_) => Err(std::io::Error::other(library::OUTSIDE)),
        Err(error) => Err(error),
    };
    let metadata = match metadata {
        Ok(metadata) => metadata,
        Err(error) => {
            let mut node = Node::new(at, name, "broken");
            node.error = Some(error.to_string());
            return node;
        }
    };
    if metadata.is_dir() {
        return Node::folder(at, name);
    }
    let node = Node { size: Some(metadata.len()), ..Node::new(at, name, "data") };
    // A pipe or a device could keep the viewer waiting.
    if !metadata.is_file() {
        return node;
    }
    let Ok(file) = state.files.load(path) else { return node };
    let Some((format, kind)) = state.files.format(&file) else { return node };
    let format = Some(if kind == Kind::Table { "wdb" } else { format.name() });
    let title = if kind == Kind::Level { level_title(file.bytes(), state.encoding) } else { None };
    Node { kind: kind.name(), title, format, open: kind.has_parts(), ..node }
}
