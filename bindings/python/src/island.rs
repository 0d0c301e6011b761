//! WORLD.WDB: worlds, models, parts and textures.

mod model;
mod texture;

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMemoryView};
use worldview::island::{Content, Library, LodsAt, Scope, TextureAt, WorldNames};
use worldview::owned::{DatabaseHandle, Handle};
use worldview_export::model::glb::{self, LodChoice};

use crate::array;
use crate::asset::{Asset, Context};
use crate::error;

pub(crate) use model::{Geometry, Lod, Mesh, Model, Node, Roi};
pub(crate) use texture::Texture;

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
    let Handle::Database(database) = &asset.handle else { unreachable!("made from a database") };
    Arc::new(NameScope { database: Arc::clone(database), context: Arc::clone(&asset.context), scope })
}

/// A database, and the place in it from which names are resolved.
pub(crate) struct NameScope {
    database: Arc<DatabaseHandle>,
    context: Arc<Context>,
    scope: Scope,
}

impl NameScope {
    fn text(&self, bytes: &[u8]) -> String {
        self.context.text(bytes)
    }

    /// Calls `look` with the index of names and those of the world.
    fn with<T>(&self, look: impl for<'d, 'a> FnOnce(&Library<'d, 'a>, Option<&WorldNames<'a>>) -> T) -> T {
        match self.scope {
            Scope::Part { world, .. } | Scope::Model { world, .. } => {
                self.database.with_world_names(world, |library, names| look(library, Some(names)))
            }
            _ => self.database.with_names(|library| look(library, None)),
        }
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
        done.map_err(|error| error::plain(py, &format!("{}: {what}", self.context.path), error))?;
        Ok(out.into())
    }
}

/// Which levels of detail a GLB has.
#[derive(FromPyObject)]
enum Lods {
    Level(u32),
    Name(String),
}

fn options(lods: Option<Lods>, visible_only: bool, context: &Context) -> PyResult<glb::Options<'static>> {
    let lods = match lods {
        None => LodChoice::All,
        Some(Lods::Level(level)) => LodChoice::Level(level),
        Some(Lods::Name(name)) if name == "all" => LodChoice::All,
        Some(Lods::Name(name)) if name == "best" => LodChoice::Best,
        Some(Lods::Name(name)) => {
            let message = format!("lods is \"all\", \"best\" or the number of a level, not {name:?}");
            return Err(pyo3::exceptions::PyValueError::new_err(message));
        }
    };
    Ok(glb::Options::default().lods(lods).visible_only(visible_only).encoding(context.encoding))
}

#[pymethods]
impl Database {
    /// The worlds, in file order.
    #[getter]
    fn worlds(this: PyRef<'_, Self>) -> Vec<World> {
        let scoped = scoped(&this, Scope::Global);
        (0..scoped.database.database().worlds().len())
            .map(|index| World { scoped: Arc::clone(&scoped), index })
            .collect()
    }

    /// The models by name: each blob of a model once, under the first name that a world gives it.
    #[getter]
    fn models<'py>(this: PyRef<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        let py = this.py();
        if let Some(models) = this.models.get() {
            return models.bind(py).copy();
        }
        let dict = PyDict::new(py);
        let global = scoped(&this, Scope::Global);
        let mut seen = std::collections::HashSet::new();
        for world in global.database.database().worlds() {
            for (index, model) in world.models.iter().enumerate() {
                let Some(blob) = model.blob().filter(|blob| seen.insert(*blob)) else { continue };
                let scope = Scope::Model { world: world.index, model: index };
                let name = global.text(model.name.text());
                let view = Model::new(scoped(&this, scope), blob, name.clone());
                if !dict.contains(&name)? {
                    dict.set_item(name, view)?;
                }
            }
        }
        this.models.get_or_init(|| dict.unbind()).bind(py).copy()
    }

    /// The parts by name: those that are always loaded, then those of the worlds. Of several with one name, it has the
    /// first.
    #[getter]
    fn parts<'py>(this: PyRef<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(this.py());
        let global = scoped(&this, Scope::Global);
        let contents = global.database.contents();
        let add = |name: String, at: LodsAt, scoped: &Arc<NameScope>| -> PyResult<()> {
            if !dict.contains(&name)? {
                dict.set_item(name.clone(), Part { scoped: Arc::clone(scoped), at, name })?;
            }
            Ok(())
        };
        for (part, view) in contents.parts.iter().flat_map(|parts| parts.iter()).enumerate() {
            add(global.text(view.name.text()), LodsAt::Global { part }, &global)?;
        }
        for world in global.database.database().worlds() {
            for (index, reference) in world.parts.iter().enumerate() {
                let Some(blob) = reference.blob() else { continue };
                let content = contents.blobs.get(blob).and_then(|content| content.as_ref().ok());
                let scoped = scoped(&this, Scope::Part { world: world.index, part: index });
                for (part, view) in content.and_then(Content::parts).into_iter().flat_map(|p| p.iter()).enumerate() {
                    add(global.text(view.name.text()), LodsAt::Part { blob, part }, &scoped)?;
                }
            }
        }
        Ok(dict)
    }

    /// All textures: the global ones, those of the global parts, and those of each blob. Names are not unique.
    #[getter]
    fn textures(this: PyRef<'_, Self>) -> Vec<Texture> {
        let scoped = scoped(&this, Scope::Global);
        let contents = scoped.database.contents();
        let mut places = Vec::new();
        let count = contents.textures.as_ref().map_or(0, |textures| textures.len());
        places.extend((0..count).map(TextureAt::Global));
        let count = contents.parts.as_ref().map_or(0, |parts| parts.textures.len());
        places.extend((0..count).map(TextureAt::Parts));
        for (blob, content) in contents.blobs.iter().enumerate() {
            let count = content.as_ref().map_or(0, |content| content.own_textures().len());
            places.extend((0..count).map(|texture| TextureAt::Blob { blob, texture }));
        }
        places.into_iter().map(|at| Texture::new(Arc::clone(&scoped), at)).collect()
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
        let world = self.scoped.database.database().world(self.index);
        world.map(|world| self.scoped.text(world.name.text())).unwrap_or_default()
    }

    /// The index of the world.
    #[getter]
    const fn index(&self) -> usize {
        self.index
    }

    /// The models that are placed in the world, in file order.
    #[getter]
    fn placements(&self) -> Vec<Placement> {
        let count = self.scoped.database.database().world(self.index).map_or(0, |world| world.models.len());
        let placement = |index| {
            let scope = Scope::Model { world: self.index, model: index };
            let (database, context) = (Arc::clone(&self.scoped.database), Arc::clone(&self.scoped.context));
            Placement { scoped: Arc::new(NameScope { database, context, scope }), world: self.index, index }
        };
        (0..count).map(placement).collect()
    }

    /// Returns the world with all its models as GLB. `lods` is `"all"`, `"best"` or the number of a level of detail.
    #[pyo3(signature = (*, lods = None, visible_only = false))]
    fn to_glb(&self, py: Python<'_>, lods: Option<Lods>, visible_only: bool) -> PyResult<Cow<'static, [u8]>> {
        let options = options(lods, visible_only, &self.scoped.context)?;
        let index = self.index;
        self.scoped.glb(py, &self.name(), |library, _, out| {
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
        let world = self.scoped.database.database().world(self.world);
        // Made from the placements of this world, which never change.
        &world.map(|world| world.models).unwrap_or_default()[self.index]
    }
}

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

    /// Where the model is, in the world's left-handed axes.
    #[getter]
    fn location(&self) -> [f32; 3] {
        self.reference().placement.location.get()
    }

    /// The direction that the model faces.
    #[getter]
    fn direction(&self) -> [f32; 3] {
        self.reference().placement.direction.get()
    }

    /// The direction that is up for the model.
    #[getter]
    fn up(&self) -> [f32; 3] {
        self.reference().placement.up.get()
    }

    /// Whether the game shows the model at first.
    #[getter]
    fn is_visible(&self) -> bool {
        self.reference().placement.is_visible()
    }

    /// The transformation from the model to the world: a float64 array of 4 rows and columns, for row vectors.
    #[getter]
    fn matrix<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMemoryView>> {
        let rows = self.reference().placement.matrix().rows();
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
    fn lods(&self) -> Vec<Lod> {
        Lod::list(&self.scoped, self.at, &[])
    }

    /// Returns the part as GLB. `lods` is `"all"`, `"best"` or the number of a level of detail.
    #[pyo3(signature = (*, lods = None))]
    fn to_glb(&self, py: Python<'_>, lods: Option<Lods>) -> PyResult<Cow<'static, [u8]>> {
        let options = options(lods, false, &self.scoped.context)?;
        let at = self.at;
        self.scoped.glb(py, &self.name, |library, names, out| glb::part(library, at, names, &options, out))
    }

    fn __repr__(&self) -> String {
        format!("<worldview part: {}>", self.name)
    }
}
