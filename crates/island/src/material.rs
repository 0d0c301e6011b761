//! What a mesh looks like. `docs/formats/island.md`, Material.

use crate::{Lod, Mesh, Name};

/// What a mesh looks like. `docs/formats/island.md`, Material.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material<'a> {
    /// Red, green, blue; white where there is a texture.
    pub color: [u8; 3],
    /// From 0, not to be seen, to 1, opaque; the file may have more.
    pub opacity: f32,
    /// The name of the texture, whose case means nothing.
    pub texture: Option<&'a [u8]>,
    /// How light falls on it.
    pub shading: Shading,
    /// Whether it shines.
    pub shines: bool,
}

/// How light falls on a mesh. `docs/formats/island.md`, Material.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shading {
    /// One shade for each triangle.
    Flat,
    /// The shades of the vertices run into each other.
    Smooth,
    /// Only the edges are drawn.
    Wireframe,
}

impl Shading {
    /// The word used in messages and in machine output.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Flat => "flat",
            Self::Smooth => "smooth",
            Self::Wireframe => "wireframe",
        }
    }
}

/// The colours that the game knows by name, in lower case: red, green, blue. `docs/formats/island.md`, Material.
pub const ALIASES: [(&str, [u8; 3]); 22] = [
    ("lego black", BLACK),
    ("lego black f", BLACK),
    ("lego black flat", BLACK),
    ("lego blue", BLUE),
    ("lego blue flat", BLUE),
    ("lego brown", BROWN),
    ("lego brown flt", BROWN),
    ("lego brown flat", BROWN),
    ("lego drk grey", DARK_GREY),
    ("lego drk grey flt", DARK_GREY),
    ("lego dk grey flt", DARK_GREY),
    ("lego green", GREEN),
    ("lego green flat", GREEN),
    ("lego lt grey", LIGHT_GREY),
    ("lego lt grey flt", LIGHT_GREY),
    ("lego lt grey fla", LIGHT_GREY),
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
const DARK_GREY: [u8; 3] = [0x40, 0x40, 0x40];
const GREEN: [u8; 3] = [0x00, 0x78, 0x2D];
const LIGHT_GREY: [u8; 3] = [0x82, 0x82, 0x82];
const RED: [u8; 3] = [0xCB, 0x12, 0x20];
const LEGO_WHITE: [u8; 3] = [0xFA, 0xFA, 0xFA];
const YELLOW: [u8; 3] = [0xFF, 0xB9, 0x00];

/// Of whatever has a texture.
const WHITE: [u8; 3] = [0xFF, 0xFF, 0xFF];
/// Magenta, which the game gives to names that it does not know.
const UNKNOWN: [u8; 3] = [0xFF, 0x00, 0xFF];

/// Begins the names of textures and materials that are those of the object.
const INHERITED: &[u8] = b"inh";
/// Begins the name of an object's texture, which without it is that of a colour.
const TEXTURE: &[u8] = b"t_";

/// The colour of a name, whatever the case of its letters; `None` if it is not one of [`ALIASES`].
/// `docs/formats/island.md`, Material.
pub fn color_of(name: impl AsRef<[u8]>) -> Option<[u8; 3]> {
    let name = name.as_ref();
    let (_, color) = ALIASES.iter().find(|(alias, _)| alias.as_bytes().eq_ignore_ascii_case(name))?;
    Some(*color)
}

impl<'a> Name<'a> {
    /// Of an object's name of a colour or texture, what is behind `t_`: the texture that it gives to the meshes that
    /// inherit one; `None` if it names a colour. `docs/formats/island.md`, Material.
    pub fn inherited_texture(self) -> Option<&'a [u8]> {
        without_prefix(self.text(), TEXTURE)
    }
}

impl<'a> Mesh<'a> {
    /// Whether it takes its colour or texture from its object: the name of its texture or of its material begins with
    /// "inh". `docs/formats/island.md`, Material.
    pub fn inherits(&self) -> bool {
        [self.texture, self.material].iter().any(|name| without_prefix(name.text(), INHERITED).is_some())
    }

    /// What it looks like on an object whose name of a colour or texture this is; for a part alone there is none, the
    /// default. `docs/formats/island.md`, Material.
    pub fn material(&self, object: Name<'a>) -> Material<'a> {
        let own = self.own_material();
        if object.is_absent() || !self.inherits() {
            return own;
        }
        // Each of the two kinds of names paints one kind of meshes; a texture only whitens those that have none, for
        // they have no coordinates, and a colour leaves those that have one.
        match (object.inherited_texture(), own.texture) {
            (Some(name), Some(_)) => Material { texture: Some(name), ..own },
            (Some(_), None) => Material { color: WHITE, opacity: 1.0, ..own },
            (None, None) => Material { color: known_or_magenta(object), opacity: 1.0, ..own },
            (None, Some(_)) => own,
        }
    }

    /// What it looks like on an object that says nothing.
    fn own_material(&self) -> Material<'a> {
        let surface = self.surface;
        let texture = (!self.texture.is_absent()).then(|| self.texture.text());
        let alpha = surface.alpha.get();
        let (color, opacity) = if texture.is_some() {
            (WHITE, 1.0)
        } else if surface.alias != 0 {
            (known_or_magenta(self.material), 1.0)
        } else {
            // 0 is opaque: the game only takes what is above it for an opacity at all.
            ([surface.red, surface.green, surface.blue], if alpha > 0.0 { alpha } else { 1.0 })
        };
        let shading = match surface.shading {
            0 => Shading::Flat,
            2 => Shading::Wireframe,
            _ => Shading::Smooth,
        };
        Material { color, opacity, texture, shading, shines: surface.specular != 0 }
    }
}

impl Lod<'_> {
    /// The numbers of its meshes in the order of the game's own table: those that [inherit](Mesh::inherits) come last,
    /// the last of them first. `docs/formats/island.md`, Material.
    pub fn draw_order(&self) -> Vec<usize> {
        let numbered = self.meshes.iter().map(|mesh| mesh.inherits()).enumerate();
        let (inheriting, own): (Vec<_>, Vec<_>) = numbered.partition(|&(_, inherits)| inherits);
        own.iter().chain(inheriting.iter().rev()).map(|&(i, _)| i).collect()
    }
}

/// What is left of a text behind a prefix in whatever case; `None` if it begins otherwise.
fn without_prefix<'t>(text: &'t [u8], prefix: &[u8]) -> Option<&'t [u8]> {
    let (start, rest) = text.split_at_checked(prefix.len())?;
    start.eq_ignore_ascii_case(prefix).then_some(rest)
}

fn known_or_magenta(name: Name<'_>) -> [u8; 3] {
    color_of(name.text()).unwrap_or(UNKNOWN)
}

worldview_core::display_by_name!(Shading);

worldview_core::assert_send_sync!(Material<'_>, Shading);
