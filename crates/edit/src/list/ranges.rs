//! Lists whose elements follow each other: the ranges of the file that are replaced.

use std::ops::Range;

use worldview_core::describe::{PartList, Span};
use worldview_core::edit::Slots;
use worldview_core::{Path, Segment, Source};

use super::{Element, Hooks, Plan, plan};
use crate::checked::{Checked as _, sized};
use crate::tree::Tree;
use crate::{EditError, Result};

/// The result of editing a list.
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
    let mut plan = plan(parts, source, changes, Hooks::default())?;
    let places = plan.order();
    let Plan { elements, slots, is_shrunk, .. } = plan;
    let end = elements.last().map_or(Ok(slots.start), Element::end)?;
    let too_many = || EditError::unsupported(&Path::new(), "the list would have too many elements");
    let count = u32::try_from(places.len()).map_err(|_| too_many())?;
    let (mut ranges, mut cursor) = (Vec::<(Range<u64>, Vec<u8>)>::new(), slots.start);
    let mut is_in_place = vec![false; elements.len()];
    for place in places {
        match (place.origin, place.node, place.new) {
            (_, Some(_), Some(new)) => match ranges.last_mut() {
                // Elements that go to one place are one range.
                Some((range, all)) if range.is_empty() && range.start == cursor => all.extend(new),
                _ => ranges.push((cursor..cursor, new)),
            },
            (Some(index), None, new) => {
                let element = elements.get(index).checked()?;
                cursor = element.end()?;
                ranges.extend(new.map(|new| (element.at.at..cursor, new)));
                *is_in_place.get_mut(index).checked()? = true;
            }
            _ => return None.checked(),
        }
    }
    for (element, _) in elements.iter().zip(is_in_place).filter(|(_, stays)| !stays) {
        ranges.push((element.at.at..element.end()?, Vec::new()));
    }
    ranges.sort_by_key(|(range, _)| (range.start, range.end));
    at_start(&mut ranges, slots.start, elements.first().map(|element| element.at), source)?;
    Ok(Edited { ranges, all: slots.start..end, count, slots, is_shrunk })
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
            ranges.insert(0, (sized(start, first.len)?, new));
        }
    }
    Ok(())
}
