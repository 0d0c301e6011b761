//! Where outputs are, what the manifests say of them, and what becomes of them when their inputs are gone.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::support::{Folder, WORLDVIEW, digest};

fn sample(name: &str) -> Vec<u8> {
    fs::read(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples")).join(name)).unwrap()
}

/// A folder `in` with a table, an archive, a level and two tables whose names differ in the extension only.
fn folder() -> Folder {
    let folder = Folder::new();
    for (name, bytes) in [
        ("in/item.bin", sample("bestiary.wdb")),
        ("in/item.wdb", sample("items.wdb")),
        ("in/sub/GARDEN.WWD", sample("garden.wwd")),
        ("in/sub/pack.bin", sample("effects.bin")),
    ] {
        folder.put(name, &bytes);
    }
    folder
}

/// The lines of the manifest of a run, by their source, after checking that each file is as its line says.
fn lines(folder: &Folder, out: &str) -> BTreeMap<String, Value> {
    let text = fs::read_to_string(folder.path(out).join("manifest.ndjson")).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut listed = BTreeSet::from(["manifest.ndjson".to_owned()]);
    for file in lines.iter().flat_map(|line| line["files"].as_array().unwrap()) {
        let name = file["file"].as_str().unwrap();
        let bytes = fs::read(folder.path(out).join(name)).unwrap();
        assert_eq!(file["size"].as_u64(), Some(bytes.len() as u64));
        assert_eq!(file["sha256"].as_str(), Some(&*digest(&bytes)));
        assert!(listed.insert(name.to_owned()), "{name}");
    }
    assert_eq!(listed.into_iter().collect::<Vec<_>>(), folder.files(out));
    lines.into_iter().map(|line| (line["source"].as_str().unwrap().to_owned(), line)).collect()
}

#[test]
fn files_lie_beside_each_other_in_a_flat_layout() {
    let folder = folder();
    let export = ["export", "in", "-o", "out", "--to", "csv,png,members", "--layout", "flat", "--format", "json"];
    let first = folder.json(&export);
    let mut files = folder.files("out");
    files.retain(|file| !file.starts_with("in/sub/pack.bin/members/"));
    let expected = "in/item.arrays.csv in/item.csv in/item~2.csv in/sub/GARDEN.WWD/planes/00-Action.png \
        in/sub/GARDEN.attributes.csv in/sub/GARDEN.attributes.png in/sub/GARDEN.objects.csv in/sub/GARDEN.png \
        in/sub/pack.bin/archive.json manifest.ndjson";
    assert_eq!(files.join(" "), expected);
    // The same bytes as in folders.
    folder.said("export in -o folders --to csv,png,members");
    for (flat, other) in
        [("in/item.csv", "in/item.bin/records.csv"), ("in/sub/GARDEN.png", "in/sub/GARDEN.WWD/level.png")]
    {
        let [flat, other] =
            [("out", flat), ("folders", other)].map(|(out, file)| fs::read(folder.path(out).join(file)));
        assert!(flat.unwrap() == other.unwrap());
    }
    assert_eq!(lines(&folder, "out").len(), 4);
    // A second run counts the same, and writes nothing.
    let second = folder.json(&export);
    assert_eq!(second["exported"], first["exported"]);
    assert_eq!(second["outputs"]["unchanged"], first["outputs"]["written"]);
    assert_eq!(second["outputs"]["written"], 0);
    // A map refers to the files beside it, so the level keeps its folder, and a run over it keeps the other lines.
    folder.said("export in/sub/GARDEN.WWD -o out --to tmx --layout flat");
    assert!(folder.files("out").contains(&"GARDEN.WWD/map.tmx".to_owned()));
    let text = folder.text("out/manifest.ndjson");
    assert_eq!(text.lines().count(), 5);
}

#[test]
fn edits_of_files_that_lie_beside_others_are_applied() {
    let folder = folder();
    folder.said("export in -o out --to csv --layout flat");
    let sheet = folder.text("out/in/item~2.csv");
    let (head, _) = sheet.split_once('\n').unwrap();
    let at = head.split(',').position(|name| name == "uPurchasePrice").unwrap();
    let edited = sheet.lines().map(|line| {
        let mut cells: Vec<_> = line.split(',').collect();
        cells[at] = if cells[0] == "apple_dried" { "7" } else { cells[at] };
        cells.join(",") + "\n"
    });
    folder.put("out/in/item~2.csv", edited.collect::<String>().as_bytes());
    folder.said("set in/item.wdb apple_dried/uPurchasePrice=7 -o expected.wdb");
    let expected = folder.bytes("expected.wdb");
    // The file, its folder, and the folders of all inputs and all outputs.
    for (input, source, output) in [
        ("in/item.wdb", "out/in/item~2.csv", "a.wdb"),
        ("in/item.wdb", "out/in", "b.wdb"),
        ("in/item.wdb", "out", "c.wdb"),
        ("in", "out", "all"),
    ] {
        let (code, _, err) = folder.said(&["apply", input, source, "-o", output]);
        assert_eq!(code, 0, "{err}");
        let output = if input == "in" { format!("{output}/item.wdb") } else { output.to_owned() };
        assert_eq!(folder.bytes(&output), expected, "{source}: {err}");
    }
    assert_eq!(folder.files("all"), ["item.wdb"]);
    // A file of string arrays is not taken for records, and one that the export did not write is named.
    folder.ok("apply in/item.bin out/in/item.arrays.csv -o d.wdb --dry-run");
    folder.put("out/in/item.arrays.csv", b"field,index,value\nx,0,y\n");
    let (code, _, err) = folder.said(&["apply", "in/item.bin", "out/in/item.arrays.csv", "-o", "d.wdb"]);
    assert!(code == 3 && err.contains("arrays of texts are edited through the fields of records"), "{err}");
    folder.put("out/in/copy.csv", sheet.as_bytes());
    let (_, _, err) = folder.said(&["apply", "in/item.wdb", "out", "-o", "e.wdb"]);
    assert!(err.contains("out/in/copy.csv: is not a file of the export"), "{err}");
    // Another version of the input is refused.
    folder.put("in/item.wdb", &expected);
    folder.says(3, "apply in/item.wdb out/in/item~2.csv -o f.wdb", &["was exported from another file or version"]);
}

#[test]
fn a_run_goes_on_where_a_killed_one_was() {
    let folder = folder();
    let export = ["export", "in", "-o", "out", "--to", "csv", "--layout", "flat", "--format", "json"];
    folder.json(&export);
    let whole = folder.text("out/manifest.ndjson");
    let lines: Vec<_> = whole.lines().collect();
    // The first line is there twice, since its input was exported again, and the third one in part.
    let older = lines[0].replace("\"complete\":true", "\"complete\":false");
    folder.put("out/manifest.ndjson", [&older, lines[1], lines[0], &lines[2][..40]].join("\n").as_bytes());
    // Only a line tells that a file was edited.
    for edited in ["out/in/item.csv", "out/in/item~2.csv"] {
        folder.put(edited, b"mine");
    }
    let report = folder.json(&export);
    assert_eq!((&report["outputs"]["edited"], &report["outputs"]["written"]), (&2.into(), &1.into()));
    assert_eq!(folder.text("out/manifest.ndjson"), whole);
    assert_eq!(folder.json(&export)["outputs"]["written"], 0);
}

#[test]
fn lines_of_other_inputs_stay_in_a_folder_of_an_input() {
    let folder = folder();
    let of_folder = "export in/item.wdb -o out --to csv --format json";
    let beside = "export in/item.bin -o out/item.wdb --to csv --layout flat --format json";
    for (command, written) in [(of_folder, 2), (beside, 3), (of_folder, 0), (beside, 0)] {
        assert_eq!(folder.json(command)["outputs"]["written"], written, "{command}");
    }
    let lines = folder.text("out/item.wdb/manifest.ndjson");
    assert_eq!(lines.lines().count(), 2);
    for (input, source) in [("in/item.wdb", "records.csv"), ("in/item.bin", "item.csv")] {
        folder.ok(&format!("apply {input} out/item.wdb/{source} -o new --dry-run"));
    }
    // Inputs that are gone take only their own lines with them.
    fs::remove_file(folder.path("in/item.bin")).unwrap();
    folder.json("export in -o out --to csv --prune --format json");
    assert_eq!(folder.json(of_folder)["outputs"]["written"], 0);
}

#[test]
fn outputs_whose_inputs_are_gone_are_stale() {
    for layout in ["folders", "flat"] {
        let folder = folder();
        folder.put("other/b.wdb", &sample("items.wdb"));
        let said = |more: &[&str]| {
            let export = ["export", "in", "-o", "out", "--to", "csv,members", "--layout", layout, "--format", "json"];
            let (_, out, err) = folder.said(&[&export[..], more].concat());
            let document: Value = serde_json::from_str(&out).unwrap();
            let count = |name: &str| document["outputs"][name].as_u64().unwrap();
            ((count("stale"), count("removed")), err)
        };
        folder.said(&format!("export other -o out --to csv --layout {layout}"));
        assert_eq!(said(&[]).0, (0, 0));
        let before = folder.files("out");
        // The outputs of a folder that is not searched are none of this run's business.
        fs::remove_file(folder.path("other/b.wdb")).unwrap();
        fs::remove_file(folder.path("in/item.bin")).unwrap();
        let gone: Vec<_> =
            before.iter().filter(|file| file.contains("arrays.csv")).map(|file| format!("out/{file}")).collect();
        let (counts, err) = said(&[]);
        assert!(counts == (2, 0) && err.contains("2 stale outputs: ") && err.contains(&gone[0]), "{err}");
        assert!(before.iter().all(|file| folder.path("out").join(file).exists()));
        // What somebody has edited stays, and is named.
        folder.put(&gone[0], b"mine");
        folder.put("out/in/mine.csv", b"mine");
        assert_eq!(said(&["--prune", "--dry-run"]).0, (0, 1));
        let (counts, err) = said(&["--prune"]);
        assert!(counts == (0, 1) && err.contains(&format!("edited since and kept: {}", gone[0])), "{err}");
        let after = folder.files("out");
        let removed: Vec<_> = before.iter().filter(|file| !after.contains(file)).collect();
        assert_eq!(removed, [if layout == "flat" { "in/item~2.csv" } else { "in/item.bin/records.csv" }]);
        // It is named until somebody removes it.
        assert!(said(&["--prune"]).1.contains("edited since"));
        fs::remove_file(folder.path(&gone[0])).unwrap();
        let (counts, err) = said(&["--prune"]);
        assert!(counts == (0, 0) && !err.contains("stale"), "{err}");
        assert!(folder.files("out").contains(&"in/mine.csv".to_owned()));
        assert!(!folder.path("out/in/item.bin").exists());
    }
}

#[test]
fn outputs_that_a_new_version_of_an_input_lacks_are_stale_until_they_are_removed() {
    for layout in ["folders", "flat"] {
        let folder = Folder::with("", vec![("in/a.wdb", sample("bestiary.wdb"))]);
        let stale = |more: &[&str]| {
            let export = ["export", "in", "-o", "out", "--to", "csv", "--layout", layout, "--format", "json"];
            let outputs = folder.json(&[&export[..], more].concat())["outputs"].clone();
            (outputs["stale"].as_u64().unwrap(), outputs["removed"].as_u64().unwrap())
        };
        assert_eq!(stale(&[]), (0, 0));
        // A table without string arrays.
        folder.put("in/a.wdb", &sample("items.wdb"));
        let all = [stale(&[]), stale(&[]), stale(&["--prune"]), stale(&[])];
        assert_eq!(all, [(1, 0), (1, 0), (0, 1), (0, 0)], "{layout}");
        assert!(folder.files("out").iter().all(|file| !file.contains("arrays")));
    }
}

#[test]
fn a_name_that_another_input_gets_is_not_stale() {
    let folder = Folder::with("in/", vec![("item.bin", sample("bestiary.wdb")), ("item.wdb", sample("items.wdb"))]);
    let export = ["export", "in", "-o", "out", "--to", "csv", "--layout", "flat", "--prune", "--format", "json"];
    folder.json(&export);
    // The first name, with the same rows, is now that of a new file.
    folder.put("in/item.a", &sample("bestiary.wdb"));
    folder.put("in/item.bin", &sample("items.wdb"));
    let report = folder.json(&export);
    assert_eq!((&report["outputs"]["removed"], &report["stale"]), (&0.into(), &Value::Array(Vec::new())));
    let lines = lines(&folder, "out");
    let files = ["in/item.a", "in/item.bin", "in/item.wdb"].map(|source| lines[source]["files"][0]["file"].clone());
    assert_eq!(files, ["in/item.csv", "in/item~2.csv", "in/item~3.csv"]);
}

#[test]
fn merged_rows_have_a_manifest_and_are_not_read_again() {
    let folder = Folder::with("in/", vec![("empty.wdb", Vec::new()), ("item.wdb", sample("items.wdb"))]);
    let merge = ["export", "in", "-o", "out", "--to", "parquet", "--merge", "sheet", "--format", "json"];
    let first = folder.json(&merge);
    let all = lines(&folder, "out");
    let said = |source: &str| (all[source]["status"].as_str().unwrap(), all[source].get("code"));
    let empty = Value::from("unreadable-empty");
    assert_eq!(said("in/item.wdb"), ("ok", None));
    assert_eq!((said("in/empty.wdb"), said("")), (("failed", Some(&empty)), ("partial", Some(&empty))));
    let records = folder.json(&["list", "in/item.wdb", "--format", "json"])["tables"][0]["records"].clone();
    let from = serde_json::json!([{"source": "in/item.wdb", "rows": records, "offset": 0, "length": sample("items.wdb").len()}]);
    let file = &all[""]["files"][0];
    assert_eq!((&file["file"], &file["from"]), (&"Item.parquet".into(), &from));
    let second = folder.json(&merge);
    assert_eq!((&second["exported"], &second["inputs"]), (&first["exported"], &first["inputs"]));
    assert_eq!(second["outputs"]["unchanged"], first["outputs"]["written"]);
    // A file that is gone, or a new one, makes the rows others.
    folder.put("in/more.wdb", &sample("bestiary.wdb"));
    assert_eq!(folder.json(&merge)["exported"]["tables"], 2);
    fs::remove_file(folder.path("in/more.wdb")).unwrap();
    let third = folder.json(&merge);
    assert_eq!((third["exported"]["tables"].as_u64(), third["outputs"]["stale"].as_u64()), (Some(1), Some(2)));
    let pruned = folder.json(&[&merge[..], &["--prune"]].concat());
    assert_eq!(pruned["outputs"]["removed"], 2);
    assert_eq!(folder.files("out"), ["Item.parquet", "manifest.ndjson"]);
    // Another run keeps the lines, except of inputs that are gone.
    folder.json("export in/item.wdb -o out --to csv --layout flat --format json");
    assert_eq!(lines(&folder, "out").into_keys().collect::<Vec<_>>(), ["", "in/empty.wdb", "in/item.wdb"]);
}

#[test]
fn manifests_say_what_is_missing() {
    let folder = Folder::with("in/", vec![("noise.wwd", b"no level".to_vec())]);
    let level = sample("garden.wwd");
    folder.put("in/cut.wwd", &level[..2500]);
    folder.said("export in -o flat --to json --layout flat");
    let report = folder.json(&["export", "in", "-o", "folders", "--to", "json", "--format", "json"]);
    let mut manifests = lines(&folder, "flat");
    let noise = manifests.remove("in/noise.wwd").unwrap();
    assert_eq!(noise["status"], "failed");
    assert_eq!(noise["code"], "unreadable-damaged");
    assert_eq!(&noise["files"], &Value::Array(Vec::new()));
    let text = folder.bytes("folders/in/cut.wwd/manifest.ndjson");
    for manifest in [manifests.remove("in/cut.wwd").unwrap(), serde_json::from_slice(&text).unwrap()] {
        let input = &report["inputs"][0];
        assert_eq!((&manifest["manifest"], &manifest["complete"]), (&4.into(), &false.into()));
        for member in ["status", "code", "message", "offset", "space", "hint", "account"] {
            assert_eq!(manifest[member], input[member], "{member}");
        }
        assert_eq!((&manifest["status"], &manifest["code"]), (&"partial".into(), &"unreadable-truncated".into()));
    }
}

#[test]
fn one_run_at_a_time_writes_to_a_folder() {
    let folder = folder();
    fs::create_dir(folder.path("out")).unwrap();
    // Standard input is read while the folder is locked.
    let mut first = Command::new(WORLDVIEW)
        .current_dir(folder.path(""))
        .args(["export", "-", "-o", "out"])
        .stdin(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut second = Command::new(WORLDVIEW);
    second
        .current_dir(folder.path(""))
        .args(["export", "in/item.wdb", "-o", "out", "--to", "csv"])
        .stderr(Stdio::piped());
    std::thread::sleep(Duration::from_millis(500));
    let mut second = second.spawn().unwrap();
    std::thread::sleep(Duration::from_millis(500));
    assert!(second.try_wait().unwrap().is_none() && !folder.path("out/item.wdb").exists());
    // A killed run leaves no lock behind.
    first.kill().unwrap();
    first.wait().unwrap();
    let output = second.wait_with_output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && err.contains("out: waiting for another run"), "{err}");
    assert_eq!(folder.files("out"), ["item.wdb/manifest.ndjson", "item.wdb/records.csv"]);
}
