use worldview_corpus::island::build::build;
use worldview_corpus::island::generate::small;
use worldview_corpus::island::naive::{Kind, database};
use worldview_corpus::island::spec::{
    AnimationSpec, BlobSpec, ContentSpec, ImageSpec, LodSpec, MeshSpec, ModelRefSpec, ModelSpec, NodeSpec, TextureSpec,
    WorldSpec,
};
use worldview_corpus::island::versions::{content, without_repetition};
use worldview_corpus::rng::Rng;
use worldview_edit::{Change, Changes, EditErrorKind, Value, island};

use crate::kinds::WORLD;
use crate::{add, change, path};

#[test]
fn changes_and_their_inverse_give_the_original() {
    let (mut count, mut failures) = (0, Vec::new());
    for seed in 0..30 {
        let spec = without_repetition(small(seed));
        let mut other = spec.clone();
        let mut rng = Rng::new(seed);
        for blob in &mut other.blobs {
            let ContentSpec::Model(model) = &mut blob.content else { continue };
            model.roi.radius = 3.5;
            model.animation.root.name.extend(b"_new");
            if let Some(key) = model.animation.root.translations.first_mut() {
                (key.time, key.value) = (1, [0.5; 3]);
            }
            match rng.below(4) {
                0 => drop(model.roi.children.pop()),
                1 => model.animation.root.children.insert(0, NodeSpec::new("fresh")),
                2 => drop(model.textures.remove(0)),
                _ => model.textures.push(TextureSpec::new("fresh.gif", ImageSpec::plain(2, 2, [1, 2, 3]))),
            }
        }
        for world in other.worlds.iter_mut().filter(|world| world.models.len() > 2) {
            world.models[1].location = [1.0, 2.0, 3.0];
            match rng.below(3) {
                0 => drop(world.models.remove(0)),
                1 => world.models.rotate_left(1),
                _ => world.models[0].presenter = b"Other\0".to_vec(),
            }
        }
        let [left, right] = [&spec, &other].map(|spec| build(spec).bytes);
        let changes = island::diff(&left, &right).unwrap().changes;
        count += changes.len();
        let edited = applied(&left, changes.clone());
        assert_eq!(content(&edited), content(&right), "seed {seed}");
        let inverse = changes.invert().unwrap();
        match island::apply(&edited, &inverse) {
            Ok(back) if content(&back.to_vec()) == content(&left) => {}
            Ok(_) => failures.push(format!("seed {seed} differs\n{}", inverse.to_json().unwrap())),
            Err(error) => failures.push(format!("seed {seed}: {error}")),
        }
    }
    assert!(count > 300 && failures.is_empty(), "{} of 30, {count}\n{}", failures.len(), failures.join("\n"));
}

/// A file with a model that two references share, another model, a part and a texture.
fn shared() -> Vec<u8> {
    let mut spec = small(3);
    spec.blobs.truncate(0);
    spec.worlds.truncate(0);
    let corners = MeshSpec::pack([(0, 0, 0), (1, 0, 1), (2, 0, 2)]);
    let lod = LodSpec {
        vertices: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        normals: vec![[0.0, 0.0, 1.0]],
        uvs: vec![[0.0; 2]; 3],
        meshes: vec![MeshSpec::textured(corners, "dog.gif")],
        ..LodSpec::default()
    };
    let picture = ImageSpec::drawn(4, 2, vec![[1, 2, 3], [4, 5, 6]], |x, _| (x % 2) as u8);
    let bird = ModelSpec::new("bird", vec![lod]).texture(TextureSpec::new("dog.gif", picture));
    let bird = ModelSpec {
        animation: AnimationSpec { root: NodeSpec::new("bird").translation(5, [1.0; 3]), ..AnimationSpec::default() },
        ..bird
    };
    let tree = ModelSpec::new("tree", vec![]);
    let world = WorldSpec::new("ACT1").model(ModelRefSpec::new("bird", 0)).model(ModelRefSpec::new("tree", 1));
    spec.worlds = vec![world, WorldSpec::new("ACT2").model(ModelRefSpec::new("bird", 0))];
    spec.blobs = vec![BlobSpec::model(bird), BlobSpec::model(tree)];
    build(&spec).bytes
}

fn applied(file: &[u8], changes: impl IntoIterator<Item = Change>) -> Vec<u8> {
    let changes = changes.into_iter().collect();
    island::apply(file, &changes).unwrap_or_else(|error| panic!("{error}")).to_vec()
}

#[test]
fn a_value_changes_its_bytes_and_no_others() {
    let file = shared();
    let texture = "blob#0/texture:dog.gif/image#0";
    for (place, to, bytes) in [
        ("world:ACT1/model:bird/visible", Value::from(0), 1),
        ("world:ACT1/model:tree/location", Value::Integers(vec![0, 0, 2]), 1),
        ("blob:bird/roi:bird/lod#0/mesh#0/color", "#feffff".into(), 1),
        ("blob#0/roi:bird/lod#0/mesh#0/alpha", 0.5.into(), 1),
        ("blob#0/roi:bird/lod#0/position#1", Value::from(&[2.0, 0.0, 0.0][..]), 2),
        ("blob#0/node:bird/translation:5/time", 6.into(), 1),
        ("blob#0/node:bird/translation:5/value", Value::from(&[2.0, 1.0, 1.0][..]), 2),
        (&format!("{texture}/pixel:3,1"), 0.into(), 1),
        (&format!("{texture}/color#1"), "#040507".into(), 1),
        ("world:ACT2/name", "ACT3".into(), 1),
    ] {
        let edited = applied(&file, [Change::set(path(place), to)]);
        assert_eq!(edited.len(), file.len(), "{place}");
        assert_eq!((0..file.len()).filter(|&at| edited[at] != file[at]).count(), bytes, "{place}");
    }
}

#[test]
fn a_change_through_a_reference_is_for_it_alone() {
    let file = shared();
    let color = "roi:bird/lod#0/mesh#0/color";
    let colors = |file: &[u8]| {
        let all = database(file).unwrap();
        let references = all.directory.worlds.iter().flat_map(|world| &world.models);
        let blobs = references.filter_map(|model| all.model_of(all.find(model.place, Kind::Model)?));
        let colors = blobs.map(|model| model.rois[0].lods.first().map(|lod| lod.meshes[0].color));
        (colors.collect::<Vec<_>>(), all.blobs.len())
    };
    let (white, red) = (Some([255; 3]), Some([255, 0, 0]));
    assert_eq!(colors(&file), (vec![white, None, white], 2));
    let all = applied(&file, [Change::set(path(&format!("blob#0/{color}")), "#ff0000")]);
    assert_eq!(colors(&all), (vec![red, None, red], 2));
    let one = applied(&file, [Change::set(path(&format!("world:ACT2/model:bird/blob/{color}")), "#ff0000")]);
    assert_eq!(colors(&one), (vec![white, None, red], 3));
    let other = applied(&file, [Change::set(path("world:ACT1/model:tree/blob"), "world:ACT2/model:bird")]);
    assert_eq!(colors(&other), (vec![white, white, white], 1));
    // The other way round, and as few changes as there are differences.
    let changes = island::diff(&file, &one).unwrap().changes;
    assert_eq!(changes.len(), 1, "{changes:?}");
    assert_eq!(content(&applied(&file, changes)), content(&one));
}

#[test]
fn blobs_that_say_the_same_are_not_exchanged() {
    // Models that differ only in bytes that nothing refers to, and which of them three references have.
    let file = |blobs: [usize; 3], duration: i32| {
        let mut spec = small(3);
        let model = |trailing: usize, duration: i32| {
            let animation = AnimationSpec { duration, ..AnimationSpec::default() };
            BlobSpec::model(ModelSpec { animation, trailing: vec![7; trailing], ..ModelSpec::new("hut", Vec::new()) })
        };
        spec.blobs = vec![model(0, 0), model(4, duration), model(8, 0)];
        let models = ["one", "two", "three"].into_iter().zip(blobs);
        let world =
            models.fold(WorldSpec::new("HILL"), |world, (name, blob)| world.model(ModelRefSpec::new(name, blob)));
        spec.worlds = vec![world];
        build(&spec).bytes
    };
    let changes = |left: &[u8], right: &[u8]| {
        WORLD.becomes("three huts", left, right);
        island::diff(left, right).unwrap().changes.into_iter().collect::<Vec<_>>()
    };
    // `two` and `three` no longer share a blob, and `two` now shares that of `one`.
    assert_eq!(changes(&file([1, 0, 0], 0), &file([1, 1, 2], 0)), []);
    // The same if the blob of `one` says something else.
    let found = changes(&file([1, 0, 0], 5), &file([1, 1, 2], 5));
    assert!(
        matches!(&found[..], [Change::Set { to: Value::Text(to), .. }] if to == "world:HILL/model:one"),
        "{found:?}"
    );
}

#[test]
fn changes_of_a_blob_and_of_one_reference_to_it_join() {
    let file = shared();
    let values = |file: &[u8]| {
        let all = database(file).unwrap();
        let references = all.directory.worlds.iter().flat_map(|world| &world.models);
        let models = references.map(|model| all.model_of(all.find(model.place, Kind::Model).unwrap()).unwrap());
        models.map(|model| (model.duration, model.roi_count)).collect::<Vec<_>>()
    };
    let set = |place: &str, to: Value| Change::set(path(place), to);
    // The model `bird` is shared, and `tree` is not.
    assert_eq!(values(&file), [(0, 1), (0, 1), (0, 1)]);
    let one = "world:ACT2/model:bird/blob";
    let edited = applied(&file, [set("blob:bird/duration", 7.into()), set(&format!("{one}/roi_count"), 9.into())]);
    assert_eq!(values(&edited), [(7, 1), (0, 1), (7, 9)]);
    let tree = "world:ACT1/model:tree/blob";
    let edited = applied(&file, [set("blob:tree/duration", 7.into()), set(&format!("{tree}/roi_count"), 9.into())]);
    assert_eq!(values(&edited), [(0, 1), (7, 9), (0, 1)]);
    // Numbers of elements in one list are counted together.
    let key = |blob: &str, time: u32| add(&format!("{blob}/node:bird/translation:{time}"));
    let all = database(&applied(&file, [key("blob:bird", 6), key(one, 7)])).unwrap();
    let times = |number: usize| {
        let node = &all.model_of(number).unwrap().nodes[0];
        node.translations.iter().map(|key| key.time).collect::<Vec<_>>()
    };
    let mut found: Vec<_> = (0..all.blobs.len()).map(times).filter(|times| times.len() > 1).collect();
    found.sort();
    assert_eq!(found, [vec![5, 6], vec![5, 6, 7]]);
    for (blob, link) in [("blob:bird", one), ("blob#0", one), ("blob:tree", tree)] {
        let [own, other] = [blob, link].map(|start| format!("{start}/duration"));
        let same = applied(&file, [set(&own, 7.into()), set(&other, 7.into())]);
        assert!(values(&same).contains(&(7, 1)), "{blob}");
        let both: Changes = [set(&own, 7.into()), set(&other, 8.into())].into_iter().collect();
        let error = island::apply(&file, &both).unwrap_err();
        assert!(matches!(error.kind, EditErrorKind::Conflict { .. }), "{error}");
        let paths = error.to_string();
        assert!(paths.contains(&own) && paths.contains(&other), "{paths}");
    }
    // A blob that a reference leaves is not that reference's any more.
    let other = set("world:ACT2/model:bird/blob", "world:ACT1/model:tree".into());
    assert_eq!(values(&applied(&file, [set("blob:bird/duration", 7.into()), other])), [(7, 1), (0, 1), (0, 1)]);
}

#[test]
fn what_gets_another_name_as_a_whole_is_found_again() {
    let file = shared();
    let floats = [1.0_f32; 3].map(f32::to_le_bytes).concat();
    let key = |time: u8| [&[time, 0, 0, 0x80], floats.as_slice()].concat();
    // One translation, and no other keys and no children.
    let node = |name: &[u8; 4]| [&[4, 0, 0, 0], &name[..], &[1, 0, 5, 0, 0, 0], &floats, &[0; 10]].concat();
    let picture = [4, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 1, 2, 3, 4, 5, 6, 0, 1, 0, 1, 0, 1, 0, 1];
    let texture = |name: &[u8; 7]| [&[7, 0, 0, 0], &name[..], &picture].concat();
    let flags = Change::set(path("blob#0/node:bird/translation:5/flags"), 0x80);
    let flagged = applied(&file, [flags]);
    for (file, place, from, other, to) in [
        (&file, "blob#0/node:bird", node(b"bird"), "blob#0/node:wren", node(b"wren")),
        (&file, "blob#0/texture:dog.gif", texture(b"dog.gif"), "blob#0/texture:cat.gif", texture(b"cat.gif")),
        (&flagged, "blob#0/node:bird/translation:5", key(5), "blob#0/node:bird/translation:6", key(6)),
    ] {
        let set = Change::Set { path: path(place), from: Some(Value::Bytes(from)), to: Value::Bytes(to) };
        let changes: Changes = [set].into_iter().collect();
        let inverse = changes.invert().unwrap();
        assert!(inverse.iter().map(Change::path).eq([&path(other)]), "{inverse:?}");
        let edited = applied(file, changes);
        assert!(edited != *file && applied(&edited, inverse) == *file, "{place}");
    }
}

#[test]
fn differences_are_as_small_as_they_can_be() {
    let file = shared();
    for (place, to) in [
        ("world:ACT1/model:bird/name", Value::from("a much longer name")),
        ("blob:bird/roi:bird/lod#0/mesh#0/texture", "".into()),
        ("blob:bird/roi:bird/name", "bird01".into()),
        ("blob:bird/texture:dog.gif/name", "dog2.gif".into()),
        ("blob:bird/texture:dog.gif/image#0/palette", Value::Bytes(vec![1, 2, 3, 4, 5, 6, 7, 8, 9])),
        ("blob:bird/node:bird/translation:5/flags", 1.into()),
        ("blob:bird/duration", Value::from(77)),
    ] {
        let edited = applied(&file, [Change::set(path(place), to.clone())]);
        let changes: Vec<_> = island::diff(&file, &edited).unwrap().changes.into_iter().collect();
        assert!(
            matches!(&changes[..], [Change::Set { path: at, to: new, .. }] if *at == path(place) && *new == to),
            "{changes:?}"
        );
        assert!(worldview_island::Database::parse(&edited).is_ok() && content(&edited).len() == content(&file).len());
    }
}

#[test]
fn elements_are_added_by_their_fields() {
    let file = shared();
    let added = [
        r#"{"add":"blob#0/node:bird/translation:2","fields":{"value":[0.5,0.25,0.0],"flags":1}}"#,
        r#"{"add":"world:ACT2/model:owl","like":"world:ACT1/model:bird","before":"world:ACT2/model:bird","fields":{"visible":0}}"#,
        r#"{"add":"blob#0/texture:cat.gif","like":"blob#0/texture:dog.gif"}"#,
    ];
    let all = database(&applied(&file, added.map(change))).unwrap();
    let bird = all.model_of(0).unwrap();
    let keys: Vec<_> = bird.nodes[0].translations.iter().map(|key| (key.time, key.flags)).collect();
    assert_eq!(keys, [(2, 1), (5, 0)]);
    assert_eq!(bird.nodes[0].translations[0].value.map(|real| real.value()), [0.5, 0.25, 0.0]);
    assert_eq!(bird.textures.iter().map(|texture| texture.name.text()).collect::<Vec<_>>(), [b"dog.gif", b"cat.gif"]);
    let models = &all.directory.worlds[1].models;
    let names: Vec<_> = models.iter().map(|model| (model.name.text(), model.visible)).collect();
    assert_eq!(names, [(b"owl".to_vec(), 0), (b"bird".to_vec(), 1)]);
    assert_eq!(models[0].place, models[1].place);
}

#[test]
fn what_cannot_be_done_is_refused() {
    let file = shared();
    let refused = |change: Change, expected: &str| {
        let error = island::apply(&file, &[change].into_iter().collect()).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    };
    let set = |place: &str, to: Value| Change::set(path(place), to);
    refused(set("world:ACT1/model:bird/visible", 256.into()), "bird/visible: 256 does not fit: 0 to 255");
    refused(set("world:ACT1/model:bird/up", Value::Integers(vec![1, 2])), "up has 3 numbers");
    refused(set("world:ACT1/model:bird/name", "n".repeat(128).into()), "at most 127 bytes");
    refused(set("world:ACT1/model:owl/visible", 1.into()), "world:ACT1/model:owl/visible: not found");
    refused(set("world:ACT9/name", "x".into()), "not found");
    refused(set("blob#9/duration", 1.into()), "blob#9/duration: not found");
    refused(set("blob:owl/duration", 1.into()), "blob:owl/duration: not found");
    refused(set("blob#0/duration", 1.5.into()), "expected an integer, found 1.5");
    refused(set("blob#0/roi:bird/lod#1/flags", 0.into()), "not found");
    refused(set("blob#0/roi:bird/lod#0/flags", 4.into()), "whether the level has data");
    refused(set("blob#0/roi:bird/shared", 1.into()), "levels of its own");
    refused(set("blob#0/texture:dog.gif/name", "^dog.gif".into()), "two images");
    refused(set("blob#0/texture:dog.gif/image#0/width", 9.into()), "the size must match the number of pixels, 8");
    refused(set("blob#0/texture:dog.gif/image#0/pixel:4,0", 1.into()), "not found");
    refused(set("blob#0/texture:dog.gif/image#0", Value::Bytes(vec![1; 20])), "not exactly an image");
    refused(set("blob#0/roi:bird/lod#0/mesh#0/color", "red".into()), "expected a color such as #ff8000");
    refused(set("blob#0", Value::Bytes(vec![0; 40])), "not exactly a model");
    refused(set("world:ACT1/model:bird/blob", "world:ACT1/model:nobody".into()), "world:ACT1/model:nobody: not found");
    refused(set("global_textures", Value::Bytes(Vec::new())), "cannot be set as a whole");
    let other = change(r#"{"set":"blob#0/duration","from":3,"to":4}"#);
    refused(other, "blob#0/duration: expected 3, but the file has 0");
    let remove = |place: &str| Change::remove(path(place));
    refused(remove("blob#0/roi:bird"), "the root cannot be removed");
    refused(remove("blob#0/texture:dog.gif/image#0"), "fixed number");
    refused(add("world:ACT1/model:bird"), "exists already");
    refused(add("world:ACT1/model:owl"), "needs `blob`, or `like`");
    refused(add("blob#0/roi:wing"), "needs `data`, or `like`");
    let conflict: Changes =
        [remove("blob#0/texture:dog.gif"), set("blob#0/texture:dog.gif/name", "x".into())].into_iter().collect();
    assert!(island::apply(&file, &conflict).unwrap_err().to_string().contains("conflicts with"));
}
