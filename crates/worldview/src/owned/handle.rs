//! An opened file, or a part of one.

use std::sync::Arc;

use worldview_inspect::Root;

use super::{
    ArchiveHandle, DatabaseHandle, DirectoryHandle, LevelHandle, Note, Options, Part, PictureHandle, TableHandle,
    ViewHandle,
};
use crate::island::Database;
use crate::rez::{Directory, Picture};
use crate::wpd::{Archive, Table};
use crate::wwd::Level;
use crate::{Asset, Kind, World};

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
    /// A file of another format, whose view is [`Handle::asset`].
    View(Arc<ViewHandle>),
    /// A WORLD.WDB.
    Database(Arc<DatabaseHandle>),
    /// A member of an archive that is in no other format.
    Data(Part),
}

impl Handle {
    /// Returns what it is.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Level(_) => Kind::Level,
            Self::Table(_) => Kind::Table,
            Self::Record(..) => Kind::Record,
            Self::Archive(_) | Self::Directory(_) => Kind::Archive,
            Self::Picture(_) => Kind::Picture,
            Self::Database(_) => Kind::Database,
            Self::View(handle) => handle.asset().kind(),
            Self::Data(_) => Kind::Data,
        }
    }

    /// Returns the short name of its format; `None` for data in no known format.
    pub fn format(&self) -> Option<&'static str> {
        match self {
            Self::Database(handle) => Asset::Database(handle.database()).format(),
            _ => self.asset().format(),
        }
    }

    /// Returns the view, for code that handles every kind. For a WORLD.WDB, the first call reads the contents of all blobs.
    pub fn asset(&self) -> Asset<'_, '_> {
        match self {
            Self::Level(handle) => Asset::Level(handle.level(), handle.unpacked()),
            Self::Table(handle) => Asset::Table(handle.table()),
            Self::Record(handle, row) => {
                let table = handle.table();
                table.get(*row).map_or(Asset::Table(table), |row| Asset::Record(table, row))
            }
            Self::Archive(handle) => Asset::Archive(handle.archive()),
            Self::Directory(handle) => Asset::Rez(handle.directory()),
            Self::Picture(handle) => Asset::Picture(*handle.picture()),
            Self::Database(handle) => Asset::World(World { database: handle.database(), contents: handle.contents() }),
            Self::View(handle) => handle.asset(),
            Self::Data(part) => Asset::Data(part.source()),
        }
    }

    /// Returns the view of a level; `None` if it is none.
    pub fn level(&self) -> Option<&Level<'_>> {
        if let Self::Level(handle) = self { Some(handle.level()) } else { None }
    }

    /// Returns the view of a table, which is that of a record, too; `None` if it is none.
    pub fn table(&self) -> Option<&Table<'_>> {
        if let Self::Table(handle) | Self::Record(handle, _) = self { Some(handle.table()) } else { None }
    }

    /// Returns the view of a WPD archive that is not a table; `None` if it is none.
    pub fn archive(&self) -> Option<&Archive<'_>> {
        if let Self::Archive(handle) = self { Some(handle.archive()) } else { None }
    }

    /// Returns the view of a directory of a REZ archive; `None` if it is none.
    pub fn directory(&self) -> Option<Directory<'_, '_>> {
        if let Self::Directory(handle) = self { Some(handle.directory()) } else { None }
    }

    /// Returns the view of a picture; `None` if it is none.
    pub fn picture(&self) -> Option<&Picture<'_>> {
        if let Self::Picture(handle) = self { Some(handle.picture()) } else { None }
    }

    /// Returns the directory of a WORLD.WDB; `None` if it is none.
    pub fn database(&self) -> Option<&Database<'_>> {
        if let Self::Database(handle) = self { Some(handle.database()) } else { None }
    }

    /// Checks everything and passes each finding to `report`, as [`Asset::check`] does. A record is checked as its whole
    /// table.
    pub fn check(&self, report: &mut dyn FnMut(Note)) {
        let asset = match self {
            Self::Record(handle, _) => Asset::Table(handle.table()),
            Self::Directory(handle) => Asset::Rez(handle.rez().root()),
            _ => self.asset(),
        };
        asset.check(&mut |finding| report(Note::from(finding)));
    }

    /// Calls `then` with the descriptions by which two parts are compared, as [`Asset::compare`] does.
    pub fn compare<T>(
        &self,
        other: &Self,
        options: &Options,
        then: impl FnOnce(&Root<'_>, &Root<'_>) -> T,
    ) -> Option<T> {
        let bytes = [self.part().bytes(), other.part().bytes()];
        self.asset().compare(&other.asset(), bytes, (options.max_depth, options.schemas.as_deref()), then)
    }

    /// Returns the part that it was opened from.
    pub fn part(&self) -> &Part {
        match self {
            Self::Level(handle) => handle.part(),
            Self::Table(handle) | Self::Record(handle, _) => handle.part(),
            Self::Archive(handle) => handle.part(),
            Self::Directory(handle) => handle.part(),
            Self::Picture(handle) => handle.part(),
            Self::View(handle) => handle.part(),
            Self::Database(handle) => handle.part(),
            Self::Data(part) => part,
        }
    }

    /// Returns what was left out, if the file was opened as far as possible. The blobs of a WORLD.WDB are read for that.
    pub fn findings(&self) -> Vec<Note> {
        match self {
            Self::Level(handle) => handle.findings().to_vec(),
            Self::Table(handle) | Self::Record(handle, _) => handle.findings().to_vec(),
            Self::Archive(handle) => handle.findings().to_vec(),
            Self::Directory(handle) => handle.findings().to_vec(),
            Self::Database(handle) => handle.findings().cloned().collect(),
            Self::View(handle) => handle.findings().to_vec(),
            Self::Picture(_) | Self::Data(_) => Vec::new(),
        }
    }
}
