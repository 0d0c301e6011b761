use std::collections::HashMap;

use worldview_core::Place;

use super::{Checker, not_finite};
use crate::database::{Database, ModelRef, World};
use crate::finding::FindingKind;

/// The presenters that the game knows. Their names are case-sensitive.
const PRESENTERS: [&[u8]; 3] = [b"", b"LegoActorPresenter", b"LegoEntityPresenter"];

/// Checks the worlds and their references.
pub(super) fn check<'a>(database: &Database<'a>, checker: &mut Checker<'_, 'a>) {
    let mut worlds = HashMap::new();
    // The blob for each part and model name. In the game's own file each name has exactly one.
    let (mut parts, mut models) = (HashMap::new(), HashMap::new());
    for (index, world) in (0_u32..).zip(database.worlds()) {
        let place = Place::numbered("world", index, world.name.text());
        checker.directory_name(world.name, "its name", world.at, place);
        let first = *worlds.entry(world.name.key()).or_insert(world.index);
        if first != world.index {
            checker.report(FindingKind::WorldDuplicate { first }, world.at, place);
        }
        of_parts(database, world, &mut parts, place, checker);
        for (index, model) in (0_u32..).zip(world.models) {
            let place = place.with("model reference", Some(index), model.name.text());
            checker.directory_name(model.name, "its name", model.at, place);
            checker.directory_name(model.presenter, "its presenter", model.at, place);
            other_blob(database, &mut models, (model.name.key(), model.blob()), model.at, place, checker);
            of_model(model, place, checker);
        }
    }
}

type Blobs<'a> = HashMap<crate::name::NameKey<'a>, usize>;

fn of_parts<'a>(
    database: &Database<'a>,
    world: World<'_, 'a>,
    blobs: &mut Blobs<'a>,
    place: Place<'a>,
    checker: &mut Checker<'_, 'a>,
) {
    for (index, part) in (0_u32..).zip(world.parts) {
        let place = place.with("part reference", Some(index), part.name.text());
        checker.directory_name(part.name, "its name", part.at, place);
        let length = part.name.counted().len();
        if length > 128 {
            checker.report(FindingKind::NameLong { length }, part.at, place);
        }
        other_blob(database, blobs, (part.name.key(), part.blob()), part.at, place, checker);
    }
}

fn other_blob<'a>(
    database: &Database<'a>,
    blobs: &mut Blobs<'a>,
    (key, blob): (crate::name::NameKey<'a>, Option<usize>),
    at: u64,
    place: Place<'a>,
    checker: &mut Checker<'_, 'a>,
) {
    let Some(blob) = blob else { return };
    let other = *blobs.entry(key).or_insert(blob);
    if other != blob {
        let [blob, other] = [blob, other].map(|blob| database.blobs().get(blob).map_or(0, |blob| blob.source.base()));
        checker.report(FindingKind::ReferenceOtherBlob { blob, other }, at, place);
    }
}

fn of_model<'a>(model: &ModelRef<'a>, place: Place<'a>, checker: &mut Checker<'_, 'a>) {
    if !PRESENTERS.contains(&model.presenter.text()) {
        checker.report(FindingKind::PresenterUnknown, model.at, place);
    }
    let placement = model.placement;
    checker.flag("visible", placement.visible, model.at, place);
    let bad = not_finite(&[placement.location, placement.direction, placement.up]);
    checker.finite("placement", bad, model.at, place);
    if placement.axes().is_none() {
        checker.report(FindingKind::PlacementDegenerate, model.at, place);
    } else if !placement.is_orthonormal() {
        checker.report(FindingKind::PlacementSkewed, model.at, place);
    }
}
