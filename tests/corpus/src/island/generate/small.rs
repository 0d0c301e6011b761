//! Small databases of random values that contain every feature of the format.

use super::small_lods::{TEXTURES, bytes, floats, lods, pick, size};
use super::small_model::{animation, tree};
use crate::island::spec::{
    BlobSpec, DatabaseSpec, ImageSpec, ModelRefSpec, ModelSpec, PartSpec, PartsSpec, TextureSpec, WorldSpec, with_nul,
};
use crate::rng::Rng;

/// Generates a database of random worlds, parts and models. Every seed covers the whole format.
pub fn small(seed: u64) -> DatabaseSpec {
    any(&mut Rng::new(seed))
}

/// Generates a small database of the values that a generator chooses.
pub fn any(rng: &mut Rng) -> DatabaseSpec {
    let part_blobs = 2 + size(rng, 2);
    let model_blobs = 3 + size(rng, 2);
    let mut blobs = Vec::new();
    for i in 0..part_blobs {
        blobs.push(BlobSpec::parts(parts(rng, &format!("own{i}"), true)));
    }
    for i in 0..model_blobs {
        blobs.push(BlobSpec::model(model(rng, i)));
    }
    blobs[1].gap = bytes(rng, 3);
    blobs.push(BlobSpec::raw(b"no reference leads here"));
    let mut worlds = vec![WorldSpec { name: b"Old\0name\0".to_vec(), ..WorldSpec::default() }];
    for w in 0..2 + size(rng, 2) {
        let mut world = WorldSpec::new(&format!("WORLD{w}"));
        // In reverse, so that the references are not in the order of the blobs.
        for i in (0..part_blobs).rev().skip(w % 2) {
            world = world.part(&format!("Own{i}"), i);
        }
        for i in (0..model_blobs).rev() {
            world.models.push(reference(rng, i, part_blobs + i));
            if rng.one_in(3) {
                world.models.push(reference(rng, i, part_blobs + i));
            }
        }
        worlds.push(world);
    }
    worlds.push(WorldSpec { name: Vec::new(), ..WorldSpec::default() });
    DatabaseSpec {
        worlds,
        textures: textures(rng, false),
        textures_trailing: bytes(rng, 2),
        parts: parts(rng, "leg", true),
        blobs,
        trailing: bytes(rng, 3),
    }
}

fn reference(rng: &mut Rng, i: usize, blob: usize) -> ModelRefSpec {
    let presenter = pick(rng, &["LegoEntityPresenter", "", "LegoActorPresenter", "Other"]);
    ModelRefSpec {
        presenter: if rng.one_in(6) { Vec::new() } else { with_nul(presenter) },
        location: floats(rng),
        direction: if rng.one_in(4) { [0.0; 3] } else { floats(rng) },
        up: if rng.one_in(4) { floats(rng) } else { [0.0, 1.0, 0.0] },
        visible: [0, 1, 1, 0xFF][size(rng, 4)],
        ..ModelRefSpec::new(&format!("Model{i}"), blob)
    }
}

fn image(rng: &mut Rng) -> ImageSpec {
    let side = |rng: &mut Rng| [1, 2, 4, 8, 3, 0][usize::try_from(rng.below(6)).unwrap_or(0)];
    let (width, height) = (side(rng), side(rng));
    let colors = if rng.one_in(5) { 256 } else { size(rng, 20) };
    let palette = (0..colors).map(|_| [0; 3].map(|_: u8| rng.next_u64().to_le_bytes()[0])).collect();
    // Some indices are outside the palette.
    ImageSpec::drawn(width, height, palette, |_, _| u8::try_from(rng.below(21)).unwrap_or(0))
}

/// Generates a texture list; in a blob, the first texture has two images.
pub(super) fn textures(rng: &mut Rng, is_blob: bool) -> Vec<TextureSpec> {
    let mut out = Vec::new();
    if is_blob {
        out.push(TextureSpec::pair(TEXTURES[size(rng, 3)], image(rng), image(rng)));
    }
    for _ in 0..1 + rng.below(3) {
        let mut texture = TextureSpec { name: pick(rng, &TEXTURES[..6]), ..TextureSpec::default() };
        texture.image = image(rng);
        if rng.one_in(5) {
            texture.name.extend(b"\0behind the NUL");
        }
        out.push(texture);
    }
    out
}

fn parts(rng: &mut Rng, name: &str, is_blob: bool) -> PartsSpec {
    let mut parts = vec![
        PartSpec { before_end: bytes(rng, 4), ..PartSpec::new(name, lods(rng)) },
        PartSpec::new("Hollow", Vec::new()),
    ];
    for i in 0..size(rng, 3) {
        parts.push(PartSpec { before_end: bytes(rng, 2), ..PartSpec::new(&format!("Part{i}x"), lods(rng)) });
    }
    let textures = textures(rng, is_blob);
    PartsSpec { parts, before_textures: bytes(rng, 3), textures, trailing: bytes(rng, 3) }
}

/// Generates a model; those with an odd index have a nonzero skip word.
fn model(rng: &mut Rng, i: usize) -> ModelSpec {
    ModelSpec {
        roi_count: rng.below(3),
        animation: animation(rng),
        roi: tree(rng),
        before_textures: bytes(rng, 3),
        skip_textures: u32::from(!i.is_multiple_of(2)),
        textures: textures(rng, true),
        trailing: bytes(rng, 3),
        ..ModelSpec::default()
    }
}
