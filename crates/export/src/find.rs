//! Where a text is in a file: in the names, logics, records, strings and whatever else is text in it.
//!
//! Each text is decoded as the exports have it, and told with its place in the structure and the offset of its first
//! byte. Empty texts are never found.

mod database;
mod level;
mod pattern;
mod search;
mod table;

use std::fmt;

use worldview_core::Space;
use worldview_island::{Contents, Database};
use worldview_wpd::{Archive, Member, Nesting, Schemas, Table};
use worldview_wwd::{Level, Unpacked};

use crate::place::Quoted;
use crate::{Encoding, Result};
use search::Search;

pub use pattern::Pattern;

/// One text that the pattern matches.
///
/// With the feature `json` it serialises as `place`, `what`, `text`, `at` and `space`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit<'h> {
    /// The thing that has the text, and those around it, the outermost first: `plane 1 "Action", object 4 (id 17)`.
    pub place: &'h str,
    /// What the text is of it: `logic`, `record`, `string`, `texture` and so on.
    pub what: &'static str,
    /// The text, decoded; control characters may be in it.
    pub text: &'h str,
    /// Offset of its first byte, counted in [`space`](Self::space).
    pub at: u64,
    /// What [`at`](Self::at) counts in.
    pub space: Space,
}

impl fmt::Display for Hit<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { place, what, text, at, space } = self;
        write!(f, "{place}: {what} {} at offset {at} ({at:#x}) of the {}", Quoted(text), space.described())
    }
}

#[cfg(feature = "json")]
impl serde::Serialize for Hit<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap as _;
        let mut map = serializer.serialize_map(Some(5))?;
        map.serialize_entry("place", self.place)?;
        map.serialize_entry("what", self.what)?;
        map.serialize_entry("text", self.text)?;
        map.serialize_entry("at", &self.at)?;
        map.serialize_entry("space", self.space.name())?;
        map.end()
    }
}

/// How far a search in archives goes.
#[derive(Clone, Copy, Debug)]
pub struct Options<'o> {
    /// Names of fields for tables in archives, before the built-in ones.
    pub schemas: Option<&'o Schemas>,
    /// How deep archives in archives are entered.
    pub deepest: u32,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self { schemas: None, deepest: Nesting::DEEPEST }
    }
}

/// What a text can be of a thing: every [`Hit::what`].
pub const KINDS: [&str; 22] = [
    "ROI",
    "actor",
    "animation",
    "animation node",
    "color",
    "field",
    "header text",
    "image set",
    "logic",
    "material",
    "member",
    "model",
    "object name",
    "part",
    "plane name",
    "presenter",
    "record",
    "sheet name",
    "string",
    "texture",
    "trailer text",
    "world",
];

/// Where hits go, one by one.
pub type Note<'n> = &'n mut dyn FnMut(&Hit<'_>);

/// Searches a level: the texts of its header and trailer, planes, image sets, and of objects the name, logic, image set
/// and animation.
///
/// # Errors
///
/// An object or image-set name that breaks off; overlapping parts past the walk's limit.
pub fn level(
    file: &Unpacked<'_>,
    level: &Level<'_>,
    pattern: &Pattern,
    encoding: Encoding,
    note: Note<'_>,
) -> Result<()> {
    level::search(file, level, encoding, &mut Search::new(pattern, note))
}

/// Searches a table: the name of its sheet, the names of fields and records, the strings of records, and those elements
/// of string arrays that no record has.
///
/// Names of fields are searched where the table has them inside. A string is told for each value that refers to it.
///
/// # Errors
///
/// Overlapping records, or strings that are referred to again and again, past the walk's limit.
pub fn table(table: &Table<'_>, pattern: &Pattern, note: Note<'_>) -> Result<()> {
    table::search(table, &mut Search::new(pattern, note))
}

/// Searches an archive: the names of its members, and all that is in nested archives and tables.
///
/// A member's name matches with its extension as well as without.
///
/// # Errors
///
/// Those of [`table`]. A nested archive that cannot be opened, or lies too deep, is told by the first such error when all
/// the others have been searched.
pub fn archive(archive: &Archive<'_>, pattern: &Pattern, options: &Options<'_>, note: Note<'_>) -> Result<()> {
    table::archive(archive, options, &mut Search::new(pattern, note))
}

/// Searches the names of the members of an archive, those that are `wanted`, and nothing inside them.
pub fn members(archive: &Archive<'_>, pattern: &Pattern, wanted: &dyn Fn(&Member<'_>) -> bool, note: Note<'_>) {
    table::members(archive, wanted, &mut Search::new(pattern, note));
}

/// Searches a database: worlds, references and their presenters, and of each blob, once, the parts, objects, nodes,
/// actors, textures, and the textures, materials and colours that are asked for.
///
/// What did not open is not searched.
///
/// # Errors
///
/// Overlapping blobs past the walk's limit.
pub fn database(
    file: (&Database<'_>, &Contents<'_>),
    pattern: &Pattern,
    encoding: Encoding,
    note: Note<'_>,
) -> Result<()> {
    database::search(file, encoding, &mut Search::new(pattern, note))
}
