//! Formatting of hits.

use worldview_core::OffsetBase;
use worldview_inspect::find::{Hit, HitRole};

#[test]
fn as_text_and_json() {
    let path = "plane:Back/name".parse().unwrap();
    let hit =
        Hit { path: &path, what: "plane", text: "Back\u{7}", at: 255, space: OffsetBase::Image, role: HitRole::Name };
    assert_eq!(hit.to_string(), "plane:Back/name: plane \"Back\\x07\" at offset 255 (0xff) of the unpacked image");
    #[cfg(feature = "json")]
    assert_eq!(
        serde_json::to_string(&hit).unwrap(),
        r#"{"path":"plane:Back/name","what":"plane","text":"Back\u0007","offset":255,"space":"image"}"#
    );
}
