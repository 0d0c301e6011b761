//! Tables and WPD archives.

use worldview_corpus::bombs;
use worldview_corpus::ff13::build::{build_archive, build_table};
use worldview_corpus::ff13::spec::{ArchiveSpec, CellSpec, Generation, MemberSpec, TableSpec};
#[cfg(unix)]
use worldview_corpus::{hostile, sample};

use super::case;
use crate::support::{Folder, snapshot};

#[test]
fn names_outside_ascii_are_paths() {
    let folder = case("01-nonlatin-names");
    let csv = folder.csv("names.wdb");
    let names: Vec<_> = csv.lines().skip(1).map(|line| line.split(',').next().unwrap()).collect();
    assert_eq!(names, ["plain", "火", "雷の剣", "魔法の剣上\\xe7"]);
    for name in names {
        folder.ok(&format!("set names.wdb {name}/iPrice=77 -o new.wdb --overwrite always"));
        let changes = folder.said(&["diff", "names.wdb", "new.wdb", "--format", "changes"]).1;
        assert!(changes.contains("\"to\":77"), "{changes}");
        folder.put("changes.json", changes.as_bytes());
        folder.ok("apply names.wdb changes.json -o again.wdb --overwrite always");
        assert_eq!(folder.bytes("new.wdb"), folder.bytes("again.wdb"), "{name}");
    }
    assert!(folder.edited("names.wdb", "csv", "records.csv", &[]).is_empty());
}

#[test]
fn negative_fields_of_few_bits() {
    let folder = case("02-negative-fixed");
    let expected = "record,f16Rate,i1Flag,f12Ang,i5X\nr0,-32768,0,-2048,-16\nr1,-1,-1,0,-15\nr2,0,0,0,-14\n\
                    r3,1,-1,-1,-13\nr4,32767,0,-2048,-12\n";
    assert_eq!(folder.csv("neg.wdb"), expected);
    let changes = folder.edited("neg.wdb", "csv", "records.csv", &[("r1,-1,-1,0,", "r1,-32768,-1,2047,")]);
    assert_eq!(changes.len(), 2, "{changes:?}");
    assert!(folder.csv("edited").contains("\nr1,-32768,-1,2047,-15\n"));
    assert!(folder.fails(3, &["set", "neg.wdb", "r0/f16Rate=32768", "-o", "no"]).contains("32768"));
}

#[test]
fn a_table_saved_by_wdbjsontool() {
    let folder = case("03-wdbjsontool-output");
    assert!(folder.csv("r_quest.wdb").ends_with("\na_added,b,2\n"));
    assert_eq!(folder.codes("r_quest.wdb"), ["unsorted"]);
    assert!(folder.ok(&["show", "--raw", "r_quest.wdb"]).contains("sheet_name \"Quest\""));
}

#[test]
fn padded_names_of_fields() {
    let folder = case("04-structitem-padded");
    assert_eq!(folder.csv("pad.wdb"), "record,sName,iVal\nq_001,a,1\nq_002,b,2\n");
    let codes = folder.codes("pad.wdb");
    assert!(codes.len() <= 1, "{codes:?}");
}

#[test]
fn a_field_of_two_words() {
    let folder = case("05-ps3-u64");
    let file = "movie_items.ps3.wdb";
    let expected = "record,sZoneNumber,uCinemaSize,u64CinemaStart\nmv_a,z001,10,9223372036854775809\n\
                    mv_b,,20,1099511627779\n";
    assert_eq!(folder.csv(file), expected);
    let changes = folder.edited(file, "csv", "records.csv", &[("1099511627779", "18446744073709551615")]);
    assert_eq!(changes.len(), 1, "{changes:?}");
    folder.put("again/movie_items.ps3.wdb", &folder.bytes("edited"));
    assert!(folder.csv("again/movie_items.ps3.wdb").ends_with("\nmv_b,,20,18446744073709551615\n"));
}

#[test]
fn more_records_than_a_spreadsheet_has_rows() {
    let _ = case("06-70000-records");
    let folder = Folder::new();
    let mut spec = TableSpec::new(Generation::G3, &["iVal"]);
    for number in 0..70_000 {
        spec = spec.row(format!("r{number:05}").as_str(), [CellSpec::Int(number)]);
    }
    folder.put("big.wdb", &build_table(&spec).bytes);
    assert_eq!(folder.csv("big.wdb").lines().count(), 70_001);
    let changes = folder.edited("big.wdb", "csv", "records.csv", &[("\nr69999,69999", "\nr69999,-1")]);
    assert_eq!(changes, [r#"{"set":"r69999/iVal","from":69999,"to":-1}"#]);
}

#[test]
fn texts_of_translations() {
    let folder = case("07-sjis-and-codes");
    let csv = folder.csv("text.wdb");
    assert!(csv.contains("\na,\\x8c\\xf5\\x82"), "{csv}");
    assert!(
        csv.contains("\n\"{Color Gold}Gil{Color White}\nsecond, \"\"line\"\"\",2\n")
            || csv.contains("second, \"\"line\"\"\",2\n")
    );
    assert!(folder.edited("text.wdb", "csv", "records.csv", &[]).is_empty());
    let changes = folder.edited("text.wdb", "csv", "records.csv", &[("=1+1", "=1+2")]);
    assert_eq!(changes, [r#"{"set":"d/sText","from":"=1+1","to":"=1+2"}"#]);
}

#[test]
fn a_table_without_records() {
    let folder = case("08-empty-table");
    assert_eq!(folder.csv("empty.wdb"), "record,sName,u8A,u8B,fX\n");
    assert_eq!(folder.csv("empty2.wdb"), "record,word0,word1\n");
    folder.edited("empty.wdb", "csv", "records.csv", &[("fX\n", "fX\nnew,text,1,255,0.5\n")]);
    assert_eq!(folder.csv("edited"), "record,sName,u8A,u8B,fX\nnew,text,1,255,0.5\n");
    folder.edited("empty2.wdb", "csv", "records.csv", &[("word1\n", "word1\nnew,1,2\n")]);
    assert_eq!(folder.csv("edited"), "record,word0,word1\nnew,1,2\n");
}

#[test]
fn two_records_of_one_name() {
    let folder = case("09-duplicate-records");
    folder.ok("set dup.wdb k#1/iVal=9 -o new.wdb");
    assert_eq!(folder.csv("new.wdb"), "record,sName,iVal\nk,a,1\nk,b,9\nz,,0\n");
    assert!(folder.edited("dup.wdb", "csv", "records.csv", &[]).is_empty());
    assert_eq!(folder.edited("dup.wdb", "csv", "records.csv", &[("k,a,1", "k,a,8")]).len(), 1);
    assert_eq!(folder.csv("edited"), "record,sName,iVal\nk,a,8\nk,b,2\nz,,0\n");
}

#[test]
fn members_of_other_kinds() {
    let folder = case("10-wpd-thousands-nested");
    folder.ok("export nest.wpd -o out --to members,csv");
    assert!(folder.files("out").iter().any(|file| file.ends_with("r_quest.wdb/records.csv")));
    let path = "nest.wpd/r_quest.wdb/q_001/iVal";
    folder.ok(&["set", "nest.wpd", &format!("{}=9", path.split_once('/').unwrap().1), "-o", "new.wpd"]);
    let changed = folder.bytes("nest.wpd").iter().zip(folder.bytes("new.wpd")).filter(|(old, new)| *old != new).count();
    assert_eq!(changed, 1);
    let members: Vec<_> = (0..5000).map(|number| MemberSpec::new(format!("member{number:010}"), "x")).collect();
    folder.put("many.wpd", &build_archive(&ArchiveSpec { members, ..ArchiveSpec::default() }).bytes);
    assert_eq!(folder.json(&["list", "many.wpd", "--format", "json"])["archives"][0]["count"], 5000);
}

#[test]
fn arrays_of_strings() {
    let folder = case("11-lr-dlc-arrays");
    let csv = folder.csv("dlc.wdb");
    assert!(csv.starts_with("record,sName,s8Kind,u4Rank,s8Sub\ndlc_00,n0,,0,\ndlc_01,n1,k_a,1,pad_0004\n"), "{csv}");
    assert_eq!(folder.codes("dlc.wdb"), ["element-outside"]);
    folder.ok("set grow.wdb a/s8Kind=longer -o new.wdb");
    assert_eq!(folder.csv("new.wdb"), "record,s8Kind\na,longer\nb,b\n");
    // All 256 numbers that eight bits can have are in use.
    folder.fails(3, "set full.wdb a/s8Kind=longer -o no");
}

#[test]
fn a_zone_table_without_a_number_of_names() {
    let folder = case("12-xiii2-zone-strtypelist-v1");
    assert_eq!(folder.csv("z001.wdb"), "record,sName,fX,u4A,f12B,i16C\nzone_01,z,1.5,3,-4,-5\n");
    assert_eq!(folder.codes("z001.wdb"), ["section-missing"]);
}

#[test]
fn names_of_records_that_look_like_sections() {
    let folder = case("13-bang-record");
    assert_eq!(folder.csv("snd.wdb"), "record,word0\n!bang,5\n@at,6\nx ,7\n");
    assert!(folder.codes("snd.wdb").is_empty());
}

#[test]
fn what_spreadsheets_do() {
    let folder = case("14-spreadsheet-habits");
    folder.ok("export mon.wdb -o out --to csv");
    let sheet = "out/mon.wdb/records.csv";
    let text = folder.text(sheet);
    let apply = |text: &str| {
        folder.put(sheet, text.as_bytes());
        folder.said(&format!("apply mon.wdb {sheet} --dry-run"))
    };
    let (head, rows) = text.split_once('\n').unwrap();
    let backwards: Vec<_> = rows.lines().rev().collect();
    let without_last = |line: &str| line.rsplit_once(',').unwrap().0.to_owned();
    let no_column: Vec<_> = text.lines().map(without_last).collect();
    for same in [format!("{head}\n{}\n", backwards.join("\n")), no_column.join("\n"), text.replace("0.1", "1E-1")] {
        let (code, out, err) = apply(&same);
        assert_eq!((code, out.contains("{\"set\"")), (0, false), "{same}: {out}{err}");
    }
    let first = rows.lines().next().unwrap();
    for (wrong, named) in [
        (text.replace(head, &format!("{head},extra")), "extra"),
        (format!("{text}{first}\n"), "m000"),
        (text.replace(",100,", ",many,"), "iHp"),
        (text.replace(",100,", ",,"), "iHp"),
    ] {
        let (code, _, err) = apply(&wrong);
        assert_eq!(code, 3, "{wrong}: {err}");
        assert!(err.contains(named), "{named}: {err}");
    }
    // Each of the two changes of the case gives what the case has.
    for (changes, result) in [("a.json", "a.wdb"), ("b.json", "b.wdb")] {
        folder.ok(&format!("apply mon.wdb {changes} -o new.wdb --overwrite always"));
        assert_eq!(folder.csv("new.wdb"), folder.csv(result), "{changes}");
    }
    folder.ok("changes merge a.json b.json -o both.json");
    folder.ok("apply mon.wdb both.json -o both.wdb");
    assert_eq!(folder.csv("both.wdb"), folder.csv("c.wdb"));
}

#[test]
fn names_by_platform() {
    let folder = case("15-platform-names");
    for (file, names) in [
        ("movie_items.win32.wdb", "sZoneNumber,uCinemaSize,uReserved,uCinemaStart"),
        ("MOVIE_ITEMS.WIN32.WDB", "sZoneNumber,uCinemaSize,uReserved,uCinemaStart"),
        ("movie_items.x360.wdb", "sZoneNumber,uCinemaSize,uReserved,uCinemaStart"),
        ("movie_items_us.x360.wdb", "sZoneNumber,uCinemaSize,uReserved,uCinemaStart"),
        ("movie_items.ps3.wdb", "sZoneNumber,uCinemaSize,u64CinemaStart"),
        ("movie_items_us.ps3.wdb", "sZoneNumber,uCinemaSize,u64CinemaStart"),
        ("movie_items.ps3.bak.wdb", "word0,word1,word2"),
    ] {
        let csv = folder.csv(file);
        assert_eq!(csv.lines().next().unwrap(), format!("record,{names}"), "{file}");
        let last = if names.contains("uReserved") { "0,99" } else { "1099511627776" };
        assert!(csv.ends_with(&format!("{last}\n")), "{csv}");
    }
}

#[test]
fn overwritten_headers() {
    let folder = case("16-overwritten-header");
    folder.says(3, "show item.wdb", &["--recover", "repair"]);
    assert!(folder.ok(&["show", "--raw", "item.wdb", "--recover"]).contains("record_count 8"));
    folder.ok("repair item.wdb -o mended.wdb");
    assert_eq!(folder.csv("mended.wdb").lines().count(), 9);
    folder.says(3, "show al.wdb --recover", &["cannot be recovered"]);
}

#[test]
fn a_table_three_archives_deep() {
    let folder = case("17-nested-three-deep");
    let table = "mid.wpd/inner.bin/r_quest.wdb";
    folder.ok("apply pack.bin add.json -o new.bin");
    assert_eq!(folder.bytes("new.bin"), folder.bytes("o2.bin"));
    folder.ok(&["set", "pack.bin", &format!("{table}/q_002/sName={}", "L".repeat(300)), "-o", "long.bin"]);
    assert_eq!(folder.csv(&format!("long.bin/{table}")), folder.csv(&format!("o.bin/{table}")));
    assert_eq!(folder.bytes("long.bin"), folder.bytes("o.bin"));
}

#[test]
fn names_that_look_like_something_else() {
    let _ = case("18-odd-record-names");
    let folder = Folder::new();
    let names =
        ["", "*", "=1+1", "@at", "a/b", "a#0", "a=b", "007", "1E5", "x ", "?", "\\x41", "..", "[a]", "-o", "'q"];
    let mut spec = TableSpec::new(Generation::G3, &["iVal"]);
    let mut sorted = names.to_vec();
    sorted.sort_unstable();
    for (number, name) in (0..).zip(&sorted) {
        spec = spec.row(name, [CellSpec::Int(number)]);
    }
    folder.put("odd.wdb", &build_table(&spec).bytes);
    assert!(folder.edited("odd.wdb", "csv", "records.csv", &[]).is_empty());
    assert_eq!(folder.text("out/odd.wdb/records.csv").lines().count(), names.len() + 1);
    // The paths that `diff` gives are paths that `apply` takes.
    let other =
        sorted.iter().fold(TableSpec::new(Generation::G3, &["iVal"]), |spec, name| spec.row(name, [CellSpec::Int(99)]));
    folder.put("other.wdb", &build_table(&other).bytes);
    folder.put("c.json", folder.said(&["diff", "odd.wdb", "other.wdb", "--format", "changes"]).1.as_bytes());
    folder.ok("apply odd.wdb c.json -o new.wdb");
    assert_eq!(folder.bytes("new.wdb"), folder.bytes("other.wdb"));
}

#[cfg(unix)]
#[test]
fn workbooks_that_ask_for_too_much() {
    let _ = case("83-workbooks");
    let folder = Folder::in_memory();
    folder.put("items.wdb", &sample("items.wdb"));
    let refused = [
        "\"4294967295\" shared texts are more than the",
        "the workbook has more than 2097152 shared texts",
        "the workbook has more than 65536 styles",
        "the name of a font or the format of a number has more than 1024 bytes",
        "the workbook has more than 4096 worksheets",
        "two worksheets have the relation \"s1\"",
        "two worksheets are in parts of the name \"1.xml\"",
        "the workbook has more than 65536 relations and names",
        "a cell or a shared text takes more than 1048576 bytes",
        "the workbook has more than 8388608 cells",
        "the cells of the workbook take more than 134217728 bytes",
        "the source adds records or objects of more than 1048576 cells",
        "it has more than 16384 parts",
    ];
    let books = hostile::workbooks();
    assert_eq!(books.len(), refused.len());
    for ((what, book), why) in books.iter().zip(refused) {
        folder.put("book.xlsx", book);
        // In KiB.
        let output = folder.shell("ulimit -v 1000000; exec \"$0\" apply items.wdb book.xlsx --dry-run");
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{what}: {err}");
        assert!(err.contains("book.xlsx") && err.contains(why), "{what}: {err}");
    }
}

#[test]
fn paths_of_mods_stay_in_their_folder() {
    let folder = case("84-mod-paths");
    let (line, inside) = (folder.text("escape.ndjson"), "../../evil.wdb");
    folder.put("game/a.wdb", b"a");
    let before = snapshot(&folder.path(""));
    let absolute = folder.path("evil.wdb").to_str().unwrap().to_owned();
    let paths =
        [inside, &absolute, "a/../../evil.wdb", "..\\\\evil.wdb", "C:evil.wdb", "C:/evil.wdb", "NUL", "a/con.wdb", ""];
    for path in paths {
        let head = "{\"worldview_mod\":1}\n";
        let bad = line.replace(inside, path);
        let deep = folder.path("deep");
        std::fs::create_dir_all(&deep).unwrap();
        std::fs::write(deep.join("bad.ndjson"), format!("{head}{bad}")).unwrap();
        for args in [
            &["changes", "merge", "deep/bad.ndjson", "deep/bad.ndjson", "-o", "deep/x/out"][..],
            &["changes", "merge", "deep/bad.ndjson", "deep/bad.ndjson", "-o", "deep/out.ndjson"],
            &["changes", "invert", "deep/bad.ndjson", "-o", "deep/x/out"],
            &["apply", "game", "deep/bad.ndjson", "-o", "deep/x/out"],
            &["apply", "game", "deep/bad.ndjson", "--dry-run"],
        ] {
            let err = folder.fails(3, args);
            assert!(err.contains("line 2: the path "), "{path}: {err}");
        }
        assert_eq!(folder.files("deep"), ["bad.ndjson"], "{path}");
        std::fs::remove_dir_all(deep).unwrap();
        assert_eq!(snapshot(&folder.path("")), before, "{path}");
    }
}

#[test]
fn records_that_span_the_whole_file() {
    let folder = case("82-records-overlap");
    let (file, bomb) = bombs::all().find(|(_, bomb)| bomb.name == "records that cover the directory").unwrap();
    folder.put(file, &bomb.bytes(1 << 20));
    assert!(folder.codes(file).contains(&"walk-limit".to_owned()));
}
