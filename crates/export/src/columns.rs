//! Record batches of any columns, and the files that are written from them.

use std::fmt;
use std::iter::FusedIterator;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, SchemaRef};
use worldview_core::{Error as FormatError, ErrorKind, Limit};

use crate::{Error, Result};

pub(crate) mod ipc;
#[cfg(feature = "parquet")]
pub(crate) mod parquet;

/// Rows of a batch, at most.
pub(crate) const ROWS: usize = 8192;
/// Bytes of the strings and lists of a batch that has more than one row. Most are a megabyte; all rows may refer to the same
/// long string, and a batch is in memory several times.
pub(crate) const BYTES: u64 = 4 << 20;
/// Bytes of the strings of a single row: invalid bytes are written as four, and no column holds eight times as many.
pub(crate) const ROW_BYTES: u64 = 1 << 28;

/// Iterates over record batches of one schema, each small enough to be in memory; fused after the first error.
///
/// Buffers are reused for the next batch once the previous one is dropped.
pub struct RecordBatches<'s> {
    schema: SchemaRef,
    next: Option<Box<Next<'s>>>,
}

type Next<'s> = dyn FnMut() -> Result<Option<RecordBatch>> + 's;

impl<'s> RecordBatches<'s> {
    /// The batches that `next` returns, which all have this schema.
    pub(crate) fn new(schema: SchemaRef, next: impl FnMut() -> Result<Option<RecordBatch>> + 's) -> Self {
        Self { schema, next: Some(Box::new(next)) }
    }

    /// Returns the schema of every batch, also if there are none.
    pub fn schema(&self) -> SchemaRef {
        SchemaRef::clone(&self.schema)
    }

    /// The only batch, where there is at most one; an empty one where there is none.
    pub(crate) fn only(mut self) -> Result<RecordBatch> {
        let schema = self.schema();
        self.next().unwrap_or_else(|| Ok(RecordBatch::new_empty(schema)))
    }
}

impl Iterator for RecordBatches<'_> {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Self::Item> {
        let batch = self.next.as_mut()?().transpose();
        if !matches!(batch, Some(Ok(_))) {
            self.next = None;
        }
        batch
    }
}

impl FusedIterator for RecordBatches<'_> {}

impl fmt::Debug for RecordBatches<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecordBatches").field("columns", &self.schema.fields().len()).finish_non_exhaustive()
    }
}

/// How rows are divided into batches.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Division {
    /// Into batches of at most so many rows, and of a few megabytes.
    Many {
        /// Rows.
        rows: usize,
    },
    /// Not at all.
    One,
}

impl Division {
    /// Into batches of the usual size, or smaller ones.
    pub(crate) fn many(max_rows: Option<usize>) -> Self {
        Self::Many { rows: max_rows.unwrap_or(ROWS).clamp(1, ROWS) }
    }
}

/// What makes columns of rows.
pub(crate) trait Rows<R> {
    /// Adds a row.
    fn push(&mut self, row: R) -> Result<()>;

    /// Returns the columns, and begins anew.
    fn finish(&mut self) -> Vec<ArrayRef>;
}

/// Divides rows into batches. Each comes with the number of bytes of its strings and lists; `error` is the one to return if they
/// must be one batch and no column can hold them.
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
        Ok(Some(RecordBatch::try_new(SchemaRef::clone(&of_batches), columns.finish()).map_err(from_arrow)?))
    })
}

/// Bytes of the strings of all rows of a batch: what is written as four bytes for one still fits into a column.
pub(crate) const ALL_BYTES: u64 = i32::MAX as u64 / 4;

/// Fails with `error` as a limit if the bytes of a row, or of all of them, are more than a column can hold.
pub(crate) fn within(need: u64, limit: u64, mut error: FormatError) -> Result<()> {
    if need > limit {
        error.kind = ErrorKind::Limit { of: Limit::Capacity, need, limit };
        return Err(error.into());
    }
    Ok(())
}

/// Returns the error behind one of Arrow's, if it is an error of writing.
pub(crate) fn from_arrow(error: ArrowError) -> Error {
    match error {
        ArrowError::IoError(_, error) => error.into(),
        other => std::io::Error::other(other).into(),
    }
}
