//! Opens files, their members and records.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::inspect::utf8;
#[cfg(feature = "rez")]
use crate::rez::{self, DirectoryEntry, PictureKind};
#[cfg(feature = "wpd")]
use crate::wpd::{Archive, Member};
use crate::{Asset, Failed, Format, Loader, OpenError, Opened};

#[cfg(feature = "wwd")]
use super::LevelHandle;
#[cfg(feature = "wpd")]
use super::{ArchiveHandle, TableHandle};
#[cfg(feature = "island")]
use super::{DatabaseHandle, ViewHandle};
#[cfg(feature = "rez")]
use super::{DirectoryHandle, PictureHandle};
use super::{Failure, File, Handle, Options, Part};

/// Splits a path that continues inside a file, as in `pack.bin/r_quest.wdb`, into the path of the file and the rest.
///
/// The file is the first part of the path that is not a folder. If no part exists, the whole path is returned.
pub fn split_path(path: &Path) -> (PathBuf, Vec<u8>) {
    let file = path.ancestors().find(|ancestor| ancestor.is_file());
    let Some(file) = file else { return (path.to_owned(), Vec::new()) };
    let rest = path.strip_prefix(file).unwrap_or(Path::new(""));
    let names = rest.components().map(|name| name.as_os_str().as_encoded_bytes());
    (file.to_owned(), names.collect::<Vec<_>>().join(&b'/'))
}

/// Reads a file and opens it. The path may continue inside the file, as in `pack.bin/r_quest.wdb`.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/harbour.wwd");
/// use worldview::Kind;
///
/// let file = worldview::open(path)?; // owns its bytes, and can be sent to other threads
/// match file.kind() {
///     Kind::Level => println!("{} planes", file.level().map_or(0, |level| level.planes().len())),
///     Kind::Table => println!("{} records", file.table().map_or(0, |table| table.len())),
///     other => println!("a {other}"),
/// }
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// Returns an error if the file cannot be read, if its format is unknown, or if it cannot be opened.
pub fn open(path: impl AsRef<Path>) -> Result<Handle, Failure> {
    open_with(Loader::read(), path, &Options::default())
}

/// Loads a file and opens it. With [`Loader::mmap`] it is mapped, which takes the promise that nobody changes it.
///
/// # Errors
///
/// Returns an error if the file cannot be loaded, if its format is unknown, or if it cannot be opened.
pub fn open_with(loader: Loader, path: impl AsRef<Path>, options: &Options) -> Result<Handle, Failure> {
    let (path, inside) = split_path(path.as_ref());
    open_in(&File::load(loader, &path)?, &inside, options)
}

/// Opens a loaded file, or the part of it that a path of member names leads to; the whole file if the path is empty.
///
/// # Errors
///
/// Returns an error if the format is unknown, if nothing has this path, or if the part cannot be opened.
pub fn open_in(file: &Arc<File>, inside: &[u8], options: &Options) -> Result<Handle, Failure> {
    #[cfg(feature = "wpd")]
    let file = &rebuilt(file, options);
    // Levels are opened again, with a share of the file, so their headers are enough here.
    let opener = options.opener().outline(true).nested(false);
    if inside.is_empty() {
        // More of a level can be opened than of its headers alone, and the directory of an archive can be large.
        match opener.format(file.bytes(), file.name()).map_err(|error| Failure::Open(error, Vec::new()))? {
            #[cfg(feature = "wwd")]
            Format::Wwd => return level(Part::whole(file), options),
            #[cfg(feature = "rez")]
            Format::Rez => return Ok(Handle::Directory(DirectoryHandle::open(Part::whole(file), options.lossy)?)),
            _ => {}
        }
    }
    let opener = if inside.is_empty() { opener } else { opener.select(inside) };
    let mut first = None;
    opener.open(file.bytes(), file.name(), &mut Vec::new(), &mut |opened| {
        if first.is_none() {
            first = Some(handle(file, opened, options));
        }
    });
    let missing = || Err(Failure::Open(OpenError::NotFound, vec![utf8(inside).into_owned()]));
    match first {
        Some(Err(Failure::Open(OpenError::NotFound, names))) if names.is_empty() => missing(),
        Some(opened) => opened,
        None => missing(),
    }
}

/// Opens a file and everything nested in it, and passes each part to `visit`: an archive first, then what is in it.
pub fn open_all(file: &Arc<File>, options: &Options, visit: &mut dyn FnMut(Result<Handle, Failure>)) {
    #[cfg(feature = "wpd")]
    let file = &rebuilt(file, options);
    options.opener().outline(true).open(file.bytes(), file.name(), &mut Vec::new(), &mut |opened| {
        visit(handle(file, opened, options));
    });
}

/// Opens an entry of an archive, by its index: a member of a WPD archive, or a directory or file of a directory of a REZ
/// archive. Unlike [`open_in`] with a path, this does not read the archive again.
///
/// # Errors
///
/// Returns an error if there is no such entry, or if it cannot be opened.
pub fn open_entry(archive: &Handle, index: usize, options: &Options) -> Result<Handle, Failure> {
    let missing = || Failure::Open(OpenError::NotFound, archive.part().path_in_file().to_vec());
    match archive {
        #[cfg(feature = "wpd")]
        Handle::Archive(handle) => {
            let member = handle.archive().get(index).ok_or_else(missing)?;
            member_at(handle.part(), member, options)
        }
        #[cfg(feature = "rez")]
        Handle::Directory(handle) => match handle.directory().get(index).ok_or_else(missing)? {
            DirectoryEntry::Directory(found) => handle.at(found.index()).map(Handle::Directory).ok_or_else(missing),
            DirectoryEntry::File(found) => file_at(handle.part(), found, options),
        },
        _ => Err(missing()),
    }
}

/// Opens a part of an opened file by its path from there: a member of an archive, a file or directory of a directory, or a
/// record of a table. Paths in REZ archives ignore case.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/harbour.rez");
/// use worldview::owned::{Options, open_path};
///
/// let level1 = worldview::open(format!("{path}/LEVEL1"))?;
/// let level = open_path(&level1, b"WORLDS/WORLD.WWD", &Options::default())?;
/// assert!(level.level().is_some());
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// Returns an error if nothing has this path, or if it cannot be opened.
pub fn open_path(holder: &Handle, path: &[u8], options: &Options) -> Result<Handle, Failure> {
    #[cfg(feature = "rez")]
    if let Handle::Directory(handle) = holder {
        let missing = || Failure::Open(OpenError::NotFound, vec![utf8(&rooted(holder, path)).into_owned()]);
        return handle.entry(path, options).ok_or_else(missing)?;
    }
    open_in(holder.part().file(), &rooted(holder, path), options)
}

/// Returns the path in the file of a path that begins at a part of it.
fn rooted(holder: &Handle, path: &[u8]) -> Vec<u8> {
    holder.part().path_in_file().iter().map(String::as_bytes).chain([path]).collect::<Vec<_>>().join(&b'/')
}

#[cfg(feature = "rez")]
impl DirectoryHandle {
    /// Returns whether there is a file or a directory with a path from this directory, ignoring case.
    pub fn contains(&self, path: &[u8]) -> bool {
        self.directory().by_path(path).is_some() || self.directory().descend(path).is_some()
    }

    /// Opens a file or a directory by its path from this directory, ignoring case: a level or a picture if it is one,
    /// else its data. `None` if there is nothing with this path.
    pub fn entry(&self, path: &[u8], options: &Options) -> Option<Result<Handle, Failure>> {
        if let Some(file) = self.directory().by_path(path) {
            return Some(file_at(self.part(), file, options));
        }
        Some(Ok(Handle::Directory(self.at(self.directory().descend(path)?.index())?)))
    }
}

#[cfg(feature = "wpd")]
impl ArchiveHandle {
    /// Returns the index of the first member with a name, which includes its extension.
    pub fn index_of(&self, name: &str) -> Option<usize> {
        self.archive().members().position(|member| label(&member) == name)
    }
}

/// Returns the name of a member and its extension, as text.
#[cfg(feature = "wpd")]
pub fn label(member: &Member<'_>) -> String {
    utf8(&member.label()).into_owned()
}

#[cfg(feature = "wpd")]
fn member_at(holder: &Part, member: Member<'_>, options: &Options) -> Result<Handle, Failure> {
    let names: Vec<_> = holder.path_in_file().iter().cloned().chain([label(&member)]).collect();
    let part = Part::of(holder.file(), member.source(), names.clone());
    if !member.is_archive() {
        return Ok(Handle::Data(part));
    }
    let opened = ArchiveHandle::open(part.clone(), false, options.lossy).and_then(|handle| {
        if handle.archive().is_table() {
            return table_at(part, handle.archive(), options).map(Handle::Table);
        }
        Ok(Handle::Archive(Arc::new(handle)))
    });
    opened.map_err(|failure| named(failure, names))
}

#[cfg(feature = "rez")]
fn file_at(archive: &Part, file: rez::File<'_, '_>, options: &Options) -> Result<Handle, Failure> {
    let names: Vec<_> = file.path().names().iter().map(|name| utf8(name).into_owned()).collect();
    let part = Part::of(archive.file(), file.source(), names.clone());
    let opened = match PictureKind::of_extension(file.extension()) {
        #[cfg(feature = "wwd")]
        _ if crate::opener::is_level(file) => level(part, options),
        Some(kind) => picture(part, kind),
        None => Ok(Handle::Data(part)),
    };
    opened.map_err(|failure| named(failure, names))
}

/// Adds the names of the members that lead to the part to an error that has none.
fn named(failure: Failure, names: Vec<String>) -> Failure {
    match failure {
        Failure::Open(error, inside) if inside.is_empty() => Failure::Open(error, names),
        other => other,
    }
}

/// Returns a copy with the entries that were overwritten along with the header, or the file itself if it needs no repair.
#[cfg(feature = "wpd")]
fn rebuilt(file: &Arc<File>, options: &Options) -> Arc<File> {
    if options.recover && Format::sniff(file.bytes()).is_none() && Archive::can_rebuild(file.bytes()) {
        let mut copy = Vec::new();
        if Archive::recover_in(file.bytes(), &mut copy, &mut |_| {}).is_ok() && !copy.is_empty() {
            return File::from_bytes(copy, file.name());
        }
    }
    Arc::clone(file)
}

/// Opens again, with a share of the file, what the opener found.
fn handle(
    file: &Arc<File>,
    opened: Result<Opened<'_, '_>, Failed<'_, '_>>,
    options: &Options,
) -> Result<Handle, Failure> {
    let opened = opened.map_err(|failed| Failure::Open(failed.error, failed.names()))?;
    let names = opened.names();
    let held = |names: Vec<String>| {
        #[cfg(feature = "rez")]
        if let Some(found) = opened.file {
            return Part::of(file, found.source(), names);
        }
        Part::whole(file)
    };
    let handle = match opened.asset {
        #[cfg(feature = "wwd")]
        Asset::Level(..) | Asset::Outline(_) => level(held(names.clone()), options),
        #[cfg(feature = "wpd")]
        Asset::Table(table) => {
            let archive = table.archive();
            table_at(Part::of(file, archive.source(), names.clone()), &archive, options).map(Handle::Table)
        }
        #[cfg(feature = "wpd")]
        Asset::Record(table, row) => {
            // The last name is that of the record.
            let inside = names.split_last().map_or(&[][..], |(_, holder)| holder).to_vec();
            let archive = table.archive();
            let table = table_at(Part::of(file, archive.source(), inside), &archive, options);
            table.map(|table| Handle::Record(table, row.index()))
        }
        #[cfg(feature = "wpd")]
        Asset::Archive(archive) => {
            let part = Part::of(file, archive.source(), names.clone());
            ArchiveHandle::open(part, archive.is_recovered(), options.lossy)
                .map(|handle| Handle::Archive(Arc::new(handle)))
        }
        Asset::Data(source) => Ok(Handle::Data(Part::of(file, source, names.clone()))),
        #[cfg(feature = "rez")]
        Asset::Rez(directory) => DirectoryHandle::open(Part::whole(file), options.lossy)
            .map(|root| Handle::Directory(root.at(directory.index()).unwrap_or(root))),
        #[cfg(feature = "rez")]
        Asset::Picture(found) => picture(held(names.clone()), found.kind()),
        #[cfg(feature = "island")]
        Asset::Database(_) | Asset::World(_) => database(Part::whole(file), options),
        #[cfg(feature = "island")]
        Asset::Textures(_) => {
            ViewHandle::open(Part::whole(file), options.lossy).map(|view| Handle::View(Arc::new(view)))
        }
    };
    handle.map_err(|failure| named(failure, names))
}

#[cfg(feature = "wwd")]
fn level(part: Part, options: &Options) -> Result<Handle, Failure> {
    Ok(Handle::Level(Arc::new(LevelHandle::open(part, options.unpacker(), options.lossy)?)))
}

#[cfg(feature = "island")]
fn database(part: Part, options: &Options) -> Result<Handle, Failure> {
    Ok(Handle::Database(Arc::new(DatabaseHandle::open(part, options.lossy)?)))
}

#[cfg(feature = "rez")]
fn picture(part: Part, kind: PictureKind) -> Result<Handle, Failure> {
    Ok(Handle::Picture(Arc::new(PictureHandle::open(part, kind)?)))
}

#[cfg(feature = "wpd")]
fn table_at(part: Part, archive: &Archive<'_>, options: &Options) -> Result<Arc<TableHandle>, Failure> {
    let schemas = options.schemas.clone();
    Ok(Arc::new(TableHandle::open(part, archive.is_recovered(), schemas, options.lossy)?))
}
