mod curve;
mod level;
mod motion;
mod nodes;
mod pack;
mod read;
mod world;

use std::collections::HashMap;

use gltf::Node;
use worldview_core::Path;
use worldview_core::account::Account;
use worldview_island::{Element, Geometry, Lod, Lods, Matrix, Mesh, Model, Name, Part, Shading, Textures};

use self::level::{Compared, Pictures, compare};
use self::motion::Rigging;
use self::nodes::{Nodes, is_same, numbered};
use self::read::{Glb, wrong};
use worldview_edit::island::diff_alone;
use worldview_edit::{Change, Changes, EditError, EditErrorKind, Planned, Result, Value};

pub use self::world::glb_world;

/// Returns the changes that give a model the geometry, colors, positions and animation of a GLB that was exported from it and
/// edited. `note` gets what a person should know.
///
/// **Objects** are found by the index that the export wrote (`object` in the `extras` of nodes), and else by name; of several with
/// one name, the number that Blender appends is the number in the export. Levels are found by the end of the node's name, ` LOD2`;
/// a node without that end is the level with most of its triangles. Objects and levels that the GLB does not have stay as they are.
///
/// **Geometry** is compared with a tolerance, wherever the program put the vertices: an import and export without an edit is no
/// change. Triangles are recognized by their positions, and else by their order. Where triangles came or went, the level is made
/// anew; points of its pools that are still used keep their place. Colors and opacity of materials become those of meshes, and
/// bounds grow with the geometry.
///
/// **Transformations** of an object become keys of its animation node: the values of the keys that it has, or one at time 0.
/// Those of an object that no animation node moves, and of a level below its object, become positions of the mesh. The model
/// itself cannot be moved: it stands where its references place it.
///
/// **Animations** of translation, rotation and scale become keys. Keys that were sampled (Blender does so by default) are reduced to
/// the keys of the original that still are right, and those that are needed besides. Times are rounded to milliseconds. An animation that the
/// GLB lacks stays, with a note.
///
/// Not read: visibility, pictures (edit the PNG), and levels that an object shares (edit the GLB of the part).
///
/// # Errors
///
/// Returns an error if:
///
/// - the file is not a GLB with its data inside, or a number is not finite
/// - it has skins, morph targets or several sets of texture coordinates
/// - a node with a mesh has the name of no object, or of one that the game does not draw
/// - a picture is no texture of the model, or a mesh gained or lost one
/// - a level would have more than 32,767 positions or normals, a mesh more than 65,535 triangles or vertices, or a node
///   more than 65,535 keys of a kind
/// - the model itself, or a level that belongs to a part, was moved
/// - the keys of an animation are smooth or jump, or its original keys have no equal in glTF
pub fn glb(original: &Model<'_>, edited: &[u8]) -> Result<Planned> {
    let glb = Glb::parse(edited)?;
    let nodes = Nodes::new(&glb)?;
    let rigging = Rigging::new(original, &nodes)?;
    let rois: Vec<_> = original.rois.iter().collect();
    let names: Vec<&[u8]> = rois.iter().map(|roi| roi.name.text()).collect();
    let has_others = rois.iter().any(|roi| roi.is_shared());
    let textures =
        Pictures::new(original.own_textures(), (!has_others).then(|| rois.iter().flat_map(|roi| pictures(roi.lods))));
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
    let (mut changes, mut account) = (Changes::new(), Account::default());
    let mut meshes = rigging.changes(original, &mut changes, &mut account)?;
    for (number, levels) in found(&glb, &nodes, &names, &objects)? {
        let (Some(object), Some(roi)) = (objects.get(number), rois.get(number)) else { continue };
        let mut path = Path::new();
        let same = || names.iter().enumerate().filter(|(_, name)| **name == roi.name.text());
        let nth = same().position(|(at, _)| at == number).and_then(|nth| u32::try_from(nth).ok());
        path.push("roi", roi.name.text(), nth.filter(|_| same().count() > 1));
        let mut bounds = Bounds::new(roi.bounds);
        let whole = meshes.remove(&number);
        for (level, node) in levels {
            let moved = rigging.moved(number, node.index()).ok_or_else(|| {
                EditError::unsupported(&path, "its mesh hangs too deep below others; keep its parent")
            })?;
            let moved = whole.as_ref().map_or(moved, |whole| moved.then(whole));
            if !object.is_shared {
                object.level(&glb, level, (&node, &moved), &path, &mut bounds, &mut changes)?;
            } else if moved != Matrix::IDENTITY {
                let why = "its levels are those of a part, and no animation moves it; move its object, or edit the GLB of the part";
                return Err(EditError::unsupported(&path, why));
            }
        }
        bounds.finish(roi.bounds, &path, &mut changes);
    }
    if let Some(name) = meshes.keys().min().and_then(|object| names.get(*object)) {
        let mut path = Path::new();
        path.push("roi", name, None);
        return Err(EditError::unsupported(
            &path,
            "no node of the animation moves this object, and it has no mesh in the GLB",
        ));
    }
    Ok(Planned { changes, account })
}

/// Returns the changes of a part, as [`glb`] does for the objects of a model. `textures` are those of the list that has the part.
/// Transformations become positions of the mesh.
///
/// # Errors
///
/// Returns an error as [`glb`] does.
pub fn glb_part(original: &Part<'_>, textures: Textures<'_>, edited: &[u8]) -> Result<Planned> {
    let glb = Glb::parse(edited)?;
    let nodes = Nodes::new(&glb)?;
    let pictures = Pictures::new(textures, Some(pictures(original.lods)));
    let object =
        Object { lods: original.lods, color: Name::default(), is_drawn: true, is_shared: false, textures: &pictures };
    let name = original.name.text();
    let part = nodes.by_name(std::iter::once(&*String::from_utf8_lossy(name))).first().copied().flatten();
    let whole =
        part.and_then(|part| nodes.to_ancestor(part, None)).filter(|whole| !is_same(&Matrix::IDENTITY, whole, 0.0));
    let mut changes = Changes::new();
    for (_, levels) in found(&glb, &nodes, &[name], std::slice::from_ref(&object))? {
        for (level, node) in levels {
            let mut bounds = Bounds::default();
            let below = part.and_then(|part| nodes.to_ancestor(node.index(), Some(part)));
            let too_deep = || wrong("the part", "its mesh hangs too deep below others");
            let own = below.or_else(|| nodes.to_ancestor(node.index(), None)).ok_or_else(too_deep)?;
            let own = if is_same(&Matrix::IDENTITY, &own, 0.0) { Matrix::IDENTITY } else { own };
            // Levels that are not shown lie beside the part, and move with it.
            let moved = whole.as_ref().map_or(own, |whole| own.then(whole));
            object.level(&glb, level, (&node, &moved), &Path::new(), &mut bounds, &mut changes)?;
        }
    }
    Ok(changes.into())
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
        glb: &Glb,
        level: usize,
        (node, moved): (&Node<'_>, &Matrix),
        path: &Path,
        bounds: &mut Bounds,
        changes: &mut Changes,
    ) -> Result<()> {
        let (Some(lod), Some(mesh)) = (self.lods.get(level), node.mesh()) else { return Ok(()) };
        let mut path = path.clone();
        path.push_nth(b"lod", u32::try_from(level).unwrap_or(u32::MAX));
        let primitives = glb.primitives(&mesh, moved)?;
        let meshes = match compare(&lod, self.color, self.textures, &primitives) {
            Compared::Same => return Ok(()),
            Compared::New(meshes) => meshes,
            Compared::Broken(error) => return Err(EditError::from(error)),
            Compared::Refused(why) => return Err(EditError::new(&path, EditErrorKind::Malformed { line: None, why })),
        };
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

/// The objects that a node may be, and its level.
type NodeKey = (Vec<usize>, Option<usize>);

/// Objects with their levels and the nodes of these.
type ObjectNodes<'g> = Vec<(usize, Vec<(usize, Node<'g>)>)>;

/// Returns the nodes with meshes by the object and level that they are.
fn found<'g>(glb: &'g Glb, nodes: &Nodes, names: &[&[u8]], objects: &[Object<'_, '_>]) -> Result<ObjectNodes<'g>> {
    let key = |node: usize| nodes.get(node)?.object.filter(|key| *key < objects.len());
    // Nodes by name and level, those with a number of Blender's behind those without.
    let mut by_name: HashMap<NodeKey, Vec<(u32, Node<'g>)>> = HashMap::new();
    let mut out: std::collections::BTreeMap<(usize, usize), Node<'g>> = std::collections::BTreeMap::new();
    for node in glb.document.nodes().filter(|node| node.mesh().is_some()) {
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
            let level = match level {
                None if object.is_shared => Some(usize::MAX),
                None => object.shown(glb, &node)?,
                level => level,
            };
            level.into_iter().for_each(|level| _ = out.insert((number, level), node.clone()));
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
            return Err(wrong(&format!("node {whole:?}"), "the model has no object of this name"));
        }
        let is_drawn = |object: &usize| objects.get(*object).is_some_and(|object| object.is_drawn);
        let candidates: Vec<usize> = candidates.into_iter().filter(is_drawn).collect();
        if candidates.is_empty() {
            let why = "the game does not draw this object, because others are below it; put the mesh into one of those";
            return Err(wrong(&format!("node {whole:?}"), why));
        }
        by_name.entry((candidates, level)).or_default().push((copy, node));
    }
    for ((candidates, level), mut nodes) in by_name {
        nodes.sort_by_key(|(copy, _)| *copy);
        for ((_, node), object) in nodes.into_iter().zip(candidates) {
            let Some(known) = objects.get(object) else { continue };
            let level = match level {
                None if known.is_shared => Some(usize::MAX),
                None => known.shown(glb, &node)?,
                level => level,
            };
            if let Some(level) = level {
                out.entry((object, level)).or_insert(node);
            }
        }
    }
    let mut list: ObjectNodes<'g> = Vec::new();
    for ((object, level), node) in out {
        match list.last_mut() {
            Some((last, levels)) if *last == object => levels.push((level, node)),
            _ => list.push((object, vec![(level, node)])),
        }
    }
    Ok(list)
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

    fn finish(&self, stored: &worldview_island::raw::Bounds, path: &Path, changes: &mut Changes) {
        let mut set = |name: &str, from: Value, to: Value| {
            if from != to {
                let mut path = path.clone();
                path.push_name(name.as_bytes());
                changes.push(Change::Set { path, from: Some(from), to });
            }
        };
        set("radius", stored.radius.get().into(), self.radius.into());
        set("minimum", stored.minimum.get()[..].into(), self.minimum[..].into());
        set("maximum", stored.maximum.get()[..].into(), self.maximum[..].into());
    }
}
