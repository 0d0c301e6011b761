//! Transformations and animations of GLBs, and worlds and parts.

use gltf::json::Value as Json;
use serde_json::json;
use worldview_corpus::island::build::build;
use worldview_corpus::island::naive::{database, pose};
use worldview_corpus::island::spec::{
    BlobSpec, DatabaseSpec, ImageSpec, LodSpec, MeshSpec, ModelRefSpec, ModelSpec, NodeSpec, PartSpec, PartsSpec,
    RoiSpec, TextureSpec, WorldSpec,
};
use worldview_corpus::sample;
use worldview_edit::{Change, Changes, Planned, island};
use worldview_export::model::glb::{self, Options};
use worldview_island::{Contents, Database, Library, LodsAt};

use crate::models::{altered, applied, boxed, exported, node, paths, planned, saved};

/// The index of the node with a name.
fn index(json: &Json, name: &str) -> usize {
    json["nodes"].as_array().unwrap().iter().position(|node| node["name"] == name).unwrap()
}

fn with_node(glb: &[u8], name: &str, edit: impl FnOnce(&mut Json)) -> Vec<u8> {
    altered(glb, |json, _| edit(node(json, name)))
}

/// Keys of a property: times in seconds and values, as glTF has them.
type Keys<'k> = (&'k str, &'k str, &'k [(f32, Vec<f32>)]);

/// A GLB with these animations and no others.
fn animated(glb: &[u8], all: &[Keys<'_>], interpolation: &str) -> Vec<u8> {
    altered(glb, |json, binary| {
        let (mut channels, mut samplers) = (Vec::new(), Vec::new());
        for &(name, path, keys) in all {
            let mut put = |floats: &mut dyn Iterator<Item = f32>, kind: &str, count: usize| {
                let start = binary.len();
                binary.extend(floats.flat_map(f32::to_le_bytes));
                let views = json["bufferViews"].as_array_mut().unwrap();
                views.push(json!({ "buffer": 0, "byteOffset": start, "byteLength": binary.len() - start }));
                let view = views.len() - 1;
                let accessors = json["accessors"].as_array_mut().unwrap();
                accessors.push(json!({ "bufferView": view, "componentType": 5126, "count": count, "type": kind }));
                accessors.len() - 1
            };
            let input = put(&mut keys.iter().map(|(time, _)| *time), "SCALAR", keys.len());
            let kind = if path == "rotation" { "VEC4" } else { "VEC3" };
            // A value of a spline is between two tangents.
            let copies = if interpolation == "CUBICSPLINE" { 3 } else { 1 };
            let mut values = keys.iter().flat_map(|(_, value)| value.repeat(copies));
            let output = put(&mut values, kind, copies * keys.len());
            samplers.push(json!({ "input": input, "output": output, "interpolation": interpolation }));
            let node = index(json, name);
            channels.push(json!({ "sampler": samplers.len() - 1, "target": { "node": node, "path": path } }));
        }
        json["animations"] = json!([{ "channels": channels, "samplers": samplers }]);
    })
}

fn told(changes: &Changes) -> Vec<String> {
    let change = |change: &Change| match change {
        Change::Set { path, to, .. } => format!("set {path} to {to}"),
        Change::Add { path, fields, .. } => {
            let fields: Vec<_> = fields.iter().map(|(name, value)| format!("{name} {value}")).collect();
            format!("add {path} with {}", fields.join(", "))
        }
        Change::Remove { path, .. } => format!("remove {path}"),
        other => panic!("{other:?}"),
    };
    changes.iter().map(change).collect()
}

#[test]
fn a_moved_object_gets_a_key() {
    let file = boxed();
    let own = exported(&file, 0).unwrap();
    // With the export's keys, and with names alone.
    for glb in [own.clone(), saved(&own, &mut |_, _| ())] {
        let moved = with_node(&glb, "box", |node| node["translation"] = json!([1.5, 2.0, 3.0]));
        let changes = planned(&file, 0, &moved).unwrap();
        assert_eq!(told(&changes), ["add node:box/translation:0 with time 0, flags 1, value [-1.5, 2.0, 3.0]"]);
        let new = applied(&file, 0, &changes);
        let model = database(&new).unwrap();
        let model = model.model_of(0).unwrap();
        assert_eq!(pose(model, 0.0).unwrap()[1].matrix[3][..3], [-1.5, 2.0, 3.0]);
        assert!(planned(&new, 0, &moved).unwrap().is_empty());

        // A quarter turn around y, which is the inverse for the mirrored rows of the game; and a size.
        let half = std::f32::consts::FRAC_1_SQRT_2;
        let turned = with_node(&glb, "box", |node| {
            node["rotation"] = json!([0.0, half, 0.0, half]);
            node["scale"] = json!([2.0, 2.0, 2.0]);
        });
        let changes = planned(&file, 0, &turned).unwrap();
        assert_eq!(paths(&changes), ["node:box/rotation:0", "node:box/scale:0"]);
        let new = applied(&file, 0, &changes);
        let new = database(&new).unwrap();
        let matrix = pose(new.model_of(0).unwrap(), 0.0).unwrap()[1].matrix;
        // glTF turns z to x; the game's x points the other way.
        let expected = [[0.0, 0.0, 2.0], [0.0, 2.0, 0.0], [-2.0, 0.0, 0.0]];
        for (row, expected) in matrix.iter().zip(expected) {
            assert!(row.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{matrix:?}");
        }
    }
    // Rounding is no change.
    let near = with_node(&own, "box", |node| node["translation"] = json!([4e-5, -4e-5, 0.0]));
    assert!(planned(&file, 0, &near).unwrap().is_empty());
    let root = with_node(&own, "root", |node| node["translation"] = json!([1.0, 0.0, 0.0]));
    let error = planned(&file, 0, &root).unwrap_err().to_string();
    assert!(error.starts_with("node:root: references of a world place the model"), "{error}");
}

#[test]
fn a_moved_level_moves_its_positions() {
    let file = boxed();
    let glb = saved(&exported(&file, 0).unwrap(), &mut |_, _| ());
    let moved = with_node(&glb, "box LOD1", |node| node["translation"] = json!([-0.5, 0.0, 0.0]));
    let changes = planned(&file, 0, &moved).unwrap();
    let all = paths(&changes);
    let is_of_it = |path: &String| {
        path.starts_with("roi:box/lod#1/position#") || ["roi:box/maximum", "roi:box/radius"].contains(&&**path)
    };
    assert!(all.iter().all(is_of_it), "{all:?}");
    let new = applied(&file, 0, &changes);
    let (old, new) = (database(&file).unwrap(), database(&new).unwrap());
    let lods = [&old, &new].map(|all| &all.model_of(0).unwrap().rois[1].lods);
    for (old, new) in lods[0][1].vertices.iter().zip(&lods[1][1].vertices) {
        let old = old.map(|part| part.value());
        assert_eq!(new.map(|part| part.value()), [old[0] + 0.5, old[1], old[2]]);
    }
    assert_eq!(format!("{:?}", lods[0][0].vertices), format!("{:?}", lods[1][0].vertices));
}

/// A model whose object moves and turns.
fn ball() -> ModelSpec {
    let corner = |at: u16| [f32::from(at & 1), f32::from(at >> 1), 0.0];
    let lod = LodSpec {
        vertices: (0..3).map(corner).collect(),
        normals: vec![[0.0, 0.0, 1.0]],
        meshes: vec![MeshSpec::colored(MeshSpec::pack([(0, 0, 0), (1, 0, 0), (2, 0, 0)]), [9, 9, 9], "grey")],
        ..LodSpec::default()
    };
    let node = NodeSpec::new("ball")
        .translation(0, [0.0, 0.0, 0.0])
        .translation(1000, [-2.0, 4.0, 0.0])
        .translation(3000, [0.0, 0.0, 6.0])
        .rotation(0, [1.0, 0.0, 0.0, 0.0])
        .rotation(2000, [0.6, 0.0, 0.8, 0.0]);
    let roi = RoiSpec::new("root", Vec::new()).child(RoiSpec::new("ball", vec![lod]));
    ModelSpec::of(roi, NodeSpec::new("root").child(node))
}

fn file_of(world: WorldSpec, model: ModelSpec) -> Vec<u8> {
    build(&DatabaseSpec { worlds: vec![world], blobs: vec![BlobSpec::model(model)], ..DatabaseSpec::default() }).bytes
}

#[test]
fn edited_keys_become_keys() {
    let file = file_of(WorldSpec::new("ACT1").model(ModelRefSpec::new("ball", 0)), ball());
    let glb = exported(&file, 0).unwrap();
    let turns: &[(f32, Vec<f32>)] = &[(0.0, vec![0.0, 0.0, 0.0, 1.0]), (2.0, vec![0.0, 0.8, 0.0, 0.6])];
    let key = |time: f32, value: [f32; 3]| (time, value.to_vec());
    let (a, b, c) = (key(0.0, [0.0; 3]), key(1.0, [2.0, 4.0, 0.0]), key(3.0, [0.0, 0.0, 6.0]));
    let plan = |moves: &[(f32, Vec<f32>)], turns: &[(f32, Vec<f32>)]| {
        let glb = animated(&glb, &[("ball", "translation", moves), ("ball", "rotation", turns)], "LINEAR");
        let changes = planned(&file, 0, &glb).unwrap();
        let again = planned(&applied(&file, 0, &changes), 0, &glb).unwrap();
        assert!(again.is_empty(), "{:?} after {:?}", told(&again), told(&changes));
        told(&changes)
    };
    let none: [&str; 0] = [];
    assert_eq!(plan(&[a.clone(), b.clone(), c.clone()], turns), none);
    // The opposite quaternion is the same rotation, and programs round.
    let opposite = [turns[0].clone(), (2.000_003, vec![0.0, -0.8, 0.0, -0.600_01])];
    assert_eq!(plan(&[a.clone(), key(0.999_997, [2.0, 4.000_04, 0.0]), c.clone()], &opposite), none);
    assert_eq!(
        plan(&[a.clone(), key(1.0, [2.0, 5.0, 0.0]), c.clone()], turns),
        ["set node:ball/translation:1000/value to [-2.0, 5.0, 0.0]"]
    );
    assert_eq!(
        plan(&[a.clone(), b.clone(), key(2.0, [7.0, 8.0, 9.0]), c.clone()], turns),
        ["add node:ball/translation:2000 with time 2000, flags 1, value [-7.0, 8.0, 9.0]"]
    );
    assert_eq!(plan(&[a.clone(), c.clone()], turns), ["remove node:ball/translation:1000"]);
    assert_eq!(
        plan(&[a.clone(), b.clone(), c.clone()], &[turns[0].clone(), (2.0, vec![0.8, 0.0, 0.0, 0.6])]),
        ["set node:ball/rotation:2000/value to [0.6, -0.8, 0.0, 0.0]"]
    );

    // Samples, as Blender makes them: positions between two keys lie on a line, and rotations straight below the arc.
    let samples = |keys: &[(f32, Vec<f32>)], last: u16| -> Vec<(f32, Vec<f32>)> {
        let at = |frame: u16| {
            let time = f32::from(frame) / 24.0;
            let next = keys.iter().position(|(other, _)| *other >= time).unwrap_or(keys.len() - 1).max(1);
            let ((from, a), (to, b)) = (&keys[next - 1], &keys[next]);
            let part = ((time - from) / (to - from)).min(1.0);
            let value: Vec<f32> = a.iter().zip(b).map(|(a, b)| a + (b - a) * part).collect();
            let length = if value.len() == 4 { value.iter().map(|part| part * part).sum::<f32>().sqrt() } else { 1.0 };
            (time, value.iter().map(|part| part / length).collect())
        };
        (0..=last).map(at).collect()
    };
    let sampled = samples(&[a.clone(), b.clone(), c.clone()], 72);
    assert_eq!(plan(&sampled, &samples(turns, 48)), none);
    let raised = samples(&[a.clone(), b.clone(), key(3.0, [0.0, 1.0, 6.0])], 72);
    assert_eq!(plan(&raised, turns), ["set node:ball/translation:3000/value to [0.0, 1.0, 6.0]"]);
    let added = samples(&[a.clone(), b.clone(), key(1.5, [5.0, 5.0, 5.0]), c.clone()], 72);
    assert_eq!(plan(&added, turns), ["add node:ball/translation:1500 with time 1500, flags 1, value [-5.0, 5.0, 5.0]"]);

    // A key at 100 ms lies on no frame of a film with 24 frames a second.
    let between =
        NodeSpec::new("ball").translation(0, [0.0; 3]).translation(100, [-1.0, 0.0, 0.0]).translation(200, [0.0; 3]);
    let mut model = ball();
    model.animation.root.children[0] = between;
    let short = file_of(WorldSpec::new("ACT1").model(ModelRefSpec::new("ball", 0)), model);
    let moves = [key(0.0, [0.0; 3]), key(0.1, [1.0, 0.0, 0.0]), key(0.2, [0.0; 3])];
    let glb_short = exported(&short, 0).unwrap();
    for last in [4, 5] {
        let frames = samples(&moves, last);
        let edited = animated(&glb_short, &[("ball", "translation", &frames)], "LINEAR");
        assert_eq!(told(&planned(&short, 0, &edited).unwrap()), none, "{last} frames");
    }

    let refused = |keys: Keys<'_>, interpolation: &str, expected: &str| {
        let error = planned(&file, 0, &animated(&glb, &[keys], interpolation)).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    };
    refused(("ball", "translation", &[a.clone(), b.clone()]), "CUBICSPLINE", "its keys are interpolated smoothly");
    refused(("ball", "translation", &[a.clone(), b.clone()]), "STEP", "its keys jump (STEP), which in the game only");
    refused(("ball", "translation", &[b.clone(), a.clone()]), "LINEAR", "its times do not ascend");
    refused(("ball", "translation", &[key(0.0, [f32::NAN; 3])]), "LINEAR", "a number is not finite");
    let late = [a.clone(), key(17_000.0, [1.0; 3])];
    let why = "node:ball: 17000.0 does not fit: keys are at 0 to 16777.215 seconds";
    refused(("ball", "translation", &late), "LINEAR", why);

    // Rotations may jump, and samples of those that do say so, with a key between two frames.
    let steps = |file: &[u8], keys: &[(f32, Vec<f32>)], interpolation: &str| {
        let glb = animated(&exported(file, 0).unwrap(), &[("ball", "rotation", keys)], interpolation);
        planned(file, 0, &glb).map(|changes| (told(&changes), applied(file, 0, &changes)))
    };
    let turns = [turns[0].clone(), (0.77, vec![0.0, 0.8, 0.0, 0.6]), (2.0, vec![0.6, 0.0, 0.0, 0.8])];
    let (said, jumps) = steps(&file, &turns, "STEP").unwrap();
    let value = "value [0.6, 0.0, 0.8, 0.0]";
    let last = "set node:ball/rotation:2000";
    let expected = [
        &format!("add node:ball/rotation:770 with time 770, flags 5, {value}"),
        &format!("{last}/flags to 4"),
        &format!("{last}/value to [0.8, -0.6, 0.0, 0.0]"),
    ];
    assert_eq!(said.iter().collect::<Vec<_>>(), expected);
    let at_frames = |turns: &[(f32, Vec<f32>)]| -> Vec<(f32, Vec<f32>)> {
        let frame = |frame: u16| {
            let time = f32::from(frame) / 24.0;
            (time, turns.iter().rfind(|(from, _)| *from <= time).unwrap().1.clone())
        };
        (0..=50).map(frame).collect()
    };
    for (keys, interpolation) in [(turns.to_vec(), "STEP"), (at_frames(&turns), "STEP"), (at_frames(&turns), "LINEAR")]
    {
        assert_eq!(steps(&jumps, &keys, interpolation).unwrap().0, none, "{interpolation}");
    }
    // As older versions exported them.
    let doubled = [0, 0, 1, 1, 2].iter().zip([0.0, 0.769_999, 0.77, 1.999_999, 2.0]);
    let doubled: Vec<_> = doubled.map(|(at, time)| (time, turns[*at].1.clone())).collect();
    assert_eq!(steps(&jumps, &doubled, "LINEAR").unwrap().0, none);
    assert_eq!(steps(&jumps, &doubled, "STEP").unwrap().0, none);
    let mut other = turns.clone();
    other[2].1 = vec![0.0, 0.0, 0.6, 0.8];
    let expected = [format!("{last}/value to [0.8, 0.0, 0.0, 0.6]")];
    assert_eq!(steps(&jumps, &other, "STEP").unwrap().0, expected);
    assert_eq!(steps(&jumps, &at_frames(&other), "STEP").unwrap().0, expected);
    let error = steps(&jumps, &at_frames(&other), "LINEAR").unwrap_err().to_string();
    assert!(error.contains("samples do not show where"), "{error}");
    let (said, _) = steps(&jumps, &turns, "LINEAR").unwrap();
    assert_eq!(said, ["set node:ball/rotation:770/flags to 1", "set node:ball/rotation:2000/flags to 0"]);

    // Without an animation, that of the original stays, and this is said.
    let without = altered(&glb, |json, _| drop(json.as_object_mut().unwrap().remove("animations")));
    let planned = crate::models::told(&file, 0, &without).unwrap();
    assert!(planned.changes.is_empty());
    assert_eq!(crate::messages(&planned), ["has no animation of ball; that of the original stays"]);
}

/// A world that places a model three times, twice by one name.
fn placed() -> Vec<u8> {
    let names = ["tree", "ball", "tree"];
    let world = names
        .iter()
        .zip([-3.0, 0.0, 3.0])
        .fold(WorldSpec::new("ACT1"), |world, (name, x)| world.model(ModelRefSpec::new(name, 0).at([x, 1.0, 0.0])));
    file_of(world, ball())
}

fn world_glb(file: &[u8]) -> Vec<u8> {
    let database = Database::parse(file).unwrap();
    let contents = Contents::read(&database);
    let (library, mut out) = (Library::new(&database, &contents), Vec::new());
    glb::world(&library, 0, &library.world_names(0), &Options::default(), &mut out).unwrap();
    out
}

/// What edits of geometry alone do not need.
fn again(_: &Changes) -> worldview_edit::Result<Vec<u8>> {
    unreachable!("only what the exporter says of colors and names needs it");
}

#[test]
fn a_world_places_its_models() {
    let file = placed();
    let database = Database::parse(&file).unwrap();
    let glb = world_glb(&file);
    let plan = |edited: &[u8]| {
        let again = |changes: &Changes| {
            let new = island::apply(&file, &changes.clone().prefixed(&crate::path("world:ACT1")))?.to_vec();
            Ok(world_glb(&new))
        };
        let planned = worldview_import::glb_world(&database.world(0).unwrap(), &glb, edited, &again);
        let told = planned.and_then(|planned| Ok((crate::messages(&planned), told(&planned.complete()?))));
        told.map(|(notes, told)| (told, notes)).map_err(|error| error.to_string())
    };
    let nothing = (Vec::new(), Vec::new());
    assert_eq!(plan(&glb).unwrap(), nothing);
    let blender = saved(&glb, &mut |_, _| ());
    let still = "has no animation of \"ball\", \"ball\", \"ball\"; that of the original stays";
    assert_eq!(plan(&blender).unwrap(), (Vec::new(), vec![still.to_owned()]));
    let moved = |glb: &[u8], name: &str, edit: &dyn Fn(&mut Json)| plan(&with_node(glb, name, edit));
    // The nodes have the name of the model's root, and Blender numbers them in the order of the references.
    let placed = moved(&blender, "root.002", &|node| node["translation"] = json!([-3.0, 1.5, 2.0])).unwrap().0;
    assert_eq!(placed, ["set model:tree#1/location to [3.0, 1.5, 2.0]"]);
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let turned = moved(&blender, "root.001", &|node| node["rotation"] = json!([0.0, half, 0.0, half])).unwrap().0;
    // glTF turns z to x, which the game mirrors. What points up still does.
    assert_eq!(turned, ["set model:ball/direction to [-1.0, 0.0, 0.0]"]);
    // The deleted one is the first, and the others keep their numbers.
    let (told, notes) = plan(&altered(&blender, |json, _| {
        let at = index(json, "root");
        let below = json["nodes"][at]["children"][0].as_u64().unwrap() as usize;
        (json["nodes"][at], json["nodes"][below]) = (json!({ "name": "gone" }), json!({ "name": "gone too" }));
        node(json, "root.002")["translation"] = json!([0.0, 0.0, 0.0]);
    }))
    .unwrap();
    assert_eq!(told, ["set model:tree#1/location to [0.0, 0.0, 0.0]"]);
    assert_eq!(
        notes,
        [
            "has no animation of \"ball\", \"ball\"; that of the original stays",
            "lacks 1 of the world's models; their references stay; a changes file can remove them",
            "node \"gone too\": the export has no such node; not read",
            "node \"gone\": the export has no such node; not read",
        ]
    );

    let refused = |told: Result<(Vec<String>, Vec<String>), String>, expected: &str| {
        let error = told.unwrap_err();
        assert!(error.contains(expected), "{error}");
    };
    for (name, scale, why) in [
        ("root.001", [2.0, 2.0, 2.0], "model:ball: [2.0, 2.0, 2.0] does not fit: a placement has no scale"),
        ("root.001", [-1.0, 1.0, 1.0], "neither mirrors"),
        ("ball", [2.0, 1.0, 1.0], "node \"ball\": this was moved inside"),
    ] {
        refused(moved(&blender, name, &|node| node["scale"] = json!(scale)), why);
    }
    let renamed = moved(&blender, "ball", &|node| node["name"] = "Suzanne".into());
    refused(renamed, "node \"Suzanne\": the world has no such");
    let bent = saved(&glb, &mut |_, all| all[0].1[0][0] = [5.0; 3]);
    refused(plan(&bent), "triangles were edited inside a model; edit the GLB of the model");
    let slower: &[(f32, Vec<f32>)] = &[(0.0, vec![0.0; 3]), (9.0, vec![1.0; 3])];
    let slower = animated(&blender, &[("ball.001", "translation", slower)], "LINEAR");
    refused(plan(&slower), "an animation was edited inside");
}

#[test]
fn parts_are_edited_like_objects() {
    let sample = sample("world.wdb");
    let corner = |at: u16| [f32::from(at & 1), f32::from(at >> 1), 0.0];
    let mut mesh = MeshSpec::colored(MeshSpec::pack([(0, 0, 0), (1, 0, 0), (2, 0, 0)]), [9, 9, 9], "skin");
    let low = LodSpec {
        vertices: (0..3).map(corner).collect(),
        normals: vec![[0.0, 0.0, 1.0]],
        meshes: vec![mesh.clone()],
        ..LodSpec::default()
    };
    mesh.color = [200, 100, 50];
    let high = LodSpec { vertices: (1..4).map(corner).collect(), meshes: vec![mesh], ..low.clone() };
    let parts = PartsSpec {
        parts: vec![PartSpec::new("leg", vec![low, high])],
        textures: vec![TextureSpec::new("skin.gif", ImageSpec::plain(2, 2, [1, 2, 3]))],
        ..PartsSpec::default()
    };
    let own = build(&DatabaseSpec { parts, ..DatabaseSpec::default() }).bytes;
    let mut count = 0;
    for file in [&own, &sample] {
        let database = Database::parse(file).unwrap();
        let contents = Contents::read(&database);
        let library = Library::new(&database, &contents);
        let global = contents.parts.as_ref().unwrap();
        let blobs = (0..contents.blobs.len()).filter_map(|blob| Some((Some(blob), library.parts(blob)?)));
        for (blob, list) in std::iter::once((None, global)).chain(blobs) {
            for (at, part) in list.into_iter().enumerate() {
                let place = blob.map_or(LodsAt::Global { part: at }, |blob| LodsAt::Part { blob, part: at });
                let mut glb = Vec::new();
                glb::part(&library, place, None, &Options::default(), &mut glb).unwrap();
                let plan = |edited: &[u8]| {
                    let planned = worldview_import::glb_part(&part, list.textures, &glb, edited, &again);
                    planned.and_then(Planned::complete).unwrap()
                };
                assert!(plan(&glb).is_empty() && plan(&saved(&glb, &mut |_, _| ())).is_empty());
                // Its levels move together.
                let name = String::from_utf8_lossy(part.name.text()).into_owned();
                let moved = plan(&with_node(&saved(&glb, &mut |_, _| ()), &name, |node| {
                    node["translation"] = json!([0.0, 3.0, 0.0])
                }));
                let levels = part.lods.iter().filter(|lod| !lod.meshes.is_empty()).count();
                let edited = (0..part.lods.len())
                    .filter(|level| paths(&moved).iter().any(|path| path.starts_with(&format!("lod#{level}"))));
                assert_eq!(edited.count(), levels, "{name}");
                count += 1;
            }
        }
    }
    assert!(count > 5);

    let database = Database::parse(&own).unwrap();
    let contents = Contents::read(&database);
    let library = Library::new(&database, &contents);
    let list = contents.parts.as_ref().unwrap();
    let part = list.into_iter().next().unwrap();
    let mut glb = Vec::new();
    glb::part(&library, LodsAt::Global { part: 0 }, None, &Options::default(), &mut glb).unwrap();
    let edited = saved(&glb, &mut |name, all| {
        for corner in all.iter_mut().flat_map(|(_, all)| all).filter(|_| name == "leg LOD1") {
            corner[0][2] += if corner[0] == [1.0, 1.0, 0.0] { 4.0 } else { 0.0 };
        }
    });
    let planned = worldview_import::glb_part(&part, list.textures, &glb, &edited, &again);
    let changes = planned.and_then(Planned::complete).unwrap();
    assert_eq!(told(&changes), ["set lod#1/position#2 to [1.0, 1.0, 4.0]"]);
    let prefix = "global_parts/part:leg".parse().unwrap();
    let new = island::apply(&own, &changes.prefixed(&prefix)).unwrap().to_vec();
    let new = worldview_corpus::island::naive::database(&new).unwrap();
    let part = &new.parts.unwrap().parts[0];
    assert_eq!(part.lods[1].vertices[2].map(|part| part.value()), [1.0, 1.0, 4.0]);
    assert_eq!(part.lods[0].vertices[2].map(|part| part.value()), [0.0, 1.0, 0.0]);
}
