//! Changes between two files of any format: what the comparison of `inspect` finds, as changes.

mod lone;

use std::collections::HashSet;

use worldview_core::Path;
use worldview_core::describe::{
    Array, Elements, Field, FieldValue, List, ListFlag, Pairing, Part, Role, Sorting, Stored, TextValue,
};
use worldview_inspect::diff::{Event, Matched, events};
use worldview_inspect::{Root, Select};

use self::lone::{Names, lone};
use crate::fields::{array_bytes, is_said, name, row_value, same, text_values, value, words};
use crate::list::element_key;
use crate::order::{Arrangement, Order, numbered};
use crate::{Change, Changes, EditError, Planned, Position, Result, Value};

/// The fields and the bytes of an element.
pub(crate) type Consists = (Vec<(String, Value)>, Option<Value>);

/// The rules that a format adds to the changes between two files.
pub(crate) trait Rules {
    /// Sees each finding first, and returns whether it took care of all of it.
    fn event(&mut self, _: &Event<'_>, _: &mut Planned) -> Result<bool> {
        Ok(false)
    }

    /// Sees each pair of elements, and whether they move, and adds what its format demands. Returns whether that is everything.
    fn pair(&mut self, _: &List, _: &Path, _: [&Part<'_>; 2], _is_moved: bool, _: &mut Changes) -> Result<bool> {
        Ok(false)
    }

    /// Returns whether a grid can be set as a whole, to another length that other fields follow.
    fn can_resize(&self, _: &Array<'_>) -> bool {
        false
    }

    /// Returns what an element consists of that only the left side (0) or the right one (1) has, if not of its fields. Changes of their
    /// own say what is inside it, unless it has bytes.
    fn lone(&mut self, _: &List, _: &Path, _: &Part<'_>, _side: usize) -> Result<Option<Consists>> {
        Ok(None)
    }
}

/// The change that gives an element other bytes.
pub(crate) fn replaced(path: &Path, bytes: [&[u8]; 2], is_moved: bool) -> Change {
    let [from, to] = bytes.map(|bytes| Value::Bytes(bytes.to_vec()));
    let mut path = path.clone();
    if is_moved {
        // The path itself is that of another change.
        path.push("@", b"bytes", None);
    }
    Change::Set { path, from: Some(from), to }
}

/// What sees each pair of elements, and adds what its format demands.
pub(crate) struct Also<F>(pub(crate) F);

impl<F: FnMut(&Path, [&Part<'_>; 2], &mut Changes) -> Result<()>> Rules for Also<F> {
    fn pair(&mut self, _: &List, path: &Path, parts: [&Part<'_>; 2], _: bool, changes: &mut Changes) -> Result<bool> {
        (self.0)(path, parts, changes).map(|()| false)
    }
}

/// Returns the changes between two files, or between two parts, to which their paths are relative.
pub(crate) fn diff(left: &Root<'_>, right: &Root<'_>, select: &dyn Select, rules: &mut dyn Rules) -> Result<Planned> {
    let (mut planned, mut result) = (Planned::default(), Ok(()));
    let compared = events(left, right, select, &mut |event| {
        if result.is_ok() {
            result = one(event, &mut planned, rules);
        }
    });
    result?;
    compared.map_err(|error| EditError::malformed(None, error.to_string()))?;
    Ok(planned)
}

fn one(event: &Event<'_>, planned: &mut Planned, rules: &mut dyn Rules) -> Result<()> {
    if rules.event(event, planned)? {
        return Ok(());
    }
    match *event {
        Event::Field { part, is_scalar, in_main, sides } => {
            set(&Place { part, name: (!is_scalar).then_some(in_main) }, sides, planned);
            Ok(())
        }
        Event::Array { part, in_main, sides } => {
            array(&Place { part, name: Some(in_main) }, sides, &mut planned.changes, rules);
            Ok(())
        }
        Event::List(matched) => list(matched, planned, rules),
        Event::Broken(error) => Err((*error).into()),
        _ => Ok(()),
    }
}

/// A part that has fields.
struct Place<'p> {
    part: &'p Path,
    /// Whether names of fields have an `@`; `None` if the path of the part is that of its only field.
    name: Option<bool>,
}

impl Place<'_> {
    fn path(&self, name: &[u8]) -> Path {
        let mut path = self.part.clone();
        match self.name {
            Some(true) => path.push("@", name, None),
            Some(false) => path.push_name(name),
            None => {}
        }
        path
    }
}

/// The change of a field. One that a side does not have is zero or empty there.
fn set(place: &Place<'_>, sides: [Option<&Field<'_>>; 2], planned: &mut Planned) {
    let [left, right] = sides;
    let Some(any) = right.or(left).filter(|any| is_said(any)) else { return };
    let is_dangling = |side: Option<&Field<'_>>| matches!(side, Some(Field { value: FieldValue::Dangling(_), .. }));
    if is_dangling(right) {
        let why = "the other file refers to a text that does not exist, which no change can express";
        return planned.not_carried(&place.path(&name(&any.name)), why);
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
    } else if !is_dangling(left) && same(&from, &to) {
        return;
    }
    let from = (!is_dangling(left)).then_some(from);
    planned.changes.push(Change::Set { path: place.path(&name(&any.name)), from, to });
}

/// The values of texts that may be given with everything that is counted. What follows a text stays if another text is set, so that
/// one with something else behind it is given as bytes.
fn texts(left: &Field<'_>, right: &Field<'_>) -> Option<(Value, Value)> {
    let (FieldValue::Text(one), FieldValue::Text(other)) = (left.value, right.value) else { return None };
    let counted = match right.stored {
        Stored::Counted(counted) => counted,
        Stored::Text(room) => return Some(text_values([&one, &other], room)),
        _ => return None,
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

/// Adds the changes that give an array of a part the elements of another one. `is_main` says whether the part has a main list.
pub fn array_changes(part: &Path, is_main: bool, arrays: [&Array<'_>; 2], changes: &mut Changes) {
    array(&Place { part, name: Some(is_main) }, arrays.map(Some), changes, &Plain);
}

/// A format that adds nothing.
struct Plain;

impl Rules for Plain {}

/// The difference of an array: its items, or everything if it has another length or many bytes of it differ.
fn array(place: &Place<'_>, sides: [Option<&Array<'_>>; 2], changes: &mut Changes, rules: &dyn Rules) {
    let [Some(left), Some(right)] = sides else { return cells(place, sides, changes) };
    if right.role == Role::Derived {
        return;
    }
    let is_grid = right.columns > 0 && !right.rows_are_items;
    if is_grid && !rules.can_resize(right) {
        return cells(place, sides, changes);
    }
    let same_len = left.elements.len() == right.elements.len();
    let (old, new) = (array_bytes(left), array_bytes(right));
    let differing = || old.into_iter().flatten().zip(new.into_iter().flatten()).filter(|(old, new)| old != new).count();
    if is_grid && same_len && left.columns == right.columns && differing().saturating_mul(16) <= right.elements.len() {
        return cells(place, sides, changes);
    }
    // What is kept of the left side has no places.
    if let Some((from, to)) = words(&Array { count: right.count, ..*left }).zip(words(right)) {
        if from != to {
            changes.push(Change::Set { path: place.path(right.name.as_bytes()), from: Some(from), to });
        }
        return;
    }
    if !is_grid && same_len {
        return rows(place, [left, right], changes);
    }
    if let Some((old, new)) = old.zip(new).filter(|(old, new)| old != new) {
        let path = place.path(right.name.as_bytes());
        changes.push(Change::Set { path, from: Some(Value::Bytes(old.to_vec())), to: Value::Bytes(new.to_vec()) });
    }
}

/// The items with numbers that differ.
fn rows(place: &Place<'_>, [left, right]: [&Array<'_>; 2], changes: &mut Changes) {
    for (number, nth) in (0..).zip(0_u32..) {
        let (Some((from, _)), Some((to, _))) = (row_value(left, number), row_value(right, number)) else { return };
        if from != to {
            let path = place.part.with(|path| path.push_nth(right.item.as_bytes(), nth));
            changes.push(Change::Set { path, from: Some(from), to });
        }
    }
}

/// The cells that differ: each alone, and neighbors in a row as one rectangle. Bytes that are no grid are one value.
fn cells(place: &Place<'_>, sides: [Option<&Array<'_>>; 2], changes: &mut Changes) {
    let Some(any) = sides[1].or(sides[0]) else { return };
    if any.columns == 0 && matches!(any.elements, Elements::Bytes(_)) {
        let [from, to] = sides.map(|side| match side.map(|side| side.elements) {
            Some(Elements::Bytes(bytes)) => bytes,
            _ => &[],
        });
        if from != to {
            let [from, to] = [from, to].map(|bytes| Value::Bytes(bytes.to_vec()));
            changes.push(Change::Set { path: place.path(any.name.as_bytes()), from: Some(from), to });
        }
        return;
    }
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
    let mut run = Run { part: place.part, array: any, start: (0, 0), words: Vec::new() };
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
fn list(matched: &Matched<'_>, planned: &mut Planned, rules: &mut dyn Rules) -> Result<()> {
    let [count, right_count] = matched.counts;
    let left_of = in_order(matched);
    let order = Arrangement::new(left_of.iter().map(|left| left.map(|left| left as usize)));
    let is_sorted = !matched.sorting.contains(&Sorting::None);
    // What is at the end of a list of numbers has no other place.
    let is_in_place = |(right, left): (u32, &Option<u32>)| left.is_none_or(|left| left == right);
    let is_numbered = matched.list.pairing == Pairing::Index && (0..).zip(&left_of).all(is_in_place);
    let is_natural = is_numbered || is_sorted;
    let is_maybe_sorted = matched.sorting[0] != Sorting::None;
    let path = |place: usize| {
        let mut path = Path::new();
        matched.get(0, u32::try_from(place).unwrap_or(u32::MAX), &mut |_, at| path = at.clone());
        path
    };
    if matched.sorting[0] == Sorting::Always
        && !is_sorted
        && order.places.iter().any(|place| !matches!(place.0, Some(Order::Kept)))
    {
        // Wherever a change puts an element, it goes where its name belongs.
        let why = "the elements are in another order, but their names decide where changes put them";
        planned.not_carried(matched.part, why);
    }
    let mut is_kept = vec![false; count as usize];
    let mut result = Ok(());
    for ((place, other), (to, _)) in (0_u32..).zip(&left_of).zip(&order.places) {
        let Some(other) = *other else { continue };
        is_kept.get_mut(other as usize).into_iter().for_each(|kept| *kept = true);
        matched.get(0, other, &mut |left, path| {
            matched.get(1, place, &mut |right, _| {
                if result.is_ok() {
                    let is_moved = matches!(to, Some(Order::Moved(_)));
                    let is_said = rules.pair(&matched.list, path, [left, right], is_moved, &mut planned.changes);
                    result = is_said.map(|is_said| {
                        if is_said {
                            matched.skip(other);
                        }
                    });
                }
            });
        });
    }
    for (place, _) in (0..count).zip(&is_kept).filter(|(_, kept)| !**kept) {
        matched.get(0, place, &mut |part, at| {
            let was = order.was(place as usize, path);
            let was = if is_natural { Position::Natural } else { was };
            if result.is_ok() {
                result = lone(&matched.list, matched.lists[0], part, (at, 0), was, planned, rules);
            }
        });
    }
    let mut names = matched.list.is(ListFlag::IgnoresCase).then(|| {
        let mut names = Names::default();
        (0..count).for_each(|place| matched.get(0, place, &mut |part, _| _ = names.count(part)));
        names
    });
    let mut all = names.clone();
    for (place, _) in (0..).zip(&left_of).filter(|(_, left)| left.is_none()) {
        all.iter_mut().for_each(|all| matched.get(1, place, &mut |part, _| _ = all.count(part)));
    }
    for (place, (index, position)) in (0..right_count).zip(&order.places) {
        let position = match position {
            Some(position) => position.position(path),
            // Without a place, members would go where their names belong.
            None if count > 0 && matched.list.is(ListFlag::Main) && is_maybe_sorted => Position::Before(path(0)),
            None => Position::Natural,
        };
        match index {
            Some(Order::Kept) => {}
            Some(Order::Moved(index)) => {
                let was = order.was(*index, path);
                planned.changes.push(Change::Move { path: path(*index), position, was });
            }
            None => matched.get(1, place, &mut |part, at| {
                let position = if is_natural { Position::Natural } else { position.clone() };
                let named = names.as_mut().zip(all.as_ref()).map(|(names, all)| names.path(matched.part, part, all));
                if result.is_ok() {
                    let at = named.as_ref().unwrap_or(at);
                    result = lone(&matched.list, matched.lists[1], part, (at, 1), position, planned, rules);
                }
            }),
        }
    }
    result
}

/// Returns the match on the left of each element on the right. From the first of several with one name that do not match in their
/// order, because one is a file and the other a directory, none matches: what is removed or added of them is then last, and their
/// numbers say what becomes of each.
fn in_order(matched: &Matched<'_>) -> Vec<Option<u32>> {
    let mut left_of = matched.left_of.clone();
    if !matched.list.is(ListFlag::IgnoresCase) {
        return left_of;
    }
    let names = |side: usize| {
        let mut names = Vec::new();
        let count = matched.counts.get(side).copied().unwrap_or(0);
        (0..count).for_each(|place| {
            matched.get(side, place, &mut |part, _| names.push(element_key(part.key).unwrap_or_default()))
        });
        numbered(names.into_iter())
    };
    let (left, mut crossed) = (names(0), HashSet::new());
    for (own, name) in left_of.iter_mut().zip(names(1)) {
        let other = own.and_then(|own| left.get(own as usize));
        if other != Some(&name) || crossed.contains(&name.0) {
            own.take().into_iter().for_each(|own| matched.skip(own));
            crossed.insert(name.0);
        }
    }
    left_of
}
