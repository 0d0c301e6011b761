//! What the planners for levels share: paths, texts, and the objects of all planes.

use std::collections::{HashMap, HashSet};

use worldview_core::describe::{FieldValue, Stored};
use worldview_core::{FieldInfo, Path, field_name, quote};
use worldview_edit::account::{Account, Column, Entry, SourcePlace};
use worldview_export::Encoding;
use worldview_wwd::raw::{AttributeHead, ObjectRecord};
use worldview_wwd::{Attribute, Level, Object, ObjectKey};

use worldview_edit::fields;
use worldview_edit::{Change, Changes, Planned, Position, Result, Value};

use crate::codes::FREE_ID;
use crate::table::{Added as Counted, missing_of};

/// The field that names an object in paths.
pub(super) const ID: &str = field_name!(ObjectRecord, id);

/// Returns the error about a text that the code page lacks a character of.
pub(super) fn not_encodable(text: &str, encoding: Encoding) -> String {
    format!("{text} does not fit: a character is not in {page}", text = quote(text), page = encoding.name())
}

/// Returns a text as changes express it, whatever the code page of an export: as Windows-1252, which has a character for each byte.
pub(super) fn text(bytes: &[u8]) -> Value {
    Value::Text(Encoding::WINDOWS_1252.decode(bytes).into_owned())
}

/// Returns the value of a field of a fixed-layout structure.
pub(super) fn value(info: &FieldInfo, value: FieldValue<'_>) -> Value {
    fields::value_of(value, info.stored)
}

/// One value in an edited export. Errors say what was expected and found.
pub(super) trait Given {
    fn integer(&self, range: (i128, i128)) -> std::result::Result<i128, String>;
    fn float(&self) -> std::result::Result<f32, String>;
    fn bytes(&self) -> std::result::Result<Vec<u8>, String>;
}

/// Reads the value of a field that is no text, or of one of its parts.
pub(super) fn read(info: &FieldInfo, given: &impl Given) -> std::result::Result<Value, String> {
    match info.stored {
        Stored::Int(int) | Stored::Ints(int, _) => given.integer(int.range()).map(Value::Integer),
        Stored::Float { .. } => given.float().map(Value::from),
        Stored::Bytes(_) => given.bytes().map(Value::Bytes),
        // Fixed-layout structures have no others.
        Stored::Text(_)
        | Stored::Name(_)
        | Stored::Padded(_)
        | Stored::Floats(_)
        | Stored::Color
        | Stored::Masked(..)
        | Stored::Offset(..)
        | Stored::Nowhere
        | Stored::Counted(_)
        | Stored::Terminated(_)
        | Stored::Pooled { .. } => Err("texts are read with their code page".to_owned()),
    }
}

/// Sets one of the parts of a field, all of which are those of `old` before.
pub(super) fn with_part(info: &FieldInfo, old: Option<&Value>, part: usize, to: Value) -> Value {
    let mut all = match old {
        Some(Value::Integers(all)) => all.clone(),
        _ => vec![0; info.stored.count().unwrap_or(0)],
    };
    if let (Some(place), Value::Integer(to)) = (all.get_mut(part), to) {
        *place = to;
    }
    Value::Integers(all)
}

/// Returns the paths of the planes.
pub(super) fn paths(level: &Level<'_>) -> Vec<Path> {
    let mut counts: HashMap<&[u8], (u32, u32)> = HashMap::new();
    for plane in level.planes() {
        let count = &mut counts.entry(plane.name()).or_default().0;
        *count = count.saturating_add(1);
    }
    let path = |name: &[u8], nth| {
        let mut path = Path::new();
        path.push("plane", name, nth);
        path
    };
    let mut paths = Vec::with_capacity(level.planes().len());
    for plane in level.planes() {
        let (count, nth) = counts.entry(plane.name()).or_default();
        paths.push(path(plane.name(), (*count > 1).then_some(*nth)));
        *nth = nth.saturating_add(1);
    }
    paths
}

/// Returns the path of an object of a plane.
pub(super) fn object(plane: &Path, key: ObjectKey) -> Path {
    let mut path = plane.clone();
    path.push("object", key.id.to_string().as_bytes(), key.nth);
    path
}

/// Returns all that changes can say of an object, but its id.
fn values(object: &Object<'_>) -> Vec<(String, Value)> {
    let texts = Object::STRINGS.iter().zip(object.strings());
    let mut list: Vec<_> = texts.map(|(name, bytes)| ((*name).to_owned(), text(bytes))).collect();
    if let Some(metadata) = object.metadata() {
        list.push(("metadata".to_owned(), Value::Bytes(metadata.stored.to_vec())));
    }
    let own = object.record.content().filter(|(info, _)| info.name != ID);
    list.extend(own.map(|(info, field)| (info.name.to_owned(), value(info, field))));
    list
}

/// The objects of a plane, and those that have an id.
struct Plane<'a> {
    path: Path,
    objects: Vec<(ObjectKey, Object<'a>)>,
    indices: HashMap<i32, Vec<usize>>,
}

/// An added object.
struct Added {
    plane: usize,
    id: i32,
    fields: Vec<(String, Value)>,
}

/// The objects of a level, and their changes.
pub(super) struct Objects<'a> {
    planes: Vec<Plane<'a>>,
    /// The plane and the index in it of each object, in the order of the file.
    places: Vec<(usize, usize)>,
    numbers: HashMap<(usize, usize), usize>,
    pub(super) changes: Changes,
    added: Vec<Added>,
    /// The ids of the objects of each plane, and the highest of all.
    ids: HashSet<(usize, i32)>,
    highest: Option<i32>,
    counted: Counted,
    account: Account,
}

impl<'a> Objects<'a> {
    /// Reads the objects of a level.
    pub(super) fn of(level: &Level<'a>) -> Result<Self> {
        let mut planes = Vec::new();
        let mut places = Vec::new();
        for (plane, path) in level.planes().iter().zip(paths(level)) {
            let objects = plane.objects().with_keys().collect::<worldview_core::Result<Vec<_>>>()?;
            let mut indices: HashMap<i32, Vec<usize>> = HashMap::new();
            for (index, (key, _)) in objects.iter().enumerate() {
                indices.entry(key.id).or_default().push(index);
            }
            places.extend((0..objects.len()).map(|index| (plane.index(), index)));
            planes.push(Plane { path, objects, indices });
        }
        let numbers = places.iter().copied().zip(0..).collect();
        let own = planes.iter().zip(0..).flat_map(|(plane, number)| plane.indices.keys().map(move |id| (number, *id)));
        let ids: HashSet<(usize, i32)> = own.collect();
        let highest = ids.iter().map(|(_, id)| *id).max();
        Ok(Self {
            planes,
            places,
            numbers,
            changes: Changes::new(),
            added: Vec::new(),
            ids,
            highest,
            counted: Counted::default(),
            account: Account::default(),
        })
    }

    /// Returns the number in the level of the object of a plane with a key, or why there is none.
    pub(super) fn find(&self, plane: usize, key: ObjectKey) -> std::result::Result<usize, String> {
        let same = self.planes.get(plane).and_then(|plane| plane.indices.get(&key.id)).map_or(&[][..], Vec::as_slice);
        let found = match (same, key.nth) {
            ([_, .., _], None) => {
                let count = same.len();
                return Err(format!(
                    "{count} objects have this key; select one with #0 to #{}",
                    count.saturating_sub(1)
                ));
            }
            (same, nth) => usize::try_from(nth.unwrap_or(0)).ok().and_then(|nth| same.get(nth)),
        };
        found.and_then(|index| self.number(plane, *index)).ok_or_else(|| format!("the plane has no object {key}"))
    }

    /// Returns the number in the level of the object in a row of a plane.
    pub(super) fn number(&self, plane: usize, index: usize) -> Option<usize> {
        self.numbers.get(&(plane, index)).copied()
    }

    /// Returns the plane, the index in it, and the object itself.
    pub(super) fn get(&self, number: usize) -> Option<(usize, usize, Object<'a>)> {
        let &(plane, index) = self.places.get(number)?;
        Some((plane, index, self.planes.get(plane)?.objects.get(index)?.1))
    }

    /// Returns the plane of an object, the index in it, and the key.
    pub(super) fn key(&self, number: usize) -> Option<(usize, usize, ObjectKey)> {
        let &(plane, index) = self.places.get(number)?;
        Some((plane, index, self.planes.get(plane)?.objects.get(index)?.0))
    }

    /// Returns the number of objects.
    pub(super) const fn len(&self) -> usize {
        self.places.len()
    }

    /// Returns the number of planes.
    pub(super) const fn planes(&self) -> usize {
        self.planes.len()
    }

    /// Returns the path of a plane.
    pub(super) fn plane(&self, plane: usize) -> Path {
        self.planes.get(plane).map_or_else(Path::new, |plane| plane.path.clone())
    }

    /// Returns the path of an object.
    pub(super) fn path(&self, number: usize) -> Path {
        self.key(number).map_or_else(Path::new, |(plane, _, key)| object(&self.plane(plane), key))
    }

    /// Sets a field of an object.
    pub(super) fn set(&mut self, number: usize, name: &str, from: Option<Value>, to: Value) {
        let mut path = self.path(number);
        path.push_name(name.as_bytes());
        self.changes.push(Change::Set { path, from, to });
    }

    /// Counts the members of a new object, of which a source may not have too many.
    pub(super) fn count(&mut self, members: usize) -> Result<()> {
        self.counted.count(members)
    }

    /// Adds an object behind those of its plane. Without an id, or with one that an object has and may not be repeated, it gets the next
    /// free one.
    pub(super) fn add(
        &mut self,
        plane: usize,
        (id, repeats): (Option<i32>, bool),
        fields: Vec<(String, Value)>,
        place: SourcePlace,
    ) {
        let id = match id {
            Some(id) if repeats || !self.ids.contains(&(plane, id)) => id,
            given => {
                let free = self.free();
                let why = match given {
                    Some(given) => format!("another object has the id {given}, so the new one gets {free}"),
                    None => format!("the new object gets the id {free}"),
                };
                let path = object(&self.plane(plane), ObjectKey::new(free, None));
                self.account.push(Entry::new(Column::Done, FREE_ID, &path, why).at(place));
                free
            }
        };
        self.ids.insert((plane, id));
        self.highest = self.highest.max(Some(id));
        self.added.push(Added { plane, id, fields });
    }

    /// Returns an id above those of all objects, or else one that no object has.
    fn free(&self) -> i32 {
        let is_free = |id: &i32| (0..self.planes.len()).all(|plane| !self.ids.contains(&(plane, *id)));
        let above = self.highest.map_or(Some(1), |highest| highest.checked_add(1));
        above.or_else(|| (1..i32::MAX).find(is_free)).unwrap_or(i32::MAX)
    }

    /// Returns where an object was: behind the one before it, or before the first that stays in its plane.
    fn was(&self, number: usize, is_seen: &[bool]) -> Position {
        let Some(&(plane, index)) = self.places.get(number) else { return Position::Natural };
        if index > 0 {
            return Position::After(self.path(number.saturating_sub(1)));
        }
        let mut others = self.places.iter().enumerate().skip(number).take_while(|(_, (other, _))| *other == plane);
        let first = others.find(|(number, _)| is_seen.get(*number) == Some(&true));
        first.map_or(Position::Natural, |(first, _)| Position::Before(self.path(first)))
    }

    /// Takes the objects that were not seen, which stay or are removed, and returns all changes.
    pub(super) fn finish(mut self, is_seen: &[bool], removes: bool) -> Planned {
        let mut planned = Planned { account: std::mem::take(&mut self.account), ..Planned::default() };
        for (number, plane) in self.planes.iter().enumerate() {
            let own = self.places.iter().zip(is_seen).filter(|((plane, _), _)| *plane == number);
            let missing: Vec<_> = own.filter(|(_, is_seen)| !**is_seen).map(|((_, index), _)| *index).collect();
            if missing.is_empty() {
                continue;
            }
            let keys = missing.iter().filter_map(|index| plane.objects.get(*index)).map(|(key, _)| key.to_string());
            let entry = missing_of((missing.len(), plane.objects.len()), "objects", removes, &plane.path);
            planned.account.push(entry.about(missing.len() as u64, keys));
        }
        for number in 0..self.places.len() {
            if let Some((_, _, object)) = self.get(number).filter(|_| removes && is_seen.get(number) == Some(&false)) {
                let (path, was) = (self.path(number), self.was(number, is_seen));
                self.changes.push(Change::Remove { path, fields: values(&object), data: None, was });
            }
        }
        let mut totals: HashMap<(usize, i32), u32> = HashMap::new();
        for Added { plane, id, .. } in &self.added {
            let total = totals.entry((*plane, *id)).or_default();
            *total = total.saturating_add(1);
        }
        let mut taken: HashMap<(usize, i32), u32> = HashMap::new();
        for Added { plane, id, fields } in self.added {
            let Some(home) = self.planes.get(plane) else { continue };
            let before = home.indices.get(&id).map_or(0, Vec::len);
            let before = u32::try_from(before).unwrap_or(u32::MAX);
            let nth = taken.entry((plane, id)).or_insert(before);
            let is_repeated = before.saturating_add(totals.get(&(plane, id)).copied().unwrap_or(0)) > 1;
            let path = object(&home.path, ObjectKey::new(id, is_repeated.then_some(*nth)));
            *nth = nth.saturating_add(1);
            self.changes.push(Change::Add { path, like: None, position: Position::Natural, fields, data: None });
        }
        planned.changes = self.changes;
        planned
    }
}

/// Returns the path of a tile attribute.
pub(super) fn frame(index: usize) -> Path {
    let mut path = Path::new();
    path.push_name(b"tile_attributes");
    path.push_nth(b"frame", u32::try_from(index).unwrap_or(u32::MAX));
    path
}

/// The field that decides which others a tile attribute has.
pub(super) const KIND: &str = field_name!(AttributeHead, kind);

/// A tile attribute as it will be.
pub(super) struct Frame<'r> {
    record: &'r Attribute<'r>,
    old_kind: u32,
    /// The number of its kind: 1 for `single`, 2 for `double`, 3 for `mask`.
    pub(super) kind: u32,
    /// The fields of the original that the kind has too.
    old: Vec<(&'static str, Value)>,
    /// The fields to set.
    pub(super) new: Vec<(&'static str, Value)>,
    /// The pixels of a mask, if they are given.
    pub(super) pixels: Option<Vec<u8>>,
}

impl<'r> Frame<'r> {
    /// Returns an attribute of the original, which gets a kind.
    pub(super) fn of(record: &'r Attribute<'r>, kind: impl FnOnce(u32) -> Option<u32>) -> Option<Self> {
        let old_kind = record.kind();
        let mut old: Vec<_> = record.fields().map(|(info, field)| (info.name, value(info, field))).collect();
        let kind = kind(old_kind).filter(|kind| (1..=3).contains(kind))?;
        if kind != old_kind {
            old.retain(|(name, _)| AttributeHead::FIELDS.iter().any(|info| info.name == *name));
        }
        Some(Self { record, old_kind, kind, old, new: vec![(KIND, kind.into())], pixels: None })
    }

    /// Returns a field that the kind has.
    pub(super) fn field(&self, name: &str) -> Option<&'static FieldInfo> {
        Attribute::fields_of(self.kind)?.iter().find(|info| info.name == name)
    }

    pub(super) const fn is_same_kind(&self) -> bool {
        self.kind == self.old_kind
    }

    /// Returns the value of a field of the original.
    pub(super) fn found(&self, name: &str) -> Option<&Value> {
        self.old.iter().find(|(field, _)| *field == name).map(|(_, value)| value)
    }

    /// The columns and rows of a mask as it will be.
    fn size(&self) -> (usize, usize) {
        let side = |name: &str| {
            let new = self.new.iter().find(|(field, _)| *field == name).map(|(_, value)| value);
            match new.or_else(|| self.found(name)) {
                Some(Value::Integer(side)) => usize::try_from(*side).unwrap_or(0),
                _ => 0,
            }
        };
        (side(field_name!(AttributeHead, width)), side(field_name!(AttributeHead, height)))
    }

    /// Makes the changes of the attribute.
    pub(super) fn finish(self, index: usize, changes: &mut Changes) -> std::result::Result<(), String> {
        for (name, to) in &self.new {
            let from = self.found(name);
            let is_zero = match to {
                Value::Integers(list) => list.iter().all(|integer| *integer == 0),
                to => *to == Value::from(0),
            };
            // The fields of a new kind are zero.
            if from.map_or(!is_zero, |from| from != to) {
                let mut path = frame(index);
                path.push_name(name.as_bytes());
                changes.push(Change::Set { path, from: from.cloned(), to: to.clone() });
            }
        }
        let (width, height) = self.size();
        let old = match self.record {
            Attribute::Mask { pixels, .. } => Some(*pixels),
            _ => None,
        };
        let count = width.checked_mul(height);
        let new = match &self.pixels {
            Some(new) => new.as_slice(),
            None if self.kind != 3 || old.is_some_and(|old| Some(old.len()) == count) => return Ok(()),
            None => &[],
        };
        if Some(new.len()) != count {
            return Err(format!("expected {width} x {height} pixels, found {}", new.len()));
        }
        let old = old.filter(|old| old.len() == new.len());
        for (nth, pixel) in new.iter().enumerate() {
            let from = old.and_then(|old| old.get(nth)).copied();
            if from.unwrap_or(0) != *pixel {
                let (x, y) = (nth.checked_rem(width).unwrap_or(0), nth.checked_div(width).unwrap_or(0));
                let mut path = frame(index);
                path.push("pixel", format!("{x},{y}").as_bytes(), None);
                changes.push(Change::Set { path, from: from.map(Value::from), to: (*pixel).into() });
            }
        }
        Ok(())
    }
}
