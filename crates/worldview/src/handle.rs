//! Opened files that own their bytes.

mod failure;
mod file;
#[cfg(feature = "island")]
mod lods;
#[cfg(feature = "wwd")]
mod objects;
#[cfg(all(feature = "outputs", any(feature = "game", feature = "island", feature = "wpd")))]
mod outputs;
#[cfg(feature = "island")]
mod world;

use std::path::{Path, PathBuf};
use std::sync::Arc;
#[cfg(feature = "island")]
use std::sync::OnceLock;

use self_cell::self_cell;

pub use self::failure::{Failure, Note, system_text};
pub use self::file::{File, Part};
#[cfg(feature = "island")]
pub use self::lods::OwnedLods;
#[cfg(feature = "wwd")]
pub use self::objects::OwnedObjects;
use crate::asset::{Asset, At, Failed, Opened};
use crate::entry::Entry;
use crate::open::{self, Form};
use crate::walk::Walk;
use crate::{AnyFinding, Kind, Loader, OffsetBase, OpenError, Options, Source};

self_cell!(
    struct Cell {
        owner: Part,
        #[covariant]
        dependent: Opened,
    }
);

/// An opened file, or a part of one, that owns its bytes. It is `Send + Sync + 'static` and cheap to clone, so it can be kept for any
/// time and on any thread: by a game engine, a cache, or a language without lifetimes. Nothing is copied for that.
///
/// ```
/// # #[cfg(all(feature = "wpd", feature = "wwd"))]
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/harbour.wwd");
/// use worldview::{Asset, Handle};
///
/// let file = Handle::open(path)?;
/// match file.asset() {
///     Asset::Level(level, _) => println!("{} planes", level.planes().len()),
///     Asset::Table(table) => println!("{} records", table.len()),
///     _ => println!("a {}", file.kind()),
/// }
/// # Ok(())
/// # }
/// # #[cfg(not(all(feature = "wpd", feature = "wwd")))]
/// # fn main() {}
/// ```
#[derive(Clone)]
pub struct Handle {
    cell: Arc<Cell>,
    at: At,
    /// The contents of a WORLD.WDB, which are read when they are asked for.
    #[cfg(feature = "island")]
    world: Arc<OnceLock<Option<world::Contained>>>,
}

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

impl Handle {
    /// Reads a file and opens it. The path may continue inside the file, as in `pack.bin/r_quest.wdb`.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read, if its format is unknown, or if it cannot be opened.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Failure> {
        Self::load(Loader::read(), path, &Options::new())
    }

    /// Loads a file and opens it. With [`Loader::mmap`] it is mapped, which takes the promise that nobody changes it.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be loaded, if its format is unknown, or if it cannot be opened.
    pub fn load(loader: Loader, path: impl AsRef<Path>, options: &Options) -> Result<Self, Failure> {
        let (path, inside) = split_path(path.as_ref());
        Self::of(&File::load(loader, &path)?, &inside, options)
    }

    /// Opens a loaded file, or the part of it that a path of names leads to; the whole file if the path is empty.
    ///
    /// # Errors
    ///
    /// Returns an error if the format is unknown, if nothing has this path, or if the part cannot be opened.
    pub fn of(file: &Arc<File>, path: &[u8], options: &Options) -> Result<Self, Failure> {
        let format = options.format(file.bytes(), file.name()).map_err(Failure::of_file)?;
        if !path.is_empty() && format.kind() != Kind::Archive {
            return Err(Failure::of_file(OpenError::NoMembers(format)));
        }
        let whole = Part::new(file, 0..file.bytes().len(), Vec::new(), &Arc::new(options.clone()));
        let whole = Self::build(whole, |part| {
            let source = Source::new(part.bytes(), OffsetBase::File);
            open::open_as(Form::File(format), source, part.name(), part.image.borrow_mut(), &part.options)
        })?;
        if path.is_empty() { Ok(whole) } else { whole.path(path) }
    }

    fn build(
        part: Part,
        open: impl for<'p> FnOnce(&'p Part) -> Result<Opened<'p>, Failed<'p>>,
    ) -> Result<Self, Failure> {
        let inside = part.path_in_file().to_vec();
        let cell = Cell::try_new(part, |part| open(part).map_err(OpenError::from));
        let cell = cell.map_err(|error| Failure::Open(error, inside))?;
        Ok(Self {
            at: cell.borrow_dependent().at,
            cell: Arc::new(cell),
            #[cfg(feature = "island")]
            world: Arc::default(),
        })
    }

    /// Returns the view, with the findings of opening it.
    pub fn opened(&self) -> &Opened<'_> {
        self.cell.borrow_dependent()
    }

    /// Returns the view. Records and directories have that of their table or archive.
    pub fn asset(&self) -> &Asset<'_> {
        &self.opened().asset
    }

    /// Returns which part of the view is meant.
    pub const fn at(&self) -> At {
        self.at
    }

    /// Returns what it is.
    pub fn kind(&self) -> Kind {
        self.asset().kind(self.at)
    }

    /// Returns the short name of its format; `None` for data in no known format.
    pub fn format(&self) -> Option<&'static str> {
        self.asset().format()
    }

    /// Returns the bytes that it was opened from. A record has those of its table, and a directory those of its archive.
    pub fn part(&self) -> &Part {
        self.cell.borrow_owner()
    }

    /// Returns how it was opened.
    pub fn options(&self) -> &Options {
        &self.part().options
    }

    /// Returns the names of the members or directories that lead to it, outermost first. A record has those of its table.
    pub fn path_in_file(&self) -> Vec<String> {
        #[cfg(feature = "rez")]
        if let (At::Directory(_), Some(directory)) = (self.at, self.directory()) {
            return Entry::names(&[Entry::Directory(directory)]);
        }
        self.part().path_in_file().to_vec()
    }

    /// Returns the view of a level; `None` if it is none.
    #[cfg(feature = "wwd")]
    pub fn level(&self) -> Option<&crate::wwd::Level<'_>> {
        if let Asset::Level(level, _) = self.asset() { Some(level) } else { None }
    }

    /// Returns the unpacked file of a level; `None` if it is none.
    #[cfg(feature = "wwd")]
    pub fn unpacked(&self) -> Option<&crate::wwd::Unpacked<'_>> {
        if let Asset::Level(_, unpacked) = self.asset() { Some(unpacked) } else { None }
    }

    /// Returns the view of a table, which is that of a record, too; `None` if it is none.
    #[cfg(feature = "wpd")]
    pub fn table(&self) -> Option<&crate::wpd::Table<'_>> {
        if let Asset::Table(table) = self.asset() { Some(table) } else { None }
    }

    /// Returns the view of a record; `None` if it is none.
    #[cfg(feature = "wpd")]
    pub fn row(&self) -> Option<crate::wpd::Row<'_, '_>> {
        self.asset().row(self.at)
    }

    /// Returns the view of a WPD archive that is not a table; `None` if it is none.
    #[cfg(feature = "wpd")]
    pub fn archive(&self) -> Option<&crate::wpd::Archive<'_>> {
        if let Asset::Archive(archive) = self.asset() { Some(archive) } else { None }
    }

    /// Returns the view of a REZ archive, which is that of a directory, too; `None` if it is none.
    #[cfg(feature = "rez")]
    pub fn rez(&self) -> Option<&crate::rez::Rez<'_>> {
        if let Asset::Rez(rez) = self.asset() { Some(rez) } else { None }
    }

    /// Returns the view of a directory of a REZ archive, which is the root for the archive itself; `None` if it is none.
    #[cfg(feature = "rez")]
    pub fn directory(&self) -> Option<crate::rez::Directory<'_, '_>> {
        self.asset().directory(self.at)
    }

    /// Returns the view of a picture; `None` if it is none.
    #[cfg(feature = "rez")]
    pub fn picture(&self) -> Option<&crate::rez::Picture<'_>> {
        if let Asset::Picture(picture) = self.asset() { Some(picture) } else { None }
    }

    /// Returns the directory of a WORLD.WDB; `None` if it is none.
    #[cfg(feature = "island")]
    pub fn database(&self) -> Option<&crate::island::Database<'_>> {
        if let Asset::Database(database) = self.asset() { Some(database) } else { None }
    }

    /// Returns the view of a texture file; `None` if it is none.
    #[cfg(feature = "island")]
    pub fn textures(&self) -> Option<&crate::island::TextureFile<'_>> {
        if let Asset::Textures(file) = self.asset() { Some(file) } else { None }
    }

    /// Returns the members of an archive, the records of a table, or the entries of a directory.
    pub fn entries(&self) -> impl Iterator<Item = Entry<'_, '_>> {
        self.asset().entries(self.at)
    }

    /// Opens one of the [`entries`](Self::entries) by its index. `None` if there is none.
    pub fn entry(&self, index: usize) -> Option<Result<Self, Failure>> {
        Some(self.inner(&[self.asset().entry(self.at, index)?], None))
    }

    /// Opens a part by its path from here: a member of an archive, a file or directory of a directory, or a record of a table.
    /// Paths in REZ archives ignore case.
    ///
    /// ```
    /// # #[cfg(all(feature = "rez", feature = "wwd"))]
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/harbour.rez");
    /// let level1 = worldview::Handle::open(format!("{path}/LEVEL1"))?;
    /// assert!(level1.path(b"WORLDS/WORLD.WWD")?.level().is_some());
    /// # Ok(())
    /// # }
    /// # #[cfg(not(all(feature = "rez", feature = "wwd")))]
    /// # fn main() {}
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if nothing has this path, or if it cannot be opened.
    pub fn path(&self, path: &[u8]) -> Result<Self, Failure> {
        let trail = self.asset().follow(self.at, path).map_err(|(trail, error)| {
            let mut names = self.path_in_file();
            match &trail[..] {
                [] => names = vec![names.into_iter().chain([text(path)]).collect::<Vec<_>>().join("/")],
                trail => names.extend(Entry::names(trail)),
            }
            Failure::Open(error, names)
        })?;
        self.inner(&trail, None)
    }

    /// Opens everything that is nested in an archive, as [`Walk`] does: an archive first, then what is in it.
    pub fn walk(&self) -> impl Iterator<Item = Result<Self, Failure>> {
        let mut walk = Walk::new(self.asset(), self.at, self.options());
        std::iter::from_fn(move || {
            let step = walk.step()?;
            let path = step.path.clone();
            let opened = match step.limit() {
                Ok(limit) => self.inner(&path, limit),
                Err(error) => Err(Failure::Open(error, self.names(&path))),
            };
            if let Ok(opened) = &opened {
                walk.inflated(opened.opened());
            }
            Some(opened)
        })
    }

    /// Returns the names that lead to what entries lead to from here.
    fn names(&self, trail: &[Entry<'_, '_>]) -> Vec<String> {
        let own = self.part().path_in_file().iter().cloned();
        own.chain(Entry::names(trail)).collect()
    }

    /// Opens what entries of this part lead to. A level may inflate to `limit`.
    fn inner(&self, trail: &[Entry<'_, '_>], limit: Option<u64>) -> Result<Self, Failure> {
        let Some(entry) = trail.last() else { return Ok(self.clone()) };
        if let Some(at) = entry.at() {
            return Ok(Self { at, ..self.clone() });
        }
        let mut names = self.names(trail);
        #[cfg(feature = "wpd")]
        if let Entry::RecordIn(table, record) = entry {
            let record_name = names.pop();
            let table = self.opened_at(Entry::Member(*table), names.clone(), limit)?;
            if let Some(row) = table.table().and_then(|table| table.by_name(record.name())).map(|row| row.index()) {
                return Ok(Self { at: At::Record(row), ..table });
            }
            names.extend(record_name);
            return self.opened_at(Entry::Member(*record), names, limit);
        }
        self.opened_at(*entry, names, limit)
    }

    fn opened_at(&self, entry: Entry<'_, '_>, names: Vec<String>, limit: Option<u64>) -> Result<Self, Failure> {
        let own = self.part();
        let Some((form, source)) = entry.form() else { return Err(Failure::Open(OpenError::NotFound, names)) };
        // Entries of an archive that was rebuilt are in its copy, which the cell of this handle keeps.
        let bytes = source.bytes();
        let is_copied = !bytes.is_empty() && !own.file().bytes().as_ptr_range().contains(&bytes.as_ptr());
        let file = if is_copied { File::copied(self) } else { Arc::clone(own.file()) };
        let start = usize::try_from(entry.source().base()).unwrap_or(usize::MAX).min(file.bytes().len());
        let range = start..start.saturating_add(bytes.len()).min(file.bytes().len());
        let counts_in_file = source.base() == entry.source().base();
        Self::build(Part::new(&file, range, names, &own.options), move |part| {
            let source = if counts_in_file { part.source() } else { part.bytes().into() };
            let (image, options) = (part.image.borrow_mut(), &*part.options);
            #[cfg(all(feature = "rez", feature = "wwd"))]
            if let (Form::File(crate::Format::Wwd), Some(limit)) = (form, limit) {
                return open::level_within(source.bytes(), image, options, limit);
            }
            open::open_as(form, source, part.name(), image, options)
        })
    }

    /// Checks everything and passes each finding to `report`, as [`Asset::check`] does. A record is checked as its whole table, and a
    /// directory as its archive.
    pub fn check(&self, report: &mut dyn FnMut(Note)) {
        let report = &mut |finding: &AnyFinding<'_, '_>| report(Note::from(finding));
        #[cfg(feature = "island")]
        if let Some((database, contents)) = self.database().zip(self.contents()) {
            return crate::island::check_grouped(database, contents, &|_| true, report);
        }
        self.asset().check(report);
    }

    /// Returns what was left out, if the file was opened as far as possible. The blobs of a WORLD.WDB are read for that.
    pub fn findings(&self) -> Vec<Note> {
        let mut notes = Vec::new();
        self.opened().findings.each(&mut |finding| notes.push(Note::from(finding)));
        #[cfg(feature = "island")]
        notes.extend_from_slice(self.left_out_of_contents());
        notes
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

impl std::fmt::Debug for Handle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Handle").field("asset", self.asset()).field("at", &self.at).finish_non_exhaustive()
    }
}

worldview_core::assert_send_sync!(Handle);
