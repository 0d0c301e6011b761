//! A run of the command: its messages, and its exit code.

use std::fmt::Display;
use std::io::{self, BufWriter};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anstyle::{AnsiColor, Style};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;

use crate::args::{Colour, RunArgs};
use crate::outcome::{Event, Failure, More, Outcome};
use crate::streams::{Stream, Streams};
use crate::table::shown;

/// Reports events in the order of the inputs, and determines the exit code.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) threads: usize,
    /// The output folder, which is not searched; without links in its path.
    pub(crate) exclude: Option<PathBuf>,
    /// Maximum number of files that may be processed ahead of the first unfinished one, if their results are large.
    pub(crate) window: Option<usize>,
    streams: Streams,
    quiet: bool,
    verbose: bool,
    colour: bool,
    bar: Option<ProgressBar>,
    start: Instant,
    /// Whether the exit code is 1.
    found: bool,
    wanted: bool,
    broken_output: bool,
    failures: Vec<Failure>,
    /// The path and text of the last hint, so that it is not repeated.
    hinted: Option<(String, &'static str)>,
    totals: Totals,
    /// The number of outputs that cannot be written, the first of which are reported individually.
    unwritten: u64,
    /// Set once nobody reads the output anymore.
    pub(crate) stop: AtomicBool,
}

/// Total amounts.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(crate) struct Totals {
    /// Files that were processed.
    pub(crate) files: u64,
    pub(crate) bytes: u64,
    /// Files with at least one failure.
    pub(crate) failed: u64,
    /// Files found in folders that have no known format.
    pub(crate) passed_over: u64,
}

/// The summary of a run in machine-readable form.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Summary {
    #[serde(flatten)]
    pub(crate) totals: Totals,
    pub(crate) seconds: f64,
}

/// Maximum number of unwritable outputs that are reported individually.
const TOLD: u64 = 20;

/// With more files than this, the failures are repeated at the end of the run, up to this number.
const LISTED: usize = 20;

impl Run {
    pub(crate) fn new(args: &RunArgs, shows_progress: bool, streams: Streams) -> Self {
        let terminal = streams.err_is_terminal();
        let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let colour = match args.color {
            Colour::Auto => terminal && !no_color && std::env::var_os("TERM").is_none_or(|term| term != "dumb"),
            Colour::Always => true,
            Colour::Never => false,
        };
        let bar = (shows_progress && terminal && !args.quiet).then(progress_bar);
        Self {
            threads: args.threads.into(),
            exclude: None,
            window: None,
            streams,
            quiet: args.quiet,
            verbose: args.verbose,
            colour,
            bar,
            start: Instant::now(),
            found: false,
            wanted: false,
            broken_output: false,
            failures: Vec::new(),
            hinted: None,
            totals: Totals::default(),
            unwritten: 0,
            stop: AtomicBool::new(false),
        }
    }

    /// Reports the outcome of an input and adds it to the totals.
    pub(crate) fn absorb(&mut self, outcome: Outcome, bytes: u64) {
        self.totals.files += 1;
        self.totals.bytes += bytes;
        self.totals.failed += u64::from(outcome.has_failed());
        self.found |= outcome.found;
        self.wanted |= outcome.wanted;
        let More { failed, unwritten, notes } = outcome.more;
        let last = outcome.events.last().map(|event| match event {
            Event::Failed(failure) | Event::Unwritten(failure) => failure.path.clone(),
            Event::Note(note) => note.split(": ").next().unwrap_or_default().to_owned(),
        });
        let path = last.unwrap_or_default();
        outcome.events.into_iter().for_each(|event| self.tell(event));
        let more = |count, what| Failure::about(&path, format!("{count} more {what}"));
        if failed > 0 {
            self.tell(Event::Failed(more(failed, "failures like these")));
        }
        if unwritten > 0 {
            self.unwritten += unwritten - 1;
            self.tell(Event::Unwritten(more(unwritten, "outputs cannot be written")));
        }
        if notes > 0 {
            self.tell(Event::Note(format!("{path}: {notes} more notes like these")));
        }
        if let Some(bar) = &self.bar {
            bar.set_position(self.totals.files);
            bar.set_message(self.pace());
        }
    }

    fn tell(&mut self, event: Event) {
        match event {
            Event::Failed(failure) => {
                self.say(AnsiColor::Red, &format!("{}: {}", failure.path, failure.error));
                self.say_hint(&failure);
                self.failures.push(failure);
            }
            Event::Unwritten(failure) => {
                self.broken_output = true;
                self.unwritten += 1;
                // A full disk causes a failure for every file that follows.
                if self.unwritten <= TOLD {
                    self.say(AnsiColor::Red, &format!("{}: {}", failure.path, failure.error));
                }
                self.failures.push(failure);
            }
            Event::Note(_) if self.quiet => {}
            Event::Note(note) => self.say(AnsiColor::Yellow, &note),
        }
    }

    /// Prints the hint for a failure on the next line.
    fn say_hint(&mut self, failure: &Failure) {
        let Some(hint) = failure.hint.filter(|_| !self.quiet) else { return };
        let is_same = |(path, last): &(String, &str)| *path == failure.path && *last == hint;
        if self.hinted.as_ref().is_some_and(is_same) {
            return;
        }
        let line = format!("  {hint}");
        match &self.bar {
            Some(bar) => bar.suspend(|| self.streams.say(&line)),
            None => self.streams.say(&line),
        }
        self.hinted = Some((failure.path.clone(), hint));
    }

    /// Reports a failure that does not concern an input, in the same way as a failed input.
    pub(crate) fn failed(&mut self, path: &str, error: &dyn Display) {
        self.tell(Event::Failed(Failure::about(path, error.to_string())));
    }

    /// Reports a failure that does not concern an input, with a hint.
    pub(crate) fn failed_with_hint(&mut self, path: &str, error: &dyn Display, hint: &'static str) {
        self.tell(Event::Failed(Failure { hint: Some(hint), ..Failure::about(path, error.to_string()) }));
    }

    /// Reports information about the run.
    pub(crate) fn note(&mut self, path: &str, what: &dyn Display) {
        self.tell(Event::Note(format!("{path}: {what}")));
    }

    /// Counts and reports a file in a folder that has no known format.
    pub(crate) fn passed_over(&mut self, path: &str) {
        self.totals.passed_over += 1;
        if self.verbose {
            self.say(AnsiColor::Blue, &format!("{path}: passed over"));
        }
    }

    /// Counts files that have no known format.
    pub(crate) fn pass_over(&mut self, files: u64) {
        self.totals.passed_over += files;
    }

    /// Reports a processed file if --verbose is set.
    pub(crate) fn done(&mut self, path: &str) {
        if self.verbose {
            self.say(AnsiColor::Blue, &format!("{path}: done"));
        }
    }

    /// Reports that standard input cannot be read, or that the output folder cannot be used.
    pub(crate) fn broken(&mut self, what: &str, why: &dyn Display) {
        self.broken_output = true;
        self.say(AnsiColor::Red, &format!("{what}: {why}"));
        self.failures.push(Failure::about(what, why.to_string()));
    }

    /// Reports that standard output cannot be written. A closed pipe is not a failure, because programs such as `head`
    /// close it on purpose.
    pub(crate) fn output_failed(&mut self, error: &io::Error) {
        if error.kind() != io::ErrorKind::BrokenPipe {
            self.broken("standard output", error);
        }
    }

    /// Returns the failed inputs, for documents that list all inputs.
    pub(crate) fn failures(&self) -> &[Failure] {
        &self.failures
    }

    pub(crate) fn summary(&self) -> Summary {
        Summary { totals: self.totals, seconds: self.start.elapsed().as_secs_f64() }
    }

    /// Records that `find` found nothing.
    pub(crate) fn found_nothing(&mut self) {
        self.found = true;
    }

    /// Reports a failure if --only selected nothing.
    pub(crate) fn wanted_any(&mut self, is_asked: bool) {
        if is_asked && !self.wanted && self.failures.is_empty() {
            self.failed("--only", &"nothing in these inputs is what it names");
        }
    }

    /// Prints a summary. In a run over many files, the failures are repeated, because they may have scrolled out of
    /// view.
    pub(crate) fn sum_up(&mut self, verb: &str, what: &str, always: bool) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
        if self.unwritten > TOLD {
            self.say(AnsiColor::Red, &format!("{} more outputs cannot be written", self.unwritten - TOLD));
        }
        let Totals { files, failed, passed_over, .. } = self.totals;
        if self.quiet || !(always || files > 1) {
            return;
        }
        if files > LISTED as u64 && !self.failures.is_empty() {
            let lines: Vec<_> =
                self.failures.iter().take(LISTED).map(|it| format!("  {}: {}", it.path, it.error)).collect();
            let more = self.failures.len().saturating_sub(lines.len());
            self.say(AnsiColor::Red, &format!("{failed} of {files} files failed, wholly or in part:"));
            lines.iter().for_each(|line| self.streams.say(&shown(line)));
            if more > 0 {
                self.streams.say(&format!("  and {more} more"));
            }
        }
        let mut line = format!("{verb} {}{what}", self.pace());
        if failed > 0 {
            line.push_str(&format!("; {failed} failed"));
        }
        if passed_over > 0 {
            line.push_str(&format!("; {passed_over} of no known format passed over"));
        }
        self.say(AnsiColor::Green, &line);
    }

    /// Returns the number of files, their size, the time and the throughput.
    fn pace(&self) -> String {
        let Totals { files, bytes, .. } = self.totals;
        let seconds = self.start.elapsed().as_secs_f64();
        let rate = amount(bytes as f64 / seconds.max(1e-6));
        format!("{files} file{}, {} in {seconds:.2} s ({rate}/s)", if files == 1 { "" } else { "s" }, size(bytes))
    }

    fn say(&self, colour: AnsiColor, line: &str) {
        let style = if self.colour { Style::new().fg_color(Some(colour.into())) } else { Style::new() };
        let line = format!("{style}worldview:{style:#} {}", shown(line));
        match &self.bar {
            Some(bar) => bar.suspend(|| self.streams.say(&line)),
            None => self.streams.say(&line),
        }
    }

    /// Returns the writer for the results of a verb.
    pub(crate) fn stdout(&self) -> BufWriter<Stream> {
        self.streams.out()
    }

    pub(crate) const fn code(&self) -> u8 {
        // 2 is used by clap, which exits the process before there is a run.
        match self {
            Self { broken_output: true, .. } => 4,
            Self { failures, .. } if !failures.is_empty() => 3,
            Self { found: true, .. } => 1,
            _ => 0,
        }
    }
}

fn progress_bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
    if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(120));
    bar
}

/// Formats a number of bytes for people.
pub(crate) fn size(bytes: u64) -> String {
    if bytes < 1000 { format!("{bytes} bytes") } else { amount(bytes as f64) }
}

fn amount(bytes: f64) -> String {
    const UNITS: [&str; 5] = ["kB", "MB", "GB", "TB", "PB"];
    let mut amount = bytes / 1000.0;
    for unit in UNITS {
        if amount < 999.95 {
            return format!("{amount:.1} {unit}");
        }
        amount /= 1000.0;
    }
    format!("{amount:.1} EB")
}

#[cfg(test)]
mod tests {
    #[test]
    fn sizes_are_said_in_thousands() {
        for (bytes, expected) in
            [(0, "0 bytes"), (999, "999 bytes"), (1000, "1.0 kB"), (999_949, "999.9 kB"), (999_950, "1.0 MB")]
        {
            assert_eq!(super::size(bytes), expected);
        }
    }
}
