//! The verbs that edit files, and make new ones.

use std::cmp::Ordering;
use std::io::{self, Write};

use worldview_edit::{Change, Changes, Value};
use worldview_verbs::options::EditOptions;
use worldview_verbs::table::{self, counted, size};
use worldview_verbs::{
    EditReport, EditedFile, RepairCounts, Report, Result, Run, apply as apply_to, build as make, repair as mend,
    set as set_in,
};

use super::Done;
use crate::args::{ApplyArgs, BuildArgs, EditArgs, EditFormat, RepairArgs, SetArgs};
use crate::streams::Streams;
use crate::terminal::Summary;

pub(crate) fn set(args: &SetArgs, run: &mut Run<'_>, streams: &Streams) -> Result<Done> {
    let printer = Printer::new(&args.edit, args.input.is_dir(), streams);
    let (mut out, options) = (streams.plain(), &args.options.0);
    let take = &mut |file: &EditedFile, changes: &Changes, out: &mut dyn Write| printer.print(file, changes, out);
    let report = set_in(&args.input, &args.assignments, options, run, &mut out, take)?;
    printer.finish(report, options, out)
}

pub(crate) fn apply(args: &ApplyArgs, run: &mut Run<'_>, streams: &Streams) -> Result<Done> {
    let printer = Printer::new(&args.edit, args.input.is_dir(), streams);
    let (mut out, options) = (streams.plain(), &args.options.0);
    let take = &mut |file: &EditedFile, changes: &Changes, out: &mut dyn Write| printer.print(file, changes, out);
    let report = apply_to(&args.input, &args.sources, options, run, &mut out, take)?;
    printer.finish(report, &options.to, out)
}

pub(crate) fn repair(args: &RepairArgs, run: &mut Run<'_>, streams: &Streams) -> Result<Done> {
    let report = mend(&args.input.paths, &args.options, run)?;
    let (report, RepairCounts { repaired, valid }) = report.split();
    document(args.format.is_some(), &report, streams.plain())?;
    let would = if args.options.preview.dry_run { "would be " } else { "" };
    let what = format!(": {} {would}repaired, {valid} without such damage", counted(repaired, "file"));
    Ok((report, Some(Summary { done: "looked at", what, always: true })))
}

pub(crate) fn build(args: &BuildArgs, run: &mut Run<'_>, streams: &Streams) -> Result<Done> {
    let (report, written) = make(&args.source, &args.options, run)?.split();
    document(args.format.is_some(), &report, streams.plain())?;
    let would = if args.options.preview.dry_run { "would be " } else { "" };
    let out = table::path(&args.options.out);
    let what = written.map_or_else(String::new, |len| format!(": {out} ({}) {would}written", size(len)));
    Ok((report, Some(Summary { done: "read", what, always: written.is_some() })))
}

/// Prints the report, if it was asked for.
fn document(is_wanted: bool, report: &Report, mut out: impl Write) -> io::Result<()> {
    if is_wanted {
        report.write(&mut out)?;
    }
    out.flush()
}

/// Prints what a dry run would change.
struct Printer {
    is_folder: bool,
    format: EditFormat,
}

impl Printer {
    fn new(to: &EditArgs, is_folder: bool, streams: &Streams) -> Self {
        let format = to.format.unwrap_or(match streams.out_is_terminal {
            true => EditFormat::Table,
            false => EditFormat::Changes,
        });
        Self { is_folder, format }
    }

    /// Prints the changes of a file: a table, or a document of changes.
    fn print(&self, file: &EditedFile, changes: &Changes, out: &mut dyn Write) -> io::Result<()> {
        if self.format == EditFormat::Json {
            return Ok(());
        }
        if self.format == EditFormat::Changes {
            let json = if self.is_folder { file.line(changes) } else { changes.to_json() };
            return out.write_all(json.map_err(io::Error::other)?.as_bytes());
        }
        let rows: Vec<_> = changes.iter().map(row).collect();
        if rows.is_empty() {
            return Ok(());
        }
        if self.is_folder {
            writeln!(out, "{}", table::shown(&file.input))?;
        }
        table::write(out, &["path", "old", "new"], &rows)
    }

    fn finish(&self, report: Report<EditReport>, to: &EditOptions, out: impl Write) -> Result<Done> {
        let (report, edited) = report.split();
        document(self.format == EditFormat::Json, &report, out)?;
        // What failed has been reported.
        let done = if edited.changes == 0 { "nothing changed in" } else { "edited" };
        let summary = Summary { done, what: summary(&edited, to), always: !edited.files.is_empty() };
        // An input that cannot be edited at all has no summary.
        let is_begun = edited.changes + edited.equal + report.totals.files + report.totals.skipped > 0;
        Ok((report, is_begun.then_some(summary)))
    }
}

/// What was done, in a few words.
fn summary(edited: &EditReport, to: &EditOptions) -> String {
    let EditReport { files, changes, equal, left_out, there, bytes } = edited;
    let would = if to.preview.dry_run { "would be " } else { "" };
    if changes + equal == 0 && *left_out == 0 {
        return String::new();
    }
    let mut done = match (*changes, *there) {
        (0, 1) => "the change is there already".to_owned(),
        (0, there) if there > 0 => format!("all {there} changes are there already"),
        (0, _) => "no changes".to_owned(),
        (changes, there) if there > 0 => format!("{}, {there} there already", counted(changes, "change")),
        (changes, _) => counted(changes, "change"),
    };
    if *left_out > 0 {
        done.push_str(&format!(", {left_out} left out"));
    }
    match &files[..] {
        [] => String::new(),
        [EditedFile { out, before, after, .. }] => {
            let difference = match after.cmp(before) {
                Ordering::Equal => "same size".to_owned(),
                Ordering::Greater => format!("{} larger", size(after - before)),
                Ordering::Less => format!("{} smaller", size(before - after)),
            };
            match &to.out {
                None if to.preview.dry_run => {
                    let the = if before == after { "the " } else { "" };
                    format!(": {done}; the file would be {the}{difference}")
                }
                _ => {
                    let out = out.as_deref().filter(|out| *out != "-").unwrap_or("standard output");
                    format!(": {done}; {out} {would}written, {difference}")
                }
            }
        }
        all => format!(": {done}; {} ({}) {would}written", counted(all.len() as u64, "file"), size(*bytes)),
    }
}

/// Returns a change as path, old and new value.
fn row(change: &Change) -> Vec<String> {
    let (old, new) = match change {
        Change::Set { from, to, .. } => (from.as_ref().map(Value::to_string), to.to_string()),
        Change::Add { .. } => (None, "(added)".to_owned()),
        Change::Remove { .. } => (None, "(removed)".to_owned()),
        Change::Rename { to, .. } => (None, format!("(renamed to {to})")),
        _ => (None, "(moved)".to_owned()),
    };
    vec![change.path().to_string(), old.unwrap_or_default(), new]
}
