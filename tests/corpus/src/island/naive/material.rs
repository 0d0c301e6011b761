//! The appearance of a mesh.

use super::{NaiveLod, NaiveMesh, NaiveName};

/// Lowercase color names and their colors.
pub const ALIASES: [(&str, [u8; 3]); 22] = [
    ("lego black", [0x21, 0x21, 0x21]),
    ("lego black f", [0x21, 0x21, 0x21]),
    ("lego black flat", [0x21, 0x21, 0x21]),
    ("lego blue", [0x00, 0x54, 0x8C]),
    ("lego blue flat", [0x00, 0x54, 0x8C]),
    ("lego brown", [0x4A, 0x23, 0x1A]),
    ("lego brown flt", [0x4A, 0x23, 0x1A]),
    ("lego brown flat", [0x4A, 0x23, 0x1A]),
    ("lego drk grey", [0x40, 0x40, 0x40]),
    ("lego drk grey flt", [0x40, 0x40, 0x40]),
    ("lego dk grey flt", [0x40, 0x40, 0x40]),
    ("lego green", [0x00, 0x78, 0x2D]),
    ("lego green flat", [0x00, 0x78, 0x2D]),
    ("lego lt grey", [0x82, 0x82, 0x82]),
    ("lego lt grey flt", [0x82, 0x82, 0x82]),
    ("lego lt grey fla", [0x82, 0x82, 0x82]),
    ("lego red", [0xCB, 0x12, 0x20]),
    ("lego red flat", [0xCB, 0x12, 0x20]),
    ("lego white", [0xFA, 0xFA, 0xFA]),
    ("lego white flat", [0xFA, 0xFA, 0xFA]),
    ("lego yellow", [0xFF, 0xB9, 0x00]),
    ("lego yellow flat", [0xFF, 0xB9, 0x00]),
];

/// The color for a name that is not in the table.
const UNKNOWN: [u8; 3] = [0xFF, 0x00, 0xFF];
/// The color of textured meshes.
const WHITE: [u8; 3] = [0xFF; 3];

/// The appearance of a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct NaiveMaterial {
    /// Red, green, blue.
    pub color: [u8; 3],
    /// 1 is opaque; less is translucent.
    pub opacity: f32,
    /// Lowercase name of the texture to look up.
    pub texture: Option<Vec<u8>>,
    /// How it is shaded.
    pub surface: Surface,
    /// Whether it is shiny.
    pub shines: bool,
}

/// How a mesh is shaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surface {
    /// One shade per triangle.
    Flat,
    /// Shades interpolated between the vertices.
    Smooth,
    /// Edges only.
    Wireframe,
}

/// Returns `true` if the mesh takes its color or texture from its object.
pub fn is_inherited(mesh: &NaiveMesh) -> bool {
    mesh.texture.key().starts_with(b"inh") || mesh.material.key().starts_with(b"inh")
}

/// Returns the meshes in the order of the game's own table: those that inherit come last, in reverse.
pub fn mesh_order(lod: &NaiveLod) -> Vec<usize> {
    let mut out = Vec::new();
    let mut back = Vec::new();
    for (i, mesh) in lod.meshes.iter().enumerate() {
        if is_inherited(mesh) { back.push(i) } else { out.push(i) }
    }
    out.extend(back.iter().rev());
    out
}

/// Returns the appearance of a mesh on an object with this color or texture name, which is empty for a part on its own.
pub fn material(mesh: &NaiveMesh, object: &NaiveName) -> NaiveMaterial {
    let mut out = NaiveMaterial {
        color: WHITE,
        opacity: 1.0,
        texture: None,
        surface: match mesh.shading {
            0 => Surface::Flat,
            2 => Surface::Wireframe,
            _ => Surface::Smooth,
        },
        shines: mesh.specular > 0,
    };
    if !mesh.texture.is_absent() {
        out.texture = Some(mesh.texture.key());
    } else if mesh.alias != 0 {
        out.color = alias(&mesh.material);
    } else {
        out.color = mesh.color;
        if mesh.alpha.value() > 0.0 {
            out.opacity = mesh.alpha.value();
        }
    }
    if object.is_absent() || !is_inherited(mesh) {
        return out;
    }
    let name = object.key();
    match (name.strip_prefix(b"t_"), out.texture.is_some()) {
        (Some(texture), true) => out.texture = Some(texture.to_vec()),
        (Some(_), false) => (out.color, out.opacity) = (WHITE, 1.0),
        (None, false) => (out.color, out.opacity) = (alias(object), 1.0),
        (None, true) => {}
    }
    out
}

fn alias(name: &NaiveName) -> [u8; 3] {
    let key = name.key();
    let found = ALIASES.iter().find(|(alias, _)| alias.as_bytes() == key);
    found.map_or(UNKNOWN, |(_, color)| *color)
}
