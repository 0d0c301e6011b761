//! The changes to a model's animation that moved nodes and edited animations of a GLB make.

use std::collections::HashMap;

use worldview_core::Path;
use worldview_edit::account::{Column, Entry, SourcePlace};
use worldview_export::Encoding;
use worldview_export::model::glb::{Bone, Track, bones};
use worldview_island::{Element, Matrix, Model, Node};
use zerocopy::IntoBytes as _;

use super::compare::Pair;
use super::curve::{Curve, Key, Property, edited, holds, is_constant, is_near, keys};
use super::names;
use super::nodes::{Nodes, Trs, has_same_axes, has_same_origin, is_same, mirrored, turned};
use crate::codes::{ANIMATED_NODE_MOVED, ANIMATION_MISSING};
use worldview_core::quote;
use worldview_edit::island::diff_alone;
use worldview_edit::{EditError, Planned, Result, Value};

/// The nodes of a model's export, and which nodes of a GLB they are.
pub(super) struct Rigging<'g> {
    bones: Vec<Bone>,
    nodes: &'g Nodes,
    found: Vec<Option<usize>>,
    /// The bone of each object.
    of_object: HashMap<usize, usize>,
}

impl<'g> Rigging<'g> {
    pub(super) fn new(model: &Model<'_>, pair: &'g Pair) -> Result<Self> {
        let bones = bones(model, Encoding::default()).map_err(crate::not_exported)?;
        let of_object: HashMap<usize, usize> =
            bones.iter().enumerate().filter_map(|(at, bone)| Some((bone.object?, at))).collect();
        let mut exported = pair.old_nodes.by_name(bones.iter().map(|bone| bone.name.as_str()));
        for (node, standing) in pair.old_nodes.all.iter().enumerate() {
            let bone = standing.object.and_then(|object| exported.get_mut(*of_object.get(&object)?));
            bone.into_iter().for_each(|bone| *bone = Some(node));
        }
        let found = exported.into_iter().map(|node| pair.edited(node?)).collect();
        Ok(Self { bones, nodes: &pair.new_nodes, found, of_object })
    }

    fn node_of(&self, bone: usize) -> Option<usize> {
        self.found.get(bone).copied().flatten()
    }

    /// Returns the transformation of a bone at rest.
    fn rest(&self, bone: usize) -> Trs {
        self.bones.get(bone).map_or_else(
            || Trs::of(&Matrix::IDENTITY),
            |bone| Trs {
                translation: bone.translation.rest([0.0; 3]),
                rotation: bone.rotation.rest([0.0, 0.0, 0.0, 1.0]),
                scale: bone.scale.rest([1.0; 3]),
            },
        )
    }

    /// Returns the nearest ancestor of a bone that the GLB has, and the transformation between them at rest.
    fn above(&self, bone: usize) -> (Option<usize>, Option<Matrix>) {
        let (mut between, mut next) = (None, self.bones.get(bone).and_then(|bone| bone.parent));
        while let Some(parent) = next {
            if let Some(node) = self.node_of(parent) {
                return (Some(node), between);
            }
            let rest = self.rest(parent).matrix();
            between = Some(between.map_or(rest, |below: Matrix| below.then(&rest)));
            next = self.bones.get(parent).and_then(|parent| parent.parent);
        }
        (None, between)
    }

    /// Returns where a bone stands in the edited GLB, relative to its parent in the export.
    fn stands(&self, bone: usize, node: usize) -> Option<(Trs, Matrix)> {
        let standing = self.nodes.get(node)?;
        let (parent, between) = self.above(bone);
        if standing.parent == parent && between.is_none() {
            return Some((standing.trs, standing.matrix));
        }
        let undone = between.map_or(Some(Matrix::IDENTITY), |between| between.inverse())?;
        let matrix = self.nodes.relative(node, parent)?.then(&undone);
        Some((Trs::of(&matrix), matrix))
    }

    /// Returns how a mesh was moved relative to its object.
    pub(super) fn moved(&self, object: usize, node: usize) -> Option<Matrix> {
        let own = self.of_object.get(&object).and_then(|bone| self.node_of(*bone));
        if own == Some(node) {
            return Some(Matrix::IDENTITY);
        }
        let relative = own.and_then(|own| self.nodes.to_ancestor(node, Some(own)));
        let is_unmoved = |matrix: &Matrix| is_same(&Matrix::IDENTITY, matrix, self.nodes.around(own));
        if let Some(matrix) = relative {
            return Some(if is_unmoved(&matrix) { Matrix::IDENTITY } else { matrix });
        }
        // Levels that are not shown lie beside the objects. An object that was exported alone stands where it stood.
        let world = self.nodes.to_ancestor(node, None)?;
        let mut rest = Matrix::IDENTITY;
        let mut next = self.of_object.get(&object).copied();
        while let Some(bone) = next {
            rest = rest.then(&self.rest(bone).matrix());
            next = self.bones.get(bone).and_then(|bone| bone.parent);
        }
        let stays = is_unmoved(&world) || is_same(&rest, &world, 0.0);
        Some(if stays { Matrix::IDENTITY } else { world })
    }

    /// Adds the changes of the model's animation. Returns how the meshes of objects were moved that no animation moves.
    pub(super) fn changes(&self, model: &Model<'_>, planned: &mut Planned) -> Result<HashMap<usize, Matrix>> {
        let mut meshes = HashMap::new();
        let mut missing = Vec::new();
        for (at, bone) in self.bones.iter().enumerate() {
            let Some(node) = self.node_of(at) else { continue };
            if let Err(error) = self.bone((at, bone), node, model, (&mut meshes, &mut missing), planned) {
                planned.refuse(&error, SourcePlace::pointer(format!("node {}", quote(&bone.name))));
            }
        }
        if !missing.is_empty() {
            let names = missing.join(", ");
            let why = format!("has no animation of {names}; that of the original stays");
            planned.account.push(Entry::new(Column::LeftOut, ANIMATION_MISSING, &Path::new(), why));
        }
        Ok(meshes)
    }

    /// Adds the changes of a node of the animation, or how the mesh of its object was moved.
    fn bone<'b>(
        &'b self,
        (at, bone): (usize, &'b Bone),
        node: usize,
        model: &Model<'_>,
        (meshes, missing): (&mut HashMap<usize, Matrix>, &mut Vec<&'b str>),
        planned: &mut Planned,
    ) -> Result<()> {
        let Some((trs, matrix)) = self.stands(at, node) else {
            let why = "it has another parent than in the export; keep its parent";
            return Err(super::read::wrong(&format!("node {:?}", bone.name), why));
        };
        let curve = |property| self.nodes.curves.get(&(node, property));
        let curves = [Property::Translation, Property::Rotation, Property::Scale].map(curve);
        let moves = [bone.translation.moves(), bone.rotation.moves(), bone.scale.moves()];
        let is_keyed = |at: usize| curves.get(at).is_some_and(Option::is_some) || moves.get(at) == Some(&true);
        // Keys decide where an object stands, not its node.
        let rest = self.rest(at);
        let shown = Trs {
            translation: if is_keyed(0) { rest.translation } else { trs.translation },
            rotation: if is_keyed(1) { rest.rotation } else { trs.rotation },
            scale: if is_keyed(2) { rest.scale } else { trs.scale },
        };
        let (old, new) = (rest.matrix(), if (0..3).any(is_keyed) { shown.matrix() } else { matrix });
        let is_moved = !has_same_origin(&old, &new, 0.0)
            && !has_same_origin(&old, &new, self.nodes.around(self.nodes.parent(node)));
        let is_turned = !has_same_axes(&old, &new);
        let Some((number, moved)) = bone.node.and_then(|number| Some((number, model.animation.nodes.get(number)?)))
        else {
            if let (Some(object), true) = (bone.object, is_moved || is_turned) {
                meshes.insert(object, new);
            }
            return Ok(());
        };
        let names: Vec<&[u8]> = model.animation.nodes.iter().map(|node| node.name.text()).collect();
        let path = names::path("node", &names, number);
        if (is_moved || is_turned) && (bone.object == Some(0) || bone.parent.is_none()) {
            let why = "references of a world place the model: move it in the GLB of a world, or apply the \
                       transformation to its meshes";
            return Err(EditError::unsupported(&path, why));
        }
        let is_outside = [
            bone.translation.moves() && is_outside(&trs.translation, curves[0], &bone.translation),
            bone.rotation.moves() && is_outside(&trs.rotation, curves[1], &bone.rotation),
            bone.scale.moves() && is_outside(&trs.scale, curves[2], &bone.scale),
        ];
        if is_outside.contains(&true) {
            let why = format!("node {:?} is animated: its keys decide where it is, not its own position", bone.name);
            planned.account.push(Entry::new(Column::LeftOut, ANIMATED_NODE_MOVED, &path, why));
        }
        let lacks = moves.iter().zip(curves).any(|(moves, curve)| *moves && curve.is_none());
        missing.extend(lacks.then_some(bone.name.as_str()));
        let turned_only = is_turned && !is_near(&rest.rotation, &shown.rotation);
        let scaled_only = is_turned && !is_near(&rest.scale, &shown.scale);
        let raw = |keys: &[worldview_island::raw::VectorKey]| -> Vec<Key<3>> {
            keys.iter().map(|key| (key.when.word.get(), key.value.get())).collect()
        };
        let old_keys = (raw(moved.translations), rotations(&moved), raw(moved.scales));
        let new_keys = (
            property(
                &old_keys.0,
                &bone.translation,
                (curves[0], [0.0; 3]),
                is_moved.then_some(shown.translation),
                mirrored,
                &path,
            )?,
            property(
                &old_keys.1,
                &bone.rotation,
                (curves[1], [0.0, 0.0, 0.0, 1.0]),
                turned_only.then_some(shown.rotation),
                turned,
                &path,
            )?,
            property(
                &old_keys.2,
                &bone.scale,
                (curves[2], [1.0; 3]),
                scaled_only.then_some(shown.scale),
                |scale| scale,
                &path,
            )?,
        );
        if let (None, None, None) = new_keys {
            return Ok(());
        }
        let old = bytes(&moved, (&old_keys.0, &old_keys.1, &old_keys.2));
        let new = bytes(
            &moved,
            (
                new_keys.0.as_ref().unwrap_or(&old_keys.0),
                new_keys.1.as_ref().unwrap_or(&old_keys.1),
                new_keys.2.as_ref().unwrap_or(&old_keys.2),
            ),
        );
        planned.changes.extend(diff_alone(Element::Node, &old, &new)?.prefixed(&path));
        Ok(())
    }
}

/// Whether a value is none of an animation.
fn is_outside<const N: usize>(value: &[f32; N], curve: Option<&Curve>, track: &Track<N>) -> bool {
    !holds(curve.map_or_else(|| track.values.as_flattened(), |curve| &curve.values), value)
}

fn rotations(node: &Node<'_>) -> Vec<Key<4>> {
    node.rotations.iter().map(|key| (key.when.word.get(), key.get())).collect()
}

/// Returns the new keys of a property; `None` if they are as before.
fn property<const N: usize>(
    old: &[Key<N>],
    track: &Track<N>,
    (curve, none): (Option<&Curve>, [f32; N]),
    moved: Option<[f32; N]>,
    convert: fn([f32; N]) -> [f32; N],
    path: &Path,
) -> Result<Option<Vec<Key<N>>>> {
    let times: Vec<u32> = old.iter().map(|(when, _)| when & 0xFF_FFFF).collect();
    let mut moved = moved;
    if let Some(curve) = curve {
        let curve = curve.track::<N>().ok_or_else(|| {
            let why = "its keys are interpolated smoothly, which the game cannot do; make them linear or sample them";
            EditError::unsupported(path, why)
        })?;
        if track.moves() || !is_constant(&curve) {
            let new = edited(&times, track, &curve, path)?;
            let new = new.map(|new| keys(old, track, (new, curve.is_step), convert));
            return Ok(new.filter(|new| new.as_slice() != old));
        }
        // Keys that never change a value.
        moved = curve.values.first().copied().filter(|value| !is_near(&track.rest(none), value));
    }
    let Some(value) = moved else { return Ok(None) };
    let mut new: Vec<(u32, [f32; N])> = times.into_iter().map(|time| (time, value)).collect();
    if new.first().is_none_or(|(time, _)| *time > 0) {
        new.insert(0, (0, value));
    }
    let count = new.len();
    if u16::try_from(count).is_err() {
        let value = Value::from(u64::try_from(count).unwrap_or(u64::MAX));
        let limit = "a node has at most 65535 keys of a kind".to_owned();
        return Err(EditError::does_not_fit(path, value, limit));
    }
    Ok(Some(keys(old, track, (new, false), convert)))
}

/// Returns the bytes of a node without what is below it.
fn bytes(node: &Node<'_>, (translations, rotations, scales): (&[Key<3>], &[Key<4>], &[Key<3>])) -> Vec<u8> {
    fn put<const N: usize>(keys: &[Key<N>], out: &mut Vec<u8>) {
        out.extend(u16::try_from(keys.len()).unwrap_or(u16::MAX).to_le_bytes());
        for (when, value) in keys {
            out.extend(when.to_le_bytes());
            out.extend(value.iter().flat_map(|part| part.to_le_bytes()));
        }
    }
    let name = node.name.counted();
    let mut out = u32::try_from(name.len()).unwrap_or(u32::MAX).to_le_bytes().to_vec();
    out.extend(name);
    put(translations, &mut out);
    put(rotations, &mut out);
    put(scales, &mut out);
    out.extend(u16::try_from(node.morphs.len()).unwrap_or(u16::MAX).to_le_bytes());
    out.extend(node.morphs.as_bytes());
    out.extend([0; 4]);
    out
}
