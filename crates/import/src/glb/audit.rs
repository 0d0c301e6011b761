//! What a GLB says besides geometry, places and keys, compared with the export: nothing of it can become a change, so what differs is
//! refused, and what the export does not have is left out with an entry.

use std::collections::{HashMap, HashSet};

use serde_json::Value as Json;
use worldview_core::{Path, quote};
use worldview_edit::Planned;
use worldview_edit::account::{Code, Column, Entry, SourcePlace};
use worldview_export::picture::Picture;
use worldview_island::Matrix;

use super::level::{is_degenerate, stem};
use super::names::{element, words};
use super::nodes::{Nodes, numbered};
use super::not_read::{KNOWN, is_listed};
use super::read::Glb;
use crate::codes::{GLB_CHANGED, GLB_NOT_READ, NODE_MISSING, NODE_UNKNOWN};

/// Adds entries for everything in an edited GLB that no other module reads and that differs from the export. `found` has the edited
/// node of each exported one.
pub(super) fn audit(old: &Glb, new: &Glb, nodes: (&Nodes, &Nodes), found: &[Option<usize>], planned: &mut Planned) {
    let mut audit = Audit { old, new, planned };
    audit.unknown();
    audit.nodes(nodes, found);
    audit.materials();
    audit.animations(found);
    audit.pictures();
}

struct Audit<'g, 'p> {
    old: &'g Glb,
    new: &'g Glb,
    planned: &'p mut Planned,
}

impl<'g> Audit<'g, '_> {
    fn entry(&mut self, column: Column, code: Code, place: &str, why: &str) {
        let message = format!("{place}: {why}");
        self.planned.account.push(Entry::new(column, code, &Path::new(), message).at(SourcePlace::pointer(place)));
    }

    fn refuse(&mut self, place: &str, why: &str) {
        self.entry(Column::Refused, GLB_CHANGED, place, why);
    }

    /// Leaves out the members that are not known.
    fn unknown(&mut self) {
        let mut open = vec![(String::new(), String::new(), &self.new.json)];
        while let Some((path, pattern, json)) = open.pop() {
            let below = |key: &str, name: &str| (format!("{path}/{key}"), format!("{pattern}/{name}"));
            match json {
                Json::Array(list) if list.iter().any(|item| item.is_object() || item.is_array()) => {
                    for (at, item) in list.iter().enumerate() {
                        let (path, pattern) = below(&at.to_string(), "*");
                        open.push((path, pattern, item));
                    }
                }
                Json::Object(members) => {
                    for (key, item) in members {
                        let (path, pattern) = below(key, key);
                        if KNOWN.contains(&&*pattern) {
                            open.push((path, pattern, item));
                        } else if !is_listed(&pattern) {
                            let place = words(&self.new.json, &path);
                            self.entry(Column::LeftOut, GLB_NOT_READ, &place, "models of the game have none; not read");
                        }
                    }
                }
                _ => {}
            }
        }
        if self.new.bytes_after > 0 {
            let why = format!("{} bytes behind its chunks are not read", self.new.bytes_after);
            self.entry(Column::LeftOut, GLB_NOT_READ, "the file", &why);
        }
        for (number, _) in self.new.list("scenes").iter().enumerate() {
            if number != self.new.scene() {
                let place = element(&self.new.json, "scenes", number);
                self.entry(Column::LeftOut, GLB_NOT_READ, &place, "only the scene that is shown first is read");
            }
        }
    }

    fn nodes(&mut self, (old_nodes, new_nodes): (&Nodes, &Nodes), found: &[Option<usize>]) {
        let of_new: HashMap<usize, usize> =
            found.iter().enumerate().filter_map(|(old, new)| Some(((*new)?, old))).collect();
        let mut missing = Vec::new();
        for (at, was) in old_nodes.all.iter().enumerate() {
            let Some((number, is)) =
                found.get(at).copied().flatten().and_then(|number| Some((number, new_nodes.get(number)?)))
            else {
                // What is below a missing node is missing, too.
                let is_below = was.parent.is_some_and(|parent| found.get(parent) == Some(&None));
                missing.extend((!is_below && was.reference.is_none()).then(|| quote(&was.name)));
                continue;
            };
            let place = element(&self.new.json, "nodes", number);
            if was.name != is.name && was.name != numbered(&is.name).0 {
                let why = format!("it was {}; names of nodes are not changed by a GLB", quote(&was.name));
                self.refuse(&place, &why);
            }
            if was.is_in_scene && !is.is_in_scene {
                self.refuse(&place, "it is no longer in the scene; to remove it, delete it");
            }
            // Nodes may come between, and an object may be exported without those above it.
            let above = |nodes: &Nodes, node: usize, has: &dyn Fn(usize) -> bool| {
                let mut next = nodes.parent(node);
                let mut left = nodes.all.len();
                while let Some(parent) = next.filter(|parent| !has(*parent) && left > 0) {
                    next = nodes.parent(parent);
                    left = left.saturating_sub(1);
                }
                next
            };
            let was_above = above(old_nodes, at, &|node| found.get(node).is_some_and(Option::is_some));
            let is_above = above(new_nodes, number, &|node| of_new.contains_key(&node));
            let is_level = was.object.is_none() && was.reference.is_none() && was.mesh.is_some();
            let stays = was_above.and_then(|above| found.get(above).copied().flatten()) == is_above
                // Levels that are not shown lie beside their object, and programs put them below it.
                || (is_level && was_above.is_none());
            if !stays {
                let name = |node: Option<usize>, glb: &Glb| {
                    node.map_or_else(|| "the scene".to_owned(), |node| element(&glb.json, "nodes", node))
                };
                let why =
                    format!("it was below {}, and is below {}", name(was_above, self.old), name(is_above, self.new));
                self.refuse(&place, &why);
            }
            if let (Some(mesh), None) = (was.mesh, is.mesh)
                && has_triangles(self.old, mesh)
            {
                self.entry(Column::LeftOut, NODE_MISSING, &place, "it has lost its mesh; that of the original stays");
            }
            let (Some(was), Some(is)) = (self.old.list("nodes").get(at), self.new.list("nodes").get(number)) else {
                continue;
            };
            self.members(&place, (was.get("extras"), is.get("extras")), "extras");
            let visible = |json: &Json| json.pointer("/extensions/KHR_node_visibility").cloned();
            self.members(&place, (visible(was).as_ref(), visible(is).as_ref()), "KHR_node_visibility");
            let ids = |json: &Json| -> Option<Vec<usize>> {
                let ids = json.pointer("/extensions/MSFT_lod/ids")?.as_array()?;
                Some(
                    ids.iter()
                        .map(|id| id.as_u64().and_then(|id| usize::try_from(id).ok()).unwrap_or(usize::MAX))
                        .collect(),
                )
            };
            if let Some(ids_now) = ids(is) {
                let ids_then: Vec<usize> = ids(was).unwrap_or_default();
                // Levels that were deleted are named anyway.
                let expected: Vec<usize> = ids_then.iter().filter_map(|id| found.get(*id).copied().flatten()).collect();
                if ids_now != expected {
                    self.refuse(&place, "MSFT_lod: the order of levels is that of their names, and cannot be changed");
                }
            } else if is.pointer("/extensions/MSFT_lod").is_some() {
                self.refuse(&place, "MSFT_lod: it has no list of nodes");
            }
        }
        for (number, is) in new_nodes.all.iter().enumerate() {
            // Those with a mesh are refused where meshes are read.
            if is.mesh.is_none() && !of_new.contains_key(&number) {
                let place = element(&self.new.json, "nodes", number);
                self.entry(Column::LeftOut, NODE_UNKNOWN, &place, "the export has no such node; not read");
            }
        }
        if !missing.is_empty() {
            let first = missing.iter().take(3).cloned().collect::<Vec<_>>().join(", ");
            let why = format!("lacks {} nodes of the export ({first}); what they are in the file stays", missing.len());
            let entry = Entry::new(Column::LeftOut, NODE_MISSING, &Path::new(), why);
            self.planned.account.push(entry.about(missing.len() as u64, missing));
        }
    }

    /// Refuses members of an object that say other things than in the export. Programs drop members, and people add their own.
    fn members(&mut self, place: &str, (old, new): (Option<&Json>, Option<&Json>), what: &str) {
        match (old, new) {
            (_, None | Some(Json::Null)) => {}
            (old, Some(Json::Object(new))) => {
                for (key, value) in new {
                    let place = format!("{place}, {what} {}", quote(key));
                    match old.and_then(|old| old.get(key)) {
                        Some(old) if is_same(old, value) => {}
                        Some(_) => self.refuse(&place, "a GLB does not change this"),
                        None => self.entry(Column::LeftOut, GLB_NOT_READ, &place, "the export has none; not read"),
                    }
                }
            }
            (_, Some(_)) => self.refuse(&format!("{place}, {what}"), "it is not an object"),
        }
    }

    /// Compares each material with the one of the export that has its name, or with the one that is most like it.
    fn materials(&mut self) {
        let (olds, news) = (self.old.list("materials"), self.new.list("materials"));
        let name = |json: &Json| json.get("name").and_then(Json::as_str).unwrap_or_default().to_owned();
        let mut by_name: HashMap<String, Vec<&Json>> = HashMap::new();
        olds.iter().for_each(|old| by_name.entry(name(old)).or_default().push(old));
        let used = used_materials(self.new);
        for (number, new) in news.iter().enumerate().filter(|(number, _)| used.contains(number)) {
            let own = name(new);
            let same = by_name.get(&own).or_else(|| by_name.get(stem(&own))).or_else(|| by_name.get(""));
            let place = element(&self.new.json, "materials", number);
            let differences = |old: &&Json| material_differences(old, new);
            let all = same.into_iter().flatten().copied();
            let Some(least) = all.map(|old| differences(&old)).min_by_key(Vec::len) else { continue };
            for (key, why) in least {
                self.refuse(&format!("{place}, {key}"), why);
            }
        }
    }

    fn animations(&mut self, found: &[Option<usize>]) {
        let olds = self.old.list("animations");
        let durations: HashSet<Option<i64>> =
            olds.iter().map(|old| old.pointer("/extras/duration").and_then(Json::as_i64)).collect();
        // The keys of visibility of each node, as the export has them.
        let mut keys: HashMap<String, String> = HashMap::new();
        for (pointer, said) in olds.iter().flat_map(|animation| visibility(self.old, animation)) {
            let node = pointer.split('/').nth(2).and_then(|node| node.parse::<usize>().ok());
            let node = node.and_then(|node| found.get(node).copied().flatten());
            node.into_iter().for_each(|node| _ = keys.insert(pointer_of(node), said.clone()));
        }
        let mut seen = HashSet::new();
        for (number, animation) in self.new.list("animations").iter().enumerate() {
            let place = element(&self.new.json, "animations", number);
            if let Some(extras) = animation.get("extras").filter(|extras| !extras.is_null()) {
                let duration = extras.get("duration");
                if duration.is_some_and(|duration| !durations.contains(&duration.as_i64())) {
                    let why = "a GLB does not change the duration; set `duration` of the animation";
                    self.refuse(&format!("{place}, extras \"duration\""), why);
                }
                let others = extras.as_object().into_iter().flatten().filter(|(key, _)| *key != "duration");
                for (key, _) in others {
                    let place = format!("{place}, extras {}", quote(key));
                    self.entry(Column::LeftOut, GLB_NOT_READ, &place, "the export has none; not read");
                }
            }
            for (pointer, said) in visibility(self.new, animation) {
                let place = format!("{place}, channel of {}", quote(&pointer));
                if !pointer.starts_with("/nodes/") {
                    self.entry(Column::LeftOut, GLB_NOT_READ, &place, "models of the game have none; not read");
                } else if !seen.insert(pointer.clone()) {
                    self.refuse(&place, "there are several for this node");
                } else if keys.get(&pointer) != Some(&said) {
                    self.refuse(&place, "a GLB does not change visibility; edit `morph` keys of nodes by their paths");
                }
            }
        }
    }

    /// Refuses other pixels in the pictures.
    fn pictures(&mut self) {
        let (olds, mut left) = (embedded(self.old), PIXELS);
        let mut by_name: HashMap<String, Vec<&[u8]>> = HashMap::new();
        olds.iter()
            .for_each(|(_, name, bytes)| by_name.entry(stem(name).to_ascii_lowercase()).or_default().push(bytes));
        let has_data = |glb: &Glb, number: usize| {
            glb.list("images").get(number).is_some_and(|image| image.get("bufferView").is_some())
        };
        let inside: HashSet<usize> = self.new.embedded().map(|(number, ..)| number).collect();
        for number in 0..self.new.list("images").len() {
            if has_data(self.new, number) && !inside.contains(&number) {
                self.refuse(&element(&self.new.json, "images", number), "its data lie outside the file");
            }
        }
        let mut decoded: HashMap<*const u8, Option<Picture>> = HashMap::new();
        for (number, name, bytes) in embedded(self.new) {
            let all =
                by_name.get(&stem(&name).to_ascii_lowercase()).or_else(|| by_name.get(&name.to_ascii_lowercase()));
            let Some(all) = all.filter(|all| !all.contains(&bytes)) else { continue };
            let mut size = 0;
            let colors = |picture: &Option<Picture>| {
                picture.as_ref().map(|picture| (picture.width, picture.height, picture.colors()))
            };
            let olds: Vec<_> = all
                .iter()
                .map(|old| {
                    let picture = decoded.entry(old.as_ptr()).or_insert_with(|| Picture::decode(old, PIXELS).ok());
                    let picture = colors(picture);
                    size = size.max(picture.as_ref().map_or(0, |(.., colors)| colors.len()));
                    picture
                })
                .collect();
            let is_same = size <= left && {
                left = left.saturating_sub(size);
                let picture = colors(&Picture::decode(bytes, size).ok());
                picture.is_some() && olds.contains(&picture)
            };
            if !is_same {
                let place = element(&self.new.json, "images", number);
                self.refuse(&place, "its pixels differ; edit the PNG in `textures`");
            }
        }
    }
}

/// The most pixels of pictures that are compared.
const PIXELS: usize = 1 << 24;

/// Returns number, name and bytes of the pictures inside a GLB.
fn embedded(glb: &Glb) -> Vec<(usize, String, &[u8])> {
    glb.embedded().filter_map(|(number, name, place)| Some((number, name, glb.binary.get(place)?))).collect()
}

/// Whether a mesh has a triangle that programs keep.
fn has_triangles(glb: &Glb, mesh: usize) -> bool {
    let mesh = glb.document.meshes().nth(mesh);
    let primitives = mesh.and_then(|mesh| glb.primitives(&mesh, &Matrix::IDENTITY).ok()).unwrap_or_default();
    primitives.iter().flat_map(|primitive| &primitive.triangles).any(|triangle| !is_degenerate(triangle))
}

fn used_materials(glb: &Glb) -> HashSet<usize> {
    let primitives = glb.document.meshes().flat_map(|mesh| mesh.primitives().collect::<Vec<_>>());
    primitives.filter_map(|primitive| primitive.material().index()).collect()
}

fn pointer_of(node: usize) -> String {
    format!("/nodes/{node}/extensions/KHR_node_visibility/visible")
}

/// Returns what each channel of an animation points to, and its keys as text.
fn visibility(glb: &Glb, animation: &Json) -> Vec<(String, String)> {
    let list = |key: &str| animation.get(key).and_then(Json::as_array).map_or(&[][..], Vec::as_slice);
    let number = |json: &Json, key: &str| usize::try_from(json.get(key)?.as_u64()?).ok();
    let channels = list("channels").iter().filter_map(|channel| {
        let target = channel.get("target")?;
        if target.get("path")?.as_str()? != "pointer" {
            return None;
        }
        let pointer = target.pointer("/extensions/KHR_animation_pointer/pointer").and_then(Json::as_str);
        let sampler = number(channel, "sampler").and_then(|at| list("samplers").get(at));
        let data = |key: &str| {
            let accessor = glb.document.accessors().nth(number(sampler?, key)?)?;
            let bytes: Vec<u8> = glb.elements("visibility", &accessor).ok()?.flatten().copied().collect();
            Some((accessor.data_type() as u32, bytes))
        };
        let said = (data("input"), data("output"), sampler.and_then(|sampler| sampler.get("interpolation")));
        Some((pointer.unwrap_or_default().to_owned(), format!("{said:?}")))
    });
    channels.collect()
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

/// Returns the members of a material that differ, and why this is refused.
fn material_differences(old: &Json, new: &Json) -> Vec<(String, &'static str)> {
    const SHINE: &str = "a GLB does not change how a material shines; edit the mesh by its path";
    let mut out = Vec::new();
    for key in ["roughnessFactor", "metallicFactor"] {
        let value = |json: &Json| json.get("pbrMetallicRoughness")?.get(key)?.as_f64();
        let (was, is) = (value(old).unwrap_or(1.0), value(new));
        out.extend(is.filter(|is| (is - was).abs() > 1e-3 || is.is_nan()).map(|_| (key.to_owned(), SHINE)));
    }
    if let Some(extras) = new.get("extras").filter(|extras| !extras.is_null()) {
        let Some(members) = extras.as_object() else { return vec![("extras".to_owned(), "it is not an object")] };
        for (key, value) in members {
            if !old.get("extras").and_then(|old| old.get(key)).is_some_and(|old| is_same(old, value)) {
                let why = "a GLB does not change this; edit the mesh by its path";
                out.push((format!("extras {}", quote(key)), why));
            }
        }
    }
    if let Some(mode) = new.get("alphaMode").and_then(Json::as_str) {
        let opacity = new.pointer("/pbrMetallicRoughness/baseColorFactor/3").and_then(Json::as_f64).unwrap_or(1.0);
        let has_picture = new.pointer("/pbrMetallicRoughness/baseColorTexture").is_some();
        let expected = if opacity < 1.0 { "BLEND" } else { "OPAQUE" };
        if mode != expected && !(has_picture && mode == "OPAQUE") {
            out.push(("alphaMode".to_owned(), "it does not fit the opacity, which decides"));
        }
    }
    if new.pointer("/pbrMetallicRoughness/baseColorTexture/extensions").is_some() {
        out.push(("baseColorTexture".to_owned(), "the game cannot move a picture; move the texture coordinates"));
    }
    let channel = new.pointer("/pbrMetallicRoughness/baseColorTexture/texCoord").and_then(Json::as_u64);
    if channel.is_some_and(|channel| channel != 0) {
        out.push(("baseColorTexture".to_owned(), "the game has one set of texture coordinates"));
    }
    let color = new.pointer("/pbrMetallicRoughness/baseColorFactor").and_then(Json::as_array);
    let is_inside = |part: &Json| part.as_f64().is_some_and(|part| (-1e-4..=1.0001).contains(&part));
    if color.is_some_and(|color| !color.iter().all(is_inside)) {
        out.push(("baseColorFactor".to_owned(), "colors and opacity are between 0 and 1"));
    }
    out
}
