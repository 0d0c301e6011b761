//! Paths that go on inside files, and have patterns. Expected values are those of tests/samples and of files built here.

use std::collections::BTreeSet;

use serde_json::json;
use worldview_corpus::ff13::build::{build_archive, build_table};
use worldview_corpus::ff13::spec::{ArchiveSpec, CellSpec, Generation, MemberSpec, TableSpec};
use worldview_corpus::samples;

use crate::find::{self, text};
use crate::support::{Folder, code, snapshot, stdout};

fn table(rows: &[(&[u8], &str)]) -> Vec<u8> {
    let table = TableSpec::new(Generation::G3, &["sName"]);
    let rows = rows.iter().fold(table, |table, (name, text)| {
        table.row(std::str::from_utf8(name).unwrap(), [CellSpec::Text(text.as_bytes().to_vec())])
    });
    build_table(&rows).bytes
}

/// Returns the path of each hit that `find` prints, and its text.
fn hits(folder: &Folder, args: &[&str]) -> Vec<(String, String)> {
    let path = |hit| format!("{}/{}", text(hit, "path"), text(hit, "place"));
    find::hits(folder, args).iter().map(|hit| (path(hit), text(hit, "text"))).collect()
}

#[test]
fn printed_paths_select_what_they_name() {
    let folder = Folder::samples();
    // Names that are special in paths, in patterns or in terminals, and names that several elements have.
    let rows: [(&[u8], &str); 7] = [
        (b"a*b", "quince one"),
        (b"a{b,c}", "quince two"),
        (b"x/y=z", "quince three"),
        (b"a:b#1@c", "quince four"),
        (b"", "quince five"),
        (b"a\\b?", "quince six"),
        (b"tab\there", "quince seven"),
    ];
    for file in ["a{b}[1].wdb", "x#1,y@2.wdb", "a{b,c}.wdb", "plain.wdb"] {
        folder.put(&format!("game/{file}"), &table(&rows));
    }
    folder.put("game/twice.wdb", &table(&[(b"same", "quince left"), (b"same", "quince right"), (b"other", "quince")]));
    let twins = ["one", "two"].map(|text| {
        let table = table(&[(b"row", &format!("quince {text}"))]);
        MemberSpec { extension: b"wdb".to_vec(), ..MemberSpec::new("twin", table) }
    });
    folder.put("game/pack.bin", &build_archive(&ArchiveSpec { members: twins.into(), ..ArchiveSpec::default() }).bytes);
    let all = hits(&folder, &["quince", "game"]);
    assert_eq!(all.len(), 4 * rows.len() + 3 + 2);
    for (path, text) in &all {
        let again = hits(&folder, &["quince", path]);
        assert_eq!(again, [(path.clone(), text.clone())], "{path}");
    }
    for (path, text) in hits(&folder, &["a", "game"]).iter().step_by(17) {
        assert!(hits(&folder, &["a", path]).contains(&(path.clone(), text.clone())), "{path}");
    }
    // What `find` prints for people has the same path in front.
    let shown = folder.ok(&["find", "quince left", "game"]);
    assert!(shown.starts_with("game/twice.wdb/same#0/sName: string \"quince left\""), "{shown}");
}

#[test]
fn each_file_is_one_input_if_its_name_matches() {
    let folder = Folder::new();
    let small = table(&[(b"row", "text")]);
    for number in 0..2000 {
        folder.put(&format!("db/{}/{number}.{}", number % 20, if number % 100 == 0 { "wdb" } else { "dat" }), &small);
    }
    let inputs = |paths: &[&str]| {
        let report = folder.json(&[&["check"], paths, &["--format", "json"]].concat());
        report["totals"]["files"].as_u64().unwrap()
    };
    assert_eq!(inputs(&["db/**/*.wdb"]), 20);
    assert_eq!(inputs(&["db/0/*.WDB"]), 20);
    assert_eq!(inputs(&["db/*/100.wdb", "db/0/100.wdb", "./db/0/{100,200}.wdb"]), 2);
    assert_eq!(inputs(&["db/{0,1}"]), 200, "a folder that is written out is searched");
    assert_eq!(inputs(&["db"]), 2000);
    // In the order in which the paths lead to them.
    let report = folder.json(&["list", "db/0/300.wdb", "db/0/*00.wdb", "--format", "json"]);
    let order: Vec<_> =
        report["inputs"].as_array().unwrap().iter().map(|input| input["path"].as_str().unwrap()).collect();
    assert_eq!(order[..3], ["db/0/300.wdb", "db/0/100.wdb", "db/0/1000.wdb"]);
}

#[test]
fn patterns_select_in_folders_archives_and_files() {
    let folder = Folder::samples();
    let paths = |path: &str| -> BTreeSet<String> {
        let report = folder.json(&["list", path, "--format", "json"]);
        let kinds = ["tables", "levels", "archives", "pictures"];
        let all = kinds.iter().flat_map(|kind| report[kind].as_array().unwrap());
        all.map(|part| part["path"].as_str().unwrap().to_owned()).collect()
    };
    let set = |paths: &[&str]| paths.iter().map(|path| (*path).to_owned()).collect::<BTreeSet<_>>();
    let bin = |name: &str| format!("game/wdbpack.bin/{name}.wdb");
    assert_eq!(paths("game/wdbpack.bin/r_{bells,TIDES}"), set(&[&bin("r_bells"), &bin("r_tides")]));
    assert_eq!(paths("game/*.bin/**/r_l*.wdb"), set(&[&bin("r_lamps")]));
    assert_eq!(paths("GAME/wdbpack.bin/**/*l*"), set(&[&bin("r_bells"), &bin("r_lamps")]));
    assert_eq!(
        paths("game/[h]*.rez/LEVEL1/WORLDS"),
        set(&["game/harbour.rez/LEVEL1/WORLDS", "game/harbour.rez/LEVEL1/WORLDS/WORLD.WWD"])
    );
    assert_eq!(paths("game/harbour.rez/**/*.wwd"), set(&["game/harbour.rez/LEVEL1/WORLDS/WORLD.WWD"]));
    // A kind is written out, or any.
    let shown = |path: &str| folder.ok(&["show", path]);
    let names = "wwd\nplane 1 \"Action\" at 0x694\n  name \"Action\"\n";
    assert_eq!(shown("game/harbour.wwd/plane:action/name"), names);
    assert_eq!(shown("game/harbour.wwd/*:Action/name"), names);
    assert_eq!(shown("game/harbour.wwd/plane:A*/n?me"), names);
    folder.fails(2, &["show", "game/harbour.wwd/Action/name"]);
    folder.fails(2, &["show", "game/harbour.wwd/**/name"]);
    let (code, out, err) = folder.said(&["find", "apple", "game/items.wdb/{apple_*,bread_rye}/sHelpStringId"]);
    assert_eq!((code, out.as_str()), (1, ""), "{err}");
    let objects = folder.json(&["show", "game/harbour.wwd/plane:Action/object:*/{x,y,logic}", "--format", "json"]);
    let objects = objects["planes"][0]["objects"].as_array().unwrap();
    assert_eq!(objects.len(), 41);
    for object in objects {
        let members = object.as_object().unwrap().keys().map(String::as_str).filter(|key| *key != "at");
        assert_eq!(members.collect::<BTreeSet<_>>(), ["id", "logic", "x", "y"].into(), "{object}");
    }
}

#[test]
fn members_are_found_and_exported_by_every_path_that_leads_to_them() {
    let folder = Folder::samples();
    let of = |path: &str, number: usize| {
        let (path, out) = (format!("game/wdbpack.bin/{path}"), format!("out{number}"));
        folder.ok(&["export", &path, "-o", &out, "--to", "csv,members"]);
        let mut hits = hits(&folder, &["bell", &path]);
        hits.sort();
        (hits, folder.files(&out))
    };
    let expected = of("r_bells.wdb", 0);
    assert!(expected.0.len() > 1 && expected.1.iter().any(|file| file.ends_with("r_bells.wdb")), "{expected:?}");
    for (number, path) in (1..).zip(["r_bells", "R_BELLS", "**/r_bells.wdb", "**/r_bells", "r_b*"]) {
        assert_eq!(of(path, number), expected, "{path}");
    }
}

#[test]
fn selected_fields_of_objects_are_rows() {
    let folder = Folder::samples();
    let rows = |path: &str, format: &str| folder.ok(&["show", &format!("game/harbour.wwd/{path}"), "--format", format]);
    let expected = "plane,plane_name,logic,id,x\n1,Action,CaptainClaw,1,800\n1,Action,TreasurePowerup,2,1120\n";
    assert_eq!(rows("plane:Action/object:{1,2}/{x,logic}", "csv"), expected);
    let first = "{\"plane\":1,\"plane_name\":\"Action\",\"id\":1,\"x\":800}\n";
    assert_eq!(rows("plane:Action/object:1/x", "ndjson"), first);
    folder.says(3, "show game/harbour.wwd/header --format csv", &["has no rows"]);
    // Another field of each: an object has no cell for what was not selected of it.
    let expected = "plane,plane_name,id,x,y\n1,Action,1,800,\n1,Action,2,,1376\n";
    assert_eq!(rows("plane:Action/object:{1/x,2/y}", "csv"), expected);
}

#[test]
fn what_is_selected_beside_records_is_not_dropped() {
    let folder = Folder::samples();
    let path = "game/items.wdb/{anchor_pin,@layout_version}";
    for format in ["table", "json"] {
        folder.prints(0, &format!("show {path} --format {format}"), &["layout_version", "anchor_pin"]);
    }
    let (code, out, err) = folder.said(&["show", path, "--format", "csv"]);
    assert_eq!((code, out.lines().count()), (3, 2), "{err}");
    assert!(err.contains("only records have rows; --format json prints what else the path selects"), "{err}");
    folder.says(3, "show game/items.wdb/@layout_version --format ndjson", &["has no rows"]);
    folder.says(3, &format!("export {path} -o out --to csv"), &["only records and fields of them are exported"]);
    assert_eq!(folder.text("out/items.wdb/records.csv").lines().count(), 2);
    for deep in ["apple_dried/uSellPrice", "@layout_version"] {
        let (code, out, err) = folder.said(&["info", &format!("game/items.wdb/{{anchor_pin,{deep}}}")]);
        assert!(code == 2 && out.contains("anchor_pin"), "{out}{err}");
        assert!(err.contains("the path leads deeper than `info` goes"), "{err}");
    }
    // What is stored of selected records, in both forms.
    let stored = folder.json("show game/items.wdb/bread_rye --format json --full");
    assert_eq!(stored["records"][0]["uSellPrice"], 2, "{stored}");
}

#[test]
fn a_path_selects_parts_of_levels_and_worlds() {
    let folder = Folder::samples();
    let shown = |path: &str| folder.ok(&["show", &format!("game/{path}")]);
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<BTreeSet<_>>();
    for (path, has, lacks) in [
        ("harbour.wwd/header", &["header", "image_dir"][..], &["plane", "frame"][..]),
        (
            "harbour.wwd/plane:*/{name,tile_width,image_set}",
            &["plane", "tile_width", "image_set"],
            &["object", "tiles"],
        ),
        ("harbour.wwd/plane:*/tiles", &["plane", "tiles"], &["object", "tile_width"]),
        ("harbour.wwd/plane:*/object:*", &["plane", "object", "logic"], &["tiles", "tile_width"]),
        ("harbour.wwd/tile_attributes", &["tile_attributes", "frame"], &["plane", "image_dir"]),
    ] {
        let found = words(&shown(path));
        assert!(has.iter().all(|word| found.contains(*word)), "{path}: {found:?}");
        assert!(lacks.iter().all(|word| !found.contains(*word)), "{path}: {found:?}");
    }
    // What is bulky is shown if it is named.
    for (path, has) in
        [("pixel:3,3", "    pixel:3,3 3\n"), ("palette", "0 #78b4e6 #c81e28"), ("pixels", "  pixels 32x16")]
    {
        let path = format!("pennant.tex/texture:pennant.gif/image#0/{path}");
        assert!(shown(&path).contains(has), "{path}: {}", shown(&path));
    }
    assert!(!shown("pennant.tex/texture:pennant.gif").contains("pixels"));
    // The rows of a REZ archive have a path of their own.
    let rows = folder.ok(&["show", "game/harbour.rez/LEVEL*", "game/harbour.rez", "--format", "ndjson"]);
    assert!(!rows.is_empty() && rows.lines().all(|row| row.matches("\"path\":").count() == 1), "{rows}");
    assert!(rows.lines().all(|row| row.starts_with("{\"file\":\"game/harbour.rez")), "{rows}");
    // Parts of WORLD.WDB.
    let files = |path: &str, to: &str| {
        let out = path.replace(['/', ':', '*', '#'], "_");
        folder.ok(&["export", &format!("game/world.wdb/{path}"), "-o", &out, "--to", to]);
        folder.files(&out).into_iter().filter(|file| !file.ends_with("manifest.ndjson")).collect::<Vec<_>>()
    };
    assert_eq!(files("world:BAY/model:lighthouse", "glb"), ["world.wdb/models/lighthouse.glb"]);
    assert_eq!(files("blob:lighthouse", "glb"), ["world.wdb/models/lighthouse.glb"]);
    assert!(files("world:TOYBOX", "glb").contains(&"world.wdb/worlds/TOYBOX.glb".to_owned()));
    let textures =
        ["Brick", "Grass.low", "Grass", "planks", "roof"].map(|name| format!("world.wdb/textures/{name}.png"));
    assert_eq!(files("global_textures", "png"), textures);
    assert_eq!(files("global_parts/part:*", "glb"), ["world.wdb/parts/Lamp.glb"]);
}

#[test]
fn the_nearest_name_is_suggested_where_a_path_ends() {
    let folder = Folder::samples();
    for (path, meant) in [
        ("gam/items.wdb", "game"),
        ("game/itmes.wdb", "items.wdb"),
        ("game/*/itmes.wdb/x", ""),
        ("game/items.wdb/aple_dried", "apple_dried"),
        ("game/wdbpack.bin/r_bells.wdb/bell/x", ""),
        ("game/items.wdb/*/uPurchsePrice", "uPurchasePrice"),
        ("game/items.wdb/apple_dried/purchase", "uPurchasePrice"),
        ("game/harbour.wwd/plane:Acton/name", "Action"),
        ("game/wdbpack.bin/r_bels.wdb", "r_bells.wdb"),
        ("game/harbour.rez/LEVEL1/WORLD", "WORLDS"),
        ("game/world.wdb/world:TOYBOX/model:lighthose", "lighthouse"),
        ("game/world.wdb/world:TOIBOX", "TOYBOX"),
    ] {
        let (code, out, err) = folder.said(&["show", path]);
        assert_eq!((code, out.as_str()), (2, ""), "{path}: {err}");
        assert!(err.contains(&format!("did you mean {meant}?")) || meant.is_empty(), "{path}: {err}");
        assert_eq!(err.contains("did you mean"), !meant.is_empty(), "{path}: {err}");
    }
}

#[test]
fn paths_that_lead_deeper_than_a_verb_are_refused() {
    let folder = Folder::samples();
    for (verb, path) in [
        ("info", "items.wdb/apple_dried/uPurchasePrice"),
        ("list", "items.wdb/apple_dried"),
        ("schema", "items.wdb/apple_dried"),
        ("check", "harbour.wwd/plane:Action"),
        ("check", "world.wdb/world:BAY/model:lighthouse/location"),
        ("export", "harbour.wwd/plane:Action"),
        ("export", "world.wdb/world:BAY/name"),
    ] {
        let out: &[&str] = if verb == "export" { &["-o", "out"] } else { &[] };
        let (code, _, err) = folder.said(&[&[verb, &format!("game/{path}")], out].concat());
        assert!(
            code == 2 && err.contains(&format!("the path leads deeper than `{verb}` goes")),
            "{verb} {path}: {code} {err}"
        );
    }
    // What a reference leads to has a path of its own.
    for verb in [&["show"][..], &["find", "l*"]] {
        let path = "game/world.wdb/world:BAY/model:lighthouse/blob/roi:*/name";
        folder.says(
            2,
            &[verb, &[path]].concat(),
            &["leads through a reference; begin at what it refers to, as in blob:lighthouse/"],
        );
    }
    folder.ok("info game/items.wdb/apple_dried");
    folder.ok("check game/world.wdb/world:BAY/model:lighthouse --fail-on never");
}

#[test]
fn names_are_written_in_any_case_unless_several_have_it() {
    let folder = Folder::samples();
    folder.put("game/cases.wdb", &table(&[(b"Same", "one"), (b"SAME", "two"), (b"other", "three")]));
    let before = snapshot(&folder.path(""));
    let (code, out, err) = folder.said("set game/items.wdb APPLE_DRIED/upurchaseprice=5 --dry-run");
    assert!(code == 0 && out.contains(r#""set":"apple_dried/uPurchasePrice","from":6,"to":5"#), "{out}{err}");
    let object = r#"{"set":"LEVEL1/WORLDS/WORLD.WWD/@level/plane:Action/object:17/x","from":6688,"to":5}"#;
    for (input, path) in [
        ("game/harbour.rez/LEVEL1/WORLDS/WORLD.WWD", "plane:ACTION/object:17/x=5"),
        ("game/harbour.rez", "level1/worlds/WORLD.WWD/plane:ACTION/object:17/X=5"),
    ] {
        let (code, out, err) = folder.said(&["set", input, path, "--dry-run"]);
        assert!(code == 0 && out.contains(object), "{path}: {out}{err}");
    }
    folder.says(3, "set game/cases.wdb same/sName=x --dry-run", &["several elements have this path in another case"]);
    folder.says(3, "set game/c*.wdb same/sName=x --dry-run", &["several elements have this path in another case"]);
    let (code, out, _) = folder.said("set game/cases.wdb SAME/sname=x --dry-run");
    assert!(code == 0 && out.contains(r#""set":"SAME/sName""#) && !out.contains("Same"), "{out}");
    // Reading selects the exact name, or else every name that differs only in case.
    let records = |path: &str| folder.ok(&["show", path, "--format", "csv"]).lines().count() - 1;
    assert_eq!(["SAME", "same", "s*"].map(|name| records(&format!("game/cases.wdb/{name}"))), [1, 2, 2]);
    // Braces are several paths, each of which is one element.
    for (braces, one) in [("{same,other}/sName", false), ("{Same,SAME}/sname", true)] {
        let (code, out, err) = folder.said(&["set", "game/cases.wdb", &format!("{braces}=x"), "--dry-run"]);
        let is_refused = err.contains("several elements have this path in another case");
        assert_eq!((code, is_refused), if one { (0, false) } else { (3, true) }, "{braces}: {out}{err}");
    }
    assert_eq!(snapshot(&folder.path("")), before);
    // A path that goes on inside INPUT is no different, in any verb.
    let lamps = "game/wdbpack.bin/R_LAMPS.WDB";
    folder.ok(&format!("set {lamps} lamp_gate/fHeight=5 -o new.bin"));
    folder.fails(1, &format!("diff {lamps} new.bin/r_Lamps.wdb --format changes -o lamps.json"));
    folder.ok(&format!("apply {lamps} lamps.json -o again.bin"));
    assert_eq!(folder.bytes("again.bin"), folder.bytes("new.bin"));
    let twins = ["lamp", "LAMP"].map(|name| {
        let table = table(&[(b"row", "text")]);
        MemberSpec { extension: b"wdb".to_vec(), ..MemberSpec::new(name, table) }
    });
    folder.put("twins.bin", &build_archive(&ArchiveSpec { members: twins.into(), ..ArchiveSpec::default() }).bytes);
    let why = "several elements have this path in another case, such as lamp.wdb and LAMP.wdb";
    for args in ["set twins.bin/Lamp.wdb row/sName=x -o no.bin", "apply twins.bin/Lamp.wdb lamps.json -o no.bin"] {
        folder.says(3, args, &[why]);
    }
}

#[test]
fn patterns_may_lead_to_folders_and_past_archives() {
    let folder = Folder::samples();
    folder.put("game/more/items.wdb", &folder.bytes("game/items.wdb"));
    let (code, out, err) = folder.said("list game/*/items.wdb --format csv");
    assert_eq!((code, out.lines().count()), (0, 2), "the archives of the folder have no such member: {err}");
    // Braces and `.` may lead to the folder itself.
    for path in ["game/more/{.,x}", "game/{more,more/}", "game/more/**/.", "game/mo*/."] {
        assert_eq!(folder.ok(&["list", path, "--format", "csv"]).lines().count(), 2, "{path}");
    }
    let (code, out, _) = folder.said(&["list", "{game/more,}", "--format", "csv"]);
    assert!(code == 0 && out.contains("game/items.wdb"), "{out}");
    folder.says(2, &["list", "game/mo*/../items.wdb"], &["`..` can only be before patterns and braces"]);
    folder.ok("list game/items.wdb// --format csv");
    // What is inside another path is selected with it.
    folder.ok("show game/items.wdb/apple_dried game/items.wdb/apple_dried/uSellPrice");
}

#[cfg(unix)]
#[test]
fn a_link_and_its_file_are_edited_once_in_place() {
    let folder = Folder::samples();
    std::os::unix::fs::symlink("items.wdb", folder.path("game/link.wdb")).unwrap();
    let before = folder.bytes("game/items.wdb");
    folder.ok("set game/{items,link}.wdb apple_dried/uSellPrice|=+1 --in-place");
    let price = folder.ok("show game/link.wdb/apple_dried/uSellPrice --format csv");
    assert_eq!(price, "record,uSellPrice\napple_dried,3\n");
    folder.ok("restore game");
    assert_eq!(folder.bytes("game/items.wdb"), before);
}

#[cfg(unix)]
#[test]
fn folders_and_files_are_found_in_any_case() {
    let folder = Folder::new();
    for path in ["one/a.wdb", "one/b.wdb", "Two/a.wdb", "two/a.wdb", "x{1}.wdb"] {
        folder.put(&format!("mods/{path}"), &table(&[(b"row", "text")]));
    }
    // A folder in another case is a folder: its files keep their places, and runs in place are logged there.
    folder.ok("set MODS/ONE row/sName=x -o out");
    assert_eq!(folder.files("out"), ["a.wdb", "b.wdb"]);
    folder.ok("set MODS/One row/sName=x --in-place");
    folder.ok("restore mods/ONE");
    folder.ok("set Mods/X\\{1\\}.WDB row/sName=x -o out/x.wdb");
    let original = folder.bytes("mods/one/a.wdb");
    folder.ok("set mods/one/A.wdb row/sName=x --in-place");
    folder.ok("restore MODS/one/A.WDB");
    assert!(folder.bytes("mods/one/a.wdb") == original);
    // Readers take all folders that have a name in another case; writers refuse it.
    let count = |path: &str| folder.json(&["check", path, "--format", "json"])["totals"]["files"].as_u64().unwrap();
    assert_eq!(["mods/TWO", "mods/two", "mods/TWO/a.wdb"].map(count), [2, 1, 2]);
    let why = "several files have this name in another case, such as mods/Two and mods/two";
    folder.says(2, "set mods/TWO row/sName=x -o none", &[why]);
    folder.says(2, "set mods/TWO/a.wdb row/sName=x -o none", &[why]);
    folder.says(2, "restore mods/TWO", &[why]);
    folder.says(2, "set mods TWO/a.wdb/row/sName=x -o none", &["such as mods/Two/a.wdb and mods/two/a.wdb"]);
    assert!(!folder.path("none").exists());
    // A part that another path selects with the whole file is no mistake, even if it is not there.
    folder.ok("list mods/one/a.wdb/row mods/one");
}

#[test]
fn a_change_begins_in_files_or_at_the_folder_but_not_both() {
    let folder = Folder::samples();
    let set = |args: &[&str]| folder.said(&[&["set"], args].concat());
    let (code, _, err) = set(&["game", "wdbpack.bin/r_lamps.wdb/lamp_gate/fHeight=5", "-o", "one"]);
    assert_eq!(code, 0, "{err}");
    assert_eq!(folder.files("one"), ["wdbpack.bin"]);
    let (code, _, err) = set(&["game", "items.wdb/b*/uSellPrice|=*2", "-o", "two"]);
    assert_eq!((code, folder.files("two")), (0, vec!["items.wdb".to_owned()]), "{err}");
    // INPUT with a pattern: a folder for the edited files, at their places below what is written out.
    folder.put("game/more/items.wdb", &samples().into_iter().find(|(name, _)| *name == "items.wdb").unwrap().1);
    let (code, _, err) = set(&["game/**/items.wdb", "bread_rye/uSellPrice=9", "-o", "three"]);
    assert_eq!((code, folder.files("three")), (0, vec!["items.wdb".to_owned(), "more/items.wdb".to_owned()]), "{err}");
    // The first name is that of a file and of a member in another.
    let inner = table(&[(b"row", "text")]);
    let member = MemberSpec { extension: b"wdb".to_vec(), ..MemberSpec::new("inner", inner.clone()) };
    folder.put("both/pack.bin", &build_archive(&ArchiveSpec { members: vec![member], ..ArchiveSpec::default() }).bytes);
    folder.put("both/inner.wdb", &inner);
    let (code, _, err) = set(&["both", "inner.wdb/row/sName=x", "-o", "four"]);
    assert!(code == 2 && err.contains("may begin at the folder or inside of both/pack.bin"), "{code} {err}");
    assert!(!folder.path("four").exists());
    folder.says(2, "set game items.wdb/bread_rey/uSellPrice=9 -o five", &["did you mean bread_rye?"]);
    // However the name of the file is written, and of each path in braces.
    folder.ok(r"set game items\x2ewdb/bread_rye/uSellPrice=9 -o six");
    assert_eq!(folder.bytes("six/items.wdb"), folder.bytes("three/items.wdb"));
    folder.ok("set game ITEMS.WDB/BREAD_RYE/usellprice=9 -o eight");
    assert_eq!(folder.bytes("eight/items.wdb"), folder.bytes("three/items.wdb"));
    folder.ok("set game {items.wdb/bread_rye/uSellPrice,wdbpack.bin/r_lamps.wdb/lamp_gate/fHeight}=9 -o seven");
    assert_eq!(folder.files("seven"), ["items.wdb", "wdbpack.bin"]);
    // A pattern inside of INPUT: a path begins in each part.
    let (code, out, err) = set(&["game/items.wdb/b*", "uSellPrice=9", "--dry-run"]);
    assert!(code == 0 && out.contains(r#""set":"bread_rye/uSellPrice","from":2,"to":9"#), "{out}{err}");
    assert_eq!(out.matches("\"set\"").count(), 6, "{out}");
}

#[test]
fn selected_records_are_a_partial_export() {
    let folder = Folder::samples();
    folder.ok("export game/items.wdb/b*/{uSellPrice,u8MenuIcon} -o some --to csv");
    let csv = folder.text("some/items.wdb/records.csv");
    assert!(csv.starts_with("record,uSellPrice,u8MenuIcon\nbarnacle_knife,") && csv.lines().count() == 7, "{csv}");
    let manifest = folder.text("some/items.wdb/manifest.ndjson");
    assert!(manifest.contains(r#""parts":["b*/uSellPrice","b*/u8MenuIcon"]"#), "{manifest}");
    folder.says(3, "build some/items.wdb/records.csv -o new.wdb", &["has only what b*/uSellPrice"]);
    let edited = csv.replacen("bread_rye,2,", "bread_rye,3,", 1);
    assert_ne!(edited, csv);
    folder.put("some/items.wdb/records.csv", edited.as_bytes());
    folder.says(3, "apply game/items.wdb some/items.wdb/records.csv --remove-missing -o new.wdb", &["has only what"]);
    assert!(!folder.path("new.wdb").exists());
    folder.ok("apply game/items.wdb some/items.wdb/records.csv -o new.wdb");
    let (_, out, _) = folder.said("diff game/items.wdb new.wdb");
    assert_eq!(out.lines().skip(1).collect::<Vec<_>>(), ["  ~ bread_rye: uSellPrice: 2 -> 3"]);
    // An edited sheet that a whole export keeps is still partial.
    folder.says(0, "export game/items.wdb -o some", &["1 edited and kept"]);
    assert!(folder.text("some/items.wdb/records.csv") == edited);
    folder.says(3, "apply game/items.wdb some/items.wdb --remove-missing -o all.wdb", &["has only what b*/uSellPrice"]);
    folder.says(3, "build some/items.wdb/records.csv -o all.wdb", &["has only what b*/uSellPrice"]);
    // Two parts of one file, and the parts of a pair that are compared.
    assert_eq!(folder.said("diff game/items.wdb/a* new.wdb/a*").0, 0);
    assert_eq!(folder.said("diff game/items.wdb/b* new.wdb/b*").0, 1);
}

#[test]
fn a_document_of_a_selection_is_partial() {
    let folder = Folder::samples();
    let show = |file: &str, args: &str| {
        let words = format!("show {args} --full --format json");
        folder.put(file, folder.ok(&*words).as_bytes());
        folder.json(&*words)["parts"].clone()
    };
    assert_eq!(show("part.json", "game/items.wdb/apple_dried"), json!(["apple_dried"]));
    assert_eq!(show("whole.json", "game/items.wdb"), json!(null));
    assert_eq!(show("object.json", "game/harbour.wwd/plane:Action/object:17"), json!(["plane:Action/object:17"]));
    assert_eq!(show("world.json", "game/world.wdb --only BAY"), json!(["world:BAY", "blob:bay"]));
    folder.says(3, "apply game/items.wdb part.json --remove-missing -o new", &["has only what apple_dried selects"]);
    for file in ["part", "object", "world"] {
        folder.says(3, &format!("build {file}.json -o new"), &["has only what"]);
    }
    assert!(!folder.path("new").exists());
    folder.ok("apply game/items.wdb part.json --dry-run");
    folder.ok("build whole.json -o new");
}

#[test]
fn an_export_of_a_file_is_not_applied_to_a_part_of_it() {
    let folder = Folder::samples();
    folder.ok("export game/items.wdb game/wdbpack.bin -o out");
    let edit = |file: &str, from: &str, to: &str| {
        let sheet = folder.text(file);
        assert!(sheet.contains(from), "{sheet}");
        folder.put(file, sheet.replace(from, to).as_bytes());
    };
    // Two records have this price or level.
    edit("out/items.wdb/records.csv", ",8,2,", ",7,2,");
    folder.says(2, "apply game/items.wdb/zzz out/items.wdb --dry-run", &["has no part with the path zzz"]);
    folder.says(3, "apply game/items.wdb/bread_rye out/items.wdb --dry-run", &["which is not in bread_rye"]);
    edit("out/wdbpack.bin/r_lamps.wdb/records.csv", "lamp_gate,2.5,", "lamp_gate,3.5,");
    let (_, out, _) = folder.said("apply game/wdbpack.bin/r_lamps.wdb out/wdbpack.bin --dry-run");
    assert!(out.contains(r#""set":"r_lamps.wdb/lamp_gate/fHeight","from":2.5,"to":3.5"#), "{out}");
    folder.says(3, "apply game/wdbpack.bin/r_bells.wdb out/wdbpack.bin --dry-run", &["which is not in r_bells.wdb"]);
}

#[test]
fn a_file_is_repaired_as_a_whole() {
    let folder = Folder::samples();
    folder.says(2, "repair game/items.wdb/nope/nope -o new", &["has no part with the path nope/nope"]);
    folder.says(2, "repair game/items.wdb/apple_dried -o new", &["leads deeper than `repair` goes"]);
    folder.says(0, "repair game/wdbpack.bin/r_lamps.wdb -o new", &["nothing repaired"]);
}

#[test]
fn the_name_of_a_record_is_shown_alone() {
    let folder = Folder::samples();
    let show = |format: &str| folder.ok(&["show", "game/items.wdb/apple_dried/record", "--format", format]);
    assert_eq!(show("json"), "{\"record\":\"apple_dried\"}\n");
    assert_eq!(show("csv"), "record\napple_dried\n");
    folder.says(3, "show game/harbour.rez/README.TXT --format json", &["is in no known format"]);
}

#[test]
fn a_path_goes_on_inside_standard_input() {
    let folder = Folder::samples();
    let args = ["show", "-/bread_rye/{uSellPrice,uPurchasePrice}", "--format", "csv"];
    let output = folder.run_with(&args, &folder.bytes("game/items.wdb"));
    assert_eq!((code(&output), &*stdout(&output)), (0, "record,uPurchasePrice,uSellPrice\nbread_rye,8,2\n"));
    let with_items = |args: &str| folder.run_with(args, &folder.bytes("game/items.wdb"));
    assert_eq!(with_items("-/bread_rye").stdout, with_items("info -/bread_rye").stdout);
    assert_eq!(code(&with_items("find -e bread -/bread_rye")), 0);
    // Texts are not paths.
    folder.put("texts.wdb", &table(&[(b"row", "-/x")]));
    folder.prints(0, "find -- -/x texts.wdb", &["texts.wdb/row/sName: string \"-/x\""]);
    for words in ["find -/x texts.wdb", "set texts.wdb -/x=5 --dry-run", "find -e -/x texts.wdb"] {
        folder.fails(2, words);
    }
}
