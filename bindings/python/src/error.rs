//! Exceptions.

use std::error::Error;
use std::fmt;
use std::io;
use std::iter::successors;

use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use pythonize::pythonize;
use serde::Serialize;
use worldview::Failure;
use worldview_import::nearest;
use worldview_verbs as verbs;

/// What is wrong with a file, or with a part of one: the attributes of `worldview.Error`.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Problem {
    path: String,
    message: String,
    /// The text of the exception, if it is not that of the path and the message.
    text: Option<String>,
    code: &'static str,
    part: Option<&'static str>,
    scope: Option<String>,
    index: Option<u64>,
    offset: Option<u64>,
    space: Option<&'static str>,
    errno: Option<i32>,
}

impl Problem {
    pub(crate) fn new(path: String, error: &(dyn Error + 'static)) -> Self {
        let mut causes = successors(Some(error), |&error| error.source());
        let format = causes.clone().find_map(|error| error.downcast_ref::<worldview::Error>());
        let system = causes.find_map(|error| error.downcast_ref::<io::Error>());
        let scope = format.and_then(worldview::Error::enclosing);
        let known = Self::of(&verbs::Failure::of_error(error));
        Self {
            message: error.to_string(),
            part: format.map(|error| error.what),
            scope: scope.map(|(label, number)| format!("{label} {number}")),
            index: format.and_then(worldview::Error::index).map(Into::into),
            offset: known.offset.or(format.map(|error| error.at)),
            space: known.space.or(format.map(|error| error.space().name())),
            errno: system.and_then(errno),
            path,
            ..known
        }
    }

    /// Returns the problem of a part that could not be opened.
    pub(crate) fn opening(path: &str, failure: &Failure) -> Self {
        let place = failure.path_in_file().iter().fold(path.to_owned(), |path, name| path + "/" + name);
        match failure {
            Failure::Open(error, _) => Self::new(place, error),
            other => Self::new(place, other),
        }
    }

    /// Returns what a report says.
    pub(crate) fn of(failure: &verbs::Failure) -> Self {
        let verbs::Failure { path, error, code, offset, space, .. } = failure.clone();
        let (text, part, scope, index, errno) = (None, None, None, None, None);
        Self { path, message: error, text, code: code.name, part, scope, index, offset, space, errno }
    }

    /// Gives the exception another text.
    pub(crate) fn saying(self, text: String) -> Self {
        Self { text: Some(text), ..self }
    }

    /// Returns the exception.
    pub(crate) fn raised(&self, py: Python<'_>) -> PyErr {
        let made = || {
            let attributes: Bound<'_, PyDict> = pythonize(py, self)?.cast_into()?;
            py.import("worldview._errors")?.getattr("error")?.call((), Some(&attributes))
        };
        made().map_or_else(|error| error, PyErr::from_value)
    }
}

/// Returns the number by which Python chooses the class of an error of the system. These are the same everywhere.
fn errno(error: &io::Error) -> Option<i32> {
    match error.kind() {
        io::ErrorKind::NotFound => Some(2),
        io::ErrorKind::PermissionDenied => Some(13),
        io::ErrorKind::NotADirectory => Some(20),
        io::ErrorKind::IsADirectory => Some(21),
        _ => error.raw_os_error(),
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.message)
    }
}

/// Returns a list of exceptions, with what the package adds to it.
pub(crate) fn list<'py>(py: Python<'py>, errors: impl Iterator<Item = Py<PyAny>>) -> PyResult<Bound<'py, PyAny>> {
    py.import("worldview._errors")?.getattr("Errors")?.call1((errors.collect::<Vec<_>>(),))
}

/// Converts an error of any crate to an exception.
pub(crate) fn raised(py: Python<'_>, path: &str, error: &(dyn Error + 'static)) -> PyErr {
    Problem::new(path.to_owned(), error).raised(py)
}

/// Returns an exception with a message of our own.
pub(crate) fn plain(py: Python<'_>, path: &str, message: &str) -> PyErr {
    raised(py, path, &*Box::<dyn Error>::from(message))
}

/// Converts an error of opening.
pub(crate) fn failure(py: Python<'_>, path: &str, failure: &Failure) -> PyErr {
    Problem::opening(path, failure).raised(py)
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
