//! Places: what addresses of the page name.

use serde::{Deserialize, Serialize};
use worldview::owned::{Handle, label};
use worldview::rez::DirectoryEntry;

use crate::catalog::Item;
use crate::files::Opened;
use crate::library;

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
    pub(crate) kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) format: Option<&'static str>,
    /// Size in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) size: Option<u64>,
    /// Whether there is something in it.
    pub(crate) open: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) note: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<String>,
}

impl Node {
    pub(crate) fn new(at: String, name: impl Into<String>, kind: &'static str) -> Self {
        let (name, path) = (name.into(), String::new());
        Self { at, path, name, kind, format: None, size: None, open: false, note: None, error: None }
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
    pub(crate) fn opened(at: String, name: String, opened: &Opened) -> Self {
        let handle = &opened.handle;
        let is_open = match handle {
            Handle::Archive(archive) => !archive.archive().entries().is_empty(),
            Handle::Directory(directory) => !directory.directory().is_empty(),
            _ => handle.kind().has_parts(),
        };
        let mut node =
            Self::new(at, name, kind_of(handle)).open(is_open).size(opened.handle.part().bytes().len() as u64);
        node.format = handle.format();
        node
    }
}

/// Returns the kind of a node. A record is shown by its table.
pub(crate) fn kind_of(handle: &Handle) -> &'static str {
    if matches!(handle, Handle::Record(..)) { "table" } else { handle.kind().name() }
}

/// Returns what is in an archive.
pub(crate) fn members(at: &str, handle: &Handle, is_wanted: &dyn Fn(&str) -> bool) -> Vec<Node> {
    let utf8 = |bytes: &[u8]| worldview_inspect::utf8(bytes).into_owned();
    match handle {
        Handle::Archive(archive) => {
            let nodes = archive.archive().members().filter_map(|member| {
                let name = label(&member);
                if !is_wanted(&name) {
                    return None;
                }
                let bytes = match member.extension() {
                    [] => member.name().to_vec(),
                    extension => [member.name(), extension].join(&b'.'),
                };
                let kind = if !member.is_archive() {
                    "data"
                } else if member.archive().is_ok_and(|archive| archive.is_table()) {
                    "table"
                } else {
                    "archive"
                };
                let node = Node::new(library::join(at, &library::encode(&bytes)), name, kind);
                Some(node.open(kind == "archive").size(member.source().len()))
            });
            nodes.collect()
        }
        Handle::Directory(directory) => {
            let nodes = directory.directory().entries().filter_map(|entry| match entry {
                DirectoryEntry::Directory(found) => {
                    let bytes = found.path().names().last().map(|name| name.to_vec()).unwrap_or_default();
                    let name = utf8(&bytes);
                    is_wanted(&name).then(|| Node::folder(library::join(at, &library::encode(&bytes)), name))
                }
                DirectoryEntry::File(file) => {
                    let bytes = file.path().names().last().map(|name| name.to_vec()).unwrap_or_default();
                    let name = utf8(&bytes);
                    let kind = if file.extension().is("WWD") {
                        "level"
                    } else if worldview::rez::PictureKind::of_extension(file.extension()).is_some() {
                        "picture"
                    } else {
                        "data"
                    };
                    let node = Node::new(library::join(at, &library::encode(&bytes)), name.clone(), kind);
                    is_wanted(&name).then(|| node.size(file.data().len() as u64))
                }
            });
            nodes.collect()
        }
        _ => Vec::new(),
    }
}
