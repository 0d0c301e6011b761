//! How a hit looks.

use worldview_core::Space;
use worldview_export::find::Hit;

const HIT: Hit<'_> =
    Hit { place: "plane 0 \"Back\"", what: "plane name", text: "Back\u{7}", at: 255, space: Space::Image };

#[test]
fn as_text() {
    assert_eq!(
        HIT.to_string(),
        "plane 0 \"Back\": plane name \"Back\\x07\" at offset 255 (0xff) of the unpacked image"
    );
}

#[cfg(feature = "json")]
#[test]
fn as_json() {
    assert_eq!(
        serde_json::to_string(&HIT).unwrap(),
        r#"{"place":"plane 0 \"Back\"","what":"plane name","text":"Back\u0007","at":255,"space":"image"}"#
    );
}
