//! Types of TypeScript that are not classes, and records as objects.

use wasm_bindgen::prelude::*;
use worldview::RecordValue;

use crate::asset::Context;
use crate::error::set;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("types.d.ts");

#[wasm_bindgen(typescript_custom_section)]
const RECORDS: &str = include_str!("records.d.ts");

/// Adds the fields of a record to an object.
pub(crate) fn fields<'v>(
    object: &js_sys::Object,
    fields: impl Iterator<Item = (&'static str, RecordValue<'v>)>,
    context: &Context,
) {
    for (name, value) in fields {
        let value = match value {
            RecordValue::Int(value) => value.into(),
            RecordValue::Uint(value) => value.into(),
            RecordValue::Short(value) => value.into(),
            RecordValue::Byte(value) => value.into(),
            RecordValue::Ints(values) => numbers(values.iter().map(|value| value.get())),
            RecordValue::Text(bytes) => context.text(bytes.split(|&byte| byte == 0).next().unwrap_or_default()).into(),
            _ => JsValue::NULL,
        };
        set(object, name, &value);
    }
}

/// Converts numbers to an array.
pub(crate) fn numbers<N: Into<JsValue>>(values: impl IntoIterator<Item = N>) -> JsValue {
    values.into_iter().map(Into::into).collect::<js_sys::Array>().into()
}
