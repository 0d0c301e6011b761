use std::io::{BufWriter, Write};

use arrow_ipc::writer::FileWriter;
use arrow_schema::SchemaRef;

use super::{RecordBatches, from_arrow};
use crate::Result;

/// Writes record batches as an Arrow IPC file.
pub(crate) fn write(batches: RecordBatches<'_>, out: impl Write) -> Result<()> {
    let mut file = begin(&batches.schema(), out)?;
    for batch in batches {
        file.write(&batch?).map_err(from_arrow)?;
    }
    finish(file).map(drop)
}

/// Starts a file.
pub(super) fn begin<W: Write>(schema: &SchemaRef, out: W) -> Result<FileWriter<BufWriter<W>>> {
    FileWriter::try_new(BufWriter::new(out), schema).map_err(from_arrow)
}

/// Ends a file.
pub(super) fn finish<W: Write>(file: FileWriter<BufWriter<W>>) -> Result<W> {
    // Also writes the end of the file.
    let out = file.into_inner().map_err(from_arrow)?;
    Ok(out.into_inner().map_err(std::io::IntoInnerError::into_error)?)
}
