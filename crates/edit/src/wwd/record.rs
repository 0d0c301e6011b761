use std::borrow::Cow;

use encoding_rs::WINDOWS_1252;
use worldview_core::{Path, RecordValue};

use crate::{EditError, EditErrorKind, Result, Value};

/// A fixed-layout structure whose fields are edited by name.
pub(super) struct Record {
    bytes: Vec<u8>,
    fields: Vec<(&'static str, usize, Kind)>,
}

#[derive(Clone, Copy)]
enum Kind {
    Int,
    Uint,
    /// Signed integers, one after the other.
    Ints(usize),
    Text(usize),
}

impl Record {
    /// Takes the bytes of a structure and the list of its fields.
    pub(super) fn of<'v>(bytes: &[u8], fields: impl Iterator<Item = (&'static str, RecordValue<'v>)>) -> Self {
        let mut at = 0_usize;
        let mut list = Vec::new();
        for (name, value) in fields {
            let (kind, len) = match value {
                RecordValue::Int(_) => (Kind::Int, 4),
                RecordValue::Ints(ints) => (Kind::Ints(ints.len()), size_of_val(ints)),
                RecordValue::Text(text) => (Kind::Text(text.len()), text.len()),
                _ => (Kind::Uint, 4),
            };
            list.push((name, at, kind));
            at = at.saturating_add(len);
        }
        Self { bytes: bytes.to_vec(), fields: list }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Whether there is a field of this name.
    pub(super) fn has(&self, name: &[u8]) -> bool {
        self.fields.iter().any(|(field, ..)| field.as_bytes() == name)
    }

    /// Gives a value to a field, which must have the expected one.
    pub(super) fn set(&mut self, name: &[u8], from: Option<&Value>, to: &Value, path: &Path) -> Result<()> {
        if let Some(from) = from {
            self.expect(name, from, path)?;
        }
        let (name, at, kind) = self.field(name, path)?;
        let found = self.value(at, kind);
        if same(to, &found) {
            return Ok(());
        }
        let does_not_fit = |limit: String| EditError::new(path, EditErrorKind::DoesNotFit { value: to.clone(), limit });
        match kind {
            Kind::Int => self.put(at, int(to, path, i32::MIN.into(), i32::MAX.into())?),
            Kind::Uint => self.put(at, int(to, path, 0, u32::MAX.into())?),
            Kind::Ints(count) => {
                let Value::Integers(list) = to else {
                    return Err(EditError::new(
                        path,
                        EditErrorKind::WrongType { wanted: "a list of integers", found: to.clone() },
                    ));
                };
                if list.len() != count {
                    return Err(does_not_fit(format!("{name} has {count} integers")));
                }
                for (nth, integer) in list.iter().enumerate() {
                    let word = int(&Value::Integer(*integer), path, i32::MIN.into(), i32::MAX.into())?;
                    self.put(at.saturating_add(nth.saturating_mul(4)), word);
                }
            }
            Kind::Text(len) => {
                let text = encode(to, path)?;
                let old = self.bytes.get(at..at.saturating_add(len)).unwrap_or(&[]);
                let old = old.iter().position(|&byte| byte == 0).unwrap_or(len);
                // Text ends with a NUL; a field that is full to its end can be given as bytes.
                let is_full = matches!(to, Value::Bytes(_)) && text.len() == len;
                if text.len() >= len && !is_full || text.contains(&0) {
                    return Err(does_not_fit(format!(
                        "{name} has room for {} bytes, none of them NUL",
                        len.saturating_sub(1)
                    )));
                }
                // What is behind the old text's NUL stays.
                let padded = text
                    .iter()
                    .copied()
                    .chain(std::iter::repeat(0))
                    .take(old.max(text.len().saturating_add(1)).min(len));
                for (byte, new) in self.bytes.iter_mut().skip(at).zip(padded) {
                    *byte = new;
                }
            }
        }
        Ok(())
    }

    /// Compares a field with the value that a change expects.
    pub(super) fn expect(&self, name: &[u8], expected: &Value, path: &Path) -> Result<()> {
        let (_, at, kind) = self.field(name, path)?;
        let found = self.value(at, kind);
        if same(expected, &found) {
            return Ok(());
        }
        Err(EditError::new(path, EditErrorKind::Differs { expected: expected.clone(), found }))
    }

    fn field(&self, name: &[u8], path: &Path) -> Result<(&'static str, usize, Kind)> {
        let field = self.fields.iter().find(|(field, ..)| field.as_bytes() == name);
        field.copied().ok_or_else(|| EditError::new(path, EditErrorKind::NotFound))
    }

    fn put(&mut self, at: usize, word: u32) {
        if let Some(place) = self.bytes.get_mut(at..at.saturating_add(4)) {
            place.copy_from_slice(&word.to_le_bytes());
        }
    }

    fn word(&self, at: usize) -> u32 {
        self.bytes.get(at..).and_then(|bytes| bytes.first_chunk()).map_or(0, |&word| u32::from_le_bytes(word))
    }

    fn value(&self, at: usize, kind: Kind) -> Value {
        match kind {
            Kind::Int => self.word(at).cast_signed().into(),
            Kind::Uint => self.word(at).into(),
            Kind::Ints(count) => {
                let integer = |nth: usize| self.word(at.saturating_add(nth.saturating_mul(4))).cast_signed().into();
                Value::Integers((0..count).map(integer).collect())
            }
            Kind::Text(len) => {
                let bytes = self.bytes.get(at..at.saturating_add(len)).unwrap_or(&[]);
                match bytes.iter().position(|&byte| byte == 0) {
                    Some(end) => decode(bytes.get(..end).unwrap_or(&[])),
                    None => Value::Bytes(bytes.to_vec()),
                }
            }
        }
    }

    /// Returns the fields with their values.
    pub(super) fn values(&self) -> impl Iterator<Item = (&'static str, Value)> {
        self.fields.iter().map(|&(name, at, kind)| (name, self.value(at, kind)))
    }
}

/// Whether two values are the same in a file: text may be given as bytes.
pub(super) fn same(left: &Value, right: &Value) -> bool {
    let bytes = |value: &Value| match value {
        Value::Text(_) | Value::Bytes(_) => encode(value, &Path::new()).ok().map(Cow::into_owned),
        _ => None,
    };
    left == right || bytes(left).is_some_and(|left| bytes(right) == Some(left))
}

/// A number as the word of a file.
pub(super) fn int(value: &Value, path: &Path, min: i64, max: i64) -> Result<u32> {
    match *value {
        Value::Integer(integer) if (i128::from(min)..=max.into()).contains(&integer) => {
            // In range of one of the two 32-bit types.
            Ok(u32::try_from(integer).unwrap_or_else(|_| i32::try_from(integer).unwrap_or_default().cast_unsigned()))
        }
        Value::Integer(_) => Err(EditError::new(
            path,
            EditErrorKind::DoesNotFit { value: value.clone(), limit: format!("{min} to {max}") },
        )),
        _ => Err(EditError::new(path, EditErrorKind::WrongType { wanted: "an integer", found: value.clone() })),
    }
}

/// Text of a level as changes express it: Windows-1252, which has a character for each byte.
pub(crate) fn decode(bytes: &[u8]) -> Value {
    let (text, _) = WINDOWS_1252.decode_without_bom_handling(bytes);
    Value::Text(text.into_owned())
}

/// The bytes of a text.
pub(super) fn encode<'v>(value: &'v Value, path: &Path) -> Result<Cow<'v, [u8]>> {
    match value {
        Value::Bytes(bytes) => Ok(bytes.as_slice().into()),
        Value::Text(text) => {
            let (bytes, _, has_unmappable) = WINDOWS_1252.encode(text);
            if has_unmappable {
                let limit = "a character is not in Windows-1252".to_owned();
                return Err(EditError::new(path, EditErrorKind::DoesNotFit { value: value.clone(), limit }));
            }
            Ok(bytes)
        }
        _ => Err(EditError::new(path, EditErrorKind::WrongType { wanted: "text", found: value.clone() })),
    }
}
