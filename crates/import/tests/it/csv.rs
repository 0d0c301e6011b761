//! Edited CSV: what an editor or a spreadsheet changes in meaning becomes a change, and nothing else does.

use worldview_corpus::ff13::build::build_table;
use worldview_corpus::ff13::generate::{Shape, edge_cases, schema_cases, small_table, table as large_table};
use worldview_corpus::ff13::naive::{NaiveTable, NaiveValue, table as naive};
use worldview_corpus::ff13::spec::{CellSpec, Generation, TableSpec};
use worldview_corpus::wwd::naive::{NaiveValue as Field, read};
use worldview_corpus::{sample, samples};
use worldview_edit::{Change, Changes, Planned, Result, Value, wpd, wwd};
use worldview_export::Encoding;
use worldview_export::csv::CsvStyle;
use worldview_export::level::csv as level_csv;
use worldview_export::table::{Selection, csv};
use worldview_import::csv::{Options, objects, records};
use worldview_wpd::Table;
use worldview_wwd::{Level, unpack};

use crate::begin;

/// The CSV of a table, as `export` writes it; none if its text exceeds the bounds of an export.
pub(crate) fn export(table: &Table<'_>, style: CsvStyle, sheet: bool) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    style.write(&mut out, |out| csv::records(table, &Selection::ALL.sheet(sheet), out)).ok()?;
    Some(out)
}

/// Every table of the corpus: samples, all generations, odd ones.
pub(crate) fn tables() -> Vec<(String, Vec<u8>)> {
    let small = (0..200).map(|seed| (format!("seed {seed}"), build_table(&small_table(seed)).bytes));
    let shapes = (0..).zip(Shape::all()).flat_map(|(seed, shape)| {
        let named = shape.clone().embedded();
        [shape, named].map(|shape| (format!("shape {seed}"), large_table(seed, 1 << 15, &shape)))
    });
    let samples = samples().into_iter().map(|(name, file)| (name.to_owned(), file));
    let schemas = schema_cases().into_iter().map(|(name, file, _)| (name, file));
    small.chain(shapes).chain(samples).chain(edge_cases()).chain(schemas).collect()
}

/// Rows and cells of CSV with commas, by a reader that shares nothing with ours.
pub(crate) fn cells(csv: &[u8]) -> Vec<Vec<String>> {
    let mut reader = ::csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(csv);
    reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
}

/// A number as a spreadsheet shows it, if a cell is one.
fn shown(cell: &str) -> String {
    let is_number = cell.starts_with(|char: char| char.is_ascii_digit() || char == '-')
        && cell.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b'e' | b'E'));
    match cell.parse::<f64>().ok().filter(|number| is_number && number.is_finite()) {
        // Fifteen digits, and an exponent for what is long.
        Some(number) if number != 0.0 && !(1e-5..1e15).contains(&number.abs()) => {
            let text = format!("{number:.14E}");
            let (mantissa, exponent) = text.split_once('E').unwrap();
            let exponent: i32 = exponent.parse().unwrap();
            format!("{}E{exponent:+03}", mantissa.trim_end_matches('0').trim_end_matches('.'))
        }
        Some(number) => number.to_string(),
        None => cell.to_owned(),
    }
}

/// A sheet as a spreadsheet saves it that was set to another separator: other quotes and line breaks, numbers in its own form, and
/// without empty cells at the end of rows.
pub(crate) fn saved(csv: &[u8], separator: char, drops: bool) -> String {
    let mut out = String::new();
    for mut row in cells(csv) {
        while drops && row.len() > 1 && row.last().is_some_and(String::is_empty) {
            row.pop();
        }
        for (nth, cell) in row.iter().enumerate() {
            let text = shown(cell).replace("\r\n", "\n").replace('\r', "\n");
            out.extend((nth > 0).then_some(separator));
            let is_quoted = text != *cell || text.contains([separator, '"', '\n']) || nth == 0;
            let text = if is_quoted { format!("\"{}\"", text.replace('"', "\"\"")) } else { text };
            out.push_str(&text);
        }
        out.push_str("\r\n");
    }
    out
}

/// Changes as lines of their JSON form, without the expected values.
pub(crate) fn lines(changes: &Changes) -> Vec<String> {
    let json = changes.to_json().unwrap();
    json.lines()
        .filter(|line| line.starts_with("{\"") && !line.contains("worldview_changes"))
        .map(|line| line.trim_end_matches(',').to_owned())
        .collect()
}

/// The changes of a table that a sheet makes from which records may be removed.
fn planned(table: &Table<'_>, sheet: impl AsRef<[u8]>) -> Result<Changes> {
    records(table, sheet.as_ref(), &Options::default().remove_missing(true)).and_then(Planned::complete)
}

/// Why a sheet is refused.
fn refusal(table: &Table<'_>, sheet: impl AsRef<[u8]>) -> String {
    planned(table, sheet).unwrap_err().to_string()
}

fn csv_of(file: &[u8]) -> String {
    String::from_utf8(export(&Table::parse(file).unwrap(), CsvStyle::default(), false).unwrap()).unwrap()
}

/// The value of a column of the sheet, by the naive reader.
fn found(table: &NaiveTable, record: &str, column: usize) -> NaiveValue {
    let column = column - 1;
    table.rows.iter().find(|row| row.name == record.as_bytes()).unwrap().values[column].clone()
}

#[test]
fn edited_cells_rows_and_columns_become_changes() {
    let file = sample("items.wdb");
    let table = Table::parse(&file).unwrap();
    let sheet = csv_of(&file);
    let edited = sheet
        // A price, another string, and a number with its sign.
        .replace(
            "apple_dried,$name_apple_dried,$help_food_01,eat_one,6,2,10,0,15,-1",
            "apple_dried,$name_apple,$help_food_01,eat_one,1.2E+01,2,10,0,15,-3.0",
        )
        .replace("anchor_pin,$name_anchor_pin,,,140,46,11,1,0,0,0,0,1,1,7,5,0,0,1,12,2,0\n", "");
    let added = "anchor_new,\"a, \"\"b\"\"\",,eat_one,4294967295,,255,,,-32768,1\n";
    let (header, rows) = edited.split_once('\n').unwrap();
    let edited = format!("{header}\n{added}{rows}");
    let changes = planned(&table, edited).unwrap();
    let expected = [
        r#"{"add":"anchor_new","fields":{"sItemNameStringId":"a, \"b\"","sHelpStringId":"","sScriptId":"eat_one","uPurchasePrice":4294967295,"uSellPrice":0,"u8MenuIcon":255,…"#,
        r#"{"set":"apple_dried/sItemNameStringId","from":"$name_apple_dried","to":"$name_apple"}"#,
        r#"{"set":"apple_dried/uPurchasePrice","from":6,"to":12}"#,
        r#"{"set":"apple_dried/i16ScriptArg1","from":-1,"to":-3}"#,
        r#"{"remove":"anchor_pin","fields":{"sItemNameStringId":"$name_anchor_pin",…"#,
    ];
    begin(&lines(&changes), &expected);
    let output = wpd::apply(&file, &changes).unwrap().to_vec();
    let (before, after) = (naive(&file, None).unwrap(), naive(&output, None).unwrap());
    assert_eq!(found(&after, "apple_dried", 4), NaiveValue::U32(12));
    assert_eq!(found(&after, "apple_dried", 1), NaiveValue::Text(Some(b"$name_apple".to_vec())));
    assert_eq!(found(&after, "anchor_new", 1), NaiveValue::Text(Some(b"a, \"b\"".to_vec())));
    let names: Vec<_> = after.rows.iter().map(|row| row.name.clone()).collect();
    assert!(names.is_sorted() && names.len() == before.rows.len() && !names.contains(&b"anchor_pin".to_vec()));
    // The removal has all fields, so it can be undone.
    let back = wpd::apply(&output, &planned(&Table::parse(&output).unwrap(), sheet.as_bytes()).unwrap());
    assert_eq!(csv_of(&back.unwrap().to_vec()), sheet);
    // Any order of rows and columns, and columns that are missing.
    let few = "uPurchasePrice;record\r\n12;apple_dried\r\n";
    let changes = planned(&table, few).unwrap();
    assert_eq!(changes.len(), before.rows.len());
    assert_eq!(changes.iter().filter(|change| matches!(change, Change::Remove { .. })).count(), before.rows.len() - 1);
}

#[test]
fn values_are_exact() {
    let row = |floats: [u32; 2], text: &[u8], word: &[u8], big| {
        let [text, word] = [text, word].map(|text| CellSpec::Text(text.to_vec()));
        [CellSpec::Float(floats[0]), CellSpec::Float(floats[1]), text, word, CellSpec::Int(big)]
    };
    let spec = TableSpec::new(Generation::G3, &["fA", "fB", "sText", "sWord", "u64Big"])
        .row("r1", row([0x8000_0000, 0x7fa0_0001], b"a\xffb\xf0", b"=1+1\r\n\x01 \"quoted\"", -1))
        .row("r2", row([0x3f80_0000, 0x0000_0001], b"literal \\xff", b"007", (1 << 53) + 1));
    let file = build_table(&spec).bytes;
    let table = Table::parse(&file).unwrap();
    let sheet = csv_of(&file);
    let rows = cells(sheet.as_bytes());
    assert_eq!(
        rows[1],
        ["r1", "-0.0", "NaN:0x7fa00001", "a\\xffb\\xf0", "=1+1\r\n\x01 \"quoted\"", "18446744073709551615"]
    );
    let plan = |column: usize, row: usize, cell: &str| {
        let mut rows = rows.clone();
        rows[row][column] = cell.to_owned();
        let mut out = ::csv::WriterBuilder::new().delimiter(b'\t').from_writer(Vec::new());
        rows.iter().for_each(|row| out.write_record(row).unwrap());
        planned(&table, out.into_inner().unwrap()).map(|changes| changes.into_iter().collect::<Vec<_>>())
    };
    let unchanged = |column, row, cell: &str| assert_eq!(plan(column, row, cell).unwrap(), [], "{cell}");
    let changed = |column, row, cell: &str, expected: Value| match plan(column, row, cell).unwrap().as_slice() {
        [Change::Set { to, .. }] => assert_eq!(*to, expected, "{cell}"),
        other => panic!("{cell}: {other:?}"),
    };
    // What spreadsheets make of these values.
    unchanged(1, 1, "0");
    unchanged(1, 2, "1");
    unchanged(1, 2, "1,00");
    unchanged(2, 2, "1.4E-45");
    unchanged(5, 1, "1.84467440737096E+19");
    unchanged(5, 1, "1.84467E+19");
    unchanged(5, 1, "18446744073709500000");
    unchanged(4, 1, "=1+1\n\x01 \"quoted\"");
    unchanged(4, 2, "7");
    // Edits.
    changed(1, 1, "0.0", 0.0_f32.into());
    changed(1, 2, "-0", (-0.0_f32).into());
    changed(1, 2, "-1,5", (-1.5_f32).into());
    changed(1, 2, "NaN", f32::from_bits(0x7fc0_0000).into());
    changed(2, 1, "NaN:0x7fa00002", f32::from_bits(0x7fa0_0002).into());
    changed(2, 2, "-Infinity", f32::NEG_INFINITY.into());
    changed(2, 2, "16777217", 16_777_217_f32.into());
    changed(3, 1, "a\\xffc", Value::Bytes(b"a\xffc".to_vec()));
    changed(3, 2, "literal \\xfe", "literal \\xfe".into());
    changed(5, 2, "9007199254740992", Value::Integer(1 << 53));
    changed(5, 1, "18446744073709551614", Value::Integer(u64::MAX as i128 - 1));
    changed(4, 2, "08", "08".into());
    changed(4, 2, "", "".into());
    // Errors name the place, the line and the limit.
    let refused = |column, row, cell: &str, expected: &str| {
        let error = plan(column, row, cell).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    };
    let why = "r1/u64Big: line 2: 18446744073709551616 does not fit: u64Big has 64 bits, 0 to 18446744073709551615";
    refused(5, 1, "18446744073709551616", why);
    refused(5, 2, "1.5", "r2/u64Big: line 4: expected an integer, found \"1.5\"");
    refused(5, 2, "1,000", "found \"1,000\"");
    refused(1, 2, "", "r2/fA: line 4: expected a number, found \"\"");
    refused(1, 2, "1E+39", "expected a number");
    refused(1, 2, "1E-60", "expected a number");
    refused(0, 2, "r1", "r1: line 4: the record occurs twice");
    refused(1, 0, "fC", "line 1: unknown column `fC`");
    refused(1, 0, "fB", "line 1: the column `fB` occurs twice");
    refused(0, 0, "name", "line 1: unknown column `name`");
    // Other encodings than UTF-8.
    let wide: Vec<u8> = "\u{feff}".encode_utf16().chain(sheet.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    assert_eq!(planned(&table, &wide).unwrap(), Changes::new());
    let error = refusal(&table, b"record,fA\nr1,0\xff\n");
    assert_eq!(error, "line 2: the text is not UTF-8; save the file with that encoding");
    assert!(planned(&table, b"").is_err());
    for start in ["", "record,fA\nr1"] {
        let wide = format!("{start}{}", ",".repeat(1 << 21));
        let error = refusal(&table, wide);
        assert!(error.contains("1048576"), "{error}");
    }
}

#[test]
fn names_of_records_survive_spreadsheets() {
    let file = |names: &[&str]| {
        let spec = TableSpec::new(Generation::G3, &["iA"]);
        build_table(&names.iter().fold(spec, |spec, name| spec.row(name, [CellSpec::Int(1)]))).bytes
    };
    let odd = file(&["0010", "1e3", "a", "zz"]);
    let table = Table::parse(&odd).unwrap();
    let changes = planned(&table, "record\tiA\n10\t1\n1000\t2\nzz\t1\na\t1\n\t\n").unwrap();
    assert_eq!(lines(&changes), [r#"{"set":"1e3/iA","from":1,"to":2}"#]);
    // A name that repeats is counted.
    let repeated = file(&["a", "a", "b"]);
    let table = Table::parse(&repeated).unwrap();
    let changes = planned(&table, "record,iA\na,1\na,2\nb,1\n").unwrap();
    assert_eq!(lines(&changes), [r#"{"set":"a#1/iA","from":1,"to":2}"#]);
    let error = refusal(&table, "record,iA\na,1\nb,1\n");
    assert_eq!(error, "a: 2 elements have this name; select one with #0 to #1");
}

#[test]
fn bits_that_no_field_owns_and_the_sheet() {
    let file = sample("items.wdb");
    let table = Table::parse(&file).unwrap();
    let bits = table.unowned_bits().next().unwrap();
    let name = String::from_utf8(bits.name().to_vec()).unwrap();
    let sheet = csv_of(&file);
    assert!(!sheet.contains(&name));
    let cell = |nth| [&*name, "", "1"].get(nth).copied().unwrap_or_default();
    let edited: String = sheet.lines().enumerate().map(|(nth, line)| format!("{line},{}\n", cell(nth))).collect();
    let changes = planned(&table, edited).unwrap();
    assert_eq!(lines(&changes), [format!(r#"{{"set":"apple_dried/{name}","from":0,"to":1}}"#)]);
    // The column of the sheet's name is the same in all rows.
    let file = sample("bestiary.wdb");
    let table = Table::parse(&file).unwrap();
    let name = String::from_utf8(table.sheet_name().unwrap().to_vec()).unwrap();
    let sheet = String::from_utf8(export(&table, CsvStyle::default(), true).unwrap()).unwrap();
    let edited = sheet.replacen(&format!("bell_jelly_b,{name},"), "bell_jelly_b,Other,", 1);
    let error = refusal(&table, edited);
    assert!(error.starts_with("bell_jelly_b: line 3: `sheet` cannot be edited"), "{error}");
    let added = sheet.replacen(&format!("bell_jelly_b,{name},"), "bell_jelly_new,,", 1);
    assert_eq!(planned(&table, added).unwrap().len(), 2);
}

#[test]
fn edited_objects_become_changes() {
    let file = sample("harbour.wwd");
    let unpacked = unpack(&file).unwrap();
    let level = Level::parse(&unpacked).unwrap();
    let mut sheet = Vec::new();
    level_csv::objects(&level, Encoding::WINDOWS_1250, &mut sheet).unwrap();
    let mut rows = cells(&sheet);
    let at = |name: &str| rows[0].iter().position(|column| column == name).unwrap();
    let [x, logic, logic_len, left, bottom, object, id, metadata] =
        ["x", "logic", "logic_len", "move_rect_left", "move_rect_bottom", "object", "id", "metadata"].map(at);
    let count = rows.len() - 1;
    rows[2][x] = "1.121E+03".to_owned();
    rows[2][logic] = "Skrzynia \u{105}".to_owned();
    rows[2][left] = "-7".to_owned();
    rows[2][bottom] = "9".to_owned();
    rows[3][metadata] = "0aff".to_owned();
    let mut new = rows[3].clone();
    (new[object], new[x]) = (String::new(), "5".to_owned());
    rows.push(new);
    rows.remove(4);
    rows.swap(1, 2);
    let write = |rows: &[Vec<String>]| {
        let mut out = ::csv::Writer::from_writer(Vec::new());
        rows.iter().for_each(|row| out.write_record(row).unwrap());
        out.into_inner().unwrap()
    };
    let options = Options::default().encoding(Encoding::WINDOWS_1250).remove_missing(true);
    let planned = objects(&level, &write(&rows), &options).unwrap();
    let old_ids = read(&file).unwrap().planes.into_iter().flat_map(|plane| plane.objects);
    let old_ids = old_ids.map(|object| match object.fields.iter().find(|(field, _)| *field == "id") {
        Some((_, Field::Int(id))) => *id,
        other => panic!("{other:?}"),
    });
    let free = old_ids.max().unwrap() + 1;
    let taken = format!("another object has the id 3, so the new one gets {free}");
    let removed = format!("1 of {count} objects is not in the source and is removed");
    assert_eq!(crate::messages(&planned), [taken, removed]);
    let changes = planned.complete().unwrap();
    let expected = [
        // The byte of the letter, as changes express it.
        "{\"set\":\"plane:Action/object:2/logic\",\"from\":\"TreasurePowerup\",\"to\":\"Skrzynia \u{b9}\"}",
        r#"{"set":"plane:Action/object:2/x","from":1120,"to":1121}"#,
        r#"{"set":"plane:Action/object:2/move_rect","from":[0,0,0,0],"to":[-7,0,0,9]}"#,
        r#"{"set":"plane:Action/object:3/metadata","from":{"bytes":""},"to":{"bytes":"0aff"}}"#,
        r#"{"remove":"plane:Action/object:4","was_after":"plane:Action/object:3","fields":{"name":"","logic":"TreasurePowerup",…"#,
        &format!(r#"{{"add":"plane:Action/object:{free}","fields":{{…"#),
    ];
    begin(&lines(&changes), &expected);
    let output = read(&wwd::apply(&file, &changes).unwrap().to_vec()).unwrap();
    let list = &output.planes[1].objects;
    assert_eq!((list.len(), &list[1].logic[..], &list[2].name[..]), (count, &b"Skrzynia \xb9"[..], &b"\0\x0a\xff"[..]));
    let of =
        |object: usize, name: &str| list[object].fields.iter().find(|(field, _)| *field == name).unwrap().1.clone();
    assert_eq!((of(1, "x"), of(1, "move_rect")), (Field::Int(1121), Field::Rect([-7, 0, 0, 9])));
    assert_eq!((of(count - 1, "id"), of(count - 1, "x")), (Field::Int(free), Field::Int(5)));
    let refused = |row: usize, column: usize, cell: &str, expected: &str| {
        let mut rows = rows.clone();
        rows[row][column] = cell.to_owned();
        let error = objects(&level, &write(&rows), &options).and_then(Planned::complete).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    };
    refused(
        5,
        x,
        "2147483648",
        "plane:Action/object:6/x: line 6: 2147483648 does not fit: x has 32 bits, -2147483648 to 2147483647",
    );
    refused(5, logic, "\u{4e00}", "line 6: \"\u{4e00}\" does not fit: a character is not in windows-1250");
    refused(5, 1, "Front", "`plane_name` cannot be edited: plane 1 is \"Action\", found \"Front\"");
    refused(5, 0, "9", "the level has no `plane` \"9\"; it has");
    refused(5, logic_len, "4", "line 6: `logic_len` cannot be edited: expected 15, found \"4\"");
    // A copy of a row, and a new one without an id, get the next free one.
    for (column, cell) in [(object, "1"), (id, "")] {
        let mut rows = rows.clone();
        rows[count][column] = cell.to_owned();
        let planned = objects(&level, &write(&rows), &options.remove_missing(false)).unwrap();
        let added = planned.changes.iter().filter(|change| matches!(change, Change::Add { .. })).map(Change::path);
        assert_eq!(added.map(|path| path.as_str()).next(), Some(&*format!("plane:Action/object:{free}")));
        assert!(!planned.changes.iter().any(|change| matches!(change, Change::Remove { .. })));
    }
}
