use std::borrow::Cow;
use std::io::{self, Write};

use worldview_wpd::Table;

use crate::Result;
use worldview_inspect::{Bound, utf8};

/// A table's pool of strings, looked through once, so that nothing is asked of its strings one by one.
#[cfg(any(feature = "csv", feature = "json"))]
#[derive(Clone, Copy, Debug)]
pub(super) struct Pool<'a> {
    /// The pool as text, if all of it is; no string then holds another byte than these.
    text: Option<&'a str>,
    /// Where it lies.
    base: usize,
    /// Whether no string has a byte that CSV sets in quotes.
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
            plain_in_csv: !bytes.iter().fold(false, |any, &byte| any | quoted_in_csv(byte)),
            #[cfg(feature = "json")]
            plain_in_json: !bytes
                .iter()
                .fold(false, |any, &byte| any | (byte < b' ' && byte != 0) | matches!(byte, b'"' | b'\\')),
        }
    }

    /// The text of one of the pool's strings.
    #[inline]
    pub(super) fn utf8(&self, string: &'a [u8]) -> Cow<'a, str> {
        let start = string.as_ptr().addr().wrapping_sub(self.base);
        match self.text.and_then(|text| text.get(start..start.checked_add(string.len())?)) {
            Some(text) => text.into(),
            // In the midst of a character, or of a pool that is not all text.
            None => utf8(string),
        }
    }
}

/// Whether a cell of CSV with this byte is set in quotes.
#[cfg(feature = "csv")]
#[inline]
pub(super) const fn quoted_in_csv(byte: u8) -> bool {
    matches!(byte, b',' | b'"' | b'\r' | b'\n')
}

/// A byte as `\xNN`.
fn escape(byte: u8) -> [u8; 4] {
    let digit = |value: u8| if value < 10 { b'0' | value } else { b'W'.saturating_add(value) };
    [b'\\', b'x', digit(byte >> 4), digit(byte & 15)]
}

/// What a byte of a table's strings costs whoever shows them: what is no text is written as four.
pub(crate) fn byte_cost(table: &Table<'_>) -> u64 {
    if std::str::from_utf8(table.strings().bytes()).is_ok() { 1 } else { 4 }
}

/// Text in quotes, from which its bytes can be told: what a terminal should not see, and invalid bytes, as `\xNN`.
pub(super) fn quoted(bytes: &[u8], out: &mut Vec<u8>) {
    let hex = |bytes: &[u8], out: &mut Vec<u8>| bytes.iter().for_each(|&byte| out.extend(escape(byte)));
    out.push(b'"');
    for chunk in bytes.utf8_chunks() {
        let valid = chunk.valid();
        if valid.bytes().all(|byte| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\')) {
            out.extend_from_slice(valid.as_bytes());
        } else {
            for char in valid.chars() {
                let mut buffer = [0; 4];
                let char_bytes = char.encode_utf8(&mut buffer).as_bytes();
                if char.is_control() {
                    hex(char_bytes, out);
                    continue;
                }
                if matches!(char, '"' | '\\') {
                    out.push(b'\\');
                }
                out.extend_from_slice(char_bytes);
            }
        }
        hex(chunk.invalid(), out);
    }
    out.push(b'"');
}

/// An integer.
#[inline]
pub(super) fn int(value: impl itoa::Integer, out: &mut Vec<u8>) {
    out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
}

/// A float that is a number; `false`, and nothing written, if it is none.
#[inline]
pub(crate) fn number(value: f32, out: &mut Vec<u8>) -> bool {
    if value.is_finite() {
        out.extend_from_slice(zmij::Buffer::new().format_finite(value).as_bytes());
    }
    value.is_finite()
}

/// A float, whatever it is.
#[inline]
pub(crate) fn float(value: f32, out: &mut Vec<u8>) {
    if !number(value, out) {
        no_number(value, out);
    }
}

/// The name of a float that is no number.
#[cold]
pub(crate) fn no_number(value: f32, out: &mut Vec<u8>) {
    let name = match value.to_bits() {
        0x7fc0_0000 => "NaN",
        0x7f80_0000 => "Infinity",
        0xff80_0000 => "-Infinity",
        bits => {
            // Writing to a vector cannot fail.
            let _ = write!(out, "NaN:{bits:#010x}");
            return;
        }
    };
    out.extend_from_slice(name.as_bytes());
}

/// Output that is gathered in memory, and leaves it in large pieces.
#[derive(Debug)]
pub(crate) struct Out<W> {
    /// What was not written yet.
    pub(crate) bytes: Vec<u8>,
    to: W,
    bound: Bound,
}

impl<W: Write> Out<W> {
    const PIECE: usize = 1 << 16;

    pub(crate) fn new(to: W, bound: Bound) -> Self {
        Self { bytes: Vec::with_capacity(Self::PIECE + (1 << 12)), to, bound }
    }

    pub(crate) fn put(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Passes on what was gathered, if it is enough.
    #[inline]
    pub(crate) fn settle(&mut self) -> io::Result<()> {
        if self.bytes.len() < Self::PIECE { Ok(()) } else { self.pass_on() }
    }

    fn pass_on(&mut self) -> io::Result<()> {
        self.bound.take(self.bytes.len())?;
        self.to.write_all(&self.bytes)?;
        self.bytes.clear();
        // One long string should not keep its memory to the end.
        self.bytes.shrink_to(2 * Self::PIECE);
        Ok(())
    }

    pub(crate) fn finish(mut self) -> Result<()> {
        self.pass_on()?;
        self.to.flush()?;
        Ok(())
    }
}

impl<W: Write> Write for Out<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.pass_on()
    }
}
