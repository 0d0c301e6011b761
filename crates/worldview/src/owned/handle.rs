//! What a file or a part of it turns out to be.

use std::sync::Arc;

use super::{ArchiveHandle, DatabaseHandle, DirectoryHandle, LevelHandle, Note, Part, PictureHandle, TableHandle};

/// An opened file, or a part of one.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Handle {
    /// A WWD level.
    Level(Arc<LevelHandle>),
    /// A WDB table.
    Table(Arc<TableHandle>),
    /// A record of a table, by its index.
    Record(Arc<TableHandle>, usize),
    /// A WPD archive that is not a table.
    Archive(Arc<ArchiveHandle>),
    /// A directory of a REZ archive; the root if the archive itself was opened.
    Directory(DirectoryHandle),
    /// A picture.
    Picture(Arc<PictureHandle>),
    /// A WORLD.WDB.
    Database(Arc<DatabaseHandle>),
    /// A member of an archive that is in no other format.
    Data(Part),
}

impl Handle {
    /// Returns the name of the kind: `level`, `table`, `record`, `archive`, `picture`, `database` or `data`.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Level(_) => "level",
            Self::Table(_) => "table",
            Self::Record(..) => "record",
            Self::Archive(_) | Self::Directory(_) => "archive",
            Self::Picture(_) => "picture",
            Self::Database(_) => "database",
            Self::Data(_) => "data",
        }
    }

    /// Returns the part that it was opened from.
    pub fn part(&self) -> &Part {
        match self {
            Self::Level(handle) => handle.part(),
            Self::Table(handle) | Self::Record(handle, _) => handle.part(),
            Self::Archive(handle) => handle.part(),
            Self::Directory(handle) => handle.part(),
            Self::Picture(handle) => handle.part(),
            Self::Database(handle) => handle.part(),
            Self::Data(part) => part,
        }
    }

    /// Returns what was left out, if the file was opened as far as possible.
    pub fn findings(&self) -> Vec<Note> {
        match self {
            Self::Level(handle) => handle.findings().to_vec(),
            Self::Table(handle) | Self::Record(handle, _) => handle.findings().to_vec(),
            Self::Archive(handle) => handle.findings().to_vec(),
            Self::Directory(handle) => handle.findings().to_vec(),
            Self::Database(handle) => handle.findings().cloned().collect(),
            Self::Picture(_) | Self::Data(_) => Vec::new(),
        }
    }
}
