use std::io::{self, Write};
use std::path::Path;

use worldview::{Budget, Format, Loader};
use worldview_export::{Error, island, json, text, wdb};

use crate::archives::{Archives, Part, Reach, Visit};
use crate::args::{FormatChoice, ShowArgs};
use crate::databases::{self, Opened};
use crate::describe::{ArchiveInfo, MemberInfo};
use crate::exit::Outcome;
use crate::inputs;
use crate::only::Only;

pub(crate) fn show(args: &ShowArgs, loader: Loader, outcome: &mut Outcome) -> io::Result<()> {
    let mut out = super::stdout();
    let parts: Vec<text::Part> = args.part.iter().map(|&part| part.into()).collect();
    let encoding = args.input.encoding.into();
    let Some(archives) = Archives::new(&args.input, outcome) else { return Ok(()) };
    inputs::each(&args.input, loader, outcome, &mut |input, format, bytes, outcome| {
        if format == Format::Island {
            return databases::look(input, bytes, outcome, |opened, outcome| {
                opened.say_left_out(input, outcome);
                let only = opened.only(&args.input.only, input, outcome);
                settle(&input.path, world(opened, &only, args, &mut out), outcome)
            });
        }
        if format == Format::Wpd {
            return archives.look(input, bytes, Reach::Named, outcome, &mut |visit, outcome| {
                visit.say_left_out(outcome);
                settle(visit.path, part(visit, args, &mut out), outcome)
            });
        }
        super::look(input, bytes, &args.input, outcome, |file, level, outcome| {
            let shown = match args.format {
                FormatChoice::Table => text::level(file, level, encoding, &parts, &mut out),
                FormatChoice::Json => json::level(file, level, encoding, &mut out),
            };
            settle(&input.path, shown, outcome)
        })
    })?;
    out.flush()
}

/// The whole file, or what is wanted of it: worlds, then blobs.
fn world(opened: &Opened<'_, '_>, only: &Only<'_>, args: &ShowArgs, out: &mut dyn Write) -> Result<(), Error> {
    let (full, encoding) = (args.full, args.input.encoding.into());
    let selection = island::Selection {
        worlds: &|world| opened.database.world(world).is_some_and(|view| only.wants_world(world, view.name.text())),
        blobs: &|blob| only.touches(blob),
        globals: only.touches_globals(),
    };
    match args.format {
        FormatChoice::Table => {
            island::text::database(opened.database, opened.contents, &selection, full, encoding, out)
        }
        FormatChoice::Json => island::json::database(opened.database, opened.contents, &selection, full, encoding, out),
    }
}

/// What went wrong with the file is its failure; what went wrong with the output ends the run.
fn settle(path: &Path, shown: Result<(), Error>, outcome: &mut Outcome) -> io::Result<()> {
    match shown {
        Err(Error::Io(error)) => return Err(error),
        Err(error) => outcome.input_failed(path, &error),
        Ok(()) => {}
    }
    Ok(())
}

fn part(visit: &Visit<'_, '_>, args: &ShowArgs, out: &mut dyn Write) -> Result<(), Error> {
    let json = args.format == FormatChoice::Json;
    let fields: Vec<&[u8]> = args.field.iter().map(|name| name.as_bytes()).collect();
    let records: Vec<&[u8]> = args.record.iter().map(|name| name.as_bytes()).collect();
    let fields = (!fields.is_empty()).then_some(fields.as_slice());
    match visit.part {
        Part::Table(table) | Part::Record(table, _) => {
            let one;
            let records = match visit.part {
                Part::Record(_, row) => {
                    one = [row.name()];
                    Some(&one[..])
                }
                _ => (!records.is_empty()).then_some(records.as_slice()),
            };
            let selection = wdb::Selection { records, fields };
            let all = selection.records.is_none() && selection.fields.is_none();
            match (json, all) {
                (false, true) => wdb::text::table(table, out),
                (false, false) => wdb::text::records(table, &selection, out),
                (true, true) => wdb::json::table(table, &selection, out),
                // Some records or fields are lines of their own, as in NDJSON.
                (true, false) => wdb::json::records(table, &selection, out),
            }
        }
        Part::Archive(archive) if json => {
            let info = ArchiveInfo::of(super::name(visit.path), archive, true);
            super::json_line(out, &info).map_err(Error::Io)
        }
        Part::Archive(archive) => wdb::text::archive(archive, out),
        Part::Data(member) if json => {
            let budget = &mut Budget::for_bytes(member.source().len(), "directory of a member");
            super::json_line(out, &MemberInfo::of(&member, budget)).map_err(Error::Io)
        }
        Part::Data(member) => hexdump(member.source().base(), member.data(), out).map_err(Error::Io),
    }
}

/// Bytes that nobody has a name for: offset in the file, sixteen bytes a line, and the same as text.
fn hexdump(base: u64, bytes: &[u8], out: &mut dyn Write) -> io::Result<()> {
    for (line, at) in bytes.chunks(16).zip((base..).step_by(16)) {
        write!(out, "{at:08x} ")?;
        for byte in line {
            write!(out, " {byte:02x}")?;
        }
        let shown = |&byte: &u8| if byte.is_ascii_graphic() || byte == b' ' { char::from(byte) } else { '.' };
        let text: String = line.iter().map(shown).collect();
        writeln!(out, "{:width$}  {text}", "", width = 3 * (16 - line.len()))?;
    }
    Ok(())
}
