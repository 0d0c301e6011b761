//! The messages of a run in color, its progress bar, and its summary.

use std::error::Error;
use std::io;
use std::time::{Duration, Instant};

use anstyle::{AnsiColor, Style};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use worldview_edit::account::Code;
use worldview_verbs::table::{amount, counted, shown, size};
use worldview_verbs::{Failure, FailureKind, Message, Observer, Report, Totals};

use crate::args::{Color, RunArgs};
use crate::causes::Causes;
use crate::signals;
use crate::streams::Streams;

/// Prints messages in the order of the inputs.
#[derive(Debug)]
pub(crate) struct Terminal {
    streams: Streams,
    quiet: bool,
    verbose: bool,
    color: bool,
    bar: Option<ProgressBar>,
    start: Instant,
    /// Failures that were printed so often that the rest of them is only counted.
    causes: Causes,
    /// The number of outputs that cannot be written, the first of which are reported individually.
    unwritten: u64,
}

/// What is said at the end of a run, which the totals of its report complete.
#[derive(Default)]
pub(crate) struct Summary {
    /// What was done to files: a participle, such as `exported`.
    pub(crate) done: &'static str,
    /// Whether it only would be done.
    pub(crate) dry_run: bool,
    /// More about that, such as `: 1 level`.
    pub(crate) what: String,
    /// Whether it is said of a single file, too.
    pub(crate) always: bool,
    /// Lines below it, about what to do next.
    pub(crate) next: Vec<String>,
}

/// Maximum number of unwritable outputs that are reported individually.
const MAX_LISTED: u64 = 20;

/// Runs that take less than this many seconds do not report their speed.
const SHORT: f64 = 0.5;

impl Terminal {
    pub(crate) fn new(args: &RunArgs, shows_progress: bool, streams: Streams) -> Self {
        let terminal = streams.err_is_terminal;
        let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let color = match args.color {
            Color::Auto => terminal && !no_color && std::env::var_os("TERM").is_none_or(|term| term != "dumb"),
            Color::Always => true,
            Color::Never => false,
        };
        let bar = (shows_progress && terminal && !args.quiet).then(progress_bar);
        let (quiet, verbose, start) = (args.quiet, args.verbose, Instant::now());
        Self { streams, quiet, verbose, color, bar, start, causes: Causes::default(), unwritten: 0 }
    }

    /// Prints a failure, how many others follow from it, and below that what to do about it.
    fn say_failure(&mut self, failure: &Failure, more: u64) {
        if failure.kind == FailureKind::Output {
            self.unwritten += failure.count;
            // A full disk causes a failure for every file that follows.
            if self.unwritten > MAX_LISTED {
                return;
            }
        } else if !self.verbose && !self.causes.add(&failure.path, &failure.error) {
            return;
        }
        let more = match more {
            0 => String::new(),
            more => format!(" (and {more} more for the same reason)"),
        };
        self.say(AnsiColor::Red, &format!("{failure}{more}"));
        let Some(hint) = failure.hint.filter(|_| !self.quiet) else { return };
        self.say_plain(&format!("  {hint}"));
    }

    fn say_plain(&self, line: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| self.streams.say(line)),
            None => self.streams.say(line),
        }
    }

    fn say(&self, color: AnsiColor, line: &str) {
        let style = if self.color { Style::new().fg_color(Some(color.into())) } else { Style::new() };
        self.say_plain(&format!("{style}worldview:{style:#} {}", shown(line)));
    }

    /// Prints how many files had failures that were not printed.
    fn say_rest(&mut self) {
        for line in std::mem::take(&mut self.causes).rest() {
            self.say(AnsiColor::Red, &line);
        }
    }

    /// Ends a run: prints how much was done, or that it was interrupted. What failed was reported when it did, and is not repeated.
    pub(crate) fn end(&mut self, summary: Option<&Summary>, report: &Report, has_summary: bool) {
        self.streams.hold(false);
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
        self.say_rest();
        let is_interrupted = signals::is_interrupted();
        if let Some(summary) = summary {
            self.sum_up(summary, report, is_interrupted);
        }
        if is_interrupted && (self.quiet || !has_summary) {
            self.say(AnsiColor::Red, "interrupted");
        }
    }

    fn sum_up(&self, summary: &Summary, report: &Report, is_interrupted: bool) {
        if self.unwritten > MAX_LISTED {
            let more = counted(self.unwritten - MAX_LISTED, "more output");
            self.say(AnsiColor::Red, &format!("{more} cannot be written"));
        }
        let Totals { files, done, bytes, partial, failed, skipped } = report.totals;
        if self.quiet || !(summary.always || files > 1 || is_interrupted) {
            return;
        }
        let (all, would) = (counted(files, "file"), if summary.dry_run { "would be " } else { "" });
        let of = if done == files { all.clone() } else { format!("{done} of {all}") };
        let mut line = match (done, summary) {
            (0, Summary { done, .. }) if files == 0 => format!("nothing {would}{done}"),
            (0, Summary { done, .. }) => format!("nothing {would}{done} in {all}"),
            (_, Summary { done, dry_run: true, .. }) => format!("{of} would be {done}"),
            (_, Summary { done, .. }) => format!("{done} {of}"),
        };
        line.push_str(&self.pace(bytes));
        line.push_str(&summary.what);
        if partial > 0 {
            line.push_str(&format!("; {} read only in part", counted(partial, "file")));
        }
        if failed > 0 {
            line.push_str(&format!("; {} failed", counted(failed, "file")));
        }
        if skipped > 0 {
            line.push_str(&format!("; {} skipped", counted(skipped, "unrecognized file")));
        }
        if is_interrupted {
            line.push_str("; interrupted");
            if report.cut > 0 {
                line.push_str(&format!(", {} exported only in part", counted(report.cut, "file")));
            }
        }
        self.say(AnsiColor::Green, &line);
        summary.next.iter().for_each(|line| self.say_plain(&format!("  {}", shown(line))));
    }

    /// How large the files are, and of runs that take a while how long and how fast.
    fn pace(&self, bytes: u64) -> String {
        let seconds = self.start.elapsed().as_secs_f64();
        let large = if bytes == 0 { String::new() } else { format!(", {}", size(bytes)) };
        if seconds < SHORT {
            return large;
        }
        format!("{large} in {seconds:.1} s ({}/s)", amount(bytes as f64 / seconds))
    }
}

impl Observer for Terminal {
    fn begin(&mut self, files: u64) {
        self.streams.hold(true);
        let Some(bar) = &self.bar else { return };
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

    fn message(&mut self, message: &Message<'_>) {
        match *message {
            Message::Failed(failure, more) => self.say_failure(failure, more),
            Message::Note(note) if !self.quiet => self.say(AnsiColor::Yellow, note),
            Message::Hint(hint) if !self.quiet => self.say(AnsiColor::Green, hint),
            Message::Advice(path, advice) if !self.quiet && (self.verbose || self.causes.add(path, advice)) => {
                self.say(AnsiColor::Yellow, &format!("{path}: {advice}"));
            }
            Message::Skipped(path) if self.verbose => self.say(AnsiColor::Blue, &format!("{path}: skipped")),
            Message::Unwanted(path) if self.verbose => {
                self.say(AnsiColor::Blue, &format!("{path}: not selected by --only"));
            }
            Message::Done(path) if self.verbose => self.say(AnsiColor::Blue, &format!("{path}: done")),
            _ => {}
        }
    }

    fn progress(&mut self, Totals { files, skipped, bytes, .. }: &Totals) {
        if let Some(bar) = &self.bar {
            bar.set_position(files + skipped);
            bar.set_message(size(*bytes));
        }
    }
}

/// Returns the exit code. Failures with one of the codes in `allow` do not change it.
pub(crate) fn exit_code(report: &Report, allow: &[Code]) -> u8 {
    // In every run of a test: what a report says is all that can be allowed.
    debug_assert!(
        code_allowing(report, &|code| report.inputs.iter().any(|input| input.codes().any(|one| one == code))) != 3,
        "a failure has none of the codes of the report: {:?}",
        report.failures
    );
    code_allowing(report, &|code| allow.iter().any(|allowed| allowed.name == code))
}

fn code_allowing(report: &Report, is_allowed: &dyn Fn(&str) -> bool) -> u8 {
    if let Some(code) = signals::code() {
        return code;
    }
    let is_of = |kind| report.failures.iter().any(|failure| failure.kind == kind);
    let mut counted = report.failures.iter().filter(|failure| !is_allowed(failure.code.name));
    match report {
        _ if is_of(FailureKind::Option) || counted.clone().any(Failure::is_misnamed) => 2,
        _ if is_of(FailureKind::Output) => 4,
        _ if counted.next().is_some() => 3,
        Report { is_negative: true, .. } => 1,
        _ => 0,
    }
}

/// Whether nobody reads the output any more, because programs such as `head` close it on purpose. What writes through a library may get the
/// error back inside of another.
pub(crate) fn is_closed(error: &(dyn Error + 'static)) -> bool {
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
