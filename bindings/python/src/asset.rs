//! What all opened parts have in common.

use std::path::PathBuf;
use std::sync::Arc;

use pyo3::IntoPyObjectExt as _;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMappingProxy, PyMemoryView, PyTuple};
use pythonize::pythonize;
use serde_json::json;
use worldview::describe::FieldValue;
use worldview::facts::{Audience, Subject};
use worldview::inspect::{Encoding, Options};
use worldview::{Asset as View, At, FieldInfo, Handle, Note};

use crate::array::{self, Element};
use crate::edit::{Edits, Opened};
use crate::{archive, error, island, level, picture, table};

/// How a file was opened, which what is opened in it inherits, and its edits.
#[derive(Debug)]
pub(crate) struct Context {
    /// The path as given, or the name of the bytes.
    pub(crate) path: String,
    pub(crate) encoding: Encoding,
    pub(crate) options: worldview::Options,
    /// Whether bytes were given instead of a path.
    pub(crate) is_bytes: bool,
    /// The text of `options.schemas`.
    pub(crate) schemas: Option<String>,
    pub(crate) edits: Edits,
}

impl Context {
    /// Returns the same for another file.
    pub(crate) fn for_file(&self, path: String) -> Self {
        let Self { encoding, ref options, .. } = *self;
        Self { path, encoding, options: options.clone(), is_bytes: false, schemas: None, edits: Edits::default() }
    }

    pub(crate) fn text(&self, bytes: &[u8]) -> String {
        self.encoding.decode(bytes).into_owned()
    }

    /// Returns the path of a part, for messages.
    pub(crate) fn place(&self, part: &Handle) -> String {
        part.path_in_file().iter().fold(self.path.clone(), |path, name| path + "/" + name)
    }
}

/// A file, or a part of one. What it contains depends on its class: `Level`, `Table`, `Archive`, `Directory`,
/// `Picture`, `Database`, `Textures` or `Data`.
///
/// Keeps the file's bytes in memory, as do all objects obtained from it. There is nothing to close.
#[pyclass(frozen, subclass, module = "worldview")]
pub(crate) struct Asset {
    pub(crate) opened: Arc<Opened>,
}

impl Asset {
    /// Returns the object of the right class for a handle.
    pub(crate) fn wrap<'py>(py: Python<'py>, handle: Handle, context: &Arc<Context>) -> PyResult<Bound<'py, PyAny>> {
        let opened = |handle| Opened::new(handle, Arc::clone(context));
        let base = || Self { opened: opened(handle.clone()) };
        let container = || PyClassInitializer::from(base()).add_subclass(archive::Container);
        if let At::Record(index) = handle.at() {
            return Ok(Bound::new(py, table::Record::new(opened(handle), index))?.into_any());
        }
        Ok(match handle.asset() {
            View::Level(..) => Bound::new(py, (level::Level, base()))?.into_any(),
            View::Table(_) => Bound::new(py, (table::Table, base()))?.into_any(),
            View::Archive(_) => Bound::new(py, container().add_subclass(archive::Archive))?.into_any(),
            View::Rez(_) => Bound::new(py, container().add_subclass(archive::Directory))?.into_any(),
            View::Picture(_) => Bound::new(py, (picture::Picture, base()))?.into_any(),
            View::Database(_) => Bound::new(py, (island::Database::default(), base()))?.into_any(),
            View::Textures(_) => Bound::new(py, (island::Textures, base()))?.into_any(),
            _ => Bound::new(py, (archive::Data, base()))?.into_any(),
        })
    }

    pub(crate) fn context(&self) -> &Arc<Context> {
        &self.opened.context
    }

    pub(crate) fn place(&self) -> String {
        self.context().place(self.opened.base())
    }

    fn write(&self, py: Python<'_>, full: bool, as_json: bool) -> PyResult<Vec<u8>> {
        let handle = self.opened.now(py)?;
        let done = py.detach(|| {
            let mut out = Vec::new();
            let options = Options { encoding: self.context().encoding, full, ..Options::default() };
            let written =
                if as_json { handle.write_json(&options, &mut out) } else { handle.write_text(&options, &mut out) };
            written.map(|is_known| is_known.then_some(out))
        });
        match done.map_err(|error| error::raised(py, &self.place(), &error))? {
            Some(out) => Ok(out),
            None => Err(PyTypeError::new_err(format!("{}: data in no known format has no description", self.place()))),
        }
    }
}

#[pymethods]
impl Asset {
    /// The path of the file as it was given, or the name of the bytes.
    #[getter]
    fn path(&self) -> &str {
        &self.context().path
    }

    /// The names of the members that lead to this part, outermost first; empty for the file itself.
    #[getter]
    fn inside(&self) -> Vec<String> {
        self.opened.base().path_in_file()
    }

    /// The name of the part: that of the file, or that of the member.
    #[getter]
    fn file_name(&self) -> String {
        let base = self.opened.base();
        base.path_in_file().pop().unwrap_or_else(|| base.part().file().name().to_owned())
    }

    /// The kind: `level`, `table`, `archive`, `picture`, `database`, `textures` or `data`.
    #[getter]
    fn kind(&self) -> &'static str {
        self.opened.base().kind().name()
    }

    /// The offset of this part in the file, in bytes.
    #[getter]
    fn offset(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.opened.now(py)?.part().offset())
    }

    /// The bytes of this part as stored, without a copy; after edits, as `save` writes them.
    #[getter]
    fn data<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMemoryView>> {
        let now = Arc::new(self.opened.now(py)?);
        array::view(py, &now, |now| now.part().bytes(), Element::U8, &[usize::MAX])
    }

    /// The parts that could not be opened with `lossy=True`: dictionaries with `severity`, `code`, `message`,
    /// `offset` and `space`.
    #[getter]
    fn findings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        notes(py, &self.opened.base().findings())
    }

    /// Returns everything in this part as JSON, in the shape of `worldview show --format json`.
    ///
    /// `full` includes bulk data: geometry, keys and pixels of WORLD.WDB, and the bytes of members of archives.
    #[pyo3(signature = (*, full = false))]
    fn to_json(&self, py: Python<'_>, full: bool) -> PyResult<String> {
        Ok(String::from_utf8_lossy(&self.write(py, full, true)?).into_owned())
    }

    /// Returns everything in this part as dictionaries and lists: the values of `to_json`.
    #[pyo3(signature = (*, full = false))]
    fn describe<'py>(&self, py: Python<'py>, full: bool) -> PyResult<Bound<'py, PyAny>> {
        let json = self.write(py, full, true)?;
        py.import("json")?.call_method1("loads", (json.as_slice(),))
    }

    /// Returns everything in this part as text, as `worldview show` prints it.
    #[pyo3(signature = (*, full = false))]
    fn to_text(&self, py: Python<'_>, full: bool) -> PyResult<String> {
        Ok(String::from_utf8_lossy(&self.write(py, full, false)?).into_owned())
    }

    /// Writes the whole file with all edits of anything that was opened from it. Without `in_place=True`, the original stays as it
    /// is.
    ///
    /// Args:
    ///     path: The file to write, or a folder that gets a file of the same name.
    ///     overwrite: Replace an existing file; it is never the original.
    ///     in_place: Replace the original, without a `path`, and keep it as `NAME.bak`, or as `NAME.bak1` and so on.
    ///
    /// Returns:
    ///     How many changes were made, and what is worth knowing, such as new findings of the edited file; one line each.
    ///
    /// Raises:
    ///     FileExistsError: The file exists.
    ///     ValueError: The path is that of the original, or the file that was opened has changed since.
    #[pyo3(signature = (path = None, *, overwrite = false, in_place = false))]
    fn save(&self, py: Python<'_>, path: Option<PathBuf>, overwrite: bool, in_place: bool) -> PyResult<String> {
        save(py, &self.opened, path, overwrite, in_place)
    }

    /// How often the whole file was read for edits, which tests count.
    #[getter]
    fn _reads(&self) -> u64 {
        self.context().edits.reads()
    }

    /// `with` works, for the habit: there is nothing to close.
    const fn __enter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<'_, PyTuple>) {}

    /// Pickles the path and the options: the file is opened again where this is read.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let Context { encoding, options, is_bytes, edits, .. } = &**self.context();
        let has_edits = !edits.is_empty();
        if has_edits || *is_bytes || options.schemas.is_some() {
            let edited = "it has edits that were not saved, which pickling would lose";
            let why = "only what was opened by its path, and without schemas, can be pickled";
            let why = if has_edits { edited } else { why };
            return Err(PyTypeError::new_err(format!("{}: {why}", self.place())));
        }
        let worldview::Options { lossy, recover, max_inflate, .. } = options;
        let keywords =
            json!({"lossy": lossy, "recover": recover, "max_inflate": max_inflate, "encoding": encoding.name()});
        let keywords = pythonize(py, &keywords)?.cast_into()?;
        let open = py.import("worldview")?.getattr("open")?;
        let again = py.import("functools")?.getattr("partial")?.call((open,), Some(&keywords))?;
        Ok((again, (self.place(),)))
    }

    fn __repr__(&self) -> String {
        let handle = self.opened.base();
        // A record is as large as its table.
        let at = if handle.row().is_some() { At::Whole } else { handle.at() };
        let size = Subject::new(handle.asset(), at).facts(Audience::BRIEF).brief();
        format!("<worldview {}: {}, {size}>", handle.kind(), self.place())
    }
}

/// How a pickle leads from a file to something in it.
#[derive(Clone, Debug, IntoPyObject)]
pub(crate) enum Step {
    /// An attribute.
    Name(&'static str),
    /// An item.
    Index(usize),
    /// A call, with lists of names as arguments.
    Call(Vec<Vec<String>>),
}

/// Pickles the opened part, as it does itself, and the steps from it.
pub(crate) fn pickled<'py>(py: Python<'py>, opened: &Arc<Opened>, steps: Vec<Step>) -> PyResult<Bound<'py, PyAny>> {
    let owner = match opened.base().at() {
        At::Record(_) => Bound::new(py, (table::Table, Asset { opened: Arc::clone(opened) }))?.into_any(),
        _ => Asset::wrap(py, opened.base().clone(), &opened.context)?,
    };
    (py.import("worldview._names")?.getattr("element")?, (owner, steps)).into_bound_py_any(py)
}

/// Writes the edited file as `worldview.apply` does, whose rules for existing files and backups apply.
pub(crate) fn save(
    py: Python<'_>,
    opened: &Opened,
    path: Option<PathBuf>,
    overwrite: bool,
    in_place: bool,
) -> PyResult<String> {
    let Context { path: source, encoding, options, is_bytes, schemas, .. } = &*opened.context;
    let (original, changes) = opened.changes(py)?;
    let how = (is_bytes, options.max_inflate, encoding.name(), schemas, overwrite, in_place);
    let save = py.import("worldview._edits")?.getattr("save")?;
    let done = save.call1((source, original, changes, path, how))?.extract()?;
    if in_place {
        opened.saved_in_place(py)?;
    }
    Ok(done)
}

/// Converts findings to dictionaries.
pub(crate) fn notes<'py>(py: Python<'py>, notes: &[Note]) -> PyResult<Bound<'py, PyAny>> {
    let dict = |Note { severity, code, message, offset, space }: &Note| json!({"severity": severity.name(), "code": code, "message": message, "offset": offset, "space": space.name()});
    Ok(pythonize(py, &notes.iter().map(dict).collect::<Vec<_>>())?)
}

/// Returns the fields of a fixed-layout structure as a mapping, in file order. It is read-only, for an assignment would be lost.
pub(crate) fn fields<'py, 'r>(
    py: Python<'py>,
    fields: impl Iterator<Item = (&'static FieldInfo, FieldValue<'r>)>,
    context: &Context,
) -> PyResult<Bound<'py, PyMappingProxy>> {
    let dict = PyDict::new(py);
    for (info, value) in fields {
        let value = match value {
            FieldValue::Int(value) => value.into_bound_py_any(py)?,
            FieldValue::Uint(value) => value.into_bound_py_any(py)?,
            FieldValue::Float(value) => value.into_bound_py_any(py)?,
            FieldValue::Ints(values) => {
                values.iter().map(|value| value.get()).collect::<Vec<_>>().into_bound_py_any(py)?
            }
            FieldValue::Text(text) => context.text(text.text).into_bound_py_any(py)?,
            FieldValue::Bytes(bytes) => bytes.into_bound_py_any(py)?,
            // Fixed-layout structures have no others.
            FieldValue::Absent
            | FieldValue::Floats(_)
            | FieldValue::Dangling(_)
            | FieldValue::Bool(_)
            | FieldValue::Word(_)
            | FieldValue::Words(_)
            | FieldValue::Color(_) => py.None().into_bound(py),
        };
        dict.set_item(info.name, value)?;
    }
    Ok(PyMappingProxy::new(py, dict.as_mapping()))
}
