use serde::{Serialize, Serializer};
use worldview_core::describe::{Array, Elements, FieldValue};

use crate::{Encoding, form, hex};

/// A serializable value.
pub(crate) struct Scalar<'v> {
    pub(crate) value: &'v FieldValue<'v>,
    pub(crate) encoding: Encoding,
}

impl Serialize for Scalar<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match *self.value {
            FieldValue::Int(int) => serializer.serialize_i64(int),
            FieldValue::Uint(uint) => serializer.serialize_u64(uint),
            FieldValue::Float(float) => Float(float).serialize(serializer),
            FieldValue::Ints(ints) => serializer.collect_seq(ints.iter().map(|int| int.get())),
            FieldValue::Floats(floats) => serializer.collect_seq(floats.iter().map(|&float| Float(float))),
            FieldValue::Text(text) => form::decode(&text, self.encoding).serialize(serializer),
            FieldValue::Bool(bool) => serializer.serialize_bool(bool),
            FieldValue::Word(word) => serializer.serialize_str(word),
            FieldValue::Words(words) => words.serialize(serializer),
            FieldValue::Bytes(bytes) => serializer.serialize_str(&hex(bytes)),
            FieldValue::Color(color) => serializer.collect_str(&format_args!("#{}", hex(&color))),
            // Absent and dangling values, and any variants added in the future.
            _ => serializer.serialize_none(),
        }
    }
}

/// A float, serialized as a string if it is not finite, because JSON cannot represent that.
#[derive(Clone, Copy)]
struct Float(f32);

impl Serialize for Float {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        if self.0.is_finite() {
            return serializer.serialize_f32(self.0);
        }
        let mut name = String::new();
        form::float(self.0, &mut name);
        serializer.serialize_str(&name)
    }
}

/// An array: divided into rows if it has columns, with bytes as hexadecimal text.
pub(super) struct Rows<'a>(pub(super) &'a Array<'a>);

impl Serialize for Rows<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let (array, len) = (self.0, self.0.elements.len());
        if array.columns == 0 {
            return Run { array, start: 0, end: len }.serialize(serializer);
        }
        let starts = (0..len).step_by(array.columns);
        serializer.collect_seq(starts.map(|start| Run {
            array,
            start,
            end: start.saturating_add(array.columns).min(len),
        }))
    }
}

/// A run of elements.
struct Run<'a> {
    array: &'a Array<'a>,
    start: usize,
    end: usize,
}

impl Serialize for Run<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let range = self.start..self.end;
        match self.array.elements {
            Elements::Bytes(bytes) => serializer.serialize_str(&hex(&bytes[range])),
            Elements::Words(words) => serializer.collect_seq(words[range].iter().map(|word| word.get())),
            Elements::Ints(ints) => serializer.collect_seq(ints[range].iter().map(|int| int.get())),
            Elements::Indices(indices) => serializer.collect_seq(&indices[range]),
            Elements::StoredFloats(floats) => {
                serializer.collect_seq(floats[range].iter().map(|float| Float(float.get())))
            }
            Elements::Floats(floats) => serializer.collect_seq(floats[range].iter().map(|&float| Float(float))),
            Elements::Colors(colors) => {
                serializer.collect_seq(colors[range].iter().map(|color| format!("#{}", hex(color))))
            }
            _ => serializer.serialize_none(),
        }
    }
}
