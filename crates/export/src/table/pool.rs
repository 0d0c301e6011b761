#[cfg(any(feature = "csv", feature = "json"))]
use std::borrow::Cow;

use worldview_wpd::Table;

/// A table's string pool, examined once instead of for each string.
#[cfg(any(feature = "csv", feature = "json"))]
#[derive(Clone, Copy, Debug)]
pub(super) struct Pool<'a> {
    /// The pool as text, if all of it is valid UTF-8. All strings are then slices of it.
    text: Option<&'a str>,
    /// The address of the pool.
    base: usize,
    /// Whether no string has a byte that requires quotes in CSV.
    #[cfg(feature = "csv")]
    pub(super) plain_in_csv: bool,
    /// Whether no string has a byte that JSON escapes.
    #[cfg(feature = "json")]
    pub(super) plain_in_json: bool,
}

#[cfg(any(feature = "csv", feature = "json"))]
impl<'a> Pool<'a> {
    pub(super) fn of(table: &Table<'a>) -> Self {
        let bytes = table.strings().bytes();
        Self {
            text: std::str::from_utf8(bytes).ok(),
            base: bytes.as_ptr().addr(),
            #[cfg(feature = "csv")]
            plain_in_csv: !bytes
                .iter()
                .fold(false, |any, &byte| any | (crate::write::quoted_in_csv(byte) && byte != 0)),
            #[cfg(feature = "json")]
            plain_in_json: !bytes
                .iter()
                .fold(false, |any, &byte| any | (byte < b' ' && byte != 0) | matches!(byte, b'"' | b'\\')),
        }
    }

    /// Returns the text of a string in the pool.
    #[inline]
    pub(super) fn utf8(&self, string: &'a [u8]) -> Cow<'a, str> {
        let start = string.as_ptr().addr().wrapping_sub(self.base);
        match self.text.and_then(|text| text.get(start..start.checked_add(string.len())?)) {
            Some(text) => text.into(),
            // The string starts inside a character, or the pool is not valid UTF-8.
            None => worldview_inspect::utf8(string),
        }
    }
}

/// Returns the output cost of a byte in a table's strings. Each byte of invalid UTF-8 is written as four.
pub(super) fn byte_cost(table: &Table<'_>) -> u64 {
    if std::str::from_utf8(table.strings().bytes()).is_ok() { 1 } else { 4 }
}
