//! The files to compare readers on, loaded into memory.

use std::path::{Path, PathBuf};

use worldview::bulk::{self, Bulk, BulkError, FilePart};
use worldview::wpd::NameOrigin;
use worldview::{Asset, Loader, OpenError, Opened, Options, wwd};

/// What several readers know, as a digest of `readers`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Format {
    /// WWD levels: the images of packed ones.
    Level,
    /// WDB tables with field names, like those of XIII-2 and Lightning Returns, or whose names nobody knows.
    Table,
    /// WDB tables without field names, which are in lists by version or file name.
    Xiii1,
    /// WORLD.WDB.
    World,
}

impl Format {
    /// All formats, in the order of the table.
    pub const ALL: [Self; 4] = [Self::Level, Self::Table, Self::Xiii1, Self::World];

    /// Returns the name in the table.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Level => "level",
            Self::Table => "table",
            Self::Xiii1 => "XIII-1 table",
            Self::World => "WORLD.WDB",
        }
    }
}

/// A file, or a part of an archive.
#[derive(Clone, Debug)]
pub struct File {
    /// Its path.
    pub name: String,
    /// What it is, or would be if it were not broken.
    pub format: Format,
    /// What is read: the file, or the image of a packed level, if it can be inflated.
    pub bytes: Result<Vec<u8>, String>,
}

impl File {
    /// Returns the size of what is read.
    pub fn size(&self) -> u64 {
        self.bytes.as_ref().map_or(0, |bytes| bytes.len() as u64)
    }

    /// Returns the name without folders and extension, which selects the field names of some tables.
    pub(super) fn stem(&self) -> &str {
        let name = self.name.rsplit(['/', '\\']).next().unwrap_or(&self.name);
        name.rsplit_once('.').map_or(name, |(stem, _)| stem)
    }
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The files that readers know, in the order of their paths.
    pub files: Vec<File>,
    /// Files that cannot be loaded, named files in another format, and parts of archives that cannot be opened, with the
    /// reasons.
    pub left_out: Vec<(String, String)>,
}

impl Found {
    /// Loads files and everything in folders and archives. In folders, files in other formats are skipped.
    pub fn load(paths: &[PathBuf]) -> Self {
        let mut found = Self::default();
        let inputs = paths.iter().flat_map(bulk::walk);
        Bulk::new(Loader::read()).each(
            inputs,
            |_, opened| content(opened),
            |part, result| match result {
                Ok(Some((format, bytes))) => {
                    found.files.push(File { name: part.to_string(), format, bytes: Ok(bytes) });
                }
                Ok(None) => {}
                Err(error) => found.add_broken(&part, &error, paths.contains(&part.path)),
            },
        );
        found
    }

    /// Adds a file that our strict door does not open, for the readers to try.
    fn add_broken(&mut self, part: &FilePart, error: &BulkError, is_named: bool) {
        let is_file = part.inside.is_empty();
        let is_foreign = match error {
            BulkError::Open(OpenError::Unknown | OpenError::Empty | OpenError::Container(_)) => true,
            BulkError::Open(OpenError::Overwritten { is_known, .. }) => !is_known,
            _ => false,
        };
        match if is_file { broken(&part.path) } else { None } {
            Some(file) => self.files.push(file),
            None if is_file && is_foreign && !is_named => {}
            None => self.left_out.push((part.to_string(), error.to_string())),
        }
    }
}

/// Returns what the readers read of a part, if any.
fn content(opened: &Opened<'_>) -> Option<(Format, Vec<u8>)> {
    Some(match &opened.asset {
        Asset::Level(_, image) => (Format::Level, image.to_vec()),
        Asset::Table(table) => {
            let is_listed = matches!(table.name_origin(), NameOrigin::Schema(_));
            let format = if is_listed { Format::Xiii1 } else { Format::Table };
            (format, table.archive().source().bytes().to_vec())
        }
        Asset::Database(database) => (Format::World, database.source().bytes().to_vec()),
        _ => return None,
    })
}

/// Returns a file in a known format, whatever is wrong with it.
fn broken(path: &Path) -> Option<File> {
    let bytes = std::fs::read(path).ok()?;
    let name = path.file_name()?.to_string_lossy();
    let (format, bytes) = match Options::new().format(&bytes, &name) {
        Ok(worldview::Format::Wwd) => {
            let image = wwd::unpack(&bytes).map(|image| image.to_vec()).map_err(|error| error.to_string());
            (Format::Level, image)
        }
        Ok(worldview::Format::Wpd) | Err(OpenError::Overwritten { is_known: true, .. }) => (Format::Table, Ok(bytes)),
        Ok(worldview::Format::Island) => (Format::World, Ok(bytes)),
        _ => return None,
    };
    Some(File { name: path.display().to_string(), format, bytes })
}
