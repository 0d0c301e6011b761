//! Materials and their textures.

use std::collections::HashMap;

use worldview_island::{Library, Material, Mesh, Texture, TextureAt};

use super::cache::{Cache, compressed};
use super::document::Document;
use super::schema;
use crate::Result;
use crate::error::from_json;

/// The materials and textures written so far.
pub(super) struct Paints<'p, 'a> {
    cache: Option<&'p Cache<'p>>,
    /// The materials by their JSON, which is their complete content.
    materials: HashMap<Vec<u8>, usize>,
    /// The materials by their inputs: most meshes have the same inputs as an earlier one.
    looks: HashMap<MaterialKey<'a>, usize>,
    /// The textures by location; `None` for a texture without pixels.
    textures: HashMap<TextureAt, Option<usize>>,
}

/// The inputs of a material: the names of material and texture; as bytes, which are hashed at once, shading, specular,
/// unknown byte and alias flag of the surface, color and shine and opacity of the appearance; and the index of the texture.
type MaterialKey<'a> = ([&'a [u8]; 2], [[u8; 4]; 3], Option<usize>);

impl<'p, 'a> Paints<'p, 'a> {
    pub(super) fn new(cache: Option<&'p Cache<'p>>) -> Self {
        Self { cache, materials: HashMap::new(), looks: HashMap::new(), textures: HashMap::new() }
    }

    /// Returns the index of the material for a mesh with this appearance and texture.
    pub(super) fn material(
        &mut self,
        document: &mut Document,
        mesh: &Mesh<'a>,
        look: &Material<'_>,
        texture: Option<usize>,
    ) -> Result<usize> {
        let surface = mesh.surface;
        let [red, green, blue] = look.color;
        let bytes = [
            [surface.shading, surface.specular, surface.unknown, surface.alias],
            [red, green, blue, u8::from(look.shines)],
            look.opacity.to_le_bytes(),
        ];
        let made_of = ([mesh.material.counted(), mesh.texture.counted()], bytes, texture);
        if let Some(&known) = self.looks.get(&made_of) {
            return Ok(known);
        }
        let index = self.new_material(document, mesh, look, texture)?;
        self.looks.insert(made_of, index);
        Ok(index)
    }

    /// Returns the index of the material for inputs that have not occurred before. It may still equal an existing
    /// material.
    fn new_material(
        &mut self,
        document: &mut Document,
        mesh: &Mesh<'a>,
        look: &Material<'_>,
        texture: Option<usize>,
    ) -> Result<usize> {
        let [red, green, blue] = look.color.map(linear);
        let opacity = look.opacity.clamp(0.0, 1.0);
        let surface = mesh.surface;
        let material = schema::Material {
            name: document.text(mesh.material.text()),
            pbr_metallic_roughness: schema::Pbr {
                base_color_factor: [red, green, blue, opacity],
                base_color_texture: texture.map(|index| schema::TextureInfo { index }),
                metallic_factor: 0.0,
                roughness_factor: if look.shines { 0.4 } else { 1.0 },
            },
            alpha_mode: (opacity < 1.0).then_some("BLEND"),
            extras: schema::MaterialExtras {
                shading: surface.shading,
                specular: surface.specular,
                unknown: surface.unknown,
                alias: surface.alias,
                inherits: mesh.inherits(),
                texture: (!mesh.texture.is_absent()).then(|| document.text(mesh.texture.text())),
            },
        };
        let json = serde_json::to_vec(&material).map_err(from_json)?;
        if let Some(&known) = self.materials.get(&json) {
            return Ok(known);
        }
        document.spend(json.len(), mesh.at)?;
        let index = document.root.materials.len();
        document.root.materials.push(material);
        self.materials.insert(json, index);
        Ok(index)
    }

    /// Returns the index of a texture, or `None` if it has no pixels.
    pub(super) fn texture(
        &mut self,
        document: &mut Document,
        library: &Library<'_, '_>,
        at: TextureAt,
    ) -> Result<Option<usize>> {
        if let Some(&known) = self.textures.get(&at) {
            return Ok(known);
        }
        let index = match library.texture_at(at) {
            Some(texture) if !texture.high().pixels.is_empty() => Some(add(document, self.cache, &texture)?),
            _ => None,
        };
        self.textures.insert(at, index);
        Ok(index)
    }
}

fn add(document: &mut Document, cache: Option<&Cache<'_>>, texture: &Texture<'_>) -> Result<usize> {
    let image = texture.high();
    // A picture with a single color compresses to almost nothing, but all of its pixels are read.
    document.spend(512 + image.pixels.len(), texture.at)?;
    let name = document.text(texture.real_name());
    let png = match cache {
        Some(cache) => cache.png(image)?,
        None => compressed(image)?,
    };
    let picture = document.binary.picture(png);
    let root = &mut document.root;
    if root.samplers.is_empty() {
        root.samplers.push(schema::Sampler::default());
    }
    root.images.push(schema::Image { buffer_view: picture, mime_type: "image/png", name: name.clone() });
    root.textures.push(schema::Texture { sampler: 0, source: root.images.len() - 1, name });
    Ok(root.textures.len() - 1)
}

/// Converts a component of an sRGB color to linear light.
fn linear(shade: u8) -> f32 {
    let shade = f32::from(shade) / 255.0;
    if shade <= 0.04045 { shade / 12.92 } else { ((shade + 0.055) / 1.055).powf(2.4) }
}
