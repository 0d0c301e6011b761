//! Exceptions.

use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyFileNotFoundError, PyKeyError, PyOSError};
use pyo3::prelude::*;
use worldview::{Failure, OpenError};
use worldview_import::nearest;
use worldview_verbs as verbs;

create_exception!(
    worldview,
    Error,
    PyException,
    "A file, or a part of one, that cannot be read.\n\n\
     Attributes:\n\
     \x20   code: The code of the report of a command, such as `unreadable-damaged`; docs/json.md lists them. `OSError` has one, too.\n\
     \x20   path: The file, and the members that lead to the part, joined by `/`.\n\
     \x20   part: What is broken, such as `tiles_offset`; None if the file as a whole is.\n\
     \x20   scope: What the part belongs to, such as `plane 1`, or None.\n\
     \x20   index: The index of the part among its kind, or None.\n\
     \x20   offset: The offset of the broken bytes, or None.\n\
     \x20   space: What the offset counts in: `file`, or `image` for an unpacked level; or None."
);

/// Converts an error of the format, with its attributes.
pub(crate) fn format_error(py: Python<'_>, path: &str, error: &worldview::Error) -> PyErr {
    let code = verbs::code_of_error(error);
    with_code(py, with_attributes(py, format!("{path}: {error}"), path, Some(error)), code)
}

/// Gives an exception the code that the report of a command has.
pub(crate) fn with_code(py: Python<'_>, raised: PyErr, code: &str) -> PyErr {
    // An exception without a code is better than none.
    let _ = raised.value(py).setattr("code", code);
    raised
}

/// Converts any other error.
pub(crate) fn plain(py: Python<'_>, path: &str, message: impl std::fmt::Display) -> PyErr {
    with_attributes(py, format!("{path}: {message}"), path, None)
}

/// Converts an error of opening. What the system says about the file stays an `OSError`.
pub(crate) fn failure(py: Python<'_>, path: &str, failure: Failure) -> PyErr {
    let code = verbs::code_of_opening(&failure);
    if let Failure::Io(error) = failure {
        return with_code(py, io(path, &error), code);
    }
    if matches!(failure, Failure::Open(OpenError::NotFound, _)) {
        // Without a number of the system, which would have a text of its own.
        return with_code(py, PyFileNotFoundError::new_err(format!("{path}: {failure}")), code);
    }
    let inside = failure.path_in_file().join("/");
    let place = if inside.is_empty() { path.to_owned() } else { format!("{path}/{inside}") };
    with_code(py, with_attributes(py, format!("{path}: {failure}"), &place, failure.error()), code)
}

/// The error about a name that is not there, with the one that may be meant.
pub(crate) fn no_key<'n>(name: &str, names: impl Iterator<Item = &'n str> + Clone) -> PyErr {
    match nearest::meant(name, names) {
        Some(meant) => PyKeyError::new_err(format!("{name}; did you mean {meant}?")),
        None => PyKeyError::new_err(name.to_owned()),
    }
}

/// Returns the `KeyError` about a name that is not there.
#[pyfunction]
pub(crate) fn _no_key(py: Python<'_>, name: &str, names: Vec<String>) -> Py<PyAny> {
    no_key(name, names.iter().map(String::as_str)).into_value(py).into_any()
}

/// Converts an error of the system.
pub(crate) fn io(path: &str, error: &std::io::Error) -> PyErr {
    match error.raw_os_error() {
        // With the number, Python chooses the subclass, such as `FileNotFoundError`.
        Some(number) => PyOSError::new_err((number, worldview::system_text(error), path.to_owned())),
        None => std::io::Error::new(error.kind(), format!("{path}: {error}")).into(),
    }
}

fn with_attributes(py: Python<'_>, message: String, path: &str, error: Option<&worldview::Error>) -> PyErr {
    let raised = Error::new_err(message);
    let value = raised.value(py);
    let set = || -> PyResult<()> {
        value.setattr("path", path)?;
        value.setattr("part", error.map(|error| error.what))?;
        let scope = error.and_then(worldview::Error::enclosing).map(|(label, number)| format!("{label} {number}"));
        value.setattr("scope", scope)?;
        value.setattr("index", error.and_then(worldview::Error::index))?;
        value.setattr("offset", error.map(|error| error.at))?;
        value.setattr("space", error.map(|error| error.space().name()))
    };
    // An exception without attributes is better than none.
    let _ = set();
    raised
}
