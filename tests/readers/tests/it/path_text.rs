//! Every path parses back from its printed form, whatever bytes the names in a file contain, and no text parses to a
//! path that prints differently.

use worldview_core::Path;
use worldview_corpus::rng::Rng;
use worldview_corpus::trial::rounds;

/// A path segment, as pushed by a walk over a file.
#[derive(Clone, Debug)]
enum Push {
    Element(&'static str, Vec<u8>, Option<u32>),
    Own(Vec<u8>, Option<u32>),
    Name(Vec<u8>),
    Nth(Vec<u8>, u32),
}

/// Generates a name from bytes that are special in paths, patterns or text, and from any others.
fn name(rng: &mut Rng) -> Vec<u8> {
    const SPECIAL: &[u8] = b"\\/=#:@*?x0\0\n\r\t\x1b\x7f \"'aZ";
    const PIECES: [&str; 11] = [r"\x00", r"\\", "//", "#1", "a#", "@", ":", "kind:", "..", "\u{85}", "e\u{301}"];
    let piece = |rng: &mut Rng| match rng.below(7) {
        0..4 => vec![*rng.pick(SPECIAL).unwrap()],
        4 => vec![rng.next_u64().to_le_bytes()[0]],
        5 => char::from_u32(rng.below(0x11_0000)).unwrap_or('\u{FFFD}').to_string().into_bytes(),
        _ => rng.pick(&PIECES).unwrap().as_bytes().to_vec(),
    };
    (0..rng.below(6)).flat_map(|_| piece(rng)).collect()
}

fn push(rng: &mut Rng) -> Push {
    const KINDS: [&str; 4] = ["plane", "object", "tile_attribute", "string_array"];
    let name = name(rng);
    let number = [0, 1, u32::MAX, rng.below(u32::MAX)][rng.below(4) as usize];
    let nth = if rng.one_in(2) { Some(number) } else { None };
    match rng.below(4) {
        0 => Push::Element(rng.pick(&KINDS).unwrap(), name, nth),
        1 => Push::Own(name, nth),
        2 => Push::Name(name),
        _ => Push::Nth(name, number),
    }
}

fn pushes(rng: &mut Rng, fewer_than: u32) -> Vec<Push> {
    (0..rng.below(fewer_than)).map(|_| push(rng)).collect()
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

#[test]
fn printed_paths_parse_to_equal_paths() {
    let mut rng = Rng::new(1);
    for _ in 0..rounds(1024) {
        let pushes = pushes(&mut rng, 5);
        let (path, expected) = built(&pushes);
        let text = path.to_string();
        assert!(!text.contains(char::is_control), "{text:?}");
        let parsed: Path = text.parse().unwrap_or_else(|error| panic!("{text:?}: {error}"));
        assert_eq!(parsed, path, "{text:?}");
        let segments: Vec<_> = parsed.segments().collect();
        let said: Vec<_> = segments.iter().map(|segment| (segment.kind, &segment.key[..], segment.nth)).collect();
        assert_eq!(said, expected, "{text:?}");
    }
}

#[test]
fn different_paths_print_differently() {
    let mut rng = Rng::new(2);
    for _ in 0..rounds(1024) {
        let (left, right) = (pushes(&mut rng, 3), pushes(&mut rng, 3));
        let ((left, left_says), (right, right_says)) = (built(&left), built(&right));
        assert_eq!(left_says == right_says, left.to_string() == right.to_string(), "{left}, {right}");
    }
}

#[test]
fn any_text_is_rejected_or_parses_to_a_path_that_prints_stably() {
    let mut rng = Rng::new(3);
    for _ in 0..rounds(1024) {
        let pieces: Vec<_> = (0..rng.below(4)).map(|_| name(&mut rng)).collect();
        let text = pieces.iter().map(|piece| String::from_utf8_lossy(piece)).collect::<Vec<_>>().join("/");
        match text.parse::<Path>() {
            Ok(path) => assert_eq!(path.to_string().parse::<Path>(), Ok(path), "{text:?}"),
            Err(error) => assert!(error.at <= text.len() && text.is_char_boundary(error.at), "{text:?}: {error}"),
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
