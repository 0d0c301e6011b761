use worldview_core::Place;

use super::{Checker, not_finite};
use crate::animation::Node;
use crate::finding::FindingKind;
use crate::model::Model;
use crate::raw::{RotationKey, TimeFlags, VectorKey};
use crate::rig::Rig;

/// Checks the actors and nodes of a model.
pub(super) fn check<'a>(model: &Model<'a>, place: Place<'a>, checker: &mut Checker<'_, 'a>) {
    let animation = &model.animation;
    // After the version, the texture offset and the ROI count.
    let at = model.source().base().saturating_add(12);
    let place_of_all = place.with("animation", None, &[]);
    if animation.actor_count() > 0 {
        checker.report(FindingKind::Actors { count: animation.actor_count() }, at, place_of_all);
    }
    for actor in animation.actors() {
        checker.blob_name(actor.name, "the name of an actor", at, place_of_all);
    }
    if animation.duration != 0 {
        checker.report(FindingKind::Duration { found: animation.duration }, at, place_of_all);
    }
    let rig = Rig::new(model);
    // Whether an earlier node has already found each object.
    let mut found = vec![false; model.rois.len()];
    for (number, (index, view)) in (0_u32..).zip(animation.nodes.iter()).enumerate() {
        let place = place.with("node", Some(index), view.name.text());
        node(&view, place, checker);
        // If a node finds no object, the nodes below it are not looked up; reporting the topmost one is enough.
        let is_looked_for = animation.nodes.parent(number).is_none_or(|parent| rig.object_of(parent).is_some());
        match rig.object_of(number) {
            Some(roi) if found.get_mut(roi).is_some_and(|found| std::mem::replace(found, true)) => {
                checker.report(FindingKind::ObjectTwice { roi }, view.at, place);
            }
            None if is_looked_for && !view.name.text().is_empty() => {
                checker.report(FindingKind::NodeNoObject, view.at, place);
            }
            _ => {}
        }
    }
}

fn node<'a>(node: &Node<'a>, place: Place<'a>, checker: &mut Checker<'_, 'a>) {
    let at = node.at;
    if node.name.text().is_empty() {
        checker.report(FindingKind::NodeUnnamed, at, place);
    }
    checker.blob_name(node.name, "its name", at, place);
    let of_vectors =
        |keys: &[VectorKey]| keys.iter().map(|key| not_finite(&[key.value])).fold(0, usize::saturating_add);
    keys("translation keys", node.translations.iter().map(|key| key.when), at, place, checker);
    checker.finite("translation keys", of_vectors(node.translations), at, place);
    keys("rotation keys", node.rotations.iter().map(|key| key.when), at, place, checker);
    let bad = node.rotations.iter().flat_map(|key| key.get()).filter(|number| !number.is_finite()).count();
    checker.finite("rotation keys", bad, at, place);
    let is_zero = |key: &RotationKey| key.get().iter().all(|&number| number == 0.0);
    if let Some(key) = node.rotations.iter().position(is_zero) {
        checker.report(FindingKind::RotationZero { key }, at, place);
    }
    keys("scale keys", node.scales.iter().map(|key| key.when), at, place, checker);
    checker.finite("scale keys", of_vectors(node.scales), at, place);
    keys("morph keys", node.morphs.iter().map(|key| key.when), at, place, checker);
    if let Some(odd) = node.morphs.iter().find(|key| key.visible > 1) {
        checker.flag("the value of a morph key", odd.visible, at, place);
    }
}

fn keys<'a>(
    field: &'static str,
    times: impl Iterator<Item = TimeFlags> + Clone,
    at: u64,
    place: Place<'a>,
    checker: &mut Checker<'_, 'a>,
) {
    let known = TimeFlags::ACTIVE | TimeFlags::NEGATE | TimeFlags::HOLD;
    let bits = times.clone().fold(0, |bits, when| bits | when.flags()) & !known;
    if bits != 0 {
        checker.report(FindingKind::KeyFlags { field, bits }, at, place);
    }
    if !times.is_sorted_by_key(TimeFlags::time) {
        checker.report(FindingKind::KeysUnsorted { field }, at, place);
    }
}
