//! Models: objects, levels of detail, meshes and animation.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMappingProxy, PyMemoryView, PyTuple};
use worldview::OwnedLods;
use worldview::island::{self, Content, LodsAt, Name, Rig, Scope};
use worldview_export::model::glb;

use super::{NameScope, Texture, Vector, options};
use crate::Maybe;
use crate::array;
use crate::asset::{self, Step};
use crate::error;

/// A model: a tree of objects, and the animation that moves them.
#[pyclass(frozen, module = "worldview")]
pub(crate) struct Model {
    shared: Arc<Shared>,
}

/// What a model and its objects refer to.
struct Shared {
    scoped: Arc<NameScope>,
    blob: usize,
    name: String,
    /// Where the levels of each object are.
    lods: OnceLock<Vec<Option<LodsAt>>>,
}

impl Shared {
    fn model(&self) -> PyResult<&island::Model<'_>> {
        let blob = super::contents_of(&self.scoped.database).blobs.get(self.blob);
        let path = || format!("{}: model {}", self.scoped.context.path, self.name);
        match blob {
            Some(Ok(Content::Model(model))) => Ok(model),
            Some(Err(error)) => Err(Python::attach(|py| error::raised(py, &path(), error))),
            _ => Err(Python::attach(|py| error::plain(py, &path(), "the blob is not a model"))),
        }
    }

    /// Returns where the levels of an object are: its own, or those that it shares.
    fn lods_of(&self, roi: usize) -> Option<LodsAt> {
        let all = self.lods.get_or_init(|| {
            self.scoped.with(|library, world| {
                let Some(model) = library.model(self.blob) else { return Vec::new() };
                let names = library.names(self.scoped.scope, world);
                let place = |(index, roi): (usize, island::Roi<'_>)| {
                    if roi.is_shared() {
                        return names.lods(index, roi.list_name());
                    }
                    (!roi.lods.is_empty()).then_some(LodsAt::Roi { blob: self.blob, roi: index })
                };
                model.rois.iter().enumerate().map(place).collect()
            })
        });
        all.get(roi).copied().flatten()
    }
}

impl Model {
    pub(crate) fn new(scoped: Arc<NameScope>, blob: usize, name: String) -> Self {
        Self { shared: Arc::new(Shared { scoped, blob, name, lods: OnceLock::new() }) }
    }
}

#[pymethods]
impl Model {
    /// The name of the model.
    #[getter]
    fn name(&self) -> &str {
        &self.shared.name
    }

    /// The objects, each before its children; the first is the root.
    #[getter]
    fn rois<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let count = self.shared.model()?.rois.len();
        let roi = |index| Roi { model: Arc::clone(&self.shared), index };
        PyTuple::new(py, (0..count).map(roi).collect::<Vec<_>>())
    }

    /// The duration of the animation, in milliseconds.
    #[getter]
    fn duration(&self) -> PyResult<i32> {
        Ok(self.shared.model()?.animation.duration)
    }

    /// The nodes of the animation, each before its children. A node moves the object with its name.
    #[getter]
    fn nodes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let count = self.shared.model()?.animation.nodes.len();
        let node = |index| Node { model: Arc::clone(&self.shared), index };
        PyTuple::new(py, (0..count).map(node).collect::<Vec<_>>())
    }

    /// Returns where each object is at a time in milliseconds: a float64 array of a 4 x 4 matrix for each of `rois`,
    /// from the object to the model, for row vectors; and whether each is visible.
    fn pose<'py>(&self, py: Python<'py>, time: f32) -> PyResult<(Bound<'py, PyMemoryView>, Vec<bool>)> {
        let poses = Rig::new(self.shared.model()?).pose(time);
        let matrices = poses.iter().flat_map(|pose| pose.matrix.rows()).flatten().collect();
        let visible = poses.iter().map(|pose| pose.visible).collect();
        Ok((array::owned(py, matrices, &[poses.len(), 4, 4])?, visible))
    }

    /// Returns the model as GLB. `lod` is `"all"`, `"best"` or the number of a level of detail.
    #[pyo3(signature = (*, lod = None, visible_only = false))]
    fn to_glb(&self, py: Python<'_>, lod: Maybe<'_>, visible_only: bool) -> PyResult<Cow<'static, [u8]>> {
        let scoped = &self.shared.scoped;
        let options = options(lod, visible_only, &scoped.context)?;
        let (blob, scope) = (self.shared.blob, scoped.scope);
        scoped.glb(py, &self.shared.name, |library, names, out| glb::model(library, blob, scope, names, &options, out))
    }

    /// Pickles the file, as it does itself, and the place of the model in its world.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let NameScope { opened, scope, .. } = &*self.shared.scoped;
        let Scope::Model { world, model } = *scope else { unreachable!("models are made from placements") };
        let [world, model] =
            [("worlds", world), ("placements", model)].map(|(name, index)| [Step::Name(name), Step::Index(index)]);
        let steps = [world, model].concat().into_iter().chain([Step::Name("model")]).collect();
        asset::pickled(py, opened, steps)
    }

    fn __repr__(&self) -> String {
        format!("<worldview model: {}>", self.shared.name)
    }
}

/// An object of a model ("real-time object instance"): a bounding box, and its own or shared levels of detail.
#[pyclass(frozen, module = "worldview")]
pub(crate) struct Roi {
    model: Arc<Shared>,
    index: usize,
}

impl Roi {
    fn with<T>(&self, look: impl FnOnce(&island::Roi<'_>) -> T) -> PyResult<T> {
        let roi = self.model.model()?.rois.get(self.index);
        roi.as_ref().map(look).ok_or_else(|| pyo3::exceptions::PyIndexError::new_err(self.index))
    }
}

#[pymethods]
impl Roi {
    /// The name of the object.
    #[getter]
    fn name(&self) -> PyResult<String> {
        self.with(|roi| self.model.scoped.text(roi.name.text()))
    }

    /// The index of the object in `model.rois`.
    #[getter]
    const fn index(&self) -> usize {
        self.index
    }

    /// The index of the parent, or None for the root.
    #[getter]
    fn parent(&self) -> PyResult<Option<usize>> {
        Ok(self.model.model()?.rois.parent(self.index))
    }

    /// Whether the levels are those of a part or of another object.
    #[getter]
    fn is_shared(&self) -> PyResult<bool> {
        self.with(|roi| roi.is_shared())
    }

    /// Whether the game draws the levels, which it does for objects without children.
    #[getter]
    fn is_drawn(&self) -> PyResult<bool> {
        self.with(|roi| roi.is_drawn())
    }

    /// The name of the color, or `t_` and the name of the texture, that meshes inherit; empty in most objects.
    #[getter]
    fn color(&self) -> PyResult<String> {
        self.with(|roi| self.model.scoped.text(roi.color.text()))
    }

    /// The corners of the bounding box, in the coordinates of the object.
    #[getter]
    fn bounds(&self) -> PyResult<(Vector, Vector)> {
        self.with(|roi| (roi.bounds.minimum.get().into(), roi.bounds.maximum.get().into()))
    }

    /// The levels of detail, the lowest first: the object's own, or those that it shares.
    #[getter]
    fn lods<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let color = self.with(|roi| roi.color.counted().to_vec())?;
        let at = self.model.lods_of(self.index);
        PyTuple::new(py, at.map(|at| Lod::list(&self.model.scoped, at, &color)).unwrap_or_default())
    }

    fn __repr__(&self) -> PyResult<String> {
        Ok(format!("<worldview object {}: {}>", self.index, self.name()?))
    }
}

/// One level of detail: a list of meshes.
#[pyclass(frozen, module = "worldview")]
pub(crate) struct Lod {
    levels: Arc<Levels>,
    index: usize,
}

/// A list of levels, and what their meshes inherit.
struct Levels {
    scoped: Arc<NameScope>,
    lods: OwnedLods,
    color: Vec<u8>,
}

impl Lod {
    pub(crate) fn list(scoped: &Arc<NameScope>, at: LodsAt, color: &[u8]) -> Vec<Self> {
        let Some(lods) = OwnedLods::of(&scoped.database, at) else { return Vec::new() };
        let count = lods.len();
        let levels = Arc::new(Levels { scoped: Arc::clone(scoped), lods, color: color.to_vec() });
        (0..count).map(|index| Self { levels: Arc::clone(&levels), index }).collect()
    }

    fn lod(&self) -> Option<island::Lod<'_>> {
        self.levels.lods.lod(self.index)
    }
}

#[pymethods]
impl Lod {
    /// The meshes, in file order.
    #[getter]
    fn meshes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let count = self.lod().map_or(0, |lod| lod.meshes.len());
        let mesh = |index| Mesh { levels: Arc::clone(&self.levels), level: self.index, index };
        PyTuple::new(py, (0..count).map(mesh).collect::<Vec<_>>())
    }

    /// Whether the level is only used at a great distance.
    #[getter]
    fn is_extra(&self) -> bool {
        self.lod().is_some_and(|lod| lod.is_extra())
    }

    /// The number of triangles of all meshes.
    #[getter]
    fn triangles(&self) -> u64 {
        self.lod().map_or(0, |lod| lod.triangles())
    }

    fn __repr__(&self) -> String {
        format!("<worldview level of detail {}: {} triangles>", self.index, self.triangles())
    }
}

/// A mesh: triangles of one material.
#[pyclass(frozen, module = "worldview")]
pub(crate) struct Mesh {
    levels: Arc<Levels>,
    level: usize,
    index: usize,
}

impl Mesh {
    fn mesh(&self) -> PyResult<&island::Mesh<'_>> {
        let mesh = self.levels.lods.mesh(self.level, self.index);
        mesh.ok_or_else(|| pyo3::exceptions::PyIndexError::new_err(self.index))
    }

    fn appearance(&self) -> PyResult<island::Material<'_>> {
        Ok(self.mesh()?.material(Name::new(&self.levels.color)))
    }
}

#[pymethods]
impl Mesh {
    /// The number of triangles.
    #[getter]
    fn triangles(&self) -> PyResult<u16> {
        Ok(self.mesh()?.triangles)
    }

    /// The number of vertices of the decoded mesh.
    #[getter]
    fn vertices(&self) -> PyResult<u16> {
        Ok(self.mesh()?.vertices)
    }

    /// The appearance, including what the object passes on: a read-only mapping with `name`, `color` (red, green and blue from
    /// 0 to 255), `opacity`, `texture` (its name, or None), `shading` and `shines`.
    #[getter]
    fn material<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMappingProxy>> {
        let text = |bytes: &[u8]| self.levels.scoped.text(bytes);
        let look = self.appearance()?;
        let [red, green, blue] = look.color;
        let dict = PyDict::new(py);
        dict.set_item("name", text(self.mesh()?.material.text()))?;
        dict.set_item("color", (red, green, blue))?;
        dict.set_item("opacity", look.opacity)?;
        dict.set_item("texture", look.texture.map(text))?;
        dict.set_item("shading", look.shading.name())?;
        dict.set_item("shines", look.shines)?;
        Ok(PyMappingProxy::new(py, dict.as_mapping()))
    }

    /// The texture, or None if there is none or it is not in the file.
    #[getter]
    fn texture(&self) -> PyResult<Option<Texture>> {
        let Some(name) = self.appearance()?.texture else { return Ok(None) };
        let scoped = &self.levels.scoped;
        let at = scoped.with(|library, world| library.names(scoped.scope, world).texture(name));
        Ok(at.map(|at| Texture::new(Arc::clone(scoped), at)))
    }

    /// Returns the vertices and triangles.
    fn decode(&self, py: Python<'_>) -> PyResult<Geometry> {
        let mesh = self.mesh()?;
        let mut geometry = island::Geometry::default();
        let done = py.detach(|| mesh.decode_into(&mut geometry));
        done.map_err(|error| error::raised(py, &self.levels.scoped.context.path, &error))?;
        Ok(Geometry(Arc::new(geometry)))
    }

    fn __repr__(&self) -> PyResult<String> {
        Ok(format!("<worldview mesh {}: {} triangles>", self.index, self.triangles()?))
    }
}

/// A decoded mesh. The axes are those of the file: left-handed, x to the right, y up and z forward.
#[pyclass(frozen, module = "worldview")]
pub(crate) struct Geometry(Arc<island::Geometry>);

#[pymethods]
impl Geometry {
    /// The positions: a float32 array of x, y and z, one row for each vertex.
    #[getter]
    fn positions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMemoryView>> {
        self.view(py, |geometry| geometry.positions.as_flattened(), 3)
    }

    /// The normals: a float32 array of x, y and z, one row for each vertex.
    #[getter]
    fn normals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMemoryView>> {
        self.view(py, |geometry| geometry.normals.as_flattened(), 3)
    }

    /// The texture coordinates from the top left: a float32 array of u and v, one row for each vertex.
    #[getter]
    fn uvs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMemoryView>> {
        self.view(py, |geometry| geometry.uvs.as_flattened(), 2)
    }

    /// The triangles: a uint16 array of three vertex indices in each row.
    #[getter]
    fn indices<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMemoryView>> {
        self.view(py, |geometry| geometry.indices.as_slice(), 3)
    }

    fn __repr__(&self) -> String {
        format!("<worldview geometry: {} vertices, {} triangles>", self.0.positions.len(), self.0.indices.len() / 3)
    }
}

impl Geometry {
    fn view<'py, T: array::Number>(
        &self,
        py: Python<'py>,
        pick: impl for<'g> Fn(&'g island::Geometry) -> &'g [T],
        columns: usize,
    ) -> PyResult<Bound<'py, PyMemoryView>> {
        let rows = pick(&self.0).len() / columns;
        array::view_of(py, &self.0, pick, &[rows, columns])
    }
}

/// A node of an animation, with the keys of the object of its name.
#[pyclass(frozen, module = "worldview")]
pub(crate) struct Node {
    model: Arc<Shared>,
    index: usize,
}

impl Node {
    fn with<T>(&self, look: impl FnOnce(&island::Node<'_>) -> T) -> PyResult<T> {
        let node = self.model.model()?.animation.nodes.get(self.index);
        node.as_ref().map(look).ok_or_else(|| pyo3::exceptions::PyIndexError::new_err(self.index))
    }
}

#[pymethods]
impl Node {
    /// The name of the object that the node moves.
    #[getter]
    fn name(&self) -> PyResult<String> {
        self.with(|node| self.model.scoped.text(node.name.text()))
    }

    /// The index of the parent in `model.nodes`, or None for the root.
    #[getter]
    fn parent(&self) -> PyResult<Option<usize>> {
        Ok(self.model.model()?.animation.nodes.parent(self.index))
    }

    /// The index in `model.rois` of the object that the node moves, or None.
    #[getter]
    fn roi(&self) -> PyResult<Option<usize>> {
        Ok(Rig::new(self.model.model()?).object_of(self.index))
    }

    /// The translation keys: a float32 array of time in milliseconds, x, y and z, one row for each key.
    #[getter]
    fn translations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMemoryView>> {
        keyed(py, self.with(|node| vectors(node.translations))?, 4)
    }

    /// The rotation keys: a float32 array of time in milliseconds and the quaternion w, x, y and z.
    #[getter]
    fn rotations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMemoryView>> {
        let keys = self.with(|node| {
            let keys = node.rotations.iter();
            let row =
                |key: &island::raw::RotationKey| [time(key.when), key.w.get(), key.x.get(), key.y.get(), key.z.get()];
            keys.flat_map(row).collect()
        })?;
        keyed(py, keys, 5)
    }

    /// The scale keys: a float32 array of time in milliseconds, x, y and z, one row for each key.
    #[getter]
    fn scales<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMemoryView>> {
        keyed(py, self.with(|node| vectors(node.scales))?, 4)
    }

    /// The visibility keys: times in milliseconds, and whether the object is shown from then on.
    #[getter]
    fn morphs(&self) -> PyResult<Vec<(u32, bool)>> {
        self.with(|node| node.morphs.iter().map(|key| (key.when.time(), key.visible != 0)).collect())
    }

    fn __repr__(&self) -> PyResult<String> {
        Ok(format!("<worldview node {}: {}>", self.index, self.name()?))
    }
}

#[expect(clippy::cast_precision_loss, reason = "times have 24 bits")]
fn time(when: island::raw::TimeFlags) -> f32 {
    when.time() as f32
}

fn vectors(keys: &[island::raw::VectorKey]) -> Vec<f32> {
    let row = |key: &island::raw::VectorKey| {
        let [x, y, z] = key.value.get();
        [time(key.when), x, y, z]
    };
    keys.iter().flat_map(row).collect()
}

fn keyed(py: Python<'_>, keys: Vec<f32>, columns: usize) -> PyResult<Bound<'_, PyMemoryView>> {
    let rows = keys.len() / columns;
    array::owned(py, keys, &[rows, columns])
}
