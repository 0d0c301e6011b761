use worldview_corpus::ff13::build::build_table;
use worldview_corpus::ff13::spec::{CellSpec, Generation, TableSpec};
use worldview_inspect::diff::DiffOptions;
use worldview_wpd::{Schema, Table, TableDescription};

use super::support::{both_ways, edited, tables, tables_of};
use crate::open::file;

const FIELDS: [&str; 7] = ["sName", "fWeight", "iCount", "uFlags", "u4Rank", "i8Bonus", "s6Group"];

fn cells(name: &str, weight: f32, count: i64, group: &str) -> [CellSpec; 7] {
    [name.into(), weight.into(), count.into(), 7.into(), 3.into(), (-2).into(), group.into()]
}

/// A table with names and a field of each kind.
fn table() -> TableSpec {
    let mut table = TableSpec::new(Generation::G3, &FIELDS)
        .row("apple", cells("$apple", 0.5, 3, "fruit"))
        .row("pear", cells("$pear", 0.25, -1, "fruit"))
        .row("plum", cells("", 1.0, 0, "stone"));
    table.sheet_name = Some(b"Food".to_vec());
    table
}

fn differences(edit: impl FnOnce(&mut TableSpec)) -> Vec<String> {
    let table = table();
    tables(&table, &edited(&table, edit))
}

#[test]
fn where_strings_lie_is_no_difference() {
    for edit in [
        (|_| {}) as fn(&mut TableSpec),
        |table| table.pool.leading_nul = true,
        |table| table.pool.share_tails = false,
        |table| table.pool.empties = 3,
        |table| table.pool.first = vec![b"never used".to_vec(), b"$pear".to_vec()],
        |table| table.arrays.first = vec![vec![b"stone".to_vec(), b"none".to_vec()]],
        |table| table.arrays.bits = Some(16),
        |table| table.align = 32,
    ] {
        assert_eq!(differences(edit), [""; 0]);
    }
}

#[test]
fn a_changed_value_is_one_difference() {
    for (cell, value, expected) in [
        (0, CellSpec::from("$äpple"), "sName: \"$apple\" -> \"$äpple\""),
        (0, "".into(), "sName: \"$apple\" -> \"\""),
        (0, CellSpec::Text(b"\xff\x01".to_vec()), "sName: \"$apple\" -> \"\\xff\\x01\""),
        (0, CellSpec::Int(9999), "sName: \"$apple\" -> dangling"),
        (1, 0.1.into(), "fWeight: 0.5 -> 0.1"),
        (1, CellSpec::Float(0x7fa0_0001), "fWeight: 0.5 -> NaN:0x7fa00001"),
        (2, (-9).into(), "iCount: 3 -> -9"),
        (3, 0xFFFF_FFFF.into(), "uFlags: 7 -> 4294967295"),
        (4, 15.into(), "u4Rank: 3 -> 15"),
        (5, 127.into(), "i8Bonus: -2 -> 127"),
        (6, "stone".into(), "s6Group: \"fruit\" -> \"stone\""),
        (6, "nut".into(), "s6Group: \"fruit\" -> \"nut\""),
    ] {
        let expected = format!("~ apple: {expected}");
        assert_eq!(differences(|table| table.rows[0].values[cell] = value), [expected]);
    }
}

#[test]
fn floats_are_equal_by_their_bits() {
    let with = |bits| edited(&table(), |table| table.rows[0].values[1] = CellSpec::Float(bits));
    assert_eq!(tables(&with(0x7fc0_0001), &with(0x7fc0_0001)), [""; 0]);
    assert_eq!(tables(&with(0x7fc0_0000), &with(0x7fc0_0001)), ["~ apple: fWeight: NaN -> NaN:0x7fc00001"]);
    assert_eq!(tables(&with(0), &with(0x8000_0000)), ["~ apple: fWeight: 0.0 -> -0.0"]);
}

#[test]
fn records_by_name() {
    assert_eq!(differences(|table| _ = table.rows.remove(1)), ["- pear"]);
    let almond =
        |table: &mut TableSpec| table.rows.insert(0, edited(&table.rows[0], |row| row.name = b"almond".to_vec()));
    assert_eq!(differences(almond), ["+ almond"]);
    let renamed = differences(|table| table.rows[2].name = b"prune".to_vec());
    assert_eq!(renamed, ["- plum", "+ prune"]);
    let unsorted = |edit: fn(&mut TableSpec)| {
        let table = edited(&table(), |table| table.keep_order = true);
        tables(&table, &edited(&table, edit))
    };
    assert_eq!(unsorted(|table| table.rows.rotate_left(1)), ["~ @records: order: apple -> pear"]);
    // Among records with the same name, the n-th is matched with the n-th.
    let twins = edited(&table(), |table| {
        table.keep_order = true;
        for row in &mut table.rows {
            row.name = b"twin".to_vec();
        }
    });
    let other = edited(&twins, |table| table.rows[1].values[2] = 8.into());
    assert_eq!(tables(&twins, &other), ["~ twin#1: iCount: -1 -> 8"]);
    let fewer = edited(&twins, |table| _ = table.rows.pop());
    assert_eq!(tables(&twins, &fewer), ["- twin#2"]);
}

#[test]
fn fields_by_name() {
    let without = |removed: usize| {
        edited(&table(), |table| {
            table.fields.remove(removed);
            for row in &mut table.rows {
                row.values.remove(removed);
            }
        })
    };
    assert_eq!(tables(&table(), &without(2)), ["- field:iCount: int, 32 bits"]);
    assert_eq!(tables(&without(4), &table()), ["+ field:u4Rank: bits-uint, 4 bits"]);
    // A field that moved has the same values.
    let moved = edited(&table(), |table| {
        table.fields.swap(0, 2);
        for row in &mut table.rows {
            row.values.swap(0, 2);
        }
    });
    assert_eq!(tables(&table(), &moved), ["~ @fields: order: field:sName -> field:iCount"]);
    // Names determine kinds and widths, so only the type list can give a field of the same name a different kind.
    let types = |types: &[u8]| table().section("!!strtypelistb", Some(types));
    let (ints, uints) = (types(&[2, 1, 0, 3, 0]), types(&[2, 1, 3, 3, 0]));
    let differences = tables(&ints, &uints);
    assert_eq!(differences, ["~ field:iCount: kind: int -> uint"]);
}

#[test]
fn what_a_table_says_of_itself() {
    let fruit = differences(|table| table.sheet_name = Some(b"Fruit".to_vec()));
    assert_eq!(fruit, ["~ sheet_name: \"Food\" -> \"Fruit\""]);
    assert_eq!(differences(|table| table.sheet_name = None), ["~ sheet_name: \"Food\" -> none"]);
    assert_eq!(differences(|table| table.version = Some(5)), ["~ layout_version: 0x1020304 -> 0x5"]);
    assert_eq!(differences(|table| table.version = None), ["~ layout_version: 0x1020304 -> none"]);
    assert_eq!(differences(|table| table.reserved[3] = 9), ["~ reserved_08: 0x0 -> 0x9"]);
    let unknown =
        edited(&table(), |table| table.others.push(worldview_corpus::ff13::spec::MemberSpec::new("!new", *b"ab")));
    let other = edited(&unknown, |table| table.others[0].data = b"ac".to_vec());
    assert_eq!(tables(&table(), &unknown), ["+ unknown_section:!new: 2 bytes"]);
    assert_eq!(tables(&unknown, &other), ["~ unknown_section:!new/byte#1: 0x62 -> 0x63"]);
}

#[test]
fn words_of_tables_without_names() {
    let plain = || {
        TableSpec::new(Generation::G1, &["sName", "fWeight", "iCount"])
            .row("a", ["x".into(), 1.5.into(), 3.into()])
            .row("b", ["y".into(), 2.5.into(), (-4).into()])
    };
    let other = edited(&plain(), |table| table.rows[1].values = vec!["z".into(), 2.5.into(), (-5).into()]);
    assert_eq!(tables(&plain(), &other), ["~ b: word0: \"y\" -> \"z\"", "~ b: word2: -4 -> -5"]);
    let generation = edited(&plain(), |table| table.generation = Generation::G2);
    assert_eq!(tables(&plain(), &generation), ["~ generation: G1 -> G2"]);
}

#[test]
fn words_where_one_table_has_names() {
    let bytes = build_table(
        &TableSpec::new(Generation::G2, &["sName", "fWeight", "u16Low"]).row("a", ["x".into(), 1.5.into(), 3.into()]),
    )
    .bytes;
    let other = build_table(
        &TableSpec::new(Generation::G2, &["sName", "fWeight", "u16Low"]).row("a", ["q".into(), 0.5.into(), 4.into()]),
    )
    .bytes;
    let schema = Schema::new("given", ["sName", "fWeight", "u16Low"]);
    let named = Table::parse_with(&bytes, &schema).unwrap();
    let named = TableDescription::new(&named).by_words();
    let plain = Table::parse(&other).unwrap();
    let plain = TableDescription::new(&plain).by_words();
    let lines = both_ways((file(&bytes), &named), (file(&other), &plain), &DiffOptions::default()).unwrap();
    assert_eq!(lines, ["~ a: word0: \"x\" -> \"q\"", "~ a: word1: 1.5 -> 0.5", "~ a: word2: 0x3 -> 0x4",]);
    assert_eq!(tables_of(&bytes, &bytes), [""; 0]);
}

/// Word 0 of `succession` has 30 bits of fields, and real files have 0xc0000000 in it.
#[test]
fn bits_that_no_field_owns() {
    let of = |word: u32| {
        TableSpec::new(Generation::G3, &["u30A"]).raw_row("a", &word.to_be_bytes()).raw_row("b", &[0xC0, 0, 0, 1])
    };
    assert_eq!(tables(&of(0x8000_0005), &of(0xC000_0005)), ["~ a: word0_bits30_31: 0x2 -> 0x3"]);
    assert_eq!(tables(&of(5), &of(0xC000_0005)), ["~ a: word0_bits30_31: none -> 0x3"]);
}
