//! Names of the elements of a GLB for people.

use serde_json::Value as Json;
use worldview_core::{Path, brief, quote};
use worldview_edit::account::{Code, SourcePlace};
use worldview_edit::{EditError, Planned};

/// Returns the name of an element of a list, or its number if it has none: `node "Track.001"`, `material 3`.
pub(super) fn element(json: &Json, list: &str, number: usize) -> String {
    let kind = match list {
        "meshes" => "mesh",
        "accessors" => "accessor",
        _ => list.strip_suffix('s').unwrap_or(list),
    };
    let name = json.get(list).and_then(|all| all.get(number)?.get("name")?.as_str()).filter(|name| !name.is_empty());
    name.map_or_else(|| format!("{kind} {number}"), |name| format!("{kind} {}", quote(name)))
}

/// Returns a place of the JSON in words: `meshes[0].primitives[2].material` is `mesh "Track", primitive 2, material`.
pub(super) fn words(json: &Json, path: &str) -> String {
    let path = path.replace(['[', '.'], "/").replace(']', "");
    let mut parts = path.split('/').filter(|part| !part.is_empty()).peekable();
    let Some(list) = parts.next() else { return "the file".to_owned() };
    let number = |part: &&str| part.parse::<usize>().ok();
    let mut out = match parts.peek().and_then(number) {
        Some(at) => {
            parts.next();
            element(json, list, at)
        }
        None => list.to_owned(),
    };
    while let Some(part) = parts.next() {
        let single = part.strip_suffix('s').unwrap_or(part);
        match parts.peek().and_then(number) {
            Some(at) => {
                parts.next();
                out.push_str(&format!(", {single} {at}"));
            }
            None => out.push_str(&format!(", {}", part.escape_debug())),
        }
    }
    brief(&out)
}

/// Returns the first of several names.
pub(super) fn first(all: &[String]) -> String {
    let names: Vec<String> = all.iter().take(3).map(|name| quote(name)).collect();
    let more = all.len().saturating_sub(names.len());
    if more > 0 { format!("{} and {more} more", names.join(", ")) } else { names.join(", ") }
}

/// Returns the path of an element of a list, with its number if names repeat.
pub(super) fn path(kind: &'static str, names: &[&[u8]], number: usize) -> Path {
    let mut path = Path::new();
    let Some(name) = names.get(number) else { return path };
    let nth = names.iter().take(number).filter(|other| *other == name).count();
    let is_repeated = names.iter().filter(|other| *other == name).nth(1).is_some();
    path.push(kind, name, u32::try_from(nth).ok().filter(|_| is_repeated));
    path
}

/// Refuses a node.
pub(super) fn refuse_node(planned: &mut Planned, json: &Json, node: usize, code: Code, why: &str) {
    let place = element(json, "nodes", node);
    let error = EditError::refused(&Path::new(), code, format!("{place}: {why}"));
    planned.refuse(&error, SourcePlace::pointer(place));
}
