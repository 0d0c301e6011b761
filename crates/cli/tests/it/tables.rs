//! The command on tables: patterns, damaged files, and outputs for spreadsheets.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Write};

use worldview::Loader;
use worldview_cli::{Command, Streams};
use worldview_corpus::ff13::build::{build_archive, build_table};
use worldview_corpus::ff13::generate::overwritten_cases;
use worldview_corpus::ff13::spec::{ArchiveSpec, CellSpec, Generation, MemberSpec, TableSpec};
use worldview_corpus::wwd::build::build;
use worldview_corpus::wwd::spec::{LevelSpec, ObjectSpec, PlaneSpec};
use worldview_corpus::{sample, samples};

use crate::support::Folder;

fn weapons() -> TableSpec {
    let row = |text: &str, count| [CellSpec::from(text), CellSpec::Int(count)];
    TableSpec::new(Generation::G3, &["sName", "iCount"])
        .row("it_potion", row("=1+1", -5))
        .row("wea_a", row("plain", 2))
        .row("wea_b", row("'quoted", 3))
        .row("wea_c*", row("x", 4))
}

#[test]
fn records_are_chosen_by_patterns() {
    let folder = Folder::with("", vec![("small.wdb", build_table(&weapons()).bytes)]);
    let lines = |record: &str, format: &str| {
        let (code, out, err) = folder.said(&["show", &format!("small.wdb/{record}"), "--format", format]);
        assert_eq!((code, err.as_str()), (0, ""), "{record}");
        out
    };
    assert_eq!(lines("WEA_?", "csv"), "record,sName,iCount\nwea_a,plain,2\nwea_b,'quoted,3\n");
    assert_eq!(lines("{it*,wea_b}", "ndjson").lines().count(), 2);
    assert_eq!(lines(r"wea_c\*", "csv"), "record,sName,iCount\nwea_c*,x,4\n");
    let text = lines("wea*", "table");
    assert!(text.contains("wea_a") && text.contains("wea_c*") && !text.contains("it_potion"), "{text}");
    let fields = folder.said(&["show", "small.wdb/it*/I*", "--format", "csv"]).1;
    assert_eq!(fields, "record,iCount\nit_potion,-5\n");
    // In a folder, only the tables that have the field are printed.
    folder.put("db/small.wdb", &build_table(&weapons()).bytes);
    folder.put("db/items.wdb", &sample("items.wdb"));
    let (code, out, err) = folder.said(&["show", "db/*.wdb/*/iCount", "--format", "ndjson"]);
    assert_eq!((code, out.lines().count(), err.as_str()), (0, 4, ""));
    for (path, meant) in
        [("armor_*", ""), ("it_ption", "; did you mean it_potion?"), ("*/Count", "; did you mean iCount?")]
    {
        let (code, out, err) = folder.said(&["show", &format!("small.wdb/{path}")]);
        let expected = format!("worldview: small.wdb: has no part with the path {path}{meant}\n");
        assert_eq!((code, out.as_str(), err.as_str()), (2, "", expected.as_str()));
    }
}

#[test]
fn a_table_is_shown_as_a_grid() {
    let folder = Folder::with("", vec![("small.wdb", build_table(&weapons()).bytes)]);
    let shown = |args: &[&str]| folder.said(&[&["show"], args].concat()).1;
    let grid = "record     sName    iCount\nit_potion  =1+1         -5\nwea_a      plain         2\n\
                wea_b      'quoted       3\nwea_c*     x             4\n";
    assert_eq!(shown(&["small.wdb"]), grid);
    let counts = "record  iCount\nwea_a        2\nwea_b        3\nwea_c*       4\n";
    assert_eq!(shown(&["small.wdb/wea*/iCount"]), counts);
    let raw = shown(&["small.wdb", "--raw"]);
    assert!(raw.contains("!!strtypelist") && raw.contains("iCount -5"), "{raw}");
    assert_eq!(shown(&["small.wdb/wea_a"]), "record  wea_a\nsName   plain\niCount  2\n");
    #[cfg(unix)]
    {
        let narrow = folder.shell("COLUMNS=22 \"$0\" show small.wdb");
        let narrow = String::from_utf8(narrow.stdout).unwrap();
        assert!(narrow.starts_with("record     sName\n") && narrow.contains("… and 1 more field"), "{narrow}");
    }
}

#[test]
fn only_tables_have_schemas() {
    let members = vec![MemberSpec::new("small.wdb", build_table(&weapons()).bytes), MemberSpec::new("notes", "words")];
    let pack = build_archive(&ArchiveSpec { members, ..ArchiveSpec::default() }).bytes;
    let plain =
        build_archive(&ArchiveSpec { members: vec![MemberSpec::new("a", "b")], ..ArchiveSpec::default() }).bytes;
    let folder = Folder::with("in/", vec![("pack.bin", pack), ("plain.bin", plain)]);
    for path in ["in/plain.bin", "in/pack.bin/notes"] {
        let (code, out, err) = folder.said(&["schema", path]);
        assert_eq!((code, out.as_str()), (3, ""), "{path}");
        assert!(err.contains("contains no table, so there is no schema"), "{path}: {err}");
    }
    // Among other files of a folder it is no fault.
    assert_eq!(folder.said(&["schema", "in"]).0, 0);
}

#[test]
fn what_an_extractor_overwrote_is_recovered() {
    let folder = Folder::new();
    for (number, (name, file)) in overwritten_cases().into_iter().enumerate() {
        let path = format!("{number}.wdb");
        folder.put(&path, &file);
        let has_record = name.ends_with("record");
        if name != "overwritten record" {
            let (code, _, err) = folder.said(&["show", &path]);
            assert_eq!(code, 3, "{name}");
            assert!(err.contains("--recover can open it"), "{name}: {err}");
        }
        let (code, out, err) = folder.said(&["show", "--recover", &format!("{path}/*/word2"), "--format", "csv"]);
        assert_eq!((code, err.as_str()), (0, ""), "{name}");
        if !has_record {
            assert_eq!(out, "record,word2\na_row,lamp_oil\nb_row,\nc_row,oil\n", "{name}");
        }
        let (code, _, err) = folder.said(&["export", "--recover", &path, "-o", "out"]);
        assert_eq!(code, 0, "{name}: {err}");
        assert_eq!(err.contains("records contain d8 ad ff 00"), has_record, "{name}: {err}");
        let (_, out, _) = folder.said(&["check", "--all", "--recover", &path]);
        assert_eq!(out.matches("[entry-rebuilt]").count(), [0, 1, 2, 0, 0][number], "{name}: {out}");
        assert_eq!(out.contains("[records-overwritten]"), has_record, "{name}: {out}");
        assert_eq!(out.contains("[header-damaged]"), number < 4, "{name}: {out}");
    }
}

#[test]
fn csv_can_be_made_safe_for_spreadsheets() {
    let folder = Folder::with("", vec![("=a.wdb", build_table(&weapons()).bytes)]);
    let safe = "record,sName,iCount\nit_potion,\"'=1+1\",-5\nwea_a,plain,2\nwea_b,\"''quoted\",3\nwea_c*,x,4\n";
    let show = ["show", "=a.wdb", "--format", "csv"];
    assert_eq!(folder.said(&[&show[..], &["--csv-safe"]].concat()).1, safe);
    let with_bom = folder.said(&[&show[..], &["--csv-safe", "--csv-bom"]].concat()).1;
    assert_eq!(with_bom, format!("\u{feff}{safe}"));
    // Once for all files.
    let twice = folder.said(&["show", "=a.wdb", "=a.wdb", "--format", "csv", "--csv-bom"]).1;
    assert_eq!(twice.matches('\u{feff}').count(), 1);
    let list = folder.said(&["list", "=a.wdb", "--format", "csv", "--csv-safe"]).1;
    assert!(list.contains("\n\"'=a.wdb\","), "{list}");
    // Other formats are as they were.
    let json = folder.said(&["show", "=a.wdb", "--format", "ndjson", "--csv-safe", "--csv-bom"]).1;
    assert!(json.starts_with("{\"record\":\"it_potion\",\"sName\":\"=1+1\""), "{json}");
    assert_eq!(folder.said(&["export", "=a.wdb", "-o", "out", "--csv-safe"]).0, 0);
    let file = || folder.text("out/=a.wdb/records.csv");
    assert_eq!(file(), safe);
    // The options are among those that make a finished output be made anew.
    assert_eq!(folder.said(&["export", "=a.wdb", "-o", "out"]).0, 0);
    assert!(file().contains("\nit_potion,=1+1,"));
}

#[test]
fn the_sheet_of_a_table_is_reported() {
    let folder = Folder::with("", samples());
    folder.ok("export items.wdb -o out --sheet --to csv,ndjson");
    let csv = folder.text("out/items.wdb/records.csv");
    assert!(csv.starts_with("record,sheet,"), "{csv}");
    assert!(csv.lines().skip(1).all(|line| line.split(',').nth(1) == Some("Item")), "{csv}");
    let manifest = crate::support::manifest(&folder.path("out/items.wdb"));
    assert_eq!(manifest["files"][0]["from"][0]["schema"], "Item");
}

#[test]
fn control_characters_in_csv_are_themselves() {
    let object = |logic: &[u8]| ObjectSpec { logic: logic.to_vec(), ..ObjectSpec::default() };
    let objects = vec![object(b"a\tb"), object(b"a\\x09b"), object(b"\x81\x01")];
    let plane = PlaneSpec { objects, ..PlaneSpec::empty(b"plane", 64, 2, 2) };
    let level = build(&LevelSpec { planes: vec![plane], ..LevelSpec::default() }).bytes;
    let folder = Folder::with("", vec![("a.wwd", level)]);
    folder.prints(0, "show a.wwd --format csv", &["\"a\tb\"", ",a\\x09b,", "\"\u{81}\u{1}\""]);
}

/// An output whose reader is gone, and that says so in an error around another.
struct Closed;

impl Write for Closed {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        let inner = io::Error::other(worldview_export::Error::Io(io::ErrorKind::BrokenPipe.into()));
        Err(io::Error::other(inner))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// An output that fails for another reason.
struct Full;

impl Write for Full {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::Error::other(io::Error::from(io::ErrorKind::StorageFull)))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_reader_that_is_gone_is_no_failure_however_the_error_is_wrapped() {
    let folder = Folder::with("", samples());
    for file in ["items.wdb", "bestiary.wdb", "wdbpack.bin", "harbour.wwd", "world.wdb"] {
        let path = folder.path(file);
        let path = path.to_str().unwrap();
        for verb in ["show", "info", "list", "check", "find", "schema"] {
            for format in ["table", "json", "ndjson", "csv", "schema"] {
                let mut words = vec!["worldview", verb];
                words.extend((verb == "find").then_some("a"));
                words.extend([path, "--format", format]);
                let Ok(command) = Command::new(&words) else { continue };
                let code = |streams| command.run(Loader::read, streams);
                let (all, closed) =
                    (code(Streams::new(io::sink(), io::sink())), code(Streams::new(Closed, io::sink())));
                assert!(closed == all || closed == 0, "{words:?}: {closed}");
                let full = code(Streams::new(Full, io::sink()));
                assert!(full == 4 || full == all, "{words:?}: {full}");
            }
        }
    }
}

/// Reads the rows of an Arrow file as text, one line each.
fn arrow_rows(path: &std::path::Path) -> Vec<String> {
    use worldview_export::arrow::arrow_array::Array as _;
    use worldview_export::arrow::arrow_array::cast::AsArray as _;
    use worldview_export::arrow::arrow_array::types::Int32Type;
    use worldview_export::arrow::arrow_schema::DataType;
    let reader = arrow_ipc::reader::FileReader::try_new(fs::File::open(path).unwrap(), None).unwrap();
    let mut lines = Vec::new();
    for batch in reader.map(Result::unwrap) {
        for row in 0..batch.num_rows() {
            let cells = batch.columns().iter().map(|column| match column.data_type() {
                _ if column.is_null(row) => String::new(),
                DataType::Utf8 => column.as_string::<i32>().value(row).to_owned(),
                DataType::Int32 => column.as_primitive::<Int32Type>().value(row).to_string(),
                DataType::List(_) => {
                    column.as_list::<i32>().value(row).as_string::<i32>().iter().flatten().collect::<Vec<_>>().join("|")
                }
                other => panic!("a column of {other}"),
            });
            lines.push(cells.collect::<Vec<_>>().join(","));
        }
    }
    lines
}

#[test]
fn tables_of_a_sheet_are_merged_into_one_file() {
    let of_shop = |spec| TableSpec { sheet_name: Some(b"Shop".to_vec()), ..spec };
    let shop =
        |record: &str, price| of_shop(TableSpec::new(Generation::G3, &["iPrice"]).row(record, [CellSpec::Int(price)]));
    let other = TableSpec::new(Generation::G3, &["iPrice", "iRank"]);
    let other = of_shop(other.row("d", [CellSpec::Int(4), CellSpec::Int(40)]));
    let foreign = TableSpec::new(Generation::G3, &["iWares", "iOwner"]);
    let foreign = of_shop(foreign.row("f", [CellSpec::Int(5), CellSpec::Int(6)]));
    let table = |spec: &TableSpec| build_table(spec).bytes;
    let members = vec![MemberSpec::new("c.wdb", table(&shop("c", 3)))];
    let pack = build_archive(&ArchiveSpec { members, ..ArchiveSpec::default() }).bytes;
    let files = vec![
        ("a.wdb", table(&shop("a", 1))),
        ("b.wdb", table(&shop("b", 2))),
        ("c.bin", pack),
        ("d.wdb", table(&other)),
        ("e.wdb", table(&weapons())),
        ("f.wdb", table(&foreign)),
        ("g.wdb", table(&of_shop(TableSpec::new(Generation::G3, &["iNothing"])))),
    ];
    let folder = Folder::with("in/", files);
    let merge = ["export", "in", "-o", "out", "--to", "arrow,parquet,csv", "--merge", "sheet"];
    folder.ok(&merge);
    // In the order of the files, with the columns of all.
    let shop = ["in/a.wdb,a,1,", "in/b.wdb,b,2,", "in/c.bin/c.wdb,c,3,", "in/d.wdb,d,4,40"].map(str::to_owned);
    // Tables of the same name with other fields, as other games have them, and tables without a sheet. One without rows is
    // in no file.
    let merged = merged(&folder, "out");
    let shops: BTreeSet<_> =
        merged.iter().filter(|(name, _)| name.starts_with("Shop-")).map(|(_, rows)| rows).collect();
    assert_eq!(shops, BTreeSet::from([&shop.to_vec(), &vec!["in/f.wdb,f,5,6".to_owned()]]));
    assert_eq!((merged.len(), merged["e.arrow"].len()), (3, 4));
    for name in merged.keys() {
        let parquet = fs::read(folder.path(&format!("out/{name}")).with_extension("parquet")).unwrap();
        assert!(parquet.starts_with(b"PAR1"));
    }
    // Other kinds are written for each table, as ever.
    let files = folder.files("out");
    assert_eq!(files.iter().filter(|file| file.ends_with("records.csv")).count(), 7);
    assert!(!files.iter().any(|file| file.ends_with("records.arrow") || file.ends_with("records.parquet")));
    // Another run changes nothing, although the rows come from files whose other outputs are done.
    let (code, _, err) = folder.said(&merge);
    assert_eq!((code, folder.files("out")), (0, files));
    assert!(err.contains("0 files (0 bytes) written to out, 21 unchanged"), "{err}");
    folder.says(2, "export in -o out --to csv --merge sheet", &["--merge: needs --to parquet or --to arrow"]);
}

/// Returns the rows of each merged Arrow file in a folder.
fn merged(folder: &Folder, below: &str) -> BTreeMap<String, Vec<String>> {
    let files = folder.files(below).into_iter().filter(|file| file.ends_with(".arrow") && !file.contains('/'));
    files.map(|file| (file.clone(), arrow_rows(&folder.path(&format!("{below}/{file}"))))).collect()
}

/// A saved query of a file must not read other columns because there is one more table, or another order.
#[test]
fn a_merged_file_is_named_by_what_it_has() {
    let table = |fields: &[&str], sheet: Option<&str>, record: &str| {
        let spec = TableSpec::new(Generation::G3, fields).row(record, vec![CellSpec::Int(7); fields.len()]);
        build_table(&TableSpec { sheet_name: sheet.map(|name| name.as_bytes().to_vec()), ..spec }).bytes
    };
    let folder = Folder::new();
    for (number, field) in ["iA", "iB", "iC", "iD"].into_iter().enumerate() {
        folder.put(&format!("in/m{number}.wdb"), &table(&[field], None, "x"));
    }
    folder.put("in/n0.wdb", &table(&["iPrice"], Some("Shop"), "s"));
    folder.put("in/n1.wdb", &table(&["iPrice", "iRank"], Some("Shop"), "s"));
    folder.put("in/n2.wdb", &table(&["iWares", "iOwner"], Some("shop"), "s"));
    folder.put("in/n3.wdb", &table(&["iCost"], Some("Item"), "i"));
    let export = |inputs: &[&str], out: &str| {
        let options = ["-o", out, "--to", "arrow", "--merge", "layout"];
        folder.ok(&[&["export"], inputs, &options].concat());
        merged(&folder, out)
    };
    let before = export(&["in"], "out");
    assert_eq!(before.keys().filter(|name| name.starts_with("layout-")).count(), 4, "{before:?}");
    assert_eq!((before.len(), before["Item.arrow"].len()), (7, 1));
    let turned = export(
        &["in/n3.wdb", "in/n2.wdb", "in/n1.wdb", "in/n0.wdb", "in/m3.wdb", "in/m2.wdb", "in/m1.wdb", "in/m0.wdb"],
        "turned",
    );
    let rows = |(name, rows): (&String, &Vec<String>)| (name.clone(), rows.iter().cloned().collect::<BTreeSet<_>>());
    assert_eq!(before.iter().map(rows).collect::<Vec<_>>(), turned.iter().map(rows).collect::<Vec<_>>());
    folder.put("in/a0.wdb", &table(&["iNew"], None, "x"));
    folder.put("in/a1.wdb", &table(&["iC"], None, "y"));
    folder.put("in/a2.wdb", &table(&["iCost"], Some("Item"), "j"));
    let after = export(&["in"], "out");
    assert_eq!(after.len(), 8);
    for (name, rows) in &before {
        let old: Vec<_> = after[name].iter().filter(|row| !row.starts_with("in/a")).collect();
        assert_eq!(old, rows.iter().collect::<Vec<_>>(), "{name}");
    }
    assert_eq!(after["Item.arrow"], ["in/a2.wdb,j,7", "in/n3.wdb,i,7"]);
}

#[test]
fn words_stand_beside_their_keys() {
    let row = |key: &str, count| [CellSpec::from(key), CellSpec::from("plain"), CellSpec::Int(count)];
    let table = TableSpec::new(Generation::G3, &["sName", "sHelp", "iCount"]);
    let table = build_table(&table.row("it_ether", row("$ether", 1)).row("it_potion", row("$potion", 2))).bytes;
    let folder = Folder::with("", vec![("items.wdb", table)]);
    // As ZTRtool writes them, with a byte order mark.
    folder.put("us.txt", "\u{feff}$potion |:| Potion, {Icon 12}\r\n$other |:| Other\r\nnothing\r\n".as_bytes());
    let shown = |args: &[&str]| folder.said(&[&["show", "items.wdb", "--text", "us.txt"], args].concat());
    let (code, out, err) = shown(&["--format", "csv"]);
    let csv = "record,sName,sName.text,sHelp,iCount\nit_ether,$ether,,plain,1\nit_potion,$potion,\"Potion, {Icon 12}\",plain,2\n";
    assert_eq!((code, out.as_str(), err.as_str()), (0, csv, "worldview: us.txt: 1 line without `|:|` skipped\n"));
    let ndjson = "{\"record\":\"it_ether\",\"sName\":\"$ether\",\"sHelp\":\"plain\",\"iCount\":1}\n\
        {\"record\":\"it_potion\",\"sName\":\"$potion\",\"sName.text\":\"Potion, {Icon 12}\",\"sHelp\":\"plain\",\"iCount\":2}\n";
    assert_eq!(shown(&["--format", "ndjson"]).1, ndjson);
    assert!(shown(&[]).1.contains("it_potion  $potion  Potion, {Icon 12}  plain       2\n"), "{}", shown(&[]).1);
    // Words are found, and lead to their keys.
    let find = |pattern: &str| folder.said(&["find", pattern, "items.wdb", "--text", "us.txt", "--format", "csv"]);
    let (code, out, _) = find("potion, {icon");
    assert!(code == 0 && out.contains("it_potion/sName") && out.contains("\"Potion, {Icon 12}\""), "{out}");
    assert_eq!(find("Other").0, 1, "no table has this key");
    // Exports have them, and edits of them are not lost without a word.
    for kind in ["csv", "xlsx", "ndjson"] {
        let export = ["export", "items.wdb", "-o", "out", "--text", "us.txt", "--to", kind, "--layout", "flat"];
        assert_eq!(folder.said(&export).0, 0);
        let copy = format!("copy.{kind}");
        fs::copy(folder.path(&format!("out/items.{kind}")), folder.path(&copy)).unwrap();
        let (code, _, err) = folder.said(&["apply", "items.wdb", &copy, "-o", &format!("{kind}.wdb")]);
        assert!(code == 0 && err.contains("no changes"), "{err}");
        assert!(err.contains("`sName.text` shows words for keys, and is not read"), "{err}");
    }
    folder.says(3, "show items.wdb --text items.wdb", &["has no line `key |:| words`"]);
}
