//! Compares the output of the builder with bytes written by hand from the format notes.

use worldview_corpus::island::build::{build, build_model, build_parts};
use worldview_corpus::island::spec::{
    ActorSpec, BlobSpec, CornerSpec, DatabaseSpec, ImageSpec, KeySpec, LodSpec, LodsSpec, MeshSpec, ModelRefSpec,
    ModelSpec, NodeSpec, PartSpec, PartsSpec, RoiSpec, TextureSpec, WorldSpec, with_nul,
};

const ONE: [u8; 4] = [0, 0, 0x80, 0x3F];
const TWO: [u8; 4] = [0, 0, 0, 0x40];
const HALF: [u8; 4] = [0, 0, 0, 0x3F];
const ZERO: [u8; 4] = [0; 4];

fn floats(values: &[[u8; 4]]) -> Vec<u8> {
    values.concat()
}

/// An image of 2 × 1 pixels: blue, then red.
fn image_by_hand() -> Vec<u8> {
    b"\x02\0\0\0\x01\0\0\0\x02\0\0\0\xFF\0\0\0\0\xFF\x01\0".to_vec()
}

fn image() -> ImageSpec {
    ImageSpec { width: 2, height: 1, palette: vec![[255, 0, 0], [0, 0, 255]], pixels: vec![1, 0] }
}

/// A level of detail with three positions, one normal, two texture coordinates, and one mesh of two triangles.
fn lod_by_hand() -> Vec<u8> {
    let mut b = b"\x08\0\0\0\x01\0\0\0".to_vec();
    // Three positions; one normal, whose count is shifted by one; bits 15 and 16, which have no meaning.
    b.extend(b"\x03\x80\x03\0\x02\0\0\0");
    b.extend(floats(&[ZERO, ZERO, ZERO, ONE, ZERO, ZERO, ZERO, ONE, ZERO]));
    b.extend(floats(&[ZERO, ZERO, ONE]));
    b.extend(floats(&[ZERO, HALF, ONE, TWO]));
    b.extend(b"\x02\0\x04\0");
    b.extend(b"\0\0\0\x80\x01\0\0\x80\x02\0\0\x80");
    // Back to the third vertex, back to the second with a different high half, and the first position once more.
    b.extend(b"\x02\0\x02\0\x01\0\xFF\x7F\0\0\0\x80");
    // A count that is not a multiple of three, and still an index for each of the six corners.
    b.extend(b"\x05\0\0\0");
    b.extend(b"\x01\0\0\0\0\0\0\0\x01\0\0\0\x63\0\0\0\xFF\xFF\xFF\xFF\0\0\0\0");
    b.extend(b"\x10\x20\x30");
    b.extend(HALF);
    b.extend(b"\x01\x0A\x07\x02\x03\0\0\0Fur\x02\0\0\0Mt");
    b
}

fn lod() -> LodSpec {
    let new = |vertex, uv| CornerSpec::New { vertex, normal: 0, uv };
    let corners = vec![
        new(0, 1),
        new(1, 0),
        new(2, 1),
        CornerSpec::Raw { corner: 0x0002_0002, uv: 99 },
        CornerSpec::Raw { corner: 0x7FFF_0001, uv: u32::MAX },
        new(0, 0),
    ];
    let mesh = MeshSpec {
        has_uvs: true,
        uv_index_count: Some(5),
        color: [0x10, 0x20, 0x30],
        alpha: 0.5,
        shading: 1,
        specular: 10,
        unknown: 7,
        alias: 2,
        material: b"Mt".to_vec(),
        ..MeshSpec::textured(corners, "Fur")
    };
    LodSpec {
        flags: 8,
        vertices: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        normals: vec![[0.0, 0.0, 1.0]],
        uvs: vec![[0.0, 0.5], [1.0, 2.0]],
        count_bits: 0x0001_8000,
        meshes: vec![mesh],
        ..LodSpec::default()
    }
}

/// A part with one level and two bytes after it, a part without levels, and a pair of images.
fn parts_by_hand() -> Vec<u8> {
    let lod = lod_by_hand();
    let length = u8::try_from(lod.len()).unwrap();
    let mut b = vec![length + 42, 0, 0, 0, 2, 0, 0, 0];
    b.extend(b"\x03\0\0\0Leg\x01\0\0\0");
    b.extend([length + 25, 0, 0, 0]);
    b.extend(&lod);
    b.extend(b"xy");
    b.extend(b"\x04\0\0\0None\0\0\0\0");
    b.extend([length + 41, 0, 0, 0]);
    b.extend(b"z");
    b.extend(b"\x01\0\0\0\x04\0\0\0^Fur");
    b.extend(image_by_hand());
    b.extend(b"\x01\0\0\0\x01\0\0\0\0\0\0\0\x07");
    b.extend(b"!!");
    b
}

fn parts_spec() -> PartsSpec {
    let leg = PartSpec { before_end: b"xy".to_vec(), ..PartSpec::new("Leg", vec![lod()]) };
    let odd = ImageSpec { width: 1, height: 1, palette: Vec::new(), pixels: vec![7] };
    PartsSpec {
        parts: vec![leg, PartSpec::new("None", Vec::new())],
        before_textures: b"z".to_vec(),
        textures: vec![TextureSpec::pair("Fur", image(), odd)],
        trailing: b"!!".to_vec(),
    }
}

#[test]
fn the_builder_writes_parts_by_the_notes() {
    let built = build_parts(&parts_spec());
    let hand = parts_by_hand();
    assert_eq!(built.bytes, hand);
    let lod_at = 8 + 4 + 3 + 8;
    assert_eq!(built.at("part[0].lod[0].counts"), Some(lod_at + 8));
    assert_eq!(built.read_u32_le("part[0].end_offset"), built.at("part[1]").and_then(|at| u32::try_from(at).ok()));
    assert_eq!(built.read_u32_le("texture_offset"), built.at("texture_count").and_then(|at| u32::try_from(at).ok()));
}

/// Two actors, one without a name; a node with keys of every kind and a child; an object with a child that shares its
/// levels.
fn model_by_hand() -> Vec<u8> {
    let mut b = b"\x13\0\0\0....\x05\0\0\0".to_vec();
    b.extend(b"\x02\0\0\0\0\0\0\0\x02\0\0\0Al\x09\0\0\0");
    b.extend(b"\xFE\xFF\xFF\xFF");
    b.extend(b"\x04\0\0\0Root");
    b.extend(b"\x01\0\x10\x27\0\x01");
    b.extend(floats(&[ONE, TWO, HALF]));
    b.extend(b"\x01\0\xFF\xFF\xFF\x05");
    b.extend(floats(&[HALF, ONE, TWO, ZERO]));
    b.extend(b"\x01\0\0\0\0\0");
    b.extend(floats(&[ONE, ONE, TWO]));
    b.extend(b"\x02\0\0\0\0\0\0\x10\x27\0\0\x02");
    b.extend(b"\x01\0\0\0");
    b.extend(b"\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0");
    b.extend(b"\x04\0\0\0ROOT");
    b.extend(floats(&[ZERO, ONE, TWO, HALF]));
    b.extend(floats(&[ZERO, ZERO, ZERO, ONE, ONE, ONE]));
    b.extend(b"\x05\0\0\0t_Fur\0");
    let end = u8::try_from(b.len() + 8 + 4 + 8 + 1).unwrap();
    b.extend([2, 0, 0, 0, end, 0, 0, 0]);
    // A level whose flags say that nothing follows, a level without meshes, and an extra byte at the end.
    b.extend(b"\x0C\0\0\0\0\0\0\0\0\0\0\0e");
    b.extend(b"\x01\0\0\0");
    b.extend(b"\x05\0\0\0leg03");
    b.extend([0; 40]);
    b.extend(b"\0\0\0\0\x01\0\0\0\0");
    let list = u16::try_from(b.len()).unwrap().to_le_bytes();
    b[4..8].copy_from_slice(&[list[0], list[1], 0, 0]);
    b.extend(b"\x01\0\0\0\x07\0\0\0\x01\0\0\0F");
    b.extend(image_by_hand());
    b
}

fn model_spec() -> ModelSpec {
    let root = NodeSpec {
        name: b"Root".to_vec(),
        translations: vec![KeySpec { time: 10_000, flags: 1, value: [1.0, 2.0, 0.5] }],
        rotations: vec![KeySpec { time: 0xFF_FFFF, flags: 5, value: [0.5, 1.0, 2.0, 0.0] }],
        scales: vec![KeySpec { time: 0, flags: 0, value: [1.0, 1.0, 2.0] }],
        morphs: vec![KeySpec { time: 0, flags: 0, value: 0 }, KeySpec { time: 10_000, flags: 0, value: 2 }],
        children: vec![NodeSpec::default()],
        raw: None,
    };
    let roi = RoiSpec {
        name: b"ROOT".to_vec(),
        center: [0.0, 1.0, 2.0],
        radius: 0.5,
        minimum: [0.0; 3],
        maximum: [1.0; 3],
        texture: b"t_Fur".to_vec(),
        lods: LodsSpec::Own { lods: vec![LodSpec::empty(12), LodSpec::empty(0)], before_end: b"e".to_vec() },
        children: vec![RoiSpec::shared("leg03")],
        raw: None,
    };
    let mut model = ModelSpec::of(roi, root).texture(TextureSpec::new("F", image()));
    model.roi_count = 5;
    model.skip_textures = 7;
    model.animation.actors = vec![ActorSpec::default(), ActorSpec { name: b"Al".to_vec(), kind: 9 }];
    model.animation.duration = -2;
    model
}

#[test]
fn the_builder_writes_a_model_by_the_notes() {
    let built = build_model(&model_spec());
    let hand = model_by_hand();
    assert_eq!(built.bytes, hand);
    assert_eq!(built.at("actor[1].kind"), Some(26));
    assert_eq!(built.at("node.child[0].child_count").map(|at| at + 4), built.at("roi"));
}

#[test]
fn the_builder_writes_a_database_by_the_notes() {
    let (part, model) = (parts_by_hand(), model_by_hand());
    let size = |bytes: &[u8]| u32::try_from(bytes.len()).unwrap().to_le_bytes();
    let mut b = b"\x01\0\0\0\x04\0\0\0Bay\0\x01\0\0\0\x04\0\0\0Leg\0".to_vec();
    let refs = b.len();
    b.extend(size(&part));
    b.extend(b"????\x01\0\0\0");
    b.extend(b"\x03\0\0\0Al\0");
    let model_ref = b.len();
    b.extend(size(&model));
    b.extend(b"????\x01\0\0\0\0");
    b.extend(floats(&[ONE, TWO, HALF, ZERO, ZERO, ONE, ZERO, ONE, ZERO]));
    b.push(3);
    let end = b.len();
    // Global textures: one with a `^` that has no meaning here, and an extra byte after it.
    b.extend(b"\x1F\0\0\0\x01\0\0\0\x02\0\0\0^a");
    b.extend(image_by_hand());
    b.extend(b"g");
    b.extend(b"\x0C\0\0\0\x08\0\0\0\0\0\0\0\0\0\0\0");
    b.extend(b"gap");
    let at = size(&b);
    b[refs + 4..refs + 8].copy_from_slice(&at);
    b.extend(&part);
    let at = size(&b);
    b[model_ref + 4..model_ref + 8].copy_from_slice(&at);
    b.extend(&model);
    b.extend(b"end");

    let reference =
        ModelRefSpec { presenter: with_nul(""), location: [1.0, 2.0, 0.5], visible: 3, ..ModelRefSpec::new("Al", 1) };
    let spec = DatabaseSpec {
        worlds: vec![WorldSpec::new("Bay").part("Leg", 0).model(reference)],
        textures: vec![TextureSpec::new("^a", image())],
        textures_trailing: b"g".to_vec(),
        blobs: vec![BlobSpec { gap: b"gap".to_vec(), ..BlobSpec::parts(parts_spec()) }, BlobSpec::model(model_spec())],
        trailing: b"end".to_vec(),
        ..DatabaseSpec::default()
    };
    let built = build(&spec);
    assert_eq!(built.bytes, b);
    assert_eq!(built.at("world[0].part[0].length"), Some(refs));
    assert_eq!(built.at("world[0].model[0].offset"), Some(model_ref + 4));
    assert_eq!(built.at("textures.size"), Some(end));
    assert_eq!(built.at("blob[1].version"), Some(b.len() - 3 - model.len()));
}
