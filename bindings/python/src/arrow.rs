//! Rows by the Arrow PyCapsule interface.

use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::{Float32Type, Int32Type, UInt32Type, UInt64Type};
use arrow_array::{Array as _, ArrayRef, RecordBatch, RecordBatchIterator, RecordBatchReader};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, DataType, SchemaRef};
use pyo3::IntoPyObjectExt as _;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList};

use crate::error;

/// Returns a stream of batches as a capsule, which frees it if nobody takes it.
pub(crate) fn stream<'py>(
    py: Python<'py>,
    reader: Box<dyn RecordBatchReader + Send>,
) -> PyResult<Bound<'py, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(reader), c"arrow_array_stream")
}

/// Rows of a part, for data frame libraries: `polars.DataFrame(rows)`, `pyarrow.table(rows)`,
/// `pandas.DataFrame.from_arrow(rows)`, or a query of DuckDB that names the variable.
#[pyclass(frozen, module = "worldview")]
pub(crate) struct Rows {
    schema: SchemaRef,
    batches: Arc<[RecordBatch]>,
}

impl Rows {
    pub(crate) fn new(
        py: Python<'_>,
        path: &str,
        batches: impl FnOnce() -> worldview_export::Result<(SchemaRef, Vec<RecordBatch>)> + Send,
    ) -> PyResult<Self> {
        let (schema, batches) = py.detach(batches).map_err(|error| error::plain(py, path, error))?;
        Ok(Self { schema, batches: batches.into() })
    }

    pub(crate) fn collect(
        batches: worldview_export::RecordBatches<'_>,
    ) -> worldview_export::Result<(SchemaRef, Vec<RecordBatch>)> {
        Ok((batches.schema(), batches.collect::<Result<_, _>>()?))
    }
}

#[pymethods]
impl Rows {
    /// The number of rows.
    fn __len__(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    /// Returns an iterator over the rows as dictionaries.
    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let list = PyList::empty(py);
        for batch in self.batches.iter() {
            for row in 0..batch.num_rows() {
                let dict = PyDict::new(py);
                for (field, column) in self.schema.fields().iter().zip(batch.columns()) {
                    dict.set_item(field.name(), value(py, column, row)?)?;
                }
                list.append(dict)?;
            }
        }
        list.call_method0("__iter__")
    }

    /// The schema, by the Arrow PyCapsule interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema(py, &self.schema)
    }

    /// The rows, by the Arrow PyCapsule interface.
    #[pyo3(signature = (requested_schema = None))]
    pub(crate) fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The interface allows ignoring a requested schema.
        let _ = requested_schema;
        let batches: Vec<_> = self.batches.iter().cloned().map(Ok::<_, ArrowError>).collect();
        stream(py, Box::new(RecordBatchIterator::new(batches, Arc::clone(&self.schema))))
    }

    fn __repr__(&self) -> String {
        format!("<worldview.Rows: {} rows, {} columns>", self.__len__(), self.schema.fields().len())
    }
}

pub(crate) fn schema<'py>(py: Python<'py>, schema: &SchemaRef) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(schema.as_ref());
    let schema = schema.map_err(|error| pyo3::exceptions::PyValueError::new_err(error.to_string()))?;
    PyCapsule::new_with_value(py, schema, c"arrow_schema")
}

/// Converts a value of a column of one of the types that exports use.
fn value<'py>(py: Python<'py>, column: &ArrayRef, row: usize) -> PyResult<Bound<'py, PyAny>> {
    if column.is_null(row) {
        return Ok(py.None().into_bound(py));
    }
    match column.data_type() {
        DataType::Int32 => column.as_primitive::<Int32Type>().value(row).into_bound_py_any(py),
        DataType::UInt32 => column.as_primitive::<UInt32Type>().value(row).into_bound_py_any(py),
        DataType::UInt64 => column.as_primitive::<UInt64Type>().value(row).into_bound_py_any(py),
        DataType::Float32 => column.as_primitive::<Float32Type>().value(row).into_bound_py_any(py),
        DataType::Utf8 => column.as_string::<i32>().value(row).into_bound_py_any(py),
        DataType::Binary => column.as_binary::<i32>().value(row).into_bound_py_any(py),
        DataType::List(_) => {
            let items = column.as_list::<i32>().value(row);
            let items = (0..items.len()).map(|item| value(py, &items, item));
            Ok(PyList::new(py, items.collect::<PyResult<Vec<_>>>()?)?.into_any())
        }
        other => Err(pyo3::exceptions::PyTypeError::new_err(format!("a column of type {other}"))),
    }
}
