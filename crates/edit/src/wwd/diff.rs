use std::collections::HashMap;

use worldview_core::Path;
use worldview_wwd::raw::{AttributeHead, AttributesHeader, LevelHeader};
use worldview_wwd::{Attribute, Attributes, Level, Object, Plane, Tile, Unpacker};
use zerocopy::{FromZeros as _, IntoBytes as _};

use super::attributes::pixel;
use super::image::DERIVED;
use super::level::has_elements;
use super::objects::values;
use super::plane::size_in_pixels;
use super::record::{Record, decode, same};
use crate::order::{Order, arrange, numbered, repeated};
use crate::{Change, Changes, Position, Result, Value};

/// Returns the changes that make one level say what another says.
///
/// Planes are compared by name, objects by id, and of several planes or objects with one name or id the first with the first.
/// Offsets, checksums, packing and what is behind the main block mean nothing.
///
/// # Errors
///
/// Returns an error if a file is not a level, if a list of objects or image-set names is broken, or if tiles of the right level refer
/// to tile attributes or image sets that only the left one has.
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
    walk.planes((left, right))?;
    walk.attributes(left.attributes(), right.attributes());
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

    fn cell(&mut self, kind: &str, cell: (usize, usize), from: Value, to: Value) {
        let mark = self.path.mark();
        self.path.push(kind, format!("{},{}", cell.0, cell.1).as_bytes(), None);
        self.changes.push(Change::Set { path: self.path.clone(), from: Some(from), to });
        self.path.truncate(mark);
    }

    fn records(&mut self, left: &Record, right: &Record) {
        for ((name, from), (_, to)) in left.values().zip(right.values()) {
            if !same(&from, &to) && !DERIVED.contains(&name) {
                self.set(name, from, to);
            }
        }
    }

    fn planes(&mut self, levels: (&Level<'_>, &Level<'_>)) -> Result<()> {
        let (left, right) = (levels.0.planes(), levels.1.planes());
        let keys = |planes: &[Plane<'_>]| numbered(planes.iter().map(|plane| plane.name().to_vec()));
        let (left_keys, mut right_keys) = (keys(left), keys(right));
        let repeated = repeated(&[&left_keys, &right_keys]);
        let added = right_keys.clone();
        // A plane that has no partner was renamed if the other level has one without a partner at its place.
        for (index, (old, new)) in left_keys.iter().zip(&added).enumerate() {
            if !added.contains(old)
                && !left_keys.contains(new)
                && let Some(key) = right_keys.get_mut(index)
            {
                key.clone_from(old);
            }
        }
        let place = self.path.clone();
        let path = |(name, nth): &(Vec<u8>, u32)| {
            let mut path = place.clone();
            path.push("plane", name, repeated.contains(name).then_some(*nth));
            path
        };
        let order = arrange(&left_keys, &right_keys);
        for ((plane, key), index) in left.iter().zip(&left_keys).zip(0..) {
            let partner = right_keys.iter().position(|other| other == key).and_then(|index| right.get(index));
            self.path = path(key);
            match partner {
                Some(other) => {
                    has_elements(&self.path, (levels.0, plane), (levels.1, other))?;
                    self.plane(plane, other)?;
                }
                None => {
                    let (fields, was) = (header(plane), order.was(index, &left_keys, path));
                    self.changes.push(Change::Remove { path: path(key), fields, data: None, was });
                    self.lone(plane, Side::Left)?;
                }
            }
        }
        for ((plane, key), (index, position)) in right.iter().zip(&right_keys).zip(&order.places) {
            let position = position.map_or(Position::Natural, |neighbor| neighbor.position(&left_keys, path));
            self.path = path(key);
            match index {
                Some(Order::Kept) => {}
                Some(Order::Moved(index)) => {
                    let was = order.was(*index, &left_keys, path);
                    self.changes.push(Change::Move { path: path(key), position, was });
                }
                None => {
                    let fields = header(plane);
                    self.changes.push(Change::Add { path: path(key), like: None, position, fields, data: None });
                    self.lone(plane, Side::Right)?;
                }
            }
        }
        self.path = place;
        Ok(())
    }

    /// What a plane consists of that only one of the levels has.
    fn lone(&mut self, plane: &Plane<'_>, side: Side) -> Result<()> {
        let words = |(index, tile): (usize, &Tile)| (cell(index, plane.columns()), Tile::EMPTY, tile.get());
        let tiles = plane.tiles().iter().enumerate().map(words);
        self.tiles(tiles.map(|(cell, empty, tile)| match side {
            Side::Left => (cell, tile, empty),
            Side::Right => (cell, empty, tile),
        }));
        let (names, objects) =
            (names(plane)?, plane.objects().into_iter().collect::<worldview_core::Result<Vec<_>>>()?);
        match side {
            Side::Left => {
                self.image_sets(&names, &[]);
                self.objects(&objects, &[]);
            }
            Side::Right => {
                self.image_sets(&[], &names);
                self.objects(&[], &objects);
            }
        }
        Ok(())
    }

    fn plane(&mut self, left: &Plane<'_>, right: &Plane<'_>) -> Result<()> {
        let record = |plane: &Plane<'_>| Record::of(plane.header().as_bytes(), plane.header().fields());
        self.records(&record(left), &record(right));
        // The same size in pixels must be named where it would follow the tiles.
        let (old, new) = (left.header(), right.header());
        let sizes = [("width_px", old.width_px, new.width_px), ("height_px", old.height_px, new.height_px)];
        for ((name, from, to), follows) in sizes.into_iter().zip(size_in_pixels(old, new)) {
            if from == to && to.get() != follows {
                self.set(name, from.get().into(), to.get().into());
            }
        }
        // A cell that one of the planes does not have is empty there.
        let word = |plane: &Plane<'_>, cell: (usize, usize)| plane.tile(cell.0, cell.1).map_or(Tile::EMPTY, Tile::get);
        let new = (0..right.tiles().len()).map(|index| cell(index, right.columns()));
        self.tiles(new.map(|cell| (cell, word(left, cell), word(right, cell))));
        let gone = (0..left.tiles().len()).map(|index| cell(index, left.columns()));
        let gone = gone.filter(|cell| right.tile(cell.0, cell.1).is_none());
        self.tiles(gone.map(|cell| (cell, word(left, cell), Tile::EMPTY)));
        self.image_sets(&names(left)?, &names(right)?);
        let [old, new] =
            [left, right].map(|plane| plane.objects().into_iter().collect::<worldview_core::Result<Vec<_>>>());
        self.objects(&old?, &new?);
        Ok(())
    }

    /// Sets tiles: each alone, and neighbors in a row as one rectangle.
    fn tiles(&mut self, cells: impl Iterator<Item = ((usize, usize), u32, u32)>) {
        let mut run: Vec<(u32, u32)> = Vec::new();
        let mut start = (0, 0);
        for (cell, from, to) in cells {
            if from == to {
                continue;
            }
            let (column, row) = start;
            if cell.1 != row || cell.0 != run.len().saturating_add(column) {
                self.run(start, &run);
                run.clear();
                start = cell;
            }
            run.push((from, to));
        }
        self.run(start, &run);
    }

    fn run(&mut self, start: (usize, usize), run: &[(u32, u32)]) {
        let (column, row) = start;
        match run {
            [] => {}
            [(from, to)] => self.cell("tile", start, (*from).into(), (*to).into()),
            run => {
                let list = |word: fn(&(u32, u32)) -> u32| {
                    Value::Integers(run.iter().map(|words| i128::from(word(words))).collect())
                };
                let (from, to) = (list(|(from, _)| *from), list(|(_, to)| *to));
                let mut path = self.path.clone();
                path.push("tiles", format!("{column},{row},{},1", run.len()).as_bytes(), None);
                self.changes.push(Change::Set { path, from: Some(from), to });
            }
        }
    }

    fn image_sets(&mut self, old: &[Vec<u8>], new: &[Vec<u8>]) {
        for index in 0..old.len().max(new.len()) {
            let mut path = self.path.clone();
            path.push_nth(b"image_set", u32::try_from(index).unwrap_or(u32::MAX));
            let value = |names: &[Vec<u8>]| names.get(index).map(|name| decode(name));
            match (value(old), value(new)) {
                (Some(from), Some(to)) if !same(&from, &to) => {
                    self.changes.push(Change::Set { path, from: Some(from), to });
                }
                (None, data @ Some(_)) => self.changes.push(added(path, Vec::new(), data)),
                (data @ Some(_), None) => self.changes.push(removed(path, Vec::new(), data)),
                _ => {}
            }
        }
    }

    fn objects(&mut self, left: &[Object<'_>], right: &[Object<'_>]) {
        let keys = |objects: &[Object<'_>]| numbered(objects.iter().map(|object| object.record.id.get()));
        let (left_keys, right_keys) = (keys(left), keys(right));
        let repeated = repeated(&[&left_keys, &right_keys]);
        let in_right: HashMap<_, usize> = right_keys.iter().copied().zip(0..).collect();
        let place = self.path.clone();
        let path = |&(id, nth): &(i32, u32)| {
            let mut path = place.clone();
            path.push("object", id.to_string().as_bytes(), repeated.contains(&id).then_some(nth));
            path
        };
        let order = arrange(&left_keys, &right_keys);
        for ((object, key), index) in left.iter().zip(&left_keys).zip(0..) {
            match in_right.get(key).and_then(|index| right.get(*index)) {
                None => {
                    let (fields, was) = (values(object), order.was(index, &left_keys, path));
                    self.changes.push(Change::Remove { path: path(key), fields, data: None, was });
                }
                Some(other) => {
                    let (mut found, mut wanted) = (values(object), values(other));
                    // No metadata is empty metadata.
                    for (list, object) in [(&mut found, object), (&mut wanted, other)] {
                        if object.metadata().is_none() {
                            list.push(("metadata".to_owned(), Value::Bytes(Vec::new())));
                        }
                    }
                    for (name, to) in wanted {
                        let from = found.iter().find(|(field, _)| *field == name).map(|(_, value)| value);
                        if !from.is_some_and(|from| same(from, &to)) {
                            let mut path = path(key);
                            path.push_name(name.as_bytes());
                            self.changes.push(Change::Set { path, from: from.cloned(), to });
                        }
                    }
                }
            }
        }
        for ((object, key), (index, position)) in right.iter().zip(&right_keys).zip(&order.places) {
            let position = position.map_or(Position::Natural, |neighbor| neighbor.position(&left_keys, path));
            match index {
                Some(Order::Kept) => {}
                Some(Order::Moved(index)) => {
                    let was = order.was(*index, &left_keys, path);
                    self.changes.push(Change::Move { path: path(key), position, was });
                }
                None => {
                    let (fields, like, data) = (values(object), None, None);
                    self.changes.push(Change::Add { path: path(key), like, position, fields, data });
                }
            }
        }
    }

    fn attributes(&mut self, left: &Attributes<'_>, right: &Attributes<'_>) {
        let mark = self.path.mark();
        self.path.push_name(b"tile_attributes");
        let empty = AttributesHeader::new_zeroed();
        let header = |table: &Attributes<'_>| {
            let header = table.header().unwrap_or(&empty);
            Record::of(header.as_bytes(), header.fields())
        };
        self.records(&header(left), &header(right));
        let (left, right) = (left.records(), right.records());
        for index in 0..left.len().max(right.len()) {
            let inner = self.path.mark();
            self.path.push_nth(b"frame", u32::try_from(index).unwrap_or(u32::MAX));
            let path = || self.path.clone();
            match (left.get(index), right.get(index)) {
                (Some(left), Some(right)) => self.attribute(left, right),
                (Some(left), None) => {
                    let (fields, data) = whole(left);
                    self.changes.push(removed(path(), fields, data));
                }
                (None, Some(right)) => {
                    let (fields, data) = whole(right);
                    self.changes.push(added(path(), fields, data));
                }
                (None, None) => {}
            }
            self.path.truncate(inner);
        }
        self.path.truncate(mark);
    }

    fn attribute(&mut self, left: &Attribute<'_>, right: &Attribute<'_>) {
        let (old, new) = (attribute(left), attribute(right));
        let is_same_kind = core::mem::discriminant(left) == core::mem::discriminant(right);
        let found: HashMap<_, _> =
            old.values().filter(|(name, _)| is_same_kind || AttributeHead::NAMES.contains(name)).collect();
        // A field or pixel that one of the records does not have is zero there.
        for (name, to) in new.values() {
            let from = found.get(name).cloned().unwrap_or_else(|| zero(&to));
            if !same(&from, &to) {
                self.set(name, from, to);
            }
        }
        for (name, from) in old.values().filter(|(name, from)| !found.contains_key(name) && *from != zero(from)) {
            let to = zero(&from);
            self.set(name, from, to);
        }
        let cells = pixels(right).chain(pixels(left).filter(|cell| pixel(right, *cell).is_none()));
        for cell in cells {
            let value = |record| pixel(record, cell).unwrap_or(0);
            let (from, to) = (value(left), value(right));
            if from != to {
                self.cell("pixel", cell, from.into(), to.into());
            }
        }
    }
}

/// Which of two levels.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

/// An added element whose place its list gives.
const fn added(path: Path, fields: Vec<(String, Value)>, data: Option<Value>) -> Change {
    Change::Add { path, like: None, position: Position::Natural, fields, data }
}

/// A removed element whose place its list gives.
const fn removed(path: Path, fields: Vec<(String, Value)>, data: Option<Value>) -> Change {
    Change::Remove { path, fields, data, was: Position::Natural }
}

/// All that changes can say of the header of a plane, but its name.
fn header(plane: &Plane<'_>) -> Vec<(String, Value)> {
    let record = Record::of(plane.header().as_bytes(), plane.header().fields());
    let own = record.values().filter(|(name, _)| *name != "name" && !DERIVED.contains(name));
    own.map(|(name, value)| (name.to_owned(), value)).collect()
}

fn names(plane: &Plane<'_>) -> worldview_core::Result<Vec<Vec<u8>>> {
    plane.image_sets().iter().map(|name| Ok(name?.to_vec())).collect()
}

/// A tile attribute: its fields and, of a mask, its pixels.
fn whole(record: &Attribute<'_>) -> (Vec<(String, Value)>, Option<Value>) {
    let fields = attribute(record).values().map(|(name, value)| (name.to_owned(), value)).collect();
    let data = match record {
        Attribute::Mask { pixels, .. } => Some(Value::Bytes(pixels.to_vec())),
        _ => None,
    };
    (fields, data)
}

/// The column and row of an element.
fn cell(index: usize, columns: usize) -> (usize, usize) {
    (index.checked_rem(columns).unwrap_or(0), index.checked_div(columns).unwrap_or(0))
}

/// The zero of a value's type.
fn zero(value: &Value) -> Value {
    match value {
        Value::Integers(list) => Value::Integers(vec![0; list.len()]),
        _ => 0.into(),
    }
}

/// The columns and rows of the pixels of a mask.
fn pixels(record: &Attribute<'_>) -> impl Iterator<Item = (usize, usize)> {
    let columns = usize::try_from(record.width()).unwrap_or(1).max(1);
    let count = match record {
        Attribute::Mask { pixels, .. } => pixels.len(),
        _ => 0,
    };
    (0..count).map(move |index| cell(index, columns))
}

fn attribute(record: &Attribute<'_>) -> Record {
    match record {
        Attribute::Single(single) => Record::of(single.as_bytes(), single.fields()),
        Attribute::Double(double) => Record::of(double.as_bytes(), double.fields()),
        Attribute::Mask { head, .. } => Record::of(head.as_bytes(), head.fields()),
    }
}
