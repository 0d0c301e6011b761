//! How a difference looks.

use worldview_export::diff::{Change, Difference, Side};

const CHANGED: Difference<'_> = Difference {
    change: Change::Changed,
    place: "plane 0 \"Back\"",
    field: "name",
    left: Some(Side::Text("a \"b\"\u{1b}")),
    right: Some(Side::Value("none")),
    count: 1,
};

#[test]
fn as_text() {
    assert_eq!(CHANGED.to_string(), "~ plane 0 \"Back\": name: \"a \\\"b\\\"\\x1b\" -> none");
    let many = Difference { count: 3, ..CHANGED };
    assert!(many.to_string().ends_with(" -> none (the first of 3)"));
    let added = Difference { change: Change::Added, field: "", left: None, ..CHANGED };
    assert_eq!(added.to_string(), "+ plane 0 \"Back\": none");
    let bare = Difference { right: None, ..added };
    assert_eq!(bare.to_string(), "+ plane 0 \"Back\"");
    let rest = Difference { field: "tiles", left: None, right: None, count: 7, ..CHANGED };
    assert_eq!(rest.to_string(), "~ plane 0 \"Back\": tiles: 7 more");
}

#[cfg(feature = "json")]
#[test]
fn as_json() {
    // What is text is not in quotes of its own.
    assert_eq!(
        serde_json::to_string(&CHANGED).unwrap(),
        r#"{"change":"changed","place":"plane 0 \"Back\"","field":"name","left":"a \"b\"\u001b","right":"none","count":1}"#
    );
    let removed = Difference { change: Change::Removed, field: "", left: None, right: None, ..CHANGED };
    assert_eq!(
        serde_json::to_string(&removed).unwrap(),
        r#"{"change":"removed","place":"plane 0 \"Back\"","field":"","left":null,"right":null,"count":1}"#
    );
}
