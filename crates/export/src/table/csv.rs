//! Tables and their string arrays as CSV: UTF-8, commas, a header line. Cells with control characters are quoted.

use std::io::Write;

use worldview_wpd::{Table, Value};

use super::budget::Budgets;
use super::cells::{Selected, arrays as arrays_of};
use super::pool::Pool;
use super::{Selection, WORDS};
use crate::Result;
use crate::write::{self, Out, cell, quoted_in_csv};
use worldview_inspect::Bound;
use worldview_inspect::utf8;

/// Writes the records, one per row: a column `record` with the record's name, then the fields, and the bits that no field owns
/// where one is set.
///
/// The cell of a dangling string is empty, like that of an empty string.
///
/// ```
/// # use worldview_corpus::ff13::{build::build_table, spec::{CellSpec, Generation, TableSpec}};
/// use worldview_export::table::{Selection, csv};
/// use worldview_wpd::Table;
///
/// # let spec = TableSpec::new(Generation::G3, &["iPrice", "fWeight"]);
/// # let file = build_table(&spec.row("potion", [CellSpec::Int(50), CellSpec::Float(0.5_f32.to_bits())])).bytes;
/// let table = Table::parse(&file)?;
/// let mut out = Vec::new();
/// csv::records(&table, &Selection::ALL, &mut out)?;
/// assert_eq!(out, b"record,iPrice,fWeight\npotion,50,0.5\n");
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
    let pool = Pool::of(table);
    let columns = columns.iter().map(|cells| (cells, selection.words.filter(|words| words.is_of(cells, &rows))));
    let columns: Vec<_> = columns.collect();
    let mut out = Out::new(out, Bound::of(table.archive().source()));
    out.put(if sheet.is_some() { b"record,sheet" } else { b"record" });
    for (cells, words) in &columns {
        out.put(b",");
        name(cells.field.name(), &mut out.bytes);
        if words.is_some() {
            out.bytes.push(b',');
            cell(&[&*utf8(cells.field.name()), WORDS].concat(), &mut out.bytes);
        }
        out.flush_if_full()?;
    }
    out.end_row()?;
    for row in rows.iter() {
        let row_name = table.get(row).map_or(&[][..], |row| row.name());
        if row_name.is_empty() && columns.is_empty() && sheet.is_none() {
            // An empty line would not count as a row.
            out.put(b"\"\"");
        }
        name(row_name, &mut out.bytes);
        if let Some(sheet) = &sheet {
            out.bytes.push(b',');
            cell(sheet.as_deref().unwrap_or_default(), &mut out.bytes);
        }
        for (cells, words) in &columns {
            out.bytes.push(b',');
            let value = cells.get(row);
            match value {
                Some(Value::I32(value)) => write::int(value, &mut out.bytes),
                Some(Value::U32(value)) => write::int(value, &mut out.bytes),
                Some(Value::F32(value)) => write::float(value, &mut out.bytes),
                Some(Value::U64(value)) => write::int(value, &mut out.bytes),
                Some(Value::Text(Some(bytes))) if !bytes.is_empty() => {
                    budgets.text(bytes.len() as u64)?;
                    string(bytes, &pool, &mut out.bytes);
                    out.flush_if_full()?;
                }
                Some(Value::Text(_)) | None => {}
            }
            if let Some(words) = words {
                out.bytes.push(b',');
                if let Some(Value::Text(Some(key))) = value
                    && let Some(words) = words.of(key)
                {
                    cell(words, &mut out.bytes);
                }
            }
        }
        out.end_row()?;
    }
    out.finish()
}

/// Writes the elements of all string arrays, one per row: `field`, `index`, `value`.
///
/// # Errors
///
/// Returns an error if overlapping arrays or repeated strings exceed the work limit, if the output exceeds its
/// limit, or if writing to `out` fails.
pub fn arrays(table: &Table<'_>, out: impl Write) -> Result<()> {
    let mut budgets = Budgets::new(table);
    let pool = Pool::of(table);
    let mut out = Out::new(out, Bound::of(table.archive().source()));
    out.put(b"field,index,value");
    out.end_row()?;
    for (field, array) in arrays_of(table) {
        budgets.array(&array)?;
        budgets.names(std::iter::once(field), array.len() as u64)?;
        for (index, value) in array.iter().enumerate() {
            name(field.name(), &mut out.bytes);
            out.bytes.push(b',');
            write::int(index, &mut out.bytes);
            out.bytes.push(b',');
            let value = value.unwrap_or(&[]);
            budgets.text(value.len() as u64)?;
            string(value, &pool, &mut out.bytes);
            out.end_row()?;
        }
    }
    out.finish()
}

/// Appends a name. Names are almost always ASCII.
#[inline]
fn name(name: &[u8], out: &mut Vec<u8>) {
    if name.iter().fold(true, |all, &byte| all & byte.is_ascii() & !quoted_in_csv(byte)) {
        out.extend_from_slice(name);
    } else {
        cell(&utf8(name), out);
    }
}

/// Appends a string of the pool.
#[inline]
fn string<'a>(bytes: &'a [u8], pool: &Pool<'a>, out: &mut Vec<u8>) {
    let string = pool.utf8(bytes);
    if pool.plain_in_csv {
        out.extend_from_slice(string.as_bytes());
    } else {
        cell(&string, out);
    }
}
