//! The nodes that move the objects of a model, shared by all its placements.
//!
//! In the game, the position of an object is determined by the animation node with its name and that node's
//! ancestors; the hierarchy of the nodes counts, not that of the objects. The nodes of the animation therefore
//! become glTF nodes, each with its object attached.

use std::collections::HashMap;

use worldview_island::{Matrix, Model, Node, Rig};

use super::binary::Values;
use super::document::Document;
use super::frame::Trs;
use super::schema::{Keys, NodeExtras};
use super::track::{Track, rotations, scales, translations};
use super::visibility::{Switches, both, switches};
use crate::Result;

/// A node before it is placed.
pub(super) struct Bone {
    pub(super) name: String,
    /// The index of the parent bone, which comes before this one.
    pub(super) parent: Option<usize>,
    /// The transformation at time 0.
    pub(super) rest: Trs,
    /// The animated properties and their keys.
    pub(super) channels: Vec<(&'static str, Keys)>,
    /// The object that the bone represents.
    pub(super) roi: Option<usize>,
    /// The animation node that moves the bone; `None` for the bone of a placement.
    pub(super) node: Option<usize>,
    pub(super) has_children: bool,
    pub(super) extras: NodeExtras,
}

/// The bones of a model. If it is to be placed, the first bone takes the placement and is an ancestor of all others.
pub(super) struct Skeleton {
    pub(super) bones: Vec<Bone>,
    /// The visibility of each object over time, taking into account its ancestors in the tree of objects; `None` means
    /// always visible.
    pub(super) seen: Vec<Option<Switches>>,
}

impl Skeleton {
    pub(super) fn new(document: &mut Document, model: &Model<'_>, rig: &Rig<'_, '_>, is_placed: bool) -> Result<Self> {
        let nodes = &model.animation.nodes;
        // Each object becomes a node, and the number of nodes is limited.
        document.room_for(model.rois.len(), model.rois.get(0).map_or(0, |root| root.at))?;
        let mut builder = Builder { document, model, rig, bones: Vec::new() };
        // Only nodes with an effect have an entry, because a node without keys takes just seventeen bytes in the file.
        let mut motions = Motions::new();
        for (i, node) in nodes.iter().enumerate().filter(|(i, _)| rig.object_of(*i).is_some()) {
            let motion = builder.motion(&node)?;
            if !motion.is_none() {
                motions.insert(i, motion);
            }
        }
        let base = if is_placed { builder.base(&motions)? } else { Base::NONE };
        let mut bone_of: Vec<Option<u32>> = vec![None; nodes.len()];
        let bone = |bone: Option<u32>| bone.and_then(|bone| usize::try_from(bone).ok());
        for (i, node) in nodes.iter().enumerate() {
            let Some(roi) = rig.object_of(i) else { continue };
            let motion = motions.remove(&i).unwrap_or(Motion::NONE);
            let parent = nodes.parent(i).map_or(base.nodes, |parent| bone(bone_of[parent]));
            let owns = rig.node_of(roi) == Some(i) && !(base.is_root && roi == 0);
            let new = if i == 0 && base.is_first {
                base.nodes
            } else if !owns && motion.is_none() {
                // The object is elsewhere, and the node has no effect on its descendants.
                parent
            } else {
                let name = if owns { None } else { Some(node.name.text()) };
                let new = builder.push(roi, name, parent, motion)?;
                builder.bones[new].node = Some(i);
                Some(new)
            };
            bone_of[i] = new.and_then(|new| u32::try_from(new).ok());
        }
        let mut untouched = base.untouched;
        for roi in (0..model.rois.len()).filter(|&roi| rig.node_of(roi).is_none() && !(base.is_root && roi == 0)) {
            let parent = builder.hang(&mut untouched)?;
            builder.push(roi, None, parent, Motion::NONE)?;
        }
        let seen = builder.seen(is_placed)?;
        Ok(Self { bones: builder.bones, seen })
    }
}

/// How a placed model is attached to its placement.
struct Base {
    /// The parent of the nodes.
    nodes: Option<usize>,
    /// The parent of objects that no node finds: a bone, and a chain below it that has not been created yet.
    untouched: (Option<usize>, Vec<Trs>),
    /// Whether the first bone is the root object, whatever the nodes do to it.
    is_root: bool,
    /// Whether the first bone is the first node, too.
    is_first: bool,
}

impl Base {
    const NONE: Self = Self { nodes: None, untouched: (None, Vec::new()), is_root: false, is_first: false };
}

/// Returns a matrix as a chain of bones, without identities.
fn chain(matrix: &Matrix) -> Vec<Trs> {
    let mut chain = Trs::chain(matrix);
    chain.retain(|link| *link != Trs::IDENTITY);
    chain
}

/// The motion of a node.
struct Motion {
    rest: Trs,
    channels: Vec<(&'static str, Keys)>,
}

/// The motions by node index; all other nodes have none.
type Motions = HashMap<usize, Motion>;

impl Motion {
    const NONE: Self = Self { rest: Trs::IDENTITY, channels: Vec::new() };

    /// Returns whether the motion has no effect.
    fn is_none(&self) -> bool {
        self.channels.is_empty() && self.rest == Trs::IDENTITY
    }
}

struct Builder<'b, 'm, 'a> {
    document: &'b mut Document,
    model: &'m Model<'a>,
    rig: &'b Rig<'m, 'a>,
    bones: Vec<Bone>,
}

impl Builder<'_, '_, '_> {
    /// Adds the first bone, where the model is placed. The root object is exactly there at time 0.
    fn base(&mut self, motions: &Motions) -> Result<Base> {
        let root = self.rig.node_of(0).map(|root| (root, self.posed(root, motions)));
        let undone = root.and_then(|(root, (posed, moves))| Some((root, moves, posed.inverse()?)));
        let direct = |base| Base { nodes: base, untouched: (base, Vec::new()), is_root: true, is_first: false };
        Ok(match undone {
            // As in the game, a transformation that has no inverse is not undone. The root is still at the right
            // place.
            None => direct(Some(self.push(0, None, None, Motion::NONE)?)),
            Some((0, false, undo)) => {
                let base = Some(self.push(0, None, None, Motion::NONE)?);
                Base { untouched: (base, chain(&undo)), is_first: true, ..direct(base) }
            }
            Some((.., undo)) => {
                let name = self.model.rois.get(0).map_or(&[][..], |root| root.name.text());
                let base = Some(self.push(0, Some(name), None, Motion::NONE)?);
                let hung = self.hang(&mut (base, chain(&undo)))?;
                Base { nodes: hung, untouched: (hung, Vec::new()), is_root: false, is_first: false }
            }
        })
    }

    /// Returns the transformation of a node's object at time 0, and whether it changes over time.
    fn posed(&self, node: usize, motions: &Motions) -> (Matrix, bool) {
        let nodes = &self.model.animation.nodes;
        let mut matrix = Matrix::IDENTITY;
        let mut moves = false;
        let mut next = Some(node);
        while let Some(i) = next {
            if let Some(node) = nodes.get(i) {
                matrix = matrix.then(&node.local(0.0));
            }
            moves |= motions.get(&i).is_some_and(|motion| !motion.channels.is_empty());
            next = nodes.parent(i);
        }
        (matrix, moves)
    }

    /// Creates the remaining bones of a chain, and returns the last one.
    fn hang(&mut self, (parent, chain): &mut (Option<usize>, Vec<Trs>)) -> Result<Option<usize>> {
        for rest in chain.drain(..) {
            let motion = Motion { rest, ..Motion::NONE };
            *parent = Some(self.push(0, Some(b"undo"), *parent, motion)?);
        }
        Ok(*parent)
    }

    /// Adds the bone of an object, or a bone with a different name that only moves others.
    fn push(&mut self, roi: usize, name: Option<&[u8]>, parent: Option<usize>, motion: Motion) -> Result<usize> {
        self.document.room_for(self.bones.len() + 1, self.model.rois.get(roi).map_or(0, |roi| roi.at))?;
        let bone = self.fresh(roi, name, parent, motion);
        if let Some(parent) = bone.parent {
            self.bones[parent].has_children = true;
        }
        self.bones.push(bone);
        Ok(self.bones.len() - 1)
    }

    fn fresh(&self, number: usize, name: Option<&[u8]>, parent: Option<usize>, motion: Motion) -> Bone {
        let Motion { rest, channels } = motion;
        let mut extras = NodeExtras::default();
        let roi = self.model.rois.get(number).filter(|_| name.is_none());
        if let Some(roi) = roi {
            let text = |bytes: &[u8]| self.document.text(bytes);
            extras.object = Some(number);
            extras.color = (!roi.color.is_absent()).then(|| text(roi.color.text()));
            extras.shares = roi.is_shared().then(|| text(roi.list_name()));
            let node = self.rig.node_of(number).and_then(|node| self.model.animation.nodes.get(node));
            let morphs = node.map_or(&[][..], |node| node.morphs);
            extras.visibility = morphs.iter().map(|key| (key.when.time(), key.visible)).collect();
        }
        let name = self.document.text(name.or(roi.map(|roi| roi.name.text())).unwrap_or_default());
        Bone { name, parent, rest, channels, roi: roi.map(|_| number), node: None, has_children: false, extras }
    }

    /// Returns the motion of a node: its keys converted to glTF. Keys that never change a value only contribute to the
    /// transformation at rest.
    fn motion(&mut self, node: &Node<'_>) -> Result<Motion> {
        let mut channels = Vec::new();
        let mut out = Trs::IDENTITY;
        out.translation =
            self.channel(node, "translation", translations(node.translations), out.translation, &mut channels)?;
        out.rotation = self.channel(node, "rotation", rotations(node.rotations), out.rotation, &mut channels)?;
        out.scale = self.channel(node, "scale", scales(node.scales), out.scale, &mut channels)?;
        Ok(Motion { rest: out, channels })
    }

    fn channel<const N: usize>(
        &mut self,
        node: &Node<'_>,
        path: &'static str,
        track: Track<N>,
        none: [f32; N],
        channels: &mut Vec<(&'static str, Keys)>,
    ) -> Result<[f32; N]> {
        if track.moves() {
            self.document.spend(512 + (4 + 4 * N) * track.times.len(), node.at)?;
            let mut values = Values::with_capacity((4 + 4 * N) * track.times.len(), 2);
            values.times(&track.times);
            values.keys(&track.values);
            let input = self.document.binary.add(values);
            let interpolation = if track.is_step { "STEP" } else { "LINEAR" };
            channels.push((path, Keys { input, output: input + 1, interpolation }));
        }
        Ok(track.rest(none))
    }

    /// Returns the visibility of each object over time. For the root of a placed model, the reference overrides the
    /// keys.
    fn seen(&mut self, is_placed: bool) -> Result<Vec<Option<Switches>>> {
        let nodes = &self.model.animation.nodes;
        let mut out: Vec<Option<Switches>> = Vec::new();
        for (number, roi) in self.model.rois.iter().enumerate() {
            let node = self.rig.node_of(number).filter(|_| !(is_placed && number == 0));
            let own = node.and_then(|node| switches(nodes.get(node)?.morphs));
            let above = self.model.rois.parent(number).and_then(|parent| out[parent].as_ref());
            if let (Some(above), Some(own)) = (above, &own) {
                // Both lists are walked completely, however few switches remain when they are combined.
                self.document.spend(8 * (above.len() + own.len()), roi.at)?;
            }
            let all = both(above, own.as_ref());
            out.push(all);
        }
        Ok(out)
    }
}
