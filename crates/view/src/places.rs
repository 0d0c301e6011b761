//! Places: what addresses of the page name.

use serde::{Deserialize, Serialize};
use worldview::wpd::Nesting;
use worldview::wwd::Game;
use worldview::wwd::raw::LevelHeader;
use worldview::{Asset, Entry, Handle};
use worldview_export::outputs;
use worldview_inspect::Encoding;

use crate::api::Filter;
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

/// What a node is: the kinds of assets, parts of databases, folders, and what cannot be opened.
pub(crate) const KINDS: [&str; 13] = [
    "archive", "broken", "data", "database", "folder", "level", "model", "part", "picture", "table", "texture",
    "textures", "world",
];

/// A row of the tree.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub(crate) struct Node {
    pub(crate) at: String,
    pub(crate) path: String,
    pub(crate) name: String,
    /// What people call it, if the name does not say so: the title of a level.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) title: Option<String>,
    #[cfg_attr(test, ts(type = "Kind"))]
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
    #[cfg_attr(test, ts(as = "Option<bool>"))]
    pub(crate) inside: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) note: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<String>,
}

impl Node {
    pub(crate) fn new(at: String, name: impl Into<String>, kind: &'static str) -> Self {
        debug_assert!(KINDS.contains(&kind), "the page does not know the kind {kind}");
        Self { at, name: name.into(), kind, ..Self::default() }
    }

    /// The node of a folder.
    pub(crate) fn folder(at: String, name: impl Into<String>) -> Self {
        Self { open: true, ..Self::new(at, name, "folder") }
    }

    /// The node of an opened part.
    pub(crate) fn opened(at: String, name: String, opened: &Opened, encoding: Encoding) -> Self {
        let handle = &opened.handle;
        let open = match handle.asset() {
            Asset::Archive(_) | Asset::Rez(_) => handle.entries().next().is_some(),
            _ => handle.kind().has_parts(),
        };
        let size = Some(opened.handle.part().bytes().len() as u64);
        let title = handle.level().and_then(|level| title(level.header(), level.game(), encoding));
        Self { open, size, title, format: handle.format(), ..Self::new(at, name, kind_of(handle)) }
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

/// Returns what is in an archive. The records of a table are no places.
pub(crate) fn members(at: &str, handle: &Handle, filter: &Filter, encoding: Encoding) -> Vec<Node> {
    let mut nesting = handle.archive().map(Nesting::new);
    let node = |entry: Entry<'_, '_>| {
        let (name, mut names) = (entry.name(), String::new());
        if filter.is_set() {
            names::inside((handle.asset(), encoding), entry, &mut nesting, 0, &mut names);
        }
        let (shown, inside) = (worldview_inspect::utf8(&name), filter.matches_any(&names.to_lowercase()));
        let kind = match entry {
            Entry::Member(member) if !member.is_archive() => "data",
            Entry::Member(member) if member.archive().is_ok_and(|inner| inner.is_table()) => "table",
            Entry::Directory(_) => "folder",
            Entry::File(file) => outputs::kind_of(&file).name(),
            Entry::Record(_) => return None,
            _ => "archive",
        };
        let title = if kind == "level" { level_title(entry.source().bytes(), encoding) } else { None };
        if !inside && !filter.matches(&shown, title.as_deref()) {
            return None;
        }
        let (size, open) = ((kind != "folder").then(|| entry.source().len()), matches!(kind, "archive" | "folder"));
        let at = library::join(at, &library::encode(&name));
        Some(Node { title, inside, size, open, ..Node::new(at, shown, kind) })
    };
    handle.entries().filter_map(node).collect()
}
