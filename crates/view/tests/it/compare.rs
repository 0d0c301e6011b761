//! Two files or folders side by side.

use std::path::Path;

use serde_json::{Value, json};
use worldview_corpus::ff13::build::{build_archive, build_table};
use worldview_corpus::ff13::spec::{ArchiveSpec, CellSpec, Generation, MemberSpec, TableSpec};
use worldview_edit::{Change, rez};

use crate::client::Viewer;
use crate::support::{Folder, encoded};

/// A table with these values and texts.
fn table(rows: &[(&str, i64, &str)]) -> Vec<u8> {
    let spec = TableSpec::new(Generation::G3, &["iValue", "sText"]);
    build_table(
        &rows.iter().fold(spec, |spec, &(name, value, text)| spec.row(name, [CellSpec::Int(value), text.into()])),
    )
    .bytes
}

fn archive(members: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let member = |(name, data): &(&str, Vec<u8>)| MemberSpec {
        extension: b"wdb".to_vec(),
        ..MemberSpec::new(*name, data.clone())
    };
    build_archive(&ArchiveSpec { members: members.iter().map(member).collect(), ..ArchiveSpec::default() }).bytes
}

fn diff(viewer: &Viewer, left: &str, right: &str) -> Vec<Value> {
    viewer.lines(&format!("/api/compare/diff?left={}&right={}", encoded(left), encoded(right)))
}

#[test]
fn files_of_two_folders_are_matched_by_their_paths() {
    let folder = Folder::new();
    let old = table(&[("a", 1, "x"), ("b", 2, "y")]);
    folder.write("old/same.wdb", &old);
    folder.write("new/same.wdb", &old);
    folder.write("old/sub/table.wdb", &old);
    folder.write("new/sub/table.wdb", &table(&[("a", 5, "x"), ("b", 2, "z z"), ("c", 0, "")]));
    folder.write("old/only old", b"data");
    folder.write("new/sub/new.wdb", &old);
    folder.write("old/data", b"some data");
    folder.write("new/data", b"some more");
    folder.write("old/other", &old);
    folder.write("new/other", b"no table");
    let viewer = Viewer::open(["old", "new"].map(|side| folder.path().join(side)));
    assert_eq!(viewer.json("/api/session")["compare"], json!(true));
    let lines = viewer.lines("/api/compare");
    let told = |line: &Value| {
        json!([line["left"]["at"], line["right"]["at"], line["change"], line["count"], line["left"]["name"]])
    };
    assert_eq!(
        lines[..lines.len() - 1].iter().map(told).collect::<Vec<_>>(),
        [
            json!(["old/data", "new/data", "changed", 1, "data"]),
            json!(["old/only%20old", null, "removed", null, "only old"]),
            json!(["old/other", "new/other", "error", null, "other"]),
            json!(["old/same.wdb", "new/same.wdb", "same", null, "same.wdb"]),
            json!([null, "new/sub/new.wdb", "added", null, null]),
            json!(["old/sub/table.wdb", "new/sub/table.wdb", "changed", 3, "sub/table.wdb"]),
        ]
    );
    assert!(lines[2]["error"].as_str().unwrap().contains("format"), "{}", lines[2]["error"]);
    let totals = json!({"done": true, "same": 1, "changed": 2, "added": 1, "removed": 1, "error": 1});
    assert_eq!(lines.last(), Some(&totals));
    assert_eq!(viewer.lines("/api/compare?from=5").len(), 2);

    assert_eq!(
        diff(&viewer, "old/sub/table.wdb", "new/sub/table.wdb"),
        [
            json!({"change": "changed", "path": "a", "what": "iValue", "left": "1", "right": "5", "leftPath": "a", "rightPath": "a"}),
            json!({"change": "changed", "path": "b", "what": "sText", "left": "y", "right": "z z", "leftPath": "b", "rightPath": "b"}),
            json!({"change": "added", "path": "c", "rightPath": "c"}),
            json!({"done": true, "count": 3, "parts": 3, "more": 0}),
        ]
    );
    let data = diff(&viewer, "old/data", "new/data");
    assert_eq!(data[0]["what"], "byte 5");
    assert_eq!(data[0]["left"], "100");
    assert_eq!(data[0]["right"], "109");
    assert_eq!(
        diff(&viewer, "old/same.wdb", "new/same.wdb"),
        [json!({"done": true, "count": 0, "parts": 0, "more": 0})]
    );
}

#[cfg(unix)]
#[test]
fn links_that_lead_out_are_not_compared() {
    let folder = Folder::new();
    let secret = folder.write("secret.wdb", &table(&[("a", 1, "")]));
    folder.write("old/a.wdb", &table(&[("a", 1, "")]));
    folder.write("new/a.wdb", &table(&[("a", 1, "")]));
    std::os::unix::fs::symlink(secret, folder.path().join("new/b.wdb")).unwrap();
    std::os::unix::fs::symlink("..", folder.path().join("new/circle")).unwrap();
    let viewer = Viewer::open(["old", "new"].map(|side| folder.path().join(side)));
    assert_eq!(viewer.lines("/api/compare").len(), 2);
}

#[test]
fn differences_in_members_lead_to_the_members() {
    let folder = Folder::new();
    let same = table(&[("a", 1, "x")]);
    folder.write("old.bin", &archive(&[("one", same.clone()), ("two", same.clone())]));
    folder.write("new.bin", &archive(&[("one", same.clone()), ("two", table(&[("a", 1, "-")])), ("zoo", same)]));
    let viewer = Viewer::open(["old.bin", "new.bin"].map(|side| folder.path().join(side)));
    let lines = diff(&viewer, "old.bin", "new.bin");
    let places = |line: &Value| {
        json!([
            line["change"],
            line["path"],
            line["what"],
            line["leftAt"],
            line["leftPath"],
            line["rightAt"],
            line["rightPath"]
        ])
    };
    assert_eq!(
        lines[..lines.len() - 1].iter().map(places).collect::<Vec<_>>(),
        [
            json!(["changed", "two.wdb/a", "sText", "old.bin/two.wdb", "a", "new.bin/two.wdb", "a"]),
            json!(["added", "zoo.wdb", null, null, null, "new.bin/zoo.wdb", ""]),
        ]
    );
    // The members alone.
    let alone = diff(&viewer, "old.bin/two.wdb", "new.bin/two.wdb");
    assert_eq!((&alone[0]["path"], &alone[0]["leftPath"], alone[0].get("leftAt")), (&json!("a"), &json!("a"), None));
    // The two files are a pair, whatever their names are.
    let pairs = viewer.lines("/api/compare");
    assert_eq!(pairs[0]["left"]["at"], "old.bin");
    assert_eq!(pairs[0]["right"]["at"], "new.bin");
    assert_eq!(pairs[0]["count"], 2);
}

#[test]
fn levels_in_rez_archives_are_compared() {
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/harbour.rez");
    let bytes = std::fs::read(&sample).unwrap();
    let change = Change::set("LEVEL1/WORLDS/WORLD.WWD/header/start_x".parse().unwrap(), 100);
    let folder = Folder::new();
    let edited = folder.write("edited.rez", &rez::apply(&bytes, &[change].into_iter().collect()).unwrap().to_vec());
    let viewer = Viewer::open([sample, edited]);
    let at = |root: &str| format!("{root}/LEVEL1/WORLDS/WORLD.WWD");
    let (left, right) = (at("harbour.rez"), at("edited.rez"));
    let expected = json!({
        "change": "changed", "path": "LEVEL1/WORLDS/WORLD.WWD/@level/header", "what": "start_x", "left": "800", "right": "100",
        "leftAt": left, "leftPath": "header", "rightAt": right, "rightPath": "header",
    });
    let done = json!({"done": true, "count": 1, "parts": 1, "more": 0});
    assert_eq!(diff(&viewer, "harbour.rez", "edited.rez"), [expected, done]);
    let alone = diff(&viewer, &left, &right);
    assert_eq!((&alone[0]["path"], &alone[0]["leftPath"]), (&json!("header"), &json!("header")));
}

#[test]
fn what_cannot_be_compared_says_so() {
    let folder = Folder::new();
    let file = folder.write("a.wdb", &table(&[("a", 1, "x")]));
    let viewer = Viewer::open([folder.path(), &file]);
    assert_eq!(viewer.get("/api/compare").error(), "a file cannot be compared with a folder");
    let reply = viewer.get("/api/compare/diff?left=a.wdb&right=none.wdb");
    assert_eq!((reply.status, reply.error()), (404, "none.wdb: there is nothing with this address".to_owned()));
}

#[test]
fn two_files_of_one_name_are_told_apart_by_their_folders() {
    let folder = Folder::new();
    let [old, new] =
        ["mods/old/items.wdb", "mods/new/items.wdb"].map(|name| folder.write(name, &table(&[("a", 1, "x")])));
    let viewer = Viewer::open([old, new]);
    let roots = viewer.json("/api/session")["roots"].clone();
    assert_eq!((&roots[0]["name"], &roots[1]["name"]), (&json!("old/items.wdb"), &json!("new/items.wdb")));
    folder.write("mods/new/items.wdb", b"no table");
    let reply = viewer
        .get("/api/compare/diff?left=items.wdb&right=items.wdb%20(2)".replace("%20(2)", "%2520%25282%2529").as_str());
    assert!(reply.error().starts_with("new/items.wdb: "), "{}", reply.error());
}
