use worldview_island::{self as island, Database};
use worldview_rez::{self as rez, Picture};
use worldview_wpd::{self as wpd, Archive, Member, Refusal, Row, Schema, Table};
use worldview_wwd::{self as wwd, Level, Outline, Unpacked};

use crate::OpenError;

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
    /// A member of an archive that is not itself an archive, if a path leads to one.
    Data(Member<'a>),
    /// A REZ archive: its root directory, or the directory that a path leads to.
    Rez(rez::Directory<'v, 'a>),
    /// A picture: a file of its own, or in a REZ archive.
    Picture(Picture<'a>),
    /// A file in a REZ archive that is in no other known format, if a path leads to it.
    File(rez::File<'v, 'a>),
    /// The directory of WORLD.WDB. [`Contents`](island::Contents) opens the rest.
    Database(&'v Database<'a>),
}

impl Asset<'_, '_> {
    /// Returns the name of the kind: `level`, `table`, `archive`, `record`, `data`, `picture` or `database`.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Level(..) | Self::Outline(_) => "level",
            Self::Table(_) => "table",
            Self::Archive(_) | Self::Rez(_) => "archive",
            Self::Picture(_) => "picture",
            Self::Record(..) => "record",
            Self::Data(_) | Self::File(_) => "data",
            Self::Database(_) => "database",
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
    let mut label = String::from_utf8_lossy(member.name()).into_owned();
    if !member.extension().is_empty() {
        label.push('.');
        label.push_str(&String::from_utf8_lossy(member.extension()));
    }
    label
}

worldview_core::assert_send_sync!(Asset<'_, '_>, Findings<'_, '_>, SchemaNote<'_>, Opened<'_, '_>, Failed<'_, '_>);
