use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use worldview_wpd::{StringArray, Table};

use super::{ROWS, STRINGS, from_arrow, metadata, row_strings, too_long};
use crate::Result;
use crate::wdb::cells::arrays;
use crate::wdb::purse::Purse;
use worldview_inspect::utf8;

/// The columns of the string arrays: `field`, and `values`, a list of strings.
pub(in crate::wdb) fn schema(table: &Table<'_>) -> SchemaRef {
    let values = DataType::List(Arc::new(Field::new_list_field(DataType::Utf8, true)));
    let fields = vec![Field::new("field", DataType::Utf8, false), Field::new("values", values, false)];
    Arc::new(Schema::new_with_metadata(fields, metadata(table)))
}

/// Gives the string arrays to `write`, a row an array, in batches.
pub(in crate::wdb) fn each_batch(
    table: &Table<'_>,
    schema: &SchemaRef,
    mut write: impl FnMut(&RecordBatch) -> Result<()>,
) -> Result<()> {
    let mut purse = Purse::new(table);
    let (mut batch, of_row) = (Batch::default(), row_strings(table, &purse));
    for (field, array) in arrays(table) {
        purse.array(&array)?;
        // What an element takes besides its string.
        let mut bytes = array.len().saturating_mul(8);
        let most = of_row.saturating_add(bytes);
        for text in array.iter().flatten() {
            // Paid for one by one: to find out how long all of them are is work enough where they are one.
            purse.text(text.len() as u64)?;
            bytes = bytes.saturating_add(text.len() as u64);
            if bytes > most {
                return Err(too_long(table, bytes, of_row));
            }
        }
        if batch.rows > 0 && (batch.rows == ROWS || batch.bytes + bytes > STRINGS) {
            write(&batch.take(schema)?)?;
        }
        batch.push(field.name(), &array, bytes);
    }
    if batch.rows > 0 {
        write(&batch.take(schema)?)?;
    }
    Ok(())
}

#[derive(Default)]
struct Batch {
    fields: StringBuilder,
    values: ListBuilder<StringBuilder>,
    rows: usize,
    bytes: u64,
}

impl Batch {
    fn push(&mut self, field: &[u8], array: &StringArray<'_, '_>, bytes: u64) {
        self.fields.append_value(utf8(field));
        for value in array.iter() {
            match value {
                Some(value) => self.values.values().append_value(utf8(value)),
                None => self.values.values().append_null(),
            }
        }
        self.values.append(true);
        self.rows += 1;
        self.bytes += bytes;
    }

    fn take(&mut self, schema: &SchemaRef) -> Result<RecordBatch> {
        let Self { mut fields, mut values, .. } = std::mem::take(self);
        let columns: Vec<arrow_array::ArrayRef> = vec![Arc::new(fields.finish()), Arc::new(values.finish())];
        RecordBatch::try_new(Arc::clone(schema), columns).map_err(from_arrow)
    }
}
