//! What the builder writes, the naive reader finds again, down to the last bit.
#![cfg(test)]
#![allow(clippy::arithmetic_side_effects, reason = "a slip fails the test")]

use std::collections::BTreeSet;

use worldview_corpus::ff13::build::{build_archive, build_table};
use worldview_corpus::ff13::generate::{
    Shape, edge_cases, folder, generic, pack, schema_cases, small_table, table as bulk,
};
use worldview_corpus::ff13::naive::{NaiveNames, NaiveTable, NaiveType, NaiveValue, archive, table};
use worldview_corpus::ff13::spec::{ArchiveSpec, CellSpec, Generation, MemberSpec, TableSpec};

const ALL: [Generation; 5] = [Generation::G0, Generation::G1, Generation::G2, Generation::G3, Generation::G3Prime];

/// What the reader should make of a cell; the specifications here only hold values that their fields can.
fn expected(cell: &CellSpec, field: &str) -> NaiveValue {
    match cell {
        CellSpec::Text(text) => NaiveValue::Text(Some(text.clone())),
        CellSpec::Float(bits) => NaiveValue::F32(*bits),
        CellSpec::Int(value) if field.starts_with("u64") => NaiveValue::U64(value.cast_unsigned()),
        CellSpec::Int(value) if field.starts_with('u') => NaiveValue::U32(u32::try_from(*value).unwrap()),
        CellSpec::Int(value) => NaiveValue::I32(i32::try_from(*value).unwrap()),
    }
}

fn check(what: &str, spec: &TableSpec) -> NaiveTable {
    let built = build_table(spec);
    let schema: Vec<_> = spec.fields.iter().map(String::as_str).collect();
    let found = table(&built.bytes, Some(&schema)).unwrap_or_else(|error| panic!("{what}: {error}"));
    assert_eq!(found.generation, spec.generation, "{what}");
    assert_eq!(found.sheet_name, spec.sheet_name, "{what}");
    assert_eq!(found.version, spec.version, "{what}");
    let is_embedded = matches!(spec.generation, Generation::G3 | Generation::G3Prime);
    assert_eq!(found.names, if is_embedded { NaiveNames::Embedded } else { NaiveNames::Schema }, "{what}");
    let names: Vec<_> = found.fields.iter().map(|field| String::from_utf8_lossy(&field.name).into_owned()).collect();
    assert_eq!(names, spec.fields, "{what}");
    let mut rows: Vec<_> = spec.rows.iter().collect();
    rows.sort_by_key(|row| &row.name);
    assert_eq!(found.rows.len(), rows.len(), "{what}");
    for (found, row) in found.rows.iter().zip(rows) {
        assert_eq!(found.name, row.name, "{what}");
        let values: Vec<_> = row.values.iter().zip(&spec.fields).map(|(cell, field)| expected(cell, field)).collect();
        assert_eq!(found.values, values, "{what}");
    }
    found
}

#[test]
fn small_tables() {
    let mut generations = BTreeSet::new();
    let mut widths = BTreeSet::new();
    for seed in 0..3000 {
        let spec = small_table(seed);
        let found = check(&format!("seed {seed}"), &spec);
        generations.insert(found.generation);
        widths.extend(found.fields.iter().map(|field| (field.letter, field.packed, field.width)));
        assert_eq!(build_table(&small_table(seed)), build_table(&spec), "the same seed is the same table");
    }
    assert_eq!(generations.len(), 5);
    // 32 packed widths of four kinds, a full word of each, and the double one.
    assert_eq!(widths.len(), 4 * 32 + 4 + 1);
}

/// Values at the ends of what `width` bits hold.
fn ends(letter: char, width: u32) -> Vec<CellSpec> {
    let highest = (1_i64 << width) - 1;
    match letter {
        'u' => [0, 1.min(highest), highest, highest / 2].map(CellSpec::Int).to_vec(),
        's' => ["one", "", "one", "one"].map(CellSpec::from).to_vec(),
        _ => [0, -1, highest / 2, -highest / 2 - 1].map(CellSpec::Int).to_vec(),
    }
}

#[test]
fn every_width_of_every_kind_in_every_generation() {
    for generation in [Generation::G2, Generation::G3, Generation::G3Prime] {
        for letter in ['i', 'u', 'f', 's'] {
            for width in 1..=32 {
                let before = width % 7 + 1;
                let fields =
                    [format!("u{before}A"), format!("{letter}{width}B"), "i3C".into(), format!("{letter}{width}D")];
                let mut spec = TableSpec::new(generation, &fields.each_ref().map(String::as_str));
                let ends = ends(letter, width);
                for (i, end) in ends.iter().enumerate() {
                    let values = [CellSpec::Int(1), end.clone(), CellSpec::Int(-4), ends[3 - i].clone()];
                    spec = spec.row(&format!("row{i}"), values);
                }
                check(&format!("{generation:?} {letter}{width}"), &spec);
            }
        }
    }
    for generation in ALL {
        let spec = TableSpec::new(generation, &["iA", "uB", "fC", "sD", "u64E"]);
        let row = |n: i64, bits, text: &str, long| {
            [CellSpec::Int(n), CellSpec::Int(n.abs()), CellSpec::Float(bits), CellSpec::from(text), CellSpec::Int(long)]
        };
        let spec =
            spec.row("a", row(i64::from(i32::MIN), 0x7FC0_0001, "", -1)).row("b", row(-1, 1, "\u{795e}", 1 << 40));
        let spec = spec.row("c", row(i64::from(i32::MAX), 0x8000_0000, "lamp", i64::MIN));
        check(&format!("{generation:?}"), &spec);
    }
}

#[test]
fn words_that_are_packed_alike_by_hand() {
    // 20 bits do not fit beside 20, 12 do; 1 and 31 fill a word.
    let spec = TableSpec::new(Generation::G3, &["u20A", "u20B", "u12C", "u1D", "u31E", "u32F"]);
    let spec = spec.row("a", [0xABCDE, 0x12345, 0x678, 1, 0x7654_3210, 0x89AB_CDEF].map(CellSpec::Int));
    let built = build_table(&spec);
    let record = &built.bytes[built.at("record a").unwrap()..];
    assert_eq!(record, [0, 0x0A, 0xBC, 0xDE, 0x67, 0x81, 0x23, 0x45, 0xEC, 0xA8, 0x64, 0x21, 0x89, 0xAB, 0xCD, 0xEF]);
}

#[test]
fn archives() {
    for (align, first_align, pad_end) in [(1, 1, false), (4, 4, false), (128, 128, true), (16, 4096, false)] {
        let members: Vec<_> = (0..40_usize)
            .map(|i| MemberSpec {
                extension: vec![b'e'; i % 9],
                slot: 1 + i % 3 * 8,
                ..MemberSpec::new(vec![b'n'; i % 17], vec![u8::try_from(i).unwrap(); i * 7 % 31])
            })
            .collect();
        let spec = ArchiveSpec { members, align, first_align, pad_end, reserved: *b"reserved" };
        let built = build_archive(&spec);
        let found = archive(&built.bytes).unwrap();
        assert_eq!(found.reserved, spec.reserved);
        assert_eq!(found.members.len(), 40);
        for (i, (found, member)) in found.members.iter().zip(&spec.members).enumerate() {
            assert_eq!((&found.name, &found.extension, &found.data), (&member.name, &member.extension, &member.data));
            assert_eq!(Some(usize::try_from(found.offset).unwrap()), built.at(&format!("data {i}")));
            assert!(usize::try_from(found.offset).unwrap().is_multiple_of(align));
        }
    }
}

#[test]
fn edge_files_are_what_they_say() {
    let cases = edge_cases();
    let names: BTreeSet<_> = cases.iter().map(|(name, _)| name).collect();
    assert_eq!(names.len(), cases.len(), "every case has its own name");
    let mut seen = std::collections::BTreeMap::new();
    for (name, bytes) in &cases {
        let earlier = seen.insert(bytes, name);
        assert_eq!(earlier, None, "{name}: no two files are alike");
    }
    let (mut tables, mut refused) = (0, 0);
    for (name, bytes) in &cases {
        match table(bytes, None) {
            Ok(_) => tables += 1,
            Err(error) => {
                assert!(!error.is_budget(), "{name}: {error}");
                refused += 1;
            }
        }
    }
    assert!(tables > 300 && refused > 60, "{tables} tables, {refused} refused");
}

#[test]
fn schemas_that_fit_and_schemas_that_do_not() {
    let fitting = [
        "schema that fits",
        "schema of packed letters in another order",
        "schema with duplicate names",
        "schema with names that are there twice",
        "schema without a list of kinds",
        "schema and unknown kinds",
        "schema of a table without records",
        "schema of G0",
        "schema of G1",
        "schema with a u64",
        "schema with a u64 and no records",
        "schema with arrays of strings",
        "schema with arrays of strings for other fields",
    ];
    let mut found = Vec::new();
    for (name, bytes, schema) in &schema_cases() {
        let schema: Vec<_> = schema.iter().map(String::as_str).collect();
        let table = table(bytes, Some(&schema));
        if table.is_ok_and(|table| table.names == NaiveNames::Schema) {
            found.push(name.clone());
        }
    }
    assert_eq!(found, fitting);
}

#[test]
fn bulk_tables_have_the_size_that_was_asked_for() {
    for (shape, record) in Shape::all().iter().zip([4, 16, 32, 84, 268]) {
        assert_eq!(shape.record_size(), record);
        for target in [4000, 300_000] {
            let bytes = bulk(7, target, shape);
            assert!(bytes.len() > target * 2 / 3 && bytes.len() < target * 4 / 3, "{shape:?}: {}", bytes.len());
            let schema: Vec<_> = shape.fields.iter().map(String::as_str).collect();
            let found = table(&bytes, Some(&schema)).unwrap();
            assert_eq!((found.record_size, found.generation), (record, shape.generation));
            assert_ne!(found.names, NaiveNames::Generated);
            assert!(found.rows.is_sorted_by(|a, b| a.name < b.name), "rows are sorted and differ");
            let texts = found.rows.iter().flat_map(|row| &row.values).filter_map(|value| match value {
                NaiveValue::Text(text) => Some(text.as_ref().unwrap()),
                _ => None,
            });
            for text in texts {
                assert!(std::str::from_utf8(text).is_ok());
            }
            assert_eq!(bytes, bulk(7, target, shape), "the same seed is the same table");
        }
    }
}

#[test]
fn folders_and_packs() {
    let files = folder(3, 50);
    assert_eq!(files.len(), 50);
    let schema = Shape::battle_scene().fields;
    let schema: Vec<_> = schema.iter().map(String::as_str).collect();
    for (name, bytes) in &files {
        let found = table(bytes, Some(&schema)).unwrap();
        assert!((6..=24).contains(&found.rows.len()) && found.names == NaiveNames::Schema, "{name}");
    }
    let nested = archive(&pack(4, 12)).unwrap();
    assert_eq!(nested.members.len(), 12);
    for member in &nested.members {
        let found = table(&member.data, None).unwrap();
        assert_eq!((found.generation, found.names), (Generation::G3, NaiveNames::Embedded));
    }
    let other = archive(&generic(5, 30)).unwrap();
    assert_eq!(other.members.len(), 30);
    for member in &other.members {
        assert_eq!((member.name.len(), &member.extension[..], member.offset % 128), (16, &b"clb"[..], 0));
    }
    assert!(!other.members.is_sorted_by_key(|member| &member.name));
}

#[test]
fn generated_names() {
    let spec = TableSpec::new(Generation::G1, &["iA", "fB", "sC", "uD"]);
    let built =
        build_table(&spec.row("a", [CellSpec::Int(-1), CellSpec::Float(0), CellSpec::from("x"), CellSpec::Int(7)]));
    let found = table(&built.bytes, None).unwrap();
    let fields: Vec<_> = found.fields.iter().map(|field| (field.name.as_slice(), field.value)).collect();
    let types = [NaiveType::I32, NaiveType::F32, NaiveType::Text, NaiveType::U32];
    assert_eq!(fields, [&b"word0"[..], b"word1", b"word2", b"word3"].into_iter().zip(types).collect::<Vec<_>>());
}
