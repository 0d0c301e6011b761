//! Textures drawn by code, and the appearance of meshes.

use crate::island::naive::ALIASES;
use crate::island::spec::{ImageSpec, MeshSpec, TextureSpec};
use crate::rng::Rng;

/// Returns a mesh in a color, with smooth shading.
pub(super) fn smooth(material: &str, color: [u8; 3]) -> MeshSpec {
    MeshSpec::colored(Vec::new(), color, material)
}

/// Returns a mesh in a color, with flat shading.
pub(super) fn flat(material: &str, color: [u8; 3]) -> MeshSpec {
    MeshSpec { shading: 0, ..smooth(material, color) }
}

/// Returns a translucent mesh.
pub(super) fn clear(material: &str, color: [u8; 3], alpha: f32) -> MeshSpec {
    MeshSpec { alpha, ..smooth(material, color) }
}

/// A mesh in the color that its material's name has in the game's own table. The mesh stores it, as those of the game do.
pub(super) fn named(material: &str) -> MeshSpec {
    let found = ALIASES.iter().find(|(name, _)| *name == material);
    flat(material, found.map_or([0xFF, 0, 0xFF], |(_, color)| *color))
}

/// Returns a mesh that takes the color of its object.
pub(super) fn inherited() -> MeshSpec {
    flat("inh_colour", [0xF0; 3])
}

/// Returns a textured mesh. Mesh names are uppercase, unlike the names in the texture lists.
pub(super) fn picture(texture: &str) -> MeshSpec {
    MeshSpec { shading: 0, ..MeshSpec::textured(Vec::new(), &texture.to_uppercase()) }
}

/// Returns shades of a color, darkest first.
fn shades<const N: usize>(dark: [u8; 3], light: [u8; 3]) -> [[u8; 3]; N] {
    let mut out = [dark; N];
    for (i, color) in out.iter_mut().enumerate() {
        for (part, (&dark, &light)) in color.iter_mut().zip(dark.iter().zip(&light)) {
            let mixed = (usize::from(dark) * (N - 1 - i) + usize::from(light) * i) / (N - 1);
            *part = u8::try_from(mixed).unwrap_or(u8::MAX);
        }
    }
    out
}

/// Returns a pseudorandom number below `end`, determined by the position and `seed`.
fn speckle(seed: u64, x: u32, y: u32, end: u32) -> u8 {
    let [value, ..] = Rng::new(seed ^ u64::from(x) << 20 ^ u64::from(y)).below(end).to_le_bytes();
    value
}

/// Draws speckles in patches, using a few shades.
fn ground(side: u32, seed: u64, dark: [u8; 3], light: [u8; 3]) -> ImageSpec {
    ImageSpec::drawn(side, side, shades::<8>(dark, light).to_vec(), |x, y| {
        let patch = speckle(seed, x * 8 / side, y * 8 / side, 3);
        patch + speckle(seed + 1, x, y, 4) + speckle(seed + 2, x / 2, y / 2, 3)
    })
}

/// Grass in low and high quality.
pub(super) fn grass() -> TextureSpec {
    let of = |side| ground(side, 11, [0x3C, 0x7A, 0x2C], [0x7C, 0xB8, 0x4C]);
    TextureSpec::pair("Grass.gif", of(16), of(64))
}

pub(super) fn sand() -> TextureSpec {
    TextureSpec::new("sand.gif", ground(32, 23, [0xD2, 0xB8, 0x78], [0xF0, 0xDE, 0xA6]))
}

/// Rock in low and high quality.
pub(super) fn rock() -> TextureSpec {
    let of = |side| ground(side, 37, [0x5E, 0x5A, 0x58], [0x9E, 0x9A, 0x92]);
    TextureSpec::pair("rock.gif", of(8), of(32))
}

/// The furrows of a field.
pub(super) fn field() -> TextureSpec {
    let palette = shades::<8>([0xA8, 0x82, 0x28], [0xF2, 0xD2, 0x5C]).to_vec();
    let image = ImageSpec::drawn(32, 32, palette, |x, y| {
        [1, 3, 5, 3][usize::from(x.to_le_bytes()[0] % 4)] + speckle(5, x, y, 3)
    });
    TextureSpec::new("Field.gif", image)
}

pub(super) fn planks() -> TextureSpec {
    let palette = shades::<8>([0x6A, 0x46, 0x26], [0xC4, 0x92, 0x5A]).to_vec();
    let image = ImageSpec::drawn(32, 32, palette, |x, y| {
        let plank = y / 8;
        // Dark joints between the planks and at their ends, which are staggered.
        if y % 8 == 0 || (x + plank * 11) % 32 == 0 {
            0
        } else {
            2 + speckle(41, plank, 0, 3) + speckle(43, x / 4, y, 3)
        }
    });
    TextureSpec::new("planks.gif", image)
}

pub(super) fn brick() -> TextureSpec {
    let mut palette = vec![[0xC8, 0xBC, 0xAC]];
    palette.extend(shades::<6>([0x8C, 0x34, 0x26], [0xC0, 0x58, 0x40]));
    let image = ImageSpec::drawn(32, 32, palette, |x, y| {
        let row = y / 4;
        let x = (x + row % 2 * 4) % 32;
        if y % 4 == 3 || x % 8 == 7 { 0 } else { 1 + speckle(51, x / 8, row, 4) + speckle(53, x, y, 3) }
    });
    TextureSpec::new("Brick.gif", image)
}

/// Rows of round tiles.
pub(super) fn roof() -> TextureSpec {
    let palette = shades::<8>([0x5A, 0x22, 0x1C], [0xC4, 0x5A, 0x3A]).to_vec();
    let image = ImageSpec::drawn(32, 32, palette, |x, y| {
        let row = y / 8;
        let across = i64::from((x + row % 2 * 4) % 8) * 2 - 7;
        let edge = across * across / 9;
        let down = i64::from(y % 8);
        let shade = if down > 7 - edge { 0 } else { 2 + down / 2 + i64::from(speckle(61, x / 8, row, 2)) };
        u8::try_from(shade).unwrap_or(0)
    });
    TextureSpec::new("roof.gif", image)
}

/// The red and white bands of a lighthouse, with two windows.
pub(super) fn bands() -> TextureSpec {
    let palette =
        vec![[0xF4, 0xF0, 0xE8], [0xE2, 0xDC, 0xD2], [0xC8, 0x20, 0x28], [0xAC, 0x16, 0x20], [0x2A, 0x2E, 0x38]];
    let image = ImageSpec::drawn(32, 64, palette, |x, y| {
        let window = |at: u32| (15..18).contains(&x) && (at..at + 7).contains(&y);
        if window(10) || window(36) {
            return 4;
        }
        2 * u8::from(y / 13 % 2 == 1) + u8::from(speckle(71, x, y, 5) == 0)
    });
    TextureSpec::new("bands.gif", image)
}

/// A window with four panes in a frame.
pub(super) fn window() -> TextureSpec {
    let palette = vec![[0xF2, 0xEC, 0xDC], [0x58, 0x86, 0xA8], [0x86, 0xB4, 0xD0], [0xC2, 0xE0, 0xEE]];
    let image = ImageSpec::drawn(16, 16, palette, |x, y| {
        let frame = |at: u32| !(2..14).contains(&at) || (7..9).contains(&at);
        if frame(x) || frame(y) { 0 } else { 1 + (x + 16 - y).to_le_bytes()[0] / 4 % 3 }
    });
    TextureSpec::new("Window.gif", image)
}

/// A sail with seams and a rough blue anchor.
pub(super) fn sail() -> TextureSpec {
    let palette = vec![[0xFA, 0xF6, 0xEA], [0xE0, 0xDA, 0xC8], [0x1C, 0x4E, 0x8E]];
    let image = ImageSpec::drawn(32, 32, palette, |x, y| {
        let (dx, dy) = (i64::from(x) - 11, i64::from(y) - 20);
        let square = dx * dx + dy * dy;
        if (14..=25).contains(&square) || dx.abs() < 1 && dy.abs() < 8 { 2 } else { u8::from(y % 8 == 7) }
    });
    TextureSpec::new("sail.gif", image)
}

/// The gores of a balloon, with a light band around the middle.
pub(super) fn gores() -> TextureSpec {
    let palette =
        vec![[0xE8, 0x3C, 0x30], [0xF8, 0xB4, 0x20], [0x28, 0x8C, 0xC8], [0x38, 0xA0, 0x58], [0xFA, 0xF4, 0xE4]];
    let image = ImageSpec::drawn(64, 32, palette, |x, y| {
        let zigzag = (x % 8).abs_diff(4);
        if (13 + zigzag..17 + zigzag).contains(&y) { 4 } else { (x / 8 % 4).to_le_bytes()[0] }
    });
    TextureSpec::new("gores.gif", image)
}
