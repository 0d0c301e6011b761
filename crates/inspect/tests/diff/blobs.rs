use worldview_corpus::island::spec::{
    ActorSpec, BlobSpec, ContentSpec, CornerSpec, ImageSpec, LodSpec, LodsSpec, MeshSpec, ModelSpec, NodeSpec,
    PartSpec, PartsSpec, RoiSpec, TextureSpec,
};

use crate::databases::database;
use crate::support::{databases, edited};

/// An image of four by two pixels.
pub(crate) fn image() -> ImageSpec {
    ImageSpec::drawn(4, 2, vec![[1, 2, 3], [4, 5, 6]], |_, _| 0)
}

/// A level of one mesh of two triangles.
pub(crate) fn lod() -> LodSpec {
    let corners = MeshSpec::pack([(0, 0, 0), (1, 0, 1), (2, 0, 0), (0, 0, 0), (2, 0, 0), (3, 0, 1)]);
    LodSpec {
        vertices: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]],
        normals: vec![[0.0, 0.0, 1.0]],
        uvs: vec![[0.0, 0.0], [1.0, 0.5]],
        meshes: vec![MeshSpec { material: b"lego red".to_vec(), ..MeshSpec::textured(corners, "rust.gif") }],
        ..LodSpec::default()
    }
}

pub(crate) fn parts() -> PartsSpec {
    PartsSpec {
        parts: vec![PartSpec::new("oak", vec![LodSpec::empty(4), lod()]), PartSpec::new("fir", vec![lod()])],
        textures: vec![TextureSpec::pair("leaf.gif", image(), image())],
        ..PartsSpec::default()
    }
}

pub(crate) fn model() -> ModelSpec {
    let wheel = RoiSpec::new("wheel", vec![lod()]).child(RoiSpec::shared("spoke1"));
    let roi = RoiSpec::new("bike", vec![]).child(wheel).child(RoiSpec::shared("seat1"));
    let node = NodeSpec::new("wheel")
        .translation(0, [1.0, 2.0, 3.0])
        .translation(100, [0.0; 3])
        .rotation(50, [1.0, 0.0, 0.0, 0.0])
        .scale(60, [1.0; 3])
        .morph(70, 1)
        .child(NodeSpec::new("spoke1"));
    let mut model = ModelSpec::of(roi, NodeSpec::new("bike").child(node).child(NodeSpec::new("seat1")));
    model.animation.actors.push(ActorSpec { name: b"pepper".to_vec(), kind: 2 });
    model.animation.duration = 100;
    model.texture(TextureSpec::new("rust.gif", image()))
}

/// What an edit of the model makes of the database; what stands before all of it is left out.
fn told(edit: impl FnOnce(&mut ModelSpec)) -> Vec<String> {
    let other = edited(&database(), |database| {
        let ContentSpec::Model(model) = &mut database.blobs[1].content else { panic!() };
        edit(model);
    });
    bare(&databases(&database(), &other), "world 0 \"ACT1\", model 0 \"Bike\"")
}

fn told_of_parts(edit: impl FnOnce(&mut PartsSpec)) -> Vec<String> {
    let other = edited(&database(), |database| {
        let ContentSpec::Parts(parts) = &mut database.blobs[0].content else { panic!() };
        edit(parts);
    });
    bare(&databases(&database(), &other), "world 0 \"ACT1\", part 0 \"trees\"")
}

fn bare(lines: &[String], place: &str) -> Vec<String> {
    let bare = |line: &String| line.replacen(&format!("{place}, "), "", 1).replacen(&format!("{place}: "), "", 1);
    lines.iter().map(bare).collect()
}

/// The first mesh of a level that is the model's wheel's.
fn mesh_told(edit: impl FnOnce(&mut LodSpec)) -> Vec<String> {
    let told = told(|model| {
        let LodsSpec::Own { lods, .. } = &mut model.roi.children[0].lods else { panic!() };
        edit(&mut lods[0]);
    });
    bare(&told, "ROI 1 \"wheel\", LOD 0")
}

#[test]
fn how_a_blob_is_stored_is_no_difference() {
    assert_eq!(told(|model| model.trailing = b"behind".to_vec()), [""; 0]);
    assert_eq!(told(|model| model.before_textures = b"between".to_vec()), [""; 0]);
    assert_eq!(told_of_parts(|parts| parts.parts[0].before_end = b"between".to_vec()), [""; 0]);
    // Positions in another order, and one that no mesh has: the same mesh.
    let shuffled = mesh_told(|lod| {
        lod.vertices.reverse();
        lod.vertices.push([9.0; 3]);
        for corner in &mut lod.meshes[0].corners {
            if let CornerSpec::New { vertex, .. } = corner {
                *vertex = 3 - *vertex;
            }
        }
    });
    assert_eq!(shuffled, [""; 0]);
}

#[test]
fn model_and_animation() {
    assert_eq!(told(|model| model.roi_count = 4), ["~ roi_count: 1 -> 4"]);
    assert_eq!(told(|model| model.skip_textures = 1), ["~ skip_textures: 0 -> 1"]);
    assert_eq!(told(|model| model.animation.duration = 90), ["~ animation: duration: 100 -> 90"]);
    assert_eq!(told(|model| model.animation.actors[0].kind = 3), ["~ actor 0 \"pepper\": type: 2 -> 3"]);
    assert_eq!(told(|model| _ = model.animation.actors.pop()), ["- actor 0 \"pepper\""]);
    let node = |edit: fn(&mut NodeSpec)| told(|model| edit(&mut model.animation.root.children[0]));
    let wheel = "animation node 1 \"wheel\"";
    for (edit, expected) in [
        (
            (|node| node.translations[0].value[1] = 5.0) as fn(&mut NodeSpec),
            "~ P, translation at 0 ms: value: 1.0 2.0 3.0 -> 1.0 5.0 3.0",
        ),
        (|node| node.translations[1].flags = 1, "~ P, translation at 100 ms: flags: 0x0 -> 0x1"),
        (|node| _ = node.translations.remove(0), "- P, translation at 0 ms: 1.0 2.0 3.0"),
        (
            |node| node.rotations[0].value[0] = -1.0,
            "~ P, rotation at 50 ms: value: 1.0 0.0 0.0 0.0 -> -1.0 0.0 0.0 0.0",
        ),
        (|node| _ = node.scales.pop(), "- P, scale at 60 ms: 1.0 1.0 1.0"),
        (|node| node.morphs[0].value = 0, "~ P, morph at 70 ms: value: 1 -> 0"),
        (|node| node.name = b"Wheel".to_vec(), "~ P: name: \"wheel\" -> \"Wheel\""),
        (|node| _ = node.children.pop(), "- animation node 2 \"spoke1\""),
    ] {
        assert_eq!(node(edit), [expected.replace('P', wheel)]);
    }
    let moved = told(|model| {
        let spoke = model.animation.root.children[0].children.pop().unwrap();
        model.animation.root.children[1].children.push(spoke);
    });
    assert_eq!(
        moved,
        [
            "~ animation node 2 \"spoke1\": parent: 1 \"wheel\" -> 2 \"seat1\"",
            "~ animation nodes: order: spoke1 -> seat1"
        ]
    );
}

#[test]
fn objects() {
    let roi = |edit: fn(&mut RoiSpec)| told(|model| edit(&mut model.roi.children[0]));
    let wheel = "ROI 1 \"wheel\"";
    for (edit, expected) in [
        ((|roi| roi.radius = 7.0) as fn(&mut RoiSpec), "~ P: radius: 0.70710677 -> 7.0"),
        (|roi| roi.centre[0] = 7.0, "~ P: centre: 0.5 0.5 0.0 -> 7.0 0.5 0.0"),
        (|roi| roi.minimum[0] = -7.0, "~ P: minimum: 0.0 0.0 0.0 -> -7.0 0.0 0.0"),
        (|roi| roi.maximum[2] = 7.0, "~ P: maximum: 1.0 1.0 0.0 -> 1.0 1.0 7.0"),
        (|roi| roi.texture = b"lego red".to_vec(), "~ P: color_name: absent -> \"lego red\""),
        (|roi| _ = roi.children.pop(), "- ROI 2 \"spoke1\""),
        (|roi| roi.children.insert(0, RoiSpec::shared("axle1")), "+ ROI 2 \"axle1\""),
        (|roi| roi.children[0].lods = LodsSpec::Shared(2), "~ ROI 2 \"spoke1\": shared: 1 -> 2"),
    ] {
        assert_eq!(roi(edit), [expected.replace('P', wheel)]);
    }
    let levels = roi(|roi| roi.lods = LodsSpec::Own { lods: vec![lod(), lod()], before_end: Vec::new() });
    assert_eq!(levels, ["+ ROI 1 \"wheel\", LOD 1"]);
    // Those that share a name are told apart by what they are below.
    let two = |edit: fn(&mut RoiSpec)| {
        edited(&database(), |database| {
            let roi = RoiSpec::new("root", vec![])
                .child(RoiSpec::new("left", vec![]).child(RoiSpec::shared("hand1")))
                .child(RoiSpec::new("right", vec![]).child(RoiSpec::shared("hand1")));
            let roi = edited(&roi, edit);
            database.blobs[2] = BlobSpec::model(ModelSpec::of(roi, NodeSpec::new("root")));
        })
    };
    let told = databases(&two(|_| {}), &two(|roi| _ = roi.children[0].children.pop()));
    assert_eq!(told, ["- world 0 \"ACT1\", model 1 \"tower\", ROI 2 \"hand1\""]);
}

#[test]
fn parts_and_textures() {
    assert_eq!(told_of_parts(|parts| _ = parts.parts.remove(0)), ["- part 0 \"oak\""]);
    assert_eq!(told_of_parts(|parts| parts.parts.swap(0, 1)), ["~ parts: order: oak -> fir"]);
    assert_eq!(
        told_of_parts(|parts| parts.parts[0].lods[0].flags = 12),
        ["~ part 0 \"oak\", LOD 0: flags: 0x4 -> 0xc"]
    );
    let texture = |edit: fn(&mut TextureSpec)| told_of_parts(|parts| edit(&mut parts.textures[0]));
    let place = "texture 0 \"^leaf.gif\"";
    for (edit, expected) in [
        (
            (|texture| texture.second.as_mut().unwrap().palette[1] = [7, 8, 255]) as fn(&mut TextureSpec),
            "~ P, high quality: palette: #040506 at 1 -> #0708ff at 1",
        ),
        (|texture| texture.image.pixels[6] = 1, "~ P, low quality: pixels: 0 at 2,1 -> 1 at 2,1"),
        (|texture| texture.image.palette.push([0; 3]), "~ P, low quality: colors: 2 -> 3"),
        (|texture| texture.name = b"^Leaf.gif".to_vec(), "~ P: name: \"^leaf.gif\" -> \"^Leaf.gif\""),
        // The name says that there are two; the one that is shown is the same.
        (
            |texture| (texture.name, texture.second) = (b"leaf.gif".to_vec(), None),
            "~ P: name: \"^leaf.gif\" -> \"leaf.gif\"",
        ),
        (|texture| texture.name = b"^bark.gif".to_vec(), "- P\n+ texture 0 \"^bark.gif\""),
    ] {
        assert_eq!(texture(edit).join("\n"), expected.replace('P', place));
    }
    let size = texture(|texture| texture.image = ImageSpec::plain(4, 1, [1, 2, 3]));
    assert_eq!(
        size,
        [format!("~ {place}, low quality: size: 4x2 -> 4x1"), format!("~ {place}, low quality: colors: 2 -> 1")]
    );
}

#[test]
fn meshes() {
    let mesh = |edit: fn(&mut MeshSpec)| bare(&mesh_told(|lod| edit(&mut lod.meshes[0])), "mesh 0");
    for (edit, expected) in [
        ((|mesh| mesh.colour = [1, 2, 255]) as fn(&mut MeshSpec), "~ color: ffffff -> 0102ff"),
        (|mesh| mesh.alpha = 0.5, "~ alpha: 0.0 -> 0.5"),
        (|mesh| mesh.shading = 2, "~ shading: 1 -> 2"),
        (|mesh| mesh.specular = 1, "~ specular: 0 -> 1"),
        (|mesh| mesh.unknown = 1, "~ unknown: 0 -> 1"),
        (|mesh| mesh.alias = 1, "~ alias: 0 -> 1"),
        (|mesh| mesh.texture = b"moss.gif".to_vec(), "~ texture: \"rust.gif\" -> \"moss.gif\""),
        (
            |mesh| mesh.has_uvs = false,
            "~ uv_index_count: given -> none\n~ uvs: 1.0 0.5 at 1 -> 0.0 0.0 at 1 (the first of 2)",
        ),
        (|mesh| mesh.material = Vec::new(), "~ material: \"lego red\" -> absent"),
    ] {
        assert_eq!(mesh(edit).join("\n"), expected);
    }
    assert_eq!(mesh_told(|lod| lod.flags = 8), ["~ flags: 0x0 -> 0x8"]);
    assert_eq!(mesh_told(|lod| lod.count_bits = 0x8000), ["~ unused_bits: 0x0 -> 0x8000"]);
    assert_eq!(mesh_told(|lod| lod.meshes.push(lod.meshes[0].clone())), ["+ mesh 1: 2 triangles, 4 vertices"]);
    let fewer = mesh(|mesh| mesh.corners.truncate(3));
    assert_eq!(fewer, ["~ triangles: 2 -> 1", "~ vertices: 4 -> 3"]);
}

#[test]
fn geometry() {
    // The pack of a vertex, a normal, a texture coordinate; the second triangle's last vertex is the fourth.
    assert_eq!(
        mesh_told(|lod| lod.vertices[3] = [0.0, 2.0, 0.0]),
        ["~ mesh 0: positions: 0.0 1.0 0.0 at 3 -> 0.0 2.0 0.0 at 3"]
    );
    assert_eq!(
        mesh_told(|lod| lod.normals[0] = [0.0, 0.0, -1.0]),
        ["~ mesh 0: normals: 0.0 0.0 1.0 at 0 -> 0.0 0.0 -1.0 at 0 (the first of 4)"]
    );
    assert_eq!(
        mesh_told(|lod| lod.uvs[1] = [1.0, 1.0]),
        ["~ mesh 0: uvs: 1.0 0.5 at 1 -> 1.0 1.0 at 1 (the first of 2)"]
    );
    assert_eq!(
        mesh_told(|lod| lod.meshes[0].corners.swap(3, 4)),
        ["~ mesh 0: triangle_corners: 0 2 3 at 1 -> 2 0 3 at 1"]
    );
    let broken = mesh_told(|lod| lod.meshes[0].corners[3] = CornerSpec::Back(9));
    assert_eq!(broken, ["~ mesh 0: geometry: whole -> broken"]);
    // Where both are broken, by what is stored.
    let with = |corner| {
        edited(&database(), |database| {
            let ContentSpec::Model(model) = &mut database.blobs[2].content else { panic!() };
            let LodsSpec::Own { lods, .. } = &mut model.roi.lods else { panic!() };
            lods[0].meshes[0].corners[3] = CornerSpec::Raw { corner, uv: 0 };
        })
    };
    let told = databases(&with(8), &with(9));
    let place = "world 0 \"ACT1\", model 1 \"tower\", ROI 0 \"tower\", LOD 0";
    assert_eq!(bare(&told, place), ["~ mesh 0: corners: 0x00000008 at 3 -> 0x00000009 at 3"]);
}
