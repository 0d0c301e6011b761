use std::io::Write;

use crate::changes::parse_path as parse;
use crate::{Change, Changes, Patches, Position, Result, Value};

/// What can be edited: the bytes of an archive, table or level, or an opened archive, table or database.
pub trait Editable<'a> {
    /// Applies changes, whose paths begin here.
    ///
    /// # Errors
    ///
    /// Returns an error if any change cannot be applied.
    fn apply(&self, changes: &Changes) -> Result<Patches<'a>>;
}

/// The bytes of an archive, table or level, told apart by how they begin. WORLD.WDB has no such beginning: open it first.
impl<'a> Editable<'a> for &'a [u8] {
    fn apply(&self, changes: &Changes) -> Result<Patches<'a>> {
        #[cfg(feature = "wpd")]
        if self.starts_with(b"WPD\0") {
            return crate::wpd::apply(self, changes);
        }
        #[cfg(feature = "rez")]
        if worldview_rez::Rez::sniff(self) {
            return crate::rez::apply(self, changes);
        }
        #[cfg(feature = "wwd")]
        return crate::wwd::apply(self, changes);
        #[cfg(not(feature = "wwd"))]
        {
            let _ = changes;
            Err(crate::EditError::unsupported(
                &worldview_core::Path::new(),
                "this program was built without edits of files that begin like this",
            ))
        }
    }
}

#[cfg(feature = "rez")]
impl<'a> Editable<'a> for worldview_rez::Rez<'a> {
    fn apply(&self, changes: &Changes) -> Result<Patches<'a>> {
        crate::rez::apply(self.source().bytes(), changes)
    }
}

#[cfg(feature = "wpd")]
impl<'a> Editable<'a> for worldview_wpd::Archive<'a> {
    fn apply(&self, changes: &Changes) -> Result<Patches<'a>> {
        crate::wpd::apply(self.source().bytes(), changes)
    }
}

/// A table alone. To edit a table inside an archive, edit the archive, with the name of the member in each path.
#[cfg(feature = "wpd")]
impl<'a> Editable<'a> for worldview_wpd::Table<'a> {
    fn apply(&self, changes: &Changes) -> Result<Patches<'a>> {
        crate::wpd::apply_to(&self.archive(), self, changes)
    }
}

#[cfg(feature = "island")]
impl<'a> Editable<'a> for worldview_island::Database<'a> {
    fn apply(&self, changes: &Changes) -> Result<Patches<'a>> {
        crate::island::apply(self.source().bytes(), changes)
    }
}

/// Collects changes of one file, and writes the edited file.
///
/// Elements and fields are named by their [paths](worldview_core::Path), as in all output of worldview. All of them refer to the original, and the order
/// of the calls does not matter. Nothing is checked before [`finish`](Self::finish) or [`write`](Self::write).
///
/// # A table
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let file: &[u8] = include_bytes!("../../../samples/items.wdb");
/// use worldview_edit::Editor;
/// use worldview_wpd::{Table, Value};
///
/// let table = Table::parse(file)?;
/// let mut out = Vec::new();
/// Editor::new(&table)
///     .set("apple_dried", "uPurchasePrice", 10)?
///     .set("apple_dried", "sHelpStringId", "$help_food_new")?
///     .add_like("apple_fresh", "apple_dried")?
///     .remove("anchor_pin")?
///     .write(&mut out)?;
///
/// let edited = Table::parse(&out)?;
/// let price = |name: &str| edited.by_name(name).and_then(|row| row.get("uPurchasePrice"));
/// assert_eq!(price("apple_dried"), Some(Value::U32(10)));
/// assert_eq!(price("apple_fresh"), table.by_name("apple_dried").and_then(|row| row.get("uPurchasePrice")));
/// assert_eq!(price("anchor_pin"), None);
/// # Ok(())
/// # }
/// ```
///
/// # A table inside an archive
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let file: &[u8] = include_bytes!("../../../samples/wdbpack.bin");
/// use worldview_edit::{Change, Editor, Value};
/// use worldview_wpd::Archive;
///
/// let archive = Archive::parse(file)?;
/// let edited = Editor::new(&archive)
///     .set("r_lamps.wdb/lamp_gate", "fHeight", 3.25)?
///     .rename("r_tides.wdb", "r_tide.wdb")?
///     .change(Change::set("r_bells.wdb".parse()?, Value::Bytes(b"anything".to_vec())))
///     .finish()?
///     .to_vec();
///
/// let edited = Archive::parse(&edited)?;
/// assert_eq!(edited.by_name("r_bells.wdb").expect("it is still there").data(), b"anything");
/// assert!(edited.by_name("r_tide.wdb").is_some() && edited.by_name("r_tides.wdb").is_none());
/// # Ok(())
/// # }
/// ```
///
/// # A level
///
/// A level is edited as a file, since it may be packed.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let file: &[u8] = include_bytes!("../../../samples/harbour.wwd");
/// use worldview_edit::Editor;
///
/// let mut out = Vec::new();
/// Editor::new(&file)
///     .set("header", "name", "The new harbour")?
///     .set("plane:Action", "tile:3,5", 12)?
///     .write(&mut out)?;
///
/// let unpacked = worldview_wwd::unpack(&out)?;
/// let level = worldview_wwd::Level::parse(&unpacked)?;
/// assert_eq!(level.header().name.as_bytes(), b"The new harbour");
/// let action = level.planes().iter().find(|plane| plane.name() == b"Action").expect("the sample has this plane");
/// assert_eq!(action.tile(3, 5).map(|tile| tile.get()), Some(12));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Editor<'e, E: ?Sized> {
    original: &'e E,
    changes: Changes,
}

impl<'e, 'a, E: Editable<'a> + ?Sized> Editor<'e, E> {
    /// Creates an editor without changes.
    pub const fn new(original: &'e E) -> Self {
        Self { original, changes: Changes::new() }
    }

    /// Gives a value to a field of an element: a record, an object, a plane, the header.
    ///
    /// # Errors
    ///
    /// Returns an error if `element` or `field` is not a path.
    pub fn set(self, element: &str, field: &str, to: impl Into<Value>) -> Result<Self> {
        let mut path = parse(element)?;
        path.append(&parse(field)?);
        Ok(self.change(Change::set(path, to)))
    }

    /// Adds an element with these fields; all others are zero or empty.
    ///
    /// # Errors
    ///
    /// Returns an error if `element` is not a path.
    pub fn add<'f>(self, element: &str, fields: impl IntoIterator<Item = (&'f str, Value)>) -> Result<Self> {
        let fields = fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let (path, position) = (parse(element)?, Position::Natural);
        Ok(self.change(Change::Add { path, like: None, position, fields, data: None }))
    }

    /// Adds a copy of an element under another name.
    ///
    /// # Errors
    ///
    /// Returns an error if `element` or `like` is not a path.
    pub fn add_like(self, element: &str, like: &str) -> Result<Self> {
        let (path, like, position) = (parse(element)?, Some(parse(like)?), Position::Natural);
        Ok(self.change(Change::Add { path, like, position, fields: Vec::new(), data: None }))
    }

    /// Removes an element.
    ///
    /// # Errors
    ///
    /// Returns an error if `element` is not a path.
    pub fn remove(self, element: &str) -> Result<Self> {
        Ok(self.change(Change::remove(parse(element)?)))
    }

    /// Gives an element another name.
    ///
    /// # Errors
    ///
    /// Returns an error if `element` is not a path.
    pub fn rename(self, element: &str, to: impl Into<Value>) -> Result<Self> {
        Ok(self.change(Change::Rename { path: parse(element)?, to: to.into() }))
    }

    /// Adds any change.
    #[must_use]
    pub fn change(mut self, change: Change) -> Self {
        self.changes.push(change);
        self
    }

    /// Adds all changes of a list.
    #[must_use]
    pub fn changes(mut self, changes: Changes) -> Self {
        self.changes.extend(changes);
        self
    }

    /// Returns the edited file as the original with replaced ranges.
    ///
    /// # Errors
    ///
    /// Returns an error if any change cannot be applied.
    pub fn finish(self) -> Result<Patches<'a>> {
        self.original.apply(&self.changes)
    }

    /// Writes the edited file.
    ///
    /// # Errors
    ///
    /// Returns an error if any change cannot be applied, and nothing is written then, or if `out` does.
    pub fn write(self, mut out: impl Write) -> std::io::Result<()> {
        self.finish().map_err(std::io::Error::other)?.write_to(&mut out)
    }
}
