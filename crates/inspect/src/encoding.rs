use std::borrow::Cow;
use std::fmt::Write as _;

use worldview_core::zerocopy::little_endian::I32;

#[cfg(any(test, not(feature = "code-pages")))]
#[cfg_attr(feature = "code-pages", allow(dead_code, reason = "only compared with the Encoding Standard"))]
mod few;

#[cfg(feature = "code-pages")]
use encoding_rs::{UTF_8, WINDOWS_1250, WINDOWS_1252};
#[cfg(not(feature = "code-pages"))]
use few::{Page, UTF_8, WINDOWS_1250, WINDOWS_1252};

#[cfg(feature = "code-pages")]
type Page = encoding_rs::Encoding;

/// The code page of text. No file declares its own. The feature `code-pages` has all code pages of the Encoding Standard; without
/// it, there are Windows-1252, Windows-1250 and UTF-8.
///
/// ```
/// use worldview_inspect::Encoding;
///
/// let page = Encoding::for_label("windows-1250").unwrap();
/// assert_eq!(page.decode(b"\xb3\xf3d\x9f"), "łódź");
/// assert_eq!(page.encode("łódź").unwrap(), b"\xb3\xf3d\x9f");
/// assert_eq!(page.encode("Мир"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoding(&'static Page);

impl Encoding {
    /// Western European: the code page of the games' authors, and the default.
    pub const WINDOWS_1252: Self = Self(WINDOWS_1252);
    /// Central European: the code page of many Claw level authors.
    pub const WINDOWS_1250: Self = Self(WINDOWS_1250);

    /// The encoding of tables.
    pub const UTF_8: Self = Self(UTF_8);

    /// Returns the encoding with a label of the [Encoding Standard](https://encoding.spec.whatwg.org/#names-and-labels), or
    /// `None` if there is none, or none that text can be written in: UTF-16 does not fit into fields of bytes.
    pub fn for_label(label: &str) -> Option<Self> {
        let found = Page::for_label_no_replacement(label.as_bytes())?;
        (found.output_encoding() == found).then_some(Self(found))
    }

    /// Returns the name that the Encoding Standard has for it.
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// Returns whether each ASCII character is stored as its byte, wherever it is in a text.
    pub(crate) fn is_ascii_compatible(self) -> bool {
        self.0.is_ascii_compatible()
    }

    /// Decodes text. Bytes that are no characters become U+FFFD; Windows-1252 has none.
    pub fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        self.0.decode_without_bom_handling(bytes).0
    }

    /// Encodes text; `None` if it has a character that the code page lacks.
    pub fn encode(self, text: &str) -> Option<Vec<u8>> {
        let (bytes, _, has_unmappable) = self.0.encode(text);
        (!has_unmappable).then(|| bytes.into_owned())
    }

    /// Decodes text, with control characters written as `\x00`, for terminals and for XML, which cannot represent them.
    pub fn visible(self, bytes: &[u8]) -> Cow<'_, str> {
        let text = self.decode(bytes);
        if !text.contains(char::is_control) {
            return text;
        }
        let mut visible = String::with_capacity(text.len() + 8);
        for char in text.chars() {
            if char.is_control() {
                // Writing to a string cannot fail.
                let _ = write!(visible, "\\x{:02x}", u32::from(char));
            } else {
                visible.push(char);
            }
        }
        visible.into()
    }
}

impl Default for Encoding {
    fn default() -> Self {
        Self::WINDOWS_1252
    }
}

/// Returns integers separated by spaces.
pub fn ints(values: &[I32]) -> String {
    values.iter().map(|value| value.get().to_string()).collect::<Vec<_>>().join(" ")
}

/// Returns bytes as two hexadecimal digits each.
pub fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    text.extend(
        bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]).filter_map(|digit| char::from_digit(digit.into(), 16)),
    );
    text
}
