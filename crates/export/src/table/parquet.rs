//! Tables and their string arrays as Parquet, compressed with zstd. `docs/formats/wpd.md`, Tables of values, has the
//! columns.
//!
//! The file's metadata say where the columns come from, as those of Arrow files do. A table of 1,024 fields and more is not
//! compressed; no known table has as many.

use std::io::Write;

use worldview_wpd::Table;

use super::Selection;
use super::arrow::TableBatches as _;
use crate::Result;
use crate::columns::parquet;

/// Writes the records as a Parquet file, one per row: a column `record` with the record's name, then the fields.
///
/// # Errors
///
/// Returns an error if [`record_batches`](super::TableBatches::record_batches) or its iterator does, or if writing to `out` fails.
pub fn records(table: &Table<'_>, selection: &Selection<'_>, out: impl Write + Send) -> Result<()> {
    parquet::write(table.record_batches(&(*selection).into())?, out)
}

/// Writes the string arrays as a Parquet file, one per row: `field`, and `values`, a list of strings.
///
/// # Errors
///
/// Returns an error if the iterator of [`array_batches`](super::TableBatches::array_batches) does, or if writing to `out` fails.
pub fn arrays(table: &Table<'_>, out: impl Write + Send) -> Result<()> {
    parquet::write(table.array_batches(), out)
}
