//! Tables and their string arrays as Arrow record batches and Arrow IPC files.
//! [Tables of values](worldview_wpd::format#tables-of-values) has the
//! columns.
//!
//! The schema says where the columns come from: `worldview.format`, `worldview.generation`, and where the table has
//! them `worldview.sheet_name`, `worldview.layout_version`, and `worldview.schema`, the schema that the field names come from.

use std::io::Write;

use arrow_array::RecordBatch;
use worldview_wpd::Table;

use super::Selection;
use super::batch::{self, arrays as array_batches};
use crate::Result;
use crate::arrow::RecordBatches;
use crate::columns::{Division, ipc};

/// Options for record batches of a table.
///
/// ```
/// use worldview_export::table::Selection;
/// use worldview_export::table::arrow::BatchOptions;
///
/// let options = BatchOptions::default().selection(Selection::ALL.fields(&[b"iPrice"])).max_rows(1024);
/// assert_eq!(options.max_rows, Some(1024));
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default)]
pub struct BatchOptions<'s> {
    /// The records and fields to return; all by default.
    pub selection: Selection<'s>,
    /// Maximum number of rows in a batch. The default, which is also the upper limit, is 8,192. Does not apply to
    /// methods that return a single batch.
    pub max_rows: Option<usize>,
}

impl<'s> BatchOptions<'s> {
    worldview_core::setters! {
        /// Sets the records and fields to return.
        pub const fn selection(selection: Selection<'s>) => selection = selection;

        /// Sets the maximum number of rows in a batch.
        pub fn max_rows(rows: impl Into<Option<usize>>) => max_rows = rows.into();
    }
}

impl<'s> From<Selection<'s>> for BatchOptions<'s> {
    fn from(selection: Selection<'s>) -> Self {
        Self::default().selection(selection)
    }
}

/// Converts tables to Arrow record batches.
///
/// ```
/// # use worldview_corpus::ff13::{build::build_table, spec::{CellSpec, Generation, TableSpec}};
/// use worldview_export::arrow::arrow_array::{cast::AsArray as _, types::Int32Type};
/// use worldview_export::table::arrow::{BatchOptions, TableBatches as _};
/// use worldview_wpd::Table;
///
/// # let spec = TableSpec::new(Generation::G3, &["iPrice"]);
/// # let spec = spec.row("elixir", [CellSpec::Int(900)]).row("potion", [CellSpec::Int(50)]);
/// # let file = build_table(&spec).bytes;
/// let table = Table::parse(&file)?;
/// let batch = table.record_batch(&BatchOptions::default())?;
/// let prices = batch["iPrice"].as_primitive::<Int32Type>();
/// assert_eq!(prices.values(), &[900, 50]);
///
/// // Large tables in several batches.
/// for batch in table.record_batches(&BatchOptions::default().max_rows(1))? {
///     assert_eq!(batch?.num_rows(), 1);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait TableBatches: sealed::Sealed {
    /// Returns all selected records as one batch: a column `record` with the name of the record, then the fields.
    ///
    /// # Errors
    ///
    /// Returns an error if:
    ///
    /// - the selection names records or fields that the table does not have
    /// - there are more than 4,096 fields
    /// - overlapping records or repeated strings exceed the work limit
    /// - all strings together exceed what a column can hold
    fn record_batch(&self, options: &BatchOptions<'_>) -> Result<RecordBatch>;

    /// Returns the selected records as batches of at most 8,192 rows and about 4 MiB of strings.
    ///
    /// The iterator returns an error if repeated strings exceed the work limit, or if the strings of one row exceed 256
    /// MiB.
    ///
    /// # Errors
    ///
    /// Returns an error if:
    ///
    /// - the selection names records or fields that the table does not have
    /// - there are more than 4,096 fields
    /// - overlapping records exceed the work limit
    fn record_batches(&self, options: &BatchOptions<'_>) -> Result<RecordBatches<'_>>;

    /// Returns all string arrays as one batch: `field`, and `values`, a list of strings.
    ///
    /// # Errors
    ///
    /// Returns an error if overlapping arrays or repeated strings exceed the work limit, or if all strings together
    /// exceed what a column can hold.
    fn array_batch(&self) -> Result<RecordBatch>;

    /// Returns the string arrays as batches of about 4 MiB.
    ///
    /// The iterator returns an error if overlapping arrays or repeated strings exceed the work limit, or if the strings
    /// of one array exceed 256 MiB.
    fn array_batches(&self) -> RecordBatches<'_>;
}

impl TableBatches for Table<'_> {
    fn record_batch(&self, options: &BatchOptions<'_>) -> Result<RecordBatch> {
        batch::records(self, &options.selection, Division::One)?.only()
    }

    fn record_batches(&self, options: &BatchOptions<'_>) -> Result<RecordBatches<'_>> {
        batch::records(self, &options.selection, Division::many(options.max_rows))
    }

    fn array_batch(&self) -> Result<RecordBatch> {
        array_batches::batches(self, Division::One).only()
    }

    fn array_batches(&self) -> RecordBatches<'_> {
        array_batches::batches(self, Division::many(None))
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for worldview_wpd::Table<'_> {}
}

/// Writes the records as an Arrow IPC file, one record per row: a column `record` with the name of the record, then
/// the fields.
///
/// # Errors
///
/// Returns an error if [`TableBatches::record_batches`] or its iterator does, or if writing to `out` fails.
pub fn records(table: &Table<'_>, selection: &Selection<'_>, out: impl Write) -> Result<()> {
    ipc::write(table.record_batches(&(*selection).into())?, out)
}

/// Writes the string arrays as an Arrow IPC file, one array per row: `field`, and `values`, a list of strings.
///
/// # Errors
///
/// Returns an error if the iterator of [`TableBatches::array_batches`] does, or if writing to `out` fails.
pub fn arrays(table: &Table<'_>, out: impl Write) -> Result<()> {
    ipc::write(table.array_batches(), out)
}
