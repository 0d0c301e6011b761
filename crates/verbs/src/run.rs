//! A run of a verb: its observer, and its report so far.

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;
use worldview::{Loader, excerpt};
use worldview_edit::account::{Account, Column, Entry};

use crate::hint;
use crate::interrupt;
use crate::only::{self, Term};
use crate::options::Mmap;
use crate::outcome::{Event, Outcome, Why};
use crate::report::{Error, Failure, FailureKind, InputReport, Report, Result, Status, VERSION};

/// Receives the progress and the messages of a run. All methods are called on the thread that called the verb, and do nothing by
/// default. `()` ignores everything.
pub trait Observer {
    /// Called when the run begins, with the number of files.
    fn begin(&mut self, files: u64) {
        let _ = files;
    }

    /// Called for each finished input, in the order of the inputs, before the messages about it.
    fn finished(&mut self, input: &InputReport) {
        let _ = input;
    }

    /// Called for each message, in the order of the inputs.
    fn message(&mut self, message: &Message<'_>) {
        let _ = message;
    }

    /// Called when the totals have changed.
    fn progress(&mut self, totals: &Totals) {
        let _ = totals;
    }
}

impl Observer for () {}

/// A message of a run.
#[derive(Clone, Copy, Debug)]
pub enum Message<'m> {
    /// A failure, and the number of other failures of the same input that have the same cause; those get no messages.
    Failed(&'m Failure, u64),
    /// Information that is not about a failure.
    Note(&'m str),
    /// Advice for the user.
    Hint(&'m str),
    /// The path of a file in a folder that must be unpacked with other tools, and how.
    Advice(&'m str, &'m str),
    /// The path of a file in a folder whose format is unknown.
    Skipped(&'m str),
    /// The path of a file in a folder that `only` excludes by its name.
    Unwanted(&'m str),
    /// The path of a file that was processed without failures.
    Done(&'m str),
}

/// Totals of a run.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Totals {
    /// Files that were processed.
    pub files: u64,
    /// The number of them that were listed, checked, searched, compared, exported or edited.
    #[serde(skip)]
    pub done: u64,
    /// Their total size.
    pub bytes: u64,
    /// Files that were processed only in part.
    pub partial: u64,
    /// Files that could not be processed at all.
    pub failed: u64,
    /// Files in folders that were skipped because their format is unknown.
    pub skipped: u64,
}

/// Maximum number of elements that a message names.
const MAX_KEYS: usize = 5;

/// A run of one verb: how files are read, the number of threads, the observer.
pub struct Run<'o> {
    pub(crate) observer: &'o mut dyn Observer,
    loader: Box<dyn Fn() -> Loader + 'o>,
    pub(crate) threads: usize,
    /// The canonical path of the output folder, which is not searched.
    pub(crate) exclude: Option<PathBuf>,
    /// Maximum number of files that may be processed ahead of the first unfinished one, if their results are large.
    pub(crate) window: Option<usize>,
    /// Once it is true, no further input is started.
    pub(crate) stop: Arc<AtomicBool>,
    says_unreadable: bool,
    wanted: bool,
    /// What has happened so far.
    pub(crate) report: Report,
}

impl<'o> Run<'o> {
    /// Returns a run that uses all processors and reads files without mapping them.
    pub fn new(observer: &'o mut dyn Observer) -> Self {
        Self {
            observer,
            loader: Box::new(Loader::read),
            threads: 0,
            exclude: None,
            window: None,
            stop: Arc::default(),
            says_unreadable: true,
            wanted: false,
            report: Report::default(),
        }
    }

    /// Sets the function that returns the loader, such as [`Loader::mmap`]. It is not called if the option `mmap` of a verb rules out
    /// mapping.
    #[must_use]
    pub fn loader(self, loader: impl Fn() -> Loader + 'o) -> Self {
        Self { loader: Box::new(loader), ..self }
    }

    /// Sets the number of threads; 0 stands for one for each processor.
    #[must_use]
    pub fn threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// Sets the flag that cancels the run: once it is true, no further input is started.
    #[must_use]
    pub fn cancel(self, stop: Arc<AtomicBool>) -> Self {
        Self { stop, ..self }
    }

    /// Suppresses messages about unreadable inputs, which [`check`](crate::check) also reports as findings.
    pub const fn hide_unreadable(&mut self) {
        self.says_unreadable = false;
    }

    /// Returns whether the run was canceled.
    pub fn is_canceled(&self) -> bool {
        interrupt::is_interrupted() || self.stop.load(Ordering::Relaxed)
    }

    /// Returns the flag that cancels the run.
    pub fn canceled(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }

    /// Sends a hint to the observer.
    pub fn hint(&mut self, text: &str) {
        self.observer.message(&Message::Hint(text));
    }

    /// Ends the run, and returns its report.
    pub fn end<T>(&mut self, verb: &str, of: T) -> Report<T> {
        let Report { inputs, totals, failures, is_negative, cut, .. } = std::mem::take(&mut self.report);
        Report { version: VERSION, verb: verb.to_owned(), inputs, totals, failures, is_negative, cut, of }
    }

    /// Reports the error that ended a verb.
    pub fn fail(&mut self, failure: Failure) {
        if failure.kind != FailureKind::Output {
            self.report.inputs.push(InputReport::failed(&failure));
        }
        self.say_failure(failure, 0);
    }

    /// Returns the loader for a value of the option `mmap`.
    pub fn loader_for(&self, mmap: Mmap) -> Loader {
        match mmap {
            Mmap::Never => Loader::read(),
            Mmap::Auto => (self.loader)(),
            Mmap::Always => (self.loader)().map_from(0),
        }
    }

    /// Reports the outcome of an input and adds it to the totals.
    pub(crate) fn absorb(&mut self, path: &str, outcome: Outcome, bytes: u64) {
        self.report.totals.files += 1;
        self.report.totals.bytes += bytes;
        let input = outcome.report_of(path);
        match input.status {
            Status::Ok => {}
            Status::Partial => self.report.totals.partial += 1,
            Status::Failed => self.report.totals.failed += 1,
        }
        let is_unreadable = input.is_unreadable();
        self.observer.finished(&input);
        self.report.inputs.push(input);
        self.report.is_negative |= outcome.is_negative;
        self.wanted |= outcome.wanted;
        if outcome.is_cut {
            self.report.cut += 1;
        } else {
            interrupt::count_file();
        }
        self.report_account(&outcome.account);
        let (more, notes) = (outcome.more(path).collect::<Vec<_>>(), outcome.more.notes);
        let mut events = outcome.events;
        events.extend(more);
        if !self.says_unreadable && is_unreadable {
            let failures = events.extract_if(.., |event| matches!(event, Event::Failed(_)));
            self.report.failures.extend(failures.filter_map(|event| event.failure().cloned()));
        }
        self.report_all(events);
        if notes > 0 {
            self.say(&format!("{path}: {notes} more notes like these"));
        }
        self.observer.progress(&self.report.totals);
    }

    /// Reports the events of an input. Of failures with the same cause, only the first is reported, with the number of the others.
    ///
    /// A truncation breaks all parts after it. Failures have one cause if they have the same remedy.
    fn report_all(&mut self, events: Vec<Event>) {
        let is_same =
            |one: &Failure, other: &Failure| one.path == other.path && hint::is_one_cause(one.hint, other.hint);
        let mut causes: Vec<(Failure, u64)> = Vec::new();
        for failure in events.iter().filter_map(Event::failure) {
            match causes.iter_mut().find(|(cause, _)| is_same(cause, failure)) {
                Some((_, more)) => *more += 1,
                None if failure.hint.is_some() => causes.push((failure.clone(), 0)),
                None => {}
            }
        }
        for event in events {
            let failure = match event {
                Event::Failed(failure) => failure,
                Event::Note(note) => {
                    self.say(&note);
                    continue;
                }
            };
            // The hint that the rest is used is not about a cause; it is given once.
            let is_cause = failure.hint != Some(hint::IN_PART);
            match causes.iter_mut().find(|(cause, _)| is_same(cause, &failure)) {
                Some((_, more)) if *more != u64::MAX => {
                    let more = std::mem::replace(more, u64::MAX);
                    self.say_failure(failure, if is_cause { more } else { 0 });
                }
                Some(_) if is_cause => self.report.failures.push(failure),
                _ => {
                    let said = Failure { hint: None, ..failure.clone() };
                    self.observer.message(&Message::Failed(&said, 0));
                    // The report has all of them.
                    self.report.failures.push(failure);
                }
            }
        }
    }

    /// Reports the entries of an account.
    fn report_account(&mut self, account: &Account) {
        for entry in account.entries() {
            let Entry { column, place, path, message, count, keys, .. } = entry;
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
            match (column, place.file.as_str()) {
                (Column::Refused, _) => self.say_failure(Failure::refused(entry, text), 0),
                (_, "") => self.say(&text),
                (_, file) => self.say(&format!("{file}: {text}")),
            }
        }
        if account.is_cut() {
            self.say(&format!("more than {} entries; the rest is not listed", Account::MAX_ENTRIES));
        }
    }

    fn say(&mut self, text: &str) {
        self.observer.message(&Message::Note(text));
    }

    fn say_failure(&mut self, failure: Failure, more: u64) {
        self.observer.message(&Message::Failed(&failure, more));
        self.report.failures.push(failure);
    }

    /// Tells the observer how many files there are.
    pub(crate) fn begin(&mut self, files: u64) {
        self.observer.begin(files);
    }

    /// Counts an input if the verb listed, checked, searched, compared, exported or edited it.
    pub(crate) fn count_done(&mut self, is_done: bool) {
        self.report.totals.done += u64::from(is_done);
    }

    /// Reports a failure that is not about an input in the same way as one that is.
    pub(crate) fn failed(&mut self, path: &str, why: &dyn Why) {
        self.fail(Failure::new(path.to_owned(), why));
    }

    /// Reports an option that turned out to be wrong.
    pub(crate) fn refused(&mut self, option: &str, why: &dyn Why) {
        self.fail(Failure { kind: FailureKind::Option, ..Failure::new(option.to_owned(), why) });
    }

    /// Reports that something cannot be written.
    pub fn broken(&mut self, what: &str, why: &dyn Display) {
        self.fail(Failure { kind: FailureKind::Output, ..Failure::about(what, why.to_string()) });
    }

    /// Reports information about the run.
    pub fn note(&mut self, path: &str, what: &dyn Display) {
        self.say(&format!("{path}: {what}"));
    }

    /// Counts and reports a file in a folder whose format is unknown, with advice on how to unpack it.
    pub(crate) fn passed_over(&mut self, path: &str, advice: Option<&str>) {
        self.report.totals.skipped += 1;
        self.observer.progress(&self.report.totals);
        self.observer.message(&Message::Skipped(path));
        if let Some(advice) = advice {
            self.observer.message(&Message::Advice(path, advice));
        }
    }

    /// Reports a failure if `only` selected nothing. `names` are the names of the files that it excluded.
    pub(crate) fn wanted_any(&mut self, terms: &[Term], names: &[String]) {
        if terms.is_empty() || self.wanted || !self.report.failures.is_empty() || interrupt::is_interrupted() {
            return;
        }
        let meant = only::meant(terms, names.iter().map(String::as_str));
        let meant = meant.map_or(String::new(), |name| format!("; did you mean {name}?"));
        self.refused("--only", &format_args!("nothing in these inputs matches{meant}"));
    }

    /// Returns an error if standard input is named more than once, since it can be read only once.
    pub(crate) fn reads_stdin_once<'p>(paths: impl IntoIterator<Item = &'p Path>) -> Result<()> {
        if paths.into_iter().filter(|path| path.as_os_str() == "-").count() < 2 {
            return Ok(());
        }
        Err(Error::refused("-", &"standard input can be read only once"))
    }
}

impl std::fmt::Debug for Run<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Run").field("threads", &self.threads).field("report", &self.report).finish_non_exhaustive()
    }
}
