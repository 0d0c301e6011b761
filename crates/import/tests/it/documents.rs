//! Edited JSON documents and lines: what an editor changes in meaning becomes a change, and nothing else does.

use serde_json::{Value as Json, json};
use worldview_corpus::ff13::naive::{NaiveValue, table as naive};
use worldview_corpus::sample;
use worldview_corpus::wwd::naive::{NaiveValue as Field, read};
use worldview_edit::{Planned, Result, wpd, wwd};
use worldview_export::Encoding;
use worldview_import::json;
use worldview_inspect::json::{lines as write_lines, write};
use worldview_inspect::{Options, Root};
use worldview_wpd::Table;
use worldview_wwd::{Level, LevelDescription, Unpacked, unpack};

use crate::begin;
use crate::csv::lines;

pub(crate) fn table_json(table: &Table<'_>) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let root = Root::new("wdb", table.archive().source(), table);
    write(&root, &Options { full: true, ..Options::default() }, &mut out).ok()?;
    Some(out)
}

/// `level.json`, `objects.ndjson` and `attributes.ndjson`.
pub(crate) fn level_json(file: &Unpacked<'_>, level: &Level<'_>, encoding: Encoding) -> Option<[Vec<u8>; 3]> {
    let described = LevelDescription::new(file, level);
    let root = Root::new("wwd", level.image(), &described).besides(file.trailing().len() as u64);
    let options = Options { encoding, full: true, ..Options::default() };
    let [mut whole, mut objects, mut attributes] = [const { Vec::new() }; 3];
    write(&root, &options, &mut whole).ok()?;
    write_lines(&root, &["planes", "objects"], &options, &mut objects).ok()?;
    write_lines(&root, &["tile_attributes", "records"], &options, &mut attributes).ok()?;
    Some([whole, objects, attributes])
}

/// A document as another tool writes it: sorted members, indented, integers with a fraction of zero.
pub(crate) fn rewritten(json: &[u8]) -> Vec<u8> {
    fn walk(value: &mut Json) {
        match value {
            Json::Array(list) => list.iter_mut().for_each(walk),
            Json::Object(members) => {
                members.sort_keys();
                members.values_mut().for_each(walk);
            }
            Json::Number(number) if number.as_u64().is_some_and(|number| number > 9 && number < 1 << 20) => {
                *value = json!(number.as_f64());
            }
            _ => {}
        }
    }
    let mut document = serde_json::from_slice(json).unwrap();
    walk(&mut document);
    serde_json::to_vec_pretty(&document).unwrap()
}

/// Why a document is refused, with another value in a place.
fn refusal(document: &Json, pointer: &str, value: Json, plan: impl Fn(&[u8]) -> Result<Planned>) -> String {
    let mut edited = document.clone();
    *edited.pointer_mut(pointer).unwrap() = value;
    plan(edited.to_string().as_bytes()).and_then(Planned::complete).unwrap_err().to_string()
}

#[test]
fn edited_records_become_changes() {
    let file = sample("items.wdb");
    let table = Table::parse(&file).unwrap();
    let document: Json = serde_json::from_slice(&table_json(&table).unwrap()).unwrap();
    let mut edited = document.clone();
    let records = edited["records"].as_array_mut().unwrap();
    assert_eq!(records[1]["record"], "apple_dried");
    records[1]["uPurchasePrice"] = json!(1.2e1);
    records[1]["sScriptId"] = json!("\u{304b}\n");
    records[1].as_object_mut().unwrap().remove("uSellPrice");
    let mut new = records[1].clone();
    new["record"] = json!("apple_new");
    records.remove(0);
    records.push(new);
    edited.as_object_mut().unwrap().remove("sections");
    let changes = json::table(&table, edited.to_string().as_bytes(), true).and_then(Planned::complete).unwrap();
    let expected = [
        r#"{"set":"apple_dried/sScriptId","from":"eat_one","to":"か\n"}"#,
        r#"{"set":"apple_dried/uPurchasePrice","from":6,"to":12}"#,
        r#"{"add":"apple_new","fields":{…"#,
        r#"{"remove":"anchor_pin","fields":{…"#,
    ];
    begin(&lines(&changes), &expected);
    assert!(lines(&changes)[2].contains(r#""uPurchasePrice":12"#), "{changes:?}");
    let output = naive(&wpd::apply(&file, &changes).unwrap().to_vec(), None).unwrap();
    let row = |name: &[u8]| output.rows.iter().find(|row| row.name == name).unwrap().values.clone();
    assert_eq!(row(b"apple_dried")[3], NaiveValue::U32(12));
    assert_eq!(row(b"apple_new")[2], NaiveValue::Text(Some("か\n".as_bytes().to_vec())));
    let refused = |pointer: &str, value: Json, expected: &str| {
        let error = refusal(&document, pointer, value, |json| json::table(&table, json, true));
        assert!(error.contains(expected), "{pointer}: {error}");
    };
    let why = "apple_dried/uPurchasePrice: -1 does not fit: uPurchasePrice has 32 bits, 0 to 4294967295";
    refused("/records/1/uPurchasePrice", json!(-1), why);
    refused("/records/1/uPurchasePrice", json!("1"), "apple_dried/uPurchasePrice: expected an integer, found \"1\"");
    refused("/records/1/sScriptId", json!(1), "apple_dried/sScriptId: expected text, found 1");
    refused("/records/1/at", json!(1), "apple_dried/at: `at` cannot be edited: expected");
    refused("/records/1/record", json!("anchor_pin"), "anchor_pin: the record occurs twice");
    refused("/record_count", json!(1), "`record_count` cannot be edited");
    refused("/fields", json!([]), "the number of fields cannot change: expected 21, found 0");
    refused("/format", json!("wwd"), "expected the format \"wdb\", found \"wwd\"");
    let lines = |text: &[u8]| json::records(&table, text, true).and_then(Planned::complete).unwrap_err().to_string();
    let error = lines(b"{\"record\":\"apple_dried\",\n");
    assert!(error.starts_with("line 1: "), "{error}");
    let error = lines(b"\n{\"record\":\"apple_dried\",\"x\":1}");
    assert_eq!(error, "apple_dried/x: line 2: unknown member `x`");
}

#[test]
fn edited_levels_become_changes() {
    let file = sample("cellar.wwd");
    let unpacked = unpack(&file).unwrap();
    let level = Level::parse(&unpacked).unwrap();
    let [whole, objects, _] = level_json(&unpacked, &level, Encoding::WINDOWS_1252).unwrap();
    let document: Json = serde_json::from_slice(&whole).unwrap();
    let plane = level.planes().iter().position(|plane| plane.objects().count() > 2).unwrap();
    let name = String::from_utf8(level.planes()[plane].name().to_vec()).unwrap();
    let mut edited = document.clone();
    edited["header"]["author"] = json!("J\u{fc}rgen");
    let part = &mut edited["planes"][plane];
    part["fill_color"] = json!(7);
    part["tiles"][2][3] = json!(5);
    let high = part["tiles_high"].as_i64().unwrap();
    part["tiles_high"] = json!(high + 1);
    let wide = part["tiles_wide"].as_u64().unwrap() as usize;
    let mut row = vec![json!(u32::MAX); wide];
    row[1] = json!(9);
    part["tiles"].as_array_mut().unwrap().push(json!(row));
    part["image_sets"].as_array_mut().unwrap().push(json!("MORE"));
    let list = part["objects"].as_array_mut().unwrap();
    list[0]["x"] = json!(77);
    list[0]["name"] = json!("lamp");
    list[0]["clip_rect"] = json!([1, 2, 3, 4]);
    let id = list[0]["id"].as_i64().unwrap();
    let mut new = list[1].clone();
    new.as_object_mut().unwrap().remove("object");
    let removed = list.remove(2);
    list.push(new);
    edited["tile_attributes"]["records"][0]["attribute"] = json!(3);
    let plan = |json: &[u8]| json::level(&unpacked, &level, json, Encoding::WINDOWS_1252);
    let changes = plan(edited.to_string().as_bytes()).and_then(Planned::complete).unwrap();
    let found = lines(&changes);
    let old = |pointer: &str| document.pointer(pointer).unwrap().to_string();
    let place = format!("/planes/{plane}");
    let own = format!("plane:{name}");
    let expected = [
        format!(r#"{{"set":"header/author","from":{},"to":"Jürgen"}}"#, old("/header/author")),
        format!(r#"{{"set":"{own}/tiles_high","from":{high},"to":{}}}"#, high + 1),
        format!(r#"{{"set":"{own}/fill_color","from":{},"to":7}}"#, old(&format!("{place}/fill_color"))),
        format!(r#"{{"set":"{own}/tile:3,2","from":{},"to":5}}"#, old(&format!("{place}/tiles/2/3"))),
        format!(r#"{{"set":"{own}/tile:1,{high}","from":4294967295,"to":9}}"#),
        r#"{"set":"tile_attributes/frame#0/attribute","from":0,"to":3}"#.to_owned(),
        format!(r#"{{"add":"{own}/image_set#"#),
        format!(r#"{{"set":"{own}/object:{id}/name","from":"","to":"lamp"}}"#),
        format!(r#"{{"set":"{own}/object:{id}/x","#),
        format!(r#"{{"set":"{own}/object:{id}/clip_rect","#),
        format!(r#"{{"remove":"{own}/object:{}","#, removed["id"]),
        format!(r#"{{"add":"{own}/object:"#),
    ];
    for expected in &expected {
        assert_eq!(found.iter().filter(|line| line.starts_with(expected)).count(), 1, "{expected}\n{found:#?}");
    }
    assert_eq!(found.len(), expected.len(), "{found:#?}");
    let output = read(&wwd::apply(&file, &changes).unwrap().to_vec()).unwrap();
    let author = output.header.iter().find(|(name, _)| *name == "author").unwrap().1.clone();
    assert!(matches!(author, Field::Text(bytes) if bytes.starts_with(b"J\xfcrgen\0")));
    assert_eq!(output.planes[plane].tiles[wide * high as usize + 1], 9);
    // What is behind the NUL stays.
    assert!(output.planes[plane].objects[0].name.starts_with(b"lamp\0"));
    assert_eq!(output.planes[plane].image_sets.last().unwrap(), b"MORE");

    let refused = |pointer: &str, value: Json, expected: &str| {
        let error = refusal(&document, pointer, value, plan);
        assert!(error.contains(expected), "{pointer}: {error}");
    };
    refused("/planes", json!([]), "the number of planes cannot change");
    let why = format!("plane:{name}/tiles: expected {high} rows of {wide} tiles");
    refused(&format!("{place}/tiles"), json!([[1]]), &why);
    refused(&format!("{place}/image_sets"), json!([]), "tiles refer to image sets by number");
    let why = format!("plane:{name}/object:{id}/x: 2147483648 does not fit");
    refused(&format!("{place}/objects/0/x"), json!(1_u64 << 31), &why);
    refused(&format!("{place}/objects/0/logic_len"), json!(99), "`logic_len` cannot be edited: expected");
    let why = "header/author: \"\u{4e00}\" does not fit: a character is not in windows-1252";
    refused("/header/author", json!("\u{4e00}"), why);
    refused("/tile_attributes/count", json!(1), "tile_attributes/count: `count` cannot be edited");
    refused("/image_length", json!(1), "`image_length` cannot be edited");
    // A copy of an object is another one, which gets the next free id; a document has the whole level.
    let mut copied = document.clone();
    *copied.pointer_mut(&format!("{place}/objects/1/object")).unwrap() = json!(id.to_string());
    *copied.pointer_mut(&format!("{place}/objects/1/id")).unwrap() = json!(id);
    let planned = plan(copied.to_string().as_bytes()).unwrap();
    let codes: Vec<_> = planned.account.entries().map(|entry| entry.code.name).collect();
    assert_eq!(codes, ["free-id", "removed"]);
    let edited = String::from_utf8(objects).unwrap().replacen("\"object\":", "\"wrong\":1,\"object\":", 1);
    let planned = json::objects(&level, edited.as_bytes(), Encoding::WINDOWS_1252, true);
    let error = planned.and_then(Planned::complete).unwrap_err().to_string();
    assert!(error.contains("line 1: unknown member `wrong`"), "{error}");
}
