//! Rebuilds the first entries of a XIII-1 table where they were overwritten along with the header.
//! See [Damaged headers](crate::format#damaged-headers).

use core::ops::Range;

use worldview_core::{OffsetBase, Place, Result, Source};
use zerocopy::IntoBytes as _;

use crate::archive::{Archive, entry_at};
use crate::finding::{Finding, FindingKind};
use crate::raw::{ArchiveHeader, Entry};
use crate::sections::{WordTypes, longs};

const STRING: &[u8] = b"!!string";
const TYPES: &[u8] = b"!!strtypelist";

impl<'a> Archive<'a> {
    /// Opens a file as [`recover`](Self::recover) does, also where the first entries of a table were overwritten with the header.
    /// [Damaged headers](crate::format#damaged-headers) has the rules.
    ///
    /// If entries have to be rebuilt, the file is copied to `copy`, which the archive then borrows, and each of these entries is
    /// reported as a finding.
    ///
    /// # Errors
    ///
    /// Returns an error under the conditions of [`recover`](Self::recover).
    pub fn recover_in(bytes: &'a [u8], copy: &'a mut Vec<u8>, report: &mut dyn FnMut(Finding<'a>)) -> Result<Self> {
        let source = Source::new(bytes, OffsetBase::File);
        let Some(rebuilt) = Rebuilt::of(source) else { return Self::recover(source, report) };
        rebuilt.write(bytes, copy);
        for (index, lost) in (0..).zip(&rebuilt.entries) {
            let what = if lost.data.is_some() { "all of it" } else { "its name" };
            let (kind, place) = (FindingKind::EntryRebuilt { what }, Place::numbered("entry", index, lost.name));
            report(Finding { kind, at: entry_at(index), space: OffsetBase::File, place });
        }
        Self::recover(Source::new(&copy[..], OffsetBase::File), report)
    }

    /// Whether [`recover_in`](Self::recover_in) rebuilds entries of a file.
    pub fn can_rebuild(bytes: &[u8]) -> bool {
        Rebuilt::of(Source::new(bytes, OffsetBase::File)).is_some()
    }
}

/// Returns a file with a valid header and all entries, if its header was overwritten and [`Archive::recover_in`] opens it. Nothing else
/// changes, and the size stays.
///
/// ```
/// # fn main() -> worldview_wpd::Result<()> {
/// # let file: &[u8] = include_bytes!("../../../samples/wdbpack.bin");
/// let mut damaged = file.to_vec();
/// damaged[..8].fill(0);
/// assert_eq!(worldview_wpd::repair(&damaged).as_deref(), Some(file));
/// assert_eq!(worldview_wpd::repair(file), None);
/// # Ok(())
/// # }
/// ```
pub fn repair(bytes: &[u8]) -> Option<Vec<u8>> {
    if Archive::parse_lossy(Source::new(bytes, OffsetBase::File), &mut |_| {}).is_ok() {
        return None;
    }
    let mut copy = Vec::new();
    let count = Archive::recover_in(bytes, &mut copy, &mut |_| {}).ok()?.len();
    let mut repaired = if copy.is_empty() { bytes.to_vec() } else { copy };
    let header = [ArchiveHeader::MAGIC, u32::try_from(count).ok()?.to_be_bytes()];
    repaired.get_mut(..8)?.copy_from_slice(header.as_bytes());
    Some(repaired)
}

/// Entries that were overwritten, from the first on.
struct Rebuilt {
    entries: Vec<Lost>,
}

/// An entry that was overwritten.
struct Lost {
    name: &'static [u8],
    /// The range of its data, or `None` if only the name was overwritten.
    data: Option<Range<u32>>,
}

impl Rebuilt {
    fn of(source: Source<'_>) -> Option<Self> {
        if Archive::parse_lossy(source, &mut |_| {}).is_ok() {
            return None;
        }
        let (first, second) = (entry(source, 0)?, entry(source, 1)?);
        if second.name.as_bytes() == TYPES {
            // The entry before the list of types is always the pool. Its offset is needed to count the entries.
            let is_zeroed = *first.name.raw() == [0; 16] && Archive::recover(source, &mut |_| {}).is_ok();
            return is_zeroed.then(|| Self { entries: vec![Lost { name: STRING, data: None }] });
        }
        Self::both(source)
    }

    /// The first two entries, if the third and fourth are those of a table.
    fn both(source: Source<'_>) -> Option<Self> {
        let (kinds, version) = (entry(source, 2)?, entry(source, 3)?);
        if kinds.name.as_bytes() != b"!!typelist" || version.name.as_bytes() != b"!!version" {
            return None;
        }
        // The data is in the order of the entries, aligned to 4, and begins after the last entry.
        let (mut count, mut last) = (3, kinds);
        while let Some(next) = entry(source, count).filter(|next| follows(last, next)) {
            (count, last) = (count.checked_add(1)?, next);
        }
        let record = entry(source, 4).filter(|_| count > 4);
        // The size of a list of types is that of a record. Without records it is that of the list of kinds, as in most tables.
        let size = record.map_or(kinds.size.get(), |record| record.size.get());
        let pool = u32::try_from(entry_at(count)).ok()?;
        let types = kinds.offset.get().checked_sub(size).filter(|&types| types > pool)?;
        let list = source.slice(types.into(), size.into(), "list of types").ok()?;
        let is_list =
            size > 0 && size.is_multiple_of(4) && longs(list).iter().all(|word| word.get() <= WordTypes::UINT);
        is_list.then(|| Self {
            entries: vec![
                Lost { name: STRING, data: Some(pool..types) },
                Lost { name: TYPES, data: Some(types..kinds.offset.get()) },
            ],
        })
    }

    /// Copies the file, and puts the entries into the copy.
    fn write(&self, bytes: &[u8], copy: &mut Vec<u8>) {
        copy.clear();
        copy.extend_from_slice(bytes);
        let places = copy.get_mut(HEADER..).unwrap_or_default().chunks_exact_mut(ENTRY);
        for (place, Lost { name, data }) in places.zip(&self.entries) {
            let (name_of, rest) = place.split_at_mut(16);
            name_of.fill(0);
            name_of.iter_mut().zip(*name).for_each(|(to, from)| *to = *from);
            if let Some(Range { start, end }) = data {
                rest.fill(0);
                let words = [start.to_be_bytes(), end.saturating_sub(*start).to_be_bytes()];
                rest.iter_mut().zip(words.as_bytes()).for_each(|(to, from)| *to = *from);
            }
        }
    }
}

const HEADER: usize = size_of::<ArchiveHeader>();
const ENTRY: usize = size_of::<Entry>();

fn entry(source: Source<'_>, index: u32) -> Option<&Entry> {
    source.view(entry_at(index), "entry").ok()
}

/// Returns whether an entry can follow another one in a table: its name is greater, and its data is directly after the other's.
fn follows(last: &Entry, next: &Entry) -> bool {
    let end = u64::from(last.offset.get()).saturating_add(last.size.get().into());
    let gap = u64::from(next.offset.get()).checked_sub(end);
    next.name.as_bytes() > last.name.as_bytes()
        && next.name.tail().iter().chain(next.extension.raw()).all(|&byte| byte == 0)
        && gap.is_some_and(|gap| gap < 4)
}
