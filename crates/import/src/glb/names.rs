//! Names of the elements of a GLB for people.

use serde_json::Value as Json;
use worldview_core::{brief, quote};

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
