//! The objects of a plane.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::LazyLock;

use worldview_core::describe::{FieldValue, Role};
use worldview_core::quote;
use worldview_core::{FieldInfo, Path, field_name};
use worldview_edit::account::Column;
use worldview_export::level::tiled::{bytes_name, object_default, property_name};
use worldview_wwd::raw::ObjectRecord;
use worldview_wwd::{Level, Object, ObjectKey, flags};

use super::codes::{CONTRADICTION, DERIVED, FOREIGN, PICTURE, ROUNDED, SHAPE, TOO_MANY, nearest};
use super::draft::{Draft, property};
use super::fields::{changed, coordinate, encode, fraction, hex, parse, pick, round, shown, text_changed, value};
use super::pictures::{Picture, Pictures};
use super::saved::Properties;
use super::{compare, layers, saved};
use crate::planner::objects::{ID, object};
use worldview_edit::fields::{decode_1252 as decode, values};
use worldview_edit::order::ascending;
use worldview_edit::{Change, EditError, Position, Result, Value};

/// The bits of a tile id that mirror a tile object, and what they are in a level.
const FLIP_BITS: [(u32, u32); 2] = [(1 << 31, MIRROR), (1 << 30, INVERT)];
/// The draw flags of flipped pictures.
const MIRROR: u32 = 2;
const INVERT: u32 = 4;
const FLIPPED: u32 = MIRROR | INVERT;

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

/// Compares the objects of a plane with those of its object layers, which have ids from `first` on.
pub(super) fn objects(
    draft: &mut Draft,
    objects: &[(ObjectKey, Object<'_>)],
    first: u32,
    layers: &[saved::Layer],
    pictures: &Pictures<'_>,
    ids: &mut Ids,
) {
    let paths: Vec<Path> = objects.iter().map(|(key, _)| object(&draft.path, *key)).collect();
    let index = |id: u32| usize::try_from(id.checked_sub(first)?).ok().filter(|index| *index < objects.len());
    let mut list: Vec<(&saved::Layer, &saved::Object)> = Vec::new();
    let mut seen = HashMap::new();
    for (layer, object) in layers.iter().flat_map(|layer| layer.objects.iter().map(move |object| (layer, object))) {
        draft.place = place(layer, object);
        let own = index(object.id);
        if own.is_some_and(|index| seen.contains_key(&index)) {
            let message = format!("the map has two objects with the id {}", object.id);
            let path = own.and_then(|index| paths.get(index)).unwrap_or(&draft.path);
            draft.attempt(Err::<(), _>(EditError::refused(path, CONTRADICTION, message)), "");
            continue;
        }
        if let Some(index) = own {
            seen.insert(index, (layer, object));
        }
        if !object.template.is_empty() {
            let what = "is an instance of a template, whose values are in another file";
            draft.refuse(SHAPE, "attribute \"template\"", format!("object {} of the map {what}", object.id));
        } else if let (None, Some(shape)) = (own, object.shape()) {
            let message = format!("object {} of the map is a drawing ({shape}), which levels do not have", object.id);
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
    for (nth, ((_, object), path)) in objects.iter().zip(&paths).enumerate() {
        match seen.get(&nth) {
            None => {
                let (path, fields) = (path.clone(), values(object, Some("id")).0);
                draft.push(Change::Remove { path, fields, data: None, was: was(nth) });
            }
            Some((layer, saved)) if saved.template.is_empty() => {
                draft.place = place(layer, saved);
                let plane = std::mem::replace(&mut draft.path, path.clone());
                Existing { object, saved }.compare(draft, pictures);
                draft.path = plane;
            }
            Some(_) => {}
        }
    }
    // Only in this order the editor lets a user move objects in the list.
    let is_ordered = !layers.is_empty() && layers.iter().all(|layer| layer.draworder == "index");
    let order: Vec<usize> = list.iter().filter_map(|(_, object)| index(object.id)).collect();
    let kept: HashSet<usize> = if is_ordered { ascending(&order) } else { order }.into_iter().collect();
    let front = kept.iter().min().and_then(|first| paths.get(*first));
    let mut anchor: Option<&Path> = None;
    for (layer, object) in list {
        let position = match (is_ordered, anchor, front) {
            (true, Some(anchor), _) => Position::After(anchor.clone()),
            (true, None, Some(front)) => Position::Before(front.clone()),
            _ => Position::Natural,
        };
        match index(object.id) {
            Some(index) if kept.contains(&index) => anchor = paths.get(index),
            Some(index) => {
                let path = paths.get(index).cloned().unwrap_or_default();
                draft.push(Change::Move { path, position, was: was(index) });
            }
            None => {
                draft.place = place(layer, object);
                if ids.added >= MAX_ADDED {
                    draft.refuse(TOO_MANY, "", "the map adds more than 65536 objects");
                    return;
                }
                let change = added(draft, object, pictures, position, ids);
                if let Some(change) = draft.attempt(change, "") {
                    draft.push(change);
                }
            }
        }
    }
}

/// Returns the words for the place of an object.
fn place(layer: &saved::Layer, object: &saved::Object) -> String {
    format!("{}, object {}", layers::place(layer), object.id)
}

/// The four strings of an object, and the attributes of a map that show two of them.
fn strings<'o>(object: &Object<'o>, saved: &'o saved::Object) -> [(&'static str, &'o [u8], Option<&'o str>); 4] {
    [
        ("name", object.name, Some(saved.name.as_str())),
        ("logic", object.logic, Some(saved.class.as_str())),
        ("image_set", object.image_set, None),
        ("animation", object.animation, None),
    ]
}

const X: &str = field_name!(ObjectRecord, x);
const Y: &str = field_name!(ObjectRecord, y);
const I: &str = field_name!(ObjectRecord, i);
const FLAG_BITS: &str = field_name!(ObjectRecord, draw_flags);

/// Returns an integer of 32 bits as such.
fn int(value: i64) -> i32 {
    i32::try_from(value).unwrap_or(0)
}

/// An object, and what became of it.
struct Existing<'o> {
    object: &'o Object<'o>,
    saved: &'o saved::Object,
}

impl Existing<'_> {
    fn compare(&self, draft: &mut Draft, pictures: &Pictures<'_>) {
        let Self { object, saved } = *self;
        let properties = &saved.properties;
        hold(properties);
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
        let new = match properties.get("metadata") {
            None if properties.is_held("metadata") => Ok(old.to_vec()),
            text => hex(text.unwrap_or_default(), &draft.field("metadata")),
        };
        if let Some(new) = draft.attempt(new, &property("metadata")).filter(|new| new != old) {
            draft.set("metadata", Value::Bytes(old.to_vec()), Value::Bytes(new));
        }
        for (info, old) in object.record.content() {
            let new = self.field(draft, (info, old), properties, picture, is_in_place);
            if let Some(new) = draft.attempt(new, &property(info.name)).flatten() {
                draft.set(info.name, value(info, old), new);
            }
        }
        for (info, old) in object.record.fields().filter(|(info, _)| info.role == Role::Storage) {
            self.derived(draft, info, old, properties);
        }
        compare::attributes(draft, "object", &unshaped(saved), &Vec::new(), Column::Refused);
        compare::properties(draft, properties, &Properties::default(), &NAMES, |_| true);
    }

    /// Refuses what would turn or resize the object. Returns whether its place says where the object is.
    fn is_in_place(&self, draft: &mut Draft, picture: Option<Picture<'_>>, pictures: &Pictures<'_>) -> bool {
        let saved = self.saved;
        let size = picture.map_or(Some([0, 0]), |picture| picture.size);
        let is_size = |size: [u32; 2]| size.map(f64::from) == [saved.width, saved.height];
        // Some programs keep the size when they replace the picture.
        let before = || pictures.size_of(&draft.encoding.decode(self.object.image_set), self.object.i.get());
        let resized = size.filter(|size| !is_size(*size) && picture.is_none_or(|_| !before().is_none_or(is_size)));
        if let Some(shape) = saved.shape() {
            draft.refuse(SHAPE, &format!("attribute \"{shape}\""), format!("the object is drawn as a {shape}"));
        }
        if let Some([width, height]) = resized {
            let [w, h] = [saved.width, saved.height];
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
        let is_absent = attribute.is_none() && !properties.is_held(name);
        let text = if is_absent { Some(text.unwrap_or_default()) } else { text };
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
                match coordinate(old, at, &path)? {
                    Some(at) => pick(&mut new, at.into(), &path)?,
                    None if fraction(old, at) => {
                        let message = format!("{name} is {at}, which is rounded to {old}");
                        draft.leave_out(ROUNDED, &format!("attribute \"{name}\""), message);
                    }
                    None => {}
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
                if saved.visible != was_visible {
                    let flags = word(new.as_ref()).unwrap_or(old) & !flags::DRAW_NO_DRAW;
                    new = Some((flags | hidden(saved)).into());
                }
            }
            _ => {}
        }
        Ok(new)
    }

    /// Names a field that follows from others and was edited.
    fn derived(&self, draft: &mut Draft, info: &FieldInfo, old: FieldValue<'_>, properties: &Properties) {
        let Some(text) = properties.get(&property_name(info.name)) else { return };
        let (own, path) = (value(info, old), draft.field(info.name));
        if parse(text, info.stored, &path).ok().as_ref() != Some(&own) {
            let message = format!("{} follows from other values: {} stays {own}", info.name, quote(text));
            draft.leave_out(DERIVED, &property(info.name), message);
        }
    }
}

/// The names of all properties that objects can have.
static NAMES: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    let fields = ObjectRecord::FIELDS.iter().map(|info| property_name(info.name).into_owned());
    let strings = Object::STRINGS.into_iter().flat_map(|name| [property_name(name).into_owned(), bytes_name(name)]);
    fields.chain(strings).chain(["metadata".to_owned()]).collect()
});

/// Keeps the values for which a mistyped property probably stands, instead of their defaults.
fn hold(properties: &Properties) {
    let unknown = properties.iter().map(|(name, _)| name).filter(|name| !NAMES.contains(*name));
    let meant = unknown.filter_map(|name| nearest(name, NAMES.iter().map(String::as_str)));
    meant.filter(|name| properties.peek(name).is_none()).for_each(|name| properties.hold(name));
}

/// Returns the picture of an object. If it has none that a level can say, it is refused, and the place of the object says nothing.
fn picture<'m>(
    draft: &mut Draft,
    saved: &saved::Object,
    pictures: &Pictures<'m>,
) -> std::result::Result<Option<Picture<'m>>, ()> {
    pictures.get(saved).map_err(|why| draft.refuse(PICTURE, "attribute \"gid\"", why))
}

/// The attributes of an object that are not its shape, which has an entry of its own.
fn unshaped(saved: &saved::Object) -> saved::Rest {
    saved.rest.iter().filter(|(name, _)| saved.shape() != Some(name)).cloned().collect()
}

fn word(value: Option<&Value>) -> Option<u32> {
    match value {
        Some(Value::Integer(integer)) => u32::try_from(*integer).ok(),
        _ => None,
    }
}

fn hidden(saved: &saved::Object) -> u32 {
    if saved.visible { 0 } else { flags::DRAW_NO_DRAW }
}

/// The draw flags for the bits of a tile id.
fn flips(saved: &saved::Object) -> u32 {
    FLIP_BITS.iter().filter(|(bit, _)| saved.gid & bit != 0).fold(0, |all, (_, flag)| all | flag)
}

/// Refuses a rotated object. Returns whether it is upright.
fn is_upright(draft: &mut Draft, saved: &saved::Object) -> bool {
    if saved.rotation != 0.0 {
        let message = format!("the object is rotated by {} degrees, which the game cannot do", saved.rotation);
        draft.refuse(SHAPE, "attribute \"rotation\"", message);
    }
    saved.rotation == 0.0
}

/// The place of an object: a point, or the center of what has a size. A tile stands on its place, unless its tileset aligns it
/// otherwise. The center of a picture has a distance from the object, in the other direction if the object is flipped.
fn position(saved: &saved::Object, picture: Option<Picture<'_>>, draw_flags: u32) -> [f64; 2] {
    if let Some(Picture { offset: [x, y], anchor: [left, above], .. }) = picture {
        let offset = |offset: i32, flag| f64::from(offset) * if draw_flags & flag == 0 { 1.0 } else { -1.0 };
        let middle = |side: f64| (side.max(0.0).round() / 2.0).floor();
        let [left, top] = [saved.x - left * saved.width, saved.y - above * saved.height];
        return [left + middle(saved.width) - offset(x, MIRROR), top + middle(saved.height) - offset(y, INVERT)];
    }
    let half = |side: f64| side.max(0.0) / 2.0;
    let down = if saved.gid == 0 { half(saved.height) } else { -half(saved.height) };
    [saved.x + half(saved.width), saved.y + down]
}

/// The change that adds an object.
fn added(
    draft: &mut Draft,
    saved: &saved::Object,
    pictures: &Pictures<'_>,
    position: Position,
    ids: &mut Ids,
) -> Result<Change> {
    let picture = picture(draft, saved, pictures).unwrap_or_default();
    is_upright(draft, saved);
    ids.added = ids.added.saturating_add(1);
    let size = picture.map_or(Some([0, 0]), |picture| picture.size).map(|size| size.map(f64::from));
    if size.is_some_and(|size| size != [saved.width, saved.height]) {
        let message = format!("the new object has the size {}x{}; only its center counts", saved.width, saved.height);
        draft.leave_out(SHAPE, "attribute \"width\" or \"height\"", message);
    }
    compare::attributes(draft, "object", &saved.rest, &Vec::new(), Column::Refused);
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
    let path = object(&draft.path, ObjectKey::new(ids.choose(wanted), None));
    let of = |name: &str| {
        let mut path = path.clone();
        path.push_name(name.as_bytes());
        path
    };
    let mut fields = Vec::new();
    for (name, attribute) in
        [("name", Some(&saved.name)), ("logic", Some(&saved.class)), ("image_set", None), ("animation", None)]
    {
        let path = of(name);
        let text = attribute.map_or_else(|| properties.get(name).unwrap_or_default(), String::as_str);
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
    // What follows from others, and the attributes as properties, is that of the object that this is a copy of.
    NAMES.iter().for_each(|name| properties.read(name));
    compare::properties(draft, properties, &Properties::default(), &NAMES, |_| true);
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
