//! The elements of a list, and what becomes of their order.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

use worldview_core::describe::{Flow, List, Part, PartKey, PartList};
use worldview_core::edit::Slots;
use worldview_core::{Error, Path, Segment};
use worldview_island::BlobKind;

use super::file::blob_kind;
use super::shape::{Own, canonical, index, range_of};
use crate::checked::{Checked as _, Number as _, sized};
use crate::image::{Image, Piece};
use crate::list::{Names, with};
use crate::tree::Tree;
use crate::{Change, EditError, EditErrorKind, Position, Result, Value};

/// The changes of a list's elements.
pub(super) type Nodes<'n, 'c> = Vec<(Segment<'n>, &'n Tree<'c>)>;

/// An element of a list.
pub(super) struct Item {
    at: u64,
    /// Of an element of a tree, with everything below it.
    pub(super) range: Range<usize>,
    time: Option<i64>,
    /// Of an element of a tree: the element above it.
    pub(super) above: Option<usize>,
}

/// Returns the elements of a list, each of which `note` sees, and the error that ends it early.
pub(super) fn items(
    parts: &dyn PartList,
    is_tree: bool,
    mut note: impl FnMut(&Part<'_>),
) -> (Vec<Item>, Option<Error>) {
    let (mut items, mut broken): (Vec<Item>, _) = (Vec::new(), None);
    let _ = parts.each(&mut |part| match part {
        Ok(part) => {
            note(part);
            let time = if let PartKey::Number(time) = part.key { Some(time) } else { None };
            let above = if is_tree { Own::of(part.body).parent.map(|above| above as usize) } else { None };
            items.push(Item { at: part.offset(), range: range_of(part.at), time, above });
            Flow::Continue(())
        }
        Err(error) => {
            broken = Some(*error);
            Flow::Break(())
        }
    });
    // The last element below another one ends where that does.
    for at in (0..items.len()).rev() {
        let Some((end, above)) = items.get(at).and_then(|item| Some((item.range.end, item.above?))) else { continue };
        if let Some(above) = items.get_mut(above).filter(|_| above < at) {
            above.range.end = above.range.end.max(end);
        }
    }
    (items, broken)
}

/// A list that is being edited.
pub(super) struct ListEdit<'p> {
    pub(super) parts: &'p dyn PartList,
    pub(super) list: List,
    /// The targets of the elements, if they are those of a world.
    pub(super) blobs: Option<BlobKind>,
    pub(super) slots: Option<Slots>,
    pub(super) is_tree: bool,
    pub(super) broken: Option<Error>,
    names: Names,
    items: Vec<Item>,
    /// The end of the last element.
    end: usize,
    /// Of a tree: what is removed, also with something above it.
    goes: Vec<bool>,
    /// New elements, and where they go.
    inserted: Vec<(usize, Reverse<usize>, usize, Piece, Path)>,
    /// How many elements more there are in the list, or below each element of a tree.
    counts: BTreeMap<Option<usize>, i64>,
}

impl<'p> ListEdit<'p> {
    pub(super) fn new(parts: &'p dyn PartList, owner: &str, nodes: &Nodes<'_, '_>) -> Result<Self> {
        let (list, slots) = (parts.list(), parts.editable().slots());
        let is_tree = slots.is_some_and(|slots| slots.count.is_none());
        // Worlds have names, too, although none can be added.
        let key = slots.map_or(Some("name"), |slots| slots.key);
        let (mut names, mut numbers) = (Names::of_changes(list, key, nodes), 0..);
        // What is below an element only matters if elements come, go or are replaced.
        let is_inside = |node: &Tree<'_>| matches!(node.change, None | Some(Change::Rename { .. }));
        let (items, broken) = items(parts, is_tree && !nodes.iter().all(|(_, node)| is_inside(node)), |part| {
            numbers.next().into_iter().for_each(|number| names.note(part.key, number));
        });
        let end = items.iter().map(|item| item.range.end).max();
        // A list without places of its own is not added to.
        let end = end.or(slots.map(|slots| index(slots.start))).unwrap_or(0);
        let blobs = (owner == "world").then(|| blob_kind(&list));
        let goes = vec![false; if is_tree { items.len() } else { 0 }];
        let (inserted, counts) = (Vec::new(), BTreeMap::new());
        let mut edit = Self { parts, list, blobs, slots, is_tree, broken, names, items, end, goes, inserted, counts };
        // Other lists keep the names of what is removed.
        for (segment, node) in nodes.iter().filter(|_| is_tree) {
            if let Some(Change::Remove { path, .. }) = node.change {
                match edit.find(segment, path) {
                    Err(EditError { kind: EditErrorKind::NotFound, .. }) => {}
                    at => *edit.goes.get_mut(at?).checked()? = true,
                }
            }
        }
        for at in 0..edit.goes.len() {
            let above = edit.above(at).and_then(|above| edit.goes.get(above).copied());
            *edit.goes.get_mut(at).checked()? |= above == Some(true);
        }
        Ok(edit)
    }

    pub(super) fn find(&self, segment: &Segment<'_>, path: &Path) -> Result<usize> {
        self.names.find(segment, path, self.items.len())
    }

    pub(super) fn find_changed(&self, changed: (&Segment<'_>, &Tree<'_>), path: &Path) -> Result<usize> {
        self.names.find_changed(changed, path, self.items.len())
    }

    pub(super) fn sibling(&self, other: &Path, path: &Path) -> Result<usize> {
        self.names.sibling(other, path, self.items.len())
    }

    /// Returns the number of elements before any change.
    pub(super) fn len(&self) -> usize {
        self.items.len()
    }

    /// Returns the range of an element, or the end of the list.
    pub(super) fn range(&self, at: usize) -> Range<usize> {
        self.items.get(at).map_or(self.end..self.end, |item| item.range.clone())
    }

    /// Returns the bytes of an element, with offsets that count from its start.
    pub(super) fn canonical(&self, at: usize, image: &Image<'_>) -> Result<Vec<u8>> {
        canonical(self.parts, &self.range(at), image.bytes)
    }

    fn above(&self, at: usize) -> Option<usize> {
        self.items.get(at)?.above
    }

    /// Calls `then` with an element.
    pub(super) fn with<T>(&self, at: usize, then: impl FnOnce(&Part<'_>) -> Result<T>) -> Result<T> {
        with(self.parts, at, self.items.get(at).checked()?.at, then)
    }

    /// Returns an error if an element has the name of one that is added.
    pub(super) fn is_free(&self, segment: &Segment<'_>, path: &Path) -> Result<()> {
        let all = self.names.by_key.get(&segment.key).map_or(&[][..], Vec::as_slice);
        let count = all.iter().filter(|at| self.goes.get(**at) != Some(&true)).count();
        let is_taken = u64::from(segment.nth.unwrap_or(0)) < count as u64;
        if segment.kind.is_some() && is_taken { Err(EditError::new(path, EditErrorKind::Exists)) } else { Ok(()) }
    }

    /// Returns the time of a key, as its segment says it.
    pub(super) fn time(&self, segment: &Segment<'_>) -> Option<u32> {
        let has_times = self.slots.is_some_and(|slots| slots.key == Some("time"));
        std::str::from_utf8(&segment.key).ok().filter(|_| has_times)?.parse().ok()
    }

    /// Returns where an element goes, and below which other one.
    pub(super) fn place(
        &self,
        position: &Position,
        fields: &[(String, Value)],
        time: Option<u32>,
        path: &Path,
    ) -> Result<(usize, usize)> {
        // What is before the first element of a list without elements, too, is its start.
        let is_start =
            |other: &Path| self.items.is_empty() && other.segments().last().is_some_and(|last| last.nth == Some(0));
        if let Some(other) = position.neighbor().filter(|other| !is_start(other)) {
            let (at, is_before) = (self.sibling(other, path)?, matches!(position, Position::Before(_)));
            if !self.is_tree {
                let slot = if is_before { at } else { at.plus(1)? };
                return Ok((self.range(slot).start, slot));
            }
            let beside_root = || EditError::unsupported(path, "nothing can be added beside the root");
            let (range, above) = (self.range(at), self.above(at).ok_or_else(beside_root)?);
            return Ok((if is_before { range.start } else { range.end }, above));
        }
        if !self.is_tree {
            let time = time.map(i64::from);
            let later = self.items.iter().position(|item| time.is_some() && item.time > time);
            let slot = later.unwrap_or(self.items.len());
            return Ok((self.range(slot).start, slot));
        }
        let at = match fields.iter().find(|(name, _)| name == "parent") {
            None => 0,
            Some((_, value)) => {
                let other = value.as_bytes().and_then(|text| std::str::from_utf8(text).ok()?.parse().ok());
                self.sibling(&other.ok_or_else(|| EditError::not_found(path))?, path)?
            }
        };
        Ok((self.range(at).end, at))
    }

    pub(super) fn remove(&mut self, at: usize, path: &Path, image: &mut Image<'_>) -> Result<()> {
        let above = self.above(at);
        if self.is_tree && above.is_none() {
            return Err(EditError::unsupported(path, "the root cannot be removed"));
        }
        self.count(above, -1)?;
        image.path = path.clone();
        image.put(self.range(at), Piece::default(), None);
        Ok(())
    }

    pub(super) fn insert(
        &mut self,
        (place, above): (usize, usize),
        order: usize,
        piece: Piece,
        path: &Path,
    ) -> Result<()> {
        self.inserted.push((place, Reverse(above), order, piece, path.clone()));
        self.count(self.is_tree.then_some(above), 1)
    }

    fn count(&mut self, above: Option<usize>, more: i64) -> Result<()> {
        let count = self.counts.entry(above).or_default();
        *count = count.plus(more)?;
        Ok(())
    }

    pub(super) fn finish(mut self, image: &mut Image<'_>) -> Result<()> {
        let (is_tree, start) = (self.is_tree, self.slots.map_or(0, |slots| index(slots.start)));
        // Of two places at one offset, the deeper comes first.
        self.inserted.sort_by_key(|(place, above, order, ..)| (*place, is_tree.then_some(*above), *order));
        for (place, _, _, piece, path) in std::mem::take(&mut self.inserted) {
            image.path = path;
            image.put(place..place, piece, (!is_tree).then_some(start));
        }
        for (above, more) in &self.counts {
            let (place, max, old) = match (above, self.slots.and_then(|slots| slots.count)) {
                (None, Some((at, int))) => (range_of(Some(at)), int.range().1, self.items.len() as i128),
                (Some(above), None) => {
                    let own = self.with(*above, |part| Ok(Own::of(part.body)))?;
                    let (at, count) = own.place("child_count").zip(own.number("child_count")).checked()?;
                    (sized(at, 4)?, u32::MAX.into(), count.into())
                }
                _ => return None.checked(),
            };
            recount(place, max, old.plus((*more).into())?, image)?;
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
    image.replace(place, bytes)
}
