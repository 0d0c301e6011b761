//! Places: what addresses of the page name.

use serde::{Deserialize, Serialize};
use worldview::rez::DirectoryEntry;
use worldview::wpd::Nesting;
use worldview::wwd::Game;
use worldview::wwd::raw::LevelHeader;
use worldview::{Asset, Handle};
use worldview_export::outputs;
use worldview_export::table::label;
use worldview_inspect::Encoding;

use crate::api::Filter;
use crate::catalog::Item;
use crate::files::Opened;
use crate::library;
use crate::names;

/// A place, as requests name it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Place {
    /// The address of a folder, a file, or a part of a file that can be opened alone.
    pub(crate) at: String,
    /// A path inside it.
    pub(crate) path: String,
}

/// A row of the tree.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Node {
    pub(crate) at: String,
    pub(crate) path: String,
    pub(crate) name: String,
    /// What people call it, if the name does not say so: the title of a level.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) title: Option<String>,
    pub(crate) kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) format: Option<&'static str>,
    /// Size in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) size: Option<u64>,
    /// Whether there is something in it.
    pub(crate) open: bool,
    /// Whether the filter of the tree finds something in it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) inside: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) note: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<String>,
}

impl Node {
    pub(crate) fn new(at: String, name: impl Into<String>, kind: &'static str) -> Self {
        let (name, path) = (name.into(), String::new());
        Self {
            at,
            path,
            name,
            title: None,
            kind,
            format: None,
            size: None,
            open: false,
            inside: false,
            note: None,
            error: None,
        }
    }

    pub(crate) const fn open(mut self, open: bool) -> Self {
        self.open = open;
        self
    }

    pub(crate) fn size(mut self, bytes: impl Into<Option<u64>>) -> Self {
        self.size = bytes.into();
        self
    }

    pub(crate) const fn format(mut self, format: &'static str) -> Self {
        self.format = Some(format);
        self
    }

    /// The node of a folder.
    pub(crate) fn folder(at: String, name: impl Into<String>) -> Self {
        Self::new(at, name, "folder").open(true)
    }

    /// The node of an item of a database.
    pub(crate) fn item(at: &str, item: &Item) -> Self {
        let mut node = Self::new(at.to_owned(), item.name.clone(), item.kind());
        item.path.clone_into(&mut node.path);
        node.open = !item.children.is_empty();
        node.size = item.size;
        node.note = item.note.map(str::to_owned);
        node.error.clone_from(&item.error);
        if node.error.is_some() {
            node.kind = "broken";
        }
        node
    }

    /// The node of an opened part.
    pub(crate) fn opened(at: String, name: String, opened: &Opened, encoding: Encoding) -> Self {
        let handle = &opened.handle;
        let is_open = match handle.asset() {
            Asset::Archive(_) | Asset::Rez(_) => handle.entries().next().is_some(),
            _ => handle.kind().has_parts(),
        };
        let mut node =
            Self::new(at, name, kind_of(handle)).open(is_open).size(opened.handle.part().bytes().len() as u64);
        node.format = handle.format();
        node.title = handle.level().and_then(|level| title(level.header(), level.game(), encoding));
        node
    }
}

/// Returns the kind of a node. A record is shown by its table.
pub(crate) fn kind_of(handle: &Handle) -> &'static str {
    if handle.row().is_some() { "table" } else { handle.kind().name() }
}

/// Returns what people call a level, from its header.
fn title(header: &LevelHeader, game: Option<Game>, encoding: Encoding) -> Option<String> {
    let name = encoding.visible(header.name.as_bytes());
    if !name.trim().is_empty() {
        return Some(name.into_owned());
    }
    let game = game?.name();
    Some(header.number().map_or_else(|| game.to_owned(), |number| format!("{game}, level {number}")))
}

/// Returns what people call the level in a file, if its headers can be read.
pub(crate) fn level_title(file: &[u8], encoding: Encoding) -> Option<String> {
    let mut scratch = Vec::new();
    let outline = worldview::wwd::outline(file, &mut scratch).ok()?;
    title(outline.header, outline.game(), encoding)
}

/// Returns what is in an archive.
pub(crate) fn members(at: &str, handle: &Handle, filter: &Filter, encoding: Encoding) -> Vec<Node> {
    let utf8 = |bytes: &[u8]| worldview_inspect::utf8(bytes).into_owned();
    match handle.asset() {
        Asset::Archive(archive) => {
            let mut nesting = Nesting::new(archive);
            let nodes = archive.members().filter_map(|member| {
                let name = label(&member);
                let inner = member.archive().ok().filter(|_| member.is_archive());
                let mut names = String::new();
                if filter.is_set()
                    && let Ok(Some(inner)) = nesting.enter(&member, 0, &mut |_| {})
                    && !inner.is_table()
                {
                    names::of_archive(&inner, &mut nesting, 1, &mut names);
                }
                let is_inside = filter.matches_any(&names.to_lowercase());
                if !is_inside && !filter.matches(&name) {
                    return None;
                }
                let kind = if !member.is_archive() {
                    "data"
                } else if inner.is_some_and(|inner| inner.is_table()) {
                    "table"
                } else {
                    "archive"
                };
                let node = Node::new(library::join(at, &library::encode(&member.label())), name, kind);
                let node = node.open(kind == "archive").size(member.source().len());
                Some(Node { inside: is_inside, ..node })
            });
            nodes.collect()
        }
        Asset::Rez(archive) => {
            let directory = handle.directory().unwrap_or_else(|| archive.root());
            let nodes = directory.entries().filter_map(|entry| match entry {
                DirectoryEntry::Directory(found) => {
                    let bytes = found.path().names().last().cloned().unwrap_or_default();
                    let name = utf8(&bytes);
                    let mut inside = String::new();
                    if filter.is_set() {
                        names::of_directory(found, &mut inside);
                    }
                    let is_inside = filter.matches_any(&inside.to_lowercase());
                    let node = Node::folder(library::join(at, &library::encode(&bytes)), name);
                    (is_inside || filter.matches(&node.name)).then_some(Node { inside: is_inside, ..node })
                }
                DirectoryEntry::File(file) => {
                    let bytes = file.path().names().last().cloned().unwrap_or_default();
                    let name = utf8(&bytes);
                    let kind = outputs::kind_of(&file).name();
                    filter.matches(&name).then(|| {
                        let title = if kind == "level" { level_title(file.data(), encoding) } else { None };
                        let node = Node::new(library::join(at, &library::encode(&bytes)), name, kind);
                        Node { title, ..node }.size(file.data().len() as u64)
                    })
                }
            });
            nodes.collect()
        }
        _ => Vec::new(),
    }
}
