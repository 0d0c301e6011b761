use serde_json::Value;
use worldview_corpus::ff13::naive::{NaiveNames, NaiveTable, NaiveType, NaiveValue};
use worldview_export::wdb::{self, Selection};
use worldview_wpd::{Names, Table};

use crate::support::{Data, each_table, float_bits, shown, table};

fn check(name: &str, json: &Value, value: &NaiveValue) {
    match value {
        NaiveValue::I32(value) => assert_eq!(json.as_i64(), Some((*value).into()), "{name}"),
        NaiveValue::U32(value) => assert_eq!(json.as_u64(), Some((*value).into()), "{name}"),
        NaiveValue::U64(value) => assert_eq!(json.as_u64(), Some(*value), "{name}"),
        NaiveValue::F32(bits) => match json {
            Value::String(text) => {
                assert!(!f32::from_bits(*bits).is_finite());
                assert_eq!(float_bits(text), *bits, "{name}");
            }
            number => assert_eq!(float_bits(&number.to_string()), *bits, "{name}"),
        },
        NaiveValue::Text(text) => assert_eq!(json.as_str(), text.as_deref().map(shown).as_deref(), "{name}"),
    }
}

fn check_records<'j>(name: &str, records: impl ExactSizeIterator<Item = &'j Value>, naive: &NaiveTable) {
    assert_eq!(records.len(), naive.rows.len(), "{name}");
    for (json, row) in records.zip(&naive.rows) {
        assert_eq!(json["record"].as_str(), Some(shown(&row.name).as_str()), "{name}");
        assert_eq!(json.as_object().unwrap().len(), 1 + naive.fields.len(), "{name}");
        for (field, value) in naive.fields.iter().zip(&row.values) {
            check(name, &json[shown(&field.name)], value);
        }
    }
}

fn array(naive: &NaiveTable, index: Option<usize>) -> Option<Value> {
    let array = naive.arrays.get(index?)?;
    Some(array.iter().map(|text| text.as_deref().map(shown)).collect())
}

#[test]
fn every_value_is_in_the_json() {
    each_table(|name, table, naive| {
        let mut out = Vec::new();
        wdb::json::table(table, &Selection::ALL, &mut out).unwrap();
        let json: Value = serde_json::from_slice(&out).unwrap();
        assert_eq!((&json["format"], &json["version"]), (&"wdb".into(), &1.into()), "{name}");
        assert_eq!(json["generation"].as_str().unwrap().replace('\'', "Prime"), format!("{:?}", naive.generation));
        assert_eq!(json["sheet_name"].as_str(), naive.sheet_name.as_deref().map(shown).as_deref(), "{name}");
        assert_eq!(json["layout_version"].as_u64(), naive.version.map(u64::from), "{name}");
        let names = match naive.names {
            NaiveNames::Embedded => "embedded",
            NaiveNames::Schema => "schema",
            NaiveNames::Generated => "generated",
        };
        assert_eq!(json["names"], names, "{name}");
        let schema = if let Names::Schema(schema) = table.names() { Some(schema.name()) } else { None };
        assert_eq!(json["schema"].as_str(), schema, "{name}");
        assert_eq!(json["record_size"], naive.record_size, "{name}");
        let fields = json["fields"].as_array().unwrap();
        assert_eq!(fields.len(), naive.fields.len(), "{name}");
        for (json, field) in fields.iter().zip(&naive.fields) {
            assert_eq!(json["name"], shown(&field.name), "{name}");
            assert_eq!(json["word"], field.word, "{name}");
            assert_eq!(json["bit"], field.shift, "{name}");
            assert_eq!(json["width"], field.width, "{name}");
            let types = match field.value {
                NaiveType::I32 => "i32",
                NaiveType::U32 => "u32",
                NaiveType::F32 => "f32",
                NaiveType::U64 => "u64",
                NaiveType::Text => "utf8",
            };
            assert_eq!(json["type"], types, "{name}");
        }
        check_records(name, json["records"].as_array().unwrap().iter(), naive);
        let arrays = json["string_arrays"].as_object().unwrap();
        assert_eq!(arrays.len(), naive.arrays.len(), "{name}");
        for field in &naive.fields {
            assert_eq!(arrays.get(&shown(&field.name)), array(naive, field.array).as_ref(), "{name}");
        }
    });
}

fn lines(out: &[u8]) -> Vec<Value> {
    assert!(out.is_empty() || out.ends_with(b"\n"));
    std::str::from_utf8(out).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn every_value_and_array_is_in_the_ndjson() {
    each_table(|name, table, naive| {
        let mut out = Vec::new();
        wdb::json::records(table, &Selection::ALL, &mut out).unwrap();
        check_records(name, lines(&out).iter(), naive);
        let mut out = Vec::new();
        wdb::json::arrays(table, &mut out).unwrap();
        let expected = naive.fields.iter().filter_map(|field| {
            let values = array(naive, field.array)?;
            Some(serde_json::json!({ "field": shown(&field.name), "values": values }))
        });
        assert_eq!(lines(&out), expected.collect::<Vec<_>>(), "{name}");
    });
}

#[test]
fn members_stand_in_the_order_of_the_plan() {
    let record = [0, 0, 0, 5, 0x7f, 0xa0, 0, 1, 0, 0, 0, 9, 0, 0, 0, 2];
    let bytes = table(b"a\0\"\x01\xff\0", &[0, 1, 2, 2], "iZ\0fY\0s\"X\0sW\0", [Data::Own(record.to_vec())]);
    let table = Table::parse(&bytes).unwrap();
    let mut out = Vec::new();
    wdb::json::records(&table, &Selection::ALL, &mut out).unwrap();
    let line = r#"{"record":"r000000","iZ":5,"fY":"NaN:0x7fa00001","s\"X":null,"sW":"\"\u0001\\xff"}"#;
    assert_eq!(String::from_utf8(out).unwrap(), format!("{line}\n"));

    let mut out = Vec::new();
    wdb::json::table(&table, &Selection::ALL.fields(&[b"sW", b"iZ"]), &mut out).unwrap();
    let head = r#"{"format":"wdb","version":1,"generation":"G3","sheet_name":null,"layout_version":258,"names":"embedded","schema":null,"record_size":16,"fields":["#;
    let sw = r#"{"name":"sW","kind":"string","word":3,"bit":0,"width":32,"type":"utf8"}"#;
    let iz = r#"{"name":"iZ","kind":"int","word":0,"bit":0,"width":32,"type":"i32"}"#;
    let records = r#"],"records":[{"record":"r000000","sW":"\"\u0001\\xff","iZ":5}],"string_arrays":{}}"#;
    assert_eq!(String::from_utf8(out).unwrap(), format!("{head}{sw},{iz}{records}\n"));

    let mut out = Vec::new();
    wdb::json::plan(&table, &mut out).unwrap();
    let plan: Value = serde_json::from_slice(&out).unwrap();
    assert_eq!((&plan["format"], &plan["layout_version"]), (&"wdb-plan".into(), &258.into()));
    let names: Vec<_> =
        plan["fields"].as_array().unwrap().iter().map(|field| field["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["iZ", "fY", "s\"X", "sW"]);
    assert!(plan.get("records").is_none());
}
