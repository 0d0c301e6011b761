//! The members of an edited GLB that planners do not read, because programs write them for themselves.

/// The treatment of a member of a GLB.
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

/// Members of a GLB that are no change and get no entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotRead {
    /// The treatment of them.
    pub when: When,
    /// The members, separated by spaces, with `*` for any number. If nothing of a member is read, everything in it is meant.
    pub members: &'static str,
    /// Why they are not read.
    pub why: &'static str,
}

const fn row(when: When, members: &'static str, why: &'static str) -> NotRead {
    NotRead { when, members, why }
}

/// The members of a GLB that are silently ignored. Everything else that differs from the export makes changes or a message.
#[rustfmt::skip]
pub const NOT_READ: &[NotRead] = &[
    row(Any, "/asset", "facts about the program"),
    row(Any, "/extensionsUsed /extensionsRequired", "repeat what the file has elsewhere"),
    row(Any, "/scenes/*/name /meshes/*/name /animations/*/name /textures/*/name /accessors/*/name /bufferViews/*/name /buffers/*/name",
        "programs name these themselves; names of nodes, materials and pictures count"),
    row(Any, "/scenes/*/extras", "settings of Blender's scene"),
    row(Any, "/samplers /textures/*/sampler", "how programs filter a picture; the game decides by itself"),
    row(Any, "/images/*/mimeType /accessors/*/min /accessors/*/max /buffers/*/byteLength", "follow from the data"),
    row(Any, "/images/*/uri", "a picture outside the file is known by its name"),
    row(Any, "/accessors/*/normalized", "only integers are normalized, and positions, coordinates and keys are floats"),
    row(Any, "/bufferViews/*/byteLength", "accessors say where elements are; a view that is too short for them is an error"),
    row(Any, "/bufferViews/*/target", "a hint for graphics cards"),
    row(Any, "/buffers/*/uri", "data in another file is an error where it is read"),
    row(Any, "/materials/*/doubleSided", "Blender exports it for each material; the game decides by itself"),
    row(Any, "/materials/*/extensions/KHR_materials_specular /materials/*/extensions/KHR_materials_ior",
        "Blender adds them to its own shaders"),
    row(Any, "/meshes/*/primitives/*/attributes/TANGENT", "follows from normals and coordinates"),
    row(Missing, "/nodes/*/extras /materials/*/extras /animations/*/extras", "Blender drops custom properties by default"),
    row(Missing, "/nodes/*/extensions /nodes/*/extensions/MSFT_lod /nodes/*/extensions/KHR_node_visibility",
        "Blender does not know them; levels are found by the names of nodes"),
    row(Missing, "/nodes/*/KHR_animation_pointer /animations/*/channels/* /animations/*/channels/*/target/extensions /animations/*/channels/*/target/extensions/KHR_animation_pointer /animations/*/channels/*/target/extensions/KHR_animation_pointer/pointer",
        "keys of visibility: Blender does not know them"),
    row(Missing, "/materials/*/pbrMetallicRoughness/metallicFactor /materials/*/pbrMetallicRoughness/roughnessFactor",
        "programs leave out what they do not use"),
    row(Missing, "/materials/*/alphaMode", "follows from the opacity"),
    row(Missing, "/images/*/bufferView", "a picture without data is known by its name"),
    row(Missing, "/images/*/name", "the texture has the name, too"),
    row(Missing, "/animations/*/samplers/*/interpolation", "linear keys are the default"),
    row(Missing, "/meshes/*/primitives/*/mode", "a wireframe: Blender drops edges without faces"),
    row(Missing, "/meshes/*/primitives/*/indices",
        "exact duplicates of triangles, and triangles without area: Blender drops them; the original keeps its own"),
    row(Added, "/meshes/*/primitives/*/attributes/NORMAL", "Blender exports normals for all meshes, even flat ones"),
    row(Added, "/meshes/*/primitives/*/attributes/TEXCOORD_0", "of a mesh without texture: Blender joins meshes"),
    row(Order, "/nodes /nodes/*/children /scenes/*/nodes /meshes/*/primitives /animations /animations/*/channels",
        "parts of a model are found by their names, numbers and positions"),
    row(Unused, "/accessors /animations/*/samplers /bufferViews /buffers /materials /meshes /textures",
        "what no node shows is not part of a model"),
    row(Unused, "/images", "pictures that the export has, too"),
    row(Same, "/meshes/*/primitives/*/attributes/NORMAL", "the length of a normal: only its direction counts"),
    row(Same, "/images/*/name", "the end of the name of a picture: Blender drops it"),
    row(Same, "/materials/*/pbrMetallicRoughness/baseColorTexture", "equal pictures: Blender merges them"),
    row(Same, "/animations/*/samplers/*", "keys at other times on the same curve: Blender samples each frame"),
];

/// Whether the table has a member.
pub(super) fn has(when: When, member: &str) -> bool {
    NOT_READ.iter().any(|row| row.when == when && row.members.split(' ').any(|other| other == member))
}

/// The members that planners find in the model: geometry, transformations, keys, names, and how data are stored. Behind `>` is the
/// list of the element that a member refers to; what nothing refers to is not read.
pub(super) const MODEL: &[(&str, &str)] = &[
    ("", "accessors animations bufferViews buffers images materials meshes nodes scene scenes textures"),
    ("/scenes/*", "nodes"),
    ("/nodes/*", "children translation rotation scale matrix mesh>meshes"),
    ("/meshes/*/primitives/*", "indices>accessors material>materials mode"),
    ("/meshes/*/primitives/*/attributes", "POSITION>accessors NORMAL>accessors TEXCOORD_0>accessors"),
    ("/materials/*", "name"),
    ("/materials/*/pbrMetallicRoughness/baseColorTexture", "index>textures"),
    ("/textures/*", "source>images"),
    ("/images/*", "name bufferView>bufferViews"),
    ("/animations/*/channels/*", "sampler"),
    ("/animations/*/channels/*/target", "node path"),
    ("/animations/*/samplers/*", "input>accessors output>accessors interpolation"),
    ("/accessors/*", "bufferView>bufferViews byteOffset componentType count type"),
    ("/bufferViews/*", "buffer>buffers byteOffset byteStride"),
];

/// Returns whether planners find a member in the model, and the list that it refers to.
pub(super) fn of_model(member: &str) -> Option<Option<&'static str>> {
    let (parent, key) = member.rsplit_once('/')?;
    let (_, members) = MODEL.iter().find(|(of, _)| *of == parent)?;
    let mut members = members.split(' ').map(|member| member.split_once('>').unwrap_or((member, "")));
    members.find(|(name, _)| *name == key).map(|(_, list)| Some(list).filter(|list| !list.is_empty()))
}

/// Whether members in this one are looked at one by one, even if it is new or missing.
pub(super) fn is_above(member: &str) -> bool {
    let is_below = |other: &str| other.strip_prefix(member).is_some_and(|rest| rest.starts_with('/'));
    member.ends_with("/extras")
        || member.ends_with("/extensions")
        || MODEL.iter().any(|(parent, _)| *parent == member || is_below(parent))
        || NOT_READ.iter().any(|row| row.members.split(' ').any(is_below))
}
