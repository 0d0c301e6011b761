//! What planners do not read of an edited GLB, because programs write it for themselves.

/// What happens to a member of a GLB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// It is there or not, and says something else.
    Any,
    /// It is missing.
    Missing,
    /// It is there, and was not.
    Added,
    /// Its elements are in another order.
    Order,
    /// Nothing uses it.
    Unused,
    /// It says the same in other words.
    Same,
}

use When::{Added, Any, Missing, Order, Same, Unused};

/// A member of a GLB that is no change and gets no entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotRead {
    /// What happens to it.
    pub when: When,
    /// The member, with `*` for any number, and everything in it.
    pub member: &'static str,
    /// Why it is not read.
    pub why: &'static str,
}

const fn row(when: When, member: &'static str, why: &'static str) -> NotRead {
    NotRead { when, member, why }
}

const DERIVED: &str = "follows from the data";
const NAMED: &str = "programs name these themselves; names of nodes, materials and pictures count";
const FILTER: &str = "how programs filter a picture; the game decides by itself";
const SHINE: &str = "Blender adds it to its own shaders";

const DUPLICATES: &str =
    "exact duplicates of triangles, and triangles without area: Blender drops them; the original keeps its own";
const FOUND: &str = "parts of a model are found by their names, numbers and positions";
const PART: &str = "what no node shows is not part of a model";

/// What is not read of a GLB without a word. Everything else that differs from the export makes changes, or an entry.
pub const NOT_READ: &[NotRead] = &[
    row(Any, "/asset", "facts about the program"),
    row(Any, "/extensionsUsed", "repeats what the file has elsewhere"),
    row(Any, "/scenes/*/name", NAMED),
    row(Any, "/scenes/*/extras", "settings of Blender's scene"),
    row(Any, "/meshes/*/name", NAMED),
    row(Any, "/animations/*/name", NAMED),
    row(Any, "/textures/*/name", NAMED),
    row(Any, "/textures/*/sampler", FILTER),
    row(Any, "/samplers", FILTER),
    row(Any, "/images/*/mimeType", DERIVED),
    row(Any, "/accessors/*/name", NAMED),
    row(Any, "/accessors/*/min", DERIVED),
    row(Any, "/accessors/*/max", DERIVED),
    row(Any, "/accessors/*/normalized", "only integers are normalized, and positions, coordinates and keys are floats"),
    row(Any, "/bufferViews/*/name", NAMED),
    row(
        Any,
        "/bufferViews/*/byteLength",
        "accessors say where elements are; a view that is too short for them is an error",
    ),
    row(Any, "/bufferViews/*/target", "a hint for graphics cards"),
    row(Any, "/buffers/*/name", NAMED),
    row(Any, "/buffers/*/byteLength", "follows from the length of the chunk"),
    row(Any, "/materials/*/doubleSided", "Blender exports it for each material; the game decides by itself"),
    row(Any, "/materials/*/extensions/KHR_materials_specular", SHINE),
    row(Any, "/materials/*/extensions/KHR_materials_ior", SHINE),
    row(Any, "/meshes/*/primitives/*/attributes/TANGENT", "follows from normals and coordinates"),
    row(Missing, "/nodes/*/extras", "Blender drops custom properties by default"),
    row(Missing, "/materials/*/extras", "Blender drops custom properties by default"),
    row(Missing, "/animations/*/extras", "Blender drops custom properties by default"),
    row(Missing, "/nodes/*/extensions/MSFT_lod", "Blender does not know it; levels are found by the names of nodes"),
    row(Missing, "/nodes/*/extensions/KHR_node_visibility", "Blender does not know it"),
    row(
        Missing,
        "/animations/*/channels/*/target/extensions/KHR_animation_pointer",
        "Blender does not know keys of visibility",
    ),
    row(Missing, "/materials/*/pbrMetallicRoughness/metallicFactor", "programs leave out what they do not use"),
    row(Missing, "/materials/*/pbrMetallicRoughness/roughnessFactor", "programs leave out what they do not use"),
    row(Missing, "/materials/*/alphaMode", "follows from the opacity"),
    row(Missing, "/images/*/bufferView", "a picture without data is known by its name"),
    row(Missing, "/nodes/*/extensions", "Blender does not know those of the export"),
    row(Missing, "/images/*/name", "the texture has the name, too"),
    row(Missing, "/nodes/*/name", "a node with a number in `extras` needs no name"),
    row(Missing, "/animations/*/samplers/*/interpolation", "linear keys are the default"),
    row(Missing, "/meshes/*/primitives/*/mode", "a wireframe: Blender drops edges without faces"),
    row(Missing, "/meshes/*/primitives/*/indices", DUPLICATES),
    row(Added, "/meshes/*/primitives/*/attributes/NORMAL", "Blender exports normals for all meshes, even flat ones"),
    row(Added, "/meshes/*/primitives/*/attributes/TEXCOORD_0", "of a mesh without texture: Blender joins meshes"),
    row(Order, "/nodes", FOUND),
    row(Order, "/nodes/*/children", FOUND),
    row(Order, "/scenes/*/nodes", FOUND),
    row(Order, "/meshes/*/primitives", FOUND),
    row(Order, "/animations", FOUND),
    row(Order, "/animations/*/channels", FOUND),
    row(Unused, "/accessors", PART),
    row(Unused, "/animations/*/samplers", PART),
    row(Unused, "/bufferViews", PART),
    row(Unused, "/buffers", PART),
    row(Unused, "/images", PART),
    row(Unused, "/materials", PART),
    row(Unused, "/meshes", PART),
    row(Unused, "/textures", PART),
    row(Same, "/meshes/*/primitives/*/attributes/NORMAL", "the length of a normal: only its direction counts"),
    row(Same, "/images/*/name", "the end of the name of a picture: Blender drops it"),
    row(Same, "/materials/*/pbrMetallicRoughness/baseColorTexture", "equal pictures: Blender merges them"),
    row(Same, "/animations/*/samplers/*", "keys at other times on the same curve: Blender samples each frame"),
];

/// Whether the table has a member, or it is compared with the export where it is used.
pub(super) fn is_listed(member: &str) -> bool {
    NOT_READ.iter().any(|row| row.member == member && matches!(row.when, Any | Missing))
}

/// Members that are read, or compared with the export.
pub(super) const KNOWN: &[&str] = &[
    "/extensions",
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
