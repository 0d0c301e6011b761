//! Sheets and workbooks: what is in them, and what becomes of those that another program saved.

use std::io::{Cursor, Write as _};

use calamine::{Data, Reader as _, Xlsx};
use serde_json::{Value, json};
use worldview_corpus::ff13::build::{build_archive, build_table};
use worldview_corpus::ff13::spec::{ArchiveSpec, CellSpec, Generation, MemberSpec, TableSpec};
use worldview_corpus::sample;
use worldview_corpus::workbook::{rows, workbook, workbook_with};

use crate::support::Folder;

/// Texts that spreadsheets take for something else.
const ODD: [&str; 12] =
    ["007", "1E5", "=1+1", "'quoted", "TRUE", "1-2", "_x1_", "a_x0041_b", "_x005F_", "a\nb", " c ", "x,\"y\""];

fn prices() -> TableSpec {
    let row = |text: &str, price, weight: f32| {
        [CellSpec::from(text), CellSpec::Int(price), CellSpec::Float(weight.to_bits())]
    };
    TableSpec::new(Generation::G3, &["sName", "iPrice", "fWeight"])
        .row("it_elixir", row("Elixir", 500, 0.1))
        .row("it_potion", row("Potion", 50, 2.0))
}

/// The rows of the export of this table, as far as a person has not edited them.
fn table(edited: &[&[&str]]) -> Vec<u8> {
    let header: &[&str] = &["'record", "'sName", "'iPrice", "'fWeight", "'record_key"];
    workbook(&[("Sheet1", &rows([header].into_iter().chain(edited.iter().copied())))])
}

const ELIXIR: &[&str] = &["'it_elixir", "'Elixir", "500", "0.1", "'it_elixir"];
const POTION: &[&str] = &["'it_potion", "'Potion", "50", "2", "'it_potion"];

/// What a workbook changes in the table, and what else is said of it.
fn applied(book: &[u8]) -> (i32, Value, String) {
    applied_to(&build_table(&prices()).bytes, book)
}

fn applied_to(table: &[u8], book: &[u8]) -> (i32, Value, String) {
    let folder = Folder::with("", vec![("small.wdb", table.to_vec()), ("book.xlsx", book.to_vec())]);
    let (code, out, err) = folder.said("apply small.wdb book.xlsx --dry-run");
    (code, serde_json::from_str::<Value>(&out).map_or(Value::Null, |list| list["changes"].clone()), err)
}

#[test]
fn a_workbook_has_the_cells_of_the_csv_with_their_types() {
    let folder = Folder::new();
    for (name, csv, book, sheet) in [
        ("items.wdb", "records.csv", "table.xlsx", "records"),
        ("harbour.wwd", "objects.csv", "level.xlsx", "objects"),
        ("harbour.wwd", "attributes.csv", "level.xlsx", "attributes"),
    ] {
        folder.put(name, &sample(name));
        folder.ok(&format!("export {name} -o out --to csv,xlsx"));
        let bytes = folder.bytes(&format!("out/{name}/{book}"));
        let mut read: Xlsx<_> = Xlsx::new(Cursor::new(bytes)).unwrap();
        let found = read.worksheet_range(sheet).unwrap();
        let expected =
            csv::ReaderBuilder::new().has_headers(false).from_path(folder.path(&format!("out/{name}/{csv}")));
        let expected: Vec<_> = expected.unwrap().into_records().map(Result::unwrap).collect();
        assert!(expected.len() > 3, "{name}");
        for (row, (found, expected)) in found.rows().zip(&expected).enumerate() {
            for (column, cell) in expected.iter().enumerate() {
                let text = &expected.iter().next().unwrap();
                match &found[column] {
                    Data::Float(number) => assert_eq!(number.to_string(), cell, "{name}, {row}, {column} of {text}"),
                    Data::String(text) => assert_eq!(text, cell, "{name}, {row}, {column}"),
                    Data::Empty => assert_eq!(cell, "", "{name}, {row}, {column}"),
                    other => panic!("{name}, {row}, {column}: {other:?}"),
                }
            }
            if sheet == "records" {
                assert!(matches!(&found[4], Data::Float(_)) || row == 0, "a price is a number: {:?}", found[4]);
                let key = if row == 0 { "record_key" } else { &expected[0] };
                assert_eq!(found[expected.len()], Data::String(key.to_owned()));
            }
        }
        assert_eq!(found.height(), expected.len());
        // Under another name it is read, and not recognized by its digest.
        let copy = format!("{sheet}.xlsx");
        std::fs::copy(folder.path(&format!("out/{name}/{book}")), folder.path(&copy)).unwrap();
        let (code, out, err) = folder.said(&["apply", name, &copy, "--dry-run"]);
        assert_eq!((code, err.contains("nothing would be edited")), (0, true), "{out}{err}");
    }
}

#[test]
fn texts_stay_texts() {
    let table =
        ODD.iter().zip(0_u32..).fold(TableSpec::new(Generation::G3, &["sName", "iPrice"]), |table, (text, n)| {
            table.row(&format!("it_{n:02}_x1_"), [CellSpec::from(*text), CellSpec::Int(1)])
        });
    let folder = Folder::with("", vec![("odd.wdb", build_table(&table).bytes)]);
    assert_eq!(folder.said(&["export", "odd.wdb", "-o", "out", "--to", "xlsx"]).0, 0);
    let bytes = folder.bytes("out/odd.wdb/table.xlsx");
    let mut read: Xlsx<_> = Xlsx::new(Cursor::new(&bytes)).unwrap();
    let found = read.worksheet_range("records").unwrap();
    let texts: Vec<_> = found.rows().skip(1).map(|row| row[1].clone()).collect();
    assert_eq!(texts, ODD.map(|text| Data::String(text.to_owned())));
    folder.put("copy.xlsx", &bytes);
    folder.says(0, "apply odd.wdb copy.xlsx -o same.wdb", &["no changes"]);
    // LibreOffice reads one to four digits as a character. No run of the workbook may have them.
    let mut parts = zip::ZipArchive::new(Cursor::new(&bytes)).unwrap();
    let strings = std::io::read_to_string(parts.by_name("xl/sharedStrings.xml").unwrap()).unwrap();
    assert!(strings.contains("x1_") && !strings.contains("_x1_"), "{strings}");
}

#[test]
fn edits_of_a_workbook_are_changes() {
    assert_eq!(applied(&table(&[POTION, ELIXIR])), (0, json!([]), applied(&table(&[ELIXIR, POTION])).2));
    let (code, changes, _) = applied(&table(&[&["'it_elixir", "'Ether", "600.0", "0.1", "'it_elixir"], POTION]));
    let expected = json!([
        { "set": "it_elixir/sName", "from": "Elixir", "to": "Ether" },
        { "set": "it_elixir/iPrice", "from": 500, "to": 600 }
    ]);
    assert_eq!((code, changes), (0, expected));
    // The hidden column knows the old name.
    let (code, changes, _) = applied(&table(&[ELIXIR, &["'it_hi_potion", "'Potion", "60", "2", "'it_potion"]]));
    let expected = json!([
        { "set": "it_potion/iPrice", "from": 50, "to": 60 },
        { "rename": "it_potion", "to": "it_hi_potion" }
    ]);
    assert_eq!((code, changes), (0, expected));
    // A key that was never a name means nothing.
    let (code, changes, _) = applied(&table(&[ELIXIR, POTION, &["'it_y", "'New", "1", "2", "'typed"]]));
    assert_eq!((code, &changes[0]["add"]), (0, &json!("it_y")), "{changes}");
    // The old row is still there, so the other one is a copy of it.
    let (code, changes, _) = applied(&table(&[ELIXIR, POTION, &["'it_x", "'Potion", "50", "2", "'it_potion"]]));
    assert_eq!((code, &changes[0]["add"]), (0, &json!("it_x")), "{changes}");
    // LibreOffice has read `_x1_`.
    let odd = TableSpec::new(Generation::G3, &["sName"]).row("it_a", [CellSpec::from("a_x1_b")]);
    let cells = "<row><c t=\"inlineStr\"><is><t>record</t></is></c><c t=\"inlineStr\"><is><t>sName</t></is></c></row>\
                 <row><c t=\"inlineStr\"><is><t>it_a</t></is></c><c t=\"inlineStr\"><is><t>a_x0001_b</t></is></c></row>";
    let book = workbook(&[("records", cells)]);
    let folder = Folder::with("", vec![("odd.wdb", build_table(&odd).bytes), ("book.xlsx", book)]);
    folder.says(0, "apply odd.wdb book.xlsx -o same.wdb", &["no changes"]);
    // Worksheets of the person's own.
    let both = workbook(&[
        ("notes", &rows([&["'remember"][..]])),
        ("prices", &rows([&["'record", "'iPrice"][..], &["'it_potion", "7"]])),
    ]);
    let (code, changes, err) = applied(&both);
    assert_eq!((code, changes), (0, json!([{ "set": "it_potion/iPrice", "from": 50, "to": 7 }])));
    assert!(err.contains("the worksheet \"notes\" has columns of no sheet of the original"), "{err}");
    assert!(err.contains("1 of 2 records is not in the source and stays"), "{err}");
}

#[test]
fn what_is_wrong_in_a_workbook_is_named() {
    let cell = |cell: &str| {
        format!(
            "<row><c t=\"inlineStr\"><is><t>record</t></is></c><c t=\"inlineStr\"><is><t>iPrice</t></is></c></row>\
                 <row><c t=\"inlineStr\"><is><t>it_potion</t></is></c>{cell}</row>"
        )
    };
    for (rows, why) in [
        (cell("<c t=\"inlineStr\"><is><t>cheap</t></is></c>"), "expected an integer, found \"cheap\""),
        (cell("<c><f>A1*2</f></c>"), "row 2: it_potion/iPrice: has a formula without its value"),
        (cell("<c t=\"e\"><v>#DIV/0!</v></c>"), "row 2: it_potion/iPrice: has an error"),
        (cell("<c t=\"d\"><v>2026-01-02</v></c>"), "row 2: it_potion/iPrice: was taken for a date"),
        (cell("<c r=\"B2\"><v>1</v></c><c r=\"B2\"><v>2</v></c>"), "cells are not in order"),
        (cell("<c t=\"s\"><v>9</v></c>"), "worksheet \"one\""),
        (cell("<c><v>1<!-- -->2</v></c>"), "the value of a cell is not plain text"),
        // The library computes with these.
        (cell("<c r=\"B99999999999\"><v>1</v></c>"), "\"B99999999999\" is not a reference to cells"),
        (cell("<c><f t=\"shared\" si=\"0\" ref=\"B2:A1\">1</f><v>1</v></c>"), "\"B2:A1\" is not a reference to cells"),
        ("<row><c><v>1</v></c></row>".to_owned(), "has no worksheet with a column `record`, `object` or `frame`"),
    ] {
        let (code, changes, err) = applied(&workbook(&[("one", &rows)]));
        assert_eq!((code, &changes), (3, &Value::Null), "{why}");
        assert!(err.contains("book.xlsx") && err.contains(why), "{why}: {err}");
    }
    // A text with a line break counts as one row.
    let lines = [&["'it_elixir", "'two\nlines", "500", "0.1", "'it_elixir"], &["'it_potion", "'", "x", "", "'"]];
    let err = applied(&table(&lines.map(|row| &row[..]))).2;
    assert!(err.contains("Sheet1, row 3: it_potion/iPrice: expected an integer, found \"x\""), "{err}");
    assert!(applied(b"PK\x03\x04").2.contains("is not a workbook"));
    // Small, but not when it is unpacked.
    let mut bomb = zip::ZipWriter::new(Cursor::new(Vec::new()));
    bomb.start_file("xl/workbook.xml", zip::write::SimpleFileOptions::default()).unwrap();
    (0..=256).for_each(|_| bomb.write_all(&[b' '; 1 << 20]).unwrap());
    let bomb = bomb.finish().unwrap().into_inner();
    assert!(bomb.len() < 1 << 20);
    let err = applied(&bomb).2;
    assert!(err.contains("is not a workbook: its parts take more than 268435456 bytes unpacked"), "{err}");
}

#[test]
fn a_workbook_of_a_folder_is_applied_to_it() {
    let member = MemberSpec { extension: "wdb".into(), ..MemberSpec::new("prices", build_table(&prices()).bytes) };
    let nested = ArchiveSpec { members: vec![member], ..ArchiveSpec::default() };
    let folder = Folder::new();
    folder.put("db/prices.wdb", &build_table(&prices()).bytes);
    folder.put("db/sub/prices.wdb", &build_table(&prices()).bytes);
    folder.put("db/pack.bin", &build_archive(&nested).bytes);
    let export = ["export", "db", "-o", "out", "--to", "xlsx", "--merge", "workbook"];
    assert_eq!(folder.said(&export).0, 0);
    assert_eq!(folder.files("out"), ["manifest.ndjson", "tables.xlsx"]);
    assert!(folder.said(&export).2.contains("2 unchanged"));
    let bytes = folder.bytes("out/tables.xlsx");
    let mut read: Xlsx<_> = Xlsx::new(Cursor::new(&bytes)).unwrap();
    let files = read.worksheet_range("worldview files").unwrap();
    let files: Vec<Vec<String>> = files.rows().map(|row| row.iter().map(ToString::to_string).collect()).collect();
    let expected = [
        ["prices", "db/pack.bin", "prices.wdb"],
        ["prices 2", "db/prices.wdb", ""],
        ["prices 3", "db/sub/prices.wdb", ""],
    ];
    assert_eq!(files, expected);
    // As LibreOffice saves it: the same worksheets, of which two were edited.
    let sheet = |price: &str| {
        let header: &[&str] = &["'record", "'sName", "'iPrice", "'fWeight"];
        rows([header, ELIXIR.split_last().unwrap().1, &["'it_potion", "'Potion", price, "2"]])
    };
    let texts = expected.map(|row| row.map(|cell| format!("'{cell}")));
    let list: Vec<Vec<&str>> = texts.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
    let list = rows(list.iter().map(Vec::as_slice));
    let edited = workbook(&[
        ("notes", "<row><c><v>1</v></c></row>"),
        ("prices", &sheet("1")),
        ("prices 2", &sheet("50")),
        ("prices 3", &sheet("3")),
        ("worldview files", &list),
    ]);
    folder.put("edited.xlsx", &edited);
    folder.says(0, "apply db edited.xlsx -o new", &["the worksheet notes belongs to no file and is not applied"]);
    assert_eq!(folder.files("new"), ["pack.bin", "sub/prices.wdb"]);
    let changes = folder.said(&["diff", "db/pack.bin", "new/pack.bin"]).1;
    assert!(changes.contains("it_potion: iPrice: 50 -> 1"), "{changes}");
    // For one file, its own worksheets.
    folder.says(0, "apply db/pack.bin edited.xlsx -o pack.bin", &["1 change;"]);
    assert_eq!(folder.bytes("pack.bin"), folder.bytes("new/pack.bin"));
    folder.says(3, "apply db/sub/prices.wdb edited.xlsx -o x.wdb", &["has changes for several files named prices.wdb"]);
}

/// A program that empties the names of records, as pandas does with `NA`.
#[test]
fn a_name_that_was_lost_is_refused_with_its_line() {
    let named = |names: &[&str]| {
        let spec = TableSpec::new(Generation::G3, &["iVal"]);
        let rows = names.iter().zip(1..).fold(spec, |spec, (name, value)| spec.row(name, [CellSpec::Int(value)]));
        build_table(&rows).bytes
    };
    let files = vec![("plain.wdb", named(&["NA", "it_a", "nan"])), ("odd.wdb", named(&["", "NA"]))];
    let folder = Folder::with("", files);
    for (table, sheet, lines, changes) in [
        ("plain.wdb", "record,iVal\n,1\nit_a,7\nnan,3\n", &["line 2"][..], 1),
        ("plain.wdb", "record,iVal\n,1\nit_a,2\n,3\n", &["line 2", "line 4"], 0),
        ("plain.wdb", "record,iVal\nNA,1\nit_a,2\nnan,3\n,4\n", &["line 5"], 0),
        // The record without a name, and the one that has lost it.
        ("odd.wdb", "record,iVal\n,1\n,2\n", &["line 3"], 0),
        ("odd.wdb", "record,iVal\n,5\nNA,2\n", &[], 1),
        ("odd.wdb", "record,iVal\nNA,2\n,5\n", &[], 1),
    ] {
        let json = sheet.lines().skip(1).filter_map(|row| row.split_once(','));
        let json: String = json.map(|(name, value)| format!("{{\"record\":\"{name}\",\"iVal\":{value}}}\n")).collect();
        // Before the lines of JSON there is no header.
        for (file, text, header) in [("sheet.csv", sheet, 0), ("sheet.ndjson", &json, 1)] {
            folder.put(file, text.as_bytes());
            let report = folder
                .json(&format!("apply {table} {file} -o new.wdb --skip-refused --overwrite always --format json"));
            let entries = report["inputs"][0]["account"]["entries"].as_array().unwrap();
            let refused = entries.iter().filter(|entry| entry["column"] == "refused");
            let refused: Vec<_> = refused.map(|entry| entry["place"]["row"].as_u64().unwrap() + header).collect();
            let lines: Vec<u64> =
                lines.iter().map(|line| line.strip_prefix("line ").unwrap().parse().unwrap()).collect();
            assert_eq!(refused, lines, "{table}, {file}: {text}: {report}");
            assert_eq!(report["inputs"][0]["account"]["done"], changes, "{table}, {file}: {text}: {report}");
        }
    }
    folder.put("new.csv", b"record,iVal\n,1\n,2\n");
    folder.says(3, "build new.csv -o new.wdb", &["line 3: the record has no name"]);
}

#[test]
fn white_space_that_a_program_loses_is_no_edit() {
    let texts = [" ", "a ", "b", " c "];
    let table = texts.iter().zip(0..).fold(TableSpec::new(Generation::G3, &["sName"]), |table, (text, number)| {
        table.row(&format!("it_{number} "), [CellSpec::from(*text)])
    });
    let table = build_table(&table).bytes;
    let saved = |texts: [&str; 4]| {
        let cells: Vec<_> =
            texts.iter().enumerate().map(|(number, text)| [format!("'it_{number} "), format!("'{text}")]).collect();
        let cells: Vec<_> = cells.iter().map(|row| [row[0].as_str(), row[1].as_str()]).collect();
        rows([&["'record", "'sName"][..]].into_iter().chain(cells.iter().map(|row| &row[..])))
    };
    let applied = |rows: &str| applied_to(&table, &workbook(&[("records", rows)]));
    let lossy = |rows: &str| rows.replace(" xml:space=\"preserve\"", "");
    let (code, changes, err) = applied(&saved(texts));
    assert_eq!((code, changes, err.contains("white space")), (0, json!([]), false), "{err}");
    // Nothing keeps white space: four names and three texts.
    let (code, changes, err) = applied(&lossy(&saved(texts)));
    assert_eq!((code, changes), (0, json!([])), "{err}");
    assert!(err.contains("7 texts differ only in white space at the ends"), "{err}");
    // Other edits are made.
    let (code, changes, err) = applied(&lossy(&saved([" ", "a ", "d", " c "])));
    assert_eq!((code, changes), (0, json!([{ "set": "it_2 /sName", "from": "b", "to": "d" }])), "{err}");
    // As openpyxl saves it: texts of nothing but white space are not marked.
    let marked = "<t xml:space=\"preserve\"> </t>";
    let mixed = saved(texts).replace(marked, "<t> </t>");
    let (code, changes, err) = applied(&mixed);
    assert_eq!((code, changes), (0, json!([])), "{err}");
    assert!(err.contains("1 text differs only in white space at the ends"), "{err}");
    // The program keeps white space, so it was edited.
    let (code, changes, err) = applied(&saved([" ", "a", "b", " c "]));
    assert_eq!((code, changes), (0, json!([{ "set": "it_1 /sName", "from": "a ", "to": "a" }])), "{err}");
}

#[test]
fn shared_texts_are_found_by_whole_numbers() {
    let strings = ["record", "sName", "it_potion", "Tonic"].map(|text| format!("<si><t>{text}</t></si>")).concat();
    let strings = [("xl/sharedStrings.xml", format!("<sst uniqueCount=\"4\">{strings}</sst>"))];
    let applied = |index: &str| {
        let shared = |index: &str| format!("<c t=\"s\"><v>{index}</v></c>");
        let row = |one, other| format!("<row>{}{}</row>", shared(one), shared(other));
        let book = workbook_with(&[("one", &[row("0", "1"), row("2", index)].concat())], &strings);
        applied(&book)
    };
    let (code, changes, err) = applied("3");
    assert_eq!((code, changes), (0, json!([{ "set": "it_potion/sName", "from": "Potion", "to": "Tonic" }])), "{err}");
    for index in ["-1", "2.9", " 3 ", "+3", "0x3", "99999999999999999999", "4294967299"] {
        let (code, changes, err) = applied(index);
        assert_eq!((code, &changes), (3, &Value::Null), "{index}: {err}");
        let why = format!("\"{index}\" is not the number of a shared text");
        assert!(err.contains("\"xl/worksheets/1.xml\", byte ") && err.contains(&why), "{why}: {err}");
    }
}

#[test]
fn a_formula_takes_only_its_row() {
    let folder = Folder::new();
    let header: &[&str] = &["'record", "'sName", "'iPrice", "'fWeight", "'record_key"];
    let sheet = |rows_of: [&[&str]; 2]| rows([header, rows_of[0], rows_of[1]]);
    let dearer: &[&str] = &["'it_potion", "'Potion", "60", "2", "'it_potion"];
    let list: [&[&str]; 2] = [&["'one", "'db/one.wdb", "'"], &["'two", "'db/two.wdb", "'"]];
    // Its new name is not taken either.
    let renamed: &[&str] = &["'it_nectar", "'Elixir", "500", "0.1", "'it_elixir"];
    let formula = sheet([renamed, dearer]).replace("<v>500</v>", "<f>1+1</f>");
    // Worksheets of the person's own may have what they like.
    let notes = "<row><c><f>1+1</f></c><c t=\"e\"><v>#SPILL!</v></c></row>";
    folder.put("db/one.wdb", &build_table(&prices()).bytes);
    folder.put("db/two.wdb", &build_table(&prices()).bytes);
    let (two, files) = (sheet([ELIXIR, dearer]), rows(list));
    let book = [("notes", notes), ("one", &formula), ("two", &two), ("worldview files", &files)];
    folder.put("book.xlsx", &workbook(&book));
    let err = folder.fails(3, "apply db book.xlsx -o new");
    let why = "one, row 2: it_elixir/iPrice: has a formula without its value; save it in a spreadsheet program";
    assert!(err.contains(why), "{err}");
    assert_eq!(folder.files("new"), ["two.wdb"]);
    folder.says(3, "apply db book.xlsx -o new --skip-refused --overwrite always", &[why]);
    assert_eq!(folder.files("new"), ["one.wdb", "two.wdb"]);
    let bytes = |name: &str| folder.bytes(name);
    assert_eq!(bytes("new/one.wdb"), bytes("new/two.wdb"));
    // A name that is a formula, and a new row with one.
    let text = |text: &str| format!("<c t=\"inlineStr\"><is><t xml:space=\"preserve\">{text}</t></is></c>");
    let name = text("it_potion") + &text("Potion");
    let nameless = "<c><f>1</f></c>".to_owned() + &text("Potion");
    for rows in [
        sheet([POTION, ELIXIR]).replace(&name, &nameless),
        sheet([ELIXIR, &["'it_new", "'New", "700", "1", "'"]]).replace("<v>700</v>", "<f>1</f>"),
    ] {
        let (code, changes, err) = applied(&workbook(&[("one", &rows)]));
        assert_eq!((code, &changes), (3, &Value::Null), "{err}");
        assert!(err.contains("has a formula without its value"), "{err}");
    }
}
