//! Tables and their string arrays as Arrow IPC files. `docs/formats/wpd.md`, Tables of values, has the columns.
//!
//! The schema says where the columns are from: `worldview.format`, `worldview.generation`, and where the table has
//! them `worldview.sheet_name` and `worldview.layout_version`.

use std::io::{BufWriter, Write};

use arrow_ipc::writer::FileWriter;
use arrow_schema::SchemaRef;
use worldview_wpd::Table;

use super::Selection;
use super::batch::{Batches, arrays as batches, from_arrow};
use crate::Result;

/// Writes the records, one a row: a column `record` with the record's name, then the fields.
///
/// # Errors
///
/// Those of writing; names that are not in the table; overlapping records or strings past the walk's limit.
pub fn table(table: &Table<'_>, selection: &Selection<'_>, out: impl Write) -> Result<()> {
    let mut batches = Batches::new(table, selection)?;
    let mut file = open(out, &batches.schema())?;
    while let Some(batch) = batches.next()? {
        file.write(&batch).map_err(from_arrow)?;
    }
    close(file)
}

/// Writes the string arrays, one a row: `field`, and `values`, a list of strings.
///
/// # Errors
///
/// Those of writing; overlapping arrays or strings past the walk's limit.
pub fn arrays(table: &Table<'_>, out: impl Write) -> Result<()> {
    let schema = batches::schema(table);
    let mut file = open(out, &schema)?;
    batches::each_batch(table, &schema, |batch| file.write(batch).map_err(from_arrow))?;
    close(file)
}

fn open<W: Write>(out: W, schema: &SchemaRef) -> Result<FileWriter<BufWriter<W>>> {
    FileWriter::try_new(BufWriter::new(out), schema).map_err(from_arrow)
}

fn close(mut file: FileWriter<BufWriter<impl Write>>) -> Result<()> {
    file.finish().map_err(from_arrow)?;
    file.get_mut().flush()?;
    Ok(())
}
