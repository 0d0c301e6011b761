use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use worldview_core::Path;
use worldview_wpd::Archive;
use worldview_wpd::raw::{ArchiveHeader, Entry};
use zerocopy::IntoBytes as _;

use crate::checked::{Checked as _, Number as _, index, sized};
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
    range: Range<usize>,
    /// Their numbers and lengths.
    members: Vec<(usize, usize)>,
}

const SHARED: &str = "the member shares bytes with another one, so it cannot change alone";
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
        let old = self.archive.get(index).checked()?;
        if data != old.data() {
            self.put(index, Patches::whole(old.data(), data));
        }
        Ok(old.entry())
    }

    /// Gives another entry and other bytes to a member of the original.
    pub(super) fn set(&mut self, index: usize, entry: Entry, data: Vec<u8>) -> Result<()> {
        if entry != *self.replace(index, data)? {
            // Members are at their places, unless another list has been edited before.
            let members = self.members();
            let is_it = |member: &Planned<'_>| member.origin == Some(index);
            let at = if members.get(index).is_some_and(is_it) { Some(index) } else { members.iter().position(is_it) };
            at.and_then(|at| members.get_mut(at)).checked()?.entry = entry;
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
                image.edit(range(entries.get(index).checked()?)?.start, data)?;
            }
            if let Some(header) = self.header {
                image.replace(0..size_of::<ArchiveHeader>(), header.as_bytes().to_vec())?;
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
        if self.data.is_empty() {
            return Ok(());
        }
        let ranges = self.archive.entries().iter().map(range).collect::<Result<Vec<_>>>()?;
        let directory = directory_end(ranges.len())?;
        // Empty members may point anywhere.
        let used = Used::of(ranges.iter().filter(|range| !range.is_empty()).cloned());
        for &index in self.data.keys() {
            let range = ranges.get(index).checked()?;
            if range.start < directory {
                return Err(EditError::unsupported(path, INSIDE));
            }
            if !range.is_empty() && !used.is_own(range) {
                return Err(EditError::unsupported(path, SHARED));
            }
        }
        Ok(())
    }

    /// Lays the members out anew, in the order in which their bytes are now; each keeps its alignment and the bytes behind it.
    fn relayout(self, path: &Path) -> Result<Patches<'a>> {
        let Self { archive, header, members, .. } = self;
        let mut members = members.checked()?;
        let (bytes, entries) = (archive.source().bytes(), archive.entries());
        let ranges = entries.iter().map(range).collect::<Result<Vec<_>>>()?;
        let blocks = blocks(&ranges);
        let first = blocks.first().map_or(bytes.len(), |block| block.range.start);
        let old_end = directory_end(entries.len())?;
        if first < old_end {
            return Err(EditError::unsupported(path, INSIDE));
        }
        let too_large =
            || EditError::unsupported(path, "the archive would be larger than its 32-bit offsets can express");
        let word = |number: usize| u32::try_from(number).map_err(|_| too_large());
        let gap = bytes.get(old_end..first).checked()?;
        let align = alignment(&archive);
        let start = first_offset(old_end, directory_end(members.len())?, gap, align)?;
        let mut image = Image::new(bytes, path.clone());
        // The entries are known only when everything has its place.
        let head = image.insert(0..first, vec![0; start]);
        // The new lengths of members of the original, and those without bytes in the original: before the first, then behind each.
        let (mut lens, mut added) = (vec![None; entries.len()], vec![Vec::new(); entries.len().plus(1)?]);
        let mut behind = 0;
        for (slot, member) in members.iter_mut().enumerate() {
            let len = member.len()?;
            member.entry.size.set(word(len)?);
            let old = member.origin.map(|origin| ranges.get(origin).checked()).transpose()?;
            match member.origin.zip(old) {
                Some((origin, range)) if !range.is_empty() || len == 0 => {
                    *lens.get_mut(origin).checked()? = Some(len);
                    behind = if range.is_empty() { behind } else { origin.plus(1)? };
                    if let Some(data) = member.data.take().filter(|_| !range.is_empty()) {
                        image.edit(range.start, data)?;
                    }
                }
                _ => added.get_mut(behind).checked()?.push(slot),
            }
        }
        // How much padding comes behind an offset of the output, up to which there is something, and where new bytes are.
        let padding = |at: usize| at.checked_next_multiple_of(align).checked()?.minus(at);
        let (mut at, mut homes) = (start, vec![None; members.len()]);
        for (number, block) in std::iter::once(None).chain(blocks.iter().map(Some)).enumerate() {
            let next = blocks.get(number).map_or(bytes.len(), |next| next.range.start);
            let mut places = vec![0];
            if let Some(block) = block {
                at = block.resize(&lens, (at, next), padding, &mut image, path)?;
                places = block.members.iter().map(|(index, _)| index.plus(1)).collect::<Result<_>>()?;
            }
            for place in places {
                for slot in added.get(place).checked()? {
                    let data = members.get_mut(*slot).checked()?.data.take();
                    let (pad, data) = (padding(at)?, data.map_or_else(Vec::new, |data| data.to_vec()));
                    let end = padding(data.len())?;
                    let body = [vec![0; pad], data, vec![0; end]].concat();
                    at = at.plus(body.len())?;
                    *homes.get_mut(*slot).checked()? = Some((image.insert(next..next, body), pad));
                }
            }
        }
        let moves = image.moves()?;
        for (member, home) in members.iter_mut().zip(homes) {
            let offset = match home {
                Some((number, pad)) => moves.start(number)?.plus(pad)?,
                None => moves.at(member.origin.and_then(|origin| ranges.get(origin)).checked()?.start)?,
            };
            member.entry.offset.set(word(offset)?);
        }
        let mut header = header.unwrap_or(*archive.header());
        header.count.set(word(members.len())?);
        let mut directory = header.as_bytes().to_vec();
        members.iter().for_each(|member| directory.extend_from_slice(member.entry.as_bytes()));
        let room = start.minus(directory.len())?;
        directory.extend(gap.iter().take(room));
        directory.resize(start, 0);
        *image.inserted(head)? = directory;
        image.finish([], Vec::new())
    }
}

impl Block {
    /// Replaces the only member of a block by one of another length, or removes it. Padding behind it is made anew; other bytes behind
    /// it, up to `next`, stay. Returns where the output has come to from `at`, or an error if members that share bytes change.
    fn resize(
        &self,
        lens: &[Option<usize>],
        (at, next): (usize, usize),
        padding: impl Fn(usize) -> Result<usize>,
        image: &mut Image<'_>,
        path: &Path,
    ) -> Result<usize> {
        let Self { range: Range { start, end }, ref members } = *self;
        // Those that are removed have no length.
        let new = |index: usize| lens.get(index).copied().flatten();
        if members.iter().all(|(index, len)| new(*index) == Some(*len)) {
            return at.plus(next.minus(start)?);
        }
        let &[(index, _)] = members.as_slice() else { return Err(EditError::unsupported(path, SHARED)) };
        let new = new(index);
        let tail = image.get(&(end..next))?;
        let old = padding(end)?.min(tail.len());
        let old = if tail.iter().take(old).all(|&byte| byte == 0) { old } else { 0 };
        let filled = at.plus(new.unwrap_or(0))?;
        // A file that ends with its last member goes on doing so.
        let pad = if new.is_none() || next == image.bytes.len() && tail.is_empty() { 0 } else { padding(filled)? };
        if new.is_none() {
            image.replace(start..end, Vec::new())?;
        }
        image.replace(sized(end, old)?, vec![0; pad])?;
        filled.plus(pad)?.plus(tail.len().minus(old)?)
    }
}

/// The end of a directory of `count` entries.
fn directory_end(count: usize) -> Result<usize> {
    count.times(size_of::<Entry>())?.plus(size_of::<ArchiveHeader>())
}

/// Where the first member goes if the directory's end moves: to the next multiple of the alignment if it was there, else as far
/// behind the directory as it was.
fn first_offset(old_end: usize, new_end: usize, gap: &[u8], align: usize) -> Result<usize> {
    let next = |at: usize| at.checked_next_multiple_of(align).checked();
    let old = old_end.plus(gap.len())?;
    if old == next(old_end)? && gap.iter().all(|&byte| byte == 0) {
        return next(new_end);
    }
    // As far before a multiple of the alignment as before.
    let before = next(old)?.minus(old)?;
    next(new_end.plus(gap.len())?.plus(before)?)?.minus(before)
}

impl Planned<'_> {
    /// The length of the data.
    fn len(&self) -> Result<usize> {
        index(self.data.as_ref().map_or(self.entry.size.get().into(), Patches::len))
    }
}

/// Where the data of a member is. Parsed archives hold it.
fn range(entry: &Entry) -> Result<Range<usize>> {
    sized(index(entry.offset.get().into())?, index(entry.size.get().into())?)
}

/// The members that have data, in the order of their offsets, and those together that overlap.
fn blocks(ranges: &[Range<usize>]) -> Vec<Block> {
    let mut order: Vec<_> = ranges.iter().zip(0..).filter(|(range, _)| !range.is_empty()).collect();
    order.sort_by_key(|(range, index)| (range.start, *index));
    let mut blocks: Vec<Block> = Vec::with_capacity(order.len());
    for (range, index) in order {
        match blocks.last_mut() {
            Some(block) if range.start < block.range.end => {
                block.range.end = block.range.end.max(range.end);
                block.members.push((index, range.len()));
            }
            _ => blocks.push(Block { range: range.clone(), members: vec![(index, range.len())] }),
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
