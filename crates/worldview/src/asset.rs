//! An opened file, or a part of one, of any format.

use worldview_core::{AnyFinding, Error, Finding, FindingCode, Source};

use crate::{Format, Kind, OpenError};

/// A view of a file, or of a part of one: one variant for each kind. Each needs the feature of its format.
///
/// Like all views it borrows only bytes: those of the file, and the image of a packed level.
#[non_exhaustive]
#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "there is one for each file, and a box would be an allocation for each")]
pub enum Asset<'a> {
    /// A WWD level, and the unpacked file that contains it.
    #[cfg(feature = "wwd")]
    Level(crate::wwd::Level<'a>, crate::wwd::Unpacked<'a>),
    /// The headers of a WWD level, if only these were requested with [`Options::outline`](crate::Options::outline).
    #[cfg(feature = "wwd")]
    Outline(crate::wwd::Outline<'a>),
    /// A WDB table.
    #[cfg(feature = "wpd")]
    Table(crate::wpd::Table<'a>),
    /// A WPD archive that is not a table.
    #[cfg(feature = "wpd")]
    Archive(crate::wpd::Archive<'a>),
    /// A REZ archive.
    #[cfg(feature = "rez")]
    Rez(crate::rez::Rez<'a>),
    /// A picture: a file of its own, or in a REZ archive.
    #[cfg(feature = "rez")]
    Picture(crate::rez::Picture<'a>),
    /// The directory of WORLD.WDB. `island::Contents` reads what it refers to.
    #[cfg(feature = "island")]
    Database(crate::island::Database<'a>),
    /// A list of textures: a `.tex` file.
    #[cfg(feature = "island")]
    Textures(crate::island::TextureFile<'a>),
    /// A member of an archive, or a file of a REZ archive, that is in no other known format.
    Data(Source<'a>),
}

/// The part of an asset that is meant. Records and directories borrow from their asset, so they are not assets but places in one:
/// `Asset::row` and `Asset::directory` return their views.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum At {
    /// All of it.
    #[default]
    Whole,
    /// A record of a table, by its index.
    Record(usize),
    /// A directory of a REZ archive, by its index in the archive.
    Directory(u32),
}

impl<'a> Asset<'a> {
    /// Returns what it is, the short name of its format, and the format of a file that has no members.
    const fn facts(&self) -> (Kind, &'static str, Option<Format>) {
        match self {
            #[cfg(feature = "wwd")]
            Self::Level(..) | Self::Outline(_) => (Kind::Level, "wwd", Some(Format::Wwd)),
            #[cfg(feature = "wpd")]
            Self::Table(_) => (Kind::Table, "wdb", None),
            #[cfg(feature = "wpd")]
            Self::Archive(_) => (Kind::Archive, "wpd", None),
            #[cfg(feature = "rez")]
            Self::Rez(_) => (Kind::Archive, "rez", None),
            #[cfg(feature = "rez")]
            Self::Picture(picture) => match picture.kind() {
                crate::rez::PictureKind::Pid => (Kind::Picture, "pid", Some(Format::Pid)),
                crate::rez::PictureKind::Pcx => (Kind::Picture, "pcx", Some(Format::Pcx)),
                crate::rez::PictureKind::Rid => (Kind::Picture, "rid", Some(Format::Rid)),
                _ => (Kind::Picture, "bmp", None),
            },
            #[cfg(feature = "island")]
            Self::Database(_) => (Kind::Database, "world", Some(Format::Island)),
            #[cfg(feature = "island")]
            Self::Textures(_) => (Kind::Textures, "tex", Some(Format::Tex)),
            Self::Data(_) => (Kind::Data, "", None),
        }
    }

    /// Returns what it is.
    pub const fn kind(&self, at: At) -> Kind {
        match (self.facts().0, at) {
            (Kind::Table, At::Record(_)) => Kind::Record,
            (kind, _) => kind,
        }
    }

    /// Returns the short name of its format; `None` for data in no known format.
    pub fn format(&self) -> Option<&'static str> {
        Some(self.facts().1).filter(|name| !name.is_empty())
    }

    /// Returns why nothing is inside of it.
    pub(crate) fn without_members(&self) -> OpenError {
        self.facts().2.map_or(OpenError::InsideData, OpenError::NoMembers)
    }

    /// Returns the bytes that it was parsed from: the image of a level. The headers of a level have none.
    pub fn source(&self) -> Source<'a> {
        match self {
            #[cfg(feature = "wwd")]
            Self::Level(level, _) => level.image(),
            #[cfg(feature = "wwd")]
            Self::Outline(_) => Source::from(&[][..]),
            #[cfg(feature = "wpd")]
            Self::Table(table) => table.archive().source(),
            #[cfg(feature = "wpd")]
            Self::Archive(archive) => archive.source(),
            #[cfg(feature = "rez")]
            Self::Rez(rez) => rez.source(),
            #[cfg(feature = "rez")]
            Self::Picture(picture) => picture.source(),
            #[cfg(feature = "island")]
            Self::Database(database) => database.source(),
            #[cfg(feature = "island")]
            Self::Textures(file) => file.source(),
            Self::Data(source) => *source,
        }
    }

    /// Returns the record that is meant; `None` if it is none.
    #[cfg(feature = "wpd")]
    pub fn row(&self, at: At) -> Option<crate::wpd::Row<'_, 'a>> {
        match (self, at) {
            (Self::Table(table), At::Record(index)) => table.get(index),
            _ => None,
        }
    }

    /// Returns the directory of a REZ archive that is meant, which is the root for the whole archive; `None` if it is none.
    #[cfg(feature = "rez")]
    pub fn directory(&self, at: At) -> Option<crate::rez::Directory<'_, 'a>> {
        match (self, at) {
            (Self::Rez(rez), At::Directory(index)) => rez.directory_at(index),
            (Self::Rez(rez), At::Whole) => Some(rez.root()),
            _ => None,
        }
    }

    /// Checks all of it and passes each finding to `report`: what is broken, suspicious or unusual.
    ///
    /// What was left out when the file was opened is not reported again. An archive is checked without its members, and the
    /// headers of a level are not checked. A broken file can have millions of findings.
    pub fn check(&self, report: &mut dyn FnMut(&AnyFinding<'_, '_>)) {
        match self {
            #[cfg(feature = "wwd")]
            Self::Level(level, file) => crate::wwd::check(file, level, &mut |finding| report(&finding.any())),
            #[cfg(feature = "wwd")]
            Self::Outline(_) => {}
            #[cfg(feature = "wpd")]
            Self::Table(table) => crate::wpd::check_table(table, &mut |finding| report(&finding.any())),
            #[cfg(feature = "wpd")]
            Self::Archive(archive) => crate::wpd::check_archive(archive, &mut |finding| report(&finding.any())),
            #[cfg(feature = "rez")]
            Self::Rez(rez) => crate::rez::check_archive(rez, &mut |finding| report(&finding.any())),
            #[cfg(feature = "rez")]
            Self::Picture(picture) => crate::rez::check_picture(picture, &mut |finding| report(&finding.any())),
            #[cfg(feature = "island")]
            Self::Database(database) => {
                crate::island::check_grouped(database, &crate::island::Contents::read(database), &|_| true, report);
            }
            #[cfg(feature = "island")]
            Self::Textures(file) => crate::island::check_textures(file, &mut |finding| report(&finding.any())),
            Self::Data(_) => {}
        }
    }
}

/// The findings of lossy opening, in order. They are those of one format.
#[non_exhaustive]
#[derive(Clone, Debug, Default)]
pub enum Findings<'a> {
    /// No findings.
    #[default]
    None,
    /// Findings about a level: first from unpacking, then from parsing.
    #[cfg(feature = "wwd")]
    Level(Vec<crate::wwd::Finding<'a>>),
    /// Findings about an archive or table: first from opening the archive, then from opening the table.
    #[cfg(feature = "wpd")]
    Archive(Vec<crate::wpd::Finding<'a>>),
    /// Findings about a REZ archive.
    #[cfg(feature = "rez")]
    Rez(Vec<crate::rez::Finding<'a>>),
    /// Findings about the directory of a database, or about a list of textures.
    #[cfg(feature = "island")]
    Database(Vec<crate::island::Finding<'a>>),
    #[cfg(not(any(feature = "island", feature = "rez", feature = "wpd", feature = "wwd")))]
    #[doc(hidden)]
    Never(core::marker::PhantomData<&'a ()>),
}

impl Findings<'_> {
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
    pub fn len(&self) -> usize {
        let mut count = 0_usize;
        self.each(&mut |_| count = count.saturating_add(1));
        count
    }

    /// Returns whether there are no findings.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A file, or a part of one, that was opened.
#[non_exhaustive]
#[derive(Debug)]
pub struct Opened<'a> {
    /// The view.
    pub asset: Asset<'a>,
    /// The part of it that was asked for: all of it, unless a path led to a record.
    pub at: At,
    /// What had to be left out; empty if the file was opened strictly.
    pub findings: Findings<'a>,
    /// For a table, why it uses none of the field names of [`Options::schemas`](crate::Options::schemas).
    #[cfg(feature = "wpd")]
    pub schema: Option<SchemaNote<'a>>,
}

impl<'a> From<Asset<'a>> for Opened<'a> {
    fn from(asset: Asset<'a>) -> Self {
        Self {
            asset,
            at: At::Whole,
            findings: Findings::None,
            #[cfg(feature = "wpd")]
            schema: None,
        }
    }
}

impl Opened<'_> {
    /// Returns what it is.
    pub const fn kind(&self) -> Kind {
        self.asset.kind(self.at)
    }
}

/// A file, or a part of one, that cannot be opened.
#[non_exhaustive]
#[derive(Debug)]
pub struct Failed<'a> {
    /// The error.
    pub error: OpenError,
    /// The findings before the error.
    pub findings: Findings<'a>,
}

impl From<OpenError> for Failed<'_> {
    fn from(error: OpenError) -> Self {
        Self { error, findings: Findings::None }
    }
}

impl From<Error> for Failed<'_> {
    fn from(error: Error) -> Self {
        OpenError::from(error).into()
    }
}

/// The error; for a level whose compressed data ends early, what ends it.
impl From<Failed<'_>> for OpenError {
    fn from(failed: Failed<'_>) -> Self {
        #[cfg(feature = "wwd")]
        if let Findings::Level(findings) = &failed.findings
            && let Some(cause) = crate::open::cause(findings)
        {
            return Self::Format(cause);
        }
        failed.error
    }
}

/// Why a table does not use the field names that the caller supplied.
#[cfg(feature = "wpd")]
#[non_exhaustive]
#[derive(Clone, Copy, Debug)]
pub enum SchemaNote<'a> {
    /// A schema applies to the table, but does not fit it.
    Refused {
        /// The schema.
        schema: &'a crate::wpd::Schema,
        /// The reason why it does not fit.
        why: crate::wpd::Refusal,
    },
    /// No schema applies to the table, which has no names of its own.
    Unlisted {
        /// The table's layout version, by which a schema could select it.
        layout_version: Option<u32>,
    },
}

worldview_core::assert_send_sync!(Asset<'_>, Findings<'_>, Opened<'_>, Failed<'_>);
