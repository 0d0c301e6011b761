//! Tables in any order.

use std::cmp::{Ordering, Reverse};
use std::collections::BTreeMap;

use serde_json::{Value, json};
use worldview_corpus::ff13::build::build_table;
use worldview_corpus::ff13::spec::{CellSpec, Generation, TableSpec};

use worldview_verbs::options::{TextOptions, ViewOptions};

use crate::client::Viewer;
use crate::support::{Folder, encoded};

/// A record of the table of these tests.
#[derive(Clone)]
struct Record {
    name: String,
    price: u32,
    bonus: i32,
    weight: f32,
    text: String,
    area: String,
}

const FIELDS: [&str; 6] = ["uPrice", "i9Bonus", "fWeight", "sText", "s7Area", "u3Rank"];

/// Records whose values repeat, so that the order of equal ones shows.
fn records() -> Vec<Record> {
    let record = |index: u32| {
        let mixed = index.wrapping_mul(2_654_435_761);
        Record {
            name: format!("rec_{index:05}"),
            price: mixed % 86 * 50_000_000,
            bonus: (mixed >> 8 & 0x1FF) as i32 - 256,
            weight: match index % 50 {
                7 => f32::NAN,
                8 => -0.0,
                9 => f32::NEG_INFINITY,
                _ => ((mixed >> 16) as f32 - 32_768.0) / 8.0,
            },
            text: ["", "Potion", "HI-POTION", "Äther", "elixir of gold", "antidote"][(mixed >> 5) as usize % 6]
                .to_owned(),
            area: ["harbor", "cellar", "garden"][(mixed >> 11) as usize % 3].to_owned(),
        }
    };
    (0..1000).map(record).collect()
}

fn table(records: &[Record]) -> Vec<u8> {
    let mut spec = TableSpec::new(Generation::G3, &FIELDS);
    for Record { name, price, bonus, weight, text, area } in records {
        let cells: [CellSpec; 6] = [
            i64::from(*price).into(),
            i64::from(*bonus).into(),
            (*weight).into(),
            text.as_str().into(),
            area.as_str().into(),
            1.into(),
        ];
        spec = spec.row(name, cells);
    }
    build_table(&spec).bytes
}

struct Open {
    viewer: Viewer,
    at: String,
    bytes: Vec<u8>,
    _folder: Folder,
}

impl Open {
    fn new(bytes: Vec<u8>) -> Self {
        let folder = Folder::new();
        folder.write("a table.wdb", &bytes);
        let at = encoded(&format!("{}/a%20table.wdb", folder.at()));
        Self { viewer: Viewer::open([folder.path()]), at, bytes, _folder: folder }
    }

    fn ask(&self, endpoint: &str, query: &str) -> Value {
        self.viewer.json(&format!("/api/{endpoint}?at={}&{query}", self.at))
    }

    /// Returns the names of the rows of a question, all of them.
    fn names(&self, query: &str) -> Vec<String> {
        let mut names = Vec::new();
        loop {
            let page = self.ask("table/rows", &format!("{query}&from={}&count=300", names.len()));
            let rows = page["rows"].as_array().unwrap();
            names.extend(rows.iter().map(|row| row["cells"][0].as_str().unwrap().to_owned()));
            if names.len() == page["total"].as_u64().unwrap() as usize {
                return names;
            }
            assert!(!rows.is_empty());
        }
    }
}

#[test]
fn columns_say_what_they_hold() {
    let open = Open::new(table(&records()));
    let document = open.ask("table", "");
    assert_eq!((&document["name"], &document["records"]), (&json!("a table.wdb"), &json!(1000)));
    let columns: Vec<_> = document["columns"].as_array().unwrap().iter().collect();
    let told: Vec<_> = columns
        .iter()
        .map(|column| [&column["name"], &column["type"], &column["bits"]].map(|value| value.as_str().unwrap()))
        .collect();
    assert_eq!(
        told,
        [
            ["record", "name", "entry"],
            ["uPrice", "u32", "word 0"],
            ["i9Bonus", "i32", "word 1, bits 0–8"],
            ["fWeight", "f32", "word 2"],
            ["sText", "string", "word 3"],
            ["s7Area", "string", "word 4, bits 0–6"],
            ["u3Rank", "u32", "word 4, bits 7–9"],
        ]
    );
    assert!(columns.iter().all(|column| column["sortable"] == json!(true) && column.get("link").is_none()));
}

#[test]
fn cells_are_the_values_of_the_table() {
    let records = records();
    let open = Open::new(table(&records));
    let page = open.ask("table/rows", "from=995&count=100");
    assert_eq!((&page["total"], &page["from"]), (&json!(1000), &json!(995)));
    let rows = page["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 5);
    for (row, (index, record)) in rows.iter().zip(records.iter().enumerate().skip(995)) {
        let Record { name, price, bonus, weight, text, area } = record;
        let weight = if *weight == weight.trunc() { format!("{weight}.0") } else { weight.to_string() };
        let cells = json!([name, price.to_string(), bonus.to_string(), weight, text, area, "1"]);
        assert_eq!(row, &json!({"index": index, "path": name, "cells": cells}));
    }
}

#[test]
fn rows_are_sorted_by_value_and_then_as_in_the_file() {
    let records = records();
    let open = Open::new(table(&records));
    type Compare = fn(&Record, &Record) -> Ordering;
    let orders: [(usize, Compare); 6] = [
        (0, |one, other| one.name.cmp(&other.name)),
        (1, |one, other| one.price.cmp(&other.price)),
        (2, |one, other| one.bonus.cmp(&other.bonus)),
        (3, |one, other| one.weight.partial_cmp(&other.weight).unwrap_or(Ordering::Equal)),
        (4, |one, other| one.text.as_bytes().cmp(other.text.as_bytes())),
        (5, |one, other| one.area.cmp(&other.area)),
    ];
    for (column, compare) in orders {
        for is_descending in [false, true] {
            // What is not a number is last in both directions.
            let (mut sorted, odd): (Vec<_>, Vec<_>) =
                records.iter().partition(|record| column != 3 || !record.weight.is_nan());
            sorted.sort_by(|one, other| if is_descending { compare(other, one) } else { compare(one, other) });
            sorted.extend(odd);
            let expected: Vec<_> = sorted.iter().map(|record| record.name.clone()).collect();
            let sort = format!("sort={}{column}", if is_descending { "-" } else { "" });
            let found = open.names(&sort);
            assert_eq!(found, expected, "column {column}, descending: {is_descending}");
            let last = expected.last().unwrap();
            let place = open.ask("table/find", &format!("path={last}&{sort}"));
            assert_eq!(place, json!({"row": 999, "column": 0}));
        }
    }
}

#[test]
fn rows_are_sorted_by_several_columns() {
    let records = records();
    let open = Open::new(table(&records));
    let mut sorted: Vec<_> = records.iter().collect();
    sorted.sort_by(|one, other| other.area.cmp(&one.area).then(one.bonus.cmp(&other.bonus)));
    let expected: Vec<_> = sorted.iter().map(|record| record.name.clone()).collect();
    assert_eq!(open.names("sort=-5,2"), expected);
    let reply = open.viewer.get(&format!("/api/table/rows?at={}&sort=0,1,2,3,4,5,0,1,2", open.at));
    assert!(reply.error().contains("more than 8 columns"));
}

#[test]
fn values_of_a_column_are_counted() {
    let records = records();
    let open = Open::new(table(&records));
    let mut counts = BTreeMap::<&str, usize>::new();
    records.iter().filter(|record| record.bonus > 0).for_each(|record| *counts.entry(&record.area).or_default() += 1);
    let mut expected: Vec<_> = counts.into_iter().collect();
    expected.sort_by_key(|&(_, count)| Reverse(count));
    let found = open.ask("table/values", &format!("column=5&f.2={}", encoded(">0")));
    assert_eq!(found, json!({"total": expected.len(), "values": expected}));
}

#[test]
fn filters_select_what_they_say() {
    let records = records();
    let open = Open::new(table(&records));
    let check = |query: &[(&str, &str)], is_wanted: &dyn Fn(&Record) -> bool| {
        let expected: Vec<_> =
            records.iter().filter(|record| is_wanted(record)).map(|record| record.name.clone()).collect();
        let query: Vec<_> = query.iter().map(|(name, value)| format!("{name}={}", encoded(value))).collect();
        assert_eq!(open.names(&query.join("&")), expected, "{query:?}");
    };
    check(&[("f.1", "=50000000")], &|record| record.price == 50_000_000);
    check(&[("f.1", "!=50000000")], &|record| record.price != 50_000_000);
    check(&[("f.1", "> 4.2e9")], &|record| record.price > 4_200_000_000);
    check(&[("f.1", "100000000..150000000.5")], &|record| (100_000_000..=150_000_000).contains(&record.price));
    check(&[("f.1", "75")], &|record| record.price.to_string().contains("75"));
    check(&[("f.1", "1*5????????")], &|record| {
        let text = record.price.to_string();
        text.starts_with('1') && text.len() > 9 && text.as_bytes()[text.len() - 9] == b'5'
    });
    check(&[("f.2", "<=-0.5")], &|record| record.bonus < 0);
    check(&[("f.2", "<0.5"), ("f.3", ">=0")], &|record| record.bonus <= 0 && record.weight >= 0.0);
    check(&[("f.2", "=1.5")], &|_| false);
    check(&[("f.3", "=0")], &|record| record.weight == 0.0);
    check(&[("f.3", "nan")], &|record| record.weight.is_nan());
    check(&[("f.3", "-INF")], &|record| record.weight == f32::NEG_INFINITY);
    check(&[("f.3", "<-4000.125")], &|record| record.weight < -4000.125);
    check(&[("f.4", "potion")], &|record| record.text.to_lowercase().contains("potion"));
    check(&[("f.4", "po*")], &|record| record.text == "Potion");
    check(&[("f.4", "=äther")], &|record| record.text == "Äther");
    check(&[("f.4", "!=ANTIDOTE"), ("f.5", "h")], &|record| record.text != "antidote" && record.area == "harbor");
    check(&[("f.4", "=")], &|record| record.text.is_empty());
    check(&[("f.0", ">rec_00990")], &|record| *record.name > *"rec_00990");
    check(&[("q", "GARD")], &|record| record.area == "garden");
    check(&[("q", "-251")], &|record| record.bonus == -251 || record.weight.to_string().contains("-251"));
    check(&[("q", "rec_0001")], &|record| record.name.starts_with("rec_0001"));
    check(&[("q", "gold"), ("f.5", "cellar")], &|record| record.text.contains("gold") && record.area == "cellar");
    check(&[("q", "no such text")], &|_| false);
    for (wrong, why) in [
        ("f.1=%3Eabc", "expected a number"),
        ("f.1=1..x", "two numbers"),
        ("f.99=1", "no column 99"),
        ("sort=99", "no column"),
    ] {
        let reply = open.viewer.get(&format!("/api/table/rows?at={}&{wrong}", open.at));
        assert_eq!(reply.status, 400);
        assert!(reply.error().contains(why), "{}", reply.error());
    }
}

#[test]
fn plots_get_numbers_in_the_order_of_the_file() {
    let records = records();
    let open = Open::new(table(&records));
    let numbers = |query: &str| -> Vec<u64> {
        let body = open.viewer.get(&format!("/api/table/column?at={}&{query}", open.at)).ok().body;
        body.chunks(8).map(|bytes| f64::from_le_bytes(bytes.try_into().unwrap()).to_bits()).collect()
    };
    let bits = |number: f64| number.to_bits();
    assert_eq!(numbers("column=2&sort=2"), records.iter().map(|record| bits(record.bonus.into())).collect::<Vec<_>>());
    let some = records.iter().filter(|record| record.area == "garden").map(|record| bits(record.price.into()));
    assert_eq!(numbers("column=1&f.5=garden"), some.collect::<Vec<_>>());
    assert_eq!(numbers("column=4&f.0=rec_00001"), [bits(f64::NAN)]);
}

#[test]
fn cells_say_where_they_are() {
    let records = records();
    let open = Open::new(table(&records));
    for index in [0, 500, 999] {
        let record = &records[index];
        let cell = |column: usize| open.ask("table/cell", &format!("row={index}&column={column}"));
        let bytes = |cell: &Value| {
            let at = cell["at"][0].as_u64().unwrap() as usize;
            assert_eq!(cell["at"][2], "file");
            open.bytes[at..][..cell["at"][1].as_u64().unwrap() as usize].to_vec()
        };
        let name = cell(0);
        assert_eq!(&name["path"], &json!(format!("{}/record", record.name)));
        assert_eq!(bytes(&name), record.name.clone().into_bytes());
        let price = cell(1);
        assert_eq!(&price["path"], &json!(format!("{}/uPrice", record.name)));
        assert_eq!(bytes(&price), record.price.to_be_bytes().to_vec());
        let weight = cell(3);
        assert_eq!(bytes(&weight), record.weight.to_be_bytes());
        let place = open.ask("table/find", &format!("path={}/fWeight", record.name));
        assert_eq!(place, json!({"row": index, "column": 3}));
    }
    let missing = open.viewer.get(&format!("/api/table/cell?at={}&row=1000&column=1", open.at));
    assert_eq!((missing.status, missing.error()), (404, "there is no such cell".to_owned()));
}

#[test]
fn equal_names_are_numbered() {
    let mut spec = TableSpec { keep_order: true, ..TableSpec::new(Generation::G3, &["uValue"]) };
    for (name, value) in [("b", 1), ("a", 2), ("b", 3), ("a/b", 4), ("b", 5)] {
        spec = spec.row(name, [CellSpec::Int(value)]);
    }
    let open = Open::new(build_table(&spec).bytes);
    let page = open.ask("table/rows", "sort=0");
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let rows = page["rows"].as_array().unwrap().iter().map(|row| (text(&row["path"]), text(&row["cells"][1])));
    let expected = [("a", "2"), (r"a\/b", "4"), ("b", "1"), ("b#1", "3"), ("b#2", "5")];
    assert!(rows.eq(expected.map(|(path, value)| (path.to_owned(), value.to_owned()))), "{page}");
    for (row, (path, _)) in expected.into_iter().enumerate() {
        assert_eq!(open.ask("table/find", &format!("path={}&sort=0", encoded(path)))["row"], json!(row), "{path}");
    }
    assert_eq!(open.ask("table/find", "path=b%233")["row"], Value::Null);
}

#[test]
fn bits_that_no_field_owns_are_a_column_if_they_are_set() {
    let spec = TableSpec::new(Generation::G3, &["u4Low", "iWhole"]);
    let spec = spec.raw_row("one", &[0, 0, 0, 7, 0, 0, 0, 1]).raw_row("two", &[0xA0, 0, 0, 3, 0, 0, 0, 2]);
    let open = Open::new(build_table(&spec).bytes);
    let column = &open.ask("table", "")["columns"][3];
    assert_eq!((&column["name"], &column["bits"]), (&json!("word0_bits4_31"), &json!("word 0, bits 4–31")));
    let page = open.ask("table/rows", "f.3=%3E0");
    assert_eq!(page["rows"][0]["cells"], json!(["two", "3", "2", (0xA000_0000_u32 >> 4).to_string()]));
    assert_eq!(page["total"], json!(1));
}

#[test]
fn words_are_columns_beside_their_keys() {
    let spec = TableSpec::new(Generation::G3, &["sName", "sHelp"]);
    let row = |key: &str| [CellSpec::from(key), CellSpec::from("plain")];
    let folder = Folder::new();
    folder.write("items.wdb", &build_table(&spec.row("ether", row("$ether")).row("potion", row("$potion"))).bytes);
    let file = Folder::new();
    let text = Some(file.write("words.txt", b"$potion |:| Potion\n$ether |:| Zinc\n$none |:| Potion\n"));
    let options = ViewOptions { words: TextOptions { text }, ..ViewOptions::default() };
    let viewer = Viewer::start([folder.path()], &options);
    let at = encoded(&format!("{}/items.wdb", folder.at()));
    let columns = viewer.json(&format!("/api/table?at={at}"))["columns"].take();
    let columns = columns.as_array().unwrap().iter().map(|column| (column["name"].clone(), column["type"].clone()));
    let expected = [("record", "name"), ("sName", "string"), ("sName.text", "words"), ("sHelp", "string")];
    assert_eq!(columns.collect::<Vec<_>>(), expected.map(|(name, kind)| (json!(name), json!(kind))));
    // Words are sorted, filtered and found as texts are.
    let page = viewer.json(&format!("/api/table/rows?at={at}&sort=2"));
    assert_eq!(page["rows"][0]["cells"], json!(["potion", "$potion", "Potion", "plain"]));
    let page = viewer.json(&format!("/api/table/rows?at={at}&f.2=zin"));
    assert_eq!((&page["total"], &page["rows"][0]["cells"][0]), (&json!(1), &json!("ether")));
    // Their place is that of the key.
    let cell = viewer.json(&format!("/api/table/cell?at={at}&row=1&column=2"));
    let key = viewer.json(&format!("/api/table/cell?at={at}&row=1&column=1"));
    assert_eq!((&cell["text"], &cell["path"], &cell["at"]), (&json!("Potion"), &json!("potion/sName"), &key["at"]));
    let found = viewer.lines("/api/find?q=potio");
    let hits: Vec<_> = found.iter().filter(|hit| hit["what"] == "string").collect();
    assert_eq!(hits.len(), 1, "{found:?}");
    assert_eq!((&hits[0]["path"], &hits[0]["words"]), (&json!("potion/sName"), &json!("Potion")));
}
