use std::fmt;
use std::panic::Location;

use crate::account::Code;
use worldview_core::{Path, brief};

use crate::codes;

use crate::Value;

/// Shorthand for a result that fails with [`EditError`].
pub type Result<T> = std::result::Result<T, EditError>;

/// Error returned when changes cannot be applied, or cannot be read.
#[derive(Clone, Debug)]
pub struct EditError {
    /// The place of the change; empty if the error concerns the file or the whole list.
    pub path: Path,
    /// The reason.
    pub kind: EditErrorKind,
}

/// The reason for an [`EditError`].
#[non_exhaustive]
#[derive(Clone, Debug)]
pub enum EditErrorKind {
    /// The original file cannot be read.
    Format(worldview_core::Error),
    /// The file has nothing at this path.
    NotFound,
    /// Several elements have this name; one of them has to be selected with `#n`.
    Ambiguous {
        /// The number of elements with this name.
        count: usize,
    },
    /// An element of this name exists already.
    Exists,
    /// There already is an element with the new name of another one.
    Taken {
        /// The name, as it is written in paths.
        name: Path,
    },
    /// The numbers of elements with one name would not say any more which of them is meant.
    Misnumbered {
        /// The reason, in words that go before the other element.
        why: &'static str,
        /// The other element, or the number that this one would have.
        other: Path,
    },
    /// Another change is about the same place, or about something that contains it.
    Conflict {
        /// The place of the other change; empty if it is the same place.
        other: Path,
    },
    /// The file has another value than the change expects.
    Differs {
        /// The value that the change expects.
        expected: Value,
        /// The value in the file.
        found: Value,
    },
    /// The place holds values of another type.
    WrongType {
        /// The type that the place holds.
        wanted: &'static str,
        /// The value of the change.
        found: Value,
    },
    /// The value does not fit into its place.
    DoesNotFit {
        /// The value.
        value: Value,
        /// The values that fit, in words: "0 to 255", "at most 16 bytes".
        limit: String,
    },
    /// The edit cannot be expressed in this file without changing something that nobody asked to change.
    Unsupported {
        /// The reason, in words.
        why: &'static str,
    },
    /// The place holds the name of its element, or a part of it, which [`Change::Rename`](crate::Change::Rename) changes.
    IsName,
    /// Two parts of the file, or of what is known of it, do not agree.
    Inconsistent {
        /// What was found.
        what: &'static str,
    },
    /// A part of an edited export says what the file cannot have, or nothing that can be understood.
    Refused {
        /// The code of the refusal.
        code: Code,
        /// The reason, in words that name what was found.
        why: String,
    },
    /// The path has more segments than changes may have.
    PathTooLong {
        /// The number of segments.
        segments: usize,
        /// The largest number that a path of a change may have.
        limit: usize,
    },
    /// Something that always holds does not, which is a bug in worldview. The edit stops, so that no file gets a wrong number.
    Fault {
        /// Where this was seen.
        place: &'static Location<'static>,
    },
    /// A changes file or an edited export is malformed.
    Malformed {
        /// The line, counted from 1, if known.
        line: Option<u64>,
        /// What is wrong there.
        why: String,
    },
}

impl EditError {
    /// Returns an error about a place.
    pub fn new(path: &Path, kind: EditErrorKind) -> Self {
        Self { path: path.clone(), kind }
    }

    /// Returns the error with all its paths replaced.
    pub(crate) fn with_paths(self, map: impl Fn(Path) -> Path) -> Self {
        let kind = match self.kind {
            EditErrorKind::Conflict { other } if !other.is_empty() => EditErrorKind::Conflict { other: map(other) },
            EditErrorKind::Misnumbered { why, other } => EditErrorKind::Misnumbered { why, other: map(other) },
            kind => kind,
        };
        Self { path: map(self.path), kind }
    }

    /// Returns an error about a place that the file does not have.
    pub(crate) fn not_found(path: &Path) -> Self {
        Self::new(path, EditErrorKind::NotFound)
    }

    /// Returns an error about a change that contradicts another one.
    pub(crate) fn conflict(path: &Path, other: &Path) -> Self {
        let other = if other == path { Path::new() } else { other.clone() };
        Self::new(path, EditErrorKind::Conflict { other })
    }

    /// Returns an error about a value that is not the one that a change expects.
    pub(crate) fn differs(path: &Path, expected: &Value, found: Value) -> Self {
        Self::new(path, EditErrorKind::Differs { expected: expected.clone(), found })
    }

    /// Returns an error about a value that does not fit into its place.
    pub fn does_not_fit(path: &Path, value: impl Into<Value>, limit: impl Into<String>) -> Self {
        Self::new(path, EditErrorKind::DoesNotFit { value: value.into(), limit: limit.into() })
    }

    /// Returns an error about a part of an edited export that cannot be applied.
    pub fn refused(path: &Path, code: Code, why: impl Into<String>) -> Self {
        Self::new(path, EditErrorKind::Refused { code, why: brief(&why.into()) })
    }

    /// Returns an error about an edit that cannot be expressed in the file.
    pub fn unsupported(path: &Path, why: &'static str) -> Self {
        Self::new(path, EditErrorKind::Unsupported { why })
    }

    /// Returns an error about a part of the file that is not as its description says.
    pub fn inconsistent(path: &Path, what: &'static str) -> Self {
        Self::new(path, EditErrorKind::Inconsistent { what })
    }

    /// Returns an error about a changes file or an edited export, at a line if it is known.
    pub fn malformed(line: Option<u64>, why: impl Into<String>) -> Self {
        Self { path: Path::new(), kind: EditErrorKind::Malformed { line, why: brief(&why.into()) } }
    }

    /// Returns an error about malformed input for a part of the file.
    pub fn wrong(path: &Path, why: impl Into<String>) -> Self {
        Self { path: path.clone(), ..Self::malformed(None, why) }
    }
}

impl From<worldview_core::Error> for EditError {
    fn from(error: worldview_core::Error) -> Self {
        Self { path: Path::new(), kind: EditErrorKind::Format(error) }
    }
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "{}: ", brief(self.path.as_str()))?;
        }
        self.kind.fmt(f)
    }
}

codes! {
    /// The codes of errors of changes.
    pub ERRORS {
        FORMAT = "unreadable": "the original cannot be read there",
        NOT_FOUND = "not-found": "the file has nothing at this path",
        AMBIGUOUS = "ambiguous": "several elements have this name",
        EXISTS = "exists": "an element with this name already exists",
        CONFLICT = "conflict": "two changes affect the same place",
        DIFFERS = "differs": "the value in the file is not the one that the change expects",
        WRONG_TYPE = "wrong-type": "the place holds values of another type",
        DOES_NOT_FIT = "does-not-fit": "the value does not fit into its place",
        UNSUPPORTED = "unsupported": "the edit cannot be expressed in this file",
        INCONSISTENT = "inconsistent": "the file does not match its description",
        FAULT = "fault": "a bug in worldview; nothing is written",
        PATH_TOO_LONG = "path-too-long": "the path has more than 256 segments",
        MALFORMED = "malformed": "the changes file or the edited export cannot be read",
    }
}

impl EditErrorKind {
    /// Returns the stable code of the error.
    pub const fn code(&self) -> Code {
        match self {
            Self::Format(_) => FORMAT,
            Self::NotFound => NOT_FOUND,
            Self::Ambiguous { .. } | Self::Misnumbered { .. } => AMBIGUOUS,
            Self::Exists | Self::Taken { .. } => EXISTS,
            Self::Conflict { .. } => CONFLICT,
            Self::Differs { .. } => DIFFERS,
            Self::WrongType { .. } => WRONG_TYPE,
            Self::DoesNotFit { .. } => DOES_NOT_FIT,
            Self::Unsupported { .. } | Self::IsName => UNSUPPORTED,
            Self::Inconsistent { .. } => INCONSISTENT,
            Self::Refused { code, .. } => *code,
            Self::PathTooLong { .. } => PATH_TOO_LONG,
            Self::Fault { .. } => FAULT,
            Self::Malformed { .. } => MALFORMED,
        }
    }
}

impl fmt::Display for EditErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Format(error) => error.fmt(f),
            Self::NotFound => f.write_str("not found in this file"),
            Self::Ambiguous { count } => {
                write!(f, "{count} elements have this name; select one with #0 to #{}", count.saturating_sub(1))
            }
            Self::Exists => f.write_str("this name exists already"),
            Self::Taken { name } => write!(f, "the name {name} exists already"),
            Self::Misnumbered { why, other } => write!(f, "{why} {other}"),
            Self::Conflict { other } if other.is_empty() => {
                f.write_str("conflicts with another change of the same place")
            }
            Self::Conflict { other } => write!(f, "conflicts with the change of {other}"),
            Self::Differs { expected, found } => write!(f, "expected {expected}, but the file has {found}"),
            Self::WrongType { wanted, found } => write!(f, "expected {wanted}, found {found}"),
            Self::DoesNotFit { value, limit } => write!(f, "{value} does not fit: {limit}"),
            Self::Unsupported { why } => f.write_str(why),
            Self::IsName => f.write_str("this is the name of the element, which `rename` changes"),
            Self::Inconsistent { what } => write!(f, "the file does not match its description: {what}"),
            Self::Refused { why, .. } => f.write_str(why),
            Self::PathTooLong { segments, limit } => {
                write!(f, "a path that starts like this has {segments} segments; changes have at most {limit}")
            }
            Self::Fault { place } => {
                // What is in front depends on where the program was built.
                let file = place
                    .file()
                    .rsplit_once("src")
                    .map_or(place.file(), |(_, file)| file.trim_start_matches(['/', '\\']));
                write!(f, "this is a bug in worldview ({file}:{}); please report it", place.line())
            }
            Self::Malformed { line: Some(line), why } => write!(f, "line {line}: {why}"),
            Self::Malformed { line: None, why } => f.write_str(why),
        }
    }
}

impl std::error::Error for EditError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.kind {
            EditErrorKind::Format(error) => Some(error),
            _ => None,
        }
    }
}
