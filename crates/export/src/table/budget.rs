use worldview_core::{Budget, Limit, OffsetBase};
use worldview_wpd::{Field, StringArray, Table};

use super::pool::byte_cost;
use crate::Result;

/// The two budgets of an export: one for the bytes of records and arrays, one for those of strings and names.
#[derive(Debug)]
pub(super) struct Budgets {
    parts: Budget,
    strings: Budget,
    /// The cost of a byte of a string, because each byte of invalid UTF-8 is written as four.
    byte: u64,
    at: u64,
    space: OffsetBase,
}

impl Budgets {
    pub(super) fn new(table: &Table<'_>) -> Self {
        let source = table.archive().source();
        // Valid tables can have many references to a few strings. Their strings take far fewer bytes than their
        // records.
        let strings = source.len().saturating_mul(16).saturating_add(16 << 20);
        Self {
            parts: Budget::for_bytes(source.len(), "export of overlapping records or arrays"),
            strings: Budget::new(strings, Limit::Work, "export of strings with many references"),
            byte: byte_cost(table),
            at: source.base(),
            space: source.space(),
        }
    }

    /// Charges for all records before the first is written.
    pub(super) fn rows(&mut self, table: &Table<'_>, rows: usize) -> Result<()> {
        let bytes = (rows as u64).saturating_mul(table.record_size().into());
        Ok(self.parts.spend(bytes, self.at, self.space)?)
    }

    /// Returns the cost of a byte of a string.
    #[cfg(feature = "arrow")]
    pub(super) const fn byte(&self) -> u64 {
        self.byte
    }

    /// Charges for the bytes of a string.
    #[inline]
    pub(super) fn text(&mut self, bytes: u64) -> Result<()> {
        Ok(self.strings.spend(bytes.saturating_mul(self.byte), self.at, self.space)?)
    }

    /// Charges for the names of fields that are written `times` times. Names up to the usual length are free.
    pub(super) fn names<'f, 'a: 'f>(&mut self, fields: impl Iterator<Item = &'f Field<'a>>, times: u64) -> Result<()> {
        let excess = fields.fold(0_i64, |all, field| {
            let name = i64::try_from(field.name().len()).unwrap_or(i64::MAX);
            all.saturating_add(name.saturating_sub(64))
        });
        self.text(u64::try_from(excess).unwrap_or(0).saturating_mul(times))
    }

    /// Charges for an array, at one byte per element.
    pub(super) fn array(&mut self, array: &StringArray<'_, '_>) -> Result<()> {
        Ok(self.parts.spend(array.len() as u64, self.at, self.space)?)
    }
}
