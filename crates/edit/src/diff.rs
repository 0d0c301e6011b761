//! Changes between two files of any format: what the comparison of `inspect` finds, as changes.

use worldview_core::describe::{
    Array, Describe, Field, FieldName, FieldValue, Flow, Link, List, Pairing, Part, PartList, Role, Stored, TextValue,
    Visit,
};
use worldview_core::{Error, Path};
use worldview_inspect::diff::{Event, Matched, events};
use worldview_inspect::{Root, Select};

use crate::fields::{array_bytes, row_value, same, value, values};
use crate::order::{Arrangement, Order, arrange};
use crate::{Change, Changes, EditError, Position, Result, Value};

/// What a format adds to a comparison.
pub(crate) trait Rules {
    /// Adds changes of a pair of elements. Returns whether they say everything.
    fn pair(&mut self, list: &List, path: &Path, parts: [&Part<'_>; 2], changes: &mut Changes) -> Result<bool>;

    /// Returns whether a grid can be set as a whole, to another length that other fields follow.
    fn can_resize(&self, _: &Array<'_>) -> bool {
        false
    }

    /// Returns what an element consists of that only the left side (0) or the right one (1) has, if not of its fields and of changes
    /// inside it.
    fn lone(&mut self, _: &List, _: &Path, _: &Part<'_>, _: usize) -> Result<Option<Consists>> {
        Ok(None)
    }
}

/// The fields and the bytes of an element.
pub(crate) type Consists = (Vec<(String, Value)>, Option<Value>);

type Also<'a> = dyn FnMut(&Path, [&Part<'_>; 2], &mut Changes) -> Result<()> + 'a;

struct Pairs<'a>(&'a mut Also<'a>);

impl Rules for Pairs<'_> {
    fn pair(&mut self, _: &List, path: &Path, parts: [&Part<'_>; 2], changes: &mut Changes) -> Result<bool> {
        (self.0)(path, parts, changes).map(|()| false)
    }
}

/// Returns the changes between two files. `also` sees each pair of elements, and adds what its format demands.
pub(crate) fn diff(left: &Root<'_>, right: &Root<'_>, select: &dyn Select, also: &mut Also<'_>) -> Result<Changes> {
    diff_by(left, right, select, &mut Pairs(&mut |path, parts, changes| also(path, parts, changes)))
}

/// Returns the changes between two files, or between two parts, to which their paths are relative.
pub(crate) fn diff_by(
    left: &Root<'_>,
    right: &Root<'_>,
    select: &dyn Select,
    rules: &mut dyn Rules,
) -> Result<Changes> {
    let (mut changes, mut result) = (Changes::new(), Ok(()));
    let compared = events(left, right, select, &mut |event| {
        if result.is_ok() {
            result = one(event, &mut changes, rules);
        }
    });
    result?;
    compared.map_err(|error| EditError::malformed(None, error.to_string()))?;
    Ok(changes)
}

fn one(event: &Event<'_>, changes: &mut Changes, rules: &mut dyn Rules) -> Result<()> {
    match event {
        Event::Field { part, is_scalar, sides } => {
            set(part, *is_scalar, *sides, changes);
            Ok(())
        }
        Event::Array { part, sides } => {
            array(part, *sides, changes, rules);
            Ok(())
        }
        Event::List(matched) => list(matched, changes, rules),
        Event::Broken(error) => Err((**error).into()),
        _ => Ok(()),
    }
}

/// Whether changes can say anything of a field.
fn is_said(field: &Field<'_>) -> bool {
    matches!(field.role, Role::Data | Role::Reserved) && field.stored != Stored::Nowhere
}

/// The change of a field. One that a side does not have is zero or empty there.
fn set(part: &Path, is_scalar: bool, sides: [Option<&Field<'_>>; 2], changes: &mut Changes) {
    let [left, right] = sides;
    let (Some(any), FieldName::Static(name)) =
        (right.or(left), left.or(right).map_or(FieldName::Static(""), |any| any.name))
    else {
        return;
    };
    if !is_said(any) {
        return;
    }
    let blank = || blank(&value(any));
    let (mut from, mut to) = (left.map_or_else(blank, value), right.map_or_else(blank, value));
    if let (Value::Integer(from), Value::Integer(to)) = (&from, &mut to) {
        // How a file is stored stays.
        let kept = i128::from(any.storage_bits);
        *to = (*to & !kept) | (*from & kept);
    }
    if let [Some(left), Some(right)] = sides
        && let Some(texts) = texts(left, right)
    {
        (from, to) = texts;
    } else if same(&from, &to) {
        return;
    }
    let mut path = part.clone();
    if !is_scalar {
        path.push_name(name.as_bytes());
    }
    changes.push(Change::Set { path, from: Some(from), to });
}

/// The values of texts that may be given with everything that is counted. What follows a text stays if another text is set, so that
/// one with something else behind it is given as bytes.
fn texts(left: &Field<'_>, right: &Field<'_>) -> Option<(Value, Value)> {
    let (FieldValue::Text(one), FieldValue::Text(other), Stored::Counted(counted)) =
        (left.value, right.value, right.stored)
    else {
        return None;
    };
    counted.whole?;
    let behind = |text: &TextValue<'_>, old: &TextValue<'_>| {
        if text.text == old.text {
            return false;
        }
        let tail = text.stored.get(text.text.len()..).unwrap_or_default();
        let kept = old.stored.get(old.text.len()..).unwrap_or_default();
        let kept = if old.stored.is_empty() && counted.nul { &[0] } else { kept };
        tail == kept
    };
    let say = |field: &Field<'_>, text: &TextValue<'_>, old: &TextValue<'_>| {
        if behind(text, old) { value(field) } else { Value::Bytes(text.stored.to_vec()) }
    };
    Some((say(left, &one, &other), say(right, &other, &one)))
}

/// The value of a field that is not there.
fn blank(value: &Value) -> Value {
    match value {
        Value::Integers(list) => Value::Integers(vec![0; list.len()]),
        Value::Text(_) | Value::Bytes(_) => Value::Bytes(Vec::new()),
        _ => 0.into(),
    }
}

/// The difference of an array: its items, or everything if it has another length or many bytes of it differ.
fn array(part: &Path, sides: [Option<&Array<'_>>; 2], changes: &mut Changes, rules: &dyn Rules) {
    let [Some(left), Some(right)] = sides else { return cells(part, sides, changes) };
    if right.role == Role::Derived {
        return;
    }
    let is_grid = right.columns > 0 && !right.rows_are_items;
    if is_grid && !rules.can_resize(right) {
        return cells(part, sides, changes);
    }
    let same_len = left.elements.len() == right.elements.len();
    let (old, new) = (array_bytes(left), array_bytes(right));
    let differing = || old.into_iter().flatten().zip(new.into_iter().flatten()).filter(|(old, new)| old != new).count();
    if is_grid && same_len && left.columns == right.columns && differing().saturating_mul(16) <= right.elements.len() {
        return cells(part, sides, changes);
    }
    if !is_grid && same_len {
        return rows(part, [left, right], changes);
    }
    if let Some((old, new)) = old.zip(new).filter(|(old, new)| old != new) {
        let mut path = part.clone();
        path.push_name(right.name.as_bytes());
        changes.push(Change::Set { path, from: Some(Value::Bytes(old.to_vec())), to: Value::Bytes(new.to_vec()) });
    }
}

/// The items with numbers that differ.
fn rows(part: &Path, [left, right]: [&Array<'_>; 2], changes: &mut Changes) {
    for (number, nth) in (0..).zip(0_u32..) {
        let (Some((from, _)), Some((to, _))) = (row_value(left, number), row_value(right, number)) else { return };
        if from != to {
            let mut path = part.clone();
            path.push_nth(right.item.as_bytes(), nth);
            changes.push(Change::Set { path, from: Some(from), to });
        }
    }
}

/// The cells that differ: each alone, and neighbors in a row as one rectangle.
fn cells(part: &Path, sides: [Option<&Array<'_>>; 2], changes: &mut Changes) {
    let Some(any) = sides[1].or(sides[0]) else { return };
    let word = |array: Option<&Array<'_>>, (x, y): (usize, usize)| {
        let index =
            array.filter(|array| x < array.columns).and_then(|array| y.checked_mul(array.columns)?.checked_add(x));
        array.zip(index).and_then(|(array, index)| array.elements.bits(index))
    };
    let places = |array: Option<&Array<'_>>| {
        let (len, columns) = array.map_or((0, 1), |array| (array.elements.len(), array.columns.max(1)));
        (0..len).map(move |index| (index.checked_rem(columns).unwrap_or(0), index.checked_div(columns).unwrap_or(0)))
    };
    let [left, right] = sides;
    let gone = places(left).filter(|cell| word(right, *cell).is_none());
    let mut run = Run { part, array: any, start: (0, 0), words: Vec::new() };
    for cell in places(right).chain(gone) {
        let (from, to) = (word(left, cell).unwrap_or(any.blank), word(right, cell).unwrap_or(any.blank));
        if from == to {
            continue;
        }
        let (column, row) = run.start;
        if cell.1 != row || cell.0 != run.words.len().saturating_add(column) {
            run.finish(changes);
            run.start = cell;
        }
        run.words.push((from, to));
    }
    run.finish(changes);
}

/// Cells beside each other.
struct Run<'r> {
    part: &'r Path,
    array: &'r Array<'r>,
    start: (usize, usize),
    words: Vec<(u32, u32)>,
}

impl Run<'_> {
    fn finish(&mut self, changes: &mut Changes) {
        let (column, row) = self.start;
        let mut path = self.part.clone();
        let (from, to) = match self.words.as_slice() {
            [] => return,
            [(from, to)] => {
                path.push(self.array.item, format!("{column},{row}").as_bytes(), None);
                (Value::from(*from), Value::from(*to))
            }
            words => {
                path.push(self.array.name, format!("{column},{row},{},1", words.len()).as_bytes(), None);
                let list = |word: fn(&(u32, u32)) -> u32| words.iter().map(|words| word(words).into()).collect();
                (Value::Integers(list(|(from, _)| *from)), Value::Integers(list(|(_, to)| *to)))
            }
        };
        self.words.clear();
        changes.push(Change::Set { path, from: Some(from), to });
    }
}

/// The elements that only one list has, and those that move.
fn list(matched: &Matched<'_>, changes: &mut Changes, rules: &mut dyn Rules) -> Result<()> {
    let [count, right_count] = matched.counts;
    let (left, order) = arranged(count, &matched.left_of);
    // What is at the end of a list of numbers has no other place.
    let is_in_place = |(right, left): (u32, &Option<u32>)| left.is_none_or(|left| left == right);
    let is_numbered = matched.list.pairing == Pairing::Index && (0..).zip(&matched.left_of).all(is_in_place);
    let path = |place: &i64| {
        let mut path = Path::new();
        matched.get(0, u32::try_from(*place).unwrap_or(u32::MAX), &mut |_, at| path = at.clone());
        path
    };
    let mut is_kept = vec![false; left.len()];
    let mut result = Ok(());
    for (place, other) in (0_u32..).zip(&matched.left_of) {
        let Some(other) = *other else { continue };
        is_kept.get_mut(other as usize).into_iter().for_each(|kept| *kept = true);
        matched.get(0, other, &mut |left, path| {
            matched.get(1, place, &mut |right, _| {
                if result.is_ok() {
                    let is_said = rules.pair(&matched.list, path, [left, right], changes);
                    result = is_said.map(|is_said| {
                        if is_said {
                            matched.skip(other)
                        }
                    });
                }
            });
        });
    }
    for (place, _) in (0..count).zip(&is_kept).filter(|(_, kept)| !**kept) {
        matched.get(0, place, &mut |part, at| {
            let was = order.was(place as usize, &left, path);
            let was = if is_numbered { Position::Natural } else { was };
            if result.is_ok() {
                result = lone(matched, part, (at, 0), was, changes, rules);
            }
        });
    }
    for (place, (index, position)) in (0..right_count).zip(&order.places) {
        let position = position.map_or(Position::Natural, |position| position.position(&left, path));
        match index {
            Some(Order::Kept) => {}
            Some(Order::Moved(index)) => {
                let was = order.was(*index, &left, path);
                let path = left.get(*index).map(path).unwrap_or_default();
                changes.push(Change::Move { path, position, was });
            }
            None => matched.get(1, place, &mut |part, at| {
                let position = if is_numbered { Position::Natural } else { position.clone() };
                if result.is_ok() {
                    result = lone(matched, part, (at, 1), position, changes, rules);
                }
            }),
        }
    }
    result
}

/// What becomes of a list of which each element on the right has a match on the left or not; and the elements of the left list, as
/// that names them.
pub(crate) fn arranged(count: u32, left_of: &[Option<u32>]) -> (Vec<i64>, Arrangement) {
    let left: Vec<i64> = (0..i64::from(count)).collect();
    // Other numbers for what is new.
    let one = |(new, left): (i64, &Option<u32>)| left.map_or(new, i64::from);
    let right: Vec<i64> = (i64::MIN..).zip(left_of).map(one).collect();
    let order = arrange(&left, &right);
    (left, order)
}

/// An element that only one side has, with everything inside it.
fn lone(
    matched: &Matched<'_>,
    part: &Part<'_>,
    (path, side): (&Path, usize),
    position: Position,
    changes: &mut Changes,
    rules: &mut dyn Rules,
) -> Result<()> {
    let list = matched.list;
    if let Some((fields, data)) = rules.lone(&list, path, part, side)? {
        let path = path.clone();
        changes.push(match side {
            0 => Change::Remove { path, fields, data, was: position },
            _ => Change::Add { path, like: None, position, fields, data },
        });
        return Ok(());
    }
    let inside = |changes: &mut Changes, with_fields| {
        let mut walk = Lone { path: path.clone(), side, changes, with_fields };
        let _ = part.body.describe(&mut walk);
    };
    if list.single {
        inside(changes, true);
        return Ok(());
    }
    element(part.body, matched.list.scalar, matched.slots.and_then(|slots| slots.key), path, side, position, changes);
    inside(changes, false);
    Ok(())
}

fn element(
    body: &dyn Describe,
    is_scalar: bool,
    key: Option<&str>,
    path: &Path,
    side: usize,
    position: Position,
    changes: &mut Changes,
) {
    let (mut fields, mut data) = values(body, key);
    if is_scalar {
        data = fields.pop().map(|(_, value)| value);
        fields.clear();
    }
    let path = path.clone();
    changes.push(match side {
        0 => Change::Remove { path, fields, data, was: position },
        _ => Change::Add { path, like: None, position, fields, data },
    });
}

/// What is inside an element that only one side has.
struct Lone<'l> {
    path: Path,
    side: usize,
    changes: &'l mut Changes,
    /// Whether fields are changes of their own.
    with_fields: bool,
}

impl Lone<'_> {
    fn sides<'s, T>(&self, one: &'s T) -> [Option<&'s T>; 2] {
        if self.side == 0 { [Some(one), None] } else { [None, Some(one)] }
    }
}

impl Visit for Lone<'_> {
    fn field(&mut self, field: &Field<'_>) -> Flow {
        if self.with_fields {
            set(&self.path, false, self.sides(field), self.changes);
        }
        Flow::Continue(())
    }

    fn array(&mut self, array: &Array<'_>) -> Flow {
        // The bytes of an element's own arrays are its data.
        if self.with_fields || !matches!(array.elements, worldview_core::describe::Elements::Bytes(_)) {
            cells(&self.path, self.sides(array), self.changes);
        }
        Flow::Continue(())
    }

    fn parts(&mut self, parts: &dyn PartList) -> Flow {
        let list = parts.list();
        let key_field = parts.slots().and_then(|slots| slots.key);
        let mut counts = std::collections::HashMap::new();
        let name = |part: &Part<'_>| match part.key {
            worldview_core::describe::PartKey::Index => None,
            worldview_core::describe::PartKey::Name(name) => Some(name.to_vec()),
            worldview_core::describe::PartKey::Number(number) => Some(number.to_string().into_bytes()),
        };
        let mut all = Vec::new();
        let _ = parts.each(&mut |part| {
            all.extend(part.ok().map(name));
            Flow::Continue(())
        });
        for key in all.iter().flatten() {
            *counts.entry(key.clone()).or_insert(0_u32) += 1;
        }
        let mut seen = std::collections::HashMap::new();
        parts.each(&mut |part| {
            let Ok(part) = part else { return Flow::Continue(()) };
            let mut path = self.path.clone();
            match name(part) {
                None => path.push_nth(list.kind.as_bytes(), part.index),
                Some(key) => {
                    let is_repeated = counts.get(&key).is_some_and(|count| *count > 1);
                    let nth = seen.entry(key.clone()).or_insert(0_u32);
                    path.push(list.kind, &key, is_repeated.then_some(*nth));
                    *nth = nth.saturating_add(1);
                }
            }
            element(part.body, list.scalar, key_field, &path, self.side, Position::Natural, self.changes);
            Flow::Continue(())
        })
    }

    fn link(&mut self, _: &Link<'_>) -> Flow {
        Flow::Continue(())
    }

    fn broken(&mut self, _: &Error) -> Flow {
        Flow::Continue(())
    }
}
