#[cfg(any(feature = "csv", feature = "json"))]
use std::borrow::Cow;

use worldview_wpd::Table;

/// A table's pool of strings, examined once instead of once for each string.
#[cfg(any(feature = "csv", feature = "json"))]
#[derive(Clone, Copy, Debug)]
pub(super) struct Pool<'a> {
    /// The pool as text, if all of it is valid UTF-8; no string then has other bytes than these.
    text: Option<&'a str>,
    /// Its address.
    base: usize,
    /// Whether no string has a byte that CSV quotes.
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

    /// Returns the text of one of the pool's strings.
    #[inline]
    pub(super) fn utf8(&self, string: &'a [u8]) -> Cow<'a, str> {
        let start = string.as_ptr().addr().wrapping_sub(self.base);
        match self.text.and_then(|text| text.get(start..start.checked_add(string.len())?)) {
            Some(text) => text.into(),
            // Starts inside a character, or the pool is not all text.
            None => worldview_inspect::utf8(string),
        }
    }
}

/// Returns what a byte of a table's strings costs when it is written: an invalid byte is written as four.
pub(super) fn byte_cost(table: &Table<'_>) -> u64 {
    if std::str::from_utf8(table.strings().bytes()).is_ok() { 1 } else { 4 }
}
