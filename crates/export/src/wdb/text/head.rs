use std::io::Write;

use worldview_wpd::{Names, Table};

use super::archive::{self, reserved};
use crate::Result;
use crate::wdb::purse::Purse;
use crate::wdb::write::{Out, quoted};

/// Bytes of a section that are shown.
const SHOWN: usize = 4096;

/// What is known of the table as a whole.
pub(super) fn about(table: &Table<'_>, out: &mut Out<impl Write>) -> Result<()> {
    writeln!(out, "WDB table")?;
    writeln!(out, "  generation {}", table.generation().name())?;
    match table.layout_version() {
        Some(version) => writeln!(out, "  layout_version {version:#010x}")?,
        None => writeln!(out, "  layout_version none")?,
    }
    out.put(b"  sheet_name ");
    match table.sheet_name() {
        Some(name) => quoted(name, &mut out.bytes),
        None => out.put(b"none"),
    }
    write!(out, "\n  names {}", table.names().name())?;
    if let Names::Schema(schema) = table.names() {
        out.put(b" ");
        quoted(schema.name().as_bytes(), &mut out.bytes);
    }
    writeln!(out)?;
    if let Some((schema, refusal)) = table.refused() {
        out.put(b"  names refused ");
        match schema {
            Some(schema) => {
                out.put(b"schema ");
                quoted(schema.name().as_bytes(), &mut out.bytes);
            }
            None => out.put(b"embedded"),
        }
        writeln!(out, ": {refusal}")?;
    }
    if let Some(refusal) = table.arrays_refused() {
        writeln!(out, "  string arrays refused: {refusal}")?;
    }
    writeln!(out, "  record_size {}", table.record_size())?;
    writeln!(out, "  records {}", table.len())?;
    reserved(&table.archive(), out)
}

/// The sections: where they are, and what those hold that are not shown elsewhere.
pub(super) fn sections(table: &Table<'_>, purse: &mut Purse, out: &mut Out<impl Write>) -> Result<()> {
    let known = table.sections();
    let shown_elsewhere = [known.string, known.structitem, known.str_array];
    writeln!(out, "sections")?;
    for member in table.archive().members().filter(|member| table.is_section(member.entry())) {
        let entry = member.entry();
        out.put(b"  ");
        quoted(member.name(), &mut out.bytes);
        let at = table.archive().source().base().saturating_add(entry.offset.get().into());
        write!(out, " at {at:#x} size {}", entry.size)?;
        if (member.data().len() as u64) < u64::from(entry.size.get()) {
            out.put(b" missing");
        }
        archive::entry_rest(entry, out)?;
        writeln!(out)?;
        if shown_elsewhere.iter().flatten().all(|other| other.index() != member.index()) {
            let bytes = member.data();
            let (bytes, rest) = bytes.split_at(bytes.len().min(SHOWN));
            purse.text(bytes.len() as u64)?;
            for line in bytes.chunks(32) {
                writeln!(out, "    {}", crate::hex(line))?;
            }
            if !rest.is_empty() {
                writeln!(out, "    and {} bytes more", rest.len())?;
            }
        }
        out.settle()?;
    }
    Ok(())
}

/// The pool of strings, those included that nothing refers to.
pub(super) fn strings(table: &Table<'_>, out: &mut Out<impl Write>) -> Result<()> {
    let pool = table.strings().bytes();
    writeln!(out, "strings {} bytes", pool.len())?;
    let mut at = 0_usize;
    for string in pool.split_inclusive(|&byte| byte == 0) {
        write!(out, "  {at:#x} ")?;
        let text = string.strip_suffix(&[0]);
        quoted(text.unwrap_or(string), &mut out.bytes);
        out.put(if text.is_some() { b"\n" } else { b" without NUL\n" });
        at += string.len();
        out.settle()?;
    }
    Ok(())
}
