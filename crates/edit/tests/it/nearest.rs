use worldview_edit::nearest::{meant, nearest};

#[test]
fn the_name_that_was_meant() {
    let names = ["item.wdb", "item_help.wdb", "quest.wdb", "Item.bak", "y"];
    for (text, expected) in [
        ("item", Some("item.wdb")),
        ("ITEM_HELP.WDB", Some("item_help.wdb")),
        ("itme.wdb", Some("item.wdb")),
        ("que", Some("quest.wdb")),
        ("ite", None),
        ("weapon.wdb", None),
        ("help", Some("item_help.wdb")),
        ("elp", None),
        ("q", None),
        ("x", None),
        ("Y", Some("y")),
        ("", None),
    ] {
        assert_eq!(meant(text, names.into_iter()), expected, "{text}");
    }
}

#[test]
fn texts_that_differ_least() {
    let names = ["speed", "speedy", "points", "score", "i"];
    for (text, expected) in [
        ("speeed", (1, "speed")),
        ("pionts", (1, "points")),
        ("spedey", (1, "speedy")),
        ("scroe_", (2, "score")),
        ("score", (0, "score")),
    ] {
        assert_eq!(nearest(text, names), Some(expected), "{text}");
    }
    assert!(nearest(&"s".repeat(1000), names).is_some_and(|(distance, _)| distance > 50));
}
