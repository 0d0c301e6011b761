//! Handles as JSON and text, in the shapes of `worldview show`.

use std::io::Write;

#[cfg(feature = "json")]
use crate::describe::{Array, List};
use crate::inspect::{Options, Result, Root, text};
#[cfg(feature = "json")]
use crate::inspect::{Select, json};
use crate::{island, rez, wpd, wwd};

use super::Handle;

/// Selects everything in a table, except for the bytes of its sections and the string pool, whose values are in the
/// records and arrays: what the command writes of a table, with its string arrays, unless `--full` is given.
#[cfg(feature = "json")]
struct Values;

#[cfg(feature = "json")]
impl Select for Values {
    fn list(&self, list: &List) -> bool {
        list.name != "strings"
    }

    fn array(&self, array: &Array<'_>) -> bool {
        array.name == "extra"
    }
}

impl Handle {
    /// Writes the contents as JSON, as `worldview show --format json` does. A record is written as its table.
    ///
    /// Returns whether there are any: data in no known format has none.
    ///
    /// # Errors
    ///
    /// Returns an error if `out` does, or if overlapping parts exceed the work limit.
    #[cfg(feature = "json")]
    pub fn write_json(&self, options: &Options<'_>, out: impl Write) -> Result<bool> {
        let table = Options { encoding: options.encoding, full: true, select: &Values };
        let options = if self.is_table() && !options.full { &table } else { options };
        self.describe(|root| json::write(root, options, out)).map_or(Ok(false), |done| done.map(|()| true))
    }

    /// Writes the contents as text, as `worldview show` does. A record is written as its table.
    ///
    /// Returns whether there are any: data in no known format has none.
    ///
    /// # Errors
    ///
    /// Returns an error if `out` does, or if overlapping parts exceed the work limit.
    pub fn write_text(&self, options: &Options<'_>, out: impl Write) -> Result<bool> {
        let options = Options { full: options.full || self.is_table(), ..*options };
        self.describe(|root| text::write(root, &options, out)).map_or(Ok(false), |done| done.map(|()| true))
    }

    const fn is_table(&self) -> bool {
        matches!(self, Self::Table(_) | Self::Record(..))
    }

    /// Calls `then` with the description. For an archive, this covers its members but not their contents.
    pub fn describe<T>(&self, then: impl FnOnce(&Root<'_>) -> T) -> Option<T> {
        Some(match self {
            Self::Level(handle) => {
                let (file, level) = (handle.unpacked(), handle.level());
                let described = wwd::LevelDescription::new(file, level);
                then(&Root::new("wwd", level.image(), &described).besides(file.trailing().len() as u64))
            }
            Self::Table(handle) | Self::Record(handle, _) => {
                let table = handle.table();
                then(&Root::new("wdb", table.archive().source(), table))
            }
            Self::Archive(handle) => {
                let archive = handle.archive();
                then(&Root::new("wpd", archive.source(), &wpd::ArchiveDescription::new(archive).max_depth(0)))
            }
            Self::Directory(handle) => {
                let rez = handle.rez();
                let described = rez::RezDescription::new(rez).directory(handle.directory()).opens_files(false);
                then(&Root::new("rez", rez.source(), &described))
            }
            Self::Picture(handle) => {
                let picture = handle.picture();
                let (format, source) = match picture {
                    rez::Picture::Pcx(pcx) => ("pcx", pcx.source()),
                    rez::Picture::Pid(pid) => ("pid", pid.source()),
                    rez::Picture::Bmp(bmp) => ("bmp", bmp.source()),
                    _ => return None,
                };
                then(&Root::new(format, source, picture))
            }
            Self::Database(handle) => {
                let database = handle.database();
                let described = island::DatabaseDescription::new(database, handle.contents());
                then(&Root::new("world", database.source(), &described))
            }
            Self::Data(_) => return None,
        })
    }
}
