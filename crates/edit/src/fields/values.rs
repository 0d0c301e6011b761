//! Values of fields as changes express them.

use std::borrow::Cow;

use worldview_core::describe::{
    Array, Charset, Describe, Elements, Field, FieldName, FieldValue, Flow, Int, Span, Stored, TextValue, Visit,
};
use worldview_core::{Error, Path};
use worldview_inspect::Encoding;

use super::{is_said, name};
use crate::checked::Checked as _;
use crate::tree::Tree;
use crate::{EditError, EditErrorKind, Result, Value};

/// The bytes of a vector or color.
pub(super) fn encode_several(stored: Stored<'_>, name: &str, to: &Value, path: &Path) -> Result<Vec<u8>> {
    let Stored::Floats(count) = stored else {
        return color(to).map(Vec::from).ok_or_else(|| wrong(to, "a color such as #ff8000", path));
    };
    let floats = to.as_floats().ok_or_else(|| wrong(to, "a list of numbers such as [0.5,1]", path))?;
    if floats.len() != usize::from(count) {
        let limit = format!("{name} has {count} numbers");
        return Err(EditError::does_not_fit(path, to.clone(), limit));
    }
    Ok(floats.into_iter().flat_map(f32::to_le_bytes).collect())
}

/// A color as changes write it.
pub(super) fn color_text([red, green, blue]: &[u8; 3]) -> Value {
    format!("#{red:02x}{green:02x}{blue:02x}").into()
}

/// The color that a value is: text such as `#ff8000`, or a list of three numbers.
pub(super) fn color(value: &Value) -> Option<[u8; 3]> {
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

/// The bytes of a value.
pub(crate) fn bytes<'v>(value: &'v Value, path: &Path) -> Result<&'v [u8]> {
    value.as_bytes().ok_or_else(|| wrong(value, "text or bytes", path))
}

/// Returns the bytes that a change gives to a place, unless it has them already.
pub(crate) fn replaced<'c>(
    node: &Tree<'_>,
    path: &Path,
    from: Option<&Value>,
    to: &'c Value,
    found: &[u8],
) -> Result<Option<&'c [u8]>> {
    let new = bytes(to, path)?;
    if new == found {
        node.is_done_already();
        return Ok(None);
    }
    expect_bytes(found, from, path)?;
    Ok(Some(new))
}

/// Returns an error unless bytes are the expected ones.
pub(crate) fn expect_bytes(found: &[u8], expected: Option<&Value>, path: &Path) -> Result<()> {
    match expected.filter(|expected| expected.as_bytes() != Some(found)) {
        Some(expected) => Err(EditError::differs(path, expected, Value::Bytes(found.to_vec()))),
        None => Ok(()),
    }
}

pub(super) fn field_name(field: &Field<'_>) -> &'static str {
    match field.name {
        FieldName::Static(name) => name,
        _ => "the field",
    }
}

pub(crate) fn wrong(found: &Value, wanted: &'static str, path: &Path) -> EditError {
    EditError::new(path, EditErrorKind::WrongType { wanted, found: found.clone() })
}

pub(super) fn integer(value: &Value, form: Int, path: &Path) -> Result<i128> {
    let (min, max) = form.range();
    match *value {
        Value::Integer(integer) if (min..=max).contains(&integer) => Ok(integer),
        Value::Integer(_) => {
            let whole = form.bytes.checked_mul(8) == Some(form.width);
            let bits = if whole { String::new() } else { format!("{} bits, ", form.width) };
            let limit = format!("{bits}{min} to {max}");
            Err(EditError::does_not_fit(path, value.clone(), limit))
        }
        _ => Err(wrong(value, "an integer", path)),
    }
}

/// The values that a field of several integers accepts, in words.
pub(super) const INTEGERS: &str = "a list of integers such as [1,2,3]";

/// A word of 32 bits.
pub(crate) fn word(value: &Value, path: &Path) -> Result<u32> {
    u32::try_from(integer(value, Int::word(4, false), path)?).checked()
}

pub(super) const fn charset(field: &Field<'_>) -> Charset {
    match field.value {
        FieldValue::Text(text) => text.charset,
        _ => Charset::Undeclared,
    }
}

pub(super) const fn text_of<'f>(field: &Field<'f>) -> Option<&'f [u8]> {
    match field.value {
        FieldValue::Text(text) => Some(text.text),
        _ => None,
    }
}

/// Everything that is counted of a text that may be given as all these bytes.
pub(super) const fn whole_text<'f>(field: &Field<'f>) -> Option<&'f [u8]> {
    match (field.stored, field.value) {
        (Stored::Counted(counted), FieldValue::Text(text)) if counted.whole.is_some() => Some(text.stored),
        _ => None,
    }
}

/// Whether bytes are as many as a text field of fixed size has, and stand for all of them.
pub(super) fn is_whole_field(field: &Field<'_>, bytes: &[u8]) -> bool {
    matches!(field.stored, Stored::Text(room) if bytes.len() == usize::from(room))
}

/// All bytes of a text field of fixed size.
pub(super) fn whole_field(field: &Field<'_>) -> Option<Vec<u8>> {
    match (field.value, field.stored) {
        (FieldValue::Text(text), Stored::Text(room)) => Some(padded(&text, room)),
        _ => None,
    }
}

fn padded(text: &TextValue<'_>, room: u16) -> Vec<u8> {
    text.stored.iter().copied().chain(std::iter::repeat(0)).take(room.into()).collect()
}

/// The values between which a text field of fixed size changes. What is behind the NUL of a text stays if another text is set, so that
/// one with something else behind it is given as all bytes of the field.
pub(crate) fn text_values([left, right]: [&TextValue<'_>; 2], room: u16) -> (Value, Value) {
    let says_all = |old: &TextValue<'_>, new: &TextValue<'_>| {
        let mut set = padded(old, room);
        let text = new.text.iter().copied().chain(std::iter::repeat(0));
        let len = old.text.len().max(new.text.len().saturating_add(1));
        set.iter_mut().zip(text.take(len)).for_each(|(to, from)| *to = from);
        set == padded(new, room)
    };
    let value = |old: &TextValue<'_>, new: &TextValue<'_>| {
        if says_all(old, new) && left.text != right.text {
            value_of(FieldValue::Text(*new), Stored::Text(room))
        } else {
            Value::Bytes(padded(new, room))
        }
    };
    (value(right, left), value(left, right))
}

/// Whether a text may be given as everything that is counted.
pub(super) const fn is_whole(stored: Stored<'_>) -> bool {
    matches!(stored, Stored::Counted(counted) if counted.whole.is_some())
}

/// The value of a field as changes express it.
pub(crate) fn value(field: &Field<'_>) -> Value {
    value_of(field.value, field.stored)
}

/// The value of a field that is stored in a way.
pub fn value_of(value: FieldValue<'_>, stored: Stored<'_>) -> Value {
    match value {
        FieldValue::Int(int) => int.into(),
        FieldValue::Uint(uint) => uint.into(),
        FieldValue::Float(float) => float.into(),
        FieldValue::Ints(ints) => Value::Integers(ints.iter().map(|int| int.get().into()).collect()),
        FieldValue::Floats(floats) => floats.into(),
        FieldValue::Color(color) => color_text(&color),
        FieldValue::Text(text) if is_whole(stored) && !text.usual => Value::Bytes(text.stored.to_vec()),
        FieldValue::Text(text) => match stored {
            // Without a NUL the field has no room for another byte.
            Stored::Text(room) if text.text.len() == usize::from(room) => Value::Bytes(text.text.to_vec()),
            _ => decode(text.text, text.charset),
        },
        FieldValue::Bytes(bytes) => Value::Bytes(bytes.to_vec()),
        FieldValue::Bool(bool) => u8::from(bool).into(),
        FieldValue::Dangling(_) => Value::Text("a text that is not there".to_owned()),
        // They are not stored as such, so no change has them.
        FieldValue::Absent | FieldValue::Word(_) | FieldValue::Words(_) => Value::Bytes(Vec::new()),
    }
}

/// Everything that changes can say of the fields of a part, and what its arrays contain.
pub fn values(body: &dyn Describe, key: Option<&str>) -> (Vec<(String, Value)>, Option<Value>) {
    let mut all = Values { key, ..Values::default() };
    let _ = body.describe(&mut all);
    (all.list, all.grid.map(|(bytes, _)| Value::Bytes(bytes)))
}

/// The same with all bytes of text fields that have something behind the NUL.
pub(crate) fn whole_values(body: &dyn Describe, key: Option<&str>) -> (Vec<(String, Value)>, Option<Value>) {
    let mut all = Values { key, wants_tails: true, ..Values::default() };
    let _ = body.describe(&mut all);
    (all.list, all.grid.map(|(bytes, _)| Value::Bytes(bytes)))
}

/// The same of all fields, also of those that are not there but could be.
pub(crate) fn all_values(body: &dyn Describe) -> Vec<(String, Value)> {
    let mut all = Values { wants_places: true, ..Values::default() };
    let _ = body.describe(&mut all);
    all.list
}

#[derive(Default)]
pub(super) struct Values<'k> {
    key: Option<&'k str>,
    wants_places: bool,
    wants_tails: bool,
    pub(super) list: Vec<(String, Value)>,
    /// The bytes of an array, and its columns.
    pub(super) grid: Option<(Vec<u8>, usize)>,
    pub(super) at: Option<Span>,
}

impl Visit for Values<'_> {
    fn field(&mut self, field: &Field<'_>) -> Flow {
        let is_key = matches!(field.name, FieldName::Static(name) if self.key == Some(name));
        if is_said(field) && !is_key && !matches!(field.value, FieldValue::Dangling(_)) {
            let value = match field.value {
                FieldValue::Text(text) if self.wants_tails && !text.usual => whole_field(field).map(Value::Bytes),
                _ => None,
            };
            let value = value.unwrap_or_else(|| self::value(field));
            self.list.push((String::from_utf8_lossy(&name(&field.name)).into_owned(), value));
        }
        Flow::Continue(())
    }

    fn array(&mut self, array: &Array<'_>) -> Flow {
        if let Elements::Bytes(bytes) = array.elements {
            self.grid = Some((bytes.to_vec(), array.columns));
            self.at = array.at;
        }
        let words = super::words(array).filter(|_| self.wants_places || !array.elements.is_empty());
        self.list.extend(words.map(|words| (array.name.to_owned(), words)));
        Flow::Continue(())
    }

    fn broken(&mut self, _: &Error) -> Flow {
        Flow::Continue(())
    }

    fn wants_places(&self) -> bool {
        self.wants_places
    }
}

/// Whether two values are the same in a file: text may be given as bytes.
pub(crate) fn same(left: &Value, right: &Value) -> bool {
    let bytes = |value: &Value| match value {
        Value::Text(_) | Value::Bytes(_) => encode(value, Charset::Undeclared, &Path::new()).ok().map(Cow::into_owned),
        _ => None,
    };
    left == right || bytes(left).is_some_and(|left| bytes(right) == Some(left))
}

/// Text as changes express it. Of an undeclared code page: Windows-1252, which has a character for each byte.
pub(crate) fn decode(bytes: &[u8], charset: Charset) -> Value {
    match charset {
        Charset::Utf8 => Value::from_bytes(bytes),
        Charset::Undeclared => Value::Text(Encoding::WINDOWS_1252.decode(bytes).into_owned()),
    }
}

/// Text of a level as changes express it.
pub fn decode_1252(bytes: &[u8]) -> Value {
    decode(bytes, Charset::Undeclared)
}

/// Returns the bytes of a text in a code page.
///
/// # Errors
///
/// Returns an error if the code page lacks a character.
pub fn encode_in(encoding: Encoding, text: &str, path: &Path) -> Result<Vec<u8>> {
    encoding.encode(text).ok_or_else(|| {
        let limit = format!("a character is not in {}", encoding.name());
        EditError::does_not_fit(path, text, limit)
    })
}

/// Returns the bytes of a text.
///
/// # Errors
///
/// Returns an error if the value is no text, or has a character that the code page lacks.
pub fn encode<'v>(value: &'v Value, charset: Charset, path: &Path) -> Result<Cow<'v, [u8]>> {
    match (value, charset) {
        (Value::Bytes(bytes), _) => Ok(bytes.as_slice().into()),
        (Value::Text(text), Charset::Utf8) => Ok(text.as_bytes().into()),
        (Value::Text(text), Charset::Undeclared) => encode_in(Encoding::WINDOWS_1252, text, path).map(Cow::Owned),
        _ => Err(wrong(value, "text", path)),
    }
}

/// The name that a value is in a level or WORLD.WDB. As bytes it has what is behind its NUL, too.
pub(crate) fn name_of(value: &Value) -> Option<Vec<u8>> {
    let bytes = encode(value, Charset::Undeclared, &Path::new()).ok()?;
    bytes.split(|&byte| byte == 0).next().map(<[u8]>::to_vec)
}
