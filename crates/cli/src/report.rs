//! The report of a run: each input once, with its status, its outputs, and what became of its elements.
//!
//! The shape is part of the command's public interface; docs/json.md describes it.

use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};
use worldview_edit::account::{Account, Code, Column, Entry};
use worldview_edit::codes;
use worldview_export::csv::CsvStyle;
use worldview_import::nearest::nearest;

use crate::args::Replace;
use crate::outcome::Failure;
use crate::output::Target;
use crate::read;
use crate::run::{Run, Totals};
use crate::sheet;

/// What became of an input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Status {
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
        NO_INPUTS = "no-inputs": "the folder has no file in a known format; the exit code is 2",
        SYSTEM = "system": "the operating system cannot read or write the file",
        NOT_WRITTEN = "not-written": "an output cannot be written",
        FAILED = "failed": "something else failed; the message says what",
    }
}

/// Every code that a report may have.
fn codes() -> impl Iterator<Item = &'static Code> {
    use worldview_import::codes::{PICTURES_AND_MODELS, SHEETS};
    let tables = [
        INPUTS,
        crate::verbs::SOURCES,
        crate::verbs::BUILT,
        crate::verbs::LOSSES,
        worldview_edit::REPAIRS,
        worldview_import::build::BUILDS,
        worldview_edit::PAIRS,
        worldview_edit::ERRORS,
        crate::verbs::SET_NOTES,
        SHEETS,
        PICTURES_AND_MODELS,
        worldview_import::tiled::CODES,
    ];
    tables.into_iter().flatten()
}

/// Parses a code of the command line.
pub(crate) fn code(text: &str) -> Result<&'static str, String> {
    let found = codes().find(|code| code.name == text);
    found.map(|code| code.name).ok_or_else(|| {
        let nearest = nearest(text, codes().map(|code| code.name));
        format!("no report has this code; the nearest is {}", nearest.map_or("", |(_, name)| name))
    })
}

/// Whether a code says that the command line names what is not there.
pub(crate) fn is_misnamed(code: &str) -> bool {
    code == MISSING.name || code == NO_INPUTS.name
}

/// Version of the report.
pub(crate) const VERSION: u32 = 4;

/// How every document begins.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Head<'r> {
    version: u32,
    verb: &'static str,
    pub(crate) inputs: &'r [InputReport],
    pub(crate) totals: Totals,
}

impl<'r> Head<'r> {
    pub(crate) fn of(verb: &'static str, run: &'r Run) -> Self {
        Self { version: VERSION, verb, inputs: run.inputs(), totals: run.totals() }
    }
}

/// Finds where a report of its own goes: not over another file, unless that is a report, too.
pub(crate) fn target(path: &Path) -> io::Result<Target> {
    if path.is_file() && read::start(path, START.len() as u64)? != START.as_bytes() {
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, "a file of this name exists that is no report"));
    }
    Target::of(path, path, &[], Replace::Always)
}

/// How every report begins.
const START: &str = "{\n  \"version\": ";

/// Writes the report of a run to a file of its own.
pub(crate) fn write(verb: &'static str, target: &Target, run: &Run) -> io::Result<()> {
    let mut standard = run.stdout(CsvStyle::default(), false);
    target.write(&mut standard, |mut out| sheet::json(&mut out, &Head::of(verb, run)))
}

/// An input in the report.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct InputReport {
    pub(crate) path: String,
    pub(crate) status: Status,
    /// Why the input failed or was done in part.
    #[serde(flatten)]
    pub(crate) why: Option<Reason>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) outputs: Vec<OutputReport>,
    #[serde(skip_serializing_if = "AccountReport::is_empty")]
    pub(crate) account: AccountReport,
}

impl InputReport {
    /// Whether the input cannot be read, for another reason than a path that leads nowhere.
    pub(crate) fn is_unreadable(&self) -> bool {
        let is_named = |why: &Reason| why.code != FAILED.name && !is_misnamed(why.code);
        self.status == Status::Failed && self.why.as_ref().is_some_and(is_named)
    }

    /// Returns the codes of everything that failed.
    pub(crate) fn codes(&self) -> impl Iterator<Item = &'static str> {
        let refused = self.account.entries.iter().filter(|entry| entry.column == Column::Refused.name());
        self.why.iter().map(|why| why.code).chain(refused.map(|entry| entry.code))
    }

    /// Returns an input of which nothing was done.
    pub(crate) fn failed(failure: &Failure) -> Self {
        Self {
            path: failure.path.clone(),
            status: Status::Failed,
            why: Some(Reason::of(failure)),
            outputs: Vec::new(),
            account: AccountReport::default(),
        }
    }
}

/// A failure, without the path of the input.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Reason {
    pub(crate) code: &'static str,
    pub(crate) message: String,
    /// The offset in the file, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) offset: Option<u64>,
    /// The space of the offset: `file` or `image`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) space: Option<&'static str>,
    /// What the user can do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) hint: Option<&'static str>,
}

impl Reason {
    /// Returns why an element was refused, if it was.
    pub(crate) fn refused(entry: &Entry) -> Option<Self> {
        let at = if entry.path.is_empty() { String::new() } else { format!("{}: ", entry.path) };
        let reason = |entry: &Entry| Self {
            code: entry.code.name,
            message: format!("{at}{}", entry.message),
            offset: None,
            space: None,
            hint: None,
        };
        (entry.column == Column::Refused).then(|| reason(entry))
    }

    pub(crate) fn of(failure: &Failure) -> Self {
        let Failure { code, error, offset, space, hint, .. } = failure;
        Self { code: code.name, message: error.clone(), offset: *offset, space: *space, hint: *hint }
    }
}

/// A file that was written, or would be, or that was kept.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct OutputReport {
    pub(crate) path: String,
    pub(crate) size: u64,
    /// Why it was kept: `edited`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) kept: Option<&'static str>,
}

impl OutputReport {
    /// Returns a file that was written, or would be.
    pub(crate) const fn written(path: String, size: u64) -> Self {
        Self { path, size, kept: None }
    }
}

/// What became of the elements of an input.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct AccountReport {
    done: u64,
    equal: u64,
    refused: u64,
    left_out: u64,
    entries: Vec<EntryReport>,
    cut: bool,
}

#[derive(Clone, Debug, Serialize)]
struct EntryReport {
    column: &'static str,
    code: &'static str,
    #[serde(skip_serializing_if = "PlaceReport::is_empty")]
    place: PlaceReport,
    path: String,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    offset: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    space: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'static str>,
    count: u64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    keys: Vec<String>,
}

/// Where the source has an element.
#[derive(Clone, Debug, Default, Serialize)]
struct PlaceReport {
    #[serde(skip_serializing_if = "String::is_empty")]
    file: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    row: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pointer: Option<String>,
}

impl PlaceReport {
    const fn is_empty(&self) -> bool {
        self.file.is_empty() && self.row.is_none() && self.column.is_none() && self.pointer.is_none()
    }
}

impl AccountReport {
    /// Returns what an account says, and the failures of parts as elements that were refused.
    pub(crate) fn of(account: &Account, failures: &[Failure], is_cut: bool) -> Self {
        let entry = |entry: &Entry| EntryReport {
            column: entry.column.name(),
            code: entry.code.name,
            place: PlaceReport {
                file: entry.place.file.clone(),
                row: entry.place.row,
                column: entry.place.column.clone(),
                pointer: entry.place.pointer.clone(),
            },
            path: entry.path.to_string(),
            message: entry.message.clone(),
            offset: None,
            space: None,
            hint: None,
            count: entry.count,
            keys: entry.keys.clone(),
        };
        let failed = |failure: &Failure| EntryReport {
            column: Column::Refused.name(),
            code: failure.code.name,
            place: PlaceReport { file: failure.path.clone(), ..PlaceReport::default() },
            path: String::new(),
            message: failure.error.clone(),
            offset: failure.offset,
            space: failure.space,
            hint: failure.hint,
            count: failure.count,
            keys: Vec::new(),
        };
        Self {
            done: account.done,
            equal: account.equal,
            refused: account.refused() + failures.iter().map(|failure| failure.count).sum::<u64>(),
            left_out: account.left_out(),
            entries: account.entries().map(entry).chain(failures.iter().map(failed)).collect(),
            cut: account.is_cut() || is_cut,
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.done + self.equal + self.refused + self.left_out == 0
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use worldview_import::When;

    use super::codes;

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
    fn what_edits_leave_without_a_word_is_documented() {
        let ignored = worldview_import::tiled::IGNORED.iter();
        let tiled = ignored.map(|row| format!("| {} | `{}` | {} |\n", row.of, row.name, row.why));
        is_printed("editing.md", "tiled", "| of | what | why |", tiled);
        let when = |when| match when {
            When::Any => "changed, added or missing",
            When::Missing => "missing",
            When::Added => "added",
            When::Order => "in another order",
            When::Unused => "if nothing uses it",
            When::Same => "with the same meaning",
        };
        let not_read = worldview_import::GLB_NOT_READ.iter();
        let glb = not_read.map(|row| format!("| `{}` | {} | {} |\n", row.member, when(row.when), row.why));
        is_printed("editing.md", "glb", "| member | when | why |", glb);
        let chunks = worldview_export::picture::NOT_READ.iter();
        let png = chunks.map(|(name, why)| format!("| `{}` | {why} |\n", name.escape_ascii()));
        is_printed("editing.md", "png", "| chunk | what it is |", png);
    }
}
