use std::collections::{HashMap, HashSet};

use worldview_core::describe::{Describe, Span};
use worldview_core::{Path, Segment};
use worldview_wpd::raw::{ArchiveHeader, Entry};
use worldview_wpd::{Archive, Member};
use zerocopy::IntoBytes as _;

use super::layout::{Draft, Planned};
use crate::checked::{self, Checked as _, Number as _};
use crate::fields::{self, Wish};
use crate::list::{self, Element, Hooks, Place};
use crate::tree::Tree;
use crate::{EditError, Patches, Result};

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
    let mut all = fields.finish_all()?;
    let header = fields::structure(&all.remove(0))?;
    draft.header = (header != *archive.header()).then_some(header);
    Ok(all)
}

/// Applies the changes of one kind of members. Records have their entries behind their data, all others before it.
#[expect(clippy::arithmetic_side_effects, reason = "twice the number of members is far below the largest number")]
pub(super) fn edit(
    (body, kind): (&dyn Describe, &'static str),
    changes: &[Changed<'_>],
    hooks: Hooks<'_>,
    draft: &mut Draft<'_>,
) -> Result<()> {
    if changes.is_empty() {
        return Ok(());
    }
    let archive = draft.archive;
    let plan = list::of_kind(body, kind, |parts| list::plan(parts, archive.source(), changes, hooks));
    let Some(mut plan) = plan.transpose()? else { return Ok(()) };
    let is_first = kind != "record";
    let split = |mut bytes: Vec<u8>| {
        let behind = bytes.len().minus(size_of::<Entry>())?;
        let second = bytes.split_off(if is_first { size_of::<Entry>() } else { behind });
        let (entry, data) = if is_first { (bytes, second) } else { (second, bytes) };
        Ok::<_, EditError>((fields::structure::<Entry>(&entry)?, data))
    };
    // The member that an element of the list is.
    let index = |element: &Element| {
        let entry = if is_first { element.at } else { element.beside.checked()? };
        checked::index(entry.at.minus(archive.source().base())?.minus(ArchiveHeader::SIZE)? / Entry::SIZE)
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
    let origin = |place: &Place<'_>| place.origin.map(|at| indices.get(at).copied().checked()).transpose();
    let places = plan.order().into_iter().map(|place| Ok((origin(&place)?, place)));
    let mut places = places.collect::<Result<Vec<_>>>()?;
    for (origin, place) in &mut places {
        if let (Some(index), Some(new)) = (*origin, place.new.take_if(|_| origin.is_some())) {
            let (entry, data) = split(new)?;
            draft.set(index, entry, data)?;
        }
    }
    if is_in_order {
        return Ok(());
    }
    draft.sort |= is_sorted && archive.is_table();
    let is_inserted = is_sorted && !draft.sort;
    let all = draft.members();
    let at: HashMap<_, _> = all.iter().zip(0_usize..).filter_map(|(member, at)| Some((member.origin?, at))).collect();
    // Members stay behind themselves, and others go behind one of the list or before all of them. Where names decide, they are
    // inserted at the end.
    let mut keys: Vec<_> = (0..all.len()).map(|at| ((at * 2 + 1, 0), false)).collect();
    let is_moved: HashSet<_> =
        places.iter().filter(|(_, place)| place.node.is_some()).filter_map(|(origin, _)| *origin).collect();
    let staying = indices.iter().filter(|index| !is_moved.contains(index)).filter_map(|index| at.get(index));
    let mut behind = staying.min().map_or(all.len(), |first| *first) * 2;
    for (number, (origin, place)) in (1..).zip(places) {
        let member = origin.map(|origin| at.get(&origin).copied().checked()).transpose()?;
        match (member, place.node, place.new) {
            (Some(at), None, _) => {
                behind = (at + 1) * 2;
                keys.get_mut(at).checked()?.1 = origin.is_some_and(|origin| is_renamed.contains(&origin));
            }
            (Some(at), Some(_), _) => *keys.get_mut(at).checked()? = ((behind, number), place.is_natural),
            (None, _, Some(new)) => {
                let (entry, data) = split(new)?;
                all.push(Planned { origin: None, entry, data: Some(Patches::whole(&[], data)) });
                keys.push(((behind, number), place.is_natural));
            }
            _ => return None.checked(),
        }
    }
    let mut keyed: Vec<_> = keys.into_iter().zip(std::mem::take(all)).collect();
    keyed.sort_by_key(|((key, _), _)| *key);
    let (inserted, list): (Vec<_>, Vec<_>) = keyed.into_iter().partition(|((_, goes), _)| *goes && is_inserted);
    all.extend(list.into_iter().map(|(_, member)| member));
    for (_, member) in inserted {
        let at = all.partition_point(|other| other.entry.name.raw() < member.entry.name.raw());
        all.insert(at, member);
    }
    Ok(())
}
