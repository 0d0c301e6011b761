//! Hostile names: that they are there, and that the files hold them, by the naive readers.
#![cfg(test)]
#![allow(clippy::arithmetic_side_effects, reason = "a slip fails the test")]

use std::collections::BTreeSet;

use worldview_corpus::hostile::{self, Hostile};
use worldview_corpus::wwd::naive::{NaiveValue, int};
use worldview_corpus::{ff13, island, wwd};

/// Up to the NUL, and no longer than that.
fn text(bytes: &[u8], most: usize) -> &[u8] {
    let bytes = &bytes[..bytes.len().min(most)];
    bytes.split(|&byte| byte == 0).next().unwrap_or(&[])
}

fn has(names: &[Hostile], name: &[u8]) -> bool {
    names.iter().any(|hostile| hostile.bytes == name)
}

#[test]
fn there_are_many_and_no_two_are_alike() {
    let names = hostile::names();
    assert!(names.len() > 100, "{}", names.len());
    assert_eq!(names.iter().map(|name| &name.bytes).collect::<BTreeSet<_>>().len(), names.len());
    assert_eq!(names.iter().map(|name| name.why).collect::<BTreeSet<_>>().len(), names.len());
    for wanted in [&b".."[..], b"/etc/passwd", b"C:x", b"a\\b", b"a:b", b"", b"NUL.", b"CON", b"manifest.json", b"."] {
        assert!(has(&names, wanted), "{}", wanted.escape_ascii());
    }
    assert!(names.iter().any(|name| std::str::from_utf8(&name.bytes).is_err()));
    assert!(names.iter().any(|name| name.bytes.len() == 5000));
}

/// What is meant to collide does, by the rules of the language; and nobody meant these to be the same bytes.
#[test]
fn pairs_collide_by_case_or_composition() {
    let names = hostile::names();
    for (one, other) in
        [("Foo", "foo"), ("MANIFEST.JSON", "manifest.json"), ("\u{c4}b", "\u{e4}b"), ("\u{212a}ey", "key")]
    {
        assert!(has(&names, one.as_bytes()) && has(&names, other.as_bytes()) && one != other);
        assert_eq!(one.to_lowercase(), other.to_lowercase());
    }
    for (one, other) in [("\u{17f}oo", "soo"), ("stra\u{df}e", "strasse")] {
        assert!(has(&names, one.as_bytes()) && has(&names, other.as_bytes()) && one != other);
        assert_eq!(one.to_uppercase(), other.to_uppercase());
    }
    assert!(has(&names, "caf\u{e9}".as_bytes()) && has(&names, "cafe\u{301}".as_bytes()));
}

#[test]
fn an_archive_has_them_all() {
    let names = hostile::names();
    let archive = ff13::naive::archive(&hostile::archive(&names)).unwrap();
    assert_eq!(archive.members.len(), names.len());
    for (number, (member, name)) in archive.members.iter().zip(&names).enumerate() {
        assert_eq!(member.name, text(&name.bytes, 16));
        assert_eq!(member.extension, text(name.bytes.get(16..).unwrap_or(&[]), 8));
        assert_eq!(member.data, format!("{number}: {}", name.why).as_bytes());
    }
}

#[test]
fn a_database_has_them_all() {
    let names = hostile::names();
    let file = hostile::world(&names);
    let database = island::naive::database(&file).unwrap();
    let worlds = &database.directory.worlds;
    assert_eq!((worlds[0].name.text(), worlds[0].models.len()), (b"HARMLESS".to_vec(), 64));
    assert_eq!(worlds.len(), names.len() + 1);
    for (world, name) in worlds[1..].iter().zip(&names) {
        let expected = text(&name.bytes, 5000);
        assert_eq!(world.name.text(), expected);
        assert_eq!(world.parts[0].name.text(), expected);
        assert_eq!((world.models[0].name.text(), world.models[0].presenter.text()), (expected.into(), expected.into()));
    }
    let blobs: BTreeSet<_> = worlds.iter().flat_map(|world| &world.models).map(|model| model.place.offset).collect();
    assert_eq!(blobs.len(), names.len(), "a model for each");
}

#[test]
fn a_level_has_them_all() {
    let names = hostile::names();
    let level = wwd::naive::read(&hostile::level(&names)).unwrap();
    assert_eq!(level.planes.len(), names.len());
    for (number, (plane, name)) in level.planes.iter().zip(&names).enumerate() {
        let mut field = name.bytes.clone();
        field.resize(64, 0);
        let found = plane.fields.iter().find(|(field, _)| *field == "name").unwrap();
        assert_eq!(found.1, NaiveValue::Text(field));
        assert_eq!(int(&plane.fields, "fill_color"), i64::try_from(number).ok());
        let expected = text(&name.bytes, 200);
        assert_eq!((&*plane.objects[0].name, &*plane.objects[0].logic), (expected, expected));
        assert_eq!(plane.image_sets, [expected]);
    }
}

#[test]
fn no_names_make_files_all_the_same() {
    assert!(ff13::naive::archive(&hostile::archive(&[])).unwrap().members.is_empty());
    assert_eq!(island::naive::database(&hostile::world(&[])).unwrap().directory.worlds.len(), 1);
    assert!(wwd::naive::read(&hostile::level(&[])).unwrap().planes.is_empty());
}

#[test]
fn the_rules_know_bad_names_from_good_ones() {
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
