//! The objects of a level by their keys.

use std::collections::{HashMap, HashSet};

use worldview_core::describe::{Part, PartKey, Span};
use worldview_core::{OffsetBase, Path, field_name, quote};
use worldview_edit::account::{Account, Column, Entry, SourcePlace};
use worldview_edit::fields::values;
use worldview_edit::order::{numbered, repeated};
use worldview_edit::{Change, Planned, Position, Result, Value, of_kind};
use worldview_export::Encoding;
use worldview_wwd::raw::ObjectRecord;
use worldview_wwd::{Level, Object, ObjectKey};

use super::rows::{Found, Rows, Visitor, missing_of, wrong};
use super::{Cells, Mode, Planner};
use crate::cell::{self, is_same_text};
use crate::codes::FREE_ID;
use crate::given::Given;

/// The field that names an object in paths.
pub(crate) const ID: &str = field_name!(ObjectRecord, id);

/// Returns the paths of the planes.
pub(crate) fn planes(level: &Level<'_>) -> Vec<Path> {
    let names = numbered(level.planes().iter().map(worldview_wwd::Plane::name));
    let repeated = repeated(&[&names]);
    let path = |(name, nth): &(&[u8], u32)| {
        Path::new().with(|path| path.push("plane", name, repeated.contains(name).then_some(*nth)))
    };
    names.iter().map(path).collect()
}

/// Returns the path of an object of a plane.
pub(crate) fn object(plane: &Path, key: ObjectKey) -> Path {
    plane.with(|path| path.push("object", key.id.to_string().as_bytes(), key.nth))
}

/// The objects of a plane, and those that have an id.
struct Plane<'a> {
    path: Path,
    name: &'a [u8],
    /// The number in the level of the first one.
    first: usize,
    objects: Vec<(ObjectKey, Object<'a>)>,
    by_id: HashMap<i32, Vec<usize>>,
    is_seen: Vec<bool>,
    /// Whether a source has a list of the objects.
    is_listed: bool,
}

/// An added object.
struct Added {
    plane: usize,
    id: i32,
    fields: Vec<(String, Value)>,
}

/// The objects of a level, and what becomes of them.
pub(crate) struct Objects<'a> {
    level: &'a Level<'a>,
    planes: Vec<Plane<'a>>,
    added: Vec<Added>,
    /// The ids of the objects of each plane, and the highest of all.
    ids: HashSet<(usize, i32)>,
    highest: Option<i32>,
    account: Account,
}

impl<'a> Objects<'a> {
    /// Reads the objects of a level.
    pub(crate) fn of(level: &'a Level<'a>) -> worldview_core::Result<Self> {
        let (mut all, mut ids, mut first) = (Vec::new(), HashSet::new(), 0_usize);
        for (plane, path) in level.planes().iter().zip(planes(level)) {
            let objects = plane.objects().with_keys().collect::<worldview_core::Result<Vec<_>>>()?;
            let mut by_id: HashMap<i32, Vec<usize>> = HashMap::new();
            for (index, (key, _)) in objects.iter().enumerate() {
                by_id.entry(key.id).or_default().push(index);
                ids.insert((plane.index(), key.id));
            }
            let (is_seen, len) = (vec![false; objects.len()], objects.len());
            all.push(Plane { path, name: plane.name(), first, objects, by_id, is_seen, is_listed: false });
            first = first.saturating_add(len);
        }
        let highest = ids.iter().map(|(_, id)| *id).max();
        Ok(Self { level, planes: all, added: Vec::new(), ids, highest, account: Account::default() })
    }

    /// Notes that a source has a list of the objects of a plane: those that it lacks are missing.
    pub(crate) fn list(&mut self, plane: u32) {
        let plane = usize::try_from(plane).ok().and_then(|plane| self.planes.get_mut(plane));
        plane.into_iter().for_each(|plane| plane.is_listed = true);
    }

    /// Notes that a source has one list of all objects.
    pub(crate) fn list_all(&mut self) {
        self.planes.iter_mut().for_each(|plane| plane.is_listed = true);
    }

    /// Returns the plane of the object with a number in the level, and its index there.
    fn place(&self, number: usize) -> Option<(&Plane<'a>, usize)> {
        let plane = self.planes.partition_point(|plane| plane.first <= number).checked_sub(1)?;
        let plane = self.planes.get(plane)?;
        Some((plane, number.checked_sub(plane.first)?))
    }

    /// Returns the number in the level of the object of a plane with a key, or why there is none.
    fn find(&self, plane: usize, key: ObjectKey) -> std::result::Result<usize, String> {
        let none = || format!("the plane has no object {key}");
        let plane = self.planes.get(plane).ok_or_else(none)?;
        let same = plane.by_id.get(&key.id).map_or(&[][..], Vec::as_slice);
        if same.len() > 1 && key.nth.is_none() {
            let (count, last) = (same.len(), same.len().saturating_sub(1));
            return Err(format!("{count} objects have this key; select one with #0 to #{last}"));
        }
        let index = usize::try_from(key.nth.unwrap_or(0)).ok().and_then(|nth| same.get(nth));
        index.map(|index| plane.first.saturating_add(*index)).ok_or_else(none)
    }

    fn path(&self, number: usize) -> Path {
        let found = self.place(number).and_then(|(plane, index)| Some((plane, plane.objects.get(index)?)));
        found.map_or_else(Path::new, |(plane, (key, _))| object(&plane.path, *key))
    }

    /// Adds an object behind those of its plane. Without an id, or with one that an object has and may not be repeated, it gets the next
    /// free one.
    fn add(
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
                let home = self.planes.get(plane).map_or_else(Path::new, |plane| plane.path.clone());
                let path = object(&home, ObjectKey::new(free, None));
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

    /// Takes the objects that the source does not have, which stay or are removed, and adds all changes.
    pub(crate) fn finish(self, removes: bool, planned: &mut Planned) {
        let removes = removes && planned.account.refused() == 0;
        planned.account.append(self.account);
        for plane in self.planes.iter().filter(|plane| plane.is_listed) {
            let missing: Vec<usize> =
                (0..plane.objects.len()).filter(|at| plane.is_seen.get(*at) == Some(&false)).collect();
            if missing.is_empty() {
                continue;
            }
            let keys = missing.iter().filter_map(|index| plane.objects.get(*index)).map(|(key, _)| key.to_string());
            let entry = missing_of((missing.len(), plane.objects.len()), "objects", removes, &plane.path);
            planned.account.push(entry.about(missing.len() as u64, keys));
            let path = |at: usize| plane.objects.get(at).map(|(key, _)| object(&plane.path, *key));
            for index in missing.into_iter().filter(|_| removes) {
                let Some((_, own)) = plane.objects.get(index) else { continue };
                // Behind the one before it, or before the first that stays.
                let was = match index.checked_sub(1) {
                    Some(before) => path(before).map(Position::After),
                    None => plane.is_seen.iter().position(|is_seen| *is_seen).and_then(path).map(Position::Before),
                };
                let (path, fields) = (path(index).unwrap_or_default(), values(own, Some(ID)).0);
                let was = was.unwrap_or(Position::Natural);
                planned.changes.push(Change::Remove { path, fields, data: None, was });
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
            let before = home.by_id.get(&id).map_or(0, Vec::len);
            let before = u32::try_from(before).unwrap_or(u32::MAX);
            let nth = taken.entry((plane, id)).or_insert(before);
            let is_repeated = before.saturating_add(totals.get(&(plane, id)).copied().unwrap_or(0)) > 1;
            let path = object(&home.path, ObjectKey::new(id, is_repeated.then_some(*nth)));
            *nth = nth.saturating_add(1);
            planned.changes.push(Change::Add { path, like: None, position: Position::Natural, fields, data: None });
        }
    }
}

/// The objects as rows: of one plane, or of all planes, which the rows name.
pub(crate) struct ObjectRows<'o, 'a> {
    objects: &'o mut Objects<'a>,
    only: Option<usize>,
    is_new: bool,
    encoding: Encoding,
    /// The plane of the row that was found last.
    plane: usize,
}

impl<'o, 'a> ObjectRows<'o, 'a> {
    /// Returns the objects of a plane as rows, which are all new in a new file.
    pub(crate) fn of_plane(objects: &'o mut Objects<'a>, plane: u32, planner: &Planner<'_>) -> Self {
        let (only, is_new) = (usize::try_from(plane).ok(), planner.mode == Mode::Fill);
        Self { only, is_new, ..Self::of_all(objects, planner.encoding) }
    }

    pub(crate) const fn of_all(objects: &'o mut Objects<'a>, encoding: Encoding) -> Self {
        Self { objects, only: None, is_new: false, encoding, plane: 0 }
    }
}

/// Reads the key of an object. A spreadsheet may have taken it for a number.
fn key(given: &Given<'_>) -> Option<ObjectKey> {
    let name = given.name()?;
    let number = || Some(ObjectKey::new(i32::try_from(cell::integer(&name, false)?).ok()?, None));
    name.trim().parse().ok().or_else(number)
}

impl Rows for ObjectRows<'_, '_> {
    fn find(&mut self, row: &mut dyn Cells<'_>) -> Result<Found> {
        if row.is_blank() {
            return Ok(Found::Nothing);
        }
        let count = self.objects.planes.len();
        let (number, given) = (row.take("plane"), row.take("object"));
        // The path of a row by its keys, before it is known which object it is.
        let named = |name: String| {
            let named = Path::new().with(|path| path.push("plane", name.as_bytes(), None));
            match given.as_ref().and_then(key) {
                Some(key) => object(&named, key),
                None => named.with(|path| {
                    path.push("object", given.as_ref().map_or_else(String::new, Given::shown).as_bytes(), None);
                }),
            }
        };
        self.plane = match self.only {
            Some(plane) => plane,
            None => number.as_ref().and_then(Given::number).filter(|plane| *plane < count).ok_or_else(|| {
                let found = number.as_ref().map_or_else(|| "none".to_owned(), Given::shown);
                let why = format!("the level has no `plane` {found}; it has {count}, counted from 0");
                wrong(&named(number.and_then(|number| number.name()).unwrap_or_default().into_owned()), why)
            })?,
        };
        let Some(plane) = self.objects.planes.get(self.plane) else { return Ok(Found::Nothing) };
        let name = self.encoding.decode(plane.name);
        if let Some(given) = row.take("plane_name").filter(|_| self.only.is_none())
            && let Some(found) = given.name().filter(|found| !found.is_empty() && !is_same_text(&name, found))
        {
            let (number, name, found) = (self.plane, quote(&name), quote(&found));
            let why = format!("`plane_name` cannot be edited: plane {number} is {name}, found {found}");
            return Err(wrong(&named(name), why));
        }
        let is_empty = |given: &Given<'_>| match given.doc() {
            Some(doc) => doc.is_null(),
            None => given.name().is_none_or(|name| name.trim().is_empty()),
        };
        let given = given.as_ref().filter(|given| !self.is_new && !is_empty(given));
        let Some(given) = given else { return Ok(Found::New) };
        let member = || plane.path.with(|path| path.push_name(b"object"));
        let expected = || format!("expected the key of an object, as in paths, found {}", given.shown());
        let key = key(given).ok_or_else(|| wrong(&member(), expected()))?;
        let number = self.objects.find(self.plane, key).map_err(|why| wrong(&member(), why))?;
        // A copy of the row is another object.
        Ok(if self.is_seen(number) { Found::New } else { Found::Old(number) })
    }

    fn see(&mut self, index: usize) {
        let plane = self.objects.planes.partition_point(|plane| plane.first <= index).checked_sub(1);
        let Some(plane) = plane.and_then(|plane| self.objects.planes.get_mut(plane)) else { return };
        let seen = index.checked_sub(plane.first).and_then(|index| plane.is_seen.get_mut(index));
        seen.into_iter().for_each(|seen| *seen = true);
    }

    fn is_seen(&self, number: usize) -> bool {
        self.objects.place(number).is_none_or(|(plane, index)| plane.is_seen.get(index) == Some(&true))
    }

    fn path(&mut self, index: usize) -> Path {
        self.objects.path(index)
    }

    fn visit(&self, index: usize, row: &mut dyn Cells<'_>, then: Visitor<'_>) {
        let object = self.objects.place(index).and_then(|(plane, index)| plane.objects.get(index));
        let Some((_, object)) = object else { return };
        let at = Span::new(object.at, 0, OffsetBase::Image);
        then(&Part::new(0, PartKey::Number(object.record.id.get().into()), object).at(at), None, row);
    }

    fn add(&mut self, planner: &mut Planner<'_>, row: &mut dyn Cells<'_>) -> Result<()> {
        let home = self.objects.planes.get(self.plane).map_or_else(Path::new, |plane| plane.path.clone());
        let path = home.with(|path| path.push("object", b"", None));
        let mut fields = Vec::new();
        if let Some(plane) = self.objects.level.planes().get(self.plane) {
            of_kind(plane, "object", |parts| {
                let editable = parts.editable();
                editable.blank(&|_| None, &mut |bytes| {
                    editable.alone(bytes, &mut |part| fields = planner.new_fields(part.body, &path, row));
                });
            });
        }
        // An empty cell is no id.
        let is_empty = row.get(ID).is_some_and(|given| given.name().is_some_and(|name| name.trim().is_empty()));
        let id = fields.iter().position(|(name, _)| name == ID).map(|at| fields.remove(at).1).filter(|_| !is_empty);
        let id = if let Some(Value::Integer(id)) = id { i32::try_from(id).ok() } else { None };
        let place = planner.place.of("");
        self.objects.add(self.plane, (id, planner.mode == Mode::Fill), fields, place);
        Ok(())
    }
}
