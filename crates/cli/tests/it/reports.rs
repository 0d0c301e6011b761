//! What people read of many findings and failures: little, and nothing twice.

use crate::support::{Folder, clean_level, stdout};
use worldview_corpus::ff13::build::build_table;
use worldview_corpus::ff13::spec::{CellSpec, Generation, TableSpec};
use worldview_corpus::wwd::build::build;
use worldview_corpus::wwd::generate::{Shape, level};
use worldview_corpus::wwd::spec::{ChecksumRule, LevelSpec};
use worldview_corpus::{sample, samples};

fn a_level(seed: u64, change: impl FnOnce(&mut LevelSpec)) -> Vec<u8> {
    let mut spec = level(seed, &Shape::small());
    change(&mut spec);
    build(&spec).bytes
}

/// Twenty levels of which each has two pairs of objects with one id.
fn twenty() -> Folder {
    let folder = Folder::new();
    for number in 0..20 {
        let bytes = a_level(number, |spec| {
            let objects = &mut spec.planes[1].objects;
            for (index, object) in (1000..).zip(objects.iter_mut()) {
                object.id = index;
            }
            (objects[4].id, objects[6].id, objects[7].id) = (objects[2].id, objects[2].id, objects[3].id);
        });
        folder.put(&format!("in/{number:02}.wwd"), &bytes);
    }
    folder
}

#[test]
fn findings_of_a_folder_fit_a_screen_and_programs_have_all() {
    let folder = twenty();
    let out = folder.ok("check in");
    assert!(out.lines().count() < 40, "{out}");
    assert!(out.contains("curious [object-id-duplicate]: 40 in 20 files\n"), "{out}");
    assert!(!out.contains("several objects have the id"), "{out}");
    // One finding for each id, with all that have it.
    let one = "  00.wwd: plane 1 \"Action\", object 1002#0: several objects have the id 1002: rows 2, 4 and 6\n";
    let by_code = folder.ok("check in --group-by code");
    assert!(by_code.contains(one), "{by_code}");
    assert_eq!(by_code.matches("several objects have the id").count(), 3, "{by_code}");
    let listed = folder.ok("check in --min curious");
    assert_eq!(listed.lines().filter(|line| line.contains(".wwd \"")).count(), 20, "{listed}");
    assert_eq!(folder.said(&["check", "in", "--fail-on", "curious"]).0, 1);
    let all = folder.said(&["check", "in", "--all"]).1;
    assert_eq!(all.matches("[object-id-duplicate]").count(), 40);
    for args in [&["--format", "csv"][..], &["--format", "csv", "--all"]] {
        let rows = folder.said(&[&["check", "in"], args].concat()).1;
        assert_eq!(rows.matches(",object-id-duplicate,").count(), 40);
    }
}

#[test]
fn a_damaged_folder_names_each_broken_file_once() {
    let folder = twenty();
    let whole = a_level(1, |_| {});
    for number in 20..50 {
        folder.put(&format!("in/{number}.wwd"), &whole[..whole.len() / 2 + number]);
    }
    folder.put("in/none.wwd", b"no level");
    let names = || (20..50).map(|number| format!("{number}.wwd")).chain(["none.wwd".to_owned()]);
    let export = ["export", "in", "-o", "out", "--to", "csv,png,tmx"];
    let err = folder.fails(3, &export);
    assert!(names().all(|name| err.matches(&format!("in/{name}")).count() <= 1), "{err}");
    // Of many with one cause the first are named, and the others counted.
    assert_eq!(names().filter(|name| err.contains(name)).count(), 7, "{err}");
    assert!(err.contains("27 more for the same reason (in/23.wwd, in/24.wwd, in/25.wwd, …), for example: "), "{err}");
    let err = folder.fails(3, &[&export[..], &["--verbose"]].concat());
    assert!(names().all(|name| err.contains(&name)), "{err}");
    // `check` lists every broken file.
    let (code, out, err) = folder.said("check in");
    assert_eq!((code, out.lines().filter(|line| line.starts_with("fatal: ")).count()), (3, 31), "{err}");
    assert!(names().all(|name| out.contains(&format!("fatal: {name}")) && !err.contains(&name)), "{out}{err}");
}

#[test]
fn files_that_are_not_listed_are_counted() {
    let folder = Folder::new();
    (0..201).for_each(|number| folder.put(&format!("in/{number}.wwd"), b"no level"));
    let end = "\n… and 1 more file with such findings\n201 files in in: 201 fatal, 0 suspicious, 0 curious\n\
               (--all prints every finding with its offset)\n";
    folder.prints(3, "check in", &[end]);
}

#[test]
fn broken_levels_are_named_the_worst_first_with_their_titles() {
    let folder = Folder::new();
    let titled = |title: &str, checksum| {
        clean_level(|spec| (spec.header.name, spec.checksum) = (title.as_bytes().to_vec(), checksum))
    };
    folder.put("mine/levels/a.wwd", &titled("Cellar 14", ChecksumRule::Value(7)));
    folder.put("mine/levels/b.wwd", &titled("Attic 14", ChecksumRule::Editor));
    let whole = titled("Roof 14", ChecksumRule::Editor);
    folder.put("mine/levels/c.wwd", &whole[..whole.len() - 100]);
    folder.put("mine/d.wwd", &sample("garden.wwd"));
    let out = folder.said("check mine").1;
    let lines: Vec<_> = out.lines().filter(|line| line.contains(".wwd")).collect();
    assert!(lines.len() == 2 && lines[0].starts_with("fatal: levels/c.wwd \"Roof 14\": "), "{out}");
    let checksum =
        "suspicious: levels/a.wwd \"Cellar 14\": header: checksum 0x00000007 matches no known rule [checksum]";
    assert!(lines[1].starts_with(checksum), "{out}");
    assert!(out.contains("\n4 files in mine, "), "{out}");
}

#[test]
fn lists_have_whole_paths_in_a_narrow_terminal() {
    let folder = Folder::with("a folder with a rather long name/", samples());
    let mut command = std::process::Command::new(crate::support::WORLDVIEW);
    let done = command.current_dir(folder.path("")).env("COLUMNS", "80").arg("list").output().unwrap();
    let out = stdout(&done);
    for name in ["garden.wwd", "harbour.rez/LEVEL1/WORLDS/WORLD.WWD", "wdbpack.bin/r_lamps.wdb", "pennant.tex"] {
        assert!(out.contains(&format!("./a folder with a rather long name/{name}  ")), "{out}");
    }
    assert!(out.contains(" XIII-2/LR ") && out.contains(" XIII ") && !out.contains("Final"), "{out}");
    assert!(out.contains("all of them: author worldview") && out.contains("more columns: "), "{out}");
    assert!(folder.ok(&["list", "--format", "csv"]).contains(",Final Fantasy XIII-2 or Lightning Returns,"));
}

#[test]
fn summaries_count_what_happened() {
    let folder = Folder::with("in/", vec![("items.wdb", sample("items.wdb")), ("garden.wwd", sample("garden.wwd"))]);
    for name in ["a.wwd", "b.wwd"] {
        folder.put(&format!("bad/{name}"), b"broken");
        folder.put(&format!("in/{name}"), b"broken");
    }
    folder.put("one/items.wdb", &sample("items.wdb"));
    for (words, summary) in [
        ("list bad", "nothing listed; 2 files failed\n"),
        ("list in", "listed 2 of 4 files, "),
        ("export in -o out --to csv", "exported 2 of 4 files, "),
        ("export bad -o out", "nothing exported; 2 files failed\n"),
        ("export bad/a.wwd -o out", "nothing exported\n"),
        ("export in/items.wdb -o none --to glb", "in/items.wdb: nothing to write: a table can be exported as csv, "),
        ("find apple_dried in", "searched 2 of 4 files, 37.3 kB: 2 matches in 1 file; 2 files failed"),
        ("set in apple_dried/uPurchasePrice=1 -o new --skip-refused", "edited 1 of 4 files, "),
        ("set in apple_dried/uPurchasePrice=1 --dry-run", "1 of 4 files would be edited, "),
        ("set in apple_dried/uPurchasePrice=6 -o new", "nothing edited in 4 files, "),
        ("repair in -o repaired", "nothing repaired in 4 files, "),
        ("diff in one", "compared 1 of 4 files, 41.3 kB: 1 equal, 0 changed, 3 only in in"),
    ] {
        let err = folder.said(words).2;
        assert!(err.contains(summary), "{words}: {err}");
    }
}

#[test]
fn an_export_names_what_to_open_first() {
    let folder = Folder::with("my game/", samples());
    let export = ["export", "my game", "-o", "out"];
    let open = "\n  open first: out/my game/cellar.wwd/map.tmx, out/my game/world.wdb/worlds/BAY.glb, \
                out/my game/bestiary.wdb/records.csv\n  to look at the originals: `worldview view 'my game'`\n";
    // Those that are there already are named, too.
    for _ in 0..2 {
        let err = folder.said(&export).2;
        assert!(err.contains(open), "{err}");
    }
    for more in [&["-q"][..], &["--dry-run"]] {
        assert!(!folder.said(&[&export, more].concat()).2.contains("open first"), "{more:?}");
    }
}

/// A name can be anything, and a line as long as a file.
#[test]
fn printers_escape_and_cut_what_files_say() {
    let folder = Folder::with("game/", vec![("items.wdb", sample("items.wdb"))]);
    let table = TableSpec::new(Generation::G3, &["iPrice"]).row("\x1b[2J\x07\n", [CellSpec::Int(1)]);
    folder.put("a.wdb", &build_table(&table).bytes);
    for args in [&["check", "a.wdb"][..], &["info", "a.wdb"], &["list", "a.wdb"], &["find", "*", "a.wdb"]] {
        for format in ["table", "csv"] {
            let (_, out, err) = folder.said(&[args, &["--format", format]].concat());
            assert!(!out.is_empty() && !out.contains(['\x1b', '\x07']), "{args:?} {format}: {out} {err}");
        }
    }
    let csv = folder.said(&["check", "a.wdb", "--format", "csv"]).1;
    assert!(csv.contains(",name-unsafe,\"entry ") && csv.contains("\u{FFFD}[2J\u{FFFD}\u{FFFD}\"\""), "{csv}");
    let long = "x".repeat(1 << 20);
    folder.put("long.txt", format!("sheet {long} y\n").as_bytes());
    folder.put("long.ndjson", format!("{{\"worldview_mod\":1,\"about\":\"{long}\"}}\n").as_bytes());
    for args in [&["list", "game", "--schema", "long.txt"][..], &["apply", "game", "long.ndjson", "-o", "new"]] {
        let (_, out, err) = folder.said(args);
        assert!(out.len() + err.len() < 1000 && err.contains("xxx") && err.contains("… (10"), "{args:?}: {err:.2000}");
    }
}

#[test]
fn shown_files_are_named_where_there_are_several() {
    let folder = Folder::new();
    folder.put("a.wwd", &a_level(1, |_| {}));
    folder.put("b.wwd", &a_level(2, |_| {}));
    let shown = |args: &[&str]| stdout(&folder.run(&[&["show"], args].concat()));
    let text = shown(&["a.wwd", "b.wwd"]);
    assert!(text.starts_with("a.wwd\n") && text.contains("\n\nb.wwd\n"), "{text}");
    for (format, first, second) in
        [("json", "{\"path\":\"a.wwd\",", "\n{\"path\":\"b.wwd\","), ("csv", "path,plane,", "\nb.wwd,")]
    {
        let text = shown(&["a.wwd", "b.wwd", "--format", format]);
        assert!(text.starts_with(first) && text.contains(second), "{format}: {}", &text[..200]);
        assert_eq!(text.matches("path,plane,").count(), usize::from(format == "csv"));
    }
    let lines = shown(&["a.wwd", "b.wwd", "--format", "ndjson"]);
    let paths: Vec<serde_json::Value> =
        lines.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["path"].clone()).collect();
    assert!(paths.contains(&"a.wwd".into()) && paths.contains(&"b.wwd".into()));
    // One file is shown as it was.
    assert!(!shown(&["a.wwd", "--format", "json"]).contains("\"path\""));
}

#[test]
fn names_are_filtered_before_anything_is_opened() {
    let folder = Folder::new();
    for name in ["item.wdb", "quest.wdb", "r_a.wdb", "empty.wwd"] {
        folder.put(&format!("db/{name}"), b"");
    }
    folder.put("db/item.wdb", &sample("items.wdb"));
    folder.put("db/pack.bin", &sample("wdbpack.bin"));
    folder.put("db/WORLD.WDB", &sample("world.wdb"));
    for verb in ["list", "find", "check", "info"] {
        let mut args = vec![verb];
        if verb == "find" {
            args.push("apple*");
        }
        args.extend(["db", "--only", "ITEM.wdb", "--format", "json"]);
        let (code, out, err) = folder.said(&args);
        assert_eq!(code, 0, "{verb}: {err}");
        let report: serde_json::Value = serde_json::from_str(&out).unwrap();
        // Archives and databases may contain what is named.
        let inputs: Vec<_> = report["inputs"].as_array().unwrap().iter().map(|input| &input["path"]).collect();
        assert_eq!(inputs, ["db/WORLD.WDB", "db/item.wdb", "db/pack.bin"], "{verb}");
        assert!(!err.contains("empty"), "{err}");
    }
    // A file that is named is opened whatever its name.
    assert_eq!(folder.said(&["list", "db/quest.wdb", "--only", "item.wdb"]).0, 3);
    for (wrong, meant) in [("item", "item.wdb"), ("qeust.wdb", "quest.wdb"), ("EMPTY", "empty.wwd")] {
        let err = folder.fails(2, &format!("list db --only {wrong}"));
        assert!(err.contains(&format!("--only: nothing in these inputs matches; did you mean {meant}?")), "{err}");
    }
    let (code, _, err) = folder.said(&["list", "db", "--only", "something else"]);
    assert!(code == 2 && !err.contains("did you mean"), "{err}");
}

/// The first three files of a kind are named, since a game has thousands.
#[test]
fn files_that_other_tools_read_say_which() {
    let folder = Folder::new();
    for number in 0..7 {
        folder.put(&format!("sys/{number}.clb"), b"TTTT\0\x002\0");
        folder.put(&format!("sys/{number}.bin"), b"SEDBRES \0\0\x01\0");
    }
    folder.put("sys/item.wdb", &sample("items.wdb"));
    let (code, out, err) = folder.said(&["list", "sys", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, report["inputs"].as_array().unwrap().len()), (0, 1));
    for (kind, rest) in
        [("(CLB)", "(sys/3.clb, sys/4.clb, sys/5.clb, …)"), ("(TRB)", "(sys/3.bin, sys/4.bin, sys/5.bin, …)")]
    {
        assert_eq!(err.matches(kind).count(), 4, "{err}");
        assert!(err.contains(&format!("4 more for the same reason {rest}")), "{err}");
    }
    // One that is named is a failure.
    folder.says(3, "info sys/0.bin", &["unpack it with a TRB tool"]);
}

#[test]
fn levels_are_listed_with_the_size_of_their_main_plane() {
    let folder = Folder::new();
    folder.put("harbour.wwd", &sample("harbour.wwd"));
    let info = folder.json(&["info", "harbour.wwd", "--format", "json"]);
    let planes = info["levels"][0]["planes"].as_array().unwrap();
    let main = planes.iter().find(|plane| plane["flags"].as_array().unwrap().contains(&"main".into())).unwrap();
    let listed = folder.json(&["list", "harbour.wwd", "--format", "json"]);
    for side in ["columns", "rows"] {
        assert!(main[side].is_i64(), "{main}");
        assert_eq!(listed["levels"][0][side], main[side]);
    }
    for verb in ["list", "info"] {
        let csv = folder.said(&[verb, "harbour.wwd", "--format", "csv"]).1;
        let size = format!(",{},{},", main["columns"], main["rows"]);
        assert!(csv.contains(",planes,columns,rows,tiles,") && csv.contains(&size), "{csv}");
    }
}

/// The tiles of the sample begin at 1684, with 48 in a row.
#[test]
fn a_level_that_is_cut_keeps_whole_rows_and_is_marked() {
    let folder = Folder::with("game/", samples());
    let garden = sample("garden.wwd");
    folder.put("game/cut.wwd", &garden[..1684 + 48 * 4 * 10 + 100]);
    let (code, out, err) = folder.said(&["list", "game", "--only", "kind=level", "--sort", "tiles"]);
    assert!(code == 3 && err.contains("cut.wwd: opened only in part: plane 0, tile grid"), "{code} {err}");
    let rows: Vec<Vec<_>> = out.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[0][..2], ["path", "problem"]);
    assert_eq!(rows[1][..2], ["game/cut.wwd", "unreadable-truncated"]);
    // Ten rows of cut.wwd, and what the healthy ones have.
    let total = rows.iter().find(|row| row.first() == Some(&"5")).unwrap().join(" ");
    assert!(total.starts_with("5 levels ") && total.contains(&format!(" {} ", 480 + 1920 + 4800 + 2 * 28800)), "{out}");
    let listed = folder.json(&["list", "game", "--sort", "-tiles", "--format", "json"]);
    let last = listed["levels"].as_array().unwrap().last().unwrap();
    assert_eq!(last["problem"], "unreadable-truncated");
    assert_eq!(last["tiles"], 480);
    assert_eq!(last["rows"], 40);
    folder.says(2, "list game --sort tile", &["did you mean tiles?"]);
    let (_, out, _) = folder.said(&["export", "game/cut.wwd", "-o", "out", "--to", "csv,tmx,png"]);
    assert_eq!(out, "");
    assert!(folder.path("out/cut.wwd/level.png").exists() && folder.path("out/cut.wwd/map.tmx").exists());
}

#[test]
fn the_current_folder_is_the_default() {
    let folder = twenty();
    let (code, listed, err) = folder.said(&["list"]);
    assert_eq!((code, listed.matches(".wwd").count()), (0, 20), "{err}");
    assert!(listed.contains("\n20 levels "), "{listed}");
    assert_eq!(folder.said(&["list", "--only", "kind=table,level"]).1, listed);
    assert_eq!(folder.said(&["show"]).0, 2, "everything in a folder is more than anybody wants to see");
}

#[test]
fn exports_list_their_files() {
    let folder = Folder::new();
    folder.put("a.wwd", &a_level(1, |_| {}));
    let said = folder.said(&["export", "a.wwd", "-o", "out", "--to", "csv"]).2;
    assert!(!said.contains("/s)"), "a short run has no speed: {said}");
    let document = folder.json(&["export", "a.wwd", "-o", "new", "--to", "csv", "--format", "json"]);
    let listed: Vec<_> =
        document["files"].as_array().unwrap().iter().map(|file| file["file"].as_str().unwrap()).collect();
    assert_eq!(listed, ["new/a.wwd/objects.csv", "new/a.wwd/attributes.csv", "new/a.wwd/manifest.ndjson"]);
    assert_eq!(document["outputs"]["written"], 3);
}

#[test]
fn every_verb_writes_its_report_to_a_file() {
    let folder = Folder::new();
    folder.put("in/items.wdb", &sample("items.wdb"));
    folder.put("in/none.wdb", b"no table");
    folder.put("precious.txt", b"mine");
    for words in [&["find", "apple", "in", "--format", "csv"][..], &["show", "in"], &["schema", "in", "-q"]] {
        let (code, _, err) = folder.said(&[words, &["--report", "report.json"]].concat());
        assert_eq!(code, 3, "{words:?}: {err}");
        let report: serde_json::Value = serde_json::from_slice(&folder.bytes("report.json")).unwrap();
        assert_eq!(report["verb"], words[0]);
        let inputs: Vec<_> = report["inputs"].as_array().unwrap().iter().collect();
        assert_eq!(inputs.iter().map(|input| &input["status"]).collect::<Vec<_>>(), ["ok", "failed"], "{words:?}");
        assert!(inputs[1]["code"].as_str().unwrap().starts_with("unreadable-"), "{words:?}: {inputs:?}");
    }
    let (code, out, err) = folder.said(&["find", "apple", "in", "--report", "precious.txt"]);
    assert_eq!((code, out.as_str()), (4, ""), "{err}");
    assert!(err.contains("a file of this name exists and is not a report"), "{err}");
    assert_eq!(folder.bytes("precious.txt"), b"mine");
}
