use std::ops::Range;

use worldview_core::Path;

use crate::value::Float;
use crate::{EditError, EditErrorKind, Result, Value};

/// The bytes that the game has room for in names of the directory, with their NUL.
const NAME: usize = 128;

/// A field: where its bytes are, and what they mean.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) name: &'static str,
    pub(super) range: Range<usize>,
    pub(super) kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// An unsigned integer of up to four bytes.
    Uint,
    /// A signed integer.
    Int,
    /// Bits of a word.
    Bits(u32),
    Float,
    Floats,
    /// Red, green and blue.
    Color,
    /// A count and text; in the directory the count includes a NUL. As a value, text is the part before the NUL, and bytes are
    /// all counted bytes.
    Name {
        in_directory: bool,
    },
    /// A count and colors.
    Palette,
    /// Bytes without a count.
    Run,
}

impl Field {
    /// Returns the value that the bytes stand for.
    pub(super) fn value(&self, bytes: &[u8]) -> Value {
        let bytes = bytes.get(self.range.clone()).unwrap_or(&[]);
        match self.kind {
            Kind::Uint => word(bytes).into(),
            Kind::Int => word(bytes).cast_signed().into(),
            Kind::Bits(mask) => (word(bytes) & mask).into(),
            Kind::Float => f32::from_bits(word(bytes)).into(),
            Kind::Floats => floats(bytes),
            Kind::Color => color_text(bytes),
            Kind::Name { in_directory } => {
                let (counted, text) = (bytes.get(4..).unwrap_or(&[]), text(bytes));
                let usual = text.len().saturating_add(in_directory.into());
                match std::str::from_utf8(text) {
                    Ok(text) if usual == counted.len() => text.into(),
                    _ => Value::Bytes(counted.to_vec()),
                }
            }
            Kind::Palette => Value::Bytes(bytes.get(4..).unwrap_or(&[]).to_vec()),
            Kind::Run => Value::Bytes(bytes.to_vec()),
        }
    }

    /// Returns the bytes that stand for a value, given the bytes that are there.
    pub(super) fn encode(&self, old: &[u8], value: &Value, path: &Path) -> Result<Vec<u8>> {
        let wrong = |wanted| EditError::new(path, EditErrorKind::WrongType { wanted, found: value.clone() });
        let misfit = |limit: String| EditError::new(path, EditErrorKind::DoesNotFit { value: value.clone(), limit });
        match self.kind {
            Kind::Uint | Kind::Bits(_) => {
                let Value::Integer(integer) = *value else { return Err(wrong("an integer")) };
                let len = self.range.len();
                let max = match self.kind {
                    Kind::Bits(mask) => mask,
                    _ => u32::MAX >> 8_usize.saturating_mul(4_usize.saturating_sub(len)),
                };
                let new = u32::try_from(integer).ok().filter(|new| *new <= max);
                let new = new.ok_or_else(|| misfit(format!("0 to {max}")))?;
                let bits = match self.kind {
                    Kind::Bits(mask) if new & !mask != 0 => return Err(misfit(format!("only bits of {mask:#x}"))),
                    Kind::Bits(mask) => new | (word(old) & !mask),
                    _ => new,
                };
                Ok(bits.to_le_bytes().into_iter().take(len).collect())
            }
            Kind::Int => {
                let Value::Integer(integer) = *value else { return Err(wrong("an integer")) };
                let new = i32::try_from(integer).map_err(|_| misfit(format!("{} to {}", i32::MIN, i32::MAX)))?;
                Ok(new.to_le_bytes().into())
            }
            Kind::Float => Ok(value.as_float().ok_or_else(|| wrong("a number"))?.to_le_bytes().into()),
            Kind::Floats => {
                let floats = value.as_floats().ok_or_else(|| wrong("a list of numbers"))?;
                let count = self.range.len().checked_div(4).unwrap_or(0);
                if floats.len() != count {
                    return Err(misfit(format!("{} has {count} numbers", self.name)));
                }
                Ok(floats.into_iter().flat_map(f32::to_le_bytes).collect())
            }
            Kind::Color => color(value).map(Vec::from).ok_or_else(|| wrong("a color such as #ff8000")),
            Kind::Name { in_directory } => {
                let too_long = || misfit(format!("at most {} bytes", NAME.saturating_sub(1)));
                match value {
                    Value::Text(text) if text.contains('\0') => Err(misfit("a NUL would end the name".to_owned())),
                    Value::Text(text) => name(old, text.as_bytes(), in_directory).ok_or_else(too_long),
                    Value::Bytes(counted) => counted_name(old, counted, in_directory).ok_or_else(too_long),
                    _ => Err(wrong("text")),
                }
            }
            Kind::Palette => {
                let Value::Bytes(colors) = value else { return Err(wrong("bytes")) };
                let count = colors.len().checked_div(3).unwrap_or(0);
                if !colors.len().is_multiple_of(3) || count > 256 {
                    return Err(misfit("3 bytes a color, at most 256 colors".to_owned()));
                }
                let count = u32::try_from(count).unwrap_or(0);
                Ok([&count.to_le_bytes(), colors.as_slice()].concat())
            }
            Kind::Run => match value {
                Value::Bytes(bytes) => Ok(bytes.clone()),
                Value::Text(text) => Ok(text.as_bytes().to_vec()),
                _ => Err(wrong("bytes")),
            },
        }
    }

    /// Returns the new bytes of a field that must have an expected value.
    pub(super) fn set(&self, bytes: &[u8], from: Option<&Value>, to: &Value, path: &Path) -> Result<Vec<u8>> {
        let old = bytes.get(self.range.clone()).unwrap_or(&[]);
        if let Some(expected) = from {
            self.expect(bytes, expected, path)?;
        }
        self.encode(old, to, path)
    }

    /// Returns an error if a field does not have a value.
    pub(super) fn expect(&self, bytes: &[u8], expected: &Value, path: &Path) -> Result<()> {
        let old = bytes.get(self.range.clone()).unwrap_or(&[]);
        if self.value(bytes) == *expected || self.encode(old, expected, path).is_ok_and(|bytes| bytes == old) {
            return Ok(());
        }
        let found = self.value(bytes);
        Err(EditError::new(path, EditErrorKind::Differs { expected: expected.clone(), found }))
    }
}

/// Returns the first bytes, up to four, as a little-endian word.
fn word(bytes: &[u8]) -> u32 {
    bytes.iter().take(4).rev().fold(0, |word, &byte| word << 8 | u32::from(byte))
}

/// Returns the floats that bytes stand for.
pub(super) fn floats(bytes: &[u8]) -> Value {
    let float = |bytes: &[u8]| Float(f32::from_bits(word(bytes)));
    Value::Floats(bytes.chunks_exact(4).map(float).collect())
}

/// Returns the text of a counted name.
fn text(counted: &[u8]) -> &[u8] {
    counted.get(4..).and_then(|bytes| bytes.split(|&byte| byte == 0).next()).unwrap_or(&[])
}

/// Returns a counted name with another text; what is behind the old text stays. `None` if it is too long for the game.
pub(super) fn name(old: &[u8], new: &[u8], in_directory: bool) -> Option<Vec<u8>> {
    let counted = old.get(4..).unwrap_or(&[]);
    let tail = match counted.get(text(old).len()..) {
        _ if text(old) == new => return Some(old.to_vec()),
        Some([]) | None if in_directory && counted.is_empty() => &[0],
        tail => tail.unwrap_or(&[]),
    };
    counted_name(old, &[new, tail].concat(), in_directory)
}

/// Returns counted bytes with their count. `None` if they are too long for the game, and longer than those that are there.
fn counted_name(old: &[u8], new: &[u8], in_directory: bool) -> Option<Vec<u8>> {
    if in_directory && new.len() > NAME.max(old.len().saturating_sub(4)) {
        return None;
    }
    Some([&u32::try_from(new.len()).ok()?.to_le_bytes(), new].concat())
}

/// Returns a color as changes write it.
pub(super) fn color_text(bytes: &[u8]) -> Value {
    match *bytes {
        [red, green, blue] => format!("#{red:02x}{green:02x}{blue:02x}").into(),
        _ => Value::Bytes(bytes.to_vec()),
    }
}

fn color(value: &Value) -> Option<[u8; 3]> {
    match value {
        Value::Text(text) => {
            let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6 && !digits.starts_with('+'))?;
            let [_, red, green, blue] = u32::from_str_radix(digits, 16).ok()?.to_be_bytes();
            Some([red, green, blue])
        }
        Value::Integers(list) => {
            let bytes: Option<Vec<u8>> = list.iter().map(|&integer| u8::try_from(integer).ok()).collect();
            bytes?.try_into().ok()
        }
        _ => None,
    }
}
