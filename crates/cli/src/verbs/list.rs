use std::io::{self, Write};

use worldview::{Asset, Loader};
use worldview_import::nearest;

use crate::args::{FormatChoice, ListArgs};
use crate::describe::catalogue::{self, Catalogue, Counts, Row, finish};
use crate::describe::document::{Document, Info};
use crate::describe::world::DatabaseEntry;
use crate::describe::{Heading, ListEntry};
use crate::inputs::{self, OpenInput};
use crate::open::{Files, NestingScope};
use crate::report::Head;
use crate::run::Run;
use crate::sheet;
use crate::table;

type Listed = Info<ListEntry, DatabaseEntry>;

/// Entries, each also as a row of a catalogue.
type Entries = Vec<(Row, Listed)>;

pub(crate) fn list(args: &ListArgs, loader: Loader, run: &mut Run) -> io::Result<()> {
    let (names, _) = catalogue::cells(&[])?;
    let sort = match args.sort.as_deref().map(|name| (name, names.iter().position(|other| other == name))) {
        Some((name, None)) => {
            let meant = nearest::meant(name, names.iter().map(String::as_str));
            let meant = meant.map_or(String::new(), |meant| format!("; did you mean {meant}?"));
            run.refused("--sort", &format_args!("the columns are {}{meant}", names.join(", ")));
            return Ok(());
        }
        sort => sort.and_then(|(_, column)| column),
    };
    let threads = inputs::threads_inside(&args.input, run);
    let Some(files) = Files::new(&args.input.open, threads, run) else { return Ok(()) };
    let look = |look: OpenInput<'_>, ()| one(args, &files, look);
    let mut out = run.rows_out(args.csv, args.format);
    let mut sheet = Catalogue::new();
    let mut all = Vec::new();
    let take = |made: io::Result<Entries>, _: &mut Run| {
        let made = made?;
        if sort.is_none() && matches!(args.format, FormatChoice::Ndjson | FormatChoice::Csv) {
            return write(args.format, &made, &mut sheet, &mut out);
        }
        all.extend(made);
        Ok(())
    };
    inputs::each(&args.input, loader, run, |_| (), look, take)?;
    if let Some(column) = sort {
        all = sorted(all, column, args.reverse)?;
    }
    match args.format {
        FormatChoice::Table => print(all.into_iter().map(|(row, _)| row).collect(), &mut out)?,
        FormatChoice::Json => {
            let all = all.into_iter().map(|(_, listed)| listed).collect();
            sheet::json(&mut out, &Document::new(all, Head::of("list", run)))?;
        }
        FormatChoice::Ndjson | FormatChoice::Csv => write(args.format, &all, &mut sheet, &mut out)?,
    }
    finish(args.format, run.inputs(), &mut sheet, &mut out)?;
    out.flush()?;
    run.sum_up("listed", "", false);
    Ok(())
}

/// Writes entries one by one.
fn write(format: FormatChoice, all: &[(Row, Listed)], sheet: &mut Catalogue, out: &mut dyn Write) -> io::Result<()> {
    all.iter().try_for_each(|(row, listed)| match format {
        FormatChoice::Csv => sheet.write(row, out),
        _ => sheet::json_line(out, listed),
    })
}

fn one(args: &ListArgs, files: &Files<'_>, mut look: OpenInput<'_>) -> io::Result<Entries> {
    let mut made = Vec::new();
    let (bytes, encoding) = (look.bytes, args.input.open.encoding);
    let modified = modified(&look.input.path);
    files.look(&mut look, NestingScope::Nested, &mut |visit, outcome| {
        let path = table::path(visit.path);
        let events = outcome.events.len();
        visit.say_left_out(outcome);
        let problem = outcome.code_since(events);
        let (row, listed) = match visit.part {
            Asset::Level(level, file) => {
                let bytes = visit.file.map_or(&bytes[..], |file| file.data());
                let (heading, counts) = (Heading::of(path, bytes, file, encoding), Counts::of(level));
                (Row::of_level(&heading, &counts), Info::Level(ListEntry::of(heading, &counts, problem)))
            }
            // An archive can have thousands, so its own are only listed on request.
            Asset::Picture(_) if visit.file.is_some() && args.input.open.only.is_empty() => return Ok(()),
            Asset::Database(_) => {
                let Some(world) = visit.world().filter(|world| visit.only(*world, outcome).is_some()) else {
                    return Ok(());
                };
                let entry = DatabaseEntry::of(path, world);
                (Row::of_database(&entry), Info::Database(entry))
            }
            Asset::Table(_) if visit.row().is_some() => {
                outcome.input_failed(visit.path, &"is a record; list the table that contains it");
                return Ok(());
            }
            _ => match Info::of(path, visit, false) {
                Some(info) => (info.row(), info),
                None => {
                    outcome.input_failed(visit.path, &"is a member that is not in a known format");
                    return Ok(());
                }
            },
        };
        made.push((row.modified(&modified).problem(problem), listed));
        Ok(())
    })?;
    Ok(made)
}

/// Returns the modification time of a file, in UTC.
fn modified(path: &std::path::Path) -> Option<String> {
    let time = std::fs::metadata(path).ok()?.modified().ok()?;
    Some(humantime::format_rfc3339_seconds(time).to_string())
}

/// Sorts entries by a column: numbers by value, other texts without regard to case.
fn sorted(all: Entries, column: usize, is_reverse: bool) -> io::Result<Entries> {
    let (rows, listed): (Vec<_>, Vec<_>) = all.into_iter().unzip();
    let (_, cells) = catalogue::cells(&rows)?;
    let mut all: Vec<_> = cells.into_iter().zip(rows.into_iter().zip(listed)).collect();
    let compare = |left: &str, right: &str| match (left.parse::<f64>(), right.parse::<f64>()) {
        (Ok(left), Ok(right)) => left.total_cmp(&right),
        _ => left.to_lowercase().cmp(&right.to_lowercase()),
    };
    all.sort_by(|(left, _), (right, _)| {
        let order = compare(&left[column], &right[column]);
        if is_reverse { order.reverse() } else { order }
    });
    Ok(all.into_iter().map(|(_, entry)| entry).collect())
}

/// The kinds in the order of their tables.
const KINDS: [&str; 6] = ["level", "table", "archive", "picture", "database", "textures"];

/// The columns whose sums say something.
const SUMMED: [&str; 13] = [
    "bytes", "planes", "tiles", "objects", "records", "members", "worlds", "models", "parts", "textures", "tables",
    "levels", "pictures",
];

/// Prints a separate table for each kind, with the columns of the sheet that it has, and totals.
fn print(rows: Vec<Row>, out: &mut dyn Write) -> io::Result<()> {
    let mut is_first = true;
    for kind in KINDS {
        let (names, mut cells) = catalogue::cells(rows.iter().filter(|row| row.kind() == kind))?;
        if cells.is_empty() {
            continue;
        }
        if !std::mem::take(&mut is_first) {
            writeln!(out)?;
        }
        let is_number =
            |column: usize| cells.iter().all(|row| row[column].is_empty() || row[column].parse::<f64>().is_ok());
        let is_shown = |&column: &usize| {
            !matches!(&*names[column], "kind" | "modified") && cells.iter().any(|row| !row[column].is_empty())
        };
        let shown: Vec<_> = (0..names.len()).filter(is_shown).collect();
        let head = |&column: &usize| format!("{}{}", if is_number(column) { ">" } else { "" }, names[column]);
        let heads: Vec<_> = shown.iter().map(head).collect();
        if cells.len() > 1 {
            let sum = |column: usize| cells.iter().filter_map(|row| row[column].parse::<u64>().ok()).sum::<u64>();
            let total = |(column, name): (usize, &String)| match &**name {
                "path" if kind == "textures" => format!("{} files", cells.len()),
                "path" => table::counted(cells.len() as u64, kind),
                name if SUMMED.contains(&name) => sum(column).to_string(),
                _ => String::new(),
            };
            cells.push(names.iter().enumerate().map(total).collect());
        }
        let picked = |row: &Vec<String>| shown.iter().map(|&column| row[column].clone()).collect();
        let cells: Vec<_> = cells.iter().map(picked).collect();
        table::write(out, &heads.iter().map(String::as_str).collect::<Vec<_>>(), &cells)?;
    }
    Ok(())
}
