use std::fmt;
use std::io;

use worldview_core::Limit;

/// Shorthand for a result that fails with [`Error`].
pub type Result<T> = std::result::Result<T, Error>;

/// Error returned when an export fails.
#[non_exhaustive]
#[derive(Debug)]
pub enum Error {
    /// The file is truncated or inconsistent where the export reads it, or a walk over it exceeds a bound.
    Format(worldview_core::Error),
    /// The output cannot be written.
    Io(io::Error),
    /// The output would pass a bound.
    Limit {
        /// Which bound.
        of: Limit,
        /// What would be too large.
        what: &'static str,
        /// What it would take.
        need: u64,
        /// What is allowed.
        limit: u64,
    },
    /// There is nothing to export: the part named is not there, or has no size.
    Nothing {
        /// What is missing.
        what: &'static str,
    },
    /// Something was asked for by a name that is not in the file.
    Unknown {
        /// What it should be: `record` or `field`.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// A picture of a tile cannot be used.
    Picture {
        /// Which file, and why.
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
        // An output that is bounded fails by its writer.
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

/// Returns the error of serializing into an output: serializers only fail where their output does.
#[cfg(any(feature = "html", all(feature = "glb", feature = "model")))]
pub(crate) fn from_json(error: serde_json::Error) -> Error {
    io::Error::from(error).into()
}
