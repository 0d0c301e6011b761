//! Formatting of values.

use std::borrow::Cow;
use std::fmt::{self, Write as _};
use std::ops::Range;

use worldview_core::describe::{Array, Charset, Elements, FieldName, FieldValue, Notation, TextValue};
use worldview_core::zerocopy::little_endian::I32;

use crate::encoding::{Encoding, hex};

/// Displays text in quotes, with control characters as `\x00`.
#[derive(Clone, Copy, Debug)]
pub struct Quoted<'t>(pub &'t str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for char in self.0.chars() {
            match char {
                '"' => f.write_str("\\\"")?,
                char if char.is_control() => write!(f, "\\x{:02x}", u32::from(char))?,
                char => f.write_char(char)?,
            }
        }
        f.write_char('"')
    }
}

/// Decodes UTF-8, writing each invalid byte as `\xNN`.
#[inline]
pub fn utf8(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => marked(bytes).into(),
    }
}

#[cold]
fn marked(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() + 8);
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            // Writing to a string cannot fail.
            let _ = write!(text, "\\x{byte:02x}");
        }
    }
    text
}

/// Decodes text of a file.
pub(crate) fn decode<'t>(text: &TextValue<'t>, encoding: Encoding) -> Cow<'t, str> {
    match text.charset {
        Charset::Undeclared => encoding.decode(text.text),
        Charset::Utf8 => utf8(text.text),
    }
}

/// Returns whether the decoded text determines the bytes, so that they need not be shown.
pub(crate) fn is_plain(text: &TextValue<'_>) -> bool {
    text.usual
        && match text.charset {
            Charset::Undeclared => text.text.is_ascii(),
            Charset::Utf8 => true,
        }
}

/// Appends a float as the shortest text that parses to the same value. Floats that are not finite become `NaN`,
/// `Infinity`, `-Infinity`, or `NaN:` followed by the bits of an unusual NaN.
pub fn float(value: f32, out: &mut String) {
    if value.is_finite() {
        return out.push_str(zmij::Buffer::new().format_finite(value));
    }
    match value.to_bits() {
        0x7fc0_0000 => out.push_str("NaN"),
        0x7f80_0000 => out.push_str("Infinity"),
        0xff80_0000 => out.push_str("-Infinity"),
        bits => {
            // Writing to a string cannot fail.
            let _ = write!(out, "NaN:{bits:#010x}");
        }
    }
}

/// Returns the name of a field as outputs have it: bits that no field owns are named by their place, as `word1_bits9_31`.
pub fn name<'n>(name: &FieldName<'n>) -> Cow<'n, str> {
    match *name {
        FieldName::Static(name) => name.into(),
        FieldName::Bytes(name) => utf8(name),
        FieldName::Bits { word, low, high } if low == high => format!("word{word}_bit{low}").into(),
        FieldName::Bits { word, low, high } => format!("word{word}_bits{low}_{high}").into(),
    }
}

/// Appends an integer in its notation. `word` is the lowest 32 bits of `wide`.
fn integer(wide: impl itoa::Integer + fmt::LowerHex, word: u32, notation: Notation, out: &mut String) {
    // Writing to a string cannot fail.
    match notation {
        Notation::Decimal => out.push_str(itoa::Buffer::new().format(wide)),
        Notation::Hex => _ = write!(out, "{wide:#x}"),
        Notation::Flags(names) => {
            _ = write!(out, "{wide:#x}");
            for (_, name) in names.iter().filter(|(bits, _)| word & bits == *bits) {
                _ = write!(out, " {name}");
            }
        }
        Notation::Named(show) => _ = show(word, out),
    }
}

/// Appends an element of an array.
pub(crate) fn element(array: &Array<'_>, bits: u32, out: &mut String) {
    match array.elements {
        Elements::Floats(_) | Elements::StoredFloats(_) => float(f32::from_bits(bits), out),
        // Writing to a string cannot fail.
        Elements::Colors(_) => _ = write!(out, "#{bits:06x}"),
        Elements::Ints(_) => _ = write!(out, "{}", bits.cast_signed()),
        _ => integer(bits, bits, array.notation, out),
    }
}

/// Appends a value in human-readable form.
pub(crate) fn value(value: &FieldValue<'_>, notation: Notation, encoding: Encoding, out: &mut String) {
    // Only the lowest 32 bits matter for flags and names.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "only the lowest 32 bits have names")]
    match *value {
        FieldValue::Int(int) => integer(int, int as u32, notation, out),
        FieldValue::Uint(uint) => integer(uint, uint as u32, notation, out),
        FieldValue::Float(value) => float(value, out),
        FieldValue::Ints(ints) => {
            spaced(ints.iter(), out, |int, out| out.push_str(itoa::Buffer::new().format(int.get())))
        }
        FieldValue::Floats(floats) => spaced(floats.iter(), out, |value, out| float(*value, out)),
        FieldValue::Text(text) => put_text(&text, encoding, out),
        FieldValue::Absent => out.push_str("none"),
        FieldValue::Dangling(offset) => _ = write!(out, "dangling at {offset:#x}"),
        FieldValue::Bool(true) => out.push_str("yes"),
        FieldValue::Bool(false) => out.push_str("no"),
        FieldValue::Word(word) => out.push_str(word),
        FieldValue::Words([]) => out.push_str("none"),
        FieldValue::Words(words) => spaced(words.iter(), out, |word, out| out.push_str(word)),
        FieldValue::Bytes(bytes) => out.push_str(&hex(bytes)),
        FieldValue::Color(color) => _ = write!(out, "#{}", hex(&color)),
    }
}

fn spaced<T>(items: impl Iterator<Item = T>, out: &mut String, put: impl Fn(T, &mut String)) {
    for (index, item) in items.enumerate() {
        if index > 0 {
            out.push(' ');
        }
        put(item, out);
    }
}

/// Appends quoted text, followed by its bytes if the text does not determine them.
fn put_text(text: &TextValue<'_>, encoding: Encoding, out: &mut String) {
    put_quoted(&decode(text, encoding), out);
    if !is_plain(text) || text.text.iter().any(u8::is_ascii_control) {
        // Writing to a string cannot fail.
        let _ = write!(out, " bytes {}", hex(text.stored));
    }
}

/// Appends text as [`Quoted`] displays it. Most text has nothing to escape, and there are millions of short ones.
pub(crate) fn put_quoted(text: &str, out: &mut String) {
    if text.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_control() && byte != b'"') {
        out.extend(["\"", text, "\""]);
    } else {
        let _ = write!(out, "{}", Quoted(text));
    }
}

/// Appends an integer in hexadecimal, with `0x`.
pub(crate) fn put_hex(value: impl Into<u64>, out: &mut String) {
    let value: u64 = value.into();
    let count = (u64::BITS - value.leading_zeros()).div_ceil(4).max(1);
    let digit = |place: u32| char::from_digit(u32::from((value >> (4 * place)).to_le_bytes()[0] & 15), 16);
    out.push_str("0x");
    out.extend((0..count).rev().filter_map(digit));
}

/// Calls `then` with the value of an item of an array, which is one element or several, and how it is shown.
pub(crate) fn with_item<T>(
    array: &Array<'_>,
    elements: Range<usize>,
    then: impl FnOnce((FieldValue<'_>, Notation)) -> T,
) -> T {
    let bits = |index| array.elements.bits(index).unwrap_or(0);
    let is_float = matches!(array.elements, Elements::Floats(_) | Elements::StoredFloats(_));
    let first = bits(elements.start);
    let (floats, ints): (Vec<f32>, Vec<I32>);
    let value = match array.elements {
        _ if elements.len() > 1 && is_float => {
            floats = elements.map(|index| f32::from_bits(bits(index))).collect();
            FieldValue::Floats(&floats)
        }
        _ if elements.len() > 1 => {
            ints = elements.map(|index| I32::new(bits(index).cast_signed())).collect();
            FieldValue::Ints(&ints)
        }
        _ if is_float => FieldValue::Float(f32::from_bits(first)),
        Elements::Ints(_) => FieldValue::Int(first.cast_signed().into()),
        Elements::Colors(_) => {
            let [_, red, green, blue] = first.to_be_bytes();
            FieldValue::Color([red, green, blue])
        }
        _ => FieldValue::Uint(first.into()),
    };
    then((value, array.notation))
}
