use alloc::format;
use alloc::string::String;
use core::fmt;

use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

/// A fixed field of `N` bytes with text up to the first NUL, or to the end of the field.
///
/// The code page is not declared, so the text is bytes. A caller that needs characters chooses the code page.
#[derive(Clone, Copy, PartialEq, Eq, Hash, FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned)]
#[repr(transparent)]
pub struct Text<const N: usize>([u8; N]);

impl<const N: usize> Text<N> {
    /// Returns the text: the bytes before the first NUL, or all `N` if there is none.
    pub fn as_bytes(&self) -> &[u8] {
        self.split().0
    }

    /// Returns the bytes after the first NUL. They are zeros in every known file, but kept anyway.
    pub fn tail(&self) -> &[u8] {
        self.split().1.unwrap_or(&[])
    }

    /// Returns all `N` bytes.
    pub const fn raw(&self) -> &[u8; N] {
        &self.0
    }

    /// Returns whether the field has a NUL, as level editors require.
    pub fn is_terminated(&self) -> bool {
        self.split().1.is_some()
    }

    /// Returns whether the text is empty.
    pub fn is_empty(&self) -> bool {
        self.as_bytes().is_empty()
    }

    #[inline]
    fn split(&self) -> (&[u8], Option<&[u8]>) {
        match self.0.split_at_checked(first_nul(&self.0)) {
            Some((text, [_, tail @ ..])) => (text, Some(tail)),
            _ => (&self.0, None),
        }
    }
}

/// Returns the index of the first NUL, or the length if there is none.
///
/// Compares eight bytes at a time, since files have thousands of names.
#[inline]
fn first_nul(bytes: &[u8]) -> usize {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    const HIGHS: u64 = u64::from_le_bytes([0x80; 8]);
    let (words, rest) = bytes.as_chunks::<8>();
    let mut at = 0_usize;
    for word in words {
        let word = u64::from_le_bytes(*word);
        // The lowest set bit is in the first zero byte; higher ones may be false positives.
        let zeros = word.wrapping_sub(ONES) & !word & HIGHS;
        if zeros != 0 {
            return at.saturating_add((zeros.trailing_zeros() / 8) as usize);
        }
        at = at.saturating_add(8);
    }
    let in_rest = rest.iter().position(|&byte| byte == 0).unwrap_or(rest.len());
    at.saturating_add(in_rest)
}

impl<const N: usize> fmt::Debug for Text<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.as_bytes().escape_ascii())
    }
}

/// A fixed field of `N` bytes with text that is padded with blanks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned)]
#[repr(transparent)]
pub struct Padded<const N: usize>([u8; N]);

impl<const N: usize> Padded<N> {
    /// Returns the text without the blanks at its end.
    pub fn as_bytes(&self) -> &[u8] {
        self.0.trim_ascii_end()
    }

    /// Returns all `N` bytes.
    pub const fn raw(&self) -> &[u8; N] {
        &self.0
    }
}

impl<const N: usize> fmt::Debug for Padded<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.as_bytes().escape_ascii())
    }
}

/// Returns a text of an input as messages have it: in quotes, escaped, and of a long one the first 100 characters.
///
/// ```
/// # use worldview_core::quote;
/// assert_eq!(quote("a\tb"), r#""a\tb""#);
/// assert!(quote(&"a".repeat(1000)).ends_with("aa\"… (1000 bytes)"));
/// ```
pub fn quote(text: &str) -> String {
    match text.char_indices().nth(100) {
        Some((end, _)) => format!("{:?}… ({} bytes)", text.get(..end).unwrap_or(text), text.len()),
        None => format!("{text:?}"),
    }
}

/// Returns a text of a file as every printer has it: [`printable`], and of a long one the first 200 characters.
///
/// ```
/// # use worldview_core::excerpt;
/// assert_eq!(excerpt("a\x1B[2Jb\nc"), "a\u{FFFD}[2Jb\u{FFFD}c");
/// assert!(excerpt(&"a".repeat(1000)).ends_with("aa… (1000 bytes)"));
/// ```
pub fn excerpt(text: &str) -> String {
    start(text, 200)
}

/// Returns a message as [`excerpt`] does, with 500 characters. Messages of libraries repeat whole inputs.
pub fn brief(message: &str) -> String {
    start(message, 500)
}

fn start(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}… ({} bytes)", printable(text.get(..end).unwrap_or(text)), text.len()),
        None => printable(text),
    }
}

/// Returns a text in which a replacement character stands for each character that commands a terminal, ends a line, turns the
/// direction of the text around it, or cannot be seen.
pub fn printable(text: &str) -> String {
    // Nearly all texts are.
    if text.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
        return text.into();
    }
    let is_command = |char: char| {
        char.is_control()
            || matches!(char, '\u{61C}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FEFF}')
    };
    text.chars().map(|char| if is_command(char) { char::REPLACEMENT_CHARACTER } else { char }).collect()
}
