use std::io::Write;

use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;

use super::RecordBatches;
use crate::{Error, Result};

/// Size in bytes of an uncompressed row group, which the writer holds in memory.
const ROW_GROUP: usize = 64 << 20;
/// Maximum number of columns up to which compression and dictionary encoding are used. Both take memory for every
/// column, so a small file could ask for a gigabyte. The widest known table has 308 columns.
const COMPRESSED: usize = 1024;

/// Writes record batches as a Parquet file.
pub(crate) fn write(batches: RecordBatches<'_>, out: impl Write + Send) -> Result<()> {
    let schema = batches.schema();
    // Readers without Arrow support only see this metadata, not that of the schema.
    let mut metadata: Vec<_> =
        schema.metadata().iter().map(|(key, value)| KeyValue::new(key.clone(), value.clone())).collect();
    metadata.sort_unstable_by(|one, other| one.key.cmp(&other.key));
    let compressed = schema.fields().len() <= COMPRESSED;
    let properties = WriterProperties::builder()
        .set_compression(if compressed { Compression::ZSTD(ZstdLevel::default()) } else { Compression::UNCOMPRESSED })
        .set_dictionary_enabled(compressed)
        .set_max_row_group_bytes(Some(ROW_GROUP))
        .set_key_value_metadata(Some(metadata))
        .build();
    let mut file = ArrowWriter::try_new(out, schema, Some(properties)).map_err(from_parquet)?;
    for batch in batches {
        file.write(&batch?).map_err(from_parquet)?;
    }
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
