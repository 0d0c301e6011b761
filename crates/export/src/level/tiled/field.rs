use std::borrow::Cow;
use std::fmt;

use worldview_core::FieldInfo;
use worldview_core::describe::FieldValue;

use crate::Encoding;
use worldview_inspect::{hex, ints};

/// An attribute or a property. Both formats of a map are written from the same lists of them.
pub type Field<'a> = (Cow<'static, str>, Scalar<'a>);

/// The value of an attribute or a property of a map.
#[derive(Clone, Debug, PartialEq)]
pub enum Scalar<'a> {
    /// True or false.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A floating-point number.
    Float(f64),
    /// Text.
    Text(Cow<'a, str>),
}

impl fmt::Display for Scalar<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(value) => value.fmt(f),
            Self::Int(value) => value.fmt(f),
            Self::Float(value) => value.fmt(f),
            Self::Text(value) => value.fmt(f),
        }
    }
}

impl Scalar<'_> {
    /// Returns Tiled's name for the property type.
    pub(super) const fn kind(&self) -> &'static str {
        match self {
            Self::Bool(_) => "bool",
            Self::Int(_) => "int",
            Self::Float(_) => "float",
            Self::Text(_) => "string",
        }
    }
}

impl From<bool> for Scalar<'_> {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<i32> for Scalar<'_> {
    fn from(value: i32) -> Self {
        Self::Int(value.into())
    }
}

impl From<u32> for Scalar<'_> {
    fn from(value: u32) -> Self {
        Self::Int(value.into())
    }
}

impl From<i64> for Scalar<'_> {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<f64> for Scalar<'_> {
    fn from(value: f64) -> Self {
        Self::Float(value)
    }
}

impl From<String> for Scalar<'_> {
    fn from(value: String) -> Self {
        Self::Text(value.into())
    }
}

impl<'a> From<&'a str> for Scalar<'a> {
    fn from(value: &'a str) -> Self {
        Self::Text(value.into())
    }
}

impl<'a> From<Cow<'a, str>> for Scalar<'a> {
    fn from(value: Cow<'a, str>) -> Self {
        Self::Text(value)
    }
}

/// Creates a field.
pub(super) fn field<'a>(name: impl Into<Cow<'static, str>>, value: impl Into<Scalar<'a>>) -> Field<'a> {
    (name.into(), value.into())
}

/// Returns all fields of a record as properties.
pub(super) fn record<'a>(
    values: impl Iterator<Item = (&'static FieldInfo, FieldValue<'a>)>,
    encoding: Encoding,
) -> impl Iterator<Item = Field<'a>> {
    values
        .flat_map(move |(info, value)| match value {
            FieldValue::Text(value) => text(info.name, value.stored, encoding),
            value => [Some(field(info.name, scalar(value))), None],
        })
        .flatten()
}

/// Converts the value of a field to a property, which for a text is what is in front of its NUL.
fn scalar(value: FieldValue<'_>) -> Scalar<'_> {
    match value {
        FieldValue::Int(int) => int.into(),
        // `int` properties are signed 32-bit numbers, so larger words are written in hexadecimal.
        FieldValue::Uint(word) => i32::try_from(word).map_or_else(|_| format!("{word:#x}").into(), Scalar::from),
        FieldValue::Float(float) => f64::from(float).into(),
        FieldValue::Ints(values) => ints(values).into(),
        FieldValue::Bytes(bytes) => hex(bytes).into(),
        // Fixed-layout structures have no others.
        FieldValue::Absent
        | FieldValue::Floats(_)
        | FieldValue::Text(_)
        | FieldValue::Dangling(_)
        | FieldValue::Bool(_)
        | FieldValue::Word(_)
        | FieldValue::Words(_)
        | FieldValue::Color(_) => "".into(),
    }
}

/// Returns the properties of a field that is zero.
pub(super) fn zero(info: &FieldInfo) -> Scalar<'static> {
    let record = vec![0; info.offset + info.stored.size().unwrap_or(0)];
    match scalar(info.value(&record)) {
        Scalar::Bool(value) => value.into(),
        Scalar::Int(value) => value.into(),
        Scalar::Float(value) => value.into(),
        Scalar::Text(value) => value.into_owned().into(),
    }
}

/// Returns text up to its NUL, and all bytes if the text does not show them exactly.
pub(super) fn text<'a>(
    name: impl Into<Cow<'static, str>>,
    bytes: &'a [u8],
    encoding: Encoding,
) -> [Option<Field<'a>>; 2] {
    let name = name.into();
    let shown = encoding.decode(bytes.split(|&byte| byte == 0).next().unwrap_or(bytes));
    let used = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    let stored = (shown.as_bytes() != &bytes[..used]).then(|| field(bytes_name(&name), hex(&bytes[..used])));
    [Some(field(name, shown)), stored]
}

/// Returns the name of the property that has the bytes of a text, which stands beside the property with the text itself.
pub fn bytes_name(text: &str) -> String {
    format!("{text}_bytes")
}

/// Returns the name of the property for a field: programs that read maps refuse some with the name of an attribute.
pub fn property_name(field: &str) -> Cow<'_, str> {
    match field {
        "id" | "name" | "x" | "y" | "width" | "height" => format!("wwd_{field}").into(),
        _ => field.into(),
    }
}

/// Returns the text with each character that XML cannot contain replaced by its picture, U+2400 and up. No code page of a
/// level has these, so the replacement is unambiguous.
pub(super) fn printable(text: &str) -> Cow<'_, str> {
    let picture = |char: char| match char {
        '\t' | '\n' | '\r' => None,
        '\0'..='\x1F' => char::from_u32(0x2400 + u32::from(char)),
        _ => None,
    };
    if !text.contains(|char| picture(char).is_some()) {
        return text.into();
    }
    text.chars().map(|char| picture(char).unwrap_or(char)).collect::<String>().into()
}

/// Returns a text of a map with each picture of a control character, U+2400 to U+241F, replaced by the character.
pub fn from_printable(text: &str) -> Cow<'_, str> {
    let control = |char: char| match char {
        '\u{2400}'..='\u{241F}' => char::from_u32(u32::from(char) - 0x2400),
        _ => None,
    };
    if !text.contains(|char| control(char).is_some()) {
        return text.into();
    }
    text.chars().map(|char| control(char).unwrap_or(char)).collect::<String>().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_come_back() {
        let text = "a\u{1}b\tc\nd\u{1f}e";
        assert_eq!(printable(text), "a\u{2401}b\tc\nd\u{241f}e");
        assert_eq!(from_printable(&printable(text)), text);
    }
}
