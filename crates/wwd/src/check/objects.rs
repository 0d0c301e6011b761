use std::collections::BTreeMap;

use worldview_core::Place;

use super::Walk;
use crate::finding::FindingKind;
use crate::flags;
use crate::object::Object;
use crate::plane::Plane;
use crate::raw::{ObjectRecord, Rect};

/// Maximum length of an object string: the engine copies it into a buffer of 1024 bytes, including the NUL.
const LONGEST_STRING: usize = 1023;

macro_rules! at {
    ($object:expr, $field:ident) => {
        $object.at.saturating_add(core::mem::offset_of!(ObjectRecord, $field) as u64)
    };
}

/// Checks the objects of a plane, and returns the offsets of their start and end.
pub(super) fn check<'a>(plane: &Plane<'a>, walk: &mut Walk<'_, 'a>) -> (u64, u64) {
    let place = super::place(plane);
    // For each id, the number of objects that use it and the first of them.
    let mut ids: BTreeMap<i32, (u32, Object<'a>)> = BTreeMap::new();
    let mut objects = plane.objects().iter();
    let start = objects.position();
    for object in objects.by_ref() {
        let object = match object {
            Ok(object) => object,
            Err(error) => {
                let place = place.with(error.what, error.index(), &[]);
                walk.say(FindingKind::Broken { kind: error.kind }, error.at, place);
                break;
            }
        };
        let place = place.with("object", Some(object.number()), object.display_name());
        if !walk.may_visit(object.size(), object.at, place) {
            break;
        }
        one(plane, &object, place, walk);
        let seen = ids.entry(object.id.get()).or_insert((0, object));
        seen.0 = seen.0.saturating_add(1);
    }
    for (id, (count, first)) in ids {
        if count > 1 {
            let kind = FindingKind::ObjectIdDuplicate { id, count, first: first.number() };
            walk.say(kind, first.at, place.with("object", Some(first.number()), first.display_name()));
        }
    }
    (start, objects.position())
}

fn one<'a>(plane: &Plane<'a>, object: &Object<'a>, place: Place<'a>, walk: &mut Walk<'_, 'a>) {
    let (x, y) = (object.x.get(), object.y.get());
    let (width, height) = plane.pixel_size();
    let is_sized = plane.header().tile_width.get() > 0 && plane.header().tile_height.get() > 0;
    let inside = |value: i32, size: u64| u64::try_from(value).is_ok_and(|value| value < size);
    // A plane may take its tile size from its pictures, which are not in the level; its extent is then unknown.
    if is_sized && (!inside(x, width) || !inside(y, height)) {
        walk.say(FindingKind::ObjectOutside { x, y }, at!(object, x), place);
    }
    let words = [
        ("add_flags", object.add_flags, at!(object, add_flags)),
        ("dynamic_flags", object.dynamic_flags, at!(object, dynamic_flags)),
        ("draw_flags", object.draw_flags, at!(object, draw_flags)),
        ("user_flags", object.user_flags, at!(object, user_flags)),
        ("object_type", object.object_type, at!(object, object_type)),
        ("hit_type_flags", object.hit_type_flags, at!(object, hit_type_flags)),
    ];
    for (field, word, at) in words {
        // All ones means everything that can be hit, rather than unknown bits.
        if word.get() != 0 && !(field == "hit_type_flags" && word.get() == u32::MAX) {
            let names = flags::of_field(field, false).unwrap_or(&[]);
            let bits = flags::unknown(word.get(), names);
            if bits != 0 {
                walk.say(FindingKind::FlagsUnknown { field, bits }, at, place);
            }
        }
    }
    // The user rectangles, and in Gruntz others too, hold numbers for the logic rather than rectangles.
    let rects = [
        ("hit_rect", object.hit_rect, at!(object, hit_rect)),
        ("attack_rect", object.attack_rect, at!(object, attack_rect)),
        ("clip_rect", object.clip_rect, at!(object, clip_rect)),
    ];
    for (field, rect, at) in rects {
        if is_inverted(rect) {
            walk.say(FindingKind::RectInverted { field }, at, place);
        }
    }
    let found = object.direction.get();
    if !(0..=8).contains(&found) {
        walk.say(FindingKind::ObjectDirection { found }, at!(object, direction), place);
    }
    strings(object, place, walk);
}

fn strings<'a>(object: &Object<'a>, place: Place<'a>, walk: &mut Walk<'_, 'a>) {
    let mut at = object.at.saturating_add(ObjectRecord::SIZE);
    let strings = [
        ("name", object.name),
        ("logic", object.logic),
        ("image_set", object.image_set),
        ("animation", object.animation),
    ];
    for (field, bytes) in strings {
        let len = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        if bytes.len() > LONGEST_STRING {
            walk.say(FindingKind::ObjectStringLong { field, len }, at, place);
        }
        if field != "name" && bytes.contains(&0) {
            walk.say(FindingKind::ObjectStringNul { field }, at, place);
        }
        if field != "name" && !bytes.is_ascii() {
            walk.say(FindingKind::TextNotAscii { field }, at, place);
        }
        at = at.saturating_add(len.into());
    }
    let at = object.at.saturating_add(ObjectRecord::SIZE);
    if !object.display_name().is_ascii() {
        walk.say(FindingKind::TextNotAscii { field: "name" }, at, place);
    }
    if object.logic.is_empty() {
        walk.say(FindingKind::ObjectLogicEmpty, at!(object, logic_len), place);
    }
    if object.image_set.is_empty() {
        walk.say(FindingKind::ObjectImageSetEmpty, at!(object, image_set_len), place);
    }
    if let Some(metadata) = object.metadata() {
        let len = u32::try_from(metadata.stored.len()).unwrap_or(u32::MAX);
        let kind = match metadata.content() {
            Some(_) => FindingKind::ObjectMetadata { len },
            None => FindingKind::ObjectNameNul { len },
        };
        let behind = (object.display_name().len() as u64).saturating_add(1);
        walk.say(kind, at.saturating_add(behind), place);
    }
}

/// Returns whether a rectangle is inverted. If left and right are 0 the game treats it as unset, whatever its top and
/// bottom.
pub(super) fn is_inverted(rect: Rect) -> bool {
    let [left, top, right, bottom] = rect.get();
    (left, right) != (0, 0) && (left > right || top > bottom)
}
