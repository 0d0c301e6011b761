#[cfg(feature = "json")]
mod json;

use std::fmt;

use worldview_core::quote;

/// A value of a change.
///
/// In JSON, integers and floats are numbers and text is a string. What these cannot hold exactly is an object:
/// `{"bits": "0x7fc00001"}` for a float that no number stands for, `{"bytes": "ff00"}` for bytes that are not UTF-8.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// An integer of any width and sign.
    Integer(i128),
    /// A 32-bit float; compared by its bits.
    Float(Float),
    /// Text, which the file stores in its own encoding.
    Text(String),
    /// Bytes, stored as they are.
    Bytes(Vec<u8>),
    /// Several integers, such as the sides of a rectangle.
    Integers(Vec<i128>),
    /// Several 32-bit floats, such as the coordinates of a point.
    Floats(Vec<Float>),
}

/// A 32-bit float that equals another if the bits are equal.
#[derive(Clone, Copy, Debug)]
pub struct Float(pub f32);

impl PartialEq for Float {
    fn eq(&self, other: &Self) -> bool {
        self.0.to_bits() == other.0.to_bits()
    }
}

impl Eq for Float {}

impl Value {
    /// Returns text if the bytes are UTF-8, and else the bytes.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        match std::str::from_utf8(bytes) {
            Ok(text) => Self::Text(text.to_owned()),
            Err(_) => Self::Bytes(bytes.to_owned()),
        }
    }

    /// Returns the bytes of a text or of bytes.
    pub const fn as_bytes(&self) -> Option<&[u8]> {
        match self {
            Self::Text(text) => Some(text.as_bytes()),
            Self::Bytes(bytes) => Some(bytes.as_slice()),
            Self::Integer(_) | Self::Float(_) | Self::Integers(_) | Self::Floats(_) => None,
        }
    }

    /// Returns the number as a 32-bit float; an integer only if the float is exact.
    pub(crate) fn as_float(&self) -> Option<f32> {
        match *self {
            Self::Float(Float(float)) => Some(float),
            #[expect(clippy::cast_precision_loss, reason = "integers up to 2^24 are exact")]
            Self::Integer(integer) if integer.unsigned_abs() <= 1 << 24 => Some(integer as f32),
            _ => None,
        }
    }

    /// Returns several numbers as 32-bit floats; integers only if the floats are exact.
    pub(crate) fn as_floats(&self) -> Option<Vec<f32>> {
        match self {
            Self::Floats(list) => Some(list.iter().map(|float| float.0).collect()),
            Self::Integers(list) => list.iter().map(|&integer| Self::Integer(integer).as_float()).collect(),
            _ => None,
        }
    }
}

/// Returns the 32-bit float that is nearest to a number, unless that is infinite, or 0 for another number.
///
/// ```
/// use worldview_edit::nearest_float;
///
/// assert_eq!(nearest_float(0.1), Some(0.1_f32));
/// assert_eq!(nearest_float(1e-60), None);
/// assert_eq!(nearest_float(1e60), None);
/// ```
pub fn nearest_float(number: f64) -> Option<f32> {
    #[expect(clippy::cast_possible_truncation, reason = "the nearest float is meant")]
    let float = number as f32;
    (float.is_finite() && (float != 0.0 || number == 0.0)).then_some(float)
}

macro_rules! from_integers {
    ($($integer:ty),*) => {$(
        impl From<$integer> for Value {
            fn from(integer: $integer) -> Self {
                Self::Integer(integer.into())
            }
        }
    )*};
}

from_integers!(u8, i8, u16, i16, u32, i32, u64, i64);

impl From<f32> for Value {
    fn from(float: f32) -> Self {
        Self::Float(Float(float))
    }
}

impl From<&[f32]> for Value {
    fn from(floats: &[f32]) -> Self {
        Self::Floats(floats.iter().copied().map(Float).collect())
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(integer) => integer.fmt(f),
            Self::Float(Float(float)) => write!(f, "{float:?}"),
            Self::Text(text) => f.write_str(&quote(text)),
            Self::Bytes(bytes) if bytes.len() <= 32 => write!(f, "\"{}\"", bytes.escape_ascii()),
            Self::Bytes(bytes) => write!(f, "{} bytes", bytes.len()),
            Self::Integers(list) if list.len() <= 16 => f.debug_list().entries(list).finish(),
            Self::Integers(list) => write!(f, "{} integers", list.len()),
            Self::Floats(list) if list.len() <= 16 => f.debug_list().entries(list.iter().map(|float| float.0)).finish(),
            Self::Floats(list) => write!(f, "{} floats", list.len()),
        }
    }
}

/// Returns the bytes of pairs of hexadecimal digits.
pub fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes();
    if !digits.len().is_multiple_of(2) {
        return None;
    }
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    digits.chunks_exact(2).map(|pair| Some(digit(*pair.first()?)? << 4 | digit(*pair.last()?)?)).collect()
}
