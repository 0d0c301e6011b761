//! The account of an operation: the result for each element that it was given.

use worldview_core::{Path, brief};

/// The result for an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "json", derive(serde::Serialize), serde(rename_all = "snake_case"))]
pub enum Column {
    /// It was applied, written or shown.
    Done,
    /// Nothing had to be done.
    Equal,
    /// It cannot be done.
    Refused,
    /// It carries nothing of the file, or nothing was asked for.
    LeftOut,
}

impl Column {
    /// Returns the word used in machine-readable output.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Equal => "equal",
            Self::Refused => "refused",
            Self::LeftOut => "left_out",
        }
    }
}

/// A stable code of entries, with what it means.
///
/// With the feature `json` it serializes as its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "json", derive(serde::Serialize), serde(transparent))]
pub struct Code {
    /// The code, in kebab case.
    pub name: &'static str,
    /// What it means, as printed in the documentation.
    #[cfg_attr(feature = "json", serde(skip))]
    pub about: &'static str,
}

/// Declares the codes that an operation uses, and a table of all of them.
///
/// ```
/// worldview_edit::codes! {
///     /// Codes of a sheet.
///     pub SHEET {
///         ROWS_NOT_MENTIONED = "rows-not-mentioned": "rows of the original that the sheet does not have; they stay",
///     }
/// }
/// assert_eq!(SHEET[0], ROWS_NOT_MENTIONED);
/// ```
#[macro_export]
macro_rules! codes {
    ($(#[$doc:meta])* $visibility:vis $table:ident { $($name:ident = $code:literal: $about:literal,)+ }) => {
        $(
            #[doc = concat!("`", $code, "`: ", $about, ".")]
            #[allow(unreachable_pub, reason = "a crate may export only the table")]
            $visibility const $name: $crate::account::Code = $crate::account::Code { name: $code, about: $about };
        )+
        $(#[$doc])*
        $visibility const $table: &[$crate::account::Code] = &[$($name),+];
    };
}

/// Where the source of an operation has an element.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct SourcePlace {
    /// The file; empty if the operation does not know its name.
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "String::is_empty"))]
    pub file: String,
    /// The row of a sheet or the line of a text, counted from 1.
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "Option::is_none"))]
    pub row: Option<u64>,
    /// The column of a sheet.
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "Option::is_none"))]
    pub column: Option<String>,
    /// The place in a document: a JSON pointer, a worksheet, or a layer, object, node or primitive in words.
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "Option::is_none"))]
    pub pointer: Option<String>,
}

impl SourcePlace {
    /// Returns the place of a row of a sheet.
    pub fn row(row: u64) -> Self {
        Self { row: Some(row), ..Self::default() }
    }

    /// Returns a place in a document.
    pub fn pointer(pointer: impl Into<String>) -> Self {
        Self { pointer: Some(pointer.into()), ..Self::default() }
    }

    /// Returns whether nothing is known of the place.
    pub const fn is_empty(&self) -> bool {
        self.file.is_empty() && self.row.is_none() && self.column.is_none() && self.pointer.is_none()
    }
}

/// The result for an element, or for several with the same reason.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct Entry {
    /// The result.
    pub column: Column,
    /// Why.
    pub code: Code,
    /// Where the source has it.
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "SourcePlace::is_empty"))]
    pub place: SourcePlace,
    /// The element of the original; empty for the file itself.
    #[cfg_attr(feature = "json", serde(serialize_with = "text_of"))]
    pub path: Path,
    /// Why, in words that name what was found.
    pub message: String,
    /// The offset in the file, if it is known.
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "Option::is_none"))]
    pub offset: Option<u64>,
    /// The space of the offset: `file` or `image`.
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "Option::is_none"))]
    pub space: Option<&'static str>,
    /// What the user can do about it.
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "Option::is_none"))]
    pub hint: Option<&'static str>,
    /// The number of elements.
    pub count: u64,
    /// The first elements, if the entry is about several.
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "Vec::is_empty"))]
    pub keys: Vec<String>,
}

#[cfg(feature = "json")]
fn text_of<S: serde::Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(path.as_str())
}

impl Entry {
    /// The number of elements that an entry names.
    pub const MAX_KEYS: usize = 1000;

    /// Returns an entry about one element.
    pub fn new(column: Column, code: Code, path: &Path, message: impl Into<String>) -> Self {
        let (place, message) = (SourcePlace::default(), brief(&message.into()));
        let (path, offset, space, hint) = (path.clone(), None, None, None);
        Self { column, code, place, path, message, offset, space, hint, count: 1, keys: Vec::new() }
    }

    /// Sets where the source has the element. Of long texts, only the start is kept.
    #[must_use]
    pub fn at(self, place: SourcePlace) -> Self {
        let [column, pointer] = [place.column, place.pointer].map(|text| text.map(|text| brief(&text)));
        Self { place: SourcePlace { column, pointer, ..place }, ..self }
    }

    /// Makes the entry one about several elements, of which the first are named.
    #[must_use]
    pub fn about(self, count: u64, keys: impl IntoIterator<Item = String>) -> Self {
        Self { count, keys: keys.into_iter().take(Self::MAX_KEYS).collect(), ..self }
    }
}

/// The results for all elements that an operation was given. The counts agree with the entries, unless the list is cut.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct Account {
    /// The number of elements that were applied, written or shown.
    pub done: u64,
    /// The number of elements for which nothing had to be done.
    pub equal: u64,
    refused: u64,
    left_out: u64,
    entries: Vec<Entry>,
    #[cfg_attr(feature = "json", serde(rename = "cut"))]
    is_cut: bool,
}

impl Account {
    /// The number of entries that an account lists one by one.
    pub const MAX_ENTRIES: usize = 10_000;

    /// Creates an account of nothing.
    pub const fn new() -> Self {
        Self { done: 0, equal: 0, refused: 0, left_out: 0, entries: Vec::new(), is_cut: false }
    }

    /// Adds an entry, and counts what is refused or left out.
    pub fn push(&mut self, entry: Entry) {
        let counter = match entry.column {
            Column::Refused => Some(&mut self.refused),
            Column::LeftOut => Some(&mut self.left_out),
            // Entries of these only say more about elements that are counted anyway.
            Column::Done | Column::Equal => None,
        };
        if let Some(counter) = counter {
            *counter = counter.saturating_add(entry.count);
        }
        self.list(entry);
    }

    fn list(&mut self, entry: Entry) {
        self.is_cut |= self.entries.len() >= Self::MAX_ENTRIES;
        // Of those past the limit, the first with each code stands for all.
        let is_same = |listed: &&mut Entry| (listed.column, listed.code) == (entry.column, entry.code);
        match self.entries.iter_mut().skip(Self::MAX_ENTRIES).find(is_same) {
            Some(listed) => listed.count = listed.count.saturating_add(entry.count),
            None => self.entries.push(entry),
        }
    }

    /// Adds what another account says.
    pub fn append(&mut self, other: Self) {
        self.done = self.done.saturating_add(other.done);
        self.equal = self.equal.saturating_add(other.equal);
        self.refused = self.refused.saturating_add(other.refused);
        self.left_out = self.left_out.saturating_add(other.left_out);
        self.is_cut |= other.is_cut;
        other.entries.into_iter().for_each(|entry| self.list(entry));
    }

    /// Returns the number of elements that cannot be done.
    pub const fn refused(&self) -> u64 {
        self.refused
    }

    /// Returns the number of elements that carry nothing of the file.
    pub const fn left_out(&self) -> u64 {
        self.left_out
    }

    /// Returns the entries, at most [`MAX_ENTRIES`](Self::MAX_ENTRIES) of them and one for each code of the others, which has their
    /// number.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = &Entry> {
        self.entries.iter()
    }

    /// Returns the entries for changes to them: operations above know more about places.
    pub fn entries_mut(&mut self) -> impl ExactSizeIterator<Item = &mut Entry> {
        self.entries.iter_mut()
    }

    /// Returns whether nothing is listed or counted.
    pub const fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.done == 0 && self.equal == 0 && self.refused == 0 && self.left_out == 0
    }

    /// Notes that there are more entries than are listed.
    pub const fn cut(&mut self) {
        self.is_cut = true;
    }

    /// Returns whether there are more entries than are listed.
    pub const fn is_cut(&self) -> bool {
        self.is_cut
    }
}
