//! Compares the views with `ff13-formats`, an independent reader of XIII-1 tables, field by field.
//!
//! The two differ in these cases, where both are right in their own way:
//!
//! - It looks up a sheet by file name alone and never verifies it; the views use the version first and verify the
//!   result.
//! - It numbers the fields of an unknown sheet by type (`uint-field_0`); the views name them after their word
//!   (`word7`). It shows words of type 0 as hexadecimal text, never as numbers.
//! - It reads a `u64` at the end of a record only in the sheet whose list has one; without names it shows the first
//!   four bytes.
//! - JSON has no NaN or infinities; it writes null.
//! - A string offset at the end of the pool is an empty string there, and dangling in the views. For an offset past the
//!   end it rejects the whole table.
//! - It shows text that is not UTF-8 with replacement characters.
//! - It rejects tables without `!!strtypelist`, tables with `!!sheetname` or `!!strArray`, and unknown word types.

use ff13_formats::wdb::to_json;
use serde_json::Value as Json;
use worldview_corpus::ff13::build::build_table;
use worldview_corpus::ff13::generate::{Shape, folder, small_table, table_of_rows};
use worldview_corpus::ff13::spec::{CellSpec, Generation, TableSpec};
use worldview_corpus::rng::Rng;
use worldview_corpus::sample;
use worldview_readers::wpd::random_table;
use worldview_wpd::{Archive, FieldKind, NameOrigin, Row, Schemas, Table, TableOptions, Value};

use crate::wpd_schemas::files;

/// Returns `true` if both values are equal; floats are compared by their bits, unless JSON cannot express them.
fn same(ours: Value<'_>, theirs: &Json) -> bool {
    match ours {
        Value::I32(ours) => theirs.as_i64() == Some(ours.into()),
        Value::U32(ours) => theirs.as_u64() == Some(ours.into()),
        Value::U64(ours) => theirs.as_u64() == Some(ours),
        Value::F32(ours) if !ours.is_finite() => theirs.is_null(),
        Value::F32(ours) => theirs.as_f64().map(f64::to_bits) == Some(f64::from(ours).to_bits()),
        Value::Text(Some(ours)) => theirs.as_str() == Some(&*String::from_utf8_lossy(ours)),
        Value::Text(None) => false,
    }
}

/// Compares the rows of a table value by value.
fn same_rows(about: &str, table: &Table<'_>, json: &Json, named: bool) {
    let rows = json["records"].as_array().unwrap();
    assert_eq!(rows.len(), table.len(), "{about}");
    assert_eq!(json["recordCount"].as_u64(), Some(table.len() as u64), "{about}");
    assert_eq!(json["isKnown"].as_bool(), Some(named), "{about}");
    assert_eq!(json["!!version"].as_u64(), Some(table.layout_version().unwrap_or(0).into()), "{about}");
    let types: Vec<_> = json["!!strtypelist"].as_array().unwrap().iter().filter_map(Json::as_u64).collect();
    assert_eq!(types, table.words().iter().map(u64::from).collect::<Vec<_>>(), "{about}");
    for (row, theirs) in table.rows().zip(rows) {
        assert_eq!(theirs["record"].as_str(), Some(&*String::from_utf8_lossy(row.name())), "{about}");
        let values = theirs.as_object().unwrap();
        assert_eq!(values.len(), 1 + table.fields().len(), "{about}");
        if named {
            same_named(about, &row, theirs);
        } else {
            same_counted(about, table, &row, theirs);
        }
    }
}

/// The peer's name of a field: it has none for who may carry a weapon.
fn peers_name(name: &str) -> String {
    let carriers = ["u1ForLightning", "u1ForSazh", "u1ForSnow", "u1ForVanille", "u1ForHope", "u1ForFang"];
    match carriers.iter().position(|own| *own == name) {
        Some(index) => format!("u1UnkBool{}", index + 1),
        None => name.to_owned(),
    }
}

fn same_named(about: &str, row: &Row<'_, '_>, theirs: &Json) {
    for (field, ours) in row.values() {
        let name = &*peers_name(str::from_utf8(field.name()).unwrap());
        assert!(same(ours, &theirs[name]), "{about}, {name}: {ours:?} here, {} there", theirs[name]);
    }
}

/// Compares a row of an unknown sheet, whose fields are numbered by word type.
fn same_counted(about: &str, table: &Table<'_>, row: &Row<'_, '_>, theirs: &Json) {
    let mut counts = [0; 4];
    for ((field, ours), word_type) in row.values().zip(table.words().iter()) {
        let kind = ["bitpacked", "float", "!!string", "uint"][word_type as usize];
        let name = format!("{kind}-field_{}", counts[word_type as usize]);
        counts[word_type as usize] += 1;
        let theirs = &theirs[&*name];
        let agree = match (word_type, ours) {
            (0, Value::I32(ours)) => *theirs == format!("0x{:08X}", ours.cast_unsigned()),
            (0, Value::U32(ours)) => *theirs == format!("0x{ours:08X}"),
            // The peer shows the first half.
            (3, Value::U64(ours)) => theirs.as_u64() == Some(ours >> 32),
            (1..=3, ours) => same(ours, theirs),
            _ => false,
        };
        let ours_name = field.name().escape_ascii();
        assert!(agree, "{about}, {ours_name} and {name}: {ours:?} here, {theirs} there");
    }
}

fn opened<'a>(file: &'a [u8], options: TableOptions<'a, 'a>) -> Table<'a> {
    options.table(Archive::parse(file).unwrap()).unwrap()
}

#[test]
fn every_known_sheet_has_the_peers_values() {
    let (mut rng, mut values) = (Rng::new(36), 0);
    for sheet in Schemas::builtin().sheets() {
        for name in files(sheet) {
            let version = sheet.versions().first().copied().unwrap_or(0x0102_0304);
            let file = random_table(sheet, &mut rng, version);
            let table = opened(&file, TableOptions::new().file_name(name));
            assert!(matches!(table.name_origin(), NameOrigin::Schema(found) if found.name() == sheet.name()), "{name}");
            let json = to_json(&file, Some(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(json["!!sheetname"], sheet.name());
            let fields: Vec<_> = json["!structitem"].as_array().unwrap().iter().filter_map(Json::as_str).collect();
            assert_eq!(fields, sheet.fields().iter().map(|name| peers_name(name)).collect::<Vec<_>>(), "{name}");
            same_rows(name, &table, &json, true);
            values += table.len() * table.fields().len();
        }
    }
    assert!(values > 20_000, "{values}");
}

#[test]
fn every_sheet_under_an_unknown_name_has_the_peers_words() {
    let mut rng = Rng::new(37);
    for sheet in Schemas::builtin().sheets() {
        let file = random_table(sheet, &mut rng, 0x0102_0304);
        let table = opened(&file, TableOptions::new());
        assert_eq!(table.name_origin(), NameOrigin::Generated, "{}", sheet.name());
        for name in [None, Some("nobody_knows")] {
            same_rows(sheet.name(), &table, &to_json(&file, name).unwrap(), false);
        }
    }
}

#[test]
fn tables_of_any_fields_have_the_peers_words() {
    let mut accepted = 0;
    for seed in 0..1000 {
        let spec = small_table(seed);
        if spec.generation != Generation::G2 {
            continue;
        }
        let file = build_table(&spec).bytes;
        let table = opened(&file, TableOptions::new());
        let json = to_json(&file, None).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        same_rows(&format!("seed {seed}"), &table, &json, false);
        accepted += 1;
    }
    assert!(accepted > 100, "{accepted}");
    let large = Shape::all().into_iter().filter(|shape| shape.generation == Generation::G2);
    let large = large.map(|shape| (shape.sheet.to_owned(), table_of_rows(1, 700, 4000, &shape)));
    for (name, file) in large.chain(folder(1, 20)) {
        same_rows(&name, &opened(&file, TableOptions::new()), &to_json(&file, None).unwrap(), false);
    }
}

#[test]
fn the_sample_of_xiii_1_has_the_peers_values() {
    let file = sample("items.wdb");
    let table = opened(&file, TableOptions::new());
    same_rows("items.wdb", &table, &to_json(&file, Some("item")).unwrap(), true);
}

#[test]
fn the_peer_differs_only_as_described() {
    let text = |offset: i64| {
        let spec = TableSpec::new(Generation::G2, &["sText"]).section("!!string", Some(b"ab\0\xFF\0"));
        build_table(&spec.row("row", [CellSpec::Int(offset)])).bytes
    };
    let ours = |file: &[u8]| match opened(file, TableOptions::new()).get(0).unwrap().get("word0") {
        Some(Value::Text(text)) => text.map(<[u8]>::to_vec),
        other => panic!("{other:?}"),
    };
    let theirs = |file: &[u8]| to_json(file, None).map(|json| json["records"][0]["!!string-field_0"].clone()).ok();
    for (offset, here, there) in
        [(1, Some(&b"b"[..]), Some("b")), (3, Some(b"\xFF"), Some("\u{FFFD}")), (5, None, Some("")), (6, None, None)]
    {
        let file = text(offset);
        assert_eq!((ours(&file).as_deref(), theirs(&file)), (here, there.map(Json::from)), "offset {offset}");
    }
    for spec in [
        TableSpec::new(Generation::G0, &["iOne"]),
        TableSpec::new(Generation::G1, &["iOne"]),
        TableSpec::new(Generation::G3, &["iOne"]),
        TableSpec::new(Generation::G2, &["iOne"]).words("!!strtypelist", &[4]),
    ] {
        let file = build_table(&spec.clone().row("row", [CellSpec::Int(1)])).bytes;
        assert_eq!(opened(&file, TableOptions::new()).len(), 1);
        assert!(to_json(&file, None).is_err(), "{:?}", spec.generation);
    }
    // The peer relies on the file name, and the views on the version.
    let sheet = Schemas::builtin().sheets().iter().find(|sheet| sheet.name() == "movie").unwrap();
    let file = random_table(sheet, &mut Rng::new(1), 0x0255_CBA8);
    assert_eq!(to_json(&file, Some("sound_filename_dic")).unwrap()["!!sheetname"], "SoundFileNameDic");
    let table = opened(&file, TableOptions::new().file_name("sound_filename_dic"));
    assert!(
        matches!(table.name_origin(), NameOrigin::Schema(found) if found.name() == "movie"),
        "{:?}",
        table.name_origin()
    );
    assert_eq!(table.fields()[0].kind(), FieldKind::String);
}
