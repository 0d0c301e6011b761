mod groups;

use std::io::{self, Write};

use serde::Serialize;
use worldview_verbs::options::CheckOptions;
use worldview_verbs::sheet::{self, Sheet};
use worldview_verbs::table::{self, shown};
use worldview_verbs::{Error, FileReport, FindingReport, Result, Run, check as look};

use super::Done;
use crate::args::{CheckArgs, FormatChoice, GroupBy};
use crate::streams::Streams;
use crate::terminal::Summary;
use groups::Groups;

#[derive(Serialize)]
struct Document {
    files: Vec<FileReport>,
}

/// A finding as a row of a CSV file.
#[derive(Default, Serialize)]
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
    fn of(path: &'r str, line: &'r FindingReport) -> Self {
        let FindingReport { severity, code, part, place, offset, space, message } = line;
        Self { path, severity: severity.name(), code, part, place, offset: *offset, space, message }
    }
}

pub(crate) fn check(args: &CheckArgs, run: &mut Run<'_>, streams: &Streams) -> Result<Done> {
    let is_table = args.format == FormatChoice::Table;
    if is_table {
        run.hide_unreadable();
    } else if args.group_by.is_some() {
        return Err(Error::option("--group-by", &"is only for text; the other formats list each finding"));
    }
    // Findings that are grouped are printed without their paths.
    let options = CheckOptions { places: args.all || !is_table, ..args.options.0.clone() };
    let mut out = streams.rows(&args.csv, args.format);
    let (mut files, mut sheet, mut groups) = (Vec::new(), Sheet::default(), Groups::new(options.min));
    let report = look(&args.input.paths, &options, run, &mut |report| {
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
                    let message = &*format!("{count} more findings with this code are not listed");
                    let row = FindingRow { path: &report.path, code, message, ..FindingRow::default() };
                    sheet.write(&row, &mut out)?;
                }
            }
        }
        Ok(())
    })?;
    match args.format {
        FormatChoice::Json => report.write_with(Document { files }, &mut out)?,
        FormatChoice::Csv => sheet.finish(&FindingRow::default(), &mut out)?,
        FormatChoice::Table | FormatChoice::Ndjson => {}
    }
    let default = if report.inputs.len() == 1 { GroupBy::Code } else { GroupBy::File };
    groups.print(args.group_by.unwrap_or(default), streams.width(), &mut out)?;
    out.flush()?;
    Ok((report, Some(Summary { done: "checked", ..Summary::default() })))
}

fn print(report: &FileReport, out: &mut impl Write) -> io::Result<()> {
    let FileReport { path, fatal, suspicious, curious, findings, omitted, .. } = report;
    let path = shown(path);
    if fatal + suspicious + curious == 0 {
        return writeln!(out, "{path}: nothing found");
    }
    writeln!(out, "{path}: {fatal} fatal, {suspicious} suspicious, {curious} curious")?;
    for FindingReport { severity, code, part, place, offset, space, message } in findings {
        let of = table::space(space);
        let place = if place.is_empty() { String::new() } else { format!(" ({})", shown(place)) };
        writeln!(out, "  {severity} [{code}] {part}{place} at offset {offset} ({offset:#x}) of the {of}: {message}")?;
    }
    for (code, count) in omitted {
        writeln!(out, "  and {count} more [{code}]")?;
    }
    Ok(())
}
