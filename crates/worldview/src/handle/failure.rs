//! Errors and findings that borrow nothing.

use std::fmt;
use std::io;

use crate::{AnyFinding, Error, OffsetBase, OpenError, Severity};

/// Error returned when a file or a part of it cannot be opened.
#[derive(Debug)]
#[non_exhaustive]
pub enum Failure {
    /// The file cannot be read.
    Io(io::Error),
    /// The file, or the part that these members lead to, cannot be opened.
    Open(OpenError, Vec<String>),
}

impl Failure {
    /// Creates the error of a file itself.
    pub(super) const fn of_file(error: OpenError) -> Self {
        Self::Open(error, Vec::new())
    }

    /// Returns the error in the format, with the part, the offset and what was expected, if there is one.
    pub const fn error(&self) -> Option<&Error> {
        match self {
            Self::Open(
                OpenError::Format(error) | OpenError::Unrecoverable(error) | OpenError::Overwritten { error, .. },
                _,
            ) => Some(error),
            _ => None,
        }
    }

    /// Returns the names of the members that lead to the part, outermost first.
    pub fn path_in_file(&self) -> &[String] {
        match self {
            Self::Io(_) => &[],
            Self::Open(_, inside) => inside,
        }
    }
}

/// Returns what the operating system says about a file, without the number of the error.
pub fn system_text(error: &io::Error) -> String {
    let text = error.to_string();
    text.split_once(" (os error").map_or(text.as_str(), |(text, _)| text).to_owned()
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Open(error, inside) if inside.is_empty() => error.fmt(f),
            Self::Open(error, inside) => write!(f, "{}: {error}", inside.join("/")),
        }
    }
}

impl std::error::Error for Failure {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            Self::Open(error, _) => Some(error),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// A finding: what was left out of a file that was opened as far as possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The stable code of the kind of finding.
    pub code: &'static str,
    /// How serious it is.
    pub severity: Severity,
    /// What was found, as a sentence.
    pub message: String,
    /// The offset.
    pub offset: u64,
    /// The space that the offset counts in.
    pub space: OffsetBase,
}

impl From<&AnyFinding<'_, '_>> for Note {
    fn from(finding: &AnyFinding<'_, '_>) -> Self {
        Self {
            code: finding.kind.code(),
            severity: finding.kind.severity(),
            message: finding.to_string(),
            offset: finding.at,
            space: finding.space,
        }
    }
}
