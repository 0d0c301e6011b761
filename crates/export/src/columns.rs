//! Record batches of arbitrary columns, and the files written from them.

use std::iter::{self, FusedIterator};
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions, RecordBatchReader, StringArray};
use arrow_schema::{ArrowError, DataType, Field, Fields, Schema, SchemaRef};
use worldview_core::{Error as FormatError, ErrorKind, Limit};

use crate::{Error, Result};

pub use file::{BatchFormat, BatchWriter};
pub use ipc::read;

mod file;
pub(crate) mod ipc;
#[cfg(feature = "parquet")]
pub(crate) mod parquet;

/// Maximum number of rows in a batch.
pub(crate) const ROWS: usize = 8192;
/// Maximum size in bytes of the strings and lists in a batch with more than one row. Most batches take about a
/// megabyte, but all rows may refer to the same long string, and a batch is in memory several times.
pub(crate) const BYTES: u64 = 4 << 20;
/// Maximum size in bytes of the strings in a single row. Invalid bytes are written as four bytes each, and no column
/// can hold eight times this size.
pub(crate) const ROW_BYTES: u64 = 1 << 28;

/// An iterator over record batches with the same schema, each small enough to be held in memory. It is fused after
/// the first error, which an [`Error`](crate::Error) can be made from.
///
/// As a [`RecordBatchReader`], it goes to what takes one: writers of Parquet, query engines, the C stream interface. Buffers are
/// reused for the next batch once the previous one has been dropped.
pub struct RecordBatches<'s> {
    schema: SchemaRef,
    next: Option<Box<Next<'s>>>,
}

type Next<'s> = dyn FnMut() -> Result<Option<RecordBatch>> + 's;

impl<'s> RecordBatches<'s> {
    /// Creates an iterator over the batches that `next` returns. All of them must have this schema.
    pub(crate) fn new(schema: SchemaRef, next: impl FnMut() -> Result<Option<RecordBatch>> + 's) -> Self {
        Self { schema, next: Some(Box::new(next)) }
    }

    /// Returns the only batch, or an empty one if there are none. There must be at most one.
    pub(crate) fn only(mut self) -> Result<RecordBatch> {
        let schema = self.schema();
        Ok(self.next().unwrap_or_else(|| Ok(RecordBatch::new_empty(schema)))?)
    }

    /// Returns the schema and all batches.
    ///
    /// # Errors
    ///
    /// Returns the error of the iterator.
    pub fn read_all(self) -> Result<(SchemaRef, Vec<RecordBatch>)> {
        Ok((self.schema(), self.collect::<std::result::Result<_, _>>()?))
    }
}

/// Adds a first column `file` with the same text in each row, for rows of many files. The metadata of the schema is left out, since it
/// differs from file to file.
pub fn with_file<'s>(mut batches: impl RecordBatchReader + 's, file: &'s str) -> RecordBatches<'s> {
    let first = Arc::new(Field::new("file", DataType::Utf8, false));
    let fields: Fields = iter::once(first).chain(batches.schema().fields().iter().cloned()).collect();
    let schema = SchemaRef::new(Schema::new(fields));
    RecordBatches::new(SchemaRef::clone(&schema), move || {
        let Some(batch) = batches.next().transpose()? else { return Ok(None) };
        let files: ArrayRef = Arc::new(StringArray::from_iter_values(iter::repeat_n(file, batch.num_rows())));
        let columns = iter::once(files).chain(batch.columns().iter().cloned()).collect();
        Ok(Some(RecordBatch::try_new(SchemaRef::clone(&schema), columns)?))
    })
}

impl Iterator for RecordBatches<'_> {
    type Item = std::result::Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let batch = self.next.as_mut()?().transpose();
        if !matches!(batch, Some(Ok(_))) {
            self.next = None;
        }
        Some(batch?.map_err(ArrowError::from))
    }
}

impl RecordBatchReader for RecordBatches<'_> {
    fn schema(&self) -> SchemaRef {
        SchemaRef::clone(&self.schema)
    }
}

impl FusedIterator for RecordBatches<'_> {}

worldview_core::debug_summary!("RecordBatches", RecordBatches<'_>, |this| columns: this.schema.fields().len());

/// How rows are divided into batches.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Division {
    /// Into batches of a few megabytes, with a maximum number of rows.
    Many {
        /// The maximum number of rows.
        rows: usize,
    },
    /// All rows in a single batch.
    One,
}

impl Division {
    /// Divides into batches of the default size or smaller.
    pub(crate) fn many(max_rows: Option<usize>) -> Self {
        Self::Many { rows: max_rows.unwrap_or(ROWS).clamp(1, ROWS) }
    }
}

/// Builds columns from rows.
pub(crate) trait Rows<R> {
    /// Adds a row.
    fn push(&mut self, row: R) -> Result<()>;

    /// Returns the columns and starts over.
    fn finish(&mut self) -> Vec<ArrayRef>;
}

/// Divides rows into batches. Each row comes with the size in bytes of its strings and lists. If the rows have to be
/// a single batch and do not fit into a column, the result is `error`.
pub(crate) fn divide<'s, R: 's>(
    schema: SchemaRef,
    division: Division,
    mut rows: impl Iterator<Item = Result<(R, u64)>> + 's,
    mut columns: impl Rows<R> + 's,
    error: FormatError,
) -> RecordBatches<'s> {
    let mut held = None;
    let of_batches = SchemaRef::clone(&schema);
    RecordBatches::new(schema, move || {
        let (mut count, mut bytes) = (0, 0_u64);
        while let Some((row, size)) = held.take().map_or_else(|| rows.next().transpose(), |row| Ok(Some(row)))? {
            let need = bytes.saturating_add(size);
            match division {
                Division::Many { rows } if count > 0 && (count == rows || need > BYTES) => {
                    held = Some((row, size));
                    break;
                }
                Division::Many { .. } => {}
                Division::One => within(need, ALL_BYTES, error)?,
            }
            columns.push(row)?;
            (count, bytes) = (count + 1, need);
        }
        if count == 0 {
            return Ok(None);
        }
        // The count is that of the columns, unless none of them is wanted.
        let options = RecordBatchOptions::new().with_row_count(Some(count));
        let batch = RecordBatch::try_new_with_options(SchemaRef::clone(&of_batches), columns.finish(), &options);
        Ok(Some(batch?))
    })
}

/// Maximum size in bytes of the strings in all rows of a batch. Even if every byte is written as four, they fit into
/// a column.
pub(crate) const ALL_BYTES: u64 = i32::MAX as u64 / 4;

/// Returns `error` as a limit error if the size of a row, or of all rows, exceeds what a column can hold.
pub(crate) fn within(need: u64, limit: u64, mut error: FormatError) -> Result<()> {
    if need > limit {
        error.kind = ErrorKind::Limit { of: Limit::Capacity, need, limit };
        return Err(error.into());
    }
    Ok(())
}

impl From<ArrowError> for Error {
    /// Converts an error, unwrapping I/O errors and what was an error of this crate.
    fn from(error: ArrowError) -> Self {
        match error {
            ArrowError::IoError(_, error) => error.into(),
            ArrowError::ExternalError(error) => match error.downcast() {
                Ok(error) => *error,
                Err(error) => std::io::Error::other(error).into(),
            },
            other => std::io::Error::other(other).into(),
        }
    }
}

impl From<Error> for ArrowError {
    fn from(error: Error) -> Self {
        Self::ExternalError(Box::new(error))
    }
}
