//! Tests of the command as a process: its output, its files, its exit codes.

use std::fs;

use crate::support::{Folder, MISSING, clean_level, code, failed, stderr, stdout};
use worldview_corpus::sample;
use worldview_corpus::wwd::samples;
use worldview_corpus::wwd::spec::ChecksumRule;

/// A folder with the sample levels in `levels/`.
fn with_samples() -> Folder {
    Folder::with("levels/", samples())
}

#[test]
fn the_output_tree_is_the_documented_one() {
    let folder = with_samples();
    folder.put("levels/README.txt", b"no level");
    let done = folder.run(&["export", "levels", "-o", "out", "--to", "tmx,tmj,png,csv,ndjson,json,text"]);
    assert_eq!(code(&done), 0, "{}", stderr(&done));
    let expected = "attributes.csv attributes.ndjson attributes.png level.json level.png level.tiled-project level.txt \
        manifest.ndjson map-32x32.tmj map-32x32.tmx map.tmj map.tmx objects.csv objects.ndjson planes/00-Background.png \
        planes/01-Action.png tilesets/ACTION.png tilesets/BACK-32x32.png";
    assert_eq!(folder.files("out/levels/cellar.wwd").join(" "), expected);
    assert_eq!(fs::read_dir(folder.path("out/levels")).unwrap().count(), 3, "a folder for each level and no other");
    assert!(stderr(&done).contains("3 levels;"), "{}", stderr(&done));
}

#[test]
fn the_default_is_maps_pictures_and_csv() {
    let folder = with_samples();
    assert_eq!(code(&folder.run(&["export", "levels/garden.wwd", "-o", "out"])), 0);
    let expected = "attributes.csv attributes.png level.png level.tiled-project manifest.ndjson map.tmx objects.csv \
        planes/00-Action.png tilesets/ACTION.png";
    assert_eq!(folder.files("out/garden.wwd").join(" "), expected);
}

#[test]
fn exit_codes_of_check() {
    let folder = Folder::new();
    folder.put("clean.wwd", &clean_level(|_| {}));
    folder.put("suspicious.wwd", &clean_level(|spec| spec.checksum = ChecksumRule::Value(7)));
    folder.put("fatal.wwd", &clean_level(|spec| spec.planes[1].flags = 0));
    let check = |args: &[&str]| code(&folder.run(&[&["check"], args].concat()));
    assert_eq!(check(&["clean.wwd"]), 0);
    assert_eq!(check(&["suspicious.wwd"]), 0);
    assert_eq!(check(&["suspicious.wwd", "--fail-on", "suspicious"]), 1);
    assert_eq!(check(&["fatal.wwd"]), 1);
    assert_eq!(check(&["fatal.wwd", "--fail-on", "never"]), 0);
    assert_eq!(check(&["clean.wwd", "--fail-on", "curious"]), 1, "a background without attributes is curious");
    // 2 takes precedence over everything.
    assert_eq!(check(&["fatal.wwd", "missing.wwd"]), 2);
    assert_eq!(check(&["fatal.wwd", "missing.wwd", "--no-such-option"]), 2);
    // No path is the current folder.
    assert_eq!(check(&[]), 1);
}

#[test]
fn exit_code_4_goes_before_3() {
    let folder = with_samples();
    // A file in place of the output folder, so that nobody can write to it.
    folder.put("out", b"in the way");
    let done = folder.run(&["export", "levels/garden.wwd", "missing.wwd", "-o", "out", "--to", "csv"]);
    assert_eq!(code(&done), 4);
    assert!(stderr(&done).contains("cannot be written"), "{}", stderr(&done));
    assert_eq!(folder.bytes("out"), b"in the way");
}

#[test]
fn standard_input_is_an_input_like_any_other() {
    let folder = with_samples();
    let harbour = sample("harbour.wwd");
    let info = folder.run_with(&["info", "-"], &harbour);
    assert_eq!(code(&info), 0);
    assert!(stdout(&info).contains("Harbour - Level 1"), "{}", stdout(&info));
    let shown = folder.run_with(&["show", "-"], &harbour);
    assert_eq!(stdout(&shown), stdout(&folder.run(&["show", "levels/harbour.wwd"])));
    assert_eq!(code(&folder.run_with(&["export", "-", "-o", "out", "--to", "csv"], &harbour)), 0);
    assert_eq!(folder.files("out"), ["stdin/attributes.csv", "stdin/manifest.ndjson", "stdin/objects.csv"]);
    let empty = folder.run_with(&["info", "-"], b"");
    assert_eq!((code(&empty), stderr(&empty).contains("is empty")), (3, true));
}

#[test]
fn json_has_its_documented_shape() {
    let folder = with_samples();
    let json = |args: &[&str]| -> serde_json::Value {
        let output = folder.run(&[args, &["--format", "json"]].concat());
        serde_json::from_str(&stdout(&output)).unwrap_or_else(|error| panic!("{error}: {}", stdout(&output)))
    };
    let info = json(&["info", "levels/cellar.wwd"]);
    assert_eq!((&info["version"], &info["verb"]), (&4.into(), &"info".into()));
    let level = &info["levels"][0];
    assert_eq!((&level["game"], &level["packed"]), (&"Claw".into(), &true.into()));
    assert_eq!(level["checksum"]["rules"], serde_json::json!(["wapmap"]));
    assert_eq!(level["planes"][1]["name"], "Action");
    assert_eq!(level["planes"][0]["tile_width"], 32);
    let list = json(&["list", "levels"]);
    let names: Vec<_> =
        list["levels"].as_array().unwrap().iter().map(|level| level["path"].as_str().unwrap()).collect();
    assert_eq!(names.len(), 3);
    assert!(names.is_sorted(), "{names:?}");
    let check = json(&["check", "levels/garden.wwd"]);
    assert_eq!((&check["version"], &check["files"][0]["fatal"]), (&4.into(), &0.into()));
    let show = json(&["show", "levels/garden.wwd"]);
    assert_eq!((&show["format"], &show["version"]), (&"wwd".into(), &3.into()));
    assert_eq!(show["planes"][0]["tiles"].as_array().unwrap().len(), 40);
}

#[test]
fn code_pages_are_chosen_by_name() {
    let folder = Folder::new();
    folder.put("polish.wwd", &clean_level(|spec| spec.planes[0].name = b"T\xB3o".to_vec()));
    let name = |args: &[&str]| {
        let output = folder.run(&[&["info", "polish.wwd", "--format", "json"], args].concat());
        let info: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
        info["levels"][0]["planes"][0]["name"].as_str().unwrap().to_owned()
    };
    assert_eq!(name(&[]), "T\u{B3}o");
    assert_eq!(name(&["--encoding", "windows-1250"]), "T\u{142}o");
}

#[test]
fn limits_are_named_where_they_are_reached() {
    let folder = with_samples();
    folder.says(
        3,
        "list levels/harbour.wwd --limits 0.000001",
        &["the limit is 67", "raise the limit with --limits FACTOR"],
    );
    // A tile is 25 pixels wide and high; the level has 160 by 60 tiles.
    let export = "export levels/harbour.wwd -o out --to png,csv --limits";
    folder.says(3, &format!("{export} 0.01"), &["the limit is 2684354", "or raise the limit with --limits FACTOR"]);
    assert!(folder.path("out/harbour.wwd/objects.csv").exists(), "the tables are written all the same");
    assert!(!folder.path("out/harbour.wwd/level.png").exists());
    for factor in ["0.04", "1e3", "off"] {
        folder.ok(&format!("{export} {factor}"));
    }
    for wrong in ["0", "-1", "inf", "nan", "none"] {
        folder.says(2, &format!("{export}={wrong}"), &["expected a number above 0, or off"]);
    }
}

#[test]
fn paths_that_are_nothing_are_said_to_be() {
    let folder = Folder::new();
    fs::create_dir(folder.path("empty")).unwrap();
    folder.put("note.txt", b"not a level at all");
    for (path, expected, why) in
        [("empty", 2, "no file in a known format"), ("note.txt", 3, "not in a known format"), ("missing", 2, MISSING)]
    {
        let output = folder.run(&["info", path]);
        assert_eq!((code(&output), stderr(&output).contains(why)), (expected, true), "{path}: {}", stderr(&output));
    }
}

#[test]
fn what_cannot_be_done_stands_in_the_documents_too() {
    let folder = with_samples();
    folder.put("levels/broken.wwd", b"no level");
    for verb in ["info", "list", "check"] {
        let output = folder.run(&[verb, "levels", "--format", "json"]);
        let document: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
        let failed = failed(&document);
        assert_eq!(failed.len(), 1, "{verb}");
        assert_eq!(failed[0]["path"], "levels/broken.wwd");
        assert_eq!((&failed[0]["status"], &failed[0]["code"]), (&"failed".into(), &"unreadable-damaged".into()));
        assert!(failed[0]["message"].as_str().unwrap().starts_with("is not a WWD level"), "{verb}");
        assert_eq!(code(&output), 3, "{verb}");
    }
}

#[test]
#[cfg(unix)]
fn names_cannot_command_the_terminal() {
    let folder = Folder::new();
    let escape = "\u{1B}]0;owned\u{7}";
    let level = clean_level(|spec| {
        let plane = &mut spec.planes[1];
        let names = [&mut spec.header.name, &mut plane.name, &mut plane.objects[0].name];
        names.into_iter().for_each(|name| *name = escape.as_bytes().to_vec());
        plane.objects[0].x = -1;
    });
    folder.put(&format!("{escape}.wwd"), &level);
    folder.put(&format!("{escape}.txt"), b"nothing");
    for args in [&["info", "."][..], &["list", "."], &["show", "."], &["check", "."], &["export", ".", "-o", "out"]] {
        let output = folder.run(args);
        let bytes = [output.stdout, output.stderr].concat();
        assert!(bytes.iter().all(|&byte| byte == b'\n' || !byte.is_ascii_control()), "{args:?}");
    }
}

#[test]
fn a_level_of_a_million_findings_is_checked_in_few_lines() {
    let folder = Folder::new();
    folder.put("names.wwd", &clean_level(|spec| spec.planes[1].image_sets = vec![Vec::new(); 20_000]));
    let grouped = stdout(&folder.run(&["check", "names.wwd"]));
    assert!(grouped.contains("[image-set-empty]: 20000\n") && grouped.lines().count() < 30, "{grouped}");
    let output = folder.run(&["check", "names.wwd", "--all"]);
    let printed = stdout(&output);
    assert!(printed.contains("and 19000 more [image-set-empty]"), "{}", printed.lines().last().unwrap());
    assert!(printed.lines().count() < 1100, "{}", printed.lines().count());
}
