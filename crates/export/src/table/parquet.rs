//! Exports tables and their string arrays as Parquet. The columns are listed in
//! [Tables of values](worldview_wpd::format#tables-of-values).
//!
//! Tables are compressed with LZ4, except for those with 1,024 or more fields; no known table has that many. The metadata
//! of the file identifies the origin of the columns, as in Arrow files.

use std::io::Write;

use worldview_wpd::Table;

use super::Selection;
use super::arrow::TableBatches as _;
use crate::Result;
use crate::columns::parquet;

/// Writes the records as a Parquet file, one record per row: a column `record` with the name of the record, then the
/// fields.
///
/// # Errors
///
/// Returns an error if [`record_batches`](super::arrow::TableBatches::record_batches) or its iterator does, or if writing
/// to `out` fails.
pub fn records(table: &Table<'_>, selection: &Selection<'_>, out: impl Write + Send) -> Result<()> {
    parquet::write(table.record_batches(&(*selection).into())?, out)
}

/// Writes the string arrays as a Parquet file, one array per row: `field`, and `values`, a list of strings.
///
/// # Errors
///
/// Returns an error if the iterator of [`array_batches`](super::arrow::TableBatches::array_batches) does, or if writing to
/// `out` fails.
pub fn arrays(table: &Table<'_>, out: impl Write + Send) -> Result<()> {
    parquet::write(table.array_batches(), out)
}
