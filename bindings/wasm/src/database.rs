//! WORLD.WDB: worlds, models, parts and textures.

use std::collections::BTreeMap;
use std::sync::Arc;

use wasm_bindgen::prelude::*;
use worldview::Handle;
use worldview::island::{Library, LodsAt, ModelRef, Scope, WorldNames};
use worldview_export::model::glb;

use crate::asset::{Asset, Context, asset, database_of};
use crate::error::{plain, set};
use crate::mesh::Lods;
use crate::model::Model;
use crate::options::Given;
use crate::texture::Texture;
use crate::types::numbers;

/// The file WORLD.WDB of LEGO Island: worlds, models, parts and textures.
///
/// Opening reads only the directory; everything else is read on first access to any of it.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Database {
    pub(crate) asset: Asset,
}

asset!(Database, r#""database""#);

/// A database, and the place in it from which names are resolved.
#[derive(Clone, Debug)]
pub(crate) struct NameScope {
    pub(crate) database: Handle,
    pub(crate) context: Arc<Context>,
    pub(crate) scope: Scope,
}

impl NameScope {
    pub(crate) fn text(&self, bytes: &[u8]) -> String {
        self.context.text(bytes)
    }

    /// Calls `look` with the index of names and those of the world.
    pub(crate) fn with<T>(&self, look: impl for<'d, 'a> FnOnce(&Library<'d, 'a>, Option<&WorldNames<'a>>) -> T) -> T {
        let looked = self.database.with_scope(self.scope, look);
        let Some(looked) = looked else { unreachable!("made from a database") };
        looked
    }

    pub(crate) fn glb(
        &self,
        what: &str,
        write: impl for<'d, 'a> FnOnce(
            &Library<'d, 'a>,
            Option<&WorldNames<'a>>,
            &mut Vec<u8>,
        ) -> worldview_export::Result<glb::Report>,
    ) -> Result<js_sys::Uint8Array, JsValue> {
        let mut out = Vec::new();
        let written = self.with(|library, names| write(library, names, &mut out));
        written.map_err(|error| plain(&format!("{}: {what}", self.context.name), error))?;
        Ok(js_sys::Uint8Array::from(&*out))
    }
}

#[wasm_bindgen]
impl Database {
    fn scoped(&self, scope: Scope) -> NameScope {
        NameScope { database: self.asset.handle.clone(), context: Arc::clone(&self.asset.context), scope }
    }

    /// The worlds, in file order.
    #[wasm_bindgen(getter)]
    pub fn worlds(&self) -> Vec<World> {
        let scoped = self.scoped(Scope::Global);
        (0..database_of(&self.asset.handle).worlds().len())
            .map(|index| World { scoped: scoped.clone(), index })
            .collect()
    }

    /// The models, each once, under the first name that a world gives it.
    #[wasm_bindgen(getter)]
    pub fn models(&self) -> Vec<Model> {
        let text = |name| self.asset.context.text(name);
        let models = self.asset.handle.models();
        models.map(|(scope, blob, name)| Model::new(self.scoped(scope), blob, text(name))).collect()
    }

    /// The parts: those that are always loaded, then those of the worlds. Names are not unique.
    #[wasm_bindgen(getter)]
    pub fn parts(&self) -> Vec<Part> {
        let text = |name| self.asset.context.text(name);
        let parts = self.asset.handle.parts().into_iter();
        parts.map(|(scope, at, name)| Part { scoped: self.scoped(scope), at, name: text(name) }).collect()
    }

    /// All textures: the global ones, those of the global parts, and those of models and parts. Names are not unique.
    #[wasm_bindgen(getter)]
    pub fn textures(&self) -> Vec<Texture> {
        let places = self.asset.handle.texture_places().into_iter();
        places.map(|at| Texture::new(self.scoped(Scope::Global), at)).collect()
    }
}

/// A world: the models that are placed in it.
#[wasm_bindgen]
#[derive(Debug)]
pub struct World {
    scoped: NameScope,
    index: usize,
}

#[wasm_bindgen]
impl World {
    /// The name of the world.
    #[wasm_bindgen(getter)]
    pub fn name(&self) -> String {
        let world = database_of(&self.scoped.database).world(self.index);
        world.map(|world| self.scoped.text(world.name.text())).unwrap_or_default()
    }

    /// The models that are placed in the world, in file order.
    #[wasm_bindgen(getter, unchecked_return_type = "Placement[]")]
    pub fn placements(&self) -> js_sys::Array {
        let models = self.scoped.database.models().enumerate();
        let index_of: BTreeMap<_, _> = models.map(|(index, (_, blob, _))| (blob, index)).collect();
        let references =
            database_of(&self.scoped.database).world(self.index).map(|world| world.models).unwrap_or_default();
        let placement = |reference: &ModelRef<'_>| {
            let object = js_sys::Object::new();
            set(&object, "name", &self.scoped.text(reference.name.text()).into());
            if let Some(index) = reference.blob().and_then(|blob| index_of.get(&blob)) {
                set(&object, "model", &(*index).into());
            }
            let placement = reference.placement;
            set(&object, "isVisible", &placement.is_visible().into());
            set(&object, "location", &numbers(placement.location.get()));
            set(&object, "direction", &numbers(placement.direction.get()));
            set(&object, "up", &numbers(placement.up.get()));
            object
        };
        references.iter().map(placement).collect()
    }
}

#[cfg(feature = "outputs")]
#[wasm_bindgen]
impl World {
    /// Returns the world with all its models as GLB.
    #[wasm_bindgen(js_name = toGlb, unchecked_return_type = "Uint8Array<ArrayBuffer>")]
    pub fn to_glb(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "GlbOptions")] options: Option<js_sys::Object>,
    ) -> Result<js_sys::Uint8Array, JsValue> {
        let options = Given::glb(options.as_ref(), &self.scoped.context)?;
        let index = self.index;
        self.scoped
            .glb(&self.name(), |library, _, out| glb::world(library, index, &library.world_names(index), &options, out))
    }
}

/// A part: levels of detail that objects of models share.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Part {
    scoped: NameScope,
    at: LodsAt,
    name: String,
}

#[wasm_bindgen]
impl Part {
    fn lods(&self) -> Option<Lods<'_>> {
        Lods::of(&self.scoped, self.at, b"")
    }

    /// The name of the part.
    #[wasm_bindgen(getter)]
    pub fn name(&self) -> String {
        self.name.clone()
    }

    /// The number of levels of detail.
    #[wasm_bindgen(getter)]
    pub fn levels(&self) -> usize {
        self.lods().map_or(0, |lods| lods.len())
    }

    /// Returns the meshes of a level of detail, 0 being the lowest; without `level`, those of all levels.
    #[wasm_bindgen(unchecked_return_type = "Mesh[]")]
    pub fn meshes(&self, level: Option<usize>) -> Result<js_sys::Array, JsValue> {
        self.lods().map_or(Ok(js_sys::Array::new()), |lods| lods.meshes(level))
    }
}

#[cfg(feature = "outputs")]
#[wasm_bindgen]
impl Part {
    /// Returns the part as GLB.
    #[wasm_bindgen(js_name = toGlb, unchecked_return_type = "Uint8Array<ArrayBuffer>")]
    pub fn to_glb(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "GlbOptions")] options: Option<js_sys::Object>,
    ) -> Result<js_sys::Uint8Array, JsValue> {
        let options = Given::glb(options.as_ref(), &self.scoped.context)?;
        let at = self.at;
        self.scoped.glb(&self.name, |library, names, out| glb::part(library, at, names, &options, out))
    }
}
