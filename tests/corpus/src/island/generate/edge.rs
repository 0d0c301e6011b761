//! Edge cases among databases, one for each rule that a reader could get wrong, including files that must be rejected.

use crate::island::build::build;
use crate::island::spec::{
    BlobSpec, ContentSpec, CornerSpec, DatabaseSpec, ImageSpec, LodSpec, LodsSpec, MeshSpec, ModelRefSpec, ModelSpec,
    NodeSpec, PartSpec, PartsSpec, RoiSpec, TextureSpec, WorldSpec,
};

mod animations;
mod directories;
mod meshes;
mod models;
mod names;
mod parts;

/// Returns the name and bytes of each edge case.
pub fn edge_cases() -> Vec<(String, Vec<u8>)> {
    let mut cases = Cases::default();
    directories::whole(&mut cases);
    directories::places(&mut cases);
    directories::chunks(&mut cases);
    parts::images(&mut cases);
    parts::parts(&mut cases);
    meshes::lods(&mut cases);
    meshes::meshes(&mut cases);
    meshes::corners(&mut cases);
    models::heads(&mut cases);
    models::objects(&mut cases);
    animations::trees(&mut cases);
    animations::keys(&mut cases);
    animations::poses(&mut cases);
    animations::places(&mut cases);
    names::lists(&mut cases);
    names::textures(&mut cases);
    names::materials(&mut cases);
    cases.files
}

/// The files built so far.
#[derive(Default)]
struct Cases {
    files: Vec<(String, Vec<u8>)>,
}

impl Cases {
    fn bytes(&mut self, name: &str, bytes: Vec<u8>) {
        self.files.push((name.into(), bytes));
    }

    fn database(&mut self, name: &str, spec: &DatabaseSpec) {
        self.bytes(name, build(spec).bytes);
    }

    /// Adds a database whose only model is the given one.
    fn model(&mut self, name: &str, model: ModelSpec) {
        self.database(name, &with_model(model));
    }

    /// Adds a database whose only part blob is the given one.
    fn parts(&mut self, name: &str, parts: PartsSpec) {
        let mut spec = base();
        spec.blobs[0] = BlobSpec::parts(parts);
        self.database(name, &spec);
    }

    /// Builds a database and overwrites some of its labeled words.
    fn patched(&mut self, name: &str, spec: &DatabaseSpec, patches: &[(&str, u32)]) {
        let mut built = build(spec);
        built.words_le(patches);
        self.bytes(name, built.bytes);
    }

    /// Builds a database and overwrites the bytes at a label, which may be more or fewer than four.
    fn spliced(&mut self, name: &str, spec: &DatabaseSpec, label: &str, value: &[u8]) {
        let mut built = build(spec);
        built.patch(label, value);
        self.bytes(name, built.bytes);
    }
}

fn image() -> ImageSpec {
    ImageSpec::drawn(4, 2, vec![[0, 0, 0], [255, 128, 0], [0, 0, 255]], |x, y| u8::from(x % 2 == y) + 1)
}

/// Returns a level with a textured square of two triangles and a colored triangle.
fn lod() -> LodSpec {
    let square = MeshSpec::pack([(0, 0, 0), (1, 0, 1), (2, 0, 2), (0, 0, 0), (2, 0, 2), (3, 0, 3)]);
    let roof = MeshSpec::pack([(1, 0, 0), (4, 1, 0), (2, 0, 0)]);
    LodSpec {
        vertices: vec![[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.5, 1.5, 0.0]],
        normals: vec![[0.0, 0.0, -1.0], [0.0, 0.6, -0.8]],
        uvs: vec![[0.0, 1.0], [0.0, 0.0], [1.0, 0.0], [1.0, 1.0]],
        meshes: vec![MeshSpec::textured(square, "brick.gif"), MeshSpec::colored(roof, [0xCB, 0x12, 0x20], "lego red")],
        ..LodSpec::default()
    }
}

/// Returns a model with a root, a wall with levels of its own, and a leg with shared levels.
fn model() -> ModelSpec {
    let mut roi = RoiSpec::new("hut", Vec::new());
    roi.children = vec![RoiSpec::new("wall", vec![LodSpec { flags: 8, ..lod() }, lod()]), RoiSpec::shared("leg01")];
    let root = NodeSpec::new("hut").child(NodeSpec::new("wall")).child(NodeSpec::new("leg01"));
    ModelSpec::of(roi, root).texture(TextureSpec::new("Brick.GIF", image()))
}

/// Returns a database with two worlds that share a part blob and a model, a global texture, and a global part.
fn base() -> DatabaseSpec {
    let parts = PartsSpec { parts: vec![PartSpec::new("Leg", vec![lod()])], ..PartsSpec::default() };
    let own = PartsSpec { textures: vec![TextureSpec::new("moss.gif", image())], ..parts.clone() };
    let global = PartsSpec { parts: vec![PartSpec::new("HAT", vec![lod(), lod()])], ..parts };
    let model_at = |x| ModelRefSpec::new("hut", 1).at([x, 0.0, 0.0]);
    DatabaseSpec {
        worlds: vec![
            WorldSpec::new("HILL").part("Leg", 0).model(model_at(0.0)),
            WorldSpec::new("VALE").part("leg", 0).model(model_at(3.0)).model(model_at(5.0)),
        ],
        textures: vec![TextureSpec::new("brick.gif", image())],
        parts: global,
        blobs: vec![BlobSpec::parts(own), BlobSpec::model(model())],
        ..DatabaseSpec::default()
    }
}

/// Returns the base database with eight zero bytes at the end of both blobs.
fn padded() -> DatabaseSpec {
    let mut spec = base();
    for blob in &mut spec.blobs {
        match &mut blob.content {
            ContentSpec::Parts(parts) => parts.trailing = vec![0; 8],
            ContentSpec::Model(model) => model.trailing = vec![0; 8],
            ContentSpec::Raw(_) => {}
        }
    }
    spec
}

fn with_model(model: ModelSpec) -> DatabaseSpec {
    let mut spec = base();
    spec.blobs[1] = BlobSpec::model(model);
    spec
}

/// Returns the base model with its wall's levels replaced by this one; the textures are kept.
fn with_lod(lod: LodSpec) -> ModelSpec {
    let mut model = model();
    model.roi.children[0].lods = LodsSpec::Own { lods: vec![lod], before_end: Vec::new() };
    model
}

/// Returns the base model with this mesh added to its wall.
fn with_mesh(mesh: MeshSpec) -> ModelSpec {
    let mut lod = lod();
    lod.meshes.insert(1, mesh);
    with_lod(lod)
}

/// Returns an untextured mesh with these corners.
fn mesh_of(corners: &[CornerSpec]) -> MeshSpec {
    MeshSpec::colored(corners.to_vec(), [1, 2, 3], "metal")
}
