mod compare;
mod curve;
mod level;
mod members;
mod motion;
mod names;
mod nodes;
mod not_read;
mod pack;
mod read;
mod same;
mod world;

use std::collections::btree_map::Entry as Slot;
use std::collections::{BTreeMap, HashMap, HashSet};

use gltf::Node;
use worldview_core::{Path, field_name, quote};
use worldview_edit::account::{Column, Entry, SourcePlace};
use worldview_island::{Element, Geometry, Lod, Lods, Matrix, Mesh, Model, Name, Part, Shading, Textures, raw};

use self::compare::Pair;
use self::level::{Pictures, compare};
use self::motion::Rigging;
use self::nodes::{Nodes, is_same, numbered};
use self::read::{Glb, wrong};
use crate::codes::{ATTRIBUTES_MISSING, GEOMETRY_ELSEWHERE, GLB_CHANGED, NODE_UNKNOWN};
use worldview_edit::island::diff_alone;
use worldview_edit::{Change, Changes, EditError, Planned, Result, Value};

pub use self::not_read::{NOT_READ as GLB_NOT_READ, NotRead, When};
pub use self::world::glb_world;

/// Exports the original with changes, as it was exported before.
pub type Again<'e> = &'e dyn Fn(&Changes) -> Result<Vec<u8>>;

/// Returns the changes that give a model the geometry, colors, positions and animation of a GLB that was exported from it and
/// edited. `exported` is what the same export of the original gives, and `again` what it gives with changes.
///
/// **Objects** are found by the index that the export wrote (`object` in the `extras` of nodes), and else by name; of several with
/// one name, the number that Blender appends is the number in the export. Levels are found by the end of the node's name, ` LOD2`;
/// a node without that end is the level with most of its triangles. Objects and levels that the GLB does not have stay as they are,
/// with a message.
///
/// **Geometry** is compared with a tolerance, wherever the program put the vertices: an import and export without an edit is no
/// change. Triangles are recognized by their positions, and else by their order. Exact duplicates of triangles, and triangles without
/// area, stay if the GLB lacks them. Where triangles came or went, the level is made
/// anew; points of its pools that are still used keep their place. Colors and opacity of materials become those of meshes, and
/// bounds grow with the geometry.
///
/// **Transformations** of an object become keys of its animation node: the values of the keys that it has, or one at time 0.
/// Those of an object that no animation node moves, and of a level below its object, become positions of the mesh. The model
/// itself cannot be moved: it stands where its references place it.
///
/// **Animations** of translation, rotation and scale become keys, and rotations with constant interpolation (`STEP`) keys that are
/// not approached (flag 4). Keys that were sampled (Blender does so by default) are reduced to the keys of the original that still
/// are right, and those that are needed besides; a key of the original between two samples is right if both lie on its curve. Times are rounded to milliseconds. An animation that the GLB lacks stays, with an entry.
///
/// Everything else is compared with the export: what differs is refused unless the export of the result has it, and what the export
/// does not have is left out, each with a message that names the node, mesh, material or picture. [`GLB_NOT_READ`] has what is not read
/// without a word, because programs write it for themselves.
///
/// # Errors
///
/// Returns an error if the file is not a GLB with its data inside, if it requires an extension that changes what is read, such as
/// compression, if it refers to what it does not have, if a number is not finite or a rotation not one, and if it has skins. Parts of
/// the file that cannot be applied are refused by entries, among them:
///
/// - morph targets, several sets of texture coordinates, points
/// - a node with a mesh that has the name of no object, or of one that the game does not draw
/// - a picture that is no texture of the model, and a mesh that gained or lost one
/// - a level with more than 32,767 positions or normals, a mesh with more than 65,535 triangles or vertices, and a node
///   with more than 65,535 keys of a kind
/// - the model itself, or a level that belongs to a part, if it was moved or edited
/// - smooth keys, positions and scales that jump, and keys whose original has no equal in glTF
pub fn glb(original: &Model<'_>, exported: &[u8], edited: &[u8], again: Again<'_>) -> Result<Planned> {
    let pair = Pair::parse(exported, edited)?;
    let Pair { old: old_glb, new: glb, .. } = &pair;
    let mut planned = Planned::default();
    let rigging = Rigging::new(original, &pair)?;
    let rois: Vec<_> = original.rois.iter().collect();
    let names: Vec<&[u8]> = rois.iter().map(|roi| roi.name.text()).collect();
    let textures = Pictures::new(original.own_textures(), rois.iter().flat_map(|roi| pictures(roi.lods)), old_glb);
    let objects: Vec<Object<'_, '_>> = rois
        .iter()
        .map(|roi| Object {
            lods: roi.lods,
            color: roi.color,
            is_drawn: roi.is_drawn(),
            is_shared: roi.is_shared(),
            textures: &textures,
        })
        .collect();
    let mut meshes = rigging.changes(original, &mut planned)?;
    let mut bounds: BTreeMap<usize, Bounds> = BTreeMap::new();
    let [were, all] = levels(&pair, &names, &objects, &mut planned);
    for (number, whole) in objects.iter().enumerate().map(|(number, _)| (number, meshes.remove(&number))) {
        let (Some(object), Some(roi)) = (objects.get(number), rois.get(number)) else { continue };
        let path = names::path("roi", &names, number);
        let mut has_mesh = false;
        for ((_, level), node) in all.range((number, 0)..=(number, usize::MAX)) {
            has_mesh = true;
            let place = names::element(&glb.json, "nodes", node.index());
            let planned_level = rigging
                .moved(number, node.index())
                .ok_or_else(|| {
                    EditError::unsupported(&path, "its mesh is nested too deeply below others; keep its parent")
                })
                .and_then(|moved| {
                    let moved = whole.as_ref().map_or(moved, |whole| moved.then(whole));
                    let old = were.get(&(number, *level));
                    if object.is_shared {
                        is_of_part((old_glb, old), (glb, node), &moved, &path)?;
                        return Ok(());
                    }
                    let bounds = bounds.entry(number).or_insert_with(|| Bounds::new(roi.bounds));
                    let edited = Edited { glb, node, moved: &moved, old: old.map(|old| (old_glb, old)) };
                    object.level(*level, &edited, &path, bounds, &mut planned)
                });
            if let Err(error) = planned_level {
                planned.refuse(&error, SourcePlace::pointer(place));
            }
        }
        if let Some(bounds) = bounds.get(&number) {
            bounds.finish(roi.bounds, &path, &mut planned.changes);
        }
        if whole.is_some() && !has_mesh {
            let why = "no node of the animation moves this object, and it has no mesh in the GLB";
            planned.refuse(&EditError::unsupported(&path, why), SourcePlace::pointer(path.to_string()));
        }
    }
    pair.account(&mut planned, again)?;
    Ok(planned)
}

/// Refuses what was edited of a level that belongs to a part.
fn is_of_part(
    (old_glb, old): (&Glb, Option<&Node<'_>>),
    (glb, node): (&Glb, &Node<'_>),
    moved: &Matrix,
    path: &Path,
) -> Result<()> {
    if *moved != Matrix::IDENTITY {
        let why =
            "its levels are those of a part, and no animation moves it; move its object, or edit the GLB of the part";
        return Err(EditError::unsupported(path, why));
    }
    let meshes = old.and_then(Node::mesh).zip(node.mesh());
    let Some((was, is)) = meshes else {
        return Err(EditError::unsupported(path, "its levels are those of a part, which does not have this one"));
    };
    match same::difference((old_glb, &was), (glb, &is))? {
        Some(what) => {
            let why = format!("{what}, but this is a level of a part; edit the GLB of the part");
            Err(EditError::refused(path, GEOMETRY_ELSEWHERE, why))
        }
        None => Ok(()),
    }
}

/// Returns the changes of a part, as [`glb`] does for the objects of a model. `textures` are those of the list that has the part.
/// Transformations become positions of the mesh.
///
/// # Errors
///
/// Returns an error as [`glb`] does.
pub fn glb_part(
    original: &Part<'_>,
    textures: Textures<'_>,
    exported: &[u8],
    edited: &[u8],
    again: Again<'_>,
) -> Result<Planned> {
    let pair = Pair::parse(exported, edited)?;
    let Pair { old: old_glb, new: glb, new_nodes: nodes, found: known, .. } = &pair;
    let mut planned = Planned::default();
    let pictures = Pictures::new(textures, pictures(original.lods), old_glb);
    let object =
        Object { lods: original.lods, color: Name::default(), is_drawn: true, is_shared: false, textures: &pictures };
    let name = original.name.text();
    let part = nodes.by_name(std::iter::once(&*String::from_utf8_lossy(name))).first().copied().flatten();
    let whole =
        part.and_then(|part| nodes.to_ancestor(part, None)).filter(|whole| !is_same(&Matrix::IDENTITY, whole, 0.0));
    if let Some((at, _)) = nodes.curves.keys().filter(|(at, _)| known.contains(&Some(*at))).min_by_key(|(at, _)| *at) {
        names::refuse_node(&mut planned, &glb.json, *at, GLB_CHANGED, "parts have no animation");
    }
    let objects = std::slice::from_ref(&object);
    let [were, all] = levels(&pair, &[name], objects, &mut planned);
    for ((_, level), node) in all {
        let mut bounds = Bounds::default();
        let place = names::element(&glb.json, "nodes", node.index());
        let below = part.and_then(|part| nodes.to_ancestor(node.index(), Some(part)));
        let too_deep = || wrong(&place, "its mesh is nested too deeply below others");
        let planned_level =
            below.or_else(|| nodes.to_ancestor(node.index(), None)).ok_or_else(too_deep).and_then(|own| {
                let own = if is_same(&Matrix::IDENTITY, &own, 0.0) { Matrix::IDENTITY } else { own };
                // Levels that are not shown lie beside the part, and move with it.
                let moved = whole.as_ref().map_or(own, |whole| own.then(whole));
                let old = were.get(&(0, level)).map(|old| (old_glb, old));
                let edited = Edited { glb, node: &node, moved: &moved, old };
                object.level(level, &edited, &Path::new(), &mut bounds, &mut planned)
            });
        if let Err(error) = planned_level {
            planned.refuse(&error, SourcePlace::pointer(place));
        }
    }
    pair.account(&mut planned, again)?;
    Ok(planned)
}

/// An object with levels of its own.
struct Object<'t, 'a> {
    lods: Lods<'a>,
    color: Name<'a>,
    is_drawn: bool,
    /// Whether its levels are those of a part.
    is_shared: bool,
    /// The textures that its meshes may get.
    textures: &'t Pictures<'a>,
}

/// Returns the names of textures in meshes.
fn pictures<'a>(lods: Lods<'a>) -> impl Iterator<Item = &'a [u8]> {
    lods.iter().flat_map(|lod| lod.meshes.iter().map(|mesh| mesh.texture.text()).collect::<Vec<_>>())
}

impl<'a> Object<'_, 'a> {
    /// The level that a node without a number shows: that with the same triangles, or nearly so; of several, the best one.
    fn shown(&self, glb: &Glb, node: &Node<'_>) -> Result<Option<usize>> {
        let mut geometry = Geometry::default();
        let mut is_drawn = |mesh: &Mesh<'a>| {
            let is_wire = mesh.material(self.color).shading == Shading::Wireframe;
            mesh.decode_into(&mut geometry).is_ok()
                && geometry.indices.as_chunks::<3>().0.iter().any(|[a, b, c]| !is_wire || a != b || b != c)
        };
        let drawn = self.lods.iter().enumerate().filter(|(_, lod)| lod.meshes.iter().any(|mesh| is_drawn(&mesh)));
        let drawn: Vec<_> = drawn.collect();
        if let ([] | [_], _) | (_, None) = (&drawn[..], node.mesh()) {
            return Ok(drawn.first().map(|(at, _)| *at));
        }
        let primitives = node.mesh().map_or_else(|| Ok(Vec::new()), |mesh| glb.primitives(&mesh, &Matrix::IDENTITY))?;
        let difference = |(_, lod): &&(usize, Lod<'a>)| level::difference(lod, self.color, &primitives);
        Ok(drawn.iter().rev().min_by_key(difference).map(|(at, _)| *at))
    }

    /// Adds the changes of a level.
    fn level(
        &self,
        level: usize,
        edited: &Edited<'_>,
        path: &Path,
        bounds: &mut Bounds,
        planned: &mut Planned,
    ) -> Result<()> {
        let path = path.with(|path| path.push_nth(b"lod", u32::try_from(level).unwrap_or(u32::MAX)));
        let Some((lod, mesh)) = self.lods.iter().nth(level).zip(edited.node.mesh()) else {
            return Err(EditError::unsupported(&path, "the object has no such level"));
        };
        let (primitives, lines) = edited.glb.shapes(&mesh, edited.moved)?;
        let old_mesh = edited.old.and_then(|(glb, old)| Some((glb, old.mesh()?)));
        // Lines that were moved with their level differ, too: nothing moves the wireframe itself.
        let old_lines = old_mesh.map(|(glb, old)| glb.shapes(&old, &Matrix::IDENTITY)).transpose()?;
        let old_lines = old_lines.map(|(_, lines)| lines).unwrap_or_default();
        if !same::are_lines_same(old_lines, lines) {
            let why = format!("{}: the lines of a wireframe cannot be edited", edited.place());
            return Err(EditError::refused(&path, GLB_CHANGED, why));
        }
        let mut notes = Vec::new();
        let compared = compare(&lod, self.color, self.textures, &primitives, &path, &mut notes);
        for (material, what) in notes {
            let place = format!("{}, material {}", edited.place(), quote(&material));
            let why = format!("{place}: {what} are missing; those of the original stay");
            let entry = Entry::new(Column::LeftOut, ATTRIBUTES_MISSING, &path, why);
            planned.account.push(entry.at(SourcePlace::pointer(place)));
        }
        let Some(meshes) = compared? else { return Ok(()) };
        let changes = &mut planned.changes;
        let positions = primitives.iter().flat_map(|all| all.triangles.as_flattened());
        positions.for_each(|corner| bounds.hold(corner.position));
        let old = self.bytes(&lod);
        let new = pack::level(&lod, &meshes, &path)?;
        for change in diff_alone(Element::Lod, old, &new)? {
            if let Change::Set { path: inner, from, to } = change {
                let mut path = path.clone();
                path.append(&inner);
                changes.push(Change::Set { path, from, to });
            } else {
                // Elements that are added or removed: the level as a whole says the same.
                let (from, to) = (Some(Value::Bytes(old.to_vec())), Value::Bytes(new.clone()));
                let others = std::mem::take(changes).into_iter().filter(|change| !change.path().is_within(&path));
                *changes = others.collect();
                changes.push(Change::Set { path: path.clone(), from, to });
                break;
            }
        }
        Ok(())
    }

    /// Returns the bytes of a level.
    fn bytes(&self, lod: &Lod<'a>) -> &'a [u8] {
        let at = |offset: u64| usize::try_from(offset.saturating_sub(self.lods.offset())).unwrap_or(usize::MAX);
        self.lods.source().bytes().get(at(lod.at)..at(lod.end)).unwrap_or(&[])
    }
}

/// A level in an edited GLB.
struct Edited<'e> {
    glb: &'e Glb,
    node: &'e Node<'e>,
    moved: &'e Matrix,
    /// The same level in the export.
    old: Option<(&'e Glb, &'e Node<'e>)>,
}

impl Edited<'_> {
    fn place(&self) -> String {
        names::element(&self.glb.json, "nodes", self.node.index())
    }
}

/// The objects that a node may be, and its level.
type NodeKey = (Vec<usize>, Option<usize>);

/// The nodes by object and level.
type LevelNodes<'g> = BTreeMap<(usize, usize), Node<'g>>;

/// Returns the nodes of the export and of the edited GLB with meshes, by the object and level that they are. Others are refused.
fn levels<'g>(
    pair: &'g Pair,
    names: &[&[u8]],
    objects: &[Object<'_, '_>],
    planned: &mut Planned,
) -> [LevelNodes<'g>; 2] {
    let Pair { old, new, old_nodes, new_nodes, .. } = pair;
    let (mut was, mut is) = (LevelNodes::new(), LevelNodes::new());
    by_name((old, old_nodes), (names, objects), &HashSet::new(), &mut was, &mut Planned::default());
    let nodes: Vec<_> = new.document.nodes().collect();
    let found = was.iter().filter_map(|(key, node)| Some((*key, nodes.get(pair.edited(node.index())?)?)));
    is.extend(found.filter(|(_, node)| node.mesh().is_some()).map(|(key, node)| (key, node.clone())));
    // The export does not have the others.
    let known = is.values().map(Node::index).collect();
    by_name((new, new_nodes), (names, objects), &known, &mut is, planned);
    [was, is]
}

/// Adds the nodes that are not `known` by the objects and levels whose names they have. Others are refused.
fn by_name<'g>(
    (glb, nodes): (&'g Glb, &Nodes),
    (names, objects): (&[&[u8]], &[Object<'_, '_>]),
    known: &HashSet<usize>,
    out: &mut LevelNodes<'g>,
    planned: &mut Planned,
) {
    let key = |node: usize| nodes.get(node)?.object.filter(|key| *key < objects.len());
    // Nodes by name and level, those with a number of Blender's behind those without.
    let mut by_name: HashMap<NodeKey, Vec<(u32, Node<'g>)>> = HashMap::new();
    let mut refuse =
        |node: &Node<'_>, why: &str| names::refuse_node(planned, &glb.json, node.index(), NODE_UNKNOWN, why);
    for node in glb.document.nodes().filter(|node| node.mesh().is_some() && !known.contains(&node.index())) {
        let name = node.name().unwrap_or_default();
        let (name, copy) = numbered(name);
        let (bare, level) = match name.rsplit_once(" LOD") {
            Some((bare, digits)) if digits.parse::<usize>().is_ok() => (bare, digits.parse().ok()),
            _ => (name, None),
        };
        // A mesh that hangs below an object is one of its levels if it has its name.
        let above = || {
            let object = key(nodes.parent(node.index())?)?;
            let is_named = names.get(object).is_some_and(|name| String::from_utf8_lossy(name) == bare);
            is_named.then_some(object)
        };
        if let Some((number, object)) =
            key(node.index()).or_else(above).and_then(|number| Some((number, objects.get(number)?)))
        {
            if let Err(why) = put(out, glb, (number, object), level, &node) {
                refuse(&node, &why);
            }
            continue;
        }
        let all = |name: &str| -> Vec<usize> {
            let fits = |(_, other): &(usize, &&[u8])| String::from_utf8_lossy(other) == name;
            names.iter().enumerate().filter(fits).map(|(at, _)| at).collect()
        };
        let whole = node.name().unwrap_or_default();
        let (candidates, copy) = match (all(bare), all(whole)) {
            (list, _) if !list.is_empty() => (list, copy),
            (_, list) => (list, 0),
        };
        if candidates.is_empty() {
            refuse(&node, "the model has no object of this name");
            continue;
        }
        let is_drawn = |object: &usize| objects.get(*object).is_some_and(|object| object.is_drawn);
        let candidates: Vec<usize> = candidates.into_iter().filter(is_drawn).collect();
        if candidates.is_empty() {
            let why = "the game does not draw this object, because others are below it; put the mesh into one of those";
            refuse(&node, why);
            continue;
        }
        by_name.entry((candidates, level)).or_default().push((copy, node));
    }
    for ((candidates, level), mut nodes) in by_name {
        nodes.sort_by_key(|(copy, _)| *copy);
        let mut candidates = candidates.into_iter();
        for (_, node) in nodes {
            let Some((number, object)) = candidates.next().and_then(|number| Some((number, objects.get(number)?)))
            else {
                refuse(&node, "there are more nodes of this name than objects");
                continue;
            };
            if let Err(why) = put(out, glb, (number, object), level, &node) {
                refuse(&node, &why);
            }
        }
    }
}

/// Adds a node as a level; fails with the reason if there is one, or if its mesh cannot be read.
fn put<'g>(
    out: &mut LevelNodes<'g>,
    glb: &Glb,
    (number, object): (usize, &Object<'_, '_>),
    level: Option<usize>,
    node: &Node<'g>,
) -> std::result::Result<(), String> {
    let level = match level {
        None if object.is_shared => Some(usize::MAX),
        None => object.shown(glb, node).map_err(|error| error.to_string())?,
        level => level,
    };
    match out.entry((number, level.ok_or("the object has no level with triangles")?)) {
        Slot::Vacant(entry) => _ = entry.insert(node.clone()),
        Slot::Occupied(_) => return Err("another node is the same level of the same object".to_owned()),
    }
    Ok(())
}

/// Bounds that grow with the geometry.
#[derive(Default)]
struct Bounds {
    minimum: [f32; 3],
    maximum: [f32; 3],
    center: [f32; 3],
    radius: f32,
}

impl Bounds {
    const fn new(stored: &worldview_island::raw::Bounds) -> Self {
        Self {
            minimum: stored.minimum.get(),
            maximum: stored.maximum.get(),
            center: stored.center.get(),
            radius: stored.radius.get(),
        }
    }

    fn hold(&mut self, position: [f32; 3]) {
        let mut square = 0.0;
        for (axis, part) in position.into_iter().enumerate() {
            if let (Some(low), Some(high)) = (self.minimum.get_mut(axis), self.maximum.get_mut(axis)) {
                // `f32::min` may choose -0.0 or 0.0, as the compiler likes; neither is a change.
                if part < *low {
                    *low = part;
                }
                if part > *high {
                    *high = part;
                }
            }
            let distance = part - self.center.get(axis).copied().unwrap_or(0.0);
            square += distance * distance;
        }
        // Rounding is not growth.
        let distance = f32::sqrt(square);
        if distance > self.radius * 1.0001 {
            self.radius = distance;
        }
    }

    fn finish(&self, stored: &raw::Bounds, path: &Path, changes: &mut Changes) {
        let mut set = |name: &str, from: Value, to: Value| {
            if from != to {
                let path = path.with(|path| path.push_name(name.as_bytes()));
                changes.push(Change::Set { path, from: Some(from), to });
            }
        };
        set(field_name!(raw::Bounds, radius), stored.radius.get().into(), self.radius.into());
        set(field_name!(raw::Bounds, minimum), stored.minimum.get()[..].into(), self.minimum[..].into());
        set(field_name!(raw::Bounds, maximum), stored.maximum.get()[..].into(), self.maximum[..].into());
    }
}
