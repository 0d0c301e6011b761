mod pictures;
mod references;

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Serialize, Serializer};
use worldview::island::check_grouped;
use worldview::{
    AnyFinding, Asset, At as PartAt, Finding, FindingCode, Findings, Loader, OffsetBase, Place, PlacePart, Severity,
    excerpt,
};
use worldview_export::level::game::{missing_logics, missing_sounds};
use worldview_inspect::{Encoding, locate, utf8};

use crate::game::{Game, GameFiles, folder_of};
use crate::inputs::{self, Inputs, OpenInput};
use crate::open::{Files, Reach, Visit};
use crate::options::CheckOptions;
use crate::references::{Index, Indices};
use crate::report::{Failure, InputReport, Report, Result};
use crate::run::Run;
use crate::table;

/// How many findings of one kind are listed for one file; a broken level can have millions.
const MAX_LISTED: usize = 1000;

/// The findings in a file, or in an archive or a table in one.
#[derive(Clone, Debug, Default, Serialize)]
pub struct FileReport {
    /// The path of the file, with the names inside it.
    pub path: String,
    /// The title of a level.
    #[serde(skip)]
    pub title: String,
    /// The number of fatal findings: the game refuses the file or crashes.
    pub fatal: usize,
    /// The number of suspicious findings: probably mistakes.
    pub suspicious: usize,
    /// The number of curious findings: unusual, but harmless.
    pub curious: usize,
    /// The first 1,000 findings of each code.
    pub findings: Vec<FindingReport>,
    /// Counts by code of the findings that are counted above but not reported.
    pub omitted: BTreeMap<&'static str, usize>,
    /// Counts by code of the findings so far, including those not reported.
    #[serde(skip)]
    counts: BTreeMap<&'static str, usize>,
    /// The offsets of the findings.
    #[serde(skip)]
    offsets: Vec<(u64, OffsetBase)>,
}

/// A finding.
#[derive(Clone, Debug, Serialize)]
pub struct FindingReport {
    /// How bad it is.
    #[serde(serialize_with = "name")]
    pub severity: Severity,
    /// The code, which docs/formats explains.
    pub code: &'static str,
    /// What the finding is about.
    pub part: String,
    /// The path of the smallest part or field at the offset; empty if there is none.
    pub place: String,
    /// The offset in `space`, in bytes.
    pub offset: u64,
    /// The space of the offset: `file` or `image`.
    pub space: &'static str,
    /// What was found.
    pub message: String,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
fn name<S: Serializer>(severity: &Severity, serializer: S) -> std::result::Result<S::Ok, S::Error> {
    serializer.serialize_str(severity.name())
}

impl FindingReport {
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
            severity: kind.severity(),
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
        let line = FindingReport {
            severity: Severity::Fatal,
            code: why.code.name,
            part: "file".to_owned(),
            place: String::new(),
            offset: why.offset.unwrap_or(0),
            space: why.space.unwrap_or("file"),
            message: why.hint.map_or_else(|| why.error.clone(), |hint| format!("{}; {hint}", why.error)),
        };
        let (path, counts) = (input.path.clone(), [(why.code.name, 1)].into());
        Some(Self { path, fatal: 1, counts, findings: vec![line], ..Self::default() })
    }

    fn new(path: &Path) -> Self {
        Self { path: table::path(path), ..Self::default() }
    }

    /// Counts a finding, and keeps it for the report if it is severe enough and the limit has not been reached.
    fn note<K: FindingCode>(&mut self, finding: &Finding<'_, K>, min: Severity, text: &dyn Fn(&[u8]) -> String) {
        let (severity, code) = (finding.kind.severity(), finding.kind.code());
        self.count(severity);
        if severity < min {
            return;
        }
        if self.has_room(code) {
            self.findings.push(FindingReport::of(finding, text));
            self.offsets.push((finding.at, finding.space));
        }
    }

    /// Counts a finding that is already a line, and keeps it in the same cases as [`note`](Self::note).
    fn add(&mut self, min: Severity, line: FindingReport) {
        self.count(line.severity);
        if line.severity >= min && self.has_room(line.code) {
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
        if let Some(Ok(paths)) = visit.describe_whole(|root| locate(root, &offsets)) {
            for (line, path) in self.findings.iter_mut().zip(paths) {
                line.place = path.to_string();
            }
        }
    }

    /// Returns the highest severity of a finding.
    pub fn worst(&self) -> Option<Severity> {
        [(self.fatal, Severity::Fatal), (self.suspicious, Severity::Suspicious), (self.curious, Severity::Curious)]
            .into_iter()
            .find_map(|(count, severity)| (count > 0).then_some(severity))
    }
}

/// Finds what is broken, suspicious or unusual. Calls `take` with the findings of each file, and of each archive and table in it; an input
/// that cannot be read has a finding, too, in the end. The report is [negative](Report::is_negative) if there is a finding at or above the
/// severity of the option `fail_on`.
///
/// # Errors
///
/// Returns an error if the options cannot be used, or if `take` returns one.
pub fn check(
    paths: &[PathBuf],
    args: &CheckOptions,
    run: &mut Run<'_>,
    take: &mut dyn FnMut(FileReport) -> io::Result<()>,
) -> Result<Report> {
    let inputs = Inputs { paths, open: &args.open };
    let opened = Files::new(&args.open, inputs.threads_inside(run))?;
    let game_files = GameFiles::open(args.game.as_deref(), run.loader_for(args.open.mmap))?;
    let archives = game_files.opened();
    let game = Game::new(&game_files, &archives);
    let (indices, loader) = (Indices::default(), run.loader_for(args.open.mmap));
    let look = |look: OpenInput<'_>, ()| one(args, &opened, (game, &indices, loader), look);
    inputs::each(
        inputs,
        run,
        |_| (),
        look,
        |reports, run| {
            run.count_done(!reports.is_empty());
            reports.into_iter().try_for_each(&mut *take)
        },
    )?;
    run.report.inputs.iter().filter_map(FileReport::unreadable).try_for_each(take)?;
    game_files.still_there(run);
    Ok(run.end("check", ()))
}

/// Checks one input, and each part if it is an archive.
fn one(
    args: &CheckOptions,
    files: &Files<'_>,
    (game, indices, loader): (Game<'_>, &Indices, Loader),
    mut look: OpenInput<'_>,
) -> Vec<FileReport> {
    let (mut reports, mut of_archives) = (Vec::new(), BTreeMap::new());
    let (open, min) = (&args.open, args.min.unwrap_or(Severity::Curious));
    let encoding: Encoding = open.encoding;
    let text = |bytes: &[u8]| encoding.visible(bytes).into_owned();
    files.each(&mut look, Reach::CHECK, &mut |visit, outcome| {
        let mut report = FileReport::new(visit.path);
        match (visit.part, visit.findings) {
            (Asset::Database(database), Findings::Database(findings)) => {
                let Some(world) = visit.world() else { return };
                let Some(only) = visit.only(world, outcome) else { return };
                let wants = |place: &Place<'_>| only.wants_place(database, place);
                findings
                    .iter()
                    .filter(|finding| wants(&finding.place))
                    .for_each(|finding| report.note(finding, min, &text));
                check_grouped(database, world.contents, &wants, &mut |finding| report.note(finding, min, &text));
            }
            (Asset::Data(_), _) => {
                outcome.input_failed(visit.path, &"is a member that is not in a known format");
                return;
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
        if args.places {
            report.place(visit);
        }
        if let Asset::Table(table) = visit.part {
            let around = visit.around(loader);
            if min == Severity::Curious && Index::can_judge(table) && references::is_wanted(visit, &around) {
                let index = indices.of(&around, &mut of_archives);
                references::check(visit, (table, &index), min, outcome, &mut report);
            }
        }
        if let Asset::Level(level, file) = visit.part {
            report.title = text(file.header().name.as_bytes());
            let checked = game.pictures(visit, level).and_then(|pictures| match (pictures, game.assets(visit)) {
                (Some(pictures), Some(assets)) => {
                    let custom = folder_of(visit)?;
                    let sounds = missing_sounds(&assets, level, custom.as_deref())?;
                    let logics = missing_logics(level, custom.as_deref())?;
                    pictures::check(&pictures, [&sounds, &logics], level, min, &text, &mut report)
                }
                _ => Ok(()),
            });
            if let Err(error) = checked {
                let text = format!("the pictures and sounds of the level: {error}");
                outcome.input_failed(visit.path, &Failure::of(&error, text));
            }
        }
        reports.push(report);
    });
    let is_found = |report: &FileReport| args.fail_on.bar().is_some_and(|bar| report.worst() >= Some(bar));
    if reports.iter().any(is_found) {
        look.outcome.is_negative = true;
    }
    reports
}
