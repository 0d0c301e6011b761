use std::io::Write as _;
use std::path::PathBuf;

use worldview_verbs::options::ExportOptions;
use worldview_verbs::table::{self, counted, shown, size};
use worldview_verbs::{Counts, ExportReport, Result, Run, Tally, WrittenFile, export as convert};

use super::Done;
use crate::args::ExportArgs;
use crate::streams::Streams;
use crate::terminal::Summary;

/// How many inputs are named again.
const MAX_INPUTS: usize = 3;

pub(crate) fn export(args: &ExportArgs, run: &mut Run<'_>, streams: &Streams) -> Result<Done> {
    let lists = args.options.preview.dry_run || args.format.is_some();
    let options = ExportOptions { lists, ..args.options.0.clone() };
    let report = convert(&args.input.paths, &options, run)?;
    let mut out = streams.plain();
    if args.format.is_some() {
        report.write(&mut out)?;
    } else if options.preview.dry_run {
        let mut files = report.of.files.iter();
        files.try_for_each(|WrittenFile { file, size }| writeln!(out, "{}  {size}", shown(file)))?;
    }
    out.flush()?;
    let (report, exported) = report.split();
    let what = if exported.is_empty() { String::new() } else { summary(&exported, &options) };
    let next = if options.preview.dry_run { Vec::new() } else { next(&exported, &args.input.paths) };
    Ok((report, Some(Summary { done: "exported", dry_run: options.preview.dry_run, what, always: true, next })))
}

/// What to do next: the outputs to open first, and how to look at the inputs.
fn next(ExportReport { highlights, .. }: &ExportReport, inputs: &[PathBuf]) -> Vec<String> {
    if highlights.is_empty() {
        return Vec::new();
    }
    let open = format!("open first: {}", highlights.join(", "));
    // Many inputs are those of a pattern.
    let is_shown = cfg!(feature = "view") && inputs.len() <= MAX_INPUTS && inputs.iter().all(|path| path.exists());
    let words = || inputs.iter().map(|path| table::word(path)).collect::<Vec<_>>().join(" ");
    let view = || format!("to look at the originals: `worldview view {}`", words());
    [open].into_iter().chain(is_shown.then(view)).collect()
}

/// Returns what was exported, for people.
fn summary(ExportReport { exported, outputs, .. }: &ExportReport, options: &ExportOptions) -> String {
    let Counts { levels, tables, archives, databases, pictures, textures } = *exported;
    let counts = [
        (levels, "level"),
        (tables, "table"),
        (archives, "archive"),
        (databases, "database"),
        (pictures, "picture"),
        (textures, "texture file"),
    ];
    let counts = counts.into_iter().filter(|(count, _)| *count > 0).map(|(count, what)| counted(count, what));
    let counts: Vec<_> = counts.collect();
    let counts = if counts.is_empty() { String::new() } else { format!("{}; ", counts.join(", ")) };
    let Tally { written, bytes_written, unchanged, kept, edited, stale, removed } = *outputs;
    let would = if options.preview.dry_run { "would be " } else { "" };
    let (files, size, out) = (counted(written, "file"), size(bytes_written), table::path(&options.out));
    let mut line = format!(": {counts}{files} ({size}) {would}written to {out}");
    for (count, what) in [
        (unchanged, "unchanged"),
        (kept, "kept"),
        (edited, "edited and kept"),
        (stale, "stale"),
        (removed, &*format!("{would}removed")),
    ] {
        if count > 0 {
            line.push_str(&format!(", {count} {what}"));
        }
    }
    line
}
