use worldview_corpus::island::spec::{
    ActorSpec, BlobSpec, ContentSpec, CornerSpec, ImageSpec, LodSpec, LodsSpec, MeshSpec, ModelSpec, NodeSpec,
    PartSpec, PartsSpec, RoiSpec, TextureSpec,
};

use super::databases::database;
use super::support::{databases, edited};

/// An image of four by two pixels.
pub(crate) fn image() -> ImageSpec {
    ImageSpec::drawn(4, 2, vec![[1, 2, 3], [4, 5, 6]], |_, _| 0)
}

/// A level with one mesh of two triangles.
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

/// Returns the differences that an edit of the model causes, without the common prefix of their paths.
fn differences(edit: impl FnOnce(&mut ModelSpec)) -> Vec<String> {
    let other = edited(&database(), |database| {
        let ContentSpec::Model(model) = &mut database.blobs[1].content else { panic!() };
        edit(model);
    });
    bare(&databases(&database(), &other), "blob:Bike")
}

fn differences_of_parts(edit: impl FnOnce(&mut PartsSpec)) -> Vec<String> {
    let other = edited(&database(), |database| {
        let ContentSpec::Parts(parts) = &mut database.blobs[0].content else { panic!() };
        edit(parts);
    });
    bare(&databases(&database(), &other), "blob:trees")
}

fn bare(lines: &[String], place: &str) -> Vec<String> {
    let bare = |line: &String| line.replacen(&format!("{place}/"), "", 1).replacen(&format!("{place}: "), "", 1);
    lines.iter().map(bare).collect()
}

/// Returns the differences that an edit of the first level of the model's wheel causes.
fn mesh_differences(edit: impl FnOnce(&mut LodSpec)) -> Vec<String> {
    let differences = differences(|model| {
        let LodsSpec::Own { lods, .. } = &mut model.roi.children[0].lods else { panic!() };
        edit(&mut lods[0]);
    });
    bare(&differences, "roi:wheel/lod#0")
}

#[track_caller]
fn mesh_gives(expected: &str, edit: impl FnOnce(&mut LodSpec)) {
    assert_eq!(mesh_differences(edit).join("\n"), expected);
}

#[test]
fn how_a_blob_is_stored_is_no_difference() {
    assert_eq!(differences(|model| model.trailing = b"behind".to_vec()), [""; 0]);
    assert_eq!(differences(|model| model.before_textures = b"between".to_vec()), [""; 0]);
    assert_eq!(differences_of_parts(|parts| parts.parts[0].before_end = b"between".to_vec()), [""; 0]);
    // Positions in a different order, plus one that no mesh uses: the mesh is the same.
    let shuffled = mesh_differences(|lod| {
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
    assert_eq!(differences(|model| model.roi_count = 4), ["~ roi_count: 1 -> 4"]);
    assert_eq!(differences(|model| model.animation.duration = 90), ["~ duration: 100 -> 90"]);
    assert_eq!(differences(|model| model.animation.actors[0].kind = 3), ["~ actor:pepper: type: 2 -> 3"]);
    assert_eq!(differences(|model| _ = model.animation.actors.pop()), ["- actor:pepper"]);
    let node = |edit: fn(&mut NodeSpec)| differences(|model| edit(&mut model.animation.root.children[0]));
    let wheel = "node:wheel";
    let moved = |node: &mut NodeSpec| node.translations[0].value[1] = 5.0;
    for (edit, expected) in [
        (moved as fn(&mut NodeSpec), "~ P/translation:0: value: 1.0 2.0 3.0 -> 1.0 5.0 3.0"),
        (|node| node.translations[1].flags = 1, "~ P/translation:100: flags: 0x0 -> 0x1"),
        (|node| _ = node.translations.remove(0), "- P/translation:0: 1 2 3"),
        (|node| node.rotations[0].value[0] = -1.0, "~ P/rotation:50: value: 1.0 0.0 0.0 0.0 -> -1.0 0.0 0.0 0.0"),
        (|node| _ = node.scales.pop(), "- P/scale:60: 1 1 1"),
        (|node| node.morphs[0].value = 0, "~ P/morph:70: value: 1 -> 0"),
        (|node| node.name = b"Wheel".to_vec(), "~ P: name: \"wheel\" -> \"Wheel\""),
        (|node| _ = node.children.pop(), "- node:spoke1"),
    ] {
        assert_eq!(node(edit), [expected.replace('P', wheel)]);
    }
    let moved = differences(|model| {
        let spoke = model.animation.root.children[0].children.pop().unwrap();
        model.animation.root.children[1].children.push(spoke);
    });
    assert_eq!(moved, ["~ node:spoke1: parent: node:wheel -> node:seat1", "~ nodes: order: node:spoke1 -> node:seat1"]);
}

#[test]
fn a_changed_object_is_one_difference() {
    let roi = |edit: fn(&mut RoiSpec)| differences(|model| edit(&mut model.roi.children[0]));
    let wheel = "roi:wheel";
    for (edit, expected) in [
        ((|roi| roi.radius = 7.0) as fn(&mut RoiSpec), "~ P: radius: 0.70710677 -> 7.0"),
        (|roi| roi.center[0] = 7.0, "~ P: center: 0.5 0.5 0.0 -> 7.0 0.5 0.0"),
        (|roi| roi.texture = b"lego red".to_vec(), "~ P: color_name: none -> \"lego red\""),
        (|roi| _ = roi.children.pop(), "- roi:spoke1"),
        (|roi| roi.children.insert(0, RoiSpec::shared("axle1")), "+ roi:axle1"),
        (|roi| roi.children[0].lods = LodsSpec::Shared(2), "~ roi:spoke1: shared: 1 -> 2"),
    ] {
        assert_eq!(roi(edit), [expected.replace('P', wheel)]);
    }
    let levels = roi(|roi| roi.lods = LodsSpec::Own { lods: vec![lod(), lod()], before_end: Vec::new() });
    assert_eq!(levels, ["+ roi:wheel/lod#1"]);
    // Objects with the same name are distinguished by their parents.
    let two = |edit: fn(&mut RoiSpec)| {
        edited(&database(), |database| {
            let roi = RoiSpec::new("root", vec![])
                .child(RoiSpec::new("left", vec![]).child(RoiSpec::shared("hand1")))
                .child(RoiSpec::new("right", vec![]).child(RoiSpec::shared("hand1")));
            let roi = edited(&roi, edit);
            database.blobs[2] = BlobSpec::model(ModelSpec::of(roi, NodeSpec::new("root")));
        })
    };
    let differences = databases(&two(|_| {}), &two(|roi| _ = roi.children[0].children.pop()));
    assert_eq!(differences, ["- blob:tower/roi:hand1#0"]);
}

#[test]
fn parts_and_textures() {
    assert_eq!(differences_of_parts(|parts| _ = parts.parts.remove(0)), ["- part:oak"]);
    assert_eq!(differences_of_parts(|parts| parts.parts.swap(0, 1)), ["~ parts: order: part:oak -> part:fir"]);
    let flagged = differences_of_parts(|parts| parts.parts[0].lods[0].flags = 12);
    assert_eq!(flagged, ["~ part:oak/lod#0: flags: 0x4 empty -> 0xc empty extra"]);
    let texture = |edit: fn(&mut TextureSpec)| differences_of_parts(|parts| edit(&mut parts.textures[0]));
    let place = "texture:^leaf.gif";
    let recolor = |texture: &mut TextureSpec| texture.second.as_mut().unwrap().palette[1] = [7, 8, 255];
    for (edit, expected) in [
        (recolor as fn(&mut TextureSpec), "~ P/image#1/color#1: #040506 -> #0708ff"),
        (|texture| texture.image.pixels[6] = 1, "~ P/image#0/pixel:2,1: 0 -> 1"),
        (|texture| texture.image.palette.push([0; 3]), "~ P/image#0/palette: length: 2 -> 3"),
        (|texture| texture.name = b"^Leaf.gif".to_vec(), "~ P: name: \"^leaf.gif\" -> \"^Leaf.gif\""),
        // The name marks the texture as a pair.
        (
            |texture| (texture.name, texture.second) = (b"leaf.gif".to_vec(), None),
            "~ P: name: \"^leaf.gif\" -> \"leaf.gif\"\n- P/image#1",
        ),
        (|texture| texture.name = b"^bark.gif".to_vec(), "- P\n+ texture:^bark.gif"),
    ] {
        assert_eq!(texture(edit).join("\n"), expected.replace('P', place));
    }
    let size = texture(|texture| texture.image = ImageSpec::plain(4, 1, [1, 2, 3]));
    let lines = [": height: 2 -> 1", "/palette: length: 2 -> 1"].map(|line| format!("~ {place}/image#0{line}"));
    assert_eq!(size, lines);
}

#[test]
fn a_changed_mesh_field_is_one_difference() {
    let mesh = |edit: fn(&mut MeshSpec)| bare(&mesh_differences(|lod| edit(&mut lod.meshes[0])), "mesh#0");
    for (edit, expected) in [
        ((|mesh| mesh.color = [1, 2, 255]) as fn(&mut MeshSpec), "~ color: #ffffff -> #0102ff"),
        (|mesh| mesh.alpha = 0.5, "~ alpha: 0.0 -> 0.5"),
        (|mesh| mesh.shading = 2, "~ shading: 1 -> 2"),
        (|mesh| mesh.texture = b"moss.gif".to_vec(), "~ texture: \"rust.gif\" -> \"moss.gif\""),
        (|mesh| mesh.has_uvs = false, "~ has_uv_indices: yes -> no\n~ uv#1: 1.0 0.5 -> 0.0 0.0 (the first of 2)"),
        (|mesh| mesh.material = Vec::new(), "~ material: \"lego red\" -> none"),
    ] {
        assert_eq!(mesh(edit).join("\n"), expected);
    }
    mesh_gives("~ flags: 0x0 -> 0x8 extra", |lod| lod.flags = 8);
    mesh_gives("~ unused_bits: 0x0 -> 0x8000", |lod| lod.count_bits = 0x8000);
    mesh_gives("+ mesh#1: 2 triangles, 4 vertices", |lod| lod.meshes.push(lod.meshes[0].clone()));
    let fewer = mesh(|mesh| mesh.corners.truncate(3));
    assert_eq!(fewer, ["~ triangle_count: 2 -> 1", "~ vertex_count: 4 -> 3"]);
}

#[test]
fn changed_geometry_is_listed_by_vertex_and_triangle() {
    // A position, a normal and a texture coordinate; the last vertex of the second triangle is the fourth.
    mesh_gives("~ mesh#0/position#3: 0.0 1.0 0.0 -> 0.0 2.0 0.0", |lod| lod.vertices[3] = [0.0, 2.0, 0.0]);
    mesh_gives("~ mesh#0/normal#0: 0.0 0.0 1.0 -> 0.0 0.0 -1.0 (the first of 4)", |lod| {
        lod.normals[0] = [0.0, 0.0, -1.0]
    });
    mesh_gives("~ mesh#0/uv#1: 1.0 0.5 -> 1.0 1.0 (the first of 2)", |lod| lod.uvs[1] = [1.0, 1.0]);
    mesh_gives("~ mesh#0/triangle#1: 0 2 3 -> 2 0 3", |lod| lod.meshes[0].corners.swap(3, 4));
    let broken = mesh_differences(|lod| lod.meshes[0].corners[3] = CornerSpec::Back(9));
    assert_eq!(broken, ["~ mesh#0: content: whole -> broken: earlier vertex of a corner: expected 0 to 2, found 9"]);
    // If both are broken, the stored values are compared.
    let with = |corner| {
        edited(&database(), |database| {
            let ContentSpec::Model(model) = &mut database.blobs[2].content else { panic!() };
            let LodsSpec::Own { lods, .. } = &mut model.roi.lods else { panic!() };
            lods[0].meshes[0].corners[3] = CornerSpec::Raw { corner, uv: 0 };
        })
    };
    let differences = databases(&with(8), &with(9));
    let place = "blob:tower/roi:tower/lod#0";
    let broken = "broken: earlier vertex of a corner: expected 0 to 2, found";
    assert_eq!(
        bare(&differences, place),
        ["~ mesh#0/corner#3: 0x8 -> 0x9".to_owned(), format!("~ mesh#0: content: {broken} 8 -> {broken} 9")]
    );
}
