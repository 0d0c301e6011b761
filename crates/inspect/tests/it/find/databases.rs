use worldview_corpus::island::build::build;
use worldview_corpus::island::spec::{
    ActorSpec, BlobSpec, DatabaseSpec, ImageSpec, LodSpec, MeshSpec, ModelRefSpec, ModelSpec, NodeSpec, PartSpec,
    PartsSpec, RoiSpec, TextureSpec, WorldSpec, with_nul,
};
use worldview_inspect::find::Pattern;

use super::support::{at_its_place, in_database, only};

fn lod(texture: &str, material: &str) -> LodSpec {
    let mesh = MeshSpec {
        corners: MeshSpec::pack([(0, 0, 0), (0, 0, 0), (0, 0, 0)]),
        texture: texture.into(),
        material: material.into(),
        ..MeshSpec::default()
    };
    LodSpec { vertices: vec![[0.0; 3]], normals: vec![[0.0; 3]], meshes: vec![mesh], ..LodSpec::default() }
}

/// A database in which every text is different. The model is in two worlds.
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
        ("world01", "world:world01/name", "world"),
        ("model02", "world:world01/model:model02/name", "model"),
        ("presenter03", "world:world01/model:model02/presenter", "presenter"),
        ("roi04", "blob:model02/roi:roi04/name", "roi"),
        ("texture05", "blob:model02/roi:roi04/lod#0/mesh#0/texture", "texture"),
        ("material06", "blob:model02/roi:roi04/lod#0/mesh#0/material", "material"),
        ("color07", "blob:model02/roi:roi04/color_name", "color_name"),
        ("node08", "blob:model02/node:node08/name", "node"),
        ("texture09", "blob:model02/texture:texture09/name", "texture"),
        ("actor10", "blob:model02/actor:actor10/name", "actor"),
        ("part11", "blob:ref15/part:part11/name", "part"),
        ("texture12", "blob:ref15/part:part11/lod#1/mesh#0/texture", "texture"),
        ("material13", "blob:ref15/part:part11/lod#1/mesh#0/material", "material"),
        ("^texture14", "blob:ref15/texture:^texture14/name", "texture"),
        ("ref15", "world:world01/part:ref15/name", "part"),
        ("world16", "world:world16/name", "world"),
        ("again17", "world:world16/model:again17/name", "model"),
        ("texture18", "global_textures/texture:texture18/name", "texture"),
        ("part19", "global_parts/part:part19/name", "part"),
    ];
    for (text, path, what) in all {
        let found = in_database(&bytes, &Pattern::new(text));
        assert_eq!(only(&found, &bytes), (path.into(), what.into()));
        assert_eq!(found[0].text, text);
    }
    let found = in_database(&bytes, &Pattern::new("*"));
    assert_eq!(found.len(), all.len());
    found.iter().for_each(|found| at_its_place(found, &bytes));
}
