//! Many files: iterators over folders, and streams of rows.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use arrow_array::{ArrayRef, RecordBatch, RecordBatchReader, StringArray};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use pyo3::IntoPyObjectExt as _;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use worldview::bulk::{Bulk, Input};
use worldview::island::Contents;
use worldview::{Asset as View, Failure, File, Handle, Loader};
use worldview_export::level::arrow::{BatchOptions, LevelBatches as _};
use worldview_export::table::arrow::TableBatches as _;
use worldview_export::table::{self, Selection};

use crate::asset::{Asset, Context};
use crate::{arrow, error, meshes, requested};

/// Maximum number of results that wait for Python.
const AHEAD: usize = 64;

/// What a scan found in a file: a part, or an error.
#[pyclass(frozen, module = "worldview")]
pub(crate) struct Found {
    /// The path of the file.
    #[pyo3(get)]
    path: String,
    /// The part, or None if there is an error.
    #[pyo3(get)]
    asset: Option<Py<PyAny>>,
    /// The error, or None.
    #[pyo3(get)]
    error: Option<Py<PyAny>>,
}

#[pymethods]
impl Found {
    /// Returns the part, or raises the error.
    fn unwrap(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        match (&self.asset, &self.error) {
            (Some(asset), _) => Ok(asset.clone_ref(py)),
            (None, Some(error)) => Err(PyErr::from_value(error.bind(py).clone())),
            (None, None) => Ok(py.None()),
        }
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        match (&self.asset, &self.error) {
            (Some(asset), _) => asset.bind(py).repr().map(|text| text.to_string()),
            (None, Some(error)) => Ok(format!("<worldview error: {}>", error.bind(py).str()?)),
            (None, None) => Ok(self.path.clone()),
        }
    }
}

/// The path of a file, and a part of it or an error.
type Opening = (String, Result<Handle, Failure>);

/// An iterator over what is in many files, in the order of the files.
#[pyclass(frozen, module = "worldview")]
pub(crate) struct Scan {
    results: Mutex<Receiver<Opening>>,
    stop: Arc<AtomicBool>,
    context: Arc<Context>,
}

impl Scan {
    /// Starts to open the files on other threads.
    pub(crate) fn start(
        paths: Vec<PathBuf>,
        kind: Option<String>,
        threads: usize,
        loader: Loader,
        context: Context,
    ) -> Self {
        let (send, receive) = sync_channel(AHEAD);
        let stop = Arc::new(AtomicBool::new(false));
        let (cancel, options) = (Arc::clone(&stop), context.options.clone());
        thread::spawn(move || {
            let bulk = Bulk::new(loader).threads(threads).window(AHEAD).cancel(&cancel);
            let is_wanted = |part: &Result<Handle, Failure>| {
                let is_kind = |handle: &Handle| kind.as_deref().is_none_or(|kind| handle.kind().name() == kind);
                part.as_ref().map_or(true, is_kind)
            };
            let work = |path: PathBuf, _: &mut ()| {
                let name = path.to_string_lossy().into_owned();
                let mut found = Vec::new();
                let whole = File::load(loader, &path).map_err(Failure::from);
                let whole = whole.and_then(|file| Handle::of(&file, b"", &options));
                let nested = whole.as_ref().ok().cloned();
                found.extend([whole].into_iter().chain(nested.iter().flat_map(Handle::walk)).filter(&is_wanted));
                (name, found)
            };
            bulk.ordered(
                paths,
                || (),
                work,
                |(name, found)| {
                    for part in found {
                        if send.send((name.clone(), part)).is_err() {
                            cancel.store(true, Ordering::Relaxed);
                        }
                    }
                },
            );
        });
        Self { results: Mutex::new(receive), stop, context: Arc::new(context) }
    }
}

impl Drop for Scan {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

#[pymethods]
impl Scan {
    const fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Found>> {
        let next = py.detach(|| {
            let results = self.results.lock().unwrap_or_else(PoisonError::into_inner);
            results.recv().ok()
        });
        let Some((path, result)) = next else { return Ok(None) };
        let context = self.context.for_file(path.clone());
        Ok(Some(match result {
            Ok(handle) => {
                let asset = Asset::wrap(py, handle, &Arc::new(context))?.unbind();
                Found { path, asset: Some(asset), error: None }
            }
            Err(failure) => {
                let error = error::failure(py, &path, failure).into_value(py).into_any();
                Found { path, asset: None, error: Some(error) }
            }
        }))
    }

    /// Stops the scan. Results that wait can still be read.
    fn close(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// Rows of many files, read on demand. They can be consumed only once.
#[pyclass(frozen, module = "worldview")]
pub(crate) struct Stream {
    schema: SchemaRef,
    reader: Mutex<Option<Reader>>,
    errors: Arc<Mutex<Vec<(String, String)>>>,
}

#[pymethods]
impl Stream {
    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    /// The files that could not be read, and why: pairs of a path and a message. It is complete once all rows have
    /// been taken.
    #[getter]
    fn errors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.errors.lock().unwrap_or_else(PoisonError::into_inner).clone().into_bound_py_any(py)
    }

    const fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    /// Returns the rows that were read next; together they are all rows.
    fn __next__(&self, py: Python<'_>) -> PyResult<Option<arrow::Rows>> {
        let next = py.detach(|| {
            let mut reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
            reader.as_mut().and_then(Iterator::next)
        });
        let batch = next.transpose().map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(batch.map(|batch| arrow::Rows::of_batch(Arc::clone(&self.schema), batch)))
    }

    /// The schema, by the Arrow PyCapsule interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        arrow::schema(py, &self.schema)
    }

    /// The rows, by the Arrow PyCapsule interface.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = requested::honored(&self.schema, requested_schema.as_ref())?;
        let taken = self.reader.lock().unwrap_or_else(PoisonError::into_inner).take();
        match taken {
            Some(reader) => arrow::stream(py, reader, schema),
            None => Err(PyValueError::new_err("the rows have already been consumed; read the files again")),
        }
    }
}

/// The receiving end of a stream.
struct Reader {
    schema: SchemaRef,
    batches: Receiver<Message>,
    stop: Arc<AtomicBool>,
}

impl Iterator for Reader {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.batches.recv().ok()? {
            Message::Rows(batch) => Some(Ok(batch)),
            Message::Schema(_) => Some(Err(ArrowError::SchemaError("there are two schemas".to_owned()))),
        }
    }
}

impl RecordBatchReader for Reader {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// What to read from files.
#[derive(Clone)]
pub(crate) enum Want {
    /// The objects of levels.
    Objects,
    /// The records of tables of a sheet, with its fields as columns.
    Records(String),
    /// The values of tables of any sheet, one row each.
    Values,
    /// The meshes of WORLD.WDB.
    Meshes,
}

/// The columns that are wanted, or `None` for all.
type Columns = Option<Vec<String>>;

impl Want {
    /// Returns the rows of a part, or `None` if it is something else.
    fn rows(
        &self,
        opened: &View<'_>,
        columns: Option<&[&str]>,
        context: &Context,
        fail: &mut dyn FnMut(&str, &worldview::Error),
    ) -> Option<worldview_export::Result<(SchemaRef, Vec<RecordBatch>)>> {
        match (self, opened) {
            (Self::Objects, View::Level(level, _)) => {
                let options = BatchOptions::default().encoding(context.encoding).columns(columns);
                Some(arrow::Rows::collect(level.object_batches(&options)))
            }
            (Self::Records(sheet), View::Table(table)) => {
                let is_wanted = table::sheet(table).is_some_and(|name| name.eq_ignore_ascii_case(sheet));
                // The name of the record is always the first column.
                let fields = |names: &[&'_ str]| {
                    let is_field = |name: &&&str| table.field(**name).is_some();
                    names.iter().filter(is_field).map(|name| name.as_bytes().to_vec()).collect::<Vec<_>>()
                };
                let fields = columns.map(fields);
                let fields: Option<Vec<&[u8]>> = fields.as_ref().map(|names| names.iter().map(Vec::as_slice).collect());
                let mut selection = Selection::ALL;
                selection.fields = fields.as_deref();
                let batches = || table.record_batches(&selection.into()).and_then(arrow::Rows::collect);
                is_wanted.then(batches)
            }
            (Self::Meshes, View::Database(database)) => {
                let contents = match context.options.lossy {
                    true => Contents::read_lossy(database, &mut |_| {}),
                    false => Contents::read(database),
                };
                Some(
                    meshes::rows((database, &contents), context.encoding, fail)
                        .map_err(|error| std::io::Error::other(error).into()),
                )
            }
            (Self::Values, View::Table(table)) => Some(values(table)),
            _ => None,
        }
    }
}

/// Returns the values of a table, one row each.
fn values(table: &worldview::wpd::Table<'_>) -> worldview_export::Result<(SchemaRef, Vec<RecordBatch>)> {
    use arrow_array::builder::{Float64Builder, StringBuilder};
    use worldview::inspect::utf8;
    use worldview::wpd::Value;

    let text = |name: &str, nullable| Field::new(name, DataType::Utf8, nullable);
    let schema = Arc::new(Schema::new(vec![
        text("sheet", true),
        text("record", false),
        text("field", false),
        text("value", true),
        Field::new("number", DataType::Float64, true),
    ]));
    let sheet = table::sheet(table);
    let mut batches = Vec::new();
    let mut rows = table.rows();
    loop {
        let (mut sheets, mut records, mut fields) = (StringBuilder::new(), StringBuilder::new(), StringBuilder::new());
        let (mut values, mut numbers) = (StringBuilder::new(), Float64Builder::new());
        let mut bytes = 0;
        for row in rows.by_ref() {
            let record = utf8(row.name());
            for (field, value) in row.values() {
                sheets.append_option(sheet.as_deref());
                records.append_value(&record);
                fields.append_value(utf8(field.name()));
                let number = match value {
                    Value::I32(value) => Some(f64::from(value)),
                    Value::U32(value) => Some(f64::from(value)),
                    Value::F32(value) => Some(f64::from(value)),
                    #[expect(clippy::cast_precision_loss, reason = "the text has all digits")]
                    Value::U64(value) => Some(value as f64),
                    Value::Text(_) => None,
                };
                numbers.append_option(number);
                match value {
                    Value::I32(value) => values.append_value(value.to_string()),
                    Value::U32(value) => values.append_value(value.to_string()),
                    Value::F32(value) => values.append_value(value.to_string()),
                    Value::U64(value) => values.append_value(value.to_string()),
                    Value::Text(value) => {
                        bytes += value.map_or(0, <[u8]>::len);
                        values.append_option(value.map(utf8));
                    }
                }
                bytes += 64;
            }
            if bytes > 4 << 20 {
                break;
            }
        }
        if bytes == 0 {
            return Ok((schema, batches));
        }
        let columns: Vec<ArrayRef> = vec![
            Arc::new(sheets.finish()),
            Arc::new(records.finish()),
            Arc::new(fields.finish()),
            Arc::new(values.finish()),
            Arc::new(numbers.finish()),
        ];
        batches.push(RecordBatch::try_new(Arc::clone(&schema), columns).map_err(std::io::Error::other)?);
    }
}

impl Stream {
    /// Starts to read the files on other threads, and waits for the first rows, which have the columns of all.
    pub(crate) fn start(
        py: Python<'_>,
        paths: Vec<PathBuf>,
        (want, columns): (Want, Columns),
        threads: usize,
        loader: Loader,
        views: bool,
        context: Context,
    ) -> PyResult<Self> {
        let (send, receive) = sync_channel(AHEAD);
        let stop = Arc::new(AtomicBool::new(false));
        let errors = Arc::new(Mutex::new(Vec::new()));
        let (cancel, failed, count) = (Arc::clone(&stop), Arc::clone(&errors), paths.len());
        let of = (want.clone(), columns.clone());
        thread::spawn(move || run(paths, &of, threads, loader, views, &context, &send, &cancel, &failed));
        let (first, receive) = py.detach(move || (receive.recv(), receive));
        let Ok(schema) = first else {
            let what = match want {
                Want::Objects => "levels".to_owned(),
                Want::Records(sheet) => format!("tables of the sheet {sheet:?}"),
                Want::Values => "tables".to_owned(),
                Want::Meshes => "WORLD.WDB".to_owned(),
            };
            let errors = errors.lock().unwrap_or_else(PoisonError::into_inner);
            let more =
                errors.first().map_or(String::new(), |(path, error)| format!("; the first error: {path}: {error}"));
            let files = if count == 1 { "file" } else { "files" };
            let message = format!("no {what} in {count} {files} ({} unreadable){more}", errors.len());
            return Err(PyValueError::new_err(message));
        };
        let schema = match schema {
            Message::Schema(schema) => schema,
            Message::Rows(_) => return Err(PyValueError::new_err("rows before their schema")),
        };
        for name in columns.into_iter().flatten() {
            if schema.index_of(&name).is_err() {
                return Err(PyValueError::new_err(format!("there is no column {name:?} in these rows")));
            }
        }
        let reader = Reader { schema: Arc::clone(&schema), batches: receive, stop };
        Ok(Self { schema, reader: Mutex::new(Some(reader)), errors })
    }
}

/// What the reading threads send: the schema of all rows first.
enum Message {
    Schema(SchemaRef),
    Rows(RecordBatch),
}

/// Reads files and sends their rows.
#[expect(clippy::too_many_arguments, reason = "called once, on a thread of its own")]
fn run(
    paths: Vec<PathBuf>,
    (want, wanted): &(Want, Columns),
    threads: usize,
    loader: Loader,
    views: bool,
    context: &Context,
    send: &SyncSender<Message>,
    cancel: &AtomicBool,
    errors: &Mutex<Vec<(String, String)>>,
) {
    let fail = |path: String, error: String| {
        errors.lock().unwrap_or_else(PoisonError::into_inner).push((path, error));
    };
    let bulk = Bulk::new(loader).options(&context.options).threads(threads).window(AHEAD).cancel(cancel);
    let mut common: Option<SchemaRef> = None;
    bulk.each(
        paths.into_iter().map(Input::Path),
        |part, opened| {
            let file = part.to_string();
            let wanted: Option<Vec<&str>> = wanted.as_ref().map(|names| names.iter().map(String::as_str).collect());
            let mut fail_in = |name: &str, error: &worldview::Error| fail(format!("{file}/{name}"), error.to_string());
            let rows = want.rows(&opened.asset, wanted.as_deref(), context, &mut fail_in)?;
            Some(rows.map(|(schema, batches)| {
                let columns = with_file(&schema, views);
                let picked = |batch: RecordBatch| match &wanted {
                    Some(names) => batch.project(&picks(&columns, names)),
                    None => Ok(batch),
                };
                let batches = batches.iter().map(|batch| labeled(batch, &columns, &file, views).and_then(picked));
                let batches: Vec<_> = batches.collect();
                let picked = wanted.as_ref().and_then(|names| columns.project(&picks(&columns, names)).ok());
                (picked.map_or_else(|| Arc::clone(&columns), Arc::new), batches)
            }))
        },
        |part, result| {
            let (schema, batches) = match result {
                Ok(Some(Ok(rows))) => rows,
                Ok(None) => return,
                Ok(Some(Err(error))) => return fail(part.to_string(), error.to_string()),
                Err(error) => return fail(part.to_string(), error.to_string()),
            };
            let mut is_open = true;
            match &common {
                None => {
                    is_open = send.send(Message::Schema(Arc::clone(&schema))).is_ok();
                    common = Some(schema);
                }
                Some(common) if common.fields() != schema.fields() => {
                    let message = "the table has other fields than the first of its sheet";
                    return fail(part.to_string(), message.to_owned());
                }
                Some(_) => {}
            }
            for batch in batches {
                match batch {
                    Ok(batch) => is_open &= send.send(Message::Rows(batch)).is_ok(),
                    Err(error) => fail(part.to_string(), error.to_string()),
                }
            }
            if !is_open {
                cancel.store(true, Ordering::Relaxed);
            }
        },
    );
}

/// Returns the indices of columns, as far as they exist.
fn picks(schema: &SchemaRef, names: &[&str]) -> Vec<usize> {
    names.iter().filter_map(|name| schema.index_of(name).ok()).collect()
}

/// Returns the schema with a column for the file before the others, without what differs from file to file.
fn with_file(schema: &SchemaRef, views: bool) -> SchemaRef {
    let text = if views { DataType::Utf8View } else { DataType::Utf8 };
    let mut fields = vec![Arc::new(Field::new("file", text.clone(), false))];
    fields.extend(schema.fields().iter().map(|field| match field.data_type() {
        DataType::Utf8 => Arc::new(field.as_ref().clone().with_data_type(text.clone())),
        _ => Arc::clone(field),
    }));
    Arc::new(Schema::new(fields))
}

/// Returns a batch with the file in each row.
fn labeled(batch: &RecordBatch, schema: &SchemaRef, file: &str, views: bool) -> Result<RecordBatch, ArrowError> {
    let files = StringArray::from_iter_values(std::iter::repeat_n(file, batch.num_rows()));
    let mut columns: Vec<ArrayRef> = vec![Arc::new(files)];
    columns.extend(batch.columns().iter().map(Arc::clone));
    if views {
        for column in &mut columns {
            if let Some(texts) = column.as_any().downcast_ref::<StringArray>() {
                *column = Arc::new(arrow_array::StringViewArray::from(texts));
            }
        }
    }
    RecordBatch::try_new(Arc::clone(schema), columns)
}
