//! The report of a run: each input once, with its status, its outputs, and the results for its elements.
//!
//! Its JSON is described by docs/json.md.

use std::ffi::OsStr;
use std::fmt;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};
use worldview::brief;
use worldview_edit::account::{Account, Code, Column, Entry, SourcePlace};
use worldview_edit::codes;
use worldview_import::nearest::nearest;

use crate::options::{Form, Replace, Scalar, Spec};
use crate::outcome::Why;
use crate::output::Target;
use crate::read;
use crate::run::Totals;

/// The status of an input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Everything that was asked for was done.
    #[default]
    Ok,
    /// Some of it was done.
    Partial,
    /// Nothing was done.
    Failed,
}

codes! {
    /// The codes of inputs that failed, and of parts of them.
    pub(crate) INPUTS {
        EMPTY = "unreadable-empty": "the file is empty",
        UNKNOWN = "unreadable-unknown": "the file is not in a known format",
        CONTAINER = "unreadable-container": "the file is a container that must be unpacked first",
        OVERWRITTEN = "unreadable-header-overwritten": "the header of the archive was overwritten",
        TRUNCATED = "unreadable-truncated": "the file, or a part of it, needs more bytes than there are",
        DAMAGED = "unreadable-damaged": "the file, or a part of it, has a value that cannot be right",
        LIMIT = "limit": "a limit of this run was exceeded",
        MISSING = "missing": "the path does not exist; the exit code is 2",
        TOO_DEEP = "too-deep": "the path leads deeper into the file than the verb goes; the exit code is 2",
        NO_INPUTS = "no-inputs": "the folder has no file in a known format; the exit code is 2",
        SYSTEM = "system": "the operating system cannot read or write the file",
        NOT_WRITTEN = "not-written": "an output cannot be written",
        FAILED = "failed": "something else failed; the message says what",
    }
}

/// Every code that a report may have.
fn codes() -> impl Iterator<Item = &'static Code> {
    use crate::verbs::{BUILT, KEPT, LOSSES, SET_NOTES, SOURCES};
    use worldview_edit::{ERRORS, PAIRS, REPAIRS, island::TEXTURES, wpd::TABLES, wwd::LEVELS};
    use worldview_import::codes::{PICTURES_AND_MODELS, SHEETS};
    use worldview_import::{build::BUILDS, tiled::CODES};
    let of_files = [INPUTS, SOURCES, BUILT, LOSSES, KEPT, REPAIRS, BUILDS, PAIRS, ERRORS, SET_NOTES];
    let tables = of_files.into_iter().chain([SHEETS, TABLES, LEVELS, TEXTURES, PICTURES_AND_MODELS, CODES]);
    tables.flatten()
}

impl Scalar for Code {
    const FORM: Form = Form::Text;

    fn parse(text: &OsStr, _: &Spec) -> std::result::Result<Self, String> {
        let text = text.to_string_lossy();
        codes().find(|code| code.name == text).copied().ok_or_else(|| {
            let nearest = nearest(&text, codes().map(|code| code.name));
            format!("no report has this code; the nearest is {}", nearest.map_or("", |(_, name)| name))
        })
    }
}

/// Version of the report.
pub(crate) const VERSION: u32 = 4;

/// The report of a verb: its inputs, and its own results.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report<T = ()> {
    pub(crate) version: u32,
    /// The name of the verb.
    pub verb: String,
    /// The inputs, in their order.
    pub inputs: Vec<InputReport>,
    /// Total amounts.
    pub totals: Totals,
    /// Everything that failed.
    #[serde(skip)]
    pub failures: Vec<Failure>,
    /// Whether `check` found something at or above the severity of `fail_on`, `diff` a difference, or `find` nothing.
    #[serde(skip)]
    pub is_negative: bool,
    /// The number of files that were interrupted before everything was done.
    #[serde(skip)]
    pub cut: u64,
    /// The results of the verb.
    #[serde(flatten)]
    pub of: T,
}

impl<T> Report<T> {
    /// Returns the report without what only this verb reports, and that.
    pub fn split(self) -> (Report, T) {
        let Self { version, verb, inputs, totals, failures, is_negative, cut, of } = self;
        (Report { version, verb, inputs, totals, failures, is_negative, cut, of: () }, of)
    }
}

impl<T: Serialize> Report<T> {
    /// Writes the report as JSON.
    ///
    /// # Errors
    ///
    /// Returns an error if `out` cannot be written to.
    pub fn write(&self, out: impl io::Write) -> io::Result<()> {
        self.write_with((), out)
    }

    /// Writes the report, and the members of `more` behind its own, as one JSON object.
    ///
    /// # Errors
    ///
    /// Returns an error if `out` cannot be written to.
    pub fn write_with(&self, more: impl Serialize, mut out: impl io::Write) -> io::Result<()> {
        #[derive(Serialize)]
        struct Document<R, M> {
            #[serde(flatten)]
            report: R,
            #[serde(flatten)]
            more: M,
        }
        serde_json::to_writer_pretty(&mut out, &Document { report: self, more })?;
        writeln!(out)
    }
}

/// A file that gets the report of a run.
#[derive(Debug)]
pub struct ReportFile(Target);

impl ReportFile {
    /// Finds where a report goes: not over another file, unless that is a report, too.
    ///
    /// # Errors
    ///
    /// Returns an error if a file that is no report has the name, or if the path cannot be written to.
    pub fn new(path: &Path) -> io::Result<Self> {
        if path.is_file() && read::start(path, START.len() as u64)? != START.as_bytes() {
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, "a file of this name exists and is not a report"));
        }
        Target::of(path, path, &[], Replace::Always).map(Self)
    }

    /// Writes a report; with the path `-` to `standard`.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be written.
    pub fn write(&self, report: &Report, standard: &mut dyn io::Write) -> io::Result<()> {
        self.0.write(standard, |out| report.write(out))
    }
}

/// How every report begins.
const START: &str = "{\n  \"version\": ";

/// The subject of a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// An input, or a part of it, cannot be processed.
    Input,
    /// An output cannot be written.
    Output,
    /// An option turned out to be wrong.
    Option,
}

/// Something that failed completely or partially, or several parts that failed with one code. The report has it in the
/// input that it is about.
#[derive(Clone, Debug, Serialize)]
pub struct Failure {
    /// Its subject.
    #[serde(skip)]
    pub kind: FailureKind,
    /// The number of parts.
    #[serde(skip)]
    pub count: u64,
    /// The path of the file, with the names inside it, or the option.
    #[serde(skip)]
    pub path: String,
    /// The code, which does not change between versions.
    pub code: Code,
    /// What is wrong.
    #[serde(rename = "message")]
    pub error: String,
    /// The offset in the file, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<u64>,
    /// The space of the offset: `file` or `image`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub space: Option<&'static str>,
    /// A hint, if the user can do something about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<&'static str>,
}

impl Failure {
    /// Creates a failure without an offset.
    pub(crate) fn about(path: &str, error: String) -> Self {
        let (kind, code) = (FailureKind::Input, FAILED);
        Self { kind, count: 1, path: path.to_owned(), code, error, offset: None, space: None, hint: None }
    }

    pub(crate) fn new(path: String, why: &dyn Why) -> Self {
        let failure = why.failure();
        Self { path, error: brief(&failure.error), ..failure }
    }

    /// Returns the failure of an element that was refused. `text` is the message.
    pub(crate) fn refused(entry: &Entry, text: String) -> Self {
        Self { count: entry.count, code: entry.code, ..Self::about(&entry.place.file, text) }
    }

    /// Returns the failure of a part as an element that was refused.
    pub(crate) fn entry(&self) -> Entry {
        let Self { count, path, code, error, offset, space, hint, .. } = self.clone();
        let place = SourcePlace { file: path, ..SourcePlace::default() };
        let entry = Entry::new(Column::Refused, code, &worldview::Path::new(), error).at(place);
        Entry { offset, space, hint, count, ..entry }
    }

    /// Whether the path or the name that was given leads nowhere.
    pub fn is_misnamed(&self) -> bool {
        [MISSING, TOO_DEEP, NO_INPUTS].contains(&self.code)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.error)
    }
}

/// Why a verb ended before its inputs were done.
#[derive(Debug)]
pub enum Error {
    /// An option cannot be used, or the inputs or outputs as a whole.
    Failed(Box<Failure>),
    /// The output of the verb cannot be written.
    Out(io::Error),
}

/// The result of a verb.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// Something that cannot be done, and why.
    pub fn new(what: &str, why: &dyn fmt::Display) -> Self {
        Self::failed(what, &why.to_string())
    }

    /// An option that cannot be used, and why.
    pub fn option(option: &str, why: &dyn fmt::Display) -> Self {
        Self::refused(option, &why.to_string())
    }

    /// An input that cannot be used.
    pub(crate) fn failed(path: &str, why: &dyn Why) -> Self {
        Failure::new(path.to_owned(), why).into()
    }

    /// An option that turned out to be wrong.
    pub(crate) fn refused(option: &str, why: &dyn Why) -> Self {
        Failure { kind: FailureKind::Option, ..Failure::new(option.to_owned(), why) }.into()
    }

    /// Outputs that cannot be written.
    pub(crate) fn broken(what: &str, why: &dyn fmt::Display) -> Self {
        Failure { kind: FailureKind::Output, ..Failure::about(what, why.to_string()) }.into()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failed(failure) => failure.fmt(f),
            Self::Out(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        if let Self::Out(error) = self { Some(error) } else { None }
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        Self::Failed(Box::new(failure))
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::Out(error)
    }
}

/// An input in the report.
#[derive(Clone, Debug, Default, Serialize)]
pub struct InputReport {
    /// The path, as it was given or found.
    pub path: String,
    /// Its status.
    pub status: Status,
    /// Why the input failed or was done in part.
    #[serde(flatten)]
    pub why: Option<Failure>,
    /// The outputs that were written, or would be by a dry run.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub outputs: Vec<OutputReport>,
    /// The results for its elements.
    #[serde(skip_serializing_if = "Account::is_empty")]
    pub account: Account,
}

impl InputReport {
    /// Whether the input cannot be read, for another reason than a path that leads nowhere.
    pub fn is_unreadable(&self) -> bool {
        let is_named = |why: &Failure| why.code != FAILED && !why.is_misnamed();
        self.status == Status::Failed && self.why.as_ref().is_some_and(is_named)
    }

    /// Returns the codes of everything that failed.
    pub fn codes(&self) -> impl Iterator<Item = &'static str> {
        let refused = self.account.entries().filter(|entry| entry.column == Column::Refused);
        self.why.iter().map(|why| why.code.name).chain(refused.map(|entry| entry.code.name))
    }

    /// Returns an input of which nothing was done.
    pub(crate) fn failed(failure: &Failure) -> Self {
        let (path, why) = (failure.path.clone(), Some(failure.clone()));
        Self { path, status: Status::Failed, why, ..Self::default() }
    }
}

/// A file that was written, or would be, or that was kept.
#[derive(Clone, Debug, Serialize)]
pub struct OutputReport {
    /// Its path.
    pub path: String,
    /// Its size, in bytes.
    pub size: u64,
    /// Why it was kept: `edited`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept: Option<&'static str>,
}

impl OutputReport {
    /// Returns a file that was written, or would be.
    pub(crate) const fn written(path: String, size: u64) -> Self {
        Self { path, size, kept: None }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::iter::once;
    use std::path::Path;

    use worldview_import::When;

    use worldview_export::outputs::OutputKind;

    use super::codes;
    use crate::options::{ExportOptions, OPENING, Options as _, Scalar as _};

    /// A page has a table of the code between two marks; with `UPDATE_GOLDEN` it is written.
    fn is_printed(page: &str, mark: &str, head: &str, rows: impl Iterator<Item = String>) {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(page);
        // Packages are tested without the repository.
        let Ok(text) = fs::read_to_string(&page) else { return };
        let columns = "---|".repeat(head.matches('|').count() - 1);
        let table = format!("{head}\n|{columns}\n{}", rows.collect::<String>());
        let (begin, end) = (format!("<!-- {mark} -->\n"), format!("<!-- /{mark} -->"));
        let (before, rest) = text.split_once(&begin).unwrap_or_default();
        let (_, after) = rest.split_once(&end).unwrap_or_default();
        let expected = format!("{before}{begin}{table}{end}{after}");
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            assert!(fs::write(&page, &expected).is_ok());
            return;
        }
        assert!(text == expected, "UPDATE_GOLDEN=1 writes the table {mark} anew");
    }

    #[test]
    fn codes_are_documented() {
        let rows = codes().map(|code| format!("| `{}` | {} |\n", code.name, code.about));
        is_printed("json.md", "codes", "| code | meaning |", rows);
        let names: BTreeSet<_> = codes().map(|code| code.name).collect();
        assert_eq!(names.len(), codes().count(), "a code has one meaning");
    }

    #[test]
    fn outputs_and_options_of_export_are_documented() {
        let kinds = OutputKind::choices();
        let rows = kinds.iter().map(|kind| format!("| `{}` | {} |\n", kind.name, kind.help()));
        is_printed("outputs.md", "kinds", "| `--to` | files |", rows);
        let own = ExportOptions::rows()
            .into_iter()
            .filter(|row| row.spec.heading != OPENING && row.name() != "to" && !row.spec.is_number);
        let rows = own.map(|row| {
            let choices = row.choices.iter().map(|choice| format!("<br>`{}`: {}", choice.name, choice.help()));
            let default = row.default.iter().map(|default| format!(" [default: {default}]"));
            let help = once(row.help()).chain(default).chain(choices).collect::<String>().replace('|', "\\|");
            format!("| `{}` | {help} |\n", format!("--{} {}", row.name(), row.spec.value).trim_end())
        });
        is_printed("outputs.md", "options", "| option | effect |", rows);
    }

    #[test]
    fn what_edits_leave_without_a_word_is_documented() {
        let ignored = worldview_import::tiled::IGNORED.iter();
        let tiled = ignored.map(|row| format!("| {} | `{}` | {} |\n", row.of, row.name, row.why));
        is_printed("editing-left-out.md", "tiled", "| of | what | why |", tiled);
        let when = |when| match when {
            When::Any => "changed, added or missing",
            When::Missing => "missing",
            When::Added => "added",
            When::Order => "in another order",
            When::Unused => "if nothing uses it",
            When::Same => "with the same meaning",
        };
        let not_read = worldview_import::GLB_NOT_READ.iter();
        let glb = not_read.map(|row| {
            let members = row.members.replace(' ', "`, `");
            format!("| `{members}` | {} | {} |\n", when(row.when), row.why)
        });
        is_printed("editing-left-out.md", "glb", "| member | when | why |", glb);
        let chunks = worldview_export::picture::NOT_READ.iter();
        let png = chunks.map(|(name, why)| format!("| `{}` | {why} |\n", name.escape_ascii()));
        is_printed("editing-left-out.md", "png", "| chunk | what it is |", png);
    }
}
