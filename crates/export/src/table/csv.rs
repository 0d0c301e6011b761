//! Tables and their string arrays as CSV: UTF-8, commas, a header line.

use std::io::Write;

use worldview_wpd::{Table, Value};

use super::Selection;
use super::cells::{Rows, arrays as arrays_of, columns};
use super::purse::Purse;
use super::write::{self, Out, Pool, quoted_in_csv};
use crate::Result;
use worldview_inspect::Bound;
use worldview_inspect::utf8;

/// Writes the records, one a row: a column `record` with the record's name, then the fields.
///
/// The cell of a dangling string is empty, like that of an empty one.
///
/// # Errors
///
/// Those of writing; names that are not in the table; overlapping records or strings past the walk's limit.
pub fn table(table: &Table<'_>, selection: &Selection<'_>, out: impl Write) -> Result<()> {
    let columns = columns(table, selection)?;
    let rows = Rows::of(table, selection)?;
    let mut purse = Purse::new(table);
    purse.rows(table, rows.len())?;
    let pool = Pool::of(table);
    let mut out = Out::new(out, Bound::of(table.archive().source()));
    out.put(b"record");
    for cells in &columns {
        out.put(b",");
        name(cells.field.name(), &mut out.bytes);
        out.settle()?;
    }
    out.put(b"\n");
    for row in rows.iter() {
        let row_name = table.row_at(row).map_or(&[][..], |row| row.name());
        if row_name.is_empty() && columns.is_empty() {
            // An empty line would be no row at all.
            out.put(b"\"\"");
        }
        name(row_name, &mut out.bytes);
        for cells in &columns {
            out.bytes.push(b',');
            match cells.get(row) {
                Some(Value::I32(value)) => write::int(value, &mut out.bytes),
                Some(Value::U32(value)) => write::int(value, &mut out.bytes),
                Some(Value::F32(value)) => write::float(value, &mut out.bytes),
                Some(Value::U64(value)) => write::int(value, &mut out.bytes),
                Some(Value::Text(Some(bytes))) if !bytes.is_empty() => {
                    purse.text(bytes.len() as u64)?;
                    string(bytes, &pool, &mut out.bytes);
                    out.settle()?;
                }
                Some(Value::Text(_)) | None => {}
            }
        }
        out.bytes.push(b'\n');
        out.settle()?;
    }
    out.finish()
}

/// Writes the elements of all string arrays, one a row: `field`, `index`, `value`.
///
/// # Errors
///
/// Those of writing; overlapping arrays or strings past the walk's limit.
pub fn arrays(table: &Table<'_>, out: impl Write) -> Result<()> {
    let mut purse = Purse::new(table);
    let pool = Pool::of(table);
    let mut out = Out::new(out, Bound::of(table.archive().source()));
    out.put(b"field,index,value\n");
    for (field, array) in arrays_of(table) {
        purse.array(&array)?;
        purse.names(std::iter::once(field), array.len())?;
        for (index, value) in array.iter().enumerate() {
            name(field.name(), &mut out.bytes);
            out.bytes.push(b',');
            write::int(index, &mut out.bytes);
            out.bytes.push(b',');
            let value = value.unwrap_or(&[]);
            purse.text(value.len() as u64)?;
            string(value, &pool, &mut out.bytes);
            out.bytes.push(b'\n');
            out.settle()?;
        }
    }
    out.finish()
}

/// A cell of a name, which is hardly ever anything but ASCII.
#[inline]
fn name(name: &[u8], out: &mut Vec<u8>) {
    if name.iter().fold(true, |all, &byte| all & byte.is_ascii() & !quoted_in_csv(byte)) {
        out.extend_from_slice(name);
    } else {
        text(&utf8(name), out);
    }
}

/// A cell of one of the pool's strings.
#[inline]
fn string<'a>(bytes: &'a [u8], pool: &Pool<'a>, out: &mut Vec<u8>) {
    let string = pool.utf8(bytes);
    if pool.plain_in_csv {
        out.extend_from_slice(string.as_bytes());
    } else {
        text(&string, out);
    }
}

/// A cell of text, in quotes where it needs them. This is what the `csv` crate does for text; numbers never need
/// quotes, and it would look through them as well.
#[inline]
fn text(text: &str, out: &mut Vec<u8>) {
    // Without an end before the end, so that the compiler can take many bytes at once.
    if text.bytes().fold(false, |any, byte| any | quoted_in_csv(byte)) {
        out.push(b'"');
        for (index, part) in text.split('"').enumerate() {
            if index > 0 {
                out.extend_from_slice(b"\"\"");
            }
            out.extend_from_slice(part.as_bytes());
        }
        out.push(b'"');
    } else {
        out.extend_from_slice(text.as_bytes());
    }
}
