//! Objects go by one key everywhere: in paths, exports and edited exports, whatever numbers their rows have.

use serde_json::{Value as Json, json};
use worldview_corpus::wwd::build::build;
use worldview_corpus::wwd::generate::{Shape, level};
use worldview_corpus::wwd::naive::{int, read};
use worldview_corpus::wwd::spec::{LevelSpec, ObjectSpec};
use worldview_edit::{Change, Changes, Planned, Result, wwd};
use worldview_export::Encoding;
use worldview_export::level::csv as level_csv;
use worldview_import::csv::Options;
use worldview_import::{csv, json as import_json};
use worldview_wwd::{Level, Unpacked, unpack};

use crate::csv::{cells, lines};
use crate::documents::level_json;

/// The ids of the objects, most of which are row numbers of others, and their keys.
const OBJECTS: [(i32, &str); 8] =
    [(3, "3"), (5, "5#0"), (5, "5#1"), (1, "1"), (0, "0"), (2, "2"), (5, "5#2"), (900, "900")];

/// The same without repeated ids.
const UNIQUE: [(i32, &str); 4] = [(3, "3"), (2, "2"), (0, "0"), (1, "1")];

/// A level whose main plane has objects with these ids, each with its row number times 10 for x.
fn build_level(objects: &[(i32, &str)]) -> Vec<u8> {
    let mut spec: LevelSpec = level(1, &Shape::small());
    spec.planes.iter_mut().for_each(|plane| plane.objects.clear());
    let main = spec.planes.iter_mut().find(|plane| plane.flags & 1 != 0).unwrap();
    main.name = b"Action".to_vec();
    let object = |(row, (id, _)): (i32, &(i32, _))| ObjectSpec { id: *id, x: row * 10, ..ObjectSpec::default() };
    main.objects = (0..).zip(objects).map(object).collect();
    build(&spec).bytes
}

/// The x of each object, by the naive reader.
fn places(file: &[u8]) -> Vec<i64> {
    let level = read(file).unwrap();
    let main = level.planes.iter().find(|plane| !plane.objects.is_empty()).unwrap();
    main.objects.iter().map(|object| int(&object.fields, "x").unwrap()).collect()
}

/// The places of the objects if only that of the one in a row is 7.
fn with_seven(count: usize, row: usize) -> Vec<i64> {
    (0..).zip(0..count).map(|(number, other)| if other == row { 7 } else { number * 10 }).collect()
}

fn with<T>(file: &[u8], then: impl FnOnce(&Unpacked<'_>, &Level<'_>) -> T) -> T {
    let unpacked = unpack(file).unwrap();
    then(&unpacked, &Level::parse(&unpacked).unwrap())
}

/// `objects.csv` as rows of cells.
fn sheet(file: &[u8]) -> Vec<Vec<String>> {
    let mut csv = Vec::new();
    with(file, |_, level| level_csv::objects(level, Encoding::default(), &mut csv)).unwrap();
    cells(&csv)
}

fn column(rows: &[Vec<String>], name: &str) -> usize {
    rows[0].iter().position(|column| column == name).unwrap()
}

fn import_sheet(file: &[u8], rows: &[Vec<String>]) -> Result<Changes> {
    let mut out = ::csv::Writer::from_writer(Vec::new());
    rows.iter().for_each(|row| out.write_record(row).unwrap());
    let sheet = out.into_inner().unwrap();
    with(file, |_, level| csv::objects(level, &sheet, &Options::default())).and_then(Planned::complete)
}

/// `level.json`, and the lines of `objects.ndjson`.
fn documents(file: &[u8]) -> (Json, Vec<Json>) {
    let [whole, lines, _] = with(file, |file, level| level_json(file, level, Encoding::default())).unwrap();
    let lines = lines.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
    (serde_json::from_slice(&whole).unwrap(), lines.map(|line| serde_json::from_slice(line).unwrap()).collect())
}

fn import_document(file: &[u8], document: &Json) -> Result<Changes> {
    let text = document.to_string().into_bytes();
    with(file, |file, level| import_json::level(file, level, &text, Encoding::default())).and_then(Planned::complete)
}

fn import_lines(file: &[u8], lines: &[Json]) -> Result<Changes> {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    with(file, |_, level| import_json::objects(level, text.as_bytes(), Encoding::default(), true))
        .and_then(Planned::complete)
}

/// The objects of the main plane in `level.json`.
fn objects(document: &mut Json) -> &mut Vec<Json> {
    let planes = document["planes"].as_array_mut().unwrap();
    let main = planes.iter_mut().find(|plane| plane["name"] == "Action").unwrap();
    main["objects"].as_array_mut().unwrap()
}

fn apply(file: &[u8], changes: &Changes) -> Vec<u8> {
    wwd::apply(file, changes).unwrap().to_vec()
}

#[test]
fn an_export_names_what_set_takes_and_its_edits_reach_the_same_object() {
    for list in [&OBJECTS[..], &UNIQUE] {
        let file = build_level(list);
        let rows = sheet(&file);
        let [object, x, plane] = ["object", "x", "plane_name"].map(|name| column(&rows, name));
        let (document, lines) = documents(&file);
        assert_eq!(import_sheet(&file, &rows).unwrap(), Changes::new());
        for (row, (_, key)) in list.iter().enumerate() {
            assert_eq!(rows[row + 1][object], *key);
            assert_eq!(lines[row]["object"], json!(key));
            assert_eq!(objects(&mut document.clone())[row]["object"], json!(key));
            let expected = with_seven(list.len(), row);
            let path = format!("plane:{}/object:{}/x", rows[row + 1][plane], rows[row + 1][object]);
            let set = [Change::set(path.parse().unwrap(), 7)].into_iter().collect();
            assert_eq!(places(&apply(&file, &set)), expected, "{path}");
            let mut edited = rows.clone();
            edited[row + 1][x] = "7".to_owned();
            assert_eq!(places(&apply(&file, &import_sheet(&file, &edited).unwrap())), expected, "{key}");
            edited[1..].reverse();
            assert_eq!(places(&apply(&file, &import_sheet(&file, &edited).unwrap())), expected, "{key}");
            let mut edited = lines.clone();
            edited[row]["x"] = json!(7);
            assert_eq!(places(&apply(&file, &import_lines(&file, &edited).unwrap())), expected, "{key}");
            let mut edited = document.clone();
            objects(&mut edited)[row]["x"] = json!(7);
            assert_eq!(places(&apply(&file, &import_document(&file, &edited).unwrap())), expected, "{key}");
        }
    }
}

#[test]
fn an_object_that_is_none_or_several_is_refused() {
    let file = build_level(&OBJECTS);
    let mut rows = sheet(&file);
    let object = column(&rows, "object");
    let (_, mut lines) = documents(&file);
    for (key, expected) in [
        ("5", "3 objects have this key; select one with #0 to #2"),
        ("5#3", "the plane has no object 5#3"),
        ("4", "the plane has no object 4"),
        ("5#x", "expected the key of an object, as in paths, found \"5#x\""),
    ] {
        rows[3][object] = key.to_owned();
        lines[2]["object"] = json!(key);
        for error in [import_sheet(&file, &rows).unwrap_err(), import_lines(&file, &lines).unwrap_err()] {
            assert!(error.to_string().contains(expected), "{error}");
        }
    }
}

#[test]
fn a_spreadsheet_may_take_keys_for_numbers() {
    let file = build_level(&OBJECTS);
    let mut rows = sheet(&file);
    let object = column(&rows, "object");
    rows[1][object] = "3.0".to_owned();
    rows[8][object] = "9E+02".to_owned();
    assert_eq!(import_sheet(&file, &rows).unwrap(), Changes::new());
}

#[test]
fn an_id_is_edited_in_a_sheet() {
    let file = build_level(&UNIQUE);
    let mut rows = sheet(&file);
    let id = column(&rows, "id");
    rows[2][id] = "77".to_owned();
    let changes = import_sheet(&file, &rows).unwrap();
    assert_eq!(lines(&changes), [r#"{"set":"plane:Action/object:2/id","from":2,"to":77}"#]);
}

/// Some tools take texts of digits for numbers. Those are no row numbers, and are not read as such.
#[test]
fn keys_that_became_numbers_are_refused() {
    let file = build_level(&UNIQUE);
    let (_, mut lines) = documents(&file);
    for line in &mut lines {
        line["object"] = line["id"].clone();
    }
    let error = import_lines(&file, &lines).unwrap_err().to_string();
    let expected = format!("expected the key of an object, as in paths, found {}", lines[0]["id"]);
    assert!(error.contains(&expected), "{error}");
}
