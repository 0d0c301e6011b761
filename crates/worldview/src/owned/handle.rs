//! An opened file, or a part of one.

use std::sync::Arc;

use worldview_inspect::Root;

#[cfg(feature = "wwd")]
use super::LevelHandle;
#[cfg(feature = "wpd")]
use super::{ArchiveHandle, TableHandle};
#[cfg(feature = "island")]
use super::{DatabaseHandle, ViewHandle};
#[cfg(feature = "rez")]
use super::{DirectoryHandle, PictureHandle};
use super::{Note, Options, Part};
use crate::{Asset, Kind};

/// An opened file, or a part of one. Each variant needs the feature of its format.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Handle {
    /// A WWD level.
    #[cfg(feature = "wwd")]
    Level(Arc<LevelHandle>),
    /// A WDB table.
    #[cfg(feature = "wpd")]
    Table(Arc<TableHandle>),
    /// A record of a table, by its index.
    #[cfg(feature = "wpd")]
    Record(Arc<TableHandle>, usize),
    /// A WPD archive that is not a table.
    #[cfg(feature = "wpd")]
    Archive(Arc<ArchiveHandle>),
    /// A directory of a REZ archive; the root if the archive itself was opened.
    #[cfg(feature = "rez")]
    Directory(DirectoryHandle),
    /// A picture.
    #[cfg(feature = "rez")]
    Picture(Arc<PictureHandle>),
    /// A list of textures, whose view is [`Handle::asset`].
    #[cfg(feature = "island")]
    View(Arc<ViewHandle>),
    /// A WORLD.WDB.
    #[cfg(feature = "island")]
    Database(Arc<DatabaseHandle>),
    /// A member of an archive that is in no other format.
    Data(Part),
}

/// What every variant of [`Handle`] holds.
pub(crate) trait Held {
    /// Returns the view.
    fn asset(&self) -> Asset<'_, '_>;

    /// Returns the part that it was opened from.
    fn part(&self) -> &Part;

    /// Returns what was left out.
    fn notes(&self) -> Vec<Note> {
        Vec::new()
    }
}

impl Held for Part {
    fn asset(&self) -> Asset<'_, '_> {
        Asset::Data(self.source())
    }

    fn part(&self) -> &Part {
        self
    }
}

impl Handle {
    fn held(&self) -> &dyn Held {
        match self {
            #[cfg(feature = "wwd")]
            Self::Level(handle) => &**handle,
            #[cfg(feature = "wpd")]
            Self::Table(handle) | Self::Record(handle, _) => &**handle,
            #[cfg(feature = "wpd")]
            Self::Archive(handle) => &**handle,
            #[cfg(feature = "rez")]
            Self::Directory(handle) => handle,
            #[cfg(feature = "rez")]
            Self::Picture(handle) => &**handle,
            #[cfg(feature = "island")]
            Self::View(handle) => &**handle,
            #[cfg(feature = "island")]
            Self::Database(handle) => &**handle,
            Self::Data(part) => part,
        }
    }

    /// Returns what it is.
    pub fn kind(&self) -> Kind {
        match self {
            // Its view would read all blobs.
            #[cfg(feature = "island")]
            Self::Database(_) => Kind::Database,
            _ => self.asset().kind(),
        }
    }

    /// Returns the short name of its format; `None` for data in no known format.
    pub fn format(&self) -> Option<&'static str> {
        match self {
            #[cfg(feature = "island")]
            Self::Database(handle) => Asset::Database(handle.database()).format(),
            _ => self.asset().format(),
        }
    }

    /// Returns the view, for code that handles every kind. For a WORLD.WDB, the first call reads the contents of all blobs.
    pub fn asset(&self) -> Asset<'_, '_> {
        #[cfg(feature = "wpd")]
        if let Self::Record(handle, row) = self
            && let Some(row) = handle.table().get(*row)
        {
            return Asset::Record(handle.table(), row);
        }
        self.held().asset()
    }

    /// Returns the view of a level; `None` if it is none.
    #[cfg(feature = "wwd")]
    pub fn level(&self) -> Option<&crate::wwd::Level<'_>> {
        if let Self::Level(handle) = self { Some(handle.level()) } else { None }
    }

    /// Returns the view of a table, which is that of a record, too; `None` if it is none.
    #[cfg(feature = "wpd")]
    pub fn table(&self) -> Option<&crate::wpd::Table<'_>> {
        if let Self::Table(handle) | Self::Record(handle, _) = self { Some(handle.table()) } else { None }
    }

    /// Returns the view of a WPD archive that is not a table; `None` if it is none.
    #[cfg(feature = "wpd")]
    pub fn archive(&self) -> Option<&crate::wpd::Archive<'_>> {
        if let Self::Archive(handle) = self { Some(handle.archive()) } else { None }
    }

    /// Returns the view of a directory of a REZ archive; `None` if it is none.
    #[cfg(feature = "rez")]
    pub fn directory(&self) -> Option<crate::rez::Directory<'_, '_>> {
        if let Self::Directory(handle) = self { Some(handle.directory()) } else { None }
    }

    /// Returns the view of a picture; `None` if it is none.
    #[cfg(feature = "rez")]
    pub fn picture(&self) -> Option<&crate::rez::Picture<'_>> {
        if let Self::Picture(handle) = self { Some(handle.picture()) } else { None }
    }

    /// Returns the directory of a WORLD.WDB; `None` if it is none.
    #[cfg(feature = "island")]
    pub fn database(&self) -> Option<&crate::island::Database<'_>> {
        if let Self::Database(handle) = self { Some(handle.database()) } else { None }
    }

    /// Checks everything and passes each finding to `report`, as [`Asset::check`] does. A record is checked as its whole
    /// table.
    pub fn check(&self, report: &mut dyn FnMut(Note)) {
        let asset = match self {
            #[cfg(feature = "rez")]
            Self::Directory(handle) => Asset::Rez(handle.rez().root()),
            _ => self.held().asset(),
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
        self.asset().compare(&other.asset(), bytes, &options.opener(), then)
    }

    /// Returns the part that it was opened from.
    pub fn part(&self) -> &Part {
        self.held().part()
    }

    /// Returns what was left out, if the file was opened as far as possible. The blobs of a WORLD.WDB are read for that.
    pub fn findings(&self) -> Vec<Note> {
        self.held().notes()
    }
}
