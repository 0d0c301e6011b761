use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;
use worldview::wwd::{self, Finding, Level, Unpacked};
use worldview::{Kind as _, Loader, Severity};
use worldview_export::Encoding;

use crate::args::{CheckArgs, FormatChoice};
use crate::describe::VERSION;
use crate::exit::{Failure, Outcome};
use crate::inputs;
use crate::table::shown;

/// Findings of one kind that are told of one file; a broken level can have millions.
const TOLD: usize = 1000;

#[derive(Serialize)]
struct Document<'o> {
    version: u32,
    failed: &'o [Failure],
    files: Vec<FileReport>,
}

#[derive(Serialize)]
struct FileReport {
    path: String,
    fatal: usize,
    suspicious: usize,
    curious: usize,
    findings: Vec<Line>,
    /// How many findings of a kind are counted above and not told.
    omitted: BTreeMap<&'static str, usize>,
}

/// A finding as it is printed.
#[derive(Serialize)]
struct Line {
    severity: &'static str,
    code: &'static str,
    part: String,
    offset: u64,
    space: &'static str,
    message: String,
}

impl Line {
    fn of(finding: &Finding<'_>, encoding: Encoding) -> Self {
        let Finding { kind, at, space, place } = finding;
        let part = [place.outer.as_ref(), Some(&place.part)].into_iter().flatten().map(|part| {
            let index = part.index.map_or(String::new(), |index| format!(" {index}"));
            let name = match part.shown_name() {
                ([], _) => String::new(),
                (name, cut) => format!(" \"{}\"{}", encoding.visible(name), if cut { "…" } else { "" }),
            };
            format!("{}{index}{name}", part.what)
        });
        Self {
            severity: kind.severity().name(),
            code: kind.code(),
            part: part.collect::<Vec<_>>().join(", "),
            offset: *at,
            space: space.name(),
            message: kind.to_string(),
        }
    }
}

pub(crate) fn check(args: &CheckArgs, loader: Loader, outcome: &mut Outcome) -> io::Result<()> {
    let mut out = super::stdout();
    let mut files = Vec::new();
    inputs::each(&args.input, loader, outcome, |input, bytes, outcome| {
        let mut report = FileReport {
            path: super::name(&input.path),
            fatal: 0,
            suspicious: 0,
            curious: 0,
            findings: Vec::new(),
            omitted: BTreeMap::new(),
        };
        let mut told: BTreeMap<_, usize> = BTreeMap::new();
        let mut worst = None;
        let mut note = |finding: &Finding<'_>| {
            let severity = finding.kind.severity();
            match severity {
                Severity::Fatal => report.fatal += 1,
                Severity::Suspicious => report.suspicious += 1,
                Severity::Curious => report.curious += 1,
            }
            worst = worst.max(Some(severity));
            if severity >= args.min.into() {
                let told = told.entry(finding.kind.code()).or_default();
                *told += 1;
                if *told <= TOLD {
                    report.findings.push(Line::of(finding, args.input.encoding.into()));
                } else {
                    *report.omitted.entry(finding.kind.code()).or_default() += 1;
                }
            }
        };
        if let Err(error) = every_finding(bytes, args, &mut note) {
            outcome.input_failed(&input.path, &error);
            return Ok(());
        }
        if args.fail_on.bar().is_some_and(|bar| worst >= Some(bar)) {
            outcome.found();
        }
        match args.format {
            FormatChoice::Table => print(&report, &mut out),
            FormatChoice::Json => {
                files.push(report);
                Ok(())
            }
        }
    })?;
    if args.format == FormatChoice::Json {
        super::json(&mut out, &Document { version: VERSION, failed: outcome.failures(), files })?;
    }
    out.flush()
}

fn every_finding(bytes: &[u8], args: &CheckArgs, note: &mut dyn FnMut(&Finding<'_>)) -> worldview::Result<()> {
    let mut unpacking = Vec::new();
    let file: Unpacked<'_> = super::unpack(bytes, &args.input, &mut unpacking)?;
    unpacking.iter().for_each(&mut *note);
    let level = Level::parse_lossy(&file, &mut |finding| note(&finding))?;
    wwd::check(&file, &level, &mut |finding| note(&finding));
    Ok(())
}

fn print(report: &FileReport, out: &mut impl Write) -> io::Result<()> {
    let FileReport { path, fatal, suspicious, curious, findings, omitted } = report;
    let path = shown(path);
    if fatal + suspicious + curious == 0 {
        return writeln!(out, "{path}: nothing found");
    }
    writeln!(out, "{path}: {fatal} fatal, {suspicious} suspicious, {curious} curious")?;
    for Line { severity, code, part, offset, space, message } in findings {
        writeln!(out, "  {severity} [{code}] {part} at offset {offset} ({offset:#x}) of the {space}: {message}")?;
    }
    for (code, count) in omitted {
        writeln!(out, "  and {count} more [{code}]")?;
    }
    Ok(())
}
