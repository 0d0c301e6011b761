use worldview_core::Place;

use super::{Checker, lods, not_finite};
use crate::finding::FindingKind;
use crate::material::color_of;
use crate::model::Model;
use crate::resolve::ScopedNames;
use crate::roi::Roi;

/// Checks the objects of a model.
pub(super) fn check<'a>(model: &Model<'a>, place: Place<'a>, checker: &mut Checker<'_, 'a>) {
    let start = model.source().base();
    for (index, roi) in (0_u32..).zip(model.rois.iter()) {
        let place = place.with("ROI", Some(index), roi.name.text());
        checker.blob_name(roi.name, "its name", roi.at, place);
        checker.blob_name(roi.color, "its color name", roi.at, place);
        checker.flag("the shared flag", roi.shared, roi.at, place);
        bounds(&roi, place, checker);
        if !roi.color.is_absent() && roi.color.inherited_texture().is_none() && color_of(roi.color.text()).is_none() {
            checker.report(FindingKind::ColorUnknown, roi.at, place);
        }
        if roi.is_shared() {
            continue;
        }
        if !roi.is_drawn() {
            if !roi.lods.is_empty() {
                checker.report(FindingKind::LevelsHidden { count: roi.lods.len() }, roi.at, place);
            }
            // Objects that only group other objects have no levels.
            if roi.lods.is_empty() {
                continue;
            }
        }
        let end = roi.end_offset.map(|end| start.saturating_add(end.into()));
        lods::check(roi.lods, roi.at, end, place, checker);
    }
}

fn bounds<'a>(roi: &Roi<'a>, place: Place<'a>, checker: &mut Checker<'_, 'a>) {
    let bounds = roi.bounds;
    let radius = bounds.radius.get();
    let bad = not_finite(&[bounds.center, bounds.minimum, bounds.maximum]);
    checker.finite("bounds", bad.saturating_add((!radius.is_finite()).into()), roi.at, place);
    let turned = bounds.minimum.get().iter().zip(bounds.maximum.get()).any(|(low, high)| *low > high);
    if turned || radius < 0.0 {
        checker.report(FindingKind::Bounds, roi.at, place);
    }
}

/// Reports names used by a model that cannot be resolved.
pub(super) fn names<'a>(
    model: &Model<'a>,
    names: &ScopedNames<'_, '_, 'a>,
    place: Place<'a>,
    checker: &mut Checker<'_, 'a>,
) {
    for (number, (index, roi)) in (0_u32..).zip(model.rois.iter()).enumerate() {
        let of_roi = place.with("ROI", Some(index), roi.name.text());
        if roi.is_shared() {
            match names.lods(number, roi.list_name()) {
                None => checker.report(FindingKind::LodsUnresolved, roi.at, of_roi),
                Some(at) if !roi.is_drawn() => {
                    let count = names.library().lods_at(at).map_or(0, |lods| lods.len());
                    checker.report(FindingKind::LevelsHidden { count }, roi.at, of_roi);
                }
                Some(_) => {}
            }
        }
        if roi.color.inherited_texture().is_some_and(|texture| names.texture(texture).is_none()) {
            checker.report(FindingKind::TextureUnresolved, roi.at, of_roi);
        }
        lods::names(roi.lods, names, of_roi, checker);
    }
}
