//! WORLD.WDB: worlds, models, parts and textures.

mod model;
mod texture;

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use pyo3::IntoPyObjectExt as _;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMappingProxy, PyMemoryView, PyTuple};
use pythonize::depythonize;
use worldview::island::raw;
use worldview::island::{Contents, Library, LodsAt, Scope, WorldNames};
use worldview::{Handle, Path};
use worldview_edit::order::numbers;
use worldview_export::model::glb;
use worldview_verbs::options::{ExportOptions, Options as _};

use crate::Maybe;
use crate::array;
use crate::asset::{Asset, Context};
use crate::edit::{self, Opened, Place};
use crate::error;

pub(crate) use model::{Geometry, Lod, Mesh, Model, Node, Roi};
pub(crate) use texture::{Texture, Textures};

/// The file WORLD.WDB of LEGO Island: worlds, models, parts and textures.
///
/// Opening reads only the directory; all blobs are read on first access to any of them.
#[pyclass(frozen, extends = Asset, module = "worldview")]
#[derive(Default)]
pub(crate) struct Database {
    models: OnceLock<Py<PyDict>>,
}

fn scoped(this: &PyRef<'_, Database>, scope: Scope) -> Arc<NameScope> {
    let asset = this.as_super();
    let database = asset.opened.base().clone();
    Arc::new(NameScope { database, opened: Arc::clone(&asset.opened), context: Arc::clone(asset.context()), scope })
}

fn database_of(handle: &Handle) -> &worldview::island::Database<'_> {
    let Some(database) = handle.database() else { unreachable!("made from a database") };
    database
}

fn contents_of(handle: &Handle) -> &Contents<'_> {
    let Some(contents) = handle.contents() else { unreachable!("made from a database") };
    contents
}

/// A database as it was opened, and the place in it from which names are resolved. Edits only move placements.
#[derive(Clone)]
pub(crate) struct NameScope {
    database: Handle,
    opened: Arc<Opened>,
    context: Arc<Context>,
    scope: Scope,
}

impl NameScope {
    fn text(&self, bytes: &[u8]) -> String {
        self.context.text(bytes)
    }

    /// Calls `look` with the index of names and those of the world.
    fn with<T>(&self, look: impl for<'d, 'a> FnOnce(&Library<'d, 'a>, Option<&WorldNames<'a>>) -> T) -> T {
        let Some(looked) = self.database.with_scope(self.scope, look) else { unreachable!("made from a database") };
        looked
    }

    fn glb(
        &self,
        py: Python<'_>,
        what: &str,
        write: impl for<'d, 'a> FnOnce(
            &Library<'d, 'a>,
            Option<&WorldNames<'a>>,
            &mut Vec<u8>,
        ) -> worldview_export::Result<glb::Report>
        + Send,
    ) -> PyResult<Cow<'static, [u8]>> {
        let mut out = Vec::new();
        let done = py.detach(|| self.with(|library, names| write(library, names, &mut out)));
        done.map_err(|error| error::raised(py, &format!("{}: {what}", self.context.path), &error))?;
        Ok(out.into())
    }
}

/// Returns a dictionary whose errors say which name may be meant.
fn by_name(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    Ok(py.import("worldview._names")?.getattr("Names")?.call0()?.cast_into()?)
}

/// Returns the options of a GLB. `lod` is the option of `worldview.export`.
fn options(lod: Maybe<'_>, visible_only: bool, context: &Context) -> PyResult<glb::Options<'static>> {
    let mut export = ExportOptions::default();
    if let Some(lod) = lod {
        let set = export.set("lod", &depythonize(&lod)?);
        set.map_err(|error| PyValueError::new_err(format!("lod: {error}")))?;
    }
    Ok(glb::Options::default().lods(export.lod).visible_only(visible_only).encoding(context.encoding))
}

#[pymethods]
impl Database {
    /// The worlds, in file order.
    #[getter]
    fn worlds<'py>(this: PyRef<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let scoped = scoped(&this, Scope::Global);
        let world = |index| World { scoped: Arc::clone(&scoped), index };
        let count = database_of(&scoped.database).worlds().len();
        PyTuple::new(this.py(), (0..count).map(world).collect::<Vec<_>>())
    }

    /// The models by name: each blob of a model once, under the first name that a world gives it.
    #[getter]
    fn models<'py>(this: PyRef<'py, Self>) -> PyResult<Bound<'py, PyMappingProxy>> {
        let py = this.py();
        if let Some(models) = this.models.get() {
            return Ok(PyMappingProxy::new(py, models.bind(py).as_mapping()));
        }
        let dict = by_name(py)?;
        let global = scoped(&this, Scope::Global);
        for (scope, blob, name) in global.database.models() {
            let name = global.text(name);
            if !dict.contains(&name)? {
                let view = Model::new(scoped(&this, scope), blob, name.clone());
                dict.set_item(name, view)?;
            }
        }
        let models = this.models.get_or_init(|| dict.unbind()).bind(py);
        Ok(PyMappingProxy::new(py, models.as_mapping()))
    }

    /// The parts by name: those that are always loaded, then those of the worlds. Of several with one name, it has the
    /// first.
    #[getter]
    fn parts<'py>(this: PyRef<'py, Self>) -> PyResult<Bound<'py, PyMappingProxy>> {
        let dict = by_name(this.py())?;
        let global = scoped(&this, Scope::Global);
        for (scope, at, name) in global.database.parts() {
            let name = global.text(name);
            if !dict.contains(&name)? {
                dict.set_item(name.clone(), Part { scoped: scoped(&this, scope), at, name })?;
            }
        }
        Ok(PyMappingProxy::new(this.py(), dict.as_mapping()))
    }

    /// All textures: the global ones, those of the global parts, and those of each blob. Names are not unique.
    #[getter]
    fn textures<'py>(this: PyRef<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let scoped = scoped(&this, Scope::Global);
        let places = scoped.database.texture_places().into_iter();
        let textures = places.map(|at| Texture::new(Arc::clone(&scoped), at));
        PyTuple::new(this.py(), textures.collect::<Vec<_>>())
    }
}

/// A world: the models that are placed in it.
#[pyclass(frozen, module = "worldview")]
pub(crate) struct World {
    scoped: Arc<NameScope>,
    index: usize,
}

#[pymethods]
impl World {
    /// The name of the world.
    #[getter]
    fn name(&self) -> String {
        let world = database_of(&self.scoped.database).world(self.index);
        world.map(|world| self.scoped.text(world.name.text())).unwrap_or_default()
    }

    /// The index of the world.
    #[getter]
    const fn index(&self) -> usize {
        self.index
    }

    /// The models that are placed in the world, in file order.
    #[getter]
    fn placements<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let count = database_of(&self.scoped.database).world(self.index).map_or(0, |world| world.models.len());
        let placement = |index| {
            let scope = Scope::Model { world: self.index, model: index };
            let scoped = NameScope { scope, ..NameScope::clone(&self.scoped) };
            Placement { scoped: Arc::new(scoped), world: self.index, index }
        };
        PyTuple::new(py, (0..count).map(placement).collect::<Vec<_>>())
    }

    /// Returns the world with all its models as GLB. `lod` is `"all"`, `"best"` or the number of a level of detail.
    #[pyo3(signature = (*, lod = None, visible_only = false))]
    fn to_glb(&self, py: Python<'_>, lod: Maybe<'_>, visible_only: bool) -> PyResult<Cow<'static, [u8]>> {
        let options = options(lod, visible_only, &self.scoped.context)?;
        let index = self.index;
        let edited = NameScope { database: self.scoped.opened.now(py)?, ..NameScope::clone(&self.scoped) };
        edited.glb(py, &self.name(), |library, _, out| {
            glb::world(library, index, &library.world_names(index), &options, out)
        })
    }

    fn __repr__(&self) -> String {
        format!("<worldview world: {}>", self.name())
    }
}

/// A model that is placed in a world.
#[pyclass(frozen, module = "worldview")]
pub(crate) struct Placement {
    scoped: Arc<NameScope>,
    world: usize,
    index: usize,
}

impl Placement {
    fn reference(&self) -> &worldview::island::ModelRef<'_> {
        self.reference_in(&self.scoped.database)
    }

    fn reference_in<'d>(&self, database: &'d Handle) -> &'d worldview::island::ModelRef<'d> {
        let world = database_of(database).world(self.world);
        // Made from the placements of this world, whose number never changes.
        &world.map(|world| world.models).unwrap_or_default()[self.index]
    }

    /// Returns the path of a field of the placement.
    fn path(&self, field: &str) -> Path {
        let worlds: Vec<_> = database_of(&self.scoped.database).worlds().collect();
        let models = worlds.get(self.world).map(|world| world.models).unwrap_or_default();
        let mut path = Path::new();
        let lists = [
            ("world", worlds.iter().map(|world| world.name.text()).collect::<Vec<_>>(), self.world),
            ("model", models.iter().map(|model| model.name.text()).collect(), self.index),
        ];
        for (kind, names, index) in lists {
            let nth = numbers(&names).get(index).copied().flatten();
            edit::push(&mut path, Some(kind), names.get(index).copied().unwrap_or_default(), nth);
        }
        path.push_name(field.as_bytes());
        path
    }

    fn place(&self, field: &str) -> Place {
        let number = match field {
            "location" => 0,
            "direction" => 1,
            "up" => 2,
            _ => 3,
        };
        (self.world, self.index, number)
    }

    fn read<T>(&self, py: Python<'_>, field: &str, read: impl FnOnce(&raw::Placement) -> T) -> PyResult<T> {
        let now = self.scoped.opened.field(py, self.place(field))?;
        Ok(read(self.reference_in(&now).placement))
    }

    fn write(&self, py: Python<'_>, field: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.scoped.opened.set(py, (self.place(field), &self.path(field)), value, |_| None)
    }
}

/// Three numbers: a tuple, for an assignment to an item of a list would be lost.
type Vector = (f32, f32, f32);

#[pymethods]
impl Placement {
    /// The name of the model.
    #[getter]
    fn name(&self) -> String {
        self.scoped.text(self.reference().name.text())
    }

    /// The name of the class of the game that handles the model.
    #[getter]
    fn presenter(&self) -> String {
        self.scoped.text(self.reference().presenter.text())
    }

    /// Where the model is, in the world's left-handed axes. It can be assigned, as can `direction`, `up` and `is_visible`.
    #[getter]
    fn location(&self, py: Python<'_>) -> PyResult<Vector> {
        self.read(py, "location", |placement| placement.location.get().into())
    }

    #[setter]
    fn set_location(&self, py: Python<'_>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.write(py, "location", value)
    }

    /// The direction that the model faces.
    #[getter]
    fn direction(&self, py: Python<'_>) -> PyResult<Vector> {
        self.read(py, "direction", |placement| placement.direction.get().into())
    }

    #[setter]
    fn set_direction(&self, py: Python<'_>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.write(py, "direction", value)
    }

    /// The direction that is up for the model.
    #[getter]
    fn up(&self, py: Python<'_>) -> PyResult<Vector> {
        self.read(py, "up", |placement| placement.up.get().into())
    }

    #[setter]
    fn set_up(&self, py: Python<'_>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.write(py, "up", value)
    }

    /// Whether the game shows the model at first.
    #[getter]
    fn is_visible(&self, py: Python<'_>) -> PyResult<bool> {
        self.read(py, "visible", raw::Placement::is_visible)
    }

    #[setter]
    fn set_is_visible(&self, py: Python<'_>, value: bool) -> PyResult<()> {
        let value = u8::from(value).into_bound_py_any(py)?;
        self.write(py, "visible", &value)
    }

    /// The transformation from the model to the world: a float64 array of 4 rows and columns, for row vectors.
    #[getter]
    fn matrix<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMemoryView>> {
        let now = self.scoped.opened.now(py)?;
        let rows = self.reference_in(&now).placement.matrix().rows();
        array::owned(py, rows.concat(), &[4, 4])
    }

    /// The model, or None if its blob is not in the file.
    #[getter]
    fn model(&self) -> Option<Model> {
        Some(Model::new(Arc::clone(&self.scoped), self.reference().blob()?, self.name()))
    }

    fn __repr__(&self) -> String {
        format!("<worldview placement: {}>", self.name())
    }
}

/// A part: levels of detail that objects of models share.
#[pyclass(frozen, module = "worldview")]
pub(crate) struct Part {
    scoped: Arc<NameScope>,
    at: LodsAt,
    name: String,
}

#[pymethods]
impl Part {
    /// The name of the part.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// The levels of detail, the lowest first.
    #[getter]
    fn lods<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, Lod::list(&self.scoped, self.at, &[]))
    }

    /// Returns the part as GLB. `lod` is `"all"`, `"best"` or the number of a level of detail.
    #[pyo3(signature = (*, lod = None))]
    fn to_glb(&self, py: Python<'_>, lod: Maybe<'_>) -> PyResult<Cow<'static, [u8]>> {
        let options = options(lod, false, &self.scoped.context)?;
        let at = self.at;
        self.scoped.glb(py, &self.name, |library, names, out| glb::part(library, at, names, &options, out))
    }

    fn __repr__(&self) -> String {
        format!("<worldview part: {}>", self.name)
    }
}
