//! Tables.
#![expect(unsafe_code, reason = "exported functions, and texts and buffers of the caller")]

use std::ffi::c_char;

use formats::wpd::{ColumnType, Element, Field, FieldKind, Table, Value, ValueType};
use zerocopy::FromZeros;

use crate::error::{Answer, Fault, WvStatus};
use crate::ffi::{self, ErrorOut, Grown, Out, WvSpan, answer, fill};
use crate::file::{WvHandle, given};

/// The type of the values of a field.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WvType {
    /// `int32_t`
    I32 = 1,
    /// `uint32_t`
    U32 = 2,
    /// `float`
    F32 = 3,
    /// `uint64_t`
    U64 = 4,
    /// Bytes, UTF-8 in every known file.
    Text = 5,
}

/// How a field is stored.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WvFieldKind {
    /// A signed integer of one word.
    Int = 0,
    /// An unsigned integer of one word.
    Uint = 1,
    /// An IEEE float of one word.
    Float = 2,
    /// An offset into the string pool, of one word.
    String = 3,
    /// An unsigned integer of two words.
    Uint64 = 4,
    /// A word of packed bits with an unknown layout, or a word of an unknown type.
    Raw = 5,
    /// Packed bits: a signed integer.
    BitsInt = 6,
    /// Packed bits: an unsigned integer.
    BitsUint = 7,
    /// Packed bits: a fixed-point number, as its raw signed integer. The scale is unknown.
    BitsFixed = 8,
    /// Packed bits: an index into the field's array of strings.
    StringArray = 9,
}

/// A table.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WvTable {
    /// Size of this structure. The caller sets it.
    pub size: usize,
    /// Number of records.
    pub record_count: usize,
    /// Number of fields.
    pub field_count: usize,
    /// Size of a record in bytes.
    pub record_size: u32,
    /// Version of the layout; UINT32_MAX if the table has none.
    pub layout_version: u32,
    /// Name of the sheet: the table's own, or that of the schema that its field names come from; empty if neither has one.
    /// Tables of Final Fantasy XIII do not store it.
    pub sheet_name: WvSpan,
    /// Generation of the format: "G0" to "G3" and "G3'".
    pub generation: WvSpan,
    /// Source of the field names: "embedded", "schema" or "generated".
    pub names: WvSpan,
}

/// A field of the records of a table.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WvField {
    /// Size of this structure. The caller sets it.
    pub size: usize,
    /// Name.
    pub name: WvSpan,
    /// How it is stored.
    pub kind: WvFieldKind,
    /// The type of its values.
    pub value_type: WvType,
    /// Index of the field's first word in the record. Words are 4 bytes, big-endian.
    pub word: u32,
    /// The lowest bit in the word; 0 for a field that occupies whole words.
    pub bit: u8,
    /// The width in bits: 1 to 32, or 64.
    pub width: u8,
}

/// A record of a table.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WvRecord {
    /// Size of this structure. The caller sets it.
    pub size: usize,
    /// Name, up to 16 bytes.
    pub name: WvSpan,
    /// The record's bytes: big-endian words.
    pub data: WvSpan,
    /// The bytes after the fields, if the record is too long. They are part of `data`.
    pub extra: WvSpan,
}

/// A value of a record. Only the member for its type is set; the others are 0.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WvValue {
    /// Size of this structure. The caller sets it.
    pub size: usize,
    /// The type.
    pub value_type: WvType,
    /// Of `WV_TYPE_TEXT`: whether there is a string. It is missing if its offset is outside the pool.
    pub has_text: bool,
    /// `WV_TYPE_I32`
    pub i32_: i32,
    /// `WV_TYPE_U32`
    pub u32_: u32,
    /// `WV_TYPE_F32`
    pub f32_: f32,
    /// `WV_TYPE_U64`
    pub u64_: u64,
    /// `WV_TYPE_TEXT`
    pub text: WvSpan,
}

fn table_of(handle: Option<&WvHandle>) -> Answer<&Table<'_>> {
    given(handle)?.table()
}

fn field_of<'h>(table: &'h Table<'h>, index: usize) -> Answer<&'h Field<'h>> {
    let fields = table.fields();
    fields.get(index).ok_or_else(|| Fault::index("field", index, fields.len()))
}

/// Returns the size of a table, and what it says about itself.
#[unsafe(no_mangle)]
pub extern "C" fn wv_table(table: Option<&WvHandle>, out: Grown<'_, WvTable>, error: ErrorOut<'_>) -> WvStatus {
    answer(out, error, || {
        let table = table_of(table)?;
        Ok(WvTable {
            size: size_of::<WvTable>(),
            record_count: table.len(),
            field_count: table.fields().len(),
            record_size: table.record_size(),
            layout_version: table.layout_version().unwrap_or(u32::MAX),
            sheet_name: table.sheet().map_or(WvSpan::NONE, WvSpan::from),
            generation: table.generation().name().into(),
            names: table.name_origin().name().into(),
        })
    })
}

/// Returns a field of a table.
#[unsafe(no_mangle)]
pub extern "C" fn wv_field(
    table: Option<&WvHandle>,
    index: usize,
    out: Grown<'_, WvField>,
    error: ErrorOut<'_>,
) -> WvStatus {
    answer(out, error, || {
        let field = field_of(table_of(table)?, index)?;
        Ok(WvField {
            size: size_of::<WvField>(),
            name: field.name().into(),
            kind: kind_of(field.kind()),
            value_type: type_of(field.kind().value_type()),
            word: field.word(),
            bit: field.bit(),
            width: field.width(),
        })
    })
}

/// Returns the index of the field with this name.
///
/// # Safety
///
/// `name` must be a text that ends with NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wv_field_index(
    table: Option<&WvHandle>,
    name: *const c_char,
    out: Out<'_, usize>,
    error: ErrorOut<'_>,
) -> WvStatus {
    answer(out, error, || {
        let table = table_of(table)?;
        // SAFETY: the caller guarantees a text.
        let name = unsafe { ffi::text(name, "the name") }?;
        let found = table.fields().iter().position(|field| field.name() == name);
        found.ok_or_else(|| Fault::not_found(&format!("the table has no field \"{}\"", name.escape_ascii())))
    })
}

/// Returns a record of a table.
#[unsafe(no_mangle)]
pub extern "C" fn wv_record(
    table: Option<&WvHandle>,
    index: usize,
    out: Grown<'_, WvRecord>,
    error: ErrorOut<'_>,
) -> WvStatus {
    answer(out, error, || {
        let table = table_of(table)?;
        let row = table.get(index).ok_or_else(|| Fault::index("record", index, table.len()))?;
        Ok(WvRecord {
            size: size_of::<WvRecord>(),
            name: row.name().into(),
            data: row.data().into(),
            extra: row.extra().into(),
        })
    })
}

/// Returns the index of the first record with this name.
///
/// # Safety
///
/// `name` must be a text that ends with NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wv_record_index(
    table: Option<&WvHandle>,
    name: *const c_char,
    out: Out<'_, usize>,
    error: ErrorOut<'_>,
) -> WvStatus {
    answer(out, error, || {
        let table = table_of(table)?;
        // SAFETY: the caller guarantees a text.
        let name = unsafe { ffi::text(name, "the name") }?;
        let found = table.by_name(name).map(|row| row.index());
        found.ok_or_else(|| Fault::not_found(&format!("the table has no record \"{}\"", name.escape_ascii())))
    })
}

/// Returns the value of a field of a record. For all values of a field, the `wv_column` functions are faster.
#[unsafe(no_mangle)]
pub extern "C" fn wv_value(
    table: Option<&WvHandle>,
    record: usize,
    field: usize,
    out: Grown<'_, WvValue>,
    error: ErrorOut<'_>,
) -> WvStatus {
    answer(out, error, || {
        let table = table_of(table)?;
        let field = field_of(table, field)?;
        let row = table.get(record).ok_or_else(|| Fault::index("record", record, table.len()))?;
        let value = row.value(field).ok_or_else(|| Fault::not_found("the record has no such field"))?;
        let value_type = type_of(field.kind().value_type());
        let mut out = WvValue {
            size: size_of::<WvValue>(),
            value_type,
            has_text: false,
            i32_: 0,
            u32_: 0,
            f32_: 0.0,
            u64_: 0,
            text: WvSpan::NONE,
        };
        match value {
            Value::I32(value) => out.i32_ = value,
            Value::U32(value) => out.u32_ = value,
            Value::F32(value) => out.f32_ = value,
            Value::U64(value) => out.u64_ = value,
            Value::Text(text) => {
                out.has_text = text.is_some();
                out.text = text.map_or(WvSpan::NONE, WvSpan::from);
            }
        }
        Ok(out)
    })
}

/// Copies the values of a field of the first records into a buffer, in the byte order of the machine.
///
/// # Safety
///
/// `values` must point to `capacity` values.
unsafe fn column<T: for<'a> ColumnType<'a> + FromZeros>(
    table: Option<&WvHandle>,
    field: usize,
    values: *mut T,
    capacity: usize,
) -> Answer<usize> {
    let table = table_of(table)?;
    let field = field_of(table, field)?;
    let column = table.column_of::<T>(field).ok_or_else(|| wrong_type(field))?;
    let len = capacity.min(column.len());
    // SAFETY: the caller of this function guarantees `capacity` values, which are at least as many.
    Ok(column.copy_to(unsafe { ffi::zeros(values, len) }?))
}

fn wrong_type(field: &Field<'_>) -> Fault {
    let (name, has) = (field.name().escape_ascii(), field.kind().value_type().name());
    Fault::new(WvStatus::Type, &format!("the field \"{name}\" holds {has}"))
}

/// Copies the values of a field of type `WV_TYPE_I32`, and sets `count` to the number of copied values.
///
/// # Safety
///
/// `values` must point to `capacity` values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wv_column_i32(
    table: Option<&WvHandle>,
    field: usize,
    values: *mut i32,
    capacity: usize,
    count: Out<'_, usize>,
    error: ErrorOut<'_>,
) -> WvStatus {
    // SAFETY: the caller guarantees `capacity` values.
    answer(count, error, || unsafe { column(table, field, values, capacity) })
}

/// Copies the values of a field of type `WV_TYPE_U32`, and sets `count` to the number of copied values.
///
/// # Safety
///
/// `values` must point to `capacity` values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wv_column_u32(
    table: Option<&WvHandle>,
    field: usize,
    values: *mut u32,
    capacity: usize,
    count: Out<'_, usize>,
    error: ErrorOut<'_>,
) -> WvStatus {
    // SAFETY: the caller guarantees `capacity` values.
    answer(count, error, || unsafe { column(table, field, values, capacity) })
}

/// Copies the values of a field of type `WV_TYPE_F32`, and sets `count` to the number of copied values.
///
/// # Safety
///
/// `values` must point to `capacity` values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wv_column_f32(
    table: Option<&WvHandle>,
    field: usize,
    values: *mut f32,
    capacity: usize,
    count: Out<'_, usize>,
    error: ErrorOut<'_>,
) -> WvStatus {
    // SAFETY: the caller guarantees `capacity` values.
    answer(count, error, || unsafe { column(table, field, values, capacity) })
}

/// Copies the values of a field of type `WV_TYPE_U64`, and sets `count` to the number of copied values.
///
/// # Safety
///
/// `values` must point to `capacity` values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wv_column_u64(
    table: Option<&WvHandle>,
    field: usize,
    values: *mut u64,
    capacity: usize,
    count: Out<'_, usize>,
    error: ErrorOut<'_>,
) -> WvStatus {
    // SAFETY: the caller guarantees `capacity` values.
    answer(count, error, || unsafe { column(table, field, values, capacity) })
}

/// Returns the values of a field of type `WV_TYPE_TEXT`, and sets `count` to their number. A missing string has NULL as its
/// `data`.
///
/// # Safety
///
/// `values` must point to `capacity` spans.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wv_column_text(
    table: Option<&WvHandle>,
    field: usize,
    values: *mut WvSpan,
    capacity: usize,
    count: Out<'_, usize>,
    error: ErrorOut<'_>,
) -> WvStatus {
    answer(count, error, || {
        let table = table_of(table)?;
        let field = field_of(table, field)?;
        let span = |text: Option<&[u8]>| text.map_or(WvSpan::NONE, WvSpan::from);
        // SAFETY: the caller guarantees `capacity` spans.
        let values = unsafe { ffi::buffer(values, capacity) }?;
        if let Some(column) = table.column_of::<Option<&[u8]>>(field) {
            return Ok(fill(values, column.iter().map(span)));
        }
        let column = table.column_of::<Element<'_>>(field).ok_or_else(|| wrong_type(field))?;
        Ok(fill(values, column.iter().map(|element| span(element.text))))
    })
}

const fn type_of(of: ValueType) -> WvType {
    match of {
        ValueType::I32 => WvType::I32,
        ValueType::U32 => WvType::U32,
        ValueType::F32 => WvType::F32,
        ValueType::U64 => WvType::U64,
        ValueType::Text => WvType::Text,
    }
}

const fn kind_of(kind: FieldKind) -> WvFieldKind {
    match kind {
        FieldKind::Int => WvFieldKind::Int,
        FieldKind::Uint => WvFieldKind::Uint,
        FieldKind::Float => WvFieldKind::Float,
        FieldKind::String => WvFieldKind::String,
        FieldKind::Uint64 => WvFieldKind::Uint64,
        FieldKind::BitsInt => WvFieldKind::BitsInt,
        FieldKind::BitsUint => WvFieldKind::BitsUint,
        FieldKind::BitsFixed => WvFieldKind::BitsFixed,
        FieldKind::Element => WvFieldKind::StringArray,
        _ => WvFieldKind::Raw,
    }
}
