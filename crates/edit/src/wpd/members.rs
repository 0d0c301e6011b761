use worldview_core::describe::{Describe, Span};
use worldview_core::{Path, Segment};
use worldview_wpd::raw::{ArchiveHeader, Entry};
use worldview_wpd::{Archive, Member};
use zerocopy::{FromBytes as _, IntoBytes as _};

use super::layout::{Draft, Planned};
use crate::fields::{self, Wish};
use crate::list::Plan;
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
pub(super) fn arrange(plan: Plan<'_>, draft: &mut Draft<'_>, is_first: bool) -> Result<()> {
    let split = |bytes: Vec<u8>| {
        let len = if is_first { size_of::<Entry>() } else { bytes.len().saturating_sub(size_of::<Entry>()) };
        let mut first = bytes;
        let second = first.split_off(len.min(first.len()));
        let (entry, data) = if is_first { (first, second) } else { (second, first) };
        Entry::read_from_bytes(&entry).ok().map(|entry| (entry, data))
    };
    let archive = draft.archive;
    let pairs = archive.entries().windows(2);
    // Bytes behind the NULs of names change nothing in their order. Without a member, nothing says that names decide.
    let is_sorted = (archive.is_table() || !archive.is_empty())
        && pairs.into_iter().all(|pair| matches!(pair, [one, next] if one.name.raw() < next.name.raw()));
    let Plan { elements, places, .. } = plan;
    let has = |list: &[bool], index: Option<usize>| index.and_then(|index| list.get(index)) == Some(&true);
    let missing = || EditError::inconsistent(&Path::new(), "an entry of the directory is missing");
    let mark = |list: &mut Vec<bool>, index: usize| list.get_mut(index).map(|mark| *mark = true).ok_or_else(missing);
    let nothing = vec![false; archive.len()];
    let (mut is_listed, mut is_moved, mut is_renamed) = (nothing.clone(), nothing.clone(), nothing);
    // The member that an element of the list is.
    let mut members = Vec::with_capacity(elements.len());
    for element in elements {
        let entry = if is_first { Some(element.at) } else { element.beside };
        let at =
            entry.and_then(|entry| entry.at.checked_sub(archive.source().base())?.checked_sub(ArchiveHeader::SIZE));
        let index = at.and_then(|at| usize::try_from(at.checked_div(Entry::SIZE)?).ok()).ok_or_else(missing)?;
        members.push(index);
        mark(&mut is_listed, index)?;
        if element.is_removed {
            draft.remove(index);
        }
        let Some(new) = element.new else { continue };
        let (Some((entry, data)), Some(old)) = (split(new), archive.get(index)) else {
            return Err(missing());
        };
        if data != old.data() {
            draft.put(index, data);
        }
        if entry != *old.entry() {
            let all = draft.members();
            let is_it = |member: &Planned<'_>| member.origin == Some(index);
            let at = Some(index).filter(|at| all.get(*at).is_some_and(is_it));
            let at = at.or_else(|| all.iter().position(is_it));
            at.and_then(|at| all.get_mut(at)).ok_or_else(missing)?.entry = entry;
        }
        if element.is_renamed && is_sorted {
            mark(&mut is_renamed, index)?;
        }
    }
    if places.is_empty() && !is_renamed.contains(&true) {
        return Ok(());
    }
    if is_sorted && archive.is_table() {
        draft.sort = true;
        is_renamed.fill(false);
    }
    let mut moved =
        places.iter().filter(|place| place.node.is_some()).filter_map(|place| members.get(place.origin?).copied());
    moved.try_for_each(|index| mark(&mut is_moved, index))?;
    let mut all = std::mem::take(draft.members());
    all.retain(|member| !has(&is_moved, member.origin));
    let mut list = Vec::with_capacity(all.len());
    // Those that go where their names belong are inserted at the end.
    let (mut sorted, rest): (Vec<_>, Vec<_>) = all.into_iter().partition(|member| has(&is_renamed, member.origin));
    let mut rest = rest.into_iter().peekable();
    while let Some(member) = rest.next_if(|member| !has(&is_listed, member.origin)) {
        list.push(member);
    }
    for place in places {
        let origin = place.origin.and_then(|origin| members.get(origin).copied());
        match place.new.and_then(split) {
            Some((entry, data)) => {
                let data = match origin.and_then(|origin| Some((origin, archive.get(origin)?))) {
                    Some((origin, old)) => {
                        if old.data() != data {
                            draft.put(origin, data);
                        }
                        None
                    }
                    None => Some(data.into()),
                };
                let is_natural = place.is_natural && is_sorted && !draft.sort;
                if is_natural { &mut sorted } else { &mut list }.push(Planned { origin, entry, data });
            }
            None if has(&is_renamed, origin) => {}
            None => {
                for member in rest.by_ref() {
                    let is_it = member.origin == origin;
                    list.push(member);
                    if is_it {
                        break;
                    }
                }
            }
        }
    }
    list.extend(rest);
    for member in sorted {
        let at = list.partition_point(|other| other.entry.name.raw() < member.entry.name.raw());
        list.insert(at, member);
    }
    *draft.members() = list;
    Ok(())
}
