//! Tables and their string arrays as Parquet, packed with zstd. `docs/formats/wpd.md`, Tables of values, has the
//! columns.
//!
//! The file's metadata say where the columns are from, as those of Arrow files do. A table of 1,024 fields and more,
//! which nobody has, is not packed.

use std::io::Write;

use arrow_schema::SchemaRef;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use worldview_wpd::Table;

use super::Selection;
use super::batch::{Batches, arrays as batches};
use crate::{Error, Result};

/// Bytes of a row group before it is packed: what the writer holds in memory.
const ROW_GROUP: usize = 64 << 20;
/// Columns that are packed, and searched for values that repeat: both take memory for each, of which a small file could
/// ask for a gigabyte. The widest known table has 308.
const PACKED: usize = 1024;

/// Writes the records, one a row: a column `record` with the record's name, then the fields.
///
/// # Errors
///
/// Those of writing; names that are not in the table; overlapping records or strings past the walk's limit.
pub fn table(table: &Table<'_>, selection: &Selection<'_>, out: impl Write + Send) -> Result<()> {
    let mut batches = Batches::new(table, selection)?;
    let mut file = open(out, &batches.schema())?;
    while let Some(batch) = batches.next()? {
        file.write(&batch).map_err(from_parquet)?;
    }
    close(file)
}

/// Writes the string arrays, one a row: `field`, and `values`, a list of strings.
///
/// # Errors
///
/// Those of writing; overlapping arrays or strings past the walk's limit.
pub fn arrays(table: &Table<'_>, out: impl Write + Send) -> Result<()> {
    let schema = batches::schema(table);
    let mut file = open(out, &schema)?;
    batches::each_batch(table, &schema, |batch| file.write(batch).map_err(from_parquet))?;
    close(file)
}

fn open<W: Write + Send>(out: W, schema: &SchemaRef) -> Result<ArrowWriter<W>> {
    // Readers that know nothing of Arrow see only these, and not the schema's own.
    let mut metadata: Vec<_> =
        schema.metadata().iter().map(|(key, value)| KeyValue::new(key.clone(), value.clone())).collect();
    metadata.sort_unstable_by(|one, other| one.key.cmp(&other.key));
    let packed = schema.fields().len() <= PACKED;
    let properties = WriterProperties::builder()
        .set_compression(if packed { Compression::ZSTD(ZstdLevel::default()) } else { Compression::UNCOMPRESSED })
        .set_dictionary_enabled(packed)
        .set_max_row_group_bytes(Some(ROW_GROUP))
        .set_key_value_metadata(Some(metadata))
        .build();
    ArrowWriter::try_new(out, SchemaRef::clone(schema), Some(properties)).map_err(from_parquet)
}

fn close(file: ArrowWriter<impl Write + Send>) -> Result<()> {
    let mut out = file.into_inner().map_err(from_parquet)?;
    out.flush()?;
    Ok(())
}

fn from_parquet(error: ParquetError) -> Error {
    match error {
        ParquetError::External(error) => match error.downcast() {
            Ok(error) => Error::Io(*error),
            Err(error) => std::io::Error::other(error).into(),
        },
        other => std::io::Error::other(other).into(),
    }
}
