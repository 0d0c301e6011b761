//! Archives, and data in no known format.

use pyo3::prelude::*;
use pyo3::types::PyMemoryView;
use worldview::{Failure, Handle, OpenError, rez, wpd};
use worldview_export::rez::palette_of;
use worldview_export::table::label;

use crate::Maybe;
use crate::array;
use crate::asset::Asset;
use crate::error;
use crate::table::Key;

/// What archives and directories have in common.
#[pyclass(frozen, extends = Asset, subclass, module = "worldview", name = "_Container", mapping)]
pub(crate) struct Container;

#[pymethods]
impl Container {
    fn __iter__<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        this.call_method0("keys")?.call_method0("__iter__")
    }

    /// Opens all of them, in file order.
    fn values<'py>(this: PyRef<'py, Self>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let (py, asset) = (this.py(), this.as_super());
        let base = asset.opened.base();
        (0..).map_while(|index| base.entry(index)).map(|entry| opened(py, entry, asset)).collect()
    }

    /// Opens all of them, and returns pairs of a name and what it is.
    fn items<'py>(this: &Bound<'py, Self>) -> PyResult<Vec<(String, Bound<'py, PyAny>)>> {
        let (names, values) = (this.call_method0("keys")?, this.call_method0("values")?);
        Ok(names.extract::<Vec<String>>()?.into_iter().zip(values.extract::<Vec<_>>()?).collect())
    }

    /// Opens what has a name, or returns `default` if there is nothing.
    #[pyo3(signature = (name, default = None))]
    fn get<'py>(this: &Bound<'py, Self>, name: &Bound<'py, PyAny>, default: Maybe<'py>) -> PyResult<Maybe<'py>> {
        if this.contains(name)? { this.get_item(name).map(Some) } else { Ok(default) }
    }
}

/// A WPD archive of Final Fantasy XIII that is not a table: a mapping from member names to opened members.
#[pyclass(frozen, extends = Container, module = "worldview", mapping)]
pub(crate) struct Archive;

fn archive<'a>(this: &'a PyRef<'_, Archive>) -> &'a wpd::Archive<'a> {
    let Some(archive) = this.as_super().as_super().opened.base().archive() else {
        unreachable!("made from an archive")
    };
    archive
}

/// Returns the index of the first member with a name, which includes its extension.
fn index_of(archive: &wpd::Archive<'_>, name: &str) -> Option<usize> {
    archive.members().position(|member| label(&member) == name)
}

fn opened<'py>(py: Python<'py>, entry: Result<Handle, Failure>, asset: &Asset) -> PyResult<Bound<'py, PyAny>> {
    let handle = entry.map_err(|failure| error::failure(py, &asset.context().path, &failure))?;
    Asset::wrap(py, handle, asset.context())
}

#[pymethods]
impl Archive {
    fn __len__(this: PyRef<'_, Self>) -> usize {
        archive(&this).len()
    }

    fn __contains__(this: PyRef<'_, Self>, name: &Bound<'_, PyAny>) -> bool {
        name.extract::<String>().is_ok_and(|name| index_of(archive(&this), &name).is_some())
    }

    /// Opens the member with a name, which includes its extension, or at an index: a `Table`, an `Archive` or `Data`.
    fn __getitem__<'py>(this: PyRef<'py, Self>, key: Key) -> PyResult<Bound<'py, PyAny>> {
        let archive = archive(&this);
        let missing = |name: &str| {
            let names: Vec<_> = archive.members().map(|member| label(&member)).collect();
            error::no_key(name, names.iter().map(String::as_str))
        };
        let index = match key {
            Key::Index(index) => Key::position(index, archive.len())?,
            Key::Name(name) => index_of(archive, &name).ok_or_else(|| missing(&name))?,
        };
        let asset = this.as_super().as_super();
        let entry = asset.opened.base().entry(index).ok_or_else(|| missing(&index.to_string()))?;
        opened(this.py(), entry, asset)
    }

    /// Returns the names of the members, in file order. They need not be unique; an index opens any of them.
    fn keys(this: PyRef<'_, Self>) -> Vec<String> {
        archive(&this).members().map(|member| label(&member)).collect()
    }
}

/// A directory of a REZ archive of Claw, Gruntz or Get Medieval: a mapping from paths to the opened files and
/// directories. The archive itself is its root directory.
#[pyclass(frozen, extends = Container, module = "worldview", mapping)]
pub(crate) struct Directory;

fn directory<'d>(this: &'d PyRef<'_, Directory>) -> rez::Directory<'d, 'd> {
    let Some(directory) = this.as_super().as_super().opened.base().directory() else {
        unreachable!("made from a directory")
    };
    directory
}

#[pymethods]
impl Directory {
    /// The number of files and directories in this directory.
    fn __len__(this: PyRef<'_, Self>) -> usize {
        directory(&this).len()
    }

    fn __contains__(this: PyRef<'_, Self>, path: &Bound<'_, PyAny>) -> bool {
        path.extract::<String>().is_ok_and(|path| {
            let directory = directory(&this);
            directory.by_path(&path).is_some() || directory.descend(&path).is_some()
        })
    }

    /// Opens a file or directory by its path from here, such as `LEVEL1/WORLDS/WORLD.WWD`. Case is ignored.
    fn __getitem__<'py>(this: PyRef<'py, Self>, path: &str) -> PyResult<Bound<'py, PyAny>> {
        let asset = this.as_super().as_super();
        match asset.opened.base().path(path.as_bytes()) {
            Err(Failure::Open(OpenError::NotFound, _)) => {
                let names = Self::files(this);
                Err(error::no_key(path, names.iter().map(String::as_str)))
            }
            entry => opened(this.py(), entry, asset),
        }
    }

    /// Returns the names of the files and directories in this directory, in file order.
    fn keys(this: PyRef<'_, Self>) -> Vec<String> {
        let context = this.as_super().as_super().context();
        let names = directory(&this).entries().map(|entry| match entry {
            worldview::rez::DirectoryEntry::Directory(directory) => context.text(directory.name()),
            worldview::rez::DirectoryEntry::File(file) => context.text(&file.file_name()),
        });
        names.collect()
    }

    /// Returns the paths from here of all files in this directory and below it.
    fn files(this: PyRef<'_, Self>) -> Vec<String> {
        let (directory, context) = (directory(&this), this.as_super().as_super().context());
        let skipped = directory.path().names().len();
        let path = |names: Vec<Vec<u8>>| {
            let names = names.iter().skip(skipped).map(|name| context.text(name));
            names.collect::<Vec<_>>().join("/")
        };
        directory.all_files().map(|file| path(file.path().names())).collect()
    }

    /// Returns the palette that the game shows a picture with, by its path from here: that of the nearest directory above it
    /// which has one, or else the first of the archive; an array of 256 rows of red, green and blue. None if there is none.
    fn palette_of<'py>(this: PyRef<'py, Self>, path: &str) -> PyResult<Option<Bound<'py, PyMemoryView>>> {
        let directory = directory(&this);
        let Some(file) = directory.by_path(path) else {
            let names = Self::files(this);
            return Err(error::no_key(path, names.iter().map(String::as_str)));
        };
        let colors = palette_of(directory.archive(), &file).map(|palette| palette.colors.as_flattened().to_vec());
        colors.map(|colors| array::owned(this.py(), colors, &[256, 3])).transpose()
    }
}

/// A member of an archive in no known format; `data` has its bytes.
#[pyclass(frozen, extends = Asset, module = "worldview")]
pub(crate) struct Data;
