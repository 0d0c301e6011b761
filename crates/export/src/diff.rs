//! What differs between two files of one kind: planes, objects, records, members, models, and their fields.
//!
//! The comparison is of what files say and not of where they say it: offsets, checksums, packing, the order of pools
//! and of blobs are no differences. Things are matched by name, or by id where they have one, and several of one name
//! in their order. That a list has another order is told once, as a field `order` with the first thing that stands
//! elsewhere.
//!
//! Swapping the files swaps [`Change::Added`] with [`Change::Removed`] and the two sides of each difference.

mod archive;
mod blob;
mod database;
mod level;
mod mesh;
mod named;
mod object;
mod pairs;
mod plane;
mod report;
mod table;
mod trailer;
mod trees;

use std::fmt;

use worldview_island::{Contents, Database};
use worldview_wpd::{Archive, Nesting, Schemas, Table};
use worldview_wwd::{Level, Unpacked};

use crate::place::Quoted;
use crate::{Encoding, Result};
use report::Report;

/// What became of a thing on the way from the left file to the right one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// Only the right file has it.
    Added,
    /// Only the left file has it.
    Removed,
    /// Both have it, and it is not the same.
    Changed,
}

impl Change {
    /// The word used in machine output: `added`, `removed` or `changed`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Changed => "changed",
        }
    }

    /// The sign that begins a line of text: `+`, `-` or `~`.
    pub const fn sign(self) -> char {
        match self {
            Self::Added => '+',
            Self::Removed => '-',
            Self::Changed => '~',
        }
    }
}

/// One side of a [`Difference`].
///
/// It prints as people should see it: text in quotes, with control characters as `\x00`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side<'d> {
    /// Text of the file, decoded.
    Text(&'d str),
    /// Anything else, as it is written.
    Value(&'d str),
}

impl<'d> Side<'d> {
    /// The text or value as it is, without quotes.
    pub const fn as_str(self) -> &'d str {
        match self {
            Self::Text(text) | Self::Value(text) => text,
        }
    }
}

impl fmt::Display for Side<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => Quoted(text).fmt(f),
            Self::Value(value) => f.write_str(value),
        }
    }
}

/// One difference: where, what, and both sides.
///
/// With the feature `json` it serialises as `change`, `place`, `field`, `left`, `right`, `count`, all of them always;
/// the sides are texts or null.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference<'d> {
    /// Whether it is new, gone or another.
    pub change: Change,
    /// The thing, and those around it, the outermost first: `plane 1 "Action", object 4 (id 17)`. Its number is that of
    /// the left file, or of the right one if it was added; long names are cut.
    pub place: &'d str,
    /// The field; empty where the thing itself was added or removed.
    pub field: &'d str,
    /// What the left file has.
    pub left: Option<Side<'d>>,
    /// What the right file has.
    pub right: Option<Side<'d>>,
    /// How many elements of the field differ, of which the sides are the first; 1 for most. Where something changed and
    /// there are no sides, how many more differ than were told one by one.
    pub count: u64,
}

impl fmt::Display for Difference<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.change.sign(), self.place)?;
        if !self.field.is_empty() {
            write!(f, ": {}", self.field)?;
        }
        match (self.left, self.right) {
            (Some(left), Some(right)) => write!(f, ": {left} -> {right}")?,
            (Some(side), None) | (None, Some(side)) => write!(f, ": {side}")?,
            (None, None) if self.change == Change::Changed => return write!(f, ": {} more", self.count),
            (None, None) => {}
        }
        if self.count > 1 {
            write!(f, " (the first of {})", self.count)?;
        }
        Ok(())
    }
}

#[cfg(feature = "json")]
impl serde::Serialize for Difference<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap as _;
        let mut map = serializer.serialize_map(Some(6))?;
        map.serialize_entry("change", self.change.name())?;
        map.serialize_entry("place", self.place)?;
        map.serialize_entry("field", self.field)?;
        map.serialize_entry("left", &self.left.map(Side::as_str))?;
        map.serialize_entry("right", &self.right.map(Side::as_str))?;
        map.serialize_entry("count", &self.count)?;
        map.end()
    }
}

/// How files are compared.
#[derive(Clone, Copy, Debug)]
pub struct Options<'o> {
    /// The code page of levels and databases.
    pub encoding: Encoding,
    /// How many cells of a plane are told one by one; the others are counted.
    pub cells: usize,
    /// Names of fields for tables in archives, before the built-in ones.
    pub schemas: Option<&'o Schemas>,
    /// How deep archives in archives are entered; deeper ones are compared as bytes.
    pub deepest: u32,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self { encoding: Encoding::default(), cells: 100, schemas: None, deepest: Nesting::DEEPEST }
    }
}

/// Where differences go, one by one.
pub type Note<'n> = &'n mut dyn FnMut(&Difference<'_>);

/// Compares two levels, each as it was unpacked and parsed.
///
/// Planes are matched by name, then by number; objects by equal content, then by ids that occur once, then by what they
/// have in common; image sets and tile attributes by number, since tiles refer to them by it. How a level is stored is
/// no difference. Levels should be opened alike: one that was opened lossily lacks what is broken in it.
///
/// # Errors
///
/// An object or image-set name that breaks off; overlapping parts past the walk's limit.
pub fn levels(
    left: (&Unpacked<'_>, &Level<'_>),
    right: (&Unpacked<'_>, &Level<'_>),
    options: &Options<'_>,
    note: Note<'_>,
) -> Result<()> {
    level::compare(left, right, options, &mut Report::new(note, options.encoding))
}

/// Compares two tables.
///
/// Fields and records are matched by name, and every value of a record with the value of the same field. Floats are
/// equal if their bits are; strings are compared as text, wherever in the pool they lie. A field whose type changed is
/// told, and its values are not. Where the fields of one table have names and those of the other have none, words are
/// compared. Strings that no record has are not.
///
/// # Errors
///
/// Overlapping records, or strings that are referred to again and again, past the walk's limit.
pub fn tables(left: &Table<'_>, right: &Table<'_>, note: Note<'_>) -> Result<()> {
    table::compare(left, right, &mut Report::new(note, Encoding::default()))
}

/// Compares two archives that are no tables themselves.
///
/// Members are matched by name and extension. Where both are tables, or both archives, they are compared as such, and
/// their place is the way to them; all others are compared as bytes.
///
/// # Errors
///
/// Overlapping members past the walk's limit, and those of [`tables`].
pub fn archives(left: &Archive<'_>, right: &Archive<'_>, options: &Options<'_>, note: Note<'_>) -> Result<()> {
    archive::compare(left, right, options, &mut Report::new(note, options.encoding))
}

/// Compares two databases, each with its contents.
///
/// Worlds, references, parts, ROIs, nodes and textures are matched by name, whatever its case; keys of an animation
/// by their time; levels of detail and meshes by number. Blobs are compared through the references that lead to them,
/// each pair once, and meshes by what they are when they are rebuilt.
///
/// # Errors
///
/// Overlapping blobs past the walk's limit.
pub fn databases(
    left: (&Database<'_>, &Contents<'_>),
    right: (&Database<'_>, &Contents<'_>),
    options: &Options<'_>,
    note: Note<'_>,
) -> Result<()> {
    database::compare(left, right, &mut Report::new(note, options.encoding))
}
