use std::collections::HashMap;

use worldview_core::{Path, Segment};
use worldview_wwd::raw::ObjectRecord;
use worldview_wwd::{Level, Object, Plane};
use zerocopy::{FromBytes as _, FromZeros as _, IntoBytes as _};

use super::image::{Image, Part, fields};
use super::record::{Record, decode, encode, same};
use crate::tree::{Tree, field, sibling};
use crate::{Change, EditError, EditErrorKind, Position, Result, Value};

/// Longer strings overflow a buffer of the engine.
const MAX_STRING: usize = 1023;

/// The four strings of an object, in file order.
pub(super) const STRINGS: [&str; 4] = ["name", "logic", "image_set", "animation"];

/// An object as it will be.
struct Draft {
    /// Which object of the original it is.
    origin: Option<usize>,
    /// Its bytes, if it changed.
    bytes: Option<Vec<u8>>,
}

/// An element of the new order.
struct Place {
    origin: Option<usize>,
    /// The bytes of an added object.
    bytes: Option<Vec<u8>>,
    /// Whether a change put it there.
    is_placed: bool,
}

/// Applies changes of a plane's objects, and returns their number.
pub(super) fn edit<'a>(
    level: &Level<'a>,
    plane: &Plane<'a>,
    changes: &[(Segment<'_>, &Tree<'_>)],
    image: &mut Image<'a>,
) -> Result<u32> {
    let objects = plane.objects().into_iter().collect::<worldview_core::Result<Vec<_>>>()?;
    let mut by_id: HashMap<i32, Vec<usize>> = HashMap::new();
    for (index, object) in objects.iter().enumerate() {
        by_id.entry(object.record.id.get()).or_default().push(index);
    }
    let list = Objects { by_id };
    let mut drafts: Vec<Draft> = (0..objects.len()).map(|index| Draft { origin: Some(index), bytes: None }).collect();
    let (mut placed, mut shared) = (Vec::new(), None);
    for (segment, node) in changes {
        shared = node.any().map(Change::path).or(shared);
        match node.change {
            None | Some(Change::Remove { .. } | Change::Move { .. }) => {
                let index = list.find(segment, node)?;
                let Some(object) = objects.get(index) else { continue };
                let draft = drafts.get_mut(index);
                match node.change {
                    Some(Change::Remove { path, fields, .. }) => {
                        expect(object, fields, path)?;
                        draft.into_iter().for_each(|draft| draft.origin = None);
                    }
                    other => {
                        if let Some(Change::Move { path, position, was: _ }) = other {
                            placed.push((Some(index), None, position, path, node.order));
                        }
                        let bytes = changed(object, node)?;
                        draft.into_iter().for_each(|draft| draft.bytes = Some(bytes.clone()));
                    }
                }
            }
            Some(Change::Add { path, like, position, fields, data: None }) => {
                let like = like.as_ref().map(|like| list.sibling(like, path)).transpose()?;
                let bytes = new(segment, like.and_then(|like| objects.get(like)), fields, path)?;
                placed.push((None, Some(bytes), position, path, node.order));
            }
            Some(change) => return Err(crate::tree::unexpected(change)),
        }
    }
    let Some(path) = shared else { return Ok(plane.objects().count()) };
    // Elements that go to the same place stay in the order of the list of changes.
    placed.sort_by_key(|(.., order)| *order);
    let is_own = image.is_own(plane.index(), Part::Objects);
    if is_own && placed.is_empty() {
        for (draft, object) in drafts.iter_mut().zip(&objects) {
            let size = usize::try_from(object.size()).unwrap_or(usize::MAX);
            match (draft.origin, draft.bytes.take()) {
                (None, _) => image.replace(object.at, size, Vec::new(), path)?,
                (Some(_), Some(bytes)) if bytes.len() == size => {
                    let old = level.image().slice(object.at, object.size(), "object")?;
                    image.patch(object.at, old, &bytes, path)?;
                }
                (Some(_), Some(bytes)) => image.replace(object.at, size, bytes, path)?,
                (Some(_), None) => {}
            }
        }
        let count = drafts.iter().filter(|draft| draft.origin.is_some()).count();
        return u32::try_from(count).map_err(|_| EditError::new(path, EditErrorKind::NotFound));
    }
    // Removed objects stay until the end, for others may go beside them.
    let kept = |index| Place { origin: Some(index), bytes: None, is_placed: false };
    let mut order: Vec<Place> = (0..objects.len()).map(kept).collect();
    for (moved, bytes, position, path, _) in placed {
        if moved.is_some() {
            order.retain(|place| place.origin != moved);
        }
        let at = |index: usize| order.iter().position(|place| place.origin == Some(index));
        let at = match position {
            Position::Natural => Some(order.len()),
            Position::Before(other) => at(list.sibling(other, path)?),
            Position::After(other) => {
                let after = at(list.sibling(other, path)?).map(|at| at.saturating_add(1));
                let passed = |after| order.iter().skip(after).take_while(|place| place.is_placed).count();
                after.map(|after| passed(after).saturating_add(after))
            }
        };
        let at = at.ok_or_else(|| EditError::unsupported(path, "the neighbor of this element moves itself"))?;
        order.insert(at, Place { origin: moved, bytes, is_placed: true });
    }
    let mut out = Vec::new();
    let mut count = 0_u32;
    for place in order {
        match (place.origin, place.bytes) {
            (_, Some(bytes)) => out.extend(bytes),
            (Some(index), None) => {
                let (Some(draft), Some(object)) = (drafts.get_mut(index), objects.get(index)) else { continue };
                if draft.origin.is_none() {
                    continue;
                }
                match draft.bytes.take() {
                    Some(bytes) => out.extend(bytes),
                    None => out.extend(level.image().slice(object.at, object.size(), "object")?),
                }
            }
            (None, None) => continue,
        }
        count = count.saturating_add(1);
    }
    image.replace_part(plane.index(), Part::Objects, out, path)?;
    Ok(count)
}

/// The objects of a plane by id.
struct Objects {
    by_id: HashMap<i32, Vec<usize>>,
}

impl Objects {
    fn find(&self, segment: &Segment<'_>, node: &Tree<'_>) -> Result<usize> {
        let path = || node.any().map(|change| change.path().clone()).unwrap_or_default();
        self.place(segment).map_err(|kind| EditError::new(&path(), kind))
    }

    /// Which object of the list a segment names.
    fn place(&self, segment: &Segment<'_>) -> std::result::Result<usize, EditErrorKind> {
        let list = id(segment).and_then(|id| self.by_id.get(&id)).map_or(&[][..], |list| list);
        let nth = usize::try_from(segment.nth.unwrap_or(0)).unwrap_or(usize::MAX);
        match (list.get(nth), list.len()) {
            (Some(_), count) if count > 1 && segment.nth.is_none() => Err(EditErrorKind::Ambiguous { count }),
            (Some(index), _) => Ok(*index),
            (None, _) => Err(EditErrorKind::NotFound),
        }
    }

    /// The object that another path of a change names, which must be in the same plane.
    fn sibling(&self, other: &Path, path: &Path) -> Result<usize> {
        let segment = sibling(other, path, "object")?;
        self.place(&segment).map_err(|kind| EditError::new(other, kind))
    }
}

fn id(segment: &Segment<'_>) -> Option<i32> {
    std::str::from_utf8(&segment.key).ok()?.parse().ok()
}

/// Splits the changes of an object's fields into those of its record and those of its strings.
fn changed(object: &Object<'_>, node: &Tree<'_>) -> Result<Vec<u8>> {
    let mut record = Record::of(object.record.as_bytes(), object.record.fields());
    let mut strings = [object.name, object.logic, object.image_set, object.animation].map(<[u8]>::to_vec);
    let mut own = Tree::default();
    let mut metadata = None;
    for (name, node) in &node.children {
        if name.segments().next().is_some_and(|segment| &*segment.key == b"metadata") {
            let (_, from, to, path) = field(name, node)?;
            let found = object.metadata().map_or(&[][..], |metadata| metadata.stored);
            if let Some(expected) = from.filter(|expected| expected.as_bytes() != Some(found)) {
                let found = Value::Bytes(found.to_vec());
                return Err(EditError::new(path, EditErrorKind::Differs { expected: expected.clone(), found }));
            }
            metadata = Some((to, path));
            continue;
        }
        let Some(nth) = name.segments().next().and_then(|segment| string(&segment.key)) else {
            own.children.insert(name.clone(), node.clone_subtree());
            continue;
        };
        let (_, from, to, path) = field(name, node)?;
        let Some(old) = strings.get_mut(nth) else { continue };
        set_string(old, nth == 0, from, to, path)?;
    }
    fields(&mut record, &own)?;
    if let ([name, ..], Some((to, path))) = (&mut strings, metadata) {
        set_metadata(name, to, path)?;
    }
    Ok(bytes(record.bytes(), &strings))
}

/// Replaces what is behind the NUL of a name; empty metadata removes the NUL too.
fn set_metadata(name: &mut Vec<u8>, to: &Value, path: &Path) -> Result<()> {
    let Some(metadata) = to.as_bytes() else {
        return Err(EditError::new(path, EditErrorKind::WrongType { wanted: "bytes", found: to.clone() }));
    };
    let end = name.iter().position(|&byte| byte == 0).unwrap_or(name.len());
    name.truncate(end);
    if !metadata.is_empty() {
        name.push(0);
        name.extend(metadata);
    }
    if name.len() > MAX_STRING {
        let limit = "strings of objects have at most 1023 bytes".to_owned();
        return Err(EditError::new(path, EditErrorKind::DoesNotFit { value: to.clone(), limit }));
    }
    Ok(())
}

fn string(name: &[u8]) -> Option<usize> {
    STRINGS.iter().position(|string| string.as_bytes() == name)
}

/// Gives a string another text; in a name, what is behind a NUL stays.
fn set_string(old: &mut Vec<u8>, is_name: bool, from: Option<&Value>, to: &Value, path: &Path) -> Result<()> {
    let shown = if is_name { old.split(|&byte| byte == 0).next().unwrap_or(&[]) } else { old.as_slice() };
    let found = decode(shown);
    if let Some(expected) = from.filter(|expected| !same(expected, &found)) {
        return Err(EditError::new(path, EditErrorKind::Differs { expected: expected.clone(), found }));
    }
    if same(to, &found) {
        return Ok(());
    }
    let text = encode(to, path)?;
    let rest = old.get(shown.len()..).unwrap_or(&[]);
    let does_not_fit =
        |limit: &str| EditError::new(path, EditErrorKind::DoesNotFit { value: to.clone(), limit: limit.to_owned() });
    if is_name && text.contains(&0) {
        return Err(does_not_fit("names have no NUL"));
    }
    let new = [&*text, rest].concat();
    if new.len() > MAX_STRING {
        return Err(does_not_fit("strings of objects have at most 1023 bytes"));
    }
    *old = new;
    Ok(())
}

/// The bytes of a new object.
fn new(segment: &Segment<'_>, like: Option<&Object<'_>>, given: &[(String, Value)], path: &Path) -> Result<Vec<u8>> {
    let id =
        id(segment).ok_or_else(|| EditError::unsupported(path, "an object's name in a path is its id, a number"))?;
    let empty = ObjectRecord::new_zeroed();
    let raw = like.map_or(&empty, |like| like.record);
    let mut record = Record::of(raw.as_bytes(), raw.fields());
    record.set(b"id", None, &id.into(), path)?;
    let strings = like.map(|like| [like.name, like.logic, like.image_set, like.animation]);
    let mut strings = strings.unwrap_or_default().map(<[u8]>::to_vec);
    let mut metadata = None;
    for (name, value) in given {
        match string(name.as_bytes()).and_then(|nth| Some((nth, strings.get_mut(nth)?))) {
            Some((nth, old)) => set_string(old, nth == 0, None, value, path)?,
            None if name == "metadata" => metadata = Some(value),
            None => record.set(name.as_bytes(), None, value, path)?,
        }
    }
    if let ([name, ..], Some(to)) = (&mut strings, metadata) {
        set_metadata(name, to, path)?;
    }
    Ok(bytes(record.bytes(), &strings))
}

/// An object's record with the lengths of its strings, and the strings.
fn bytes(record: &[u8], strings: &[Vec<u8>; 4]) -> Vec<u8> {
    let mut raw = ObjectRecord::read_from_bytes(record).unwrap_or_else(|_| ObjectRecord::new_zeroed());
    let len = |string: &Vec<u8>| u32::try_from(string.len()).unwrap_or(u32::MAX);
    let [name, logic, image_set, animation] = strings;
    raw.name_len.set(len(name));
    raw.logic_len.set(len(logic));
    raw.image_set_len.set(len(image_set));
    raw.animation_len.set(len(animation));
    [raw.as_bytes(), name, logic, image_set, animation].concat()
}

/// Compares an object with the fields that a change expects.
fn expect(object: &Object<'_>, expected: &[(String, Value)], path: &Path) -> Result<()> {
    let found = values(object);
    for (name, expected) in expected {
        let value = found.iter().find(|(field, _)| field == name).map(|(_, value)| value);
        let found = value.ok_or_else(|| EditError::new(path, EditErrorKind::NotFound))?;
        if !same(expected, found) {
            return Err(EditError::new(
                path,
                EditErrorKind::Differs { expected: expected.clone(), found: found.clone() },
            ));
        }
    }
    Ok(())
}

/// All that changes can say of an object, but its id.
pub(crate) fn values(object: &Object<'_>) -> Vec<(String, Value)> {
    let texts = [object.display_name(), object.logic, object.image_set, object.animation];
    let mut list: Vec<_> = STRINGS.iter().zip(texts).map(|(name, text)| ((*name).to_owned(), decode(text))).collect();
    if let Some(metadata) = object.metadata() {
        list.push(("metadata".to_owned(), Value::Bytes(metadata.stored.to_vec())));
    }
    let record = Record::of(object.record.as_bytes(), object.record.fields());
    let own = record.values().filter(|(name, _)| *name != "id" && !name.ends_with("_len"));
    list.extend(own.map(|(name, value)| (name.to_owned(), value)));
    list
}
