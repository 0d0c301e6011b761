//! Complete, stable dumps of tables and archives as lines of text.
//!
//! Everything stands in file order, so that two dumps can be compared by any diff. Text is quoted: control characters
//! and bytes that are not UTF-8 appear as `\x00`, quotes and backslashes behind a backslash. A string that lies outside
//! the pool is `dangling`, with the offset or index that leads there.

mod archive;
mod head;

use std::io::Write;

use worldview_wpd::{Field, FieldKind, Row, Table, Value};

use super::Selection;
use super::cells::{Cells, Rows, Typed, arrays as arrays_of, columns, paid};
use super::purse::Purse;
use super::write::{self, Out, quoted};
use crate::Result;
use crate::bounded::Bound;
use crate::hex;

pub use archive::archive;

/// Writes all that a table is: what is known of it, sections, field plan, strings, string arrays, records.
///
/// # Errors
///
/// Those of writing; overlapping parts past the walk's limit.
pub fn table(table: &Table<'_>, out: impl Write) -> Result<()> {
    let mut out = Out::new(out, Bound::of(table.archive().source()));
    head::about(table, &mut out)?;
    let mut purse = Purse::new(table);
    head::sections(table, &mut purse, &mut out)?;
    put_plan(table, &mut out)?;
    head::strings(table, &mut out)?;
    put_arrays(table, &mut out)?;
    put_records(table, &Selection::ALL, &mut out)?;
    out.finish()
}

/// Writes records with their fields: the fields of a word on one line.
///
/// # Errors
///
/// Those of writing; names that are not in the table; overlapping records or strings past the walk's limit.
pub fn records(table: &Table<'_>, selection: &Selection<'_>, out: impl Write) -> Result<()> {
    let mut out = Out::new(out, Bound::of(table.archive().source()));
    put_records(table, selection, &mut out)?;
    out.finish()
}

/// Writes the string arrays with all their elements.
///
/// # Errors
///
/// Those of writing; overlapping arrays or strings past the walk's limit.
pub fn arrays(table: &Table<'_>, out: impl Write) -> Result<()> {
    let mut out = Out::new(out, Bound::of(table.archive().source()));
    put_arrays(table, &mut out)?;
    out.finish()
}

/// Writes the field plan: one field a line, with its kind, its word and bits, and the type of its values.
///
/// # Errors
///
/// Those of writing.
pub fn plan(table: &Table<'_>, out: impl Write) -> Result<()> {
    let mut out = Out::new(out, Bound::of(table.archive().source()));
    head::about(table, &mut out)?;
    put_plan(table, &mut out)?;
    out.finish()
}

fn put_plan(table: &Table<'_>, out: &mut Out<impl Write>) -> Result<()> {
    writeln!(out, "fields {}", table.fields().len())?;
    for (index, field) in table.fields().iter().enumerate() {
        write!(out, "  {index} ")?;
        write_name(field, out);
        write!(out, " {} word {}", field.kind().name(), field.word())?;
        match field.width() {
            32 if !field.kind().is_packed() => {}
            64 => write!(out, " to {}", field.word().saturating_add(1))?,
            1 => write!(out, " bit {}", field.bit())?,
            width => write!(out, " bits {} to {}", field.bit(), field.bit() + width - 1)?,
        }
        write!(out, " {}", field.kind().value_type().name())?;
        if let Some(array) = field.array() {
            write!(out, " string array {array}")?;
        }
        writeln!(out)?;
        out.settle()?;
    }
    Ok(())
}

fn put_arrays(table: &Table<'_>, out: &mut Out<impl Write>) -> Result<()> {
    let mut purse = Purse::new(table);
    for (number, (field, array)) in arrays_of(table).enumerate() {
        purse.array(&array)?;
        write!(out, "string array {number} ")?;
        write_name(field, out);
        let start = table.string_arrays().starts().get(number).map_or(0, |start| start.get());
        writeln!(out, " starts {start:#x} elements {}", array.len())?;
        for (index, value) in (0..).zip(array.iter()) {
            write!(out, "  {index} ")?;
            let offset = array.offset(index).unwrap_or(0);
            match value {
                Some(value) => {
                    purse.text(value.len() as u64)?;
                    quoted(value, &mut out.bytes);
                    writeln!(out, " at {offset:#x}")?;
                }
                None => writeln!(out, "dangling at {offset:#x}")?,
            }
            out.settle()?;
        }
    }
    Ok(())
}

fn put_records(table: &Table<'_>, selection: &Selection<'_>, out: &mut Out<impl Write>) -> Result<()> {
    let columns = columns(table, selection)?;
    let rows = Rows::of(table, selection)?;
    let mut purse = paid(table, &columns, &rows)?;
    let unused = if selection.fields.is_none() { unused_bits(table.fields()) } else { Vec::new() };
    let base = table.archive().source().base();
    for row in rows.iter().filter_map(|row| table.row_at(row)) {
        purse.extra(&row)?;
        write!(out, "record {} ", row.index())?;
        quoted(row.name(), &mut out.bytes);
        let entry = row.entry();
        write!(out, " at {:#x}", base.saturating_add(entry.offset.get().into()))?;
        if entry.size.get() != table.record_size() {
            write!(out, " size {}", entry.size)?;
        }
        archive::entry_rest(entry, out)?;
        let mut word = None;
        let mut unused = unused.iter();
        for cells in &columns {
            if word != Some(cells.field.word()) {
                word = Some(cells.field.word());
                out.put(b"\n  ");
            } else {
                out.put(b"  ");
            }
            write_name(cells.field, out);
            out.put(b" ");
            put_value(cells, &row, &mut purse, out)?;
            if let Some((_, mask)) = unused.as_slice().first().filter(|(last, _)| std::ptr::eq(*last, cells.field)) {
                unused.next();
                let bits = word_of(&row, cells.field) & mask;
                if bits != 0 {
                    write!(out, "  unused bits {bits:#x}")?;
                }
            }
            out.settle()?;
        }
        if !row.extra().is_empty() {
            write!(out, "\n  extra {}", hex(row.extra()))?;
        }
        writeln!(out)?;
        out.settle()?;
    }
    Ok(())
}

fn put_value(cells: &Cells<'_, '_>, row: &Row<'_, '_>, purse: &mut Purse, out: &mut Out<impl Write>) -> Result<()> {
    if let Typed::Element(column) = &cells.column
        && let Some(element) = column.get(row.index())
    {
        match element.text {
            Some(text) => {
                purse.text(text.len() as u64)?;
                quoted(text, &mut out.bytes);
                write!(out, " element {}", element.index)?;
            }
            None => write!(out, "dangling element {}", element.index)?,
        }
        return Ok(());
    }
    match cells.get(row.index()) {
        Some(Value::I32(value)) => write::int(value, &mut out.bytes),
        Some(Value::U32(value)) if cells.field.kind() == FieldKind::Raw => write!(out, "{value:#010x}")?,
        Some(Value::U32(value)) => write::int(value, &mut out.bytes),
        Some(Value::F32(value)) => write::float(value, &mut out.bytes),
        Some(Value::U64(value)) => write::int(value, &mut out.bytes),
        Some(Value::Text(Some(text))) => {
            purse.text(text.len() as u64)?;
            quoted(text, &mut out.bytes);
        }
        Some(Value::Text(None)) => write!(out, "dangling at {:#x}", word_of(row, cells.field))?,
        None => out.put(b"none"),
    }
    Ok(())
}

/// The last field of each word that its fields do not fill, and which bits they leave.
fn unused_bits<'t, 'a>(fields: &'t [Field<'a>]) -> Vec<(&'t Field<'a>, u32)> {
    let packed = |field: &&Field<'_>| field.kind().is_packed();
    let mut words: Vec<(&Field<'a>, u32)> = Vec::new();
    for field in fields.iter().filter(packed) {
        let taken = u32::MAX.unbounded_shr(32 - u32::from(field.width())).unbounded_shl(field.bit().into());
        match words.last_mut() {
            Some((last, free)) if last.word() == field.word() => (*last, *free) = (field, *free & !taken),
            _ => words.push((field, !taken)),
        }
    }
    words.retain(|(_, free)| *free != 0);
    words
}

/// The whole word that a field lies in.
fn word_of(row: &Row<'_, '_>, field: &Field<'_>) -> u32 {
    usize::try_from(field.word()).ok().and_then(|word| row.words().get(word)).map_or(0, |word| word.get())
}

/// A field's name, in quotes where it is not plain.
fn write_name(field: &Field<'_>, out: &mut Out<impl Write>) {
    if field.name().iter().all(u8::is_ascii_graphic) && !field.name().starts_with(b"\"") {
        out.put(field.name());
    } else {
        quoted(field.name(), &mut out.bytes);
    }
}
