use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use worldview_wpd::{Field as TableField, StringArray, Table};

use super::{metadata, row_strings, too_long};
use crate::Result;
use crate::arrow::RecordBatches;
use crate::columns::{ALL_BYTES, Division, Rows, divide};
use crate::table::budget::Budgets;
use crate::table::cells::arrays;
use worldview_inspect::utf8;

/// Returns the columns of the string arrays: `field`, and `values`, a list of strings.
fn schema(table: &Table<'_>) -> SchemaRef {
    let values = DataType::List(Arc::new(Field::new_list_field(DataType::Utf8, true)));
    let fields = vec![Field::new("field", DataType::Utf8, false), Field::new("values", values, false)];
    Arc::new(Schema::new_with_metadata(fields, metadata(table)))
}

/// Returns the string arrays, one per row.
pub(in crate::table) fn batches<'t>(table: &'t Table<'_>, division: Division) -> RecordBatches<'t> {
    let mut budgets = Budgets::new(table);
    let of_row = match division {
        Division::Many { .. } => row_strings(table, &budgets),
        Division::One => ALL_BYTES,
    };
    let rows = arrays(table).map(move |(field, array)| {
        budgets.array(&array)?;
        // The size of an element without its string.
        let mut bytes = (array.len() as u64).saturating_mul(8);
        let most = of_row.saturating_add(bytes);
        for text in array.iter().flatten() {
            // Charged one by one, because even adding up all lengths takes long if they all refer to the same string.
            budgets.text(text.len() as u64)?;
            bytes = bytes.saturating_add(text.len() as u64);
            if bytes > most {
                return Err(too_long(table, bytes, of_row).into());
            }
        }
        Ok(((field, array), bytes))
    });
    divide(schema(table), division, rows, Columns::default(), too_long(table, 0, of_row))
}

#[derive(Default)]
struct Columns {
    fields: StringBuilder,
    values: ListBuilder<StringBuilder>,
}

impl Rows<(&TableField<'_>, StringArray<'_, '_>)> for Columns {
    fn push(&mut self, (field, array): (&TableField<'_>, StringArray<'_, '_>)) -> Result<()> {
        self.fields.append_value(utf8(field.name()));
        for value in array.iter() {
            match value {
                Some(value) => self.values.values().append_value(utf8(value)),
                None => self.values.values().append_null(),
            }
        }
        self.values.append(true);
        Ok(())
    }

    fn finish(&mut self) -> Vec<ArrayRef> {
        vec![Arc::new(self.fields.finish()), Arc::new(self.values.finish())]
    }
}
