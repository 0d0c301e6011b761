mod groups;
mod pictures;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;
use worldview::island::check_grouped;
use worldview::{
    AnyFinding, Asset, At as PartAt, Finding, FindingCode, Findings, Loader, OffsetBase, Place, PlacePart, Severity,
    excerpt,
};
use worldview_export::level::game::missing_sounds;
use worldview_inspect::{Encoding, locate, utf8};

use crate::args::{CheckArgs, FormatChoice};
use crate::game::{Game, GameFiles};
use crate::inputs::{self, OpenInput};
use crate::open::{Files, NestingScope, Visit};
use crate::outcome::At;
use crate::report::{Head, InputReport};
use crate::run::Run;
use crate::sheet;
use crate::table::{self, shown};
use groups::Groups;

/// How many findings of one kind are listed for one file; a broken level can have millions.
const MAX_LISTED: usize = 1000;

#[derive(Serialize)]
struct Document<'o> {
    #[serde(flatten)]
    head: Head<'o>,
    files: Vec<FileReport>,
}

#[derive(Serialize)]
struct FileReport {
    path: String,
    fatal: usize,
    suspicious: usize,
    curious: usize,
    findings: Vec<Line>,
    /// Counts by code of the findings that are counted above but not reported.
    omitted: BTreeMap<&'static str, usize>,
    /// Counts by code of the findings so far, including those not reported.
    #[serde(skip)]
    counts: BTreeMap<&'static str, usize>,
    /// The offsets of the findings.
    #[serde(skip)]
    offsets: Vec<(u64, OffsetBase)>,
}

/// A finding as a row of a CSV file.
#[derive(Serialize)]
struct FindingRow<'r> {
    path: &'r str,
    severity: &'r str,
    code: &'r str,
    part: &'r str,
    place: &'r str,
    offset: u64,
    space: &'r str,
    message: &'r str,
}

impl<'r> FindingRow<'r> {
    const fn empty(path: &'r str) -> Self {
        Self { path, severity: "", code: "", part: "", place: "", offset: 0, space: "", message: "" }
    }

    fn of(path: &'r str, line: &'r Line) -> Self {
        let Line { severity, code, part, place, offset, space, message } = line;
        Self { path, severity, code, part, place, offset: *offset, space, message }
    }
}

/// A finding as printed.
#[derive(Serialize)]
struct Line {
    severity: &'static str,
    code: &'static str,
    part: String,
    /// The path of the smallest part or field at the offset; empty if there is none.
    place: String,
    offset: u64,
    space: &'static str,
    message: String,
}

impl Line {
    fn of<K: FindingCode>(finding: &Finding<'_, K>, encoding: &dyn Fn(&[u8]) -> String) -> Self {
        let Finding { kind, at, space, place } = finding;
        let part = place.parts().map(|part| {
            let name = match part.shown_name() {
                ([], _) => String::new(),
                (name, cut) => format!(" \"{}\"{}", encoding(name), if cut { "…" } else { "" }),
            };
            format!("{}{name}", PlacePart { name: &[], ..*part })
        });
        Self {
            severity: kind.severity().name(),
            code: kind.code(),
            part: excerpt(&part.collect::<Vec<_>>().join(", ")),
            place: String::new(),
            offset: *at,
            space: space.name(),
            message: excerpt(&kind.to_string()),
        }
    }
}

impl FileReport {
    /// Returns the report of an input that cannot be read, which is a finding in it.
    fn unreadable(input: &InputReport) -> Option<Self> {
        let why = input.why.as_ref().filter(|_| input.is_unreadable())?;
        let line = Line {
            severity: Severity::Fatal.name(),
            code: why.code,
            part: "file".to_owned(),
            place: String::new(),
            offset: why.offset.unwrap_or(0),
            space: why.space.unwrap_or("file"),
            message: why.hint.map_or_else(|| why.message.clone(), |hint| format!("{}; {hint}", why.message)),
        };
        let path = input.path.clone();
        Some(Self { path, fatal: 1, counts: [(why.code, 1)].into(), findings: vec![line], ..Self::new(Path::new("")) })
    }

    fn new(path: &Path) -> Self {
        Self {
            path: table::path(path),
            fatal: 0,
            suspicious: 0,
            curious: 0,
            findings: Vec::new(),
            omitted: BTreeMap::new(),
            counts: BTreeMap::new(),
            offsets: Vec::new(),
        }
    }

    /// Counts a finding, and keeps it for the report if it is severe enough and the limit has not been reached.
    fn note<K: FindingCode>(&mut self, finding: &Finding<'_, K>, min: Severity, text: &dyn Fn(&[u8]) -> String) {
        let (severity, code) = (finding.kind.severity(), finding.kind.code());
        self.count(severity);
        if severity < min {
            return;
        }
        if self.has_room(code) {
            self.findings.push(Line::of(finding, text));
            self.offsets.push((finding.at, finding.space));
        }
    }

    /// Counts a finding that is already a line, and keeps it in the same cases as [`note`](Self::note).
    fn add(&mut self, severity: Severity, min: Severity, line: Line) {
        self.count(severity);
        if severity >= min && self.has_room(line.code) {
            self.findings.push(line);
        }
    }

    /// Returns whether another finding with this code is listed.
    fn has_room(&mut self, code: &'static str) -> bool {
        // Findings with the same code are usually adjacent, but not always.
        let counts = self.counts.entry(code).or_default();
        *counts += 1;
        let has_room = *counts <= MAX_LISTED;
        if !has_room {
            *self.omitted.entry(code).or_default() += 1;
        }
        has_room
    }

    fn count(&mut self, severity: Severity) {
        match severity {
            Severity::Fatal => self.fatal += 1,
            Severity::Suspicious => self.suspicious += 1,
            Severity::Curious => self.curious += 1,
        }
    }

    /// Sets the path of each finding.
    fn place(&mut self, visit: &Visit<'_, '_>) {
        if self.offsets.is_empty() {
            return;
        }
        let offsets = std::mem::take(&mut self.offsets);
        // If overlapping parts make the walk too long, the findings have no paths.
        if let Some(Ok(paths)) = visit.describe(|root| locate(root, &offsets)) {
            for (line, path) in self.findings.iter_mut().zip(paths) {
                line.place = path.to_string();
            }
        }
    }

    fn worst(&self) -> Option<Severity> {
        [(self.fatal, Severity::Fatal), (self.suspicious, Severity::Suspicious), (self.curious, Severity::Curious)]
            .into_iter()
            .find_map(|(count, severity)| (count > 0).then_some(severity))
    }
}

pub(crate) fn check(args: &CheckArgs, loader: Loader, run: &mut Run) -> io::Result<()> {
    run.finds_unreadable = args.format == FormatChoice::Table;
    let threads = inputs::threads_inside(&args.input, run);
    let Some(opened) = Files::new(&args.input.open, threads, run) else { return Ok(()) };
    let Some(game_files) = GameFiles::open(args.game.as_deref(), loader, run) else { return Ok(()) };
    let archives = game_files.opened();
    let game = Game::new(&game_files, &archives);
    let look = |look: OpenInput<'_>, ()| one(args, &opened, game, look);
    let mut out = run.rows_out(args.csv, args.format);
    let mut files = Vec::new();
    let (mut sheet, mut groups) = (sheet::Sheet::new(), Groups::default());
    let mut take = |report: FileReport| {
        match args.format {
            FormatChoice::Table if args.all => print(&report, &mut out)?,
            FormatChoice::Table => groups.add(&report),
            FormatChoice::Json => files.push(report),
            FormatChoice::Ndjson => sheet::json_line(&mut out, &report)?,
            FormatChoice::Csv => {
                for line in &report.findings {
                    sheet.write(&FindingRow::of(&report.path, line), &mut out)?;
                }
                for (code, count) in &report.omitted {
                    let message = format!("{count} more findings with this code are not listed");
                    let row = FindingRow { code, message: &message, ..FindingRow::empty(&report.path) };
                    sheet.write(&row, &mut out)?;
                }
            }
        }
        Ok(())
    };
    inputs::each(&args.input, loader, run, |_| (), look, |reports, _| reports.into_iter().try_for_each(&mut take))?;
    run.inputs().iter().filter_map(FileReport::unreadable).try_for_each(&mut take)?;
    game_files.still_there(run);
    if args.format == FormatChoice::Json {
        sheet::json(&mut out, &Document { head: Head::of("check", run), files })?;
    }
    if args.format == FormatChoice::Csv {
        sheet.finish(&FindingRow::empty(""), &mut out)?;
    }
    groups.print(run.width(), &mut out)?;
    out.flush()?;
    run.sum_up("checked", "", false);
    Ok(())
}

/// Checks one input, and each part if it is an archive.
fn one(args: &CheckArgs, files: &Files<'_>, game: Game<'_>, mut look: OpenInput<'_>) -> Vec<FileReport> {
    let mut reports = Vec::new();
    let (open, min) = (&args.input.open, args.min.into());
    let encoding: Encoding = open.encoding;
    let text = |bytes: &[u8]| encoding.visible(bytes).into_owned();
    let looked = files.look(&mut look, NestingScope::Nested, &mut |visit, outcome| {
        let mut report = FileReport::new(visit.path);
        match (visit.part, visit.findings) {
            (Asset::Database(database), Findings::Database(findings)) => {
                let Some(world) = visit.world() else { return Ok(()) };
                let Some(only) = visit.only(world, outcome) else { return Ok(()) };
                let wants = |place: &Place<'_>| only.wants_place(database, place);
                findings
                    .iter()
                    .filter(|finding| wants(&finding.place))
                    .for_each(|finding| report.note(finding, min, &text));
                check_grouped(database, world.contents, &wants, &mut |finding| report.note(finding, min, &text));
            }
            (Asset::Table(_), _) if visit.row().is_some() => {
                outcome.input_failed(visit.path, &"is a record; check the table that contains it");
                return Ok(());
            }
            (Asset::Data(_), _) => {
                outcome.input_failed(visit.path, &"is a member that is not in a known format");
                return Ok(());
            }
            (part, findings) => {
                // Tables have their own encoding.
                let names: &dyn Fn(&[u8]) -> String = match part {
                    Asset::Table(_) | Asset::Archive(_) => &|bytes| utf8(bytes).into_owned(),
                    _ => &text,
                };
                let mut note = |finding: &AnyFinding<'_, '_>| report.note(finding, min, names);
                findings.each(&mut note);
                // A directory is checked with its archive.
                if visit.at == PartAt::Whole {
                    part.check(&mut note);
                }
            }
        }
        // Findings that are grouped are printed without their paths.
        if args.all || args.format != FormatChoice::Table {
            report.place(visit);
        }
        if let Asset::Level(level, _) = visit.part {
            let checked = game.pictures(visit, level).and_then(|pictures| match (pictures, game.assets(visit)) {
                (Some(pictures), Some(assets)) => {
                    let sounds = missing_sounds(&assets, level)?;
                    pictures::check(&pictures, &sounds, level, min, &text, &mut report)
                }
                _ => Ok(()),
            });
            if let Err(error) = checked {
                let text = format!("the pictures and sounds of the level: {error}");
                outcome.input_failed(visit.path, &At::of(&error, text));
            }
        }
        reports.push(report);
        Ok(())
    });
    // Nothing is written here, so no I/O error can occur.
    debug_assert!(looked.is_ok());
    let is_found = |report: &FileReport| args.fail_on.bar().is_some_and(|bar| report.worst() >= Some(bar));
    if reports.iter().any(is_found) {
        look.outcome.found();
    }
    reports
}

fn print(report: &FileReport, out: &mut impl Write) -> io::Result<()> {
    let FileReport { path, fatal, suspicious, curious, findings, omitted, .. } = report;
    let path = shown(path);
    if fatal + suspicious + curious == 0 {
        return writeln!(out, "{path}: nothing found");
    }
    writeln!(out, "{path}: {fatal} fatal, {suspicious} suspicious, {curious} curious")?;
    for Line { severity, code, part, place, offset, space, message } in findings {
        let of = table::space(space);
        let place = if place.is_empty() { String::new() } else { format!(" ({})", shown(place)) };
        writeln!(out, "  {severity} [{code}] {part}{place} at offset {offset} ({offset:#x}) of the {of}: {message}")?;
    }
    for (code, count) in omitted {
        writeln!(out, "  and {count} more [{code}]")?;
    }
    Ok(())
}
