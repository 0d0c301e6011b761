//! Hints for errors that the user can do something about. The errors themselves say what is wrong and where.

use worldview::{Error, ErrorKind, Limit, island, wpd, wwd};

/// An archive with valid entries after an invalid header.
pub(crate) const RECOVER: &str = "--recover opens it, by where the data of its first entry lies";

/// An archive that cannot be recovered.
pub(crate) const NOT_RECOVERABLE: &str = "behind the header there are no entries in order; extract the file again";

/// A file of unknown format that may be an archive.
pub(crate) const MAY_BE_ARCHIVE: &str =
    "--recover opens it if it is a WPD archive whose header was overwritten, as a common extractor leaves it";

/// A file of unknown format.
pub(crate) const UNKNOWN: &str = "a file out of a game's archive may still be packed or encrypted: unpack it first";

/// An empty file.
pub(crate) const EMPTY: &str = "copy it, or unpack it, again";

/// A field list that cannot be read.
pub(crate) const SCHEMA: &str =
    "`worldview schema TABLE --format schema` writes a field list as it should be, to put names into";

/// A part of a file that is skipped.
const IN_PART: &str = "everything else in it is used; `worldview check` tells all that is wrong";

const CUT: &str = "the file is cut short, or a number in it is wrong: compare its size with the original's, and copy or \
                   unpack it again";

const BLOCK: &str = "the packed block is damaged or cut: take the level again from where it came; what can be unpacked \
                     is used";

const OVERLAP: &str = "parts of the file lie over each other, as in no known file: it is broken, or made to take long";

/// Returns the hint for an error.
pub(crate) fn of(error: &Error) -> Option<&'static str> {
    match error.kind {
        ErrorKind::Magic { want: wpd::raw::ArchiveHeader::MAGIC, .. } => Some(
            "no WPD archive or WDB table begins so: .wdb is also the ending of Microsoft Works and World of Warcraft, or \
             the file is still packed or encrypted",
        ),
        ErrorKind::Magic { .. } => {
            Some("no WWD level begins so: it is a file of another kind, or still packed, as in a REZ archive")
        }
        _ if error.what == island::labels::WORLD_COUNT => Some(
            "WORLD.WDB of LEGO Island begins with the number of its worlds: this is another file, or a damaged one; the \
             original is LEGO\\data\\WORLD.WDB on the CD",
        ),
        ErrorKind::Truncated { .. }
        | ErrorKind::TooMany { .. }
        | ErrorKind::Product { .. }
        | ErrorKind::Outside { .. } => Some(CUT),
        ErrorKind::Corrupt { .. } if error.what == wwd::labels::PACKED_BLOCK => Some(BLOCK),
        ErrorKind::Corrupt { .. } if error.what == wwd::labels::HEADER_FLAGS => {
            Some("the level is read as what it is; the flag is bit 2 of the word at offset 8")
        }
        ErrorKind::Limit { of, .. } => of_limit(of),
        ErrorKind::Mismatch { .. } if error.what == wpd::labels::RECORD_SIZE => {
            Some("the list of types says how long every record is: change a record's bytes, not their number")
        }
        ErrorKind::Mismatch { .. } if error.what == island::labels::MODEL_VERSION => {
            Some("the game reads no other version: the model is damaged, or of another game")
        }
        _ => None,
    }
}

/// Returns the hint for an exceeded limit: the option that raises it.
pub(crate) const fn of_limit(limit: Limit) -> Option<&'static str> {
    match limit {
        Limit::Inflate => Some("a larger --max-inflate allows it, if the file is to be trusted"),
        Limit::Depth => Some("a larger --max-depth allows it"),
        Limit::Overlap => Some(OVERLAP),
        Limit::Output => Some("a larger --max-output allows it"),
        Limit::Files => Some("a larger --max-files allows it"),
        Limit::Pixels => Some("a larger --max-pixels allows it"),
        Limit::Side => Some("a smaller --scale allows it"),
        _ => None,
    }
}

/// Returns the hint for a part that is skipped: the one for its error, or a general one.
pub(crate) fn of_part(error: &Error) -> &'static str {
    of(error).unwrap_or(IN_PART)
}

/// Findings that can report an unreadable part.
pub(crate) trait Broken {
    /// Returns the error of the part.
    fn broken(&self) -> Option<ErrorKind>;
}

macro_rules! broken {
    ($($format:ident),+) => {$(
        impl Broken for $format::FindingKind {
            fn broken(&self) -> Option<ErrorKind> {
                match self {
                    Self::Broken { kind } => Some(*kind),
                    _ => None,
                }
            }
        }
    )+};
}

broken!(island, wpd, wwd);
