use worldview_corpus::island::build::build;
use worldview_corpus::island::spec::{
    ActorSpec, BlobSpec, DatabaseSpec, ImageSpec, LodSpec, MeshSpec, ModelRefSpec, ModelSpec, NodeSpec, PartSpec,
    PartsSpec, RoiSpec, TextureSpec, WorldSpec, with_nul,
};
use worldview_export::find::Pattern;

use crate::support::{at_its_place, in_database, only};

fn lod(texture: &str, material: &str) -> LodSpec {
    let mesh = MeshSpec {
        corners: MeshSpec::pack([(0, 0, 0), (0, 0, 0), (0, 0, 0)]),
        texture: texture.into(),
        material: material.into(),
        ..MeshSpec::default()
    };
    LodSpec { vertices: vec![[0.0; 3]], normals: vec![[0.0; 3]], meshes: vec![mesh], ..LodSpec::default() }
}

/// A database whose every text is another; the model is in two worlds.
fn database() -> DatabaseSpec {
    let texture = |name| TextureSpec::new(name, ImageSpec::plain(1, 1, [1; 3]));
    let model_ref = ModelRefSpec { presenter: with_nul("presenter03"), ..ModelRefSpec::new("model02", 1) };
    let mut roi = RoiSpec::new("roi04", vec![lod("texture05", "material06")]);
    roi.texture = b"color07".to_vec();
    let mut model = ModelSpec::of(roi, NodeSpec::new("node08")).texture(texture("texture09"));
    model.animation.actors.push(ActorSpec { name: b"actor10".to_vec(), kind: 1 });
    let parts = PartsSpec {
        parts: vec![PartSpec::new("part11", vec![lod("", ""), lod("texture12", "material13")])],
        textures: vec![TextureSpec::pair("texture14", ImageSpec::default(), ImageSpec::default())],
        ..PartsSpec::default()
    };
    DatabaseSpec {
        worlds: vec![
            WorldSpec::new("world01").part("ref15", 0).model(model_ref),
            WorldSpec::new("world16").model(ModelRefSpec { presenter: Vec::new(), ..ModelRefSpec::new("again17", 1) }),
        ],
        textures: vec![texture("texture18")],
        parts: PartsSpec { parts: vec![PartSpec::new("part19", Vec::new())], ..PartsSpec::default() },
        blobs: vec![BlobSpec::parts(parts), BlobSpec::model(model)],
        ..DatabaseSpec::default()
    }
}

#[test]
fn every_text_once() {
    let bytes = build(&database()).bytes;
    let all = [
        ("world01", "world 0 \"world01\"", "world"),
        ("model02", "world 0 \"world01\", model 0 \"model02\"", "model"),
        ("presenter03", "world 0 \"world01\", model 0 \"model02\"", "presenter"),
        ("roi04", "blob 1 \"model02\", ROI 0 \"roi04\"", "ROI"),
        ("texture05", "blob 1 \"model02\", ROI 0 \"roi04\", LOD 0, mesh 0", "texture"),
        ("material06", "blob 1 \"model02\", ROI 0 \"roi04\", LOD 0, mesh 0", "material"),
        ("color07", "blob 1 \"model02\", ROI 0 \"roi04\"", "color"),
        ("node08", "blob 1 \"model02\", animation node 0 \"node08\"", "animation node"),
        ("texture09", "blob 1 \"model02\", texture 0 \"texture09\"", "texture"),
        ("actor10", "blob 1 \"model02\", actor 0 \"actor10\"", "actor"),
        ("part11", "blob 0 \"ref15\", part 0 \"part11\"", "part"),
        ("texture12", "blob 0 \"ref15\", part 0 \"part11\", LOD 1, mesh 0", "texture"),
        ("material13", "blob 0 \"ref15\", part 0 \"part11\", LOD 1, mesh 0", "material"),
        ("^texture14", "blob 0 \"ref15\", texture 0 \"^texture14\"", "texture"),
        ("ref15", "world 0 \"world01\", part 0 \"ref15\"", "part"),
        ("world16", "world 1 \"world16\"", "world"),
        ("again17", "world 1 \"world16\", model 0 \"again17\"", "model"),
        ("texture18", "global textures, texture 0 \"texture18\"", "texture"),
        ("part19", "global parts, part 0 \"part19\"", "part"),
    ];
    for (text, place, what) in all {
        let found = in_database(&bytes, &Pattern::new(text));
        assert_eq!(only(&found, &bytes), (place.into(), what.into()));
        assert_eq!(found[0].text, text);
    }
    let found = in_database(&bytes, &Pattern::new("*"));
    assert_eq!(found.len(), all.len());
    found.iter().for_each(|found| at_its_place(found, &bytes));
}

#[test]
fn long_names_are_cut_in_places_only() {
    let long = "x".repeat(5000);
    let database = DatabaseSpec { worlds: vec![WorldSpec::new(&long)], ..DatabaseSpec::default() };
    let bytes = build(&database).bytes;
    let found = in_database(&bytes, &Pattern::new("xx"));
    assert_eq!(only(&found, &bytes), (format!("world 0 \"{}\"…", &long[..64]), "world".into()));
    assert_eq!(found[0].text, long);
}
