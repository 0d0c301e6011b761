//! Lists of any format: elements are found by their paths, changed, added, removed and moved.

use std::collections::HashMap;
use std::ops::Range;

use worldview_core::describe::{Flow, List, Pairing, Part, PartKey, PartList, Slots, Span};
use worldview_core::{Path, Segment, Source};

use crate::fields::{self, Draft, Wish};
use crate::tree::{Tree, sibling, unexpected};
use crate::{Change, EditError, EditErrorKind, Position, Result, Value};

/// What becomes of a list.
pub(crate) struct Edited {
    /// The ranges that are replaced, in ascending order, and the path of the change.
    pub(crate) ranges: Vec<(Range<u64>, Vec<u8>)>,
    /// The range of all elements in the original.
    pub(crate) all: Range<u64>,
    /// The number of elements, where it is and how it is stored.
    pub(crate) count: u32,
    pub(crate) slots: Slots,
    /// Whether elements were removed to which others may refer by number.
    pub(crate) is_shrunk: bool,
}

/// An element of the original.
struct Element {
    at: Span,
    is_removed: bool,
    new: Option<Vec<u8>>,
}

/// Which element of a list each segment names.
pub(crate) struct Names {
    pub(crate) list: List,
    pub(crate) by_key: Keys<Vec<usize>>,
}

/// What is known of the elements with the keys that changes name. Nothing is stored for the others, which may be many.
pub(crate) struct Keys<T> {
    all: HashMap<Vec<u8>, T>,
    numbers: HashMap<i64, Vec<u8>>,
}

impl<T: Default> Keys<T> {
    pub(crate) fn of<'s>(segments: impl Iterator<Item = Segment<'s>>) -> Self {
        let mut keys = Self { all: HashMap::new(), numbers: HashMap::new() };
        for segment in segments {
            let key = segment.key.into_owned();
            let number = std::str::from_utf8(&key).ok().and_then(|text| text.parse::<i64>().ok());
            // A number has one spelling.
            let number = number.filter(|number| number.to_string().as_bytes() == key);
            keys.numbers.extend(number.map(|number| (number, key.clone())));
            keys.all.insert(key, T::default());
        }
        keys
    }

    pub(crate) fn get(&self, key: &[u8]) -> Option<&T> {
        self.all.get(key)
    }

    pub(crate) fn get_mut(&mut self, key: PartKey<'_>) -> Option<&mut T> {
        match key {
            PartKey::Index => None,
            PartKey::Name(name) => self.all.get_mut(name),
            PartKey::Number(number) => self.all.get_mut(self.numbers.get(&number)?),
        }
    }
}

impl Names {
    pub(crate) fn find(&self, segment: &Segment<'_>, path: &Path, count: usize) -> Result<usize> {
        let nth = usize::try_from(segment.nth.unwrap_or(0)).unwrap_or(usize::MAX);
        let found = if segment.kind.is_none() && !self.list.main {
            // An element without a key, by its number.
            segment.nth.map(|_| nth).filter(|nth| *nth < count && *segment.key == *self.list.kind.as_bytes())
        } else {
            let all = self.by_key.get(&*segment.key).map_or(&[][..], Vec::as_slice);
            if all.len() > 1 && segment.nth.is_none() {
                return Err(EditError::new(path, EditErrorKind::Ambiguous { count: all.len() }));
            }
            all.get(nth).copied()
        };
        found.ok_or_else(|| EditError::new(path, EditErrorKind::NotFound))
    }

    pub(crate) fn sibling(&self, other: &Path, path: &Path, count: usize) -> Result<usize> {
        self.find(&sibling(other, path, self.list.kind)?, other, count)
    }
}

/// Applies the changes of a list. `source` has its bytes.
pub(crate) fn edit<'t>(
    parts: &dyn PartList,
    source: Source<'_>,
    changes: &[(Segment<'t>, &'t Tree<'t>)],
) -> Result<Edited> {
    let (list, mut elements, mut broken) = (parts.list(), Vec::new(), None);
    let slots = parts.slots();
    let (Some(slots), Some((_, any))) = (slots, changes.first()) else {
        let path = changes.first().and_then(|(_, node)| node.any()).map(|change| change.path().clone());
        return Err(EditError::unsupported(&path.unwrap_or_default(), "this list cannot be edited"));
    };
    let neighbors = |node: &'t Tree<'t>| match node.change {
        Some(Change::Add { position, like, .. }) => [position.neighbor(), like.as_ref()],
        Some(Change::Move { position, .. }) => [position.neighbor(), None],
        _ => [None, None],
    };
    let others = changes.iter().flat_map(|(_, node)| neighbors(node)).flatten();
    let others = others.filter_map(|path| path.segments().last());
    let is_there = |node: &Tree<'_>| !matches!(node.change, Some(Change::Add { .. }));
    let named = changes.iter().filter(|(_, node)| is_there(node)).map(|(segment, _)| segment.clone());
    let mut by_key: Keys<Vec<usize>> = Keys::of(named.chain(others));
    let _ = parts.each(&mut |part| match part {
        Ok(part) => {
            if let Some(list) = by_key.get_mut(part.key) {
                list.push(elements.len());
            }
            let at = part.at.unwrap_or(Span::new(slots.start, 0, source.space()));
            elements.push(Element { at, is_removed: false, new: None });
            Flow::Continue(())
        }
        Err(error) => {
            broken = Some(*error);
            Flow::Break(())
        }
    });
    if let Some(error) = broken {
        return Err(error.into());
    }
    let names = Names { list, by_key };
    let count = elements.len();
    let here = any.any().map(|change| change.path().clone()).unwrap_or_default();
    // Two paths may name one element.
    let mut inside: HashMap<usize, Vec<Wish<'_>>> = HashMap::new();
    let (mut placed, mut removed) = (Vec::new(), Vec::new());
    for (segment, node) in changes {
        let path = node.any().map_or(&here, Change::path);
        let data = match node.change {
            Some(Change::Add { path, like, position, fields, data }) => {
                placed.push((None, Some((segment, like.as_ref(), fields, data.as_ref())), position, path, node.order));
                continue;
            }
            Some(Change::Set { path, from, to }) if list.scalar => Wish::data(true, from.as_ref(), Some(to), path),
            Some(Change::Rename { path, to }) if list.scalar => Wish::data(true, None, Some(to), path),
            Some(Change::Remove { path, fields, data, was: _ }) => {
                let index = names.find(segment, path, count)?;
                let expected = Wish::expected(fields, path);
                let expected: Vec<_> = expected.chain(Wish::data(list.scalar, data.as_ref(), None, path)).collect();
                let at = elements.get(index).map_or(0, |element| element.at.at);
                with(parts, index, at, |part| fields::set(part.body, &expected, &mut Draft::new(0, &[])))?;
                removed.push((index, path));
                continue;
            }
            Some(Change::Move { path, position, was: _ }) => {
                placed.push((Some(names.find(segment, path, count)?), None, position, path, node.order));
                None
            }
            Some(change) => return Err(unexpected(change)),
            None => None,
        };
        let wishes = inside.entry(names.find(segment, path, count)?).or_default();
        wishes.extend(data);
        for (name, node) in &node.children {
            let Some(segment) = name.segments().next() else { continue };
            let wish = Wish::of(segment, node)?;
            if let Some(other) = wishes.iter().find(|other| other.name == wish.name && other.kind == wish.kind) {
                let kind = EditErrorKind::Conflict { other: other.path.clone() };
                if other.to != wish.to {
                    return Err(EditError::new(wish.path, kind));
                }
            }
            wishes.push(wish);
        }
    }
    for (index, wishes) in inside {
        let Some(element) = elements.get_mut(index) else { continue };
        let old = source.slice(element.at.at, element.at.len, list.kind)?;
        let new = with(parts, index, element.at.at, |part| changed(parts, part, &slots, old, &wishes))?;
        element.new = (new != old).then_some(new);
    }
    // Others refer to elements without a key by their numbers, so only the last ones come and go.
    let is_numbered = list.pairing == Pairing::Index;
    let why = "only the last elements can be added or removed, because tiles refer to them by number";
    removed.sort_by_key(|(index, _)| std::cmp::Reverse(*index));
    let mut left = count;
    for (index, path) in &removed {
        let is_last = index.saturating_add(1) == left && placed.is_empty();
        if is_numbered && !is_last {
            return Err(EditError::unsupported(path, why));
        }
        left = left.saturating_sub(1);
        elements.get_mut(*index).into_iter().for_each(|element| element.is_removed = true);
    }
    // Elements that go to the same place stay in the order of the list of changes.
    placed.sort_by_key(|(_, added, _, _, order)| match added {
        Some((segment, ..)) if is_numbered => (segment.nth, 0),
        _ => (None, *order),
    });
    let kept = |index| Place { origin: Some(index), new: None, is_placed: false };
    let mut order: Vec<Place> = (0..count).map(kept).collect();
    for (moved, added, position, path, _) in placed {
        let new = match (moved, added) {
            (Some(index), _) => {
                order.retain(|place| place.origin != moved);
                let element = elements.get_mut(index);
                let at = element.as_ref().map_or(Span::new(0, 0, source.space()), |element| element.at);
                match element.and_then(|element| element.new.take()) {
                    Some(new) => new,
                    None => source.slice(at.at, at.len, list.kind)?.to_vec(),
                }
            }
            (None, Some((segment, like, given, data))) => {
                if is_numbered && segment.nth.and_then(|nth| usize::try_from(nth).ok()) != Some(order.len()) {
                    return Err(EditError::unsupported(path, why));
                }
                let like = like.map(|like| names.sibling(like, path, count)).transpose()?;
                let like = like.and_then(|like| elements.get(like)).map(|element| element.at);
                let like = like.map(|at| source.slice(at.at, at.len, list.kind)).transpose()?;
                added_element(parts, &slots, segment, like, (given, data), path)?
            }
            (None, None) => continue,
        };
        let at = |index: usize| order.iter().position(|place| place.origin == Some(index));
        let at = match position {
            Position::Natural => Some(order.len()),
            Position::Before(other) => at(names.sibling(other, path, count)?),
            Position::After(other) => {
                let after = at(names.sibling(other, path, count)?).map(|at| at.saturating_add(1));
                let passed = |after| order.iter().skip(after).take_while(|place| place.is_placed).count();
                after.map(|after| passed(after).saturating_add(after))
            }
        };
        let at = at.ok_or_else(|| EditError::unsupported(path, "the neighbor of this element moves itself"))?;
        order.insert(at, Place { origin: moved, new: Some(new), is_placed: true });
    }
    let end = elements.last().map_or(slots.start, |element| element.at.at.saturating_add(element.at.len));
    let (mut ranges, mut cursor, mut len) = (Vec::<(Range<u64>, Vec<u8>)>::new(), slots.start, 0_u32);
    let moved: Vec<bool> = {
        let mut moved = vec![false; count];
        let gone = order.iter().filter(|place| place.is_placed).filter_map(|place| place.origin);
        gone.for_each(|index| moved.get_mut(index).into_iter().for_each(|moved| *moved = true));
        moved
    };
    for place in order {
        match place {
            Place { new: Some(new), .. } => match ranges.last_mut() {
                // Elements that go to one place are one range.
                Some((range, all)) if range.is_empty() && range.start == cursor => all.extend(new),
                _ => ranges.push((cursor..cursor, new)),
            },
            Place { origin: Some(index), .. } => {
                let Some(element) = elements.get_mut(index) else { continue };
                cursor = element.at.at.saturating_add(element.at.len);
                if element.is_removed {
                    continue;
                }
                if let Some(new) = element.new.take() {
                    ranges.push((element.at.at..cursor, new));
                }
            }
            Place { .. } => continue,
        }
        len = len.saturating_add(1);
    }
    for (element, is_moved) in elements.iter().zip(moved) {
        if element.is_removed || is_moved {
            let at = element.at;
            ranges.push((at.at..at.at.saturating_add(at.len), Vec::new()));
        }
    }
    ranges.sort_by_key(|(range, _)| (range.start, range.end));
    at_start(&mut ranges, slots.start, elements.first().map(|element| element.at), source)?;
    let is_shrunk = is_numbered && !removed.is_empty();
    Ok(Edited { ranges, all: slots.start..end, count: len, slots, is_shrunk })
}

/// Makes what is inserted in front of the first element a part of it: offsets of the list then lead to what is inserted, and not
/// behind it.
fn at_start(
    ranges: &mut Vec<(Range<u64>, Vec<u8>)>,
    start: u64,
    first: Option<Span>,
    source: Source<'_>,
) -> Result<()> {
    let Some(first) = first.filter(|first| first.at == start) else { return Ok(()) };
    let count = ranges.iter().take_while(|(range, _)| range.is_empty() && range.start == start).count();
    if count == 0 {
        return Ok(());
    }
    let mut new: Vec<u8> = ranges.drain(..count).flat_map(|(_, new)| new).collect();
    match ranges.first_mut().filter(|(range, _)| range.start == start) {
        Some((_, behind)) => {
            new.append(behind);
            *behind = new;
        }
        None => {
            new.extend(source.slice(first.at, first.len, "element")?);
            ranges.insert(0, (start..start.saturating_add(first.len), new));
        }
    }
    Ok(())
}

/// An element of the new order.
struct Place {
    origin: Option<usize>,
    /// The bytes of an element that was added or moved.
    new: Option<Vec<u8>>,
    /// Whether a change put it there.
    is_placed: bool,
}

pub(crate) fn with<T>(
    parts: &dyn PartList,
    index: usize,
    at: u64,
    then: impl FnOnce(&Part<'_>) -> Result<T>,
) -> Result<T> {
    let (mut result, mut then) = (None, Some(then));
    let index = u32::try_from(index).unwrap_or(u32::MAX);
    parts.get(index, at, &mut |part| result = then.take().map(|then| then(part)));
    result.unwrap_or_else(|| Err(EditError::new(&Path::new(), EditErrorKind::NotFound)))
}

/// Applies changes to an element, which may get another shape by them.
fn changed(parts: &dyn PartList, part: &Part<'_>, slots: &Slots, old: &[u8], wishes: &[Wish<'_>]) -> Result<Vec<u8>> {
    let is_shape =
        |wish: &&Wish<'_>| wish.kind.is_none() && slots.shape.iter().any(|name| *name.as_bytes() == *wish.name);
    if !wishes.iter().any(|wish| is_shape(&wish)) {
        let mut draft = Draft::new(part.at.map_or(0, |at| at.at), old);
        fields::set(part.body, wishes, &mut draft)?;
        return Ok(draft.finish());
    }
    // What changes expect must hold; what the new shape does not have is gone with the old one, and was nothing if it is new.
    let expected: Vec<_> = wishes.iter().map(|wish| Wish { to: None, ..wish.clone() }).collect();
    fields::set_in_shape(part.body, &expected, &mut Draft::new(0, &[]))?;
    let wanted: Vec<_> = wishes.iter().filter(is_shape).filter_map(|wish| Some((&*wish.name, wish.to?))).collect();
    let new = reshaped(parts, part, &wanted)?;
    let old = fields::values(part.body, None).0;
    let had = |wish: &Wish<'_>| old.iter().any(|(name, _)| *name.as_bytes() == *wish.name);
    let mut edited = None;
    parts.alone(&new, &mut |part| {
        let own = fields::values(part.body, None).0;
        let has = |wish: &&Wish<'_>| {
            wish.kind.is_some() || !had(wish) || own.iter().any(|(name, _)| *name.as_bytes() == *wish.name)
        };
        let rest: Vec<_> = wishes.iter().filter(has).map(|wish| Wish { from: None, ..wish.clone() }).collect();
        let mut draft = Draft::new(0, &new);
        edited = Some(fields::set_in_shape(part.body, &rest, &mut draft).map(|()| draft.finish()));
    });
    edited.unwrap_or(Ok(new))
}

/// The bytes of an element in another shape, with the fields and cells that both shapes have.
fn reshaped(parts: &dyn PartList, part: &Part<'_>, wanted: &[(&[u8], &Value)]) -> Result<Vec<u8>> {
    let numbers = fields::values(part.body, None).0;
    let number = |name: &str| {
        let wish = wanted.iter().find(|(wish, _)| *wish == name.as_bytes()).map(|(_, value)| *value);
        let found = numbers.iter().find(|(field, _)| field == name).map(|(_, value)| value);
        match wish.or(found) {
            Some(Value::Integer(number)) => i64::try_from(*number).ok(),
            _ => None,
        }
    };
    let mut new = None;
    parts.blank(&number, &mut |bytes| new = Some(bytes.to_vec()));
    let here = Path::new();
    let blank = new.ok_or_else(|| EditError::unsupported(&here, "there is no element of this shape"))?;
    let mut out = Draft::new(0, &blank);
    let is_wanted = |name: &str| wanted.iter().any(|(wish, _)| *wish == name.as_bytes());
    let mut result = Ok(());
    parts.alone(&blank, &mut |other| result = fields::copy(part.body, other.body, &mut out, &is_wanted));
    result.map(|()| out.finish())
}

/// The bytes of an added element.
fn added_element(
    parts: &dyn PartList,
    slots: &Slots,
    segment: &Segment<'_>,
    like: Option<&[u8]>,
    (given, data): (&[(String, Value)], Option<&Value>),
    path: &Path,
) -> Result<Vec<u8>> {
    let list = parts.list();
    let number = |name: &str| match given.iter().find(|(field, _)| field == name)?.1 {
        Value::Integer(number) => i64::try_from(number).ok(),
        _ => None,
    };
    let mut bytes = like.map(<[u8]>::to_vec);
    if bytes.is_none() {
        parts.blank(&number, &mut |blank| bytes = Some(blank.to_vec()));
    }
    let why = "a new element must say its shape: the fields that decide what else it has";
    let bytes = bytes.ok_or_else(|| EditError::unsupported(path, why))?;
    let key = slots.key.map(|name| (name.to_owned(), key_value(parts, &bytes, segment)));
    let mut wishes: Vec<_> = Wish::given(given, path).collect();
    if let Some((name, value)) = &key {
        let value = value
            .as_ref()
            .ok_or_else(|| EditError::unsupported(path, "an object's name in a path is its id, a number"))?;
        wishes.push(Wish { kind: None, name: name.as_bytes().into(), nth: None, from: None, to: Some(value), path });
    }
    wishes.extend(Wish::data(list.scalar, None, data, path));
    let mut edited = None;
    parts.alone(&bytes, &mut |part| {
        let mut draft = Draft::new(0, &bytes);
        edited = Some(fields::set(part.body, &wishes, &mut draft).map(|()| draft.finish()));
    });
    edited.unwrap_or_else(|| Err(EditError::new(path, EditErrorKind::NotFound)))
}

/// The key of an added element as a value of its field.
fn key_value(parts: &dyn PartList, bytes: &[u8], segment: &Segment<'_>) -> Option<Value> {
    let mut value = None;
    parts.alone(bytes, &mut |part| {
        value = match part.key {
            PartKey::Number(_) => {
                std::str::from_utf8(&segment.key).ok().and_then(|text| text.parse().ok()).map(Value::Integer)
            }
            _ => Some(Value::Bytes(segment.key.to_vec())),
        };
    });
    value
}

/// Calls `then` with the list of a part that has this kind of elements.
pub(crate) fn of_kind<T>(
    body: &dyn worldview_core::describe::Describe,
    kind: &str,
    then: impl FnOnce(&dyn PartList) -> T,
) -> Option<T> {
    let (mut result, mut then) = (None, Some(then));
    fields::lists(body, &mut |parts| {
        if parts.list().kind == kind
            && let Some(then) = then.take()
        {
            result = Some(then(parts));
        }
    });
    result
}
