//! Every path parses back from its printed form, whatever bytes the names in a file contain, and no text parses to a
//! path that prints differently.

use proptest::prelude::*;
use worldview_core::Path;
use worldview_readers::change::cases;

/// A path segment, as pushed by a walk over a file.
#[derive(Clone, Debug)]
enum Push {
    Element(&'static str, Vec<u8>, Option<u32>),
    Own(Vec<u8>, Option<u32>),
    Name(Vec<u8>),
    Nth(Vec<u8>, u32),
}

/// Generates names from bytes that are special in paths, patterns or text, and from any others.
fn name() -> impl Strategy<Value = Vec<u8>> {
    let special = prop::sample::select(b"\\/=#:@*?x0\0\n\r\t\x1b\x7f \"'aZ".to_vec());
    let piece = prop_oneof![
        4 => special.prop_map(|byte| vec![byte]),
        1 => any::<u8>().prop_map(|byte| vec![byte]),
        1 => any::<char>().prop_map(|char| char.to_string().into_bytes()),
        1 => prop::sample::select(vec![r"\x00", r"\\", "//", "#1", "a#", "@", ":", "kind:", "..", "\u{85}", "e\u{301}"])
            .prop_map(|text| text.as_bytes().to_vec()),
    ];
    prop::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

fn push() -> impl Strategy<Value = Push> {
    let kind = || prop::sample::select(vec!["plane", "object", "tile_attribute", "string_array"]);
    let number = || prop_oneof![Just(0), Just(1), Just(u32::MAX), any::<u32>()];
    prop_oneof![
        (kind(), name(), prop::option::of(number())).prop_map(|(kind, name, nth)| Push::Element(kind, name, nth)),
        (name(), prop::option::of(number())).prop_map(|(name, nth)| Push::Own(name, nth)),
        name().prop_map(Push::Name),
        (name(), number()).prop_map(|(name, nth)| Push::Nth(name, nth)),
    ]
}

/// The kind, key and number of a segment.
type Says<'p> = (Option<&'p str>, &'p [u8], Option<u32>);

/// Builds the path, and returns it with the expected segments.
fn built(pushes: &[Push]) -> (Path, Vec<Says<'_>>) {
    let mut path = Path::new();
    let mut segments = Vec::new();
    for push in pushes {
        match push {
            Push::Element(kind, name, nth) => path.push(kind, name, *nth),
            Push::Own(name, nth) => path.push("@", name, *nth),
            Push::Name(name) => path.push_name(name),
            Push::Nth(name, nth) => path.push_nth(name, *nth),
        }
        segments.push(match push {
            Push::Element(kind, name, nth) => (Some(*kind), &name[..], *nth),
            Push::Own(name, nth) => (Some("@"), &name[..], *nth),
            Push::Name(name) => (None, &name[..], None),
            Push::Nth(name, nth) => (None, &name[..], Some(*nth)),
        });
    }
    (path, segments)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(1024), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn printed_paths_parse_to_equal_paths(pushes in prop::collection::vec(push(), 0..5)) {
        let (path, expected) = built(&pushes);
        let text = path.to_string();
        prop_assert!(!text.contains(char::is_control), "{text:?}");
        let parsed: Path = text.parse().map_err(|error| TestCaseError::fail(format!("{text:?}: {error}")))?;
        prop_assert_eq!(&parsed, &path);
        let segments: Vec<_> = parsed.segments().collect();
        let said: Vec<_> = segments.iter().map(|segment| (segment.kind, &segment.key[..], segment.nth)).collect();
        prop_assert_eq!(said, expected);
    }

    #[test]
    fn different_paths_print_differently(left in prop::collection::vec(push(), 0..3), right in prop::collection::vec(push(), 0..3)) {
        let ((left, left_says), (right, right_says)) = (built(&left), built(&right));
        prop_assert_eq!(left_says == right_says, left.to_string() == right.to_string());
    }

    #[test]
    fn any_text_is_rejected_or_parses_to_a_path_that_prints_stably(pieces in prop::collection::vec(name(), 0..4)) {
        let text = pieces.iter().map(|piece| String::from_utf8_lossy(piece)).collect::<Vec<_>>().join("/");
        match text.parse::<Path>() {
            Ok(path) => prop_assert_eq!(path.to_string().parse::<Path>(), Ok(path)),
            Err(error) => prop_assert!(error.at <= text.len() && text.is_char_boundary(error.at), "{text:?}: {error}"),
        }
    }
}

#[test]
fn a_kind_that_is_no_plain_word_is_refused() {
    for kind in ["", "a/b", "a:b", "a#1", "a=b", r"a\b", "@a", "a\n"] {
        let mut path: Path = "header".parse().unwrap();
        assert!(path.try_push(kind, b"key", None).is_err(), "{kind:?}");
        assert_eq!(path.to_string(), "header", "{kind:?}");
    }
    let mut path = Path::new();
    assert_eq!(path.try_push("plane", b"Action", Some(1)), Ok(()));
    assert_eq!(path.to_string(), "plane:Action#1");
}

#[test]
fn errors_of_invalid_paths_say_where() {
    for (text, at) in [
        ("a//b", 2),
        ("/a", 0),
        ("a/", 2),
        ("plane:Action/object:17#", 23),
        ("a#x", 2),
        ("a#4294967296", 2),
        ("a#1#2", 2),
        (r"a\", 1),
        (r"ab\x1", 2),
        (r"a/\q", 2),
        ("a=b", 1),
        ("plane:a:b", 7),
        ("a\nb", 1),
        ("pla\\ne:b", 0),
    ] {
        assert_eq!(text.parse::<Path>().map_err(|error| error.at), Err(at), "{text:?}");
    }
}
