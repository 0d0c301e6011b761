//! Comparison of trees, without recursion: they can be as deep as a file is long.

use std::collections::HashMap;
use std::ops::Range;

use worldview_core::Path;
use worldview_core::describe::{Flow, List, PartList};
use worldview_inspect::diff::between;

use super::diff::Walk;
use super::file::{Own, key, paths};
use super::rules::has_same_layout;
use super::shape::{canonical, range_of};
use crate::diff::arranged;
use crate::list::with;
use crate::order::Order;
use crate::{Change, Changes, Position, Result};

/// A tree of one side.
struct Side<'s> {
    parts: &'s dyn PartList,
    bytes: &'s [u8],
    keys: Vec<Vec<u8>>,
    /// The bytes of each element with everything below it.
    ranges: Vec<Range<usize>>,
    children: Vec<Vec<usize>>,
    paths: Vec<Path>,
}

impl<'s> Side<'s> {
    fn of(parts: &'s dyn PartList, bytes: &'s [u8], owner: &Path) -> Self {
        let (mut keys, mut ranges, mut parents): (Vec<_>, Vec<Range<usize>>, Vec<_>) =
            (Vec::new(), Vec::new(), Vec::new());
        let _ = parts.each(&mut |part| {
            if let Ok(part) = part {
                keys.push(key(part).unwrap_or_default());
                ranges.push(range_of(part.at));
                parents.push(Own::of(part.body).parent.map(|parent| parent as usize));
            }
            Flow::Continue(())
        });
        let mut children = vec![Vec::new(); keys.len()];
        for (at, parent) in parents.into_iter().enumerate().rev() {
            let (Some(parent), Some(end)) = (parent, ranges.get(at).map(|range| range.end)) else { continue };
            ranges.get_mut(parent).into_iter().for_each(|range| range.end = range.end.max(end));
            children.get_mut(parent).into_iter().for_each(|list: &mut Vec<usize>| list.insert(0, at));
        }
        Self { parts, bytes, keys, ranges, children, paths: paths(parts, owner) }
    }

    fn canonical(&self, at: usize) -> Vec<u8> {
        self.ranges.get(at).map(|range| canonical(self.parts, range, self.bytes)).unwrap_or_default()
    }

    fn children(&self, at: usize) -> &[usize] {
        self.children.get(at).map_or(&[], Vec::as_slice)
    }

    fn path(&self, at: usize) -> Path {
        self.paths.get(at).cloned().unwrap_or_default()
    }

    fn keys<'k>(&'k self, list: &'k [usize]) -> impl Iterator<Item = &'k [u8]> {
        list.iter().map(|at| self.keys.get(*at).map_or(&[][..], Vec::as_slice))
    }
}

/// Matches elements with equal keys, of several the first with the first, and then what is between the same neighbors. Returns for
/// each element on the left its match on the right.
pub(super) fn partners<'k>(
    left: impl Iterator<Item = &'k [u8]>,
    right: impl Iterator<Item = &'k [u8]>,
) -> (Vec<Option<usize>>, usize) {
    let mut places: HashMap<&[u8], Vec<usize>> = HashMap::new();
    let mut count = 0_usize;
    for (at, key) in right.enumerate() {
        places.entry(key).or_default().push(at);
        count = at.saturating_add(1);
    }
    places.values_mut().for_each(|list| list.reverse());
    let mut partners: Vec<_> = left.map(|key| places.get_mut(key)?.pop()).collect();
    between(&mut partners, count);
    (partners, count)
}

impl Walk<'_, '_, '_> {
    /// Returns the changes of a tree that is in what has this path.
    pub(super) fn tree(&mut self, [left, right]: [&dyn PartList; 2], owner: &Path) -> Result<Changes> {
        let list = left.list();
        let (ours, theirs) = (Side::of(left, self.bytes[0], owner), Side::of(right, self.bytes[1], owner));
        let (mut changes, mut added) = (Changes::new(), HashMap::new());
        let mut open = vec![(0, 0)];
        while let Some((left, right)) = open.pop() {
            let (our_children, their_children) = (ours.children(left), theirs.children(right));
            let (partners, count) = partners(ours.keys(our_children), theirs.keys(their_children));
            let mut left_of = vec![None; count];
            for (at, partner) in (0_u32..).zip(&partners) {
                let place = partner.and_then(|partner| left_of.get_mut(partner));
                place.into_iter().for_each(|place| *place = Some(at));
            }
            let our_count = u32::try_from(our_children.len()).unwrap_or(u32::MAX);
            let (names, order) = arranged(our_count, &left_of);
            let moves = order.places.iter().any(|(order, _)| matches!(order, Some(Order::Moved(_))));
            let inside = if moves { None } else { self.branch(&list, [&ours, &theirs], [left, right])? };
            let Some(inside) = inside else {
                let (from, to) = (self.spend(ours.canonical(left))?, self.spend(theirs.canonical(right))?);
                changes.push(Change::Set { path: ours.path(left), from: Some(from), to });
                continue;
            };
            changes.extend(inside.prefixed(&ours.path(left)));
            let child = |list: &[usize], nth: usize| list.get(nth).copied().unwrap_or(usize::MAX);
            let path = |nth: &i64| ours.path(child(our_children, usize::try_from(*nth).unwrap_or(usize::MAX)));
            let parent = || ("parent".to_owned(), ours.path(left).as_str().into());
            for (nth, _) in partners.iter().enumerate().filter(|(_, partner)| partner.is_none()) {
                let at = child(our_children, nth);
                let data = Some(self.spend(ours.canonical(at))?);
                let was = order.was(nth, &names, path);
                changes.push(Change::Remove { path: ours.path(at), fields: vec![parent()], data, was });
            }
            for (nth, (_, position)) in order.places.iter().enumerate().filter(|(_, (order, _))| order.is_none()) {
                let at = child(their_children, nth);
                let data = Some(self.spend(theirs.canonical(at))?);
                let position = position.map_or(Position::Natural, |position| position.position(&names, path));
                let fields = if position == Position::Natural { vec![parent()] } else { Vec::new() };
                // A name that others have needs a number.
                let key = theirs.keys.get(at).cloned().unwrap_or_default();
                let own = || ours.keys.iter().filter(|other| **other == key).count();
                let number = added.entry(key.clone()).or_insert_with(own);
                let mut path = owner.clone();
                path.push(list.kind, &key, u32::try_from(*number).ok().filter(|nth| *nth > 0));
                *number = number.saturating_add(1);
                changes.push(Change::Add { path, like: None, position, fields, data });
            }
            let both = partners.iter().enumerate().filter_map(|(nth, partner)| Some((nth, (*partner)?)));
            open.extend(both.map(|(nth, partner)| (child(our_children, nth), child(their_children, partner))));
        }
        Ok(changes)
    }

    /// Returns the changes of an element without what is below it; `None` if it has to be replaced.
    fn branch(&mut self, list: &List, sides: [&Side<'_>; 2], [left, right]: [usize; 2]) -> Result<Option<Changes>> {
        let start = |side: &Side<'_>, at: usize| side.ranges.get(at).map_or(0, |range| range.start as u64);
        with(sides[0].parts, left, start(sides[0], left), |one| {
            with(sides[1].parts, right, start(sides[1], right), |other| {
                if !has_same_layout(list.kind, [one.body, other.body]) {
                    return Ok(None);
                }
                self.inside([one, other]).map(Some)
            })
        })
    }
}
