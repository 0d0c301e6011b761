//! What became of one input: what failed and where, what there is to say, what was found.

use std::fmt::{self, Display};
use std::io;
use std::path::Path;

use serde::Serialize;
use worldview::{Error, Finding, Kind};

/// Notes what happens to one input, on whatever thread; [`crate::run::Run`] says it in the order of the inputs.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) found: bool,
    /// Whether anything in it is what --only names.
    pub(crate) wanted: bool,
    pub(crate) events: Vec<Event>,
    /// Failures past those that are kept.
    pub(crate) more: u64,
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
}

/// A reason, and the offset that it is about.
pub(crate) trait Why: Display {
    fn place(&self) -> Option<(u64, &'static str)> {
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
        Some((self.at, self.space.name()))
    }
}

impl Why for worldview_export::Error {
    fn place(&self) -> Option<(u64, &'static str)> {
        match self {
            Self::Format(error) => error.place(),
            _ => None,
        }
    }
}

/// A reason with words around it, whose offset is known.
#[derive(Debug)]
pub(crate) struct At<'w> {
    pub(crate) text: fmt::Arguments<'w>,
    pub(crate) place: Option<(u64, &'static str)>,
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
}

impl Failure {
    fn new(path: &Path, why: &dyn Why) -> Self {
        let (offset, space) = why.place().unzip();
        Self { path: path.display().to_string(), error: why.to_string(), offset, space }
    }
}

impl Outcome {
    /// Failures of one input that are told one by one: a broken file can have as many as it has parts.
    const TOLD: usize = 1000;

    /// `check` found something as bad as it was told to look for, or `diff` a difference.
    pub(crate) fn found(&mut self) {
        self.found = true;
    }

    /// An input cannot be done, or something of it.
    pub(crate) fn input_failed(&mut self, path: &Path, why: &dyn Why) {
        self.tell(|| Event::Failed(Failure::new(path, why)));
    }

    /// A file was opened without something, by what parsing it found.
    pub(crate) fn left_out<K: Kind>(&mut self, path: &Path, finding: &Finding<'_, K>) {
        let Finding { kind, at, place, space } = finding;
        let text = format_args!("opened only in part: {place} at offset {at} of the {}: {kind}", space.name());
        self.input_failed(path, &At { text, place: Some((*at, space.name())) });
    }

    /// A file of the output cannot be written.
    pub(crate) fn cannot_write(&mut self, path: &Path, why: &io::Error) {
        self.tell(|| Event::Unwritten(Failure::new(path, &format_args!("cannot be written: {why}"))));
    }

    /// Something to know that changes no exit code.
    pub(crate) fn note(&mut self, path: &Path, what: &dyn Display) {
        self.tell(|| Event::Note(format!("{}: {what}", path.display())));
    }

    /// Takes what became of another input that goes with this one.
    pub(crate) fn append(&mut self, other: Self) {
        self.found |= other.found;
        self.wanted |= other.wanted;
        self.more += other.more;
        other.events.into_iter().for_each(|event| self.tell(|| event));
    }

    /// Whether anything of the input failed.
    pub(crate) fn has_failed(&self) -> bool {
        self.more > 0 || self.events.iter().any(|event| !matches!(event, Event::Note(_)))
    }

    fn tell(&mut self, event: impl FnOnce() -> Event) {
        if self.events.len() < Self::TOLD {
            self.events.push(event());
        } else {
            self.more += 1;
        }
    }
}
