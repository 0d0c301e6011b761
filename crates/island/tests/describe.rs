//! What the description of a database says, against worlds whose content is written down here.
#![cfg(test)]
#![allow(clippy::arithmetic_side_effects, reason = "a slip fails the test")]

use worldview_core::describe::Describe as _;
use worldview_corpus::island::build::build;
use worldview_corpus::island::spec::{
    ActorSpec, BlobSpec, ContentSpec, CornerSpec, DatabaseSpec, ImageSpec, KeySpec, LodSpec, MeshSpec, ModelRefSpec,
    ModelSpec, NodeSpec, PartRefSpec, PartSpec, PartsSpec, PlaceSpec, RoiSpec, TextureSpec, WorldSpec,
};
use worldview_island::{Contents, Database, DatabaseDescription};

use crate::record::Record;

#[path = "support/record.rs"]
mod record;

fn record(spec: &DatabaseSpec, wants_bulk: bool) -> Record<'static> {
    let file = build(spec).bytes;
    let database = Database::parse_lossy(&file, &mut |_| {}).unwrap();
    let contents = Contents::read_lossy(&database, &mut |_| {});
    let mut record = Record { file: &file, wants_bulk, ..Record::default() };
    let _ = DatabaseDescription::new(&database, &contents).describe(&mut record);
    Record { file: &[], ..record }
}

/// Expects these facts of one part, apart from offsets.
#[track_caller]
fn expect(record: &Record<'_>, part: &str, expected: &str) {
    let own = |line: &&str| !line.split(": ").next().unwrap_or("").contains('/');
    let is_offset = |line: &&str| line.contains("offset: ") || line.contains("end: ");
    let found = record.lines.iter().filter_map(|line| line.strip_prefix(part));
    let found: Vec<_> = found.filter(own).filter(|line| !is_offset(line)).collect();
    assert_eq!(found.join(", "), expected, "{part}");
}

/// A triangle of the first three positions.
fn triangle() -> MeshSpec {
    MeshSpec::coloured(MeshSpec::pack([(0, 0, 0), (1, 0, 0), (2, 0, 0)]), [1, 2, 0xFF], "red")
}

fn level(mesh: MeshSpec) -> LodSpec {
    let vertices = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0]];
    LodSpec { vertices, normals: vec![[0.0, 0.0, 1.0]], count_bits: 0x8000, meshes: vec![mesh], ..LodSpec::default() }
}

/// Two worlds, of which the second has odd names: parts, a model that is referred to twice, and one that does not open.
fn spec() -> DatabaseSpec {
    let pair = TextureSpec::pair("skin", ImageSpec::plain(1, 1, [7, 8, 9]), ImageSpec::plain(2, 1, [1, 2, 3]));
    let parts = PartsSpec {
        parts: vec![PartSpec::new("hat", vec![LodSpec::empty(12), level(triangle())])],
        textures: vec![pair],
        ..PartsSpec::default()
    };
    let bad = MeshSpec { corners: vec![CornerSpec::Back(9); 3], ..triangle() };
    let body = RoiSpec { radius: 2.0, texture: b"t_sky".into(), ..RoiSpec::new("body", vec![level(bad)]) };
    let rois = RoiSpec::new("car", vec![]).child(RoiSpec::shared("wheel1")).child(body);
    let nodes = NodeSpec {
        rotations: vec![KeySpec { time: 7, flags: 2, value: [1.0, 0.0, 0.0, 0.5] }],
        ..NodeSpec::new("Car")
    };
    let nodes = nodes.child(NodeSpec::new("wheel1").translation(5, [1.0, 2.0, 3.5]).morph(6, 1));
    let mut model = ModelSpec::of(rois, nodes);
    model.animation.actors = vec![ActorSpec { name: b"pepper".into(), kind: 2 }, ActorSpec::default()];
    model.animation.duration = -1;
    let isle = WorldSpec::new("ISLE").part("hat", 0).model(ModelRefSpec::new("car", 1).at([1.0, 2.0, 3.0]));
    let outside = PartRefSpec { name: Vec::new(), place: PlaceSpec::Bytes { offset: u32::MAX, length: 1 } };
    let again = ModelRefSpec { name: b"taxi\0x".into(), presenter: Vec::new(), ..ModelRefSpec::new("", 1) };
    let odd = WorldSpec { name: b"w".into(), parts: vec![outside], models: vec![again, ModelRefSpec::new("bad", 2)] };
    DatabaseSpec {
        worlds: vec![isle, odd],
        textures: vec![TextureSpec::new("^sea", ImageSpec::plain(1, 1, [4, 5, 6]))],
        textures_trailing: vec![0xAB],
        blobs: vec![BlobSpec::parts(parts), BlobSpec::model(model), BlobSpec::raw([0; 8])],
        ..DatabaseSpec::default()
    }
}

#[test]
fn worlds_refer_to_shared_blobs() {
    let found = record(&spec(), false);
    let file = build(&spec()).bytes.len();
    let length = format!("length: {file} (Storage)");
    let counts = "world_count: 2 (Storage), part_reference_count: 2 (Storage), model_reference_count: 3 (Storage)";
    expect(&found, "", &format!("{length}, {counts}, blob_count: 3 (Storage)"));
    expect(&found, "worlds:0/", "world: 0 (Derived), name: \"ISLE\"");
    // 8 bytes, 15 of the part, 4 and 106 of its levels, 46 of a texture of two images.
    expect(&found, "worlds:0/parts:0/", "name: \"hat\", length: 179 (Storage), blob: -> blob Some(0)");
    for offset in ["blobs:0/textures_offset: 133", "blobs:0/parts:0/end: 133", "blobs:1/textures_offset: 415"] {
        assert!(found.lines.contains(&format!("{offset} (Storage)")), "{offset}");
    }
    let stands = "direction: [0.0, 0.0, 1.0], up: [0.0, 1.0, 0.0], visible: 1";
    // 38 bytes, 39 and 43 of the nodes, 60, 59 and 176 of the objects, 8 of no textures.
    let blob = "length: 423 (Storage), blob: -> blob Some(1)";
    let car = "presenter: \"LegoEntityPresenter\", location: [1.0, 2.0, 3.0]";
    expect(&found, "worlds:0/models:0/", &format!("name: \"car\", {blob}, {car}, {stands}"));
    // A name without its NUL, one of no bytes, a blob outside the file, and a name that goes on behind its NUL.
    expect(&found, "worlds:1/", "world: 1 (Derived), name: \"w\" in \"w\"");
    expect(&found, "worlds:1/parts:0/", "name: Absent, length: 1 (Storage), blob: -> blob None");
    let taxi =
        format!("name: \"taxi\" in \"taxi\\x00x\", {blob}, presenter: Absent, location: [0.0, 0.0, 0.0], {stands}");
    expect(&found, "worlds:1/models:0/", &taxi);
    let head = "blob: 1 (Derived), kind: \"model\", length: 423 (Storage), references: 2 (Storage)";
    let model = "model_version: 19, roi_count: 1, duration: -1, skip: 0, texture_count: 0 (Storage)";
    expect(&found, "blobs:1/", &format!("{head}, {model}"));
    expect(&found, "blobs:1/names:0/", "name: \"car\" (Derived)");
    expect(&found, "blobs:1/names:1/", "name: \"taxi\" (Derived)");
    let bad = "blob: 2 (Derived), kind: \"model\", length: 8 (Storage), references: 1 (Storage)";
    expect(&found, "blobs:2/", &format!("{bad}, broken: version of the model"));
}

#[test]
fn trees_are_flat_lists_of_named_elements() {
    let found = record(&spec(), true);
    expect(&found, "blobs:1/actors:0/", "name: \"pepper\", type: 2");
    expect(&found, "blobs:1/actors:1/", "name: Absent, type: Absent");
    let counts = |[moves, turns, sizes, morphs, below]: [u32; 5]| {
        let keys = format!("translation_count: {moves} (Storage), rotation_count: {turns} (Storage)");
        let others = format!("scale_count: {sizes} (Storage), morph_count: {morphs} (Storage)");
        format!("{keys}, {others}, child_count: {below} (Storage)")
    };
    let root = format!("parent: -> node None, name: \"Car\", {}", counts([0, 1, 0, 0, 1]));
    expect(&found, "blobs:1/nodes:0/", &root);
    let wheel = format!("parent: -> node Some(0), name: \"wheel1\", {}", counts([1, 0, 0, 1, 0]));
    expect(&found, "blobs:1/nodes:1/", &wheel);
    expect(&found, "blobs:1/nodes:0/rotations:0/", "time: 7, flags: 2, value: [1.0, 0.0, 0.0, 0.5]");
    expect(&found, "blobs:1/nodes:1/translations:0/", "time: 5, flags: 0, value: [1.0, 2.0, 3.5]");
    expect(&found, "blobs:1/nodes:1/morphs:0/", "time: 6, flags: 0, value: 1");
    let zero = "[0.0, 0.0, 0.0]";
    let wheel = format!("center: {zero}, radius: 0.0, minimum: {zero}, maximum: {zero}, color_name: Absent, shared: 1");
    let wheel = format!("parent: -> roi Some(0), name: \"wheel1\", {wheel}, child_count: 0 (Storage)");
    expect(&found, "blobs:1/rois:1/", &wheel);
    let body = "minimum: [0.0, 0.0, 0.0], maximum: [1.0, 2.0, 0.0], color_name: \"t_sky\", shared: 0";
    let body = format!("center: [0.5, 1.0, 0.0], radius: 2.0, {body}, child_count: 0 (Storage)");
    expect(&found, "blobs:1/rois:2/", &format!("parent: -> roi Some(0), name: \"body\", {body}"));
}

#[test]
fn meshes_are_rebuilt_or_broken() {
    let found = record(&spec(), true);
    let level = "blobs:0/parts:0/lods:0/";
    let none = "triangle_count: 0 (Storage), vertex_count: 0 (Storage), counts: Absent (Storage), unused_bits: 0";
    let none = format!("flags: 12, {none}, position_count: 0 (Storage), normal_count: 0 (Storage)");
    let pools = "positions: 3 [] (Storage), normals: 3 [] (Storage), uvs: 2 [] (Storage)";
    expect(&found, level, &format!("{none}, uv_count: Absent (Storage), {pools}"));
    let level = "blobs:0/parts:0/lods:1/";
    // One normal in the high bits, a bit that means nothing, three positions.
    let counts = "counts: 163843 (Storage), unused_bits: 32768, position_count: 3 (Storage), normal_count: 1 (Storage)";
    let pools =
        "positions: 3 [0, 0, 0, 3f800000, 0, 0, 0, 40000000, 0] (Storage), normals: 3 [0, 0, 3f800000] (Storage)";
    let sizes = "flags: 0, triangle_count: 1 (Storage), vertex_count: 3 (Storage)";
    expect(&found, level, &format!("{sizes}, {counts}, uv_count: 0 (Storage), {pools}, uvs: 2 [] (Storage)"));
    let looks = "color: [1, 2, 255], alpha: 0.0, shading: 1, specular: 0, unknown: 0, alias: 0, texture: Absent";
    let looks = format!("uv_index_count: 0 (Storage), has_uv_indices: false, {looks}, material: \"red\"");
    let whole = "corners: 0 [80000000, 80000001, 80000002] (Storage), uv_indices: 0 [] (Storage)";
    let points = "positions: 3 [0, 0, 0, 3f800000, 0, 0, 0, 40000000, 0] (Derived)";
    let normals = "normals: 3 [0, 0, 3f800000, 0, 0, 3f800000, 0, 0, 3f800000] (Derived)";
    let rest = "uvs: 2 [0, 0, 0, 0, 0, 0] (Derived), triangle_corners: 3 [0, 1, 2] (Derived)";
    let rebuilt = format!("triangle_count: 1, vertex_count: 3, {looks}, {whole}, {points}, {normals}, {rest}");
    expect(&found, &format!("{level}meshes:0/"), &rebuilt);
    let mesh = "blobs:1/rois:2/lods:0/meshes:0/";
    let stored = "corners: 0 [90009, 90009, 90009], uv_indices: 0 [], broken: earlier vertex of a corner";
    expect(&found, mesh, &format!("triangle_count: 1, vertex_count: 0, {looks}, {stored}"));
    // Nothing is rebuilt where nobody wants it.
    expect(&record(&spec(), false), mesh, &format!("triangle_count: 1, vertex_count: 0, {looks}"));
}

#[test]
fn textures_have_one_image_or_two() {
    let found = record(&spec(), true);
    expect(&found, "blobs:0/textures:0/", "name: \"^skin\", real_name: \"skin\" (Derived)");
    let image = |width, color| {
        let pixels = vec!["0"; width].join(", ");
        let size = format!("width: {width}, height: 1, color_count: 1 (Storage)");
        format!("{size}, palette: 0 [{color}], pixels: {width} [{pixels}]")
    };
    expect(&found, "blobs:0/textures:0/images:0/", &image(1, "70809"));
    expect(&found, "blobs:0/textures:0/images:1/", &image(2, "10203"));
    // In the global list the sign means nothing.
    expect(&found, "global_textures:0/textures:0/", "name: \"^sea\", real_name: \"^sea\" (Derived)");
    let trailing = "texture_count: 1 (Storage), trailing_length: 1 (Storage), trailing_bytes: 0 [ab] (Storage)";
    expect(&found, "global_textures:0/", trailing);
}

#[test]
fn a_list_that_is_cut_short_ends_with_why() {
    let broken = MeshSpec { triangles: Some(9999), ..triangle() };
    let parts = ["a", "b", "c"]
        .map(|name| PartSpec::new(name, vec![level(if name == "b" { broken.clone() } else { triangle() })]));
    let found =
        record(&DatabaseSpec { parts: PartsSpec { parts: parts.into(), ..PartsSpec::default() }, ..spec() }, false);
    expect(&found, "global_parts:0/", "part_count: 3 (Storage), broken: corners of mesh, texture_count: 0 (Storage)");
    expect(&found, "global_parts:0/parts:0/", "name: \"a\"");
    expect(&found, "global_parts:0/parts:1/", "");
}

/// What an element is matched by in each of three rounds.
fn likeness(spec: &DatabaseSpec, path: &str) -> [Option<u64>; 3] {
    record(spec, true).likenesses.into_iter().find(|(at, _)| at == path).unwrap().1
}

#[test]
fn matching_ignores_case_and_prefers_the_same_parent() {
    let mut other = spec();
    other.worlds[0].models[0].name = b"CAR\0".into();
    let BlobSpec { content: ContentSpec::Model(model), .. } = &mut other.blobs[1] else { panic!() };
    model.animation.root.name = b"CAR".into();
    model.roi.name = b"bus".into();
    let both = |path| (likeness(&spec(), path), likeness(&other, path));
    for path in ["worlds:0/models:0/", "blobs:1/nodes:0/", "blobs:1/nodes:1/", "blobs:1/nodes:1/morphs:0/"] {
        let (left, right) = both(path);
        assert!(left == right && left[0].is_some(), "{path}");
    }
    let (left, right) = both("blobs:1/rois:1/");
    assert!(left[0] != right[0] && left[1] == right[1] && left[1].is_some() && left[2].is_none());
    let single = TextureSpec::new("SKIN", ImageSpec::plain(1, 1, [0; 3]));
    let BlobSpec { content: ContentSpec::Parts(parts), .. } = &mut other.blobs[0] else { panic!() };
    parts.textures = vec![single];
    assert_eq!(likeness(&spec(), "blobs:0/textures:0/"), likeness(&other, "blobs:0/textures:0/"));
}
