//! Hints for errors that the user can do something about. The errors themselves say what is wrong and where.

use worldview::{Error, ErrorKind, Limit, island, rez, wpd, wwd};
use worldview_edit::EditErrorKind;

/// An archive with valid entries after an invalid header.
pub(crate) const RECOVER: &str = "--recover can open it, and `worldview repair` writes a valid file";

/// An archive that cannot be recovered.
pub(crate) const NOT_RECOVERABLE: &str = "no valid list of entries follows the header; extract the file again";

/// A file of unknown format that may be an archive.
pub(crate) const MAY_BE_ARCHIVE: &str =
    "if it is a WPD archive whose header a common extractor has overwritten, --recover can open it";

/// A file of unknown format.
pub(crate) const UNKNOWN: &str = "files from a game's archive may still be packed or encrypted: unpack them first";

/// An empty file.
pub(crate) const EMPTY: &str = "copy or unpack it again";

/// A field list that cannot be read.
pub(crate) const SCHEMA: &str = "`worldview schema TABLE --format schema` writes a valid field list to fill in";

/// A part of a file that is skipped.
pub(crate) const IN_PART: &str = "everything else in the file is used; `worldview check` lists all problems";

const CUT: &str = "the file is truncated, or a number in it is wrong: compare its size with the original's, and copy or \
                   unpack it again";

const BLOCK: &str = "the compressed data is damaged or truncated: copy the level again from its source; the part that can be \
                     inflated is used";

const OVERLAP: &str = "parts of the file overlap, unlike in any known file: it is damaged, or crafted to waste time";

/// Whether two failures of one file are likely to have one cause, by what to do about them.
pub(crate) fn is_one_cause(one: Option<&str>, other: Option<&str>) -> bool {
    // What cannot be inflated is missing behind that.
    let class = |hint| if hint == BLOCK { CUT } else { hint };
    one.is_some() && one.map(class) == other.map(class)
}

/// Returns the hint for an error.
pub(crate) fn of(error: &Error) -> Option<&'static str> {
    match error.kind {
        ErrorKind::Magic { want: wpd::raw::ArchiveHeader::MAGIC, .. } => Some(
            "this is not the start of a WPD archive or WDB table: Microsoft Works and World of Warcraft use .wdb too, or \
             the file is still packed or encrypted",
        ),
        ErrorKind::Magic { .. } => Some("the file has another format, or is still inside a REZ archive"),
        _ if error.what == island::labels::WORLD_COUNT => Some(
            "LEGO Island's WORLD.WDB starts with its number of worlds: this is a different file, or it is damaged; the \
             original is LEGO\\data\\WORLD.WDB on the CD",
        ),
        ErrorKind::Truncated { .. }
        | ErrorKind::TooMany { .. }
        | ErrorKind::Product { .. }
        | ErrorKind::Outside { .. } => Some(CUT),
        ErrorKind::Corrupt { .. } if error.what == wwd::labels::PACKED_BLOCK => Some(BLOCK),
        ErrorKind::Corrupt { .. } if error.what == wwd::labels::HEADER_FLAGS => {
            Some("the level is read according to its content; the flag is bit 1 (value 2) of the word at offset 8")
        }
        ErrorKind::Limit { of, .. } => of_limit(of),
        ErrorKind::Mismatch { .. } if error.what == wpd::labels::RECORD_SIZE => {
            Some("the type list fixes the size of every record: change a record's bytes, not their number")
        }
        ErrorKind::Mismatch { .. } if error.what == island::labels::MODEL_VERSION => {
            Some("the game reads no other version: the model is damaged, or from another game")
        }
        _ => None,
    }
}

/// Returns the hint for an exceeded limit: the option that raises it.
pub(crate) const fn of_limit(limit: Limit) -> Option<&'static str> {
    match limit {
        Limit::Inflate => Some("if you trust the file, raise the limit with --limits FACTOR"),
        Limit::Depth => Some("raise --max-depth to open it"),
        Limit::Overlap => Some(OVERLAP),
        Limit::Output | Limit::Files => Some("raise the limit with --limits FACTOR"),
        Limit::Pixels => Some("lower --scale to draw it, or raise the limit with --limits FACTOR"),
        Limit::Side => Some("lower --scale to draw it"),
        _ => None,
    }
}

/// Returns the hint for a change that cannot be applied.
pub(crate) fn of_edit(kind: &EditErrorKind) -> Option<&'static str> {
    match kind {
        EditErrorKind::Format(error) => of(error),
        EditErrorKind::NotFound => Some("`worldview find TEXT FILE` prints the paths of names and texts"),
        EditErrorKind::Differs { .. } => Some("the changes were made for another version of the file"),
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

broken!(island, rez, wpd, wwd);
