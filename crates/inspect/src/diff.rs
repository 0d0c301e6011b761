//! Compares two files of the same format: planes, objects, records, members, models and their fields.
//!
//! The comparison covers the content of the files, not its layout. Offsets, checksums, compression, and the order of
//! pools and shared blobs do not count as differences. Elements of lists are matched by their keys, or by criteria
//! of the format; elements that are alike are matched in order. If the order of a list changed, this is reported
//! once, as a field `order` with the first element that differs.
//!
//! Swapping the files swaps [`Change::Added`] with [`Change::Removed`], and the two sides of each difference.

mod array;
mod event;
mod frame;
mod kept;
mod linked;
mod list;
mod matching;
mod pairs;
mod part;
mod report;

use std::fmt;
use std::sync::atomic::AtomicBool;

use worldview_core::Path;
use worldview_core::describe::{FieldValue, Notation};

use crate::meter::Meter;
use crate::{Encoding, Everything, Quoted, Result, Root, Select, form};
use part::PairWalk;

pub use event::{Event, Matched, OnEvent};
pub use pairs::{ascending, between};

/// How a part of the right file differs from the left file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// Only the right file has it.
    Added,
    /// Only the left file has it.
    Removed,
    /// Both files have it, with different contents.
    Changed,
}

impl Change {
    /// Returns the word used in machine-readable output: `added`, `removed` or `changed`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Changed => "changed",
        }
    }

    /// Returns the sign at the start of a line of text: `+`, `-` or `~`.
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
/// The `Display` implementation is meant for people: numbers use their notation, and text is quoted, with control
/// characters as `\x00`. With the `json` feature, a side serializes as its value: numbers as numbers, text as text.
#[derive(Clone, Copy, Debug)]
pub struct Side<'d> {
    /// The value.
    pub value: FieldValue<'d>,
    /// How the value is displayed, if it is an integer.
    pub notation: Notation,
    /// The code page of the text, unless the file declares one.
    pub encoding: Encoding,
}

impl fmt::Display for Side<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value {
            FieldValue::Text(text) => Quoted(&form::decode(&text, self.encoding)).fmt(f),
            FieldValue::Dangling(_) => f.write_str("dangling"),
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
            FieldValue::Dangling(_) => serializer.collect_str(self),
            _ => crate::json::Scalar { value: &self.value, encoding: self.encoding }.serialize(serializer),
        }
    }
}

/// A difference: its path, its field, and both sides.
///
/// With the `json` feature it serializes as `change`, `path`, `field`, `left`, `right` and `count`. All members are
/// always present; an absent side is null.
#[derive(Clone, Copy, Debug)]
pub struct Difference<'d> {
    /// Whether the part was added, removed or changed.
    pub change: Change,
    /// The path of the part or of the array element: the path in the left file, or in the right file if the part was
    /// added.
    pub path: &'d Path,
    /// The field of the part that changed, or `None` if the path already leads to the changed item.
    pub field: Option<&'d str>,
    /// The value in the left file.
    pub left: Option<Side<'d>>,
    /// The value in the right file.
    pub right: Option<Side<'d>>,
    /// The number of array elements that differ, of which this is the first; 1 for everything else. If the change has
    /// no sides, the number of differing elements beyond those reported individually.
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

/// Options of a comparison.
#[derive(Clone, Copy)]
pub struct DiffOptions<'o> {
    /// The code page of text for which the file does not declare one.
    pub encoding: Encoding,
    /// The maximum number of grid cells that are reported individually; the others are counted.
    pub cells: usize,
    /// The parts to compare.
    pub select: &'o dyn Select,
    /// Once this is true, for example because another thread or the receiver of differences has set it, the comparison ends with
    /// [`Error::Cancelled`](crate::Error::Cancelled).
    pub cancel: Option<&'o AtomicBool>,
}

impl Default for DiffOptions<'_> {
    fn default() -> Self {
        Self { encoding: Encoding::default(), cells: 100, select: &Everything, cancel: None }
    }
}

worldview_core::debug_summary!("DiffOptions", DiffOptions<'_>, |this| encoding: this.encoding, cells: this.cells);

/// A callback that receives differences one by one.
pub type OnDifference<'n> = &'n mut dyn FnMut(&Difference<'_>);

/// Compares the selected parts of two descriptions of the same format.
///
/// Open both files in the same way: a file that was opened lossily lacks its broken parts. If only one of two parts
/// could be read to its end, that is reported, instead of everything that the broken one lacks.
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
/// Returns an error if overlapping parts, or texts with many references, make the walk far longer than the files, or if the
/// comparison was canceled.
pub fn compare(left: &Root<'_>, right: &Root<'_>, options: &DiffOptions<'_>, note: OnDifference<'_>) -> Result<()> {
    walk(left, right, options, note, None)
}

/// Compares as [`compare`] does, and reports both sides in full.
///
/// Elements are matched by the names that paths have for them, so that matched elements have the same path in both files.
///
/// # Errors
///
/// Returns an error as [`compare`] does.
pub fn events(left: &Root<'_>, right: &Root<'_>, select: &dyn Select, note: OnEvent<'_>) -> Result<()> {
    walk(left, right, &DiffOptions { select, ..DiffOptions::default() }, &mut |_| {}, Some(note))
}

fn walk<'w>(
    left: &Root<'w>,
    right: &Root<'_>,
    options: &'w DiffOptions<'w>,
    note: OnDifference<'w>,
    events: Option<OnEvent<'w>>,
) -> Result<()> {
    let is_same = left.file.zip(right.file).is_some_and(|(left, right)| left == right);
    if is_same && left.format == right.format {
        return Ok(());
    }
    let sources = [left.source, right.source];
    let meter =
        Meter::new(&[left, right], "comparison of overlapping parts", "comparison of texts with many references");
    PairWalk::new(sources, left.body, options, meter, note, events).compare(left.body, right.body)?;
    left.body.ended_by().or_else(|| right.body.ended_by()).map_or(Ok(()), |error| Err(error.into()))
}
