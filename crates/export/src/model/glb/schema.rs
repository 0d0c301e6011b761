//! The JSON of a glTF file, limited to what is written.

use std::collections::BTreeSet;

use serde::Serialize;

/// Component types of accessors.
pub(super) const UNSIGNED_BYTE: u32 = 5121;
pub(super) const UNSIGNED_SHORT: u32 = 5123;
pub(super) const FLOAT: u32 = 5126;
/// Targets of buffer views.
pub(super) const ARRAY_BUFFER: u32 = 34962;
pub(super) const ELEMENT_ARRAY_BUFFER: u32 = 34963;
/// Modes of primitives.
pub(super) const LINES: u32 = 1;
pub(super) const TRIANGLES: u32 = 4;

/// Extension for alternative levels of detail of a node.
pub(super) const LOD: &str = "MSFT_lod";
/// Extension for the visibility of a node and its descendants.
pub(super) const VISIBILITY: &str = "KHR_node_visibility";
/// Extension for animating arbitrary properties.
pub(super) const POINTER: &str = "KHR_animation_pointer";

#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Root {
    pub(super) asset: Asset,
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub(super) extensions_used: BTreeSet<&'static str>,
    pub(super) scene: usize,
    pub(super) scenes: [Scene; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) nodes: Vec<Node>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) meshes: Vec<Mesh>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) materials: Vec<Material>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) textures: Vec<Texture>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) images: Vec<Image>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) samplers: Vec<Sampler>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) animations: Vec<Animation>,
}

/// The last members of the root. Its accessors precede them.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Buffers {
    pub(super) buffer_views: Vec<BufferView>,
    pub(super) buffers: [Buffer; 1],
}

#[derive(Debug, Serialize)]
pub(super) struct Asset {
    version: &'static str,
    generator: &'static str,
}

impl Default for Asset {
    fn default() -> Self {
        Self { version: "2.0", generator: concat!("worldview ", env!("CARGO_PKG_VERSION")) }
    }
}

#[derive(Debug, Default, Serialize)]
pub(super) struct Scene {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) name: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) nodes: Vec<usize>,
}

#[derive(Debug, Default, Serialize)]
pub(super) struct Node {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) name: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) children: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) translation: Option<[f32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rotation: Option<[f32; 4]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) scale: Option<[f32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) mesh: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) extensions: Option<Box<NodeExtensions>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) extras: Option<Box<NodeExtras>>,
}

#[derive(Debug, Default, Serialize)]
pub(super) struct NodeExtensions {
    #[serde(rename = "MSFT_lod", skip_serializing_if = "Option::is_none")]
    pub(super) lod: Option<LowerNodes>,
    #[serde(rename = "KHR_node_visibility", skip_serializing_if = "Option::is_none")]
    pub(super) visibility: Option<Visibility>,
}

#[derive(Debug, Serialize)]
pub(super) struct LowerNodes {
    pub(super) ids: Vec<usize>,
}

#[derive(Debug, Serialize)]
pub(super) struct Visibility {
    pub(super) visible: bool,
}

/// Information about a node that the game uses but glTF cannot express.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(super) struct NodeExtras {
    /// The name by which a world refers to the model; only on the model's topmost node.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) model: Option<String>,
    /// The presenter, the game's class for the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) presenter: Option<String>,
    /// The index of the reference in its world.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reference: Option<usize>,
    /// The index of the object in its model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) object: Option<usize>,
    /// The object's own color or texture name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) color: Option<String>,
    /// The name of the list of levels that the object shares.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) shares: Option<String>,
    /// The visibility keys as stored: time in milliseconds, and the byte.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) visibility: Vec<(u32, u8)>,
    /// The minimum size of each level as a fraction of the screen's height, from the best to the coarsest.
    #[serde(rename = "MSFT_screencoverage", skip_serializing_if = "Vec::is_empty")]
    pub(super) coverage: Vec<f32>,
}

impl NodeExtras {
    /// Returns the approximate size in bytes.
    pub(super) fn size(&self) -> usize {
        let texts = [&self.model, &self.presenter, &self.color, &self.shares];
        let texts: usize = texts.into_iter().flatten().map(String::len).sum();
        64 + texts + 16 * self.visibility.len()
    }
}

#[derive(Debug, Serialize)]
pub(super) struct Mesh {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) name: String,
    pub(super) primitives: Vec<Primitive>,
}

#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Primitive {
    pub(super) attributes: Attributes,
    pub(super) indices: usize,
    pub(super) material: usize,
    #[serde(skip_serializing_if = "is_triangles")]
    pub(super) mode: u32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference")]
fn is_triangles(mode: &u32) -> bool {
    *mode == TRIANGLES
}

#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub(super) struct Attributes {
    pub(super) position: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) normal: Option<usize>,
    #[serde(rename = "TEXCOORD_0", skip_serializing_if = "Option::is_none")]
    pub(super) uv: Option<usize>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Material {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) name: String,
    pub(super) pbr_metallic_roughness: Pbr,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) alpha_mode: Option<&'static str>,
    pub(super) extras: MaterialExtras,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Pbr {
    pub(super) base_color_factor: [f32; 4],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) base_color_texture: Option<TextureInfo>,
    pub(super) metallic_factor: f32,
    pub(super) roughness_factor: f32,
}

#[derive(Debug, Serialize)]
pub(super) struct TextureInfo {
    pub(super) index: usize,
}

/// The stored fields of a mesh's surface that have no equivalent in glTF.
#[derive(Debug, Serialize)]
pub(super) struct MaterialExtras {
    pub(super) shading: u8,
    pub(super) specular: u8,
    pub(super) unknown: u8,
    pub(super) alias: u8,
    pub(super) inherits: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) texture: Option<String>,
}

#[derive(Debug, Serialize)]
pub(super) struct Texture {
    pub(super) sampler: usize,
    pub(super) source: usize,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) name: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Image {
    pub(super) buffer_view: usize,
    pub(super) mime_type: &'static str,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) name: String,
}

/// Linear filtering with mipmaps, and repeat wrapping.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Sampler {
    mag_filter: u32,
    min_filter: u32,
    wrap_s: u32,
    wrap_t: u32,
}

impl Default for Sampler {
    fn default() -> Self {
        Self { mag_filter: 9729, min_filter: 9987, wrap_s: 10497, wrap_t: 10497 }
    }
}

#[derive(Debug, Default, Serialize)]
pub(super) struct Animation {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) name: String,
    pub(super) channels: Vec<Channel>,
    pub(super) samplers: Vec<Keys>,
    pub(super) extras: AnimationExtras,
}

/// Information about an animation that the game uses but glTF cannot express.
#[derive(Debug, Default, Serialize)]
pub(super) struct AnimationExtras {
    /// The stored duration in milliseconds. Keys may end earlier or later.
    pub(super) duration: i32,
}

#[derive(Debug, Serialize)]
pub(super) struct Channel {
    pub(super) sampler: usize,
    pub(super) target: Target,
}

#[derive(Debug, Serialize)]
pub(super) struct Target {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) node: Option<usize>,
    pub(super) path: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) extensions: Option<TargetExtensions>,
}

#[derive(Debug, Serialize)]
pub(super) struct TargetExtensions {
    #[serde(rename = "KHR_animation_pointer")]
    pub(super) pointer: Pointer,
}

#[derive(Debug, Serialize)]
pub(super) struct Pointer {
    pub(super) pointer: String,
}

/// The accessors for the times and values of keys.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Keys {
    pub(super) input: usize,
    pub(super) output: usize,
    pub(super) interpolation: &'static str,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BufferView {
    pub(super) buffer: usize,
    pub(super) byte_offset: usize,
    pub(super) byte_length: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) byte_stride: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) target: Option<u32>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Buffer {
    pub(super) byte_length: usize,
}
