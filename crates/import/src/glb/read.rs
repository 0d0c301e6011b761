//! Reads the parts of a GLB that a model of the game can have, in the game's coordinates.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use gltf::accessor::{DataType, Dimensions};
use gltf::{Accessor, Document, Material, Mesh, Semantic};
use serde_json::Value as Json;
use worldview_island::Matrix;

use super::curve::{Curve, Property};
use worldview_edit::{EditError, Result};

/// A GLB whose buffer is inside it.
pub(super) struct Glb {
    pub(super) document: Document,
    animations: Vec<Json>,
    binary: Vec<u8>,
}

/// What an animation of each node says about its properties.
pub(super) type Curves = HashMap<(usize, Property), Curve>;

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
    pub(super) look: MaterialLook,
    pub(super) triangles: Vec<Triangle>,
}

/// What a material says.
#[derive(Clone, Debug)]
pub(super) struct MaterialLook {
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
        let mut json: Json = serde_json::from_slice(&glb.json).map_err(|error| unreadable(&error))?;
        // `gltf` does not know animations of visibility.
        let animations = json.as_object_mut().and_then(|root| root.remove("animations"));
        let animations = animations.and_then(|list| list.as_array().cloned()).unwrap_or_default();
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
        Ok(Self { document, animations, binary: glb.bin.map(std::borrow::Cow::into_owned).unwrap_or_default() })
    }

    /// Returns what the animations say about the properties of nodes. What else they say is not read.
    pub(super) fn curves(&self) -> Result<Curves> {
        let mut out = Curves::new();
        let accessors: Vec<_> = self.document.accessors().collect();
        let names: Vec<&str> = self.document.nodes().map(|node| node.name().unwrap_or_default()).collect();
        for animation in &self.animations {
            let list = |key: &str| animation.get(key).and_then(Json::as_array).map_or(&[][..], Vec::as_slice);
            let samplers = list("samplers");
            for channel in list("channels") {
                let index = |json: &Json, key: &str| usize::try_from(json.get(key)?.as_u64()?).ok();
                let target = channel.get("target").unwrap_or(&Json::Null);
                let property = match target.get("path").and_then(Json::as_str) {
                    Some("translation") => Property::Translation,
                    Some("rotation") => Property::Rotation,
                    Some("scale") => Property::Scale,
                    _ => continue,
                };
                let node = index(target, "node").and_then(|at| Some((at, *names.get(at)?)));
                let sampler = index(channel, "sampler").and_then(|sampler| samplers.get(sampler));
                let (Some((node, name)), Some(sampler)) = (node, sampler) else {
                    return Err(wrong("animations", "a channel has no node or no sampler"));
                };
                let accessor = |key: &str| index(sampler, key).and_then(|at| accessors.get(at));
                let (Some(input), Some(output)) = (accessor("input"), accessor("output")) else {
                    return Err(refused(name, "its keys are missing"));
                };
                let what = format!("the animation of node {:?}", name);
                let width = if property == Property::Rotation { 4 } else { 3 };
                let (times, values) = (self.floats(&what, input, 1)?, self.floats(&what, output, width)?);
                let is_constant = || values.chunks(width).all(|value| values.get(..width) == Some(value));
                match sampler.get("interpolation").and_then(Json::as_str) {
                    Some("CUBICSPLINE") => {
                        let why = "its keys are smooth, those of the game are linear; make them linear or sample them";
                        return Err(refused(name, why));
                    }
                    Some("STEP") if !is_constant() => {
                        let why = "its keys jump, those of the game are linear; make them linear or sample them";
                        return Err(refused(name, why));
                    }
                    _ => {}
                }
                if times.is_empty() || times.len().checked_mul(width) != Some(values.len()) {
                    return Err(refused(name, "it has another number of times than of values"));
                }
                if times.windows(2).any(|pair| matches!(pair, [a, b] if a >= b)) {
                    return Err(refused(name, "its times do not ascend"));
                }
                match out.entry((node, property)) {
                    Entry::Vacant(entry) => _ = entry.insert(Curve { times, values }),
                    Entry::Occupied(_) => {
                        return Err(refused(name, "there are several, and a model of the game has one"));
                    }
                }
            }
        }
        Ok(out)
    }

    /// Returns the primitives of a mesh that have triangles, moved by a transformation of the game.
    pub(super) fn primitives(&self, mesh: &Mesh<'_>, moved: &Matrix) -> Result<Vec<Primitive>> {
        let what = format!("mesh {:?}", mesh.name().unwrap_or_default());
        let mut out = Vec::new();
        let place = Place::new(moved);
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
                    position: place.position(mirrored(triple(&positions)?)),
                    normal: normals.as_deref().and_then(triple).map(|normal| place.normal(mirrored(normal))),
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
                triangles.push(if place.flips { [a, b, c] } else { [a, c, b] });
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
        let dimensions = match count {
            1 => Dimensions::Scalar,
            2 => Dimensions::Vec2,
            3 => Dimensions::Vec3,
            _ => Dimensions::Vec4,
        };
        if accessor.data_type() != DataType::F32 || accessor.dimensions() != dimensions {
            return Err(wrong(what, "expected positions, normals, coordinates and keys as 32-bit floats"));
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

/// A transformation of corners.
struct Place {
    /// `None` leaves everything as it is, to the last bit.
    moved: Option<Matrix>,
    /// Keeps normals perpendicular to surfaces.
    normals: Matrix,
    /// Whether front faces become back faces.
    flips: bool,
}

impl Place {
    fn new(moved: &Matrix) -> Self {
        let [x, y, z, _] = moved.rows().map(|[x, y, z, _]| [x, y, z]);
        let cross = |a: [f64; 3], b: [f64; 3]| {
            [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
        };
        let (yz, zx, xy) = (cross(y, z), cross(z, x), cross(x, y));
        let flips = x.iter().zip(yz).map(|(a, b)| a * b).sum::<f64>() < 0.0;
        let axes = [yz, zx, xy].map(|axis| if flips { axis.map(|part| -part) } else { axis });
        let moved = (*moved != Matrix::IDENTITY).then_some(*moved);
        Self { moved, normals: Matrix::from_axes(axes, [0.0; 3]), flips }
    }

    #[expect(clippy::cast_possible_truncation, reason = "the game has floats of 32 bits")]
    fn position(&self, position: [f32; 3]) -> [f32; 3] {
        let moved = |moved: &Matrix| moved.apply(position.map(f64::from)).map(|part| part as f32);
        self.moved.as_ref().map_or(position, moved)
    }

    #[expect(clippy::cast_possible_truncation, reason = "the game has floats of 32 bits")]
    fn normal(&self, normal: [f32; 3]) -> [f32; 3] {
        if self.moved.is_none() {
            return normal;
        }
        let turned = self.normals.apply_to_direction(normal.map(f64::from));
        let length = turned.iter().map(|part| part * part).sum::<f64>().sqrt();
        if length > 0.0 { turned.map(|part| (part / length) as f32) } else { normal }
    }
}

fn look(material: &Material<'_>) -> MaterialLook {
    let pbr = material.pbr_metallic_roughness();
    let [red, green, blue, opacity] = pbr.base_color_factor();
    let texture = pbr.base_color_texture().map(|info| {
        let texture = info.texture();
        texture.source().name().or(texture.name()).unwrap_or_default().to_owned()
    });
    MaterialLook {
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

/// Returns an error for what the game's keys cannot say.
fn refused(name: &str, why: &str) -> EditError {
    wrong(&format!("the animation of node {name:?}"), why)
}
