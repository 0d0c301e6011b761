//! `info` and `list`: the facts about files, one after another or in a table.

use std::io::{self, Write};

use serde::Serialize;
use worldview::Kind;
use worldview::facts::{Audience, COLUMNS, Facts, short_game};
use worldview_verbs::sheet::{self, Sheet};
use worldview_verbs::table::{self, counted};
use worldview_verbs::{Report, Result, Run, Status, info as each, list as each_nested};

use super::Done;
use crate::args::{FormatChoice, InfoArgs, ListArgs};
use crate::streams::Streams;
use crate::terminal::Summary;

/// A line of NDJSON.
#[derive(Serialize)]
struct Line<T> {
    kind: &'static str,
    #[serde(flatten)]
    of: T,
}

/// A document with a list for each kind.
#[derive(Serialize)]
struct Document<T> {
    levels: Vec<T>,
    tables: Vec<T>,
    archives: Vec<T>,
    databases: Vec<T>,
    pictures: Vec<T>,
    textures: Vec<T>,
}

pub(crate) fn info(args: &InfoArgs, run: &mut Run<'_>, streams: &Streams) -> Result<Report> {
    let mut out = streams.rows(&args.csv, args.format);
    if args.format == FormatChoice::Table {
        let width = streams.width();
        let text = |path: &str, facts: Facts| {
            let mut text = format!("{}\n", table::shown(path)).into_bytes();
            print(&facts, width, &mut text).map(|()| text)
        };
        let report =
            each(&args.input.paths, &args.options, Audience::TEXT, run, text, &mut |text| out.write_all(&text))?;
        out.flush()?;
        return Ok(report);
    }
    let mut rows = Rows::new(args.format, None);
    let audience = if args.format == FormatChoice::Csv { Audience::SHEET } else { Audience::INFO };
    let take = &mut |facts| rows.take(facts, &mut out);
    let report = each(&args.input.paths, &args.options, audience, run, |_, facts| Ok(facts), take)?;
    rows.finish(&report, &mut out)?;
    Ok(report)
}

pub(crate) fn list(args: &ListArgs, run: &mut Run<'_>, streams: &Streams) -> Result<Done> {
    let mut out = streams.rows(&args.csv, args.format);
    let mut rows = Rows::new(args.format, streams.width());
    let audience = match args.format {
        FormatChoice::Table | FormatChoice::Csv => Audience::SHEET,
        FormatChoice::Json | FormatChoice::Ndjson => Audience::LIST,
    };
    let report = each_nested(&args.input.paths, &args.options, audience, run, &mut |facts| rows.take(facts, &mut out))?;
    rows.finish(&report, &mut out)?;
    Ok((report, Some(Summary { done: "listed", ..Summary::default() })))
}

/// Facts that are printed as they come, or in the end.
struct Rows {
    format: FormatChoice,
    width: Option<usize>,
    sheet: Sheet,
    all: Vec<Facts>,
}

impl Rows {
    fn new(format: FormatChoice, width: Option<usize>) -> Self {
        Self { format, width, sheet: Sheet::default(), all: Vec::new() }
    }

    fn take(&mut self, facts: Facts, out: &mut dyn Write) -> io::Result<()> {
        if matches!(self.format, FormatChoice::Ndjson | FormatChoice::Csv) {
            return self.row(&facts, out);
        }
        self.all.push(facts);
        Ok(())
    }

    fn row(&mut self, facts: &Facts, out: &mut dyn Write) -> io::Result<()> {
        match self.format {
            FormatChoice::Csv => self.sheet.cells(&COLUMNS, Some(facts.sheet()), out),
            _ => facts.objects().try_for_each(|of| sheet::json_line(out, &Line { kind: facts.kind(), of })),
        }
    }

    /// Prints the rest. The inputs that could not be read are rows too, so that a sheet has every input.
    fn finish(mut self, report: &Report, mut out: impl Write) -> io::Result<()> {
        match self.format {
            FormatChoice::Table => tables(&self.all, self.width, &mut out)?,
            FormatChoice::Json => {
                let of = |kind| self.all.iter().filter(|facts| facts.kind() == kind).flat_map(Facts::objects).collect();
                let document = Document {
                    levels: of("level"),
                    tables: of("table"),
                    archives: of("archive"),
                    databases: of("database"),
                    pictures: of("picture"),
                    textures: of("textures"),
                };
                report.write_with(document, &mut out)?;
            }
            FormatChoice::Ndjson | FormatChoice::Csv => {}
        }
        for input in report.inputs.iter().filter(|input| input.status == Status::Failed) {
            match (self.format, &input.why) {
                (FormatChoice::Ndjson, _) => sheet::json_line(&mut out, &Line { kind: "failed", of: input })?,
                (FormatChoice::Csv, Some(why)) => self.row(&Facts::failed(&input.path, why.code.name), &mut out)?,
                _ => {}
            }
        }
        if self.format == FormatChoice::Csv {
            self.sheet.cells(&COLUMNS, None, &mut out)?;
        }
        out.flush()
    }
}

/// Prints facts about one part, below its path.
fn print(facts: &Facts, width: Option<usize>, out: &mut Vec<u8>) -> io::Result<()> {
    table::lines(&facts.text().collect::<Vec<_>>(), out)?;
    let lists: Vec<_> = facts.lists(Audience::TEXT).collect();
    // All rows are held in memory to determine the column widths.
    let most = if facts.kind() == Kind::Level.name() { usize::MAX } else { 1000 };
    for (_, list) in &lists {
        // Of several lists, those from which nothing is selected are left out.
        if lists.len() == 1 || !list.is_empty() {
            let labels: Vec<_> = ["  "].into_iter().chain(list.labels()).collect();
            let rows = list.cells().take(most).map(|cells| [String::new()].into_iter().chain(cells).collect());
            table::write(out, &labels, &rows.collect::<Vec<_>>(), width)?;
        }
    }
    for (name, list) in &lists {
        if let Some(more @ 1..) = list.len().checked_sub(most) {
            let name = if lists.len() == 1 { String::new() } else { format!(" {name}") };
            writeln!(out, "    and {more} more{name}; `worldview show` lists all of them")?;
        }
    }
    Ok(())
}

/// The columns whose sums say something.
const SUMMED: [&str; 13] = [
    "bytes", "planes", "tiles", "objects", "records", "members", "worlds", "models", "parts", "textures", "tables",
    "levels", "pictures",
];

/// The columns that are last, since people need them least.
const LAST: [&str; 6] = ["author", "birth", "density", "generation", "record_size", "names"];

/// Prints a separate table for each kind, with the columns of the sheet that it has, and totals. What all rows have is said once.
fn tables(all: &[Facts], width: Option<usize>, out: &mut dyn Write) -> io::Result<()> {
    let mut is_first = true;
    for kind in Kind::OF_FILES.map(Kind::name) {
        let mut cells: Vec<_> = all.iter().filter(|facts| facts.kind() == kind).map(Facts::sheet).collect();
        if cells.is_empty() {
            continue;
        }
        if !std::mem::take(&mut is_first) {
            writeln!(out)?;
        }
        let named = cells.iter_mut().flat_map(|row| row.iter_mut().zip(COLUMNS.iter()));
        named.filter(|(_, name)| **name == "game").for_each(|(cell, _)| *cell = short_game(cell).to_owned());
        let is_number =
            |column: usize| cells.iter().all(|row| row[column].is_empty() || row[column].parse::<f64>().is_ok());
        let is_shown = |&column: &usize| {
            !matches!(COLUMNS[column], "kind" | "modified") && cells.iter().any(|row| !row[column].is_empty())
        };
        let is_same = |&column: &usize| {
            let is_apart = cells.len() == 1 || matches!(COLUMNS[column], "path" | "bytes");
            !is_apart && cells.iter().all(|row| row[column] == cells[0][column])
        };
        let (same, mut shown): (Vec<_>, Vec<_>) = (0..COLUMNS.len()).filter(is_shown).partition(is_same);
        shown.sort_by_key(|&column| match COLUMNS[column] {
            "path" => 0,
            "problem" => 1,
            name => 2 + u8::from(LAST.contains(&name)),
        });
        let same: Vec<_> = same.iter().map(|&column| format!("{} {}", COLUMNS[column], cells[0][column])).collect();
        let head = |&column: &usize| format!("{}{}", if is_number(column) { ">" } else { "" }, COLUMNS[column]);
        let heads: Vec<_> = shown.iter().map(head).collect();
        if cells.len() > 1 {
            let sum = |column: usize| cells.iter().filter_map(|row| row[column].parse::<u64>().ok()).sum::<u64>();
            let total = |(column, name): (usize, &&str)| match *name {
                "path" if kind == "textures" => format!("{} files", cells.len()),
                "path" => counted(cells.len() as u64, kind),
                name if SUMMED.contains(&name) => sum(column).to_string(),
                _ => String::new(),
            };
            cells.push(COLUMNS.iter().enumerate().map(total).collect());
        }
        let picked = |row: &Vec<String>| shown.iter().map(|&column| row[column].clone()).collect();
        let cells: Vec<_> = cells.iter().map(picked).collect();
        table::write(out, &heads.iter().map(String::as_str).collect::<Vec<_>>(), &cells, width)?;
        if !same.is_empty() {
            writeln!(out, "all of them: {}", table::shown(&same.join(", ")))?;
        }
    }
    Ok(())
}
