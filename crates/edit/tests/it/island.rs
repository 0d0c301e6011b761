use worldview_core::Path;
use worldview_corpus::island::build::build;
use worldview_corpus::island::generate::{edge_cases, small};
use worldview_corpus::island::naive::{
    Kind, NaiveContent, NaiveDatabase, NaiveLod, NaiveParts, NaiveTexture, database,
};
use worldview_corpus::island::spec::{
    AnimationSpec, BlobSpec, ContentSpec, DatabaseSpec, ImageSpec, KeySpec, LodSpec, LodsSpec, MeshSpec, ModelRefSpec,
    ModelSpec, NodeSpec, PartSpec, PartsSpec, PlaceSpec, RoiSpec, TextureSpec, WorldSpec,
};
use worldview_corpus::rng::Rng;
use worldview_corpus::samples;
use worldview_edit::{Change, Changes, Position, Value, island};

/// What a database says, by the naive reader, as text: everything but places, and counts that do not matter.
fn content(file: &[u8]) -> Vec<String> {
    let mut all = database(file).unwrap();
    let mut lines = Vec::new();
    for blob in &mut all.blobs {
        match &mut blob.content {
            Ok(NaiveContent::Parts(parts)) => clean_parts(parts),
            Ok(NaiveContent::Model(model)) => {
                (model.texture_offset, model.tree_end, model.textures_end) = (0, 0, 0);
                model.nodes.iter_mut().for_each(|node| node.at = 0);
                for roi in &mut model.rois {
                    (roi.at, roi.lods_end, roi.end_offset) = (0, 0, roi.end_offset.map(|_| 0));
                    clean_lods(&mut roi.lods);
                }
                clean_textures(&mut model.textures);
            }
            Err(error) => panic!("{error}"),
        }
    }
    let blobs: Vec<_> = all.blobs.iter().map(|blob| format!("{:?}", blob.content)).collect();
    let NaiveDatabase { directory, textures, parts, .. } = &mut all;
    for world in &directory.worlds {
        lines.push(format!("{:?}", world.name));
        for part in &world.parts {
            let blob = directory.blobs().binary_search(&(part.place, Kind::Parts));
            lines.push(format!("{:?} {}", part.name, blobs[blob.unwrap()]));
        }
        for model in &world.models {
            let blob = directory.blobs().binary_search(&(model.place, Kind::Model));
            let mut model = model.clone();
            model.place = Default::default();
            lines.push(format!("{model:?} {}", blobs[blob.unwrap()]));
        }
    }
    clean_textures(textures.as_mut().unwrap());
    clean_parts(parts.as_mut().unwrap());
    lines.push(format!("{textures:?} {parts:?}"));
    lines
}

fn clean_parts(parts: &mut NaiveParts) {
    (parts.texture_offset, parts.parts_end, parts.textures_end) = (0, 0, 0);
    for part in &mut parts.parts {
        (part.at, part.end_offset, part.lods_end) = (0, 0, 0);
        clean_lods(&mut part.lods);
    }
    clean_textures(&mut parts.textures);
}

fn clean_textures(textures: &mut [NaiveTexture]) {
    for texture in textures {
        texture.image.at = 0;
        texture.second.iter_mut().for_each(|image| image.at = 0);
    }
}

fn clean_lods(lods: &mut [NaiveLod]) {
    for lod in lods {
        (lod.at, lod.uv_count) = (0, lod.uv_count.map(|count| count.max(0)));
        for mesh in &mut lod.meshes {
            (mesh.at, mesh.corners_at, mesh.uv_indices_at) = (0, 0, 0);
            mesh.uv_index_count = mesh.uv_index_count.min(1);
        }
    }
}

fn index(rng: &mut Rng, len: usize) -> usize {
    rng.below(len as u32) as usize
}

/// Another version of a database: everything that changes can express.
fn vary(rng: &mut Rng, spec: &DatabaseSpec) -> DatabaseSpec {
    let mut other = spec.clone();
    for world in &mut other.worlds {
        if world.name.len() > 1 && rng.one_in(4) {
            world.name.insert(0, b'x');
        }
        for _ in 0..rng.below(4) {
            if world.models.is_empty() {
                break;
            }
            let at = index(rng, world.models.len());
            match rng.below(7) {
                0 => drop(world.models.remove(at)),
                1 => {
                    let model = world.models.remove(at);
                    world.models.insert(index(rng, world.models.len() + 1), model);
                }
                2 => {
                    let place = world.models[at].place;
                    let added = ModelRefSpec { place, ..ModelRefSpec::new("Added", 0) }.at([1.5, -2.0, 3.25]);
                    world.models.insert(at, added);
                }
                3 => world.models[at].name = b"Another\0".to_vec(),
                4 => world.models[at].place = world.models[0].place,
                5 => world.models[at].presenter = b"LegoActorPresenter\0".to_vec(),
                _ => (world.models[at].location, world.models[at].visible) = ([0.1, f32::NAN, -0.0], 1),
            }
        }
        if world.parts.len() > 1 && rng.one_in(3) {
            world.parts.swap(0, 1);
        }
    }
    vary_textures(rng, &mut other.textures);
    vary_parts(rng, &mut other.parts);
    for blob in &mut other.blobs {
        match &mut blob.content {
            _ if rng.one_in(2) => {}
            ContentSpec::Parts(parts) => vary_parts(rng, parts),
            ContentSpec::Model(model) => {
                vary_textures(rng, &mut model.textures);
                vary_roi(rng, &mut model.roi);
                vary_node(rng, &mut model.animation.root);
                if rng.one_in(3) {
                    (model.animation.duration, model.skip_textures) = (rng.range(0, 99), rng.below(2));
                }
                if rng.one_in(4) && !model.animation.actors.is_empty() {
                    model.animation.actors.remove(0);
                }
            }
            ContentSpec::Raw(_) => {}
        }
    }
    if rng.one_in(3) {
        // A blob that two references share is theirs alone.
        let blob = other.blobs.iter().position(|blob| matches!(blob.content, ContentSpec::Model(_))).unwrap();
        let ContentSpec::Model(mut model) = other.blobs[blob].content.clone() else { unreachable!() };
        model.roi.radius = 77.0;
        let place = PlaceSpec::Blob(other.blobs.len());
        other.blobs.push(BlobSpec::model(*model));
        let models = other.worlds.iter_mut().flat_map(|world| &mut world.models);
        models.filter(|model| model.place == PlaceSpec::Blob(blob)).skip(1).for_each(|model| model.place = place);
    }
    other
}

fn vary_textures(rng: &mut Rng, textures: &mut Vec<TextureSpec>) {
    for _ in 0..rng.below(3) {
        let at = index(rng, textures.len());
        let Some(texture) = textures.get_mut(at) else { break };
        match rng.below(6) {
            0 if texture.second.is_none() => drop(textures.remove(at)),
            1 => texture.name.extend(b"x"),
            2 => texture.image = ImageSpec::drawn(16, 8, vec![[1, 2, 3], [4, 5, 6]], |x, y| ((x + y) % 2) as u8),
            3 => {
                let pixel = texture.image.pixels.first_mut();
                pixel.into_iter().for_each(|pixel| *pixel ^= 1);
            }
            4 => textures.insert(at, TextureSpec::new("new.gif", ImageSpec::plain(4, 4, [9, 8, 7]))),
            _ => textures.reverse(),
        }
    }
}

fn vary_parts(rng: &mut Rng, parts: &mut PartsSpec) {
    vary_textures(rng, &mut parts.textures);
    for _ in 0..rng.below(3) {
        let at = index(rng, parts.parts.len());
        let Some(part) = parts.parts.get_mut(at) else { break };
        match rng.below(5) {
            0 => drop(parts.parts.remove(at)),
            1 => {
                let part = PartSpec::new("added", part.lods.clone());
                parts.parts.insert(at, part);
            }
            2 => parts.parts.rotate_left(1),
            _ => vary_lods(rng, &mut part.lods),
        }
    }
}

fn vary_lods(rng: &mut Rng, lods: &mut Vec<LodSpec>) {
    for _ in 0..rng.below(4) {
        let at = index(rng, lods.len());
        let Some(lod) = lods.get_mut(at) else { return lods.push(LodSpec::empty(8)) };
        match rng.below(7) {
            0 => drop(lods.remove(at)),
            1 => lods.insert(at, LodSpec::empty(0)),
            2 if lod.flags & 4 == 0 && !lod.meshes.is_empty() => drop(lod.meshes.remove(0)),
            3 if lod.flags & 4 == 0 && !lod.meshes.is_empty() => {
                let mesh = lod.meshes[0].clone();
                lod.meshes.push(mesh);
            }
            4 => lod.vertices.iter_mut().for_each(|point| point[1] += 0.5),
            _ => {
                for mesh in &mut lod.meshes {
                    (mesh.color, mesh.alpha) = ([rng.below(256) as u8; 3], 0.5);
                    mesh.texture = b"other.gif".to_vec();
                }
            }
        }
    }
}

fn vary_roi(rng: &mut Rng, roi: &mut RoiSpec) {
    match rng.below(9) {
        0 => roi.children.push(RoiSpec::new("new", vec![LodSpec::empty(0)]).child(RoiSpec::shared("below1"))),
        1 if !roi.children.is_empty() => drop(roi.children.remove(0)),
        2 => roi.texture = b"lego red".to_vec(),
        3 => roi.name.extend(b"_x"),
        4 => roi.minimum = [0.25; 3],
        5 if roi.children.len() > 1 => roi.children.swap(0, 1),
        6 => roi.lods = LodsSpec::Shared(1),
        _ => {
            if let LodsSpec::Own { lods, .. } = &mut roi.lods {
                vary_lods(rng, lods);
            }
        }
    }
    roi.children.iter_mut().for_each(|child| vary_roi(rng, child));
}

fn vary_node(rng: &mut Rng, node: &mut NodeSpec) {
    match rng.below(7) {
        0 => node.children.push(NodeSpec::new("new").translation(3, [1.0; 3])),
        1 if !node.children.is_empty() => drop(node.children.remove(0)),
        2 => node.translations.push(KeySpec { time: rng.below(9000), flags: 1, value: [0.5; 3] }),
        3 if !node.rotations.is_empty() => drop(node.rotations.remove(0)),
        4 => node.scales.iter_mut().for_each(|key| key.value[0] = 9.0),
        5 => node.morphs.iter_mut().for_each(|key| key.time += 1),
        _ => node.name.extend(b"y"),
    }
    node.children.iter_mut().for_each(|child| vary_node(rng, child));
}

#[test]
fn no_changes_give_the_original() {
    let cases = edge_cases().into_iter();
    let samples = samples().into_iter().filter(|(name, _)| *name == "world.wdb");
    let mut count = 0;
    for (name, file) in cases.chain(samples.map(|(name, file)| (name.to_owned(), file))) {
        let Ok(edited) = island::apply(&file, &Changes::new()) else { continue };
        assert_eq!(edited.to_vec(), file, "{name}");
        if let Ok(changes) = island::diff(&file, &file) {
            assert_eq!(changes.len(), 0, "{name}");
            count += 1;
        }
    }
    assert!(count > 20, "{count} databases");
}

/// Applies the changes between two databases, and compares what the naive reader says.
fn becomes(left: &[u8], right: &[u8], what: &str) -> usize {
    let changes = island::diff(left, right).unwrap_or_else(|error| panic!("{what}: {error}"));
    let changes = Changes::from_json(changes.to_json().unwrap().as_bytes()).unwrap();
    let edited = island::apply(left, &changes);
    let edited = edited.unwrap_or_else(|error| panic!("{what}: {error}\n{}", changes.to_json().unwrap())).to_vec();
    for (line, expected) in content(&edited).iter().zip(&content(right)) {
        assert!(line == expected, "{what}:\n{line}\n{expected}\n{}", changes.to_json().unwrap());
    }
    assert_eq!(content(&edited).len(), content(right).len(), "{what}");
    // Changes of values can be undone without the file.
    let values = |change: &Change| matches!(change, Change::Set { .. });
    match changes.invert() {
        Ok(inverse) => {
            let back = island::apply(&edited, &inverse).unwrap_or_else(|error| panic!("{what}: {error}")).to_vec();
            assert!(content(&back) == content(left), "{what}\n{}", inverse.to_json().unwrap());
        }
        Err(error) => assert!(error.to_string().contains("needs the file"), "{what}: {error}"),
    }
    assert!(changes.invert().is_err() || changes.iter().all(values), "{what}");
    changes.len()
}

#[test]
fn a_difference_applied_gives_the_other_database() {
    let rounds = std::env::var("ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(1);
    let mut count = 0;
    for seed in 0..60 * rounds {
        let mut rng = Rng::new(seed);
        let spec = small(seed);
        let [left, right] = [&spec, &vary(&mut rng, &spec)].map(|spec| build(spec).bytes);
        count += becomes(&left, &right, &format!("seed {seed}"));
        becomes(&right, &left, &format!("seed {seed} back"));
    }
    assert!(count > 1000, "{count} changes");
}

#[test]
fn a_difference_of_unrelated_databases_applies() {
    let mut count = 0;
    for seed in 0..60 {
        let [left, right] = [small(seed), small(seed + 1000)];
        if left.worlds.len() == right.worlds.len() {
            becomes(&build(&left).bytes, &build(&right).bytes, &format!("seed {seed}"));
            count += 1;
        }
    }
    assert!(count > 10, "{count} pairs");
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

fn path(text: &str) -> Path {
    text.parse().unwrap()
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
fn setting_everything_to_what_it_is_changes_nothing() {
    for seed in 0..8 {
        let file = build(&small(seed)).bytes;
        // Every field of a difference, set to the value that it has.
        let changes = island::diff(&file, &build(&small(seed + 100)).bytes);
        let Ok(changes) = changes else { continue };
        let same = changes.iter().filter_map(|change| match change {
            Change::Set { path, from, .. } => Some(Change::set(path.clone(), from.clone()?)),
            _ => None,
        });
        assert!(applied(&file, same) == file, "seed {seed}");
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
    let changes = island::diff(&file, &one).unwrap();
    assert_eq!(changes.len(), 1, "{changes:?}");
    assert_eq!(content(&applied(&file, changes)), content(&one));
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
        let changes: Vec<_> = island::diff(&file, &edited).unwrap().into_iter().collect();
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
    let fields = vec![("value".to_owned(), Value::from(&[0.5, 0.25, 0.0][..])), ("flags".to_owned(), 1.into())];
    let key = Change::Add {
        path: path("blob#0/node:bird/translation:2"),
        like: None,
        position: Position::Natural,
        fields,
        data: None,
    };
    let fields = vec![("visible".to_owned(), 0.into())];
    let like = Some(path("world:ACT1/model:bird"));
    let model = Change::Add {
        path: path("world:ACT2/model:owl"),
        like,
        position: Position::Before(path("world:ACT2/model:bird")),
        fields,
        data: None,
    };
    let like = Some(path("blob#0/texture:dog.gif"));
    let texture = Change::Add {
        path: path("blob#0/texture:cat.gif"),
        like,
        position: Position::Natural,
        fields: Vec::new(),
        data: None,
    };
    let all = database(&applied(&file, [key, model, texture])).unwrap();
    let bird = all.model_of(0).unwrap();
    assert_eq!(
        bird.nodes[0].translations.iter().map(|key| (key.time, key.flags)).collect::<Vec<_>>(),
        [(2, 1), (5, 0)]
    );
    assert_eq!(bird.nodes[0].translations[0].value.map(|real| real.value()), [0.5, 0.25, 0.0]);
    assert_eq!(bird.textures.iter().map(|texture| texture.name.text()).collect::<Vec<_>>(), [b"dog.gif", b"cat.gif"]);
    let models = &all.directory.worlds[1].models;
    assert_eq!(
        models.iter().map(|model| (model.name.text(), model.visible)).collect::<Vec<_>>(),
        [(b"owl".to_vec(), 0), (b"bird".to_vec(), 1)]
    );
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
    refused(
        set("world:ACT1/model:bird/visible", 256.into()),
        "world:ACT1/model:bird/visible: 256 does not fit: 0 to 255",
    );
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
    refused(
        set("blob#0/texture:dog.gif/image#0/width", 9.into()),
        "does not fit: the size must match the number of pixels, 8",
    );
    refused(set("blob#0/texture:dog.gif/image#0/pixel:4,0", 1.into()), "not found");
    refused(set("blob#0/texture:dog.gif/image#0", Value::Bytes(vec![1; 20])), "not exactly an image");
    refused(set("blob#0/roi:bird/lod#0/mesh#0/color", "red".into()), "expected a color such as #ff8000");
    refused(set("blob#0", Value::Bytes(vec![0; 40])), "not exactly a model");
    refused(set("world:ACT1/model:bird/blob", "world:ACT1/model:nobody".into()), "world:ACT1/model:nobody: not found");
    refused(set("global_textures", Value::Bytes(Vec::new())), "cannot be set as a whole");
    let from = Some(Value::from(3));
    refused(
        Change::Set { path: path("blob#0/duration"), from, to: 4.into() },
        "blob#0/duration: expected 3, but the file has 0",
    );
    let remove = |place: &str| Change::remove(path(place));
    refused(remove("blob#0/roi:bird"), "the root cannot be removed");
    refused(remove("blob#0/texture:dog.gif/image#0"), "fixed number");
    let add = |place: &str| Change::Add {
        path: path(place),
        like: None,
        position: Position::Natural,
        fields: Vec::new(),
        data: None,
    };
    refused(add("world:ACT1/model:bird"), "exists already");
    refused(add("world:ACT1/model:owl"), "needs `blob`, or `like`");
    refused(add("blob#0/roi:wing"), "needs `data`, or `like`");
    let conflict: Changes =
        [remove("blob#0/texture:dog.gif"), set("blob#0/texture:dog.gif/name", "x".into())].into_iter().collect();
    assert!(island::apply(&file, &conflict).unwrap_err().to_string().contains("conflicts with"));
}

#[test]
fn broken_originals_give_errors() {
    let mut rng = Rng::new(5);
    let mut outcomes = [0, 0];
    for seed in 0..12 {
        let spec = small(seed);
        let [left, right] = [&spec, &vary(&mut rng, &spec)].map(|spec| build(spec).bytes);
        let changes: Vec<_> = island::diff(&left, &right).unwrap().into_iter().collect();
        for _ in 0..60 {
            let mut broken = left.clone();
            for _ in 0..=rng.below(3) {
                let at = index(&mut rng, broken.len());
                broken[at] = rng.below(256) as u8;
            }
            if rng.one_in(4) {
                broken.truncate(index(&mut rng, left.len()));
            }
            let some = changes.iter().filter(|_| rng.one_in(6)).cloned().collect();
            match island::apply(&broken, &some) {
                Ok(edited) => {
                    outcomes[0] += 1;
                    assert_eq!(edited.to_vec().len() as u64, edited.len());
                }
                Err(_) => outcomes[1] += 1,
            }
            let _ = island::diff(&left, &broken);
        }
    }
    assert!(outcomes.iter().all(|&count| count > 100), "{outcomes:?}");
}
