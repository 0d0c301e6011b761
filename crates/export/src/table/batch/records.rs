use worldview_core::Source;
use worldview_wpd::raw::Entry;
use worldview_wpd::{Field, Table};

use crate::table::cells::Rows;

/// Some of the selected records, to be converted to columns.
pub(super) struct Records<'t, 'a> {
    table: &'t Table<'a>,
    source: Source<'a>,
    /// The entries of all rows, if they are the last ones of the archive, as in every known table.
    run: Option<&'a [Entry]>,
    size: usize,
    entries: Vec<&'a Entry>,
    bytes: Bytes<'a>,
}

/// The bytes of records.
enum Bytes<'a> {
    /// Contiguous, without gaps.
    Dense(&'a [u8]),
    Listed(Vec<&'a [u8]>),
}

impl<'t, 'a> Records<'t, 'a> {
    pub(super) fn new(table: &'t Table<'a>) -> Self {
        let entries = table.archive().entries();
        // Rows are in the order of their entries. If the first one is at this distance from the end, all of them are at
        // the end.
        let run = entries.get(entries.len().saturating_sub(table.len())..).filter(|run| {
            let first = table.get(0).map(|row| row.entry());
            run.first().zip(first).is_some_and(|(one, other)| std::ptr::eq(one, other))
        });
        let size = usize::try_from(table.record_size()).unwrap_or(usize::MAX);
        let source = table.archive().source();
        Self { table, source, run, size, entries: Vec::new(), bytes: Bytes::Dense(&[]) }
    }

    /// Returns the size of a record in bytes.
    pub(super) const fn size(&self) -> usize {
        self.size
    }

    /// Switches to other rows, given by their positions in the selection.
    pub(super) fn turn_to(&mut self, rows: &Rows, block: std::ops::Range<usize>) {
        self.entries.clear();
        match (self.run.and_then(|run| run.get(block.clone())), rows) {
            (Some(run), Rows::All(_)) => self.entries.extend(run),
            _ => self.entries.extend(block.filter_map(|at| Some(self.table.get(rows.row(at))?.entry()))),
        }
        let size = self.table.record_size();
        let start = self.entries.first().map_or(0, |entry| entry.offset.get());
        let (_, is_dense) = self.entries.iter().fold((start, true), |(next, is_dense), entry| {
            (next.wrapping_add(size), is_dense & (entry.offset.get() == next) & (entry.size.get() == size))
        });
        let all = u64::from(size) * self.entries.len() as u64;
        self.bytes = match self.source.slice(start.into(), all, "record") {
            Ok(bytes) if is_dense => Bytes::Dense(bytes),
            _ => {
                let data =
                    |entry: &&Entry| self.source.slice(entry.offset.get().into(), entry.size.get().into(), "record");
                Bytes::Listed(self.entries.iter().map(data).map(|data| data.unwrap_or(&[])).collect())
            }
        };
    }

    /// Returns the entries of the rows, in order.
    pub(super) fn entries(&self) -> &[&'a Entry] {
        &self.entries
    }

    /// Converts a field of whole words in each of the records.
    pub(super) fn whole<const N: usize, T>(&self, field: &Field<'_>, out: &mut [T], of: impl Fn([u8; N]) -> T) {
        let at = usize::try_from(field.word()).unwrap_or(usize::MAX).saturating_mul(4);
        let value = |record: &[u8]| {
            let bytes = record.get(at..).and_then(|rest| rest.first_chunk());
            of(bytes.copied().unwrap_or([0; N]))
        };
        match &self.bytes {
            Bytes::Dense(bytes) => {
                bytes.chunks_exact(self.size.max(1)).zip(out).for_each(|(record, out)| *out = value(record));
            }
            Bytes::Listed(records) => records.iter().zip(out).for_each(|(record, out)| *out = value(record)),
        }
    }

    /// Reads a field that is a word or some of its bits as an unsigned number.
    // As a separate function, the loop compiles to fewer instructions than inlined.
    #[inline(never)]
    pub(super) fn unsigned(&self, field: &Field<'_>, out: &mut [u32]) {
        let (left, right) = shifts(field);
        self.whole(field, out, |word| u32::from_be_bytes(word).wrapping_shl(left).wrapping_shr(right));
    }

    /// Reads a field that is a word or some of its bits as a signed number.
    #[inline(never)]
    pub(super) fn signed(&self, field: &Field<'_>, out: &mut [i32]) {
        let (left, right) = shifts(field);
        self.whole(field, out, |word| i32::from_be_bytes(word).wrapping_shl(left).wrapping_shr(right));
    }
}

/// Returns the left shift that drops the bits above a field, and the right shift that drops the bits below it.
fn shifts(field: &Field<'_>) -> (u32, u32) {
    let right = 32_u32.saturating_sub(field.width().into());
    (right.saturating_sub(field.bit().into()), right)
}
