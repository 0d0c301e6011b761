use worldview_core::Place;

use super::Checker;
use super::place;
use super::planes::Walked;
use crate::finding::FindingKind;
use crate::level::Level;
use crate::raw::{LevelHeader, PlaneHeader};

/// A part of the image, from its first byte to one past its last.
struct Region<'a> {
    start: u64,
    end: u64,
    place: Place<'a>,
}

/// Checks for bytes that belong to no part or to several, and for parts in an unusual order.
pub(super) fn check<'a>(level: &Level<'a>, walked: &[Walked], checker: &mut Checker<'_, 'a>) {
    let mut regions = in_usual_order(level, walked);
    let mut furthest = 0;
    for region in &regions {
        if region.start < furthest {
            checker.report(FindingKind::Order, region.start, region.place);
        }
        furthest = furthest.max(region.start);
    }
    regions.sort_by_key(|region| (region.start, region.end));
    let mut end = 0;
    for region in &regions {
        if region.start > end {
            let len = region.start.saturating_sub(end);
            checker.report(FindingKind::Gap { len }, end, region.place);
        } else if region.start < end {
            let len = end.min(region.end).saturating_sub(region.start);
            checker.report(FindingKind::Overlap { len }, region.start, region.place);
        }
        end = end.max(region.end);
    }
    let len = level.image().len().saturating_sub(end);
    if len != 0 {
        checker.report(FindingKind::Gap { len }, end, Place::of("end of the image"));
    }
}

/// Returns the non-empty parts, in the order in which all known programs write them.
fn in_usual_order<'a>(level: &Level<'a>, walked: &[Walked]) -> Vec<Region<'a>> {
    let header = level.header();
    let planes_at = u64::from(header.planes_offset.get());
    let headers = PlaneHeader::SIZE.saturating_mul(header.num_planes.get().into());
    let mut regions = vec![Region { start: 0, end: LevelHeader::SIZE, place: Place::of("header") }];
    let mut add = |start: u64, end: u64, place| {
        if start < end {
            regions.push(Region { start, end, place });
        }
    };
    add(planes_at, planes_at.saturating_add(headers), Place::of("plane headers"));
    for plane in level.planes() {
        let start = u64::from(plane.header().tiles_offset.get());
        let place = place(plane).with("tile grid", None, &[]);
        add(start, start.saturating_add(size_of_val(plane.tiles()) as u64), place);
    }
    for (plane, walked) in level.planes().iter().zip(walked) {
        add(walked.names.0, walked.names.1, place(plane).with("image-set names", None, &[]));
    }
    for (plane, walked) in level.planes().iter().zip(walked) {
        add(walked.objects.0, walked.objects.1, place(plane).with("objects", None, &[]));
    }
    let (start, end) = level.attributes().extent();
    add(start, end, Place::of("tile-attribute table"));
    regions
}
