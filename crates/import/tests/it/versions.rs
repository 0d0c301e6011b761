//! The export of another version of a file, compared with the file, gives that version.

use worldview_corpus::ff13::build::build_table;
use worldview_corpus::ff13::generate::{cell, small_table};
use worldview_corpus::ff13::naive::table as naive;
use worldview_corpus::ff13::spec::{RowSpec, TableSpec};
use worldview_corpus::rng::Rng;
use worldview_corpus::trial::{rounds, say_the_same};
use worldview_corpus::wwd::build::build;
use worldview_corpus::wwd::spec::{LevelSpec, PlaneSpec};
use worldview_corpus::wwd::versions::{content, is_derived, pair};
use worldview_edit::{Planned, wpd, wwd};
use worldview_export::Encoding;
use worldview_export::csv::CsvStyle;
use worldview_import::codes::FREE_ID;
use worldview_import::csv::{Options, records};
use worldview_import::json;
use worldview_wpd::Table;
use worldview_wwd::{Level, unpack};

use crate::csv::export;
use crate::documents::{level_json, table_json};

/// The records of a table as lines of JSON, without what follows from their place in the file.
fn ndjson(table: &Table<'_>) -> Vec<u8> {
    let described = table_json(table).unwrap();
    let document: serde_json::Value = serde_json::from_slice(&described).unwrap();
    let mut out = Vec::new();
    for record in document["records"].as_array().unwrap() {
        let mut record = record.clone();
        record.as_object_mut().unwrap().remove("at");
        out.extend_from_slice(record.to_string().as_bytes());
        out.push(b'\n');
    }
    out
}

/// Another version of a table: other values, and records that are removed, renamed or added.
fn vary_table(rng: &mut Rng, spec: &TableSpec) -> TableSpec {
    let mut other = spec.clone();
    other.rows.retain(|_| !rng.one_in(8));
    for row in &mut other.rows {
        if rng.one_in(8) {
            row.name.insert(2, b'+');
        }
        for (field, value) in spec.fields.iter().zip(&mut row.values) {
            if rng.one_in(3) {
                *value = cell(rng, field);
            }
        }
    }
    for number in 0..rng.below(3) {
        let values = spec.fields.iter().map(|field| cell(rng, field)).collect();
        other.rows.push(RowSpec { name: format!("{:02x}new_{number}", rng.below(256)).into(), values, data: None });
    }
    other
}

#[test]
fn sheets_and_lines_of_another_table() {
    let mut count = 0;
    for seed in 0..rounds(1000) {
        let spec = small_table(seed);
        let other = vary_table(&mut Rng::new(seed), &spec);
        // Without a record, nothing tells whether a table without names ends with a 64-bit field.
        if spec.rows.is_empty() || other.rows.is_empty() {
            continue;
        }
        let [file, wanted] = [&spec, &other].map(|table| build_table(table).bytes);
        let content = |file: &[u8]| {
            naive(file, None).unwrap().rows.into_iter().map(|row| (row.name, row.values)).collect::<Vec<_>>()
        };
        let (before, after) = (Table::parse(&file).unwrap(), Table::parse(&wanted).unwrap());
        let Some(sheet) = export(&after, CsvStyle::default(), false) else { continue };
        let sheet = records(&before, &sheet, &Options::default().remove_missing(true));
        for planned in [sheet, json::records(&before, &ndjson(&after), true)] {
            let changes = planned.and_then(Planned::complete).unwrap_or_else(|error| panic!("{seed}: {error}"));
            let edited = wpd::apply(&file, &changes).unwrap_or_else(|error| panic!("{seed}: {error}"));
            assert_eq!(content(&edited.to_vec()), content(&wanted), "{seed}");
            count += changes.len();
        }
    }
    assert!(count > 6000, "{count} changes");
}

/// Removes from a document what follows from how the level is stored, and names metadata that an object lacks.
fn without_storage(value: &mut serde_json::Value) {
    let storage = |name: &str| {
        let others = ["at", "checksum", "checksum_rules", "trailer"];
        is_derived(name) || name.ends_with("_length") || others.contains(&name)
    };
    match value {
        serde_json::Value::Object(members) => {
            members.retain(|name, _| !storage(name));
            members.values_mut().for_each(without_storage);
            if members.contains_key("logic") {
                members.entry("metadata").or_insert_with(|| "".into());
            }
        }
        serde_json::Value::Array(list) => list.iter_mut().for_each(without_storage),
        _ => {}
    }
}

/// Whether the document of one level can become that of the other: it adds no planes, image sets or tile attributes, and sizes in pixels
/// that are not edited follow the tiles.
fn is_possible(spec: &LevelSpec, other: &LevelSpec) -> bool {
    let counts = |level: &LevelSpec| {
        let sets = level.planes.iter().map(|plane| plane.image_sets.len()).collect::<Vec<_>>();
        (sets, level.attributes.as_ref().map(|table| table.records.len()))
    };
    let follows = |plane: &PlaneSpec| {
        let [wide, high] = [plane.tiles_wide * plane.tile_width, plane.tiles_high * plane.tile_height];
        (plane.width_px, plane.height_px) == (wide, high)
    };
    counts(spec) == counts(other) && other.planes.iter().all(follows)
}

#[test]
fn documents_of_another_level() {
    let mut count = 0;
    for seed in 0..rounds(40) {
        let [spec, other] = pair(seed);
        if !is_possible(&spec, &other) {
            continue;
        }
        let [left, right] = [&spec, &other].map(|level| build(level).bytes);
        let (first, second) = (unpack(&left).unwrap(), unpack(&right).unwrap());
        let (before, after) = (Level::parse(&first).unwrap(), Level::parse(&second).unwrap());
        let [whole, ..] = level_json(&second, &after, Encoding::WINDOWS_1250).unwrap();
        let mut document = serde_json::from_slice(&whole).unwrap();
        without_storage(&mut document);
        // The object in each row becomes what the other level has there.
        for (plane, old) in document["planes"].as_array_mut().unwrap().iter_mut().zip(before.planes()) {
            let mut keys = old.objects().with_keys().map(|object| object.unwrap().0.to_string());
            for object in plane["objects"].as_array_mut().unwrap() {
                object["object"] = keys.next().into();
            }
        }
        let planned = json::level(&first, &before, document.to_string().as_bytes(), Encoding::WINDOWS_1250);
        // A new object gets an id of its own.
        if planned.as_ref().is_ok_and(|planned| planned.account.entries().any(|entry| entry.code == FREE_ID)) {
            continue;
        }
        let changes = planned.and_then(Planned::complete).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        let edited = wwd::apply(&left, &changes).unwrap_or_else(|error| panic!("seed {seed}: {error}")).to_vec();
        say_the_same(seed, &content(&edited), &content(&right));
        count += 1;
    }
    assert!(count >= 7, "{count} documents");
}
