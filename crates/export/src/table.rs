//! WDB tables, by features: CSV, NDJSON, Arrow IPC and Parquet.
//!
//! Text is UTF-8 in these games; a byte that is not appears as `\xNN`. Floats are written as the shortest text that
//! reads back as the same float; what is no number is `NaN`, `Infinity` or `-Infinity`, and a NaN of other bits than
//! 0x7fc00000 tells them, as in `NaN:0x7fa00001`. `docs/formats/wpd.md`, JSON and Tables of values, has the shapes.
//!
//! Records may overlap, and any number of values may refer to one long string. What a function writes is therefore
//! bounded by a small multiple of the file, past which it fails with [`worldview_core::ErrorKind::Limit`].

#[cfg(feature = "arrow")]
pub mod arrow;
#[cfg(any(feature = "arrow", feature = "parquet"))]
mod batch;
#[cfg_attr(
    not(all(feature = "csv", feature = "json", feature = "parquet")),
    allow(unused, reason = "each output needs a part")
)]
mod cells;
#[cfg(feature = "csv")]
pub mod csv;
#[cfg(any(feature = "arrow", feature = "parquet"))]
mod ends;
#[cfg(feature = "json")]
pub mod json;
mod nested;
#[cfg(feature = "parquet")]
pub mod parquet;
#[cfg_attr(
    not(all(feature = "csv", feature = "json", feature = "parquet")),
    allow(unused, reason = "each output needs a part")
)]
mod purse;
mod schema;
#[cfg_attr(
    not(all(feature = "csv", feature = "json", feature = "parquet")),
    allow(unused, reason = "each output needs a part")
)]
mod write;

use worldview_wpd::Table;

pub use nested::label;
pub use schema::schema_file;
pub use worldview_inspect::utf8;

/// Which records and which fields of a table to export, in which order; the default is all, as they lie in the file.
///
/// A name given twice counts once. Of records that share a name all are meant.
#[derive(Clone, Copy, Debug, Default)]
pub struct Selection<'s> {
    /// Names of records; `None` is all of them.
    pub records: Option<&'s [&'s [u8]]>,
    /// Names of fields; `None` is all of them.
    pub fields: Option<&'s [&'s [u8]]>,
}

impl<'s> Selection<'s> {
    /// Every record with every field.
    pub const ALL: Self = Self { records: None, fields: None };

    /// The same fields, of these records only.
    #[must_use]
    pub const fn records(mut self, names: &'s [&'s [u8]]) -> Self {
        self.records = Some(names);
        self
    }

    /// Checks that the table has all that is named.
    ///
    /// # Errors
    ///
    /// Returns [`Error::Unknown`](crate::Error::Unknown) for the first record or field that the table does not have.
    pub fn check(&self, table: &Table<'_>) -> crate::Result<()> {
        cells::columns(table, self)?;
        cells::Rows::of(table, self)?;
        Ok(())
    }

    /// The same records, with these fields only.
    #[must_use]
    pub const fn fields(mut self, names: &'s [&'s [u8]]) -> Self {
        self.fields = Some(names);
        self
    }
}
