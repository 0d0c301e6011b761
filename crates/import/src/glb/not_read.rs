//! What planners do not read of an edited GLB, because programs write it for themselves.

/// A member of a GLB, or what happens to it, that is no change and gets no entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotRead {
    /// The member, with `*` for any number.
    pub member: &'static str,
    /// Why it is not read.
    pub why: &'static str,
}

const fn row(member: &'static str, why: &'static str) -> NotRead {
    NotRead { member, why }
}

const DERIVED: &str = "follows from the data";
const NAMED: &str = "programs name these themselves; names of nodes, materials and pictures count";
const FILTER: &str = "how programs filter a picture; the game decides by itself";
const SHINE: &str = "Blender adds it to its own shaders";

/// Members that are not read, whatever they say.
pub const WHOLE: &[NotRead] = &[
    row("/asset", "facts about the program"),
    row("/extensionsUsed", "a list of what the file has elsewhere"),
    row("/scenes/*/name", NAMED),
    row("/scenes/*/extras", "settings of Blender's scene"),
    row("/meshes/*/name", NAMED),
    row("/animations/*/name", NAMED),
    row("/textures/*/name", NAMED),
    row("/textures/*/sampler", FILTER),
    row("/samplers", FILTER),
    row("/images/*/mimeType", DERIVED),
    row("/accessors/*/name", NAMED),
    row("/accessors/*/min", DERIVED),
    row("/accessors/*/max", DERIVED),
    row("/accessors/*/normalized", "only integers are normalized, and positions, coordinates and keys are floats"),
    row("/bufferViews/*/name", NAMED),
    row("/bufferViews/*/target", "a hint for graphics cards"),
    row("/buffers/*/name", NAMED),
    row("/buffers/*/byteLength", "follows from the length of the chunk"),
    row("/materials/*/doubleSided", "Blender exports it for each material; the game decides by itself"),
    row("/materials/*/extensions/KHR_materials_specular", SHINE),
    row("/materials/*/extensions/KHR_materials_ior", SHINE),
    row("/meshes/*/primitives/*/attributes/TANGENT", "follows from normals and coordinates"),
];

/// Members that a program may drop, and then those of the original stay.
pub const DROPPED: &[NotRead] = &[
    row("/nodes/*/extras", "Blender drops custom properties by default"),
    row("/materials/*/extras", "Blender drops custom properties by default"),
    row("/animations/*/extras", "Blender drops custom properties by default"),
    row("/nodes/*/extensions/MSFT_lod", "Blender does not know it; levels are found by the names of nodes"),
    row("/nodes/*/extensions/KHR_node_visibility", "Blender does not know it"),
    row("/animations/*/channels/*/target/extensions/KHR_animation_pointer", "Blender does not know keys of visibility"),
    row("/materials/*/pbrMetallicRoughness/metallicFactor", "programs leave out what they do not use"),
    row("/materials/*/pbrMetallicRoughness/roughnessFactor", "programs leave out what they do not use"),
    row("/materials/*/alphaMode", "follows from the opacity"),
    row("/images/*/bufferView", "a picture without data is known by its name"),
    row("/nodes/*/name", "a node that `extras` tell the number of needs no name"),
    row("/animations/*/samplers/*/interpolation", "linear keys are the default"),
];

/// What programs do to geometry and lists without an edit.
pub const SAME: &[NotRead] = &[
    row("/nodes and /nodes/*/children in another order", "nodes are found by number or name"),
    row("/meshes/*/primitives/* with the lines of a wireframe missing", "Blender drops edges without faces"),
    row(
        "exact duplicates of triangles, and triangles without area, missing",
        "Blender drops them; the original keeps its own",
    ),
    row("/meshes/*/primitives/*/attributes/NORMAL of a flat mesh", "Blender exports normals of all meshes"),
    row("/meshes/*/primitives/*/attributes/TEXCOORD_0 of a mesh without texture", "Blender joins meshes"),
    row("materials, meshes, textures, images and data that nothing uses", "they are not part of a model"),
    row("equal pictures in one", "Blender merges them"),
    row("keys at other times on the same curve", "Blender samples animations at each frame"),
];

/// Members that are read, or compared with the export.
pub(super) const KNOWN: &[&str] = &[
    "/extensionsRequired",
    "/scene",
    "/scenes",
    "/scenes/*/nodes",
    "/nodes",
    "/nodes/*/name",
    "/nodes/*/children",
    "/nodes/*/translation",
    "/nodes/*/rotation",
    "/nodes/*/scale",
    "/nodes/*/matrix",
    "/nodes/*/mesh",
    "/nodes/*/extensions",
    "/nodes/*/extensions/MSFT_lod",
    "/nodes/*/extensions/MSFT_lod/ids",
    "/nodes/*/extensions/KHR_node_visibility",
    "/nodes/*/extensions/KHR_node_visibility/visible",
    "/meshes",
    "/meshes/*/primitives",
    "/meshes/*/primitives/*/attributes",
    "/meshes/*/primitives/*/attributes/POSITION",
    "/meshes/*/primitives/*/attributes/NORMAL",
    "/meshes/*/primitives/*/attributes/TEXCOORD_0",
    "/meshes/*/primitives/*/indices",
    "/meshes/*/primitives/*/material",
    "/meshes/*/primitives/*/mode",
    "/materials",
    "/materials/*/name",
    "/materials/*/alphaMode",
    "/materials/*/extensions",
    "/materials/*/pbrMetallicRoughness",
    "/materials/*/pbrMetallicRoughness/baseColorFactor",
    "/materials/*/pbrMetallicRoughness/baseColorTexture",
    "/materials/*/pbrMetallicRoughness/baseColorTexture/index",
    "/materials/*/pbrMetallicRoughness/baseColorTexture/texCoord",
    "/materials/*/pbrMetallicRoughness/metallicFactor",
    "/materials/*/pbrMetallicRoughness/roughnessFactor",
    "/textures",
    "/textures/*/source",
    "/images",
    "/images/*/name",
    "/images/*/uri",
    "/images/*/bufferView",
    "/animations",
    "/animations/*/channels",
    "/animations/*/channels/*/sampler",
    "/animations/*/channels/*/target",
    "/animations/*/channels/*/target/node",
    "/animations/*/channels/*/target/path",
    "/animations/*/channels/*/target/extensions",
    "/animations/*/channels/*/target/extensions/KHR_animation_pointer",
    "/animations/*/channels/*/target/extensions/KHR_animation_pointer/pointer",
    "/animations/*/samplers",
    "/animations/*/samplers/*/input",
    "/animations/*/samplers/*/output",
    "/animations/*/samplers/*/interpolation",
    "/accessors",
    "/accessors/*/bufferView",
    "/accessors/*/byteOffset",
    "/accessors/*/componentType",
    "/accessors/*/count",
    "/accessors/*/type",
    "/bufferViews",
    "/bufferViews/*/buffer",
    "/bufferViews/*/byteOffset",
    "/bufferViews/*/byteLength",
    "/bufferViews/*/byteStride",
    "/buffers",
    "/buffers/*/uri",
];
