//! Databases that cost a reader far more than their size suggests.

use super::{Bomb, long};
use crate::island::LOD_EMPTY;
use crate::island::build::build_unlabeled;
use crate::island::generate::{chain, deep_nodes, deep_rois, wide_nodes};
use crate::island::spec::{
    ActorSpec, AnimationSpec, BlobSpec, DatabaseSpec, ImageSpec, KeySpec, LodSpec, LodsSpec, MeshSpec, ModelRefSpec,
    ModelSpec, NodeSpec, PartRefSpec, PartSpec, PartsSpec, PlaceSpec, RoiSpec, TextureSpec, WorldSpec, with_nul,
};

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

/// Builds a file with the given worlds and one blob.
fn file(worlds: Vec<WorldSpec>, blob: BlobSpec) -> Vec<u8> {
    build_unlabeled(&DatabaseSpec { worlds, blobs: vec![blob], ..DatabaseSpec::default() }).bytes
}

/// Creates a world with `count` references to the model in the first blob.
fn models(count: usize) -> WorldSpec {
    WorldSpec { models: vec![reference(PlaceSpec::Blob(0)); count], ..WorldSpec::new("W") }
}

fn reference(place: PlaceSpec) -> ModelRefSpec {
    ModelRefSpec { place, presenter: with_nul("P"), ..ModelRefSpec::new("m", 0) }
}

/// Builds a file with one model.
fn of_model(model: ModelSpec) -> Vec<u8> {
    file(vec![models(1)], BlobSpec::model(model))
}

/// Builds a file with global parts only.
fn of_parts(parts: Vec<PartSpec>) -> Vec<u8> {
    let (worlds, parts) = (vec![WorldSpec::new("W")], PartsSpec { parts, ..PartsSpec::default() });
    build_unlabeled(&DatabaseSpec { worlds, parts, ..DatabaseSpec::default() }).bytes
}

/// Builds a file with global textures only.
fn of_textures(textures: Vec<TextureSpec>) -> Vec<u8> {
    let worlds = vec![WorldSpec::new("W")];
    build_unlabeled(&DatabaseSpec { worlds, textures, ..DatabaseSpec::default() }).bytes
}

/// Creates an object without bounds.
fn roi(name: &str, lods: Vec<LodSpec>) -> RoiSpec {
    RoiSpec { name: name.into(), lods: LodsSpec::Own { lods, before_end: Vec::new() }, ..RoiSpec::default() }
}

fn model(roi: RoiSpec, root: NodeSpec) -> ModelSpec {
    let animation = AnimationSpec { duration: 1000, root, ..AnimationSpec::default() };
    ModelSpec { roi, animation, ..ModelSpec::default() }
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
    let morphs: Vec<_> = (0..100_u8).map(|i| KeySpec { time: i.into(), flags: 0, value: i % 2 }).collect();
    let node = |i| NodeSpec { morphs: morphs.clone(), ..NodeSpec::new(&format!("{i:x}")) };
    let nodes = chain(size / 640, node);
    let rois = chain(size / 640, |i| roi(&format!("{i:x}"), Vec::new()));
    let root = NodeSpec { raw: Some(nodes), ..NodeSpec::default() };
    of_model(model(RoiSpec { raw: Some(rois), ..RoiSpec::default() }, root))
}

fn actors(size: usize) -> Vec<u8> {
    let mut model = model(roi("n", Vec::new()), NodeSpec::new("n"));
    model.animation.actors = vec![ActorSpec::default(); size / 4];
    of_model(model)
}

fn keys(size: usize) -> Vec<u8> {
    fn keys<T>(count: u32, value: impl Fn(u32) -> T) -> Vec<KeySpec<T>> {
        (0..count).map(|i| KeySpec { time: i * 7919 % 65_536, flags: 1, value: value(i) }).collect()
    }
    let count = long((size / 41).clamp(1, 65_535));
    let root = NodeSpec {
        translations: keys(count, |i| [f32::from_bits(0x4000_0000 | (i & 0xFF) << 16), 1.0, -2.0]),
        rotations: keys(count, |i| [0.1, if i.is_multiple_of(2) { 2.0 } else { -2.0 }, -0.7, 0.0]),
        morphs: keys(count, |i| u8::from(!i.is_multiple_of(2))),
        ..NodeSpec::new("n")
    };
    of_model(model(roi("n", vec![LodSpec::empty(LOD_EMPTY)]), root))
}

/// Creates a blob of a model with one triangle.
fn simple() -> BlobSpec {
    BlobSpec::model(model(roi("n", vec![triangle([200, 10, 10], "")]), NodeSpec::new("n")))
}

fn triangle(color: [u8; 3], material: &str) -> LodSpec {
    LodSpec::triangle(MeshSpec::colored(Vec::new(), color, material))
}

fn same_models(size: usize) -> Vec<u8> {
    file(vec![models(size / 59)], simple())
}

fn same_parts(size: usize) -> Vec<u8> {
    let parts = vec![PartSpec::new("p", vec![LodSpec::empty(LOD_EMPTY)])];
    let reference = PartRefSpec { name: with_nul("p"), place: PlaceSpec::Blob(0) };
    let world = WorldSpec { parts: vec![reference; size / 14], ..WorldSpec::new("W") };
    file(vec![world], BlobSpec::parts(PartsSpec { parts, ..PartsSpec::default() }))
}

fn same_worlds(size: usize) -> Vec<u8> {
    file(vec![models(10); size / 650], simple())
}

fn long_path(size: usize) -> Vec<u8> {
    file(vec![WorldSpec { name: vec![b'w'; size / 2], ..models(size / 2 / 59) }], simple())
}

fn worlds(size: usize) -> Vec<u8> {
    build_unlabeled(&DatabaseSpec { worlds: vec![WorldSpec::default(); size / 12], ..DatabaseSpec::default() }).bytes
}

fn overlapping(size: usize) -> Vec<u8> {
    let model = build_unlabeled(&simple().content);
    // Parsing finds more objects no matter at which byte it starts.
    let blob: Vec<u8> = model.bytes.into_iter().cycle().take(size / 2).collect();
    // The words before the references and after them.
    let (count, length) = (long(size / 2 / 59), long(blob.len()));
    let start = 4 + 6 + 4 + 4 + 57 * count + 8 + 16;
    let reference = |i| reference(PlaceSpec::Bytes { offset: start + i, length: length - i });
    let world = WorldSpec { models: (0..count).map(reference).collect(), ..WorldSpec::new("W") };
    file(vec![world], BlobSpec::raw(blob))
}

fn directory(size: usize) -> Vec<u8> {
    let reference = |offset| reference(PlaceSpec::Bytes { offset, length: long(size) });
    let models = (0..long(size / 59)).map(reference).collect();
    file(vec![WorldSpec { models, ..WorldSpec::new("W") }], BlobSpec::raw([0; 512]))
}

fn parts(size: usize) -> Vec<u8> {
    of_parts(vec![PartSpec::default(); size / 12])
}

fn triangles(size: usize) -> Vec<u8> {
    of_parts(vec![PartSpec::new("", vec![triangle([200, 10, 10], "")]); size / 115])
}

fn lods(size: usize) -> Vec<u8> {
    of_parts(vec![PartSpec::new("", vec![LodSpec::empty(LOD_EMPTY); size / 4])])
}

fn own_lods(size: usize) -> Vec<u8> {
    let children = vec![roi("", vec![LodSpec::empty(LOD_EMPTY)]); size / 61];
    of_model(model(RoiSpec { children, ..roi("", Vec::new()) }, NodeSpec::new("n")))
}

fn meshes(size: usize) -> Vec<u8> {
    let mesh = MeshSpec { color: [0; 3], shading: 0, ..MeshSpec::default() };
    of_parts(vec![PartSpec::new("", vec![LodSpec { meshes: vec![mesh; size / 27], ..LodSpec::default() }])])
}

fn long_names(size: usize) -> Vec<u8> {
    let name = "x".repeat(size / 20);
    let mesh = MeshSpec { texture: name.clone().into_bytes(), ..MeshSpec::colored(Vec::new(), [9; 3], &name) };
    of_parts(vec![PartSpec::new("p", vec![LodSpec { meshes: vec![mesh; 10], ..LodSpec::default() }])])
}

fn shared(size: usize) -> Vec<u8> {
    // Each object has its own color, so the shared list of levels looks different on each.
    let color = |i| RoiSpec { texture: format!("{i:05x}").into_bytes(), ..RoiSpec::shared("p1") };
    let root = RoiSpec { children: (0..size / 66).map(color).collect(), ..roi("n", Vec::new()) };
    let parts = vec![PartSpec::new("p", vec![triangle([9; 3], "inh")])];
    build_unlabeled(&DatabaseSpec {
        worlds: vec![models(1)],
        parts: PartsSpec { parts, ..PartsSpec::default() },
        blobs: vec![BlobSpec::model(model(root, NodeSpec::new("n")))],
        ..DatabaseSpec::default()
    })
    .bytes
}

fn textures(size: usize) -> Vec<u8> {
    of_textures(vec![TextureSpec::default(); size / 16])
}

fn pixels(size: usize) -> Vec<u8> {
    // The textures must differ, or they would all be exported as one file.
    let texture = |i: u32| {
        let [red, green, blue, _] = i.to_le_bytes();
        TextureSpec::new("", ImageSpec::plain(1, 1, [red, green, blue]))
    };
    of_textures((0..long(size / 20)).map(texture).collect())
}

fn one_texture(size: usize) -> Vec<u8> {
    of_textures(vec![TextureSpec::new("", ImageSpec::plain(1, long(size), [7; 3]))])
}

fn squared(_: usize) -> Vec<u8> {
    let image = ImageSpec { width: 65_535, height: 65_535, palette: vec![[7; 3]], pixels: vec![0; 64] };
    of_textures(vec![TextureSpec::new("", image)])
}
