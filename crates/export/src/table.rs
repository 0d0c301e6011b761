//! Exports WDB tables as CSV, NDJSON, Arrow and Parquet.
//!
//! - `csv` and `json` (features): the records and string arrays as CSV and NDJSON.
//! - `arrow` (a feature): the same as record batches (`TableBatches`) and as Arrow IPC files.
//! - `parquet` (a feature): the same as Parquet files.
//! - [`schema_file`]: the field plan, to be edited.
//!
//! Text is UTF-8 in these games; an invalid byte appears as `\xNN`. Floats are written as the shortest text that
//! parses to the same float. Floats that are not finite are `NaN`, `Infinity` or `-Infinity`; a NaN with bits other
//! than 0x7fc00000 includes them, as in `NaN:0x7fa00001`. The shapes are documented in
//! [JSON](worldview_wpd::format#json) and [Tables of values](worldview_wpd::format#tables-of-values).
//!
//! Records may overlap, and any number of values may refer to the same long string. The size of every output is
//! therefore limited to a small multiple of the file; exceeding it is a [`worldview_core::ErrorKind::Limit`] error.

#[cfg(feature = "arrow")]
pub mod arrow;
#[cfg(feature = "arrow")]
mod batch;
#[cfg_attr(
    not(all(feature = "arrow", feature = "csv", feature = "json")),
    allow(unused, reason = "each output needs a part")
)]
mod budget;
#[cfg_attr(
    not(all(feature = "arrow", feature = "csv", feature = "json")),
    allow(unused, reason = "each output needs a part")
)]
mod cells;
#[cfg(feature = "csv")]
pub mod csv;
#[cfg(feature = "json")]
pub mod json;
mod label;
#[cfg(feature = "parquet")]
pub mod parquet;
#[cfg_attr(
    not(any(feature = "arrow", feature = "csv", feature = "json")),
    allow(unused, reason = "each output needs a part")
)]
mod pool;
mod schema;
#[cfg(feature = "arrow")]
mod string_ends;
mod words;

use std::borrow::Cow;

use worldview_wpd::{NameOrigin, Table};

pub use cells::TypedColumn;
pub use label::label;
pub use schema::schema_file;
pub use words::Words;

/// The end of the name of a column of words for the keys in the column before it. No known field has it.
pub const WORDS: &str = ".text";

/// Returns [`Table::sheet`] as text.
pub fn sheet<'t>(table: &'t Table<'_>) -> Option<Cow<'t, str>> {
    table.sheet().map(worldview_inspect::utf8)
}

/// Returns the name of the schema that a table's field names come from.
pub fn schema_name<'t>(table: &'t Table<'_>) -> Option<&'t str> {
    match table.name_origin() {
        NameOrigin::Schema(schema) => Some(schema.name()).filter(|name| !name.is_empty()),
        _ => None,
    }
}

/// The records and fields of a table to export, in this order. The default is all of them, in file order.
///
/// A name that is given twice counts once. A name that several records share selects all of them.
///
/// ```
/// use worldview_export::table::Selection;
///
/// let selection = Selection::ALL.records(&[b"potion", b"elixir"]).fields(&[b"iPrice"]);
/// assert_eq!(selection.fields.map(<[_]>::len), Some(1));
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default)]
pub struct Selection<'s> {
    /// Names of records, or `None` for all records.
    pub records: Option<&'s [&'s [u8]]>,
    /// Indices of records, instead of their names.
    pub rows: Option<&'s [usize]>,
    /// Names of fields, or `None` for all fields.
    pub fields: Option<&'s [&'s [u8]]>,
    /// Whether a column `sheet` with the name of the table's [`sheet`] follows the record's name.
    pub sheet: bool,
    /// The words that follow keys: in CSV as a column behind each column with keys, in NDJSON as a member behind each key, whose
    /// name ends with [`WORDS`].
    pub words: Option<&'s Words>,
}

impl<'s> Selection<'s> {
    /// All records with all fields.
    pub const ALL: Self = Self { records: None, rows: None, fields: None, sheet: false, words: None };

    worldview_core::setters! {
        /// Selects only these records.
        pub const fn records(names: &'s [&'s [u8]]) => records = Some(names);

        /// Adds a column `sheet`, the same in every row, by which rows of many tables can be distinguished.
        ///
        /// It is null, or an empty cell of CSV, where the table has no [`sheet`] name. A table with a field called `sheet` has that field
        /// instead.
        pub const fn sheet(sheet: bool) => sheet = sheet;

        /// Adds the words for keys.
        pub const fn words(words: Option<&'s Words>) => words = words;
    }

    /// Checks that the table has everything that is selected by name.
    ///
    /// # Errors
    ///
    /// Returns an error if the table does not have a selected record or field:
    /// [`Error::Unknown`](crate::Error::Unknown) with the name of the first one.
    pub fn check(&self, table: &Table<'_>) -> crate::Result<()> {
        cells::Selected::of(table, self)?;
        Ok(())
    }

    /// Selects only these fields.
    #[must_use]
    pub const fn fields(mut self, names: &'s [&'s [u8]]) -> Self {
        self.fields = Some(names);
        self
    }
}
