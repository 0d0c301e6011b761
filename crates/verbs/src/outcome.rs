//! The outcome for one input: failures and their locations, notes, and whether anything was found.

use std::fmt::{self, Display};
use std::io;
use std::path::Path;

use worldview::wwd::raw::LevelHeader;
use worldview::{Error, ErrorKind, Finding, FindingCode, OpenError, brief};
use worldview_edit::EditErrorKind;
use worldview_edit::account::{Account, Code, Column, Entry};

use crate::hint::{self, Broken};
use crate::interrupt;
use crate::report::{self, Failure, FailureKind, InputReport, OutputReport, Status};
use crate::table;

/// The supported formats, as listed in messages.
pub(crate) const KNOWN: &str = "WPD and REZ archives, WDB tables, WWD levels, PID and PCX pictures, WORLD.WDB and TEX \
                                textures";

/// Collects what happens to one input, on any thread. [`crate::run::Run`] reports it in the order of the inputs.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    /// Whether `check` found something at or above the severity of --fail-on, or `diff` a difference.
    pub(crate) is_negative: bool,
    /// Whether anything in the input is selected by --only.
    pub(crate) wanted: bool,
    pub(crate) events: Vec<Event>,
    /// Counts of the events past the limit.
    pub(crate) more: More,
    /// The results for the elements of the input.
    pub(crate) account: Account,
    /// The outputs that were written.
    pub(crate) outputs: Vec<OutputReport>,
    /// Whether nothing of the input was done.
    pub(crate) nothing_done: bool,
    /// Whether the run was interrupted before all was done.
    pub(crate) is_cut: bool,
}

/// The number of events that are counted but not reported: failures by their codes, and notes.
#[derive(Debug, Default)]
pub(crate) struct More {
    failed: Vec<(Code, u64)>,
    pub(crate) notes: u64,
}

impl More {
    fn add(&mut self, code: Code, count: u64) {
        match self.failed.iter_mut().find(|(known, _)| *known == code) {
            Some((_, all)) => *all += count,
            None => self.failed.push((code, count)),
        }
    }
}

/// An event to report.
#[derive(Debug)]
pub(crate) enum Event {
    /// An input, or a part of it, cannot be processed, or an output cannot be written.
    Failed(Failure),
    /// Information that does not affect the exit code.
    Note(String),
}

impl Event {
    /// Returns what failed.
    pub(crate) fn failure(&self) -> Option<&Failure> {
        match self {
            Self::Failed(failure) => Some(failure),
            Self::Note(_) => None,
        }
    }
}

/// A reason for a failure.
pub(crate) trait Why: Display {
    /// Returns the failure, without its path: the code, the offset if it is known, and a hint.
    fn failure(&self) -> Failure {
        Failure::about("", self.to_string())
    }
}

impl Why for str {}
impl Why for &str {}
impl Why for String {}
impl Why for fmt::Arguments<'_> {}

impl Why for Failure {
    fn failure(&self) -> Failure {
        self.clone()
    }
}

impl Why for io::Error {
    fn failure(&self) -> Failure {
        let code = if self.kind() == io::ErrorKind::NotFound { report::MISSING } else { report::SYSTEM };
        Failure::coded(code, self.to_string())
    }
}

impl Why for Error {
    fn failure(&self) -> Failure {
        let code = match self.kind {
            ErrorKind::Truncated { .. }
            | ErrorKind::TooMany { .. }
            | ErrorKind::Product { .. }
            | ErrorKind::Outside { .. } => report::TRUNCATED,
            ErrorKind::Limit { .. } => report::LIMIT,
            _ => report::DAMAGED,
        };
        let (offset, space, hint) = (Some(self.at), Some(self.space().name()), hint::of(self));
        Failure { offset, space, hint, ..Failure::coded(code, self.to_string()) }
    }
}

impl Why for OpenError {
    fn failure(&self) -> Failure {
        let unknown = || format!("is not in a known format ({KNOWN})");
        match self {
            OpenError::Empty => {
                let (offset, space) = (Some(0), Some("file"));
                Failure { offset, space, ..Failure::hinted(report::EMPTY, self.to_string(), hint::EMPTY) }
            }
            OpenError::Unknown => Failure::hinted(report::UNKNOWN, unknown(), hint::UNKNOWN),
            OpenError::Container(container) => Failure::coded(report::CONTAINER, container.advice().to_owned()),
            OpenError::Overwritten { is_known: false, .. } => {
                Failure::hinted(report::UNKNOWN, unknown(), hint::MAY_BE_ARCHIVE)
            }
            OpenError::Overwritten { error, .. } => {
                let mut failure = Failure { code: report::OVERWRITTEN, hint: Some(hint::RECOVER), ..error.failure() };
                if let ErrorKind::Magic { .. } = error.kind {
                    failure.error =
                        "the header of this WPD archive was overwritten (a common extractor does this)".into();
                }
                failure
            }
            OpenError::Unrecoverable(error) => {
                Failure { hint: Some(hint::NOT_RECOVERABLE), ..Failure::of(error, self.to_string()) }
            }
            OpenError::Format(error) => match error.kind {
                ErrorKind::Magic { want: LevelHeader::SIGNATURE, found } => {
                    let found = u32::from_le_bytes(found);
                    let text = format!("is not a WWD level: its header size is {found}, not {}", LevelHeader::SIZE);
                    Failure::of(error, text)
                }
                _ => error.failure(),
            },
            OpenError::NotFound => {
                let text = format!("{self}; `worldview show` of the archive lists its members");
                Failure::coded(report::MISSING, text)
            }
            _ => Failure::about("", self.to_string()),
        }
    }
}

impl Why for worldview_export::Error {
    fn failure(&self) -> Failure {
        match self {
            Self::Format(error) => error.failure(),
            Self::Io(error) => error.failure(),
            Self::Limit { of, .. } => {
                Failure { hint: hint::of_limit(*of), ..Failure::coded(report::LIMIT, self.to_string()) }
            }
            _ => Failure::about("", self.to_string()),
        }
    }
}

impl Why for worldview_inspect::Error {
    fn failure(&self) -> Failure {
        let failure = Failure::about("", self.to_string());
        if let Self::Format(error) = self { Failure { error: failure.error, ..error.failure() } } else { failure }
    }
}

impl Why for worldview_edit::EditError {
    fn failure(&self) -> Failure {
        let failure = match &self.kind {
            EditErrorKind::Format(error) => error.failure(),
            kind => Failure::coded(kind.code(), String::new()),
        };
        Failure { error: self.to_string(), hint: hint::of_edit(&self.kind), ..failure }
    }
}

impl Failure {
    /// Creates a failure with this text, and the code, offset and hint of `why`.
    pub(crate) fn of(why: &dyn Why, text: String) -> Self {
        Self { error: text, ..why.failure() }
    }

    /// Creates a failure with this text, and the code, offset and hint of a finding.
    pub(crate) fn found<K: FindingCode + Broken>(finding: &Finding<'_, K>, text: String) -> Self {
        let Finding { kind, at, place, space } = finding;
        let error = kind.broken().map(|kind| Error::new(kind, place.part.what, *at, *space));
        let code = error.as_ref().map_or(report::DAMAGED, |error| error.failure().code);
        let hint = error.as_ref().map(hint::of_part);
        Self { offset: Some(*at), space: Some(space.name()), hint, ..Self::coded(code, text) }
    }

    /// Creates a failure with this text, but no offset.
    pub(crate) fn coded(code: Code, text: String) -> Self {
        Self { code, ..Self::about("", text) }
    }

    /// Creates a failure with this text and a hint, but no offset.
    pub(crate) fn hinted(code: Code, text: String, hint: &'static str) -> Self {
        Self { hint: Some(hint), ..Self::coded(code, text) }
    }
}

/// Returns the code with which reports have a failure to open a file, or a part of one.
pub fn code_of_opening(why: &worldview::Failure) -> &'static str {
    match why {
        worldview::Failure::Open(error, _) => error.failure().code.name,
        worldview::Failure::Io(error) => error.failure().code.name,
        _ => report::FAILED.name,
    }
}

/// Returns the code with which reports have an error in a file.
pub fn code_of_error(why: &Error) -> &'static str {
    why.failure().code.name
}

impl Outcome {
    /// Maximum number of failures of one input that are reported individually. A broken file can have as many as it has
    /// parts.
    const MAX_LISTED: usize = 1000;

    /// Whether all of the input was done, and done well.
    pub(crate) fn is_complete(&self) -> bool {
        // Whatever was left out because of an interruption, at any depth, was left out after it.
        !interrupt::is_interrupted() && !self.has_failed()
    }

    /// Records that an input, or a part of it, cannot be processed.
    pub(crate) fn input_failed(&mut self, path: &Path, why: &dyn Why) {
        self.report(|| Event::Failed(Failure::new(table::path(path), why)));
    }

    /// Records that an input, or a part of it, cannot be processed, so that there is nothing of it.
    pub(crate) fn nothing<T>(&mut self, path: &Path, why: &dyn Why) -> Option<T> {
        self.input_failed(path, why);
        None
    }

    /// Records that a file was opened without one of its parts, as reported by a finding.
    pub(crate) fn left_out<K: FindingCode + Broken>(&mut self, path: &Path, finding: &Finding<'_, K>) {
        let Finding { kind, at, place, space } = finding;
        let of = space.described();
        let text = format!("opened only in part: {place} at offset {at} ({at:#x}) of the {of}: {kind}");
        self.input_failed(path, &Failure::found(finding, text));
    }

    /// Records how many more parts a file was opened without, with each code.
    pub(crate) fn left_out_more<'f, 'a: 'f, K: FindingCode + Broken + 'f>(
        &mut self,
        path: &Path,
        findings: impl Iterator<Item = (&'f Finding<'a, K>, u64)>,
    ) {
        let mut more = More::default();
        findings.for_each(|(finding, count)| more.add(Failure::found(finding, String::new()).code, count));
        for (code, count) in more.failed {
            let problems = table::counted(count, "more problem");
            let error = format!("opened only in part: {problems}, see `worldview check`");
            let failure = Failure { count, code, ..Failure::about(&table::path(path), error) };
            self.report(|| Event::Failed(failure));
        }
    }

    /// Returns the code of the first failure after this many events.
    pub(crate) fn code_since(&self, events: usize) -> Option<&'static str> {
        self.events.iter().skip(events).find_map(|event| Some(event.failure()?.code.name))
    }

    /// Returns the path of what failed first.
    pub(crate) fn failed_path(&self) -> Option<&str> {
        let mut failures = self.events.iter().filter_map(Event::failure);
        failures.find(|failure| failure.kind == FailureKind::Input).map(|failure| failure.path.as_str())
    }

    /// Records that an output file cannot be written.
    pub(crate) fn cannot_write(&mut self, path: &Path, why: &io::Error) {
        // One line at the end of the run says so.
        if interrupt::is_interrupted() {
            self.is_cut = true;
            return;
        }
        let text = format!("cannot be written: {why}");
        let failure = Failure::new(table::path(path), &Failure::coded(report::NOT_WRITTEN, text));
        self.report(|| Event::Failed(Failure { kind: FailureKind::Output, ..failure }));
    }

    /// Returns the input as the report has it.
    pub(crate) fn report_of(&self, path: &str) -> InputReport {
        let more: Vec<_> = self.more(path).collect();
        let failures: Vec<_> = self.events.iter().chain(&more).filter_map(Event::failure).cloned().collect();
        let status = match (self.has_failed() || self.account.refused() > 0, self.nothing_done) {
            (false, _) => Status::Ok,
            (true, true) => Status::Failed,
            (true, false) => Status::Partial,
        };
        // Why nothing was done is said once.
        let rest = failures.get(usize::from(self.nothing_done)..).unwrap_or_default();
        let refused = |entry: &Entry| {
            let at = if entry.path.is_empty() { String::new() } else { format!("{}: ", entry.path) };
            Failure::refused(entry, format!("{at}{}", entry.message))
        };
        let mut account = self.account.clone();
        rest.iter().for_each(|failure| account.push(failure.entry()));
        if !more.is_empty() {
            account.cut();
        }
        let mut entries = self.account.entries().filter(|entry| entry.column == Column::Refused);
        InputReport {
            path: path.to_owned(),
            status,
            why: failures.first().cloned().or_else(|| entries.next().map(refused)),
            outputs: self.outputs.clone(),
            account,
        }
    }

    /// Returns what sums up the failures past the limit: of each code how many there are.
    pub(crate) fn more(&self, path: &str) -> impl Iterator<Item = Event> {
        self.more.failed.iter().map(move |&(code, count)| {
            let is_written = code != report::NOT_WRITTEN;
            let what =
                if is_written { format!("errors: {}", code.about) } else { "outputs cannot be written".to_owned() };
            let kind = if is_written { FailureKind::Input } else { FailureKind::Output };
            Event::Failed(Failure { kind, count, code, ..Failure::about(path, format!("{count} more {what}")) })
        })
    }

    /// Information that does not affect the exit code.
    pub(crate) fn note(&mut self, path: &Path, what: &dyn Display) {
        self.report(|| Event::Note(format!("{}: {}", table::path(path), brief(&what.to_string()))));
    }

    /// Adds the outcome of another input that belongs to this one.
    pub(crate) fn append(&mut self, other: Self) {
        let Self { is_negative, wanted, events, more, account, outputs, nothing_done: _, is_cut } = other;
        self.is_negative |= is_negative;
        self.wanted |= wanted;
        self.is_cut |= is_cut;
        self.account.append(account);
        self.outputs.extend(outputs);
        more.failed.into_iter().for_each(|(code, count)| self.more.add(code, count));
        self.more.notes += more.notes;
        events.into_iter().for_each(|event| self.report(|| event));
    }

    /// Returns whether anything about the input failed.
    pub(crate) fn has_failed(&self) -> bool {
        !self.more.failed.is_empty() || self.events.iter().any(|event| event.failure().is_some())
    }

    /// Discards everything except outputs that could not be written.
    pub(crate) fn forget(&mut self) {
        self.events.retain(|event| event.failure().is_some_and(|failure| failure.kind == FailureKind::Output));
        self.more.failed.retain(|(code, _)| *code == report::NOT_WRITTEN);
        self.more.notes = 0;
        self.is_negative = false;
    }

    fn report(&mut self, event: impl FnOnce() -> Event) {
        let event = event();
        if self.events.len() < Self::MAX_LISTED {
            return self.events.push(event);
        }
        match event.failure() {
            Some(failure) => self.more.add(failure.code, failure.count),
            None => self.more.notes += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_no_failures_however_many() {
        let mut outcome = Outcome::default();
        for number in 0..3000 {
            outcome.note(Path::new("a"), &number);
        }
        assert!(!outcome.has_failed());
        assert_eq!(outcome.more.notes, 2000);
        outcome.cannot_write(Path::new("b"), &io::Error::other("full"));
        assert!(outcome.has_failed());
    }

    #[test]
    fn the_failures_past_the_limit_keep_their_codes() {
        let mut outcome = Outcome::default();
        for number in 0..3000 {
            let code = [report::DAMAGED, report::LIMIT, report::DAMAGED][number % 3];
            outcome.input_failed(Path::new("a"), &Failure::coded(code, number.to_string()));
        }
        let more: Vec<_> = outcome.more("a").filter_map(|event| event.failure().cloned()).collect();
        let codes: Vec<_> = more.iter().map(|failure| (failure.code, failure.count)).collect();
        assert_eq!(codes, [(report::LIMIT, 667), (report::DAMAGED, 1333)]);
    }
}
