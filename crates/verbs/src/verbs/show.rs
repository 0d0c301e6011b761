use std::collections::HashSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use worldview::Asset;
use worldview::facts::{self, Audience, Subject};
use worldview::wpd::{Member, Table};
use worldview_export::Error;
use worldview_export::level::csv as level_csv;
use worldview_export::table::{Selection, Words, csv as table_csv, json as table_json};
use worldview_inspect::{Everything, Options, Root, Select, json, text};

use crate::grid;
use crate::inputs::{self, Inputs, OpenInput};
use crate::open::{Files, NestingScope, Visit};
use crate::options::{ShowFormat, ShowOptions};
use crate::outcome::Outcome;
use crate::path_prefix::PathPrefix;
use crate::report::{Report, Result as VerbResult};
use crate::run::Run;
use crate::selected::{Chosen, LevelParts, Records, Values, Worlds};
use crate::sheet::{self, Sheet};
use crate::table;
use crate::texts;

/// How a part is shown: the options, and words for keys.
type Shown<'s> = (&'s ShowOptions, Option<&'s Words>);

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
    let chosen = [Chosen::new("--record", &args.record), Chosen::new("--field", &args.field)];
    let out = Mutex::new((PathPrefix::new(out, args.format), chosen));
    let is_one = inputs.is_one();
    let look = |mut look: OpenInput<'_>, ()| -> io::Result<()> {
        let (out, chosen) = &mut *out.lock().unwrap_or_else(PoisonError::into_inner);
        files.look(&mut look, NestingScope::Named, &mut |visit, outcome| {
            if !is_one {
                out.begin(&table::path(visit.path))?;
            }
            let shown = part(visit, (args, words.as_ref()), chosen, outcome, out);
            report_failure(visit.path, shown, outcome)
        })
    };
    inputs::each(inputs, run, |_| (), look, |shown, _| shown)?;
    let (mut out, chosen) = out.into_inner().unwrap_or_else(PoisonError::into_inner);
    out.flush()?;
    chosen.iter().for_each(|chosen| chosen.say_unmatched(run));
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

fn part(
    visit: &Visit<'_, '_>,
    (args, words): Shown<'_>,
    chosen: &mut [Chosen; 2],
    outcome: &mut Outcome,
    out: &mut dyn Write,
) -> Result<(), Error> {
    if let Some(world) = visit.world() {
        let Some(only) = visit.only(world, outcome) else { return Ok(()) };
        visit.say_left_out(outcome);
        return all(visit, &Worlds { only: &only, database: world.database }, args, out);
    }
    visit.say_left_out(outcome);
    match (visit.part, args.format) {
        (Asset::Level(level, _), ShowFormat::Csv) => level_csv::objects(level, args.open.encoding, out),
        (Asset::Level(..), ShowFormat::Ndjson) => lines(visit, &["planes", "objects"], args, out),
        (Asset::Level(..), _) => all(visit, &LevelParts(&args.part), args, out),
        (Asset::Table(table), _) => {
            let row = visit.row().map(|row| row.index());
            records(visit, table, row, (args, words), chosen, out)
        }
        (Asset::Archive(_) | Asset::Rez(_), ShowFormat::Table | ShowFormat::Json) => all(visit, &Everything, args, out),
        (Asset::Archive(_) | Asset::Rez(_), format) => Ok(members(visit, format, out)?),
        (Asset::Data(source), ShowFormat::Table) => hexdump(source.base(), source.bytes(), out).map_err(Error::Io),
        (Asset::Data(_), format) => data(visit.member, format, out),
        _ => all(visit, &Everything, args, out),
    }
}

/// Writes everything selected in a part.
fn all(visit: &Visit<'_, '_>, select: &dyn Select, args: &ShowOptions, out: &mut dyn Write) -> Result<(), Error> {
    // The string arrays of a table are included in every dump.
    let full = args.full || (matches!(visit.part, Asset::Table(_)) && visit.row().is_none());
    let options = Options { encoding: args.open.encoding, full, select };
    let write = |root: &Root<'_>| match args.format {
        ShowFormat::Table => Ok(text::write(root, &options, out)?),
        ShowFormat::Json => Ok(json::write(root, &options, out)?),
        ShowFormat::Ndjson | ShowFormat::Csv => Err(NO_ROWS),
    };
    visit.describe(write).unwrap_or(Ok(()))
}

/// Writes the elements of a list as NDJSON.
fn lines(visit: &Visit<'_, '_>, lists: &[&str], args: &ShowOptions, out: &mut dyn Write) -> Result<(), Error> {
    let options = Options { encoding: args.open.encoding, ..Options::default() };
    let written = visit.describe(|root| json::lines(root, lists, &options, out));
    Ok(written.unwrap_or(Ok(()))?)
}

/// Writes a table, or selected records and fields of it.
fn records(
    visit: &Visit<'_, '_>,
    table: &Table<'_>,
    index: Option<usize>,
    (args, words): Shown<'_>,
    chosen: &mut [Chosen; 2],
    out: &mut dyn Write,
) -> Result<(), Error> {
    let [records, fields] = chosen;
    let bits: Vec<_> = table.unowned_bits().collect();
    let names = match index.and_then(|index| table.get(index)) {
        Some(row) => Some(vec![row.name()]),
        None => records.of(|| table.rows().map(|row| row.name()).collect()),
    };
    let fields = fields.of(|| table.fields().iter().chain(&bits).map(|field| field.name()).collect());
    // Among others, a table without what is chosen is no fault.
    if [&names, &fields].into_iter().flatten().any(Vec::is_empty) {
        return Ok(());
    }
    let (names, fields) = (names.as_deref(), fields.as_deref());
    let mut selection = Selection::ALL.words(words);
    (selection.records, selection.fields) = (names, fields);
    let is_whole = names.is_none() && fields.is_none();
    // A single record is read from top to bottom.
    let is_grid = index.is_none() && names.is_none_or(|names| names.len() > 1) && !args.raw && !args.full;
    match args.format {
        ShowFormat::Table if is_grid => {
            let mut csv = Vec::new();
            table_csv::records(table, &selection, &mut csv)?;
            grid::write(&csv, args.width, out)
        }
        ShowFormat::Json if is_whole && !args.full => all(visit, &Values, args, out),
        ShowFormat::Table | ShowFormat::Json if is_whole => all(visit, &Everything, args, out),
        ShowFormat::Table => {
            selection.check(table)?;
            let names = names.map(|names| names.iter().copied().collect::<HashSet<_>>());
            all(visit, &Records { index, names: names.as_ref(), fields }, args, out)
        }
        // Selected records or fields are written one per line, like NDJSON.
        ShowFormat::Json | ShowFormat::Ndjson => table_json::records(table, &selection, out),
        ShowFormat::Csv => table_csv::records(table, &selection, out),
    }
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
