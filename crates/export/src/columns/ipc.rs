use std::io::{BufWriter, Write};

use arrow_ipc::writer::FileWriter;

use super::{RecordBatches, from_arrow};
use crate::Result;

/// Writes record batches as an Arrow IPC file.
pub(crate) fn write(batches: RecordBatches<'_>, out: impl Write) -> Result<()> {
    let mut file = FileWriter::try_new(BufWriter::new(out), &batches.schema()).map_err(from_arrow)?;
    for batch in batches {
        file.write(&batch?).map_err(from_arrow)?;
    }
    file.finish().map_err(from_arrow)?;
    file.get_mut().flush()?;
    Ok(())
}
