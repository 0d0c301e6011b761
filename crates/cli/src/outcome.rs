//! What became of one input: what failed and where, what there is to say, what was found.

use std::fmt::{self, Display};
use std::io;
use std::path::Path;

use serde::Serialize;
use worldview::{Error, ErrorKind, Finding, Format, Kind, OpenError};

use crate::hint::{self, Broken};
use crate::table;

/// The formats, as messages name them.
pub(crate) const KNOWN: &str = "WPD archives, WDB tables, WWD levels, WORLD.WDB";

/// Notes what happens to one input, on whatever thread; [`crate::run::Run`] says it in the order of the inputs.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) found: bool,
    /// Whether anything in it is what --only names.
    pub(crate) wanted: bool,
    pub(crate) events: Vec<Event>,
    /// What is past the events that are kept.
    pub(crate) more: More,
    /// Whether the run was interrupted before all was done.
    is_cut: bool,
}

/// How many events of each kind are counted and not told.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct More {
    pub(crate) failed: u64,
    pub(crate) unwritten: u64,
    pub(crate) notes: u64,
}

/// Something to tell.
#[derive(Debug)]
pub(crate) enum Event {
    /// Something of an input cannot be done.
    Failed(Failure),
    /// Something of an output cannot be written.
    Unwritten(Failure),
    /// Something to know that changes no exit code.
    Note(String),
}

/// What cannot be done, or only in part.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Failure {
    pub(crate) path: String,
    pub(crate) error: String,
    /// Where in the file, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) offset: Option<u64>,
    /// What the offset counts in: `file` or `image`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) space: Option<&'static str>,
    /// What to do about it, if there is something to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) hint: Option<&'static str>,
}

/// A reason, the offset that it is about, and what to do about it.
pub(crate) trait Why: Display {
    fn place(&self) -> Option<(u64, &'static str)> {
        None
    }

    fn hint(&self) -> Option<&'static str> {
        None
    }
}

impl Why for str {}
impl Why for &str {}
impl Why for String {}
impl Why for fmt::Arguments<'_> {}
impl Why for io::Error {}

impl Why for Error {
    fn place(&self) -> Option<(u64, &'static str)> {
        Some((self.at, self.space().name()))
    }

    fn hint(&self) -> Option<&'static str> {
        hint::of(self)
    }
}

impl Why for worldview_export::Error {
    fn place(&self) -> Option<(u64, &'static str)> {
        match self {
            Self::Format(error) => error.place(),
            _ => None,
        }
    }

    fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Format(error) => error.hint(),
            Self::Limit { of, .. } => hint::of_limit(*of),
            _ => None,
        }
    }
}

impl Why for worldview_inspect::Error {
    fn place(&self) -> Option<(u64, &'static str)> {
        match self {
            Self::Format(error) => error.place(),
            _ => None,
        }
    }

    fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Format(error) => error.hint(),
            _ => None,
        }
    }
}

/// A reason with words around it, whose offset is known, or what to do about it.
#[derive(Debug)]
pub(crate) struct At<'w> {
    pub(crate) text: fmt::Arguments<'w>,
    pub(crate) place: Option<(u64, &'static str)>,
    pub(crate) hint: Option<&'static str>,
}

impl<'w> At<'w> {
    /// These words, about the same place as `why` and with the same to do about it.
    pub(crate) fn of(why: &dyn Why, text: fmt::Arguments<'w>) -> Self {
        Self { text, place: why.place(), hint: why.hint() }
    }

    /// These words, about no place, and what to do about it.
    pub(crate) const fn hinted(text: fmt::Arguments<'w>, hint: &'static str) -> Self {
        Self { text, place: None, hint: Some(hint) }
    }
}

impl Display for At<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_fmt(self.text)
    }
}

impl Why for At<'_> {
    fn place(&self) -> Option<(u64, &'static str)> {
        self.place
    }

    fn hint(&self) -> Option<&'static str> {
        self.hint
    }
}

impl Failure {
    /// About no place in particular.
    pub(crate) fn about(path: &str, error: String) -> Self {
        Self { path: path.to_owned(), error, offset: None, space: None, hint: None }
    }

    fn new(path: &Path, why: &dyn Why) -> Self {
        let (offset, space) = why.place().unzip();
        Self { path: table::path(path), error: why.to_string(), offset, space, hint: why.hint() }
    }
}

impl Outcome {
    /// Failures of one input that are told one by one: a broken file can have as many as it has parts.
    const TOLD: usize = 1000;

    /// `check` found something as bad as it was told to look for, or `diff` a difference.
    pub(crate) fn found(&mut self) {
        self.found = true;
    }

    /// Not all of the input was done before the run was interrupted.
    pub(crate) fn cut(&mut self) {
        self.is_cut = true;
    }

    /// Whether all of the input was done, and done well.
    pub(crate) fn is_complete(&self) -> bool {
        !self.is_cut && !self.has_failed()
    }

    /// An input cannot be done, or something of it.
    pub(crate) fn input_failed(&mut self, path: &Path, why: &dyn Why) {
        self.tell(|| Event::Failed(Failure::new(path, why)));
    }

    /// A file cannot be opened, or a part of one.
    pub(crate) fn not_opened(&mut self, path: &Path, why: &OpenError) {
        let unknown = format_args!("is not in a known format ({KNOWN})");
        match why {
            OpenError::Empty => self.input_failed(path, &At::hinted(format_args!("{why}"), hint::EMPTY)),
            OpenError::Unknown => self.input_failed(path, &At::hinted(unknown, hint::UNKNOWN)),
            OpenError::Overwritten { is_known: false, .. } => {
                self.input_failed(path, &At::hinted(unknown, hint::MAY_BE_ARCHIVE));
            }
            OpenError::Overwritten { error, .. } => {
                let text = match error.kind {
                    ErrorKind::Magic { .. } => {
                        "the header of this WPD archive was overwritten, which a common extractor does".to_owned()
                    }
                    _ => error.to_string(),
                };
                let place = Some((error.at, error.space().name()));
                self.input_failed(path, &At { text: format_args!("{text}"), place, hint: Some(hint::RECOVER) });
            }
            OpenError::Unrecoverable(error) => {
                let text = format_args!("{why}");
                self.input_failed(path, &At { hint: Some(hint::NOT_RECOVERABLE), ..At::of(error, text) });
            }
            OpenError::Format(error) => self.input_failed(path, error),
            OpenError::NotFound => {
                self.input_failed(path, &format_args!("{why}; `worldview show` of the archive lists its members"));
            }
            OpenError::NoMembers(Format::Island) => {
                self.input_failed(
                    path,
                    &format_args!("{why}; use --only to select worlds, models, parts and textures"),
                );
            }
            _ => self.input_failed(path, &format_args!("{why}")),
        }
    }

    /// A file was opened without something, by what parsing it found.
    pub(crate) fn left_out<K: Kind + Broken>(&mut self, path: &Path, finding: &Finding<'_, K>) {
        let Finding { kind, at, place, space } = finding;
        let of = space.described();
        let text = format_args!("opened only in part: {place} at offset {at} ({at:#x}) of the {of}: {kind}");
        let hint = kind.broken().map(|kind| hint::of_part(&Error::new(kind, place.part.what, *at, *space)));
        self.input_failed(path, &At { text, place: Some((*at, space.name())), hint });
    }

    /// A file of the output cannot be written.
    pub(crate) fn cannot_write(&mut self, path: &Path, why: &io::Error) {
        self.tell(|| Event::Unwritten(Failure::new(path, &format_args!("cannot be written: {why}"))));
    }

    /// Something to know that changes no exit code.
    pub(crate) fn note(&mut self, path: &Path, what: &dyn Display) {
        self.tell(|| Event::Note(format!("{}: {what}", table::path(path))));
    }

    /// Takes what became of another input that goes with this one.
    pub(crate) fn append(&mut self, other: Self) {
        self.found |= other.found;
        self.wanted |= other.wanted;
        self.more.failed += other.more.failed;
        self.more.unwritten += other.more.unwritten;
        self.more.notes += other.more.notes;
        other.events.into_iter().for_each(|event| self.tell(|| event));
    }

    /// Whether anything of the input failed.
    pub(crate) fn has_failed(&self) -> bool {
        self.more.failed + self.more.unwritten > 0 || self.events.iter().any(|event| !matches!(event, Event::Note(_)))
    }

    /// Forgets all but the outputs that could not be written.
    pub(crate) fn forget(&mut self) {
        self.events.retain(|event| matches!(event, Event::Unwritten(_)));
        self.more = More { unwritten: self.more.unwritten, ..More::default() };
        self.found = false;
    }

    fn tell(&mut self, event: impl FnOnce() -> Event) {
        let event = event();
        if self.events.len() < Self::TOLD {
            return self.events.push(event);
        }
        match event {
            Event::Failed(_) => self.more.failed += 1,
            Event::Unwritten(_) => self.more.unwritten += 1,
            Event::Note(_) => self.more.notes += 1,
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
        assert_eq!(outcome.more.unwritten, 1);
    }
}
