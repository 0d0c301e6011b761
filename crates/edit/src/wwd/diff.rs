use std::collections::{HashMap, HashSet};

use worldview_core::Path;
use worldview_wwd::raw::{AttributeHead, LevelHeader};
use worldview_wwd::{Attribute, Level, Object, Plane, Unpacker};
use zerocopy::IntoBytes as _;

use super::image::DERIVED;
use super::objects::values;
use super::record::{Record, decode, same};
use crate::{Change, Changes, EditError, Position, Result, Value};

/// Returns the changes that make one level say what another says.
///
/// Planes are compared by number, objects by id, and of several objects with one id the first with the first. Offsets, checksums,
/// packing and what is behind the main block mean nothing.
///
/// # Errors
///
/// Returns an error if a file is not a level, or if the levels differ in what changes cannot express: their planes, the number of
/// tile attributes, or fewer image-set names.
pub fn diff(left: &[u8], right: &[u8]) -> Result<Changes> {
    let unpacker = Unpacker::new();
    let (left, right) = (unpacker.unpack(left)?, unpacker.unpack(right)?);
    let levels = [Level::parse(&left)?, Level::parse(&right)?];
    let mut walk = Walk { changes: Changes::new(), path: Path::new() };
    let record = |header: &LevelHeader| Record::of(header.as_bytes(), header.fields());
    let mark = walk.path.mark();
    walk.path.push_name(b"header");
    // Whether a file is packed is a matter of storage.
    let packed = |mut header: LevelHeader| {
        header.flags.set(
            header.flags.get() & !worldview_wwd::flags::PACKED
                | (left.header().flags.get() & worldview_wwd::flags::PACKED),
        );
        header
    };
    walk.records(&record(&packed(*left.header())), &record(&packed(*right.header())));
    walk.path.truncate(mark);
    let [left, right] = &levels;
    walk.planes(left.planes(), right.planes())?;
    walk.attributes(left.attributes().records(), right.attributes().records())?;
    Ok(walk.changes)
}

struct Walk {
    changes: Changes,
    path: Path,
}

impl Walk {
    fn set(&mut self, name: &str, from: Value, to: Value) {
        let mark = self.path.mark();
        self.path.push_name(name.as_bytes());
        self.changes.push(Change::Set { path: self.path.clone(), from: Some(from), to });
        self.path.truncate(mark);
    }

    fn cell(&mut self, kind: &str, cell: (usize, usize), from: Option<Value>, to: Value) {
        let mark = self.path.mark();
        self.path.push(kind, format!("{},{}", cell.0, cell.1).as_bytes(), None);
        self.changes.push(Change::Set { path: self.path.clone(), from, to });
        self.path.truncate(mark);
    }

    fn records(&mut self, left: &Record, right: &Record) {
        for ((name, from), (_, to)) in left.values().zip(right.values()) {
            if !same(&from, &to) && !DERIVED.contains(&name) {
                self.set(name, from, to);
            }
        }
    }

    fn planes(&mut self, left: &[Plane<'_>], right: &[Plane<'_>]) -> Result<()> {
        if left.len() != right.len() {
            return Err(EditError::unsupported(&self.path, "the levels have different numbers of planes"));
        }
        let keys = numbered(left.iter().map(|plane| plane.name().to_vec()));
        for ((left, right), (name, nth)) in left.iter().zip(right).zip(keys) {
            let mark = self.path.mark();
            self.path.push("plane", &name, nth);
            self.plane(left, right)?;
            self.path.truncate(mark);
        }
        Ok(())
    }

    fn plane(&mut self, left: &Plane<'_>, right: &Plane<'_>) -> Result<()> {
        let record = |plane: &Plane<'_>| Record::of(plane.header().as_bytes(), plane.header().fields());
        self.records(&record(left), &record(right));
        let columns = right.columns().max(1);
        for (index, tile) in right.tiles().iter().enumerate() {
            let cell = cell(index, columns);
            let old = left.tile(cell.0, cell.1).map(|tile| tile.get());
            if old.unwrap_or(u32::MAX) != tile.get() {
                self.cell("tile", cell, old.map(Value::from), tile.get().into());
            }
        }
        let names = |plane: &Plane<'_>| {
            let names = plane.image_sets().iter().map(|name| Ok(name?.to_vec()));
            names.collect::<worldview_core::Result<Vec<_>>>()
        };
        let (old, new) = (names(left)?, names(right)?);
        if new.len() < old.len() {
            return Err(EditError::unsupported(
                &self.path,
                "the right level has fewer image-set names, to which tiles refer by number",
            ));
        }
        for (index, name) in (0_u32..).zip(&new) {
            let mark = self.path.mark();
            self.path.push_nth(b"image_set", index);
            let path = self.path.clone();
            self.path.truncate(mark);
            match usize::try_from(index).ok().and_then(|index| old.get(index)) {
                Some(old) if old == name => {}
                Some(old) => self.changes.push(Change::Set { path, from: Some(decode(old)), to: decode(name) }),
                None => {
                    let data = Some(decode(name));
                    self.changes.push(Change::Add {
                        path,
                        like: None,
                        position: Position::Natural,
                        fields: Vec::new(),
                        data,
                    });
                }
            }
        }
        let [old, new] =
            [left, right].map(|plane| plane.objects().into_iter().collect::<worldview_core::Result<Vec<_>>>());
        self.objects(&old?, &new?);
        Ok(())
    }

    fn objects(&mut self, left: &[Object<'_>], right: &[Object<'_>]) {
        let key = |object: &Object<'_>| object.record.id.get();
        let numbers = |objects: &[Object<'_>]| {
            let mut counts = HashMap::new();
            let number = |object: &Object<'_>| {
                let count: &mut u32 = counts.entry(key(object)).or_default();
                let nth = *count;
                *count = count.saturating_add(1);
                (key(object), nth)
            };
            objects.iter().map(number).collect::<Vec<_>>()
        };
        let (left_keys, right_keys) = (numbers(left), numbers(right));
        let repeated: HashSet<i32> =
            left_keys.iter().chain(&right_keys).filter(|(_, nth)| *nth > 0).map(|(id, _)| *id).collect();
        let by_key: HashMap<_, usize> = left_keys.iter().copied().zip(0..).collect();
        let in_right: HashMap<_, usize> = right_keys.iter().copied().zip(0..).collect();
        let place = self.path.clone();
        let path = |(id, nth): (i32, u32)| {
            let mut path = place.clone();
            path.push("object", id.to_string().as_bytes(), repeated.contains(&id).then_some(nth));
            path
        };
        for (object, key) in left.iter().zip(&left_keys) {
            match in_right.get(key).and_then(|index| right.get(*index)) {
                None => self.changes.push(Change::Remove { path: path(*key), fields: values(object), data: None }),
                Some(other) => {
                    let (found, mut wanted) = (values(object), values(other));
                    if object.metadata().is_some() && other.metadata().is_none() {
                        wanted.push(("metadata".to_owned(), Value::Bytes(Vec::new())));
                    }
                    for (name, to) in wanted {
                        let from = found.iter().find(|(field, _)| *field == name).map(|(_, value)| value);
                        if !from.is_some_and(|from| same(from, &to)) {
                            let mut path = path(*key);
                            path.push_name(name.as_bytes());
                            self.changes.push(Change::Set { path, from: from.cloned(), to });
                        }
                    }
                }
            }
        }
        // Objects keep their place where that is possible; the others move behind the one before them.
        let order: Vec<Option<usize>> = right_keys.iter().map(|key| by_key.get(key).copied()).collect();
        let kept = ascending(&order.iter().flatten().copied().collect::<Vec<_>>());
        let mut anchor: Option<(i32, u32)> = None;
        let first = left_keys.iter().zip(0..).find(|(_, index)| kept.contains(index)).map(|(key, _)| *key);
        for ((object, key), index) in right.iter().zip(&right_keys).zip(order) {
            let position = match (anchor, first) {
                (Some(anchor), _) => Position::After(path(anchor)),
                (None, Some(first)) => Position::Before(path(first)),
                (None, None) => Position::Natural,
            };
            match index {
                Some(index) if kept.contains(&index) => anchor = Some(*key),
                Some(_) => self.changes.push(Change::Move { path: path(*key), position }),
                None => self.changes.push(Change::Add {
                    path: path(*key),
                    like: None,
                    position,
                    fields: values(object),
                    data: None,
                }),
            }
        }
    }

    fn attributes(&mut self, left: &[Attribute<'_>], right: &[Attribute<'_>]) -> Result<()> {
        let mark = self.path.mark();
        self.path.push_name(b"tile_attributes");
        if left.len() != right.len() {
            return Err(EditError::unsupported(&self.path, "the levels have different numbers of tile attributes"));
        }
        for (index, (left, right)) in (0_u32..).zip(left.iter().zip(right)) {
            let inner = self.path.mark();
            self.path.push_nth(b"frame", index);
            self.attribute(left, right);
            self.path.truncate(inner);
        }
        self.path.truncate(mark);
        Ok(())
    }

    fn attribute(&mut self, left: &Attribute<'_>, right: &Attribute<'_>) {
        let (old, new) = (attribute(left), attribute(right));
        let is_same_kind = core::mem::discriminant(left) == core::mem::discriminant(right);
        let found: HashMap<_, _> =
            old.values().filter(|(name, _)| is_same_kind || AttributeHead::NAMES.contains(name)).collect();
        for (name, to) in new.values() {
            let from = found.get(name).cloned();
            // A field that a record of another kind begins with is zero.
            let is_equal = from.as_ref().map_or_else(|| is_zero(&to), |from| same(from, &to));
            if is_equal {
                continue;
            }
            let mut path = self.path.clone();
            path.push_name(name.as_bytes());
            self.changes.push(Change::Set { path, from, to });
        }
        let Attribute::Mask { pixels: new, .. } = right else { return };
        let old = match left {
            Attribute::Mask { pixels, .. } if pixels.len() == new.len() => Some(*pixels),
            _ => None,
        };
        let columns = usize::try_from(right.width()).unwrap_or(1).max(1);
        for (index, pixel) in new.iter().enumerate() {
            let from = old.and_then(|old| old.get(index)).copied();
            if from.unwrap_or(0) != *pixel {
                self.cell("pixel", cell(index, columns), from.map(Value::from), (*pixel).into());
            }
        }
    }
}

/// The column and row of an element.
fn cell(index: usize, columns: usize) -> (usize, usize) {
    (index.checked_rem(columns).unwrap_or(0), index.checked_div(columns).unwrap_or(0))
}

fn is_zero(value: &Value) -> bool {
    match value {
        Value::Integer(integer) => *integer == 0,
        Value::Integers(list) => list.iter().all(|integer| *integer == 0),
        _ => false,
    }
}

fn attribute(record: &Attribute<'_>) -> Record {
    match record {
        Attribute::Single(single) => Record::of(single.as_bytes(), single.fields()),
        Attribute::Double(double) => Record::of(double.as_bytes(), double.fields()),
        Attribute::Mask { head, .. } => Record::of(head.as_bytes(), head.fields()),
    }
}

/// Names, with their numbers where they repeat.
pub(crate) fn numbered(names: impl Iterator<Item = Vec<u8>>) -> Vec<(Vec<u8>, Option<u32>)> {
    let names: Vec<_> = names.collect();
    let mut counts: HashMap<&[u8], u32> = HashMap::new();
    let mut numbers = Vec::with_capacity(names.len());
    for name in &names {
        let count = counts.entry(name).or_default();
        numbers.push(*count);
        *count = count.saturating_add(1);
    }
    let is_repeated: Vec<_> =
        names.iter().map(|name| counts.get(name.as_slice()).is_some_and(|count| *count > 1)).collect();
    names
        .into_iter()
        .zip(numbers)
        .zip(is_repeated)
        .map(|((name, nth), is_repeated)| (name, is_repeated.then_some(nth)))
        .collect()
}

/// A longest ascending subsequence.
pub(crate) fn ascending(list: &[usize]) -> HashSet<usize> {
    // Of each length, where the subsequence with the smallest end ends.
    let mut ends: Vec<usize> = Vec::new();
    let mut before = vec![None; list.len()];
    for (index, value) in list.iter().enumerate() {
        let at = ends.partition_point(|end| list.get(*end).is_some_and(|end| end < value));
        if let Some(slot) = before.get_mut(index) {
            *slot = at.checked_sub(1).and_then(|at| ends.get(at)).copied();
        }
        match ends.get_mut(at) {
            Some(end) => *end = index,
            None => ends.push(index),
        }
    }
    let mut kept = HashSet::new();
    let mut next = ends.last().copied();
    while let Some(index) = next {
        kept.extend(list.get(index));
        next = before.get(index).copied().flatten();
    }
    kept
}
