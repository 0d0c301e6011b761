//! Formatting of differences.

use worldview_core::describe::{Charset, FieldValue, Notation, TextValue};
#[cfg(feature = "json")]
use worldview_core::zerocopy::little_endian::I32;
use worldview_inspect::Encoding;
use worldview_inspect::diff::{Change, Difference, Side};

const fn side(value: FieldValue<'_>) -> Option<Side<'_>> {
    Some(Side { value, notation: Notation::Hex, encoding: Encoding::WINDOWS_1252 })
}

const TEXT: FieldValue<'_> = FieldValue::Text(TextValue::plain(b"a \"b\"\x1b", Charset::Utf8));

#[test]
fn as_text() {
    let path = "plane:Back".parse().unwrap();
    let changed = Difference {
        change: Change::Changed,
        path: &path,
        field: Some("name"),
        left: side(TEXT),
        right: side(FieldValue::Uint(18)),
        count: 1,
    };
    assert_eq!(changed.to_string(), "~ plane:Back: name: \"a \\\"b\\\"\\x1b\" -> 0x12");
    let many = Difference { count: 3, ..changed };
    assert!(many.to_string().ends_with(" -> 0x12 (the first of 3)"));
    let gone = Difference { right: None, ..changed };
    assert!(gone.to_string().ends_with("\\x1b\" -> none"));
    let element = Difference { field: None, ..changed };
    assert_eq!(element.to_string(), "~ plane:Back: \"a \\\"b\\\"\\x1b\" -> 0x12");
    let added = Difference { change: Change::Added, field: None, left: None, ..changed };
    assert_eq!(added.to_string(), "+ plane:Back: 0x12");
    let bare = Difference { right: None, ..added };
    assert_eq!(bare.to_string(), "+ plane:Back");
    let rest = Difference { field: Some("tiles"), left: None, right: None, count: 7, ..changed };
    assert_eq!(rest.to_string(), "~ plane:Back: tiles: 7 more");
    let root = worldview_core::Path::new();
    assert_eq!(Difference { path: &root, ..rest }.to_string(), "~ tiles: 7 more");
}

#[cfg(feature = "json")]
#[test]
fn as_json() {
    let path = "plane:Back".parse().unwrap();
    let ints = [I32::new(1), I32::new(-2)];
    let values = [
        (TEXT, r#""a \"b\"\u001b""#),
        (FieldValue::Uint(18), "18"),
        (FieldValue::Float(0.5), "0.5"),
        (FieldValue::Float(f32::NAN), "\"NaN\""),
        (FieldValue::Ints(&ints), "[1,-2]"),
        (FieldValue::Dangling(7), "\"dangling\""),
        (FieldValue::Absent, "null"),
    ];
    for (value, json) in values {
        let changed = Difference {
            change: Change::Changed,
            path: &path,
            field: Some("name"),
            left: side(value),
            right: None,
            count: 1,
        };
        let json = format!(
            r#"{{"change":"changed","path":"plane:Back","field":"name","left":{json},"right":null,"count":1}}"#
        );
        assert_eq!(serde_json::to_string(&changed).unwrap(), json);
    }
    let removed = Difference { change: Change::Removed, path: &path, field: None, left: None, right: None, count: 1 };
    let json = r#"{"change":"removed","path":"plane:Back","field":null,"left":null,"right":null,"count":1}"#;
    assert_eq!(serde_json::to_string(&removed).unwrap(), json);
}
