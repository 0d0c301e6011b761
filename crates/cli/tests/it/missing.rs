//! What a broken WORLD.WDB and its exports are without: each cause is said once, by name, and only of what is asked for.

use serde_json::Value;
use worldview_corpus::island::spec::{
    BlobSpec, DatabaseSpec, LodSpec, MeshSpec, ModelRefSpec, ModelSpec, NodeSpec, PartSpec, PartsSpec, RoiSpec,
    WorldSpec,
};
use worldview_corpus::island::{build, generate, naive};
use worldview_corpus::sample;

use crate::support::{Folder, json_of};

/// A generated database whose middle is zeros, as one of which the first and the last bytes are at hand.
fn partial() -> Vec<u8> {
    let mut bytes = generate::database(7, 3_000_000);
    let end = bytes.len() - 160_000;
    bytes[160_000..end].fill(0);
    bytes
}

#[test]
fn lost_geometry_is_reported_however_many_textures_are_missing() {
    let folder = Folder::new();
    let wanting = |name: &str| {
        let mesh = MeshSpec::textured(MeshSpec::pack([(0, 0, 0), (1, 0, 1), (2, 0, 2)]), name);
        LodSpec {
            vertices: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
            normals: vec![[0.0, 0.0, 1.0]],
            uvs: vec![[0.0; 2]; 3],
            meshes: vec![mesh],
            ..LodSpec::default()
        }
    };
    let mut root = RoiSpec::new("hut", Vec::new());
    root.children = ["a.gif", "b.gif", "c.gif", "d.gif", "e.gif"]
        .map(|texture| RoiSpec::new(texture, vec![wanting(texture)]))
        .into_iter()
        .chain([RoiSpec::shared("nobody1")])
        .collect();
    let spec = DatabaseSpec {
        worlds: vec![WorldSpec::new("W").model(ModelRefSpec::new("hut", 0))],
        blobs: vec![BlobSpec::model(ModelSpec::of(root, NodeSpec::new("hut")))],
        ..DatabaseSpec::default()
    };
    folder.put("WORLD.WDB", &build::build(&spec).bytes);
    let said = folder.fails(3, "export WORLD.WDB -o out --to glb");
    let levels = said.lines().find(|line| line.contains("levels of detail")).unwrap();
    assert!(levels.contains("no part or object is named \"nobody\""), "{said}");
    assert!(levels.contains("worlds/W.glb, models/hut.glb"), "{said}");
    let textures = said.lines().find(|line| line.contains("no texture")).unwrap();
    assert!(textures.contains("\"a.gif\", \"b.gif\", \"c.gif\", … 2 more; 5 meshes without a texture"), "{said}");
    // Textures alone are no failure: nothing of the shape is missing.
    let (_, _, said) = folder.said(&["export", "WORLD.WDB", "-o", "two", "--to", "glb", "--only", "kind=part"]);
    assert!(!said.contains("nobody"), "nobody asked for models: {said}");
}

#[test]
fn a_partial_file_is_reported_in_a_few_lines_by_name() {
    let folder = Folder::new();
    folder.put("WORLD.WDB", &partial());
    let said = folder.fails(3, "export WORLD.WDB -o out --to glb");
    assert!(said.lines().count() < 15, "{said}");
    let directory = naive::directory(&partial()).unwrap();
    let part = String::from_utf8(directory.worlds[0].parts[0].name.text().to_vec()).unwrap();
    let blobs = said.lines().find(|line| line.contains(" part blobs (")).unwrap();
    assert!(blobs.contains(&part) && blobs.contains(" more)"), "{said}");
    assert!(!said.contains("blob 1"), "no numbers: {said}");
    // The worlds of which nothing is left, by what was written.
    let worlds = folder.files("out/WORLD.WDB/worlds");
    let empty = worlds.iter().filter(|file| {
        let glb = std::fs::read(folder.path("out/WORLD.WDB/worlds").join(file)).unwrap();
        json_of(&glb)["nodes"].as_array().is_none_or(Vec::is_empty)
    });
    let empty = empty.count();
    assert!(empty > 0 && empty < worlds.len(), "{empty}");
    assert!(said.contains(&format!("{empty} of {} worlds are empty", worlds.len())), "{said}");
    // What is whole has nothing to be reported.
    let whole = directory.worlds.iter().flat_map(|world| &world.models).max_by_key(|model| model.place.offset).unwrap();
    let name = String::from_utf8(whole.name.text().to_vec()).unwrap();
    let only = format!("{name},kind=model");
    let (_, _, said) = folder.said(&["export", "WORLD.WDB", "-o", "one", "--to", "json", "--only", &only]);
    assert!(!said.contains("opened only in part"), "{said}");
}

#[test]
fn broken_parts_carry_their_error() {
    let folder = Folder::new();
    let mut spec = DatabaseSpec {
        worlds: vec![WorldSpec::new("W").part("leg", 0)],
        blobs: vec![BlobSpec::parts(PartsSpec {
            parts: vec![PartSpec::new("leg", Vec::new())],
            ..PartsSpec::default()
        })],
        ..DatabaseSpec::default()
    };
    spec.parts.parts = (0..3).map(|number| PartSpec::new(&format!("part{number}x"), Vec::new())).collect();
    let mut built = build::build(&spec);
    built.patch("blob[0].texture_offset", &7_u32.to_le_bytes());
    built.patch("parts.part_count", &1000_u32.to_le_bytes());
    folder.put("WORLD.WDB", &built.bytes);
    let output = folder.run(&["show", "WORLD.WDB", "--format", "json"]);
    let shown: Value = serde_json::from_slice(&output.stdout).unwrap();
    let error = shown["blobs"][0]["error"].as_str().unwrap();
    assert!(error.contains("texture list offset") && error.contains("found 7"), "{error}");
    assert_eq!(shown["blobs"][0]["parts"][0]["name"], "leg");
    // The count that the file stores, those that can be read, and what is wrong with the next.
    let global = &shown["global_parts"];
    assert_eq!(global["part_count"], 1000);
    let parts = global["parts"].as_array().unwrap();
    assert_eq!(parts[2]["name"], "part2x");
    assert!(parts.last().unwrap()["error"].is_string(), "{global}");
    let text = String::from_utf8(folder.run(&["show", "WORLD.WDB"]).stdout).unwrap();
    assert!(text.contains("texture list offset") && text.contains("1000"), "{text}");
    let info = folder.run(&["info", "WORLD.WDB", "--format", "json"]);
    let info: Value = serde_json::from_slice(&info.stdout).unwrap();
    let info = &info["databases"][0];
    assert_eq!(info["global_parts_stored"], 1000);
    assert!(info["blobs"][0]["error"].is_string(), "{info}");
}

#[test]
fn global_parts_that_the_end_of_the_file_cuts_are_shown_with_their_stored_count() {
    let folder = Folder::new();
    let mut spec = DatabaseSpec::default();
    spec.parts.parts = (0..3).map(|number| PartSpec::new(&format!("part{number}x"), Vec::new())).collect();
    let built = build::build(&spec);
    let end = built.at("parts.part[2].end_offset").unwrap();
    folder.put("WORLD.WDB", &built.bytes[..end]);
    let output = folder.run(&["show", "WORLD.WDB", "--format", "json"]);
    assert_eq!(output.status.code(), Some(3));
    let shown: Value = serde_json::from_slice(&output.stdout).unwrap();
    let global = &shown["global_parts"];
    assert_eq!(global["part_count"], 3);
    let parts = global["parts"].as_array().unwrap();
    assert_eq!((&parts[1]["name"], parts.len()), (&"part1x".into(), 3));
    assert!(parts[2]["error"].as_str().unwrap().contains("part 2"), "{global}");
}

#[test]
fn hidden_models_are_left_out_on_request() {
    let folder = Folder::new();
    let sample = sample("world.wdb");
    folder.put("WORLD.WDB", &sample);
    let bay = naive::directory(&sample).unwrap().worlds.remove(0);
    let visible = bay.models.iter().filter(|model| model.visible != 0).count();
    assert!(visible < bay.models.len());
    for (options, expected) in [(&[][..], bay.models.len()), (&["--visible-only"][..], visible)] {
        let args = ["export", "WORLD.WDB/world:BAY", "-o", "out", "--to", "glb"];
        assert_eq!(folder.said(&[&args[..], options].concat()).0, 0);
        let json = json_of(&folder.bytes("out/WORLD.WDB/worlds/BAY.glb"));
        let nodes = json["nodes"].as_array().unwrap();
        assert_eq!(nodes.iter().filter(|node| node["extras"]["reference"].is_number()).count(), expected);
        let hidden = nodes.iter().any(|node| node["extensions"]["KHR_node_visibility"]["visible"] == false);
        assert_eq!(hidden, options.is_empty(), "and objects that their animation hides");
    }
}

/// isle-portable looks for `<name in small letters>.bmp` and takes pictures of 8 bits; the format's fields are those of
/// Microsoft's BITMAPFILEHEADER and BITMAPINFOHEADER.
#[test]
fn a_texture_pack_has_each_name_once() {
    let folder = Folder::new();
    let sample = sample("world.wdb");
    folder.put("WORLD.WDB", &sample);
    folder.ok("export WORLD.WDB -o out --to bmp");
    let files = folder.files("out/WORLD.WDB/textures");
    assert!(files.iter().all(|file| file.ends_with(".gif.bmp") && *file == file.to_lowercase()), "{files:?}");
    // A pair is the picture of high quality, and its name has no caret.
    assert!(files.contains(&"grass.gif.bmp".to_owned()), "{files:?}");
    for texture in naive::database(&sample).unwrap().textures.unwrap() {
        let name = String::from_utf8(texture.name.text().to_vec()).unwrap().to_lowercase();
        let bmp = std::fs::read(folder.path("out/WORLD.WDB/textures").join(format!("{name}.bmp"))).unwrap();
        let word = |at: usize| u32::from_le_bytes(bmp[at..at + 4].try_into().unwrap());
        let image = &texture.image;
        assert_eq!((&bmp[..2], word(2) as usize, word(14)), (&b"BM"[..], bmp.len(), 40), "{name}");
        assert_eq!((word(18), word(22)), (image.width, image.height), "{name}");
        assert_eq!(bmp[26..30], [1, 0, 8, 0], "{name}: one plane, eight bits");
        let (start, width) = (word(10) as usize, image.width as usize);
        let stride = width.next_multiple_of(4);
        for (row, pixels) in image.pixels.chunks(width).rev().enumerate() {
            for (x, &pixel) in pixels.iter().enumerate() {
                let number = usize::from(bmp[start + row * stride + x]);
                let color: [u8; 3] = std::array::from_fn(|part| bmp[54 + 4 * number + 2 - part]);
                assert_eq!(color, image.palette[usize::from(pixel)], "{name}");
            }
        }
    }
}

#[test]
fn objects_of_unreadable_parts_are_one_finding() {
    let folder = Folder::new();
    let mut root = RoiSpec::new("hut", Vec::new());
    root.children = ["door1", "wall1", "wall2", "roof1", "step1"].map(RoiSpec::shared).into();
    let model = |name: &str| ModelRefSpec::new(name, 1);
    let spec = DatabaseSpec {
        worlds: vec![WorldSpec::new("W").part("door", 0).model(model("hut")).model(model("hut"))],
        blobs: vec![
            BlobSpec::parts(PartsSpec {
                parts: vec![PartSpec::new("door", vec![LodSpec::default()])],
                ..PartsSpec::default()
            }),
            BlobSpec::model(ModelSpec::of(root, NodeSpec::new("hut"))),
        ],
        ..DatabaseSpec::default()
    };
    let mut built = build::build(&spec);
    let found = |bytes: &[u8]| {
        folder.put("WORLD.WDB", bytes);
        let output = folder.run(&["check", "WORLD.WDB", "--format", "json"]);
        let shown: Value = serde_json::from_slice(&output.stdout).unwrap();
        let findings = shown["files"][0]["findings"].as_array().unwrap().clone();
        let unresolved = findings.into_iter().filter(|finding| finding["code"] == "lods-unresolved");
        unresolved.map(|finding| finding["message"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    // Four names that no part has, in two references each.
    assert_eq!(found(&built.bytes).len(), 8);
    built.patch("blob[0].part_count", &u32::MAX.to_le_bytes());
    let messages = found(&built.bytes);
    assert_eq!(messages.len(), 1, "{messages:?}");
    assert!(
        messages[0].starts_with("4 shared objects have no levels of detail (wall1, wall2, roof1, … 1 more)"),
        "{messages:?}"
    );
}

#[test]
fn nothing_is_found_in_the_samples() {
    let samples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples");
    let output = Folder::new().run(&["check", "--all", samples]);
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(shown.lines().count() >= 8, "{shown}");
    assert!(shown.lines().all(|line| line.ends_with(": nothing found")), "{shown}");
}
