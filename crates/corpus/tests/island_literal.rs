//! Bytes written out by hand from the notes, against the builder and the naive reader.
#![cfg(test)]
#![allow(clippy::arithmetic_side_effects, reason = "a slip fails the test")]

use worldview_corpus::island::build::{build, build_model, build_parts};
use worldview_corpus::island::naive::{
    Kind, NaiveName, Place, Real, database, decode, directory, model, parts, textures,
};
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

/// Two pixels by one: blue, then red.
fn image_by_hand() -> Vec<u8> {
    b"\x02\0\0\0\x01\0\0\0\x02\0\0\0\xFF\0\0\0\0\xFF\x01\0".to_vec()
}

fn image() -> ImageSpec {
    ImageSpec { width: 2, height: 1, palette: vec![[255, 0, 0], [0, 0, 255]], pixels: vec![1, 0] }
}

/// A level of three positions, one normal, two texture coordinates and one mesh of two triangles.
fn lod_by_hand() -> Vec<u8> {
    let mut b = b"\x08\0\0\0\x01\0\0\0".to_vec();
    // Three positions; one normal, shifted by one; the bits 15 and 16 that mean nothing.
    b.extend(b"\x03\x80\x03\0\x02\0\0\0");
    b.extend(floats(&[ZERO, ZERO, ZERO, ONE, ZERO, ZERO, ZERO, ONE, ZERO]));
    b.extend(floats(&[ZERO, ZERO, ONE]));
    b.extend(floats(&[ZERO, HALF, ONE, TWO]));
    b.extend(b"\x02\0\x04\0");
    b.extend(b"\0\0\0\x80\x01\0\0\x80\x02\0\0\x80");
    // Back to the third, back to the second with another high half, and the first position once more.
    b.extend(b"\x02\0\x02\0\x01\0\xFF\x7F\0\0\0\x80");
    // A count that is no multiple of three, and an index for each of the six corners nevertheless.
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
        colour: [0x10, 0x20, 0x30],
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

/// A part of one level and two bytes behind it, one of no level, and a pair of images.
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
fn some_parts() {
    let built = build_parts(&parts_spec());
    let hand = parts_by_hand();
    assert_eq!(built.bytes, hand);
    let lod_at = 8 + 4 + 3 + 8;
    assert_eq!(built.at("part[0].lod[0].counts"), Some(lod_at + 8));
    assert_eq!(built.read_u32_le("part[0].end_offset"), built.at("part[1]").and_then(|at| u32::try_from(at).ok()));
    assert_eq!(built.read_u32_le("texture_offset"), built.at("texture_count").and_then(|at| u32::try_from(at).ok()));

    let found = parts(&hand, Place::whole(&hand)).unwrap();
    let [leg, none] = &found.parts[..] else { panic!("two parts") };
    assert_eq!((leg.name.text(), leg.name.key(), leg.at), (b"Leg".to_vec(), b"leg".to_vec(), 8));
    assert_eq!(leg.lods_end + 2, u64::from(leg.end_offset));
    assert_eq!((none.lods.len(), none.at), (0, u64::from(leg.end_offset)));
    assert_eq!(found.parts_end + 1, u64::from(found.texture_offset));
    assert_eq!(found.textures_end + 2, u64::try_from(hand.len()).unwrap());
    let [fur] = &found.textures[..] else { panic!("one texture") };
    assert_eq!((fur.name.text(), &fur.key[..]), (b"^Fur".to_vec(), &b"fur"[..]));
    assert_eq!((fur.image.width, fur.image.height, &fur.image.pixels[..]), (2, 1, &[1, 0][..]));
    assert_eq!(fur.image.palette, [[255, 0, 0], [0, 0, 255]]);
    assert_eq!((fur.best().palette.len(), &fur.best().pixels[..]), (0, &[7][..]));

    let [lod] = &leg.lods[..] else { panic!("one level") };
    assert!(lod.is_extra());
    assert_eq!((lod.mesh_count, lod.counts, lod.uv_count), (Some(1), Some(0x0003_8003), Some(2)));
    assert_eq!((lod.vertices.len(), lod.normals.len(), lod.uvs.len()), (3, 1, 2));
    let [mesh] = &lod.meshes[..] else { panic!("one mesh") };
    assert_eq!((mesh.triangles, mesh.vertices, mesh.uv_index_count, mesh.uv_indices.len()), (2, 4, 5, 6));
    assert_eq!((mesh.colour, mesh.alpha.value()), ([16, 32, 48], 0.5));
    assert_eq!((mesh.shading, mesh.specular, mesh.unknown, mesh.alias), (1, 10, 7, 2));
    assert_eq!((mesh.texture.text(), mesh.material.text()), (b"Fur".to_vec(), b"Mt".to_vec()));

    let shape = decode(lod, mesh).unwrap();
    let of = |list: &[[f32; 3]]| list.iter().map(|v| v.map(Real::from)).collect::<Vec<_>>();
    assert_eq!(shape.positions, of(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0; 3]]));
    assert_eq!(shape.normals, of(&[[0.0, 0.0, 1.0]; 4]));
    let uvs: Vec<_> = shape.uvs.iter().map(|uv| uv.map(Real::value)).collect();
    assert_eq!(uvs, [[1.0, 2.0], [0.0, 0.5], [1.0, 2.0], [0.0, 0.5]]);
    assert_eq!(shape.indices, [0, 1, 2, 2, 1, 3]);
}

/// Two actors, one of no name; a node with keys of every kind and a child; an object with a child that shares its levels.
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
    // A level whose flags say that nothing follows, one without meshes, and a byte before the end.
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
        centre: [0.0, 1.0, 2.0],
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
fn a_model() {
    let built = build_model(&model_spec());
    let hand = model_by_hand();
    assert_eq!(built.bytes, hand);
    assert_eq!(built.at("actor[1].kind"), Some(26));
    assert_eq!(built.at("node.child[0].child_count").map(|at| at + 4), built.at("roi"));

    let found = model(&hand, Place::whole(&hand)).unwrap();
    assert_eq!((found.roi_count, found.duration, found.skip_textures), (5, -2, 7));
    assert_eq!(found.actors.iter().map(|actor| actor.kind).collect::<Vec<_>>(), [None, Some(9)]);
    assert_eq!(found.tree_end, u64::from(found.texture_offset));
    assert_eq!((found.textures.len(), found.textures_end), (1, u64::try_from(hand.len()).unwrap()));
    let [root, child] = &found.nodes[..] else { panic!("two nodes") };
    assert_eq!((root.parent, child.parent, child.name.is_absent()), (None, Some(0), true));
    let [key] = root.translations[..] else { panic!("a key") };
    assert_eq!((key.time, key.flags, key.value.map(Real::value)), (10_000, 1, [1.0, 2.0, 0.5]));
    let [key] = root.rotations[..] else { panic!("a key") };
    assert_eq!((key.time, key.flags, key.value.map(Real::value)), (0xFF_FFFF, 5, [0.5, 1.0, 2.0, 0.0]));
    assert_eq!(root.scales[0].value.map(Real::value), [1.0, 1.0, 2.0]);
    assert_eq!(root.morphs.iter().map(|key| (key.time, key.value)).collect::<Vec<_>>(), [(0, 0), (10_000, 2)]);
    let [root, leg] = &found.rois[..] else { panic!("two objects") };
    assert_eq!(root.centre.map(Real::value), [0.0, 1.0, 2.0]);
    assert_eq!((root.radius.value(), root.maximum.map(Real::value)), (0.5, [1.0; 3]));
    assert_eq!((root.texture.text(), root.shared, root.lods.len()), (b"t_Fur".to_vec(), 0, 2));
    assert_eq!(root.lods.iter().map(|lod| lod.mesh_count).collect::<Vec<_>>(), [None, Some(0)]);
    assert_eq!(root.end_offset.map(u64::from), Some(root.lods_end + 1));
    assert_eq!((leg.parent, leg.shared, leg.end_offset, leg.list_key()), (Some(0), 1, None, b"leg".to_vec()));
    assert!(leg.is_drawn() && !root.is_drawn());
}

#[test]
fn a_database() {
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
    // Global textures: one whose `^` means nothing, and a byte behind it.
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

    let found = directory(&b).unwrap();
    assert_eq!(found.end, u64::try_from(end).unwrap());
    assert_eq!(found.textures, Place { offset: found.end + 4, length: 31 });
    assert_eq!(found.parts, Place { offset: found.end + 4 + 31 + 4, length: 12 });
    let [world] = &found.worlds[..] else { panic!("one world") };
    assert_eq!((&world.name, world.name.text()), (&NaiveName(b"Bay\0".to_vec()), b"Bay".to_vec()));
    assert_eq!(world.parts[0].name.text(), b"Leg");
    let al = &world.models[0];
    assert_eq!((al.name.text(), al.presenter.text(), al.visible), (b"Al".to_vec(), Vec::new(), 3));
    assert_eq!(al.location.map(Real::value), [1.0, 2.0, 0.5]);
    assert_eq!((al.direction.map(Real::value), al.up.map(Real::value)), ([0.0, 0.0, 1.0], [0.0, 1.0, 0.0]));
    let blobs = found.blobs();
    assert_eq!(blobs, [(world.parts[0].place, Kind::Parts), (al.place, Kind::Model)]);

    let global = textures(&b, found.textures).unwrap();
    assert_eq!((&global[0].key[..], global[0].second.is_none()), (&b"^a"[..], true));
    let whole = database(&b).unwrap();
    assert_eq!(whole.directory, found);
    assert_eq!(whole.parts.unwrap().parts.len(), 0);
    assert!(whole.blobs.iter().all(|blob| blob.content.is_ok()));
}
