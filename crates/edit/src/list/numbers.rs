//! Numbers of elements that share a name.

use std::collections::HashMap;

use worldview_core::describe::PartList;
use worldview_core::{Path, Segment};

use super::names::Names;
use super::{Element, Place, is_there};
use crate::tree::{Tree, is_recorded};
use crate::{Change, EditError, EditErrorKind, Result};

/// Where an element of a name comes from.
#[derive(Clone, Copy)]
enum Origin<'t> {
    /// The element at an index, and the change that moves it.
    Original(usize, Option<&'t Tree<'t>>),
    Added(&'t Tree<'t>),
}

/// Returns an error unless the numbers in the changes give the order of the elements with each name afterwards. Otherwise, the changes
/// could not be undone without the file.
pub(super) fn check(
    parts: &dyn PartList,
    names: &Names,
    elements: &[Element],
    order: &[Place<'_>],
    changes: &[(Segment<'_>, &Tree<'_>)],
) -> Result<()> {
    let mut originals = HashMap::new();
    for (key, all) in names.by_key.iter() {
        originals.extend((0..).zip(all).map(|(nth, index)| (*index, (key, nth))));
    }
    let kept: Vec<_> = if order.is_empty() { (0..elements.len()).map(Place::kept).collect() } else { Vec::new() };
    let mut after: HashMap<&[u8], Vec<(u32, Origin<'_>)>> = HashMap::new();
    let added = changes.iter().filter(|(_, node)| matches!(node.change, Some(Change::Add { .. })));
    let added: HashMap<_, _> = added.map(|(segment, node)| (node.order, segment)).collect();
    let named: HashMap<_, _> =
        changes.iter().map(|(segment, node)| ((&*segment.key, segment.nth.unwrap_or(0)), node)).collect();
    for place in kept.iter().chain(order) {
        let (key, element) = match (place.origin, place.node) {
            (Some(index), node) => match originals.get(&index) {
                Some((key, nth)) if elements.get(index).is_some_and(|element| !element.is_removed) => {
                    (*key, (*nth, Origin::Original(index, node)))
                }
                // It is removed.
                _ => continue,
            },
            (None, Some(node)) => match added.get(&node.order) {
                Some(segment) => (&*segment.key, (segment.nth.unwrap_or(0), Origin::Added(node))),
                None => continue,
            },
            (None, None) => continue,
        };
        after.entry(key).or_default().push(element);
    }
    for (key, after) in after {
        let all = names.by_key.get(key).map_or(&[][..], Vec::as_slice);
        let gone = (0..).zip(all).filter(|(_, index)| elements.get(**index).is_some_and(|element| element.is_removed));
        let gone: Vec<u32> = gone.map(|(nth, _)| nth).collect();
        let mut added = Vec::new();
        let mut last = None;
        for (rank, (nth, origin)) in (0..).zip(&after) {
            let (node, right) = match origin {
                Origin::Added(node) => {
                    added.push(rank);
                    (Some(*node), (rank_of(*nth, &gone) != rank).then(|| free(rank, &gone)))
                }
                Origin::Original(_, node) => (*node, last.replace(*nth).filter(|last| last > nth)),
            };
            let Some(right) = right else { continue };
            let moved =
                after.iter().find_map(|(_, origin)| if let Origin::Original(_, node) = origin { *node } else { None });
            let path = node.or(moved).map(Tree::path).unwrap_or_default();
            let owner = path.first(path.len().saturating_sub(1));
            let named = |nth| owner.with(|path: &mut Path| path.push_nth(key, nth));
            let why = "elements with one name are numbered in their order, so this one would be";
            return Err(EditError::new(&named(*nth), EditErrorKind::Misnumbered { why, other: named(right) }));
        }
        for nth in gone {
            // What goes back gets its number again, unless it seems to be there.
            let taker = usize::try_from(free(nth, &added)).ok().and_then(|rank| after.get(rank));
            let Some((other, Origin::Original(index, _))) = taker else { continue };
            let removal = named.get(&(key, nth)).and_then(|node| node.change);
            let Some(Change::Remove { path, fields, data, .. }) = removal else { continue };
            let is_same = |element| is_there(parts, element, None, (fields, data.as_ref()), path);
            if is_recorded(fields, data.as_ref()) && elements.get(*index).is_some_and(is_same) {
                let other = path.first(path.len().saturating_sub(1)).with(|path| path.push_nth(key, *other));
                let why = "this element is removed, and an equal one gets its number; instead, remove";
                return Err(EditError::new(path, EditErrorKind::Misnumbered { why, other }));
            }
        }
    }
    Ok(())
}

// Lists have fewer than 2^32 elements, so that nothing saturates here.

/// Returns how many elements before a number stay if those with the numbers `gone`, in ascending order, are removed.
pub(crate) fn rank_of(nth: u32, gone: &[u32]) -> u32 {
    let before = gone.partition_point(|other| *other < nth);
    nth.saturating_sub(u32::try_from(before).unwrap_or(u32::MAX))
}

/// Returns the number that is not in `taken`, in ascending order, and has `rank` such numbers before it.
pub(crate) fn free(rank: u32, taken: &[u32]) -> u32 {
    let low = taken.partition_point(|nth| rank_of(*nth, taken) <= rank);
    rank.saturating_add(u32::try_from(low).unwrap_or(u32::MAX))
}
