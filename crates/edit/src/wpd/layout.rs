use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use worldview_core::Path;
use worldview_wpd::Archive;
use worldview_wpd::raw::{ArchiveHeader, Entry};
use zerocopy::IntoBytes as _;

use crate::used::Used;
use crate::{EditError, EditErrorKind, Patches, Result};

/// The members of an archive as they will be.
#[derive(Debug)]
pub(super) struct Draft<'a> {
    pub(super) archive: Archive<'a>,
    /// The header, if it changes.
    pub(super) header: Option<ArchiveHeader>,
    /// The new bytes of members of the original.
    data: BTreeMap<usize, Patches<'a>>,
    /// The members in the order of the directory, once the members are not those of the original.
    members: Option<Vec<Planned<'a>>>,
    /// Members of the original that are removed. They stay in the list until the end, for others may go beside them.
    pub(super) removed: HashSet<usize>,
    /// Whether the members have to be sorted by their names.
    pub(super) sort: bool,
}

/// A member as it will be.
#[derive(Debug)]
pub(super) struct Planned<'a> {
    /// Which member of the original it is.
    pub(super) origin: Option<usize>,
    pub(super) entry: Entry,
    /// Its new bytes, unless it keeps those of the original.
    pub(super) data: Option<Patches<'a>>,
}

/// Members that move together because they share bytes, or a member alone.
struct Block {
    start: usize,
    /// The end of the members' data.
    end: usize,
    members: Vec<usize>,
}

const SHARED: &str = "the member shares bytes with another one, so it cannot change alone";
pub(super) const MISSING: &str = "an entry of the directory is missing";
const INSIDE: &str = "the data of a member lies inside the directory";

impl<'a> Draft<'a> {
    pub(super) fn new(archive: Archive<'a>) -> Self {
        Self { archive, header: None, data: BTreeMap::new(), members: None, removed: HashSet::new(), sort: false }
    }

    /// Gives an edited form to the member number `index` of the original.
    pub(super) fn put(&mut self, index: usize, data: Patches<'a>) {
        self.data.insert(index, data);
    }

    /// Gives other bytes to a member of the original. Returns its entry.
    pub(super) fn replace(&mut self, index: usize, data: Vec<u8>) -> Result<&'a Entry> {
        let old = self.archive.get(index).ok_or_else(|| EditError::inconsistent(&Path::new(), MISSING))?;
        if data != old.data() {
            self.put(index, Patches::whole(old.data(), data));
        }
        Ok(old.entry())
    }

    /// Gives another entry and other bytes to a member of the original.
    pub(super) fn set(&mut self, index: usize, entry: Entry, data: Vec<u8>) -> Result<()> {
        let missing = || EditError::inconsistent(&Path::new(), MISSING);
        if entry != *self.replace(index, data)? {
            // Members are at their places, unless another list has been edited before.
            let members = self.members();
            let is_it = |member: &Planned<'_>| member.origin == Some(index);
            let at = if members.get(index).is_some_and(is_it) { Some(index) } else { members.iter().position(is_it) };
            at.and_then(|at| members.get_mut(at)).ok_or_else(missing)?.entry = entry;
        }
        Ok(())
    }

    /// Returns the members in the order of the directory, to add, remove or rename some.
    pub(super) fn members(&mut self) -> &mut Vec<Planned<'a>> {
        let kept = |(index, entry): (usize, &Entry)| Planned { origin: Some(index), entry: *entry, data: None };
        self.members.get_or_insert_with(|| self.archive.entries().iter().enumerate().map(kept).collect())
    }

    /// Returns the edited archive. Without a change of names, order or lengths only the bytes of members are patched.
    pub(super) fn finish(mut self, path: &Path) -> Result<Patches<'a>> {
        let mut out = Patches::new(self.archive.source().bytes());
        let entries = self.archive.entries();
        self.are_own(path)?;
        let is_same = |(index, data): (&usize, &Patches<'_>)| {
            entries.get(*index).is_some_and(|entry| data.len() == u64::from(entry.size.get()))
        };
        if self.members.is_none() && self.removed.is_empty() && self.data.iter().all(is_same) {
            for (index, data) in self.data {
                let entry = entries.get(index).ok_or_else(|| EditError::inconsistent(path, MISSING))?;
                if !out.put(range(entry), data) {
                    return Err(EditError::unsupported(path, SHARED));
                }
            }
            if let Some(header) = self.header
                && !out.replace(0..size_of::<ArchiveHeader>(), header.as_bytes().to_vec())
            {
                return Err(EditError::unsupported(path, INSIDE));
            }
            return Ok(out);
        }
        let (mut data, removed) = (std::mem::take(&mut self.data), std::mem::take(&mut self.removed));
        self.members().retain(|member| !member.origin.is_some_and(|origin| removed.contains(&origin)));
        for member in self.members() {
            if let Some(data) = member.origin.and_then(|origin| data.remove(&origin)) {
                member.data = Some(data);
            }
        }
        if self.sort {
            self.members().sort_by(|left, right| left.entry.name.raw().cmp(right.entry.name.raw()));
            let is_same = |pair: &&[Planned<'_>]| matches!(pair, [one, next] if one.entry.name == next.entry.name);
            if let Some([one, _]) = self.members().windows(2).find(is_same) {
                let path = path.with(|path| path.push_name(one.entry.name.as_bytes()));
                return Err(EditError::new(&path, EditErrorKind::Exists));
            }
        }
        self.relayout(out, path)
    }

    /// Refuses new bytes of members that share theirs with other members or with the directory.
    fn are_own(&self, path: &Path) -> Result<()> {
        let entries = self.archive.entries();
        let directory = directory_end(entries.len());
        let changed = || self.data.keys().filter_map(|&index| entries.get(index)).map(range);
        if changed().any(|range| range.start < directory) {
            return Err(EditError::unsupported(path, INSIDE));
        }
        if self.data.is_empty() {
            return Ok(());
        }
        // Empty members may point anywhere.
        let used = Used::of(entries.iter().map(range).filter(|range| !range.is_empty()));
        if changed().any(|range| !range.is_empty() && !used.is_own(&range)) {
            return Err(EditError::unsupported(path, SHARED));
        }
        Ok(())
    }

    /// Lays the members out anew, in the order in which their bytes are now; each keeps its alignment and the bytes behind it.
    fn relayout(self, out: Patches<'a>, path: &Path) -> Result<Patches<'a>> {
        let Self { archive, header, members, .. } = self;
        let members = members.unwrap_or_default();
        let (bytes, entries) = (archive.source().bytes(), archive.entries());
        let blocks = blocks(entries);
        let first = blocks.first().map_or(bytes.len(), |block| block.start);
        let old_end = directory_end(entries.len());
        if first < old_end {
            return Err(EditError::unsupported(path, INSIDE));
        }
        // Which member of the list each member of the original is.
        let mut kept = vec![None; entries.len()];
        // Those without bytes in the original: before the first, then behind each member of the original.
        let (mut added, mut behind) = (vec![Vec::new(); entries.len().saturating_add(1)], 0);
        for (slot, member) in members.iter().enumerate() {
            match member.origin.and_then(|origin| Some((origin, entries.get(origin)?))) {
                Some((origin, entry)) if entry.size.get() > 0 || member.len(entry) == 0 => {
                    kept.get_mut(origin).into_iter().for_each(|kept| *kept = Some(slot));
                    behind = if entry.size.get() > 0 { origin.saturating_add(1) } else { behind };
                }
                _ => added.get_mut(behind).into_iter().for_each(|list: &mut Vec<usize>| list.push(slot)),
            }
        }
        let new_end = directory_end(members.len());
        let gap = bytes.get(old_end..first).unwrap_or(&[]);
        let align = alignment(&archive);
        let start = first_offset(old_end, new_end, gap, align);
        let mut new = Relayout { members, out, at: start, align, path };
        new.insert(first, added.first())?;
        let mut moved = Vec::with_capacity(blocks.len());
        for (number, block) in blocks.iter().enumerate() {
            let next = blocks.get(number.saturating_add(1)).map_or(bytes.len(), |next| next.start);
            moved.push((block.start, new.at));
            let tail = bytes.get(block.end..next).unwrap_or(&[]);
            let slot_of = |index: usize| kept.get(index).copied().flatten();
            let is_same = |&index: &usize| {
                let member = slot_of(index).and_then(|slot| new.members.get(slot));
                entries
                    .get(index)
                    .zip(member)
                    .is_some_and(|(entry, member)| member.len(entry) == u64::from(entry.size.get()))
            };
            if block.members.iter().all(is_same) {
                let slots = block.members.iter().filter_map(|&index| Some((entries.get(index)?, slot_of(index)?)));
                new.keep(block, slots)?;
                new.advance(next.saturating_sub(block.start))?;
            } else if let &[index] = &block.members[..] {
                new.resize(block, slot_of(index), tail, next == bytes.len())?;
            } else {
                return Err(EditError::unsupported(path, SHARED));
            }
            for &index in &block.members {
                new.insert(next, added.get(index.saturating_add(1)))?;
            }
        }
        // Empty members point to where they pointed.
        for (origin, entry) in entries.iter().enumerate().filter(|(_, entry)| entry.size.get() == 0) {
            let old = range(entry).start;
            let before = moved.iter().rev().find(|(start, _)| *start <= old);
            let offset = before.map_or(old, |(start, at)| at.saturating_add(old.saturating_sub(*start)));
            if let Some(slot) = kept.get(origin).copied().flatten() {
                new.put(slot, offset)?;
            }
        }
        new.finish(header.unwrap_or(*archive.header()), gap, start, first)
    }
}

/// An archive whose members get new offsets, from the first to the last.
struct Relayout<'p, 'a> {
    members: Vec<Planned<'a>>,
    out: Patches<'a>,
    /// The offset of the output that has been reached.
    at: usize,
    align: usize,
    path: &'p Path,
}

impl<'a> Relayout<'_, 'a> {
    fn too_large(&self) -> EditError {
        EditError::unsupported(self.path, "the archive would be larger than its 32-bit offsets can express")
    }

    fn advance(&mut self, by: usize) -> Result<()> {
        self.at = self.at.checked_add(by).filter(|at| u32::try_from(*at).is_ok()).ok_or_else(|| self.too_large())?;
        Ok(())
    }

    /// Sets the offset of a member, which is returned.
    fn put(&mut self, slot: usize, offset: usize) -> Result<&mut Planned<'a>> {
        let offset = u32::try_from(offset).map_err(|_| self.too_large())?;
        let member = self.members.get_mut(slot).ok_or_else(|| EditError::inconsistent(self.path, MISSING))?;
        member.entry.offset.set(offset);
        Ok(member)
    }

    fn replace(&mut self, range: Range<usize>, bytes: Vec<u8>) -> Result<()> {
        if self.out.replace(range, bytes) { Ok(()) } else { Err(EditError::unsupported(self.path, SHARED)) }
    }

    /// Takes the bytes of a member, which goes where the output is.
    fn take(&mut self, slot: usize) -> Result<Vec<u8>> {
        let member = self.put(slot, self.at)?;
        let body = member.data.take().map_or_else(Vec::new, |data| data.to_vec());
        match u32::try_from(body.len()) {
            Ok(len) => member.entry.size.set(len),
            Err(_) => return Err(self.too_large()),
        }
        Ok(body)
    }

    /// Inserts members that have no bytes in the original.
    fn insert(&mut self, place: usize, slots: Option<&Vec<usize>>) -> Result<()> {
        for &slot in slots.into_iter().flatten() {
            let pad = self.at.next_multiple_of(self.align).saturating_sub(self.at);
            self.advance(pad)?;
            let mut body = vec![0; pad];
            body.append(&mut self.take(slot)?);
            let len = body.len().saturating_sub(pad);
            body.resize(len.next_multiple_of(self.align).saturating_add(pad), 0);
            self.advance(body.len().saturating_sub(pad))?;
            if !body.is_empty() {
                self.replace(place..place, body)?;
            }
        }
        Ok(())
    }

    /// Keeps the place of members inside a block, whose lengths are as they were.
    fn keep<'e>(&mut self, block: &Block, slots: impl Iterator<Item = (&'e Entry, usize)>) -> Result<()> {
        for (entry, slot) in slots {
            let inside = range(entry).start.saturating_sub(block.start);
            let new = self.put(slot, self.at.saturating_add(inside))?.data.take();
            if new.is_some_and(|new| !self.out.put(range(entry), new)) {
                return Err(EditError::unsupported(self.path, SHARED));
            }
        }
        Ok(())
    }

    /// Replaces the only member of a block by one of another length, or removes it. Padding behind it is made anew; other bytes
    /// behind it stay.
    fn resize(&mut self, block: &Block, slot: Option<usize>, tail: &[u8], is_last: bool) -> Result<()> {
        let padding = block.end.next_multiple_of(self.align).saturating_sub(block.end).min(tail.len());
        let padding = if tail.iter().take(padding).all(|&byte| byte == 0) { padding } else { 0 };
        let mut body = slot.map_or_else(|| Ok(Vec::new()), |slot| self.take(slot))?;
        // A file that ends with its last member goes on doing so.
        if slot.is_some() && !(is_last && tail.is_empty()) {
            let end = self.at.saturating_add(body.len());
            let pad = end.next_multiple_of(self.align).saturating_sub(end);
            body.resize(body.len().saturating_add(pad), 0);
        }
        self.advance(body.len().saturating_add(tail.len()).saturating_sub(padding))?;
        self.replace(block.start..block.end.saturating_add(padding), body)
    }

    /// Writes the directory, and the gap between it and the first member.
    fn finish(mut self, mut header: ArchiveHeader, gap: &[u8], start: usize, first: usize) -> Result<Patches<'a>> {
        header.count.set(u32::try_from(self.members.len()).map_err(|_| self.too_large())?);
        let mut head = header.as_bytes().to_vec();
        self.members.iter().for_each(|member| head.extend_from_slice(member.entry.as_bytes()));
        let gap = gap.get(..gap.len().min(start.saturating_sub(head.len()))).unwrap_or(&[]);
        head.extend_from_slice(gap);
        head.resize(start, 0);
        self.replace(0..first, head)?;
        Ok(self.out)
    }
}

/// The end of a directory of `count` entries.
const fn directory_end(count: usize) -> usize {
    count.saturating_mul(32).saturating_add(16)
}

/// Where the first member goes if the directory's end moves: to the next multiple of the alignment if it was there, else as far
/// behind the directory as it was.
fn first_offset(old_end: usize, new_end: usize, gap: &[u8], align: usize) -> usize {
    let old = old_end.saturating_add(gap.len());
    if old == old_end.next_multiple_of(align) && gap.iter().all(|&byte| byte == 0) {
        return new_end.next_multiple_of(align);
    }
    let residue = |at: usize| at.checked_rem(align);
    let at = new_end.saturating_add(gap.len());
    (at..=at.saturating_add(align)).find(|&at| residue(at) == residue(old)).unwrap_or(at)
}

impl Planned<'_> {
    /// The length of the data, of which `entry` is the original entry.
    fn len(&self, entry: &Entry) -> u64 {
        self.data.as_ref().map_or(entry.size.get().into(), Patches::len)
    }
}

/// Where the data of a member is. Parsed archives hold it.
fn range(entry: &Entry) -> Range<usize> {
    let start = usize::try_from(entry.offset.get()).unwrap_or(usize::MAX);
    start..start.saturating_add(usize::try_from(entry.size.get()).unwrap_or(usize::MAX))
}

/// The members that have data, in the order of their offsets, and those together that overlap.
fn blocks(entries: &[Entry]) -> Vec<Block> {
    let mut order: Vec<_> = entries.iter().map(range).zip(0..).filter(|(range, _)| !range.is_empty()).collect();
    order.sort_by_key(|(range, index)| (range.start, *index));
    let mut blocks: Vec<Block> = Vec::with_capacity(order.len());
    for (range, index) in order {
        match blocks.last_mut() {
            Some(block) if range.start < block.end => {
                block.end = block.end.max(range.end);
                block.members.push(index);
            }
            _ => blocks.push(Block { start: range.start, end: range.end, members: vec![index] }),
        }
    }
    blocks
}

/// The alignment of members: 4 in tables; else the largest power of two, up to 4,096, that all offsets are multiples of.
fn alignment(archive: &Archive<'_>) -> usize {
    let offsets = archive.entries().iter().filter(|entry| entry.size.get() > 0);
    let common = offsets.fold(0_u32, |all, entry| all | entry.offset.get());
    let limit = if archive.is_table() { 2 } else { 12 };
    1 << common.trailing_zeros().min(limit)
}
