//! Rows by the Arrow PyCapsule interface.

use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::{Float32Type, Float64Type, Int32Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type};
use arrow_array::{Array as _, ArrayRef, RecordBatch, RecordBatchIterator, RecordBatchReader};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, DataType, SchemaRef};
use pyo3::IntoPyObjectExt as _;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList, PySlice};
use worldview_edit::Value;

use crate::Maybe;
use crate::asset::{self, Step};
use crate::edit::Opened;
use crate::error;
use crate::objects::Objects;
use crate::requested::{self, Converted};
use crate::table::{self, Key};

/// Returns a stream of batches with a schema that `requested::honored` returned as a capsule, which frees it if nobody takes
/// it.
pub(crate) fn stream<'py>(
    py: Python<'py>,
    reader: impl RecordBatchReader + Send + 'static,
    schema: SchemaRef,
) -> PyResult<Bound<'py, PyCapsule>> {
    let reader = Box::new(Converted { reader, schema });
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(reader), c"arrow_array_stream")
}

/// Rows of a part, for data frame libraries: `polars.DataFrame(rows)`, `pyarrow.table(rows)`,
/// `pandas.DataFrame.from_arrow(rows)`, or a query of DuckDB that names the variable.
///
/// Each row is a mapping of the names of the columns to values. Those of objects can be assigned.
#[pyclass(frozen, module = "worldview", sequence)]
pub(crate) struct Rows(Arc<RowList>);

struct RowList {
    schema: SchemaRef,
    batches: Batches,
    /// What the rows are, if they can be edited.
    objects: Option<Objects>,
    /// How pickles get the rows, if they cannot be edited.
    origin: Option<(Arc<Opened>, Vec<Step>)>,
}

pub(crate) type Batches = Arc<[RecordBatch]>;

impl RowList {
    /// Returns the rows with all edits.
    fn now(&self, py: Python<'_>) -> PyResult<Batches> {
        match &self.objects {
            Some(objects) => objects.now(py),
            None => Ok(Arc::clone(&self.batches)),
        }
    }

    fn len(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    fn names(&self) -> impl Iterator<Item = &str> + Clone {
        self.schema.fields().iter().map(|field| field.name().as_str())
    }

    /// Returns a value.
    fn value<'py>(&self, py: Python<'py>, row: usize, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Ok(column) = self.schema.index_of(name) else { return Ok(None) };
        let assigned = self.objects.as_ref().and_then(|objects| objects.assigned(&self.batches, row, name));
        // Numbers that were assigned are known without making the file again.
        let integer = match &assigned {
            Some((Value::Integer(integer), _)) => Some(integer),
            Some((Value::Integers(integers), part)) => integers.get(*part),
            _ => None,
        };
        let kind = self.schema.field(column).data_type();
        if let (Some(integer), DataType::Int32 | DataType::UInt8 | DataType::UInt16) = (integer, kind) {
            return integer.into_bound_py_any(py).map(Some);
        }
        let batches = if assigned.is_some() { self.now(py)? } else { Arc::clone(&self.batches) };
        let Some((batch, row)) = at(&batches, row) else { return Ok(None) };
        value(py, batch.column(column), row).map(Some)
    }
}

/// Returns the batch with a row, and the row's index in it.
pub(crate) fn at(batches: &[RecordBatch], mut row: usize) -> Option<(&RecordBatch, usize)> {
    for batch in batches {
        match row.checked_sub(batch.num_rows()) {
            Some(rest) => row = rest,
            None => return Some((batch, row)),
        }
    }
    None
}

impl Rows {
    pub(crate) fn new(
        py: Python<'_>,
        opened: &Arc<Opened>,
        steps: Vec<Step>,
        batches: impl FnOnce() -> worldview_export::Result<(SchemaRef, Vec<RecordBatch>)> + Send,
    ) -> PyResult<Self> {
        let place = || opened.context.place(opened.base());
        let (schema, batches) = py.detach(batches).map_err(|error| error::raised(py, &place(), &error))?;
        let origin = Some((Arc::clone(opened), steps));
        Ok(Self(Arc::new(RowList { schema, batches: batches.into(), objects: None, origin })))
    }

    /// Returns rows of objects, which can be edited.
    pub(crate) fn of_objects(py: Python<'_>, objects: Objects) -> PyResult<Self> {
        let (schema, batches) = objects.read(py)?;
        Ok(Self(Arc::new(RowList { schema, batches, objects: Some(objects), origin: None })))
    }

    pub(crate) fn of_batch(schema: SchemaRef, batch: RecordBatch) -> Self {
        Self(Arc::new(RowList { schema, batches: [batch].into(), objects: None, origin: None }))
    }
}

#[pymethods]
impl Rows {
    /// The number of rows.
    fn __len__(&self) -> usize {
        self.0.len()
    }

    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.0.names().map(str::to_owned).collect()
    }

    /// Returns a row, a list of the rows of a slice, or a list of the values of a column.
    fn __getitem__<'py>(&self, py: Python<'py>, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let row = |index| Row { list: Arc::clone(&self.0), index };
        if let Ok(slice) = key.cast::<PySlice>() {
            let rows = table::positions(slice, self.0.len())?.into_iter().map(row);
            return rows.collect::<Vec<_>>().into_bound_py_any(py);
        }
        match key.extract()? {
            Key::Index(index) => row(Key::position(index, self.0.len())?).into_bound_py_any(py),
            Key::Name(name) => {
                let column = self.0.schema.index_of(&name).map_err(|_| error::no_key(&name, self.0.names()))?;
                let mut values = Vec::with_capacity(self.0.len());
                for batch in self.0.now(py)?.iter() {
                    for row in 0..batch.num_rows() {
                        values.push(value(py, batch.column(column), row)?);
                    }
                }
                values.into_bound_py_any(py)
            }
        }
    }

    /// Returns an iterator over the rows.
    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let row = |index| Row { list: Arc::clone(&self.0), index };
        let rows = (0..self.0.len()).map(row).collect::<Vec<_>>();
        rows.into_bound_py_any(py)?.call_method0("__iter__")
    }

    /// The schema, by the Arrow PyCapsule interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema(py, &self.0.schema)
    }

    /// The rows, by the Arrow PyCapsule interface.
    #[pyo3(signature = (requested_schema = None))]
    pub(crate) fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Maybe<'_>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = requested::honored(&self.0.schema, requested_schema.as_ref())?;
        let batches: Vec<_> = self.0.now(py)?.iter().cloned().map(Ok::<_, ArrowError>).collect();
        stream(py, RecordBatchIterator::new(batches, Arc::clone(&self.0.schema)), schema)
    }

    /// Pickles what the rows are of, as it does itself.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match (&self.0.objects, &self.0.origin) {
            (Some(objects), _) => objects.pickled(py),
            (None, Some((opened, steps))) => asset::pickled(py, opened, steps.clone()),
            _ => Err(PyTypeError::new_err("rows of a stream cannot be pickled")),
        }
    }

    fn __repr__(&self) -> String {
        format!("<worldview.Rows: {} rows, {} columns>", self.0.len(), self.0.schema.fields().len())
    }
}

/// A row: a mapping of the names of the columns to values. Those of an object of a level can be assigned; `level.save`
/// writes them.
#[pyclass(frozen, module = "worldview", mapping)]
pub(crate) struct Row {
    list: Arc<RowList>,
    index: usize,
}

#[pymethods]
impl Row {
    fn __len__(&self) -> usize {
        self.list.schema.fields().len()
    }

    fn __contains__(&self, name: &Bound<'_, PyAny>) -> bool {
        name.extract::<String>().is_ok_and(|name| self.list.schema.index_of(&name).is_ok())
    }

    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let value = self.list.value(py, self.index, name)?;
        value.ok_or_else(|| error::no_key(name, self.list.names()))
    }

    /// Gives a field of an object another value.
    fn __setitem__(&self, py: Python<'_>, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        if self.list.schema.index_of(name).is_err() {
            return Err(error::no_key(name, self.list.names()));
        }
        let Some(objects) = &self.list.objects else {
            let why = "these rows are a copy; only those of objects can be assigned, and the records of a table";
            return Err(PyTypeError::new_err(why));
        };
        let current = |name: &str| self.__getitem__(py, name);
        objects.set(py, (&self.list.batches, self.index), name, value, &current)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.keys().into_bound_py_any(py)?.call_method0("__iter__")
    }

    /// Returns the value of a column, or `default`.
    #[pyo3(signature = (name, default = None))]
    fn get<'py>(&self, py: Python<'py>, name: &str, default: Maybe<'py>) -> PyResult<Maybe<'py>> {
        Ok(self.list.value(py, self.index, name)?.or(default))
    }

    /// Returns the names of the columns.
    fn keys(&self) -> Vec<String> {
        self.list.names().map(str::to_owned).collect()
    }

    /// Returns the values, in the order of the columns.
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        Ok(self.to_dict(py)?.values())
    }

    /// Returns the names and values, in the order of the columns.
    fn items<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        Ok(self.to_dict(py)?.items())
    }

    /// Returns the row as a dictionary, a copy.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        let batches = self.list.now(py)?;
        if let Some((batch, row)) = at(&batches, self.index) {
            for (name, column) in self.list.names().zip(batch.columns()) {
                dict.set_item(name, value(py, column, row)?)?;
            }
        }
        Ok(dict)
    }

    /// Two rows are equal if they are the same one of the same list.
    fn __eq__(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.list, &other.list) && self.index == other.index
    }

    fn __hash__(&self) -> usize {
        Arc::as_ptr(&self.list).addr() ^ self.index
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<worldview row {}: {}>", self.index, self.to_dict(py)?.repr()?))
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
        DataType::UInt8 => column.as_primitive::<UInt8Type>().value(row).into_bound_py_any(py),
        DataType::UInt16 => column.as_primitive::<UInt16Type>().value(row).into_bound_py_any(py),
        DataType::Float64 => column.as_primitive::<Float64Type>().value(row).into_bound_py_any(py),
        DataType::Boolean => column.as_boolean().value(row).into_bound_py_any(py),
        DataType::Utf8View => column.as_string_view().value(row).into_bound_py_any(py),
        DataType::UInt32 => column.as_primitive::<UInt32Type>().value(row).into_bound_py_any(py),
        DataType::UInt64 => column.as_primitive::<UInt64Type>().value(row).into_bound_py_any(py),
        DataType::Float32 => column.as_primitive::<Float32Type>().value(row).into_bound_py_any(py),
        DataType::Utf8 => column.as_string::<i32>().value(row).into_bound_py_any(py),
        DataType::Dictionary(..) => {
            let texts = column.as_dictionary::<Int32Type>();
            value(py, texts.values(), texts.key(row).unwrap_or_default())
        }
        DataType::Binary => column.as_binary::<i32>().value(row).into_bound_py_any(py),
        DataType::List(_) => {
            let items = column.as_list::<i32>().value(row);
            let items = (0..items.len()).map(|item| value(py, &items, item));
            Ok(PyList::new(py, items.collect::<PyResult<Vec<_>>>()?)?.into_any())
        }
        other => Err(pyo3::exceptions::PyTypeError::new_err(format!("a column of type {other}"))),
    }
}
