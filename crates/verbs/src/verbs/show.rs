mod references;

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde_json::{Map, Value};
use worldview::facts::{self, Audience, Subject};
use worldview::wpd::{Member, Table};
use worldview::{Asset, Kind, Loader};
use worldview_export::Error;
use worldview_export::level::csv as level_csv;
use worldview_export::table::{Selection, Words, csv as table_csv, json as table_json};
use worldview_inspect::{Options, Select, json, text};

use crate::grid;
use crate::inputs::{self, Inputs, OpenInput};
use crate::open::{Files, Reach, Visit, again};
use crate::options::{ShowFormat, ShowOptions};
use crate::outcome::Outcome;
use crate::path_prefix::PathPrefix;
use crate::report::{Report, Result as VerbResult};
use crate::run::Run;
use crate::selected::{Cells, Inside, Values, Worlds};
use crate::sheet::{self, Sheet};
use crate::table;
use crate::texts;

/// How a part is shown: the options, words for keys, and how tables beside it are opened.
#[derive(Clone, Copy)]
struct Shown<'s> {
    args: &'s ShowOptions,
    words: Option<&'s Words>,
    files: &'s Files<'s>,
    loader: Loader,
}

/// Writes everything in files, every field of every part, as text, JSON or rows of CSV. With several inputs, each document, line or row
/// says which file it is of.
///
/// # Errors
///
/// Returns an error if the options cannot be used, or if `out` cannot be written to.
pub fn show(
    paths: &[PathBuf],
    args: &ShowOptions,
    run: &mut Run<'_>,
    out: &mut (dyn Write + Send),
) -> VerbResult<Report> {
    // The output can be many times the size of the file, so it is written directly, one file after another.
    let threads = inputs::within(std::mem::replace(&mut run.threads, 1), true);
    let inputs = Inputs { paths, open: &args.open };
    let files = Files::new(&args.open, threads)?;
    let words = texts::read(&args.words, run)?;
    let how = Shown { args, words: words.as_ref(), files: &files, loader: run.loader_for(args.open.mmap) };
    let out = Mutex::new(PathPrefix::new(out, args.format));
    let is_one = inputs.is_one();
    let look = |mut look: OpenInput<'_>, ()| -> io::Result<()> {
        let out = &mut *out.lock().unwrap_or_else(PoisonError::into_inner);
        // A pattern may lead to several members of one archive.
        let is_pattern = look.format.kind() == Kind::Archive && look.input.literal().is_none();
        let places = || files.places(&mut again(&look, &mut Outcome::default()), Reach::SHOW);
        let is_one = is_one && (!is_pattern || places().len() < 2);
        files.look(&mut look, Reach::SHOW, &mut |visit, outcome| {
            if !is_one {
                // The rows of a REZ archive have a path of their own.
                let has_path = matches!((visit.part, args.format), (Asset::Rez(_), ShowFormat::Ndjson));
                out.begin(if has_path { "file" } else { "path" }, &table::path(visit.path))?;
            }
            let shown = part(visit, how, outcome, out);
            report_failure(visit.path, shown, outcome)
        })
    };
    inputs::each(inputs, run, |_| (), look, |shown, _| shown)?;
    out.into_inner().unwrap_or_else(PoisonError::into_inner).flush()?;
    Ok(run.end("show", ()))
}

/// An error in the file is a failure of that input; an error in the output ends the run.
fn report_failure(path: &Path, shown: Result<(), Error>, outcome: &mut Outcome) -> io::Result<()> {
    match shown {
        Err(Error::Io(error)) => return Err(error),
        Err(Error::Nothing { .. }) => outcome.input_failed(path, &"has no rows; --format json prints its contents"),
        Err(error) => outcome.input_failed(path, &error),
        Ok(()) => {}
    }
    Ok(())
}

fn part(visit: &Visit<'_, '_>, shown: Shown<'_>, outcome: &mut Outcome, out: &mut dyn Write) -> Result<(), Error> {
    let args = shown.args;
    if let Some(world) = visit.world().filter(|_| visit.selected.is_all()) {
        let Some(only) = visit.only(world, outcome) else { return Ok(()) };
        visit.say_left_out(outcome);
        return all(visit, &Worlds { only: &only, database: world.database }, args, out);
    }
    visit.say_left_out(outcome);
    let is_whole = visit.selected.is_all();
    match (visit.part, args.format) {
        (Asset::Level(level, _), ShowFormat::Csv) if is_whole => level_csv::objects(level, args.open.encoding, out),
        (Asset::Level(..), ShowFormat::Csv) => object_rows(visit, args, out),
        (Asset::Level(..), ShowFormat::Ndjson) => lines(visit, &["planes", "objects"], args, out),
        (Asset::Table(table), _) => records(visit, table, shown, outcome, out),
        (Asset::Archive(_) | Asset::Rez(_), ShowFormat::Csv | ShowFormat::Ndjson) if is_whole => {
            Ok(members(visit, args.format, out)?)
        }
        (Asset::Data(source), ShowFormat::Table) => hexdump(source.base(), source.bytes(), out).map_err(Error::Io),
        (Asset::Data(_), _) if visit.member.is_none() => {
            outcome.input_failed(visit.path, &"is in no known format; without --format, its bytes are shown");
            Ok(())
        }
        (Asset::Data(_), format) => data(visit.member, format, out),
        _ => all(visit, &Inside::of(visit), args, out),
    }
}

/// Writes everything selected in a part.
fn all(visit: &Visit<'_, '_>, select: &dyn Select, args: &ShowOptions, out: &mut dyn Write) -> Result<(), Error> {
    // The string arrays of a table are included in every dump.
    let full = args.full || matches!(visit.part, Asset::Table(_));
    let options = Options { encoding: args.open.encoding, full, select };
    let written = match args.format {
        ShowFormat::Table => visit.describe(|root| Ok(text::write(root, &options, out)?)),
        // Text has the key of an element in its heading.
        ShowFormat::Json => visit.describe_with_keys(|root| Ok(json::write(root, &options, out)?)),
        ShowFormat::Ndjson | ShowFormat::Csv => Some(Err(NO_ROWS)),
    };
    written.unwrap_or(Ok(()))
}

/// Writes the selected fields of the objects of a level as CSV.
fn object_rows(visit: &Visit<'_, '_>, args: &ShowOptions, out: &mut dyn Write) -> Result<(), Error> {
    let (mut objects, mut rows) = (Vec::new(), Sheet::default());
    lines(visit, &["planes", "objects"], args, &mut objects)?;
    let objects = || {
        let objects = serde_json::Deserializer::from_slice(&objects).into_iter::<Map<String, Value>>();
        objects.map(|object| object.map_err(io::Error::from))
    };
    // Different fields may be selected of each.
    let (mut columns, mut known) = (Vec::new(), HashSet::new());
    for object in objects() {
        columns.extend(object?.into_iter().map(|(name, _)| name).filter(|name| known.insert(name.clone())));
    }
    let names: Vec<_> = columns.iter().map(String::as_str).collect();
    for object in objects() {
        let object = object?;
        let cell = |name: &String| match object.get(name) {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(text)) => text.clone(),
            Some(value) => value.to_string(),
        };
        rows.cells(&names, Some(columns.iter().map(cell).collect()), out)?;
    }
    if columns.is_empty() { Err(NO_ROWS) } else { Ok(()) }
}

/// Writes the elements of a list as NDJSON.
fn lines(visit: &Visit<'_, '_>, lists: &[&str], args: &ShowOptions, out: &mut dyn Write) -> Result<(), Error> {
    let options = Options { encoding: args.open.encoding, ..Options::default() };
    let written = visit.describe_with_keys(|root| json::lines(root, lists, &options, out));
    Ok(written.unwrap_or(Ok(()))?)
}

/// Writes a table, or selected records and fields of it.
fn records(
    visit: &Visit<'_, '_>,
    table: &Table<'_>,
    shown: Shown<'_>,
    outcome: &mut Outcome,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let Shown { args, words, .. } = shown;
    let is_whole = visit.selected.is_all();
    let groups = if is_whole { vec![Cells::default()] } else { Cells::of(table, visit.selected) };
    // What is not in a record has no row.
    let has_more = !is_whole && visit.selects_besides_entries();
    match args.format {
        ShowFormat::Json if is_whole && !args.full => return all(visit, &Values, args, out),
        ShowFormat::Json if args.full || has_more => return all(visit, &Inside::of(visit), args, out),
        ShowFormat::Table if args.raw || args.full || has_more => return all(visit, &Inside::of(visit), args, out),
        _ if groups.is_empty() => return Err(NO_ROWS),
        _ if has_more => {
            outcome
                .input_failed(visit.path, &"only records have rows; --format json prints what else the path selects");
        }
        _ => {}
    }
    for (index, group) in groups.iter().enumerate() {
        let mut selection = Selection::ALL.words(words);
        let fields: Option<Vec<_>> = group.fields.as_ref().map(|fields| fields.iter().map(Vec::as_slice).collect());
        (selection.rows, selection.fields) = ((!is_whole).then_some(&group.rows[..]), fields.as_deref());
        match args.format {
            ShowFormat::Table => {
                let mut csv = Vec::new();
                table_csv::records(table, &selection, &mut csv)?;
                if index > 0 {
                    writeln!(out).map_err(Error::Io)?;
                }
                // A single record is read from top to bottom.
                match group.rows[..] {
                    [row] => {
                        grid::write_lines(&csv, out)?;
                        if group.fields.is_none() && groups.len() == 1 {
                            references::write(visit, (table, row), shown, out).map_err(Error::Io)?;
                        }
                    }
                    _ => grid::write(&csv, args.width, out)?,
                }
            }
            // Selected records are written one per line.
            ShowFormat::Json | ShowFormat::Ndjson => table_json::records(table, &selection, &mut *out)?,
            ShowFormat::Csv => table_csv::records(table, &selection, &mut *out)?,
        }
    }
    Ok(())
}

/// Writes the members of an archive as rows.
fn members(visit: &Visit<'_, '_>, format: ShowFormat, out: &mut dyn Write) -> io::Result<()> {
    let (facts, mut rows) = (Subject::new(visit.part, visit.at).facts(Audience::INFO), Sheet::default());
    let mut members = facts.lists(Audience::INFO).flat_map(|(_, members)| members.objects());
    members.try_for_each(|member| match format {
        ShowFormat::Csv => rows.write(&member, &mut *out),
        _ => sheet::json_line(out, &member),
    })
}

/// Writes the description of a member that is not an archive.
fn data(member: Option<Member<'_>>, format: ShowFormat, out: &mut dyn Write) -> Result<(), Error> {
    let member = facts::member(&member.filter(|_| format != ShowFormat::Csv).ok_or(NO_ROWS)?);
    Ok(member.objects().try_for_each(|member| sheet::json_line(out, &member))?)
}

/// Error for parts without rows, when rows are requested.
const NO_ROWS: Error = Error::Nothing { what: "rows" };

/// Writes a hex dump: the offset in the file, sixteen bytes per line, and the same bytes as text.
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
