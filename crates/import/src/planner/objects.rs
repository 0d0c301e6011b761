//! The objects of a level by their keys.

use std::collections::{HashMap, HashSet};

use worldview_core::describe::{List, Part, PartKey, Span};
use worldview_core::{OffsetBase, Path, field_name, quote};
use worldview_edit::account::{Account, Column, Entry};
use worldview_edit::fields::values;
use worldview_edit::order::numbers;
use worldview_edit::{Change, EditError, Planned, Position, Result, Value, element_paths, of_kind};
use worldview_export::Encoding;
use worldview_wwd::raw::ObjectRecord;
use worldview_wwd::{Level, Object, ObjectKey, SwitchTile};

use super::rows::{Found, Rows, Visitor, missing_of};
use super::{Cells, Mode, Planner};
use crate::cell::{self, is_same_text};
use crate::codes::FREE_ID;
use crate::given::Given;

/// The field that names an object in paths.
pub(crate) const ID: &str = field_name!(ObjectRecord, id);

const SPEED_X: &str = field_name!(ObjectRecord, speed_x);
const SPEED_Y: &str = field_name!(ObjectRecord, speed_y);

/// Returns the paths of the planes.
pub(crate) fn planes(level: &Level<'_>) -> Vec<Path> {
    plane_paths(level.planes().iter().map(|plane| plane.name().to_vec()))
}

/// Returns the paths of planes with their names.
pub(crate) fn plane_paths(names: impl Iterator<Item = Vec<u8>>) -> Vec<Path> {
    let names: Vec<_> = names.map(Some).collect();
    element_paths(&List::new("planes", "plane"), &names, &Path::new(), false)
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

/// The ids of objects, and those of new ones.
pub(crate) struct Ids {
    /// Those of each plane.
    used: HashSet<(usize, i32)>,
    all: HashSet<i32>,
    /// The one after the highest; at the end of the numbers those that were skipped are used.
    next: i32,
}

impl Ids {
    pub(crate) fn new() -> Self {
        Self { used: HashSet::new(), all: HashSet::new(), next: 1 }
    }

    /// Adds the id of an object.
    pub(crate) fn insert(&mut self, plane: usize, id: i32) {
        self.used.insert((plane, id));
        self.all.insert(id);
        if id >= self.next {
            self.next = id.checked_add(1).unwrap_or(1);
        }
    }

    /// Returns the id of a new object and, if it is not the given one, an entry. Without an id, or with one that an object of its plane
    /// has and that may not be repeated, it gets that of its tile if it is a switch of Gruntz, or else the next free one.
    pub(crate) fn choose(
        &mut self,
        (plane, path): (usize, &Path),
        (given, repeats): (Option<i32>, bool),
        tile: Option<SwitchTile>,
    ) -> (i32, Option<Entry>) {
        if let Some(id) = given.filter(|id| repeats || !self.used.contains(&(plane, *id))) {
            self.insert(plane, id);
            return (id, None);
        }
        let of_tile = tile.map(SwitchTile::id).filter(|id| *id != 0 && !self.used.contains(&(plane, *id)));
        let (free, of) = match of_tile {
            Some(id) => (id, ", that of a switch on its tile"),
            None => {
                while self.all.contains(&self.next) {
                    self.next = self.next.checked_add(1).unwrap_or(1);
                }
                (self.next, "")
            }
        };
        self.insert(plane, free);
        let why = match given {
            Some(given) => format!("another object has the id {given}, so the new one gets {free}{of}"),
            None => format!("the new object gets the id {free}{of}"),
        };
        let path = object(path, ObjectKey::new(free, None));
        (free, Some(Entry::new(Column::Done, FREE_ID, &path, why)))
    }
}

/// Gives a new switch of Gruntz the column and row of its tile, if it got the id of that.
pub(crate) fn fit(fields: &mut Vec<(String, Value)>, id: i32, tile: Option<SwitchTile>) {
    let Some(tile) = tile.filter(|tile| tile.id() == id) else { return };
    for (name, value) in [(SPEED_X, tile.column), (SPEED_Y, tile.row)] {
        fields.retain(|(field, _)| field != name);
        fields.push((name.to_owned(), value.into()));
    }
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
    ids: Ids,
    account: Account,
}

impl<'a> Objects<'a> {
    /// Reads the objects of a level.
    pub(crate) fn of(level: &'a Level<'a>) -> worldview_core::Result<Self> {
        let (mut all, mut ids, mut first) = (Vec::new(), Ids::new(), 0_usize);
        for (plane, path) in level.planes().iter().zip(planes(level)) {
            let objects = plane.objects().with_keys().collect::<worldview_core::Result<Vec<_>>>()?;
            let mut by_id: HashMap<i32, Vec<usize>> = HashMap::new();
            for (index, (key, _)) in objects.iter().enumerate() {
                by_id.entry(key.id).or_default().push(index);
                ids.insert(plane.index(), key.id);
            }
            let (is_seen, len) = (vec![false; objects.len()], objects.len());
            all.push(Plane { path, name: plane.name(), first, objects, by_id, is_seen, is_listed: false });
            first = first.saturating_add(len);
        }
        Ok(Self { level, planes: all, added: Vec::new(), ids, account: Account::default() })
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
        let own = self
            .planes
            .iter()
            .enumerate()
            .flat_map(|(plane, own)| own.objects.iter().map(move |(key, _)| (plane, key.id)));
        let all: Vec<_> = own.chain(self.added.iter().map(|added| (added.plane, added.id))).collect();
        let old = all.len().saturating_sub(self.added.len());
        for (Added { plane, id, fields }, nth) in self.added.into_iter().zip(numbers(&all).into_iter().skip(old)) {
            let Some(home) = self.planes.get(plane) else { continue };
            let path = object(&home.path, ObjectKey::new(id, nth));
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

impl ObjectRows<'_, '_> {
    /// Returns the tile of a new object with these fields, if it is a switch of Gruntz.
    fn tile(&self, fields: &[(String, Value)]) -> Option<SwitchTile> {
        let get = |name: &str| fields.iter().find(|(field, _)| field == name).map(|(_, value)| value);
        let number = |name: &str| match get(name) {
            Some(Value::Integer(number)) => i32::try_from(*number).ok(),
            _ => None,
        };
        let at = (number(field_name!(ObjectRecord, x))?, number(field_name!(ObjectRecord, y))?);
        let plane = self.objects.level.planes().get(self.plane)?;
        SwitchTile::of_logic(self.objects.level, plane, get("logic")?.as_bytes()?, at)
    }
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
                EditError::wrong(&named(number.and_then(|number| number.name()).unwrap_or_default().into_owned()), why)
            })?,
        };
        let Some(plane) = self.objects.planes.get(self.plane) else { return Ok(Found::Nothing) };
        let name = self.encoding.decode(plane.name);
        if let Some(given) = row.take("plane_name").filter(|_| self.only.is_none())
            && let Some(found) = given.name().filter(|found| !found.is_empty() && !is_same_text(&name, found))
        {
            let (number, name, found) = (self.plane, quote(&name), quote(&found));
            let why = format!("`plane_name` cannot be edited: plane {number} is {name}, found {found}");
            return Err(EditError::wrong(&named(name), why));
        }
        let is_empty = |given: &Given<'_>| match given.doc() {
            Some(doc) => doc.is_null(),
            None => given.name().is_none_or(|name| name.trim().is_empty()),
        };
        let given = given.as_ref().filter(|given| !self.is_new && !is_empty(given));
        let Some(given) = given else { return Ok(Found::New) };
        let member = || plane.path.with(|path| path.push_name(b"object"));
        let expected = || format!("expected the key of an object, as in paths, found {}", given.shown());
        let key = key(given).ok_or_else(|| EditError::wrong(&member(), expected()))?;
        let number = self.objects.find(self.plane, key).map_err(|why| EditError::wrong(&member(), why))?;
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
        let tile = self.tile(&fields);
        let (id, entry) = self.objects.ids.choose((self.plane, &home), (id, planner.mode == Mode::Fill), tile);
        if let Some(entry) = entry {
            self.objects.account.push(entry.at(planner.place.of("")));
            fit(&mut fields, id, tile);
        }
        self.objects.added.push(Added { plane: self.plane, id, fields });
        Ok(())
    }
}
