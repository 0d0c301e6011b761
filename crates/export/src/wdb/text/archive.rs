use std::io::Write;

use worldview_core::Budget;
use worldview_wpd::raw::Entry;
use worldview_wpd::{Archive, Member};

use crate::Result;
use crate::bounded::Bound;
use crate::hex;
use crate::wdb::write::{Out, quoted};

/// Writes the members of an archive, one a line: number, name, extension, offset in the file, size, and what it is.
///
/// # Errors
///
/// Those of writing; overlapping archives past the walk's limit.
pub fn archive(archive: &Archive<'_>, out: impl Write) -> Result<()> {
    let mut out = Out::new(out, Bound::of(archive.source()));
    writeln!(out, "WPD archive")?;
    writeln!(out, "  members {}", archive.entries().len())?;
    reserved(archive, &mut out)?;
    let source = archive.source();
    let mut budget = Budget::for_bytes(source.len(), "listing of overlapping archives");
    for member in archive.members() {
        let entry = member.entry();
        write!(out, "member {} ", member.index())?;
        quoted(member.name(), &mut out.bytes);
        let at = source.base().saturating_add(entry.offset.get().into());
        write!(out, " at {at:#x} size {} {}", entry.size, what(&member, &mut budget)?)?;
        entry_rest(entry, &mut out)?;
        writeln!(out)?;
        out.settle()?;
    }
    out.finish()
}

/// What a member is, as far as its own directory tells.
fn what(member: &Member<'_>, budget: &mut Budget) -> Result<&'static str> {
    if (member.data().len() as u64) < u64::from(member.entry().size.get()) {
        return Ok("missing");
    }
    if !member.is_archive() {
        return Ok("data");
    }
    // Whether it is a table says its directory, which may be as long as the member and that of many members.
    let source = member.source();
    let count = source.view::<worldview_wpd::raw::Header>(0, "header").map_or(0, |header| header.count.get());
    budget.spend(u64::from(count).saturating_mul(32).min(source.len()), source.base(), source.space())?;
    Ok(match member.archive() {
        Ok(archive) if archive.is_table() => "table",
        Ok(_) => "archive",
        Err(_) => "broken archive",
    })
}

/// What an entry has besides name, offset and size.
pub(super) fn entry_rest(entry: &Entry, out: &mut Out<impl Write>) -> Result<()> {
    if !entry.extension.is_empty() {
        out.put(b" extension ");
        quoted(entry.extension.as_bytes(), &mut out.bytes);
    }
    for (what, tail) in [("name", entry.name.tail()), ("extension", entry.extension.tail())] {
        if let Some(last) = tail.iter().rposition(|&byte| byte != 0) {
            write!(out, " behind NUL of {what} {}", hex(&tail[..=last]))?;
        }
    }
    Ok(())
}

/// What is unusual in a header.
pub(super) fn reserved(archive: &Archive<'_>, out: &mut Out<impl Write>) -> Result<()> {
    let header = archive.header();
    if archive.is_recovered() {
        writeln!(out, "  header damaged: {} {}", hex(header.magic.raw()), hex(&header.count.get().to_be_bytes()))?;
    }
    for (name, word) in [("reserved_08", header.reserved_08), ("reserved_0c", header.reserved_0c)] {
        if word.get() != 0 {
            writeln!(out, "  {name} {word:#x}")?;
        }
    }
    Ok(())
}
