use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use worldview_core::describe::{FieldValue, Notation};
use worldview_core::{FieldInfo, Place, field_name};
use zerocopy::IntoBytes as _;

use super::{Checker, switches};
use crate::finding::{FindingKind, ObjectNumbers};
use crate::flags;
use crate::key::ObjectKey;
use crate::level::Level;
use crate::names;
use crate::object::Object;
use crate::plane::Plane;
use crate::raw::{ObjectRecord, Rect};

/// Maximum length of an object string: the engine copies it into a buffer of 1024 bytes, including the NUL.
const MAX_STRING_LEN: usize = 1023;

macro_rules! at {
    ($object:expr, $field:ident) => {
        $object.at.saturating_add(core::mem::offset_of!(ObjectRecord, $field) as u64)
    };
}

/// An object as far as the objects of a plane are compared.
#[derive(Clone, Copy)]
struct Seen<'a> {
    key: ObjectKey,
    number: u32,
    at: u64,
    name: &'a [u8],
}

impl<'a> Seen<'a> {
    const fn place(&self, plane: Place<'a>) -> Place<'a> {
        plane.with("object", Some(self.number), self.name).with_key(self.key.id as i64, self.key.nth)
    }
}

/// Checks the objects of a plane, and returns the offsets of their start and end.
pub(super) fn check<'a>(level: &Level<'a>, plane: &Plane<'a>, checker: &mut Checker<'_, 'a>) -> (u64, u64) {
    let place = super::place(plane);
    let (mut seen, keys) = (Vec::new(), OnceCell::new());
    // For each logic and image set how many objects name it, and the first of them.
    let (mut logics, mut image_sets) = (BTreeMap::new(), BTreeMap::new());
    let mut objects = plane.objects().iter();
    let start = objects.position();
    for object in objects.by_ref() {
        let object = match object {
            Ok(object) => object,
            Err(error) => {
                let place = place.with(error.what, error.index(), &[]);
                checker.report(FindingKind::Broken { kind: error.kind }, error.at, place);
                break;
            }
        };
        let mut this = Seen {
            key: ObjectKey::new(object.id.get(), None),
            number: object.number(),
            at: object.at,
            name: object.display_name(),
        };
        this.key = keys.get_or_init(|| plane.objects().keys()).get(object.index).copied().unwrap_or(this.key);
        one(plane, &object, this.place(place), checker);
        seen.push(this);
        let logic_at = object.at.saturating_add(ObjectRecord::SIZE).saturating_add(object.name.len() as u64);
        let image_set_at = logic_at.saturating_add(object.logic.len() as u64);
        for (names, name, at) in
            [(&mut logics, object.logic, logic_at), (&mut image_sets, object.image_set, image_set_at)]
        {
            let count = &mut names.entry(name).or_insert((0_u32, Seen { at, ..this })).0;
            *count = count.saturating_add(1);
        }
    }
    duplicates(seen, place, checker);
    names(level, (&logics, &image_sets), place, checker);
    switches::check(level, plane, place, checker);
    (start, objects.position())
}

/// Reports each id that several objects have.
fn duplicates<'a>(mut seen: Vec<Seen<'a>>, place: Place<'a>, checker: &mut Checker<'_, 'a>) {
    seen.sort_unstable_by_key(|object| (object.key.id, object.number));
    for same in seen.chunk_by(|left, right| left.key.id == right.key.id) {
        if let [first, _, ..] = same {
            let objects = ObjectNumbers::of(same.iter().map(|object| object.number));
            let kind = FindingKind::ObjectIdDuplicate { id: first.key.id, objects };
            checker.report(kind, first.at, first.place(place));
        }
    }
}

/// How many objects have a name, and the first of them.
type Names<'a> = BTreeMap<&'a [u8], (u32, Seen<'a>)>;

/// Reports each logic and image set that the game is not known to have; empty ones have findings of their own.
fn names<'a>(
    level: &Level<'a>,
    (logics, image_sets): (&Names<'a>, &Names<'a>),
    place: Place<'a>,
    checker: &mut Checker<'_, 'a>,
) {
    let Some(game) = level.game() else { return };
    for (&name, (count, first)) in logics {
        if !name.is_empty() && names::is_logic(game, name) == Some(false) {
            let kind = FindingKind::ObjectLogicUnknown { count: *count };
            checker.report(kind, first.at, first.place(place).with("logic", None, name));
        }
    }
    let header = level.header();
    let prefixes = [
        header.image_set_prefix_1.as_bytes(),
        header.image_set_prefix_2.as_bytes(),
        header.image_set_prefix_3.as_bytes(),
        header.image_set_prefix_4.as_bytes(),
    ];
    for (&name, (count, first)) in image_sets {
        let prefixes = prefixes.into_iter().filter(|prefix| !prefix.is_empty());
        if !name.is_empty() && !names::is_image_set(name, prefixes) {
            let kind = FindingKind::ObjectImageSetUnknown { count: *count };
            checker.report(kind, first.at, first.place(place).with("image set", None, name));
        }
    }
}

/// A field that consists of flags, and the names of the flags.
type FlagField = (&'static FieldInfo, &'static [(u32, &'static str)]);

static FLAG_FIELDS: LazyLock<Vec<FlagField>> = LazyLock::new(|| {
    let flags = |info: &'static FieldInfo| match info.notation {
        Notation::Flags(names) => Some((info, names)),
        _ => None,
    };
    ObjectRecord::FIELDS.iter().filter_map(flags).collect()
});

fn one<'a>(plane: &Plane<'a>, object: &Object<'a>, place: Place<'a>, checker: &mut Checker<'_, 'a>) {
    let (x, y) = (object.x.get(), object.y.get());
    if plane.is_sized() && !plane.contains(x, y) {
        checker.report(FindingKind::ObjectOutside { x, y }, at!(object, x), place);
    }
    for &(info, names) in FLAG_FIELDS.iter() {
        let FieldValue::Uint(value) = info.value(object.record.as_bytes()) else { continue };
        let (field, value) = (info.name, u32::try_from(value).unwrap_or(u32::MAX));
        let bits = flags::unknown(value, names);
        // All ones means everything that can be hit, rather than unknown bits.
        let is_all = value == u32::MAX && info.offset == core::mem::offset_of!(ObjectRecord, hit_type_flags);
        if bits != 0 && !is_all {
            checker.report(
                FindingKind::FlagsUnknown { field, bits },
                object.at.saturating_add(info.offset as u64),
                place,
            );
        }
    }
    // The user rectangles, and in Gruntz others too, hold numbers for the logic rather than rectangles.
    let rects = [
        (field_name!(ObjectRecord, hit_rect), object.hit_rect, at!(object, hit_rect)),
        (field_name!(ObjectRecord, attack_rect), object.attack_rect, at!(object, attack_rect)),
        (field_name!(ObjectRecord, clip_rect), object.clip_rect, at!(object, clip_rect)),
    ];
    let is_plain = !names::has_numbers_in_rects(object.logic);
    for (field, rect, at) in rects {
        if is_plain && is_inverted(rect) {
            checker.report(FindingKind::RectInverted { field }, at, place);
        }
    }
    // Each rectangle holds two steps: a direction and a distance.
    let steps = [object.move_rect, object.hit_rect, object.attack_rect, object.clip_rect];
    if *object.logic == *b"PathElevator" && steps.iter().all(|rect| matches!(rect.get(), [_, 0, _, 0])) {
        checker.report(FindingKind::ElevatorNoPath, at!(object, move_rect), place);
    }
    let found = object.direction.get();
    if !(0..=8).contains(&found) && !names::has_number_in_direction(object.logic) {
        checker.report(FindingKind::ObjectDirection { found }, at!(object, direction), place);
    }
    strings(object, place, checker);
}

fn strings<'a>(object: &Object<'a>, place: Place<'a>, checker: &mut Checker<'_, 'a>) {
    let mut at = object.at.saturating_add(ObjectRecord::SIZE);
    let strings = [
        ("name", object.name),
        ("logic", object.logic),
        ("image_set", object.image_set),
        ("animation", object.animation),
    ];
    for (field, bytes) in strings {
        let len = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        if bytes.len() > MAX_STRING_LEN {
            checker.report(FindingKind::ObjectStringLong { field, len }, at, place);
        }
        if field != "name" && bytes.contains(&0) {
            checker.report(FindingKind::ObjectStringNul { field }, at, place);
        }
        if field != "name" && !bytes.is_ascii() {
            checker.report(FindingKind::TextNotAscii { field }, at, place);
        }
        let shown = if field == "name" { object.display_name() } else { bytes };
        checker.controls(field, shown, at, place);
        at = at.saturating_add(len.into());
    }
    let at = object.at.saturating_add(ObjectRecord::SIZE);
    if !object.display_name().is_ascii() {
        checker.report(FindingKind::TextNotAscii { field: "name" }, at, place);
    }
    if object.logic.is_empty() {
        checker.report(FindingKind::ObjectLogicEmpty, at!(object, logic_len), place);
    }
    if object.image_set.is_empty() {
        checker.report(FindingKind::ObjectImageSetEmpty, at!(object, image_set_len), place);
    }
    // WapMap stores its own data after the NUL of a name.
    if let Some(metadata) = object.metadata().filter(|metadata| metadata.content().is_none()) {
        let len = u32::try_from(metadata.stored.len()).unwrap_or(u32::MAX);
        let kind = FindingKind::ObjectNameNul { len };
        let behind = (object.display_name().len() as u64).saturating_add(1);
        checker.report(kind, at.saturating_add(behind), place);
    }
}

/// Returns whether a rectangle is inverted. If left and right are 0 the game treats it as unset, whatever its top and
/// bottom.
pub(super) fn is_inverted(rect: Rect) -> bool {
    let [left, top, right, bottom] = rect.get();
    (left, right) != (0, 0) && (left > right || top > bottom)
}
