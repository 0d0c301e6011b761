//! One edit has one plan and one account, in whatever form it is given.

use serde_json::{Value as Json, json};
use worldview_corpus::sample;
use worldview_edit::account::Entry;
use worldview_edit::{Change, Changes, Planned, Result, wpd};
use worldview_export::csv::CsvStyle;
use worldview_export::table::{Selection, csv as export};
use worldview_export::xlsx::Workbook as Export;
use worldview_import::csv::{Options, records};
use worldview_import::{json as documents, xlsx};
use worldview_wpd::Table;

use crate::documents::table_json;

/// The forms in which a record can be given: a sheet, a workbook, lines and a document.
fn forms(table: &Table<'_>, sheet: &str, lines: &[Json]) -> [Result<Planned>; 4] {
    let mut book = Export::new();
    let columns = worldview_export::xlsx::Columns::of_records(table, false);
    book.add("records", sheet.as_bytes(), &columns).unwrap();
    let mut workbook = Vec::new();
    book.write(&mut workbook).unwrap();
    let ndjson: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let document = json!({ "format": "wdb", "records": lines });
    [
        records(table, sheet.as_bytes(), &Options::default()),
        xlsx::table(table, &xlsx::Workbook::open(&workbook).unwrap(), &Options::default()),
        documents::records(table, ndjson.as_bytes(), false),
        documents::table(table, document.to_string().as_bytes(), false),
    ]
}

/// What is said of a plan, and of its changes when they are applied, without the places in the source.
fn said(file: &[u8], planned: Planned) -> (Changes, Vec<(String, String, String)>) {
    let entry = |entry: &Entry| (entry.code.name.to_owned(), entry.path.to_string(), entry.message.clone());
    let mut all: Vec<_> = planned.account.entries().map(entry).collect();
    match wpd::apply(file, &planned.changes) {
        Ok(patches) => all.extend(patches.account().entries().map(entry)),
        Err(error) => all.push((error.kind.code().name.to_owned(), error.path.to_string(), error.to_string())),
    }
    (planned.changes, all)
}

#[test]
fn one_edit_has_the_same_advice_in_every_form() {
    let file = sample("bestiary.wdb");
    let table = Table::parse(&file).unwrap();
    let mut sheet = Vec::new();
    CsvStyle::default().write(&mut sheet, |out| export::records(&table, &Selection::ALL, out)).unwrap();
    let sheet = String::from_utf8(sheet).unwrap();
    let (header, row) = (sheet.lines().next().unwrap(), sheet.lines().find(|row| row.starts_with("chalk_snail_a,")));
    let names: Vec<&str> = header.split(',').collect();
    let document: Json = serde_json::from_slice(&table_json(&table).unwrap()).unwrap();
    let record = document["records"].as_array().unwrap().iter().find(|record| record["record"] == "chalk_snail_a");
    let (row, record) = (row.unwrap(), record.unwrap());
    let mut seen = 0;
    for (field, value, code) in [
        ("s5Food0", "mossx", Some("new-array-string")),
        ("s5Food0", "", None),
        ("s5Food0", "moss", None),
        ("record", "chalk_snail_z", None),
        ("record", "chalk\u{1}snail", Some("control-characters")),
    ]
    .into_iter()
    .chain(names.iter().skip(1).flat_map(|name| [(*name, "99999999999", None), (*name, "1", None), (*name, "x", None)]))
    {
        let at = names.iter().position(|name| *name == field).unwrap();
        let mut cells: Vec<&str> = row.split(',').collect();
        cells[at] = value;
        let mut line = record.clone();
        line.as_object_mut().unwrap().shift_remove("at");
        line[field] = match &line[field] {
            Json::Number(_) => value.parse::<i64>().map_or_else(|_| value.into(), Json::from),
            _ => value.into(),
        };
        let planned = forms(&table, &format!("{header}\n{}\n", cells.join(",")), &[line]);
        let all =
            planned.map(|planned| said(&file, planned.unwrap_or_else(|error| panic!("{field} {value}: {error}"))));
        for other in &all[1..] {
            assert_eq!(*other, all[0], "{field} {value}");
        }
        if let Some(code) = code {
            assert!(all[0].1.iter().any(|(found, ..)| found == code), "{field} {value}: {:?}", all[0].1);
        }
        // Setting the field says the same, as far as it can be done.
        if let Some(change @ Change::Set { .. }) = all[0].0.iter().next() {
            let set = wpd::apply(&file, &[change.clone()].into_iter().collect());
            let set: Vec<_> =
                set.map(|set| set.account().entries().map(|entry| entry.message.clone()).collect()).unwrap_or_default();
            let own = |(_, path, message): &(String, String, String)| {
                (change.path().as_str() == path).then(|| message.clone())
            };
            assert!(
                set.iter().eq(all[0].1.iter().filter_map(own).collect::<Vec<_>>().iter()),
                "{field} {value}: {set:?}"
            );
        }
        seen += 1;
    }
    assert!(seen > 40, "{seen} edits");
}
