//! Tables.

use wasm_bindgen::prelude::*;
use worldview::inspect::utf8;
use worldview::wpd::{self, Value, ValueType};
use worldview_export::table::{self, Selection};

use crate::asset::{Asset, asset, table_of};
use crate::error::{argument, set};
use crate::options;
use crate::values::Texts;

/// A table of Final Fantasy XIII (WDB): records with names and typed fields.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Table {
    pub(crate) asset: Asset,
}

asset!(Table, r#""table""#);

#[wasm_bindgen]
impl Table {
    /// The name of the sheet that the table is, or `undefined`.
    #[wasm_bindgen(getter)]
    pub fn sheet(&self) -> Option<String> {
        table::sheet(table_of(&self.asset.handle)).map(std::borrow::Cow::into_owned)
    }

    /// The number of records.
    #[wasm_bindgen(getter)]
    pub fn length(&self) -> usize {
        table_of(&self.asset.handle).len()
    }

    /// The fields of each record, in order.
    #[wasm_bindgen(getter, unchecked_return_type = "Field[]")]
    pub fn fields(&self) -> js_sys::Array {
        let field = |field: &wpd::Field<'_>| {
            let object = js_sys::Object::new();
            set(&object, "name", &utf8(field.name()).as_ref().into());
            set(&object, "type", &field.kind().value_type().name().into());
            set(&object, "kind", &field.kind().name().into());
            set(&object, "word", &field.word().into());
            set(&object, "bit", &field.bit().into());
            set(&object, "width", &field.width().into());
            object
        };
        table_of(&self.asset.handle).fields().iter().map(field).collect()
    }

    /// Returns the names of the records, in file order.
    #[wasm_bindgen(unchecked_return_type = "string[]")]
    pub fn names(&self) -> Result<js_sys::Array, JsValue> {
        let mut names = Texts::default();
        table_of(&self.asset.handle).rows().for_each(|row| names.push(Some(&utf8(row.name()))));
        names.array()
    }

    /// Returns one field of every record, in file order.
    ///
    /// Throws a `WorldviewError` if there is no field of this name.
    #[wasm_bindgen(unchecked_return_type = "Column")]
    pub fn column(&self, name: &str) -> Result<JsValue, JsValue> {
        let table = table_of(&self.asset.handle);
        let field = table.field(name).or_else(|| table.fields().iter().find(|field| utf8(field.name()) == name));
        let Some(field) = field else {
            return Err(self.asset.error(format_args!("there is no field {name:?}")));
        };
        Ok(match field.kind().value_type() {
            ValueType::I32 => js_sys::Int32Array::from(numbers::<i32>(table, field).as_slice()).into(),
            ValueType::U32 => js_sys::Uint32Array::from(numbers::<u32>(table, field).as_slice()).into(),
            ValueType::F32 => js_sys::Float32Array::from(numbers::<f32>(table, field).as_slice()).into(),
            ValueType::U64 => js_sys::BigUint64Array::from(numbers::<u64>(table, field).as_slice()).into(),
            _ => {
                let mut texts = Texts::default();
                let mut push = |text: Option<&[u8]>| texts.push(text.map(utf8).as_deref());
                match table.column_of::<Option<&[u8]>>(field) {
                    Some(column) => column.iter().for_each(&mut push),
                    // Elements of string arrays.
                    None => table.rows().for_each(|row| match row.value(field) {
                        Some(Value::Text(text)) => push(text),
                        _ => push(None),
                    }),
                }
                texts.array()?.into()
            }
        })
    }

    /// Returns one record by its index or its name: its values by the names of the fields, or `undefined` if there is no such
    /// record. `column` is much faster for many.
    #[wasm_bindgen(unchecked_return_type = "TableRecord | undefined")]
    pub fn record(
        &self,
        #[wasm_bindgen(unchecked_param_type = "number | string")] key: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let table = table_of(&self.asset.handle);
        let row = match (key.as_string(), options::index(key)) {
            (Some(name), _) => table.by_name(&name).or_else(|| table.rows().find(|row| utf8(row.name()) == name)),
            (None, Some(index)) => table.get(index),
            (None, None) => return Err(argument("a record is given by its index or its name")),
        };
        let Some(row) = row else { return Ok(JsValue::UNDEFINED) };
        // Unlike assignment, this makes a member of any name, even of `__proto__`.
        let pair = |(field, value): (&wpd::Field<'_>, Value<'_>)| {
            js_sys::Array::of2(&utf8(field.name()).as_ref().into(), &converted(value))
        };
        js_sys::Object::from_entries(&row.values().map(pair).collect::<js_sys::Array>()).map(Into::into)
    }
}

#[cfg(feature = "outputs")]
#[wasm_bindgen]
impl Table {
    /// Returns the records as CSV, as `worldview export --to csv` writes them.
    #[wasm_bindgen(js_name = toCsv)]
    pub fn to_csv(&self) -> Result<String, JsValue> {
        self.asset.csv(|out| table::csv::records(table_of(&self.asset.handle), &Selection::ALL, out))
    }

    /// Returns the string arrays of the table as CSV, as `worldview export --to csv` writes them.
    #[wasm_bindgen(js_name = arraysToCsv)]
    pub fn arrays_to_csv(&self) -> Result<String, JsValue> {
        self.asset.csv(|out| table::csv::arrays(table_of(&self.asset.handle), out))
    }
}

/// Converts a value of a record.
fn converted(value: Value<'_>) -> JsValue {
    match value {
        Value::I32(value) => value.into(),
        Value::U32(value) => value.into(),
        Value::F32(value) => value.into(),
        Value::U64(value) => value.into(),
        Value::Text(text) => text.map_or(JsValue::NULL, |bytes| utf8(bytes).as_ref().into()),
    }
}

/// Decodes a column of numbers.
fn numbers<T>(table: &wpd::Table<'_>, field: &wpd::Field<'_>) -> Vec<T>
where
    T: Default + Clone + for<'a> wpd::ColumnType<'a>,
{
    let mut out = vec![T::default(); table.len()];
    if let Some(column) = table.column_of::<T>(field) {
        column.copy_to(&mut out);
    }
    out
}
