//! Descriptions, as of `worldview show`.

use worldview_inspect::Root;
use worldview_island::{Contents, DatabaseDescription};
use worldview_rez::{Picture, RezDescription};
use worldview_wpd::ArchiveDescription;
use worldview_wwd::LevelDescription;

use super::{Asset, World};

impl Asset<'_, '_> {
    /// Calls `then` with the description. For an archive, this covers its members but not their contents, and for a record
    /// its whole table. Returns `None` for the headers of a level and for data in no known format.
    pub fn describe<T>(&self, then: impl FnOnce(&Root<'_>) -> T) -> Option<T> {
        let format = self.format()?;
        Some(match *self {
            Self::Level(level, file) => {
                let described = LevelDescription::new(file, level);
                then(&Root::new(format, level.image(), &described).besides(file.trailing().len() as u64))
            }
            Self::Table(table) | Self::Record(table, _) => then(&Root::new(format, table.archive().source(), table)),
            Self::Archive(archive) => {
                then(&Root::new(format, archive.source(), &ArchiveDescription::new(archive).max_depth(0)))
            }
            Self::Rez(directory) => {
                let described = RezDescription::new(directory.archive()).directory(directory).opens_files(false);
                then(&Root::new(format, directory.archive().source(), &described))
            }
            Self::Picture(picture) => {
                let source = match picture {
                    Picture::Pcx(pcx) => pcx.source(),
                    Picture::Pid(pid) => pid.source(),
                    Picture::Bmp(bmp) => bmp.source(),
                    _ => return None,
                };
                then(&Root::new(format, source, &picture))
            }
            Self::Database(database) => {
                let contents = Contents::read(database);
                then(&Root::new(format, database.source(), &DatabaseDescription::new(database, &contents)))
            }
            Self::World(World { database, contents }) => {
                then(&Root::new(format, database.source(), &DatabaseDescription::new(database, contents)))
            }
            Self::Outline(_) | Self::Data(_) => return None,
        })
    }
}
