//! What is made of types, names and records that agree or do not, on bytes put together here.

use crate::support::{Part, archive, file_error, words};
use worldview_core::{ErrorKind, Limit};
use worldview_wpd::{
    Archive, ArraysRefusal, FieldKind, Generation, Refusal, Schema, Table, TableOptions, Value, check_table,
};

const INT: u32 = 0;
const FLOAT: u32 = 1;
const STRING: u32 = 2;
const UINT: u32 = 3;

fn kinds(table: &Table<'_>) -> Vec<(FieldKind, u8)> {
    table.fields().iter().map(|field| (field.kind(), field.width())).collect()
}

/// A table of these types, of one record of so many words, which count from 1.
fn typed(types: &[u32], record: u32) -> Vec<u8> {
    let record = words(&(1..=record).collect::<Vec<_>>());
    archive(&[
        (b"!!string", b"", b"\0"),
        (b"!!typelist", b"", &words(types)),
        (b"!!version", b"", &words(&[1])),
        (b"a", b"", &record),
    ])
}

#[test]
fn a_longer_record_ends_in_64_bits_where_its_last_word_is_unsigned() {
    let whole = (FieldKind::Uint, 32);
    for (types, record, last) in [
        ([INT, UINT], 2, whole),
        ([INT, UINT], 3, (FieldKind::Uint64, 64)),
        // Too long by more than the other half.
        ([INT, UINT], 4, whole),
        ([UINT, FLOAT], 3, (FieldKind::Float, 32)),
    ] {
        let bytes = typed(&types, record);
        let mut findings = 0;
        let archive = Archive::parse(&bytes).unwrap();
        let table = TableOptions::new().table_lossy(archive, &mut |_| findings += 1).unwrap();
        assert_eq!(kinds(&table)[1], last, "{types:?}, {record} words");
    }
    let bytes = typed(&[INT, UINT], 3);
    let table = Table::parse(&bytes).unwrap();
    let values: Vec<_> = table.get(0).unwrap().values().map(|(_, value)| value).collect();
    assert_eq!(values, [Value::I32(1), Value::U64(2 << 32 | 3)]);
}

#[test]
fn a_record_has_65536_words_and_no_more() {
    let table = |count: u32| {
        let (types, record) = (vec![INT; count as usize], vec![0; 4 * count as usize]);
        archive(&[(b"!!typelist", b"", &words(&types)), (b"!!version", b"", &words(&[1])), (b"a", b"", &record)])
    };
    let most = table(65_536);
    assert_eq!(Table::parse(&most).unwrap().words().len(), 65_536);
    let error = Table::parse(&table(65_537)).unwrap_err();
    // The list lies behind the directory of three entries.
    let kind = ErrorKind::Limit { of: Limit::Capacity, need: 65_537, limit: 65_536 };
    assert_eq!(error, file_error(kind, "words of a record, by the list of types", 112));
}

#[test]
fn packed_tables_are_planned_by_the_letters_of_a_schema() {
    // Of the fields two are integers in one word, by the list of the sheet's columns.
    let with = |columns: &[u32]| {
        let sections: [Part<'_>; 5] = [
            (b"!!string", b"", b"\0"),
            (b"!!strtypelist", b"", &words(&[INT, FLOAT])),
            (b"!!typelist", b"", &words(columns)),
            (b"!!version", b"", &words(&[1])),
            (b"a", b"", &words(&[0xFFFB_0007, 0x3F80_0000])),
        ];
        archive(&sections)
    };
    let schema = Schema::new("sheet", ["i16A", "i16B", "fC"]);
    let bytes = with(&[INT, INT, FLOAT]);
    let table = Table::parse_with(&bytes, &schema).unwrap();
    assert_eq!(table.generation(), Generation::G2);
    let row = table.get(0).unwrap();
    // The first field has the lowest bits.
    assert_eq!((row.by_name("i16A"), row.by_name("i16B")), (Some(Value::I32(7)), Some(Value::I32(-5))));
    // Without a schema there is a field a word, whose bits nobody explains.
    assert_eq!(kinds(&Table::parse(&bytes).unwrap()), [(FieldKind::Raw, 32), (FieldKind::Float, 32)]);
    // With a column for each word of its own type nothing is packed.
    assert_eq!(kinds(&Table::parse(&with(&[INT, FLOAT])).unwrap()), [(FieldKind::Int, 32), (FieldKind::Float, 32)]);
    for (columns, letter) in
        [(&[INT, INT, INT][..], 'i'), (&[INT, INT, FLOAT, STRING], 's'), (&[INT, INT, FLOAT, UINT], 'u')]
    {
        let bytes = with(columns);
        assert!(Table::parse_with(&bytes, &schema).is_err(), "{letter}");
        let open = TableOptions::new().schema(&schema);
        let table = open.table(Archive::parse(&bytes).unwrap()).unwrap();
        let Some((_, Refusal::Kinds { letter: found, .. })) = table.refused() else { panic!("{:?}", table.refused()) };
        assert_eq!(found, letter);
    }
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

#[test]
fn an_offset_past_the_strings_is_found() {
    let found = |offset: u32| {
        let bytes = archive(&[
            (b"!!string", b"", b"one\0"),
            (b"!!typelist", b"", &words(&[STRING])),
            (b"!!version", b"", &words(&[1])),
            (b"a", b"", &words(&[offset])),
        ]);
        let mut codes = Vec::new();
        let table = Table::parse(&bytes).unwrap();
        check_table(&table, &mut |finding| codes.push(finding.to_string()));
        codes.iter().filter(|text| text.contains("string")).count()
    };
    assert_eq!([found(0), found(3), found(4), found(1 << 31)], [0, 0, 1, 1]);
}
