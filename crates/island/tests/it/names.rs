//! Names, keys and labels, and the properties of a file's contents.

use std::collections::HashSet;

use worldview_core::{OffsetBase, Source};
use worldview_corpus::island::build::{build, build_parts};
use worldview_corpus::island::generate::small;
use worldview_corpus::island::spec::{PartSpec, PartsSpec};
use worldview_island::{BlobKind, Contents, Database, Name, NameKey, Parts, Shading};

#[test]
fn a_name_ends_at_its_first_nul() {
    // Counted bytes, their text, and the bytes after it.
    let names: [(&[u8], &[u8], &[u8]); 6] = [
        (b"", b"", b""),
        (b"Pizza", b"Pizza", b""),
        (b"Pizza\0", b"Pizza", b""),
        (b"Pizza\0old", b"Pizza", b"old"),
        (b"\0old\0", b"", b"old\0"),
        (b"\0", b"", b""),
    ];
    for (counted, text, tail) in names {
        let name = Name::new(counted);
        assert_eq!((name.counted(), name.text(), name.tail()), (counted, text, tail));
        assert_eq!(name.is_absent(), counted.is_empty());
        assert!(name.is(text) && name.is(text.to_ascii_uppercase()) && !name.is(b"pizzas"));
        assert_eq!(name.key(), NameKey(text));
    }
    assert!(!Name::new(b"").is(b"Pizza"));
    assert_eq!(format!("{:?} {:?}", Name::new(b"caf\xE9\0"), NameKey(b"a\"b")), "\"caf\\xe9\\x00\" \"a\\\"b\"");
}

#[test]
fn keys_are_equal_and_sorted_whatever_their_case() {
    assert_eq!(NameKey(b"Brick.GIF"), NameKey(b"bRICK.gif"));
    assert_ne!(NameKey(b"brick"), NameKey(b"bricks"));
    // Only ASCII letters have a case. Other bytes that differ by 32 are distinct.
    assert_ne!(NameKey(b"\xC9"), NameKey(b"\xE9"));
    assert_ne!(NameKey(b"[x]"), NameKey(b"{x}"));
    let mut keys = [NameKey(b"b"), NameKey(b"A"), NameKey(b""), NameKey(b"aB"), NameKey(b"AA"), NameKey(b"_")];
    keys.sort();
    // An underscore sorts before the lowercase letters, and all letters are compared as lowercase.
    assert_eq!(keys.map(|key| key.0), [&b""[..], b"_", b"A", b"AA", b"aB", b"b"]);
    assert!(NameKey(b"A").partial_cmp(&NameKey(b"b")).is_some_and(std::cmp::Ordering::is_lt));
    // Lengths around the 32 bytes that are hashed at a time.
    for len in [0, 1, 31, 32, 33, 64, 65] {
        let text = vec![b'q'; len];
        let set = HashSet::from([NameKey(&text)]);
        assert!(set.contains(&NameKey(&text.to_ascii_uppercase())), "{len}");
        assert!(!set.contains(&NameKey(&vec![b'q'; len + 1])), "{len}");
    }
}

#[test]
fn kinds_have_words() {
    assert_eq!([BlobKind::Parts, BlobKind::Model].map(BlobKind::name), ["parts", "model"]);
    let shadings = [Shading::Flat, Shading::Smooth, Shading::Wireframe];
    assert_eq!(shadings.map(Shading::name), ["flat", "smooth", "wireframe"]);
}

#[test]
fn parts_tell_how_many_they_are() {
    let count = |names: &[&str]| {
        let parts = names.iter().map(|name| PartSpec::new(name, Vec::new())).collect();
        let bytes = build_parts(&PartsSpec { parts, ..PartsSpec::default() }).bytes;
        let parts = Parts::parse(Source::new(&bytes, OffsetBase::File)).unwrap();
        let found: Vec<_> = parts.iter().map(|part| part.name.text().to_vec()).collect();
        assert_eq!(found, names.iter().map(|name| name.as_bytes().to_vec()).collect::<Vec<_>>());
        (parts.len(), parts.is_empty(), parts.end() - parts.source().base() <= bytes.len() as u64)
    };
    assert_eq!(count(&[]), (0, true, true));
    assert_eq!(count(&["one", "two"]), (2, false, true));
}

#[test]
fn what_did_not_open_is_said() {
    let file = build(&small(7)).bytes;
    let whole = Database::parse(&file).unwrap();
    let contents = Contents::read_lossy(&whole, &mut |finding| panic!("{finding}"));
    assert!(!contents.is_broken());
    // A model with an unknown version.
    let model = whole.blobs().iter().find(|blob| blob.kind == BlobKind::Model).unwrap();
    let at = usize::try_from(model.source.base()).unwrap();
    let mut broken = file.clone();
    broken[at] = 0xFF;
    let database = Database::parse(&broken).unwrap();
    let mut findings = Vec::new();
    let contents = Contents::read_lossy(&database, &mut |finding| findings.push(finding.at));
    assert!(contents.is_broken());
    assert_eq!(findings, [at as u64]);
}
