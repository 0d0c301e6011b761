//! The appearance of a mesh. See [Material](crate::format#material).

use crate::{Lod, Mesh, Name};

/// The appearance of a mesh. See [Material](crate::format#material).
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material<'a> {
    /// Red, green, blue; white if there is a texture.
    pub color: [u8; 3],
    /// Opacity from 0 (invisible) to 1 (opaque); the file may store larger values.
    pub opacity: f32,
    /// The name of the texture, if any; case-insensitive.
    pub texture: Option<&'a [u8]>,
    /// How the mesh is shaded.
    pub shading: Shading,
    /// Whether the surface has specular highlights.
    pub shines: bool,
}

/// How a mesh is shaded. See [Material](crate::format#material).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shading {
    /// One shade per triangle.
    Flat,
    /// Shades are interpolated between the vertices.
    Smooth,
    /// Only the edges are drawn.
    Wireframe,
}

impl Shading {
    /// Returns the word used in messages and in machine-readable output.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Flat => "flat",
            Self::Smooth => "smooth",
            Self::Wireframe => "wireframe",
        }
    }
}

/// The color names that the game knows, in lower case, with their red, green and blue. See
/// [Material](crate::format#material).
pub const ALIASES: [(&str, [u8; 3]); 22] = [
    ("lego black", BLACK),
    ("lego black f", BLACK),
    ("lego black flat", BLACK),
    ("lego blue", BLUE),
    ("lego blue flat", BLUE),
    ("lego brown", BROWN),
    ("lego brown flt", BROWN),
    ("lego brown flat", BROWN),
    ("lego drk grey", DARK_GRAY),
    ("lego drk grey flt", DARK_GRAY),
    ("lego dk grey flt", DARK_GRAY),
    ("lego green", GREEN),
    ("lego green flat", GREEN),
    ("lego lt grey", LIGHT_GRAY),
    ("lego lt grey flt", LIGHT_GRAY),
    ("lego lt grey fla", LIGHT_GRAY),
    ("lego red", RED),
    ("lego red flat", RED),
    ("lego white", LEGO_WHITE),
    ("lego white flat", LEGO_WHITE),
    ("lego yellow", YELLOW),
    ("lego yellow flat", YELLOW),
];

const BLACK: [u8; 3] = [0x21, 0x21, 0x21];
const BLUE: [u8; 3] = [0x00, 0x54, 0x8C];
const BROWN: [u8; 3] = [0x4A, 0x23, 0x1A];
const DARK_GRAY: [u8; 3] = [0x40, 0x40, 0x40];
const GREEN: [u8; 3] = [0x00, 0x78, 0x2D];
const LIGHT_GRAY: [u8; 3] = [0x82, 0x82, 0x82];
const RED: [u8; 3] = [0xCB, 0x12, 0x20];
const LEGO_WHITE: [u8; 3] = [0xFA, 0xFA, 0xFA];
const YELLOW: [u8; 3] = [0xFF, 0xB9, 0x00];

/// The color of everything that has a texture.
const WHITE: [u8; 3] = [0xFF, 0xFF, 0xFF];
/// Magenta, which the game uses for unknown color names.
const UNKNOWN: [u8; 3] = [0xFF, 0x00, 0xFF];

/// The prefix of texture and material names that inherit from the object.
const INHERITED: &[u8] = b"inh";
/// The prefix of an object's color name that makes it the name of a texture.
const TEXTURE: &[u8] = b"t_";

/// Returns the color with this name, ignoring ASCII case, or `None` if it is not one of [`ALIASES`].
/// See [Material](crate::format#material).
pub fn color_of(name: impl AsRef<[u8]>) -> Option<[u8; 3]> {
    let name = name.as_ref();
    let (_, color) = ALIASES.iter().find(|(alias, _)| alias.as_bytes().eq_ignore_ascii_case(name))?;
    Some(*color)
}

impl<'a> Name<'a> {
    /// Returns the texture that the object passes to meshes that inherit one: the part of the object's color name after
    /// `t_`. Returns `None` if the name is that of a color. See [Material](crate::format#material).
    pub fn inherited_texture(self) -> Option<&'a [u8]> {
        without_prefix(self.text(), TEXTURE)
    }
}

impl<'a> Mesh<'a> {
    /// Returns whether the mesh inherits its color or texture from its object: the name of its texture or material
    /// starts with "inh". See [Material](crate::format#material).
    pub fn inherits(&self) -> bool {
        [self.texture, self.material].iter().any(|name| without_prefix(name.text(), INHERITED).is_some())
    }

    /// Returns the appearance of the mesh on an object whose color name is `object`. For a part on its own, pass the
    /// default, an absent name. See [Material](crate::format#material).
    pub fn material(&self, object: Name<'a>) -> Material<'a> {
        let own = self.own_material();
        if object.is_absent() || !self.inherits() {
            return own;
        }
        // A texture name applies to meshes that have a texture, a color name to those that do not. On the other kind of
        // mesh, a texture name only sets white, because the mesh has no texture coordinates, and a color name has no
        // effect.
        match (object.inherited_texture(), own.texture) {
            (Some(name), Some(_)) => Material { texture: Some(name), ..own },
            (Some(_), None) => Material { color: WHITE, opacity: 1.0, ..own },
            (None, None) => Material { color: known_or_magenta(object), opacity: 1.0, ..own },
            (None, Some(_)) => own,
        }
    }

    /// Returns the appearance of the mesh without anything inherited.
    fn own_material(&self) -> Material<'a> {
        let surface = self.surface;
        let texture = (!self.texture.is_absent()).then(|| self.texture.text());
        let alpha = surface.alpha.get();
        let (color, opacity) = if texture.is_some() {
            (WHITE, 1.0)
        } else if surface.alias != 0 {
            (known_or_magenta(self.material), 1.0)
        } else {
            // 0 means opaque: the game only treats values above 0 as an opacity.
            ([surface.red, surface.green, surface.blue], if alpha > 0.0 { alpha } else { 1.0 })
        };
        Material { color, opacity, texture, shading: self.shading(), shines: surface.specular != 0 }
    }

    /// Returns how the mesh is shaded, which objects do not change. See [Material](crate::format#material).
    pub const fn shading(&self) -> Shading {
        match self.surface.shading {
            0 => Shading::Flat,
            2 => Shading::Wireframe,
            _ => Shading::Smooth,
        }
    }
}

impl Lod<'_> {
    /// Returns the indices of the meshes in the order of the game's own table: meshes that [inherit](Mesh::inherits)
    /// come last, in reverse order. See [Material](crate::format#material).
    pub fn draw_order(&self) -> Vec<usize> {
        let (mut order, mut inheriting) = (Vec::new(), Vec::new());
        for (i, mesh) in self.meshes.iter().enumerate() {
            if mesh.inherits() { inheriting.push(i) } else { order.push(i) }
        }
        order.extend(inheriting.into_iter().rev());
        order
    }
}

/// Returns the text after a prefix, ignoring ASCII case, or `None` if the text does not start with it.
fn without_prefix<'t>(text: &'t [u8], prefix: &[u8]) -> Option<&'t [u8]> {
    let (start, rest) = text.split_at_checked(prefix.len())?;
    start.eq_ignore_ascii_case(prefix).then_some(rest)
}

fn known_or_magenta(name: Name<'_>) -> [u8; 3] {
    color_of(name.text()).unwrap_or(UNKNOWN)
}

worldview_core::display_by_name!(Shading);

worldview_core::assert_send_sync!(Material<'_>, Shading);
