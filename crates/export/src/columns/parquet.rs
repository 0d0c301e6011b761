use std::io::Write;

use arrow_array::{Array as _, ArrayRef, RecordBatch, RecordBatchReader as _};
use arrow_schema::SchemaRef;
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};

use super::RecordBatches;
use crate::{Error, Result};

/// Size in bytes of an uncompressed row group, which the writer holds in memory.
const ROW_GROUP: usize = 64 << 20;
/// Maximum number of columns up to which compression and dictionary encoding are used. Both take memory for every
/// column, so a small file could ask for a gigabyte. The widest known table has 308 columns.
const COMPRESSED: usize = 1024;

/// Average size in bytes of the columns from which dictionaries and statistics of pages pay.
const LARGE: usize = 16 << 10;

/// Writes record batches as a Parquet file.
pub(crate) fn write(mut batches: RecordBatches<'_>, out: impl Write + Send) -> Result<()> {
    let first = batches.next().transpose()?;
    let mut file = begin(batches.schema(), first.as_slice(), out)?;
    for batch in first.map(Ok).into_iter().chain(batches) {
        file.write(&batch?).map_err(from_parquet)?;
    }
    finish(file).map(drop)
}

/// Starts a file. The first batches decide how it is compressed; they are not written.
pub(super) fn begin<W: Write + Send>(schema: SchemaRef, first: &[RecordBatch], out: W) -> Result<ArrowWriter<W>> {
    // Readers without Arrow support only see this metadata, not that of the schema.
    let mut metadata: Vec<_> =
        schema.metadata().iter().map(|(key, value)| KeyValue::new(key.clone(), value.clone())).collect();
    metadata.sort_unstable_by(|one, other| one.key.cmp(&other.key));
    let columns = schema.fields().len();
    let properties = WriterProperties::builder();
    let properties = if columns > COMPRESSED {
        properties.set_compression(Compression::UNCOMPRESSED).set_dictionary_enabled(false)
    } else if first.iter().map(size).sum::<usize>() / LARGE >= columns {
        properties.set_compression(Compression::LZ4_RAW)
    } else {
        // A column of one page needs no statistics of its pages.
        properties
            .set_compression(Compression::LZ4_RAW)
            .set_dictionary_enabled(false)
            .set_statistics_enabled(EnabledStatistics::Chunk)
    };
    let properties = properties.set_max_row_group_bytes(Some(ROW_GROUP)).set_key_value_metadata(Some(metadata)).build();
    ArrowWriter::try_new(out, schema, Some(properties)).map_err(from_parquet)
}

/// Ends a file.
pub(super) fn finish<W: Write + Send>(file: ArrowWriter<W>) -> Result<W> {
    let mut out = file.into_inner().map_err(from_parquet)?;
    out.flush()?;
    Ok(out)
}

/// Returns the memory that the rows of a batch take, not that of buffers which are larger because they are reused.
fn size(batch: &RecordBatch) -> usize {
    let size = |column: &ArrayRef| column.to_data().get_slice_memory_size().unwrap_or(usize::MAX);
    batch.columns().iter().map(size).fold(0, usize::saturating_add)
}

pub(super) fn from_parquet(error: ParquetError) -> Error {
    match error {
        ParquetError::External(error) => match error.downcast() {
            Ok(error) => Error::Io(*error),
            Err(error) => std::io::Error::other(error).into(),
        },
        other => std::io::Error::other(other).into(),
    }
}
