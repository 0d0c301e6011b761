//! Conversion of tables to Arrow record batches, each small enough to be held in memory.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float32Array, Int32Array, RecordBatch, StringArray, UInt32Array, UInt64Array};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use worldview_core::{Error, ErrorKind, Limit};
use worldview_wpd::{StringArray as Elements, Table, ValueType};

use super::Selection;
use super::budget::Budgets;
use super::cells::{Cells, Rows, Selected, TypedColumn};
use super::string_ends::StringEnds;
use crate::Result;
use crate::arrow::RecordBatches;
use crate::columns::{ALL_BYTES, BYTES, Division, ROW_BYTES, ROWS, within};
use records::Records;
use reused_buffer::ReusedBuffer;
use texts::Texts;
use worldview_inspect::utf8;

pub(super) mod arrays;
mod records;
mod reused_buffer;
mod texts;

/// Approximate number of values in a batch, small enough that they do not displace the strings from the cache.
const VALUES: usize = 1 << 16;
/// Size in bytes of the records that are processed at a time.
const BLOCK: usize = 32 << 10;
/// Maximum number of columns of a table. Each takes memory and space in the metadata of the file, however few rows
/// there are. The widest known table has 308 columns.
const COLUMNS: usize = 4096;

/// Returns the maximum size in bytes of the strings in a single row of a table: the size of the file plus an
/// allowance for small ones, or less if writing the strings makes them longer.
pub(super) fn row_strings(table: &Table<'_>, budgets: &Budgets) -> u64 {
    table.archive().source().len().saturating_add(BYTES).min(ROW_BYTES) / budgets.byte()
}

/// Returns the schema metadata that describes the table.
pub(super) fn metadata(table: &Table<'_>) -> HashMap<String, String> {
    let sheet = table.sheet_name().map(|name| ("sheet_name", utf8(name).into_owned()));
    let version = table.layout_version().map(|version| ("layout_version", format!("{version:#010x}")));
    let schema = super::schema_name(table).map(|name| ("schema", name.to_owned()));
    let generation = ("generation", table.generation().name().to_owned());
    let all = [Some(("format", "wdb".to_owned())), sheet, version, schema, Some(generation)];
    all.into_iter().flatten().map(|(key, value)| (format!("worldview.{key}"), value)).collect()
}

/// Returns the error for a row whose strings do not fit into a column.
pub(super) fn too_long(table: &Table<'_>, need: u64, limit: u64) -> Error {
    let source = table.archive().source();
    let kind = ErrorKind::Limit { of: Limit::Capacity, need, limit };
    Error::new(kind, "strings of one row of columns", source.base(), source.space())
}

/// Returns the selected records, one per row.
pub(super) fn records<'t>(
    table: &'t Table<'_>,
    selection: &Selection<'_>,
    division: Division,
) -> Result<RecordBatches<'t>> {
    let mut batches = Batches::new(table, selection, division)?;
    Ok(RecordBatches::new(SchemaRef::clone(&batches.schema), move || batches.next()))
}

/// Iterates over the batches of a table's records.
struct Batches<'t, 'a> {
    table: &'t Table<'a>,
    columns: Vec<Cells<'t, 'a>>,
    /// The value of the column `sheet`, if there is one.
    sheet: Option<Option<String>>,
    rows: Rows,
    ends: StringEnds<'t, 'a>,
    records: Records<'t, 'a>,
    budgets: Budgets,
    schema: SchemaRef,
    /// The names of the records, and the values of each field, for the batch being built.
    names: Texts,
    made: Vec<Values>,
    /// Scratch space for the offsets of a column's strings.
    offsets: Vec<u32>,
    next: usize,
    /// The number of rows in the next batch: the maximum, or fewer if strings are long.
    step: usize,
    most: usize,
    /// Whether all rows form a single batch.
    is_one: bool,
    /// Maximum size in bytes of the strings in a batch of several rows, and of a single row.
    strings: (u64, u64),
}

impl<'t, 'a> Batches<'t, 'a> {
    fn new(table: &'t Table<'a>, selection: &Selection<'_>, division: Division) -> Result<Self> {
        let Selected { rows, columns, sheet, budgets } = Selected::of(table, selection)?;
        if columns.len() > COLUMNS {
            let kind = ErrorKind::Limit { of: Limit::Capacity, need: columns.len() as u64, limit: COLUMNS as u64 };
            let source = table.archive().source();
            return Err(Error::new(kind, "number of columns", source.base(), source.space()).into());
        }
        let fields = columns.iter().map(|cells| {
            let (data_type, nullable) = match cells.field.kind().value_type() {
                ValueType::I32 => (DataType::Int32, false),
                ValueType::U32 => (DataType::UInt32, false),
                ValueType::F32 => (DataType::Float32, false),
                ValueType::U64 => (DataType::UInt64, false),
                ValueType::Text => (DataType::Utf8, true),
            };
            Field::new(utf8(cells.field.name()), data_type, nullable)
        });
        let record = Field::new("record", DataType::Utf8, false);
        let sheet_field = sheet.as_ref().map(|_| Field::new("sheet", DataType::Utf8, true));
        let fields: Vec<_> = std::iter::once(record).chain(sheet_field).chain(fields).collect();
        let schema = Arc::new(Schema::new_with_metadata(fields, metadata(table)));
        // All names of a batch are in one column, and each has up to 16 bytes.
        let bytes_of_names = (rows.len() as u64).saturating_mul(16);
        let (most, strings) = match division {
            Division::Many { rows } => {
                let most = (VALUES / schema.fields().len()).clamp(64, ROWS).min(rows);
                (most, (BYTES / budgets.byte(), row_strings(table, &budgets)))
            }
            Division::One => {
                within(bytes_of_names, ALL_BYTES, too_long(table, 0, 0))?;
                (rows.len(), (ALL_BYTES, ALL_BYTES))
            }
        };
        let bytes_of_sheet = sheet.iter().flatten().map(String::len).sum::<usize>() as u64;
        within(bytes_of_sheet.saturating_mul(most as u64), ALL_BYTES, too_long(table, 0, 0))?;
        let texts =
            columns.iter().filter(|cells| matches!(cells.column, TypedColumn::Text(_) | TypedColumn::Element(_)));
        let ends = StringEnds::of(table, texts.count().saturating_mul(rows.len()));
        let (names, made) = (Texts::new(), columns.iter().map(Values::of).collect());
        let (records, offsets) = (Records::new(table), Vec::new());
        let (next, step, is_one) = (0, most, matches!(division, Division::One));
        Ok(Self {
            table,
            columns,
            sheet,
            rows,
            ends,
            records,
            budgets,
            schema,
            names,
            made,
            offsets,
            next,
            step,
            most,
            is_one,
            strings,
        })
    }

    /// Returns the next batch, or `None` after the last one.
    fn next(&mut self) -> Result<Option<RecordBatch>> {
        while self.next < self.rows.len() {
            let count = self.step.min(self.rows.len() - self.next);
            self.begin(count);
            let mut strings = 0;
            if self.fill(count, &mut strings) {
                self.budgets.text(strings)?;
                self.next += count;
                self.step = self.most.min(2 * self.step);
                let names: ArrayRef = Arc::new(self.names.finish());
                let sheet = self.sheet.as_ref().map(|sheet| -> ArrayRef {
                    Arc::new(std::iter::repeat_n(sheet.as_deref(), count).collect::<StringArray>())
                });
                let columns =
                    std::iter::once(names).chain(sheet).chain(self.made.iter_mut().map(Values::finish)).collect();
                return Ok(Some(RecordBatch::try_new(Arc::clone(&self.schema), columns)?));
            }
            if count == 1 || self.is_one {
                return Err(too_long(self.table, strings, self.strings.1).into());
            }
            self.step = count.div_ceil(2);
        }
        Ok(None)
    }

    /// Clears the columns.
    fn begin(&mut self, count: usize) {
        self.names.begin(count);
        self.made.iter_mut().for_each(|values| values.begin(count));
    }

    /// Fills the columns with the next rows. Returns `false` if their strings are too long.
    fn fill(&mut self, count: usize, strings: &mut u64) -> bool {
        let limit = if count > 1 { self.strings.0 } else { self.strings.1 };
        let Self { table, columns, rows, ends, records, names, made, offsets, .. } = self;
        // Process all columns for a block of records before the next block, so that the records stay in the cache.
        let block = (BLOCK / records.size().max(1)).max(16);
        let end = self.next + count;
        for from in (self.next..end).step_by(block) {
            records.turn_to(rows, from..end.min(from + block));
            names.extend_names(records.entries());
            for (values, cells) in made.iter_mut().zip(columns.iter()) {
                let (field, count) = (&*cells.field, records.entries().len());
                match values {
                    Values::I32(values) => values.extend(count, |out| records.signed(field, out)),
                    Values::U32(values) => values.extend(count, |out| records.unsigned(field, out)),
                    Values::F32(values) => values.extend(count, |out| records.whole(field, out, f32::from_be_bytes)),
                    Values::U64(values) => values.extend(count, |out| records.whole(field, out, u64::from_be_bytes)),
                    Values::Text(texts) => {
                        offsets.resize(count, 0);
                        records.unsigned(field, offsets);
                        if let Some(array) = field.array() {
                            to_offsets(table.string_arrays().get(array), offsets);
                        }
                        let before = texts.len();
                        let done = texts.extend(offsets, ends, before + limit - *strings);
                        *strings += texts.len() - before;
                        if !done {
                            return false;
                        }
                    }
                }
            }
        }
        true
    }
}

/// Replaces the indices of elements with the offsets of their strings, or with an invalid offset if there is no
/// string.
fn to_offsets(array: Option<Elements<'_, '_>>, elements: &mut [u32]) {
    let offset = |index: u32| array.and_then(|array| array.offset(usize::try_from(index).ok()?)).unwrap_or(u32::MAX);
    elements.iter_mut().for_each(|element| *element = offset(*element));
}

/// The values of a column being built.
enum Values {
    I32(ReusedBuffer<i32>),
    U32(ReusedBuffer<u32>),
    F32(ReusedBuffer<f32>),
    U64(ReusedBuffer<u64>),
    Text(Texts),
}

impl Values {
    fn of(cells: &Cells<'_, '_>) -> Self {
        match cells.column {
            TypedColumn::I32(_) => Self::I32(ReusedBuffer::new()),
            TypedColumn::U32(_) => Self::U32(ReusedBuffer::new()),
            TypedColumn::F32(_) => Self::F32(ReusedBuffer::new()),
            TypedColumn::U64(_) => Self::U64(ReusedBuffer::new()),
            TypedColumn::Text(_) | TypedColumn::Element(_) => Self::Text(Texts::new()),
        }
    }

    fn begin(&mut self, count: usize) {
        match self {
            Self::I32(values) => values.begin(),
            Self::U32(values) => values.begin(),
            Self::F32(values) => values.begin(),
            Self::U64(values) => values.begin(),
            Self::Text(texts) => texts.begin(count),
        }
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            Self::I32(values) => Arc::new(Int32Array::new(values.lend().into(), None)),
            Self::U32(values) => Arc::new(UInt32Array::new(values.lend().into(), None)),
            Self::F32(values) => Arc::new(Float32Array::new(values.lend().into(), None)),
            Self::U64(values) => Arc::new(UInt64Array::new(values.lend().into(), None)),
            Self::Text(texts) => Arc::new(texts.finish()),
        }
    }
}
