//! The native part of the Python package `worldview`.

mod archive;
mod array;
mod arrow;
mod asset;
mod bulk;
mod command;
mod edit;
mod error;
mod filter;
mod island;
mod level;
mod meshes;
mod objects;
mod picture;
mod requested;
mod table;
mod verbs;

use std::path::PathBuf;
use std::sync::Arc;

use arrow_schema::DataType;
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::{PyOSError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDict};
use pythonize::depythonize;
use serde::Deserialize;
use worldview::inspect::Encoding;
use worldview::wpd::Schemas;
use worldview::{File, Handle, Kind, Loader, Options, split_path};

use asset::{Asset, Context};

/// An object of Python, if there is one.
type Maybe<'py> = Option<Bound<'py, PyAny>>;

/// How files are opened: keyword arguments of the functions of the package.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Opening {
    lossy: bool,
    recover: bool,
    mmap: bool,
    max_inflate: Option<u64>,
    encoding: Option<String>,
    schemas: Option<String>,
}

impl Opening {
    /// Returns the loader, and how the file with this path is opened.
    fn of(keywords: &Bound<'_, PyDict>, path: String, is_bytes: bool) -> PyResult<(Loader, Context)> {
        let Self { lossy, recover, mmap, max_inflate, encoding, schemas } = depythonize(keywords)?;
        let encoding = encoding.as_deref().map_or(Ok(Encoding::default()), |label| {
            let what = "encoding is a label of the Encoding Standard, such as windows-1251";
            Encoding::for_label(label).ok_or_else(|| PyValueError::new_err(format!("{what}, not {label:?}")))
        })?;
        let parsed = schemas.as_deref().map(Schemas::parse).transpose();
        let parsed = parsed.map_err(|error| PyValueError::new_err(format!("schemas: {error}")))?.map(Arc::new);
        let options = Options { lossy, recover, max_inflate, schemas: parsed, ..Options::default() };
        let loader = if mmap {
            worldview::guard::install().map_err(|error| PyOSError::new_err(error.to_string()))?;
            #[expect(unsafe_code, reason = "the promise of `Loader::mmap`, made by the caller in Python")]
            // SAFETY: The documentation of `mmap=True` says that the files must not change while anything refers to them. The
            // guard handles those that shrink nevertheless.
            unsafe {
                Loader::mmap()
            }
        } else {
            Loader::read()
        };
        let edits = edit::Edits::default();
        Ok((loader, Context { path, encoding, options, is_bytes, schemas, edits }))
    }
}

/// Opens a file, a part of one, or bytes; see `worldview.open`.
#[pyfunction]
fn _open<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    name: Option<String>,
    keywords: &Bound<'_, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    let label = name.unwrap_or_else(|| "bytes".to_owned());
    let bytes = match source.cast::<PyBytes>() {
        // `bytes` never change, so they are shared; everything else is copied.
        Ok(bytes) => Some(File::from_owner(PyBackedBytes::from(bytes.clone()), label.as_str())),
        Err(_) => match PyBuffer::<u8>::get(source) {
            Ok(buffer) => Some(File::from_bytes(buffer.to_vec(py)?, label.as_str())),
            Err(_) => None,
        },
    };
    let (context, opened) = if let Some(file) = bytes {
        let (_, context) = Opening::of(keywords, label, true)?;
        let opened = py.detach(|| Handle::of(&file, b"", &context.options));
        (context, opened)
    } else {
        let path: PathBuf = source
            .extract()
            .map_err(|_| PyTypeError::new_err("open() takes a path or bytes; read other sources into bytes first"))?;
        let (loader, context) = Opening::of(keywords, split_path(&path).0.display().to_string(), false)?;
        let opened = py.detach(|| Handle::load(loader, &path, &context.options));
        (context, opened)
    };
    let handle = opened.map_err(|failure| error::failure(py, &context.path, &failure))?;
    Asset::wrap(py, handle, &Arc::new(context))
}

/// Returns the format of bytes by their content, and by the name of their file where that is not enough: `wwd`, `wpd`,
/// `rez`, `pid`, `pcx`, `rid` or `world`; or None if it is unknown.
#[pyfunction]
#[pyo3(signature = (data, name = ""))]
fn sniff(py: Python<'_>, data: PyBuffer<u8>, name: &str) -> PyResult<Option<&'static str>> {
    let bytes = data.to_vec(py)?;
    Ok(Options::new().format(&bytes, name).ok().map(worldview::Format::name))
}

/// Opens many files on several threads; see `worldview.scan`.
#[pyfunction]
fn _scan(
    paths: Vec<PathBuf>,
    kind: Option<String>,
    threads: usize,
    keywords: &Bound<'_, PyDict>,
) -> PyResult<bulk::Scan> {
    let kinds = Kind::OF_FILES.map(Kind::name);
    if let Some(kind) = kind.as_deref().filter(|kind| !kinds.contains(kind)) {
        return Err(PyValueError::new_err(format!("kind is one of {}, not {kind:?}", kinds.join(", "))));
    }
    let (loader, context) = Opening::of(keywords, String::new(), false)?;
    Ok(bulk::Scan::start(paths, kind, threads, loader, context))
}

/// Reads rows of many files: of `objects`, `meshes`, or tables, whose values are returned if no sheet is named. With a `schema`, a
/// capsule, all rows must have these columns, if there are any.
#[pyfunction]
fn _read(
    py: Python<'_>,
    sources: Vec<bulk::Source>,
    what: (String, Option<String>),
    wanted: (Option<table::Names>, Option<Vec<filter::Filter>>),
    how: (usize, String),
    keywords: &Bound<'_, PyDict>,
    schema: Maybe<'_>,
) -> PyResult<bulk::Stream> {
    let want = match (what.0.as_str(), what.1) {
        ("objects", _) => bulk::Want::Objects,
        ("meshes", _) => bulk::Want::Meshes,
        (_, Some(sheet)) => bulk::Want::Records(sheet),
        (_, None) => bulk::Want::Values,
    };
    let (threads, strings) = how;
    let texts = match strings.as_str() {
        "utf8" => DataType::Utf8,
        "view" => DataType::Utf8View,
        "dictionary" => requested::dictionary(),
        other => {
            let why = format!("strings is \"utf8\", \"view\" or \"dictionary\", not {other:?}");
            return Err(PyValueError::new_err(why));
        }
    };
    let schema = schema.map(|schema| requested::schema_of(&schema)).transpose()?.map(Arc::new);
    let (columns, filters) = (wanted.0.map(|table::Names(names)| names), wanted.1.unwrap_or_default());
    let (loader, context) = Opening::of(keywords, String::new(), false)?;
    bulk::Stream::start(py, sources, bulk::Reading { want, columns, filters, texts, threads, schema }, loader, context)
}

/// The native part of the package.
#[pymodule]
mod _worldview {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::{
        archive::{Archive, Container, Data, Directory},
        arrow::{Row, Rows},
        asset::Asset,
        bulk::{Found, Scan, Stream},
        command::run,
        error::_no_key,
        island::{Database, Geometry, Lod, Mesh, Model, Node, Part, Placement, Roi, Texture, Textures, World},
        level::{Level, Plane},
        picture::Picture,
        table::{Field, Record, Table},
        verbs::{_apply, _build, _changes, _check, _diff, _export, _find, _options, _repair, _restore},
        {_open, _read, _scan, sniff},
    };

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        // It would name the private functions.
        module.as_any().delattr("__all__")
    }
}
