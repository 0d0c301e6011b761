//! Databases of any size with the proportions of the real one.

use crate::island::build::build;
use crate::island::shapes::{Shape, narrow};
use crate::island::spec::{
    BlobSpec, DatabaseSpec, ImageSpec, KeySpec, LodSpec, LodsSpec, MeshSpec, ModelRefSpec, ModelSpec, NodeSpec,
    PartSpec, PartsSpec, RoiSpec, TextureSpec, WorldSpec, with_nul,
};
use crate::rng::Rng;

/// Size of the real file in bytes.
const WHOLE: u64 = 9_946_615;
/// Number of global textures, global parts, part blobs and model blobs in a file of that size.
const COUNTS: [u64; 4] = [43, 58, 58, 192];
/// Mean size in bytes of a global part, a part blob and a model blob.
const SIZES: [f64; 3] = [13_080.0, 20_582.0, 39_429.0];
/// Number of part and model references of each world in a file of that size.
const WORLDS: [(u64, u64); 20] = [
    (2, 1),
    (1, 1),
    (2, 1),
    (2, 1),
    (1, 4),
    (1, 1),
    (4, 7),
    (1, 1),
    (1, 1),
    (1, 1),
    (2, 11),
    (1, 5),
    (11, 46),
    (16, 25),
    (17, 126),
    (14, 57),
    (1, 29),
    (23, 139),
    (3, 6),
    (3, 23),
];

/// Generates a database of about `target_bytes`. A file of 10 MB has 250 blobs; the number of blobs scales with the
/// size.
pub fn database(seed: u64, target_bytes: usize) -> Vec<u8> {
    let mut rng = Rng::new(seed);
    let rng = &mut rng;
    let target = u64::try_from(target_bytes).unwrap_or(WHOLE);
    let scaled = |count: u64| usize::try_from((count * target / WHOLE).max(1)).unwrap_or(1);
    let [texture_count, global_count, part_count, model_count] = COUNTS.map(scaled);
    let textures: Vec<_> = (0..texture_count).map(|i| texture(rng, &format!("tex{i}.GIF"), 32 << (i % 3))).collect();
    let global = sizes(rng, global_count, SIZES[0]).into_iter().enumerate();
    let parts = global.map(|(i, size)| part(rng, &part_name("all", i), size, texture_count)).collect();
    let mut blobs = Vec::new();
    for (i, size) in sizes(rng, part_count, SIZES[1]).into_iter().enumerate() {
        let parts = vec![part(rng, &part_name("own", i), size, texture_count)];
        blobs.push(BlobSpec::parts(PartsSpec { parts, ..PartsSpec::default() }));
    }
    for (i, size) in sizes(rng, model_count, SIZES[2]).into_iter().enumerate() {
        blobs.push(BlobSpec::model(model(rng, i, size, (texture_count, global_count))));
    }
    let mut worlds = Vec::new();
    let (mut next_part, mut next_model) = (0, 0);
    for (w, (parts, models)) in WORLDS.into_iter().enumerate() {
        let mut world = WorldSpec::new(&format!("WORLD{w:02}"));
        for _ in 0..scaled(parts) {
            let i = next(rng, &mut next_part, part_count);
            world = world.part(&part_name("Own", i), i);
        }
        for _ in 0..scaled(models) {
            let i = next(rng, &mut next_model, model_count);
            world = world.model(reference(rng, i, part_count + i));
        }
        worlds.push(world);
    }
    let parts = PartsSpec { parts, ..PartsSpec::default() };
    build(&DatabaseSpec { worlds, textures, parts, blobs, ..DatabaseSpec::default() }).bytes
}

/// Returns each index once, then random ones.
fn next(rng: &mut Rng, next: &mut usize, count: usize) -> usize {
    *next += 1;
    if *next <= count { *next - 1 } else { below(rng, count) }
}

fn below(rng: &mut Rng, end: usize) -> usize {
    usize::try_from(rng.below(u32::try_from(end).unwrap_or(u32::MAX))).unwrap_or(0)
}

/// Returns a part name, which must not end in a digit.
fn part_name(kind: &str, i: usize) -> String {
    format!("{kind}{i}part")
}

/// Returns a random number between 0 and 1.
fn fraction(rng: &mut Rng) -> f64 {
    f64::from(rng.below(1 << 20)) / f64::from(1 << 20)
}

/// Returns sizes with this mean, a few of them large and most of them small.
fn sizes(rng: &mut Rng, count: usize, mean: f64) -> Vec<f64> {
    let mut weights = Vec::new();
    for _ in 0..count {
        let part = fraction(rng);
        weights.push(0.02 + part * part * part * part * part);
    }
    let total: f64 = weights.iter().sum();
    let count = f64::from(u32::try_from(count).unwrap_or(1));
    weights.iter().map(|weight| weight / total * count * mean).collect()
}

fn reference(rng: &mut Rng, i: usize, blob: usize) -> ModelRefSpec {
    let mut coordinate = |range: i32| f32::from(i16::try_from(rng.range(-range, range)).unwrap_or(0)) / 32.0;
    let location = [coordinate(3000), coordinate(300), coordinate(3000)];
    let direction = [coordinate(32), 0.0, coordinate(32)];
    let mut out = ModelRefSpec::new(&format!("model{i:03}"), blob).at(location).facing(direction);
    if rng.one_in(6) {
        out.presenter = with_nul("");
    }
    out.visible = u8::from(rng.one_in(3));
    out
}

fn texture(rng: &mut Rng, name: &str, side: u32) -> TextureSpec {
    let palette: Vec<_> = (0..16).map(|i| [i * 16, 255 - i * 8, rng.next_u64().to_le_bytes()[0]]).collect();
    let noise = rng.next_u64();
    let pixel = |x: u32, y: u32| {
        let [cell, ..] = noise.rotate_left(x / 4 * 7 + y / 4 * 13).to_le_bytes();
        cell % 16
    };
    TextureSpec::new(name, ImageSpec::drawn(side, side, palette, pixel))
}

fn part(rng: &mut Rng, name: &str, size: f64, textures: usize) -> PartSpec {
    PartSpec::new(name, lods(rng, size, textures, 2))
}

/// Generates about `size` bytes of levels of detail, each with about twice as many triangles as the previous one.
fn lods(rng: &mut Rng, size: f64, textures: usize, most_meshes: usize) -> Vec<LodSpec> {
    let meshes = 1 + below(rng, most_meshes);
    let paints: Vec<_> = (0..meshes).map(|i| paint(rng, i, textures)).collect();
    let kind = rng.below(4);
    let count = 3 + rng.below(3);
    let mut most = (size / 80.0).max(8.0);
    let mut out = Vec::new();
    // The bytes per triangle depend on the shape, so each try corrects the number of triangles for the next one.
    for _ in 0..3 {
        out.clear();
        for i in 0..count {
            let part = 0.5_f64.powi(i32::try_from(count - 1 - i).unwrap_or(0));
            let flags = if i == 0 { 8 } else { 0 };
            out.push(shape(kind, most * part, meshes).lod(flags, &paints));
        }
        let ratio = size / out.iter().map(bytes_of).sum::<f64>();
        if (0.8..1.2).contains(&ratio) || most < 9.0 && ratio < 1.0 {
            break;
        }
        most = (most * ratio).max(8.0);
    }
    out
}

/// Estimates the size of a level in bytes.
fn bytes_of(lod: &LodSpec) -> f64 {
    let pools = 12 * (lod.vertices.len() + lod.normals.len()) + 8 * lod.uvs.len();
    let mesh = |mesh: &MeshSpec| 40 + mesh.corners.len() * if mesh.has_uvs { 8 } else { 4 };
    let meshes: usize = lod.meshes.iter().map(mesh).sum();
    f64::from(u32::try_from(16 + pools + meshes).unwrap_or(u32::MAX))
}

/// Returns a shape of about `triangles` triangles, distributed over the paints.
fn shape(kind: u32, triangles: f64, paints: usize) -> Shape {
    let steps = |value: f64| {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small positive number")]
        let steps = value.clamp(1.0, 20_000.0) as u32;
        steps
    };
    let mut out = Shape::default();
    if kind == 0 {
        for i in 0..steps(triangles / 12.0) {
            let at = [f64::from(i % 7) * 1.5, f64::from(i / 7 % 5), f64::from(i / 35) * 1.25];
            let paint = usize::try_from(i).unwrap_or(0) % paints;
            out.add(&Shape::cuboid(at, [at[0] + 1.0, at[1] + 0.75, at[2] + 1.0], paint));
        }
        return out;
    }
    for paint in 0..paints {
        let share = triangles / f64::from(u32::try_from(paints).unwrap_or(1));
        let side = share.sqrt();
        let piece = match kind {
            1 => Shape::ball(steps(side / 2.0).max(2), steps(side).max(3), paint),
            2 => {
                let height = |i: u32| (1.5 + f64::from(i * 37 % 11) / 11.0, f64::from(i));
                let profile: Vec<_> = (0..=steps(side / 2.0)).map(height).collect();
                Shape::lathe(&profile, steps(side).max(3), true, paint)
            }
            _ => {
                let cells = (steps(side * 0.71).max(1), steps(side * 0.71).max(1));
                Shape::sheet(cells, 2.0, |_, _| paint, |x, z| x * (1.0 - x) * z * 4.0).stretched([9.0, 2.0, 9.0])
            }
        };
        let at = f64::from(u32::try_from(paint).unwrap_or(0)) * 5.0;
        out.add(&piece.moved([at, 0.0, 0.0]));
    }
    out
}

fn paint(rng: &mut Rng, i: usize, textures: usize) -> MeshSpec {
    if rng.one_in(6) {
        return MeshSpec::textured(Vec::new(), &format!("TEX{}.gif", below(rng, textures)));
    }
    let (material, color) = [
        ("lego red", [0xCB, 0x12, 0x20]),
        ("lego white flat", [0xFA, 0xFA, 0xFA]),
        ("inh", [0x80, 0x80, 0x80]),
        ("LEGO CLR BLUE", [0x20, 0x60, 0xD0]),
    ][(i + below(rng, 4)) % 4];
    let alpha = if material.contains("CLR") { 0.6 } else { 0.0 };
    let shading = u8::from(!material.contains("flat"));
    MeshSpec { alpha, shading, ..MeshSpec::colored(Vec::new(), color, material) }
}

fn model(rng: &mut Rng, i: usize, size: f64, (textures, parts): (usize, usize)) -> ModelSpec {
    let mut model = ModelSpec::new(&format!("model{i:03}"), Vec::new());
    let mut left = size - 400.0;
    if left > 12_000.0 && rng.one_in(3) {
        let side = if left > 40_000.0 { 128 } else { 64 };
        model.textures.push(texture(rng, &format!("own{i}.gif"), side));
        left -= f64::from(side * side) + 100.0;
    }
    let children = if left < 4000.0 { 0 } else { rng.below(9) };
    if children == 0 {
        let list = lods(rng, left, textures, 3);
        model.roi.lods = LodsSpec::Own { lods: list, before_end: Vec::new() };
        model.roi = model.roi.bounded();
        return model;
    }
    for child in 0..children {
        let name = if rng.one_in(5) {
            format!("{}{child:02}", part_name("all", below(rng, parts)))
        } else {
            format!("c{child}")
        };
        let is_shared = name.starts_with("all");
        let roi = if is_shared {
            RoiSpec::shared(&name)
        } else {
            let share = left / f64::from(children - child);
            let size = if child + 1 == children { left } else { share * (0.3 + fraction(rng)) };
            left -= size;
            RoiSpec::new(&name, lods(rng, size, textures, 3))
        };
        model.roi.children.push(roi);
        let node = node(rng, &name);
        model.animation.root.children.push(node);
    }
    model
}

fn node(rng: &mut Rng, name: &str) -> NodeSpec {
    let mut node = NodeSpec::new(name).translation(0, [fraction(rng), 1.0, fraction(rng)].map(|v| narrow(v, 1024.0)));
    if rng.one_in(4) {
        for (time, value) in
            (0..4).zip([[1.0, 0.0, 0.0, 0.0], [0.6, 0.0, 0.8, 0.0], [0.0, 0.0, 1.0, 0.0], [1.0, 0.0, 0.0, 0.0]])
        {
            node.rotations.push(KeySpec { time: time * 500, flags: 1, value });
        }
    }
    node
}
