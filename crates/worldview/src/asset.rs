use worldview_island::{self as island, Database};
use worldview_wpd::{self as wpd, Archive, Member, Refusal, Row, Schema, Table};
use worldview_wwd::{self as wwd, Level, Outline, Unpacked};

use crate::OpenError;

/// A file or a part of one, opened: for tools that meet files of every kind.
///
/// `'v` is how long the view is lent, `'a` how long the bytes live that it looks into.
#[non_exhaustive]
#[derive(Clone, Copy, Debug)]
pub enum Asset<'v, 'a> {
    /// A WWD level, and the unpacked file it lies in.
    Level(&'v Level<'a>, &'v Unpacked<'a>),
    /// The headers of a WWD level, where no more was asked for: [`Opener::outline`](crate::Opener::outline).
    Outline(&'v Outline<'a>),
    /// A WDB table.
    Table(&'v Table<'a>),
    /// A WPD archive that is no table.
    Archive(&'v Archive<'a>),
    /// A record of a table, where a path leads to one: [`Opener::at`](crate::Opener::at).
    Record(&'v Table<'a>, Row<'v, 'a>),
    /// A member of an archive that is no archive itself, where a path leads to one.
    Data(Member<'a>),
    /// WORLD.WDB: its directory. [`Contents`](island::Contents) opens the rest.
    Database(&'v Database<'a>),
}

impl Asset<'_, '_> {
    /// The kind's name: `level`, `table`, `archive`, `record`, `data` or `database`.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Level(..) | Self::Outline(_) => "level",
            Self::Table(_) => "table",
            Self::Archive(_) => "archive",
            Self::Record(..) => "record",
            Self::Data(_) => "data",
            Self::Database(_) => "database",
        }
    }
}

/// What lossy opening found, in the order in which it found it: the findings of one format.
#[non_exhaustive]
#[derive(Clone, Copy, Debug)]
pub enum Findings<'v, 'a> {
    /// Of a level: what unpacking found, then what parsing found.
    Level(&'v [wwd::Finding<'a>]),
    /// Of an archive or table: what opening the archive found, then what opening the table found.
    Archive(&'v [wpd::Finding<'a>]),
    /// Of a database's directory.
    Database(&'v [island::Finding<'a>]),
}

impl Findings<'_, '_> {
    pub(crate) const NONE: Self = Self::Archive(&[]);

    /// The number of findings.
    pub const fn len(&self) -> usize {
        match self {
            Self::Level(findings) => findings.len(),
            Self::Archive(findings) => findings.len(),
            Self::Database(findings) => findings.len(),
        }
    }

    /// Whether nothing was found.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Why the field names that a caller gave are not those of a table.
#[non_exhaustive]
#[derive(Clone, Copy, Debug)]
pub enum SchemaNote<'v> {
    /// A schema is for the table, but does not fit it.
    Refused {
        /// The schema.
        schema: &'v Schema,
        /// What does not fit.
        why: Refusal,
    },
    /// None of the schemas is for the table, which has no names of its own.
    Unlisted {
        /// The table's layout version, by which a schema could ask for it.
        layout_version: Option<u32>,
    },
}

/// A part of a file as [`Opener::open`](crate::Opener::open) hands it over.
#[non_exhaustive]
#[derive(Clone, Copy, Debug)]
pub struct Opened<'v, 'a> {
    /// What it is.
    pub asset: Asset<'v, 'a>,
    /// The members that lead to it, the outermost first; none for the file itself.
    pub members: &'v [Member<'a>],
    /// What had to be left out; nothing if it was opened strictly.
    pub findings: Findings<'v, 'a>,
    /// Of a table, why it has none of the field names that [`Opener::schemas`](crate::Opener::schemas) gave.
    pub schema: Option<SchemaNote<'v>>,
}

impl Opened<'_, '_> {
    /// The names of the members that lead to it, joined by `/`; empty for the file itself.
    pub fn inside(&self) -> String {
        inside(self.members)
    }
}

/// A part of a file that [`Opener::open`](crate::Opener::open) could not open.
#[non_exhaustive]
#[derive(Clone, Copy, Debug)]
pub struct Failed<'v, 'a> {
    /// The reason.
    pub error: OpenError,
    /// The members that lead to it, the outermost first; none for the file itself.
    pub members: &'v [Member<'a>],
    /// What was found before it failed.
    pub findings: Findings<'v, 'a>,
}

impl<'v, 'a> Failed<'v, 'a> {
    pub(crate) fn new(error: impl Into<OpenError>, members: &'v [Member<'a>], findings: Findings<'v, 'a>) -> Self {
        Self { error: error.into(), members, findings }
    }

    /// The names of the members that lead to it, joined by `/`; empty for the file itself.
    pub fn inside(&self) -> String {
        inside(self.members)
    }
}

fn inside(members: &[Member<'_>]) -> String {
    members.iter().map(label).collect::<Vec<_>>().join("/")
}

/// A member's name and its extension, as text.
pub(crate) fn label(member: &Member<'_>) -> String {
    let mut label = String::from_utf8_lossy(member.name()).into_owned();
    if !member.extension().is_empty() {
        label.push('.');
        label.push_str(&String::from_utf8_lossy(member.extension()));
    }
    label
}

worldview_core::assert_send_sync!(Asset<'_, '_>, Findings<'_, '_>, SchemaNote<'_>, Opened<'_, '_>, Failed<'_, '_>);
