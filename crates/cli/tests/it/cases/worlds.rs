//! WORLD.WDB, and hostile files of every kind.

use serde_json::{Value, json};

use super::case;
use crate::support::{Folder, json_of, with_json};

/// Returns the JSON of a GLB.
fn glb(folder: &Folder, file: &str) -> Value {
    json_of(&folder.bytes(file))
}

/// Replaces the JSON of a GLB.
fn put_glb(folder: &Folder, file: &str, json: &Value) {
    folder.put(file, &with_json(&folder.bytes(file), json));
}

fn exported(name: &str, kinds: &str) -> (Folder, i32, String) {
    let folder = case(name);
    let (code, _, err) = folder.said(&["export", "WORLD.WDB", "-o", "out", "--to", kinds]);
    (folder, code, err)
}

#[test]
fn actors_and_keys() {
    let (folder, code, err) = exported("40-animation-actors", "glb");
    assert_eq!(code, 0, "{err}");
    let shown = folder.ok(&["show", "WORLD.WDB"]);
    for line in ["actor 0 \"pepper\"", "actor 1 \"\"", "actor 2 \"nick\"", "duration 1234", "name none  type none"] {
        assert!(shown.contains(line), "{line}: {shown}");
    }
    let json = glb(&folder, "out/WORLD.WDB/models/box.glb");
    let animation = &json["animations"][0];
    assert_eq!(animation["extras"]["duration"], 1234);
    assert_eq!(json["nodes"][0]["extras"]["visibility"], serde_json::json!([[0, 1], [300, 0]]));
    let paths: Vec<_> = animation["channels"].as_array().unwrap().iter().map(|one| &one["target"]["path"]).collect();
    assert!(paths.iter().any(|path| *path == "translation") && paths.iter().any(|path| *path == "rotation"));
}

#[test]
fn textures_of_parts_and_models() {
    let (folder, code, err) = exported("41-parts-vs-models-textures", "png");
    assert_eq!(code, 0, "{err}");
    let files = folder.files("out/WORLD.WDB/textures");
    assert_eq!(files, ["cap.png", "deu.low.png", "deu.png", "hi.low.png", "hi.png", "own.png", "red.png"]);
}

#[test]
fn names_that_are_one_on_some_systems() {
    let (folder, code, err) = exported("42-same-names", "png,glb");
    assert_eq!(code, 0, "{err}");
    let mut files: Vec<_> = folder.files("out/WORLD.WDB").iter().map(|file| file.to_lowercase()).collect();
    assert!(!files.iter().any(|file| file.ends_with("/con.png")), "{files:?}");
    let count = files.len();
    files.dedup();
    assert_eq!((files.len(), count), (9, 9), "{files:?}");
}

#[test]
fn levels_of_detail_of_others() {
    let (folder, code, err) = exported("43-lods-shared-nested-missing", "glb");
    assert_eq!(code, 3);
    assert!(err.contains("\"nowhere\"") && err.contains("\"gone.gif\""), "{err}");
    let (_, out, _) = folder.said(&["check", "--all", "WORLD.WDB"]);
    assert!(out.contains("roi:nowhere07") && out.contains("roi:123"), "{out}");
    // It finds levels, but has objects below it, and only the leaves of the tree are drawn.
    let of_shared: Vec<_> = out.lines().filter(|line| line.contains("swleg03")).collect();
    assert!(matches!(of_shared[..], [line] if line.contains("[levels-hidden]")), "{out}");
    let json = glb(&folder, "out/WORLD.WDB/models/top.glb");
    let find = |list: &str, name: &str| {
        let found = json[list].as_array().unwrap().iter().find(|item| item["name"] == name);
        found.unwrap_or_else(|| panic!("{name}: {json}")).clone()
    };
    assert_eq!(find("nodes", "swleg03")["extras"]["shares"], "swleg");
    let color = |name: &str| {
        let color = &find("materials", name)["pbrMetallicRoughness"]["baseColorFactor"];
        [0, 1, 2].map(|part| color[part].as_f64().unwrap())
    };
    // 00548C and FF00FF, linear: ((v / 255 + 0.055) / 1.055) ^ 2.4.
    let linear = |byte: f64| if byte == 0.0 { 0.0 } else { ((byte / 255.0 + 0.055) / 1.055).powf(2.4) };
    let close = |one: [f64; 3], two: [f64; 3]| one.iter().zip(two).all(|(one, two)| (one - two).abs() < 1e-6);
    assert!(close(color("Lego Blue"), [0.0, 84.0, 140.0].map(linear)));
    assert!(close(color("unknown thing"), [1.0, 0.0, 1.0]));
}

#[test]
fn worlds_of_a_beta() {
    let (folder, code, err) = exported("44-beta-and-act1", "glb");
    assert_eq!(code, 3);
    assert!(err.contains("model \"old\"") && err.contains("expected 19, found 18"), "{err}");
    let json = glb(&folder, "out/WORLD.WDB/worlds/ACT1.glb");
    let bird = json["nodes"].as_array().unwrap().iter().find(|node| node["name"] == "bird").unwrap();
    assert_eq!(bird["rotation"], Value::Null, "{bird}");
    let matrix = bird["matrix"].as_array();
    assert!(matrix.is_none() && bird["translation"].is_array(), "{bird}");
    // The worlds of one name are two.
    folder.ok("set WORLD.WDB world:ACT1#1/model:bird/location=[1,2,3] -o new.WDB");
}

#[test]
fn pictures_of_more_colors() {
    let (folder, _, _) = exported("45-hd-texture", "png");
    let texture = "out/WORLD.WDB/textures/red.png";
    let apply = |png: Vec<u8>| {
        folder.put(texture, &png);
        folder.said(&format!("apply WORLD.WDB {texture} -o new.WDB --overwrite always"))
    };
    let picture = |width: u32, height: u32, color: png::ColorType, pixel: &dyn Fn(u32) -> Vec<u8>| {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, width, height);
        encoder.set_color(color);
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(&(0..width * height).flat_map(pixel).collect::<Vec<_>>()).unwrap();
        writer.finish().unwrap();
        bytes
    };
    let byte = |number: u32| (number & 0xFF) as u8;
    let many = picture(64, 64, png::ColorType::Rgb, &|at| vec![byte(at), byte(at >> 6), byte(at >> 3)]);
    let (code, _, err) = apply(many);
    assert!(code == 0 && err.contains("4096 colors and was reduced to 256"), "{err}");
    assert!(folder.ok(&["show", "new.WDB"]).contains("width 64"));
    let (code, _, err) = apply(picture(16, 16, png::ColorType::Rgba, &|at| vec![1, 2, 3, byte(at)]));
    assert!(code == 3 && err.contains("red.png") && err.contains("transparen"), "{err}");
    let (code, _, err) = apply(picture(17, 5, png::ColorType::Rgb, &|at| vec![byte(at), 0, 0]));
    assert!(code == 0 && folder.ok(&["show", "new.WDB"]).contains("width 17"), "{err}");
}

#[test]
fn textures_of_another_size() {
    let folder = case("66-tex-size");
    for (file, list) in [("Dbfrfn.tex", ""), ("WORLD.WDB", "global_textures/")] {
        folder.ok(&["export", file, "-o", "out", "--to", "png"]);
        let texture = format!("out/{file}/textures/dbfrfn.png");
        let (path, new) = (format!("{list}texture:dbfrfn.gif"), format!("new-{file}"));
        // The original again has the size of its name.
        let (code, _, err) = folder.said(&format!("apply {file} {texture} --dry-run"));
        assert!(code == 0 && !err.contains("pixels"), "{err}");
        for (picture, size, is_odd) in [("small", 32, false), ("odd", 48, true), ("huge", 256, false)] {
            folder.put(&texture, &folder.bytes(&format!("{picture}.png")));
            let (code, _, err) = folder.said(&format!("apply {file} {texture} -o {new} --overwrite always"));
            let note = format!("{path}: is now {size} x {size} pixels instead of 64 x 64; ");
            assert!(code == 0 && err.contains(&note), "{err}");
            assert_eq!(err.contains("powers of two"), is_odd, "{err}");
            assert_eq!(folder.codes(&new).contains(&"image-size".to_owned()), is_odd);
            // Another form, with the same message; and nothing is left to say.
            let (_, changes, _) = folder.said(&["diff", file, &new, "--format", "changes"]);
            folder.put("mod.json", changes.as_bytes());
            let (code, _, err) = folder.said(&format!("apply {file} mod.json -o again --overwrite always"));
            assert!(code == 0 && err.contains(&note) && folder.bytes("again") == folder.bytes(&new), "{err}");
            let (code, _, err) = folder.said(&format!("apply {new} mod.json -o again --overwrite always"));
            assert!(code == 0 && !err.contains(" now instead of "), "{err}");
        }
        // As many pixels.
        let sides = ["width=128", "height=32"].map(|side| format!("{path}/image#0/{side}"));
        let (code, _, err) = folder.said(&["set", file, &sides[0], &sides[1], "-o", "again", "--overwrite", "always"]);
        assert!(code == 0 && err.contains("is now 128 x 32 pixels instead of 64 x 64"), "{err}");
    }
}

#[test]
fn models_as_blender_saves_them() {
    let (folder, code, err) = exported("46-blender-roundtrip", "glb");
    assert_eq!(code, 0, "{err}");
    let model = "out/WORLD.WDB/models/top.glb";
    let original = glb(&folder, model);
    let mut json = original.clone();
    for list in ["nodes", "materials", "animations"] {
        for item in json[list].as_array_mut().into_iter().flatten() {
            let item = item.as_object_mut().unwrap();
            item.remove("extras");
            item.remove("extensions");
        }
    }
    put_glb(&folder, model, &json);
    let (code, out, err) = folder.said(&["apply", "WORLD.WDB", model, "--dry-run"]);
    assert!(code == 0 && !out.contains("{\"set\""), "{out}{err}");
    // A renamed node is resolved or refused by name.
    let node = json["nodes"].as_array().unwrap().iter().position(|node| node["mesh"].is_number()).unwrap();
    let name = format!("{}.001", json["nodes"][node]["name"].as_str().unwrap());
    json["nodes"][node]["name"] = name.clone().into();
    put_glb(&folder, model, &json);
    let (code, out, err) = folder.said(&["apply", "WORLD.WDB", model, "--dry-run"]);
    assert!(code == 0 && !out.contains("{\"set\"") || err.contains(&name), "{out}{err}");
    // A material of another color.
    let mut json = original;
    let materials = json["materials"].as_array_mut().unwrap();
    let plain = materials.iter_mut().find(|one| one["pbrMetallicRoughness"]["baseColorTexture"].is_null()).unwrap();
    plain["pbrMetallicRoughness"]["baseColorFactor"] = serde_json::json!([1.0, 0.0, 0.0, 1.0]);
    put_glb(&folder, model, &json);
    folder.prints(0, &format!("apply WORLD.WDB {model} --dry-run"), &["color\",\"from\"", "\"to\":\"#ff0000\""]);
}

#[test]
fn extensions_of_programs() {
    let (folder, _, _) = exported("46-blender-roundtrip", "glb");
    let model = "out/WORLD.WDB/models/top.glb";
    let original = glb(&folder, model);
    let push = |list: &mut Value, item: Value| list.as_array_mut().unwrap().push(item);
    // A lamp and a camera, which moves in ways that objects of the game cannot, and what no version of this program knows.
    let mut json = original.clone();
    json["extensionsRequired"] = json!(["KHR_lights_punctual", "KHR_materials_clearcoat", "EXT_new"]);
    json["extensions"] = json!({ "KHR_lights_punctual": { "lights": [{ "type": "point", "color": [1, 0, 0] }] } });
    json["cameras"] = json!([{ "type": "perspective", "perspective": { "yfov": 0.4, "znear": 0.1 } }]);
    let first = json["nodes"].as_array().unwrap().len();
    push(&mut json["nodes"], json!({ "name": "Lamp", "extensions": { "KHR_lights_punctual": { "light": 0 } } }));
    push(&mut json["nodes"], json!({ "name": "Eye", "camera": 0 }));
    json["nodes"][0]["extensions"]["EXT_new"] = json!({ "any": [1] });
    json["materials"][0]["extensions"]["KHR_materials_clearcoat"] = json!({ "clearcoatFactor": 1.0 });
    (first..first + 2).for_each(|node| push(&mut json["scenes"][0]["nodes"], node.into()));
    // The value of a spline is between its tangents: the positions of a triangle are one key.
    let mut time = json["accessors"][0].clone();
    time["count"] = json!(1);
    let time_at = json["accessors"].as_array().unwrap().len();
    push(&mut json["accessors"], time);
    let animation = &mut json["animations"][0];
    push(&mut animation["samplers"], json!({ "input": 0, "output": 1, "interpolation": "STEP" }));
    push(&mut animation["samplers"], json!({ "input": time_at, "output": 4, "interpolation": "CUBICSPLINE" }));
    for (sampler, path) in [(2, "translation"), (3, "scale")] {
        push(&mut animation["channels"], json!({ "sampler": sampler, "target": { "node": first + 1, "path": path } }));
    }
    let pointer = json!({ "pointer": "/extensions/KHR_lights_punctual/lights/0/color" });
    let target = json!({ "path": "pointer", "extensions": { "KHR_animation_pointer": pointer } });
    push(&mut animation["channels"], json!({ "sampler": 0, "target": target }));
    let apply = |json: &Value| {
        put_glb(&folder, model, json);
        folder.said(&format!("apply WORLD.WDB {model} --dry-run"))
    };
    let (code, out, err) = apply(&json);
    assert!(code == 0 && out.contains("\"changes\":[]"), "{out}{err}");
    for named in [
        "extensions, KHR_lights_punctual",
        "cameras",
        "node \"top\", extensions, EXT_new",
        "material 0, extensions, KHR_materials_clearcoat",
        "target, extensions, KHR_animation_pointer, pointer",
    ] {
        assert!(err.contains(&format!("{named}: the export has none; not read")), "{named}: {err}");
    }
    for named in ["Lamp", "Eye"] {
        assert!(err.contains(&format!("node \"{named}\": the export has no such node; not read")), "{named}: {err}");
    }
    json["materials"][0]["pbrMetallicRoughness"]["baseColorFactor"] = json!([1.0, 0.0, 0.0, 1.0]);
    assert!(apply(&json).1.contains("\"to\":\"#ff0000\""));
    // What has another form would be read wrong.
    for (name, list, advice) in [
        ("KHR_draco_mesh_compression", "", "compressed with Draco: export it as GLB without compression"),
        ("EXT_meshopt_compression", "", "compressed with meshopt: export it as GLB without compression"),
        ("KHR_mesh_quantization", "", "quantized: export it as GLB without quantization"),
        ("EXT_texture_webp", "", "has WebP pictures: export them as PNG"),
        ("KHR_texture_basisu", "", "(KHR_texture_basisu): export them as PNG"),
        ("KHR_texture_transform", "", "move the texture coordinates"),
        ("KHR_materials_pbrSpecularGlossiness", "", "metallic-roughness"),
        ("EXT_mesh_gpu_instancing", "", "objects of their own"),
        ("EXT_other", "bufferViews", "\"EXT_other\": export it without that"),
        ("EXT_other", "textures", "\"EXT_other\": export it without that"),
    ] {
        let mut json = original.clone();
        json["extensionsRequired"] = json!(["KHR_lights_punctual", name]);
        if !list.is_empty() {
            json[list][0]["extensions"][name] = json!({});
        }
        let (code, _, err) = apply(&json);
        assert!(code == 3 && err.contains(advice), "{name}: {err}");
    }
    let mut json = original.clone();
    json["textures"] = json!([{ "extensions": { "EXT_texture_webp": { "source": 0 } } }]);
    assert!(apply(&json).2.contains("has WebP pictures: export them as PNG"));
}

#[test]
fn keys_that_jump() {
    let (folder, code, err) = exported("67-step-keys", "glb");
    assert_eq!(code, 0, "{err}");
    let model = "out/WORLD.WDB/models/top.glb";
    let original = glb(&folder, model);
    let index = |json: &Value| usize::try_from(json.as_u64().unwrap()).unwrap();
    let sampler_of = |json: &Value, path: &str| {
        let channels = json["animations"][0]["channels"].as_array().unwrap();
        let channel = channels.iter().find(|channel| channel["target"]["path"] == path).unwrap();
        index(&channel["sampler"])
    };
    let turns = sampler_of(&original, "rotation");
    let sampler = &original["animations"][0]["samplers"][turns];
    assert_eq!(sampler["interpolation"], "STEP");
    // One for each key of the file.
    let accessor = &original["accessors"][index(&sampler["input"])];
    assert_eq!((&accessor["count"], &accessor["max"]), (&json!(3), &json!([1.0])));
    let apply = |path: &str, interpolation: &str, source: &str| {
        let mut json = glb(&folder, model);
        json["animations"][0]["samplers"][sampler_of(&original, path)]["interpolation"] = interpolation.into();
        put_glb(&folder, model, &json);
        folder.said(&format!("apply {source} {model} -o new.WDB --overwrite always"))
    };
    let (code, _, err) = apply("rotation", "STEP", "WORLD.WDB");
    assert!(code == 0 && err.contains("nothing edited in 1 file"), "{err}");
    let (code, _, err) = apply("translation", "STEP", "WORLD.WDB");
    let expected = "node:top: its keys jump (STEP), which in the game only rotations do";
    assert!(code == 3 && err.contains(expected), "{err}");
    apply("translation", "LINEAR", "WORLD.WDB");
    // Flag 4 goes, and comes again.
    let (code, _, err) = apply("rotation", "LINEAR", "WORLD.WDB");
    assert_eq!(code, 0, "{err}");
    let flags = |file: &str| {
        let show: Value = serde_json::from_str(&folder.ok(&["show", file, "--full", "--format", "json"])).unwrap();
        let keys = show["blobs"][0]["nodes"][2]["rotations"].as_array().unwrap().clone();
        keys.iter().map(|key| key["flags"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!((flags("WORLD.WDB"), flags("new.WDB")), (vec![1, 5, 5], vec![1, 1, 1]));
    std::fs::copy(folder.path("new.WDB"), folder.path("line.WDB")).unwrap();
    folder.ok("export line.WDB -o lines --to glb");
    let lines = "lines/line.WDB/models/top.glb";
    let mut json = glb(&folder, lines);
    assert_eq!(json["animations"][0]["samplers"][turns]["interpolation"], "LINEAR");
    json["animations"][0]["samplers"][turns]["interpolation"] = "STEP".into();
    put_glb(&folder, lines, &json);
    folder.ok(&format!("apply line.WDB {lines} -o again.WDB"));
    assert!(folder.bytes("again.WDB") == folder.bytes("WORLD.WDB"));
}

#[test]
fn rules_of_textures() {
    let (folder, _, err) = exported("47-texture-rules", "png,glb");
    assert!(err.contains("\"DEU.GIF\", \"own.gif\""), "{err}");
    assert_eq!(folder.files("out/WORLD.WDB/textures"), ["%5Edeu.png", "own.png", "red.png"]);
    assert_eq!(folder.codes("WORLD.WDB").iter().filter(|code| *code == "texture-unresolved").count(), 2);
}

#[test]
fn hostile_names_pictures_and_models() {
    let folder = case("50-hostile");
    for args in [
        &["check", "--all", "escape.wpd"][..],
        &["show", "escape.wpd"],
        &["list", "escape.wpd"],
        &["info", "escape.wpd"],
    ] {
        let (_, out, err) = folder.said(args);
        let bad = |text: char| text.is_control() && text != '\n' || ('\u{202A}'..='\u{202E}').contains(&text);
        assert!(!format!("{out}{err}").contains(bad), "{args:?}: {out}{err}");
    }
    for (original, kinds, source, hostile) in [
        (case("46-blender-roundtrip"), "glb", "models/top.glb", "glb_len0.glb"),
        (case("45-hd-texture"), "png", "textures/red.png", "panic_plte5.png"),
    ] {
        original.ok(&["export", "WORLD.WDB", "-o", "out", "--to", kinds]);
        let path = format!("out/WORLD.WDB/{source}");
        original.put(&path, &folder.bytes(hostile));
        let err = original.fails(3, &["apply", "WORLD.WDB", &path, "-o", "new.WDB"]);
        assert!(err.contains(source) && !err.contains("panicked"), "{err}");
        assert!(!original.path("new.WDB").exists());
    }
    let level = case("36-objects-sheet");
    level.put("tiles/001.png", &folder.bytes("panic_plte5.png"));
    let (_, _, err) = level.said(&["export", "l.wwd", "-o", "out", "--to", "png", "--tiles", "tiles"]);
    assert!(err.contains("001.png") && !err.contains("panicked"), "{err}");
}

#[test]
fn parts_that_overlap() {
    let folder = case("81-overlapping-loops");
    for (file, part) in [("bomb.wwd", "plane 4, walk over overlapping parts"), ("bomb-world.wdb", "part blob \"p\"")] {
        let (code, out, err) = folder.said(&["check", file]);
        assert!(code == 1 && out.contains(part) && out.contains("the limit is"), "{out}{err}");
    }
}
