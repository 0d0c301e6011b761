//! The limits for tables: their bytes converted to columns by loops with ready plans, and their strings where they are.

use std::io::Cursor;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float32Array, Int32Array, RecordBatch, StringArray, UInt32Array};
use arrow_buffer::{ArrowNativeType, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_ipc::reader::FileReader;
use arrow_ipc::writer::FileWriter;
use worldview::wpd::{Table, Value, ValueType};
use worldview_export::table::{Selection, arrow};

/// Returns the rows of CSV, with the head. Panics if it is no CSV.
pub fn sheet(text: &[u8]) -> Vec<csv::ByteRecord> {
    let rows = csv::ReaderBuilder::new().has_headers(false).from_reader(text).into_byte_records();
    rows.map(|row| row.expect("the text is CSV")).collect()
}

/// Returns the columns of a table as arrays. Panics if the table cannot be exported.
pub fn batches(table: &Table<'_>) -> Vec<RecordBatch> {
    let mut file = Vec::new();
    arrow::records(table, &Selection::ALL, &mut file).expect("it is written to memory");
    let batches = FileReader::try_new(Cursor::new(file), None).expect("the file is Arrow IPC");
    batches.map(|batch| batch.expect("the file is complete")).collect()
}

/// The cells of a table as they are written to CSV, row by row: strings in the table's own bytes, other cells in the finished CSV.
/// Panics if the CSV is not that of the table.
pub fn cells<'c>(table: &Table<'c>, sheet: &'c [csv::ByteRecord]) -> Vec<&'c [u8]> {
    let mut cells: Vec<&[u8]> = sheet.first().expect("a head").iter().collect();
    for (row, record) in table.rows().zip(sheet.get(1..).unwrap_or(&[])) {
        cells.push(row.name());
        cells.extend(record.iter().skip(1).zip(row.values()).map(|(cell, (_, value))| match value {
            Value::Text(Some(text)) if text == cell => text,
            _ => cell,
        }));
    }
    assert!(cells.iter().copied().eq(sheet.iter().flatten()), "the cells of another table");
    cells
}

/// A table with a ready plan for the conversion of its records to columns.
#[derive(Debug)]
pub struct Columns<'a> {
    file: &'a [u8],
    /// All records, one after the other.
    records: &'a [u8],
    size: usize,
    names: Texts,
    fields: Vec<Field>,
    /// A batch with the same schema and the same number of rows for each that is written.
    batches: Vec<RecordBatch>,
}

#[derive(Debug)]
struct Field {
    at: usize,
    left: u32,
    right: u32,
    kind: Kind,
    numbers: Kept<u32>,
}

#[derive(Debug)]
enum Kind {
    Signed,
    Unsigned,
    Float,
    Text(Texts),
}

/// Every field of a table: its numbers with ready shifts, and its strings at ready offsets.
#[derive(Debug)]
pub struct Fields<'a> {
    plan: Columns<'a>,
    /// The offset in the file of every string that is not missing.
    strings: Vec<u32>,
}

impl<'a> Fields<'a> {
    /// Makes the plan for a table whose records are contiguous. Panics if the table has numbers of 64 bits.
    pub fn new(file: &'a [u8], table: &Table<'a>) -> Self {
        let plan = Columns::new(file, table, Vec::new());
        let texts = plan.fields.iter().filter_map(|field| match &field.kind {
            Kind::Text(texts) => Some(texts.spans.iter().map(|(at, _)| *at).filter(|at| *at != NULL)),
            _ => None,
        });
        let strings = texts.flatten().collect();
        Self { plan, strings }
    }

    /// Returns the sum of all numbers and of the lengths of all strings. Panics if a string does not end.
    pub fn digest(&self) -> u32 {
        // Records that stay in the cache while their fields are read.
        const RECORDS: usize = 256;
        let Columns { file, records, size, fields, .. } = &self.plan;
        let mut sum = 0_u32;
        for records in records.chunks(RECORDS * size) {
            let numbers = fields.iter().filter(|field| !matches!(field.kind, Kind::Text(_)));
            for &Field { at, left, right, ref kind, .. } in numbers {
                let words = records.chunks_exact(*size).map(|record| {
                    let word = record.get(at..).and_then(|rest| rest.first_chunk()).copied();
                    u32::from_be_bytes(word.unwrap_or_default()) << left
                });
                sum = sum.wrapping_add(match kind {
                    Kind::Signed => {
                        words.map(|word| (word.cast_signed() >> right).cast_unsigned()).fold(0, u32::wrapping_add)
                    }
                    _ => words.map(|word| word >> right).fold(0, u32::wrapping_add),
                });
            }
        }
        let length = |at: &u32| u32::try_from(memchr::memchr(0, file.get(*at as usize..)?)?).ok();
        self.strings.iter().map(|at| length(at).expect("a string ends")).fold(sum, u32::wrapping_add)
    }
}

/// The offsets and lengths of strings in the file.
#[derive(Debug, Default)]
struct Texts {
    spans: Vec<(u32, u32)>,
    bytes: Kept<u8>,
    ends: Kept<i32>,
}

/// A list that is lent to a batch and used again for the next.
#[derive(Debug)]
struct Kept<T> {
    list: Vec<T>,
    lent: Option<Buffer>,
}

impl<T> Default for Kept<T> {
    fn default() -> Self {
        Self { list: Vec::new(), lent: None }
    }
}

impl<T: ArrowNativeType> Kept<T> {
    /// Takes the list back, with room for `len` elements.
    fn begin(&mut self, len: usize) -> &mut [T] {
        if let Some(Ok(list)) = self.lent.take().map(Buffer::into_vec) {
            self.list = list;
        }
        if self.list.len() < len {
            self.list.resize(len, T::default());
        }
        &mut self.list
    }

    fn lend(&mut self, len: usize) -> Buffer {
        let buffer = Buffer::from_vec(std::mem::take(&mut self.list));
        let filled = buffer.slice_with_length(0, len * size_of::<T>());
        self.lent = Some(buffer);
        filled
    }
}

/// The offset of a null in a list of spans.
const NULL: u32 = u32::MAX;

impl Texts {
    fn new<'a>(file: &[u8], texts: impl Iterator<Item = Option<&'a [u8]>>) -> Self {
        let number = |number: usize| u32::try_from(number).expect("the file has less than 4 GiB");
        let span = |text: Option<&[u8]>| match text {
            Some(text) => (number(text.as_ptr().addr() - file.as_ptr().addr()), number(text.len())),
            None => (NULL, 0),
        };
        Self { spans: texts.map(span).collect(), ..Self::default() }
    }

    /// Gathers the strings of some rows.
    #[expect(clippy::indexing_slicing, reason = "the list has room for all strings and another")]
    fn gather(&mut self, file: &[u8], rows: std::ops::Range<usize>) -> ArrayRef {
        const CHUNK: usize = 32;
        let spans = self.spans.get(rows).expect("as many rows as in the table");
        let all: usize = spans.iter().map(|(_, len)| *len as usize).sum();
        let (bytes, ends) = (self.bytes.begin(all + CHUNK), self.ends.begin(spans.len() + 1));
        let (mut end, mut is_nullable) = (0, false);
        for (&(at, len), to) in spans.iter().zip(ends.iter_mut().skip(1)) {
            let (at, len) = (at as usize, len as usize);
            // Most strings are short, and a fixed number of bytes is copied faster.
            match file.get(at..at + CHUNK) {
                Some(from) if len <= CHUNK => bytes[end..end + CHUNK].copy_from_slice(from),
                _ => bytes[end..end + len].copy_from_slice(file.get(at..at + len).unwrap_or(&[])),
            }
            is_nullable |= at == NULL as usize;
            end += len;
            *to = i32::try_from(end).expect("a batch is small");
        }
        let nulls = is_nullable.then(|| NullBuffer::from_iter(spans.iter().map(|(at, _)| *at != NULL)));
        let ends = OffsetBuffer::new(ScalarBuffer::from(self.ends.lend(spans.len() + 1)));
        Arc::new(StringArray::new(ends, self.bytes.lend(end), nulls))
    }
}

impl Field {
    /// Swaps the bytes of a word of each record, and extracts the field's bits.
    fn convert(&mut self, records: &[u8], size: usize) -> ArrayRef {
        let count = records.len() / size;
        let out = self.numbers.begin(count);
        let (at, left, right) = (self.at, self.left, self.right);
        let words = records.chunks_exact(size).map(|record| {
            let word = record.get(at..).and_then(|rest| rest.first_chunk()).copied();
            u32::from_be_bytes(word.unwrap_or_default())
        });
        let words = words.zip(out);
        if left | right == 0 {
            words.for_each(|(word, out)| *out = word);
        } else if matches!(self.kind, Kind::Signed) {
            words.for_each(|(word, out)| *out = ((word << left).cast_signed() >> right).cast_unsigned());
        } else {
            words.for_each(|(word, out)| *out = word << left >> right);
        }
        let numbers = self.numbers.lend(count);
        match self.kind {
            Kind::Signed => Arc::new(Int32Array::new(numbers.into(), None)),
            Kind::Float => Arc::new(Float32Array::new(numbers.into(), None)),
            _ => Arc::new(UInt32Array::new(numbers.into(), None)),
        }
    }
}

impl<'a> Columns<'a> {
    /// Makes the plan for a table whose records are contiguous. Panics if the table has numbers of 64 bits.
    pub fn new(file: &'a [u8], table: &Table<'a>, batches: Vec<RecordBatch>) -> Self {
        let size = table.record_size() as usize;
        let first = table.get(0).expect("a record").entry().offset.get() as usize;
        let field = |field: &worldview::wpd::Field<'a>| {
            let right = 32 - u32::from(field.width()).min(32);
            let texts = table.rows().map(|row| match row.value(field) {
                Some(Value::Text(text)) => text,
                _ => None,
            });
            let kind = match field.kind().value_type() {
                ValueType::I32 => Kind::Signed,
                ValueType::U32 => Kind::Unsigned,
                ValueType::F32 => Kind::Float,
                ValueType::Text => Kind::Text(Texts::new(file, texts)),
                ValueType::U64 => unreachable!("numbers of 64 bits"),
            };
            Field {
                at: field.word() as usize * 4,
                left: right - u32::from(field.bit()),
                right,
                kind,
                numbers: Kept::default(),
            }
        };
        Self {
            file,
            records: file.get(first..first + size * table.len()).expect("contiguous records"),
            size,
            names: Texts::new(file, table.rows().map(|row| Some(row.name()))),
            fields: table.fields().iter().map(field).collect(),
            batches,
        }
    }

    /// Converts the records and writes them as an Arrow IPC file. Panics if the batches are not those of the table.
    pub fn write(&mut self, out: &mut Vec<u8>) {
        let Self { file, records, size, names, fields, batches } = self;
        let schema = batches.first().expect("a batch").schema();
        let mut writer = FileWriter::try_new(out, &schema).expect("it is written to memory");
        let mut from = 0;
        for batch in &*batches {
            let rows = from..from + batch.num_rows();
            let records = records.get(rows.start * *size..rows.end * *size).expect("as many records as rows");
            let columns = std::iter::once(names.gather(file, rows.clone())).chain(fields.iter_mut().map(|field| {
                match &mut field.kind {
                    Kind::Text(texts) => texts.gather(file, rows.clone()),
                    _ => field.convert(records, *size),
                }
            }));
            let made = RecordBatch::try_new(Arc::clone(&schema), columns.collect()).expect("columns of the schema");
            writer.write(&made).expect("it is written to memory");
            from = rows.end;
        }
        writer.finish().expect("it is written to memory");
    }
}
