//! The tables beside a table.

use std::ffi::OsString;
use std::path::Path;

use worldview::wpd::{Archive, Member, Table};
use worldview::{Asset, Format, Loader, Options, open};
use worldview_export::table::label;

/// A table, and where those beside it are.
#[derive(Clone, Copy, Debug)]
pub struct TableSet<'s> {
    table: &'s Table<'s>,
    name: &'s str,
    around: Around<'s>,
}

/// What a table is in.
#[derive(Clone, Copy, Debug)]
pub enum Around<'s> {
    /// Nothing with other tables.
    Nothing,
    /// An archive.
    Archive(Archive<'s>),
    /// The folder of this file.
    Folder(&'s Path, Loader),
}

/// A table of a set.
#[derive(Clone, Debug)]
pub struct Beside {
    /// The name that people see.
    pub name: String,
    /// Where it is.
    pub place: Place,
}

/// Where a table is, seen from another of its set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// It is the table itself.
    Here,
    /// A member of the same archive, by its index and name.
    Member(usize, Vec<u8>),
    /// A file of the same folder, by its name.
    File(OsString),
}

impl<'s> TableSet<'s> {
    /// Creates the set of a table, which has a name that people see.
    pub const fn new(table: &'s Table<'s>, name: &'s str, around: Around<'s>) -> Self {
        Self { table, name, around }
    }

    /// Returns the table.
    pub const fn own(&self) -> &'s Table<'s> {
        self.table
    }

    /// Returns what can be tables of the set, by name or in the order of the archive. The table itself is the last, so that another one
    /// with the same names is preferred.
    pub fn tables(&self) -> Vec<Beside> {
        let own = self.table.archive().source().base();
        let mut all: Vec<_> = match &self.around {
            Around::Nothing => Vec::new(),
            Around::Archive(archive) => {
                members(archive).filter(|(member, _)| member.source().base() != own).map(|(_, beside)| beside).collect()
            }
            Around::Folder(path, _) => path
                .parent()
                .map(files)
                .unwrap_or_default()
                .into_iter()
                .filter(|beside| !beside.is_called(path))
                .collect(),
        };
        all.push(Beside { name: self.name.to_owned(), place: Place::Here });
        all
    }

    /// Opens the archive that a table is, and returns what `look` does; `None` if it is no table.
    pub fn archive<T>(&self, beside: &Beside, look: impl FnOnce(&Archive<'_>) -> T) -> Option<T> {
        match &beside.place {
            Place::Here => Some(look(&self.table.archive())),
            _ => self.around.bytes(beside, |bytes| archive(bytes).map(|archive| look(&archive))),
        }
    }

    /// Opens a table, and returns what `look` does; `None` if it is no table.
    pub fn table<T>(&self, beside: &Beside, options: &Options, look: impl FnOnce(&Table<'_>) -> T) -> Option<T> {
        if let Place::Here = beside.place {
            return Some(look(self.table));
        }
        self.around.bytes(beside, |bytes| match open(bytes, &beside.name, &mut Vec::new(), options).ok()?.asset {
            Asset::Table(table) => Some(look(&table)),
            _ => None,
        })
    }

    /// Returns whether a table has a record with this name.
    pub fn has(&self, beside: &Beside, name: &[u8]) -> bool {
        self.archive(beside, |archive| super::names(archive).any(|other| other == name)) == Some(true)
    }
}

impl Around<'_> {
    /// Returns what can be tables.
    pub(super) fn all(&self) -> Vec<Beside> {
        match self {
            Self::Nothing => Vec::new(),
            Self::Archive(archive) => members(archive).map(|(_, beside)| beside).collect(),
            Self::Folder(path, _) => path.parent().map(files).unwrap_or_default(),
        }
    }

    /// Returns what `look` does with the archive that a table is; `None` if it is no table.
    pub(super) fn archive<T>(&self, beside: &Beside, look: impl FnOnce(&Archive<'_>) -> T) -> Option<T> {
        self.bytes(beside, |bytes| archive(bytes).map(|archive| look(&archive)))
    }

    fn bytes<T>(&self, beside: &Beside, look: impl FnOnce(&[u8]) -> Option<T>) -> Option<T> {
        match (self, &beside.place) {
            (Self::Archive(archive), Place::Member(index, _)) => look(archive.get(*index)?.data()),
            (Self::Folder(path, loader), Place::File(name)) => {
                let bytes = loader.open(path.with_file_name(name)).ok()?;
                look(&bytes).filter(|_| bytes.check().is_ok())
            }
            _ => None,
        }
    }
}

impl Beside {
    fn is_called(&self, path: &Path) -> bool {
        matches!(&self.place, Place::File(name) if Some(&**name) == path.file_name())
    }
}

fn archive(bytes: &[u8]) -> Option<Archive<'_>> {
    let is_archive = Format::sniff(bytes) == Some(Format::Wpd);
    let archive = is_archive.then(|| Archive::parse_lossy(bytes, &mut |_| {}).ok());
    archive.flatten().filter(Archive::is_table)
}

fn members<'a>(archive: &Archive<'a>) -> impl Iterator<Item = (Member<'a>, Beside)> + use<'a> {
    // Members can overlap.
    let mut left = archive.source().len().saturating_mul(4);
    let has_room = move |member: &Member<'a>| {
        let rest = left.checked_sub(member.source().len());
        left = rest.unwrap_or(0);
        rest.is_some()
    };
    archive.members().filter(Member::is_archive).take_while(has_room).map(|member| {
        let place = Place::Member(member.index(), member.label().into_owned());
        (member, Beside { name: label(&member), place })
    })
}

/// Returns the files of a folder that can be tables, by name. Links may lead elsewhere, so they are left out.
fn files(folder: &Path) -> Vec<Beside> {
    // The folder of a file that is named alone.
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let files = entries.filter_map(Result::ok).filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    let mut names: Vec<_> = files
        .map(|entry| entry.file_name())
        .filter(|name| Path::new(name).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("wdb")))
        .collect();
    names.sort();
    names
        .into_iter()
        .map(|name| Beside { name: name.to_string_lossy().into_owned(), place: Place::File(name) })
        .collect()
}
