use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use worldview::{Budget, Loader};
use worldview_export::{Error, csv, island, json, text, wdb};

use crate::args::{ShowArgs, ShowFormat};
use crate::describe::{ArchiveInfo, MemberInfo};
use crate::inputs::{self, Look};
use crate::open::{Files, Part, Reach, Visit};
use crate::outcome::Outcome;
use crate::run::Run;
use crate::sheet::{self, Sheet};
use crate::table;
use crate::world::{Only, World};

pub(crate) fn show(args: &ShowArgs, loader: Loader, run: &mut Run) -> io::Result<()> {
    let parts: Vec<text::Part> = args.part.iter().map(|&part| part.into()).collect();
    let encoding = args.input.open.encoding.into();
    // What is shown can be many times the file: it goes straight out, one file after the other.
    let threads = inputs::within(std::mem::replace(&mut run.threads, 1), true);
    let Some(files) = Files::new(&args.input.open, threads, run) else { return Ok(()) };
    let out = Mutex::new(run.stdout());
    let look = |mut look: Look<'_>, ()| -> io::Result<()> {
        let mut out = out.lock().unwrap_or_else(PoisonError::into_inner);
        files.look(&mut look, Reach::Named, &mut |visit, outcome| {
            let shown = match visit.part {
                Part::World(opened) => {
                    let Some(only) = visit.only(opened, outcome) else { return Ok(()) };
                    visit.say_left_out(outcome);
                    world(opened, &only, args, &mut *out)
                }
                Part::Level(level, file) => {
                    visit.say_left_out(outcome);
                    match args.format {
                        ShowFormat::Table => text::level(file, level, encoding, &parts, &mut *out),
                        ShowFormat::Json => json::level(file, level, encoding, &mut *out),
                        ShowFormat::Ndjson => json::objects(level, encoding, &mut *out),
                        ShowFormat::Csv => csv::objects(level, encoding, &mut *out),
                    }
                }
                _ => {
                    visit.say_left_out(outcome);
                    part(visit, args, &mut *out)
                }
            };
            settle(visit.path, shown, outcome)
        })
    };
    inputs::each(&args.input, loader, run, |_| (), look, |shown, _| shown)?;
    out.into_inner().unwrap_or_else(PoisonError::into_inner).flush()
}

/// The whole file, or what is wanted of it: worlds, then blobs.
fn world(opened: World<'_, '_>, only: &Only<'_>, args: &ShowArgs, out: &mut dyn Write) -> Result<(), Error> {
    let (full, encoding) = (args.full, args.input.open.encoding.into());
    let selection = island::Selection {
        worlds: &|world| opened.database.world(world).is_some_and(|view| only.wants_world(world, view.name.text())),
        blobs: &|blob| only.touches(blob),
        globals: only.touches_globals(),
    };
    match args.format {
        ShowFormat::Table => island::text::database(opened.database, opened.contents, &selection, full, encoding, out),
        ShowFormat::Json => island::json::database(opened.database, opened.contents, &selection, full, encoding, out),
        ShowFormat::Ndjson | ShowFormat::Csv => Err(NO_ROWS),
    }
}

/// What went wrong with the file is its failure; what went wrong with the output ends the run.
fn settle(path: &Path, shown: Result<(), Error>, outcome: &mut Outcome) -> io::Result<()> {
    match shown {
        Err(Error::Io(error)) => return Err(error),
        Err(Error::Nothing { .. }) => outcome.input_failed(path, &"has no rows; --format json shows what is in it"),
        Err(error) => outcome.input_failed(path, &error),
        Ok(()) => {}
    }
    Ok(())
}

fn part(visit: &Visit<'_, '_>, args: &ShowArgs, out: &mut dyn Write) -> Result<(), Error> {
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
            match (args.format, all) {
                (ShowFormat::Table, true) => wdb::text::table(table, out),
                (ShowFormat::Table, false) => wdb::text::records(table, &selection, out),
                (ShowFormat::Json, true) => wdb::json::table(table, &selection, out),
                // Some records or fields are lines of their own, as in NDJSON.
                (ShowFormat::Json, false) | (ShowFormat::Ndjson, _) => wdb::json::records(table, &selection, out),
                (ShowFormat::Csv, _) => wdb::csv::table(table, &selection, out),
            }
        }
        Part::Archive(archive) => match args.format {
            ShowFormat::Table => wdb::text::archive(archive, out),
            ShowFormat::Json => {
                let info = ArchiveInfo::of(table::path(visit.path), archive, true);
                sheet::json_line(out, &info).map_err(Error::Io)
            }
            ShowFormat::Ndjson | ShowFormat::Csv => {
                let members = ArchiveInfo::of(String::new(), archive, true).members.unwrap_or_default();
                let mut sheet = Sheet::new();
                let mut line = |member: &MemberInfo| match args.format {
                    ShowFormat::Csv => sheet.write(member, &mut *out),
                    _ => sheet::json_line(out, member),
                };
                members.iter().try_for_each(&mut line).map_err(Error::Io)
            }
        },
        Part::Data(member) => match args.format {
            ShowFormat::Table => hexdump(member.source().base(), member.data(), out).map_err(Error::Io),
            ShowFormat::Json | ShowFormat::Ndjson => {
                let budget = &mut Budget::for_bytes(member.source().len(), "directory of a member");
                sheet::json_line(out, &MemberInfo::of(&member, budget)).map_err(Error::Io)
            }
            ShowFormat::Csv => Err(NO_ROWS),
        },
        Part::Level(..) | Part::Outline(_) | Part::World(_) => Ok(()),
    }
}

/// What has no rows is asked for as rows.
const NO_ROWS: Error = Error::Nothing { what: "rows" };

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
