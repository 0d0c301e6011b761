//! The results of an export, for one input or for all.

use std::fmt::Display;
use std::mem;
use std::path::PathBuf;

use super::ExportReport;
use super::merge::Rows;
use crate::options::ExportOptions;
use crate::outcome::Outcome;
use crate::output::{Counts, InputDigest, Made, Manifest, Output, Stale};
use crate::report::OutputReport;
use crate::run::Run;
use crate::table;

/// The result for one input.
#[derive(Debug, Default)]
pub(super) struct Done {
    pub(super) counts: Counts,
    pub(super) made: Made,
    /// The rows of tables that are merged, and the input that they come from.
    pub(super) rows: Vec<Rows>,
    pub(super) digest: Option<InputDigest>,
    /// Whether nothing of the input failed.
    pub(super) is_whole: bool,
    /// The line of the input in the manifest of the run.
    pub(super) line: Option<Manifest>,
}

impl Done {
    /// Adds the result for an input.
    pub(super) fn add(&mut self, other: &mut Self) {
        self.counts.add(&other.counts);
        self.made.append(mem::take(&mut other.made));
    }

    /// Takes what an output says of what it wrote and kept.
    pub(super) fn take(&mut self, output: &mut Output<'_>, outcome: &mut Outcome) {
        let (paths, sizes): (Vec<_>, Vec<_>) = mem::take(&mut output.made.edited).into_iter().unzip();
        say_edited(&paths, |what| outcome.note(&output.source, what));
        let written =
            output.made.listed.iter().map(|written| OutputReport::written(written.file.clone(), written.size));
        let kept = |(path, size): (&PathBuf, u64)| OutputReport { path: table::path(path), size, kept: Some("edited") };
        outcome.outputs.extend(written.chain(paths.iter().zip(sizes).map(kept)));
        self.made = mem::take(&mut output.made);
        self.line = output.line.take();
    }

    /// Returns what the run reports.
    pub(super) fn report(&self, args: &ExportOptions) -> ExportReport {
        let Made { tally, listed, stale, highlights, .. } = &self.made;
        ExportReport {
            out: table::path(&args.out),
            dry_run: args.preview.dry_run,
            exported: self.counts,
            outputs: *tally,
            stale: stale.found.iter().chain(&stale.edited).map(|path| table::path(path)).collect(),
            files: listed.clone(),
            highlights: highlights.paths().map(table::path).collect(),
        }
    }

    /// Counts the outputs whose inputs are gone, and reports them.
    pub(super) fn report_stale(&mut self, args: &ExportOptions, run: &mut Run<'_>) {
        let Made { tally, stale: Stale { found, removed, edited }, .. } = &mut self.made;
        tally.removed = *removed;
        tally.stale = found.len() as u64 - *removed;
        let out = table::path(&args.out);
        if tally.stale > 0 {
            let count = table::counted(tally.stale, "stale output");
            let advice = if args.prune { "cannot be removed" } else { "--prune removes what nobody edited" };
            run.note(&out, &format_args!("{count}: {}; {advice}", in_short(found)));
        }
        if !edited.is_empty() {
            let count = table::counted(edited.len() as u64, "stale output");
            run.note(&out, &format_args!("{count} edited since and kept: {}", in_short(edited)));
        }
    }
}

/// Says which outputs are kept because somebody edited them.
pub(super) fn say_edited(paths: &[PathBuf], say: impl FnOnce(&dyn Display)) {
    if !paths.is_empty() {
        let outputs = table::counted(paths.len() as u64, "output");
        let advice = "--overwrite always replaces what was edited";
        say(&format_args!("{outputs} edited since the export and kept: {}; {advice}", in_short(paths)));
    }
}

/// The first of several paths.
fn in_short(all: &[PathBuf]) -> String {
    table::some(all.iter().map(|path| table::path(path)), 20)
}
