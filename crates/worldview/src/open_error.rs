use std::fmt;

use worldview_core::Error;

use worldview_format::{Container, Format};

/// Error returned when a file, or a part of one, cannot be opened.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenError {
    /// There are no bytes, and the name does not suggest a format.
    Empty,
    /// Neither the bytes nor the name are those of a known format.
    Unknown,
    /// The file is a container that must be unpacked first.
    Container(Container),
    /// The file is a WPD archive whose header was overwritten; [`Options::recover`](crate::Options::recover) opens it.
    Overwritten {
        /// The error of the header.
        error: Error,
        /// Whether the file's name or its first bytes identify it as an archive. If not, it may only look like one.
        is_known: bool,
    },
    /// The file has the name of a WPD archive, but even recovery finds no entries in it.
    Unrecoverable(Error),
    /// The file has a known format but is broken.
    Format(Error),
    /// The file has a known format whose feature is not enabled in this program.
    Disabled(Format),
    /// The path inside the file does not lead to a member or record.
    NotFound,
    /// The path continues inside a file whose format has no members.
    NoMembers(Format),
    /// A path goes on inside a record of a table, which has no members.
    InsideRecord,
    /// A path goes on inside a member that is not an archive.
    InsideData,
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("is empty"),
            Self::Unknown => f.write_str("is not in a known format"),
            Self::Container(container) => f.write_str(container.advice()),
            Self::Overwritten { error, is_known: true } => write!(f, "the header was overwritten: {error}"),
            Self::Overwritten { is_known: false, .. } => {
                f.write_str("is not in a known format, or is a WPD archive whose header was overwritten")
            }
            Self::Unrecoverable(error) => write!(f, "cannot be recovered: {error}"),
            Self::Format(error) => error.fmt(f),
            Self::Disabled(format) => write!(f, "is {}, which this program was built without", format.title()),
            Self::NotFound => f.write_str("no member or record has this name"),
            Self::InsideRecord => f.write_str("records have no members; the path must end at the record"),
            Self::InsideData => f.write_str("the path continues inside a member that is not an archive"),
            Self::NoMembers(format) => write!(f, "a path cannot continue inside {}", format.title()),
        }
    }
}

impl std::error::Error for OpenError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Overwritten { error, .. } | Self::Unrecoverable(error) | Self::Format(error) => Some(error),
            _ => None,
        }
    }
}

impl From<Error> for OpenError {
    fn from(error: Error) -> Self {
        Self::Format(error)
    }
}

worldview_core::assert_send_sync!(OpenError);
