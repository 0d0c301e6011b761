//! Compares two files of one kind: planes, objects, records, members, models, and their fields.
//!
//! Compared is what the files say, not where they say it: offsets, checksums, packing, the order of pools and of shared
//! blobs are no differences. Elements of lists are matched by their keys, or as their format knows better; several that
//! are alike in their order. A list with another order is reported once, as a field `order` with the first element that is
//! another.
//!
//! Swapping the files swaps [`Change::Added`] with [`Change::Removed`] and the sides of each difference.

mod array;
mod frame;
mod kept;
mod list;
mod matching;
mod pairs;
mod part;
mod report;

use std::fmt;

use worldview_core::Path;
use worldview_core::describe::{LeafValue, Notation};

use crate::meter::Meter;
use crate::{Encoding, Everything, Quoted, Result, Root, Select, form};
use part::Walk;

/// How a part of the right file differs from the left file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// Only the right file has it.
    Added,
    /// Only the left file has it.
    Removed,
    /// Both have it, with another content.
    Changed,
}

impl Change {
    /// Returns the word used in machine output: `added`, `removed` or `changed`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Changed => "changed",
        }
    }

    /// Returns the sign that begins a line of text: `+`, `-` or `~`.
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
/// It prints as people read it: numbers in their notation, text in quotes with control characters as `\x00`. With the
/// feature `json` it serializes as its value: numbers as numbers, text as text.
#[derive(Clone, Copy, Debug)]
pub struct Side<'d> {
    /// The value.
    pub value: LeafValue<'d>,
    /// How people read it, if it is an integer.
    pub notation: Notation,
    /// The code page of its text, unless the file declares one.
    pub encoding: Encoding,
}

impl fmt::Display for Side<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value {
            LeafValue::Text(text) => Quoted(&form::decode(&text, self.encoding)).fmt(f),
            LeafValue::Dangling(_) => f.write_str("dangling"),
            _ => {
                let mut shown = String::new();
                form::value(&self.value, self.notation, self.encoding, &mut shown);
                f.write_str(&shown)
            }
        }
    }
}

#[cfg(feature = "json")]
impl serde::Serialize for Side<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match self.value {
            LeafValue::Dangling(_) => serializer.collect_str(self),
            _ => crate::json::Scalar { value: &self.value, encoding: self.encoding }.serialize(serializer),
        }
    }
}

/// A difference: where, what, and both sides.
///
/// With the feature `json` it serializes as `change`, `path`, `field`, `left`, `right` and `count`, always all of them. A
/// side that is absent is null.
#[derive(Clone, Copy, Debug)]
pub struct Difference<'d> {
    /// Whether it was added, removed or changed.
    pub change: Change,
    /// The path of the part, or of the element of an array. It is that of the left file, or of the right one if the part
    /// was added.
    pub path: &'d Path,
    /// The field of the part that changed; `None` where the path leads to all that changed.
    pub field: Option<&'d str>,
    /// What the left file has.
    pub left: Option<Side<'d>>,
    /// What the right file has.
    pub right: Option<Side<'d>>,
    /// How many elements of an array differ, of which this is the first; 1 for all else. If something changed and there
    /// are no sides, how many more elements differ than were reported one by one.
    pub count: u64,
}

impl fmt::Display for Difference<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_fmt(format_args!("{}", self.change.sign()))?;
        if !self.path.is_empty() {
            write!(f, " {}", self.path)?;
        }
        if let Some(field) = self.field {
            write!(f, "{} {field}", if self.path.is_empty() { "" } else { ":" })?;
        }
        match (self.change, self.left, self.right) {
            (_, Some(left), Some(right)) => write!(f, ": {left} -> {right}")?,
            (Change::Changed, Some(left), None) => write!(f, ": {left} -> none")?,
            (Change::Changed, None, Some(right)) => write!(f, ": none -> {right}")?,
            (Change::Changed, None, None) => return write!(f, ": {} more", self.count),
            (_, Some(side), None) | (_, None, Some(side)) => write!(f, ": {side}")?,
            (_, None, None) => {}
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
        map.serialize_entry("path", self.path.as_str())?;
        map.serialize_entry("field", &self.field)?;
        map.serialize_entry("left", &self.left)?;
        map.serialize_entry("right", &self.right)?;
        map.serialize_entry("count", &self.count)?;
        map.end()
    }
}

/// How files are compared.
#[derive(Clone, Copy)]
pub struct DiffOptions<'o> {
    /// The code page of texts for which the file declares none.
    pub encoding: Encoding,
    /// How many cells of a grid are reported one by one; the others are counted.
    pub cells: usize,
    /// What is compared.
    pub select: &'o dyn Select,
}

impl Default for DiffOptions<'_> {
    fn default() -> Self {
        Self { encoding: Encoding::default(), cells: 100, select: &Everything }
    }
}

impl fmt::Debug for DiffOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { encoding, cells, .. } = self;
        f.debug_struct("DiffOptions").field("encoding", encoding).field("cells", cells).finish_non_exhaustive()
    }
}

/// Receives differences one by one.
pub type OnDifference<'n> = &'n mut dyn FnMut(&Difference<'_>);

/// Compares what is selected of two descriptions of one format.
///
/// The files should be opened alike: one that was opened lossily lacks what is broken in it. Where only one of two parts
/// could be read to its end, that is reported, and not what the other one lacks.
///
/// ```
/// use worldview_inspect::{Root, diff};
/// use worldview_wwd::{LevelDescription, Level, unpack};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let file: &[u8] = include_bytes!("../../../samples/harbour.wwd");
/// # let mut other = file.to_vec();
/// # other[0x10] = b'x';
/// let (left, right) = (unpack(file)?, unpack(&other)?);
/// let (first, second) = (Level::parse(&left)?, Level::parse(&right)?);
/// let (described, changed) = (LevelDescription::new(&left, &first), LevelDescription::new(&right, &second));
/// let left = Root::new("wwd", first.image(), &described);
/// let right = Root::new("wwd", second.image(), &changed);
/// diff::compare(&left, &right, &diff::DiffOptions::default(), &mut |difference| {
///     assert_eq!(difference.path.as_str(), "header");
///     assert_eq!(difference.field, Some("name"));
/// })?;
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// Returns an error if overlapping parts, or texts with many references, make the walk far longer than the files.
pub fn compare(left: &Root<'_>, right: &Root<'_>, options: &DiffOptions<'_>, note: OnDifference<'_>) -> Result<()> {
    let is_same = left.file.zip(right.file).is_some_and(|(left, right)| left == right);
    if is_same && left.format == right.format {
        return Ok(());
    }
    let sources = [left.source, right.source];
    let meter =
        Meter::new(&[left, right], "comparison of overlapping parts", "comparison of texts with many references");
    Walk::new(sources, options, meter, note).compare(left.body, right.body)
}
