use worldview_rez::{DirectoryEntry, Registry, Rez};

use crate::{directory, file, header};

/// Returns an archive of which `body` makes the root directory; 8 bytes of data are at 168, and `below` at 176.
fn archive(below: &[u8], body: &[u8]) -> Vec<u8> {
    let root = 176 + below.len();
    [&header(root, body.len())[..], b"contents", below, body].concat()
}

#[test]
fn the_first_file_and_the_last_directory_of_a_name_are_found() {
    let (one, two) = (file(168, 3, b"A", *b"TXT\0"), file(171, 5, b"A", *b"TXT\0"));
    let below = [&one[..], &two].concat();
    let body = [
        &directory(176, one.len(), b"DIR")[..],
        &directory(176 + one.len(), two.len(), b"DIR"),
        &file(168, 2, b"A", *b"TXT\0"),
        &file(170, 4, b"a", *b"TXT\0"),
    ]
    .concat();
    let bytes = archive(&below, &body);
    let archive = Rez::parse(&bytes).unwrap();
    assert_eq!(archive.by_path("a.txt").map(|file| file.data()), Some(&b"co"[..]));
    assert_eq!(archive.by_path("dir\\A.TXT").map(|file| file.data()), Some(&b"tents"[..]));
    assert_eq!(archive.directory("DIR").map(|directory| directory.span().at), Some(176 + one.len() as u64));
    assert!(archive.by_path("DIR").is_none() && archive.by_path("A").is_none() && archive.by_path("").is_none());
    let files: Vec<_> = archive.files().map(|file| (file.path().to_string(), file.data().len())).collect();
    let expected = [("DIR/A.TXT", 3), ("DIR/A.TXT", 5), ("A.TXT", 2), ("a.TXT", 4)];
    assert_eq!(files, expected.map(|(path, len)| (path.to_owned(), len)));
}

#[test]
fn extensions_are_reversed_and_names_may_contain_dots() {
    let body = [
        file(168, 1, b"FRAME001", *b"DIP\0"),
        file(169, 1, b"A.B", *b"D\0\0\0"),
        file(170, 1, b"A", *b"KNAB"),
        file(171, 1, b"A.B", [0; 4]),
        file(172, 1, b"LONG.EXTENSION", [0; 4]),
    ]
    .concat();
    let bytes = archive(&[], &body);
    let archive = Rez::parse(&bytes).unwrap();
    let names: Vec<_> = archive.files().map(|file| String::from_utf8(file.file_name()).unwrap()).collect();
    assert_eq!(names, ["FRAME001.PID", "A.B.D", "A.BANK", "A.B", "LONG.EXTENSION"]);
    for (index, name) in names.iter().enumerate() {
        assert_eq!(archive.by_path(name).map(|file| file.index()), Some(index), "{name}");
    }
    let first = archive.files().next().unwrap();
    assert!(first.extension().is("pid") && first.name() == b"FRAME001" && first.entry().time.get() == 7);
}

#[test]
fn comments_and_keys_are_read() {
    let mut one = file(168, 8, b"A", *b"TXT\0");
    // Two keys and a comment.
    one[24] = 2;
    one.pop();
    one.extend(b"why\0\x01\0\0\0\xFF\xFF\0\0");
    let bytes = archive(&[], &[&one[..], &file(168, 0, b"B", [0; 4])].concat());
    let archive = Rez::parse(&bytes).unwrap();
    let files: Vec<_> = archive.files().collect();
    assert_eq!((files[0].comment(), files[1].name(), files[1].comment()), (&b"why"[..], &b"B"[..], &b""[..]));
    assert_eq!(files[0].keys().iter().map(|key| key.get()).collect::<Vec<_>>(), [1, 0xFFFF]);
}

#[test]
fn empty_directories_share_a_position_and_position_0_is_skipped() {
    let inner = file(168, 1, b"F", [0; 4]);
    let body = [
        &directory(176, 0, b"EMPTY")[..],
        &directory(176, inner.len(), b"FULL"),
        &directory(0, 168, b"SKIPPED"),
        &file(0xFFFF_FFFF, 0, b"NOTHING", [0; 4]),
    ]
    .concat();
    let bytes = archive(&inner, &body);
    let archive = Rez::parse(&bytes).unwrap();
    let counts: Vec<_> = archive.root().directories().map(|directory| directory.len()).collect();
    assert_eq!(counts, [0, 1, 0]);
    assert!(archive.by_path("NOTHING").is_some_and(|file| file.data().is_empty() && !file.is_missing()));
    assert!(matches!(archive.root().get(3), Some(DirectoryEntry::File(_))) && archive.root().get(4).is_none());
    assert_eq!(Rez::parse(&header(168, 0)).map(|archive| archive.root().len()).ok(), Some(0));
}

#[test]
fn an_archive_inside_a_file_knows_its_offset() {
    let inner = archive(&[], &file(168, 8, b"F", [0; 4]));
    let mut bytes = vec![0xEE; 100];
    bytes.extend(&inner);
    let source = worldview_rez::Source::from(&bytes[..]).window(100, inner.len() as u64, "archive").unwrap();
    let archive = Rez::parse(source).unwrap();
    let file = archive.files().next().unwrap();
    assert_eq!((file.source().base(), file.data()), (268, &b"contents"[..]));
}

#[test]
fn image_sets_are_named_by_all_directories() {
    let frame = file(168, 1, b"FRAME002", *b"DIP\0");
    let screen = file(169, 1, b"FRAME002", *b"XCP\0");
    let sound = file(170, 1, b"FRAME009", *b"VAW\0");
    let inner = [&frame[..], &screen, &sound].concat();
    let middle = directory(176, inner.len(), b"SIGN_LEFT");
    let below = [&inner[..], &middle].concat();
    let bytes = archive(&below, &directory(176 + inner.len(), middle.len(), b"images"));
    let archive = Rez::parse(&bytes).unwrap();
    let mut registry = Registry::new();
    registry.mount("LEVEL", &archive.directory("IMAGES").unwrap());
    assert_eq!(registry.len(), 1);
    let set = registry.set("level_sign_left").unwrap();
    // The first type counts, and a sound is no picture.
    assert_eq!(set.frames().map(|(number, file)| (number, file.data())).collect::<Vec<_>>(), [(2, &b"c"[..])]);
}
