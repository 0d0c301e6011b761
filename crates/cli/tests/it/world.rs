//! Tests of the command with WORLD.WDB, as a process.

use std::collections::BTreeSet;
use std::fs;

use crate::support::Folder;
use serde_json::Value;
use worldview_corpus::island::spec::{
    BlobSpec, DatabaseSpec, LodsSpec, ModelRefSpec, ModelSpec, NodeSpec, RoiSpec, WorldSpec,
};
use worldview_corpus::island::{build, naive, samples};

fn sample() -> Vec<u8> {
    samples().remove(0).1
}

fn with_sample() -> Folder {
    let folder = Folder::new();
    folder.put("game/WORLD.WDB", &sample());
    folder
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

/// Returns the names of models that a world of the sample uses, according to the naive reader.
fn models_of(world: &str) -> BTreeSet<String> {
    let directory = naive::directory(&sample()).unwrap();
    let world = directory.worlds.into_iter().find(|found| text(found.name.text()) == world).unwrap();
    world.models.iter().map(|model| text(model.name.text())).collect()
}

#[test]
fn info_and_list_count_what_the_naive_reader_counts() {
    let folder = with_sample();
    let expected = naive::database(&sample()).unwrap();
    let directory = &expected.directory;
    let info = folder.json(&["info", "game/WORLD.WDB", "--format", "json"]);
    let info = &info["databases"][0];
    assert_eq!(info["format"], "world");
    assert_eq!(info["length"], sample().len());
    assert_eq!(info["directory_length"], directory.end);
    assert_eq!(info["model_references"], directory.worlds.iter().map(|world| world.models.len()).sum::<usize>());
    assert_eq!(info["global_textures"], expected.textures.as_ref().unwrap().len());
    for (found, expected) in info["worlds"].as_array().unwrap().iter().zip(&directory.worlds) {
        assert_eq!(found["name"], text(expected.name.text()));
        assert_eq!(found["models"], expected.models.len());
        assert_eq!(found["visible_models"], expected.models.iter().filter(|model| model.visible != 0).count());
    }
    assert_eq!(info["blobs"].as_array().unwrap().len(), expected.blobs.len());
    for (found, expected) in info["blobs"].as_array().unwrap().iter().zip(&expected.blobs) {
        assert_eq!(found["offset"].as_u64(), Some(expected.place.offset));
        assert_eq!(found["length"].as_u64(), Some(expected.place.length));
        assert_eq!(found["lods"], expected.content.as_ref().unwrap().lods().len());
    }
    let list = folder.json(&["list", ".", "--format", "json"]);
    assert_eq!(list["databases"][0]["path"], "./game/WORLD.WDB");
    assert_eq!(list["databases"][0]["world_count"], directory.worlds.len());
    let table = folder.ok("info game/WORLD.WDB");
    for world in &directory.worlds {
        assert!(table.contains(&text(world.name.text())), "{table}");
    }
}

#[test]
fn only_picks_by_world_kind_and_name() {
    let folder = with_sample();
    let names_in = |path: &str, only: &[&str]| -> BTreeSet<String> {
        let path = format!("game/WORLD.WDB{path}");
        let mut args = vec!["info", &path, "--format", "json"];
        only.iter().for_each(|only| args.extend(["--only", only]));
        let info = folder.json(&args);
        let blobs = info["databases"][0]["blobs"].as_array().cloned().unwrap_or_default();
        blobs.iter().map(|blob| blob["name"].as_str().unwrap().to_owned()).collect()
    };
    let names = |only: &[&str]| names_in("", only);
    assert_eq!(names_in("/world:toybox", &["kind=model"]), models_of("TOYBOX"));
    assert_eq!(names_in("/world:BAY/model:*", &[]), models_of("BAY"));
    assert_eq!(names(&["cottage?"]), ["cottage1", "cottage2"].map(str::to_owned).into());
    assert_eq!(names(&["COTTAGE*", "kind=part"]), ["Cottage".to_owned()].into());
    assert_eq!(names(&["nothing"]), BTreeSet::new());
    let (code, _, stderr) = folder.said(&["info", "game/WORLD.WDB", "--only", "kind=boat"]);
    assert_eq!(code, 2);
    let kinds = "the kinds are level, table, archive, picture, world, model, part and texture";
    assert!(stderr.contains(kinds), "{stderr}");
}

#[test]
fn export_writes_each_thing_once_and_says_where_it_comes_from() {
    let folder = with_sample();
    let (code, _, stderr) = folder.said(&["export", "game", "-o", "out"]);
    assert_eq!(code, 0, "{stderr}");
    let files: BTreeSet<String> = folder.files("out/game/WORLD.WDB").into_iter().collect();
    let named = |kind: &str| -> BTreeSet<&str> {
        files.iter().filter_map(|file| file.strip_prefix(kind)?.strip_suffix(".glb")).collect()
    };
    assert_eq!(named("worlds/"), ["BAY", "MEADOW", "TOYBOX"].into());
    let every: BTreeSet<String> = ["BAY", "MEADOW", "TOYBOX"].into_iter().flat_map(models_of).collect();
    assert_eq!(named("models/"), every.iter().map(String::as_str).collect());
    // A pair becomes two pictures, and the extension `.GIF` is removed.
    for picture in ["textures/Grass.png", "textures/Grass.low.png"] {
        let bytes = fs::read(folder.path("out/game/WORLD.WDB").join(picture)).unwrap();
        assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n"), "{picture}");
        assert_eq!(bytes[24..26], [8, 3], "{picture}: eight bits, indexed");
    }
    let manifest = folder.bytes("out/game/WORLD.WDB/manifest.ndjson");
    let manifest: Value = serde_json::from_slice(&manifest).unwrap();
    let listed: BTreeSet<String> =
        manifest["files"].as_array().unwrap().iter().map(|file| file["file"].as_str().unwrap().to_owned()).collect();
    assert_eq!(listed, files.iter().filter(|file| *file != "manifest.ndjson").cloned().collect());
    for file in manifest["files"].as_array().unwrap() {
        let bytes = fs::read(folder.path("out/game/WORLD.WDB").join(file["file"].as_str().unwrap())).unwrap();
        if file["kind"] != "texture" {
            assert_eq!(bytes[..4], *b"glTF");
            assert_eq!(u32::from_le_bytes(bytes[8..12].try_into().unwrap()) as usize, bytes.len());
        }
        assert!(!file["from"].as_array().unwrap().is_empty());
    }
}

#[test]
fn export_takes_only_and_lod() {
    let folder = with_sample();
    let size = |lod: &str| {
        let out = format!("out-{lod}");
        let args = ["export", "game/WORLD.WDB", "-o", &out, "--to", "glb", "--only", "lighthouse", "--lod", lod];
        assert_eq!(folder.said(&args).0, 0);
        assert_eq!(folder.files(&out), ["WORLD.WDB/manifest.ndjson", "WORLD.WDB/models/lighthouse.glb"]);
        fs::metadata(folder.path(&out).join("WORLD.WDB/models/lighthouse.glb")).unwrap().len()
    };
    let (all, best, lowest) = (size("all"), size("best"), size("0"));
    assert!(all > best && best > lowest, "{all} {best} {lowest}");
    assert_eq!(folder.said(&["export", "game", "-o", "out", "--lod", "good"]).0, 2);
}

#[test]
fn check_and_show_take_only() {
    let folder = Folder::new();
    // An object of the model shares a list of levels that does not exist.
    let mut spec = DatabaseSpec::default();
    let mut roi = RoiSpec::new("lamp7", Vec::new());
    roi.lods = LodsSpec::Shared(1);
    let model = ModelSpec::of(roi, NodeSpec::new("lamp7"));
    spec.worlds.push(WorldSpec::new("W").model(ModelRefSpec::new("dark", 0)).model(ModelRefSpec::new("empty", 1)));
    let other = ModelSpec::of(RoiSpec::new("empty", Vec::new()), NodeSpec::new("empty"));
    spec.blobs = vec![BlobSpec::model(model), BlobSpec::model(other)];
    folder.put("WORLD.WDB", &build::build(&spec).bytes);
    for (path, only, expected) in [
        ("", "dark", true),
        ("/world:w", "kind=model", true),
        ("/world:W/model:empty", "*", false),
        ("", "empty", false),
        ("", "kind=world", false),
    ] {
        let (_, out, _) = folder.said(&["check", &format!("WORLD.WDB{path}"), "--only", only]);
        assert_eq!(out.contains("lods-unresolved"), expected, "{path} {only}: {out}");
    }
    // The export reports what the model lacks, too.
    let (code, _, stderr) = folder.said(&["export", "WORLD.WDB", "-o", "out", "--to", "glb"]);
    assert_eq!(code, 3);
    assert!(stderr.contains("named \"lamp\""), "{stderr}");
    let whole = with_sample();
    for verb in [&["info"][..], &["show"], &["check"], &["list"], &["export", "-o", "out"]] {
        let (code, _, stderr) = whole.said(&[verb, &["game", "--only", "nobody"]].concat());
        assert_eq!(code, 2, "{verb:?}");
        assert!(stderr.contains("--only: nothing in these inputs matches"), "{stderr}");
    }
    // A selected texture includes the list that contains it.
    let shown = whole.json(&["show", "game", "--format", "json", "--only", "kind=texture,planks*"]);
    let blobs = shown["blobs"].as_array().unwrap().len();
    assert!(blobs > 0 || shown.get("global_textures").is_some(), "{shown}");
}
