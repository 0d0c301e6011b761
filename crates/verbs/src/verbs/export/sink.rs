//! Writes the outputs of an asset as files, and says where none is written.

use std::io;
use std::path::{Path, PathBuf};

use worldview::parallel::Parallel;
use worldview::{Budget, Format, Limit};
use worldview_export::outputs::{Fill, FillOf, Note, Output, OutputKind as Kind, Report, SHADOWED, Sink};
use worldview_export::{Error, Result};

use super::missing::Missing;
use crate::interrupt;
use crate::open::Visit;
use crate::outcome::Outcome;
use crate::output;
use crate::report::Failure;

/// The files of an asset.
pub(super) struct AssetFiles<'f, 'v, 'a, 't> {
    pub(super) visit: &'f Visit<'v, 'a>,
    /// The folder of the asset relative to that of the input: empty, or folders with a trailing `/` each.
    pub(super) prefix: String,
    pub(super) threads: usize,
    /// The budget for the members of all archives in the input.
    pub(super) members: Option<&'f mut Budget>,
    pub(super) output: &'f mut output::Output<'t>,
    pub(super) outcome: &'f mut Outcome,
}

/// Maximum size in bytes of what outputs that are in memory at the same time are made from.
const WINDOW: u64 = 16 << 20;

/// Returns the limit on the total size of the members of an input. Members may overlap, within an archive and as
/// nested archives, and thousands of them over the same bytes would fill a disk. The limit allows a nesting depth of
/// sixteen.
pub(super) fn budget(input: u64) -> Budget {
    Budget::new(input.saturating_mul(16).saturating_add(1 << 20), Limit::Overlap, "members that overlap")
}

impl AssetFiles<'_, '_, '_, '_> {
    /// Returns the path of the asset, or of a file in it, for messages.
    fn path(&self, inside: &str) -> PathBuf {
        if inside.is_empty() {
            return self.visit.path.into();
        }
        let mut path = self.visit.input.path.as_os_str().to_owned();
        path.push("/");
        path.push(inside);
        path.into()
    }

    /// Returns how much there is before an asset is exported, for [`has_exported`](Self::has_exported).
    pub(super) const fn mark(&self) -> (usize, u64) {
        (self.outcome.events.len(), self.output.made.tally.count())
    }

    /// Returns whether an asset has outputs.
    pub(super) fn has_outputs(&self, (_, outputs): (usize, u64)) -> bool {
        self.output.made.tally.count() > outputs
    }

    /// Returns whether an archive or table was exported. Without a failure it was, even if it has no outputs of its own: an archive may be
    /// empty, and tables may be merged.
    pub(super) fn has_exported(&self, before: (usize, u64)) -> bool {
        let has_failed = self.outcome.is_cut || self.outcome.code_since(before.0).is_some();
        !has_failed || self.has_outputs(before)
    }

    /// Writes the outputs of a part of a list, and reports what is missing from them.
    fn write(&mut self, output: Output<'_>, made: Result<(Report, Vec<u8>)>, missing: &mut Missing) {
        let path = self.path(output.from.first().map_or("", |from| &from.inside));
        let (name, is_world) = (output.name.clone(), output.of == "world");
        let written = made.and_then(|(report, bytes)| {
            if let Some(error) = report.cut {
                self.outcome.input_failed(&path, &error);
            }
            missing.add(&name, &report.model, is_world, self.visit.world());
            self.output.write(output, &mut |out| Ok(out.write_all(&bytes)?))
        });
        report_failed_write(&path, &name, &self.output.path_of(&name), written, self.outcome);
    }
}

impl Sink for AssetFiles<'_, '_, '_, '_> {
    fn one(&mut self, mut output: Output<'_>, fill: Fill<'_>) -> bool {
        if let ("member", Some(members), [from, ..]) = (output.of, &mut self.members, &output.from[..])
            && let Err(error) = members.spend(output.size, from.offset, self.visit.part.source().space())
        {
            self.outcome.input_failed(self.visit.path, &error);
            return false;
        }
        output.name.insert_str(0, &self.prefix);
        let name = output.name.clone();
        let written = self.output.write(output, fill);
        report_failed_write(self.visit.path, &name, &self.output.path_of(&name), written, self.outcome);
        !self.output.is_full()
    }

    /// Makes outputs in parallel, and writes them in order.
    fn many(&mut self, outputs: Vec<Output<'_>>, fill: FillOf<'_>) {
        let sizes: Vec<(usize, u64)> = outputs.iter().map(|output| output.size).enumerate().collect();
        let (mut rest, mut outputs, mut missing) = (&sizes[..], outputs.into_iter(), Missing::default());
        // Outputs that exceed a limit need not be made.
        let is_over = |output: &output::Output<'_>| output.is_spent || output.is_full() && output.room() == 0;
        while !rest.is_empty() && !is_over(self.output) {
            let mut window = 0;
            let fits = |(_, size): &&(usize, u64)| {
                // Even an almost empty file takes some hundred bytes.
                window += size + 1024;
                window <= WINDOW
            };
            // At least one, however large it is.
            let count = rest.iter().take_while(fits).count().max(1);
            let (now, later) = rest.split_at(count);
            rest = later;
            let make = |(index, _): &(usize, u64), (): &mut ()| {
                let mut bytes = Vec::new();
                fill(*index, &mut bytes).map(|report| (report, bytes))
            };
            let made = Parallel::new().threads(self.threads).run(now, |(_, size)| *size, || (), make);
            for (made, output) in made.into_iter().zip(&mut outputs) {
                self.write(output, made, &mut missing);
            }
        }
        missing.report(self.visit.path, self.outcome);
    }

    fn note(&mut self, note: Note<'_>) {
        match note {
            Note::Failed(inside, error) => self.outcome.input_failed(&self.path(inside), &error),
            Note::Full => {
                if let Some(error) = self.output.refuse() {
                    self.outcome.input_failed(self.visit.path, &error);
                }
            }
            Note::Shadowed(count) => {
                self.outcome.note(self.visit.path, &format_args!("{SHADOWED}: {count}"));
            }
        }
    }

    fn room(&self) -> usize {
        usize::try_from(self.output.room()).unwrap_or(usize::MAX)
    }
}

/// Reports a file that could not be written, as a failure of either the input or the output.
pub(super) fn report_failed_write(input: &Path, name: &str, path: &Path, written: Result<()>, outcome: &mut Outcome) {
    match written {
        Ok(()) => {}
        Err(_) if interrupt::is_interrupted() => outcome.is_cut = true,
        // The input shrank while it was mapped. No other I/O error has this kind.
        Err(Error::Io(error)) if error.kind() == io::ErrorKind::UnexpectedEof => outcome.input_failed(input, &error),
        Err(Error::Io(error)) => outcome.cannot_write(path, &error),
        // A level without a main plane, a plane without tiles: nothing to draw, and nothing wrong with the rest.
        // Of a broken level that follows from what was reported.
        Err(Error::Nothing { .. }) if outcome.has_failed() => {}
        Err(nothing @ Error::Nothing { .. }) => outcome.note(input, &format_args!("{name} is not written: {nothing}")),
        Err(error) => outcome.input_failed(input, &Failure::of(&error, format!("{name} cannot be created: {error}"))),
    }
}

/// Returns why none of the kinds gives an output of a file; `None` if one does or may, or if all outputs exist. An archive has the outputs
/// of what is in it.
pub(super) fn writes_nothing(kind: worldview::Kind, format: Format, to: &[Kind]) -> Option<String> {
    let exports = Kind::of(kind);
    let (last, others) = exports.split_last().filter(|_| kind != worldview::Kind::Archive && !to.is_empty())?;
    if exports.iter().any(|kind| to.contains(kind)) {
        return None;
    }
    let others = others.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(", ");
    let all = if others.is_empty() { last.name().to_owned() } else { format!("{others} and {}", last.name()) };
    let what = if kind == worldview::Kind::Table { "a table" } else { format.title() };
    Some(format!("nothing to write: {what} can be exported as {all}"))
}
