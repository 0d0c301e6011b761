//! What was exported, for one input or for all.

use std::fmt::Display;
use std::mem;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::merge::Rows;
use crate::args::ExportArgs;
use crate::outcome::Outcome;
use crate::output::{Counts, InputDigest, Manifest, Output, Stale, Tally};
use crate::report::{Head, OutputReport};
use crate::run::{Run, size};
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

#[derive(Serialize)]
pub(super) struct Document<'d> {
    #[serde(flatten)]
    pub(super) head: Head<'d>,
    pub(super) out: String,
    pub(super) dry_run: bool,
    pub(super) exported: Counts,
    pub(super) outputs: Tally,
    /// Outputs whose inputs are gone.
    pub(super) stale: Vec<String>,
    /// What was written, or would be by a dry run.
    pub(super) files: Vec<Listed>,
}

#[derive(Serialize)]
pub(super) struct Listed {
    pub(super) file: String,
    pub(super) size: u64,
}

impl Done {
    pub(super) fn add(&mut self, other: &Self) {
        self.counts.add(&other.counts);
        self.tally.add(&other.tally);
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

    /// Returns the summary for people.
    pub(super) fn summary(&self, args: &ExportArgs) -> String {
        let Counts { levels, tables, archives, databases, pictures, textures } = self.counts;
        let counts = [
            (levels, "level"),
            (tables, "table"),
            (archives, "archive"),
            (databases, "database"),
            (pictures, "picture"),
            (textures, "texture file"),
        ];
        let counts: Vec<_> = counts
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| table::counted(count, what))
            .collect();
        let counts = if counts.is_empty() { "nothing".to_owned() } else { counts.join(", ") };
        let Tally { written, bytes_written, unchanged, kept, edited, stale, removed } = self.tally;
        let would = if args.dry_run { "would be " } else { "" };
        let mut line = format!(
            ": {counts}; {} ({}) {would}written to {}",
            table::counted(written, "file"),
            size(bytes_written),
            table::path(&args.out)
        );
        if unchanged > 0 {
            line.push_str(&format!(", {unchanged} unchanged"));
        }
        if kept > 0 {
            line.push_str(&format!(", {kept} kept"));
        }
        if edited > 0 {
            line.push_str(&format!(", {edited} edited and kept"));
        }
        if stale > 0 {
            line.push_str(&format!(", {stale} stale"));
        }
        if removed > 0 {
            line.push_str(&format!(", {removed} {would}removed"));
        }
        line
    }

    /// Counts the outputs whose inputs are gone, and reports them.
    pub(super) fn report_stale(&mut self, args: &ExportArgs, run: &mut Run) {
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
