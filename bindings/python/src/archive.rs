//! Archives, and data in no known format.

use std::sync::Arc;

use pyo3::IntoPyObjectExt as _;
use pyo3::prelude::*;
use pyo3::types::PyMemoryView;
use worldview::owned::{ArchiveHandle, DirectoryHandle, Failure, Handle, label, open_entry};
use worldview_export::rez::palette_of;

use crate::array;
use crate::asset::{Asset, Context};
use crate::error;
use crate::table::Key;

/// A WPD archive of Final Fantasy XIII that is not a table: a mapping from member names to opened members.
#[pyclass(frozen, extends = Asset, module = "worldview", mapping)]
pub(crate) struct Archive;

fn handle<'a>(this: &'a PyRef<'_, Archive>) -> (&'a Arc<ArchiveHandle>, &'a Arc<Context>) {
    let asset = this.as_super();
    let Handle::Archive(handle) = asset.opened.base() else { unreachable!("made from an archive") };
    (handle, asset.context())
}

fn opened<'py>(
    py: Python<'py>,
    opened: Result<Handle, Failure>,
    context: &Arc<Context>,
) -> PyResult<Bound<'py, PyAny>> {
    let handle = opened.map_err(|failure| error::failure(py, &context.path, failure))?;
    Asset::wrap(py, handle, context)
}

#[pymethods]
impl Archive {
    fn __len__(this: PyRef<'_, Self>) -> usize {
        handle(&this).0.archive().len()
    }

    fn __contains__(this: PyRef<'_, Self>, name: &Bound<'_, PyAny>) -> bool {
        name.extract::<String>().is_ok_and(|name| handle(&this).0.index_of(&name).is_some())
    }

    /// Opens the member with a name, which includes its extension, or at an index: a `Table`, an `Archive` or `Data`.
    fn __getitem__<'py>(this: PyRef<'py, Self>, key: Key) -> PyResult<Bound<'py, PyAny>> {
        let (handle, context) = handle(&this);
        let index = match key {
            Key::Index(index) => Key::position(index, handle.archive().len())?,
            Key::Name(name) => handle.index_of(&name).ok_or_else(|| {
                let names: Vec<_> = handle.archive().members().map(|member| label(&member)).collect();
                error::no_key(&name, names.iter().map(String::as_str))
            })?,
        };
        opened(this.py(), open_entry(this.as_super().opened.base(), index, &context.options), context)
    }

    fn __iter__<'py>(this: PyRef<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let py = this.py();
        Self::keys(this).into_bound_py_any(py)?.call_method0("__iter__")
    }

    /// Returns the names of the members, in file order. They need not be unique; an index opens any of them.
    fn keys(this: PyRef<'_, Self>) -> Vec<String> {
        handle(&this).0.archive().members().map(|member| label(&member)).collect()
    }

    /// Opens all of them, in file order.
    fn values<'py>(this: PyRef<'py, Self>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let (handle, context) = handle(&this);
        (0..handle.archive().len())
            .map(|index| opened(this.py(), open_entry(this.as_super().opened.base(), index, &context.options), context))
            .collect()
    }

    /// Opens all of them, and returns pairs of a name and what it is.
    fn items<'py>(this: &Bound<'py, Self>) -> PyResult<Vec<(String, Bound<'py, PyAny>)>> {
        let (names, values) = (this.call_method0("keys")?, this.call_method0("values")?);
        Ok(names.extract::<Vec<String>>()?.into_iter().zip(values.extract::<Vec<_>>()?).collect())
    }

    /// Opens what has a name, or returns `default` if there is nothing.
    #[pyo3(signature = (name, default = None))]
    fn get<'py>(
        this: &Bound<'py, Self>,
        name: Bound<'py, PyAny>,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        if this.contains(&name)? { this.get_item(name).map(Some) } else { Ok(default) }
    }
}

/// A directory of a REZ archive of Claw, Gruntz or Get Medieval: a mapping from paths to the opened files and
/// directories. The archive itself is its root directory.
#[pyclass(frozen, extends = Asset, module = "worldview", mapping)]
pub(crate) struct Directory;

fn directory<'d>(this: &'d PyRef<'_, Directory>) -> (&'d DirectoryHandle, &'d Arc<Context>) {
    let asset = this.as_super();
    let Handle::Directory(handle) = asset.opened.base() else { unreachable!("made from a directory") };
    (handle, asset.context())
}

#[pymethods]
impl Directory {
    /// The number of files and directories in this directory.
    fn __len__(this: PyRef<'_, Self>) -> usize {
        directory(&this).0.directory().len()
    }

    fn __contains__(this: PyRef<'_, Self>, path: &Bound<'_, PyAny>) -> bool {
        path.extract::<String>().is_ok_and(|path| directory(&this).0.contains(path.as_bytes()))
    }

    /// Opens a file or directory by its path from here, such as `LEVEL1/WORLDS/WORLD.WWD`. Case is ignored.
    fn __getitem__<'py>(this: PyRef<'py, Self>, path: &str) -> PyResult<Bound<'py, PyAny>> {
        let (handle, context) = directory(&this);
        match handle.entry(path.as_bytes(), &context.options) {
            Some(entry) => opened(this.py(), entry, context),
            None => {
                let names = Self::files(this);
                Err(error::no_key(path, names.iter().map(String::as_str)))
            }
        }
    }

    fn __iter__<'py>(this: PyRef<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let py = this.py();
        Self::keys(this).into_bound_py_any(py)?.call_method0("__iter__")
    }

    /// Returns the names of the files and directories in this directory, in file order.
    fn keys(this: PyRef<'_, Self>) -> Vec<String> {
        let (handle, context) = directory(&this);
        let names = handle.directory().entries().map(|entry| match entry {
            worldview::rez::DirectoryEntry::Directory(directory) => context.text(directory.name()),
            worldview::rez::DirectoryEntry::File(file) => context.text(&file.file_name()),
        });
        names.collect()
    }

    /// Returns the paths from here of all files in this directory and below it.
    fn files(this: PyRef<'_, Self>) -> Vec<String> {
        let (handle, context) = directory(&this);
        let skipped = handle.directory().path().names().len();
        let path = |names: Vec<Vec<u8>>| {
            let names = names.iter().skip(skipped).map(|name| context.text(name));
            names.collect::<Vec<_>>().join("/")
        };
        handle.directory().all_files().map(|file| path(file.path().names())).collect()
    }

    /// Returns the palette that the game shows a picture with, by its path from here: that of the nearest directory above it
    /// which has one, or else the first of the archive; an array of 256 rows of red, green and blue. None if there is none.
    fn palette_of<'py>(this: PyRef<'py, Self>, path: &str) -> PyResult<Option<Bound<'py, PyMemoryView>>> {
        let (handle, _) = directory(&this);
        let Some(file) = handle.directory().by_path(path) else {
            let names = Self::files(this);
            return Err(error::no_key(path, names.iter().map(String::as_str)));
        };
        let colors = palette_of(handle.rez(), &file).map(|palette| palette.colors.as_flattened().to_vec());
        colors.map(|colors| array::owned(this.py(), colors, &[256, 3])).transpose()
    }

    /// Opens all of them, in file order.
    fn values<'py>(this: PyRef<'py, Self>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let (handle, context) = directory(&this);
        (0..handle.directory().len())
            .map(|index| opened(this.py(), open_entry(this.as_super().opened.base(), index, &context.options), context))
            .collect()
    }

    /// Opens all of them, and returns pairs of a name and what it is.
    fn items<'py>(this: &Bound<'py, Self>) -> PyResult<Vec<(String, Bound<'py, PyAny>)>> {
        let (names, values) = (this.call_method0("keys")?, this.call_method0("values")?);
        Ok(names.extract::<Vec<String>>()?.into_iter().zip(values.extract::<Vec<_>>()?).collect())
    }

    /// Opens what has a name, or returns `default` if there is nothing.
    #[pyo3(signature = (name, default = None))]
    fn get<'py>(
        this: &Bound<'py, Self>,
        name: Bound<'py, PyAny>,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        if this.contains(&name)? { this.get_item(name).map(Some) } else { Ok(default) }
    }
}

/// A member of an archive in no known format; `data` has its bytes.
#[pyclass(frozen, extends = Asset, module = "worldview")]
pub(crate) struct Data;
