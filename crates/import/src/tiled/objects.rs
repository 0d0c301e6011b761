//! The objects of a plane.

use std::collections::{HashMap, HashSet};

use worldview_core::describe::{FieldValue, Role};
use worldview_core::{FieldInfo, Path, field_name};
use worldview_export::level::tiled::{object_default, property_name};
use worldview_wwd::raw::ObjectRecord;
use worldview_wwd::{Level, Object, ObjectKey, flags};

use super::draft::Draft;
use super::fields::{changed, coordinate, encode, hex, pick, round, shown, text_changed, value};
use super::pictures::{Picture, Pictures};
use super::saved;
use crate::level::{self, ID};
use worldview_edit::fields::{decode_1252 as decode, values};
use worldview_edit::order::ascending;
use worldview_edit::{Change, EditError, EditErrorKind, Position, Result, Value};

/// The bits of a tile id that mirror a tile object, and what they are in a level.
const FLIPS: [(u32, u32); 2] = [(1 << 31, MIRROR), (1 << 30, INVERT)];
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
) -> Result<()> {
    let paths: Vec<Path> = objects.iter().map(|(key, _)| level::object(&draft.path, *key)).collect();
    let index = |id: u32| usize::try_from(id.checked_sub(first)?).ok().filter(|index| *index < objects.len());
    let list: Vec<&saved::Object> = layers.iter().flat_map(|layer| &layer.objects).collect();
    let mut seen = HashMap::new();
    for object in &list {
        if !object.template.is_empty() {
            let why = format!(
                "object {} of the map is an instance of a template, whose values are in another file",
                object.id
            );
            return Err(EditError::new(&draft.path, EditErrorKind::Malformed { line: None, why }));
        }
        if let Some(index) = index(object.id)
            && seen.insert(index, *object).is_some()
        {
            let why = format!("the map has two objects with the id {}", object.id);
            let path = paths.get(index).cloned().unwrap_or_default();
            return Err(EditError::new(&path, EditErrorKind::Malformed { line: None, why }));
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
                draft.changes.push(Change::Remove { path, fields, data: None, was: was(nth) });
            }
            Some(saved) => existing(draft, object, saved, pictures.get(saved), path)?,
        }
    }
    // Only in this order the editor lets a user move objects in the list.
    let is_ordered = !layers.is_empty() && layers.iter().all(|layer| layer.draworder == "index");
    let order: Vec<usize> = list.iter().filter_map(|object| index(object.id)).collect();
    let kept = if is_ordered { ascending(&order) } else { order.iter().copied().collect() };
    let front = order.iter().filter(|index| kept.contains(index)).min().and_then(|first| paths.get(*first));
    let mut anchor: Option<&Path> = None;
    for object in list {
        let position = match (is_ordered, anchor, front) {
            (true, Some(anchor), _) => Position::After(anchor.clone()),
            (true, None, Some(front)) => Position::Before(front.clone()),
            _ => Position::Natural,
        };
        match index(object.id) {
            Some(index) if kept.contains(&index) => anchor = paths.get(index),
            Some(index) => {
                let path = paths.get(index).cloned().unwrap_or_default();
                draft.changes.push(Change::Move { path, position, was: was(index) });
            }
            None => {
                let change = added(draft, object, pictures.get(object), position, ids)?;
                draft.changes.push(change);
            }
        }
    }
    Ok(())
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

/// Compares an object with what became of it.
fn existing(
    draft: &mut Draft,
    object: &Object<'_>,
    saved: &saved::Object,
    picture: Option<Picture<'_>>,
    path: &Path,
) -> Result<()> {
    is_upright(saved, picture, path)?;
    let mark = draft.path.mark();
    let plane = std::mem::replace(&mut draft.path, path.clone());
    let properties = &saved.properties;
    for (name, old, attribute) in strings(object, saved) {
        let path = draft.field(name);
        let property = properties.get(&property_name(name));
        // Two strings are attributes, so that the property is one more form; of the others it is the only one.
        let property = if attribute.is_none() { Some(property.unwrap_or_default()) } else { property };
        let property = if name == "image_set" { property.map(|name| set_of(name, picture)) } else { property };
        let stored = properties.get(&format!("{name}_bytes"));
        let is_name = name == "name";
        if let Some(new) = text_changed(old, is_name, &[attribute, property], stored, draft.encoding, &path)? {
            draft.set(name, decode(if is_name { shown(old) } else { old }), new);
        }
    }
    let old = object.metadata().map_or(&[][..], |metadata| metadata.stored);
    let new = hex(properties.get("metadata").unwrap_or_default(), &draft.field("metadata"))?;
    if new != old {
        draft.set("metadata", Value::Bytes(old.to_vec()), Value::Bytes(new));
    }
    for (info, old) in object.record.content() {
        let name = info.name;
        let path = draft.field(name);
        let default = object_default(name).filter(|_| !matches!(name, X | Y));
        let mut new = changed(info, old, properties, default, draft.encoding, &path)?;
        match (name, old) {
            (X | Y, FieldValue::Int(old)) => {
                // The place of a picture that is only flipped is the same.
                let [x, y] = position(saved, picture, object.draw_flags.get());
                let at = coordinate(int(old), if name == X { x } else { y }, &path)?;
                at.map_or(Ok(()), |at| pick(&mut new, at.into(), &path))?;
            }
            (I, FieldValue::Int(old)) => {
                if let Some(picture) = picture.filter(|picture| !picture.is_shown_by(int(old)))
                    && new.is_none()
                {
                    new = Some(picture.frame().into());
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
        if let Some(new) = new {
            draft.set(name, value(info, old), new);
        }
    }
    draft.path = plane;
    draft.path.truncate(mark);
    Ok(())
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
    FLIPS.iter().filter(|(bit, _)| saved.gid & bit != 0).fold(0, |all, (_, flag)| all | flag)
}

/// Refuses a rotated picture.
fn is_upright(saved: &saved::Object, picture: Option<Picture<'_>>, path: &Path) -> Result<()> {
    if picture.is_some() && saved.rotation != 0.0 {
        return Err(EditError::unsupported(path, "the object is rotated, which the game cannot do"));
    }
    Ok(())
}

/// The image set of an object: that of its picture, if its property has another.
fn set_of<'o>(property: &'o str, picture: Option<Picture<'o>>) -> &'o str {
    match picture {
        Some(picture) if !picture.image_set.eq_ignore_ascii_case(property) => picture.image_set,
        _ => property,
    }
}

/// The place of an object: a point, or the center of what has a size. A tile stands on its place. The center of a picture
/// has a distance from the object, in the other direction if the object is flipped.
fn position(saved: &saved::Object, picture: Option<Picture<'_>>, draw_flags: u32) -> [f64; 2] {
    if let Some(Picture { offset: [x, y], .. }) = picture {
        let offset = |offset: i32, flag| f64::from(offset) * if draw_flags & flag == 0 { 1.0 } else { -1.0 };
        let middle = |side: f64| (side.max(0.0).round() / 2.0).floor();
        let top = saved.y - saved.height;
        return [saved.x + middle(saved.width) - offset(x, MIRROR), top + middle(saved.height) - offset(y, INVERT)];
    }
    let half = |side: f64| side.max(0.0) / 2.0;
    let down = if saved.gid == 0 { half(saved.height) } else { -half(saved.height) };
    [saved.x + half(saved.width), saved.y + down]
}

/// The change that adds an object.
fn added(
    draft: &Draft,
    saved: &saved::Object,
    picture: Option<Picture<'_>>,
    position: Position,
    ids: &mut Ids,
) -> Result<Change> {
    is_upright(saved, picture, &draft.path)?;
    ids.added = ids.added.saturating_add(1);
    if ids.added > MAX_ADDED {
        return Err(EditError::unsupported(&draft.path, "the map adds more than 65536 objects"));
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
    let path = level::object(&draft.path, ObjectKey::new(ids.choose(wanted), None));
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
        let text = if name == "image_set" { set_of(text, picture) } else { text };
        let mut bytes = encode(text, draft.encoding, &path)?;
        // A copy of an object has the bytes of the original's text, which may be another by now.
        if let Some(stored) = properties.get(&format!("{name}_bytes")) {
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
