//! Tables, their records and columns.

use std::borrow::Cow;
use std::path::PathBuf;
use std::ptr;
use std::sync::Arc;

use pyo3::IntoPyObjectExt as _;
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList, PyMemoryView, PySlice, PyTuple};
use worldview::describe::{self, FieldName, FieldValue, Span, Stored};
use worldview::inspect::utf8;
use worldview::wpd::{self, Value, ValueType};
use worldview::{Handle, OffsetBase, Path};
use worldview_edit::{EditError, Value as Edited, fields};
use worldview_export::table::arrow::{BatchOptions, TableBatches as _};
use worldview_export::table::{self, Selection};

use crate::Maybe;
use crate::array::{self, Element};
use crate::arrow::Rows;
use crate::asset::{self, Asset, Step};
use crate::edit::{self, Opened, Place};
use crate::error;

/// A table of Final Fantasy XIII (WDB): records by name, with typed fields.
///
/// It is a mapping of names to records, and a data frame by the Arrow PyCapsule interface: `polars.DataFrame(table)`.
#[pyclass(frozen, extends = Asset, module = "worldview", mapping)]
pub(crate) struct Table;

/// Returns the table as it was opened. Its names and fields are those of the edited one.
fn base<'t>(this: &'t PyRef<'_, Table>) -> &'t wpd::Table<'t> {
    table_of(this.as_super().opened.base())
}

/// Returns the table with all edits.
fn now(this: &PyRef<'_, Table>) -> PyResult<Handle> {
    this.as_super().opened.now(this.py())
}

fn table_of(handle: &Handle) -> &wpd::Table<'_> {
    let Some(table) = handle.table() else { unreachable!("made from a table") };
    table
}

/// The name of a record, or its index.
pub(crate) enum Key {
    Name(String),
    Index(isize),
}

impl<'py> FromPyObject<'_, 'py> for Key {
    type Error = PyErr;

    fn extract(key: pyo3::Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(name) = key.extract() {
            return Ok(Self::Name(name));
        }
        key.extract().map(Self::Index).map_err(|_| {
            let kind = key.get_type().name().map_or_else(|_| String::new(), |name| name.to_string());
            PyTypeError::new_err(format!("keys are names or indices, not {kind}"))
        })
    }
}

/// Names of columns.
pub(crate) struct Names(pub(crate) Vec<String>);

impl<'py> FromPyObject<'_, 'py> for Names {
    type Error = PyErr;

    fn extract(names: pyo3::Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        names.extract().map(Self).map_err(|_| PyTypeError::new_err("expected a list of names"))
    }
}

impl Key {
    /// Returns the index that a number means in a list of this length; negative ones count from the end.
    pub(crate) fn position(index: isize, len: usize) -> PyResult<usize> {
        let found = if index < 0 { index.checked_add_unsigned(len) } else { Some(index) };
        let found = found.and_then(|index| usize::try_from(index).ok()).filter(|index| *index < len);
        found.ok_or_else(|| PyIndexError::new_err(format!("index {index} is out of range; there are {len}")))
    }
}

/// Returns the indices that a slice of a list of this length means.
pub(crate) fn positions(slice: &Bound<'_, PySlice>, len: usize) -> PyResult<Vec<usize>> {
    let indices = slice.indices(isize::try_from(len)?)?;
    let mut at = indices.start;
    let next = |_| {
        let index = at;
        at = at.wrapping_add(indices.step);
        // Between 0 and `len`, by the promise of `indices`.
        index.cast_unsigned()
    };
    Ok((0..indices.slicelength).map(next).collect())
}

/// Returns the field with a name, which is escaped where it is not UTF-8.
fn field<'t, 'a>(table: &'t wpd::Table<'a>, name: &str) -> Option<&'t wpd::Field<'a>> {
    table.field(name).or_else(|| table.fields().iter().find(|field| utf8(field.name()) == name))
}

/// Returns the record with a name, which is escaped where it is not UTF-8.
fn record<'t, 'a>(table: &'t wpd::Table<'a>, name: &str) -> Option<wpd::Row<'t, 'a>> {
    table.by_name(name).or_else(|| table.rows().find(|row| utf8(row.name()) == name))
}

/// The error about a name that is not there, with the one that may be meant.
fn no_key(name: &str, names: &[Cow<'_, str>]) -> PyErr {
    error::no_key(name, names.iter().map(|name| &**name))
}

fn no_field(table: &wpd::Table<'_>, name: &str) -> PyErr {
    no_key(name, &table.fields().iter().map(|field| utf8(field.name())).collect::<Vec<_>>())
}

#[pymethods]
impl Table {
    /// The name of the sheet that the table is, or None.
    #[getter]
    fn sheet(this: PyRef<'_, Self>) -> Option<String> {
        table::sheet(base(&this)).map(Cow::into_owned)
    }

    /// The fields of each record, in order.
    #[getter]
    fn fields<'py>(this: PyRef<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(this.py(), base(&this).fields().iter().map(Field::of).collect::<Vec<_>>())
    }

    /// The size of a record, in bytes.
    #[getter]
    fn record_size(this: PyRef<'_, Self>) -> u32 {
        base(&this).record_size()
    }

    fn __len__(this: PyRef<'_, Self>) -> usize {
        base(&this).len()
    }

    fn __contains__(this: PyRef<'_, Self>, name: &Bound<'_, PyAny>) -> bool {
        name.extract::<String>().is_ok_and(|name| record(base(&this), &name).is_some())
    }

    /// Returns the record with a name or at an index, or a list of the records of a slice.
    fn __getitem__<'py>(this: PyRef<'py, Self>, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let table = base(&this);
        let at = |index| Record::new(Arc::clone(&this.as_super().opened), index);
        if let Ok(slice) = key.cast::<PySlice>() {
            let records = positions(slice, table.len())?.into_iter().map(at);
            return records.collect::<Vec<_>>().into_bound_py_any(this.py());
        }
        let index = match key.extract()? {
            Key::Name(name) => match record(table, &name) {
                Some(row) => row.index(),
                None => return Err(no_key(&name, &table.rows().map(|row| utf8(row.name())).collect::<Vec<_>>())),
            },
            Key::Index(index) => Key::position(index, table.len())?,
        };
        at(index).into_bound_py_any(this.py())
    }

    /// Returns an iterator over the names of the records.
    fn __iter__<'py>(this: PyRef<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let py = this.py();
        Self::keys(this).into_bound_py_any(py)?.call_method0("__iter__")
    }

    /// Returns the names of the records, in file order.
    fn keys(this: PyRef<'_, Self>) -> Vec<String> {
        base(&this).rows().map(|row| utf8(row.name()).into_owned()).collect()
    }

    /// Returns the records, in file order.
    fn values(this: PyRef<'_, Self>) -> Vec<Record> {
        (0..base(&this).len()).map(|index| Record::new(Arc::clone(&this.as_super().opened), index)).collect()
    }

    /// Returns the names and the records, in file order.
    fn items(this: PyRef<'_, Self>) -> Vec<(String, Record)> {
        Self::values(this).into_iter().map(|record| (record.name().into_owned(), record)).collect()
    }

    /// Returns the record with a name, or `default`.
    #[pyo3(signature = (name, default = None))]
    fn get<'py>(this: PyRef<'py, Self>, name: &str, default: Maybe<'py>) -> PyResult<Maybe<'py>> {
        match record(base(&this), name) {
            Some(row) => {
                let record = Record::new(Arc::clone(&this.as_super().opened), row.index());
                Ok(Some(Bound::new(this.py(), record)?.into_any()))
            }
            None => Ok(default),
        }
    }

    /// Returns one field of every record, in file order: an array of numbers, or a list of strings, where None is a
    /// string that is out of bounds.
    fn column<'py>(this: PyRef<'py, Self>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let py = this.py();
        let now = now(&this)?;
        let table = table_of(&now);
        let field = field(table, name).ok_or_else(|| no_field(table, name))?;
        match field.kind().value_type() {
            ValueType::I32 => numbers::<i32>(py, table, field),
            ValueType::U32 => numbers::<u32>(py, table, field),
            ValueType::F32 => numbers::<f32>(py, table, field),
            ValueType::U64 => numbers::<u64>(py, table, field),
            _ => {
                let texts = table.rows().map(|row| match row.value(field) {
                    Some(Value::Text(Some(bytes))) => Some(utf8(bytes)),
                    _ => None,
                });
                texts.collect::<Vec<_>>().into_bound_py_any(py)
            }
        }
    }

    /// Returns the whole table as a dictionary: the fields of each record by its name. Of records with the same name,
    /// it has the first.
    fn to_dict<'py>(this: PyRef<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        let py = this.py();
        let now = now(&this)?;
        let table = table_of(&now);
        let names = table.fields().iter().map(|field| pyo3::types::PyString::new(py, &utf8(field.name())));
        let names: Vec<_> = names.collect();
        let dict = PyDict::new(py);
        for row in table.rows() {
            let name = utf8(row.name());
            if dict.contains(&*name)? {
                continue;
            }
            let record = PyDict::new(py);
            for (name, (_, value)) in names.iter().zip(row.values()) {
                record.set_item(name, converted(py, value)?)?;
            }
            dict.set_item(&*name, record)?;
        }
        Ok(dict)
    }

    /// Returns the records as rows; with `fields`, only these columns.
    #[pyo3(signature = (fields = None))]
    fn rows(this: PyRef<'_, Self>, fields: Option<Names>) -> PyResult<Rows> {
        let fields = fields.map(|Names(names)| names);
        let now = now(&this)?;
        let table = table_of(&now);
        if let Some(unknown) = fields.iter().flatten().find(|name| field(table, name).is_none()) {
            return Err(no_field(table, unknown));
        }
        let call = Step::Call(fields.iter().cloned().collect());
        Rows::new(this.py(), &this.as_super().opened, vec![Step::Name("rows"), call], || {
            let fields: Option<Vec<&[u8]>> = fields.as_ref().map(|names| names.iter().map(|n| n.as_bytes()).collect());
            let mut selection = Selection::ALL;
            selection.fields = fields.as_deref();
            table.record_batches(&BatchOptions::default().selection(selection))?.read_all()
        })
    }

    /// Returns the string arrays of the table as rows.
    fn string_arrays(this: PyRef<'_, Self>) -> PyResult<Rows> {
        let now = now(&this)?;
        let table = table_of(&now);
        let steps = vec![Step::Name("string_arrays"), Step::Call(vec![])];
        Rows::new(this.py(), &this.as_super().opened, steps, || table.array_batches().read_all())
    }

    /// Returns the table as CSV, as `worldview export --to csv` writes it.
    fn to_csv(this: PyRef<'_, Self>) -> PyResult<String> {
        let now = now(&this)?;
        let table = table_of(&now);
        let done = this.py().detach(|| {
            let mut out = Vec::new();
            table::csv::records(table, &Selection::ALL, &mut out).map(|()| out)
        });
        let out = done.map_err(|error| error::raised(this.py(), &this.as_super().place(), &error))?;
        Ok(String::from_utf8_lossy(&out).into_owned())
    }

    /// The schema of `__arrow_c_stream__`.
    fn __arrow_c_schema__<'py>(this: PyRef<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let py = this.py();
        Self::rows(this, None)?.into_bound_py_any(py)?.call_method0("__arrow_c_schema__")
    }

    /// The records, by the Arrow PyCapsule interface.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        this: PyRef<'py, Self>,
        requested_schema: Maybe<'py>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let py = this.py();
        Self::rows(this, None)?.__arrow_c_stream__(py, requested_schema)
    }
}

/// Decodes a column of numbers.
fn numbers<'py, T>(py: Python<'py>, table: &wpd::Table<'_>, field: &wpd::Field<'_>) -> PyResult<Bound<'py, PyAny>>
where
    T: array::Number + Default + for<'a> wpd::ColumnType<'a>,
{
    let mut out = vec![T::default(); table.len()];
    if let Some(column) = table.column_of::<T>(field) {
        column.copy_to(&mut out);
    }
    let len = out.len();
    Ok(array::owned(py, out, &[len])?.into_any())
}

/// Checks a number against its field, without the table. Only the whole table decides about a text.
fn check(field: &wpd::Field<'_>, path: &Path, to: &Edited) -> Option<Result<(), EditError>> {
    let (zero, len) = match field.kind().value_type() {
        ValueType::I32 => (FieldValue::Int(0), 4),
        ValueType::U32 => (FieldValue::Uint(0), 4),
        ValueType::U64 => (FieldValue::Uint(0), 8),
        ValueType::F32 => (FieldValue::Float(0.0), 4),
        _ => return None,
    };
    let stored = field.int().map_or(Stored::Float { big: true }, Stored::Int);
    let described = describe::Field { name: FieldName::Bytes(field.name()), ..describe::Field::new("", zero) };
    Some(fields::check(&described.at(Span::new(0, len, OffsetBase::File)).stored(stored), to, path))
}

/// Converts a value of a record.
fn converted<'py>(py: Python<'py>, value: Value<'_>) -> PyResult<Bound<'py, PyAny>> {
    match value {
        Value::I32(value) => value.into_bound_py_any(py),
        Value::U32(value) => value.into_bound_py_any(py),
        Value::F32(value) => value.into_bound_py_any(py),
        Value::U64(value) => value.into_bound_py_any(py),
        Value::Text(text) => text.map(utf8).into_bound_py_any(py),
    }
}

/// A field of the records of a table.
#[pyclass(frozen, eq, hash, get_all, new = "from_fields", module = "worldview")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Field {
    /// The name of the field.
    name: String,
    /// The type of its values: `i32`, `u32`, `f32`, `u64` or `utf8`.
    r#type: String,
    /// How the values are stored.
    kind: String,
    /// The index of its first word in the record; words have 4 bytes.
    word: u32,
    /// The lowest bit in the word.
    bit: u8,
    /// The width in bits.
    width: u8,
}

impl Field {
    fn of(field: &wpd::Field<'_>) -> Self {
        Self {
            name: utf8(field.name()).into_owned(),
            r#type: field.kind().value_type().name().to_owned(),
            kind: field.kind().name().to_owned(),
            word: field.word(),
            bit: field.bit(),
            width: field.width(),
        }
    }
}

#[pymethods]
impl Field {
    fn __reduce__<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let Self { name, r#type, kind, word, bit, width } = this.get();
        (this.get_type(), (name, r#type, kind, word, bit, width)).into_bound_py_any(this.py())
    }

    fn __repr__(&self) -> String {
        format!("<worldview field {}: {}>", self.name, self.r#type)
    }
}

/// A record of a table: a mapping of the names of its fields to values, which can be assigned.
#[pyclass(frozen, module = "worldview", mapping)]
pub(crate) struct Record {
    table: Arc<Opened>,
    index: usize,
}

impl Record {
    pub(crate) const fn new(table: Arc<Opened>, index: usize) -> Self {
        Self { table, index }
    }

    /// Returns the table as it was opened.
    fn base(&self) -> &wpd::Table<'_> {
        table_of(self.table.base())
    }

    /// Returns the path of a field of the record.
    fn path(&self, field: &wpd::Field<'_>) -> Path {
        let mut path = Path::new();
        let nth = self.table.nth(self.index, self.base().rows().map(|row| row.name()));
        let name = self.base().get(self.index).map(|row| row.name()).unwrap_or_default();
        edit::push(&mut path, None, name, nth);
        path.push_name(field.name());
        path
    }

    fn place(&self, field: &wpd::Field<'_>) -> Place {
        (0, self.index, field.word() as usize * 32 + usize::from(field.bit()))
    }

    fn value<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(found) = field(self.base(), name) else { return Ok(None) };
        // What was assigned is known without making the file again.
        let now = match (self.table.assigned(self.place(found)), found.kind().value_type()) {
            (None, _) => self.table.base().clone(),
            (Some(Edited::Float(float)), _) => return float.0.into_bound_py_any(py).map(Some),
            (Some(Edited::Text(text)), _) => return text.into_bound_py_any(py).map(Some),
            (Some(Edited::Integer(integer)), kind) if kind != ValueType::F32 => {
                return integer.into_bound_py_any(py).map(Some);
            }
            (Some(_), _) => self.table.now(py)?,
        };
        let table = table_of(&now);
        let value = table.get(self.index).and_then(|row| row.value(field(table, name)?));
        value.map(|value| converted(py, value)).transpose()
    }
}

#[pymethods]
impl Record {
    /// The name of the record.
    #[getter]
    fn name(&self) -> Cow<'_, str> {
        self.base().get(self.index).map(|row| utf8(row.name())).unwrap_or_default()
    }

    /// The index of the record in its table.
    #[getter]
    const fn index(&self) -> usize {
        self.index
    }

    /// The bytes of the record, without a copy.
    #[getter]
    fn data<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMemoryView>> {
        let index = self.index;
        let now = Arc::new(self.table.now(py)?);
        array::view(py, &now, |now| table_of(now).get(index).map_or(&[], |row| row.data()), Element::U8, &[usize::MAX])
    }

    fn __len__(&self) -> usize {
        self.base().fields().len()
    }

    fn __contains__(&self, name: &Bound<'_, PyAny>) -> bool {
        name.extract::<String>().is_ok_and(|name| field(self.base(), &name).is_some())
    }

    /// Returns the value of a field.
    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        self.value(py, name)?.ok_or_else(|| no_field(self.base(), name))
    }

    /// Gives a field another value. `table.save` writes it.
    fn __setitem__(&self, py: Python<'_>, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let found = field(self.base(), name).ok_or_else(|| no_field(self.base(), name))?;
        let path = self.path(found);
        self.table.set(py, (self.place(found), &path), value, |to| check(found, &path, to))
    }

    /// Writes the whole file with all edits, as `Table.save` does.
    #[pyo3(signature = (path = None, *, overwrite = false, in_place = false))]
    fn save(&self, py: Python<'_>, path: Option<PathBuf>, overwrite: bool, in_place: bool) -> PyResult<String> {
        asset::save(py, &self.table, path, overwrite, in_place)
    }

    /// Returns the value of a field, or `default`.
    #[pyo3(signature = (name, default = None))]
    fn get<'py>(&self, py: Python<'py>, name: &str, default: Maybe<'py>) -> PyResult<Maybe<'py>> {
        Ok(self.value(py, name)?.or(default))
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.keys().into_bound_py_any(py)?.call_method0("__iter__")
    }

    /// Returns the names of the fields, in order.
    fn keys(&self) -> Vec<String> {
        self.base().fields().iter().map(|field| utf8(field.name()).into_owned()).collect()
    }

    /// Returns the values, in order.
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        Ok(self.to_dict(py)?.values())
    }

    /// Returns the names and values, in order.
    fn items<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        Ok(self.to_dict(py)?.items())
    }

    /// Returns the record as a dictionary.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        let now = self.table.now(py)?;
        let row = table_of(&now).get(self.index);
        for (field, value) in row.into_iter().flat_map(|row| row.values().collect::<Vec<_>>()) {
            dict.set_item(utf8(field.name()), converted(py, value)?)?;
        }
        Ok(dict)
    }

    /// Pickles the table, as it does itself, and the index of the record.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        asset::pickled(py, &self.table, vec![Step::Index(self.index)])
    }

    /// Two records are equal if they are the same one of the same opened table.
    fn __eq__(&self, other: &Self) -> bool {
        ptr::eq(self.base(), other.base()) && self.index == other.index
    }

    fn __hash__(&self) -> usize {
        ptr::from_ref(self.base()).addr() ^ self.index
    }

    fn __repr__(&self) -> String {
        format!("<worldview record: {}/{}>", self.table.context.place(self.table.base()), self.name())
    }
}
