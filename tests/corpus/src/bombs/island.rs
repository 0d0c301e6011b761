//! Databases that cost a reader far more than their size suggests.

use super::{Bomb, long};
use crate::island::LOD_EMPTY;
use crate::island::generate::{deep_nodes, deep_rois, wide_nodes};
use crate::island::spec::{LodSpec, MeshSpec, PartSpec, PartsSpec};

/// All database bombs.
pub const BOMBS: &[Bomb] = &[
    Bomb { name: "nested nodes", attacks: "recursion through an animation", make: nodes },
    Bomb { name: "nested objects", attacks: "recursion through a model", make: objects },
    Bomb { name: "sibling nodes and objects", attacks: "the lookup of each other's names", make: siblings },
    Bomb { name: "nested objects that blink", attacks: "visibility that depends on all ancestors", make: blinking },
    Bomb { name: "actors without names", attacks: "list entries of four bytes", make: actors },
    Bomb { name: "unsorted keys", attacks: "resampling of keys", make: keys },
    Bomb { name: "models that share a blob", attacks: "code that places or opens each model", make: same_models },
    Bomb { name: "parts that share a blob", attacks: "code that opens each part", make: same_parts },
    Bomb { name: "worlds with the same models", attacks: "code that opens each world", make: same_worlds },
    Bomb { name: "many models in a world with a long name", attacks: "the path of each model", make: long_path },
    Bomb { name: "empty worlds", attacks: "a file for each world", make: worlds },
    Bomb { name: "overlapping blobs", attacks: "blobs that differ by one byte", make: overlapping },
    Bomb { name: "blobs inside the directory", attacks: "offsets that point backward", make: directory },
    Bomb { name: "empty parts", attacks: "a file for each part", make: parts },
    Bomb { name: "parts of one triangle", attacks: "a nonempty file for each part", make: triangles },
    Bomb { name: "empty levels of detail", attacks: "list entries of four bytes", make: lods },
    Bomb { name: "objects with empty levels of detail", attacks: "list entries for each object", make: own_lods },
    Bomb { name: "empty meshes", attacks: "output per mesh", make: meshes },
    Bomb { name: "meshes with long names", attacks: "names repeated for each appearance", make: long_names },
    Bomb { name: "objects that share levels of detail", attacks: "the appearance on each object", make: shared },
    Bomb { name: "empty textures", attacks: "a file for each texture", make: textures },
    Bomb { name: "textures of one pixel", attacks: "a nonempty file for each texture", make: pixels },
    Bomb { name: "one texture that fills the file", attacks: "a picture of one row or column", make: one_texture },
    Bomb { name: "a texture of 65,535 squared", attacks: "the product of two sides", make: squared },
];

fn word(value: usize) -> [u8; 4] {
    long(value).to_le_bytes()
}

fn text(bytes: &[u8]) -> Vec<u8> {
    [&word(bytes.len()), bytes].concat()
}

/// Encodes a reference to a blob; a reference to a model also has a presenter and a placement.
fn reference(name: &[u8], (offset, length): (usize, usize), is_model: bool) -> Vec<u8> {
    let mut out = [text(name), word(length).to_vec(), word(offset).to_vec()].concat();
    if is_model {
        out.extend(text(b"P\0"));
        out.extend([0.0_f32, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0].into_iter().flat_map(f32::to_le_bytes));
        out.push(1);
    }
    out
}

fn world(parts: &[Vec<u8>], models: &[Vec<u8>]) -> Vec<u8> {
    [&text(b"W\0")[..], &word(parts.len()), &parts.concat(), &word(models.len()), &models.concat()].concat()
}

/// Builds a file from its worlds, the two global chunks and the blobs. `worlds` receives the offset at which the blobs
/// start.
fn file(worlds: impl Fn(usize) -> Vec<Vec<u8>>, textures: &[u8], parts: &[u8], blobs: &[u8]) -> Vec<u8> {
    let directory = |start: usize| {
        let worlds = worlds(start);
        [&word(worlds.len())[..], &worlds.concat()].concat()
    };
    let chunks = [&word(textures.len())[..], textures, &word(parts.len()), parts].concat();
    let start = directory(0).len() + chunks.len();
    [&directory(start)[..], &chunks, blobs].concat()
}

/// A texture chunk with no textures.
const NO_TEXTURES: &[u8] = &[0; 4];
/// A part chunk with no parts: the offset of the texture list, no parts, no textures.
const NO_PARTS: &[u8] = &[8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];

/// Builds a file with one model.
fn of_model(blob: &[u8]) -> Vec<u8> {
    let worlds = |start| vec![world(&[], &[reference(b"m\0", (start, blob.len()), true)])];
    file(worlds, NO_TEXTURES, NO_PARTS, blob)
}

/// Builds a file with global parts only.
fn of_parts(parts: &[u8]) -> Vec<u8> {
    file(|_| vec![world(&[], &[])], NO_TEXTURES, parts, &[])
}

fn node(name: &[u8], keys: &[u8], children: usize) -> Vec<u8> {
    [&text(name)[..], keys, &word(children)].concat()
}

/// The key lists of a node without keys: four 16-bit counts of zero.
const NO_KEYS: &[u8] = &[0; 8];

/// Encodes an object up to and including its levels of detail, given as their count and bytes. `at` is the object's
/// offset in the blob.
fn roi(at: usize, name: &[u8], (count, lods): (usize, &[u8]), children: usize) -> Vec<u8> {
    let mut out = [&text(name)[..], &[0; 40], &word(0), &[0], &word(count)].concat();
    if count > 0 {
        out.extend(word(at + out.len() + 4 + lods.len()));
        out.extend(lods);
    }
    out.extend(word(children));
    out
}

/// Encodes a model. `rois` receives the offset at which the objects start.
fn model((count, actors): (usize, &[u8]), nodes: &[u8], rois: impl Fn(usize) -> Vec<u8>, textures: &[u8]) -> Vec<u8> {
    let head = [actors, &word(1000), nodes].concat();
    let rois = rois(16 + head.len());
    let textures_at = 16 + head.len() + rois.len();
    let [one, many, skip] = [word(1), word(textures.len().min(1)), word(0)];
    [&word(19)[..], &word(textures_at), &one, &word(count), &head, &rois, &many, &skip, textures].concat()
}

fn nodes(size: usize) -> Vec<u8> {
    deep_nodes(size / 17)
}

fn objects(size: usize) -> Vec<u8> {
    deep_rois(size / 53)
}

fn siblings(size: usize) -> Vec<u8> {
    wide_nodes(size / 80)
}

fn blinking(size: usize) -> Vec<u8> {
    let (count, keys) = (size / 640, 100_u8);
    let morphs: Vec<u8> = (0..keys).flat_map(|i| [i, 0, 0, 0, i % 2]).collect();
    let keys = [&[0; 6][..], &[keys, 0], &morphs].concat();
    let name = |i: usize| format!("{i:x}").into_bytes();
    let below = |i| usize::from(i + 1 < count);
    let nodes: Vec<u8> = (0..count).flat_map(|i| node(&name(i), &keys, below(i))).collect();
    let rois = |start| {
        let mut out: Vec<u8> = Vec::new();
        (0..count).for_each(|i| out.extend(roi(start + out.len(), &name(i), (0, &[]), below(i))));
        out
    };
    of_model(&model((0, &[]), &nodes, rois, &[]))
}

fn actors(size: usize) -> Vec<u8> {
    let count = size / 4;
    of_model(&model((count, &vec![0; 4 * count]), &node(b"n", NO_KEYS, 0), |at| roi(at, b"n", (0, &[]), 0), &[]))
}

fn keys(size: usize) -> Vec<u8> {
    let count = (size / 41).clamp(1, 65_535);
    let counted = |keys: Vec<u8>| [&word(count)[..2], &keys].concat();
    let time = |i: usize| [word(i * 7919 % 65_536)[0], word(i * 7919 % 65_536)[1], 0, 1];
    let vector = |i: usize| [&time(i)[..], &[0, 0, i.to_le_bytes()[0], 0x40, 0, 0, 0x80, 0x3F, 0, 0, 0, 0xC0]].concat();
    let turn = |i: usize| {
        let values = [0.1, if i.is_multiple_of(2) { 2.0 } else { -2.0 }, -0.7_f32, 0.0].map(f32::to_le_bytes);
        [&time(i)[..], values.as_flattened()].concat()
    };
    let keys = [
        counted((0..count).flat_map(vector).collect()),
        counted((0..count).flat_map(turn).collect()),
        vec![0; 2],
        counted((0..count).flat_map(|i| [&time(i)[..], &[i.to_le_bytes()[0] % 2]].concat()).collect()),
    ];
    let rois = |at| roi(at, b"n", (1, &LOD_EMPTY.to_le_bytes()), 0);
    of_model(&model((0, &[]), &node(b"n", &keys.concat(), 0), rois, &[]))
}

/// Encodes a model with one triangle.
fn simple() -> Vec<u8> {
    let lod = triangle();
    model((0, &[]), &node(b"n", NO_KEYS, 0), |at| roi(at, b"n", (1, &lod), 0), &[])
}

/// Encodes a level of detail with one triangle.
fn triangle() -> Vec<u8> {
    let mut out = [&word(0)[..], &word(1), &word(3 | 1 << 17), &word(0)].concat();
    let corners = [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    out.extend(corners.into_iter().flat_map(f32::to_le_bytes));
    out.extend([1, 0, 3, 0]);
    out.extend((0..3_u32).flat_map(|i| (0x8000_0000 | i).to_le_bytes()));
    out.extend(word(0));
    out.extend([200, 10, 10, 0, 0, 0, 0, 1, 0, 0, 0]);
    out.extend([0; 8]);
    out
}

fn same_models(size: usize) -> Vec<u8> {
    let blob = simple();
    let count = size / 59;
    file(|at| vec![world(&[], &vec![reference(b"m\0", (at, blob.len()), true); count])], NO_TEXTURES, NO_PARTS, &blob)
}

fn same_parts(size: usize) -> Vec<u8> {
    let blob = list_of_parts(vec![PartSpec::new("p", vec![LodSpec::empty(LOD_EMPTY)])]);
    let count = size / 14;
    file(|at| vec![world(&vec![reference(b"p\0", (at, blob.len()), false); count], &[])], NO_TEXTURES, NO_PARTS, &blob)
}

fn same_worlds(size: usize) -> Vec<u8> {
    let blob = simple();
    let worlds = |at| vec![world(&[], &vec![reference(b"m\0", (at, blob.len()), true); 10]); size / 650];
    file(worlds, NO_TEXTURES, NO_PARTS, &blob)
}

fn long_path(size: usize) -> Vec<u8> {
    let blob = simple();
    let worlds = |at| {
        let models = vec![reference(b"m\0", (at, blob.len()), true); size / 2 / 59];
        vec![[&text(&vec![b'w'; size / 2])[..], &word(0), &word(models.len()), &models.concat()].concat()]
    };
    file(worlds, NO_TEXTURES, NO_PARTS, &blob)
}

fn worlds(size: usize) -> Vec<u8> {
    file(|_| vec![vec![0; 12]; size / 12], NO_TEXTURES, NO_PARTS, &[])
}

fn overlapping(size: usize) -> Vec<u8> {
    let count = size / 2 / 59;
    // Parsing finds more objects no matter at which byte it starts.
    let blob: Vec<u8> = simple().into_iter().cycle().take(size / 2).collect();
    let reference = |at, i| reference(b"m\0", (at + i, blob.len() - i), true);
    file(|at| vec![world(&[], &(0..count).map(|i| reference(at, i)).collect::<Vec<_>>())], NO_TEXTURES, NO_PARTS, &blob)
}

fn directory(size: usize) -> Vec<u8> {
    let count = size / 59;
    let reference = |i| reference(b"m\0", (i, size), true);
    file(|_| vec![world(&[], &(0..count).map(reference).collect::<Vec<_>>())], NO_TEXTURES, NO_PARTS, &[0; 512])
}

fn list_of_parts(parts: Vec<PartSpec>) -> Vec<u8> {
    crate::island::build::build_parts(&PartsSpec { parts, ..PartsSpec::default() }).bytes
}

/// Encodes `count` parts that consist only of the given `lods` levels of detail.
fn many_parts(count: usize, lods: usize, levels: &[u8]) -> Vec<u8> {
    let mut out = [word(0), word(count)].concat();
    for _ in 0..count {
        out.extend(text(b""));
        out.extend(word(lods));
        out.extend(word(out.len() + 4 + levels.len()));
        out.extend(levels);
    }
    let textures_at = word(out.len());
    out[..4].copy_from_slice(&textures_at);
    out.extend(word(0));
    out
}

fn parts(size: usize) -> Vec<u8> {
    of_parts(&many_parts(size / 12, 0, &[]))
}

fn triangles(size: usize) -> Vec<u8> {
    let lod = triangle();
    of_parts(&many_parts(size / (12 + lod.len()), 1, &lod))
}

fn lods(size: usize) -> Vec<u8> {
    of_parts(&many_parts(1, size / 4, &LOD_EMPTY.to_le_bytes().repeat(size / 4)))
}

fn own_lods(size: usize) -> Vec<u8> {
    let count = size / 61;
    let rois = |start| {
        let mut out = roi(start, b"", (0, &[]), count);
        (0..count).for_each(|_| out.extend(roi(start + out.len(), b"", (1, &LOD_EMPTY.to_le_bytes()), 0)));
        out
    };
    of_model(&model((0, &[]), &node(b"n", NO_KEYS, 0), rois, &[]))
}

/// A mesh without triangles.
const NO_MESH: &[u8] = &[0; 27];

fn meshes(size: usize) -> Vec<u8> {
    let count = size / NO_MESH.len();
    let lod = [&word(0)[..], &word(count), &[0; 8], &NO_MESH.repeat(count)].concat();
    of_parts(&many_parts(1, 1, &lod))
}

fn long_names(size: usize) -> Vec<u8> {
    let name = "x".repeat(size / 20);
    let mesh = MeshSpec { texture: name.clone().into_bytes(), ..MeshSpec::colored(Vec::new(), [9; 3], &name) };
    let lod = LodSpec { meshes: vec![mesh; 10], ..LodSpec::default() };
    of_parts(&list_of_parts(vec![PartSpec::new("p", vec![lod])]))
}

fn shared(size: usize) -> Vec<u8> {
    // Each object has its own color, so the shared list of levels looks different on each.
    let count = size / 66;
    let rois = |start| {
        let mut out = roi(start, b"n", (0, &[]), count);
        for i in 0..count {
            out.extend([&text(b"p1")[..], &[0; 40], &text(format!("{i:05x}").as_bytes()), &[1], &word(0)].concat());
        }
        out
    };
    let blob = model((0, &[]), &node(b"n", NO_KEYS, 0), rois, &[]);
    let lod = LodSpec {
        vertices: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        normals: vec![[0.0, 0.0, 1.0]],
        meshes: vec![MeshSpec::colored(MeshSpec::pack([(0, 0, 0), (1, 0, 0), (2, 0, 0)]), [9; 3], "inh")],
        ..LodSpec::default()
    };
    let parts = list_of_parts(vec![PartSpec::new("p", vec![lod])]);
    let worlds = |start| vec![world(&[], &[reference(b"m\0", (start, blob.len()), true)])];
    file(worlds, NO_TEXTURES, &parts, &blob)
}

/// Builds a file with `count` copies of one global texture.
fn of_textures(count: usize, texture: &[u8]) -> Vec<u8> {
    let textures = [&word(count)[..], &texture.repeat(count)].concat();
    file(|_| vec![world(&[], &[])], &textures, NO_PARTS, &[])
}

/// Encodes a texture without a name.
fn image(width: usize, height: usize, pixels: &[u8]) -> Vec<u8> {
    [&word(0)[..], &word(width), &word(height), &word(1), &[7; 3], pixels].concat()
}

fn textures(size: usize) -> Vec<u8> {
    of_textures(size / 16, &[0; 16])
}

fn pixels(size: usize) -> Vec<u8> {
    // The textures must differ, or they would all be exported as one file.
    let count = size / 20;
    let mut textures = word(count).to_vec();
    (0..count).for_each(|i| {
        textures.extend([&word(0)[..], &word(1), &word(1), &word(1), &word(i)[..3], &[0]].concat());
    });
    file(|_| vec![world(&[], &[])], &textures, NO_PARTS, &[])
}

fn one_texture(size: usize) -> Vec<u8> {
    of_textures(1, &image(1, size, &vec![0; size]))
}

fn squared(_: usize) -> Vec<u8> {
    of_textures(1, &image(65_535, 65_535, &[0; 64]))
}
