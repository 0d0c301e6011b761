//! The verbs that edit files, and make new ones.

use std::cmp::Ordering;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use worldview_edit::{Change, Changes, Value};
use worldview_verbs::options::EditOptions;
use worldview_verbs::table::{self, counted, size};
use worldview_verbs::{
    EditReport, EditedFile, RepairCounts, Report, RestoreCounts, Result, Run, apply as apply_to, build as make, folder,
    repair as mend, restore as take_back, set as set_in,
};

use super::Done;
use crate::args::{ApplyArgs, BuildArgs, EditArgs, EditFormat, RepairArgs, RestoreArgs, SetArgs};
use crate::streams::Streams;
use crate::terminal::Summary;

pub(crate) fn set(args: &SetArgs, run: &mut Run<'_>, streams: &Streams) -> Result<Done> {
    let printer = Printer::new(&args.edit, &args.input, streams);
    let (mut out, options) = (streams.plain(), &args.options.0);
    let take = &mut |file: &EditedFile, changes: &Changes, out: &mut dyn Write| printer.print(file, changes, out);
    let report = set_in(&args.input, &args.assignments, options, run, &mut out, take)?;
    printer.finish(report, options, out)
}

pub(crate) fn apply(args: &ApplyArgs, run: &mut Run<'_>, streams: &Streams) -> Result<Done> {
    let printer = Printer::new(&args.edit, &args.input, streams);
    let (mut out, options) = (streams.plain(), &args.options.0);
    let take = &mut |file: &EditedFile, changes: &Changes, out: &mut dyn Write| printer.print(file, changes, out);
    let report = apply_to(&args.input, &args.sources, options, run, &mut out, take)?;
    printer.finish(report, &options.to, out)
}

pub(crate) fn repair(args: &RepairArgs, run: &mut Run<'_>, streams: &Streams) -> Result<Done> {
    let report = mend(&args.input.paths, &args.options, run)?;
    let (report, RepairCounts { valid }) = report.split();
    document(args.format.is_some(), &report, streams.plain())?;
    let what = format!(": {valid} without such damage");
    let dry_run = args.options.preview.dry_run;
    Ok((report, Some(Summary { done: "repaired", dry_run, what, always: true, ..Summary::default() })))
}

pub(crate) fn build(args: &BuildArgs, run: &mut Run<'_>, streams: &Streams) -> Result<Done> {
    let (report, written) = make(&args.source, &args.options, run)?.split();
    document(args.format.is_some(), &report, streams.plain())?;
    let would = if args.options.preview.dry_run { "would be " } else { "" };
    let out = table::path(&args.options.out);
    let what = written.map_or_else(String::new, |len| format!(": {out} ({}) {would}written", size(len)));
    Ok((report, Some(Summary { done: "read", what, always: written.is_some(), ..Summary::default() })))
}

pub(crate) fn restore(args: &RestoreArgs, run: &mut Run<'_>) -> Done {
    let (report, RestoreCounts { is_folder, there, earlier }) = take_back(&args.path, &args.options, run).split();
    let mut what = if there > 0 { format!(": {there} restored before") } else { String::new() };
    if earlier > 0 && !args.options.preview.dry_run {
        what.push_str(&format!("; `worldview restore {}` takes back the run before", table::word(&args.path)));
    }
    let summary =
        Summary { done: "restored", dry_run: args.options.preview.dry_run, what, always: true, ..Summary::default() };
    (report, is_folder.then_some(summary))
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
    /// The folder whose files are edited.
    folder: Option<PathBuf>,
    format: EditFormat,
}

impl Printer {
    fn new(to: &EditArgs, input: &Path, streams: &Streams) -> Self {
        let format = to.format.unwrap_or(match streams.out_is_terminal {
            true => EditFormat::Table,
            false => EditFormat::Changes,
        });
        Self { folder: folder(input), format }
    }

    /// Prints the changes of a file: a table, or a document of changes.
    fn print(&self, file: &EditedFile, changes: &Changes, out: &mut dyn Write) -> io::Result<()> {
        if self.format == EditFormat::Json {
            return Ok(());
        }
        if self.format == EditFormat::Changes {
            let json = if self.folder.is_some() { file.line(changes) } else { changes.to_json() };
            return out.write_all(json.map_err(io::Error::other)?.as_bytes());
        }
        let rows: Vec<_> = file.fields.as_ref().unwrap_or(changes).iter().map(row).collect();
        if rows.is_empty() {
            return Ok(());
        }
        if self.folder.is_some() {
            writeln!(out, "{}", table::shown(&file.input))?;
        }
        // Values are what is looked for, so that long lines are better than cut ones.
        table::write(out, &["path", "old", "new"], &rows, None)
    }

    fn finish(self, report: Report<EditReport>, to: &EditOptions, out: impl Write) -> Result<Done> {
        let (report, edited) = report.split();
        document(self.format == EditFormat::Json, &report, out)?;
        // What failed has been reported.
        let (mut what, is_edited) = (summary(&edited, to), !edited.files.is_empty());
        let always = is_edited || self.folder.is_some();
        if what.is_empty() && edited.equal > 0 && report.totals.failed == 0 {
            what.push_str(": already up to date");
        }
        if let Some(folder) = self.folder.filter(|_| to.in_place && !to.preview.dry_run && is_edited) {
            let folder = if folder.as_os_str().is_empty() { ".".into() } else { folder };
            what.push_str(&format!("; to undo: `worldview restore {}`", table::word(&folder)));
        }
        let summary = Summary { done: "edited", dry_run: to.preview.dry_run, what, always, ..Summary::default() };
        // An input that cannot be edited at all has no summary.
        let is_begun = edited.changes + edited.equal + report.totals.files + report.totals.skipped > 0;
        Ok((report, is_begun.then_some(summary)))
    }
}

/// What was done, in a few words.
fn summary(edited: &EditReport, to: &EditOptions) -> String {
    let EditReport { files, changes, equal, left_out, there, bytes } = edited;
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
        [EditedFile { out, before, after, .. }] => {
            let difference = match after.cmp(before) {
                Ordering::Equal => "same size".to_owned(),
                Ordering::Greater => format!("{} larger", size(after - before)),
                Ordering::Less => format!("{} smaller", size(before - after)),
            };
            let out = out.as_deref().filter(|out| *out != "-").unwrap_or("standard output");
            match (to.preview.dry_run, changes) {
                (true, 0) => format!(": {done}"),
                (true, _) => format!(": {done}; {difference}"),
                (false, _) => format!(": {done}; {out} written, {difference}"),
            }
        }
        [] if changes + there + left_out == 0 => String::new(),
        [] => format!(": {done}"),
        _ if to.preview.dry_run => format!(": {done}"),
        all => format!(": {done}; {} ({}) written", counted(all.len() as u64, "file"), size(*bytes)),
    }
}

/// Returns a change as path, old and new value.
fn row(change: &Change) -> Vec<String> {
    let (old, new) = match change {
        Change::Set { from, to, .. } => (from.as_ref().map(cell), cell(to)),
        Change::Add { .. } => (None, "(added)".to_owned()),
        Change::Remove { .. } => (None, "(removed)".to_owned()),
        Change::Rename { to, .. } => (None, format!("(renamed to {to})")),
        _ => (None, "(moved)".to_owned()),
    };
    vec![change.path().to_string(), old.unwrap_or_default(), new]
}

/// Returns a value for people, who read no long hexadecimal numbers.
fn cell(value: &Value) -> String {
    match value {
        Value::Bytes(bytes) if bytes.len() > 16 => format!("({})", size(bytes.len() as u64)),
        value => value.to_string(),
    }
}
