//! The location of a table's records.

use worldview_core::Source;

use crate::raw::Entry;

/// The bytes of a table's records, in row order.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Records<'t, 'a> {
    /// Contiguous, as in every known table: all bytes, and the size of one record.
    Dense(&'a [u8], usize),
    /// At the offsets in the entries.
    Listed(Source<'a>, RowIndex<'t, 'a>),
}

/// The entries that are rows.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RowIndex<'t, 'a> {
    /// All of the entries.
    All(&'a [Entry]),
    /// The entries with these indexes.
    Chosen(&'a [Entry], &'t [u32]),
}

impl<'t, 'a> RowIndex<'t, 'a> {
    #[inline]
    pub(crate) const fn len(&self) -> usize {
        match self {
            Self::All(entries) => entries.len(),
            Self::Chosen(_, row_entries) => row_entries.len(),
        }
    }

    #[inline]
    pub(crate) fn get(&self, row: usize) -> Option<&'a Entry> {
        match self {
            Self::All(entries) => entries.get(row),
            Self::Chosen(entries, row_entries) => {
                row_entries.get(row).and_then(|&index| entries.get(usize::try_from(index).ok()?))
            }
        }
    }
}

/// Returns the data of a row.
#[inline]
pub(crate) fn data<'a>(source: Source<'a>, entry: &Entry) -> &'a [u8] {
    source.slice(entry.offset.get().into(), entry.size.get().into(), "record").unwrap_or(&[])
}
