//! The schema that the consumer of an Arrow stream asks for.

use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::ffi::FFI_ArrowSchema;
use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, BinaryViewArray, DictionaryArray, LargeBinaryArray, LargeStringArray, RecordBatch, RecordBatchReader,
    StringViewArray,
};
use arrow_schema::{ArrowError, DataType, Schema, SchemaRef};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

/// Returns the schema of rows as the consumer asks for it: texts and bytes as views or with large offsets. Columns of other
/// types stay as they are, which the interface allows; the consumer converts them.
pub(crate) fn honored(own: &SchemaRef, requested: Option<&Bound<'_, PyAny>>) -> PyResult<SchemaRef> {
    let Some(requested) = requested else { return Ok(Arc::clone(own)) };
    let requested = schema_of(requested)?;
    let names = |schema: &Schema| schema.fields().iter().map(|field| field.name().clone()).collect::<Vec<_>>();
    if names(&requested) != names(own) {
        let (requested, own) = (names(&requested).join(", "), names(own).join(", "));
        let message = format!("the requested schema has the columns {requested}; the rows have {own}");
        return Err(PyValueError::new_err(message));
    }
    let fields = own.fields().iter().zip(requested.fields()).map(|(own, requested)| {
        let wanted = requested.data_type();
        if is_possible(own.data_type(), wanted) {
            Arc::new(own.as_ref().clone().with_data_type(wanted.clone()))
        } else {
            Arc::clone(own)
        }
    });
    Ok(Arc::new(Schema::new_with_metadata(fields.collect::<Vec<_>>(), own.metadata().clone())))
}

#[expect(unsafe_code, reason = "the interface passes a structure of C")]
pub(crate) fn schema_of(requested: &Bound<'_, PyAny>) -> PyResult<Schema> {
    let capsule = requested.cast::<PyCapsule>()?;
    let pointer = capsule.pointer_checked(Some(c"arrow_schema"))?.cast::<FFI_ArrowSchema>();
    // SAFETY: A capsule of this name holds a schema, by the Arrow PyCapsule interface, and `requested` keeps it alive. It is only
    // read: the consumer still owns it.
    let schema = unsafe { pointer.as_ref() };
    Schema::try_from(schema).map_err(|error| PyValueError::new_err(format!("the requested schema: {error}")))
}

/// Returns a schema with all texts of a type.
pub(crate) fn with_texts(schema: &Schema, texts: &DataType) -> SchemaRef {
    let fields = schema.fields().iter().map(|field| match field.data_type() {
        DataType::Utf8 => Arc::new(field.as_ref().clone().with_data_type(texts.clone())),
        _ => Arc::clone(field),
    });
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}

/// The type of texts of which each is stored once.
pub(crate) fn dictionary() -> DataType {
    DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8))
}

fn is_possible(own: &DataType, wanted: &DataType) -> bool {
    match own {
        DataType::Utf8 => matches!(wanted, DataType::Utf8View | DataType::LargeUtf8) || *wanted == dictionary(),
        DataType::Binary => matches!(wanted, DataType::BinaryView | DataType::LargeBinary),
        _ => false,
    }
}

/// Rows with the schema that `honored` returned.
pub(crate) struct Converted<R> {
    pub(crate) reader: R,
    pub(crate) schema: SchemaRef,
}

impl<R: RecordBatchReader> Iterator for Converted<R> {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let batch = self.reader.next()?;
        Some(batch.and_then(|batch| {
            let fields = self.schema.fields().iter();
            let columns = batch.columns().iter().zip(fields).map(|(column, field)| convert(column, field.data_type()));
            RecordBatch::try_new(Arc::clone(&self.schema), columns.collect())
        }))
    }
}

impl<R: RecordBatchReader> RecordBatchReader for Converted<R> {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}

fn convert(column: &ArrayRef, wanted: &DataType) -> ArrayRef {
    if column.data_type() == wanted {
        return Arc::clone(column);
    }
    match wanted {
        DataType::Utf8View => Arc::new(StringViewArray::from(column.as_string::<i32>())),
        DataType::LargeUtf8 => Arc::new(LargeStringArray::from_iter(column.as_string::<i32>())),
        DataType::Dictionary(..) => Arc::new(column.as_string::<i32>().iter().collect::<DictionaryArray<Int32Type>>()),
        DataType::BinaryView => Arc::new(BinaryViewArray::from(column.as_binary::<i32>())),
        DataType::LargeBinary => Arc::new(LargeBinaryArray::from_iter(column.as_binary::<i32>())),
        _ => Arc::clone(column),
    }
}
