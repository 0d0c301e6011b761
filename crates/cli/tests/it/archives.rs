//! Tests of the command with archives and tables, as a process.

use std::fs;

use crate::support::{Folder, failed};
use worldview_corpus::ff13::build::{build_archive, build_table};
use worldview_corpus::ff13::samples;
use worldview_corpus::ff13::spec::{ArchiveSpec, CellSpec, Generation, MemberSpec, TableSpec};

/// A folder with the samples.
fn with_samples() -> Folder {
    Folder::with("", samples())
}

fn read(folder: &Folder, name: &str) -> Vec<u8> {
    fs::read(folder.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// A table with two records.
fn small() -> TableSpec {
    let fields = ["sName", "iCount", "fWeight", "u4Kind", "i12Delta"];
    let row = |name: &str, count, weight: f32| {
        [CellSpec::from(name), CellSpec::Int(count), CellSpec::from(weight), CellSpec::Int(9), CellSpec::Int(-5)]
    };
    TableSpec::new(Generation::G3, &fields).row("one", row("Eins", 1, 0.5)).row("two", row("Zwei", -2, f32::INFINITY))
}

#[test]
fn lists_look_into_archives() {
    let folder = with_samples();
    let list = folder.json(&["list", ".", "--format", "json"]);
    let paths = |kind: &str| -> Vec<String> {
        list[kind].as_array().unwrap().iter().map(|entry| entry["path"].as_str().unwrap().to_owned()).collect()
    };
    let tables = ["bestiary", "items", "wdbpack.bin/r_bells", "wdbpack.bin/r_lamps", "wdbpack.bin/r_tides"];
    assert_eq!(paths("tables"), tables.map(|name| format!("./{name}.wdb")));
    assert_eq!(paths("archives"), ["./effects.bin", "./wdbpack.bin"]);
    assert_eq!(failed(&list).len(), 0);
    folder.prints(0, "list .", &["G1"]);
}

#[test]
fn a_path_goes_on_inside_an_archive() {
    let inner = build_table(&small()).bytes;
    let members = vec![
        MemberSpec { extension: b"wdb".to_vec(), ..MemberSpec::new("small", inner) },
        MemberSpec::new("notes", &b"plain words"[..]),
    ];
    let pack = build_archive(&ArchiveSpec { members, ..ArchiveSpec::default() }).bytes;
    let outer = ArchiveSpec { members: vec![MemberSpec::new("pack.bin", pack)], ..ArchiveSpec::default() };
    let folder = Folder::new();
    folder.put("outer.bin", &build_archive(&outer).bytes);
    // With and without the extension, down to a single record.
    for path in ["outer.bin/pack.bin/small.wdb/two", "outer.bin/pack.bin/small/two"] {
        let (code, out, err) = folder.said(&["show", &format!("{path}/{{sName,icount}}")]);
        assert_eq!((code, err.as_str()), (0, ""), "{path}");
        assert!(out == "record  two\nsName   Zwei\niCount  -2\n", "{out}");
    }
    let row = folder.json(&["show", "outer.bin/pack.bin/small/two", "--format", "json"]);
    assert_eq!(row["fWeight"], "Infinity");
    assert_eq!((row["u4Kind"].as_u64(), row["i12Delta"].as_i64()), (Some(9), Some(-5)));
    let out = folder.ok("show outer.bin/pack.bin/notes");
    assert!(out.ends_with("plain words\n"), "{out}");
}

#[test]
fn tables_are_exported_in_every_kind_nested_ones_too() {
    let folder = with_samples();
    let to = "csv,ndjson,parquet,arrow,json,text,members";
    let (code, _, err) = folder.said(&["export", "bestiary.wdb", "wdbpack.bin", "-o", "out", "--to", to]);
    assert_eq!(code, 0, "{err}");
    let files = folder.files("out");
    for file in ["records.csv", "records.ndjson", "records.parquet", "records.arrow", "table.json", "table.txt"] {
        assert!(files.contains(&format!("bestiary.wdb/{file}")), "{files:?}");
        assert!(files.contains(&format!("wdbpack.bin/r_tides.wdb/{file}")), "{files:?}");
    }
    for file in ["arrays.csv", "arrays.ndjson", "arrays.parquet", "arrays.arrow"] {
        assert!(files.contains(&format!("bestiary.wdb/{file}")), "{files:?}");
    }
    assert!(files.contains(&"wdbpack.bin/members/r_tides.wdb".to_owned()), "{files:?}");
    assert!(err.contains("4 tables, 1 archive"), "{err}");
}

#[test]
fn schemas_are_shown_edited_and_used() {
    let folder = Folder::new();
    let mut spec = small();
    spec.generation = Generation::G2;
    folder.put("nameless.wdb", &build_table(&spec).bytes);
    folder.prints(0, "schema nameless.wdb", &["word3"]);
    folder.put("mine.txt", b"# my own\nsheet Mine\n  sName iCount fWeight\n  u4Kind i12Delta # packed\n");
    let show = ["show", "nameless.wdb/two", "--schema", "mine.txt", "--format", "json"];
    let row = folder.json(&show);
    assert_eq!((row["sName"].as_str(), row["i12Delta"].as_i64()), (Some("Zwei"), Some(-5)));
    // Output in the schema format can be read as a schema file.
    let (_, printed, _) = folder.said(&["schema", "nameless.wdb", "--schema", "mine.txt", "--format", "schema"]);
    folder.put("mine.txt", printed.as_bytes());
    assert_eq!(folder.json(&show), row);
    folder.put("mine.txt", b"sName iCount\n");
    let (code, out, _) = folder.said(&["check", "nameless.wdb", "--schema", "mine.txt", "--fail-on", "suspicious"]);
    assert_eq!(code, 1);
    assert!(out.contains("[schema-refused]"), "{out}");
    folder.put("mine.txt", b"sheet Mine\nfile other\nsName\n");
    let (_, _, err) = folder.said(&["check", "nameless.wdb", "--schema", "mine.txt"]);
    assert!(err.contains("--schema has no list for this table"), "{err}");
    folder.put("mine.txt", b"sheet Mine\nfile other nameless\nsName iCount fWeight u4Kind i12Delta\n");
    let (_, _, err) = folder.said(&["check", "nameless.wdb", "--schema", "mine.txt"]);
    assert!(!err.contains("--schema"), "{err}");
    folder.put("mine.txt", b"sheet Mine\nversion 12\n");
    let err = folder.fails(3, "show nameless.wdb --schema mine.txt");
    assert!(err.contains("mine.txt: line 2: expected a version like 0x85e62c73, found \"12\""), "{err}");
}

#[test]
fn checks_reach_into_archives_and_tell_the_place_in_the_file() {
    let folder = Folder::new();
    let mut spec = small();
    spec.rows[1].values[0] = CellSpec::Int(0x7777);
    let inner = build_table(&spec);
    let record = inner.at("record two").unwrap();
    let members = vec![MemberSpec::new("first", vec![1; 40]), MemberSpec::new("t.wdb", inner.bytes)];
    let outer = build_archive(&ArchiveSpec { members, ..ArchiveSpec::default() });
    let base = outer.at("data 1").unwrap();
    folder.put("outer.bin", &outer.bytes);
    let report = folder.json(&["check", "outer.bin", "--format", "json"]);
    let files = report["files"].as_array().unwrap();
    assert_eq!(files[1]["path"], "outer.bin/t.wdb");
    let findings = files[1]["findings"].as_array().unwrap();
    let of = |code: &str| findings.iter().find(|finding| finding["code"] == code).unwrap_or_else(|| panic!("{code}"));
    assert_eq!(of("string-outside")["offset"].as_u64(), Some((base + record) as u64));
    assert_eq!(of("float-not-finite")["severity"], "suspicious");
}

#[test]
fn members_of_a_mod_are_applied_to_their_archive() {
    let folder = Folder::with("game/", samples());
    folder.said("set game/wdbpack.bin r_lamps.wdb/lamp_pier/u16Hours|=+1 -o theirs.bin");
    folder.said("export theirs.bin -o out --to members");
    folder.put("mod/_wdbpack.bin/r_lamps.wdb", &read(&folder, "out/theirs.bin/members/r_lamps.wdb"));
    folder.put("mod/items.wdb", &read(&folder, "game/items.wdb"));
    folder.says(0, "apply game mod -o new", &["items.wdb: is neither a changes file"]);
    assert_eq!(folder.files("new"), ["wdbpack.bin"]);
    assert_eq!(read(&folder, "new/wdbpack.bin"), read(&folder, "theirs.bin"));
    // An archive that the game does not have is named.
    folder.put("mod/_other.bin/x.wdb", b"x");
    folder.says(3, "apply game mod -o again", &["game has no file of this name"]);
}
