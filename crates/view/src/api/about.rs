//! What a place is: facts, ways to look at it, and what can be saved.

use std::num::NonZeroUsize;

use serde::Serialize;
use worldview::facts::{Audience, Subject};
use worldview::{Asset, At, Handle, Kind};
use worldview_export::outputs::Item;
use worldview_inspect::Encoding;

use super::{damage, download};
use crate::answer::{Answer, Failed};
use crate::library::{self, Location};
use crate::places::{Node, Place};
use crate::state::State;
use crate::work::CancelToken;

/// The views that a place can have.
pub(crate) const VIEWS: [&str; 8] = ["model", "level", "table", "picture", "children", "fields", "hex", "findings"];

#[derive(Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "About", optional_fields))]
pub(super) struct Document {
    node: Node,
    parents: Vec<Node>,
    facts: Vec<(String, String)>,
    #[cfg_attr(test, ts(type = "Tab[]"))]
    views: Vec<&'static str>,
    downloads: Vec<download::Link>,
    #[cfg_attr(test, ts(type = "Space[]"))]
    spaces: Vec<&'static str>,
    length: Length,
    big_endian: bool,
    /// How many parts of it could not be read, which then are missing in what is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    unreadable: Option<NonZeroUsize>,
}

#[derive(Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub(super) struct Length {
    /// Where a part begins in its file.
    start: u64,
    /// The length of the part.
    file: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    image: Option<u64>,
}

/// Describes a place.
pub(super) fn about(state: &State, place: &Place, _: &CancelToken) -> Result<Answer, Failed> {
    let at = place.at.trim_end_matches('/');
    let location = state.library.locate(at)?;
    let (mut parents, name) = parents(state, at);
    let (path, inside) = match location {
        Location::Overview | Location::Folder(_) => {
            let (node, views) = (Node::folder(at.to_owned(), name), vec!["children", "findings"]);
            return Answer::json(&Document { node, parents, views, ..Document::default() });
        }
        Location::File(path, inside) => (path, inside),
    };
    let opened = match state.open_file(&path, &inside) {
        Ok(opened) => opened,
        // The bytes of a file that cannot be opened can still be looked at.
        Err(failed) if inside.is_empty() => {
            let mut node = super::children::node(state, at.to_owned(), &name, &path);
            let is_known = node.kind != "data";
            let file = node.size.unwrap_or(0);
            if is_known {
                (node.kind, node.open, node.error) = ("broken", false, Some(failed.message));
            }
            let format = if is_known { node.format.unwrap_or("") } else { "unknown" };
            let facts = vec![("Format".to_owned(), format.to_owned())];
            let (views, spaces) = (vec!["hex"], vec!["file"]);
            let length = Length { file, ..Length::default() };
            return Answer::json(&Document { node, parents, facts, views, spaces, length, ..Document::default() });
        }
        Err(failed) => return Err(failed),
    };
    let mut node = Node::opened(at.to_owned(), name, &opened, state.encoding);
    let mut views = views(opened.handle.kind());
    let mut facts = facts(&opened.handle, state.encoding);
    if !place.path.is_empty()
        && let Ok(catalog) = state.catalog(&opened)
        && let Some(index) = catalog.find(&place.path)
    {
        let item = &catalog.items[index];
        parents.push(node);
        let mut chain: Vec<_> = std::iter::successors(item.parent, |&parent| catalog.items[parent].parent).collect();
        chain.reverse();
        parents.extend(chain.into_iter().map(|parent| catalog.items[parent].node(at)));
        node = item.node(at);
        views = match item.what {
            Some(Item::World(_)) => vec!["model", "children", "fields", "hex"],
            Some(Item::Model(_)) if !item.children.is_empty() => vec!["model", "children", "fields", "hex"],
            Some(Item::Model(_) | Item::Part(_)) => vec!["model", "fields", "hex"],
            Some(Item::Texture(_)) => vec!["picture", "fields", "hex"],
            None => vec!["children", "fields", "hex"],
        };
        facts = node.note.iter().map(|note| ("Note".to_owned(), note.clone())).collect();
    }
    let downloads = download::links(&opened, &node);
    let mut spaces = vec!["file"];
    let part = opened.handle.part();
    let mut length = Length { start: part.offset() as u64, file: part.bytes().len() as u64, image: None };
    if let Asset::Level(level, unpacked) = opened.handle.asset()
        && unpacked.header().is_packed()
    {
        spaces.push("image");
        length.image = Some(level.image().len());
    }
    let unreadable = NonZeroUsize::new(damage::count(state, &opened, &place.path));
    let big_endian = matches!(opened.handle.asset(), Asset::Archive(_) | Asset::Table(_));
    debug_assert!(views.iter().all(|view| VIEWS.contains(view)), "the page does not know one of the views {views:?}");
    Answer::json(&Document { node, parents, facts, views, downloads, spaces, length, big_endian, unreadable })
}

/// Returns the nodes above a place, outermost first, and its own name.
fn parents(state: &State, at: &str) -> (Vec<Node>, String) {
    let mut nodes = Vec::new();
    let mut here = String::new();
    let mut name = "Overview".to_owned();
    for segment in at.split('/').filter(|segment| !segment.is_empty()) {
        if !here.is_empty() {
            let is_folder = matches!(state.library.locate(&here), Ok(Location::Folder(_)));
            let kind = if is_folder { "folder" } else { "archive" };
            nodes.push(Node { open: true, ..Node::new(here.clone(), name, kind) });
        }
        let root = state.library.roots.iter().find(|root| here.is_empty() && root.at == segment);
        name = root.map_or_else(|| library::shown(segment).into_owned(), |root| root.name.clone());
        here = library::join(&here, segment);
    }
    (nodes, name)
}

fn views(kind: Kind) -> Vec<&'static str> {
    let first = match kind {
        Kind::Level => "level",
        Kind::Table | Kind::Record => "table",
        Kind::Picture => "picture",
        Kind::Data => return vec!["hex"],
        _ => "children",
    };
    vec![first, "fields", "findings"]
}

/// Returns what is worth saying about a part in a few words. A record is shown by its table.
fn facts(handle: &Handle, encoding: Encoding) -> Vec<(String, String)> {
    let at = if handle.row().is_some() { At::Whole } else { handle.at() };
    let subject = Subject { encoding, ..Subject::new(handle.asset(), at) };
    let facts = subject.facts(Audience::CARD);
    [("Kind".to_owned(), kind(handle))].into_iter().chain(facts.card()).collect()
}

fn kind(handle: &Handle) -> String {
    let name = match handle.kind() {
        Kind::Record => Kind::Table.name(),
        Kind::Data => return "data in no known format".to_owned(),
        Kind::Picture => return Kind::Picture.name().to_owned(),
        Kind::Database => return "models of LEGO Island (WORLD.WDB)".to_owned(),
        kind => kind.name(),
    };
    format!("{name} ({})", handle.format().unwrap_or_default().to_uppercase())
}
