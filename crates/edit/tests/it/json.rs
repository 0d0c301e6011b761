use worldview_edit::{Change, Changes, Position, Value};

use crate::path;

/// Every kind of change in the form that `docs/json.md` documents.
const DOCUMENT: &str = r#"{"worldview_changes":1,"changes":[
{"set":"it_potion/uPurchasePrice","from":10,"to":12},
{"set":"m001/fScale","to":0.1},
{"set":"m001/fOdd","to":{"bits":"0x7fc00001"}},
{"set":"m001/sName","from":"old","to":{"bytes":"ff00"}},
{"add":"it_new","like":"it_potion","after":"it_potion","fields":{"uPurchasePrice":18446744073709551615,"fScale":-0.0}},
{"remove":"it_old","fields":{"uPurchasePrice":-1}},
{"rename":"it_b","to":"it_c"},
{"move":"a.bin","before":"b.bin#1","was_after":"c.bin"}
]}
"#;

#[test]
fn the_documented_form_is_read_and_written() {
    let changes = Changes::from_json(DOCUMENT.as_bytes()).unwrap();
    assert_eq!(changes.to_json().unwrap(), DOCUMENT);
    let list: Vec<_> = changes.into_iter().collect();
    assert_eq!(list[0], Change::Set { path: path("it_potion/uPurchasePrice"), from: Some(10.into()), to: 12.into() });
    assert_eq!(list[1], Change::set(path("m001/fScale"), 0.1_f32));
    assert_eq!(list[2], Change::set(path("m001/fOdd"), f32::from_bits(0x7fc0_0001)));
    let (from, to) = (Some("old".into()), Value::Bytes(vec![0xff, 0]));
    assert_eq!(list[3], Change::Set { path: path("m001/sName"), from, to });
    let (position, was) = (Position::Before(path("b.bin#1")), Position::After(path("c.bin")));
    assert_eq!(list[7], Change::Move { path: path("a.bin"), position, was });
}

#[test]
fn malformed_lists_are_refused_with_the_line() {
    for (text, expected) in [
        ("{}", "worldview_changes"),
        (r#"{"worldview_changes":2,"changes":[]}"#, "expected version 1 of changes, found 2"),
        ("{\"worldview_changes\":1,\"changes\":[\n{\"set\":\"a/b\"}]}", "a/b: expected a member `to`"),
        (r#"{"worldview_changes":1,"changes":[{"set":"a","remove":"a","to":1}]}"#, "exactly one of"),
        (r#"{"worldview_changes":1,"changes":[{"set":"a","to":1,"like":"b"}]}"#, "unexpected member `like`"),
        ("{\"worldview_changes\":1,\"changes\":[\n{\"set\":\"a\",\"too\":1}]}", "line 2"),
        (r#"{"worldview_changes":1,"changes":[{"set":"a=b","to":1}]}"#, "invalid path at byte 1"),
        (r#"{"worldview_changes":1,"changes":[{"add":"a","fields":{"b":1,"b":2}}]}"#, "duplicate field `b`"),
        (r#"{"worldview_changes":1,"changes":[{"set":"a","to":1e99}]}"#, "32 bits"),
        (r#"{"worldview_changes":1,"changes":[{"set":"a","to":1e-60}]}"#, "32 bits"),
        (r#"{"worldview_changes":1,"changes":[{"set":"a","to":{"bytes":"abc"}}]}"#, "pairs of hexadecimal digits"),
    ] {
        let error = Changes::from_json(text.as_bytes()).unwrap_err().to_string();
        assert!(error.contains(expected), "{text}\n{error}");
    }
}
