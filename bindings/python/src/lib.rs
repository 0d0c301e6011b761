//! The native part of the Python package `worldview`.

mod archive;
mod array;
mod arrow;
mod asset;
mod bulk;
mod command;
mod edit;
mod error;
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

use pyo3::buffer::PyBuffer;
use pyo3::exceptions::{PyOSError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;
use worldview::inspect::Encoding;
use worldview::wpd::Schemas;
use worldview::{File, Handle, Loader, Options, split_path};

use asset::{Asset, Context};

/// Returns the code page of a name.
fn encoding(name: Option<&str>) -> PyResult<Encoding> {
    let found = name.map_or(Some(Encoding::default()), Encoding::for_label);
    found.ok_or_else(|| {
        PyValueError::new_err(format!(
            "encoding is a label of the Encoding Standard, such as windows-1251, not {name:?}"
        ))
    })
}

/// Returns the loader: files are read unless mapping is asked for.
fn loader(mmap: bool) -> PyResult<Loader> {
    if !mmap {
        return Ok(Loader::read());
    }
    worldview::guard::install().map_err(|error| PyOSError::new_err(error.to_string()))?;
    #[expect(unsafe_code, reason = "the promise of `Loader::mmap`, made by the caller in Python")]
    // SAFETY: The documentation of `mmap=True` says that the files must not change while anything refers to them. The
    // guard handles those that shrink nevertheless.
    let loader = unsafe { Loader::mmap() };
    Ok(loader)
}

fn options(lossy: bool, recover: bool, max_inflate: Option<u64>, schemas: Option<&str>) -> PyResult<Options> {
    let schemas = match schemas {
        None => None,
        Some(text) => {
            let parsed = Schemas::parse(text);
            Some(Arc::new(parsed.map_err(|error| PyValueError::new_err(format!("schemas: {error}")))?))
        }
    };
    Ok(Options { lossy, recover, max_inflate, schemas, ..Options::default() })
}

/// Opens a file, a part of one, or bytes; see `worldview.open`.
#[pyfunction]
#[pyo3(signature = (
    source, *, name = None, lossy = false, recover = false, mmap = false, max_inflate = None, encoding = None,
    schemas = None
))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments in Python")]
fn open<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    name: Option<String>,
    lossy: bool,
    recover: bool,
    mmap: bool,
    max_inflate: Option<u64>,
    encoding: Option<&str>,
    schemas: Option<&str>,
) -> PyResult<Bound<'py, PyAny>> {
    let encoding = self::encoding(encoding)?;
    let options = options(lossy, recover, max_inflate, schemas)?;
    let label = name.unwrap_or_else(|| "bytes".to_owned());
    let bytes = match source.cast::<PyBytes>() {
        // `bytes` never change, so they are shared; everything else is copied.
        Ok(bytes) => Some(File::from_owner(PyBackedBytes::from(bytes.clone()), label.as_str())),
        Err(_) => match PyBuffer::<u8>::get(source) {
            Ok(buffer) => Some(File::from_bytes(buffer.to_vec(py)?, label.as_str())),
            Err(_) => None,
        },
    };
    let is_bytes = bytes.is_some();
    let (path, opened) = if let Some(file) = bytes {
        (label, py.detach(|| Handle::of(&file, b"", &options)))
    } else {
        let path: PathBuf = source
            .extract()
            .map_err(|_| PyTypeError::new_err("open() takes a path or bytes; read other sources into bytes first"))?;
        let loader = loader(mmap)?;
        let shown = split_path(&path).0.display().to_string();
        (shown, py.detach(|| Handle::load(loader, &path, &options)))
    };
    let handle = opened.map_err(|failure| error::failure(py, &path, failure))?;
    let schemas = schemas.map(str::to_owned);
    let edits = edit::Edits::default();
    Asset::wrap(py, handle, &Arc::new(Context { path, encoding, options, is_bytes, schemas, edits }))
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
#[pyo3(signature = (paths, *, kind = None, threads = 0, lossy = false, recover = false, mmap = false, encoding = None))]
fn _scan(
    paths: Vec<PathBuf>,
    kind: Option<String>,
    threads: usize,
    lossy: bool,
    recover: bool,
    mmap: bool,
    encoding: Option<&str>,
) -> PyResult<bulk::Scan> {
    let context = Context::of_many(self::encoding(encoding)?, options(lossy, recover, None, None)?);
    const KINDS: [&str; 5] = ["level", "table", "archive", "picture", "database"];
    if let Some(kind) = kind.as_deref().filter(|kind| !KINDS.contains(kind)) {
        return Err(PyValueError::new_err(format!("kind is one of {}, not {kind:?}", KINDS.join(", "))));
    }
    Ok(bulk::Scan::start(paths, kind, threads, loader(mmap)?, context))
}

/// Reads rows of many files; see `worldview.read_objects` and `worldview.read_records`.
#[pyfunction]
#[pyo3(signature = (paths, *, what, sheet = None, columns = None, threads = 0, strings = "utf8", lossy = false, recover = false, mmap = false, encoding = None))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments in Python")]
fn _read(
    py: Python<'_>,
    paths: Vec<PathBuf>,
    what: &str,
    sheet: Option<String>,
    columns: Option<Vec<String>>,
    threads: usize,
    strings: &str,
    lossy: bool,
    recover: bool,
    mmap: bool,
    encoding: Option<&str>,
) -> PyResult<bulk::Stream> {
    let want = match (what, sheet) {
        ("objects", _) => bulk::Want::Objects,
        ("meshes", _) => bulk::Want::Meshes,
        (_, Some(sheet)) => bulk::Want::Records(sheet),
        (_, None) => bulk::Want::Values,
    };
    let views = match strings {
        "utf8" => false,
        "view" => true,
        other => return Err(PyValueError::new_err(format!("strings is \"utf8\" or \"view\", not {other:?}"))),
    };
    let context = Context::of_many(self::encoding(encoding)?, options(lossy, recover, None, None)?);
    bulk::Stream::start(py, paths, (want, columns), threads, loader(mmap)?, views, context)
}

/// The native part of the package.
#[pymodule]
fn _worldview(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("Error", py.get_type::<error::Error>())?;
    module.add_class::<asset::Asset>()?;
    module.add_class::<archive::Archive>()?;
    module.add_class::<archive::Data>()?;
    module.add_class::<archive::Directory>()?;
    module.add_class::<arrow::Row>()?;
    module.add_class::<arrow::Rows>()?;
    module.add_class::<bulk::Found>()?;
    module.add_class::<bulk::Scan>()?;
    module.add_class::<bulk::Stream>()?;
    module.add_class::<island::Database>()?;
    module.add_class::<island::Geometry>()?;
    module.add_class::<island::Lod>()?;
    module.add_class::<island::Mesh>()?;
    module.add_class::<island::Model>()?;
    module.add_class::<island::Node>()?;
    module.add_class::<island::Part>()?;
    module.add_class::<island::Placement>()?;
    module.add_class::<island::Roi>()?;
    module.add_class::<island::Texture>()?;
    module.add_class::<island::Textures>()?;
    module.add_class::<island::World>()?;
    module.add_class::<level::Level>()?;
    module.add_class::<level::Plane>()?;
    module.add_class::<picture::Picture>()?;
    module.add_class::<table::Field>()?;
    module.add_class::<table::Record>()?;
    module.add_class::<table::Table>()?;
    module.add_function(wrap_pyfunction!(open, module)?)?;
    module.add_function(wrap_pyfunction!(sniff, module)?)?;
    module.add_function(wrap_pyfunction!(_scan, module)?)?;
    module.add_function(wrap_pyfunction!(_read, module)?)?;
    module.add_function(wrap_pyfunction!(command::run, module)?)?;
    module.add_function(wrap_pyfunction!(verbs::_export, module)?)?;
    module.add_function(wrap_pyfunction!(verbs::_check, module)?)?;
    module.add_function(wrap_pyfunction!(verbs::_find, module)?)?;
    module.add_function(wrap_pyfunction!(verbs::_diff, module)?)?;
    module.add_function(wrap_pyfunction!(verbs::_changes, module)?)?;
    module.add_function(wrap_pyfunction!(verbs::_apply, module)?)?;
    // The package has its own, and this one would name the private functions.
    module.as_any().delattr("__all__")
}
