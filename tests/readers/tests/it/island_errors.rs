//! The error table of broken databases: the strict error, and what lossy parsing still opens.

use worldview_corpus::island::build::build;
use worldview_corpus::island::spec::{
    ActorSpec, BlobSpec, DatabaseSpec, ImageSpec, LodSpec, MeshSpec, ModelRefSpec, ModelSpec, NodeSpec, PartSpec,
    PartsSpec, RoiSpec, TextureSpec, WorldSpec,
};
use worldview_island::{Content, Database, Finding};
use worldview_readers::island::{meshes, read_all};

use crate::errors::{self, Answers, Broken, at};

const MAX: u32 = u32::MAX;

fn image() -> ImageSpec {
    ImageSpec::drawn(4, 2, vec![[0, 0, 0], [255, 128, 0]], |x, _| u8::from(x > 1))
}

/// Returns a level with a textured square of two triangles and a colored triangle.
fn lod() -> LodSpec {
    let square = MeshSpec::pack([(0, 0, 0), (1, 0, 1), (2, 0, 2), (0, 0, 0), (2, 0, 2), (3, 0, 3)]);
    let roof = MeshSpec::pack([(1, 0, 0), (4, 1, 0), (2, 0, 0)]);
    LodSpec {
        vertices: vec![[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.5, 1.5, 0.0]],
        normals: vec![[0.0, 0.0, -1.0], [0.0, 0.6, -0.8]],
        uvs: vec![[0.0, 1.0], [0.0, 0.0], [1.0, 0.0], [1.0, 1.0]],
        meshes: vec![MeshSpec::textured(square, "brick.gif"), MeshSpec::colored(roof, [200, 20, 30], "lego red")],
        ..LodSpec::default()
    }
}

fn parts(name: &str) -> PartsSpec {
    PartsSpec {
        parts: vec![PartSpec::new(name, vec![LodSpec { flags: 8, ..lod() }, lod()]), PartSpec::new("Arm", vec![lod()])],
        textures: vec![TextureSpec::new("moss.gif", image()), TextureSpec::pair("sail.gif", image(), image())],
        ..PartsSpec::default()
    }
}

fn model() -> ModelSpec {
    let node = NodeSpec::new("wall").rotation(0, [1.0, 0.0, 0.0, 0.0]).scale(0, [1.0; 3]).morph(0, 1);
    let roi =
        RoiSpec::new("hut", Vec::new()).child(RoiSpec::new("wall", vec![lod(), lod()])).child(RoiSpec::shared("leg01"));
    let mut model = ModelSpec::of(roi, NodeSpec::new("hut").translation(0, [0.0; 3]).child(node));
    model.animation.actors = vec![ActorSpec::default(), ActorSpec { name: b"Pepe".to_vec(), kind: 2 }];
    model.texture(TextureSpec::new("brick.gif", image())).texture(TextureSpec::new("roof.gif", image()))
}

/// Returns a database with two worlds that share a part blob and a model.
fn base() -> DatabaseSpec {
    DatabaseSpec {
        worlds: vec![
            WorldSpec::new("HILL").part("Leg", 0).part("arm", 0).model(ModelRefSpec::new("hut", 1)),
            WorldSpec::new("VALE").part("leg", 0).model(ModelRefSpec::new("hut", 1).at([3.0, 0.0, 0.0])),
        ],
        textures: vec![TextureSpec::new("grass.gif", image()), TextureSpec::new("brick.gif", image())],
        parts: parts("HAT"),
        blobs: vec![BlobSpec::parts(parts("Leg")), BlobSpec::model(model())],
        ..DatabaseSpec::default()
    }
}

/// Returns all broken files by name.
pub(crate) fn broken_files() -> Vec<(String, Vec<u8>)> {
    let mut broken = Broken::new("", build(&base()));
    directory(&mut broken);
    chunks(&mut broken);
    part_blobs(&mut broken);
    levels(&mut broken);
    corners(&mut broken);
    models(&mut broken);
    broken.files
}

/// Adds a file that ends `more` bytes after a label.
fn cut(broken: &mut Broken, label: &str, more: usize) {
    broken.cut(&format!("{more} bytes behind {label}"), |built| at(built, label) + more);
}

fn directory(broken: &mut Broken) {
    broken.bytes("an empty file", b"");
    broken.bytes("three bytes", [1, 0, 0]);
    broken.bytes("a text file", b"This is no database, and says so in words.");
    broken.words("world_count", &[3, 0x7FFF_FFFF, 0x8000_0000, MAX]);
    broken.words("world[1].name_len", &[MAX, 100_000]);
    broken.words("world[1].part_count", &[MAX, 100_000]);
    broken.word("world[0].part[1].name_len", MAX);
    broken.word("world[0].part[1].length", 100_000);
    broken.word("world[0].part[1].offset", MAX);
    broken.words("world[1].model_count", &[0x8000_0000, 100_000]);
    broken.word("world[1].model[0].name_len", 0x4000_0000);
    broken.word("world[1].model[0].offset", 0x8000_0000);
    broken.word("world[1].model[0].presenter_len", MAX);
    broken.word("world[0].name_len", 0x7FFF_FFFF);
    broken.word("world[0].part[0].offset", 3125);
    broken.word("world[1].model[0].length", MAX);
    cut(broken, "world[0].name", 2);
    cut(broken, "world[0].part[1]", 7);
    cut(broken, "world[0].model[0].location", 5);
    cut(broken, "world[1].model[0].visible", 0);
}

fn chunks(broken: &mut Broken) {
    cut(broken, "textures.size", 0);
    broken.words("textures.size", &[MAX, 3]);
    broken.words("textures.texture_count", &[100_000, 3]);
    broken.word("textures.texture[1].name_len", 50_000);
    broken.word("textures.texture[1].width", 50_000);
    cut(broken, "textures.texture[1].name", 3);
    cut(broken, "textures.texture[1].palette", 4);
    cut(broken, "textures.texture[1].pixels", 7);
    broken.word("textures.texture[0].height", MAX);
    broken.words("textures.texture[0].color_count", &[256, MAX]);
    broken.change("both measures of a texture = 0xffffffff", |built| {
        built.words_le(&[("textures.texture[1].width", MAX), ("textures.texture[1].height", MAX)]);
    });
    broken.words("textures.texture[1].color_count", &[257, 200]);
    broken.word("parts.size", 0x8000_0000);
    broken.word("parts.part_count", 100_000);
    cut(broken, "parts.part[1].lod[0].vertices", 10);
    broken.word("parts.size", 7);
    broken.words("parts.texture_offset", &[7, MAX]);
    broken.word("parts.part[1].end_offset", MAX);
    broken.word("parts.texture[1].second.height", MAX);
}

fn part_blobs(broken: &mut Broken) {
    broken.words("blob[0].texture_offset", &[4, 100_000]);
    broken.words("blob[0].texture_count", &[100_000, 3]);
    broken.word("blob[0].texture[1].name_len", 5000);
    broken.word("blob[0].texture[1].second.width", 5000);
    broken.word("blob[0].texture[1].second.color_count", 0x101);
    broken.words("blob[0].part_count", &[100_000, 3]);
    broken.word("blob[0].part[1].name_len", 100_000);
    broken.words("blob[0].part[1].lod_count", &[100_000, 2]);
    broken.words("blob[0].part[1].end_offset", &[9, 100_000]);
}

fn levels(broken: &mut Broken) {
    let lod = "blob[0].part[0].lod[1]";
    broken.words(&format!("{lod}.mesh_count"), &[100_000, 3]);
    broken.words(&format!("{lod}.counts"), &[0x7FFF, 0xFFFE_0000]);
    broken.word(&format!("{lod}.uv_count"), 0x7FFF_FFFF);
    broken.word(&format!("{lod}.mesh_count"), MAX);
    broken.word(&format!("{lod}.mesh[0].triangle_count"), 3);
    broken.word(&format!("{lod}.mesh[0].texture_len"), MAX);
    broken.word(&format!("{lod}.mesh[1].triangle_count"), 0xFFFF);
    broken.word(&format!("{lod}.mesh[1].uv_index_count"), 1);
    broken.word(&format!("{lod}.mesh[1].texture_len"), 100_000);
    broken.word(&format!("{lod}.mesh[1].material_len"), 100_000);
}

fn corners(broken: &mut Broken) {
    let mesh = "blob[1].roi.child[0].lod[1].mesh[0]";
    broken.behind(&format!("{mesh}.corners"), 8, 0x8000_0005);
    broken.behind(&format!("{mesh}.corners"), 8, 0x8002_0002);
    broken.behind(&format!("{mesh}.corners"), 0, 0);
    broken.behind(&format!("{mesh}.corners"), 16, 0x0003_0003);
    broken.behind(&format!("{mesh}.uv_indices"), 4, 4);
    broken.behind(&format!("{mesh}.uv_indices"), 20, MAX);
    broken.words(&format!("{mesh}.vertex_count"), &[3, 5]);
    // The mesh then refers to normals or texture coordinates that the level does not have.
    broken.change("a level without normals", |built| {
        let lod = "blob[1].roi.child[0].lod[1]";
        let counts = built.read_u32_le(&format!("{lod}.counts")).unwrap();
        let uvs = built.read_u32_le(&format!("{lod}.uv_count")).unwrap();
        // Two normals of 12 bytes take as much space as three texture coordinates of 8.
        built.words_le(&[(&format!("{lod}.counts"), counts & 0x7FFF), (&format!("{lod}.uv_count"), uvs + 3)]);
    });
}

fn models(broken: &mut Broken) {
    for (label, value) in [
        ("version", 18),
        ("version", MAX),
        ("texture_offset", 11),
        ("texture_offset", 100_000),
        ("texture_count", 100_000),
        ("texture_count", 3),
        ("texture[1].height", 0x1_0000),
        ("version", 0),
        ("actor_count", 3),
        ("actor_count", MAX),
        ("node.name_len", MAX),
        ("node.child[0].name_len", 0x8000_0000),
        ("node.child[0].morph_count", 2),
        ("node.child_count", MAX),
        // With one more node, the bytes after the tree are read as a node.
        ("node.child_count", 2),
        ("roi.child_count", MAX),
        ("roi.child[0].name_len", MAX),
        ("roi.child[0].end_offset", 200),
        ("actor_count", 100_000),
        ("actor[1].name_len", 100_000),
        ("node.name_len", 100_000),
        ("node.translation_count", 0xFFFF),
        ("node.child[0].rotation_count", 0xFFFF),
        ("node.child[0].scale_count", 0xFFFF),
        ("node.child[0].morph_count", 0xFFFF),
        ("node.child_count", 100_000),
        ("node.child[0].child_count", 100_000),
        ("roi.name_len", 100_000),
        ("roi.child[0].texture_len", 100_000),
        ("roi.child[0].lod_count", 100_000),
        ("roi.child[0].lod_count", 3),
        ("roi.child[0].end_offset", 0),
        ("roi.child[0].end_offset", 100_000),
        ("roi.child[1].shared", 0),
        ("roi.child_count", 100_000),
        ("roi.child_count", 3),
        ("roi.child[1].child_count", 100_000),
    ] {
        broken.word(&format!("blob[1].{label}"), value);
    }
    broken.words("world[1].model[0].length", &[0, 3, 11, 20, 40, 100]);
}

/// Returns the results of strict and lossy parsing for a file, and how much the latter opens.
fn answers((name, file): (String, Vec<u8>)) -> Answers {
    let mut lossy = Vec::new();
    let mut note = |finding: Finding<'_>| lossy.push(finding.to_string());
    let opened = Database::parse_lossy(&file, &mut note).map(|database| {
        let mut errors = Vec::new();
        let blobs: Vec<_> = database.blobs().iter().map(|blob| blob.read_lossy(&mut note)).collect();
        let contents = blobs.into_iter().filter_map(|blob| blob.map_err(|error| errors.push(error.to_string())).ok());
        let counts = contents
            .map(|content| counts(&content))
            .fold([0; 4], |sum, more| [0, 1, 2, 3].map(|index| sum[index] + more[index]));
        (database.worlds().len(), counts, errors)
    });
    match opened {
        Ok((worlds, [parts, objects, meshes, textures], errors)) => {
            lossy.extend(errors);
            let opens = format!("{worlds} worlds, blobs of {parts} parts, {objects} objects, {meshes} meshes that");
            lossy.push(format!("opens {opens} decode, {textures} textures"));
        }
        Err(error) => lossy.push(error.to_string()),
    }
    Answers { strict: read_all(&file).err(), space: file.len() as u64, name, lossy }
}

fn counts(content: &Content<'_>) -> [usize; 4] {
    let decoded = meshes(content).filter(|mesh| mesh.decode_into(&mut Default::default()).is_ok()).count();
    match content {
        Content::Parts(parts) => [parts.len(), 0, decoded, parts.textures.len()],
        Content::Model(model) => [0, model.rois.len(), decoded, model.textures.len()],
    }
}

#[test]
fn errors_of_broken_databases_match_the_golden_table() {
    let whole = answers(("whole".to_owned(), build(&base()).bytes));
    let opens = "opens 2 worlds, blobs of 2 parts, 3 objects, 10 meshes that decode, 4 textures".to_owned();
    assert_eq!((whole.strict, whole.lossy), (None, vec![opens]));
    let answers: Vec<_> = broken_files().into_iter().map(answers).collect();
    errors::hold("island_errors.txt", &answers, &[]);
}
