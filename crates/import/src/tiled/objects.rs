//! The objects of a plane.

use std::collections::{HashMap, HashSet};

use worldview_core::describe::{Field, FieldValue, Int, Stored};
use worldview_core::{FieldInfo, Path, field_name};
use worldview_export::level::tiled::{bytes_name, object_default, property_name};
use worldview_wwd::raw::ObjectRecord;
use worldview_wwd::{Level, Object, ObjectKey, SwitchTile, flags};

use super::codes::{CONTRADICTION, FOREIGN, PICTURE, SHAPE, TOO_MANY};
use super::draft::{Draft, property};
use super::edited::{Edited, before, is_as_written, meant};
use super::fields::{changed, coordinate, encode, hex, pick, read, round, shown, text_changed, value};
use super::layers;
use super::pictures::{Picture, Pictures};
use super::saved::{Element, Kind};
use crate::given::Reader;
use crate::planner::objects::{self as keys, ID, Ids};
use worldview_edit::fields::{decode_1252 as decode, values};
use worldview_edit::order::{ascending, numbers};
use worldview_edit::{Change, EditError, Position, Result, Value};
use zerocopy::FromZeros as _;

/// The bits of a tile id that mirror a tile object, and what they are in a level.
const FLIP_BITS: [(u32, u32); 2] = [(1 << 31, MIRROR), (1 << 30, INVERT)];
/// The draw flags of flipped pictures.
const MIRROR: u32 = 2;
const INVERT: u32 = 4;
pub(super) const FLIPPED: u32 = MIRROR | INVERT;

/// New objects of a map, whose changes take several kilobytes each. Real levels have up to 16,478 objects.
const MAX_ADDED: usize = 1 << 16;

/// The ids of objects, and those of new ones.
pub(super) struct NewIds<'l> {
    level: &'l Level<'l>,
    pub(super) ids: Ids,
    /// Whether ids may repeat, because the whole level is new.
    pub(super) repeat: bool,
    /// How many objects may still be added.
    left: usize,
}

impl<'l> NewIds<'l> {
    /// Collects the ids of all objects of a level.
    pub(super) fn of(level: &'l Level<'l>, repeat: bool) -> Result<Self> {
        let mut ids = Ids::new();
        for plane in level.planes() {
            for object in plane.objects() {
                ids.insert(plane.index(), object?.record.id.get());
            }
        }
        Ok(Self { level, ids, repeat, left: MAX_ADDED })
    }

    /// Returns the tile of a new object, if it is a switch of Gruntz.
    fn tile(&self, plane: usize, object: &Element, pictures: &Pictures<'_>) -> Option<SwitchTile> {
        let [x, y] =
            position(object, pictures.get(object).ok()?, flips(object)).map(|place| round(place, &Path::new()));
        SwitchTile::of_logic(self.level, self.level.planes().get(plane)?, object.class().as_bytes(), (x.ok()?, y.ok()?))
    }

    /// Returns the keys of new objects of a plane, and for switches that got the id of their tile that tile.
    fn keys<'e>(
        &mut self,
        draft: &mut Draft,
        plane: usize,
        new: impl Iterator<Item = &'e (&'e Element, &'e Element)>,
        pictures: &Pictures<'_>,
    ) -> Vec<(ObjectKey, Option<SwitchTile>)> {
        let (mut all, mut tiles) = (Vec::new(), Vec::new());
        for (layer, object) in new {
            draft.place = place(layer, object);
            let Some(left) = self.left.checked_sub(1) else {
                draft.refuse(TOO_MANY, "", "the map adds more than 65536 objects");
                break;
            };
            self.left = left;
            let wanted = object.properties.get(&property_name(ID));
            let field = Field::new(ID, FieldValue::Absent).stored(Stored::Int(Int::word(4, true)));
            let reader = Reader { encoding: draft.encoding, is_new: true, is_new_file: false };
            let wanted = wanted.map_or(Ok(None), |text| read(reader, &field, text));
            let wanted = wanted.map_err(|why| EditError::wrong(&draft.field(ID), why));
            let wanted = match draft.attempt(wanted, &property(ID)).flatten() {
                // Maps that have all properties have 0 for no id, unless the whole level is new.
                Some(Value::Integer(id)) if self.repeat || id != 0 => i32::try_from(id).ok(),
                _ => None,
            };
            let tile = self.tile(plane, object, pictures);
            let (id, entry) = self.ids.choose((plane, &draft.path), (wanted, self.repeat), tile);
            tiles.push(tile.filter(|_| entry.is_some()));
            entry.into_iter().for_each(|entry| draft.planned.account.push(entry.at(draft.at(&property(ID)))));
            all.push(id);
        }
        let keys = all.iter().zip(numbers(&all)).map(|(id, nth)| ObjectKey::new(*id, nth));
        keys.zip(tiles).collect()
    }
}

/// Compares the objects of a plane with those of its object layers, which have ids from `first` on. Returns those that were edited.
pub(super) fn objects(
    draft: &mut Draft,
    objects: &[(ObjectKey, Object<'_>)],
    (plane, first): (usize, u32),
    layers: &[Element],
    pictures: &Pictures<'_>,
    ids: &mut NewIds<'_>,
) -> Vec<Edited> {
    let paths: Vec<Path> = objects.iter().map(|(key, _)| keys::object(&draft.path, *key)).collect();
    let index = |id: u32| usize::try_from(id.checked_sub(first)?).ok().filter(|index| *index < objects.len());
    let (mut list, mut edited): (Vec<(&Element, &Element)>, Vec<_>) = (Vec::new(), Vec::new());
    let mut seen = HashMap::new();
    for (layer, object) in layers.iter().flat_map(|layer| layer.all(Kind::Object).map(move |object| (layer, object))) {
        draft.place = place(layer, object);
        let own = index(object.number("id"));
        if own.is_some_and(|index| seen.contains_key(&index)) {
            let message = format!("the map has two objects with the id {}", object.text("id"));
            let path = own.and_then(|index| paths.get(index)).unwrap_or(&draft.path);
            draft.attempt(Err::<(), _>(EditError::refused(path, CONTRADICTION, message)), "");
            continue;
        }
        if let Some(index) = own {
            seen.insert(index, (layer, object));
        }
        if object.get("template").is_some() {
            let what = "is an instance of a template, whose values are in another file";
            draft.refuse(SHAPE, "attribute \"template\"", format!("object {} of the map {what}", object.text("id")));
        } else if let (None, Some(shape)) = (own, object.shape()) {
            let message =
                format!("object {} of the map is a drawing ({shape}), which levels do not have", object.text("id"));
            draft.leave_out(FOREIGN, "", message);
        } else {
            list.push((layer, object));
        }
    }
    let was = |nth: usize| match (nth.checked_sub(1).and_then(|nth| paths.get(nth)), nth.checked_add(1)) {
        (Some(before), _) => Position::After(before.clone()),
        (None, next) => {
            let next = next.and_then(|next| paths.get(next));
            next.map_or(Position::Natural, |next| Position::Before(next.clone()))
        }
    };
    let mut kept = 0_usize;
    for (nth, ((_, object), path)) in objects.iter().zip(&paths).enumerate() {
        match seen.get(&nth) {
            None => {
                let (path, fields) = (path.clone(), values(object, Some("id")).0);
                draft.push(Change::Remove { path, fields, data: None, was: was(nth) });
            }
            Some((_, saved)) if is_as_written(saved, object, pictures, draft.encoding) => {}
            Some((layer, saved)) => {
                draft.place = place(layer, saved);
                let saved = meant(saved, object, draft.encoding);
                if saved.get("template").is_none() {
                    let plane = std::mem::replace(&mut draft.path, path.clone());
                    for (name, from, to) in (Pair { object, saved: &saved, is_new: false }).compare(draft, pictures) {
                        draft.set(name, from, to);
                    }
                    draft.path = plane;
                }
                let (path, place) = (path.clone(), draft.place.clone());
                edited.push(Edited { path, place, saved, was: Some(nth), own: kept });
            }
        }
        kept = kept.saturating_add(usize::from(seen.contains_key(&nth)));
    }
    let mut next = kept;
    // Only in this order the editor lets a user move objects in the list.
    let is_ordered = !layers.is_empty() && layers.iter().all(|layer| layer.text("draworder") == "index");
    let order: Vec<usize> = list.iter().filter_map(|(_, object)| index(object.number("id"))).collect();
    let kept: HashSet<usize> = if is_ordered { ascending(&order) } else { order }.into_iter().collect();
    let front = kept.iter().min().and_then(|first| paths.get(*first));
    let mut anchor: Option<&Path> = None;
    let new = list.iter().filter(|(_, object)| index(object.number("id")).is_none());
    let mut keys = ids.keys(draft, plane, new, pictures).into_iter();
    let zeros = ObjectRecord::new_zeroed();
    for (layer, object) in list {
        let position = match (is_ordered, anchor, front) {
            (true, Some(anchor), _) => Position::After(anchor.clone()),
            (true, None, Some(front)) => Position::Before(front.clone()),
            _ => Position::Natural,
        };
        match index(object.number("id")) {
            Some(index) if kept.contains(&index) => anchor = paths.get(index),
            Some(index) => {
                let path = paths.get(index).cloned().unwrap_or_default();
                draft.push(Change::Move { path, position, was: was(index) });
            }
            None => {
                let Some((key, tile)) = keys.next() else { continue };
                draft.place = place(layer, object);
                let path = keys::object(&draft.path, key);
                let home = std::mem::replace(&mut draft.path, path.clone());
                let blank = Object::new(&zeros);
                let new = Pair { object: &blank, saved: object, is_new: true }.compare(draft, pictures);
                draft.path = home;
                edited.push(Edited {
                    path: path.clone(),
                    place: draft.place.clone(),
                    saved: object.clone(),
                    was: None,
                    own: next,
                });
                next = next.saturating_add(1);
                let mut fields = new.into_iter().map(|(name, _, to)| (name.to_owned(), to)).collect();
                keys::fit(&mut fields, key.id, tile);
                draft.push(Change::Add { path, like: None, position, fields, data: None });
            }
        }
    }
    edited
}

/// Returns the words for the place of an object.
fn place(layer: &Element, object: &Element) -> String {
    format!("{}, object {}", layers::place(layer), object.text("id"))
}

/// The four strings of an object, and the attributes of a map that show two of them.
fn strings<'o>(object: &Object<'o>, saved: &'o Element) -> [(&'static str, &'o [u8], Option<&'o str>); 4] {
    [
        ("name", object.name, Some(saved.name())),
        ("logic", object.logic, Some(saved.class())),
        ("image_set", object.image_set, None),
        ("animation", object.animation, None),
    ]
}

pub(super) const X: &str = field_name!(ObjectRecord, x);
pub(super) const Y: &str = field_name!(ObjectRecord, y);
const I: &str = field_name!(ObjectRecord, i);
const FLAG_BITS: &str = field_name!(ObjectRecord, draw_flags);

/// Returns an integer of 32 bits as such.
fn int(value: i64) -> i32 {
    i32::try_from(value).unwrap_or(0)
}

/// An object, and what became of it.
struct Pair<'o> {
    /// A new object has nothing here.
    object: &'o Object<'o>,
    saved: &'o Element,
    /// Whether the object is new. Its attributes say more than its properties, which may be those of the object that it is a copy of.
    is_new: bool,
}

impl Pair<'_> {
    /// Returns the fields that differ, with the old and new values.
    fn compare(&self, draft: &mut Draft, pictures: &Pictures<'_>) -> Vec<(&'static str, Value, Value)> {
        let Self { object, saved, is_new } = *self;
        let picture = picture(draft, saved, pictures);
        let is_in_place = matches!(picture, Ok(picture) if self.is_in_place(draft, picture, pictures));
        let (picture, mut all) = (picture.unwrap_or_default(), Vec::new());
        for (name, old, attribute) in strings(object, saved) {
            let new = self.text(draft, (name, old, attribute), picture);
            if let Some(new) = draft.attempt(new, &property(name)).flatten() {
                all.push((name, decode(if name == "name" { shown(old) } else { old }), new));
            }
        }
        let old = object.metadata().map_or(&[][..], |metadata| metadata.stored);
        let new = hex(saved.properties.get("metadata").unwrap_or_default(), &draft.field("metadata"));
        if let Some(new) = draft.attempt(new, &property("metadata")).filter(|new| new != old) {
            all.push(("metadata", Value::Bytes(old.to_vec()), Value::Bytes(new)));
        }
        // The id of a new object is in its path.
        for (info, old) in object.record.content().filter(|(info, _)| !(is_new && info.name == ID)) {
            let new = self.field(draft, (info, old), picture, is_in_place);
            if let Some(new) = draft.attempt(new, &property(info.name)).flatten() {
                all.push((info.name, value(info, old), new));
            }
        }
        all
    }

    /// Refuses what would turn or resize the object. Returns whether its place says where the object is.
    fn is_in_place(&self, draft: &mut Draft, picture: Option<Picture<'_>>, pictures: &Pictures<'_>) -> bool {
        const SIZE: &str = "attribute \"width\" or \"height\"";
        let saved = self.saved;
        let size = picture.map_or(Some([0, 0]), |picture| picture.size);
        let [w, h] = ["width", "height"].map(|name| saved.number::<f64>(name));
        let is_size = |size: [u32; 2]| size.map(f64::from) == [w, h];
        // Some programs keep the size when they replace the picture.
        let before = || before(Some(&self.object), pictures, draft.encoding);
        let resized = size.filter(|size| !is_size(*size) && picture.is_none_or(|_| !before().is_none_or(is_size)));
        if let Some(shape) = saved.shape() {
            draft.refuse(SHAPE, &format!("attribute \"{shape}\""), format!("the object is drawn as a {shape}"));
        }
        if self.is_new && size.is_some_and(|size| !is_size(size)) {
            draft.leave_out(SHAPE, SIZE, format!("the new object has the size {w}x{h}; only its center counts"));
        } else if let Some([width, height]) = resized {
            let message = match picture {
                Some(_) => format!("the object has the size {w}x{h}, and its picture {width}x{height}"),
                None => format!("the object has the size {w}x{h}, and objects have none"),
            };
            draft.refuse(SHAPE, SIZE, message);
        }
        let rotation: f64 = saved.number("rotation");
        if rotation != 0.0 {
            let message = format!("the object is rotated by {rotation} degrees, which the game cannot do");
            draft.refuse(SHAPE, "attribute \"rotation\"", message);
        }
        self.is_new || rotation == 0.0 && resized.is_none()
    }

    /// Returns the new value of a string.
    fn text(
        &self,
        draft: &Draft,
        (name, old, attribute): (&str, &[u8], Option<&str>),
        picture: Option<Picture<'_>>,
    ) -> Result<Option<Value>> {
        let (path, properties) = (draft.field(name), &self.saved.properties);
        // Two strings are attributes, so that the property is one more form; of the others it is the only one.
        let text = properties.get(&property_name(name)).or(if attribute.is_none() { Some("") } else { None });
        let stored = properties.get(&bytes_name(name));
        let own = if self.is_new { encode(text.unwrap_or_default(), draft.encoding, &path)? } else { old.to_vec() };
        // The games do not distinguish the case.
        let set = picture.filter(|_| name == "image_set").map(|picture| picture.image_set);
        let set = set.map(|set| Ok::<_, EditError>((set, encode(set, draft.encoding, &path)?))).transpose()?;
        let set = set.filter(|(_, bytes)| !bytes.eq_ignore_ascii_case(&own)).map(|(set, _)| set);
        if !self.is_new {
            return text_changed(old, name == "name", &[attribute, text, set], stored, draft.encoding, &path);
        }
        let mut new = encode(set.or(attribute).or(text).unwrap_or_default(), draft.encoding, &path)?;
        // The bytes of a text may show the same.
        let stored = stored.map(|stored| hex(stored, &path)).transpose()?.filter(|bytes| shown(bytes) == new);
        if let Some(stored) = stored.filter(|_| name != "name") {
            new = stored;
        }
        Ok((!new.is_empty()).then(|| decode(&new)))
    }

    /// Returns the new value of a field.
    fn field(
        &self,
        draft: &mut Draft,
        (info, old): (&FieldInfo, FieldValue<'_>),
        picture: Option<Picture<'_>>,
        is_in_place: bool,
    ) -> Result<Option<Value>> {
        let Self { saved, is_new, .. } = *self;
        let name = info.name;
        let path = draft.field(name);
        let default = object_default(name).filter(|_| !matches!(name, X | Y));
        let mut new = changed(info, old, &saved.properties, default, draft.encoding, &path)?;
        // What an attribute is compared with: of a new object, its property.
        let own = |old: i32| match &new {
            Some(Value::Integer(new)) if is_new => i32::try_from(*new).unwrap_or(old),
            _ => old,
        };
        let attribute = match (name, old) {
            (X | Y, FieldValue::Int(old)) if is_in_place => {
                // The place of a picture that is only flipped is the same.
                let draw_flags = if is_new { flips(saved) } else { self.object.draw_flags.get() };
                let [x, y] = position(saved, picture, draw_flags);
                coordinate(own(int(old)), if name == X { x } else { y }, &path)?
            }
            (I, FieldValue::Int(old)) => {
                picture.filter(|picture| !picture.is_shown_by(own(int(old)))).map(|picture| picture.frame())
            }
            (FLAG_BITS, FieldValue::Uint(old)) => {
                let old = if is_new { 0 } else { u32::try_from(old).unwrap_or(0) };
                let said = match &new {
                    Some(Value::Integer(new)) => u32::try_from(*new).unwrap_or(old),
                    _ => old,
                };
                let mut flags = said;
                let flips = flips(saved);
                if picture.is_some() && (is_new || old & FLIPPED != flips) {
                    flags = flags & !FLIPPED | flips;
                }
                let is_visible = saved.flag("visible");
                if is_visible != (old & flags::DRAW_NO_DRAW == 0) {
                    flags = flags & !flags::DRAW_NO_DRAW | if is_visible { 0 } else { flags::DRAW_NO_DRAW };
                }
                new = if flags == said { new } else { Some(flags.into()) };
                None
            }
            _ => None,
        };
        match attribute {
            Some(attribute) if is_new => new = Some(attribute.into()),
            Some(attribute) => pick(&mut new, attribute.into(), &path)?,
            None => {}
        }
        Ok(new)
    }
}

/// Returns the picture of an object. If it has none that a level can say, it is refused, and the place of the object says nothing.
fn picture<'m>(
    draft: &mut Draft,
    saved: &Element,
    pictures: &Pictures<'m>,
) -> std::result::Result<Option<Picture<'m>>, ()> {
    pictures.get(saved).map_err(|why| draft.refuse(PICTURE, "attribute \"gid\"", why))
}

/// The draw flags for the bits of a tile id.
pub(super) fn flips(saved: &Element) -> u32 {
    FLIP_BITS.iter().filter(|(bit, _)| saved.number::<u32>("gid") & bit != 0).fold(0, |all, (_, flag)| all | flag)
}

/// The place of an object: a point, or the center of what has a size. A tile stands on its place, unless its tileset aligns it
/// otherwise. The center of a picture has a distance from the object, in the other direction if the object is flipped.
pub(super) fn position(saved: &Element, picture: Option<Picture<'_>>, draw_flags: u32) -> [f64; 2] {
    let [x0, y0, width, height] = ["x", "y", "width", "height"].map(|name| saved.number::<f64>(name));
    if let Some(Picture { offset: [x, y], anchor: [left, above], .. }) = picture {
        let offset = |offset: i32, flag| f64::from(offset) * if draw_flags & flag == 0 { 1.0 } else { -1.0 };
        let middle = |side: f64| (side.max(0.0).round() / 2.0).floor();
        let [left, top] = [x0 - left * width, y0 - above * height];
        return [left + middle(width) - offset(x, MIRROR), top + middle(height) - offset(y, INVERT)];
    }
    let half = |side: f64| side.max(0.0) / 2.0;
    let down = if saved.number::<u32>("gid") == 0 { half(height) } else { -half(height) };
    [x0 + half(width), y0 + down]
}
