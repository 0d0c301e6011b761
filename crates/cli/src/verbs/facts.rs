//! `info` and `list`: the facts about files, one after another or in a table.

use std::cmp::Ordering;
use std::fs;
use std::io::{self, Write};

use serde::Serialize;
use worldview::facts::{Audience, COLUMNS, Facts, Subject, counted};
use worldview::{Kind, Loader};
use worldview_import::nearest;

use crate::args::{CsvArgs, FormatChoice, InfoArgs, InputArgs, ListArgs};
use crate::inputs::{self, OpenInput};
use crate::open::{Files, NestingScope};
use crate::report::{Head, Status};
use crate::run::Run;
use crate::sheet::{self, Sheet};
use crate::table;

pub(crate) fn info(args: &InfoArgs, loader: Loader, run: &mut Run) -> io::Result<()> {
    let asked = Asked { verb: "info", input: &args.input, csv: args.csv, format: args.format, sort: None };
    asked.answer(loader, run)
}

pub(crate) fn list(args: &ListArgs, loader: Loader, run: &mut Run) -> io::Result<()> {
    let mut asked = Asked { verb: "list", input: &args.input, csv: args.csv, format: args.format, sort: None };
    if let Some(name) = args.sort.as_deref() {
        let Some(column) = COLUMNS.iter().position(|column| *column == name) else {
            let meant = nearest::meant(name, COLUMNS.iter().copied());
            let meant = meant.map_or(String::new(), |meant| format!("; did you mean {meant}?"));
            run.refused("--sort", &format_args!("the columns are {}{meant}", COLUMNS.join(", ")));
            return Ok(());
        };
        asked.sort = Some((column, args.reverse));
    }
    asked.answer(loader, run)
}

/// What the two verbs were asked for.
struct Asked<'r> {
    verb: &'static str,
    input: &'r InputArgs,
    csv: CsvArgs,
    format: FormatChoice,
    /// A column, and whether the order is descending.
    sort: Option<(usize, bool)>,
}

/// A line of NDJSON.
#[derive(Serialize)]
struct Line<T> {
    kind: &'static str,
    #[serde(flatten)]
    of: T,
}

/// A document with a list for each kind.
#[derive(Serialize)]
struct Document<'d, T> {
    #[serde(flatten)]
    head: Head<'d>,
    levels: Vec<T>,
    tables: Vec<T>,
    archives: Vec<T>,
    databases: Vec<T>,
    pictures: Vec<T>,
    textures: Vec<T>,
}

impl Asked<'_> {
    fn is_list(&self) -> bool {
        self.verb == "list"
    }

    fn answer(&self, loader: Loader, run: &mut Run) -> io::Result<()> {
        let threads = inputs::threads_inside(self.input, run);
        let Some(files) = Files::new(&self.input.open, threads, run) else { return Ok(()) };
        let look = |look: OpenInput<'_>, ()| self.one(&files, look);
        let (mut out, mut sheet, mut all) = (run.rows_out(self.csv, self.format), Sheet::new(), Vec::new());
        let is_streamed = self.sort.is_none() && matches!(self.format, FormatChoice::Ndjson | FormatChoice::Csv);
        let take = |made: io::Result<(Vec<u8>, Vec<Facts>)>, _: &mut Run| {
            let (text, made) = made?;
            out.write_all(&text)?;
            if is_streamed {
                return self.rows(&made, &mut sheet, &mut out);
            }
            all.extend(made);
            Ok(())
        };
        inputs::each(self.input, loader, run, |_| (), look, take)?;
        if let Some((column, is_reverse)) = self.sort {
            all = sorted(all, column, is_reverse);
        }
        match self.format {
            FormatChoice::Table => tables(&all, &mut out)?,
            FormatChoice::Json => {
                let of = |kind| all.iter().filter(|facts| facts.kind() == kind).flat_map(Facts::objects).collect();
                let document = Document {
                    head: Head::of(self.verb, run),
                    levels: of("level"),
                    tables: of("table"),
                    archives: of("archive"),
                    databases: of("database"),
                    pictures: of("picture"),
                    textures: of("textures"),
                };
                sheet::json(&mut out, &document)?;
            }
            FormatChoice::Ndjson | FormatChoice::Csv => self.rows(&all, &mut sheet, &mut out)?,
        }
        // The inputs that could not be read are rows too, so that a sheet has every input.
        for input in run.inputs().iter().filter(|input| input.status == Status::Failed) {
            match (self.format, &input.why) {
                (FormatChoice::Ndjson, _) => sheet::json_line(&mut out, &Line { kind: "failed", of: input })?,
                (FormatChoice::Csv, Some(why)) => {
                    self.rows(&[Facts::failed(&input.path, why.code)], &mut sheet, &mut out)?;
                }
                _ => {}
            }
        }
        if self.format == FormatChoice::Csv {
            sheet.cells(&COLUMNS, None, &mut out)?;
        }
        out.flush()?;
        if self.is_list() {
            run.sum_up("listed", "", false);
        }
        Ok(())
    }

    /// Writes facts one by one.
    fn rows(&self, all: &[Facts], sheet: &mut Sheet, out: &mut dyn Write) -> io::Result<()> {
        all.iter().try_for_each(|facts| match self.format {
            FormatChoice::Csv => sheet.cells(&COLUMNS, Some(facts.sheet()), out),
            _ => facts.objects().try_for_each(|of| sheet::json_line(out, &Line { kind: facts.kind(), of })),
        })
    }

    fn audience(&self) -> Audience {
        match (self.format, self.is_list()) {
            (FormatChoice::Csv, _) | (FormatChoice::Table, true) => Audience::SHEET,
            (FormatChoice::Table, false) => Audience::TEXT,
            // The order is that of a sheet.
            (_, true) if self.sort.is_some() => Audience::LIST | Audience::SHEET,
            (_, true) => Audience::LIST,
            (_, false) => Audience::INFO,
        }
    }

    /// Returns the facts about an input and what is in it, which `info` prints for people right away.
    fn one(&self, files: &Files<'_>, mut look: OpenInput<'_>) -> io::Result<(Vec<u8>, Vec<Facts>)> {
        let (mut text, mut all) = (Vec::new(), Vec::new());
        let is_text = self.audience() == Audience::TEXT;
        let modified = if self.is_list() { fs::metadata(&look.input.path).ok() } else { None };
        let modified = modified.and_then(|metadata| metadata.modified().ok());
        let scope = if self.is_list() { NestingScope::Nested } else { NestingScope::Named };
        files.look(&mut look, scope, &mut |visit, outcome| {
            let events = outcome.events.len();
            if self.is_list() {
                visit.say_left_out(outcome);
            }
            let problem = outcome.code_since(events);
            let world = visit.world();
            let only = world.and_then(|world| visit.only(world, outcome));
            if world.is_some() && only.is_none() {
                return Ok(());
            }
            if !self.is_list() {
                visit.say_left_out(outcome);
            }
            let refusal = match visit.part.kind(visit.at) {
                Kind::Record if self.is_list() => "is a record; list the table that contains it",
                Kind::Data if self.is_list() => "is a member that is not in a known format",
                Kind::Record | Kind::Data if !is_text => "is neither a table nor an archive; use `worldview show`",
                // An archive can have thousands, so its own are only listed on request.
                Kind::Picture if self.is_list() && visit.file.is_some() && self.input.open.only.is_empty() => {
                    return Ok(());
                }
                _ => "",
            };
            if !refusal.is_empty() {
                outcome.input_failed(visit.path, &refusal);
                return Ok(());
            }
            let path = table::path(visit.path);
            if is_text {
                writeln!(text, "{}", table::shown(&path))?;
            }
            let (encoding, contents) = (self.input.open.encoding, world.map(|world| world.contents));
            let subject = Subject::new(visit.part, visit.at);
            let subject = Subject { path, encoding, modified, problem, contents, ..subject };
            let mut facts = subject.facts(self.audience());
            if let Some((world, only)) = world.zip(only) {
                let name = |index| world.database.world(index).map_or(&[][..], |world| world.name.text());
                facts.retain("worlds", |index| only.wants_world(index, name(index)));
                facts.retain("blobs", |index| only.wants_blob(world.database, index));
            }
            if is_text {
                return print(&facts, &mut text);
            }
            all.push(facts);
            Ok(())
        })?;
        Ok((text, all))
    }
}

/// Prints facts about one part, below its path.
fn print(facts: &Facts, out: &mut Vec<u8>) -> io::Result<()> {
    table::lines(&facts.text().collect::<Vec<_>>(), out)?;
    let lists: Vec<_> = facts.lists(Audience::TEXT).collect();
    // All rows are held in memory to determine the column widths.
    let most = if facts.kind() == Kind::Level.name() { usize::MAX } else { 1000 };
    for (_, list) in &lists {
        // Of several lists, those from which nothing is selected are left out.
        if lists.len() == 1 || !list.is_empty() {
            let labels: Vec<_> = ["  "].into_iter().chain(list.labels()).collect();
            let rows = list.cells().take(most).map(|cells| [vec![String::new()], cells].concat());
            table::write(out, &labels, &rows.collect::<Vec<_>>())?;
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

/// Sorts by a column: first nothing, then numbers by value, then other texts without regard to case.
fn sorted(all: Vec<Facts>, column: usize, is_reverse: bool) -> Vec<Facts> {
    let mut all: Vec<_> = all.into_iter().map(|facts| (facts.sheet().swap_remove(column), facts)).collect();
    all.sort_by(|(left, _), (right, _)| {
        let order = compare(left, right);
        if is_reverse { order.reverse() } else { order }
    });
    all.into_iter().map(|(_, facts)| facts).collect()
}

fn compare(left: &str, right: &str) -> Ordering {
    let number = |text: &str| text.parse::<f64>().ok();
    let rank = |text: &str| if text.is_empty() { 0 } else { 1 + u8::from(number(text).is_none()) };
    rank(left).cmp(&rank(right)).then_with(|| match (number(left), number(right)) {
        (Some(left), Some(right)) => left.total_cmp(&right),
        _ => left.to_lowercase().cmp(&right.to_lowercase()),
    })
}

/// The kinds in the order of their tables.
const KINDS: [&str; 6] = ["level", "table", "archive", "picture", "database", "textures"];

/// The columns whose sums say something.
const SUMMED: [&str; 13] = [
    "bytes", "planes", "tiles", "objects", "records", "members", "worlds", "models", "parts", "textures", "tables",
    "levels", "pictures",
];

/// Prints a separate table for each kind, with the columns of the sheet that it has, and totals.
fn tables(all: &[Facts], out: &mut dyn Write) -> io::Result<()> {
    let mut is_first = true;
    for kind in KINDS {
        let mut cells: Vec<_> = all.iter().filter(|facts| facts.kind() == kind).map(Facts::sheet).collect();
        if cells.is_empty() {
            continue;
        }
        if !std::mem::take(&mut is_first) {
            writeln!(out)?;
        }
        let is_number =
            |column: usize| cells.iter().all(|row| row[column].is_empty() || row[column].parse::<f64>().is_ok());
        let is_shown = |&column: &usize| {
            !matches!(COLUMNS[column], "kind" | "modified") && cells.iter().any(|row| !row[column].is_empty())
        };
        let shown: Vec<_> = (0..COLUMNS.len()).filter(is_shown).collect();
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
        table::write(out, &heads.iter().map(String::as_str).collect::<Vec<_>>(), &cells)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::compare;

    #[test]
    fn cells_have_one_order() {
        let mut cells = ["b", "10", "1a", "", "9", "A", "-2.5"];
        cells.sort_by(|left, right| compare(left, right));
        assert_eq!(cells, ["", "-2.5", "9", "10", "1a", "A", "b"]);
    }
}
