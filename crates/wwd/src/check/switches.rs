//! Switches of Gruntz, and the triggers that refer to them.

use std::collections::BTreeSet;

use worldview_core::Place;

use super::Checker;
use crate::finding::FindingKind;
use crate::level::Level;
use crate::object::Object;
use crate::plane::Plane;
use crate::raw::ObjectRecord;
use crate::switches::SwitchTile;

/// Checks the ids of switches, and those by which triggers refer to them.
pub(super) fn check<'a>(level: &Level<'a>, plane: &Plane<'a>, plane_place: Place<'a>, checker: &mut Checker<'_, 'a>) {
    if !SwitchTile::are_in(level, plane) {
        return;
    }
    // A list that ends early has a finding of its own, and what it lacks may be a switch.
    let Ok(objects) = plane.objects().with_keys().collect::<worldview_core::Result<Vec<_>>>() else { return };
    let switches: BTreeSet<_> =
        objects.iter().filter(|(_, object)| object.is_switch()).map(|(key, _)| key.id).collect();
    let used: BTreeSet<_> =
        objects.iter().filter(|(_, object)| object.is_trigger()).flat_map(|(_, object)| ids(object)).collect();
    for (key, object) in &objects {
        let place = plane_place.with("object", Some(object.number()), object.display_name());
        let place = place.with_key(key.id.into(), key.nth);
        let at = object.at.saturating_add(core::mem::offset_of!(ObjectRecord, id) as u64);
        if object.is_switch() {
            if let Some(tile) = SwitchTile::of_stale(level, plane, object) {
                let SwitchTile { column, row } = tile;
                checker.report(FindingKind::SwitchId { expected: tile.id(), column, row }, at, place);
            }
            if !used.contains(&key.id) {
                checker.report(FindingKind::SwitchUnused, at, place);
            }
        }
        if object.is_trigger() {
            let mut missing = ids(object).filter(|id| !switches.contains(id));
            if let Some(id) = missing.next() {
                let count = u32::try_from(missing.count()).unwrap_or(u32::MAX).saturating_add(1);
                let at = object.at.saturating_add(core::mem::offset_of!(ObjectRecord, move_rect) as u64);
                checker.report(FindingKind::SwitchMissing { id, count }, at, place);
            }
        }
    }
}

/// Returns the ids of switches that an object refers to.
fn ids(object: &Object<'_>) -> impl Iterator<Item = i32> {
    object.switch_ids().into_iter().flatten().filter(|id| *id != 0)
}
