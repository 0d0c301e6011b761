//! Tables as batches of Arrow columns, each small enough to be in memory.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float32Array, Int32Array, RecordBatch, UInt32Array, UInt64Array};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use worldview_core::{Error, ErrorKind};
use worldview_wpd::{Column, ColumnType, Table, ValueType};

use super::Selection;
use super::cells::{Cells, Rows, Typed, columns};
use super::purse::Purse;
use super::write::utf8;
use crate::Result;
use texts::Texts;

pub(super) mod arrays;
mod texts;

/// Rows of a batch, at the most.
const ROWS: usize = 8192;
/// Values of a batch, about: few enough that it does not drive the strings out of the cache.
const VALUES: usize = 1 << 16;
/// Bytes of the records that are taken apart at a time.
const BLOCK: usize = 32 << 10;
/// Bytes of a batch's strings, if it has more than one row.
pub(super) const STRINGS: u64 = 32 << 20;
/// Bytes of the strings of a single row: eight times that no column can hold, and bytes that are no text take four.
pub(super) const ROW_STRINGS: u64 = 1 << 28;

/// What a schema says of the table that its columns are from.
pub(super) fn metadata(table: &Table<'_>) -> HashMap<String, String> {
    let sheet = table.sheet_name().map(|name| ("sheet_name", utf8(name).into_owned()));
    let version = table.layout_version().map(|version| ("layout_version", format!("{version:#010x}")));
    let generation = ("generation", table.generation().name().to_owned());
    let all = [Some(("format", "wdb".to_owned())), sheet, version, Some(generation)];
    all.into_iter().flatten().map(|(key, value)| (format!("worldview.{key}"), value)).collect()
}

/// The error of a row whose strings no column holds.
pub(super) fn too_long(table: &Table<'_>, need: u64) -> crate::Error {
    let source = table.archive().source();
    let kind = ErrorKind::Limit { need, limit: ROW_STRINGS };
    Error::new(kind, "strings of one row of columns", source.base(), source.space()).into()
}

/// The batches of a table's records.
pub(super) struct Batches<'t, 'a> {
    table: &'t Table<'a>,
    columns: Vec<Cells<'t, 'a>>,
    rows: Rows,
    purse: Purse,
    schema: SchemaRef,
    next: usize,
    /// Rows of the next batch: as many as a batch may have, fewer where strings are long.
    step: usize,
    most: usize,
}

impl<'t, 'a> Batches<'t, 'a> {
    pub(super) fn new(table: &'t Table<'a>, selection: &Selection<'_>) -> Result<Self> {
        let columns = columns(table, selection)?;
        let rows = Rows::of(table, selection)?;
        let mut purse = Purse::new(table);
        purse.rows(table, &rows)?;
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
        let fields: Vec<_> = std::iter::once(record).chain(fields).collect();
        let schema = Arc::new(Schema::new_with_metadata(fields, metadata(table)));
        let most = (VALUES / schema.fields().len()).clamp(64, ROWS);
        Ok(Self { table, columns, rows, purse, schema, next: 0, step: most, most })
    }

    pub(super) fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    /// The next batch; none after the last.
    pub(super) fn next(&mut self) -> Result<Option<RecordBatch>> {
        while self.next < self.rows.len() {
            let count = self.step.min(self.rows.len() - self.next);
            let mut build = Build { batches: self, from: self.next, count, strings: 0 };
            match build.columns() {
                Some(columns) => {
                    let strings = build.strings;
                    self.purse.text(strings)?;
                    self.next += count;
                    self.step = self.most.min(2 * self.step);
                    return Ok(Some(RecordBatch::try_new(self.schema(), columns).map_err(from_arrow)?));
                }
                None if count > 1 => self.step = count.div_ceil(2),
                None => return Err(too_long(self.table, build.strings)),
            }
        }
        Ok(None)
    }
}

/// One batch in the making.
struct Build<'b, 't, 'a> {
    batches: &'b Batches<'t, 'a>,
    from: usize,
    count: usize,
    strings: u64,
}

impl<'a> Build<'_, '_, 'a> {
    /// The columns; none where there are too many bytes of strings in them.
    fn columns(&mut self) -> Option<Vec<ArrayRef>> {
        let Batches { table, columns, rows, .. } = self.batches;
        let mut names = Texts::with_capacity(self.count);
        let mut made: Vec<_> = columns.iter().map(|cells| Values::with_capacity(cells, self.count)).collect();
        // All columns of a few records, and then of the next: the records do not leave the cache in between.
        let size = usize::try_from(table.record_size()).unwrap_or(usize::MAX);
        let block = (BLOCK / size.max(1)).max(16);
        let end = self.from + self.count;
        for from in (self.from..end).step_by(block) {
            let block = from..end.min(from + block);
            let rows = |at: usize| rows.at(at);
            block.clone().for_each(|at| names.push(table.row_at(rows(at)).map(|row| row.name())));
            for (values, cells) in made.iter_mut().zip(columns) {
                let rows = block.clone().map(rows);
                match (values, &cells.column) {
                    (Values::I32(values), Typed::I32(column)) => numbers(values, column, rows),
                    (Values::U32(values), Typed::U32(column)) => numbers(values, column, rows),
                    (Values::F32(values), Typed::F32(column)) => numbers(values, column, rows),
                    (Values::U64(values), Typed::U64(column)) => numbers(values, column, rows),
                    (Values::Text(texts), Typed::Text(column)) => {
                        self.texts(texts, rows.map(|row| column.get(row).flatten()))?;
                    }
                    (Values::Text(texts), Typed::Element(column)) => {
                        self.texts(texts, rows.map(|row| column.get(row)?.text))?;
                    }
                    // Each was made for its column.
                    _ => {}
                }
            }
        }
        let columns = std::iter::once(Values::Text(names)).chain(made).map(Values::finish);
        Some(columns.collect())
    }

    fn texts(&mut self, made: &mut Texts, texts: impl Iterator<Item = Option<&'a [u8]>>) -> Option<()> {
        let limit = if self.count > 1 { STRINGS } else { ROW_STRINGS };
        for text in texts {
            self.strings += text.map_or(0, |text| text.len() as u64);
            if self.strings > limit {
                return None;
            }
            made.push(text);
        }
        Some(())
    }
}

fn numbers<'a, T: ColumnType<'a> + Default>(
    made: &mut Vec<T>,
    column: &Column<'_, 'a, T>,
    rows: impl Iterator<Item = usize>,
) {
    made.extend(rows.map(|row| column.get(row).unwrap_or_default()));
}

/// The values of a column, as far as they are there.
enum Values {
    I32(Vec<i32>),
    U32(Vec<u32>),
    F32(Vec<f32>),
    U64(Vec<u64>),
    Text(Texts),
}

impl Values {
    fn with_capacity(cells: &Cells<'_, '_>, count: usize) -> Self {
        match cells.column {
            Typed::I32(_) => Self::I32(Vec::with_capacity(count)),
            Typed::U32(_) => Self::U32(Vec::with_capacity(count)),
            Typed::F32(_) => Self::F32(Vec::with_capacity(count)),
            Typed::U64(_) => Self::U64(Vec::with_capacity(count)),
            Typed::Text(_) | Typed::Element(_) => Self::Text(Texts::with_capacity(count)),
        }
    }

    fn finish(self) -> ArrayRef {
        match self {
            Self::I32(values) => Arc::new(Int32Array::from(values)),
            Self::U32(values) => Arc::new(UInt32Array::from(values)),
            Self::F32(values) => Arc::new(Float32Array::from(values)),
            Self::U64(values) => Arc::new(UInt64Array::from(values)),
            Self::Text(texts) => Arc::new(texts.finish()),
        }
    }
}

/// The errors of writing, if they are those that lie behind Arrow's.
pub(super) fn from_arrow(error: ArrowError) -> crate::Error {
    match error {
        ArrowError::IoError(_, error) => error.into(),
        other => std::io::Error::other(other).into(),
    }
}
