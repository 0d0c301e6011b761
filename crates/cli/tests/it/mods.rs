//! Mods: the changes of many files in one, and folders with members of archives.

use std::collections::BTreeSet;
use std::fs;

use worldview_corpus::ff13::build::{build_archive, build_table};
use worldview_corpus::ff13::naive;
use worldview_corpus::ff13::spec::{ArchiveSpec, CellSpec, Generation, MemberSpec, TableSpec};

use crate::support::{Folder, code, stderr};

fn table(price: i64, count: i64) -> Vec<u8> {
    let spec = TableSpec::new(Generation::G3, &["iPrice", "iCount"]);
    build_table(&spec.row("it_potion", [CellSpec::Int(price), CellSpec::Int(count)])).bytes
}

fn archive() -> Vec<u8> {
    let member = |name: &str, extension: &str, data: Vec<u8>| MemberSpec {
        extension: extension.into(),
        ..MemberSpec::new(name, data)
    };
    let members = vec![
        member("dust", "txb", vec![7; 9]),
        member("prices", "wdb", table(50, 1)),
        member("rest", "wdb", table(1, 1)),
    ];
    build_archive(&ArchiveSpec { members, ..ArchiveSpec::default() }).bytes
}

/// A game, and a copy of it with other prices.
fn game() -> Folder {
    let folder = Folder::new();
    folder.put("game/item.wdb", &table(50, 1));
    folder.put("game/db/shop.wdb", &table(70, 2));
    folder.put("game/pack.bin", &archive());
    folder.put("mine/item.wdb", &table(25, 1));
    folder.put("mine/db/shop.wdb", &table(35, 2));
    folder.put("mine/pack.bin", &archive());
    folder
}

const ABOUT: [&str; 2] = ["--about", "Half price 1.2 by Ada, for FFXIII"];

#[test]
fn a_mod_is_one_file_with_a_head() {
    let folder = game();
    let diff = ["diff", "game", "mine", "--format", "changes"];
    let (code, printed, _) = folder.said(&[&diff[..], &ABOUT].concat());
    let lines: Vec<serde_json::Value> = printed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let head = serde_json::json!({ "worldview_mod": 1, "about": ABOUT[1] });
    assert_eq!((code, lines.len(), &lines[0]), (1, 3, &head), "{printed}");
    let change = serde_json::json!([{ "set": "it_potion/iPrice", "from": 70, "to": 35 }]);
    assert_eq!((&lines[1]["path"], &lines[1]["changes"]), (&"db/shop.wdb".into(), &change));
    assert_eq!(lines[1]["size"], folder.bytes("game/db/shop.wdb").len());
    // The same into a file, which is applied to the folder and to one of its files.
    assert_eq!(folder.said(&[&diff[..], &ABOUT, &["-o", "half.ndjson"]].concat()).0, 1);
    assert_eq!(folder.text("half.ndjson"), printed);
    let (code, _, err) = folder.said(&["apply", "game", "half.ndjson", "-o", "new"]);
    assert_eq!((code, folder.files("new")), (0, vec!["db/shop.wdb".to_owned(), "item.wdb".to_owned()]), "{err}");
    assert!(err.starts_with("worldview: half.ndjson: Half price 1.2 by Ada, for FFXIII\n"), "{err}");
    assert!(!err.contains("another version"), "{err}");
    assert_eq!(folder.bytes("new/item.wdb"), table(25, 1));
    folder.says(0, "apply game/item.wdb half.ndjson -o item.wdb", &["Half price 1.2 by Ada"]);
    // Applied again, and to another version, where a place has another value.
    let (code, _, err) = folder.said(&["apply", "mine", "half.ndjson", "-o", "again"]);
    assert_eq!((code, err.contains("another version")), (0, false), "{err}");
    folder.put("other/item.wdb", &table(50, 9));
    folder.put("other/db/shop.wdb", &table(71, 2));
    let (code, _, err) = folder.said(&["apply", "other", "half.ndjson", "-o", "theirs"]);
    assert_eq!((code, folder.files("theirs")), (3, vec!["item.wdb".to_owned()]), "{err}");
    assert!(err.contains("half.ndjson: was made for another version of item.wdb"), "{err}");
    assert!(err.contains("it_potion/iPrice: expected 70, but the file has 71"), "{err}");
    // A dry run prints lines of the same form.
    let dry = folder.said(&["apply", "game", "half.ndjson", "--dry-run"]).1;
    folder.put("dry.ndjson", dry.as_bytes());
    assert_eq!(folder.said(&["apply", "game", "dry.ndjson", "-o", "dry"]).0, 0);
    assert_eq!(folder.bytes("dry/item.wdb"), table(25, 1));
    // And back again.
    assert_eq!(folder.said(&["changes", "invert", "half.ndjson", "-o", "undo.ndjson"]).0, 0);
    assert_eq!(folder.said(&["apply", "new", "undo.ndjson", "-o", "old"]).0, 0);
    for file in ["item.wdb", "db/shop.wdb"] {
        let [old, back] = ["game", "old"].map(|at| folder.bytes(&format!("{at}/{file}")));
        assert_eq!(old, back);
    }
}

#[test]
fn a_folder_of_members_is_compared_with_its_archive() {
    let folder = game();
    folder.put("mod/_pack.bin/prices.wdb", &table(10, 1));
    folder.put("mod/_pack.bin/dust.txb", &[8; 9]);
    folder.put("mod/_pack.bin/more.wdb", &table(3, 3));
    folder.put("mod/item.wdb", &table(25, 1));
    let (code, said, err) = folder.said(&["diff", "game", "mod"]);
    assert_eq!(code, 1, "{err}");
    // Members that the mod lacks are not removed, but files that it lacks are.
    assert_eq!(
        said,
        "game/pack.bin/dust.txb -> mod/_pack.bin/dust.txb\n\
         game/pack.bin/prices.wdb -> mod/_pack.bin/prices.wdb\n  ~ it_potion: iPrice: 50 -> 10\n\
         game/item.wdb -> mod/item.wdb\n  ~ it_potion: iPrice: 50 -> 25\n\
         - 1 file is only in game: db/shop.wdb\n+ 1 file is only in mod: _pack.bin/more.wdb\n",
        "{err}"
    );
    assert_eq!(folder.said(&["diff", "game", "mod", "--format", "changes", "-o", "mod.ndjson"]).0, 1);
    let text = folder.text("mod.ndjson");
    assert!(text.contains(r#"{"set":"prices.wdb/it_potion/iPrice","from":50,"to":10}"#), "{text}");
    // A folder that is named after something else.
    folder.put("odd/_note.rez/a.txt", b"a");
    folder.put("plain/note.rez", &worldview_corpus::sample("harbour.rez"));
    let (code, _, err) = folder.said(&["diff", "plain", "odd", "--format", "changes"]);
    assert!(code == 3 && err.contains("is for a member of plain/note.rez, which is not a WPD archive"), "{err}");
    for (source, out) in [("mod.ndjson", "one"), ("mod", "other")] {
        let (code, _, err) = folder.said(&["apply", "game", source, "-o", out]);
        assert_eq!((code, folder.files(out).contains(&"pack.bin".to_owned())), (0, true), "{err}");
    }
    assert_eq!(folder.bytes("one/pack.bin"), folder.bytes("other/pack.bin"));
}

#[test]
fn mods_are_merged_file_by_file() {
    let folder = game();
    let make = |name: &str, files: [(&str, Vec<u8>); 2]| {
        files.iter().for_each(|(file, bytes)| folder.put(&format!("{name}/{file}"), bytes));
        let out = format!("{name}.ndjson");
        folder.said(&format!("diff game {name} --format changes -o {out} --about {name}"));
    };
    make("a", [("item.wdb", table(25, 1)), ("db/shop.wdb", table(35, 2))]);
    make("b", [("item.wdb", table(50, 5)), ("db/shop.wdb", table(36, 3))]);
    let (code, out, err) = folder.said(&["changes", "merge", "a.ndjson", "b.ndjson"]);
    let conflict =
        "db/shop.wdb: conflicts with a.ndjson: it_potion/iPrice: set to 35 in one file, set to 36 in the other";
    assert_eq!((code, out.as_str(), err), (3, "", format!("worldview: b.ndjson: {conflict}\n")));
    for (prefer, price) in [("a.ndjson", 35), ("b.ndjson", 36)] {
        let (code, out, err) = folder.said(&["changes", "merge", "a.ndjson", "b.ndjson", "--prefer", prefer]);
        assert_eq!((code, err.contains(&format!("; that of {prefer} is kept"))), (0, true), "{err}");
        assert!(out.starts_with("{\"worldview_mod\":1,\"about\":\"a; b\"}\n"), "{out}");
        folder.put("both.ndjson", out.as_bytes());
        assert_eq!(folder.said(&["apply", "game", "both.ndjson", "-o", &format!("new-{prefer}")]).0, 0);
        assert_eq!(folder.bytes(&format!("new-{prefer}/item.wdb")), table(25, 5));
        assert_eq!(folder.bytes(&format!("new-{prefer}/db/shop.wdb")), table(price, 3));
    }
    // Only conflicts with the preferred file are settled.
    make("z", [("item.wdb", table(25, 1)), ("db/shop.wdb", table(70, 2))]);
    let merge = "changes merge z.ndjson a.ndjson b.ndjson --prefer z.ndjson";
    folder.says(3, merge, &[&*format!("b.ndjson: {conflict}")]);
    // Folders with a changes file for each file are mods, too.
    assert_eq!(folder.said(&["diff", "game", "a", "--format", "changes", "-o", "lists"]).0, 1);
    let merge = ["changes", "merge", "lists", "b.ndjson", "--prefer", "lists", "-o", "merged"];
    assert_eq!(folder.said(&merge).0, 0);
    assert_eq!(folder.files("merged"), ["db/shop.wdb.changes.json", "item.wdb.changes.json"]);
    folder.says(2, "changes merge a.ndjson b.ndjson --prefer c.ndjson", &["--prefer: is not one of the merged files"]);
}

#[test]
fn a_malformed_mod_is_refused_with_its_line() {
    let folder = game();
    let line = r#"{"path":"item.wdb","changes":[{"set":"it_potion/iPrice","to":1}]}"#;
    for (text, why) in [
        (format!("{line}\n{line}\n"), "line 2: there are two lines for the file item.wdb"),
        (format!("{line}\n{{\"path\":\"x\"\n"), "line 2: EOF"),
        (format!("{{\"worldview_mod\":2}}\n{line}\n"), "line 1: expected version 1 of a mod, found 2"),
        (r#"{"path":"item.wdb","changes":[{"sett":"x"}]}"#.to_owned(), "line 1: "),
        (r#"{"path":"nope.wdb","changes":[]}"#.to_owned(), "game has no file of this name"),
        (r#"{"record":"it_potion"}"#.to_owned(), "is a file; to edit a folder"),
    ] {
        folder.put("bad.ndjson", text.as_bytes());
        let (code, _, err) = folder.said(&["apply", "game", "bad.ndjson", "-o", "new"]);
        assert_eq!((code, err.contains("bad.ndjson") && err.contains(why)), (3, true), "{why}: {err}");
    }
    assert!(!folder.path("new").exists());
}

#[test]
fn changes_and_mods_are_read_from_standard_input() {
    let folder = game();
    let read = |path: &str| folder.bytes(path);
    let run = |args: &[&str], stdin: &[u8]| {
        let output = folder.run_with(args, stdin);
        assert_eq!(code(&output), 0, "{args:?}: {}", stderr(&output));
        output.stdout
    };
    let changes = folder.run(&["diff", "game/item.wdb", "mine/item.wdb", "--format", "changes"]).stdout;
    run(&["apply", "game/item.wdb", "-", "-o", "new.wdb"], &changes);
    assert_eq!(read("new.wdb"), read("mine/item.wdb"));
    let undo = run(&["changes", "invert", "-"], &changes);
    run(&["apply", "new.wdb", "-", "-o", "old.wdb"], &undo);
    assert_eq!(read("old.wdb"), read("game/item.wdb"));
    let lines = folder.run(&["diff", "game", "mine", "--format", "changes"]).stdout;
    run(&["apply", "game", "-", "-o", "out"], &lines);
    assert_eq!(read("out/db/shop.wdb"), read("mine/db/shop.wdb"));
    let output = folder.run_with(&["apply", "-", "-", "-o", "twice.wdb"], &changes);
    assert!(code(&output) == 2 && stderr(&output).contains("-: standard input can be read only once"));
}

/// What other programs leave in a folder of members; the copies are tables.
const OTHERS: [&str; 8] = [
    "filelist.txt",
    "Thumbs.db",
    ".DS_Store",
    "prices.wdb~",
    "prices.wdb.bak",
    "prices - Copy.wdb",
    "Kopie von rest.wdb",
    "rest (2).wdb",
];

#[test]
fn a_folder_adds_nothing_but_tables_and_archives_to_an_archive() {
    let folder = game();
    let labels = |file: &str| {
        let members = naive::archive(&folder.bytes(file)).unwrap().members;
        assert!(members.iter().all(|member| !member.name.is_empty()), "{file}");
        let label =
            |member: &naive::NaiveMember| String::from_utf8([&member.name[..], b".", &member.extension].concat());
        members.iter().map(|member| label(member).unwrap()).collect::<BTreeSet<_>>()
    };
    folder.put("only/pack.bin", &archive());
    assert_eq!(folder.said(&["export", "only/pack.bin", "-o", "out", "--to", "members"]).0, 0);
    for below in ["mod/_pack.bin", "out/pack.bin/members", "plain"] {
        for name in OTHERS {
            let text = (name == "filelist.txt").then(|| b"dust.txb\nprices.wdb\n".to_vec());
            folder.put(&format!("{below}/{name}"), &text.unwrap_or_else(|| table(9, 9)));
        }
        folder.put(&format!("{below}/prices.wdb"), &table(10, 1));
        folder.put(&format!("{below}/rest.wdb"), &table(1, 1));
        folder.put(&format!("{below}/more.wdb"), &table(3, 3));
    }
    let all = ["dust.txb", "more.wdb", "prices.wdb", "rest.wdb"];
    for (args, file, expected, is_new_named) in [
        (&["apply", "only", "mod", "-o", "new"][..], "new/pack.bin", &all[..], true),
        (&["apply", "only/pack.bin", "out/pack.bin", "-o", "one.bin"], "one.bin", &all, true),
        (&["build", "out/pack.bin", "-o", "two.bin"], "two.bin", &all, true),
        (&["build", "plain", "-o", "three.bin"], "three.bin", &["more.wdb", "prices.wdb", "rest.wdb"], false),
    ] {
        let (code, _, err) = folder.said(args);
        assert_eq!(code, 0, "{err}");
        assert!(labels(file).iter().eq(expected), "{args:?}: {:?}", labels(file));
        for name in OTHERS {
            assert!(err.contains(&format!("{name}: ")), "{args:?}, {name}: {err}");
        }
        assert!(!is_new_named || err.contains("more.wdb: "), "{args:?}: {err}");
    }
    let (_, out, err) = folder.said(&["diff", "only", "mod", "--format", "changes"]);
    assert!(out.contains("\"add\":\"more.wdb\"") && err.contains("Thumbs.db"), "{out}{err}");
    assert!(OTHERS.iter().all(|name| !out.contains(&format!("\"{name}\""))), "{out}");
    // What is named is added, and has a name.
    for source in ["mod/_pack.bin/.DS_Store", "out/pack.bin/members/.DS_Store"] {
        folder.says(0, &format!("apply only/pack.bin {source} -o named.bin --overwrite always"), &["is a new member"]);
        assert!(labels("named.bin").contains(".DS_Store."), "{:?}", labels("named.bin"));
    }
}

#[test]
fn members_of_a_mod_are_changes_of_fields() {
    let folder = game();
    folder.put("only/pack.bin", &archive());
    folder.put("friend/_pack.bin/prices.wdb", &table(10, 1));
    let line = r#"{"path":"pack.bin","changes":[{"set":"prices.wdb/it_potion/iCount","from":1,"to":7}]}"#;
    folder.put("mine.ndjson", line.as_bytes());
    let out = folder.ok("apply only friend mine.ndjson --dry-run");
    let line: serde_json::Value = serde_json::from_str(&out).unwrap();
    let set = |field: &str, from, to| serde_json::json!({ "set": format!("prices.wdb/it_potion/{field}"), "from": from, "to": to });
    assert_eq!(line["changes"], serde_json::json!([set("iPrice", 50, 10), set("iCount", 1, 7)]));
    assert_eq!(folder.said(&["apply", "only", "friend", "mine.ndjson", "-o", "new"]).0, 0);
    let made = naive::archive(&folder.bytes("new/pack.bin")).unwrap();
    assert_eq!(made.members[1].data, table(10, 7));
    // A table with other fields is the member itself.
    let spec = TableSpec::new(Generation::G3, &["iOther"]);
    let other = build_table(&spec.row("it_potion", [CellSpec::Int(1)])).bytes;
    folder.put("friend/_pack.bin/prices.wdb", &other);
    assert_eq!(folder.said(&["apply", "only", "friend", "-o", "other"]).0, 0);
    let made = naive::archive(&folder.bytes("other/pack.bin")).unwrap();
    assert_eq!(made.members[1].data, other);
}

#[cfg(unix)]
#[test]
fn links_out_of_a_folder_of_sources_are_refused() {
    use std::os::unix::fs::symlink;
    let folder = game();
    folder.put("secret", &table(666, 1));
    folder.put("only/pack.bin", &archive());
    folder.put("world.wdb", &worldview_corpus::sample("world.wdb"));
    assert_eq!(folder.said(&["export", "world.wdb", "-o", "out", "--to", "json,png"]).0, 0);
    fs::create_dir_all(folder.path("mod/_pack.bin")).unwrap();
    symlink("../../secret", folder.path("mod/_pack.bin/prices.wdb")).unwrap();
    let picture = folder.path("out/world.wdb/textures/rock.png");
    folder.put("rock.png", &fs::read(&picture).unwrap());
    fs::remove_file(&picture).unwrap();
    symlink("../../../rock.png", picture).unwrap();
    for (args, link) in [
        (&["apply", "only", "mod", "-o", "new"][..], "mod/_pack.bin/prices.wdb"),
        (&["diff", "only", "mod", "--format", "changes"], "mod/_pack.bin/prices.wdb"),
        (&["build", "out/world.wdb", "-o", "new"], "out/world.wdb/textures/rock.png"),
    ] {
        let (code, out, err) = folder.said(args);
        assert_eq!(code, 3, "{err}");
        assert!(err.contains(&format!("{link}: leads out of the folder")) && !out.contains("666"), "{out}{err}");
        assert!(!folder.path("new").exists());
    }
}
