//! Facts about tables, on bytes put together here and values computed by hand from the format's notes.

use crate::support::{Part, archive, words};
use worldview_core::ErrorKind;
use worldview_wpd::{
    Archive, ArraysRefusal, Generation, Names, Refusal, Schema, Schemas, Table, TableOptions, Value, ValueType,
};

/// A table of XIII-1 with a word of each type a field: two records, and their strings.
fn plain_table() -> Vec<u8> {
    let row = |int: i32, float: f32, string, uint| words(&[int.cast_unsigned(), float.to_bits(), string, uint]);
    let rows = [row(-5, 1.5, 0, 7), row(6, -0.25, 4, u32::MAX)];
    archive(&[
        (b"!!string", b"", b"one\0two\0"),
        (b"!!typelist", b"", &words(&[0, 1, 2, 3])),
        (b"!!version", b"", &words(&[0xABCD])),
        (b"row_a", b"", &rows[0]),
        (b"row_b", b"", &rows[1]),
    ])
}

#[test]
fn generations_and_types_have_names() {
    use Generation::{G0, G1, G2, G3, G3Prime};
    assert_eq!([G0, G1, G2, G3, G3Prime].map(Generation::name), ["G0", "G1", "G2", "G3", "G3'"]);
    assert_eq!([G0, G1, G2, G3, G3Prime].map(Generation::is_unpacked), [true, true, false, false, false]);
    assert_eq!([ValueType::U64, ValueType::Text].map(ValueType::name), ["u64", "utf8"]);
    let list = words(&[0]);
    let generation = |sections: &[&[u8]]| {
        let members: Vec<Part<'_>> = sections.iter().map(|name| (*name, &b""[..], &list[..])).collect();
        Table::parse(&archive(&members)).unwrap().generation()
    };
    assert_eq!(generation(&[b"__string", b"__typelist"]), G0);
    assert_eq!(generation(&[b"!!typelist"]), G1);
    assert_eq!(generation(&[b"!!strtypelist", b"!!typelist"]), G2);
    assert_eq!(generation(&[b"!!strtypelist", b"!structitem"]), G3Prime);
    assert_eq!(generation(&[b"!!strtypelistb", b"!structitem"]), G3);
}

#[test]
fn a_schema_names_what_it_fits() {
    let bytes = plain_table();
    let schema = Schema::new("sheet", ["iA", "fB", "sC", "uD"]);
    let table = Table::parse_with(&bytes, &schema).unwrap();
    assert_eq!((table.names(), table.names().name()), (Names::Schema(&schema), "schema"));
    assert_eq!(table.row_at(1).unwrap().get("iA"), Some(Value::I32(6)));
    // One that does not fit: an error of the strict door, generated names at the other.
    let other = Schema::new("sheet", ["iA", "fB", "sC"]);
    let error = Table::parse_with(&bytes, &other).unwrap_err();
    let why = ErrorKind::Corrupt { why: "expected fields for all words of a record, found too few in the schema" };
    assert_eq!((error.what, error.kind), ("list of types that the schema is for", why));
    let table = TableOptions::new().schema(&other).table(Archive::parse(&bytes).unwrap()).unwrap();
    assert!(table.refused().is_some_and(|(schema, _)| schema == Some(&other)));
    assert_eq!(table.names(), Names::Generated);
    let error = Schemas::parse("sheet a\niX\n\nsheet b\nxY").unwrap_err();
    assert_eq!((error.line(), error.to_string().starts_with("line 5: expected field names")), (5, true));
}

#[test]
fn a_refusal_is_about_a_name_or_all_of_them() {
    for (refusal, index) in [
        (Refusal::Letter { index: 4 }, Some(4)),
        (Refusal::Width { index: 5, width: 40 }, Some(5)),
        (Refusal::Packed { index: 0 }, Some(0)),
        (Refusal::TooMany, None),
        (Refusal::WordsLeft { used: 1, words: 2 }, None),
        (Refusal::Kinds { letter: 'i', names: 1, list: 2 }, None),
    ] {
        assert_eq!(refusal.index(), index, "{refusal:?}");
    }
    let said = [
        (ArraysRefusal::Missing { section: "!!strArrayList" }, "there is no !!strArrayList"),
        (ArraysRefusal::Packing { per_word: 3, bits: 16 }, "!!strArrayInfo gives 3 offsets a word, of 16 bits each"),
        (ArraysRefusal::Size { section: "!!strArrayInfo" }, "!!strArrayInfo has a size that it cannot have"),
        (ArraysRefusal::Count { arrays: 2, fields: 1 }, "there are 2 arrays for 1 fields"),
    ];
    for (refusal, text) in said {
        assert_eq!(refusal.to_string(), text);
    }
}
