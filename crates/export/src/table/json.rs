//! Exports records and string arrays of tables as NDJSON. The shape is documented in
//! [JSON](worldview_wpd::format#json).

use std::borrow::Cow;
use std::io::Write;

use worldview_wpd::{Table, Value};

use super::budget::Budgets;
use super::cells::{Cells, Selected, arrays as arrays_of};
use super::pool::Pool;
use super::{Selection, WORDS, Words};
use crate::Result;
use crate::write::{self, Out};
use worldview_inspect::Bound;
use worldview_inspect::utf8;

/// Writes the records as NDJSON: one JSON object per line, `record` first, then the fields by their names, and the
/// bits that no field owns where one is set.
///
/// ```
/// # use worldview_corpus::ff13::{build::build_table, spec::{CellSpec, Generation, TableSpec}};
/// use worldview_export::table::{Selection, json};
/// use worldview_wpd::Table;
///
/// # let spec = TableSpec::new(Generation::G3, &["iPrice", "fWeight"]);
/// # let file = build_table(&spec.row("potion", [CellSpec::Int(50), CellSpec::Float(0.5_f32.to_bits())])).bytes;
/// let table = Table::parse(&file)?;
/// let mut out = Vec::new();
/// json::records(&table, &Selection::ALL.fields(&[b"iPrice"]), &mut out)?;
/// assert_eq!(out, b"{\"record\":\"potion\",\"iPrice\":50}\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Returns an error if:
///
/// - the selection names records or fields that the table does not have
/// - overlapping records or repeated strings exceed the bound on the work, or the output exceeds its bound
/// - writing to `out` fails
pub fn records(table: &Table<'_>, selection: &Selection<'_>, out: impl Write) -> Result<()> {
    let Selected { rows, columns, sheet, mut budgets } = Selected::of(table, selection)?;
    budgets.names(columns.iter().map(|cells| &*cells.field), rows.len() as u64)?;
    let mut out = Out::new(out, Bound::of(table.archive().source()));
    let records = Records::new(table, &columns, sheet.as_ref(), selection.words);
    for row in rows.iter() {
        records.write(row, &mut budgets, &mut out)?;
        out.end_row()?;
    }
    out.finish()
}

/// Writes the string arrays as NDJSON: one JSON object per line, with `field` and `values`.
///
/// # Errors
///
/// Returns an error if overlapping arrays or repeated strings exceed the work limit, if the output exceeds its
/// limit, or if writing to `out` fails.
pub fn arrays(table: &Table<'_>, out: impl Write) -> Result<()> {
    let pool = Pool::of(table);
    let mut budgets = Budgets::new(table);
    let mut out = Out::new(out, Bound::of(table.archive().source()));
    for (field, array) in arrays_of(table) {
        budgets.array(&array)?;
        out.put(b"{\"field\":");
        name(field.name(), &mut out.bytes);
        out.put(b",\"values\":");
        values(array.iter(), &pool, &mut budgets, &mut out)?;
        out.put(b"}");
        out.end_row()?;
    }
    out.finish()
}

/// Writes records, with the names of the fields escaped once.
struct Records<'c, 't, 'a> {
    table: &'t Table<'a>,
    /// What follows the record's name.
    sheet: Vec<u8>,
    columns: Vec<(Key, &'c Cells<'t, 'a>)>,
    pool: Pool<'a>,
    words: Option<&'c Words>,
}

impl<'c, 't, 'a> Records<'c, 't, 'a> {
    fn new(
        table: &'t Table<'a>,
        columns: &'c [Cells<'t, 'a>],
        name_of_sheet: Option<&Option<String>>,
        words: Option<&'c Words>,
    ) -> Self {
        let mut sheet = Vec::new();
        if let Some(name) = name_of_sheet {
            sheet.extend_from_slice(b",\"sheet\":");
            match name {
                Some(name) => escaped(name, &mut sheet),
                None => sheet.extend_from_slice(b"null"),
            }
        }
        let columns = columns.iter().map(|cells| (Key::of(cells.field.name()), cells));
        Self { table, sheet, columns: columns.collect(), pool: Pool::of(table), words }
    }

    #[inline]
    fn write(&self, row: usize, budgets: &mut Budgets, out: &mut Out<impl Write>) -> Result<()> {
        out.put(b"{\"record\":");
        name(self.table.get(row).map_or(&[], |row| row.name()), &mut out.bytes);
        out.put(&self.sheet);
        for (key, cells) in &self.columns {
            key.put(&mut out.bytes);
            match cells.get(row) {
                Some(Value::I32(value)) => write::int(value, &mut out.bytes),
                Some(Value::U32(value)) => write::int(value, &mut out.bytes),
                Some(Value::F32(value)) => float(value, &mut out.bytes),
                Some(Value::U64(value)) => write::int(value, &mut out.bytes),
                Some(Value::Text(text)) => {
                    nullable(text, &self.pool, budgets, out)?;
                    if let Some(words) = self.words.and_then(|words| words.of(text?)) {
                        out.put(b",");
                        escaped(&[&*utf8(cells.field.name()), WORDS].concat(), &mut out.bytes);
                        out.put(b":");
                        escaped(words, &mut out.bytes);
                    }
                }
                None => out.put(b"null"),
            }
        }
        out.put(b"}");
        out.flush_if_full()
    }
}

/// The name of a field between its comma and colon, padded to [`USUAL`](Self::USUAL).
struct Key {
    bytes: Vec<u8>,
    /// The length without the padding.
    len: usize,
}

impl Key {
    /// The length that most keys do not exceed.
    const USUAL: usize = 32;

    fn of(field: &[u8]) -> Self {
        let mut bytes = Vec::with_capacity(Self::USUAL.max(field.len() + 4));
        bytes.push(b',');
        name(field, &mut bytes);
        bytes.push(b':');
        let len = bytes.len();
        bytes.resize(len.max(Self::USUAL), b' ');
        Self { bytes, len }
    }

    /// Appends the key. Copying a fixed number of bytes takes no call.
    #[inline]
    fn put(&self, out: &mut Vec<u8>) {
        match self.bytes.first_chunk::<{ Self::USUAL }>() {
            Some(bytes) if self.len <= Self::USUAL => {
                let end = out.len() + self.len;
                out.extend_from_slice(bytes);
                out.truncate(end);
            }
            _ => out.extend_from_slice(&self.bytes),
        }
    }
}

fn values<'a>(
    values: impl Iterator<Item = Option<&'a [u8]>>,
    pool: &Pool<'a>,
    budgets: &mut Budgets,
    out: &mut Out<impl Write>,
) -> Result<()> {
    out.put(b"[");
    for (index, value) in values.enumerate() {
        if index > 0 {
            out.put(b",");
        }
        nullable(value, pool, budgets, out)?;
    }
    out.put(b"]");
    Ok(())
}

/// Writes a string, or null if the reference dangles.
#[inline]
fn nullable<'a>(
    text: Option<&'a [u8]>,
    pool: &Pool<'a>,
    budgets: &mut Budgets,
    out: &mut Out<impl Write>,
) -> Result<()> {
    match text {
        Some(text) => {
            budgets.text(text.len() as u64)?;
            let text = pool.utf8(text);
            // Text with escaped invalid bytes has backslashes that the pool does not have.
            if let (true, Cow::Borrowed(text)) = (pool.plain_in_json, &text) {
                out.put(b"\"");
                out.put(text.as_bytes());
                out.put(b"\"");
            } else {
                escaped(&text, &mut out.bytes);
            }
        }
        None => out.put(b"null"),
    }
    out.flush_if_full()
}

#[inline]
fn float(value: f32, out: &mut Vec<u8>) {
    if !write::number(value, out) {
        out.push(b'"');
        write::not_finite(value, out);
        out.push(b'"');
    }
}

/// Appends a name. Names are almost always plain ASCII.
#[inline]
fn name(name: &[u8], out: &mut Vec<u8>) {
    if name.iter().fold(true, |all, &byte| all & matches!(byte, b' '..=b'~') & !matches!(byte, b'"' | b'\\')) {
        out.push(b'"');
        out.extend_from_slice(name);
        out.push(b'"');
    } else {
        escaped(&utf8(name), out);
    }
}

fn escaped(text: &str, out: &mut Vec<u8>) {
    // Writing to a vector cannot fail.
    let _ = serde_json::to_writer(out, text);
}
