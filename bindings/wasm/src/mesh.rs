//! Meshes of models and parts.

use wasm_bindgen::prelude::*;
use worldview::OwnedLods;
use worldview::island::{Geometry, LodsAt, Mesh, Name};

use crate::database::NameScope;
use crate::error::{format_error, set};
use crate::types::numbers;

/// A list of levels of detail, and what their meshes inherit.
pub(crate) struct Lods<'h> {
    scoped: &'h NameScope,
    lods: OwnedLods,
    color: Vec<u8>,
}

impl<'h> Lods<'h> {
    pub(crate) fn of(scoped: &'h NameScope, at: LodsAt, color: &[u8]) -> Option<Self> {
        Some(Self { scoped, lods: OwnedLods::of(&scoped.database, at)?, color: color.to_vec() })
    }

    pub(crate) fn len(&self) -> usize {
        self.lods.len()
    }

    /// Decodes the meshes of one level, or of all.
    pub(crate) fn meshes(&self, level: Option<usize>) -> Result<js_sys::Array, JsValue> {
        let list = js_sys::Array::new();
        let mut geometry = Geometry::default();
        let levels = level.map_or(0..self.len(), |level| level..level.saturating_add(1).min(self.len()));
        for level in levels {
            let count = self.lods.lod(level).map_or(0, |lod| lod.meshes.len());
            for mesh in (0..count).filter_map(|index| self.lods.mesh(level, index)) {
                let decoded = mesh.decode_into(&mut geometry);
                decoded.map_err(|error| format_error(&self.scoped.context.name, &error))?;
                let object = self.converted(mesh, &geometry);
                set(&object, "level", &level.into());
                list.push(&object);
            }
        }
        Ok(list)
    }

    fn converted(&self, mesh: &Mesh<'_>, geometry: &Geometry) -> js_sys::Object {
        let object = js_sys::Object::new();
        set(&object, "positions", &js_sys::Float32Array::from(geometry.positions.as_flattened()));
        set(&object, "normals", &js_sys::Float32Array::from(geometry.normals.as_flattened()));
        set(&object, "uvs", &js_sys::Float32Array::from(geometry.uvs.as_flattened()));
        set(&object, "indices", &js_sys::Uint16Array::from(geometry.indices.as_slice()));
        let look = mesh.material(Name::new(&self.color));
        set(&object, "material", &self.scoped.text(mesh.material.text()).into());
        set(&object, "color", &numbers(look.color));
        set(&object, "opacity", &look.opacity.into());
        if let Some(texture) = look.texture {
            set(&object, "texture", &self.scoped.text(texture).into());
        }
        object
    }
}
