//! Compares an edited GLB with an export, member by member. Every difference is an entry, whatever it is, unless planners find it in
//! the model ([`MODEL`](super::not_read::MODEL)) or the table [`NOT_READ`](super::not_read::NOT_READ) has it.

use std::collections::{HashMap, HashSet};

use gltf::accessor::DataType;
use serde_json::{Value as Json, json};
use worldview_core::Path;
use worldview_edit::account::{Column, Entry};
use worldview_edit::{Changes, Planned, Result};
use worldview_export::picture::Picture;
use worldview_island::Matrix;

use super::level::{is_degenerate, stem};
use super::members::{Members, OUTSIDE, shown_node};
use super::names::{self, element, first};
use super::nodes::{Nodes, numbered};
use super::read::Glb;
use crate::codes::{GLB_CHANGED, GLB_NOT_READ, NODE_MISSING, NODE_UNKNOWN};
use crate::doc::single;

/// The most pixels of pictures that are compared.
const PIXELS: usize = 1 << 24;
/// The most materials of the export that a material is compared with.
const ALIKE: usize = 64;

/// The member of a node with its keys of visibility, which the file has in its animations.
const KEYS: &str = "KHR_animation_pointer";

/// An edited GLB and the export that it was made from.
pub(super) struct Pair {
    pub(super) old: Glb,
    pub(super) new: Glb,
    pub(super) old_nodes: Nodes,
    pub(super) new_nodes: Nodes,
    /// The edited node of each exported one.
    pub(super) found: Vec<Option<usize>>,
}

impl Pair {
    pub(super) fn parse(exported: &[u8], edited: &[u8]) -> Result<Self> {
        Self::of(exported, Glb::parse(edited)?)
    }

    fn of(exported: &[u8], new: Glb) -> Result<Self> {
        let old = Glb::parse(exported)?;
        let (old_nodes, new_nodes) = (Nodes::new(&old)?, Nodes::new(&new)?);
        let found = new_nodes.found(&old_nodes);
        Ok(Self { old, new, old_nodes, new_nodes, found })
    }

    /// Returns the edited node that an exported one has become.
    pub(super) fn edited(&self, node: usize) -> Option<usize> {
        self.found.get(node).copied().flatten()
    }

    /// Adds an entry for each difference to the export that is one to the export of the result, too. `again` exports the original
    /// with changes.
    pub(super) fn account(self, planned: &mut Planned, again: &dyn Fn(&Changes) -> Result<Vec<u8>>) -> Result<()> {
        let refused = planned.account.entries().filter(|entry| entry.column == Column::Refused);
        let refused: HashSet<String> = refused.filter_map(|entry| entry.place.pointer.clone()).collect();
        let (mut entries, stale) = self.differences(&refused);
        if !planned.changes.is_empty() && entries.iter().any(|entry| entry.column == Column::Refused) {
            let result = Self::of(&again(&planned.changes)?, self.new)?;
            let left: HashSet<_> = result.differences(&refused).0.into_iter().map(|entry| entry.place).collect();
            entries.retain(|entry| left.contains(&entry.place));
        }
        // An opacity that is refused does not count.
        let is_of = |entry: &Entry, of: &str| entry.place.pointer.as_deref().is_some_and(|place| place.starts_with(of));
        let counts = |stale: &Entry| {
            let of = stale.place.pointer.as_deref().and_then(|place| place.strip_suffix("alphaMode"));
            of.is_none_or(|of| entries.iter().all(|entry| !is_of(entry, of)))
        };
        let stale: Vec<_> = stale.into_iter().filter(counts).collect();
        entries.into_iter().chain(stale).for_each(|entry| planned.account.push(entry));
        Ok(())
    }

    /// Returns the differences, without those of nodes that planners refused, and of the colors that those show; and what was not edited
    /// with something else.
    fn differences(&self, refused: &HashSet<String>) -> (Vec<Entry>, Vec<Entry>) {
        let new = &self.new;
        let nodes = new.document.nodes().filter(|node| refused.contains(&element(&new.json, "nodes", node.index())));
        let materials = nodes.filter_map(|node| node.mesh()).flat_map(|mesh| mesh.primitives());
        let colors = materials.filter_map(|primitive| primitive.material().index()).collect();
        let [members, stale] = [Members::of(&new.json, None), Members::of(&new.json, None)];
        let mut all = Differences { pair: self, members, stale, refused, colors, pixels: PIXELS };
        all.all();
        (all.members.entries, all.stale.entries)
    }
}

struct Differences<'g> {
    pair: &'g Pair,
    members: Members<'g>,
    /// Members that contradict an edit because they were left as they were.
    stale: Members<'g>,
    /// The nodes that planners refused, and the materials that those show.
    refused: &'g HashSet<String>,
    colors: HashSet<usize>,
    /// How many pixels may still be compared.
    pixels: usize,
}

impl Differences<'_> {
    /// Compares everything that the scene shows.
    fn all(&mut self) {
        let (old, new) = (&self.pair.old, &self.pair.new);
        self.members.compare(("", ""), Some(&old.json), Some(&new.json));
        if new.bytes_after > 0 {
            let why = format!("{} bytes behind its chunks are not read", new.bytes_after);
            self.members.entry(Column::LeftOut, GLB_NOT_READ, "the file", &why);
        }
        for (number, _) in new.list("scenes").iter().enumerate() {
            if number == new.scene() {
                self.members.open.push(("scenes", number, None));
            } else {
                let place = element(&new.json, "scenes", number);
                self.members.entry(Column::LeftOut, GLB_NOT_READ, &place, "only the scene that is shown first is read");
            }
        }
        self.members.open.extend((0..new.list("animations").len()).map(|number| ("animations", number, None)));
        self.nodes();
        let mut materials: HashMap<&str, Vec<usize>> = HashMap::new();
        for (number, old) in old.list("materials").iter().enumerate() {
            materials.entry(name(old)).or_default().push(number);
        }
        let mut pictures: HashMap<String, Vec<&[u8]>> = HashMap::new();
        for (_, name, place) in old.embedded() {
            pictures.entry(stem(&name).to_ascii_lowercase()).or_default().extend(old.binary.get(place));
        }
        let inside = new.embedded().filter_map(|(number, _, place)| Some((number, new.binary.get(place)?)));
        let inside: HashMap<usize, &[u8]> = inside.collect();
        let (mut seen, nothing) = (HashSet::new(), json!({}));
        while let Some((list, at, mesh)) = self.members.open.pop() {
            let Some(element) = new.list(list).get(at).filter(|_| seen.insert((list, at))) else { continue };
            let compared = |old: &Json| {
                let mut members = Members::of(&new.json, mesh);
                members.compare((&format!("/{list}/*"), &format!("/{list}/{at}")), Some(old), Some(element));
                members
            };
            if list == "images" && element.get("bufferView").is_some() {
                let olds = pictures.get(&stem(name(element)).to_ascii_lowercase());
                let why = match (inside.get(&at), olds) {
                    (None, _) => "its data lies outside the file",
                    (Some(picture), Some(olds)) if !self.is_one_of(picture, olds) => {
                        "its pixels differ; edit the PNG in `textures`"
                    }
                    _ => "",
                };
                if !why.is_empty() {
                    self.members.refuse(&names::element(&new.json, list, at), why);
                }
            }
            // Of the animations, or the materials of its mesh and those that have its name, the one that is most like it.
            let own =
                old.list("meshes").get(mesh.unwrap_or(usize::MAX)).and_then(|mesh| mesh.get("primitives")?.as_array());
            let own = own.into_iter().flatten().filter_map(|primitive| number(primitive, "material"));
            let names = [name(element), stem(name(element)), ""].into_iter().filter_map(|name| materials.get(name));
            let alike: Vec<usize> = match list {
                "animations" => (0..old.list(list).len()).take(ALIKE).collect(),
                "materials" => own.chain(names.flatten().copied()).take(ALIKE).collect(),
                _ => Vec::new(),
            };
            let mut best: Option<(Members<'_>, &Json)> = None;
            for old in alike.into_iter().filter_map(|number| old.list(list).get(number)) {
                if best.as_ref().is_some_and(|(best, _)| best.entries.is_empty()) {
                    break;
                }
                let other = compared(old);
                if best.as_ref().is_none_or(|(best, _)| other.entries.len() < best.entries.len()) {
                    best = Some((other, old));
                }
            }
            let (Members { mut entries, open, .. }, was) = best.unwrap_or_else(|| (compared(&nothing), &nothing));
            if list == "materials" && self.colors.contains(&at) {
                let is_color = |place: &str| place.ends_with(", baseColorFactor");
                let is_said = |entry: &Entry| entry.place.pointer.as_deref().is_some_and(is_color);
                entries.retain(|entry| !is_said(entry) || entry.message.ends_with(OUTSIDE));
            } else if list == "materials" && opacity(was) != opacity(element) {
                let mode = element.get("alphaMode").and_then(Json::as_str).unwrap_or("OPAQUE");
                if (mode == "OPAQUE") == (opacity(element) < 1.0) {
                    let place = format!("{}, alphaMode", names::element(&new.json, list, at));
                    let why = format!("it is {mode}, which does not go with the opacity {}", opacity(element));
                    self.stale.entry(Column::LeftOut, GLB_CHANGED, &place, &format!("{why}; the opacity counts"));
                }
            }
            self.members.entries.extend(entries);
            self.members.open.extend(open);
        }
        for (number, image) in new.list("images").iter().enumerate().filter(|(at, _)| !seen.contains(&("images", *at)))
        {
            let is_known = pictures
                .get(&stem(name(image)).to_ascii_lowercase())
                .is_some_and(|olds| inside.get(&number).is_none_or(|picture| self.is_one_of(picture, olds)));
            if !is_known {
                let place = names::element(&new.json, "images", number);
                self.members.entry(Column::LeftOut, GLB_NOT_READ, &place, "no material shows it; not read");
            }
        }
    }

    fn nodes(&mut self) {
        let Pair { old, new, old_nodes, new_nodes, found } = self.pair;
        let found = |node: usize| found.get(node).copied().flatten();
        let became: HashMap<usize, usize> =
            (0..old_nodes.all.len()).filter_map(|node| Some((found(node)?, node))).collect();
        let (was_shown, is_shown) = (shown(old), shown(new));
        let mut missing = Vec::new();
        for (at, was) in old_nodes.all.iter().enumerate() {
            let Some((number, is)) = found(at).and_then(|number| Some((number, new_nodes.get(number)?))) else {
                // What is below a missing node is missing, too.
                let is_below = was.parent.is_some_and(|parent| found(parent).is_none());
                missing.extend((!is_below && was.reference.is_none()).then(|| was.name.clone()));
                continue;
            };
            let place = element(&new.json, "nodes", number);
            if was.is_in_scene && !is.is_in_scene {
                self.members.refuse(&place, "it is no longer in the scene; to remove it, delete it");
            }
            // Nodes may come between, and an object may be exported without those above it.
            let was_above = above(old_nodes, at, |node| found(node).is_some());
            let is_above = above(new_nodes, number, |node| became.contains_key(&node));
            let is_level = was.object.is_none() && was.reference.is_none() && was.mesh.is_some();
            // Levels that are not shown lie beside their object, and programs put them below it.
            if was_above.and_then(found) != is_above && !(is_level && was_above.is_none()) {
                let name = |node: Option<usize>, glb: &Glb| {
                    node.map_or_else(|| "the scene".to_owned(), |node| element(&glb.json, "nodes", node))
                };
                let why = format!("it was below {}, and is below {}", name(was_above, old), name(is_above, new));
                self.members.refuse(&place, &why);
            }
            if was.mesh.is_some_and(|mesh| is.mesh.is_none() && has_triangles(old, mesh)) {
                let why = "it has lost its mesh; that of the original stays";
                self.members.entry(Column::LeftOut, NODE_MISSING, &place, why);
            }
            let (mut was_node, mut is_node) =
                (old.list("nodes").get(at).cloned(), new.list("nodes").get(number).cloned());
            // Levels that were deleted are named anyway.
            if let Some(ids) = was_node.as_mut().and_then(|node| node.pointer_mut("/extensions/MSFT_lod/ids")) {
                let all = ids.as_array().into_iter().flatten().filter_map(|id| usize::try_from(id.as_u64()?).ok());
                *ids = all.filter_map(found).collect();
            }
            if numbered(&is.name).0 == was.name {
                is_node
                    .as_mut()
                    .and_then(|node| Some(std::mem::replace(node.get_mut("name")?, was.name.clone().into())));
            }
            for (node, keys) in [(&mut was_node, was_shown.get(&at)), (&mut is_node, is_shown.get(&number))] {
                node.as_mut().and_then(|node| node.as_object_mut()?.insert(KEYS.to_owned(), keys?.clone()));
            }
            self.members.mesh = was.mesh;
            self.members.compare(("/nodes/*", &format!("/nodes/{number}")), was_node.as_ref(), is_node.as_ref());
        }
        for (number, is) in new_nodes.all.iter().enumerate().filter(|(number, _)| !became.contains_key(number)) {
            let place = element(&new.json, "nodes", number);
            if is.mesh.is_none() {
                self.members.entry(Column::LeftOut, NODE_UNKNOWN, &place, "the export has no such node; not read");
            } else if !self.refused.contains(&place) {
                // Planners took it for a level.
                let known = json!({ "name": is.name, "extras": { "object": is.object, "reference": is.reference } });
                let new = new.list("nodes").get(number);
                self.members.compare(("/nodes/*", &format!("/nodes/{number}")), Some(&known), new);
            }
        }
        if !missing.is_empty() {
            let why = format!(
                "lacks {} nodes of the export ({}); what they are in the file stays",
                missing.len(),
                first(&missing)
            );
            let entry = Entry::new(Column::LeftOut, NODE_MISSING, &Path::new(), why);
            self.members.entries.push(entry.about(missing.len() as u64, missing));
        }
    }

    /// Whether a picture has the pixels of one of others.
    fn is_one_of(&mut self, picture: &[u8], others: &[&[u8]]) -> bool {
        let mut colors = |bytes: &[u8]| {
            let picture = Picture::decode(bytes, self.pixels).ok()?;
            let colors = picture.colors();
            self.pixels = self.pixels.saturating_sub(colors.len());
            Some((picture.width, picture.height, colors))
        };
        others.contains(&picture)
            || colors(picture)
                .is_some_and(|picture| others.iter().any(|other| colors(other).as_ref() == Some(&picture)))
    }
}

/// Returns the opacity of a material.
fn opacity(material: &Json) -> f32 {
    material.pointer("/pbrMetallicRoughness/baseColorFactor/3").and_then(single).unwrap_or(1.0)
}

fn name(json: &Json) -> &str {
    json.get("name").and_then(Json::as_str).unwrap_or_default()
}

fn number(json: &Json, key: &str) -> Option<usize> {
    usize::try_from(json.get(key)?.as_u64()?).ok()
}

/// Returns the nearest ancestor that is a node of both files.
fn above(nodes: &Nodes, node: usize, has: impl Fn(usize) -> bool) -> Option<usize> {
    let mut next = nodes.parent(node);
    let mut left = nodes.all.len();
    while let Some(parent) = next.filter(|parent| !has(*parent) && left > 0) {
        next = nodes.parent(parent);
        left = left.saturating_sub(1);
    }
    next
}

/// Whether a mesh has a triangle that programs keep.
fn has_triangles(glb: &Glb, mesh: usize) -> bool {
    let mesh = glb.document.meshes().nth(mesh);
    let primitives = mesh.and_then(|mesh| glb.primitives(&mesh, &Matrix::IDENTITY).ok()).unwrap_or_default();
    primitives.iter().flat_map(|primitive| &primitive.triangles).any(|triangle| !is_degenerate(triangle))
}

/// Returns the keys of visibility of each node: times, values and interpolation.
fn shown(glb: &Glb) -> HashMap<usize, Json> {
    let mut all = HashMap::new();
    for animation in glb.list("animations") {
        let list = |key: &str| animation.get(key).and_then(Json::as_array).map_or(&[][..], Vec::as_slice);
        for channel in list("channels") {
            let pointer = channel.pointer("/target/extensions/KHR_animation_pointer/pointer");
            let Some(node) = pointer.and_then(shown_node) else { continue };
            let sampler = number(channel, "sampler").and_then(|at| list("samplers").get(at));
            let data = |key: &str| {
                let accessor = glb.document.accessors().nth(number(sampler?, key)?)?;
                let number = |element: &[u8]| match (accessor.data_type(), element) {
                    (DataType::F32, &[a, b, c, d]) => json!(f32::from_le_bytes([a, b, c, d])),
                    (DataType::U8, &[byte]) => json!(byte),
                    _ => Json::Null,
                };
                Some(glb.elements("visibility", &accessor).ok()?.map(number).collect::<Vec<_>>())
            };
            let interpolation = sampler.and_then(|sampler| sampler.get("interpolation"));
            let keys = json!([data("input"), data("output"), interpolation]);
            all.entry(node).and_modify(|keys| *keys = "several".into()).or_insert(keys);
        }
    }
    all
}
