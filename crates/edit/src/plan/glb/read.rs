//! Reads the parts of a GLB that a model of the game can have, in the game's coordinates.

use gltf::accessor::{DataType, Dimensions};
use gltf::{Accessor, Document, Material, Mesh, Semantic};

use crate::{EditError, Result};

/// A GLB whose buffer is inside it.
pub(super) struct Glb {
    pub(super) document: Document,
    binary: Vec<u8>,
}

/// A corner of a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Corner {
    pub(super) position: [f32; 3],
    pub(super) normal: Option<[f32; 3]>,
    pub(super) uv: Option<[f32; 2]>,
}

pub(super) type Triangle = [Corner; 3];

/// The triangles of a material.
pub(super) struct Primitive {
    pub(super) look: Look,
    pub(super) triangles: Vec<Triangle>,
}

/// What a material says.
#[derive(Clone, Debug)]
pub(super) struct Look {
    pub(super) name: String,
    /// Red, green and blue in sRGB.
    pub(super) color: [u8; 3],
    pub(super) opacity: f32,
    /// The name of the picture.
    pub(super) texture: Option<String>,
}

pub(super) fn wrong(what: &str, why: &str) -> EditError {
    EditError::malformed(None, format!("{what}: {why}"))
}

impl Glb {
    pub(super) fn parse(bytes: &[u8]) -> Result<Self> {
        let unreadable =
            |error: &dyn std::fmt::Display| EditError::malformed(None, format!("not a readable GLB: {error}"));
        let glb = gltf::Glb::from_slice(bytes).map_err(|error| unreadable(&error))?;
        let mut json: serde_json::Value = serde_json::from_slice(&glb.json).map_err(|error| unreadable(&error))?;
        // Animations are not read, and `gltf` does not know those of visibility.
        json.as_object_mut().into_iter().for_each(|root| _ = root.remove("animations"));
        let root: gltf::json::Root = serde_json::from_value(json).map_err(|error| unreadable(&error))?;
        // The validation by `gltf` uses the numbers of these accessors before it checks them.
        let attributes = root.meshes.iter().flat_map(|mesh| &mesh.primitives).flat_map(|part| part.attributes.values());
        if attributes.into_iter().any(|accessor| accessor.value() >= root.accessors.len()) {
            return Err(unreadable(&"a mesh uses data that the file does not describe"));
        }
        let document = Document::from_json(root).map_err(|error| unreadable(&error))?;
        if document.skins().next().is_some() {
            return Err(wrong("skins", "models of the game have none; remove the armature modifier"));
        }
        Ok(Self { document, binary: glb.bin.map(std::borrow::Cow::into_owned).unwrap_or_default() })
    }

    /// Returns the primitives of a mesh that have triangles.
    pub(super) fn primitives(&self, mesh: &Mesh<'_>) -> Result<Vec<Primitive>> {
        let what = format!("mesh {:?}", mesh.name().unwrap_or_default());
        let mut out = Vec::new();
        for primitive in mesh.primitives() {
            if primitive.morph_targets().next().is_some() {
                return Err(wrong(&what, "models of the game have no morph targets; apply the shape keys"));
            }
            if primitive.get(&Semantic::TexCoords(1)).is_some() {
                return Err(wrong(&what, "the game has one set of texture coordinates, this mesh has several"));
            }
            if primitive.mode() != gltf::mesh::Mode::Triangles {
                // Wireframes are lines, and stay as they are.
                continue;
            }
            let floats = |semantic, count| {
                primitive.get(&semantic).map(|accessor| self.floats(&what, &accessor, count)).transpose()
            };
            let positions = floats(Semantic::Positions, 3)?.ok_or_else(|| wrong(&what, "no positions"))?;
            let normals = floats(Semantic::Normals, 3)?;
            let uvs = floats(Semantic::TexCoords(0), 2)?;
            let corner = |index: usize| {
                let triple = |list: &[f32]| <[f32; 3]>::try_from(list.get(index.checked_mul(3)?..)?.get(..3)?).ok();
                let pair = |list: &[f32]| <[f32; 2]>::try_from(list.get(index.checked_mul(2)?..)?.get(..2)?).ok();
                let mirrored = |[x, y, z]: [f32; 3]| [-x, y, z];
                Some(Corner {
                    position: mirrored(triple(&positions)?),
                    normal: normals.as_deref().and_then(triple).map(mirrored),
                    uv: uvs.as_deref().and_then(pair),
                })
            };
            let indices = match primitive.indices() {
                Some(accessor) => self.indices(&what, &accessor)?,
                None => (0..positions.len().checked_div(3).unwrap_or(0)).collect(),
            };
            let mut triangles = Vec::with_capacity(indices.len().checked_div(3).unwrap_or(0));
            for triangle in indices.as_chunks::<3>().0 {
                let corners = triangle.map(corner);
                let [Some(a), Some(b), Some(c)] = corners else {
                    return Err(wrong(&what, "an index points behind the last vertex"));
                };
                // Mirroring turned the triangles.
                triangles.push([a, c, b]);
            }
            out.push(Primitive { look: look(&primitive.material()), triangles });
        }
        Ok(out)
    }

    /// Returns the bytes of each element of an accessor.
    fn elements<'g>(&'g self, what: &str, accessor: &Accessor<'_>) -> Result<impl Iterator<Item = &'g [u8]> + use<'g>> {
        let unreadable = |why| wrong(what, why);
        let view = accessor.view().filter(|_| accessor.sparse().is_none());
        let view = view.ok_or_else(|| unreadable("sparse data is not supported"))?;
        if !matches!(view.buffer().source(), gltf::buffer::Source::Bin) {
            return Err(unreadable("its data are in another file; export as GLB"));
        }
        let size = accessor.size();
        let stride = view.stride().unwrap_or(size).max(1);
        let bytes = self.binary.get(view.offset()..).and_then(|bytes| bytes.get(..view.length()));
        let bytes = bytes.and_then(|bytes| bytes.get(accessor.offset()..));
        let bytes = bytes.ok_or_else(|| unreadable("its data lie outside the file"))?;
        let count = accessor.count();
        let need = count.saturating_sub(1).checked_mul(stride).and_then(|start| start.checked_add(size));
        if need.is_none_or(|need| need > bytes.len()) {
            return Err(unreadable("its data lie outside the file"));
        }
        Ok((0..count).filter_map(move |at| bytes.get(at.saturating_mul(stride)..)?.get(..size)))
    }

    fn floats(&self, what: &str, accessor: &Accessor<'_>, count: usize) -> Result<Vec<f32>> {
        let dimensions = if count == 3 { Dimensions::Vec3 } else { Dimensions::Vec2 };
        if accessor.data_type() != DataType::F32 || accessor.dimensions() != dimensions {
            return Err(wrong(what, "expected positions, normals and coordinates as 32-bit floats"));
        }
        let all: Vec<f32> = self
            .elements(what, accessor)?
            .flat_map(|element| element.as_chunks::<4>().0)
            .map(|&bytes| f32::from_le_bytes(bytes))
            .collect();
        if all.iter().any(|float| !float.is_finite()) {
            return Err(wrong(what, "a number is not finite"));
        }
        Ok(all)
    }

    fn indices(&self, what: &str, accessor: &Accessor<'_>) -> Result<Vec<usize>> {
        if accessor.dimensions() != Dimensions::Scalar {
            return Err(wrong(what, "expected indices as integers"));
        }
        let integer = |bytes: &[u8]| bytes.iter().rev().fold(0, |all, &byte| all << 8 | usize::from(byte));
        Ok(self.elements(what, accessor)?.map(integer).collect())
    }
}

fn look(material: &Material<'_>) -> Look {
    let pbr = material.pbr_metallic_roughness();
    let [red, green, blue, opacity] = pbr.base_color_factor();
    let texture = pbr.base_color_texture().map(|info| {
        let texture = info.texture();
        texture.source().name().or(texture.name()).unwrap_or_default().to_owned()
    });
    Look {
        name: material.name().unwrap_or_default().to_owned(),
        color: [red, green, blue].map(shade),
        opacity,
        texture,
    }
}

/// Converts linear light to a component of an sRGB color.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the cast to an integer saturates")]
fn shade(light: f32) -> u8 {
    let shade = if light <= 0.003_130_8 { light * 12.92 } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 };
    (shade * 255.0).round() as u8
}
