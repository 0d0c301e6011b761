#[cfg(feature = "island")]
mod island;
#[cfg(feature = "island")]
mod lost_objects;
#[cfg(feature = "rez")]
mod rez;
#[cfg(feature = "wpd")]
mod wpd;
#[cfg(feature = "wwd")]
mod wwd;

use worldview_core::{AnyFinding, Finding, FindingCode, Source};
#[cfg(feature = "inspect")]
use worldview_inspect::Root;

#[cfg(feature = "island")]
pub use self::island::World;
#[cfg(feature = "wpd")]
pub use self::wpd::SchemaNote;
#[cfg(feature = "wpd")]
pub(crate) use self::wpd::label;
#[cfg(feature = "inspect")]
use crate::Opener;
use crate::{Kind, OpenError};

/// An opened file or part of a file, for tools that handle files of every kind.
///
/// `'v` is the lifetime of the view, `'a` that of the underlying bytes. Each variant needs the feature of its format.
#[non_exhaustive]
#[derive(Clone, Copy, Debug)]
pub enum Asset<'v, 'a> {
    /// A WWD level, and the unpacked file that contains it.
    #[cfg(feature = "wwd")]
    Level(&'v crate::wwd::Level<'a>, &'v crate::wwd::Unpacked<'a>),
    /// The headers of a WWD level, if only these were requested with [`Opener::outline`](crate::Opener::outline).
    #[cfg(feature = "wwd")]
    Outline(&'v crate::wwd::Outline<'a>),
    /// A WDB table.
    #[cfg(feature = "wpd")]
    Table(&'v crate::wpd::Table<'a>),
    /// A WPD archive that is not a table.
    #[cfg(feature = "wpd")]
    Archive(&'v crate::wpd::Archive<'a>),
    /// A record of a table, if a path leads to one: [`Opener::select`](crate::Opener::select).
    #[cfg(feature = "wpd")]
    Record(&'v crate::wpd::Table<'a>, crate::wpd::Row<'v, 'a>),
    /// A member of an archive, or a file of a REZ archive, that is in no other known format, if a path leads to one.
    Data(Source<'a>),
    /// A REZ archive: its root directory, or the directory that a path leads to.
    #[cfg(feature = "rez")]
    Rez(crate::rez::Directory<'v, 'a>),
    /// A picture: a file of its own, or in a REZ archive.
    #[cfg(feature = "rez")]
    Picture(crate::rez::Picture<'a>),
    /// The directory of WORLD.WDB, which is what [`Opener`](crate::Opener) reads.
    #[cfg(feature = "island")]
    Database(&'v crate::island::Database<'a>),
    /// A WORLD.WDB of which everything has been read.
    #[cfg(feature = "island")]
    World(World<'v, 'a>),
    /// A list of textures: a `.tex` file.
    #[cfg(feature = "island")]
    Textures(crate::island::TextureFile<'a>),
}

/// What can be done with a file of any kind. The module of a format implements this for its variants of [`Asset`].
trait View {
    fn kind(&self) -> Kind;

    fn format(&self) -> Option<&'static str>;

    /// Calls `then` once with the description, if there is one.
    #[cfg(feature = "inspect")]
    fn describe(&self, then: &mut dyn FnMut(&Root<'_>));

    fn check(&self, report: &mut dyn FnMut(&AnyFinding<'_, '_>));
}

impl View for Source<'_> {
    fn kind(&self) -> Kind {
        Kind::Data
    }

    fn format(&self) -> Option<&'static str> {
        None
    }

    #[cfg(feature = "inspect")]
    fn describe(&self, _: &mut dyn FnMut(&Root<'_>)) {}

    fn check(&self, _: &mut dyn FnMut(&AnyFinding<'_, '_>)) {}
}

impl Asset<'_, '_> {
    /// Calls `then` with what the variant holds.
    fn with<T>(&self, then: impl FnOnce(&dyn View) -> T) -> T {
        match self {
            #[cfg(feature = "wwd")]
            Self::Level(level, file) => then(&(*level, *file)),
            #[cfg(feature = "wwd")]
            Self::Outline(outline) => then(*outline),
            #[cfg(feature = "wpd")]
            Self::Table(table) => then(*table),
            #[cfg(feature = "wpd")]
            Self::Archive(archive) => then(*archive),
            #[cfg(feature = "wpd")]
            Self::Record(table, row) => then(&(*table, *row)),
            #[cfg(feature = "rez")]
            Self::Rez(directory) => then(directory),
            #[cfg(feature = "rez")]
            Self::Picture(picture) => then(picture),
            #[cfg(feature = "island")]
            Self::Database(database) => then(*database),
            #[cfg(feature = "island")]
            Self::World(world) => then(world),
            #[cfg(feature = "island")]
            Self::Textures(file) => then(file),
            Self::Data(source) => then(source),
        }
    }

    /// Returns what it is.
    pub fn kind(&self) -> Kind {
        self.with(|view| view.kind())
    }

    /// Returns the short name of its format; `None` for data in no known format.
    pub fn format(&self) -> Option<&'static str> {
        self.with(|view| view.format())
    }

    /// Calls `then` with the description. For an archive, this covers its members but not their contents, and for a record
    /// its whole table. Returns `None` for the headers of a level and for data in no known format.
    #[cfg(feature = "inspect")]
    pub fn describe<T>(&self, then: impl FnOnce(&Root<'_>) -> T) -> Option<T> {
        let (mut then, mut result) = (Some(then), None);
        self.with(|view| view.describe(&mut |root| result = then.take().map(|then| then(root))));
        result
    }

    /// Checks everything and passes each finding to `report`: what is broken, suspicious or unusual.
    ///
    /// What was left out when the file was opened is not reported again. An archive is checked without its members, and a
    /// record and a directory below the root not at all. A broken file can have millions of findings.
    pub fn check(&self, report: &mut dyn FnMut(&AnyFinding<'_, '_>)) {
        self.with(|view| view.check(report));
    }

    /// Calls `then` with the descriptions by which two assets are compared, as by `worldview diff`. `bytes` are those of
    /// their files. What is nested in archives is opened as `opener` does, with its field names.
    ///
    /// Returns `None` if they are of different kinds or cannot be compared.
    #[cfg(feature = "inspect")]
    pub fn compare<T>(
        &self,
        other: &Asset<'_, '_>,
        bytes: [&[u8]; 2],
        opener: &Opener<'_>,
        then: impl FnOnce(&Root<'_>, &Root<'_>) -> T,
    ) -> Option<T> {
        match (self, other) {
            #[cfg(feature = "wpd")]
            (Self::Table(left), Asset::Table(right)) => Some(wpd::compare_tables(left, right, then)),
            #[cfg(feature = "wpd")]
            (Self::Archive(left), Asset::Archive(right)) => Some(wpd::compare_archives(left, right, opener, then)),
            #[cfg(feature = "wpd")]
            (Self::Record(..), _) => None,
            #[cfg(feature = "rez")]
            (Self::Rez(left), Asset::Rez(right)) => Some(rez::compare_directories(*left, *right, then)),
            _ if self.kind() != other.kind() => None,
            _ => {
                let [left_bytes, right_bytes] = bytes;
                let with_left =
                    |left: &Root<'_>| other.describe(|right| then(&left.file(left_bytes), &right.file(right_bytes)));
                self.describe(with_left).flatten()
            }
        }
    }
}

/// The findings of lossy opening, in order. They are those of one format.
#[non_exhaustive]
#[derive(Clone, Copy, Debug)]
pub enum Findings<'v, 'a> {
    /// No findings.
    None,
    /// Findings about a level: first from unpacking, then from parsing.
    #[cfg(feature = "wwd")]
    Level(&'v [crate::wwd::Finding<'a>]),
    /// Findings about an archive or table: first from opening the archive, then from opening the table.
    #[cfg(feature = "wpd")]
    Archive(&'v [crate::wpd::Finding<'a>]),
    /// Findings about a REZ archive, or about a picture.
    #[cfg(feature = "rez")]
    Rez(&'v [crate::rez::Finding<'a>]),
    /// Findings about the directory of a database.
    #[cfg(feature = "island")]
    Database(&'v [crate::island::Finding<'a>]),
}

impl Findings<'_, '_> {
    /// Passes each finding to `report`.
    pub fn each(&self, report: &mut dyn FnMut(&AnyFinding<'_, '_>)) {
        fn each<K: FindingCode>(findings: &[Finding<'_, K>], report: &mut dyn FnMut(&AnyFinding<'_, '_>)) {
            findings.iter().for_each(|finding| report(&finding.any()));
        }
        match self {
            Self::None => {}
            #[cfg(feature = "wwd")]
            Self::Level(findings) => each(findings, report),
            #[cfg(feature = "wpd")]
            Self::Archive(findings) => each(findings, report),
            #[cfg(feature = "rez")]
            Self::Rez(findings) => each(findings, report),
            #[cfg(feature = "island")]
            Self::Database(findings) => each(findings, report),
        }
    }

    /// Returns the number of findings.
    pub const fn len(&self) -> usize {
        match self {
            Self::None => 0,
            #[cfg(feature = "wwd")]
            Self::Level(findings) => findings.len(),
            #[cfg(feature = "wpd")]
            Self::Archive(findings) => findings.len(),
            #[cfg(feature = "rez")]
            Self::Rez(findings) => findings.len(),
            #[cfg(feature = "island")]
            Self::Database(findings) => findings.len(),
        }
    }

    /// Returns whether there are no findings.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A part of a file that was opened by [`Opener::open`](crate::Opener::open).
#[non_exhaustive]
#[derive(Clone, Copy, Debug)]
pub struct Opened<'v, 'a> {
    /// The opened part.
    pub asset: Asset<'v, 'a>,
    /// The members that lead to the part, outermost first; empty for the file itself.
    #[cfg(feature = "wpd")]
    pub members: &'v [crate::wpd::Member<'a>],
    /// The file of a REZ archive that the part is. Offsets in the part count from its first byte.
    #[cfg(feature = "rez")]
    pub file: Option<crate::rez::File<'v, 'a>>,
    /// What had to be left out; empty if the part was opened strictly.
    pub findings: Findings<'v, 'a>,
    /// For a table, why it uses none of the field names set with [`Opener::schemas`](crate::Opener::schemas).
    #[cfg(feature = "wpd")]
    pub schema: Option<SchemaNote<'v>>,
}

impl<'v, 'a> Opened<'v, 'a> {
    /// Creates what is passed on for a file itself.
    pub(crate) const fn new(asset: Asset<'v, 'a>, findings: Findings<'v, 'a>) -> Self {
        Self {
            asset,
            #[cfg(feature = "wpd")]
            members: &[],
            #[cfg(feature = "rez")]
            file: None,
            findings,
            #[cfg(feature = "wpd")]
            schema: None,
        }
    }

    /// Returns the names of the members that lead to the part, joined by `/`; empty for the file itself.
    pub fn path_in_file(&self) -> String {
        self.names().join("/")
    }

    /// Returns the names of the members or directories that lead to the part, outermost first.
    pub fn names(&self) -> Vec<String> {
        #[cfg(feature = "rez")]
        match (self.file, self.asset) {
            (Some(file), _) => return rez::texts(file.path()),
            (None, Asset::Rez(directory)) => return rez::texts(directory.path()),
            _ => {}
        }
        #[cfg(feature = "wpd")]
        return self.members.iter().map(label).collect();
        #[cfg(not(feature = "wpd"))]
        Vec::new()
    }
}

/// A part of a file that [`Opener::open`](crate::Opener::open) could not open.
#[non_exhaustive]
#[derive(Clone, Copy, Debug)]
pub struct Failed<'v, 'a> {
    /// The error.
    pub error: OpenError,
    /// The members that lead to the part, outermost first; empty for the file itself.
    #[cfg(feature = "wpd")]
    pub members: &'v [crate::wpd::Member<'a>],
    /// The file of a REZ archive that the part is.
    #[cfg(feature = "rez")]
    pub file: Option<crate::rez::File<'v, 'a>>,
    /// The findings before the error.
    pub findings: Findings<'v, 'a>,
}

impl<'v, 'a> Failed<'v, 'a> {
    /// Creates what is passed on for a file itself.
    pub(crate) fn new(error: impl Into<OpenError>, findings: Findings<'v, 'a>) -> Self {
        Self {
            error: error.into(),
            #[cfg(feature = "wpd")]
            members: &[],
            #[cfg(feature = "rez")]
            file: None,
            findings,
        }
    }

    /// Returns the names of the members that lead to the part, joined by `/`; empty for the file itself.
    pub fn path_in_file(&self) -> String {
        self.names().join("/")
    }

    /// Returns the names of the members or directories that lead to the part, outermost first.
    pub fn names(&self) -> Vec<String> {
        #[cfg(feature = "rez")]
        if let Some(file) = self.file {
            return rez::texts(file.path());
        }
        #[cfg(feature = "wpd")]
        return self.members.iter().map(label).collect();
        #[cfg(not(feature = "wpd"))]
        Vec::new()
    }
}

worldview_core::assert_send_sync!(Asset<'_, '_>, Findings<'_, '_>, Opened<'_, '_>, Failed<'_, '_>);
