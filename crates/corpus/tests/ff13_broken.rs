//! Whatever is done to a file, the naive reader ends with a table or an error.
#![cfg(test)]
#![allow(clippy::arithmetic_side_effects, reason = "a slip fails the test")]

use worldview_corpus::builder::Built;
use worldview_corpus::ff13::build::{build_archive, build_table};
use worldview_corpus::ff13::generate::{edge_cases, small_table};
use worldview_corpus::ff13::naive::{NaiveNames, NaiveTable, NaiveValue, archive, recover, table};
use worldview_corpus::ff13::spec::{ArchiveSpec, CellSpec, Generation, MemberSpec, TableSpec};
use worldview_corpus::rng::Rng;

fn edge(name: &str) -> Vec<u8> {
    let found = edge_cases().into_iter().find(|(case, _)| case == name);
    found.unwrap_or_else(|| panic!("no case {name}")).1
}

fn read(name: &str) -> NaiveTable {
    table(&edge(name), None).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn every_cut_of_a_packed_archive_is_an_error() {
    let member = |name: &str| MemberSpec::new(name, [7; 20]);
    let file = build_archive(&ArchiveSpec { members: vec![member("a"), member("b")], ..ArchiveSpec::default() }).bytes;
    for end in 0..file.len() {
        assert!(archive(&file[..end]).is_err(), "cut at {end}");
        assert_eq!(recover(&file[..end]).is_ok(), end >= 16 + 64, "cut at {end}");
    }
}

#[test]
fn archives_that_are_refused() {
    for name in [
        "no bytes",
        "only a magic",
        "cut in the header",
        "cut in the table",
        "cut behind the table",
        "cut in the last member",
        "overwritten header",
        "magic whose last byte is not 0",
        "member of one byte too many",
        "member far behind the end",
        "offset and size that overflow 32 bits",
        "largest offset and size",
        "one entry too many",
        "count that overflows 32 bits",
        "largest count",
    ] {
        assert!(archive(&edge(name)).is_err(), "{name}");
    }
    for name in [
        "an archive that contains itself",
        "overlapping members",
        "data over the table",
        "data over the header",
        "empty member behind the end",
        "fewer entries than there are",
        "count 0",
        "archives nested twenty times",
    ] {
        assert!(archive(&edge(name)).is_ok(), "{name}");
    }
    let itself = edge("an archive that contains itself");
    assert_eq!(archive(&itself).unwrap().members[0].data, itself);
}

#[test]
fn what_can_be_recovered() {
    let members = |name: &str| recover(&edge(name)).ok().map(|found| (found.members.len(), found.lost.len()));
    for (name, expected) in [
        ("archive", Some((3, 0))),
        ("overwritten header", Some((3, 0))),
        ("overwritten header and cut", Some((3, 2))),
        ("overwritten header and cut in the table", None),
        ("cut in the last member", Some((3, 1))),
        ("cut behind the table", Some((3, 2))),
        ("no magic and a first offset that is not whole", None),
        ("no magic and the first offset of no entry", None),
        ("no magic and the first offset 0", None),
        ("no magic and a first offset of fewer entries", Some((2, 0))),
        ("no magic and a first offset behind the end", None),
        ("largest count and a first offset that tells", Some((3, 0))),
        ("largest count", Some((3, 0))),
        ("count 0", Some((0, 0))),
        ("fewer entries than there are", Some((2, 0))),
    ] {
        assert_eq!(members(name), expected, "{name}");
    }
}

#[test]
fn tables_that_are_refused() {
    for name in [
        "not a table",
        "archive",
        "G3 with a broken type list of G2",
        "G3 with a type list of 5 bytes",
        "G2 with 3 bytes of !!strtypelist",
        "G2 with 3 bytes of !!typelist",
        "G1 with 3 bytes of !!typelist",
        "G0 with 3 bytes of __typelist",
        "type list of 65,537 words",
        "record that is too short",
        "record that is too long",
        "first record that is too long",
        "empty record",
        "records of no words that are not empty",
        "a row of one byte too many",
        "a row behind the end",
        "G0 without __typelist",
        "G1 without !!typelist",
        "u64, second record too short",
        "u64, second record longer",
        "type 0 last, record of a word more",
        "type 3 last, record of a word less",
    ] {
        assert!(table(&edge(name), None).is_err(), "{name}");
    }
}

#[test]
fn lists_of_names_that_are_refused() {
    for name in [
        "empty name among the names",
        "empty name at the end",
        "name of an unknown kind",
        "packed name of an unknown kind",
        "name of a capital kind",
        "a name too few",
        "a word too few",
        "65,537 names",
        "packed fields in a word of type 3",
        "two packed words, the second of type 1",
        "u of width 33",
        "u of width 99",
        "field i33A",
        "field i64A",
        "u64 first, record of words",
        "u64 on a word of type 2",
        "u64 last, record of one word",
        "G3 with an empty !structitem",
    ] {
        // Some have records that only fit their names.
        if let Ok(found) = table(&edge(name), None) {
            assert_eq!(found.names, NaiveNames::Generated, "{name}");
        }
    }
    for name in [
        "last name without a NUL",
        "a name too few in a packed word",
        "65,536 names",
        "u of width 64",
        "u641 is a u64",
        "field i05x",
        "field u0x",
        "u64 last, no record",
    ] {
        assert_eq!(read(name).names, NaiveNames::Embedded, "{name}");
    }
}

#[test]
fn names_by_number() {
    let found = read("duplicate names of fields");
    let names: Vec<_> = found.fields.iter().map(|field| String::from_utf8_lossy(&field.name).into_owned()).collect();
    assert_eq!(names, ["iA", "fB", "word2", "word3", "i5A", "u12F", "word4_bit17", "word5_bit0"]);
    let width = |name: &str| read(name).fields.last().map(|field| (field.packed, field.width));
    assert_eq!(width("field i05x"), Some((true, 5)));
    assert_eq!(width("field u0x"), Some((false, 32)));
    assert_eq!(width("field u128A"), Some((true, 12)));
    assert_eq!(width("field i1 5"), Some((true, 1)));
}

#[test]
fn strings_that_dangle() {
    let texts = |name: &str| -> Vec<_> {
        read(name).rows.into_iter().flat_map(|row| row.values).filter(|v| matches!(v, NaiveValue::Text(_))).collect()
    };
    let some = |text: &str| NaiveValue::Text(Some(text.into()));
    let none = NaiveValue::Text(None);
    let (jp, tail) = ("\u{795e}".as_bytes(), |n: usize| NaiveValue::Text(Some("\u{795e}".as_bytes()[n..].to_vec())));
    assert_eq!(jp.len(), 3);
    assert_eq!(
        texts("offsets inside strings, at NULs and at the end"),
        [some("ab"), some("b"), some(""), tail(0), tail(1), tail(2), some(""), some("c")]
    );
    assert_eq!(texts("offsets behind the pool"), vec![none.clone(); 5]);
    assert_eq!(texts("strings without a pool"), vec![none.clone(); 2]);
    assert_eq!(texts("G3 without !!string"), vec![none.clone(); 3]);
    let indices = texts("indices behind their arrays");
    assert_eq!(indices[8..], [none.clone(), none]);
}

#[test]
fn arrays_that_are_refused() {
    for (per_word, bits) in [(0, 9), (3, 0), (1, 33), (3, 11), (33, 1), (255, 255)] {
        assert!(read(&format!("refused arrays of {per_word} offsets of {bits} bits")).arrays.is_empty());
    }
    for (per_word, bits) in [(1, 32), (3, 10), (32, 1), (5, 6)] {
        assert_eq!(read(&format!("arrays of {per_word} offsets of {bits} bits")).arrays.len(), 2);
    }
    for name in ["arrays without !!strArray", "a list of one array too few", "a list of one array too many"] {
        assert!(read(name).arrays.is_empty(), "{name}");
    }
    let lengths = |name: &str| read(name).arrays.iter().map(Vec::len).collect::<Vec<_>>();
    let whole = lengths("arrays of strings");
    assert_eq!(lengths("a list that falls")[0], 0);
    assert_eq!(lengths("a list of equal offsets"), [0, whole[0] + whole[1]]);
    assert_eq!(lengths("a list far behind the end"), [0, 0]);
}

/// Everything that reads, on bytes that may be anything.
fn read_all(bytes: &[u8]) {
    let _ = archive(bytes);
    let _ = recover(bytes);
    let _ = table(bytes, None);
    let _ = table(bytes, Some(&["iOne", "fTwo", "sThree", "uFour"]));
}

#[test]
fn every_label_set_to_odd_values() {
    for seed in 0..20 {
        let built: Built = build_table(&small_table(seed));
        for label in built.labels.keys() {
            for value in [0, 1, 17, 0x7FFF_FFFF, 0x8000_0000, u32::MAX] {
                let mut broken = built.clone();
                // The last label is the end of the file and has no bytes.
                if broken.patch_u32_be(label, value) {
                    read_all(&broken.bytes);
                }
            }
        }
    }
}

#[test]
fn random_bytes() {
    let mut rng = Rng::new(1);
    for seed in 0..400 {
        let whole = build_table(&small_table(seed)).bytes;
        for _ in 0..5 {
            let mut broken = whole.clone();
            for _ in 0..6 {
                let at = usize::try_from(rng.below(u32::try_from(broken.len()).unwrap())).unwrap();
                broken[at] = rng.next_u64().to_le_bytes()[0];
            }
            read_all(&broken);
        }
    }
}

#[test]
fn parts_that_share_their_bytes_run_out_of_budget() {
    // Two hundred members that are all the whole of a large file.
    let members = (0..200).map(|i| MemberSpec::new(format!("m{i}"), "")).collect();
    let mut spec = ArchiveSpec { members, ..ArchiveSpec::default() };
    spec.members.push(MemberSpec::new("large", vec![7; 1 << 20]));
    let mut built = build_archive(&spec);
    let place = u32::try_from(built.at("data 200").unwrap()).unwrap();
    for i in 0..200 {
        assert!(built.patch_u32_be(&format!("entry {i} offset"), place));
        assert!(built.patch_u32_be(&format!("entry {i} size"), 1 << 20));
    }
    assert!(archive(&built.bytes).unwrap_err().what.starts_with("budget"));
    assert!(recover(&built.bytes).unwrap_err().is_budget());

    // A thousand records that all refer to one long string many times.
    let names: Vec<_> = (0..50).map(|n| format!("sText{n}")).collect();
    let fields: Vec<_> = names.iter().map(String::as_str).collect();
    let pool = [vec![b'x'; 20_000], vec![0]].concat();
    let mut spec = TableSpec::new(Generation::G3, &fields).section("!!string", Some(&pool));
    for i in 0..1000 {
        spec = spec.row(&format!("row{i}"), fields.iter().map(|_| CellSpec::Int(0)));
    }
    assert!(table(&build_table(&spec).bytes, None).unwrap_err().is_budget());
}
