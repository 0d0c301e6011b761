use worldview_core::describe::{FieldValue, Follows, Role};
use worldview_core::{Place, field_name};
use zerocopy::IntoBytes as _;

use super::Checker;
use super::objects::is_inverted;
use crate::attributes::Attribute;
use crate::finding::FindingKind;
use crate::flags;
use crate::game::Game;
use crate::level::Level;
use crate::raw::{AttributeHead, AttributesHeader, DoubleRecord, LevelHeader, SingleRecord};

pub(super) fn check<'a>(level: &Level<'a>, checker: &mut Checker<'_, 'a>) {
    let offset_at = core::mem::offset_of!(LevelHeader, tile_attribs_offset) as u64;
    let found = level.header().tile_attribs_offset.get();
    if found == 0 {
        checker.report(FindingKind::NoAttributes, offset_at, Place::of("header"));
        return;
    }
    if u64::from(found) < LevelHeader::SIZE {
        let kind = FindingKind::OffsetInHeader { field: field_name!(LevelHeader, tile_attribs_offset), found };
        checker.report(kind, offset_at, Place::of("header"));
    }
    let table = level.attributes();
    let Some(header) = table.header() else { return };
    head(header, table.extent().0, checker);
    let knows = Known { gruntz: level.game() == Some(Game::Gruntz) };
    let tile = level.main_plane().map(|plane| (plane.header().tile_width.get(), plane.header().tile_height.get()));
    let mut at = table.extent().0.saturating_add(AttributesHeader::SIZE);
    for (index, record) in (0_u32..).zip(table.records()) {
        let place = Place::numbered("tile attribute", index, &[]);
        let (width, height) = (record.width(), record.height());
        let is = |side: u32, tile: i32| u32::try_from(tile).is_ok_and(|tile| tile == side);
        if tile.is_some_and(|tile| !is(width, tile.0) || !is(height, tile.1)) {
            let at = at.saturating_add(core::mem::offset_of!(AttributeHead, width) as u64);
            checker.report(FindingKind::AttributeSize { width, height }, at, place);
        }
        one(record, at, place, knows, checker);
        at = at.saturating_add(record.size());
    }
}

fn head<'a>(header: &AttributesHeader, at: u64, checker: &mut Checker<'_, 'a>) {
    for info in AttributesHeader::FIELDS {
        let FieldValue::Uint(value) = info.value(header.as_bytes()) else { continue };
        let (field, found) = (info.name, u32::try_from(value).unwrap_or(u32::MAX));
        let expected = match (info.role, info.follows) {
            (_, Some(Follows::Size)) => AttributesHeader::SIZE,
            (Role::Reserved, _) => 0,
            _ => continue,
        };
        if u64::from(found) != expected {
            let at = at.saturating_add(info.offset as u64);
            checker.report(FindingKind::AttributesHead { field, found }, at, Place::of("tile-attribute table"));
        }
    }
}

/// The attributes that the game knows.
#[derive(Clone, Copy)]
struct Known {
    gruntz: bool,
}

impl Known {
    fn has(self, value: i32) -> bool {
        flags::attribute(value).is_some() || (self.gruntz && flags::gruntz_attribute(value).is_some())
    }
}

fn one<'a>(record: &Attribute<'a>, at: u64, place: Place<'a>, known: Known, checker: &mut Checker<'_, 'a>) {
    let mut value = |field, value: i32, offset: usize| {
        if !known.has(value) {
            checker.report(FindingKind::AttributeUnknown { field, value }, at.saturating_add(offset as u64), place);
        }
    };
    let reserved = match record {
        Attribute::Single(single) => {
            value("single", single.attribute.get(), core::mem::offset_of!(SingleRecord, attribute));
            single.reserved.get()
        }
        Attribute::Double(double) => {
            value("outside", double.outside.get(), core::mem::offset_of!(DoubleRecord, outside));
            value("inside", double.inside.get(), core::mem::offset_of!(DoubleRecord, inside));
            rect(double, at, place, checker);
            double.reserved.get()
        }
        Attribute::Mask { head, pixels } => {
            mask(head, pixels, at, place, known, checker);
            head.reserved.get()
        }
    };
    if reserved != 0 {
        let at = at.saturating_add(core::mem::offset_of!(AttributeHead, reserved) as u64);
        checker.report(FindingKind::Reserved { field: "reserved", value: reserved }, at, place);
    }
}

fn rect<'a>(double: &DoubleRecord, at: u64, place: Place<'a>, checker: &mut Checker<'_, 'a>) {
    let at = at.saturating_add(core::mem::offset_of!(DoubleRecord, rect) as u64);
    let [left, top, right, bottom] = double.rect.get();
    if is_inverted(double.rect) {
        checker.report(FindingKind::RectInverted { field: "the rectangle" }, at, place);
    }
    // Levels from the editors end their rectangles at the tile's size, one past the last pixel. That is not a finding.
    let leaves = |low: i32, high: i32, size: u32| low < 0 || i64::from(high) > i64::from(size);
    if leaves(left, right, double.width.get()) || leaves(top, bottom, double.height.get()) {
        checker.report(FindingKind::AttributeRectOutside, at, place);
    }
}

fn mask<'a>(
    head: &AttributeHead,
    pixels: &[u8],
    at: u64,
    place: Place<'a>,
    known: Known,
    checker: &mut Checker<'_, 'a>,
) {
    let (width, height) = (head.width.get(), head.height.get());
    let wanted = height.checked_ilog2().and_then(|log| 1_u32.checked_shl(log));
    if wanted != Some(width) {
        let at = at.saturating_add(core::mem::offset_of!(AttributeHead, width) as u64);
        checker.report(FindingKind::MaskSize { width, height }, at, place);
    }
    let count = pixels.iter().filter(|&&pixel| !known.has(pixel.into())).count() as u64;
    if count != 0 {
        checker.report(FindingKind::MaskValues { count }, at.saturating_add(AttributeHead::SIZE), place);
    }
}
