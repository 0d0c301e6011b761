//! A run of the command: its messages, and its exit code.

use std::error::Error;
use std::fmt::Display;
use std::io::{self, BufWriter};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anstyle::{AnsiColor, Style};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;
use worldview::excerpt;
use worldview_edit::account::{Account, Column, Entry};
use worldview_export::csv::{CsvStyle, CsvWriter};

use crate::args::{Color, CsvArgs, FormatChoice, RunArgs};
use crate::causes::Causes;
use crate::hint;
use crate::interrupt;
use crate::only::{self, Term};
use crate::outcome::{Event, Failure, Outcome, Why};
use crate::report::{self, InputReport, Status};
use crate::streams::{ForPeople, Streams};
use crate::table::{self, counted, shown};

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
    color: bool,
    bar: Option<ProgressBar>,
    start: Instant,
    /// Whether the exit code is 1.
    found: bool,
    wanted: bool,
    broken_output: bool,
    /// Whether the command line turned out to be wrong, so that the exit code is 2.
    is_refused: bool,
    failures: Vec<Failure>,
    /// Failures that were printed so often that the rest of them is only counted.
    causes: Causes,
    /// Whether inputs that cannot be read are findings, and not printed as messages.
    pub(crate) finds_unreadable: bool,
    /// The codes of failures that do not change the exit code.
    allow: Vec<&'static str>,
    /// The inputs, for documents.
    inputs: Vec<InputReport>,
    totals: Totals,
    /// The number of files that were interrupted before everything was exported.
    cut: u64,
    /// The number of outputs that cannot be written, the first of which are reported individually.
    unwritten: u64,
    /// True once nobody reads the output any more, or the run was interrupted.
    pub(crate) stop: Arc<AtomicBool>,
}

/// Total amounts.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(crate) struct Totals {
    /// Files that were processed.
    pub(crate) files: u64,
    pub(crate) bytes: u64,
    /// Files of which something was not done.
    pub(crate) partial: u64,
    /// Files of which nothing was done.
    pub(crate) failed: u64,
    /// Files found in folders that are of another kind.
    pub(crate) skipped: u64,
}

/// Maximum number of unwritable outputs that are reported individually.
const MAX_LISTED: u64 = 20;

/// Maximum number of elements that a message names.
const MAX_KEYS: usize = 5;

/// Runs that take less than this many seconds do not report their speed.
const SHORT: f64 = 0.5;

impl Run {
    pub(crate) fn new(args: &RunArgs, shows_progress: bool, streams: Streams) -> Self {
        let terminal = streams.err_is_terminal();
        let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let color = match args.color {
            Color::Auto => terminal && !no_color && std::env::var_os("TERM").is_none_or(|term| term != "dumb"),
            Color::Always => true,
            Color::Never => false,
        };
        let bar = (shows_progress && terminal && !args.quiet).then(progress_bar);
        Self {
            threads: args.threads.into(),
            exclude: None,
            window: None,
            streams,
            quiet: args.quiet,
            verbose: args.verbose,
            color,
            bar,
            start: Instant::now(),
            found: false,
            wanted: false,
            broken_output: false,
            is_refused: false,
            failures: Vec::new(),
            causes: Causes::default(),
            finds_unreadable: false,
            allow: args.allow.clone(),
            inputs: Vec::new(),
            totals: Totals::default(),
            cut: 0,
            unwritten: 0,
            stop: Arc::default(),
        }
    }

    /// Reports the outcome of an input and adds it to the totals.
    pub(crate) fn absorb(&mut self, path: &str, outcome: Outcome, bytes: u64) {
        self.totals.files += 1;
        self.totals.bytes += bytes;
        let input = outcome.report_of(path);
        match input.status {
            Status::Ok => {}
            Status::Partial => self.totals.partial += 1,
            Status::Failed => self.totals.failed += 1,
        }
        let is_unreadable = input.is_unreadable();
        self.inputs.push(input);
        self.found |= outcome.found;
        self.wanted |= outcome.wanted;
        if outcome.is_cut() {
            self.cut += 1;
        } else {
            interrupt::count_file();
        }
        self.report_account(&outcome.account);
        let (more, notes) = (outcome.more(path).collect::<Vec<_>>(), outcome.more.notes);
        let mut events = outcome.events;
        events.extend(more);
        if self.finds_unreadable && is_unreadable {
            let failures = events.extract_if(.., |event| matches!(event, Event::Failed(_)));
            self.failures.extend(failures.filter_map(|event| event.failure().cloned()));
        }
        self.report_all(events);
        if notes > 0 {
            self.report(Event::Note(format!("{path}: {notes} more notes like these")));
        }
        self.advance();
    }

    /// Reports what became of an input: of failures that have one cause only the first, and how many follow from it.
    ///
    /// What cuts a file short breaks all parts behind that place. Failures have one cause if the same helps against them.
    fn report_all(&mut self, events: Vec<Event>) {
        let is_same =
            |one: &Failure, other: &Failure| one.path == other.path && hint::is_one_cause(one.hint, other.hint);
        let mut causes: Vec<(Failure, u64)> = Vec::new();
        for event in &events {
            let Event::Failed(failure) = event else { continue };
            match causes.iter_mut().find(|(cause, _)| is_same(cause, failure)) {
                Some((_, more)) => *more += 1,
                None if failure.hint.is_some() => causes.push((failure.clone(), 0)),
                None => {}
            }
        }
        for event in events {
            let Event::Failed(failure) = event else {
                self.report(event);
                continue;
            };
            // What only says that the rest is used is no cause, and is printed once.
            let is_cause = failure.hint != Some(hint::IN_PART);
            match causes.iter_mut().find(|(cause, _)| is_same(cause, &failure)) {
                Some((_, more)) if *more != u64::MAX => {
                    let more = std::mem::replace(more, u64::MAX);
                    self.say_failure(&failure, if is_cause { more } else { 0 });
                }
                Some(_) if is_cause => {}
                _ => self.say_failure(&Failure { hint: None, ..failure.clone() }, 0),
            }
            // Programs get all of them.
            self.failures.push(failure);
        }
    }

    /// Reports what was refused and left out, and what else an account says.
    fn report_account(&mut self, account: &Account) {
        for entry in account.entries() {
            let Entry { column, code, place, path, message, count, keys } = entry;
            let mut text = String::new();
            match (&place.pointer, place.row) {
                (Some(sheet), Some(row)) => text.push_str(&format!("{sheet}, row {row}: ")),
                (Some(pointer), None) => text.push_str(&format!("{pointer}: ")),
                (None, Some(row)) => text.push_str(&format!("line {row}: ")),
                (None, None) => {}
            }
            if let Some(column) = &place.column {
                text.push_str(&format!("column {column}: "));
            }
            if !path.is_empty() {
                text.push_str(&format!("{}: ", excerpt(path.as_str())));
            }
            text.push_str(message);
            if !keys.is_empty() {
                let more = if *count > MAX_KEYS as u64 { ", …" } else { "" };
                let keys: Vec<_> = keys.iter().take(MAX_KEYS).map(|key| excerpt(key)).collect();
                text.push_str(&format!(" ({}{more})", keys.join(", ")));
            }
            match column {
                Column::Refused => {
                    let failure = Failure { count: *count, code: *code, ..Failure::about(&place.file, text) };
                    self.report(Event::Failed(failure));
                }
                Column::Done | Column::Equal | Column::LeftOut => {
                    self.report(Event::Note(if place.file.is_empty() {
                        text
                    } else {
                        format!("{}: {text}", place.file)
                    }));
                }
            }
        }
        if account.is_cut() {
            let more = format!("more than {} entries; the rest is not listed", Account::MAX_ENTRIES);
            self.report(Event::Note(more));
        }
    }

    /// Moves the progress bar.
    fn advance(&self) {
        if let Some(bar) = &self.bar {
            let Totals { files, skipped, bytes, .. } = self.totals;
            bar.set_position(files + skipped);
            bar.set_message(size(bytes));
        }
    }

    /// Sets how many files the progress bar is for.
    pub(crate) fn expect(&self, files: impl FnOnce() -> u64) {
        if let Some(bar) = &self.bar {
            let files = files();
            bar.set_length(files);
            // Of a single file, nothing is known until it is finished.
            let template = if files > 1 {
                "{spinner} {pos} of {len} files, {msg} {wide_bar} {eta} left"
            } else {
                "{spinner} 1 file, {elapsed}"
            };
            if let Ok(style) = ProgressStyle::with_template(template) {
                bar.set_style(style);
            }
        }
    }

    /// Whether standard output is a terminal.
    pub(crate) fn is_for_people(&self) -> bool {
        self.streams.out_is_terminal()
    }

    /// Returns the width that text for people must fit into, if there is one.
    pub(crate) fn width(&self) -> Option<usize> {
        table::width(self.streams.out_is_terminal())
    }

    /// Sets whether messages may wait for others that follow soon, to be written together.
    pub(crate) fn hold_messages(&self, holds: bool) {
        self.streams.hold(holds);
    }

    fn report(&mut self, event: Event) {
        match event {
            Event::Failed(failure) => {
                self.say_failure(&failure, 0);
                self.failures.push(failure);
            }
            Event::Unwritten(failure) => {
                self.broken_output = true;
                self.unwritten += failure.count;
                // A full disk causes a failure for every file that follows.
                if self.unwritten <= MAX_LISTED {
                    self.say(AnsiColor::Red, &format!("{}: {}", failure.path, failure.error));
                }
                self.failures.push(failure);
            }
            Event::Note(_) if self.quiet => {}
            Event::Note(note) => self.say(AnsiColor::Yellow, &note),
        }
    }

    /// Prints a failure, how many others follow from it, and below that what to do about it.
    fn say_failure(&mut self, failure: &Failure, more: u64) {
        if !self.verbose && !self.causes.add(&failure.path, &failure.error) {
            return;
        }
        let more = match more {
            0 => String::new(),
            more => format!(" (and {more} more for the same reason)"),
        };
        self.say(AnsiColor::Red, &format!("{}: {}{more}", failure.path, failure.error));
        let Some(hint) = failure.hint.filter(|_| !self.quiet) else { return };
        self.say_plain(&format!("  {hint}"));
    }

    fn say_plain(&self, line: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| self.streams.say(line)),
            None => self.streams.say(line),
        }
    }

    /// Reports a failure that does not concern an input, in the same way as a failed input.
    pub(crate) fn failed(&mut self, path: &str, why: &dyn Why) {
        let failure = Failure::new(path.to_owned(), why);
        self.inputs.push(InputReport::failed(&failure));
        self.report(Event::Failed(failure));
    }

    /// Reports information about the run.
    pub(crate) fn note(&mut self, path: &str, what: &dyn Display) {
        self.report(Event::Note(format!("{path}: {what}")));
    }

    /// Counts and reports a file in a folder that has no known format.
    pub(crate) fn passed_over(&mut self, path: &str) {
        self.totals.skipped += 1;
        self.advance();
        if self.verbose {
            self.say(AnsiColor::Blue, &format!("{path}: skipped"));
        }
    }

    /// Reports a file that other tools read, as long as there are few of its kind.
    pub(crate) fn container(&mut self, path: &str, advice: &str) {
        if !self.quiet && (self.verbose || self.causes.add(path, advice)) {
            self.say(AnsiColor::Yellow, &format!("{path}: {advice}"));
        }
    }

    /// Reports a file that --only excludes by name if --verbose is set.
    pub(crate) fn unwanted(&mut self, path: &str) {
        if self.verbose {
            self.say(AnsiColor::Blue, &format!("{path}: not selected by --only"));
        }
    }

    /// Counts files that have no known format.
    pub(crate) fn pass_over(&mut self, files: u64) {
        self.totals.skipped += files;
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
        if !is_closed(error) {
            self.broken("standard output", error);
        }
    }

    /// Returns whether nobody wants the rest of the run, so that not all inputs were looked at.
    pub(crate) fn is_stopped(&self) -> bool {
        interrupt::is_interrupted() || self.stop.load(Ordering::Relaxed)
    }

    /// Returns the inputs that were processed so far, for documents.
    pub(crate) fn inputs(&self) -> &[InputReport] {
        &self.inputs
    }

    /// Returns everything that failed.
    pub(crate) fn failures(&self) -> &[Failure] {
        &self.failures
    }

    pub(crate) const fn totals(&self) -> Totals {
        self.totals
    }

    /// Records that `find` found nothing.
    pub(crate) fn found_nothing(&mut self) {
        self.found = true;
    }

    /// Reports a failure if --only selected nothing. `names` are those of the files that it excluded by name.
    pub(crate) fn wanted_any(&mut self, terms: &[Term], names: &[String]) {
        if terms.is_empty() || self.wanted || !self.failures.is_empty() || interrupt::is_interrupted() {
            return;
        }
        let meant = only::meant(terms, names.iter().map(String::as_str));
        let meant = meant.map_or(String::new(), |name| format!("; did you mean {name}?"));
        self.refused("--only", &format_args!("nothing in these inputs matches{meant}"));
    }

    /// Reports an option that turned out to be wrong.
    pub(crate) fn refused(&mut self, option: &str, why: &dyn Why) {
        self.failed(option, why);
        self.is_refused = true;
    }

    /// Prints how many files had failures that were not printed.
    fn say_rest(&mut self) {
        for line in std::mem::take(&mut self.causes).rest() {
            self.say(AnsiColor::Red, &line);
        }
    }

    /// Prints how much was done. What failed was reported when it did, and is not repeated.
    pub(crate) fn sum_up(&mut self, verb: &str, what: &str, always: bool) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
        self.say_rest();
        if self.unwritten > MAX_LISTED {
            let more = counted(self.unwritten - MAX_LISTED, "more output");
            self.say(AnsiColor::Red, &format!("{more} cannot be written"));
        }
        let Totals { files, partial, failed, skipped, .. } = self.totals;
        let is_interrupted = interrupt::is_interrupted();
        if self.quiet || !(always || files > 1 || is_interrupted) {
            return;
        }
        let mut line = format!("{verb} {}{what}", self.pace());
        if partial > 0 {
            line.push_str(&format!("; {} only in part", counted(partial, "file")));
        }
        if failed > 0 {
            line.push_str(&format!("; {} failed", counted(failed, "file")));
        }
        if skipped > 0 {
            line.push_str(&format!("; {} skipped", counted(skipped, "unrecognized file")));
        }
        if is_interrupted {
            line.push_str("; interrupted");
            if self.cut > 0 {
                line.push_str(&format!(", {} exported only in part", counted(self.cut, "file")));
            }
        }
        self.say(AnsiColor::Green, &line);
    }

    /// Reports that the run was interrupted, where no summary has said so.
    pub(crate) fn interrupted(&mut self, has_summary: bool) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
        self.say_rest();
        if interrupt::is_interrupted() && (self.quiet || !has_summary) {
            self.say(AnsiColor::Red, "interrupted");
        }
    }

    /// Something worth knowing at the end of a run.
    #[cfg(feature = "view")]
    pub(crate) fn hint(&self, line: &str) {
        if !self.quiet {
            self.say(AnsiColor::Green, line);
        }
    }

    /// How many files, how large, and of runs that take a while how long and how fast.
    fn pace(&self) -> String {
        let Totals { files, bytes, .. } = self.totals;
        let seconds = self.start.elapsed().as_secs_f64();
        let files = counted(files, "file");
        let done = if bytes == 0 { files } else { format!("{files}, {}", size(bytes)) };
        if seconds < SHORT {
            return done;
        }
        format!("{done} in {seconds:.1} s ({}/s)", amount(bytes as f64 / seconds))
    }

    fn say(&self, color: AnsiColor, line: &str) {
        let style = if self.color { Style::new().fg_color(Some(color.into())) } else { Style::new() };
        self.say_plain(&format!("{style}worldview:{style:#} {}", shown(line)));
    }

    /// Where the verb writes what it was asked for, in this style. In text for people, no name can command a terminal.
    pub(crate) fn stdout(&self, style: CsvStyle, is_text: bool) -> BufWriter<CsvWriter<ForPeople>> {
        BufWriter::with_capacity(1 << 16, style.writer(ForPeople::new(self.streams.out(), is_text)))
    }

    /// Where a verb prints its rows. No name can command a terminal except in JSON, which is read by programs only.
    pub(crate) fn rows_out(&self, csv: CsvArgs, format: FormatChoice) -> BufWriter<CsvWriter<ForPeople>> {
        let is_text = matches!(format, FormatChoice::Table | FormatChoice::Csv);
        self.stdout(csv.style(format == FormatChoice::Csv), is_text)
    }

    /// Returns the exit code.
    pub(crate) fn code(&self) -> u8 {
        // In every run of a test: what a report says is all that can be allowed.
        debug_assert!(
            self.code_allowing(&self.inputs.iter().flat_map(InputReport::codes).collect::<Vec<_>>()) != 3,
            "a failure has none of the codes of the report: {:?}",
            self.failures
        );
        self.code_allowing(&self.allow)
    }

    fn code_allowing(&self, allow: &[&str]) -> u8 {
        if interrupt::is_interrupted() {
            return interrupt::code();
        }
        let mut failures = self.failures.iter().map(|failure| failure.code.name).filter(|code| !allow.contains(code));
        match self {
            Self { is_refused: true, .. } => 2,
            _ if failures.clone().any(report::is_misnamed) => 2,
            Self { broken_output: true, .. } => 4,
            _ if failures.next().is_some() => 3,
            Self { found: true, .. } => 1,
            _ => 0,
        }
    }
}

/// Whether nobody reads the output any more. What writes through a library may get the error back inside of another.
fn is_closed(error: &(dyn Error + 'static)) -> bool {
    let mut next = Some(error);
    while let Some(error) = next {
        let io = error.downcast_ref::<io::Error>();
        if io.is_some_and(|io| io.kind() == io::ErrorKind::BrokenPipe) {
            return true;
        }
        // `source` of an error of `io` skips the error that it holds.
        next = match io.and_then(io::Error::get_ref) {
            Some(held) => Some(held),
            None => error.source(),
        };
    }
    false
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
    if bytes < 1000 { counted(bytes, "byte") } else { amount(bytes as f64) }
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
