//! Types of TypeScript that are not classes, and records as objects.

use wasm_bindgen::prelude::*;
use worldview::FieldInfo;
use worldview::describe::{FieldValue, Stored};

use crate::asset::Context;
use crate::error::set;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("types.d.ts");

#[cfg(feature = "island")]
#[wasm_bindgen(typescript_custom_section)]
const ISLAND: &str = "export interface Assets { database: Database; textures: Textures }";

#[cfg(feature = "levels")]
#[wasm_bindgen(typescript_custom_section)]
const LEVELS: &str = "export interface Assets { directory: Directory; level: Level; picture: Picture }";

#[cfg(feature = "tables")]
#[wasm_bindgen(typescript_custom_section)]
const TABLES: &str = "export interface Assets { archive: Archive; table: Table }";

#[wasm_bindgen(typescript_custom_section)]
const OPTIONS: &str = include_str!("options.d.ts");

#[wasm_bindgen(typescript_custom_section)]
const RECORDS: &str = include_str!("records.d.ts");

/// Adds the fields of a record to an object.
pub(crate) fn fields<'v>(
    object: &js_sys::Object,
    fields: impl Iterator<Item = (&'static FieldInfo, FieldValue<'v>)>,
    context: &Context,
) {
    for (info, value) in fields {
        let is_large = matches!(info.stored, Stored::Int(int) if int.bytes > 4);
        let value = match value {
            FieldValue::Int(value) if is_large => value.into(),
            FieldValue::Uint(value) if is_large => value.into(),
            FieldValue::Int(value) => JsValue::from_f64(value as f64),
            FieldValue::Uint(value) => JsValue::from_f64(value as f64),
            FieldValue::Float(value) => JsValue::from_f64(value.into()),
            FieldValue::Ints(values) => numbers(values.iter().map(|value| value.get())),
            FieldValue::Text(text) => context.text(text.text).into(),
            FieldValue::Bytes(bytes) => js_sys::Uint8Array::from(bytes).into(),
            // Fixed-layout structures have no others.
            FieldValue::Absent
            | FieldValue::Floats(_)
            | FieldValue::Dangling(_)
            | FieldValue::Bool(_)
            | FieldValue::Word(_)
            | FieldValue::Words(_)
            | FieldValue::Color(_) => JsValue::NULL,
        };
        set(object, info.name, &value);
    }
}

/// Converts numbers to an array.
pub(crate) fn numbers<N: Into<JsValue>>(values: impl IntoIterator<Item = N>) -> JsValue {
    values.into_iter().map(Into::into).collect::<js_sys::Array>().into()
}

/// Returns pixels as an object.
pub(crate) fn pixels(width: u32, height: u32, colors: &[u8]) -> JsValue {
    let object = js_sys::Object::new();
    set(&object, "width", &width.into());
    set(&object, "height", &height.into());
    set(&object, "data", &js_sys::Uint8ClampedArray::from(colors));
    object.into()
}
