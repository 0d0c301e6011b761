use std::fmt;

use worldview_core::Path;

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
    /// Another change is about the same place, or about something that contains it.
    Conflict {
        /// The place of the other change.
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
        /// What fits, in words: "0 to 255", "at most 16 bytes".
        limit: String,
    },
    /// The edit cannot be expressed in this file without changing something that nobody asked to change.
    Unsupported {
        /// The reason, in words.
        why: &'static str,
    },
    /// The path has more segments than changes may have.
    PathTooLong {
        /// The number of segments.
        segments: usize,
        /// The largest number that a path of a change may have.
        limit: usize,
    },
    /// A list of changes, or an edited export, is malformed.
    Malformed {
        /// The line, counted from 1, if known.
        line: Option<u64>,
        /// What is wrong there.
        why: String,
    },
}

impl EditError {
    pub(crate) fn new(path: &Path, kind: EditErrorKind) -> Self {
        Self { path: path.clone(), kind }
    }

    pub(crate) fn unsupported(path: &Path, why: &'static str) -> Self {
        Self::new(path, EditErrorKind::Unsupported { why })
    }

    pub(crate) fn malformed(line: Option<u64>, why: impl Into<String>) -> Self {
        Self { path: Path::new(), kind: EditErrorKind::Malformed { line, why: why.into() } }
    }
}

impl From<worldview_core::Error> for EditError {
    fn from(error: worldview_core::Error) -> Self {
        Self { path: Path::new(), kind: EditErrorKind::Format(error) }
    }
}

impl From<worldview_export::Error> for EditError {
    fn from(error: worldview_export::Error) -> Self {
        match error {
            worldview_export::Error::Format(error) => error.into(),
            other => Self::malformed(None, format!("the original cannot be exported: {other}")),
        }
    }
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        match &self.kind {
            EditErrorKind::Format(error) => error.fmt(f),
            EditErrorKind::NotFound => f.write_str("not found in this file"),
            EditErrorKind::Ambiguous { count } => {
                write!(f, "{count} elements have this name; select one with #0 to #{}", count.saturating_sub(1))
            }
            EditErrorKind::Exists => f.write_str("this name exists already"),
            EditErrorKind::Conflict { other } => write!(f, "conflicts with the change of {other}"),
            EditErrorKind::Differs { expected, found } => write!(f, "expected {expected}, but the file has {found}"),
            EditErrorKind::WrongType { wanted, found } => write!(f, "expected {wanted}, found {found}"),
            EditErrorKind::DoesNotFit { value, limit } => write!(f, "{value} does not fit: {limit}"),
            EditErrorKind::Unsupported { why } => f.write_str(why),
            EditErrorKind::PathTooLong { segments, limit } => {
                write!(f, "a path that starts like this has {segments} segments; changes have at most {limit}")
            }
            EditErrorKind::Malformed { line: Some(line), why } => write!(f, "line {line}: {why}"),
            EditErrorKind::Malformed { line: None, why } => f.write_str(why),
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
