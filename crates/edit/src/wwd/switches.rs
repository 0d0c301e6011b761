//! Switches of Gruntz that move: their ids say on which tile they are, and triggers refer to them by these ids.

use std::collections::{BTreeMap, HashMap, HashSet};

use worldview_core::{Path, Segment, field_name};
use worldview_wwd::raw::ObjectRecord;
use worldview_wwd::{Level, Object, ObjectKey, Plane, SwitchTile};

use crate::account::{Account, Column, Entry};
use crate::tree::Tree;
use crate::{Change, Changes, EditError, Result, Value, codes};

codes! {
    /// The codes of edits of levels.
    pub LEVELS {
        SWITCH_ID = "switch-id": "the id of a Gruntz switch does not match the tile that it is on",
        SWITCH_TAKEN = "switch-taken": "a Gruntz switch cannot get the id of its tile, because another object has it, or because it is 0",
    }
}

/// The number of triggers that a message names.
const NAMED: usize = 8;

/// Where a switch is, and what it is called.
type Place<'a> = (&'a [u8], i32, SwitchTile);

/// Calls `then` with each switch whose id is not that of its tile, and with all objects of its plane.
fn stale<'a>(
    level: &Level<'a>,
    mut then: impl FnMut(Place<'a>, &Plane<'a>, (ObjectKey, &Object<'a>), &[(ObjectKey, Object<'a>)]),
) {
    for plane in level.planes() {
        if !SwitchTile::are_in(level, plane) {
            continue;
        }
        // Of a broken list nothing can be said.
        let Ok(objects) = plane.objects().with_keys().collect::<worldview_core::Result<Vec<_>>>() else { continue };
        for (key, object) in &objects {
            if let Some(tile) = SwitchTile::of_stale(level, plane, object) {
                then((plane.name(), key.id, tile), plane, (*key, object), &objects);
            }
        }
    }
}

/// Says which switches an edit gave a tile whose id they do not have, and which objects refer to them.
pub(super) fn advise(old: &Level<'_>, edited: &[u8], account: &mut Account) {
    let Ok(new) = Level::parse(edited) else { return };
    let mut before = HashSet::new();
    stale(old, |place, _, _, _| _ = before.insert(place));
    let mut referring = (None, HashMap::new());
    stale(&new, |place, plane, (key, object), objects| {
        if before.contains(&place) {
            return;
        }
        let (_, id, tile) = place;
        if referring.0 != Some(plane.index()) {
            referring = (Some(plane.index()), referring_to(objects));
        }
        let others = referring.1.get(&id).into_iter().flatten().filter(|other| **other != key);
        let others: Vec<_> = others.map(ObjectKey::to_string).collect();
        let named = others.get(..NAMED).unwrap_or(&others);
        let more = match others.len().saturating_sub(named.len()) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let refer = match &*others {
            [] => "no other object refers to it".to_owned(),
            _ => format!("the objects that refer to it by this id are {}{more}", named.join(", ")),
        };
        let SwitchTile { column, row, .. } = tile;
        let is =
            format!("the switch is on the tile in column {column} and row {row}, where its id would be {}", tile.id());
        let speeds = match (object.speed_x.get(), object.speed_y.get()) {
            (x, y) if (x, y) == (column, row) => String::new(),
            (x, y) => format!(", and speed_x and speed_y {column} and {row}, not {x} and {y}"),
        };
        let path = path_of(&planes(&new, plane), key);
        account.push(Entry::new(Column::Done, SWITCH_ID, &path, format!("{is}, not {id}{speeds}; {refer}")));
    });
}

/// Returns the objects that refer to each id. 0 is none.
fn referring_to(objects: &[(ObjectKey, Object<'_>)]) -> HashMap<i32, Vec<ObjectKey>> {
    let mut referring: HashMap<_, Vec<_>> = HashMap::new();
    for (key, object) in objects.iter().filter(|(_, object)| object.is_trigger() || object.is_switch()) {
        let ids: HashSet<_> = object.switch_ids().into_iter().flatten().filter(|id| *id != 0).collect();
        ids.into_iter().for_each(|id| referring.entry(id).or_default().push(*key));
    }
    referring
}

/// Returns the path of a plane.
fn planes(level: &Level<'_>, plane: &Plane<'_>) -> Path {
    let same: Vec<_> = level.planes().iter().filter(|other| other.name() == plane.name()).collect();
    let nth = same.iter().position(|other| other.index() == plane.index()).filter(|_| same.len() > 1);
    Path::new().with(|path| path.push("plane", plane.name(), nth.and_then(|nth| u32::try_from(nth).ok())))
}

fn path_of(plane: &Path, key: ObjectKey) -> Path {
    plane.with(|path| path.push("object", key.id.to_string().as_bytes(), key.nth))
}

/// Returns the changes that go along with the moves of switches among others: ids, speeds, and the numbers by which objects refer to
/// them. Paths name objects by their old ids.
///
/// Returns an error if another object has the id that a switch would get.
pub(super) fn following(level: &Level<'_>, tree: &Tree<'_>) -> Result<Changes> {
    let mut all = Changes::new();
    for (segment, node) in tree.elements() {
        let nth = segment.nth.and_then(|nth| usize::try_from(nth).ok()).unwrap_or(0);
        let plane = level.planes().iter().filter(|plane| *plane.name() == *segment.key).nth(nth);
        let Some(plane) = plane.filter(|_| segment.kind == Some("plane")) else { continue };
        let has_objects = node.elements().any(|(segment, _)| segment.kind == Some("object"));
        if !has_objects || is_removed(node) || !SwitchTile::are_in(level, plane) {
            continue;
        }
        let objects = plane.objects().with_keys().collect::<worldview_core::Result<Vec<_>>>()?;
        let mut objects: Vec<_> = objects.into_iter().map(|(key, object)| Edited { key, object, node: None }).collect();
        let by_key: HashMap<_, _> = objects.iter().enumerate().map(|(index, edited)| (edited.key, index)).collect();
        let mut added = Vec::new();
        for (segment, node) in node.elements().filter(|(segment, _)| segment.kind == Some("object")) {
            let Some(key) = key_of(&segment) else { continue };
            match (node.change, by_key.get(&key).and_then(|index| objects.get_mut(*index))) {
                (Some(Change::Add { path, .. }), _) => added.push((key.id, path.clone())),
                (_, Some(edited)) => edited.node = Some(node),
                (_, None) => {}
            }
        }
        all.extend(in_plane(level, plane, &objects, &added)?);
    }
    Ok(all)
}

fn key_of(segment: &Segment<'_>) -> Option<ObjectKey> {
    Some(ObjectKey::new(std::str::from_utf8(&segment.key).ok()?.parse().ok()?, segment.nth))
}

const fn is_removed(node: &Tree<'_>) -> bool {
    matches!(node.change, Some(Change::Remove { .. }))
}

/// An object, and the changes of it.
struct Edited<'t, 'a> {
    key: ObjectKey,
    object: Object<'a>,
    node: Option<&'t Tree<'t>>,
}

impl Edited<'_, '_> {
    fn stays(&self) -> bool {
        !self.node.is_some_and(is_removed)
    }

    /// Returns what a change sets a field to.
    fn set(&self, field: &str) -> Option<&Value> {
        let is_it = |segment: &Segment<'_>| segment.nth.is_none() && *segment.key == *field.as_bytes();
        match self.node?.elements().find(|(segment, _)| is_it(segment))?.1.change? {
            Change::Set { to, .. } => Some(to),
            _ => None,
        }
    }

    fn number(&self, field: &str) -> Option<i32> {
        match self.set(field)? {
            Value::Integer(number) => i32::try_from(*number).ok(),
            _ => None,
        }
    }

    /// Returns the tile of a switch that changes give another tile or id, or that they name while its id is not that of its tile.
    fn moves(&self, level: &Level<'_>, plane: &Plane<'_>) -> Option<SwitchTile> {
        let (x, y) = (self.object.x.get(), self.object.y.get());
        let (new_x, new_y) = (self.number(X).unwrap_or(x), self.number(Y).unwrap_or(y));
        let tile = SwitchTile::at(level, plane, new_x, new_y).filter(|_| self.stays() && self.object.is_switch())?;
        let is_stale = tile.id() != self.key.id && (self.set(X).is_some() || self.set(Y).is_some());
        let moves = SwitchTile::at(level, plane, x, y) != Some(tile);
        (moves || is_stale || self.number(ID).is_some()).then_some(tile)
    }
}

const ID: &str = field_name!(ObjectRecord, id);
const X: &str = field_name!(ObjectRecord, x);
const Y: &str = field_name!(ObjectRecord, y);

fn in_plane(
    level: &Level<'_>,
    plane: &Plane<'_>,
    objects: &[Edited<'_, '_>],
    added: &[(i32, Path)],
) -> Result<Vec<Change>> {
    let home = planes(level, plane);
    let moved: BTreeMap<_, _> =
        (0_usize..).zip(objects).filter_map(|(index, edited)| Some((index, edited.moves(level, plane)?))).collect();
    if moved.is_empty() {
        return Ok(Vec::new());
    }
    // The id that each object will have. One that a change gives is the user's.
    let id = |(index, edited): (usize, &Edited<'_, '_>)| {
        let own = || moved.get(&index).map_or(edited.key.id, |tile| tile.id());
        edited.number(ID).unwrap_or_else(own)
    };
    let mut taken: HashMap<i32, Vec<Path>> = HashMap::new();
    for (index, edited) in objects.iter().enumerate().filter(|(_, edited)| edited.stays()) {
        taken.entry(id((index, edited))).or_default().push(path_of(&home, edited.key));
    }
    added.iter().for_each(|(id, path)| taken.entry(*id).or_default().push(path.clone()));
    let (mut all, mut new_ids) = (Vec::new(), HashMap::new());
    for (index, tile) in &moved {
        let Some(edited) = objects.get(*index) else { continue };
        let (path, new) = (path_of(&home, edited.key), id((*index, edited)));
        if new != edited.key.id && edited.number(ID).is_none() {
            let SwitchTile { column, row, .. } = tile;
            let other = taken.get(&new).into_iter().flatten().find(|other| **other != path);
            let why = match other {
                _ if new == 0 => "is 0, which refers to no switch".to_owned(),
                Some(other) => format!("is {new}, which {other} has"),
                None => String::new(),
            };
            if !why.is_empty() {
                let why = format!("the id of a switch on the tile in column {column} and row {row} {why}");
                return Err(EditError::refused(&path, SWITCH_TAKEN, why));
            }
        }
        let object = &edited.object;
        for (field, from, to) in [
            (X, object.x, edited.number(X).unwrap_or(object.x.get())),
            (Y, object.y, edited.number(Y).unwrap_or(object.y.get())),
            (ID, object.id, new),
            (field_name!(ObjectRecord, speed_x), object.speed_x, tile.column),
            (field_name!(ObjectRecord, speed_y), object.speed_y, tile.row),
        ] {
            let is_given = edited.set(field).is_some() && ![X, Y].contains(&field);
            if from.get() != to && !is_given {
                all.push(set(&path, field, from.get(), to));
            }
        }
        // 0 is no reference.
        if new != edited.key.id && edited.key.id != 0 {
            // Of two that leave one id, nothing says which is meant.
            new_ids.entry(edited.key.id).and_modify(|new| *new = None).or_insert(Some(new));
        }
    }
    // Another switch with the old id is still meant.
    for (index, edited) in objects.iter().enumerate().filter(|(_, edited)| edited.stays() && edited.object.is_switch())
    {
        if !moved.contains_key(&index) {
            new_ids.remove(&id((index, edited)));
        }
    }
    for edited in objects.iter().filter(|edited| edited.stays()) {
        if !(edited.object.is_trigger() || edited.object.is_switch()) {
            continue;
        }
        for (field, ids) in Object::SWITCH_FIELDS.into_iter().zip(edited.object.switch_ids()) {
            let new = ids.map(|id| new_ids.get(&id).copied().flatten().unwrap_or(id));
            if new != ids && edited.set(field).is_none() {
                let list = |ids: [i32; 4]| Value::Integers(ids.map(i128::from).to_vec());
                all.push(set(&path_of(&home, edited.key), field, list(ids), list(new)));
            }
        }
    }
    Ok(all)
}

fn set(object: &Path, field: &str, from: impl Into<Value>, to: impl Into<Value>) -> Change {
    let path = object.with(|path| path.push_name(field.as_bytes()));
    Change::Set { path, from: Some(from.into()), to: to.into() }
}
