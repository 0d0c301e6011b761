//! Files to which batches of rows are added one by one.

use std::fmt;
use std::io::{BufWriter, Write};

use arrow_array::RecordBatch;
use arrow_ipc::writer::FileWriter;
use arrow_schema::SchemaRef;
#[cfg(feature = "parquet")]
use parquet::arrow::ArrowWriter;

use super::ipc;
use crate::Result;

/// The format of a [`BatchWriter`].
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BatchFormat {
    /// An Arrow IPC file.
    Arrow,
    /// A Parquet file.
    #[cfg(feature = "parquet")]
    Parquet,
}

/// A file to which batches with the same schema are added: for rows of many tables or levels.
///
/// ```
/// # use worldview_corpus::ff13::{build::build_table, spec::{CellSpec, Generation, TableSpec}};
/// use worldview_export::table::arrow::{BatchOptions, TableBatches as _};
/// use worldview_export::arrow::{BatchFormat, BatchWriter};
/// use worldview_wpd::Table;
///
/// # let spec = TableSpec::new(Generation::G3, &["iPrice"]);
/// # let file = build_table(&spec.row("potion", [CellSpec::Int(50)])).bytes;
/// let table = Table::parse(&file)?;
/// let batch = table.record_batch(&BatchOptions::default())?;
/// let mut rows = BatchWriter::new(BatchFormat::Arrow, &batch.schema(), &[], Vec::new())?;
/// rows.write(&batch)?;
/// rows.write(&batch)?;
/// let file = rows.finish()?;
/// assert!(file.starts_with(b"ARROW1"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct BatchWriter<W: Write + Send>(Inner<W>);

enum Inner<W: Write + Send> {
    Arrow(Box<FileWriter<BufWriter<W>>>),
    #[cfg(feature = "parquet")]
    Parquet(Box<ArrowWriter<W>>),
}

impl<W: Write + Send> BatchWriter<W> {
    /// Starts a file. `first` are the batches that will be written first, or none: a Parquet file is compressed
    /// according to their size. They are not written.
    ///
    /// # Errors
    ///
    /// Returns an error if writing to `out` fails.
    #[cfg_attr(
        not(feature = "parquet"),
        expect(unused_variables, reason = "only Parquet files need the first batches")
    )]
    pub fn new(format: BatchFormat, schema: &SchemaRef, first: &[RecordBatch], out: W) -> Result<Self> {
        Ok(Self(match format {
            BatchFormat::Arrow => Inner::Arrow(Box::new(ipc::begin(schema, out)?)),
            #[cfg(feature = "parquet")]
            BatchFormat::Parquet => {
                Inner::Parquet(Box::new(super::parquet::begin(SchemaRef::clone(schema), first, out)?))
            }
        }))
    }

    /// Adds a batch.
    ///
    /// # Errors
    ///
    /// Returns an error if the batch has another schema, or if writing fails.
    pub fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        match &mut self.0 {
            Inner::Arrow(file) => Ok(file.write(batch)?),
            #[cfg(feature = "parquet")]
            Inner::Parquet(file) => file.write(batch).map_err(super::parquet::from_parquet),
        }
    }

    /// Writes everything that is held in memory: in a Parquet file, this ends a row group.
    ///
    /// # Errors
    ///
    /// Returns an error if writing fails.
    pub fn flush(&mut self) -> Result<()> {
        match &mut self.0 {
            Inner::Arrow(_) => Ok(()),
            #[cfg(feature = "parquet")]
            Inner::Parquet(file) => file.flush().map_err(super::parquet::from_parquet),
        }
    }

    /// Ends the file.
    ///
    /// # Errors
    ///
    /// Returns an error if writing fails.
    pub fn finish(self) -> Result<W> {
        match self.0 {
            Inner::Arrow(file) => ipc::finish(*file),
            #[cfg(feature = "parquet")]
            Inner::Parquet(file) => super::parquet::finish(*file),
        }
    }
}

impl<W: Write + Send> fmt::Debug for BatchWriter<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let format = match self.0 {
            Inner::Arrow(_) => BatchFormat::Arrow,
            #[cfg(feature = "parquet")]
            Inner::Parquet(_) => BatchFormat::Parquet,
        };
        f.debug_struct("BatchWriter").field("format", &format).finish_non_exhaustive()
    }
}
