//! Lists of any format: elements are found by their paths, changed, added, removed and moved.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap};

use worldview_core::describe::{Flow, ListFlag, Pairing, Part, PartKey, PartList, Sorting, Span};
use worldview_core::edit::Slots;
use worldview_core::{Path, Segment, Source};

mod names;
mod new;
mod numbers;
mod ranges;

pub(crate) use self::names::{Names, each_with_path, paths};
pub use self::names::{element_key, element_paths};
use self::new::{New, reshaped, set_name};
pub(crate) use self::numbers::{free, rank_of};
pub(crate) use self::ranges::{Edited, edit};
use crate::checked::{Checked as _, Number as _};
use crate::fields::{self, Draft, Refer, Wish};
use crate::tree::{Tree, is_recorded, unexpected};
use crate::{Change, EditError, EditErrorKind, Position, Result, Value};

/// The planned edits of the elements of a list.
pub(crate) struct Plan<'t> {
    pub(crate) elements: Vec<Element>,
    /// The elements in their new order, those that are removed among them; empty if they are in the old one.
    pub(crate) places: Vec<Place<'t>>,
    slots: Slots,
    is_shrunk: bool,
}

impl<'t> Plan<'t> {
    /// Returns the elements in their new order, without those that are removed. Those that change have their new bytes.
    pub(crate) fn order(&mut self) -> Vec<Place<'t>> {
        let mut places = std::mem::take(&mut self.places);
        if places.is_empty() {
            places = (0..self.elements.len()).map(Place::kept).collect();
        }
        places.retain_mut(|place| {
            let Some(element) = place.origin.and_then(|index| self.elements.get_mut(index)) else { return true };
            place.new = place.new.take().or_else(|| element.new.take());
            !element.is_removed
        });
        places
    }
}

/// An element of the original.
pub(crate) struct Element {
    /// Its number in the list.
    index: u32,
    pub(crate) at: Span,
    pub(crate) beside: Option<Span>,
    pub(crate) is_removed: bool,
    /// The bytes of an element that was changed and not moved, and those beside it.
    pub(crate) new: Option<Vec<u8>>,
    /// Whether it has another name.
    pub(crate) is_renamed: bool,
}

impl Element {
    fn end(&self) -> Result<u64> {
        self.at.at.plus(self.at.len)
    }

    /// Returns the bytes of the element, and those beside it.
    fn bytes<'b>(&self, source: Source<'b>, what: &'static str) -> Result<Cow<'b, [u8]>> {
        let bytes = |at: Span| Ok::<_, EditError>(source.slice(at.at.minus(source.base())?, at.len, what)?);
        Ok(match self.beside {
            None => bytes(self.at)?.into(),
            Some(beside) => [bytes(self.at)?, bytes(beside)?].concat().into(),
        })
    }
}

/// The part of an edit of a list that depends on the format.
#[derive(Default)]
pub(crate) struct Hooks<'h> {
    /// Returns the reference to a text.
    pub(crate) refer: Option<&'h mut Refer<'h>>,
    /// Takes changes of what is inside an element, and those that set it as a whole.
    pub(crate) inside: Option<Inside<'h>>,
}

/// Takes changes of what is inside an element.
pub(crate) struct Inside<'h> {
    /// Whether something inside an element is one of its own fields, which the list changes itself.
    pub(crate) is_own: fn(&Segment<'_>) -> bool,
    /// Takes the number of an element, its segment and its changes.
    pub(crate) edit: &'h mut dyn FnMut(usize, &Segment<'_>, &Tree<'_>) -> Result<()>,
}

impl Hooks<'_> {
    /// Passes on what is inside an element that is there already, or is removed.
    fn inside(&mut self, index: usize, segment: &Segment<'_>, node: &Tree<'_>) -> Result<()> {
        match &mut self.inside {
            Some(inside) if !node.children.is_empty() => (inside.edit)(index, segment, node),
            _ => Ok(()),
        }
    }

    fn refer(&mut self) -> Option<&mut Refer<'_>> {
        match &mut self.refer {
            Some(refer) => Some(&mut **refer),
            None => None,
        }
    }
}

/// Finds out what becomes of the elements of a list. `source` has their bytes.
pub(crate) fn plan<'t>(
    parts: &dyn PartList,
    source: Source<'_>,
    changes: &[(Segment<'t>, &'t Tree<'t>)],
    mut hooks: Hooks<'_>,
) -> Result<Plan<'t>> {
    let (list, mut elements, mut broken) = (parts.list(), Vec::new(), None);
    let slots = parts.editable().slots();
    let any = changes.first().and_then(|(_, node)| node.any());
    let here = any.map(|change| change.path().clone()).unwrap_or_default();
    let Some(slots) = slots else { return Err(EditError::unsupported(&here, "this list cannot be edited")) };
    let mut names = Names::of_changes(list, slots.key, changes);
    let mut push = |part: &Part<'_>, names: &mut Names| {
        names.note(part.key, elements.len());
        let (index, beside) = (part.index, part.beside);
        // An element without bytes is where the list starts.
        let at = part.at.unwrap_or(Span::new(slots.start, 0, source.space()));
        elements.push(Element { index, at, beside, is_removed: false, new: None, is_renamed: false });
    };
    let is_in_place = |node: &Tree<'_>| matches!(node.change, None | Some(Change::Set { .. }));
    if list.is(ListFlag::Unique) && list.sorting == Sorting::Always && changes.iter().all(|(_, node)| is_in_place(node))
    {
        // The other elements need not be looked at.
        let keys: BTreeSet<_> = changes.iter().map(|(segment, _)| &segment.key).collect();
        for key in keys {
            search(parts, key, &mut |part| push(part, &mut names));
        }
    } else {
        let _ = parts.each(&mut |part| match part {
            Ok(part) => {
                push(part, &mut names);
                Flow::Continue(())
            }
            Err(error) => {
                broken = Some(*error);
                Flow::Break(())
            }
        });
    }
    if let Some(error) = broken {
        return Err(error.into());
    }
    let count = elements.len();
    // Two paths may name one element.
    let (mut inside, mut changed_elements) = (HashMap::new(), Vec::<ChangedElement<'_>>::new());
    let (mut placed, mut removed) = (Vec::new(), Vec::new());
    for (segment, node) in changes {
        let path = node.any().map_or(&here, Change::path);
        let find = || names.find_changed((segment, *node), path, count).map_err(|error| names.of_element(error, node));
        let (mut data, mut name) = (None, None);
        match node.change {
            Some(Change::Add { path, like, position, fields, data }) => {
                let found = names.find(segment, path, count);
                let element = found.as_ref().ok().and_then(|index| elements.get(*index));
                let like = like.as_ref().map(|like| names.sibling(like, path, count)).transpose()?;
                if let Some(element) = element
                    && !like.is_some_and(|like| found.as_ref().is_ok_and(|found| *found == like))
                    && is_there(parts, element, like.and_then(|like| elements.get(like)), (fields, data.as_ref()), path)
                {
                    node.is_done_already();
                    hooks.inside(found?, segment, node)?;
                    continue;
                }
                if list.is(ListFlag::Main) && segment.nth.is_none() && !names.alike(&segment.key).is_empty() {
                    return Err(EditError::new(path, EditErrorKind::Exists));
                }
                placed.push((None, Some((segment, like, fields, data.as_ref())), position, path, *node));
                continue;
            }
            Some(Change::Remove { path, fields, data, was: _ }) => {
                let index = match find() {
                    Err(EditError { kind: EditErrorKind::NotFound, .. }) if is_recorded(fields, data.as_ref()) => {
                        node.are_done_already();
                        continue;
                    }
                    index => index?,
                };
                let element = elements.get(index).checked()?;
                expect(parts, element, fields, data.as_ref(), path).map_err(|error| no_field(error, path))?;
                hooks.inside(index, segment, node)?;
                removed.push((index, path));
                continue;
            }
            Some(Change::Set { path, from, to }) if list.is(ListFlag::Scalar) => {
                data = Wish::data(true, from.as_ref(), Some(to), path);
            }
            Some(Change::Rename { path, to }) if list.is(ListFlag::Scalar) => {
                data = Wish::data(true, None, Some(to), path)
            }
            Some(Change::Rename { path, to }) if list.is(ListFlag::Main) => {
                let to = to.as_bytes().ok_or_else(|| fields::wrong(to, "a name", path))?;
                let (own, so_called) = (find().ok(), names.by_key.get(to).map_or(&[][..], Vec::as_slice));
                match own {
                    Some(own) if so_called.contains(&own) => node.is_done_already(),
                    _ if names.alike(to).iter().any(|other| own != Some(*other)) => {
                        let name = Path::new().with(|path| path.push_name(to));
                        return Err(EditError::new(path, EditErrorKind::Taken { name }));
                    }
                    _ => name = Some((to, path)),
                }
            }
            Some(Change::Move { path, position, was: _ }) => {
                if list.sorting == Sorting::Always {
                    let why = "the records are sorted by name, so their order cannot change";
                    return Err(EditError::unsupported(path, why));
                }
                placed.push((Some(find()?), None, position, path, *node));
            }
            Some(Change::Set { .. }) | None => {}
            Some(change) => return Err(unexpected(change)),
        }
        let index = find()?;
        if let Some(wish) = &mut data {
            wish.already = Some(node.note());
        }
        let mut own = Vec::new();
        let mut is_inside = false;
        for (segment, node) in node.elements() {
            match &hooks.inside {
                Some(inside) if !(inside.is_own)(&segment) => is_inside = true,
                _ => own.push(Wish::of(segment, node)?),
            }
        }
        match (node.change, &mut hooks.inside) {
            (Some(Change::Set { .. }), Some(inside)) if !list.is(ListFlag::Scalar) => {
                (inside.edit)(index, segment, node)?
            }
            (Some(change @ Change::Set { .. }), None) if list.is(ListFlag::Main) => return Err(unexpected(change)),
            (Some(Change::Set { path, from, to }), None) if !list.is(ListFlag::Scalar) => {
                data = Wish::data(false, from.as_ref(), Some(to), path);
                data.iter_mut().for_each(|wish| wish.already = Some(node.note()));
            }
            (_, Some(inside)) if is_inside => (inside.edit)(index, segment, node)?,
            _ => {}
        }
        if own.is_empty() && data.is_none() && name.is_none() {
            continue;
        }
        let place = *inside.entry(index).or_insert(changed_elements.len());
        if place == changed_elements.len() {
            changed_elements.push(ChangedElement { index, wishes: Vec::new(), name: None });
        }
        let element = changed_elements.get_mut(place).checked()?;
        let ChangedElement { wishes, name: new_name, .. } = element;
        wishes.extend(data);
        *new_name = name.or(*new_name);
        for wish in own {
            let is_other = |other: &&Wish<'_>| other.name == wish.name && other.kind == wish.kind;
            if let Some(other) = wishes.iter().find(is_other).filter(|other| other.to != wish.to) {
                return Err(EditError::conflict(wish.path, other.path));
            }
            wishes.push(wish);
        }
    }
    for ChangedElement { index, wishes, name } in changed_elements {
        let element = elements.get_mut(index).checked()?;
        let old = element.bytes(source, list.kind)?;
        let mut new = with_element(parts, element, |part| changed(parts, part, &slots, &old, &wishes, hooks.refer()))?;
        if let Some((name, path)) = name {
            set_name(parts, &mut new, name, &[], path)?;
            element.is_renamed = true;
        }
        element.new = (new != *old).then_some(new);
    }
    // Others refer to elements without a key by their numbers, so only the last ones come and go.
    let is_numbered = list.pairing == Pairing::Index;
    let why = "only the last elements can be added or removed, because tiles refer to them by number";
    removed.sort_by_key(|(index, _)| std::cmp::Reverse(*index));
    let mut left = count;
    for (index, path) in &removed {
        left = left.minus(1)?;
        if is_numbered && !(*index == left && placed.is_empty()) {
            return Err(EditError::unsupported(path, why));
        }
        elements.get_mut(*index).checked()?.is_removed = true;
    }
    // Elements that go to the same place stay in the order of the list of changes.
    placed.sort_by_key(|(_, added, _, _, node)| match added {
        Some((segment, ..)) if is_numbered => (segment.nth, 0),
        _ => (None, node.order),
    });
    let mut order: Vec<Place<'_>> = if placed.is_empty() { Vec::new() } else { (0..count).map(Place::kept).collect() };
    // Where names decide, the order of these is of no importance.
    let is_sorted = list.sorting == Sorting::Always;
    // The fields of a new element that refer to texts, which are empty unless they are given.
    let mut texts = None;
    for (moved, added, position, path, node) in placed {
        let new = match (moved, added) {
            (Some(index), _) => {
                order.retain(|place| place.origin != moved);
                let element = elements.get_mut(index).checked()?;
                match element.new.take() {
                    Some(new) => new,
                    None => element.bytes(source, list.kind)?.into_owned(),
                }
            }
            (None, Some((segment, like, given, data))) => {
                if is_numbered && segment.nth.and_then(|nth| usize::try_from(nth).ok()) != Some(order.len()) {
                    return Err(EditError::unsupported(path, why));
                }
                let like = like.map(|like| elements.get(like).checked()?.bytes(source, list.kind)).transpose()?;
                let new = New { parts, slots: &slots, segment, given, data, path };
                new.bytes(like, &mut texts, hooks.refer())?
            }
            (None, None) => continue,
        };
        let at = |index: usize| order.iter().position(|place| place.origin == Some(index));
        let at = match position {
            Position::Natural => Some(order.len()),
            _ if is_sorted => Some(order.len()),
            Position::Before(other) => at(names.sibling(other, path, count)?),
            Position::After(other) => {
                let behind = |at: usize| {
                    let passed = order.iter().skip(at).skip(1).take_while(|place| place.node.is_some()).count();
                    at.plus(1)?.plus(passed)
                };
                at(names.sibling(other, path, count)?).map(behind).transpose()?
            }
        };
        let at = at.ok_or_else(|| EditError::unsupported(path, "the element next to this one moves, too"))?;
        let is_natural = is_sorted || *position == Position::Natural;
        let like = added.and_then(|(_, like, ..)| like);
        order.insert(at, Place { origin: moved, like, new: Some(new), node: Some(node), is_natural });
    }
    if list.is(ListFlag::Main) && !is_sorted {
        numbers::check(parts, &names, &elements, &order, changes)?;
    }
    let is_shrunk = is_numbered && !removed.is_empty();
    Ok(Plan { elements, places: order, slots, is_shrunk })
}

/// Calls `then` with the element of a name, in a list that is sorted by name.
fn search(parts: &dyn PartList, name: &[u8], then: &mut dyn FnMut(&Part<'_>)) {
    let order = |index: u32| {
        let mut order = Ordering::Greater;
        parts.get(index, 0, &mut |part| {
            if let PartKey::Name(key) = part.key {
                order = key.cmp(name);
            }
        });
        order
    };
    // The end of the list is not known. An index that saturates is that of no element.
    let (mut low, mut step) = (0_u32, 1_u32);
    while order(low.saturating_add(step)) == Ordering::Less {
        low = low.saturating_add(step);
        step = step.saturating_mul(2);
    }
    let mut high = low.saturating_add(step);
    while low < high {
        let middle = low.midpoint(high);
        match order(middle) {
            Ordering::Less => low = middle.saturating_add(1),
            _ => high = middle,
        }
    }
    if order(low) == Ordering::Equal {
        parts.get(low, 0, then);
    }
}

/// The changes of an element that is there.
struct ChangedElement<'c> {
    index: usize,
    wishes: Vec<Wish<'c>>,
    name: Option<(&'c [u8], &'c Path)>,
}

/// An error about a field of an element that is added or removed.
fn no_field(error: EditError, path: &Path) -> EditError {
    match error.kind {
        EditErrorKind::NotFound => EditError::unsupported(path, "an element of this list has no field of this name"),
        _ => error,
    }
}

/// An element of the new order.
#[derive(Default)]
pub(crate) struct Place<'t> {
    /// Which element of the original it is.
    pub(crate) origin: Option<usize>,
    /// Of an element that is added, the one that it is like.
    pub(crate) like: Option<usize>,
    /// The bytes of an element that was added or moved, and those beside it.
    pub(crate) new: Option<Vec<u8>>,
    /// The changes of an element that was added or moved.
    pub(crate) node: Option<&'t Tree<'t>>,
    /// Whether the change does not say where it goes.
    pub(crate) is_natural: bool,
}

impl Place<'_> {
    fn kept(index: usize) -> Self {
        Self { origin: Some(index), ..Self::default() }
    }
}

/// Returns an error unless an element has these fields and bytes.
fn expect(
    parts: &dyn PartList,
    element: &Element,
    fields: &[(String, Value)],
    data: Option<&Value>,
    path: &Path,
) -> Result<()> {
    let expected = Wish::expected(fields, path);
    let expected: Vec<_> = expected.chain(Wish::data(parts.list().is(ListFlag::Scalar), data, None, path)).collect();
    with_element(parts, element, |part| {
        let set = |wishes: &[Wish<'_>]| fields::set(part.body, wishes, &mut Draft::new(0, &[]));
        set(&expected).map_err(|error| {
            let other = expected.iter().find(|wish| set(std::slice::from_ref(*wish)).is_err());
            let Some(name) = other.map(|wish| &wish.name).filter(|name| !name.is_empty()) else { return error };
            let mut path = error.path;
            match part.body.has_main_list() {
                true => path.push("@", name, None),
                false => path.push_name(name),
            }
            EditError { path, kind: error.kind }
        })
    })
}

/// Returns whether an element is the one that a change adds, because the change is done already.
fn is_there(
    parts: &dyn PartList,
    element: &Element,
    like: Option<&Element>,
    (fields, data): (&[(String, Value)], Option<&Value>),
    path: &Path,
) -> bool {
    let key = parts.editable().slots().and_then(|slots| slots.key);
    let like = like.map(|like| with_element(parts, like, |part| Ok(fields::values(part.body, key))));
    let (mut all, like_data) = match like {
        Some(Ok(like)) => like,
        Some(Err(_)) => return false,
        None => (Vec::new(), None),
    };
    all.retain(|(name, _)| !fields.iter().any(|(given, _)| given == name));
    all.extend_from_slice(fields);
    let data = data.or(like_data.as_ref());
    is_recorded(&all, data) && expect(parts, element, &all, data, path).is_ok()
}

/// Calls `then` with an element of the original.
fn with_element<T>(parts: &dyn PartList, element: &Element, then: impl FnOnce(&Part<'_>) -> Result<T>) -> Result<T> {
    at_index(parts, element.index, element.at.at, then)
}

/// Calls `then` with the element at an index, whose offset is `at`.
pub(crate) fn with<T>(
    parts: &dyn PartList,
    index: usize,
    at: u64,
    then: impl FnOnce(&Part<'_>) -> Result<T>,
) -> Result<T> {
    at_index(parts, u32::try_from(index).checked()?, at, then)
}

fn at_index<T>(parts: &dyn PartList, index: u32, at: u64, then: impl FnOnce(&Part<'_>) -> Result<T>) -> Result<T> {
    let (mut result, mut then) = (None, Some(then));
    parts.get(index, at, &mut |part| result = then.take().map(|then| then(part)));
    result.checked()?
}

/// Applies changes to an element, which may get another shape by them.
fn changed<'r>(
    parts: &dyn PartList,
    part: &Part<'_>,
    slots: &Slots,
    old: &[u8],
    wishes: &[Wish<'_>],
    refer: Option<&'r mut Refer<'r>>,
) -> Result<Vec<u8>> {
    let is_shape =
        |wish: &&Wish<'_>| wish.kind.is_none() && slots.shape.iter().any(|name| *name.as_bytes() == *wish.name);
    let own = fields::values(part.body, None).0;
    let is_so = |wish: &Wish<'_>| {
        let found = own.iter().find(|(name, _)| *name.as_bytes() == *wish.name);
        found.is_some_and(|(_, value)| wish.to.is_some_and(|to| fields::same(value, to)))
    };
    // A part that has the shape already was changed before, or only its fields are.
    if wishes.iter().filter(is_shape).all(is_so) {
        let has_shape = wishes.iter().any(|wish| is_shape(&wish) && wish.from.is_some() && wish.from != wish.to);
        // What only the old shape had went with it.
        let is_gone =
            |wish: &Wish<'_>| wish.kind.is_none() && !own.iter().any(|(name, _)| *name.as_bytes() == *wish.name);
        let (gone, rest): (Vec<_>, Vec<_>) = wishes.iter().cloned().partition(|wish| has_shape && is_gone(wish));
        gone.iter().for_each(Wish::is_done_already);
        let mut draft = Draft::of(part, old.to_vec()).refer(refer);
        fields::set(part.body, &rest, &mut draft)?;
        return Ok(draft.finish());
    }
    // What changes expect must hold; what the new shape does not have is gone with the old one, and was nothing if it is new.
    let expected: Vec<_> = wishes.iter().map(|wish| Wish { to: None, ..wish.clone() }).collect();
    fields::set_in_shape(part.body, &expected, &mut Draft::new(0, &[]))?;
    let wanted: Vec<_> = wishes.iter().filter(is_shape).filter_map(|wish| Some((&*wish.name, wish.to?))).collect();
    let new = reshaped(parts, part, &wanted)?;
    let had = |wish: &Wish<'_>| own.iter().any(|(name, _)| *name.as_bytes() == *wish.name);
    let mut edited = None;
    parts.editable().alone(&new, &mut |part| {
        let own = fields::values(part.body, None).0;
        let has = |wish: &&Wish<'_>| {
            wish.kind.is_some() || !had(wish) || own.iter().any(|(name, _)| *name.as_bytes() == *wish.name)
        };
        let rest = wishes.iter().filter(has);
        let rest: Vec<_> = rest.map(|wish| Wish { from: None, already: None, ..wish.clone() }).collect();
        let mut draft = Draft::new(0, &new);
        edited = Some(fields::set_in_shape(part.body, &rest, &mut draft).map(|()| draft.finish()));
    });
    edited.checked()?
}

/// Calls `then` with the list of a part that has this kind of elements.
pub fn of_kind<T>(
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
