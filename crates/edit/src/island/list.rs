//! The elements of a list, and what becomes of their order.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

use worldview_core::describe::{Flow, List, Part, PartKey, PartList, Slots};
use worldview_core::{Error, Path, Segment};
use worldview_island::BlobKind;

use super::file::{Own, blob_kind};
use super::shape::{index, range_of};
use crate::image::{Image, Piece};
use crate::list::{Names, with};
use crate::tree::Tree;
use crate::{Change, EditError, EditErrorKind, Position, Result, Value};

/// The changes of a list's elements.
pub(super) type Nodes<'n, 'c> = Vec<(Segment<'n>, &'n Tree<'c>)>;

/// The elements of a list.
pub(super) struct Elements {
    names: Names,
    pub(super) items: Vec<Item>,
    /// The end of the last element.
    end: usize,
    pub(super) broken: Option<Error>,
}

pub(super) struct Item {
    pub(super) at: u64,
    /// Of an element of a tree, with everything below it.
    pub(super) range: Range<usize>,
    time: Option<i64>,
    /// Of an element of a tree: the element above it, and where the number of elements below it is.
    pub(super) above: Option<usize>,
    child_count: Option<(usize, u64)>,
}

impl Elements {
    fn of(parts: &dyn PartList, slots: Option<&Slots>, nodes: &Nodes<'_, '_>) -> Self {
        let mut names = Names::of_changes(parts.list(), nodes);
        // What is below an element only matters if elements come, go or are replaced.
        let is_inside = |node: &Tree<'_>| matches!(node.change, None | Some(Change::Rename { .. }));
        let is_tree =
            slots.is_some_and(|slots| slots.count.is_none()) && !nodes.iter().all(|(_, node)| is_inside(node));
        let (mut items, mut broken): (Vec<Item>, _) = (Vec::new(), None);
        let _ = parts.each(&mut |part| match part {
            Ok(part) => {
                names.note(part.key, items.len());
                let time = if let PartKey::Number(time) = part.key { Some(time) } else { None };
                let own = if is_tree { Own::of(part.body) } else { Own::default() };
                let child_count = own.place("child_count").zip(own.number("child_count"));
                let above = own.parent.map(|above| above as usize);
                items.push(Item { at: part.offset(), range: range_of(part.at), time, above, child_count });
                Flow::Continue(())
            }
            Err(error) => {
                broken = Some(*error);
                Flow::Break(())
            }
        });
        // The last element below another one ends where that does.
        for at in (0..items.len()).rev() {
            let Some((end, above)) = items.get(at).and_then(|item| Some((item.range.end, item.above?))) else {
                continue;
            };
            let above = items.get_mut(above).filter(|_| above < at);
            above.into_iter().for_each(|above| above.range.end = above.range.end.max(end));
        }
        let end = items.iter().map(|item| item.range.end).max();
        let end = end.or_else(|| Some(index(slots?.start))).unwrap_or(0);
        Self { names, items, end, broken }
    }

    pub(super) fn find(&self, segment: &Segment<'_>, path: &Path) -> Result<usize> {
        self.names.find(segment, path, self.items.len())
    }

    /// Returns the element that has the name already which a change gives to one that is not there.
    pub(super) fn renamed(&self, node: &Tree<'_>) -> Option<usize> {
        let Some(Change::Rename { to, .. }) = node.change else { return None };
        match self.names.by_key.get(to.as_bytes()?).map(Vec::as_slice) {
            Some([only]) => Some(*only),
            _ => None,
        }
    }

    pub(super) fn sibling(&self, other: &Path, path: &Path) -> Result<usize> {
        self.names.sibling(other, path, self.items.len())
    }

    pub(super) fn range(&self, at: usize) -> Range<usize> {
        self.items.get(at).map_or(self.end..self.end, |item| item.range.clone())
    }

    /// Calls `then` with an element.
    pub(super) fn with<T>(
        &self,
        parts: &dyn PartList,
        at: usize,
        then: impl FnOnce(&Part<'_>) -> Result<T>,
    ) -> Result<T> {
        with(parts, at, self.items.get(at).map_or(0, |item| item.at), then)
    }
}

/// A list that is being edited.
pub(super) struct ListEdit<'p> {
    pub(super) parts: &'p dyn PartList,
    pub(super) list: List,
    /// What the elements refer to, if they are those of a world.
    pub(super) blobs: Option<BlobKind>,
    pub(super) all: Elements,
    pub(super) slots: Option<Slots>,
    is_tree: bool,
    /// Of a tree: what is removed, also with something above it.
    goes: Vec<bool>,
    /// New elements, and where they go.
    inserted: Vec<(usize, Reverse<usize>, usize, Piece, Path)>,
    /// How many elements more there are.
    count: i64,
    /// The same for the elements of a tree.
    counts: BTreeMap<usize, i64>,
}

impl<'p> ListEdit<'p> {
    pub(super) fn new(parts: &'p dyn PartList, owner: &str, nodes: &Nodes<'_, '_>) -> Result<Self> {
        let slots = parts.slots();
        let all = Elements::of(parts, slots.as_ref(), nodes);
        let is_tree = slots.is_some_and(|slots| slots.count.is_none());
        let mut goes = vec![false; if is_tree { all.items.len() } else { 0 }];
        // Other lists keep the names of what is removed.
        for (segment, node) in nodes.iter().filter(|_| is_tree) {
            if let Some(Change::Remove { path, .. }) = node.change {
                match all.find(segment, path) {
                    Err(EditError { kind: EditErrorKind::NotFound, .. }) => {}
                    at => goes.get_mut(at?).into_iter().for_each(|goes| *goes = true),
                }
            }
        }
        for at in 0..goes.len() {
            let above = all.items.get(at).and_then(|item| goes.get(item.above?).copied());
            goes.get_mut(at).into_iter().for_each(|goes| *goes |= above == Some(true));
        }
        let (inserted, counts, list) = (Vec::new(), BTreeMap::new(), parts.list());
        let blobs = (owner == "world").then(|| blob_kind(&list));
        Ok(Self { parts, list, slots, blobs, all, is_tree, goes, inserted, count: 0, counts })
    }

    /// Returns an error if an element has the name of one that is added.
    pub(super) fn is_free(&self, segment: &Segment<'_>, path: &Path) -> Result<()> {
        let all = self.all.names.by_key.get(&segment.key).map_or(&[][..], Vec::as_slice);
        let count = all.iter().filter(|at| self.goes.get(**at) != Some(&true)).count();
        let nth = usize::try_from(segment.nth.unwrap_or(0)).unwrap_or(usize::MAX);
        if segment.kind.is_some() && nth < count { Err(EditError::new(path, EditErrorKind::Exists)) } else { Ok(()) }
    }

    /// Returns where an element goes, and below which other one.
    pub(super) fn place(
        &self,
        position: &Position,
        fields: &[(String, Value)],
        (time, slots): (Option<u32>, &Slots),
        path: &Path,
    ) -> Result<(usize, usize)> {
        let all = &self.all;
        if slots.count.is_some() {
            let slot = match position {
                Position::Before(other) => all.sibling(other, path)?,
                Position::After(other) => all.sibling(other, path)?.saturating_add(1),
                Position::Natural => {
                    let time = time.map(i64::from);
                    let is_later = |item: &Item| time.is_some() && item.time > time;
                    all.items.iter().position(is_later).unwrap_or(all.items.len())
                }
            };
            return Ok((all.range(slot).start, slot));
        }
        let above = fields.iter().find(|(name, _)| name == "parent").map(|(_, value)| value);
        match (position, above) {
            (Position::Before(other) | Position::After(other), _) => {
                let at = all.sibling(other, path)?;
                let why = "nothing can be added beside the root";
                let above = all.items.get(at).and_then(|item| item.above);
                let above = above.ok_or_else(|| EditError::unsupported(path, why))?;
                let range = all.range(at);
                Ok((if matches!(position, Position::Before(_)) { range.start } else { range.end }, above))
            }
            (Position::Natural, above) => {
                let at = match above.map(Value::as_bytes) {
                    None => 0,
                    Some(text) => {
                        let other = text.and_then(|text| std::str::from_utf8(text).ok()?.parse().ok());
                        all.sibling(&other.ok_or_else(|| EditError::not_found(path))?, path)?
                    }
                };
                Ok((all.range(at).end, at))
            }
        }
    }

    pub(super) fn remove(&mut self, at: usize, path: &Path, image: &mut Image<'_>) {
        self.count = self.count.saturating_sub(1);
        image.path = path.clone();
        image.put(self.all.range(at), Piece::default(), None);
    }

    pub(super) fn insert(&mut self, place: usize, above: usize, order: usize, piece: Piece, path: &Path) {
        self.count = self.count.saturating_add(1);
        self.inserted.push((place, Reverse(above), order, piece, path.clone()));
        if self.is_tree {
            self.recount(above, 1);
        }
    }

    /// Counts a child that an element of a tree gets or loses.
    pub(super) fn recount(&mut self, above: usize, more: i64) {
        let count = self.counts.entry(above).or_default();
        *count = count.saturating_add(more);
    }

    pub(super) fn finish(mut self, image: &mut Image<'_>) -> Result<()> {
        let Some(slots) = self.slots.filter(|_| !self.inserted.is_empty() || self.count != 0) else { return Ok(()) };
        let is_tree = self.is_tree;
        // Of two places at one offset, the deeper comes first.
        self.inserted.sort_by_key(|(place, above, order, ..)| (*place, is_tree.then_some(*above), *order));
        for (place, _, _, piece, path) in self.inserted {
            image.path = path;
            image.put(place..place, piece, (!is_tree).then_some(index(slots.start)));
        }
        if let Some((at, int)) = slots.count {
            let count = (self.all.items.len() as i128).saturating_add(self.count.into());
            return recount(range_of(Some(at)), int.range().1, count, image);
        }
        for (above, more) in self.counts {
            let count = self.all.items.get(above).and_then(|item| item.child_count);
            let missing =
                || EditError::inconsistent(&image.path, "the number of elements below another one is missing");
            let (at, old) = count.ok_or_else(missing)?;
            let count = i128::from(old).saturating_add(more.into());
            recount(at..at.saturating_add(4), u32::MAX.into(), count, image)?;
        }
        Ok(())
    }
}

/// Writes the number of a list's elements.
pub(super) fn recount(place: Range<usize>, max: i128, count: i128, image: &mut Image<'_>) -> Result<()> {
    if count > max {
        let limit = format!("at most {max} elements");
        return Err(EditError::does_not_fit(&image.path, Value::Integer(count), limit));
    }
    let bytes = count.to_le_bytes().into_iter().take(place.len()).collect();
    image.replace(place, bytes);
    Ok(())
}
