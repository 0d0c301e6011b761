//! The rules for file names, which the export tests rely on.

use worldview_corpus::hostile;

#[test]
fn the_rules_reject_bad_names_and_accept_good_ones() {
    let bad =
        ["", ".", "..", "a/b", "a\\b", "a:b", "a\nb", "a\u{9B}b", "dot.", "blank ", "CON", "nul .txt", "com1.clb"];
    for name in bad.into_iter().chain(["LPT\u{B2}", "conin$.x", "-rf", "~", "a*", "a|", "a\"", "a?", "<"]) {
        assert!(hostile::complaint(name).is_some(), "{name:?}");
    }
    assert!(hostile::complaint(&"n".repeat(256)).is_some());
    for name in ["a", "console", "com", "com10", "com\u{B9}0", "a.b", ".a", "caf\u{E9}", "a~2", "%", "r_quest.wdb"] {
        assert_eq!(hostile::complaint(name), None, "{name:?}");
    }
}
