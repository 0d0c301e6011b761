//! An export that nobody edited has no changes and nothing to say, also as other programs save it. Models, textures and maps with
//! pictures have tests of their own.

use serde_json::Value as Json;
use worldview_corpus::wwd::build::build;
use worldview_corpus::wwd::generate::{Shape, level};
use worldview_corpus::wwd::versions::levels;
use worldview_edit::{Planned, Result};
use worldview_export::Encoding;
use worldview_export::csv::CsvStyle;
use worldview_export::level::{csv as level_csv, tiled as maps};
use worldview_import::csv::{Options, attributes, objects, records};
use worldview_import::{json, tiled};
use worldview_wpd::Table;
use worldview_wwd::{Level, unpack};

use crate::csv::{export, saved, tables};
use crate::documents::{level_json, rewritten, table_json};

#[track_caller]
fn none(name: &str, planned: Result<Planned>) {
    let planned = planned.unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(planned.changes.is_empty(), "{name}: {}", planned.changes.to_json().unwrap());
    assert_eq!(planned.account.entries().len(), 0, "{name}: {:?}", planned.account);
}

/// The styles of sheets.
fn styles() -> [CsvStyle; 2] {
    [CsvStyle::default(), CsvStyle::default().safe(true).bom(true)]
}

/// A sheet, and what spreadsheets make of it.
fn sheets(csv: Vec<u8>) -> Vec<Vec<u8>> {
    let plain = csv.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&csv);
    let forms = [(',', false), (';', true), ('\t', true)];
    let saved = forms.map(|(separator, drops)| saved(plain, separator, drops).into_bytes());
    saved.into_iter().chain([csv]).collect()
}

#[test]
fn tables_that_nobody_edited() {
    let mut counts = [0, 0];
    for (name, file) in tables() {
        let Ok(table) = Table::parse(&file) else { continue };
        for (style, with_sheet) in styles().into_iter().zip([false, true]) {
            let Some(csv) = export(&table, style, with_sheet) else { continue };
            sheets(csv).iter().for_each(|csv| none(&name, records(&table, csv, &Options::default().safe(style.safe))));
            counts[0] += 1;
        }
        let Some(json) = table_json(&table) else { continue };
        let document: Json = serde_json::from_slice(&json).unwrap();
        let storage = ["at", "name_tail", "extension", "extension_tail", "entry_size", "extra"];
        let mut lines = document["records"].as_array().unwrap().clone();
        lines.iter_mut().for_each(|line| line.as_object_mut().unwrap().retain(|name, _| !storage.contains(&&**name)));
        let lines: String = lines.iter().map(|line| format!("{line}\n")).collect();
        none(&name, json::records(&table, lines.as_bytes(), true));
        [rewritten(&json), json].iter().for_each(|json| none(&name, json::table(&table, json, true)));
        counts[1] += 1;
    }
    assert!(counts[0] > 400 && counts[1] > 200, "{counts:?}");
}

#[test]
fn levels_that_nobody_edited() {
    let mut counts = [0; 3];
    let shape = Shape { masks: 3, image_sets: 3, planes: 5, ..Shape::gruntz() };
    let large = (0..3).map(|seed| (format!("gruntz {seed}"), build(&level(seed, &shape)).bytes));
    for (name, file) in levels().into_iter().chain(large) {
        let Ok(unpacked) = unpack(&file) else { continue };
        let Ok(level) = Level::parse(&unpacked) else { continue };
        for (style, encoding) in styles().into_iter().zip([Encoding::WINDOWS_1252, Encoding::WINDOWS_1250]) {
            let options = Options::default().safe(style.safe).encoding(encoding);
            let (mut first, mut second) = (Vec::new(), Vec::new());
            if style.write(&mut first, |out| level_csv::objects(&level, encoding, out)).is_ok() {
                style.write(&mut second, |out| level_csv::attributes(&level, out)).unwrap();
                sheets(first).iter().for_each(|csv| none(&name, objects(&level, csv, &options)));
                sheets(second).iter().for_each(|csv| none(&name, attributes(&level, csv, &options)));
                counts[0] += 1;
            }
            if let Some([whole, objects, attributes]) = level_json(&unpacked, &level, encoding) {
                for whole in [rewritten(&whole), whole] {
                    none(&name, json::level(&unpacked, &level, &whole, encoding));
                }
                none(&name, json::objects(&level, &objects, encoding, true));
                none(&name, json::attributes(&level, &attributes, encoding));
                counts[1] += 1;
            }
            let Ok(maps) = maps::plan(&level, encoding) else { continue };
            for map in maps.into_iter().map(|map| map.full(style.safe)) {
                let (mut tmx, mut tmj) = (Vec::new(), Vec::new());
                map.write_tmx(&mut tmx).unwrap();
                map.write_tmj(&mut tmj).unwrap();
                [tmx, tmj].iter().for_each(|map| none(&name, tiled::level(&level, map, encoding)));
                counts[2] += 2;
            }
        }
    }
    assert!(counts[0] > 60 && counts[1] > 60 && counts[2] > 200, "{counts:?}");
}
