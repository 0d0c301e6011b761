use std::fmt;
use std::io;

use worldview_core::Limit;

/// Shorthand for a result that fails with [`Error`].
pub type Result<T> = std::result::Result<T, Error>;

/// An error that occurs during an export.
#[non_exhaustive]
#[derive(Debug)]
pub enum Error {
    /// The file is truncated or inconsistent at a place that the export reads, or a walk over it exceeds a limit.
    Format(worldview_core::Error),
    /// The output could not be written.
    Io(io::Error),
    /// The output would exceed a limit.
    Limit {
        /// The limit.
        of: Limit,
        /// What would be too large.
        what: &'static str,
        /// The required amount.
        need: u64,
        /// The maximum amount.
        limit: u64,
    },
    /// There is nothing to export: the requested part is missing or has no size.
    Nothing {
        /// What is missing.
        what: &'static str,
    },
    /// A requested name is not in the file.
    Unknown {
        /// What the name should refer to: `record` or `field`.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// The picture of a tile cannot be used.
    Picture {
        /// The file and the reason.
        why: String,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Format(error) => error.fmt(f),
            Self::Io(error) => error.fmt(f),
            Self::Limit { what, need, limit, .. } => write!(f, "{what} would take {need}, the limit is {limit}"),
            Self::Nothing { what } => write!(f, "nothing to export: no {what}"),
            Self::Unknown { what, name } => write!(f, "the table has no {what} {name:?}"),
            Self::Picture { why } => f.write_str(why),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Format(error) => Some(error),
            Self::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl From<worldview_core::Error> for Error {
    fn from(error: worldview_core::Error) -> Self {
        Self::Format(error)
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        // A bounded writer reports its limit as an I/O error.
        match error.downcast() {
            Ok(limit) => Self::Format(limit),
            Err(error) => Self::Io(error),
        }
    }
}

impl From<worldview_inspect::Error> for Error {
    fn from(error: worldview_inspect::Error) -> Self {
        match error {
            worldview_inspect::Error::Format(error) => Self::Format(error),
            worldview_inspect::Error::Io(error) => Self::Io(error),
            error => Self::Io(io::Error::other(error)),
        }
    }
}

/// Converts a serialization error. Serializers only fail if their output does.
#[cfg(all(feature = "glb", feature = "model"))]
pub(crate) fn from_json(error: serde_json::Error) -> Error {
    io::Error::from(error).into()
}
