use serde_json::Value;
use worldview_corpus::ff13::naive::{NaiveTable, NaiveValue};
use worldview_export::table::{self, Selection};
use worldview_wpd::Table;

use super::support::{Data, each_table, float_bits, shown, table};

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

fn lines(out: &[u8]) -> Vec<Value> {
    assert!(out.is_empty() || out.ends_with(b"\n"));
    std::str::from_utf8(out).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn every_value_and_array_is_in_the_ndjson() {
    each_table(|name, table, naive| {
        let mut out = Vec::new();
        table::json::records(table, &Selection::ALL, &mut out).unwrap();
        check_records(name, lines(&out).iter(), naive);
        let mut out = Vec::new();
        table::json::arrays(table, &mut out).unwrap();
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
    table::json::records(&table, &Selection::ALL, &mut out).unwrap();
    let line = r#"{"record":"r000000","iZ":5,"fY":"NaN:0x7fa00001","s\"X":null,"sW":"\"\u0001\\xff"}"#;
    assert_eq!(String::from_utf8(out).unwrap(), format!("{line}\n"));
}
