use std::io::{BufReader, BufWriter, Read, Seek, Write};

use arrow_array::RecordBatchReader;
use arrow_ipc::reader::FileReader;
use arrow_ipc::writer::FileWriter;
use arrow_schema::SchemaRef;

use super::RecordBatches;
use crate::Result;

/// Writes record batches as an Arrow IPC file.
pub(crate) fn write(batches: RecordBatches<'_>, out: impl Write) -> Result<()> {
    let mut file = begin(&batches.schema(), out)?;
    for batch in batches {
        file.write(&batch?)?;
    }
    finish(file).map(drop)
}

/// Starts a file.
pub(super) fn begin<W: Write>(schema: &SchemaRef, out: W) -> Result<FileWriter<BufWriter<W>>> {
    Ok(FileWriter::try_new(BufWriter::new(out), schema)?)
}

/// Ends a file.
pub(super) fn finish<W: Write>(file: FileWriter<BufWriter<W>>) -> Result<W> {
    // Also writes the end of the file.
    let out = file.into_inner()?;
    Ok(out.into_inner().map_err(std::io::IntoInnerError::into_error)?)
}

/// Reads the batches of an Arrow IPC file.
///
/// # Errors
///
/// Returns an error if the file cannot be read, or is none.
pub fn read(file: impl Read + Seek) -> Result<impl RecordBatchReader> {
    Ok(FileReader::try_new(BufReader::new(file), None)?)
}
