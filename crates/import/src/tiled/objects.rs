//! The objects of a plane.

use std::collections::{HashMap, HashSet};

use worldview_core::describe::{FieldValue, Role};
use worldview_core::{FieldInfo, Path, field_name};
use worldview_export::level::tiled::{bytes_name, object_default, property_name};
use worldview_wwd::raw::ObjectRecord;
use worldview_wwd::{Level, Object, ObjectKey, flags};

use super::codes::{CONTRADICTION, FOREIGN, PICTURE, SHAPE, TOO_MANY};
use super::draft::{Draft, property};
use super::edited::{Edited, before, is_as_written, meant};
use super::fields::{changed, coordinate, encode, hex, pick, round, shown, text_changed, value};
use super::layers;
use super::pictures::{Picture, Pictures};
use super::saved::{Element, Kind, Properties};
use crate::planner::objects::{self as keys, ID};
use worldview_edit::fields::{decode_1252 as decode, values};
use worldview_edit::order::ascending;
use worldview_edit::{Change, EditError, Position, Result, Value};

/// The bits of a tile id that mirror a tile object, and what they are in a level.
const FLIP_BITS: [(u32, u32); 2] = [(1 << 31, MIRROR), (1 << 30, INVERT)];
/// The draw flags of flipped pictures.
const MIRROR: u32 = 2;
const INVERT: u32 = 4;
pub(super) const FLIPPED: u32 = MIRROR | INVERT;

/// New objects of a map, whose changes take several kilobytes each. Real levels have up to 16,478 objects.
const MAX_ADDED: usize = 1 << 16;

/// Chooses the ids of new objects.
pub(super) struct Ids {
    used: HashSet<i32>,
    added: usize,
    next: i32,
}

impl Ids {
    /// Collects the ids of all objects of a level.
    pub(super) fn of(level: &Level<'_>) -> Result<Self> {
        let mut used = HashSet::new();
        for plane in level.planes() {
            for object in plane.objects() {
                used.insert(object?.record.id.get());
            }
        }
        let next = used.iter().max().map_or(1, |max| max.saturating_add(1)).max(1);
        Ok(Self { used, added: 0, next })
    }

    /// Returns the wanted id if it is free, and else the one after the highest.
    fn choose(&mut self, wanted: i32) -> i32 {
        let mut id = if wanted == 0 { self.next } else { wanted };
        if !self.used.insert(id) {
            id = self.next;
            // At the end of the numbers those that were skipped are used.
            while !self.used.insert(id) {
                id = if id == i32::MAX { 1 } else { id.saturating_add(1) };
            }
        }
        if id >= self.next {
            self.next = id.saturating_add(1);
        }
        id
    }
}

/// Compares the objects of a plane with those of its object layers, which have ids from `first` on. Returns those that were edited.
pub(super) fn objects(
    draft: &mut Draft,
    objects: &[(ObjectKey, Object<'_>)],
    first: u32,
    layers: &[Element],
    pictures: &Pictures<'_>,
    ids: &mut Ids,
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
                    Existing { object, saved: &saved }.compare(draft, pictures);
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
                draft.place = place(layer, object);
                if ids.added >= MAX_ADDED {
                    draft.refuse(TOO_MANY, "", "the map adds more than 65536 objects");
                    return edited;
                }
                let change = added(draft, object, pictures, position, ids);
                if let Some(change) = draft.attempt(change, "") {
                    let (path, place, own) = (change.path().clone(), draft.place.clone(), next);
                    edited.push(Edited { path, place, saved: object.clone(), was: None, own });
                    next = next.saturating_add(1);
                    draft.push(change);
                }
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
struct Existing<'o> {
    object: &'o Object<'o>,
    saved: &'o Element,
}

impl Existing<'_> {
    fn compare(&self, draft: &mut Draft, pictures: &Pictures<'_>) {
        let Self { object, saved } = *self;
        let properties = &saved.properties;
        let picture = picture(draft, saved, pictures);
        let is_in_place = matches!(picture, Ok(picture) if self.is_in_place(draft, picture, pictures));
        let picture = picture.unwrap_or_default();
        for (name, old, attribute) in strings(object, saved) {
            let new = self.text(draft, (name, old, attribute), properties, picture);
            if let Some(new) = draft.attempt(new, &property(name)).flatten() {
                draft.set(name, decode(if name == "name" { shown(old) } else { old }), new);
            }
        }
        let old = object.metadata().map_or(&[][..], |metadata| metadata.stored);
        let new = hex(properties.get("metadata").unwrap_or_default(), &draft.field("metadata"));
        if let Some(new) = draft.attempt(new, &property("metadata")).filter(|new| new != old) {
            draft.set("metadata", Value::Bytes(old.to_vec()), Value::Bytes(new));
        }
        for (info, old) in object.record.content() {
            let new = self.field(draft, (info, old), properties, picture, is_in_place);
            if let Some(new) = draft.attempt(new, &property(info.name)).flatten() {
                draft.set(info.name, value(info, old), new);
            }
        }
    }

    /// Refuses what would turn or resize the object. Returns whether its place says where the object is.
    fn is_in_place(&self, draft: &mut Draft, picture: Option<Picture<'_>>, pictures: &Pictures<'_>) -> bool {
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
        if let Some([width, height]) = resized {
            let message = match picture {
                Some(_) => format!("the object has the size {w}x{h}, and its picture {width}x{height}"),
                None => format!("the object has the size {w}x{h}, and objects have none"),
            };
            draft.refuse(SHAPE, "attribute \"width\" or \"height\"", message);
        }
        is_upright(draft, saved) && resized.is_none()
    }

    /// Returns the new value of a string.
    fn text(
        &self,
        draft: &Draft,
        (name, old, attribute): (&str, &[u8], Option<&str>),
        properties: &Properties,
        picture: Option<Picture<'_>>,
    ) -> Result<Option<Value>> {
        let path = draft.field(name);
        let text = properties.get(&property_name(name));
        // Two strings are attributes, so that the property is one more form; of the others it is the only one.
        let text = if attribute.is_none() { Some(text.unwrap_or_default()) } else { text };
        let stored = properties.get(&bytes_name(name));
        let shown_set = picture.filter(|_| name == "image_set").map(|picture| picture.image_set);
        // The games do not distinguish the case.
        let own = shown_set.map(|set| Ok::<_, EditError>((set, encode(set, draft.encoding, &path)?))).transpose()?;
        let shown_set = own.filter(|(_, bytes)| !bytes.eq_ignore_ascii_case(old)).map(|(set, _)| set);
        text_changed(old, name == "name", &[attribute, text, shown_set], stored, draft.encoding, &path)
    }

    /// Returns the new value of a field.
    fn field(
        &self,
        draft: &mut Draft,
        (info, old): (&FieldInfo, FieldValue<'_>),
        properties: &Properties,
        picture: Option<Picture<'_>>,
        is_in_place: bool,
    ) -> Result<Option<Value>> {
        let saved = self.saved;
        let name = info.name;
        let path = draft.field(name);
        let default = object_default(name).filter(|_| !matches!(name, X | Y));
        let mut new = changed(info, old, properties, default, draft.encoding, &path)?;
        match (name, old) {
            (X | Y, FieldValue::Int(old)) if is_in_place => {
                // The place of a picture that is only flipped is the same.
                let [x, y] = position(saved, picture, self.object.draw_flags.get());
                let (old, at) = (int(old), if name == X { x } else { y });
                if let Some(at) = coordinate(old, at, &path)? {
                    pick(&mut new, at.into(), &path)?;
                }
            }
            (I, FieldValue::Int(old)) => {
                let is_new = |picture: &Picture<'_>| !picture.is_shown_by(int(old));
                if let Some(picture) = picture.filter(is_new) {
                    pick(&mut new, picture.frame().into(), &path)?;
                }
            }
            (FLAG_BITS, FieldValue::Uint(old)) => {
                let old = u32::try_from(old).unwrap_or(0);
                let flips = flips(saved);
                if picture.is_some() && old & FLIPPED != flips {
                    new = Some((word(new.as_ref()).unwrap_or(old) & !FLIPPED | flips).into());
                }
                let was_visible = old & flags::DRAW_NO_DRAW == 0;
                if saved.flag("visible") != was_visible {
                    let flags = word(new.as_ref()).unwrap_or(old) & !flags::DRAW_NO_DRAW;
                    new = Some((flags | hidden(saved)).into());
                }
            }
            _ => {}
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

fn word(value: Option<&Value>) -> Option<u32> {
    match value {
        Some(Value::Integer(integer)) => u32::try_from(*integer).ok(),
        _ => None,
    }
}

fn hidden(saved: &Element) -> u32 {
    if saved.flag("visible") { 0 } else { flags::DRAW_NO_DRAW }
}

/// The draw flags for the bits of a tile id.
pub(super) fn flips(saved: &Element) -> u32 {
    FLIP_BITS.iter().filter(|(bit, _)| saved.number::<u32>("gid") & bit != 0).fold(0, |all, (_, flag)| all | flag)
}

/// Refuses a rotated object. Returns whether it is upright.
fn is_upright(draft: &mut Draft, saved: &Element) -> bool {
    let rotation: f64 = saved.number("rotation");
    if rotation != 0.0 {
        let message = format!("the object is rotated by {rotation} degrees, which the game cannot do");
        draft.refuse(SHAPE, "attribute \"rotation\"", message);
    }
    rotation == 0.0
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

/// The change that adds an object.
fn added(
    draft: &mut Draft,
    saved: &Element,
    pictures: &Pictures<'_>,
    position: Position,
    ids: &mut Ids,
) -> Result<Change> {
    let picture = picture(draft, saved, pictures).unwrap_or_default();
    is_upright(draft, saved);
    ids.added = ids.added.saturating_add(1);
    let size = picture.map_or(Some([0, 0]), |picture| picture.size).map(|size| size.map(f64::from));
    let [width, height] = ["width", "height"].map(|name| saved.number::<f64>(name));
    if size.is_some_and(|size| size != [width, height]) {
        let message = format!("the new object has the size {width}x{height}; only its center counts");
        draft.leave_out(SHAPE, "attribute \"width\" or \"height\"", message);
    }
    let properties = &saved.properties;
    let zeros = [0; size_of::<ObjectRecord>()];
    let read = |info: &FieldInfo, path: &Path| {
        let zero = info.value(&zeros);
        let new = changed(info, zero, properties, object_default(info.name), draft.encoding, path)?;
        Ok::<Value, EditError>(new.unwrap_or_else(|| value(info, zero)))
    };
    // Until the id is known, errors name the plane.
    let mut wanted = 0;
    for info in ObjectRecord::FIELDS.iter().filter(|info| info.name == ID) {
        if let Value::Integer(id) = read(info, &draft.field(&property_name(ID)))? {
            wanted = i32::try_from(id).unwrap_or(0);
        }
    }
    let path = keys::object(&draft.path, ObjectKey::new(ids.choose(wanted), None));
    let of = |name: &str| {
        let mut path = path.clone();
        path.push_name(name.as_bytes());
        path
    };
    let mut fields = Vec::new();
    for (name, attribute) in
        [("name", Some(saved.name())), ("logic", Some(saved.class())), ("image_set", None), ("animation", None)]
    {
        let path = of(name);
        let text = attribute.unwrap_or_else(|| properties.get(name).unwrap_or_default());
        let text = match picture {
            // The property of a copy may be that of the picture before.
            Some(picture) if name == "image_set" && !picture.image_set.eq_ignore_ascii_case(text) => picture.image_set,
            _ => text,
        };
        let mut bytes = encode(text, draft.encoding, &path)?;
        // A copy of an object has the bytes of the original's text, which may be another by now.
        if let Some(stored) = properties.get(&bytes_name(name)) {
            let stored = hex(stored, &path)?;
            if shown(&stored) == bytes {
                bytes = if name == "name" { shown(&stored).to_vec() } else { stored };
            }
        }
        fields.push((name.to_owned(), decode(&bytes)));
    }
    if let Some(metadata) = properties.get("metadata") {
        fields.push(("metadata".to_owned(), Value::Bytes(hex(metadata, &of("metadata"))?)));
    }
    for info in ObjectRecord::FIELDS.iter().filter(|info| info.role != Role::Storage && info.name != ID) {
        let name = info.name;
        let path = of(name);
        let mut new = read(info, &path)?;
        let [x, y] = self::position(saved, picture, flips(saved));
        match name {
            I => {
                let own = match &new {
                    Value::Integer(i) => i32::try_from(*i).unwrap_or(-1),
                    _ => -1,
                };
                if let Some(picture) = picture.filter(|picture| !picture.is_shown_by(own)) {
                    new = picture.frame().into();
                }
            }
            X => new = saved_coordinate(&new, x, &path)?,
            Y => new = saved_coordinate(&new, y, &path)?,
            FLAG_BITS => {
                let flags = word(Some(&new)).unwrap_or(0);
                // The property of a copy is that of the original, which may have been flipped otherwise.
                let flags = if picture.is_some() { flags & !FLIPPED } else { flags };
                new = (flags | flips(saved) | hidden(saved)).into();
            }
            _ => {}
        }
        fields.push((name.to_owned(), new));
    }
    Ok(Change::Add { path, like: None, position, fields, data: None })
}

/// The coordinate of a new object: the exact property of the object that it is a copy of, if that is its place.
fn saved_coordinate(property: &Value, saved: f64, path: &Path) -> Result<Value> {
    let exact = match property {
        Value::Integer(integer) => i32::try_from(*integer).unwrap_or(0),
        _ => 0,
    };
    Ok(coordinate(exact, saved, path)?.map_or(Ok(exact), |_| round(saved, path))?.into())
}
