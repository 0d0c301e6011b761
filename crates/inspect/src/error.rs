use std::fmt;
use std::io;

/// Shorthand for a result that fails with [`Error`].
pub type Result<T> = std::result::Result<T, Error>;

/// Error returned when a description cannot be followed to its end.
#[non_exhaustive]
#[derive(Debug)]
pub enum Error {
    /// The file is broken where the description reads it, or asks for more than its bounds allow.
    Format(worldview_core::Error),
    /// The output cannot be written.
    Io(io::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Format(error) => error.fmt(f),
            Self::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Format(error) => Some(error),
            Self::Io(error) => Some(error),
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
