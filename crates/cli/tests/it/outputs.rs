//! What is written is complete, stays what somebody made of it, and goes nowhere else: for every verb that writes.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;
use worldview_corpus::{sample, samples};

use crate::support::{Folder, Thing, WORLDVIEW, code, digest, document, manifest, snapshot, snapshot_of_files, stderr};

/// Folders of inputs for all verbs.
fn inputs() -> Folder {
    let folder = Folder::in_memory();
    for (name, bytes) in samples() {
        folder.put(&format!("game/{name}"), &bytes);
    }
    for name in ["a/items.wdb", "b/items.wdb", "items.wdb"] {
        folder.put(&format!("tables/{name}"), &sample("items.wdb"));
        let mut broken = sample("items.wdb");
        broken[..4].fill(0);
        folder.put(&format!("broken/{name}"), &broken);
    }
    for (other, edit) in [("mine", "b*/uPurchasePrice=1"), ("friend", "b*/u8MenuIcon=20")] {
        run(&folder, &format!("set tables {edit} -o {other}"), 0);
        run(&folder, &format!("diff tables {other} --format changes -o {other}.ndjson"), 1);
    }
    folder
}

/// Splits and runs a command line.
fn run(folder: &Folder, words: &str, expected: i32) -> Output {
    let output = folder.run(words);
    assert_eq!(code(&output), expected, "{words}: {}", stderr(&output));
    output
}

/// Begins a run that stops at a call of the output writer.
fn begin(folder: &Folder, words: &str, stop: &str) -> Child {
    let mut command = Command::new(WORLDVIEW);
    command.current_dir(folder.path("")).args(words.split(' ')).env("WORLDVIEW_STOP", stop).stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Stops a run at a call of the output writer. Returns whether it had one with this number.
fn stops(folder: &Folder, words: &str, stop: &str) -> bool {
    let output = begin(folder, words, stop).wait_with_output().unwrap();
    assert!([130, 0, 1].contains(&code(&output)), "{words}: {stop}: {}", stderr(&output));
    code(&output) == 130
}

/// Runs that write `out`, the folder of their inputs, and the exit code.
const WRITE: [(&str, &str, i32); 16] = [
    ("export in -o out --to csv,xlsx,ndjson,parquet,arrow,json,text,members", "tables/a", 0),
    ("export in -o out --to csv,xlsx,json,members --threads 2", "rez", 0),
    ("export in -o out --to json,glb --only BAY", "world", 0),
    ("export in -o out --to png,bmp", "textures", 0),
    ("export in -o out --to preview,tmj --objects none --scale 1", "level", 0),
    ("export in -o out --to csv,json --layout flat", "tables", 0),
    ("export in -o out --to parquet,csv --merge sheet", "tables", 0),
    ("export in -o out --to xlsx --merge workbook", "tables", 0),
    ("set in b*/uPurchasePrice=1 -o out --overwrite always", "tables", 0),
    ("apply in mine.ndjson -o out --overwrite always", "tables", 0),
    ("diff in mine --format changes -o out --overwrite always", "tables", 1),
    ("diff in mine --format changes -o out/mod.ndjson --overwrite always", "tables", 1),
    ("changes merge mine.ndjson friend.ndjson -o out --overwrite always", "tables", 0),
    ("build game/items.wdb.export -o out/items.wdb --overwrite always", "tables", 0),
    ("repair in -o out --overwrite always", "broken", 0),
    ("man -o out", "tables", 0),
];

fn copy(folder: &Folder, from: &str, to: &str) {
    let _ = fs::remove_dir_all(folder.path(to));
    for name in folder.files(from) {
        folder.put(&format!("{to}/{name}"), &fs::read(folder.path(from).join(&name)).unwrap());
    }
}

#[test]
fn what_stops_a_run_at_any_call_of_the_writer_leaves_nothing_that_counts_as_complete() {
    let folder = inputs();
    folder.put("files/A/B.WWD", &sample("cellar.wwd"));
    run(&folder, "build files -o rez/small.rez", 0);
    folder.put("world/world.wdb", &sample("world.wdb"));
    folder.put("textures/pennant.tex", &sample("pennant.tex"));
    folder.put("level/cellar.wwd", &sample("cellar.wwd"));
    run(&folder, "export tables/items.wdb -o made --to json", 0);
    fs::rename(folder.path("made/items.wdb"), folder.path("game/items.wdb.export")).unwrap();
    for (words, from, expected_code) in WRITE {
        let wipe = || drop(fs::remove_dir_all(folder.path("out")));
        let add = || folder.put("in/added.wdb", &sample("bestiary.wdb"));
        copy(&folder, from, "in");
        wipe();
        run(&folder, words, expected_code);
        let alone = snapshot(&folder.path("out"));
        // What is added in between has outputs of its own.
        let grows = words.starts_with("export");
        let both = grows.then(|| {
            wipe();
            add();
            run(&folder, words, expected_code);
            snapshot(&folder.path("out"))
        });
        let mut calls = 0;
        for number in 1.. {
            let how = ["interrupt", "kill"][number % 2];
            let (stop, what) = (format!("{how}:{number}"), format!("{words}: {how} at {number}"));
            copy(&folder, from, "in");
            wipe();
            let is_stopped = stops(&folder, words, &stop);
            let mut expected = &alone;
            if let Some(both) = both.as_ref().filter(|_| number % 4 < 2) {
                add();
                stops(&folder, words, &stop);
                expected = both;
            }
            run(&folder, words, expected_code);
            let found = snapshot(&folder.path("out"));
            assert_eq!(found, *expected, "{what}");
            if !is_stopped {
                break;
            }
            calls = number;
        }
        assert!(calls > 2, "{words}: {calls}");
    }
}

#[test]
fn what_stops_an_export_over_another_one_makes_no_edits() {
    let folder = inputs();
    folder.put("in/items.wdb", &sample("items.wdb"));
    for (options, edited) in [
        ("--to csv,json", "out/in/items.wdb/records.csv"),
        ("--to csv,json --layout flat", "out/in/items.csv"),
        ("--to csv,parquet --merge sheet", "out/in/items.wdb/records.csv"),
    ] {
        // Other options, and so other bytes in the same files.
        let words = format!("export in -o out {options}");
        let other = format!("{words} --sheet --csv-bom");
        let _ = fs::remove_dir_all(folder.path("out"));
        run(&folder, &words, 0);
        folder.put(edited, b"mine");
        run(&folder, &words, 0);
        let _ = fs::remove_dir_all(folder.path("whole"));
        fs::rename(folder.path("out"), folder.path("whole")).unwrap();
        let prepare = || copy(&folder, "whole", "out");
        prepare();
        let mut expected = snapshot_of_files(&folder.path("out"));
        assert_eq!(expected[&PathBuf::from(&edited[4..])], Thing::File(4, digest(b"mine")));
        // Which options files were written with besides is not the same.
        expected.retain(|path, _| !path.to_string_lossy().contains("manifest"));
        for number in 1.. {
            let mut is_stopped = false;
            for how in ["interrupt", "kill"] {
                prepare();
                is_stopped |= stops(&folder, &other, &format!("{how}:{number}"));
                run(&folder, &words, 0);
                let found = snapshot_of_files(&folder.path("out"));
                for (path, thing) in &expected {
                    assert_eq!(found.get(path), Some(thing), "{words}: {how} at {number}: {}", path.display());
                }
            }
            if !is_stopped {
                assert!(number > 3, "{words}");
                break;
            }
        }
    }
}

#[test]
fn what_stops_an_edit_in_place_leaves_the_original_or_the_edited_file() {
    let folder = inputs();
    let original = sample("items.wdb");
    run(&folder, "set game/items.wdb apple_dried/uPurchasePrice=1 -o edited.wdb", 0);
    let edited = folder.bytes("edited.wdb");
    for (words, before, after) in [
        ("set place/items.wdb apple_dried/uPurchasePrice=1 --in-place", &original, &edited),
        ("restore place/items.wdb", &edited, &original),
    ] {
        for number in 1.. {
            let mut is_stopped = false;
            for how in ["interrupt", "kill"] {
                let _ = fs::remove_dir_all(folder.path("place"));
                folder.put("place/items.wdb", before);
                if words.starts_with("restore") {
                    folder.put("place/items.wdb.bak", after);
                }
                is_stopped |= stops(&folder, words, &format!("{how}:{number}"));
                let now = || folder.bytes("place/items.wdb");
                assert!(now() == *before || now() == *after, "{words}: {how} at {number}");
                if now() == *before {
                    run(&folder, words, 0);
                }
                assert!(now() == *after, "{words}: {how} at {number}");
                let is_there = |name: &String| fs::read(folder.path("place").join(name)).unwrap() == *before;
                assert!(folder.files("place").iter().any(is_there), "{words}: {how} at {number}: the backup");
            }
            if !is_stopped {
                assert!(number > 3, "{words}");
                break;
            }
        }
    }
}

#[test]
fn what_stops_an_edit_of_a_folder_can_be_taken_back() {
    let folder = inputs();
    let files = ["place/a.wwd", "place/b.wwd"];
    let original = sample("garden.wwd");
    let edit = "set place header/start_x=7 --in-place --threads 1";
    for is_restore in [false, true] {
        for number in 1.. {
            let mut is_stopped = false;
            for how in ["interrupt", "kill"] {
                let (stop, what) = (format!("{how}:{number}"), format!("{is_restore}: {how} at {number}"));
                let _ = fs::remove_dir_all(folder.path("place"));
                files.iter().for_each(|file| folder.put(file, &original));
                if is_restore {
                    run(&folder, edit, 0);
                }
                is_stopped |= stops(&folder, if is_restore { "restore place" } else { edit }, &stop);
                // Without a log, nothing is left to take back.
                if folder.path("place/.worldview-edits.ndjson").exists() {
                    run(&folder, "restore place", 0);
                }
                assert!(files.iter().all(|file| folder.bytes(file) == original), "{what}");
            }
            if !is_stopped {
                assert!(number > 6, "{is_restore}: {number}");
                break;
            }
        }
    }
}

#[test]
fn an_edited_output_is_kept_and_counts_as_complete() {
    for (layout, file) in [("folders", "out/items.wdb/records.csv"), ("flat", "out/items.csv")] {
        let folder = Folder::new();
        folder.put("items.wdb", &sample("items.wdb"));
        let words = format!("export items.wdb -o out --to csv,json --layout {layout} --format json");
        run(&folder, &words, 0);
        let exported = folder.bytes(file);
        let entry = || {
            let line = match layout {
                "flat" => serde_json::from_slice(&folder.bytes("out/manifest.ndjson")).unwrap(),
                _ => document_of(&folder, "out/items.wdb/manifest.ndjson"),
            };
            let files = line["files"].as_array().unwrap().clone();
            let csv = files.into_iter().find(|entry| entry["file"].as_str().unwrap().ends_with(".csv")).unwrap();
            (line["complete"].as_bool().unwrap(), csv["sha256"].as_str().unwrap().to_owned())
        };
        let mine = String::from_utf8(exported.clone()).unwrap().replacen(",6,", ",7,", 1);
        folder.put(file, mine.as_bytes());
        // As the next run does, one with other options keeps it.
        for more in ["", " --csv-bom", ""] {
            let output = run(&folder, &format!("{words}{more}"), 0);
            assert_eq!(folder.bytes(file), mine.as_bytes(), "{layout}{more}");
            let (said, report) = (stderr(&output), document(&output));
            assert!(said.contains(&format!("1 output edited since the export and kept: {file}")), "{said}");
            let input = &report["inputs"][0];
            let kept = &input["outputs"].as_array().unwrap().last().unwrap();
            assert_eq!((&input["status"], &kept["kept"]), (&"ok".into(), &"edited".into()));
            assert_eq!(kept["path"], file);
            assert_eq!((&kept["size"], &report["outputs"]["edited"]), (&mine.len().into(), &1.into()), "{report}");
            let exported = if more.is_empty() { exported.clone() } else { [b"\xEF\xBB\xBF", &exported[..]].concat() };
            assert_eq!(entry(), (true, digest(&exported)), "{layout}{more}");
        }
        // The edit is the file's own. Of another version of the input, it is not made into changes of that version.
        run(&folder, &format!("apply items.wdb {file} -o edited.wdb"), 0);
        run(&folder, "set items.wdb apple_dried/uPurchasePrice=1234567 --in-place", 0);
        run(&folder, &words, 0);
        assert_eq!(folder.bytes(file), mine.as_bytes(), "{layout}");
        let said = stderr(&run(&folder, &format!("apply items.wdb {file} -o wrong.wdb"), 3));
        assert!(said.contains("earlier version") && !folder.path("wrong.wdb").exists(), "{said}");
        // An edit that the input has as well is none.
        fs::copy(folder.path("edited.wdb"), folder.path("items.wdb")).unwrap();
        let output = run(&folder, &words, 0);
        assert!(!stderr(&output).contains("edited"), "{}", stderr(&output));
        folder.put(file, b"mine");
        run(&folder, &format!("{words} --overwrite always"), 0);
        assert_eq!(folder.bytes(file), mine.as_bytes(), "{layout}");
        if layout == "folders" {
            assert_eq!(manifest(&folder.path("out/items.wdb"))["complete"], true);
        }
    }
}

#[test]
fn an_edited_merged_output_is_kept() {
    let folder = inputs();
    let words = "export tables/a tables/b -o out --to parquet --merge sheet";
    run(&folder, words, 0);
    let name = folder.files("out").into_iter().find(|name| name.ends_with(".parquet")).unwrap();
    folder.put(&format!("out/{name}"), b"mine");
    for words in [words, &format!("{words} --sheet"), &words.replace(" tables/b", ""), words] {
        let said = stderr(&run(&folder, words, 0));
        assert!(said.contains(&format!("kept: out/{name}")), "{words}: {said}");
        assert_eq!(fs::read(folder.path("out").join(&name)).unwrap(), b"mine", "{words}");
    }
    run(&folder, &format!("{words} --overwrite always"), 0);
    assert_ne!(fs::read(folder.path("out").join(&name)).unwrap(), b"mine");
}

fn document_of(folder: &Folder, name: &str) -> Value {
    serde_json::from_slice(&folder.bytes(name)).unwrap()
}

#[test]
fn no_verb_follows_a_link_in_its_output_folder() {
    let folder = inputs();
    folder.put("victims/items.wdb", b"theirs");
    let victims = || snapshot(&folder.path("victims"));
    let before = victims();
    let place = |link: &str, to: &str| {
        let _ = fs::remove_dir_all(folder.path("out"));
        fs::create_dir_all(folder.path("out").join(link).parent().unwrap()).unwrap();
        symlink(to, folder.path("out").join(link)).unwrap();
    };
    for (words, below, ending) in [
        ("export tables -o out --to csv", "tables/", ".wdb"),
        ("set tables b*/uPurchasePrice=1 -o out", "", ".wdb"),
        ("apply tables mine.ndjson -o out", "", ".wdb"),
        ("diff tables mine --format changes -o out", "", ".wdb.changes.json"),
        ("changes merge mine.ndjson friend.ndjson -o out", "", ".wdb.changes.json"),
        ("repair broken -o out", "broken/", ".wdb"),
    ] {
        for to in ["../victims", "../../victims", "../missing"] {
            place(&format!("{below}a"), to);
            let output = folder.run(words);
            let said = stderr(&output);
            assert!(code(&output) == 4 && said.contains("is in the way: it is a link"), "{words}: {said}");
            assert_eq!(victims(), before, "{words}");
            assert!(!folder.path("missing").exists(), "{words}");
        }
        if words.starts_with("export") {
            continue;
        }
        // A link in the place of a file is replaced, if that is asked for.
        let link = format!("{below}items{ending}");
        place(&link, if below.is_empty() { "../victims/items.wdb" } else { "../../victims/items.wdb" });
        let output = folder.run(words);
        assert_eq!((code(&output), victims()), (4, before.clone()), "{words}: {}", stderr(&output));
        folder.run(&format!("{words} --overwrite always").split(' ').collect::<Vec<_>>());
        assert_eq!(victims(), before, "{words}");
        assert!(fs::symlink_metadata(folder.path("out").join(&link)).unwrap().is_file(), "{words}");
    }
    // The folder of a single file, and manual pages.
    place("items.wdb", "../victims/items.wdb");
    run(&folder, "set tables/items.wdb apple_dried/uPurchasePrice=1 -o out/ --overwrite always", 0);
    place("worldview.1", "../victims/items.wdb");
    run(&folder, "man -o out", 0);
    assert_eq!(victims(), before);
    // The output folder itself may be a link: it is named.
    let _ = fs::remove_dir_all(folder.path("out"));
    symlink("elsewhere", folder.path("out")).unwrap();
    run(&folder, "set tables b*/uPurchasePrice=1 -o out", 0);
    assert_eq!(folder.files("elsewhere"), ["a/items.wdb", "b/items.wdb", "items.wdb"]);
}

#[test]
fn the_second_of_two_edits_of_one_file_is_refused() {
    let folder = inputs();
    let words = |field: &str| format!("set tables/items.wdb apple_dried/{field}=77 --in-place");
    // The first one has read the file, and is halted before it replaces it.
    let first = begin(&folder, &words("uPurchasePrice"), "pause:1");
    let is_halted = || fs::read_to_string(format!("/proc/{}/stat", first.id())).is_ok_and(|it| it.contains(") T "));
    if cfg!(target_os = "linux") {
        while !is_halted() {
            std::thread::yield_now();
        }
        run(&folder, &words("uSellPrice"), 0);
        assert!(Command::new("kill").args(["-CONT", &first.id().to_string()]).status().unwrap().success());
    }
    let output = first.wait_with_output().unwrap();
    let said = stderr(&output);
    assert!(code(&output) == 3 && said.contains("changed by another program") && said.contains("again"), "{said}");
    let left = folder.files("tables").into_iter().filter(|name| name.contains(".bak")).count();
    assert_eq!(left, 1, "only the edit that was made keeps an original");
    assert_eq!(run(&folder, &words("uSellPrice"), 0).stdout, b"");
    // At the same moment, either both are done or one is refused.
    for round in 100..106 {
        let set = |field: &str| format!("set tables/items.wdb apple_dried/{field}={round} --in-place");
        let both = ["uPurchasePrice", "uSellPrice"].map(|field| (field, begin(&folder, &set(field), "")));
        for (field, child) in both {
            let output = child.wait_with_output().unwrap();
            let words = format!("show tables/items.wdb/apple_dried/{field} --format csv");
            let shown = String::from_utf8(run(&folder, &words, 0).stdout).unwrap();
            let is_done = shown.contains(&format!(",{round}\n"));
            assert_eq!(code(&output), if is_done { 0 } else { 3 }, "{}: {shown}", stderr(&output));
        }
    }
}

#[test]
fn nothing_is_written_if_an_operand_is_unusable() {
    let folder = inputs();
    folder.put("bad.json", b"{");
    let before: BTreeMap<_, _> = snapshot(&folder.path(""));
    for (words, expected) in [
        ("diff tables nosuch --format changes -o my.ndjson", 2),
        ("diff nosuch tables --format changes -o my.ndjson", 2),
        ("diff tables nosuch --format changes -o out", 2),
        ("diff tables/items.wdb nosuch --format changes -o my.ndjson", 2),
        ("diff tables/items.wdb bad.json --format changes -o my.ndjson", 3),
        ("diff tables nosuch", 2),
        ("apply tables mine.ndjson game -o out", 3),
        ("apply tables bad.json mine.ndjson -o out", 3),
        ("apply tables/items.wdb mine.ndjson bad.json -o out", 3),
        ("changes merge mine.ndjson nosuch.ndjson -o out", 2),
        ("export tables --text nosuch -o out", 2),
    ] {
        let output = folder.run(words);
        assert_eq!(code(&output), expected, "{words}: {}", stderr(&output));
        assert!(snapshot(&folder.path("")) == before, "{words}: {}", stderr(&output));
    }
}
