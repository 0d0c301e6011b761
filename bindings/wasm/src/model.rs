//! Models of WORLD.WDB and their objects.

use std::sync::{Arc, OnceLock};

use wasm_bindgen::prelude::*;
use worldview::island::{self, Content, LodsAt, Rig};
use worldview_export::model::glb;

use crate::database::NameScope;
use crate::error::{format_error, plain, set};
use crate::mesh::Lods;
use crate::options::Given;
use crate::types::numbers;

/// A model: a tree of objects, and the animation that moves them.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Model {
    shared: Arc<Shared>,
}

/// What a model and its objects refer to.
#[derive(Debug)]
struct Shared {
    scoped: NameScope,
    blob: usize,
    name: String,
    /// Where the levels of each object are.
    lods: OnceLock<Vec<Option<LodsAt>>>,
}

impl Shared {
    fn model(&self) -> Result<&island::Model<'_>, JsValue> {
        let path = || format!("{}: model {}", self.scoped.context.name, self.name);
        match crate::asset::contents_of(&self.scoped.database).blobs.get(self.blob) {
            Some(Ok(Content::Model(model))) => Ok(model),
            Some(Err(error)) => Err(format_error(&path(), error)),
            _ => Err(plain(&path(), "the blob is not a model")),
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
    pub(crate) fn new(scoped: NameScope, blob: usize, name: String) -> Self {
        Self { shared: Arc::new(Shared { scoped, blob, name, lods: OnceLock::new() }) }
    }
}

#[wasm_bindgen]
impl Model {
    /// The name of the model.
    #[wasm_bindgen(getter)]
    pub fn name(&self) -> String {
        self.shared.name.clone()
    }

    /// The objects, each before its children; the first is the root.
    ///
    /// Throws a `WorldviewError` if the model is broken.
    #[wasm_bindgen(getter)]
    pub fn rois(&self) -> Result<Vec<Roi>, JsValue> {
        let count = self.shared.model()?.rois.len();
        Ok((0..count).map(|index| Roi { model: Arc::clone(&self.shared), index }).collect())
    }

    /// The duration of the animation, in milliseconds.
    ///
    /// Throws a `WorldviewError` if the model is broken.
    #[wasm_bindgen(getter)]
    pub fn duration(&self) -> Result<i32, JsValue> {
        Ok(self.shared.model()?.animation.duration)
    }

    /// Returns where each of `rois` is at a time in milliseconds, and whether it is visible.
    ///
    /// Throws a `WorldviewError` if the model is broken.
    #[wasm_bindgen(unchecked_return_type = "Pose")]
    pub fn pose(&self, time: f32) -> Result<js_sys::Object, JsValue> {
        let poses = Rig::new(self.shared.model()?).pose(time);
        let matrices: Vec<f64> = poses.iter().flat_map(|pose| pose.matrix.rows()).flatten().collect();
        let object = js_sys::Object::new();
        set(&object, "matrices", &js_sys::Float64Array::from(&*matrices));
        set(&object, "isVisible", &numbers(poses.iter().map(|pose| pose.visible)));
        Ok(object)
    }
}

#[cfg(feature = "outputs")]
#[wasm_bindgen]
impl Model {
    /// Returns the model as GLB.
    #[wasm_bindgen(js_name = toGlb, unchecked_return_type = "Uint8Array<ArrayBuffer>")]
    pub fn to_glb(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "GlbOptions")] options: Option<js_sys::Object>,
    ) -> Result<js_sys::Uint8Array, JsValue> {
        let scoped = &self.shared.scoped;
        let options = Given::glb(options.as_ref(), &scoped.context)?;
        let (blob, scope) = (self.shared.blob, scoped.scope);
        scoped.glb(&self.shared.name, |library, names, out| glb::model(library, blob, scope, names, &options, out))
    }
}

/// An object of a model ("real-time object instance"): a bounding box, and its own or shared levels of detail.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Roi {
    model: Arc<Shared>,
    index: usize,
}

impl Roi {
    /// Calls `look` with the view. Objects are made only of models that can be read, for indices that exist.
    fn with<T>(&self, look: impl FnOnce(&island::Roi<'_>) -> T) -> Option<T> {
        self.model.model().ok()?.rois.get(self.index).as_ref().map(look)
    }

    fn lods(&self) -> Option<Lods<'_>> {
        let color = self.with(|roi| roi.color.counted().to_vec())?;
        Lods::of(&self.model.scoped, self.model.lods_of(self.index)?, &color)
    }
}

#[wasm_bindgen]
impl Roi {
    /// The name of the object.
    #[wasm_bindgen(getter)]
    pub fn name(&self) -> String {
        self.with(|roi| self.model.scoped.text(roi.name.text())).unwrap_or_default()
    }

    /// The index of the object in the `rois` of its model.
    #[wasm_bindgen(getter)]
    pub fn index(&self) -> usize {
        self.index
    }

    /// The index of the parent, or `undefined` for the root.
    #[wasm_bindgen(getter)]
    pub fn parent(&self) -> Option<usize> {
        self.model.model().ok()?.rois.parent(self.index)
    }

    /// Whether the levels are those of a part or of another object.
    #[wasm_bindgen(getter, js_name = isShared)]
    pub fn is_shared(&self) -> bool {
        self.with(|roi| roi.is_shared()).unwrap_or_default()
    }

    /// Whether the game draws the levels, which it does for objects without children.
    #[wasm_bindgen(getter, js_name = isDrawn)]
    pub fn is_drawn(&self) -> bool {
        self.with(|roi| roi.is_drawn()).unwrap_or_default()
    }

    /// The corners of the bounding box, in the coordinates of the object.
    #[wasm_bindgen(getter, unchecked_return_type = "Bounds")]
    pub fn bounds(&self) -> js_sys::Object {
        let object = js_sys::Object::new();
        self.with(|roi| {
            set(&object, "minimum", &numbers(roi.bounds.minimum.get()));
            set(&object, "maximum", &numbers(roi.bounds.maximum.get()));
        });
        object
    }

    /// The number of levels of detail.
    #[wasm_bindgen(getter)]
    pub fn levels(&self) -> usize {
        self.lods().map_or(0, |lods| lods.len())
    }

    /// Returns the meshes of a level of detail, 0 being the lowest; without `level`, those of all levels. They are the object's
    /// own, or those that it shares.
    #[wasm_bindgen(unchecked_return_type = "Mesh[]")]
    pub fn meshes(&self, level: Option<usize>) -> Result<js_sys::Array, JsValue> {
        self.lods().map_or(Ok(js_sys::Array::new()), |lods| lods.meshes(level))
    }
}
