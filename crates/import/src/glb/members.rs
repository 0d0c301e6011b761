//! Compares members of the JSON of a GLB, whatever they are.

use std::collections::BTreeSet;

use serde_json::{Value as Json, json};
use worldview_core::{Path, excerpt};
use worldview_edit::account::{Code, Column, Entry, SourcePlace};

use super::names::words;
use super::not_read::{When, has, is_above, of_model};
use super::read::shade;
use crate::codes::{GLB_CHANGED, GLB_NOT_READ};

type Map = serde_json::Map<String, Json>;

/// Why a color is refused.
pub(super) const OUTSIDE: &str = "colors and opacity are between 0 and 1";

/// The differences of members, and the elements that members refer to: the list, the number, and the exported mesh that they
/// belong to.
pub(super) struct Members<'g> {
    json: &'g Json,
    pub(super) entries: Vec<Entry>,
    pub(super) open: Vec<(&'static str, usize, Option<usize>)>,
    pub(super) mesh: Option<usize>,
}

impl<'g> Members<'g> {
    pub(super) const fn of(json: &'g Json, mesh: Option<usize>) -> Self {
        Self { json, entries: Vec::new(), open: Vec::new(), mesh }
    }

    pub(super) fn entry(&mut self, column: Column, code: Code, place: &str, why: &str) {
        let message = format!("{place}: {why}");
        self.entries.push(Entry::new(column, code, &Path::new(), message).at(SourcePlace::pointer(place)));
    }

    pub(super) fn refuse(&mut self, place: &str, why: &str) {
        self.entry(Column::Refused, GLB_CHANGED, place, why);
    }

    /// Compares a member with that of the export. `pattern` is its pointer with `*` for numbers.
    pub(super) fn compare(&mut self, (pattern, pointer): (&str, &str), old: Option<&Json>, new: Option<&Json>) {
        let [old, new] = [old, new].map(|json| json.filter(|json| !json.is_null()));
        if let Some(list) = of_model(pattern) {
            let number = new.and_then(Json::as_u64).and_then(|number| usize::try_from(number).ok());
            self.open.extend(list.zip(number).map(|(list, number)| (list, number, self.mesh)));
            return;
        }
        if has(When::Any, pattern) || (new.is_none() && has(When::Missing, pattern)) {
            return;
        }
        let members = [old, new].map(|json| json.and_then(Json::as_object));
        let is_one_by_one = match members {
            [Some(_), Some(_)] => true,
            [Some(_), None] => new.is_none() && is_above(pattern),
            [None, Some(added)] => old.is_none() && !added.is_empty() && is_above(pattern),
            [None, None] => false,
        };
        match new {
            _ if is_one_by_one => {
                let keys: BTreeSet<&String> = members.into_iter().flatten().flat_map(Map::keys).collect();
                for key in keys {
                    let [old, new] = members.map(|members| members?.get(key));
                    self.compare((&format!("{pattern}/{key}"), &format!("{pointer}/{key}")), old, new);
                }
            }
            Some(Json::Array(list)) if is_above(pattern) => {
                for (at, item) in list.iter().enumerate() {
                    self.compare((&format!("{pattern}/*"), &format!("{pointer}/{at}")), None, Some(item));
                }
            }
            _ => self.values((pattern, pointer), old, new),
        }
    }

    fn values(&mut self, (pattern, pointer): (&str, &str), old: Option<&Json>, new: Option<&Json>) {
        let default = match pattern {
            "/materials/*/alphaMode" => Some(json!("OPAQUE")),
            "/materials/*/pbrMetallicRoughness/baseColorFactor" => Some(json!([1, 1, 1, 1])),
            "/materials/*/pbrMetallicRoughness/baseColorTexture/texCoord" => Some(json!(0)),
            "/materials/*/pbrMetallicRoughness/metallicFactor" => Some(json!(1)),
            "/materials/*/pbrMetallicRoughness/roughnessFactor" => Some(json!(1)),
            _ => None,
        };
        let is_color = pattern.ends_with("/baseColorFactor");
        let place = words(self.json, pointer);
        match (old.or(default.as_ref()), new.or(default.as_ref())) {
            (None, None) => {}
            (Some(old), Some(new)) if is_same(old, new) || (is_color && is_same_color(old, new)) => {}
            (Some(_), Some(new)) if is_color && !is_inside(new) => {
                self.refuse(&place, OUTSIDE);
            }
            (Some(old), Some(_)) => {
                let instead = match pattern.split('/').nth(1) {
                    Some("materials") => "; edit the mesh by its path",
                    Some("animations") => "; set `duration` of the animation",
                    _ => "",
                };
                let why = format!("it was {}; a GLB does not change this{instead}", excerpt(&old.to_string()));
                self.refuse(&place, &why);
            }
            (None, Some(pointer))
                if pattern.ends_with("/KHR_animation_pointer/pointer") && shown_node(pointer).is_some() => {}
            // It would show a picture in another way.
            (None, Some(_)) if pattern.contains("/baseColorTexture/") => {
                self.refuse(&place, "the export has none, and a GLB does not change this");
            }
            (None, Some(_)) => self.entry(Column::LeftOut, GLB_NOT_READ, &place, "the export has none; not read"),
            (Some(_), None) => self.entry(Column::LeftOut, GLB_CHANGED, &place, "it is missing; the original keeps it"),
        }
    }
}

/// Returns the node whose visibility a channel moves.
pub(super) fn shown_node(pointer: &Json) -> Option<usize> {
    let node = pointer.as_str()?.strip_prefix("/nodes/")?;
    node.strip_suffix("/extensions/KHR_node_visibility/visible")?.parse().ok()
}

/// Whether two values are the same as far as programs keep numbers.
fn is_same(old: &Json, new: &Json) -> bool {
    match (old, new) {
        (Json::Number(old), Json::Number(new)) => {
            let (old, new) = (old.as_f64().unwrap_or(0.0), new.as_f64().unwrap_or(0.0));
            (old - new).abs() <= 1e-6 * old.abs().max(1.0)
        }
        // Blender knows no truth values here in older versions.
        (Json::Bool(old), Json::Number(new)) => new.as_f64() == Some(f64::from(u8::from(*old))),
        (Json::Array(old), Json::Array(new)) => {
            old.len() == new.len() && old.iter().zip(new).all(|(old, new)| is_same(old, new))
        }
        (old, new) => old == new,
    }
}

/// Whether the parts of a color are between 0 and 1.
fn is_inside(color: &Json) -> bool {
    let is_inside = |part: &Json| part.as_f64().is_some_and(|part| (-1e-4..=1.0001).contains(&part));
    color.as_array().is_some_and(|parts| parts.iter().all(is_inside))
}

/// Whether two colors with opacity are the same in the game.
#[expect(clippy::cast_possible_truncation, reason = "glTF has floats of 32 bits")]
fn is_same_color(old: &Json, new: &Json) -> bool {
    let parts = |color: &Json| -> Option<Vec<f32>> {
        color.as_array()?.iter().map(|part| part.as_f64().map(|part| part as f32)).collect()
    };
    let (Some(old), Some(new), true) = (parts(old), parts(new), is_inside(new)) else { return false };
    let is_near = |(at, (old, new)): (usize, (&f32, &f32))| match at {
        3 => (old - new).abs() <= 1.0 / 512.0,
        _ => shade(*old) == shade(*new),
    };
    old.len() == new.len() && old.iter().zip(&new).enumerate().all(is_near)
}
