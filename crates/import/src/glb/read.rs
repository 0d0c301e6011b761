//! Reads the parts of a GLB that a model of the game can have, in the game's coordinates.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::Range;

use gltf::accessor::{DataType, Dimensions};
use gltf::mesh::Mode;
use gltf::{Accessor, Document, Material, Mesh, Semantic};
use serde_json::Value as Json;
use worldview_island::Matrix;

use super::curve::{Curve, Interpolation, Property};
use super::level::stem;
use super::names;
use worldview_core::quote;
use worldview_edit::{EditError, Result};

/// A GLB whose buffer is inside it.
pub(super) struct Glb {
    pub(super) document: Document,
    /// The whole JSON: `gltf` does not keep what it does not know.
    pub(super) json: Json,
    pub(super) binary: Vec<u8>,
    /// Where each picture is in the data, by the beginning of its name.
    pictures: HashMap<String, Range<usize>>,
    /// The number of bytes after the chunks that are read.
    pub(super) bytes_after: usize,
}

/// The curves of the properties of each node.
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

/// The properties of a material.
#[derive(Clone, Debug)]
pub(super) struct MaterialLook {
    pub(super) name: String,
    /// Red, green and blue in sRGB.
    pub(super) color: [u8; 3],
    pub(super) opacity: f32,
    /// The name of the picture.
    pub(super) texture: Option<String>,
    /// The name of the texture that the export wrote into `extras`.
    pub(super) noted: Option<String>,
}

impl MaterialLook {
    /// Whether a picture has a color or opacity beside it.
    pub(super) fn is_tinted(&self) -> bool {
        self.texture.is_some() && (self.color != [u8::MAX; 3] || self.opacity < 1.0 - 1.0 / 512.0)
    }
}

pub(super) fn wrong(what: &str, why: &str) -> EditError {
    EditError::malformed(None, format!("{what}: {why}"))
}

impl Glb {
    pub(super) fn parse(bytes: &[u8]) -> Result<Self> {
        let unreadable = |why: &dyn std::fmt::Display| EditError::malformed(None, format!("not a readable GLB: {why}"));
        let (json, binary, bytes_after) = chunks(bytes).map_err(|why| unreadable(&why))?;
        let json: Json = serde_json::from_slice(json).map_err(|error| unreadable(&error))?;
        let required = json.get("extensionsRequired").and_then(Json::as_array).into_iter().flatten();
        // A picture may be in another format than PNG only, without the file requiring that.
        let textures = json.get("textures").and_then(Json::as_array).into_iter().flatten();
        let only = textures.filter(|texture| texture.get("source").is_none());
        let only = only.filter_map(|texture| texture.get("extensions")?.as_object()).flatten();
        let mut names = required.filter_map(Json::as_str).chain(only.map(|(name, _)| name.as_str()));
        if let Some(why) = names.find_map(|name| replaced(&json, name)) {
            return Err(EditError::malformed(None, why));
        }
        // `gltf` does not know animations of visibility, and refuses extensions that only add what is not read.
        let mut known = json.clone();
        for member in ["animations", "extensionsRequired"] {
            known.as_object_mut().map(|root| root.remove(member));
        }
        let root: gltf::json::Root = serde_json::from_value(known).map_err(|error| unreadable(&error))?;
        // The validation by `gltf` uses the numbers of these accessors before it checks them.
        for (number, mesh) in root.meshes.iter().enumerate() {
            let attributes = mesh.primitives.iter().flat_map(|part| part.attributes.values());
            if attributes.into_iter().any(|accessor| accessor.value() >= root.accessors.len()) {
                let mesh = names::element(&json, "meshes", number);
                return Err(unreadable(&format_args!("{mesh} uses data that the file does not describe")));
            }
        }
        let document = Document::from_json(root).map_err(|error| match &error {
            gltf::Error::Validation(all) => match all.first() {
                Some((path, error)) => unreadable(&format_args!("{}: {error}", names::words(&json, path.as_str()))),
                None => unreadable(&error),
            },
            _ => unreadable(&error),
        })?;
        let mut glb = Self { document, json, binary: binary.to_vec(), pictures: HashMap::new(), bytes_after };
        let pictures = glb.embedded().map(|(_, name, place)| (stem(&name).to_ascii_lowercase(), place)).collect();
        glb.pictures = pictures;
        if let Some(skin) = glb.document.skins().next() {
            let skin = names::element(&glb.json, "skins", skin.index());
            return Err(wrong(&skin, "models of the game have none; remove the armature modifier"));
        }
        glb.limit_work(bytes.len())?;
        Ok(glb)
    }

    /// Refuses files whose meshes share their data so often that decoding them takes much more than reading the file.
    fn limit_work(&self, length: usize) -> Result<()> {
        let limit = length.saturating_mul(2).saturating_add(1 << 20);
        let (mut all, mut sizes) = (0_usize, Vec::new());
        let mut spend = |amount: usize, limit: usize, what: &dyn Fn() -> String| {
            all = all.saturating_add(amount);
            if all > limit {
                return Err(wrong(&what(), "the file has more vertices and indices than one of its size may have"));
            }
            Ok(())
        };
        for mesh in self.document.meshes() {
            let mut size = 0_usize;
            for primitive in mesh.primitives() {
                let vertices = primitive.attributes().map(|(_, accessor)| accessor.count()).max().unwrap_or(0);
                let indices = primitive.indices().map_or(0, |accessor| accessor.count());
                size = size.saturating_add(vertices).saturating_add(indices).saturating_add(1);
            }
            spend(size, limit, &|| names::element(&self.json, "meshes", mesh.index()))?;
            sizes.push(size);
        }
        // A mesh of several nodes is decoded for each of them, one after the other.
        for node in self.document.nodes() {
            let size = node.mesh().and_then(|mesh| sizes.get(mesh.index())).copied().unwrap_or(0);
            spend(size, limit.saturating_mul(16), &|| names::element(&self.json, "nodes", node.index()))?;
        }
        Ok(())
    }

    /// Returns number, name and place of the pictures inside the file.
    pub(super) fn embedded(&self) -> impl Iterator<Item = (usize, String, Range<usize>)> {
        // `gltf` panics where a picture has no type.
        let views: Vec<_> = self.document.views().collect();
        let all = self.list("images").iter().enumerate();
        all.filter_map(move |(number, image)| {
            let view = views.get(usize::try_from(image.get("bufferView")?.as_u64()?).ok()?)?;
            let place = view.offset()..view.offset().checked_add(view.length())?;
            self.binary.get(place.clone())?;
            let name = image.get("name").and_then(Json::as_str).unwrap_or_default();
            Some((number, name.to_owned(), place))
        })
    }

    /// Whether the file has a picture of this name.
    pub(super) fn has_picture(&self, name: &str) -> bool {
        self.pictures.contains_key(&stem(name).to_ascii_lowercase())
    }

    /// Whether two names are of the same picture, or of pictures with the same bytes.
    pub(super) fn are_equal_pictures(&self, a: &str, b: &str) -> bool {
        let lower = |name: &str| stem(name).to_ascii_lowercase();
        let bytes = |name: &str| self.binary.get(self.pictures.get(&lower(name))?.clone());
        lower(a) == lower(b) || bytes(a).is_some_and(|a| bytes(b) == Some(a))
    }

    /// Returns the number of the scene that is shown first.
    pub(super) fn scene(&self) -> usize {
        self.json.get("scene").and_then(Json::as_u64).and_then(|scene| usize::try_from(scene).ok()).unwrap_or(0)
    }

    /// Returns a list at the top of the JSON.
    pub(super) fn list(&self, key: &str) -> &[Json] {
        self.json.get(key).and_then(Json::as_array).map_or(&[], Vec::as_slice)
    }

    /// Returns what the animations say about the properties of nodes. What else they say is not read.
    pub(super) fn curves(&self) -> Result<Curves> {
        let mut out = Curves::new();
        let accessors: Vec<_> = self.document.accessors().collect();
        let names: Vec<&str> = self.document.nodes().map(|node| node.name().unwrap_or_default()).collect();
        for (number, animation) in self.list("animations").iter().enumerate() {
            let list = |key: &str| animation.get(key).and_then(Json::as_array).map_or(&[][..], Vec::as_slice);
            let samplers = list("samplers");
            for (at, channel) in list("channels").iter().enumerate() {
                let place = || format!("{}, channel {at}", names::element(&self.json, "animations", number));
                let index = |json: &Json, key: &str| usize::try_from(json.get(key)?.as_u64()?).ok();
                let target = channel.get("target").unwrap_or(&Json::Null);
                let property = match target.get("path").and_then(Json::as_str) {
                    Some("translation") => Property::Translation,
                    Some("rotation") => Property::Rotation,
                    Some("scale") => Property::Scale,
                    // Keys of visibility.
                    Some("pointer") => continue,
                    _ => return Err(wrong(&place(), "keys of the game are positions, rotations and scales")),
                };
                let node = index(target, "node").and_then(|at| Some((at, *names.get(at)?)));
                let sampler = index(channel, "sampler").and_then(|sampler| samplers.get(sampler));
                let (Some((node, name)), Some(sampler)) = (node, sampler) else {
                    return Err(wrong(&place(), "its node or its sampler does not exist"));
                };
                let accessor = |key: &str| index(sampler, key).and_then(|at| accessors.get(at));
                let (Some(input), Some(output)) = (accessor("input"), accessor("output")) else {
                    return Err(refused(name, "its keys are missing"));
                };
                let what = format!("the animation of node {:?}", name);
                let width = if property == Property::Rotation { 4 } else { 3 };
                let (times, mut values) = (self.floats(&what, input, 1)?, self.floats(&what, output, width)?);
                let interpolation = match sampler.get("interpolation").and_then(Json::as_str) {
                    Some("CUBICSPLINE") => Interpolation::Smooth,
                    Some("STEP") => Interpolation::Step,
                    Some("LINEAR") | None => Interpolation::Linear,
                    Some(_) => return Err(refused(name, "its interpolation is not one that glTF has")),
                };
                if interpolation == Interpolation::Smooth {
                    // Each value is between two tangents.
                    values = values.chunks_exact(width).skip(1).step_by(3).flatten().copied().collect();
                }
                if property == Property::Rotation && values.chunks_exact(4).any(|value| !is_unit(value)) {
                    return Err(refused(name, "a rotation is not a quaternion of length 1"));
                }
                if times.is_empty() || times.len().checked_mul(width) != Some(values.len()) {
                    return Err(refused(name, "its numbers of times and values differ"));
                }
                if times.windows(2).any(|pair| matches!(pair, [a, b] if a >= b)) {
                    return Err(refused(name, "its times do not ascend"));
                }
                match out.entry((node, property)) {
                    Entry::Vacant(entry) => _ = entry.insert(Curve { times, values, interpolation }),
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
        self.shapes(mesh, moved).map(|(triangles, _)| triangles)
    }

    /// Returns the primitives of a mesh that have triangles, moved by a transformation of the game, and the corners of its lines.
    pub(super) fn shapes(&self, mesh: &Mesh<'_>, moved: &Matrix) -> Result<(Vec<Primitive>, Vec<[f32; 3]>)> {
        let (mut out, mut lines) = (Vec::new(), Vec::new());
        let place = Place::new(moved);
        for primitive in mesh.primitives() {
            let what =
                format!("{}, primitive {}", names::element(&self.json, "meshes", mesh.index()), primitive.index());
            if primitive.morph_targets().next().is_some() {
                return Err(wrong(&what, "models of the game have no morph targets; apply the shape keys"));
            }
            if primitive.get(&Semantic::TexCoords(1)).is_some() {
                return Err(wrong(&what, "the game has one set of texture coordinates, this mesh has several"));
            }
            let is_lines = match primitive.mode() {
                Mode::Triangles => false,
                // Wireframes.
                Mode::Lines => true,
                mode => {
                    let why = format!("it has {mode:?}, the game has triangles; remove it or make triangles of it");
                    return Err(wrong(&what, &why));
                }
            };
            let floats = |semantic, count| {
                primitive.get(&semantic).map(|accessor| self.floats(&what, &accessor, count)).transpose()
            };
            let positions = floats(Semantic::Positions, 3)?.ok_or_else(|| wrong(&what, "no positions"))?;
            let normals = floats(Semantic::Normals, 3)?;
            let uvs = floats(Semantic::TexCoords(0), 2)?;
            let count = positions.len().checked_div(3).unwrap_or(0);
            let has_count = |list: &Option<Vec<f32>>, width| {
                list.as_ref().is_none_or(|list| list.len().checked_div(width) == Some(count))
            };
            if !has_count(&normals, 3) || !has_count(&uvs, 2) {
                return Err(wrong(&what, "its numbers of positions, normals and coordinates differ"));
            }
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
                None => (0..count).collect(),
            };
            if indices.iter().any(|index| *index >= count) {
                return Err(wrong(&what, "an index points past the last vertex"));
            }
            if is_lines {
                lines.extend(indices.into_iter().filter_map(|index| Some(corner(index)?.position)));
                continue;
            }
            if indices.len() % 3 != 0 {
                return Err(wrong(&what, "the number of its indices is not a multiple of 3"));
            }
            let mut triangles = Vec::with_capacity(indices.len().checked_div(3).unwrap_or(0));
            for triangle in indices.as_chunks::<3>().0 {
                let corners = triangle.map(corner);
                let [Some(a), Some(b), Some(c)] = corners else {
                    return Err(wrong(&what, "an index points past the last vertex"));
                };
                // Mirroring turned the triangles.
                triangles.push(if place.flips { [a, b, c] } else { [a, c, b] });
            }
            out.push(Primitive { look: self.look(&primitive.material()), triangles });
        }
        Ok((out, lines))
    }

    /// Returns the bytes of each element of an accessor.
    pub(super) fn elements<'g>(
        &'g self,
        what: &str,
        accessor: &Accessor<'_>,
    ) -> Result<impl Iterator<Item = &'g [u8]> + use<'g>> {
        let unreadable = |why| wrong(what, why);
        let view = accessor.view().filter(|_| accessor.sparse().is_none());
        let view = view.ok_or_else(|| unreadable("sparse data is not supported"))?;
        if !matches!(view.buffer().source(), gltf::buffer::Source::Bin) || view.buffer().index() != 0 {
            return Err(unreadable("its data is in another file; export it as GLB"));
        }
        let size = accessor.size();
        let stride = view.stride().unwrap_or(size).max(1);
        let bytes = self.binary.get(view.offset()..).and_then(|bytes| bytes.get(..view.length()));
        let bytes = bytes.and_then(|bytes| bytes.get(accessor.offset()..));
        let bytes = bytes.ok_or_else(|| unreadable("its data lies outside the file"))?;
        let count = accessor.count();
        let need = count.saturating_sub(1).checked_mul(stride).and_then(|start| start.checked_add(size));
        if need.is_none_or(|need| need > bytes.len()) {
            return Err(unreadable("its data lies outside the file"));
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
        let is_index = matches!(accessor.data_type(), DataType::U8 | DataType::U16 | DataType::U32);
        if accessor.dimensions() != Dimensions::Scalar || !is_index {
            return Err(wrong(what, "expected indices as integers"));
        }
        let integer = |bytes: &[u8]| bytes.iter().rev().fold(0, |all, &byte| all << 8 | usize::from(byte));
        Ok(self.elements(what, accessor)?.map(integer).collect())
    }

    fn look(&self, material: &Material<'_>) -> MaterialLook {
        let pbr = material.pbr_metallic_roughness();
        let [red, green, blue, opacity] = pbr.base_color_factor();
        let texture = pbr.base_color_texture().map(|info| {
            let texture = info.texture();
            texture.source().name().or(texture.name()).unwrap_or_default().to_owned()
        });
        let json = material.index().and_then(|index| self.list("materials").get(index));
        let noted = json.and_then(|json| json.pointer("/extras/texture")?.as_str());
        MaterialLook {
            name: material.name().unwrap_or_default().to_owned(),
            color: [red, green, blue].map(shade),
            opacity,
            texture,
            noted: noted.map(str::to_owned),
        }
    }
}

/// Returns why a file with this extension cannot be read, and what to do about it; `None` if the extension only adds to what is read.
fn replaced(json: &Json, name: &str) -> Option<String> {
    let is_in = |list: &str| {
        let mut all = json.get(list).and_then(Json::as_array).into_iter().flatten();
        all.any(|item| item.get("extensions").is_some_and(|extensions| extensions.get(name).is_some()))
    };
    Some(match name {
        "KHR_draco_mesh_compression" => "compressed with Draco: export it as GLB without compression".to_owned(),
        "KHR_meshopt_compression" | "EXT_meshopt_compression" => {
            "compressed with meshopt: export it as GLB without compression".to_owned()
        }
        "KHR_mesh_quantization" => "quantized: export it as GLB without quantization".to_owned(),
        "KHR_texture_transform" => {
            "moves pictures on surfaces (KHR_texture_transform): move the texture coordinates instead".to_owned()
        }
        "KHR_materials_pbrSpecularGlossiness" => {
            "has specular-glossiness materials: export metallic-roughness materials".to_owned()
        }
        "EXT_mesh_gpu_instancing" => "has instances of meshes: make them objects of their own".to_owned(),
        "EXT_texture_webp" => "has WebP pictures: export them as PNG".to_owned(),
        "EXT_texture_avif" | "KHR_texture_basisu" | "MSFT_texture_dds" => {
            format!("has pictures that are not PNG ({name}): export them as PNG")
        }
        _ if ["accessors", "buffers", "bufferViews", "images", "textures"].into_iter().any(is_in) => {
            format!("stores its data with the extension {}: export it without that", quote(name))
        }
        _ => return None,
    })
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

/// Converts linear light to a component of an sRGB color.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the cast to an integer saturates")]
pub(super) fn shade(light: f32) -> u8 {
    let shade = if light <= 0.003_130_8 { light * 12.92 } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 };
    (shade * 255.0).round() as u8
}

/// Whether a quaternion is a rotation, as far as programs round.
pub(super) fn is_unit(quaternion: &[f32]) -> bool {
    let square: f64 = quaternion.iter().map(|part| f64::from(*part) * f64::from(*part)).sum();
    (square - 1.0).abs() < 0.02
}

type Checked<T> = std::result::Result<T, String>;

/// Takes an integer from the beginning of bytes.
fn word(rest: &mut &[u8]) -> Checked<u32> {
    let (word, after) = rest.split_first_chunk::<4>().ok_or("it is cut off")?;
    *rest = after;
    Ok(u32::from_le_bytes(*word))
}

/// Takes a chunk from the beginning of bytes.
fn chunk<'b>(rest: &mut &'b [u8], kind: &[u8; 4]) -> Checked<&'b [u8]> {
    let size = usize::try_from(word(rest)?).unwrap_or(usize::MAX);
    if word(rest)?.to_le_bytes() != *kind {
        return Err(format!("it has no chunk {}", kind.escape_ascii()));
    }
    let (data, after) = rest.split_at_checked(size).ok_or("a chunk is cut off")?;
    *rest = after;
    Ok(data)
}

/// Returns the JSON, the binary data, and the number of bytes behind both.
fn chunks(bytes: &[u8]) -> Checked<(&[u8], &[u8], usize)> {
    let mut rest = bytes.strip_prefix(b"glTF").ok_or("it does not begin with \"glTF\"")?;
    if word(&mut rest)? != 2 {
        return Err("it is not of version 2".to_owned());
    }
    let length = usize::try_from(word(&mut rest)?).unwrap_or(usize::MAX);
    if length < 12 || length > bytes.len() {
        return Err(format!("its header says {length} bytes, but it has {}", bytes.len()));
    }
    let mut rest = rest.get(..length.saturating_sub(12)).unwrap_or_default();
    let json = chunk(&mut rest, b"JSON")?;
    let binary = if rest.get(4..8) == Some(b"BIN\0") { chunk(&mut rest, b"BIN\0")? } else { &[] };
    Ok((json, binary, rest.len().saturating_add(bytes.len().saturating_sub(length))))
}

/// Returns an error for what the game's keys cannot say.
fn refused(name: &str, why: &str) -> EditError {
    wrong(&format!("the animation of node {name}", name = quote(name)), why)
}
