//! Adds models to the scene as nodes.

use std::rc::Rc;

use worldview_island::{LodsAt, Matrix, Name, Roi, ScopedNames, Tree};

use super::binary::Values;
use super::document::Document;
use super::frame::Trs;
use super::levels::{Levels, Object, Store};
use super::report::ReferenceKind;
use super::schema::{
    Animation, AnimationExtras, Channel, Keys, LOD, LowerNodes, Node, NodeExtras, POINTER, Pointer, Target,
    TargetExtensions, VISIBILITY, Visibility,
};
use super::skeleton::Skeleton;
use super::visibility::{Switches, at_first};
use crate::Result;

/// A model to be added to the scene.
pub(super) struct Figure<'f, 'a> {
    pub(super) skeleton: &'f Skeleton,
    pub(super) rois: &'f Tree<'a, Roi<'a>>,
    /// The index of the model's blob.
    pub(super) blob: usize,
    /// The name of its animation.
    pub(super) name: &'a [u8],
    /// The stored duration in milliseconds.
    pub(super) duration: i32,
    /// The placement, if the model is placed.
    pub(super) place: Option<Place<'a>>,
}

/// The placement of a model.
pub(super) struct Place<'a> {
    /// The index of the reference.
    pub(super) reference: usize,
    pub(super) matrix: Matrix,
    pub(super) visible: bool,
    pub(super) presenter: Name<'a>,
}

/// Adds a model's nodes and animation.
pub(super) fn add<'a>(
    document: &mut Document,
    store: &mut Store<'_, '_, 'a>,
    names: Option<&ScopedNames<'_, '_, 'a>>,
    figure: &Figure<'_, 'a>,
) -> Result<()> {
    let mut nodes = Vec::new();
    let extras = AnimationExtras { duration: figure.duration };
    let mut animation = Animation { name: document.text(figure.name), extras, ..Animation::default() };
    for (i, bone) in figure.skeleton.bones.iter().enumerate() {
        let at = bone.roi.and_then(|roi| figure.rois.get(roi)).map_or(0, |roi| roi.at);
        let mut node = Node { name: bone.name.clone(), ..posed(&bone.rest) };
        document.spend(bone.extras.size(), at)?;
        let mut extras = bone.extras.clone();
        if let (0, Some(place)) = (i, &figure.place) {
            let name = std::mem::take(&mut node.name);
            // The axes are perpendicular, so the chain has a single element.
            node = Node { name, ..posed(Trs::chain(&place.matrix).first().unwrap_or(&Trs::IDENTITY)) };
            extras.reference = Some(place.reference);
            extras.model = Some(document.text(figure.name));
            extras.presenter = Some(document.text(place.presenter.text()));
        }
        node.extras = (extras != NodeExtras::default()).then(|| Box::new(extras));
        let node = document.node(node, at)?;
        if i == 0 && figure.place.as_ref().is_some_and(|place| !place.visible) {
            show(document, node, false);
        }
        nodes.push(node);
        match bone.parent {
            Some(parent) => document.root.nodes[nodes[parent]].children.push(node),
            None => document.root.scenes[0].nodes.push(node),
        }
        for &(path, keys) in &bone.channels {
            document.spend(160, at)?;
            animation.add(keys, Target { node: Some(node), path, extensions: None });
        }
        let Some(roi) = bone.roi else { continue };
        let seen = figure.skeleton.seen.get(roi).and_then(Option::as_ref);
        if store.visible_only && !at_first(seen) {
            continue;
        }
        let Some(levels) = levels(document, store, names, figure, roi)? else { continue };
        draw(document, &levels, node, (seen, bone.has_children), &mut animation, at)?;
    }
    if !animation.channels.is_empty() {
        document.root.animations.push(animation);
    }
    Ok(())
}

fn posed(rest: &Trs) -> Node {
    let Trs { translation, rotation, scale } = *rest;
    let other = Trs::IDENTITY;
    Node {
        translation: (translation != other.translation).then_some(translation),
        rotation: (rotation != other.rotation).then_some(rotation),
        scale: (scale != other.scale).then_some(scale),
        ..Node::default()
    }
}

/// Returns the levels of an object that are drawn. As in the game, objects with children are not drawn.
fn levels<'a>(
    document: &mut Document,
    store: &mut Store<'_, '_, 'a>,
    names: Option<&ScopedNames<'_, '_, 'a>>,
    figure: &Figure<'_, 'a>,
    number: usize,
) -> Result<Option<Rc<Levels>>> {
    let Some(roi) = figure.rois.get(number).filter(|roi| roi.is_drawn()) else { return Ok(None) };
    let (list, lods) = if roi.is_shared() {
        let found = names.and_then(|names| names.lods(number, roi.list_name()));
        let Some((list, lods)) = found.and_then(|list| Some((list, store.library.lods_at(list)?))) else {
            let name = document.text(roi.list_name());
            document.report.miss(ReferenceKind::Levels, roi.at, name);
            return Ok(None);
        };
        (list, lods)
    } else {
        (LodsAt::Roi { blob: figure.blob, roi: number }, roi.lods)
    };
    let object = Object { at: roi.at, name: roi.name.text(), of: Some((figure.blob, roi.color)) };
    let levels = store.levels(document, list, lods, object)?;
    Ok(Some(levels).filter(|levels| !levels.meshes.is_empty()))
}

/// Attaches levels to a node, with visibility keys if they are not always visible.
fn draw(
    document: &mut Document,
    levels: &Levels,
    node: usize,
    (seen, has_children): (Option<&Switches>, bool),
    animation: &mut Animation,
    at: u64,
) -> Result<()> {
    let mut node = node;
    if let Some(switches) = seen {
        // Visibility applies to all descendants of a node, but here it only concerns the object itself.
        if has_children {
            let name = document.root.nodes[node].name.clone();
            node = child(document, node, Node { name, ..Node::default() }, at)?;
        }
        show(document, node, at_first(seen));
        if switches.len() > 1 {
            document.spend(512 + 5 * switches.len(), at)?;
            let times: Vec<f32> = switches.iter().map(|&(time, _)| time).collect();
            let mut values = Values::with_capacity(5 * switches.len() + 3, 2);
            values.times(&times);
            values.switches(switches.iter().map(|&(_, seen)| seen));
            let input = document.binary.add(values);
            let pointer = format!("/nodes/{node}/extensions/{VISIBILITY}/visible");
            let extensions = Some(TargetExtensions { pointer: Pointer { pointer } });
            document.root.extensions_used.insert(POINTER);
            let keys = Keys { input, output: input + 1, interpolation: "STEP" };
            animation.add(keys, Target { node: None, path: "pointer", extensions });
        }
    }
    hang(document, levels, node, at)
}

/// Attaches levels to a node. A single level is the mesh of the node. If there are several, the best one is the mesh
/// of a child that refers to the others.
pub(super) fn hang(document: &mut Document, levels: &Levels, node: usize, at: u64) -> Result<()> {
    let Some((&best, lower)) = levels.meshes.split_first() else { return Ok(()) };
    if lower.is_empty() {
        document.root.nodes[node].mesh = Some(best);
        return Ok(());
    }
    let name = document.root.nodes[node].name.clone();
    let mut ids = Vec::new();
    for (&mesh, number) in lower.iter().zip(levels.numbers.iter().skip(1)) {
        ids.push(document.node(Node { name: format!("{name} LOD{number}"), mesh: Some(mesh), ..Node::default() }, at)?);
    }
    let extras = NodeExtras { coverage: levels.coverage(), ..NodeExtras::default() };
    let number = levels.numbers.first().copied().unwrap_or_default();
    let mut alternatives = Node {
        name: format!("{name} LOD{number}"),
        mesh: Some(best),
        extras: Some(Box::new(extras)),
        ..Node::default()
    };
    alternatives.extensions.get_or_insert_default().lod = Some(LowerNodes { ids });
    document.root.extensions_used.insert(LOD);
    child(document, node, alternatives, at)?;
    Ok(())
}

fn child(document: &mut Document, parent: usize, node: Node, at: u64) -> Result<usize> {
    let node = document.node(node, at)?;
    document.root.nodes[parent].children.push(node);
    Ok(node)
}

fn show(document: &mut Document, node: usize, visible: bool) {
    document.root.extensions_used.insert(VISIBILITY);
    document.root.nodes[node].extensions.get_or_insert_default().visibility = Some(Visibility { visible });
}

impl Animation {
    fn add(&mut self, keys: Keys, target: Target) {
        self.samplers.push(keys);
        self.channels.push(Channel { sampler: self.samplers.len() - 1, target });
    }
}
