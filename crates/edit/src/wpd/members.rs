use std::collections::HashSet;

use worldview_core::describe::{Describe, Span};
use worldview_core::{Path, Segment};
use worldview_wpd::raw::{ArchiveHeader, Entry};
use worldview_wpd::{Archive, Member};
use zerocopy::IntoBytes as _;

use super::layout::{Draft, MISSING, Planned};
use crate::fields::{self, Wish};
use crate::list::{Element, Plan};
use crate::tree::Tree;
use crate::{EditError, Result};

/// A part of a list and its changes.
type Changed<'t> = (Segment<'t>, &'t Tree<'t>);

/// The changes of an archive or table.
pub(super) struct Children<'t> {
    /// Those of its own fields.
    pub(super) own: Vec<Wish<'t>>,
    /// Those of its members or records.
    pub(super) elements: Vec<Changed<'t>>,
    /// Those of the elements of another kind.
    pub(super) others: Vec<Changed<'t>>,
}

impl<'t> Children<'t> {
    /// Sorts changes. `path` is where the archive or table is, and `kind` what it has besides members or records.
    pub(super) fn of(tree: &'t Tree<'t>, path: &Path, kind: Option<&str>) -> Result<Self> {
        let mut all = Self { own: Vec::new(), elements: Vec::new(), others: Vec::new() };
        for (segment, node) in tree.in_order() {
            match segment.kind {
                None => all.elements.push((segment, node)),
                // The fields of the entry of a nested archive are its member's.
                Some("@") if !path.is_empty() && Self::is_of_entry(&segment) => {}
                Some("@") => all.own.push(Wish::of(segment, node)?),
                other if other == kind => all.others.push((segment, node)),
                _ => {
                    let path = node.path();
                    let why = "only members, records and their fields can be edited";
                    return Err(EditError::unsupported(&path, why));
                }
            }
        }
        Ok(all)
    }

    /// Returns whether a segment names a field of a member's entry or its bytes, and not something in the member.
    pub(super) fn is_of_entry(segment: &Segment<'_>) -> bool {
        let own: [&[u8]; 5] = [b"name", b"extension", b"name_tail", b"extension_tail", b"bytes"];
        segment.kind == Some("@") && own.contains(&&*segment.key)
    }
}

/// Sets the fields of an archive or table itself. `sections` are the members that have some of them; their new bytes are returned.
pub(super) fn header(
    body: &dyn Describe,
    archive: &Archive<'_>,
    wishes: Vec<Wish<'_>>,
    sections: &[Member<'_>],
    draft: &mut Draft<'_>,
) -> Result<Vec<Vec<u8>>> {
    if wishes.is_empty() {
        return Ok(Vec::new());
    }
    let source = archive.source();
    let mut fields = fields::Draft::new(source.base(), archive.header().as_bytes());
    for section in sections {
        let at = section.source();
        fields = fields.beside(Span::new(at.base(), at.len(), at.space()), section.data());
    }
    fields::set(body, &wishes, &mut fields)?;
    let mut all = fields.finish_all();
    let header = fields::structure(&all.remove(0), &Path::new())?;
    draft.header = (header != *archive.header()).then_some(header);
    Ok(all)
}

/// Makes the members of an archive what a plan of some of them says, of which each has its entry before its data, or behind it.
pub(super) fn arrange(mut plan: Plan<'_>, draft: &mut Draft<'_>, is_first: bool) -> Result<()> {
    let archive = draft.archive;
    let missing = || EditError::inconsistent(&Path::new(), MISSING);
    let split = |mut bytes: Vec<u8>| {
        let len = if is_first { size_of::<Entry>() } else { bytes.len().saturating_sub(size_of::<Entry>()) };
        let second = bytes.split_off(len.min(bytes.len()));
        let (entry, data) = if is_first { (bytes, second) } else { (second, bytes) };
        Ok::<_, EditError>((fields::structure::<Entry>(&entry, &Path::new())?, data))
    };
    // The member that an element of the list is.
    let index = |element: &Element| {
        let entry = if is_first { Some(element.at) } else { element.beside };
        let at =
            entry.and_then(|entry| entry.at.checked_sub(archive.source().base())?.checked_sub(ArchiveHeader::SIZE));
        at.and_then(|at| usize::try_from(at.checked_div(Entry::SIZE)?).ok()).ok_or_else(missing)
    };
    let indices = plan.elements.iter().map(index).collect::<Result<Vec<_>>>()?;
    let members = |is_it: fn(&Element) -> bool| -> HashSet<usize> {
        let found = plan.elements.iter().zip(&indices).filter(|(element, _)| is_it(element));
        found.map(|(_, index)| *index).collect()
    };
    draft.removed.extend(members(|element| element.is_removed));
    let pairs = archive.entries().windows(2);
    // Bytes behind the NULs of names change nothing in their order. Without a member, nothing says that names decide.
    let is_sorted = (archive.is_table() || !archive.is_empty())
        && pairs.into_iter().all(|pair| matches!(pair, [one, next] if one.name.raw() < next.name.raw()));
    let is_renamed = if is_sorted { members(|element| element.is_renamed) } else { HashSet::new() };
    let is_in_order = plan.places.is_empty() && is_renamed.is_empty();
    let places = plan.order().into_iter();
    let places: Vec<_> = places.map(|place| (place.origin.and_then(|at| indices.get(at).copied()), place)).collect();
    if is_in_order {
        return places.into_iter().try_for_each(|(origin, place)| match (origin, place.new) {
            (Some(index), Some(new)) => split(new).and_then(|(entry, data)| draft.set(index, entry, data)),
            _ => Ok(()),
        });
    }
    let is_listed: HashSet<_> = indices.iter().copied().collect();
    draft.sort |= is_sorted && archive.is_table();
    let is_inserted = is_sorted && !draft.sort;
    let has = |set: &HashSet<usize>, origin: Option<usize>| origin.is_some_and(|origin| set.contains(&origin));
    let moved = places.iter().filter(|(_, place)| place.node.is_some()).filter_map(|(origin, _)| *origin);
    let is_moved: HashSet<_> = moved.collect();
    let members = std::mem::take(draft.members()).into_iter();
    let mut rest = members.filter(|member| !has(&is_moved, member.origin)).peekable();
    // Those that go where their names belong are inserted at the end.
    let (mut list, mut inserted) = (Vec::new(), Vec::new());
    list.extend(std::iter::from_fn(|| rest.next_if(|member| !has(&is_listed, member.origin))));
    for (origin, place) in places {
        let new = place.new.map(split).transpose()?;
        let (mut member, goes) = match (place.node, &new) {
            (Some(_), Some((entry, _))) => (Planned { origin, entry: *entry, data: None }, place.is_natural),
            _ => loop {
                // Members that the list does not have stay between those that it has.
                let member = rest.next().ok_or_else(missing)?;
                if member.origin == origin {
                    break (member, has(&is_renamed, origin));
                }
                list.push(member);
            },
        };
        if let Some((entry, data)) = new {
            member.entry = entry;
            match origin.and_then(|origin| Some((origin, archive.get(origin)?))) {
                Some((_, old)) if old.data() == data => {}
                Some((origin, _)) => draft.put(origin, data),
                None => member.data = Some(data.into()),
            }
        }
        if goes && is_inserted { &mut inserted } else { &mut list }.push(member);
    }
    list.extend(rest);
    for member in inserted {
        let at = list.partition_point(|other| other.entry.name.raw() < member.entry.name.raw());
        list.insert(at, member);
    }
    *draft.members() = list;
    Ok(())
}
