use worldview_corpus::island::build::build;
use worldview_corpus::island::generate::deep_rois;
use worldview_corpus::island::spec::{
    ActorSpec, BlobSpec, CornerSpec, DatabaseSpec, ImageSpec, LodSpec, MeshSpec, ModelRefSpec, ModelSpec, NodeSpec,
    PartSpec, PartsSpec, RoiSpec, TextureSpec, WorldSpec,
};

use super::{golden, to_json};
use crate::open;

fn dump(bytes: &[u8], full: bool) -> String {
    super::dump(&open::database, bytes, "world", full)
}

/// A small database with at least one of everything.
pub(crate) fn few() -> DatabaseSpec {
    let corners = vec![
        CornerSpec::New { vertex: 1, normal: 0, uv: 0 },
        CornerSpec::New { vertex: 0, normal: 0, uv: 0 },
        CornerSpec::Back(0),
    ];
    let lod = |meshes| LodSpec {
        flags: 8,
        vertices: vec![[0.0, 0.1, -1.0], [1.0, f32::NAN, 1e30]],
        normals: vec![[0.0, 1.0, 0.0]],
        uvs: vec![[0.5, 0.25]],
        meshes,
        ..LodSpec::default()
    };
    let broken = MeshSpec { corners: vec![CornerSpec::Back(5); 3], ..MeshSpec::default() };
    let plain = MeshSpec { alpha: 0.6, material: b"caf\xe9".to_vec(), ..MeshSpec::colored(vec![], [1, 2, 255], "") };
    let textured = MeshSpec::textured(corners, "sky.gif");
    let image = |width| ImageSpec::drawn(width, 2, vec![[0; 3], [255, 0, 1]], |x, y| u8::try_from(x + y).unwrap() % 2);
    let node = NodeSpec::new("root")
        .translation(0, [1.0, 2.0, 3.5])
        .rotation(70_000, [1.0, 0.0, 0.0, -0.0])
        .scale(5, [1.0; 3])
        .morph(9, 1)
        .child(NodeSpec::new("arm"));
    let roi = RoiSpec { texture: b"t_x".to_vec(), ..RoiSpec::new("root", vec![LodSpec::empty(4)]) };
    let mut model = ModelSpec::of(roi.child(RoiSpec::shared("leg1")), node);
    model.animation.actors = vec![ActorSpec { name: b"pepper".to_vec(), kind: 2 }, ActorSpec::default()];
    model.textures = vec![TextureSpec::pair("sky.gif", image(1), image(2))];
    let parts = PartsSpec {
        parts: vec![PartSpec::new("leg\0x", vec![lod(vec![plain, textured, broken])]), PartSpec::new("", vec![])],
        ..PartsSpec::default()
    };
    let mut world = WorldSpec::new("ISLE").part("Leg", 0).part("LEG", 0).model(ModelRefSpec::new("man", 1));
    world.models.push(ModelRefSpec { name: Vec::new(), presenter: b"no".to_vec(), ..ModelRefSpec::new("", 2) });
    DatabaseSpec {
        worlds: vec![world],
        textures: vec![TextureSpec::new("a.gif", image(2))],
        textures_trailing: vec![7, 8],
        blobs: vec![BlobSpec::parts(parts), BlobSpec::model(model), BlobSpec::raw([18, 0, 0, 0])],
        ..DatabaseSpec::default()
    }
}

/// The goldens were checked against the builder's labels and the dumps of the same file by version 1.
#[test]
fn a_database_to_the_letter() {
    let bytes = build(&few()).bytes;
    golden("world.txt", include_str!("world.txt"), &dump(&bytes, true));
    golden("world.json", include_str!("world.json"), &to_json(&open::database, &bytes, "world"));
}

#[test]
fn without_full_lines_are_left_out_and_no_line_is_another() {
    let bytes = build(&few()).bytes;
    let (short, full) = (dump(&bytes, false), dump(&bytes, true));
    let mut rest = full.lines();
    for line in short.lines() {
        assert!(rest.any(|other| other == line), "{line:?} is not in the full dump, or not in its place");
    }
    assert!(full.lines().count() > short.lines().count());
}

#[test]
fn trees_of_any_depth_are_flat() {
    let dump = dump(&deep_rois(5000), false);
    let deepest = dump.lines().map(|line| line.len() - line.trim_start().len()).max();
    // Blob, object, level of detail, and the fields of that level.
    assert!(deepest <= Some(2 * 3), "{deepest:?}");
    assert!(dump.contains("    parent 4900\n"));
}
