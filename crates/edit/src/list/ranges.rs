//! Lists whose elements follow each other: the ranges of the file that are replaced.

use std::ops::Range;

use worldview_core::describe::{PartList, Slots, Span};
use worldview_core::{Path, Segment, Source};

use super::{Hooks, Place, Plan, lost, plan};
use crate::Result;
use crate::tree::Tree;

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

/// Applies the changes of a list, whose elements follow each other in `source`.
pub(crate) fn edit<'t>(
    parts: &dyn PartList,
    source: Source<'_>,
    changes: &[(Segment<'t>, &'t Tree<'t>)],
) -> Result<Edited> {
    let Plan { mut elements, places, slots, is_shrunk } = plan(parts, source, changes, Hooks::default())?;
    let kept = if places.is_empty() { 0..elements.len() } else { 0..0 };
    let kept = kept.map(|index| Place { origin: Some(index), ..Place::default() });
    let places: Vec<_> = places.into_iter().chain(kept).collect();
    let end = elements.last().map_or(slots.start, |element| element.at.at.saturating_add(element.at.len));
    let (mut ranges, mut cursor, mut len) = (Vec::<(Range<u64>, Vec<u8>)>::new(), slots.start, 0_u32);
    let mut moved = vec![false; elements.len()];
    let gone = places.iter().filter(|place| place.is_placed).filter_map(|place| place.origin);
    gone.for_each(|index| moved.get_mut(index).into_iter().for_each(|moved| *moved = true));
    for place in places {
        match place {
            Place { new: Some(new), .. } => match ranges.last_mut() {
                // Elements that go to one place are one range.
                Some((range, all)) if range.is_empty() && range.start == cursor => all.extend(new),
                _ => ranges.push((cursor..cursor, new)),
            },
            Place { origin: Some(index), .. } => {
                let element = elements.get_mut(index).ok_or_else(|| lost(&Path::new()))?;
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
