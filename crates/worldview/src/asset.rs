#[cfg(feature = "inspect")]
mod compare;
mod lost_objects;

use worldview_core::{AnyFinding, Result, Source};
#[cfg(feature = "inspect")]
use worldview_inspect::Root;
use worldview_island::{self as island, Contents, Database, TextureFile};
use worldview_rez::{self as rez, Picture, PictureKind};
use worldview_wpd::{self as wpd, Archive, Member, Refusal, Row, Schema, Table};
use worldview_wwd::{self as wwd, Level, Outline, Unpacked};

use crate::{Format, Kind, OpenError};

/// An opened file or part of a file, for tools that handle files of every kind.
///
/// `'v` is the lifetime of the view, `'a` that of the underlying bytes.
#[non_exhaustive]
#[derive(Clone, Copy, Debug)]
pub enum Asset<'v, 'a> {
    /// A WWD level, and the unpacked file that contains it.
    Level(&'v Level<'a>, &'v Unpacked<'a>),
    /// The headers of a WWD level, if only these were requested with [`Opener::outline`](crate::Opener::outline).
    Outline(&'v Outline<'a>),
    /// A WDB table.
    Table(&'v Table<'a>),
    /// A WPD archive that is not a table.
    Archive(&'v Archive<'a>),
    /// A record of a table, if a path leads to one: [`Opener::select`](crate::Opener::select).
    Record(&'v Table<'a>, Row<'v, 'a>),
    /// A member of an archive, or a file of a REZ archive, that is in no other known format, if a path leads to one.
    Data(Source<'a>),
    /// A REZ archive: its root directory, or the directory that a path leads to.
    Rez(rez::Directory<'v, 'a>),
    /// A picture: a file of its own, or in a REZ archive.
    Picture(Picture<'a>),
    /// The directory of WORLD.WDB, which is what [`Opener`](crate::Opener) reads.
    Database(&'v Database<'a>),
    /// A WORLD.WDB of which everything has been read.
    World(World<'v, 'a>),
    /// A list of textures: a `.tex` file.
    Textures(TextureFile<'a>),
}

/// A WORLD.WDB: its directory, and the contents of its chunks and blobs.
#[derive(Clone, Copy, Debug)]
pub struct World<'v, 'a> {
    /// The directory.
    pub database: &'v Database<'a>,
    /// What it refers to.
    pub contents: &'v Contents<'a>,
}

impl<'a> Asset<'_, 'a> {
    /// Parses a file of a format whose view needs nothing but its bytes. Returns `None` for other formats. If `report` is
    /// given, as much as possible is opened.
    pub(crate) fn parse(format: Format, source: Source<'a>, report: Option<Report<'_, 'a>>) -> Option<Result<Self>> {
        let picture = |kind| Some(Picture::parse(kind, source).map(Self::Picture));
        match format {
            Format::Pid => picture(PictureKind::Pid),
            Format::Pcx => picture(PictureKind::Pcx),
            Format::Rid => picture(PictureKind::Rid),
            Format::Tex => Some(match report {
                Some(report) => TextureFile::parse_lossy(source, report).map(Self::Textures),
                None => TextureFile::parse(source).map(Self::Textures),
            }),
            Format::Island | Format::Rez | Format::Wpd | Format::Wwd => None,
        }
    }
}

/// What [`Asset::parse`] calls with its findings.
type Report<'r, 'a> = &'r mut dyn FnMut(island::Finding<'a>);

impl Asset<'_, '_> {
    /// Returns what it is.
    pub const fn kind(&self) -> Kind {
        match self {
            Self::Level(..) | Self::Outline(_) => Kind::Level,
            Self::Table(_) => Kind::Table,
            Self::Archive(_) | Self::Rez(_) => Kind::Archive,
            Self::Picture(_) => Kind::Picture,
            Self::Record(..) => Kind::Record,
            Self::Data(_) => Kind::Data,
            Self::Database(_) | Self::World(_) => Kind::Database,
            Self::Textures(_) => Kind::Textures,
        }
    }

    /// Returns the short name of its format; `None` for data in no known format.
    pub const fn format(&self) -> Option<&'static str> {
        Some(match self {
            Self::Level(..) | Self::Outline(_) => "wwd",
            Self::Table(_) | Self::Record(..) => "wdb",
            Self::Archive(_) => "wpd",
            Self::Rez(_) => "rez",
            Self::Picture(picture) => match picture.kind() {
                PictureKind::Pid => "pid",
                PictureKind::Pcx => "pcx",
                PictureKind::Rid => "rid",
                _ => "bmp",
            },
            Self::Database(_) | Self::World(_) => "world",
            Self::Textures(_) => "tex",
            Self::Data(_) => return None,
        })
    }

    /// Calls `then` with the description. For an archive, this covers its members but not their contents, and for a record
    /// its whole table. Returns `None` for the headers of a level and for data in no known format.
    #[cfg(feature = "inspect")]
    pub fn describe<T>(&self, then: impl FnOnce(&Root<'_>) -> T) -> Option<T> {
        let format = self.format()?;
        Some(match *self {
            Self::Level(level, file) => {
                let described = wwd::LevelDescription::new(file, level);
                then(&Root::new(format, level.image(), &described).besides(file.trailing().len() as u64))
            }
            Self::Table(table) | Self::Record(table, _) => then(&Root::new(format, table.archive().source(), table)),
            Self::Archive(archive) => {
                then(&Root::new(format, archive.source(), &wpd::ArchiveDescription::new(archive).max_depth(0)))
            }
            Self::Rez(directory) => {
                let described = rez::RezDescription::new(directory.archive()).directory(directory).opens_files(false);
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
                then(&Root::new(format, database.source(), &island::DatabaseDescription::new(database, &contents)))
            }
            Self::World(World { database, contents }) => {
                then(&Root::new(format, database.source(), &island::DatabaseDescription::new(database, contents)))
            }
            Self::Textures(file) => then(&Root::new(format, file.source(), &file)),
            Self::Outline(_) | Self::Data(_) => return None,
        })
    }

    /// Checks everything and passes each finding to `report`: what is broken, suspicious or unusual.
    ///
    /// What was left out when the file was opened is not reported again. An archive is checked without its members, and a
    /// record and a directory below the root not at all. A broken file can have millions of findings.
    pub fn check(&self, report: &mut dyn FnMut(&AnyFinding<'_, '_>)) {
        match *self {
            Self::Level(level, file) => wwd::check(file, level, &mut |finding| report(&finding.any())),
            Self::Table(table) => wpd::check_table(table, &mut |finding| report(&finding.any())),
            Self::Archive(archive) => wpd::check_archive(archive, &mut |finding| report(&finding.any())),
            Self::Rez(directory) if directory.parent().is_none() => {
                rez::check_archive(directory.archive(), &mut |finding| report(&finding.any()));
            }
            Self::Picture(picture) => rez::check_picture(&picture, &mut |finding| report(&finding.any())),
            Self::Database(database) => {
                let contents = Contents::read(database);
                World { database, contents: &contents }.check(&|_| true, report);
            }
            Self::World(world) => world.check(&|_| true, report),
            Self::Textures(file) => island::check_textures(&file, &mut |finding| report(&finding.any())),
            Self::Rez(_) | Self::Record(..) | Self::Data(_) | Self::Outline(_) => {}
        }
    }
}

/// The findings of lossy opening, in order. They are those of one format.
#[non_exhaustive]
#[derive(Clone, Copy, Debug)]
pub enum Findings<'v, 'a> {
    /// Findings about a level: first from unpacking, then from parsing.
    Level(&'v [wwd::Finding<'a>]),
    /// Findings about an archive or table: first from opening the archive, then from opening the table.
    Archive(&'v [wpd::Finding<'a>]),
    /// Findings about a REZ archive, or about a picture.
    Rez(&'v [rez::Finding<'a>]),
    /// Findings about the directory of a database.
    Database(&'v [island::Finding<'a>]),
}

impl Findings<'_, '_> {
    pub(crate) const NONE: Self = Self::Archive(&[]);

    /// Passes each finding to `report`.
    pub fn each(&self, report: &mut dyn FnMut(&AnyFinding<'_, '_>)) {
        match self {
            Self::Level(findings) => findings.iter().for_each(|finding| report(&finding.any())),
            Self::Archive(findings) => findings.iter().for_each(|finding| report(&finding.any())),
            Self::Rez(findings) => findings.iter().for_each(|finding| report(&finding.any())),
            Self::Database(findings) => findings.iter().for_each(|finding| report(&finding.any())),
        }
    }

    /// Returns the number of findings.
    pub const fn len(&self) -> usize {
        match self {
            Self::Level(findings) => findings.len(),
            Self::Archive(findings) => findings.len(),
            Self::Rez(findings) => findings.len(),
            Self::Database(findings) => findings.len(),
        }
    }

    /// Returns whether there are no findings.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Why a table does not use the field names that the caller supplied.
#[non_exhaustive]
#[derive(Clone, Copy, Debug)]
pub enum SchemaNote<'v> {
    /// A schema applies to the table, but does not fit it.
    Refused {
        /// The schema.
        schema: &'v Schema,
        /// What does not fit.
        why: Refusal,
    },
    /// No schema applies to the table, which has no names of its own.
    Unlisted {
        /// The table's layout version, by which a schema could select it.
        layout_version: Option<u32>,
    },
}

/// A part of a file that was opened by [`Opener::open`](crate::Opener::open).
#[non_exhaustive]
#[derive(Clone, Copy, Debug)]
pub struct Opened<'v, 'a> {
    /// The opened part.
    pub asset: Asset<'v, 'a>,
    /// The members that lead to the part, outermost first; empty for the file itself.
    pub members: &'v [Member<'a>],
    /// The file of a REZ archive that the part is. Offsets in the part count from its first byte.
    pub file: Option<rez::File<'v, 'a>>,
    /// What had to be left out; empty if the part was opened strictly.
    pub findings: Findings<'v, 'a>,
    /// For a table, why it uses none of the field names set with [`Opener::schemas`](crate::Opener::schemas).
    pub schema: Option<SchemaNote<'v>>,
}

impl Opened<'_, '_> {
    /// Returns the names of the members that lead to the part, joined by `/`; empty for the file itself.
    pub fn path_in_file(&self) -> String {
        self.names().join("/")
    }

    /// Returns the names of the members or directories that lead to the part, outermost first.
    pub fn names(&self) -> Vec<String> {
        match (self.file, self.asset) {
            (None, Asset::Rez(directory)) => texts(directory.path()),
            (file, _) => names(self.members, file),
        }
    }
}

/// A part of a file that [`Opener::open`](crate::Opener::open) could not open.
#[non_exhaustive]
#[derive(Clone, Copy, Debug)]
pub struct Failed<'v, 'a> {
    /// The error.
    pub error: OpenError,
    /// The members that lead to the part, outermost first; empty for the file itself.
    pub members: &'v [Member<'a>],
    /// The file of a REZ archive that the part is.
    pub file: Option<rez::File<'v, 'a>>,
    /// The findings before the error.
    pub findings: Findings<'v, 'a>,
}

impl<'v, 'a> Failed<'v, 'a> {
    pub(crate) fn new(error: impl Into<OpenError>, members: &'v [Member<'a>], findings: Findings<'v, 'a>) -> Self {
        Self { error: error.into(), members, file: None, findings }
    }

    /// Returns the names of the members that lead to the part, joined by `/`; empty for the file itself.
    pub fn path_in_file(&self) -> String {
        self.names().join("/")
    }

    /// Returns the names of the members or directories that lead to the part, outermost first.
    pub fn names(&self) -> Vec<String> {
        names(self.members, self.file)
    }
}

fn names(members: &[Member<'_>], file: Option<rez::File<'_, '_>>) -> Vec<String> {
    match file {
        Some(file) => texts(file.path()),
        None => members.iter().map(label).collect(),
    }
}

fn texts(path: rez::EntryPath<'_, '_>) -> Vec<String> {
    path.names().iter().map(|name| String::from_utf8_lossy(name).into_owned()).collect()
}

/// Returns a member's name and extension, as text.
pub(crate) fn label(member: &Member<'_>) -> String {
    String::from_utf8_lossy(&member.label()).into_owned()
}

worldview_core::assert_send_sync!(Asset<'_, '_>, Findings<'_, '_>, SchemaNote<'_>, Opened<'_, '_>, Failed<'_, '_>);
