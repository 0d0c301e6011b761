//! Many files: iterators over folders, and streams of rows.

use std::borrow::Cow;
use std::error::Error;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;

use arrow_array::{ArrayRef, RecordBatch, RecordBatchIterator, RecordBatchReader as _};
use arrow_schema::{ArrowError, DataType, SchemaRef};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use worldview::bulk::{BatchReader, Bulk, FilePart, Input};
use worldview::island::Contents;
use worldview::{Asset as View, Failure, File, Handle, Loader, Opened};
use worldview_export::arrow::{RecordBatches, with_file};
use worldview_export::level::arrow::{BatchOptions, LevelBatches as _};
use worldview_export::table::arrow::TableBatches as _;
use worldview_export::table::{self, Selection};

use crate::asset::{Asset, Context};
use crate::error::{self, Problem};
use crate::filter::{self, Filter};
use crate::requested::Converted;
use crate::{Maybe, arrow, meshes, requested};

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
    fn unwrap(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        match &self.error {
            Some(error) => Err(PyErr::from_value(error.bind(py).clone())),
            None => Ok(self.asset.as_ref().map(|asset| asset.clone_ref(py))),
        }
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        match &self.error {
            Some(error) => Ok(format!("<worldview error: {}>", error.bind(py).str()?)),
            None => self.asset.as_ref().map_or(Ok(self.path.clone()), |asset| Ok(asset.bind(py).repr()?.to_string())),
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
    count: usize,
    errors: Mutex<Vec<Py<PyAny>>>,
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
        let ((send, receive), count) = (sync_channel(AHEAD), paths.len());
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
        Self { results: Mutex::new(receive), stop, context: Arc::new(context), count, errors: Mutex::default() }
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
                let error = error::failure(py, &path, &failure).into_value(py).into_any();
                self.errors.lock().unwrap_or_else(PoisonError::into_inner).push(error.clone_ref(py));
                Found { path, asset: None, error: Some(error) }
            }
        }))
    }

    /// The errors so far, of files and parts that could not be opened.
    #[getter]
    fn errors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        error::list(py, errors.iter().map(|error| error.clone_ref(py)))
    }

    /// Stops the scan. Results that wait can still be read.
    fn close(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    fn __repr__(&self) -> String {
        format!("<worldview.Scan: {} files>", self.count)
    }
}

/// Rows of many files, read on demand. They can be consumed only once.
#[pyclass(frozen, module = "worldview")]
pub(crate) struct Stream {
    schema: SchemaRef,
    reader: Mutex<Option<BatchReader>>,
    errors: Arc<Mutex<Vec<Problem>>>,
}

#[pymethods]
impl Stream {
    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    /// The errors, of files and parts that could not be read. They are complete once all rows have been taken.
    #[getter]
    fn errors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner).clone();
        error::list(py, errors.iter().map(|error| error.raised(py).into_value(py).into_any()))
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
    fn __arrow_c_stream__<'py>(&self, py: Python<'py>, requested_schema: Maybe<'_>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = requested::honored(&self.schema, requested_schema.as_ref())?;
        let taken = self.reader.lock().unwrap_or_else(PoisonError::into_inner).take();
        match taken {
            Some(reader) => arrow::stream(py, reader, schema),
            None => Err(PyValueError::new_err("the rows have already been consumed; read the files again")),
        }
    }

    fn __repr__(&self) -> String {
        format!("<worldview.Stream: {} columns>", self.schema.fields().len())
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

/// The rows of a part.
pub(crate) type Batches = (SchemaRef, Vec<RecordBatch>);

impl Want {
    /// Returns the exception if no file has such rows.
    fn missing(&self, py: Python<'_>, count: usize, errors: &[Problem]) -> PyErr {
        let what = match self {
            Self::Objects => "levels".to_owned(),
            Self::Records(sheet) => format!("tables of the sheet {sheet:?}"),
            Self::Values => "tables".to_owned(),
            Self::Meshes => "WORLD.WDB".to_owned(),
        };
        let files = if count == 1 { "file" } else { "files" };
        let text = format!("no {what} in {count} {files} ({} unreadable)", errors.len());
        match errors {
            [] => PyValueError::new_err(text),
            [first, ..] if errors.len() < count => PyValueError::new_err(format!("{text}; the first error: {first}")),
            [first, ..] => first.raised(py),
        }
    }

    /// Returns the rows of a part, or `None` if it is something else.
    fn rows(
        &self,
        opened: &View<'_>,
        columns: Option<&[&str]>,
        context: &Context,
        fail: &mut dyn FnMut(&str, &worldview::Error),
    ) -> Option<worldview_export::Result<Batches>> {
        match (self, opened) {
            (Self::Objects, View::Level(level, _)) => {
                let options = BatchOptions::default().encoding(context.encoding).columns(columns);
                Some(level.object_batches(&options).read_all())
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
                let batches = || table.record_batches(&selection.into()).and_then(RecordBatches::read_all);
                is_wanted.then(batches)
            }
            (Self::Meshes, View::Database(database)) => {
                let contents = match context.options.lossy {
                    true => Contents::read_lossy(database, &mut |_| {}),
                    false => Contents::read(database),
                };
                Some(meshes::rows((database, &contents), context.encoding, fail).map_err(Into::into))
            }
            (Self::Values, View::Table(table)) => Some(values(table)),
            _ => None,
        }
    }
}

/// Returns the values of a table, one row each.
fn values(table: &worldview::wpd::Table<'_>) -> worldview_export::Result<Batches> {
    use arrow_array::builder::{Float64Builder, StringBuilder};
    use worldview::inspect::utf8;
    use worldview::wpd::Value;

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
                let (text, number) = match value {
                    Value::I32(value) => (Some(value.to_string().into()), Some(f64::from(value))),
                    Value::U32(value) => (Some(value.to_string().into()), Some(f64::from(value))),
                    Value::F32(value) => (Some(value.to_string().into()), Some(f64::from(value))),
                    #[expect(clippy::cast_precision_loss, reason = "the text has all digits")]
                    Value::U64(value) => (Some(value.to_string().into()), Some(value as f64)),
                    Value::Text(value) => (value.map(utf8), None),
                };
                bytes += 64 + text.as_ref().map_or(0, |text| text.len());
                values.append_option(text);
                numbers.append_option(number);
            }
            if bytes > 4 << 20 {
                break;
            }
        }
        let columns: [(&str, ArrayRef, bool); 5] = [
            ("sheet", Arc::new(sheets.finish()), true),
            ("record", Arc::new(records.finish()), false),
            ("field", Arc::new(fields.finish()), false),
            ("value", Arc::new(values.finish()), true),
            ("number", Arc::new(numbers.finish()), true),
        ];
        let batch = RecordBatch::try_from_iter_with_nullable(columns)?;
        if bytes == 0 {
            return Ok((batch.schema(), batches));
        }
        batches.push(batch);
    }
}

/// A file to read: a path, or bytes with a name, or a name with the reason why there are no bytes.
#[derive(FromPyObject)]
pub(crate) enum Source {
    #[pyo3(transparent)]
    Bytes((PathBuf, Vec<u8>)),
    #[pyo3(transparent)]
    Failed((PathBuf, String)),
    #[pyo3(transparent)]
    Path(PathBuf),
}

impl From<Source> for Input<'static> {
    fn from(source: Source) -> Self {
        match source {
            Source::Bytes((name, bytes)) => Self::Bytes(name, Cow::Owned(bytes)),
            Source::Failed((name, why)) => Self::Failed(name, io::Error::other(why)),
            Source::Path(path) => Self::Path(path),
        }
    }
}

/// What to read from files, and how.
pub(crate) struct Reading {
    pub(crate) want: Want,
    /// The columns that are wanted, or `None` for all.
    pub(crate) columns: Option<Vec<String>>,
    /// The conditions of the rows that are wanted.
    pub(crate) filters: Vec<Filter>,
    /// The type of texts.
    pub(crate) texts: DataType,
    pub(crate) threads: usize,
    /// The columns that all rows must have. If `None`, the first rows that are found determine them.
    pub(crate) schema: Option<SchemaRef>,
}

impl Stream {
    /// Starts to read the files on other threads, and waits for the first rows.
    pub(crate) fn start(
        py: Python<'_>,
        sources: Vec<Source>,
        reading: Reading,
        loader: Loader,
        context: Context,
    ) -> PyResult<Self> {
        let Reading { want, columns, filters, texts, threads, schema } = reading;
        let errors = Arc::new(Mutex::new(Vec::new()));
        let list = |errors: &Arc<Mutex<Vec<_>>>| {
            let errors = Arc::clone(errors);
            move |path: String, error: &(dyn Error + 'static)| {
                errors.lock().unwrap_or_else(PoisonError::into_inner).push(Problem::new(path, error));
            }
        };
        let (fail, fail_in, count) = (list(&errors), list(&errors), sources.len());
        let misfit = Arc::new(OnceLock::new());
        let misfits = Arc::clone(&misfit);
        let (options, of, wanted) = (context.options.clone(), want.clone(), columns.clone());
        let rows = move |part: &FilePart, opened: &Opened<'_>| {
            let file = part.to_string();
            let wanted: Option<Vec<&str>> = wanted.as_ref().map(|names| names.iter().map(String::as_str).collect());
            // What is only compared is decoded, too.
            let compared = filters.iter().map(|filter| filter.column.as_str());
            let decoded: Option<Vec<&str>> = wanted.clone().map(|names| names.into_iter().chain(compared).collect());
            let mut fail = |name: &str, error: &worldview::Error| fail_in(format!("{file}/{name}"), error);
            let rows = of.rows(&opened.asset, decoded.as_deref(), &context, &mut fail)?;
            Some(rows.and_then(|(schema, batches)| {
                let rows = with_file(RecordBatchIterator::new(batches.into_iter().map(Ok), schema), &file);
                let rows = filter::rows(rows, &filters).inspect_err(|why| drop(misfits.set(why.clone())));
                let rows = rows.map_err(ArrowError::InvalidArgumentError)?;
                picked(typed(rows, &texts)?, wanted.as_deref())
            }))
        };
        let start = move || {
            let failed = move |part: &FilePart, error: &(dyn Error + 'static)| fail(part.to_string(), error);
            BatchReader::start(sources, (loader, options, threads), schema, rows, failed)
        };
        let Some(reader) = py.detach(start) else {
            if let Some(why) = misfit.get() {
                return Err(PyValueError::new_err(why.clone()));
            }
            return Err(want.missing(py, count, &errors.lock().unwrap_or_else(PoisonError::into_inner)));
        };
        let schema = reader.schema();
        for name in columns.into_iter().flatten() {
            if schema.index_of(&name).is_err() {
                return Err(PyValueError::new_err(format!("there is no column {name:?} in these rows")));
            }
        }
        Ok(Self { schema, reader: Mutex::new(Some(reader)), errors })
    }
}

/// Returns rows with texts of a type.
fn typed((schema, batches): Batches, texts: &DataType) -> worldview_export::Result<Batches> {
    let texts = requested::with_texts(&schema, texts);
    let reader = RecordBatchIterator::new(batches.into_iter().map(Ok), schema);
    let batches = Converted { reader, schema: Arc::clone(&texts) }.collect::<Result<_, _>>()?;
    Ok((texts, batches))
}

/// Returns rows with the columns that are wanted, as far as they exist.
fn picked((schema, batches): Batches, names: Option<&[&str]>) -> worldview_export::Result<Batches> {
    let Some(names) = names else { return Ok((schema, batches)) };
    let columns: Vec<_> = names.iter().filter_map(|name| schema.index_of(name).ok()).collect();
    let batches = batches.iter().map(|batch| batch.project(&columns)).collect::<Result<_, _>>()?;
    Ok((Arc::new(schema.project(&columns)?), batches))
}
