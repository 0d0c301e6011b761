use std::fmt;
use std::io;

/// Shorthand for a result that fails with [`Error`].
pub type Result<T> = std::result::Result<T, Error>;

/// An error while walking a description.
#[non_exhaustive]
#[derive(Debug)]
pub enum Error {
    /// The file is broken at a place that the description reads, or a limit was exceeded.
    Format(worldview_core::Error),
    /// The output could not be written.
    Io(io::Error),
    /// The caller canceled the walk.
    Cancelled,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Format(error) => error.fmt(f),
            Self::Io(error) => error.fmt(f),
            Self::Cancelled => f.write_str("canceled"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Format(error) => Some(error),
            Self::Io(error) => Some(error),
            Self::Cancelled => None,
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
