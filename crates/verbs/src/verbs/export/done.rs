//! What was exported, for one input or for all.

use std::fmt::Display;
use std::mem;
use std::path::{Path, PathBuf};

use super::merge::Rows;
use super::{ExportReport, WrittenFile};
use crate::options::ExportOptions;
use crate::outcome::Outcome;
use crate::output::{Counts, InputDigest, Manifest, Output, Stale, Tally};
use crate::report::OutputReport;
use crate::run::Run;
use crate::table;

/// The result for one input.
#[derive(Debug, Default)]
pub(super) struct Done {
    pub(super) counts: Counts,
    pub(super) tally: Tally,
    /// The files that were written, or would be, with their sizes; listed where somebody asks for them.
    pub(super) written: Vec<(String, u64)>,
    /// The rows of tables that are merged, and the input that they come from.
    pub(super) rows: Vec<Rows>,
    pub(super) digest: Option<InputDigest>,
    /// Whether nothing of the input failed.
    pub(super) is_whole: bool,
    /// The line of the input in the manifest of the run.
    pub(super) line: Option<Manifest>,
    pub(super) stale: Stale,
}

impl Done {
    /// Adds what became of an input.
    pub(super) fn add(&mut self, other: &mut Self) {
        self.counts.add(&other.counts);
        self.tally.add(&other.tally);
        self.stale.append(mem::take(&mut other.stale));
        self.written.append(&mut other.written);
    }

    /// Takes what an output says of what it wrote and kept.
    pub(super) fn take(&mut self, output: &mut Output<'_>, outcome: &mut Outcome) {
        let (paths, sizes): (Vec<_>, Vec<_>) = mem::take(&mut output.edited).into_iter().unzip();
        say_edited(&paths, |what| outcome.note(output.source(), what));
        let written = output.listed.iter().map(|(path, size)| OutputReport::written(path.clone(), *size));
        let kept = |(path, size): (&PathBuf, u64)| OutputReport { path: table::path(path), size, kept: Some("edited") };
        outcome.outputs.extend(written.chain(paths.iter().zip(sizes).map(kept)));
        self.tally = output.tally;
        self.written = mem::take(&mut output.listed);
        self.line = output.line.take();
        self.stale = mem::take(&mut output.stale);
    }

    /// Counts a file that lies above the folders of the inputs, and lists it.
    pub(super) fn add_file(&mut self, path: &Path, size: Option<u64>) {
        match size {
            None => self.tally.unchanged += 1,
            Some(size) => {
                self.tally.written += 1;
                self.tally.bytes_written += size;
                self.written.push((table::path(path), size));
            }
        }
    }

    /// Returns what the run reports.
    pub(super) fn report(&self, args: &ExportOptions) -> ExportReport {
        let written = self.written.iter().map(|(file, size)| WrittenFile { file: file.clone(), size: *size });
        ExportReport {
            out: table::path(&args.out),
            dry_run: args.dry_run,
            exported: self.counts,
            outputs: self.tally,
            stale: self.stale.found.iter().chain(&self.stale.edited).map(|path| table::path(path)).collect(),
            files: written.collect(),
        }
    }

    /// Counts the outputs whose inputs are gone, and reports them.
    pub(super) fn report_stale(&mut self, args: &ExportOptions, run: &mut Run<'_>) {
        let Stale { found, removed, edited } = &self.stale;
        self.tally.removed = *removed;
        self.tally.stale = found.len() as u64 - removed;
        let out = table::path(&args.out);
        if self.tally.stale > 0 {
            let count = table::counted(self.tally.stale, "stale output");
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
    let names: Vec<_> = all.iter().take(20).map(|path| table::path(path)).collect();
    let more = if all.len() > names.len() { ", …" } else { "" };
    format!("{}{more}", names.join(", "))
}
