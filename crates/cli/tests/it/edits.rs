//! Tests of the verbs that edit: set, apply, changes, and diff --format changes.

use std::fs;

use serde_json::Value;
use worldview_corpus::ff13::build::build_archive;
use worldview_corpus::ff13::spec::{ArchiveSpec, MemberSpec};
use worldview_corpus::wwd::build::build as build_level;
use worldview_corpus::wwd::generate::switches;
use worldview_corpus::{sample, samples};

use crate::support::{Folder, snapshot};

const PRICE: &str = "apple_dried/uPurchasePrice";

/// What a file says of a field, by `show`.
fn shown(folder: &Folder, file: &str, record: &str, field: &str) -> String {
    let out = folder.ok(&format!("show {file}/{record}/{field} --format csv"));
    out.lines().nth(1).unwrap().rsplit(',').next().unwrap().to_owned()
}

#[test]
fn a_field_gets_a_value_of_its_type() {
    let folder = Folder::samples();
    let (code, out, err) = folder
        .said("set game/items.wdb apple_dried/uPurchasePrice=0x10 apple_dried/sHelpStringId=123 -o new/items.wdb");
    assert_eq!((code, out.as_str()), (0, ""), "{err}");
    assert!(err.contains("2 changes; new/items.wdb written"), "{err}");
    assert_eq!(shown(&folder, "new/items.wdb", "apple_dried", "uPurchasePrice"), "16");
    assert_eq!(shown(&folder, "new/items.wdb", "apple_dried", "sHelpStringId"), "123");
    // The same through a member of an archive; the output is the archive.
    let member = sample("items.wdb");
    let inner = ArchiveSpec { members: vec![MemberSpec::new("items", member)], ..ArchiveSpec::default() };
    let outer = MemberSpec::new("inner", build_archive(&inner).bytes);
    let pack =
        ArchiveSpec { members: vec![outer, MemberSpec::new("other", b"data".to_vec())], ..ArchiveSpec::default() };
    folder.put("pack.bin", &build_archive(&pack).bytes);
    folder.ok("set pack.bin/inner/items apple_dried/uPurchasePrice=9 -o new");
    let (code, out, _) = folder.said(&["diff", "pack.bin", "new/pack.bin", "--format", "changes"]);
    assert_eq!(code, 1);
    assert!(out.contains(r#"{"set":"inner/items/apple_dried/uPurchasePrice","from":6,"to":9}"#), "{out}");
    assert_eq!(shown(&folder, "new/pack.bin/inner/items", "apple_dried", "uPurchasePrice"), "9");
    // A level: a tile as `show` prints it, a text, and a number.
    folder.ok("set game/harbour.wwd plane:Action/tile:3,5=12 header/name=10 -o new/harbour.wwd");
    folder.prints(1, "diff game/harbour.wwd new/harbour.wwd", &["\"10\"", "12"]);
}

#[test]
fn what_does_not_work_is_said_and_nothing_is_written() {
    let folder = Folder::samples();
    let before = snapshot(&folder.path(""));
    let set = |assignment: &str| folder.said(&["set", "game/items.wdb", assignment, "-o", "out/items.wdb"]);
    for (assignment, code, said) in [
        ("apple_dried/uPurchasePrice=-1", 3, "apple_dried/uPurchasePrice: -1 does not fit: uPurchasePrice has 32 bits"),
        ("apple_dried/uPurchasePrice=many", 3, "expected an integer, found \"many\""),
        ("aple_dried/uPurchasePrice=1", 3, "aple_dried: not found in this file; did you mean apple_dried?"),
        ("apple_dried/uPrice=1", 3, "apple_dried/uPrice: the table has no field of this name"),
        ("apple_dried=1", 3, "apple_dried: this part cannot be set as a whole; set its fields"),
        ("apple_dried/uPurchasePrice", 2, "expected PATH=VALUE"),
        ("apple_dried/uPurchasePrice={1}", 2, "is JSON"),
    ] {
        let (found, out, err) = set(assignment);
        assert_eq!((found, out.as_str()), (code, ""), "{assignment}: {err}");
        assert!(err.contains(said), "{assignment}: {err}");
    }
    // The input is no output, however it is named.
    for out in ["game/items.wdb", "game/../game/items.wdb", "game", "game/"] {
        let err = folder.fails(3, &format!("set game/items.wdb apple_dried/uPurchasePrice=1 -o {out}"));
        assert!(err.contains("replace the input") && err.contains("--in-place"), "{err}");
    }
    folder.says(2, "set game a/b=1 -o out", &["a/b=1: no field matches this path"]);
    folder.says(2, "set game/items.wdb a/b=1", &["--out"]);
    folder.says(3, "apply game game/items.wdb -o out", &["to edit a folder, give a folder"]);
    folder.says(3, "apply game/items.wdb game/garden.wwd -o out", &["neither a changes file nor an edited export"]);
    assert_eq!(snapshot(&folder.path("")), before);
    // An output that cannot be written is another failure.
    folder.put("file", b"");
    folder.says(4, "set game/items.wdb apple_dried/uPurchasePrice=1 -o file/items.wdb", &["cannot be written"]);
}

#[cfg(unix)]
#[test]
fn outputs_never_go_where_nobody_wants_them() {
    let folder = Folder::samples();
    std::os::unix::fs::symlink("items.wdb", folder.path("game/link.wdb")).unwrap();
    let original = folder.bytes("game/items.wdb");
    let set = |rest: &[&str]| folder.said(&[&["set", "game/items.wdb", "apple_dried/uPurchasePrice=1"], rest].concat());
    let (code, _, err) = set(&["-o", "game/link.wdb"]);
    assert!(code == 3 && err.contains("replace the input"), "{err}");
    // A link to another file is followed, and an existing file is replaced only if that is asked for.
    std::os::unix::fs::symlink("../victim", folder.path("game/other.wdb")).unwrap();
    folder.put("victim", b"theirs");
    let (code, _, err) = set(&["-o", "game/other.wdb"]);
    assert!(code == 4 && err.contains("--overwrite always replaces it"), "{err}");
    assert_eq!(folder.bytes("victim"), b"theirs");
    assert_eq!(set(&["-o", "game/other.wdb", "--overwrite", "always"]).0, 0);
    assert_eq!(shown(&folder, "victim", "apple_dried", "uPurchasePrice"), "1");
    assert!(fs::symlink_metadata(folder.path("game/other.wdb")).unwrap().is_symlink());
    // Neither is the original reached by folders that do not exist, nor by a second name; and no file that is read-only is replaced.
    fs::hard_link(folder.path("game/items.wdb"), folder.path("second.wdb")).unwrap();
    for out in ["game/nosuch/../items.wdb", "second.wdb", "nosuch/../game/link.wdb"] {
        let (code, _, err) = set(&["-o", out, "--overwrite", "always"]);
        assert!(code >= 3 && err.contains("replace the input"), "{out}: {err}");
    }
    fs::remove_file(folder.path("second.wdb")).unwrap();
    let mut permissions = fs::metadata(folder.path("victim")).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(folder.path("victim"), permissions).unwrap();
    let (code, _, err) = set(&["-o", "victim", "--overwrite", "always"]);
    assert!(code == 4 && err.contains("read-only"), "{err}");
    folder.says(4, "set victim apple_dried/uPurchasePrice=2 --in-place", &["read-only"]);
    // Devices are written through, and `-` is standard output.
    let written = folder.run(&["set", "game/items.wdb", "apple_dried/uPurchasePrice=1", "-o", "-"]);
    assert_eq!(written.stdout, folder.bytes("victim"));
    assert_eq!(set(&["-o", "/dev/null"]).0, 0);
    assert_eq!(folder.bytes("game/items.wdb"), original);
    // In place, the file that a link leads to is edited, and the link stays.
    folder.ok("set game/link.wdb apple_dried/uPurchasePrice=1 --in-place");
    assert!(fs::symlink_metadata(folder.path("game/link.wdb")).unwrap().is_symlink());
    assert_eq!(folder.bytes("game/items.wdb.bak"), original);
    assert_eq!(shown(&folder, "game/items.wdb", "apple_dried", "uPurchasePrice"), "1");
}

#[test]
fn in_place_keeps_every_version() {
    let folder = Folder::samples();
    let original = folder.bytes("game/items.wdb");
    assert_eq!(folder.said(&["restore", "game/items.wdb"]).0, 3, "there is no backup yet");
    for (price, backup) in [("11", "items.wdb.bak"), ("12", "items.wdb.bak1"), ("13", "items.wdb.bak2")] {
        let (code, _, err) = folder.said(&format!("set game/items.wdb apple_dried/uPurchasePrice={price} --in-place"));
        assert_eq!(code, 0, "{err}");
        assert!(err.contains(&format!("the original is now {backup}")), "{err}");
        assert_eq!(shown(&folder, "game/items.wdb", "apple_dried", "uPurchasePrice"), price);
    }
    assert_eq!(folder.bytes("game/items.wdb.bak"), original);
    assert_eq!(shown(&folder, "game/items.wdb.bak2", "apple_dried", "uPurchasePrice"), "12");
    // Folders are searched without the backups.
    assert!(!folder.said(&["list", "game", "--format", "csv"]).1.contains(".bak"));
    for price in ["12", "13"] {
        folder.says(0, "restore game/items.wdb", &["the previous version is items.wdb.bak"]);
        assert_eq!(shown(&folder, "game/items.wdb", "apple_dried", "uPurchasePrice"), price);
    }
    // Nothing changes, so there is nothing to keep; and nothing happens on failure.
    let before = snapshot(&folder.path("game"));
    folder.says(0, "set game/items.wdb apple_dried/uPurchasePrice=13 --in-place", &["already"]);
    assert_eq!(folder.said(&["set", "game/items.wdb", "apple_dried/uPurchasePrice=-13", "--in-place"]).0, 3);
    assert_eq!(snapshot(&folder.path("game")), before);
}

#[test]
fn the_newest_backup_has_the_highest_number_whatever_was_deleted() {
    let folder = Folder::samples();
    let edit = |price: u32| {
        let assignment = format!("apple_dried/uPurchasePrice={price}");
        folder.ok(&format!("set game/items.wdb {assignment} --in-place"));
    };
    // Two backups were deleted, and two names are not those of backups.
    folder.put("game/items.wdb.bak3", b"old");
    folder.put("game/items.wdb.bak9x", b"other");
    folder.put("game/items.wdb.bak010", b"other");
    edit(11);
    edit(12);
    assert!(!folder.path("game/items.wdb.bak").exists() && !folder.path("game/items.wdb.bak1").exists());
    assert_eq!(shown(&folder, "game/items.wdb.bak5", "apple_dried", "uPurchasePrice"), "11");
    folder.says(0, "restore game/items.wdb", &["items.wdb.bak5", "items.wdb.bak6"]);
    assert_eq!(shown(&folder, "game/items.wdb", "apple_dried", "uPurchasePrice"), "11");
    assert_eq!(shown(&folder, "game/items.wdb.bak6", "apple_dried", "uPurchasePrice"), "12");
}

#[test]
fn mistakes_on_the_command_line_say_what_is_meant() {
    let folder = Folder::samples();
    folder.put("mod/changes.json", b"{}");
    for verb in [&["set", "game/items.wdb", "apple_dried/uPurchasePrice=1"][..], &["apply", "game", "mod"]] {
        let err = folder.fails(2, verb);
        assert!(["-o OUT", "--in-place", "--dry-run"].iter().all(|option| err.contains(option)), "{err}");
    }
    let err = folder.fails(3, "set game/items.wdb apple_dried.uPurchasePrice=3 --dry-run");
    assert!(err.contains("not found in this file; did you mean apple_dried/uPurchasePrice?"), "{err}");
    let (code, _, err) = folder.said(&["set", "game/items.wdb", "apple_dried/uPurchasePrise=3", "--dry-run"]);
    assert!(code == 3 && err.contains("no field of this name; did you mean uPurchasePrice?"), "{err}");
    let (code, _, err) = folder.said(&["set", "game/items.wdb", "no.such=3", "--dry-run"]);
    assert!(code == 3 && !err.contains("did you mean"), "{err}");
    folder.put("text.wwd", b"not a level, but long enough for the header of one");
    let (_, _, err) = folder.said(&["info", "text.wwd"]);
    assert!(err.contains("text.wwd: is not a WWD level: its header size is 544501614, not 1524"), "{err}");
}

#[test]
fn a_dry_run_prints_the_changes() {
    let folder = Folder::samples();
    let before = snapshot(&folder.path(""));
    let change = format!("{{\"set\":\"{PRICE}\",\"from\":6,\"to\":1}}");
    let form = "--dry-run";
    for rest in [&[form][..], &[form, "-o", "out/x.wdb"], &[form, "--in-place"]] {
        let (code, out, err) =
            folder.said(&[&["set", "game/items.wdb", "apple_dried/uPurchasePrice=1"], rest].concat());
        assert_eq!((code, out), (0, format!("{{\"worldview_changes\":1,\"changes\":[\n{change}\n]}}\n")), "{err}");
        assert!(err.contains("would be") && err.contains("same size"), "{err}");
    }
    let (_, out, _) =
        folder.said(&["set", "game/items.wdb", "apple_dried/uPurchasePrice=1", "--dry-run", "--format", "table"]);
    assert_eq!(out, format!("path{:24}old  new\n{PRICE}  6    1\n", ""), "{out}");
    let text = "apple_dried/sHelpStringId=a text that no pool of the samples holds";
    let (_, _, err) = folder.said(&["set", "game/items.wdb", text, "--dry-run"]);
    assert!(err.contains("bytes larger"), "{err}");
    assert_eq!(snapshot(&folder.path("")), before);
}

#[test]
fn a_dry_run_has_the_fields_of_members_and_not_their_bytes() {
    let folder = Folder::samples();
    let level = "LEVEL1/WORLDS/WORLD.WWD";
    folder.ok(&format!("set game/harbour.rez/{level} header/start_x=7 plane:Action/tile:3,5=12 -o changed.rez"));
    folder.ok("export game/harbour.rez -o out --to members");
    folder.ok("export changed.rez -o new --to members");
    folder.put(&format!("out/harbour.rez/members/{level}"), &folder.bytes(&format!("new/changed.rez/members/{level}")));
    let words = format!("apply game/harbour.rez out/harbour.rez/members/{level} --dry-run");
    for (form, fields) in [
        ("", ["/@level/header/start_x\",\"from\":800,\"to\":7}", "/@level/plane:Action/tile:3,5\",\"from\":"]),
        (
            " --format table",
            ["/@level/header/start_x         800         7\n", "/@level/plane:Action/tile:3,5  4294967295  12\n"],
        ),
    ] {
        let out = folder.ok(&format!("{words}{form}"));
        assert!(fields.iter().all(|field| out.contains(field)) && out.len() < 500, "{out:.1000}");
    }
    // Without fields, bytes are counted.
    let members = folder.files("out/harbour.rez/members");
    let data = members.iter().find(|file| file.ends_with(".PAL")).unwrap();
    folder.put(&format!("out/harbour.rez/members/{data}"), &[7; 768]);
    let out = folder.ok(&format!("apply game/harbour.rez out/harbour.rez/members/{data} --dry-run --format table"));
    assert!(out.contains("(768 bytes)  (768 bytes)\n"), "{out}");
}

#[test]
fn differences_of_folders_are_a_mod_that_applies() {
    let folder = Folder::samples();
    for (name, bytes) in samples() {
        folder.put(&format!("mine/{name}"), &bytes);
    }
    let edit = |file: &str, assignment: &str| {
        folder.ok(&format!("set {file} {assignment} --in-place"));
        fs::remove_file(folder.path(&format!("{file}.bak"))).unwrap();
    };
    edit("mine/items.wdb", "apple_dried/uPurchasePrice=1");
    edit("mine/harbour.wwd", "plane:Action/tile:3,5=12");
    folder.put("mine/new.wwd", &folder.bytes("mine/garden.wwd"));
    let (code, out, err) = folder.said(&["diff", "game", "mine", "--format", "changes", "-o", "mod"]);
    assert_eq!((code, out.as_str()), (1, ""), "{err}");
    assert!(
        err.contains("2 changed, 2 changes")
            && err.contains("mine: 1 file is only here, and not in the changes: new.wwd"),
        "{err}"
    );
    assert_eq!(folder.files("mod"), ["harbour.wwd.changes.json", "items.wdb.changes.json"]);
    folder.ok("apply game mod -o out");
    // Only edited files are written.
    assert_eq!(folder.files("out"), ["harbour.wwd", "items.wdb"]);
    for file in ["harbour.wwd", "items.wdb"] {
        assert_eq!(folder.said(&["diff", &format!("out/{file}"), &format!("mine/{file}")]).0, 0);
        // A single file finds its changes in the folder, too.
        folder.ok(&format!("apply game/{file} mod -o one/"));
        let read = |folder_name: &str| folder.bytes(&format!("{folder_name}/{file}"));
        assert!(read("one") == read("out"));
    }
    let (code, out, _) = folder.said(&["apply", "game", "mod", "--dry-run"]);
    assert_eq!((code, out.lines().count()), (0, 2), "{out}");
    // Below a folder of the input's name, as `export` writes them, and with one file that fails and one that is unknown.
    fs::create_dir(folder.path("all")).unwrap();
    fs::rename(folder.path("mod"), folder.path("all/game")).unwrap();
    folder.put("all/game/nobody.wdb.changes.json", br#"{"worldview_changes":1,"changes":[]}"#);
    let wrong = r#"{"worldview_changes":1,"changes":[{"set":"apple_dried/uPurchasePrice","from":5,"to":1},
        {"set":"apple_dried/uSellPrice","to":7}]}"#;
    folder.put("all/game/items.wdb.changes.json", wrong.as_bytes());
    let err = folder.fails(3, "apply game all -o some");
    assert!(err.contains("game/items.wdb: apple_dried/uPurchasePrice: expected 5, but the file has 6"), "{err}");
    assert!(err.contains("nobody.wdb.changes.json: game has no file of this name"), "{err}");
    assert_eq!(folder.files("some"), ["harbour.wwd"]);
    // In a folder, too, originals are kept.
    let (code, _, _) = folder.said(&["apply", "game", "all", "--in-place"]);
    assert_eq!(code, 3);
    assert!(folder.path("game/harbour.wwd.bak").exists() && !folder.path("game/items.wdb.bak").exists());
    // The output cannot be in the input.
    folder.says(3, "apply game all -o game/new", &["replace the input"]);
}

#[test]
fn large_values_lie_beside_the_changes() {
    let folder = Folder::new();
    let pack = |data: Vec<u8>| {
        let members = vec![MemberSpec::new("a", data), MemberSpec::new("b", b"b".to_vec())];
        build_archive(&ArchiveSpec { members, ..ArchiveSpec::default() }).bytes
    };
    folder.put("left.bin", &pack(vec![1; 5000]));
    folder.put("right.bin", &pack(vec![2; 6000]));
    folder.fails(1, "diff left.bin right.bin --format changes -o mod/a.json");
    let files = folder.files("mod");
    assert_eq!((files.len(), files[0].starts_with("a.files/")), (3, true), "{files:?}");
    folder.ok("apply left.bin mod/a.json -o out.bin");
    assert!(folder.bytes("out.bin") == folder.bytes("right.bin"));
    folder.ok("changes invert mod/a.json -o undo/u.json");
    folder.ok("apply right.bin undo/u.json -o back.bin");
    assert_eq!(folder.said(&["diff", "back.bin", "left.bin"]).0, 0);
    // Without a place beside them, they are in the changes.
    let (_, out, _) = folder.said(&["diff", "left.bin", "right.bin", "--format", "changes"]);
    assert!(out.len() > 2 * 11_000);
    // A file that is not what it was, that is missing, or that lies elsewhere.
    let json = folder.text("mod/a.json");
    let side = files[0].as_str();
    let refused = |json: String, expected: &str| {
        folder.put("mod/b.json", json.as_bytes());
        folder.says(3, "apply left.bin mod/b.json -o no.bin", &[expected]);
        assert!(!folder.path("no.bin").exists());
    };
    refused(json.replace(side, "a.json"), "a.json: expected the SHA-256");
    refused(json.replace(side, "a.files/none.bin"), "a.files/none.bin: ");
    refused(json.replace(side, "../left.bin"), "../left.bin: leads out of the folder");
    refused(json.replace(side, "/etc/hostname"), "leads out of the folder");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("../../left.bin", folder.path("mod/a.files/link.bin")).unwrap();
        refused(json.replace(side, "a.files/link.bin"), "link.bin: leads out of the folder");
    }
}

#[test]
fn changes_are_merged_unless_they_disagree() {
    let folder = Folder::samples();
    let put = |name: &str, changes: &str| {
        folder.put(name, format!("{{\"worldview_changes\":1,\"changes\":[\n{changes}\n]}}\n").as_bytes());
    };
    put("a.json", &format!(r#"{{"set":"{PRICE}","to":1}}"#));
    put("b.json", &format!("{{\"set\":\"{PRICE}\",\"from\":6,\"to\":1}},\n{{\"remove\":\"anchor_pin\"}}"));
    put("c.json", &format!("{{\"set\":\"{PRICE}\",\"to\":2}},\n{{\"set\":\"anchor_pin/uSellPrice\",\"to\":3}}"));
    let (code, out, err) = folder.said(&["changes", "merge", "a.json", "b.json"]);
    let merged = format!("{{\"set\":\"{PRICE}\",\"from\":6,\"to\":1}},\n{{\"remove\":\"anchor_pin\"}}");
    assert_eq!((code, out), (0, format!("{{\"worldview_changes\":1,\"changes\":[\n{merged}\n]}}\n")), "{err}");
    let (code, out, err) = folder.said(&["changes", "merge", "a.json", "b.json", "c.json", "-o", "all.json"]);
    assert_eq!((code, out.as_str()), (3, ""), "{err}");
    let conflict = format!("c.json: conflicts with b.json: {PRICE}: set to 1 in one file, set to 2 in the other");
    assert!(err.contains(&conflict), "{err}");
    assert!(err.contains("anchor_pin: removed in one file; anchor_pin/uSellPrice: set to 3 in the other"), "{err}");
    assert!(!folder.path("all.json").exists());
    // The sources of `apply` are merged in the same way.
    folder.says(3, "apply game/items.wdb a.json c.json -o out.wdb", &["c.json: conflicts with a.json"]);
    assert!(!folder.path("out.wdb").exists());
    folder.says(0, "apply game/items.wdb a.json b.json -o out.wdb", &["2 changes"]);
    // What does not say what was there cannot be undone.
    folder.says(3, "changes invert a.json", &[&format!("a.json: {PRICE}: the change has no old value")]);
    folder.says(3, "changes invert b.json", &["anchor_pin: the change does not say what was removed"]);
    // Unless the original says it.
    folder.ok("changes invert b.json game/items.wdb -o undo.json");
    folder.ok("apply out.wdb undo.json -o back.wdb");
    assert_eq!(folder.said(&["diff", "game/items.wdb", "back.wdb"]).0, 0);
    // What cannot be read.
    folder.put("broken.json", b"{\"worldview_changes\":1,\"changes\":[\n{\"set\":1}]}");
    for args in [&["changes", "invert", "broken.json"][..], &["changes", "merge", "a.json", "broken.json"]] {
        let (code, out, err) = folder.said(args);
        assert_eq!((code, out.as_str()), (3, ""), "{err}");
        assert!(err.contains("broken.json: line 2: "), "{err}");
    }
    folder.says(3, "apply game/items.wdb broken.json -o x.wdb", &["broken.json: line 2: "]);
    assert_eq!(folder.said(&["changes", "merge", "a.json"]).0, 2);
}

#[test]
fn exports_belong_to_their_file() {
    let folder = Folder::samples();
    assert_eq!(folder.said(&["export", "game", "-o", "exp", "-q"]).0, 0);
    // Exports as they were written are no changes.
    folder.ok("apply game exp -o out");
    assert!(!folder.path("out").exists());
    let (code, _, err) = folder.said(&["apply", "game/garden.wwd", "exp/game/harbour.wwd", "-o", "out.wwd"]);
    assert!(code == 3 && err.contains("exp/game/harbour.wwd: was exported from another file"), "{err}");
    // Outputs that nothing reads back.
    folder.put("exp/game/harbour.wwd/level.tiled-project", b"edited");
    let (code, _, err) = folder.said(&["apply", "game/harbour.wwd", "exp/game/harbour.wwd", "--dry-run"]);
    assert!(code == 0 && err.contains("level.tiled-project: was edited, but only shows"), "{err}");
    let project = "exp/game/harbour.wwd/level.tiled-project";
    let (code, _, err) = folder.said(&["apply", "game/harbour.wwd", project, "-o", "out.wwd"]);
    assert!(
        code == 3 && err.contains("level.tiled-project: cannot be applied to this input: tables take CSV"),
        "{err}"
    );
    assert!(!folder.path("out.wwd").exists());
}

#[test]
fn edited_exports_are_applied() {
    let folder = Folder::samples();
    assert_eq!(folder.said(&["export", "game", "-o", "exp", "--to", "csv,json,members", "-q"]).0, 0);
    let edit = |file: &str, from: &str, to: &str| {
        let text = folder.text(&format!("exp/game/{file}"));
        assert!(text.contains(from), "{file}");
        folder.put(&format!("exp/game/{file}"), text.replacen(from, to, 1).as_bytes());
    };
    edit("items.wdb/records.csv", "eat_one,6,2", "eat_one,7,2");
    // A table in an archive, a member that is replaced, and a new one.
    edit("wdbpack.bin/r_lamps.wdb/records.csv", "lamp_gate,2.5", "lamp_gate,3.5");
    folder.put("exp/game/effects.bin/members/new.wdb", &worldview_corpus::sample("items.wdb"));
    edit("harbour.wwd/objects.csv", "\n", "\n");
    let out = folder.ok("apply game exp --dry-run");
    let lines: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |path: &str| &lines.iter().find(|line| line["path"] == path).unwrap()["changes"];
    assert_eq!(of("game/items.wdb")[0]["set"], "apple_dried/uPurchasePrice");
    assert_eq!(of("game/wdbpack.bin")[0]["set"], "r_lamps.wdb/lamp_gate/fHeight");
    assert_eq!(of("game/effects.bin")[0]["add"], "new.wdb");
    assert_eq!((lines.len(), of("game/items.wdb").as_array().unwrap().len()), (3, 1), "{out}");
    folder.says(0, "apply game exp -o new", &["3 files"]);
    assert_eq!(folder.files("new"), ["effects.bin", "items.wdb", "wdbpack.bin"]);
    assert_eq!(shown(&folder, "new/wdbpack.bin/r_lamps.wdb", "lamp_gate", "fHeight"), "3.5");
    folder.prints(1, "diff game new", &["uPurchasePrice: 6 -> 7", "+ new.wdb"]);
    // One file of the export, or a folder in it.
    for source in
        ["exp/game/wdbpack.bin/r_lamps.wdb/records.csv", "exp/game/wdbpack.bin/r_lamps.wdb", "exp/game/wdbpack.bin"]
    {
        folder.ok(&format!("apply game/wdbpack.bin {source} -o one/ --overwrite always"));
        assert_eq!(shown(&folder, "one/wdbpack.bin/r_lamps.wdb", "lamp_gate", "fHeight"), "3.5");
    }
    // A texture of WORLD.WDB.
    assert_eq!(folder.said(&["export", "game/world.wdb", "-o", "exp", "--to", "png", "-q"]).0, 0);
    fs::copy(folder.path("exp/world.wdb/textures/Brick.png"), folder.path("exp/world.wdb/textures/planks.png"))
        .unwrap();
    folder.ok("apply game/world.wdb exp/world.wdb/textures -o one/");
    let (_, out, _) = folder.said(&["diff", "game/world.wdb", "one/world.wdb"]);
    assert!(out.contains("global_textures/texture:planks.gif") && !out.contains("Brick.gif"), "{out}");
    // A texture file, by its export and by the picture alone, for which there has to be only one texture.
    assert_eq!(folder.said(&["export", "game/pennant.tex", "-o", "exp", "--to", "png", "-q"]).0, 0);
    let wall = folder.path("exp/pennant.tex/textures/wall.png");
    fs::copy(folder.path("exp/world.wdb/textures/Brick.png"), &wall).unwrap();
    folder.ok("apply game/pennant.tex exp/pennant.tex -o one/");
    let (_, out, _) = folder.said(&["diff", "game/pennant.tex", "one/pennant.tex"]);
    assert!(out.contains("texture:wall.gif/image#0") && !out.contains("pennant.gif"), "{out}");
    fs::rename(&wall, folder.path("wall.png")).unwrap();
    folder.says(3, "apply game/pennant.tex wall.png -o no.tex", &["manifest.ndjson"]);
    // Two exports of one table that disagree.
    edit("items.wdb/table.json", "\"uPurchasePrice\":6", "\"uPurchasePrice\":8");
    let (code, _, err) = folder.said(&["apply", "game/items.wdb", "exp/game/items.wdb", "-o", "no.wdb"]);
    assert!(code == 3 && err.contains("set to 7 in one file, set to 8 in the other"), "{err}");
    // What does not fit names the line, or the path.
    edit("items.wdb/records.csv", "eat_one,7,2", "eat_one,many,2");
    folder.says(3, "apply game/items.wdb exp/game/items.wdb/records.csv -o no.wdb", &["records.csv: ", "many"]);
    assert!(!folder.path("no.wdb").exists());
}

#[test]
fn a_level_and_the_files_of_a_rez_archive_are_edited() {
    let folder = Folder::samples();
    let level = "game/harbour.rez/LEVEL1/WORLDS/WORLD.WWD";
    let original = folder.bytes("game/harbour.rez");
    // By the path of the level, by that in the archive, and by one that ignores case.
    for (input, place) in [
        (level, "plane:Action/object:41/x"),
        ("game/harbour.rez", "LEVEL1/WORLDS/WORLD.WWD/@level/plane:Action/object:41/x"),
        ("game/harbour.rez/level1/worlds/world.wwd", "plane:Action/object:41/x"),
    ] {
        folder.ok(&format!("set {input} {place}=77 -o new.rez --overwrite always"));
        let (code, out, _) = folder.said(&["diff", "game/harbour.rez", "new.rez", "--format", "changes"]);
        let line = r#"{"set":"LEVEL1/WORLDS/WORLD.WWD/@level/plane:Action/object:41/x","from":5600,"to":77}"#;
        assert!(code == 1 && out.lines().nth(1) == Some(line), "{out}");
    }
    // The changes of the level alone begin at the level.
    let (_, out, err) =
        folder.said(&format!("diff {level} new.rez/LEVEL1/WORLDS/WORLD.WWD --format changes -o level.json"));
    assert!(out.is_empty(), "{err}");
    let directories = folder.said("diff game/harbour.rez/LEVEL1 new.rez/LEVEL1 --format changes").2;
    assert!(directories.contains("is a directory"), "{directories}");
    folder.ok(&format!("apply {level} level.json -o again.rez"));
    assert_eq!(folder.bytes("again.rez"), folder.bytes("new.rez"));
    // An export: a map saved by Tiled, a replaced file, and a new one.
    folder.ok("export game/harbour.rez -o out");
    folder.ok("apply game/harbour.rez out/harbour.rez -o same.rez");
    assert_eq!(folder.bytes("same.rez"), original);
    let map = "out/harbour.rez/LEVEL1/WORLDS/WORLD.WWD/map.tmx";
    let text = folder.text(map);
    // The object shows a picture, so the map has the corner of the picture.
    let bell = text.lines().find(|line| line.contains("ship&apos;s bell")).unwrap();
    let (before, rest) = bell.split_once(" x=\"").unwrap();
    let (x, rest) = rest.split_once('"').unwrap();
    let moved = text.replace(bell, &format!("{before} x=\"{}\"{rest}", x.parse::<i32>().unwrap() + 32));
    folder.put(map, moved.as_bytes());
    folder.put("out/harbour.rez/members/LEVEL1/PALETTES/MAIN.PAL", &[7; 768]);
    folder.put("out/harbour.rez/members/LEVEL1/TILES/BACK/900.PID", b"new");
    folder.ok("apply game/harbour.rez out/harbour.rez -o all.rez");
    let (_, out, err) = folder.said(&["diff", "game/harbour.rez", "all.rez", "--format", "changes", "-o", "all.json"]);
    assert!(out.is_empty() && err.contains("3 changes"), "{err}");
    let changes: Value = serde_json::from_slice(&folder.bytes("all.json")).unwrap();
    let changes = changes["changes"].as_array().unwrap().iter();
    let mut places: Vec<_> = changes.map(|change| change["set"].as_str().or(change["add"].as_str()).unwrap()).collect();
    places.sort_unstable();
    let expected =
        "LEVEL1/PALETTES/MAIN.PAL LEVEL1/TILES/BACK/900.PID LEVEL1/WORLDS/WORLD.WWD/@level/plane:Action/object:41/x";
    assert_eq!(places.join(" "), expected);
    assert_eq!(folder.bytes("game/harbour.rez"), original);
}

#[test]
fn switches_of_gruntz_follow_if_that_is_asked_for() {
    let folder = Folder::new();
    folder.put("l.wwd", &build_level(&switches()).bytes);
    let moved = "set l.wwd plane:Action/object:770/x=144";
    let (code, _, err) = folder.said(&format!("{moved} -o alone.wwd"));
    assert!(code == 0 && err.contains("its id would be 1026, not 770") && err.contains("--follow"), "{err}");
    // It is said once.
    assert!(!err.contains("new problem"), "{err}");
    // The message names the option only where it does something: a copy stays as it is given.
    let (_, list, err) =
        folder.said(&format!("{moved} plane:Action/object:1/score=5 --follow --dry-run --format changes"));
    assert!(
        !err.contains("--follow") && list.contains(r#""from":"#) && list.matches(r#""from":"#).count() == 8,
        "{list}{err}"
    );
    let (code, list, err) = folder.said(&format!("{moved} --follow --dry-run --format changes"));
    assert!(code == 0 && list.matches("{\"set\":").count() == 7 && !err.contains("1026"), "{list}{err}");
    assert!(list.contains(r#"{"set":"plane:Action/object:770/x","from":112,"to":144}"#), "{list}");
    folder.put("mod.json", list.as_bytes());
    folder.ok(&format!("{moved} --follow -o followed.wwd"));
    folder.ok("apply l.wwd mod.json -o applied.wwd");
    assert_eq!(folder.bytes("applied.wwd"), folder.bytes("followed.wwd"));
    let err = folder.said("apply followed.wwd mod.json -o again.wwd").2;
    assert!(err.contains("all 7 changes are there already"), "{err}");
    folder.prints(0, "check followed.wwd", &["nothing found"]);
    // A sheet moves it, too; one from before no longer finds it.
    folder.ok("export l.wwd -o out --to csv");
    let sheet = folder.text("out/l.wwd/objects.csv").replacen(",112,", ",144,", 1);
    folder.put("sheet.csv", sheet.as_bytes());
    folder.ok("apply l.wwd sheet.csv --follow -o applied.wwd --overwrite always");
    assert_eq!(folder.bytes("applied.wwd"), folder.bytes("followed.wwd"));
    let (code, _, err) = folder.said("apply followed.wwd sheet.csv --follow -o again.wwd --overwrite always");
    assert!(code == 3 && err.contains("the plane has no object 770"), "{err}");
    // The place of a covered powerup has its id: neither coordinate changes, and the rest does if that is wanted.
    let taken =
        "set l.wwd plane:Action/object:770/x=144 plane:Action/object:770/y=140 plane:Action/object:1/score=5 --follow";
    let (code, _, err) = folder.said(&format!("{taken} -o taken.wwd"));
    assert!(code == 3 && err.contains("is 1028, which plane:Action/object:1028 has"), "{err}");
    assert!(!folder.path("taken.wwd").exists());
    assert_eq!(folder.said(&format!("{taken} -o taken.wwd --skip-refused")).0, 3);
    let (_, list, _) = folder.said("diff l.wwd taken.wwd --format changes");
    assert!(list.matches("{\"set\":").count() == 1 && list.contains("object:1/score"), "{list}");
}
