//! Text files as other programs save them.

use std::borrow::Cow;

/// Returns the text of a file: UTF-8 with or without a byte order mark, or UTF-16 with one, as PowerShell writes it.
pub(crate) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    encoding_rs::UTF_8.decode(bytes).0
}
