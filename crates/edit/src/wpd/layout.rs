use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use worldview_core::Path;
use worldview_wpd::Archive;
use worldview_wpd::raw::{ArchiveHeader, Entry};
use zerocopy::IntoBytes as _;

use crate::image::Image;
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
    /// Their numbers and lengths.
    members: Vec<(usize, usize)>,
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
        let entries = self.archive.entries();
        self.are_own(path)?;
        let is_same = |(index, data): (&usize, &Patches<'_>)| {
            entries.get(*index).is_some_and(|entry| data.len() == u64::from(entry.size.get()))
        };
        if self.members.is_none() && self.removed.is_empty() && self.data.iter().all(is_same) {
            let mut image = Image::new(self.archive.source().bytes(), path.clone());
            for (index, data) in self.data {
                let entry = entries.get(index).ok_or_else(|| EditError::inconsistent(path, MISSING))?;
                image.edit(range(entry).start, data);
            }
            if let Some(header) = self.header {
                image.replace(0..size_of::<ArchiveHeader>(), header.as_bytes().to_vec());
            }
            return image.finish([], Vec::new());
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
        self.relayout(path)
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
    fn relayout(self, path: &Path) -> Result<Patches<'a>> {
        let Self { archive, header, members, .. } = self;
        let missing = || EditError::inconsistent(path, MISSING);
        let mut members = members.ok_or_else(missing)?;
        let (bytes, entries) = (archive.source().bytes(), archive.entries());
        let blocks = blocks(entries);
        let first = blocks.first().map_or(bytes.len(), |block| block.start);
        let old_end = directory_end(entries.len());
        if first < old_end {
            return Err(EditError::unsupported(path, INSIDE));
        }
        let too_large =
            || EditError::unsupported(path, "the archive would be larger than its 32-bit offsets can express");
        let word = |number: usize| u32::try_from(number).map_err(|_| too_large());
        let gap = bytes.get(old_end..first).unwrap_or(&[]);
        let align = alignment(&archive);
        let start = first_offset(old_end, directory_end(members.len()), gap, align);
        let mut image = Image::new(bytes, path.clone());
        // The entries are known only when everything has its place.
        let head = image.insert(0..first, vec![0; start]);
        // The new lengths of members of the original, and those without bytes in the original: before the first, then behind each.
        let (mut lens, mut added) = (vec![None; entries.len()], vec![Vec::new(); entries.len().saturating_add(1)]);
        let mut behind = 0;
        for (slot, member) in members.iter_mut().enumerate() {
            let len = member.len();
            member.entry.size.set(word(len)?);
            let old = member.origin.and_then(|origin| Some((origin, entries.get(origin)?)));
            match old.map(|(origin, entry)| (origin, range(entry))) {
                Some((origin, range)) if !range.is_empty() || len == 0 => {
                    lens.get_mut(origin).into_iter().for_each(|place| *place = Some(len));
                    behind = if range.is_empty() { behind } else { origin.saturating_add(1) };
                    let data = member.data.take().filter(|_| !range.is_empty());
                    data.into_iter().for_each(|data| image.edit(range.start, data));
                }
                _ => added.get_mut(behind).into_iter().for_each(|list: &mut Vec<usize>| list.push(slot)),
            }
        }
        // How much padding comes behind an offset of the output, up to which there is something, and where new bytes are.
        let padding = |at: usize| at.next_multiple_of(align).saturating_sub(at);
        let (mut at, mut homes) = (start, vec![None; members.len()]);
        for (number, block) in std::iter::once(None).chain(blocks.iter().map(Some)).enumerate() {
            let next = blocks.get(number).map_or(bytes.len(), |next| next.start);
            if let Some(block) = block {
                at = block
                    .resize(&lens, (at, next), padding, &mut image)
                    .ok_or_else(|| EditError::unsupported(path, SHARED))?;
            }
            let before = block.map_or(&[][..], |block| &block.members);
            let places = before.iter().map(|(index, _)| index.saturating_add(1)).chain(block.is_none().then_some(0));
            for slot in places.filter_map(|place| added.get(place)).flatten() {
                let data = members.get_mut(*slot).and_then(|member| member.data.take());
                let (pad, data) = (padding(at), data.map_or_else(Vec::new, |data| data.to_vec()));
                let end = padding(data.len());
                let body = [vec![0; pad], data, vec![0; end]].concat();
                at = at.saturating_add(body.len());
                let home = (image.insert(next..next, body), pad);
                homes.get_mut(*slot).into_iter().for_each(|place| *place = Some(home));
            }
        }
        let moves = image.moves();
        for (member, home) in members.iter_mut().zip(homes) {
            let old = member.origin.and_then(|origin| entries.get(origin)).map(|entry| moves.at(range(entry).start));
            let new = home.and_then(|(number, pad)| Some(moves.start(number)?.saturating_add(pad)));
            member.entry.offset.set(word(new.or(old).ok_or_else(missing)?)?);
        }
        let mut header = header.unwrap_or(*archive.header());
        header.count.set(word(members.len())?);
        let mut directory = header.as_bytes().to_vec();
        members.iter().for_each(|member| directory.extend_from_slice(member.entry.as_bytes()));
        let gap = gap.get(..gap.len().min(start.saturating_sub(directory.len()))).unwrap_or(&[]);
        directory.extend_from_slice(gap);
        directory.resize(start, 0);
        *image.inserted(head).ok_or_else(missing)? = directory;
        image.finish([], Vec::new())
    }
}

impl Block {
    /// Replaces the only member of a block by one of another length, or removes it. Padding behind it is made anew; other bytes behind
    /// it, up to `next`, stay. Returns where the output has come to from `at`, or nothing if members that share bytes change.
    fn resize(
        &self,
        lens: &[Option<usize>],
        (at, next): (usize, usize),
        padding: impl Fn(usize) -> usize,
        image: &mut Image<'_>,
    ) -> Option<usize> {
        let &Self { start, end, ref members } = self;
        let new = |index: usize| lens.get(index).copied().flatten();
        if members.iter().all(|(index, len)| new(*index) == Some(*len)) {
            return Some(at.saturating_add(next.saturating_sub(start)));
        }
        let &[(index, _)] = members.as_slice() else { return None };
        let new = new(index);
        let tail = image.get(&(end..next));
        let old = padding(end).min(tail.len());
        let old = if tail.iter().take(old).all(|&byte| byte == 0) { old } else { 0 };
        let filled = at.saturating_add(new.unwrap_or(0));
        // A file that ends with its last member goes on doing so.
        let pad = if new.is_none() || next == image.bytes.len() && tail.is_empty() { 0 } else { padding(filled) };
        if new.is_none() {
            image.replace(start..end, Vec::new());
        }
        image.replace(end..end.saturating_add(old), vec![0; pad]);
        Some(filled.saturating_add(pad).saturating_add(tail.len().saturating_sub(old)))
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
    /// The length of the data.
    fn len(&self) -> usize {
        let len = self.data.as_ref().map_or(self.entry.size.get().into(), Patches::len);
        usize::try_from(len).unwrap_or(usize::MAX)
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
                block.members.push((index, range.len()));
            }
            _ => {
                blocks.push(Block { start: range.start, end: range.end, members: vec![(index, range.len())] });
            }
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
