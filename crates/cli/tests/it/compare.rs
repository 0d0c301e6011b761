//! Tests of find, diff, completions, manual pages, containers and CSV output.

use crate::support::{Folder, MISSING};
use serde_json::Value;
use worldview_corpus::ff13;
use worldview_corpus::wwd::build::build;
use worldview_corpus::wwd::generate;
use worldview_corpus::wwd::spec::LevelSpec;

/// A level to be changed in one place.
fn level() -> LevelSpec {
    let mut level = generate::level(11, &generate::Shape::sized(20_000));
    level.header.name = b"Left".to_vec();
    level
}

#[test]
fn texts_are_found_with_their_place_and_offset() {
    let folder = Folder::samples();
    let out = folder.ok("find LAMP game --format json");
    let document: Value = serde_json::from_str(&out).unwrap();
    let hits = document["hits"].as_array().unwrap();
    let (mut checked, mut kinds) = (0, std::collections::BTreeSet::new());
    for hit in hits {
        let text = hit["text"].as_str().unwrap();
        assert!(text.to_lowercase().contains("lamp"), "{hit}");
        kinds.insert(hit["what"].as_str().unwrap().to_owned());
        if hit["space"] == "file" {
            // The bytes at the offset are the text, except that a member is found with its extension, which is stored
            // elsewhere. The path may continue inside an archive.
            let path = folder.path(hit["path"].as_str().unwrap());
            let file = path.ancestors().find(|path| path.is_file()).unwrap();
            let file = std::fs::read(file).unwrap();
            let at = usize::try_from(hit["offset"].as_u64().unwrap()).unwrap();
            let name = text.rsplit_once('.').map_or(text, |(name, _)| name);
            assert!(file[at..].starts_with(name.as_bytes()), "{hit}");
            checked += 1;
        }
    }
    assert!(checked > 5 && kinds.len() > 3, "{checked} {kinds:?}");
    assert!(kinds.contains("part") && kinds.contains("member") && kinds.contains("record"), "{kinds:?}");
    // Case matters on request, kinds can be selected, and a glob must match the whole text.
    let count = |args: &[&str]| {
        let (_, out, _) = folder.said(&[&["find"], args, &["game", "--format", "ndjson"]].concat());
        out.lines().count()
    };
    assert!(count(&["LAMP"]) > count(&["lamp", "--case"]));
    assert!(count(&["lamp", "--in", "names"]) >= 1);
    assert!(count(&["lamp"]) > count(&["lamp_?ier"]) && count(&["lamp_?ier"]) > 0);
    // As text, and without hits.
    folder.prints(0, "find lamp_pier game", &["lamp_pier", "at offset"]);
    let (code, out, err) = folder.said(&["find", "no such text", "game"]);
    assert_eq!((code, out.as_str()), (1, ""), "{err}");
}

#[test]
fn folders_are_compared_file_by_file() {
    let folder = Folder::samples();
    for (name, file) in worldview_corpus::samples() {
        folder.put(&format!("mod/{name}"), &file);
    }
    let (code, out, err) = folder.said(&["diff", "game", "mod"]);
    assert_eq!((code, out.as_str()), (0, ""));
    assert!(err.contains("10 equal"), "{err}");
    std::fs::remove_file(folder.path("mod/garden.wwd")).unwrap();
    folder.put("mod/new/level.wwd", &build(&level()).bytes);
    folder.put("mod/notes.txt", b"of nobody");
    // One bit of a number in a record.
    let mut items = folder.bytes("mod/items.wdb");
    let last = items.len() - 1;
    items[last] ^= 1;
    folder.put("mod/items.wdb", &items);
    let (code, out, err) = folder.said(&["diff", "game", "mod", "--format", "json"]);
    assert_eq!(code, 1, "{err}");
    let document: Value = serde_json::from_str(&out).unwrap();
    let files = document["files"].as_array().unwrap();
    let changes: Vec<_> = files.iter().map(|file| file["change"].as_str().unwrap()).collect();
    assert_eq!(changes, ["removed", "changed", "added"], "{out}");
    assert_eq!(files[1]["differences"].as_array().unwrap().len(), 1, "{out}");
    assert_eq!(files[2]["right"], "mod/new/level.wwd");
    // A broken file is a failure, but the others are compared.
    folder.put("mod/harbour.wwd", b"\xF4\x05\0\0broken");
    let (code, out, err) = folder.said(&["diff", "game", "mod"]);
    assert_eq!(code, 3, "{err}");
    assert!(
        out.contains("+ 1 file is only in mod: new/level.wwd\n") && err.contains("mod/harbour.wwd: "),
        "{out}{err}"
    );
}

#[test]
fn what_cannot_be_compared_is_said() {
    let folder = Folder::samples();
    let err = folder.fails(3, "diff game/garden.wwd game/items.wdb");
    assert!(err.contains("this is a WPD archive or table, the other file is a WWD level"), "{err}");
    folder.says(2, "diff game game/items.wdb", &["cannot compare a file with a folder"]);
    folder.says(3, "diff game/wdbpack.bin game/items.wdb", &["cannot be compared with the other"]);
    let (code, out, err) = folder.said(&["diff", "game/items.wdb/anchor_pin", "game/items.wdb/bread_rye"]);
    assert!(code == 1 && out.ends_with("  - anchor_pin\n  + bread_rye\n"), "{out}{err}");
    folder.says(2, "diff game nowhere", &["nowhere: ", MISSING]);
    for missing in [["nowhere.wdb", "game/items.wdb"], ["game/items.wdb", "nowhere.wdb"]] {
        for format in ["json", "changes"] {
            let args =
                [&["diff"], &missing[..], &["--format", format, "--report", "report.json", "--overwrite", "always"]]
                    .concat();
            assert_eq!(folder.said(&args).0, 2, "{args:?}");
            let report: serde_json::Value = serde_json::from_slice(&folder.bytes("report.json")).unwrap();
            assert_eq!(report["inputs"][0]["path"], "nowhere.wdb", "{report}");
            assert_eq!(report["inputs"].as_array().unwrap().len(), 1, "{report}");
        }
    }
    // A member can be compared with a separate table.
    let (code, out, err) = folder.said(&["diff", "game/wdbpack.bin/r_tides.wdb", "game/items.wdb"]);
    assert_eq!(code, 1, "{err}");
    assert!(out.contains("\n  + apple_dried\n"), "{out}");
}

#[test]
fn parts_with_the_same_path_are_compared() {
    let folder = Folder::samples();
    folder.ok("set game/wdbpack.bin r_lamps.wdb/lamp_gate/fHeight=5 -o new.bin");
    let differences = |left: &str, right: &str| {
        let (code, out, err) = folder.said(&["diff", &format!("game/wdbpack.bin/{left}"), &format!("new.bin/{right}")]);
        assert!(!err.contains("cannot be compared"), "{err}");
        (code, out.lines().skip(1).map(str::to_owned).collect::<Vec<_>>())
    };
    assert_eq!(differences("r_[bt]*", "r_{bells,tides}.wdb").0, 2, "[bt] is for names of files");
    assert_eq!(differences("r_{bells,tides}.wdb", "r_{bells,tides}.wdb"), (0, vec![]));
    assert_eq!(differences("r_*", "r_*"), (1, vec!["  ~ r_lamps.wdb/lamp_gate: fHeight: 2.5 -> 5.0".to_owned()]));
    assert_eq!(differences("r_*/lamp_*", "r_*/lamp_*").1, ["  ~ r_lamps.wdb/lamp_gate: fHeight: 2.5 -> 5.0"]);
    let one_side = ["  - r_bells.wdb", "  - r_tides.wdb", "  ~ r_lamps.wdb/lamp_gate: fHeight: 2.5 -> 5.0"];
    assert_eq!(differences("r_*", "r_lamps*").1, one_side);
    // Single parts are compared whatever they are called.
    assert_eq!(differences("r_lamps.wdb", "r_tides.wdb").0, 1);
    // In a WORLD.WDB too, and whichever path leads to what differs.
    folder.ok(&["set", "game/world.wdb", "blob:car/roi:body/color_name=Lego Blue", "-o", "blue.wdb"]);
    let worlds = |left: &str, right: &str| {
        let (code, out, _) = folder.said(&["diff", &format!("game/world.wdb{left}"), &format!("blue.wdb{right}")]);
        (code, out.lines().skip(1).map(str::to_owned).collect::<Vec<_>>())
    };
    let blue = vec!["  ~ blob:car/roi:body: color_name: \"Lego Red\" -> \"Lego Blue\"".to_owned()];
    for path in ["", "/blob:car", "/blob:*", "/*:*", "/blob:car/roi:body/color_name", "/{blob:boat,blob:car}"] {
        assert_eq!(worlds(path, path), (1, blue.clone()), "{path}");
    }
    assert_eq!(worlds("/blob:boat", "/blob:boat"), (0, vec![]));
    assert_eq!(worlds("/blob:car", "/blob:boat"), (1, vec!["  - blob:car".to_owned(), "  + blob:boat".to_owned()]));
    // What only one side has is a difference.
    let items = |right: &str| {
        folder.said(&["diff", "game/items.wdb/apple_dried/uSellPrice", &format!("game/items.wdb/{right}")])
    };
    let (code, out, _) = items("apple_dried/uPurchasePrice");
    assert!(code == 1 && out.contains("~ apple_dried: uSellPrice: 2 -> none\n"), "{out}");
    assert!(out.contains("~ apple_dried: uPurchasePrice: none -> 6\n"), "{out}");
    assert_eq!(items("apple_dried/uSellPrice").0, 0);
    let (tile, other) = ("game/harbour.wwd/plane:Action/tile:0,0", "game/harbour.wwd/plane:Action/tile:3,5");
    assert_eq!((folder.said(&["diff", tile, tile]).0, folder.said(&["diff", tile, other]).0), (0, 1));
    // As changes: many files are one mod, whether a folder or a pattern leads to them.
    folder.ok("set game bread_rye/uSellPrice=9 -o new");
    let folders = folder.said("diff game new --format changes");
    let patterns = folder.said("diff game/*.wdb new/*.wdb --format changes");
    assert!(folders.0 == 1 && folders.1.starts_with("{\"path\":\"items.wdb\""), "{}", folders.1);
    assert_eq!((patterns.0, patterns.1), (folders.0, folders.1));
}

#[test]
fn only_leaves_out_what_one_side_alone_has_too() {
    let folder = Folder::samples();
    folder.put("other/new.wdb", &ff13::samples().remove(0).1);
    folder.put("other/new.wwd", &build(&level()).bytes);
    let (code, out, _) = folder.said(&["diff", "game", "other", "--only", "kind=level"]);
    assert_eq!(code, 1);
    assert_eq!(
        out,
        "- 3 files are only in game: cellar.wwd, garden.wwd, harbour.wwd\n+ 1 file is only in other: new.wwd\n"
    );
    // A selection without matches does not mean that the folders are equal.
    folder.fails(2, "diff game other --only nobody");
}

#[test]
fn what_is_picked_keeps_the_names_of_the_whole() {
    use worldview_corpus::ff13::build::build_archive;
    use worldview_corpus::ff13::spec::{ArchiveSpec, MemberSpec};
    let folder = Folder::new();
    let members = ["same", "SAME", "other"].map(|name| MemberSpec::new(name, name.as_bytes().to_vec())).to_vec();
    folder.put("pack.bin", &build_archive(&ArchiveSpec { members, ..ArchiveSpec::default() }).bytes);
    assert_eq!(folder.said(&["export", "pack.bin", "-o", "all"]).0, 0);
    assert_eq!(folder.said(&["export", "pack.bin", "-o", "some", "--only", "oth*"]).0, 0);
    assert_eq!(folder.files("some"), ["pack.bin/archive.json", "pack.bin/manifest.ndjson", "pack.bin/members/other"]);
    // A second selection in the same folder is exported, too, and both are listed.
    assert_eq!(folder.said(&["export", "pack.bin", "-o", "some", "--only", "same"]).0, 0);
    assert_eq!(folder.files("some"), folder.files("all"));
    for name in ["same", "SAME~2", "other"] {
        let read = |out: &str| folder.bytes(&format!("{out}/pack.bin/members/{name}"));
        assert_eq!(read("some"), read("all"));
    }
}

#[test]
fn a_member_that_is_exported_alone_does_not_stand_for_the_archive() {
    let folder = Folder::samples();
    let out = ["-o", "out", "--to", "csv"];
    assert_eq!(folder.said(&[&["export", "game/wdbpack.bin/r_tides.wdb"], &out[..]].concat()).0, 0);
    assert_eq!(folder.said(&[&["export", "game/wdbpack.bin/r_lamps.wdb"], &out[..]].concat()).0, 0);
    assert_eq!(folder.said(&[&["export", "game/wdbpack.bin"], &out[..]].concat()).0, 0);
    for table in ["r_bells", "r_lamps", "r_tides"] {
        assert!(folder.path(&format!("out/wdbpack.bin/{table}.wdb/records.csv")).exists(), "{table}");
    }
}

#[test]
fn every_verb_has_help_with_examples_completions_and_a_manual_page() {
    let folder = Folder::new();
    let help = folder.ok("--help");
    let verbs: Vec<_> = help
        .lines()
        .skip_while(|line| !line.starts_with("Commands:"))
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter(|line| !line.starts_with("   "))
        .map(|line| line.trim().split(' ').next().unwrap_or("").to_owned())
        .collect();
    assert!(verbs.len() >= 10, "{help}");
    assert_eq!(folder.said(&["man", "--out", "man"]).0, 0);
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let page = folder.ok(&format!("completions {shell}"));
        for verb in &verbs {
            assert!(page.contains(verb.as_str()), "{shell} {verb}");
        }
    }
    for verb in verbs.iter().filter(|verb| *verb != "help") {
        folder.prints(0, &format!("{verb} --help"), &["Examples:\n  worldview "]);
        let page = folder.text(&format!("man/worldview-{verb}.1"));
        assert!(page.contains(".SH SYNOPSIS"), "{verb}");
    }
    assert!(folder.said(&["man"]).1.contains(".TH worldview 1"));
}

#[test]
fn messages_are_quiet_loud_or_colored_as_asked() {
    let folder = Folder::samples();
    folder.put("game/other.txt", b"of nobody");
    let say = |args: &[&str]| folder.said(&[&["check", "game", "--fail-on", "never"], args].concat()).2;
    assert!(say(&[]).contains("checked ") && !say(&[]).contains("other.txt"));
    assert_eq!(say(&["-q"]), "");
    assert!(say(&["-v"]).contains("game/other.txt: skipped") && say(&["-v"]).contains("game/items.wdb: done"));
    // Without a terminal, there are no colors unless requested.
    assert!(!say(&["-v"]).contains('\x1B') && say(&["-v", "--color", "always"]).contains("\x1B["));
}
