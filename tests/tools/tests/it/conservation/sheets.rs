//! Edits of sheets and JSON.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use worldview::wpd::Table;
use worldview::wwd::{Level, LevelDescription, Unpacked, unpack};
use worldview_corpus::sample;
use worldview_corpus::trial::rounds;
use worldview_edit::account::Entry;
use worldview_edit::{Changes, Planned, Result, wpd, wwd};
use worldview_export::Encoding;
use worldview_export::csv::{CsvStyle, CsvWriter};
use worldview_export::level::csv as level_csv;
use worldview_export::table::{Selection, csv as table_csv};
use worldview_import::{csv, json as json_import};
use worldview_inspect::json::{lines, write};
use worldview_inspect::{Options, Root};

/// Single changes that are made in each export, without `ROUNDS`.
const EDITS: u64 = 150;

pub(super) type Plan = fn(&[u8], &[u8]) -> Result<Planned>;

fn table(file: &[u8]) -> Table<'_> {
    Table::parse(file).unwrap()
}

fn level<T>(file: &[u8], then: impl FnOnce(&Unpacked<'_>, &Level<'_>) -> T) -> T {
    let image = unpack(file).unwrap();
    then(&image, &Level::parse(&image).unwrap())
}

fn apply(file: &[u8], changes: &Changes) -> Result<Vec<u8>> {
    let is_table = file.starts_with(b"WPD\0");
    Ok(if is_table { wpd::apply(file, changes)?.to_vec() } else { wwd::apply(file, changes)?.to_vec() })
}

/// A sheet of a sample: a name, the file, its export, the planner, and the columns that name a row.
pub(super) type Sheet = (&'static str, Vec<u8>, fn(&[u8]) -> Vec<u8>, Plan, &'static [&'static str]);

pub(super) fn sheets() -> Vec<Sheet> {
    fn written(fill: impl FnOnce(&mut CsvWriter<&mut Vec<u8>>) -> worldview_export::Result<()>) -> Vec<u8> {
        let mut out = Vec::new();
        CsvStyle::default().write(&mut out, fill).unwrap();
        out
    }
    let records: fn(&[u8]) -> Vec<u8> = |file| written(|out| table_csv::records(&table(file), &Selection::ALL, out));
    let plan_records: Plan = |file, sheet| csv::records(&table(file), sheet, &csv::Options::default());
    vec![
        ("items", sample("items.wdb"), records, plan_records, &["record"]),
        ("bestiary", sample("bestiary.wdb"), records, plan_records, &["record"]),
        (
            "objects",
            sample("garden.wwd"),
            |file| level(file, |_, level| written(|out| level_csv::objects(level, Encoding::default(), out))),
            |file, sheet| level(file, |_, level| csv::objects(level, sheet, &csv::Options::default())),
            &["plane", "object"],
        ),
        (
            "attributes",
            sample("cellar.wwd"),
            |file| level(file, |_, level| written(|out| level_csv::attributes(level, out))),
            |file, sheet| level(file, |_, level| csv::attributes(level, sheet, &csv::Options::default())),
            &["frame"],
        ),
    ]
}

pub(super) fn rows(sheet: &[u8]) -> Vec<Vec<String>> {
    let mut reader = ::csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(sheet);
    reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
}

pub(super) fn sheet(rows: &[Vec<String>]) -> Vec<u8> {
    let mut out = ::csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
    rows.iter().for_each(|row| out.write_record(row).unwrap());
    out.into_inner().unwrap()
}

/// What is edited in a sheet.
#[derive(Clone, Copy, Debug)]
enum Edit {
    /// The cell says something else.
    Cell,
    Emptied,
    RowRemoved,
    RowTwice,
    RowsSwapped,
    ColumnRemoved,
    ColumnRenamed,
}

/// Something else than a cell says.
fn other(cell: &str) -> String {
    match cell.parse::<i64>() {
        Ok(number) => number.wrapping_add(1).to_string(),
        Err(_) => match cell.parse::<f32>() {
            Ok(number) => (number + 0.5).to_string(),
            Err(_) => format!("{cell}x"),
        },
    }
}

/// Whether an account names a row: by its line, or by what it is called.
fn is_named(planned: &Planned, line: u64, key: &str) -> bool {
    planned.account.entries().any(|entry| {
        let is_key = |text: &String| text == key;
        entry.place.row == Some(line) || entry.keys.iter().any(is_key) || entry.path.as_str().contains(key)
    })
}

#[test]
fn of_a_sheet_every_single_edit_arrives_or_is_named() {
    for (name, file, export, plan, keys) in sheets() {
        let before = export(&file);
        let unedited = plan(&file, &before).unwrap();
        assert!(unedited.changes.is_empty() && unedited.account.entries().len() == 0, "{name}: {unedited:?}");
        let old = rows(&before);
        let key =
            |row: &[String]| row[old[0].iter().position(|column| column == keys[keys.len() - 1]).unwrap()].clone();
        let kinds = [Edit::Cell, Edit::Emptied, Edit::RowRemoved, Edit::RowTwice, Edit::RowsSwapped];
        let cells = (1..old.len()).flat_map(|row| (0..old[0].len()).map(move |column| (row, column)));
        let mut edits: Vec<_> = cells.flat_map(|place| kinds.map(|edit| (edit, place))).collect();
        let columns = (0..old[0].len())
            .flat_map(|column| [Edit::ColumnRemoved, Edit::ColumnRenamed].map(|edit| (edit, (1, column))));
        edits.extend(columns);
        let stride = (edits.len() as u64 / rounds(EDITS)).max(1) as usize;
        // Not a divisor of the number of columns, so that all of them are edited.
        for (edit, (row, column)) in edits.into_iter().step_by(stride | 1) {
            let mut new = old.clone();
            let what =
                format!("{name}, {edit:?}: row {row}, column {:?}, which says {:?}", old[0][column], old[row][column]);
            match edit {
                Edit::Cell => new[row][column] = other(&old[row][column]),
                Edit::Emptied if old[row][column].is_empty() => continue,
                Edit::Emptied => new[row][column].clear(),
                Edit::RowRemoved => drop(new.remove(row)),
                Edit::RowTwice => new.insert(row, old[row].clone()),
                Edit::RowsSwapped if row + 1 == old.len() => continue,
                Edit::RowsSwapped => new.swap(row, row + 1),
                Edit::ColumnRemoved => new.iter_mut().for_each(|row| drop(row.remove(column))),
                Edit::ColumnRenamed => new[0][column].push('x'),
            }
            let planned = match plan(&file, &sheet(&new)) {
                Ok(planned) => planned,
                Err(error) => {
                    let is_column = matches!(edit, Edit::ColumnRemoved | Edit::ColumnRenamed);
                    assert!(is_column && error.to_string().contains(&old[0][column]), "{what}: {error}");
                    continue;
                }
            };
            let is_named = is_named(&planned, row as u64 + 1, &key(&old[row]))
                || is_named(&planned, row as u64 + 2, &key(&old[row]));
            let after = match apply(&file, &planned.changes) {
                Ok(after) => rows(&export(&after)),
                // What the file cannot hold is named by its path.
                Err(error) => {
                    let is_named = error.path.as_str().contains(&key(&old[row]));
                    assert!(is_named || error.to_string().len() > 10, "{what}: {error}");
                    continue;
                }
            };
            match edit {
                Edit::Cell | Edit::Emptied if planned.changes.is_empty() => assert!(is_named, "{what}: {planned:?}"),
                Edit::Cell | Edit::Emptied => {
                    // A record or object under another name is another one, and the old one stays.
                    if keys.contains(&old[0][column].as_str()) {
                        // Under the name of another one, one of the two is refused.
                        let is_new = after.len() == old.len() + 1 || planned.account.refused() > 0;
                        assert!(is_named && is_new, "{what}: {planned:?}");
                        continue;
                    }
                    let places = old.iter().zip(&after).enumerate();
                    let differs = places.flat_map(|(at, (old, after))| {
                        let columns = old.iter().zip(after).enumerate();
                        columns.filter(|(_, (old, after))| old != after).map(move |(column, _)| (at, column))
                    });
                    // Lengths follow from texts, and what a tile attribute has from its kind.
                    let follows = |column: usize| {
                        old[0][column].ends_with("_len") || old[0][1] == "kind" && after[0].len() > column
                    };
                    let mut is_there = false;
                    for (at, other) in differs {
                        // Keys of other objects have a number once they repeat.
                        if old[0][column] == "id" && old[0][other] == "object" {
                            continue;
                        }
                        assert_eq!(at, row, "{what}: another row differs");
                        is_there |= other == column;
                        assert!(other == column || follows(other), "{what}: {:?} differs", old[0][other]);
                    }
                    assert!(is_there && after.len() == old.len(), "{what}: the edit did not arrive");
                }
                Edit::RowRemoved => assert!(planned.changes.is_empty() && is_named, "{what}: {planned:?}"),
                Edit::RowTwice if planned.changes.is_empty() => assert!(is_named, "{what}: {planned:?}"),
                Edit::RowTwice => {
                    assert!(after.len() == old.len() + 1 && planned.account.entries().len() > 0, "{what}")
                }
                Edit::RowsSwapped | Edit::ColumnRemoved => {
                    assert!(planned.changes.is_empty() && planned.account.refused() == 0, "{what}: {planned:?}");
                }
                Edit::ColumnRenamed => panic!("{what}: {planned:?}"),
            }
        }
    }
}

/// A document of a sample, or its lines as a list: a name, the file, its export and the planner.
pub(super) type Document = (&'static str, Vec<u8>, fn(&[u8]) -> Value, Plan);

pub(super) fn documents() -> Vec<Document> {
    fn document(file: &[u8], list: &[&str]) -> Value {
        let options = Options { full: true, ..Options::default() };
        let mut out = Vec::new();
        if file.starts_with(b"WPD\0") {
            let table = table(file);
            let root = Root::new("wdb", table.archive().source(), &table);
            written(&root, &options, list, &mut out);
        } else {
            level(file, |image, level| {
                let described = LevelDescription::new(image, level);
                let root = Root::new("wwd", level.image(), &described).besides(image.trailing().len() as u64);
                written(&root, &options, list, &mut out);
            });
        }
        if list.is_empty() {
            return serde_json::from_slice(&out).unwrap();
        }
        out.split(|byte| *byte == b'\n')
            .filter(|line| !line.is_empty())
            .map(|line| serde_json::from_slice::<Value>(line).unwrap())
            .collect()
    }
    fn written(root: &Root<'_>, options: &Options<'_>, list: &[&str], out: &mut Vec<u8>) {
        match list {
            [] => write(root, options, out).unwrap(),
            list => lines(root, list, options, out).unwrap(),
        }
    }
    vec![
        (
            "table.json",
            sample("bestiary.wdb"),
            |file| document(file, &[]),
            |file, json| json_import::table(&table(file), json, false),
        ),
        (
            "records.ndjson",
            sample("bestiary.wdb"),
            |file| document(file, &["records"]),
            |file, json| json_import::records(&table(file), json, false),
        ),
        (
            "level.json",
            sample("garden.wwd"),
            |file| document(file, &[]),
            |file, json| level(file, |image, level| json_import::level(image, level, json, Encoding::default())),
        ),
        (
            "objects.ndjson",
            sample("garden.wwd"),
            |file| document(file, &["planes", "objects"]),
            |file, json| level(file, |_, level| json_import::objects(level, json, Encoding::default(), false)),
        ),
        (
            "attributes.ndjson",
            sample("garden.wwd"),
            |file| document(file, &["tile_attributes", "records"]),
            |file, json| level(file, |_, level| json_import::attributes(level, json, Encoding::default())),
        ),
    ]
}

/// All places of a document that are no objects or lists, and lists of objects.
fn places(value: &Value, pointer: &str, leaves: &mut Vec<String>, elements: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            members.iter().for_each(|(name, value)| places(value, &format!("{pointer}/{name}"), leaves, elements));
        }
        Value::Array(list) => {
            for (number, value) in list.iter().enumerate() {
                let pointer = format!("{pointer}/{number}");
                if value.is_object() {
                    elements.push(pointer.clone());
                }
                places(value, &pointer, leaves, elements);
            }
        }
        _ => leaves.push(pointer.to_owned()),
    }
}

/// Returns the text of a document, or the lines of a list.
pub(super) fn text(document: &Value) -> Vec<u8> {
    match document {
        Value::Array(lines) => lines.iter().flat_map(|line| (line.to_string() + "\n").into_bytes()).collect(),
        document => document.to_string().into_bytes(),
    }
}

/// Members of documents that say nothing of the file.
const IGNORED: [&str; 1] = ["/full"];

#[test]
fn of_a_document_every_single_edit_arrives_or_is_named() {
    for (name, file, export, plan) in documents() {
        let before = export(&file);
        let unedited = plan(&file, &text(&before)).unwrap();
        assert!(unedited.changes.is_empty() && unedited.account.entries().len() == 0, "{name}: {unedited:?}");
        let (mut leaves, mut elements) = (Vec::new(), Vec::new());
        places(&before, "", &mut leaves, &mut elements);
        let mut edits: Vec<(&str, &String)> = leaves.iter().map(|leaf| ("changed", leaf)).collect();
        edits.extend(elements.iter().flat_map(|element| ["removed", "twice"].map(|edit| (edit, element))));
        let stride = (edits.len() as u64 / rounds(EDITS)).max(1) as usize;
        let mut seen: BTreeMap<String, u32> = BTreeMap::new();
        for (edit, pointer) in edits.into_iter().step_by(stride) {
            let (above, last) = pointer.rsplit_once('/').unwrap();
            // Of members of one name, a few are enough.
            let count = seen.entry(format!("{edit} {last}")).or_default();
            *count += 1;
            if *count > 6 && last.parse::<usize>().is_err() || IGNORED.contains(&pointer.as_str()) {
                continue;
            }
            let mut new = before.clone();
            match edit {
                "changed" => {
                    let value = new.pointer_mut(pointer).unwrap();
                    *value = match &*value {
                        Value::Number(number) if number.is_i64() => (number.as_i64().unwrap() + 1).into(),
                        Value::Number(number) => json!(number.as_f64().unwrap() + 0.5),
                        Value::Bool(bool) => (!bool).into(),
                        Value::String(text) => format!("{text}x").into(),
                        _ => 1.into(),
                    };
                }
                edit => {
                    let list = if above.is_empty() { &mut new } else { new.pointer_mut(above).unwrap() };
                    let (list, at) = (list.as_array_mut().unwrap(), last.parse::<usize>().unwrap());
                    if edit == "removed" {
                        list.remove(at);
                    } else {
                        list.insert(at, list[at].clone());
                    }
                }
            }
            let what = format!("{name}, {edit}: {pointer}");
            let planned = match plan(&file, &text(&new)) {
                Ok(planned) => planned,
                Err(error) => {
                    let is_named =
                        error.to_string().contains(last) || error.to_string().contains("line") || edit != "changed";
                    assert!(is_named, "{what}: {error}");
                    continue;
                }
            };
            let entries: Vec<_> = planned.account.entries().collect();
            if planned.changes.is_empty() {
                assert!(!entries.is_empty(), "{what}: nothing is said");
                let is_there = |entry: &&Entry| {
                    let line = pointer.split('/').nth(1).and_then(|line| line.parse::<u64>().ok());
                    let of = entry.place.pointer.as_deref().unwrap_or("-");
                    pointer.starts_with(of)
                        || of.starts_with(above)
                        || entry.place.row.is_some_and(|row| line.is_some_and(|line| row == line + 1))
                        || !entry.keys.is_empty()
                };
                assert!(entries.iter().any(is_there), "{what}: {entries:?}");
                continue;
            }
            if edit == "changed" && !matches!(last, "record" | "object" | "id") {
                let Ok(after) = apply(&file, &planned.changes) else { continue };
                let after = export(&after);
                let [after, new] = [&after, &new].map(|document| document.pointer(pointer));
                assert_eq!(after, new, "{what}: the edit did not arrive: {planned:?}");
            } else {
                assert!(!entries.is_empty() || last == "id", "{what}: {planned:?}");
            }
        }
    }
}
