//! Levels of detail of small databases, and helpers for random values.

use crate::island::spec::{CornerSpec, LodSpec, MeshSpec};
use crate::rng::Rng;

/// Texture names. They include those of the generated lists; some mesh names do not resolve.
pub(super) const TEXTURES: [&str; 7] = ["brick.GIF", "Water.gif", "PLANKS.gif", "sail.gif", "moss.gif", "Rust.gif", ""];
/// Material names: aliases, inherited ones, and others.
const MATERIALS: [&str; 8] =
    ["lego red", "LEGO Yellow FLAT", "lego lt grey fla", "INH colour", "inhw", "lego pink", "", "metal"];
/// Floats that are likely to expose bugs.
const FLOATS: [f32; 10] = [0.0, -0.0, 1.0, -1.0, 1e-6, 0.6, 1e30, f32::INFINITY, f32::NAN, f32::MIN_POSITIVE];

/// Returns a random size below `end`.
pub(super) fn size(rng: &mut Rng, end: u32) -> usize {
    usize::try_from(rng.below(end)).unwrap_or(0)
}

pub(super) fn bytes(rng: &mut Rng, most: u32) -> Vec<u8> {
    (0..rng.below(most + 1)).map(|_| rng.next_u64().to_le_bytes()[0]).collect()
}

pub(super) fn float(rng: &mut Rng) -> f32 {
    if rng.one_in(12) {
        return *rng.pick(&FLOATS).unwrap_or(&0.0);
    }
    let whole = i16::try_from(rng.range(-3000, 3000)).unwrap_or(0);
    f32::from(whole) / 64.0
}

pub(super) fn floats<const N: usize>(rng: &mut Rng) -> [f32; N] {
    let mut out = [0.0; N];
    for value in &mut out {
        *value = float(rng);
    }
    out
}

pub(super) fn pick(rng: &mut Rng, list: &[&str]) -> Vec<u8> {
    rng.pick(list).copied().unwrap_or("").into()
}

/// Generates levels of detail: one for tiny models first, then one of each kind.
pub(super) fn lods(rng: &mut Rng) -> Vec<LodSpec> {
    let mut out = vec![lod(rng, 8), LodSpec::empty(4), LodSpec::empty(0)];
    for _ in 0..rng.below(3) {
        let flags = *rng.pick(&[0, 8, 0x10, 0xFFFF_FF03]).unwrap_or(&0);
        out.push(lod(rng, flags));
    }
    out
}

fn lod(rng: &mut Rng, flags: u32) -> LodSpec {
    let pool = |rng: &mut Rng| 1 + size(rng, 9);
    let mut lod = LodSpec { flags, ..LodSpec::default() };
    lod.vertices = (0..pool(rng)).map(|_| floats(rng)).collect();
    lod.normals = (0..pool(rng)).map(|_| floats(rng)).collect();
    if rng.one_in(4) {
        // A count of 0 or less means no texture coordinates.
        lod.uv_count = *rng.pick(&[None, Some(-1), Some(i32::MIN)]).unwrap_or(&None);
    } else {
        lod.uvs = (0..pool(rng)).map(|_| floats(rng)).collect();
    }
    lod.count_bits = *rng.pick(&[0, 0x8000, 0x1_0000, 0x1_8000]).unwrap_or(&0);
    lod.meshes = (0..1 + size(rng, 3)).map(|_| mesh(rng, &lod)).collect();
    lod
}

fn mesh(rng: &mut Rng, lod: &LodSpec) -> MeshSpec {
    let triangles = size(rng, 6);
    let mut corners = Vec::new();
    let mut emitted = 0;
    let below = |rng: &mut Rng, end: usize| rng.below(u32::try_from(end).unwrap_or(1));
    let short = |value: u32| u16::try_from(value).unwrap_or(0);
    for _ in 0..3 * triangles {
        if emitted == 0 || rng.one_in(2) {
            let (vertex, normal) = (short(below(rng, lod.vertices.len())), short(below(rng, lod.normals.len())));
            corners.push(CornerSpec::New { vertex, normal, uv: below(rng, lod.uvs.len()) });
            emitted += 1;
        } else if rng.one_in(3) {
            // Only the low half of the corner matters; the texture coordinate is ignored.
            let corner = (rng.below(0x8000) << 16) | below(rng, emitted);
            corners.push(CornerSpec::Raw { corner, uv: rng.below(u32::MAX) });
        } else {
            corners.push(CornerSpec::Back(short(below(rng, emitted))));
        }
    }
    let has_uvs = !rng.one_in(4);
    let uv_index_count = if has_uvs && rng.one_in(3) { Some(1 + rng.below(100)) } else { None };
    let texture = if rng.one_in(2) { pick(rng, &TEXTURES) } else { pick(rng, &["", "InhFace.gif"]) };
    MeshSpec {
        // A mesh without triangles stores no indices, whatever its count says.
        has_uvs: has_uvs && triangles > 0,
        uv_index_count,
        corners,
        color: [0; 3].map(|_: u8| rng.next_u64().to_le_bytes()[0]),
        alpha: *rng.pick(&[0.0, 0.6, 1.0, -1.0, 2.0, f32::NAN]).unwrap_or(&0.0),
        shading: u8::try_from(rng.below(5)).unwrap_or(0),
        specular: *rng.pick(&[0, 10, 255]).unwrap_or(&0),
        unknown: u8::try_from(rng.below(2)).unwrap_or(0),
        alias: *rng.pick(&[0, 0, 1, 7]).unwrap_or(&0),
        texture,
        material: pick(rng, &MATERIALS),
        ..MeshSpec::default()
    }
}
