//! Changes that are made in the page. The files stay as they are.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use worldview_corpus::ff13::build::build_table;
use worldview_corpus::ff13::naive::{self, NaiveValue};
use worldview_corpus::ff13::spec::{CellSpec, Generation, TableSpec};
use worldview_corpus::wwd::build::build as build_level;
use worldview_corpus::wwd::generate::switches;
use worldview_edit::{Change, Changes, rez, wpd};

use crate::client::{Answer, Viewer};
use crate::support::Folder;

fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples")
}

fn results(reply: Answer) -> Vec<Value> {
    reply.ok().json()["results"].as_array().unwrap().clone()
}

/// A table with a field of each type, whose records have the same values.
fn table() -> Vec<u8> {
    let spec = TableSpec::new(Generation::G3, &["iInt", "u7Bits", "fFloat", "sText", "u64Long"]);
    let row = |spec: TableSpec, name: &str| {
        let cells: [CellSpec; 5] =
            [CellSpec::Int(-5), CellSpec::Int(100), 0.1_f32.into(), "old".into(), CellSpec::Int(i64::MAX)];
        spec.row(name, cells)
    };
    build_table(&["a", "b/c"].into_iter().fold(spec, row)).bytes
}

#[test]
fn a_change_is_checked_against_the_file() {
    let folder = Folder::new();
    folder.write("t.wdb", &table());
    let viewer = Viewer::open([folder.path()]);
    let at = format!("{}/t.wdb", folder.at());
    let ok = |path: &str, from: Value, to: Value| json!({"ok": true, "from": from, "to": to, "file": at, "path": path});
    let long = i64::MAX.to_string();
    let changes = json!([
        {"set": "a/iInt", "from": -5, "to": 7},
        // As it was typed.
        {"set": "a/u7Bits", "to": "0x7f"},
        {"set": "a/fFloat", "to": "2"},
        {"set": "a/sText", "to": "12"},
        {"set": r"b\/c/fFloat", "from": 0.1, "to": 0.5},
        // Larger than what the page can represent.
        {"set": "a/u64Long", "from": long, "to": u64::MAX.to_string()},
    ]);
    assert_eq!(
        results(viewer.post("/api/edit/check", &json!({"at": at, "changes": changes}))),
        [
            ok("a/iInt", json!(-5), json!(7)),
            ok("a/u7Bits", json!(100), json!(127)),
            ok("a/fFloat", json!(0.1), json!(2)),
            ok("a/sText", json!("old"), json!("12")),
            ok(r"b\/c/fFloat", json!(0.1), json!(0.5)),
            ok("a/u64Long", json!(long), json!(u64::MAX.to_string())),
        ]
    );
    // Setting a field to what it has is nothing to do.
    let some = json!({"at": at, "changes": [{"set": "a/iInt", "to": 7}, {"set": "a/u7Bits", "to": 100}, {"set": "none", "to": 1}]});
    assert_eq!(viewer.post("/api/edit/check", &some).json()["account"], json!({"done": 1, "equal": 1, "refused": 1}));
    let wrong = json!([
        {"set": "a/iInt", "from": 5, "to": 7},
        {"set": "a/u7Bits", "to": 128},
        {"set": "a/iInt", "to": "seven"},
        {"set": "none/iInt", "to": 7},
        {"set": "a//iInt", "to": 7},
        {"set": "a/iInt", "to": null},
        {"set": "a/sText", "to": "good"},
        {"set": "a/sText", "to": "twice"},
    ]);
    let results = results(viewer.post("/api/edit/check", &json!({"at": at, "changes": wrong})));
    let errors: Vec<_> = results.iter().map(|result| result["error"].as_str().unwrap_or("")).collect();
    for (error, (path, why)) in errors.iter().zip([
        ("a/iInt", "expected 5, but the file has -5"),
        ("a/u7Bits", "128 does not fit"),
        ("a/iInt", "expected an integer, found \"seven\""),
        ("none", "not found in this file"),
        ("a//iInt", "segment is empty"),
        ("a/iInt", "expected a number"),
        ("", ""),
        ("a/sText", "conflicts"),
    ]) {
        assert!(error.contains(path) && error.contains(why), "{error} {path} {why}");
    }
}

#[test]
fn a_path_that_is_too_long_is_refused() {
    let folder = Folder::new();
    folder.write("t.wdb", &table());
    let viewer = Viewer::open([folder.path()]);
    let deep = vec!["a"; 15_000].join("/");
    let body = json!({"at": format!("{}/t.wdb", folder.at()), "changes": [{"set": deep, "to": 1}]});
    let results = results(viewer.post("/api/edit/check", &body));
    let error = results[0]["error"].as_str().unwrap();
    assert!(error.contains("15000 segments") && error.len() < 200, "{error}");
    for endpoint in ["changes", "apply"] {
        let reply = viewer.post(&format!("/api/edit/{endpoint}"), &body);
        assert!(String::from_utf8_lossy(&reply.body).contains("15000 segments"), "{endpoint}");
    }
}

#[test]
fn a_copy_has_the_changes_and_nothing_else() {
    let folder = Folder::new();
    let original = table();
    let file = folder.write("t.wdb", &original);
    let viewer = Viewer::open([folder.path()]);
    let body = json!({"at": format!("{}/t.wdb", folder.at()), "changes": [
        {"set": r"b\/c/u7Bits", "from": 100, "to": 1},
        {"set": "a/sText", "from": "old", "to": "new"},
    ]});
    let reply = viewer.post("/api/edit/apply", &body).ok();
    assert_eq!(reply.header("content-disposition"), Some("attachment; filename*=UTF-8''t%2Ewdb"));
    let (before, after) = (naive::table(&original, None).unwrap(), naive::table(&reply.body, None).unwrap());
    for (old, new) in before.rows.iter().zip(&after.rows) {
        for (field, (old_cell, new_cell)) in before.fields.iter().zip(old.values.iter().zip(&new.values)) {
            let expected = match (&*old.name, &*field.name) {
                (b"b/c", b"u7Bits") => &NaiveValue::U32(1),
                (b"a", b"sText") => &NaiveValue::Text(Some(b"new".to_vec())),
                _ => old_cell,
            };
            assert_eq!(new_cell, expected);
        }
    }
    assert_eq!(std::fs::read(file).unwrap(), original);
    // The browser gets no file if a change cannot be applied.
    let wrong = json!({"at": body["at"], "changes": [{"set": "a/u7Bits", "from": 1, "to": 1}]});
    let reply = viewer.post("/api/edit/apply", &wrong);
    assert_eq!((reply.status, reply.error().as_str()), (422, "a/u7Bits: expected 1, but the file has 100"));
}

#[test]
fn a_file_of_changes_is_the_one_of_diff() {
    let folder = Folder::new();
    let original = table();
    folder.write("t.wdb", &original);
    let viewer = Viewer::open([folder.path()]);
    let body = json!({"at": format!("{}/t.wdb", folder.at()), "changes": [
        {"set": "a/iInt", "to": "8"},
        {"set": "a/u64Long", "from": i64::MAX.to_string(), "to": 1},
    ]});
    let reply = viewer.post("/api/edit/changes", &body).ok();
    let name = reply.header("content-disposition").unwrap();
    assert_eq!(name, "attachment; filename*=UTF-8''t%2Ewdb%2Echanges%2Ejson");
    let edited = viewer.post("/api/edit/apply", &body).ok().body;
    let expected = wpd::diff(&original, &edited).unwrap().changes.to_json().unwrap();
    assert_eq!(String::from_utf8(reply.body).unwrap(), expected);
}

/// Applies a change to the outermost file, as the command does.
fn changed(path: &str, from: i32, to: i32) -> Changes {
    [Change::Set { path: path.parse().unwrap(), from: Some(from.into()), to: to.into() }].into_iter().collect()
}

#[test]
fn changes_of_members_are_changes_of_their_archive() {
    let viewer = Viewer::open([samples()]);
    let (pack, rez_file) = ("samples/wdbpack.bin", "samples/harbour.rez");
    let read = |at: &str| std::fs::read(samples().join(at.strip_prefix("samples/").unwrap())).unwrap();
    let (pack_bytes, rez_bytes) = (read(pack), read(rez_file));
    let level = "LEVEL1/WORLDS/WORLD.WWD";
    for (file, part, path, (from, to), edited) in [
        (pack, "r_lamps.wdb", "lamp_gate/fHeight", (json!(null), json!(9)), None),
        (
            rez_file,
            level,
            "header/start_x",
            (json!(800), json!(100)),
            Some(rez::apply(&rez_bytes, &changed(&format!("{level}/header/start_x"), 800, 100)).unwrap().to_vec()),
        ),
    ] {
        let in_part = json!({"at": format!("{file}/{part}"), "changes": [{"set": path, "to": to}]});
        let result = results(viewer.post("/api/edit/check", &in_part))[0].clone();
        let whole = format!("{part}/{path}");
        assert_eq!((&result["file"], &result["path"], &result["ok"]), (&json!(file), &json!(whole), &json!(true)));
        if !from.is_null() {
            assert_eq!(result["from"], from);
        }
        // The same from the outermost file.
        let in_file = json!({"at": file, "changes": [{"set": whole, "from": result["from"], "to": result["to"]}]});
        let one = viewer.post("/api/edit/apply", &in_part).ok().body;
        assert_eq!(one, viewer.post("/api/edit/apply", &in_file).ok().body);
        if let Some(edited) = edited {
            assert_eq!(one, edited);
        }
        let changes = viewer.post("/api/edit/changes", &in_part).ok().body;
        assert_eq!(changes, viewer.post("/api/edit/changes", &in_file).ok().body);
    }
    let lamps = Change::set("r_lamps.wdb/lamp_gate/fHeight".parse().unwrap(), 9);
    let expected = wpd::apply(&pack_bytes, &[lamps].into_iter().collect()).unwrap().to_vec();
    let body = json!({"at": format!("{pack}/r_lamps.wdb"), "changes": [{"set": "lamp_gate/fHeight", "to": "9"}]});
    assert_eq!(viewer.post("/api/edit/apply", &body).ok().body, expected);
}

#[test]
fn values_of_every_format_are_found() {
    let viewer = Viewer::open([samples()]);
    for (at, path, from, to) in [
        ("samples/harbour.wwd", "header/start_x", json!(800), json!(801)),
        ("samples/harbour.wwd", "plane:Action/object:41/x", json!(5600), json!(5601)),
        ("samples/world.wdb", "blob:car/roi:body/color_name", json!("Lego Red"), json!("Lego Blue")),
        ("samples/items.wdb", "apple_dried/uPurchasePrice", json!(6), json!(0)),
    ] {
        let body = json!({"at": at, "changes": [{"set": path, "to": to}]});
        let result = results(viewer.post("/api/edit/check", &body))[0].clone();
        assert_eq!(result, json!({"ok": true, "from": from, "to": to, "file": at, "path": path}));
    }
}

#[test]
fn requests_that_make_no_sense_are_refused() {
    let viewer = Viewer::open([samples()]);
    let set = json!([{"set": "a/b", "to": 1}]);
    for (body, status) in [
        (json!({"at": "samples", "changes": set}), 400),
        (json!({"at": "samples/none.wdb", "changes": set}), 404),
        (json!({"changes": set}), 422),
        (json!({"at": "samples/items.wdb", "changes": vec![&set[0]; 10_001]}), 400),
    ] {
        for endpoint in ["check", "changes", "apply"] {
            let reply = viewer.post(&format!("/api/edit/{endpoint}"), &body);
            assert_eq!(reply.status, status, "{endpoint}: {}", reply.error());
        }
    }
    // One byte more than is allowed: were it more, the server could answer and close before all of it is sent.
    let empty = json!({"at": "", "changes": []}).to_string().len();
    let long = json!({"at": "x".repeat((8 << 20) + 1 - empty), "changes": []});
    assert_eq!(viewer.post("/api/edit/check", &long).status, 413);
}

#[test]
fn a_switch_that_no_longer_fits_is_said() {
    let folder = Folder::new();
    folder.write("l.wwd", &build_level(&switches()).bytes);
    let viewer = Viewer::open([folder.path()]);
    let at = format!("{}/l.wwd", folder.at());
    let notes = |changes: Value| {
        viewer.post("/api/edit/check", &json!({"at": at, "changes": changes})).json()["notes"]
            .as_array()
            .unwrap()
            .clone()
    };
    let moved = notes(json!([
        {"set": "plane:Action/object:770/x", "to": "144"},
        {"set": "plane:Action/object:770/y", "to": "80"},
    ]));
    assert_eq!(moved.len(), 1);
    let said = moved[0].as_str().unwrap();
    assert!(said.starts_with("plane:Action/object:770: ") && said.contains("would be 1026, not 770"), "{said}");
    assert!(notes(json!([{"set": "plane:Action/object:770/x", "to": "113"}])).is_empty());
}
