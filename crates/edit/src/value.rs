use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
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

/// Bytes as hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len().saturating_mul(2)), |mut text, byte| {
        text.push_str(&format!("{byte:02x}"));
        text
    })
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

/// Whether the shortest text of a float is a JSON number that reads back as the same bits. Readers of JSON go by way of 64
/// bits and round twice.
fn is_exact(float: f32) -> bool {
    #[expect(clippy::cast_possible_truncation, reason = "the rounding is what is tested")]
    let read = float.to_string().parse::<f64>().map(|wide| wide as f32);
    float.is_finite() && read.is_ok_and(|read| read.to_bits() == float.to_bits())
}

/// An integer as a JSON number.
struct Number(i128);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match (i64::try_from(self.0), u64::try_from(self.0)) {
            (Ok(integer), _) => serializer.serialize_i64(integer),
            (_, Ok(integer)) => serializer.serialize_u64(integer),
            _ => Err(serde::ser::Error::custom("the integer does not fit into 64 bits")),
        }
    }
}

impl Serialize for Float {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if is_exact(self.0) {
            return serializer.serialize_f32(self.0);
        }
        Exact { bits: Some(format!("{:#010x}", self.0.to_bits())), bytes: None }.serialize(serializer)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Exact {
    #[serde(skip_serializing_if = "Option::is_none")]
    bits: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<String>,
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Integer(integer) => Number(*integer).serialize(serializer),
            Self::Integers(list) => serializer.collect_seq(list.iter().copied().map(Number)),
            Self::Float(float) => float.serialize(serializer),
            Self::Floats(list) => serializer.collect_seq(list),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Bytes(bytes) => Exact { bits: None, bytes: Some(hex(bytes)) }.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        use serde::de::Error as _;
        let value = serde_json::Value::deserialize(deserializer)?;
        match value {
            serde_json::Value::Number(number) => {
                if let Some(integer) = number.as_i64() {
                    return Ok(Self::Integer(integer.into()));
                }
                if let Some(integer) = number.as_u64() {
                    return Ok(Self::Integer(integer.into()));
                }
                #[expect(clippy::cast_possible_truncation, reason = "floats of game files have 32 bits")]
                let float = number.as_f64().unwrap_or(f64::NAN) as f32;
                if float.is_finite() {
                    Ok(float.into())
                } else {
                    Err(D::Error::custom("the number does not fit into 32 bits"))
                }
            }
            serde_json::Value::String(text) => Ok(Self::Text(text)),
            serde_json::Value::Array(list) => {
                let integer = |value: &serde_json::Value| value.as_i64().map(i128::from);
                if let Some(integers) = list.iter().map(integer).collect() {
                    return Ok(Self::Integers(integers));
                }
                let float = |value| match Self::deserialize(value) {
                    Ok(Self::Float(float)) => Some(float),
                    Ok(Self::Integer(integer)) => Self::Integer(integer).as_float().map(Float),
                    _ => None,
                };
                let floats: Option<_> = list.into_iter().map(float).collect();
                floats.map(Self::Floats).ok_or_else(|| D::Error::custom("expected numbers in the list"))
            }
            value @ serde_json::Value::Object(_) => {
                let exact: Exact = serde_json::from_value(value).map_err(D::Error::custom)?;
                match (exact.bits, exact.bytes) {
                    (Some(bits), None) => {
                        let digits = bits.strip_prefix("0x").and_then(|digits| u32::from_str_radix(digits, 16).ok());
                        let bits =
                            digits.ok_or_else(|| D::Error::custom("expected `bits` as 0x and hexadecimal digits"))?;
                        Ok(f32::from_bits(bits).into())
                    }
                    (None, Some(bytes)) => {
                        let bytes = unhex(&bytes)
                            .ok_or_else(|| D::Error::custom("expected `bytes` as pairs of hexadecimal digits"))?;
                        Ok(Self::Bytes(bytes))
                    }
                    _ => Err(D::Error::custom("expected one of `bits` and `bytes`")),
                }
            }
            _ => Err(D::Error::custom("expected a number, a text, or an object with `bits` or `bytes`")),
        }
    }
}
