//! Facts about tables, on hand-built bytes and with values computed by hand from the format notes.

use crate::support::{Part, archive, put, words};
use worldview_core::ErrorKind;
use worldview_wpd::{
    Archive, ArraysRefusal, Element, FieldKind, FindingKind, Generation, NameOrigin, Refusal, Schema, Schemas, Table,
    TableOptions, Value, ValueType, check_overwritten, check_table,
};

/// Returns a table of XIII-1 with one word of each type: two records, and their strings.
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

/// Returns a table of XIII-2: a float, a word of packed bits with an array element, and a 64-bit field.
fn named_table() -> Vec<u8> {
    // From the low end: 4 bits, 12 bits, an index of 8 bits; the rest is unused.
    let row = |a: u32, b: u32, c: u32| words(&[0x4000_0000, a | b << 4 | c << 16, 0x0123_4567, 0x89AB_CDEF]);
    let rows = [row(0xF, 0x801, 2), row(0x3, 0x7FF, 3)];
    archive(&[
        (b"!!sheetname", b"", b"sheet\0"),
        (b"!!strArray", b"", &words(&[4 << 16, 8])),
        (b"!!strArrayInfo", b"", &[0, 0, 2, 16]),
        (b"!!strArrayList", b"", &words(&[0])),
        (b"!!string", b"", b"aaa\0bbb\0ccc\0"),
        (b"!!strtypelistb", b"", &[1, 0, 3]),
        (b"!!typelist", b"", &words(&[1, 0, 0, 0, 3])),
        (b"!!version", b"", &words(&[1])),
        (b"!structitem", b"", b"fHeight\0i4Low\0u12High\0s8Text\0u64Id\0"),
        (b"!structitemnum", b"", &words(&[5])),
        (b"row_a", b"", &rows[0]),
        (b"row_b", b"", &rows[1]),
    ])
}

#[test]
fn a_table_with_names_of_its_own() {
    let bytes = named_table();
    let table = Table::parse(&bytes).unwrap();
    assert_eq!((table.generation(), table.name_origin().name()), (Generation::G3, "embedded"));
    assert_eq!((table.sheet_name(), table.sections().announced_fields()), (Some(&b"sheet"[..]), Some(5)));
    assert_eq!((table.record_size(), table.schema_mismatch(), table.arrays_refused()), (16, None, None));
    let plan: Vec<_> = table.fields().iter().map(|f| (f.kind(), f.word(), f.bit(), f.width(), f.array())).collect();
    assert_eq!(
        plan,
        [
            (FieldKind::Float, 0, 0, 32, None),
            (FieldKind::BitsInt, 1, 0, 4, None),
            (FieldKind::BitsUint, 1, 4, 12, None),
            (FieldKind::Element, 1, 16, 8, Some(0)),
            (FieldKind::Uint64, 2, 0, 64, None),
        ]
    );
    let values: Vec<_> = table.by_name(b"row_a").unwrap().values().map(|(_, value)| value).collect();
    assert_eq!(values[..3], [Value::F32(2.0), Value::I32(-1), Value::U32(0x801)]);
    assert_eq!(values[3..], [Value::Text(Some(b"ccc")), Value::U64(0x0123_4567_89AB_CDEF)]);
    let row = table.get(1).unwrap();
    assert_eq!((row.get("i4Low"), row.get("u12High")), (Some(Value::I32(3)), Some(Value::U32(0x7FF))));
    // Two offsets per word, the low half first: 0, 4 and 8. The padding in the last word reads as the string at 0.
    let array = table.string_arrays().get(0).unwrap();
    assert_eq!((array.len(), array.is_empty(), table.string_arrays().len()), (4, false, 1));
    let texts: Vec<_> = array.iter().map(Option::unwrap).collect();
    assert_eq!(texts, [&b"aaa"[..], b"bbb", b"ccc", b"aaa"]);
    assert_eq!((array.offset(1), array.offset(2), array.offset(4)), (Some(4), Some(8), None));
    assert!(table.string_arrays().get(1).is_none() && !table.string_arrays().is_empty());
    let element = |index, text| Element { index, text };
    let elements: Vec<_> = table.column::<Element<'_>>("s8Text").unwrap().iter().collect();
    assert_eq!(elements, [element(2, Some(&b"ccc"[..])), element(3, Some(b"aaa"))]);
    let wide: Vec<u64> = table.column("u64Id").unwrap().iter().collect();
    assert_eq!(wide, [0x0123_4567_89AB_CDEF; 2]);
}

#[test]
fn an_unverified_table_checks_what_it_reaches() {
    let mut bytes = named_table();
    let found = |bytes: &[u8], name: &[u8]| -> Vec<_> {
        let table = Archive::parse_unverified(bytes).unwrap().table().unwrap();
        table.by_name(name).unwrap().values().map(|(_, value)| format!("{value:?}")).collect()
    };
    let verified = Table::parse(&bytes).unwrap();
    for row in verified.rows() {
        let values: Vec<_> = row.values().map(|(_, value)| format!("{value:?}")).collect();
        assert_eq!(found(&bytes, row.name()), values);
    }
    let column = |bytes: &[u8]| -> Option<Vec<f32>> {
        let table = Archive::parse_unverified(bytes).unwrap().table().unwrap();
        Some(table.column::<f32>("fHeight").ok()?.iter().collect())
    };
    assert_eq!(column(&bytes), Some(vec![2.0; 2]));
    // The last entry, behind a header of 16 bytes and 11 entries of 32: its data begins past the end.
    put(&mut bytes, 16 + 11 * 32 + 16, u32::MAX);
    assert!(Table::parse(&bytes).is_err());
    assert_eq!((found(&bytes, b"row_a").len(), found(&bytes, b"row_b").len(), column(&bytes)), (5, 0, None));
    let table = Archive::parse_unverified(&bytes).unwrap().table().unwrap();
    assert_eq!((table.len(), table.get(1).unwrap().data()), (2, &[][..]));
    assert!(Archive::parse_unverified(&bytes[..100]).is_err());
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
    assert_eq!((table.name_origin(), table.name_origin().name()), (NameOrigin::Schema(&schema), "schema"));
    assert_eq!(table.get(1).unwrap().get("iA"), Some(Value::I32(6)));
    // A schema that does not fit: an error from `parse_with`, generated names from `TableOptions`.
    let other = Schema::new("sheet", ["iA", "fB", "sC"]);
    let error = Table::parse_with(&bytes, &other).unwrap_err();
    let why = ErrorKind::Corrupt { why: "expected fields for all words of a record, found too few in the schema" };
    assert_eq!((error.what, error.kind), ("list of types that the schema is for", why));
    let table = TableOptions::new().schema(&other).table(Archive::parse(&bytes).unwrap()).unwrap();
    assert!(table.schema_mismatch().is_some_and(|(schema, _)| schema == Some(&other)));
    assert_eq!(table.name_origin(), NameOrigin::Generated);
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
        (
            ArraysRefusal::Packing { per_word: 3, bits: 16 },
            "!!strArrayInfo gives 3 offsets per word of 16 bits each, which do not fit",
        ),
        (ArraysRefusal::Size { section: "!!strArrayInfo" }, "!!strArrayInfo has an invalid size"),
        (ArraysRefusal::Count { arrays: 2, fields: 1 }, "there are 2 arrays, but 1 fields that need one"),
    ];
    for (refusal, text) in said {
        assert_eq!(refusal.to_string(), text);
    }
}

/// Returns a table of three records of one word.
fn narrow_table() -> Vec<u8> {
    archive(&[
        (b"!!string", b"", b"\0"),
        (b"!!typelist", b"", &words(&[3])),
        (b"!!version", b"", &words(&[0xABCD])),
        (b"a", b"", &words(&[7])),
        (b"b", b"", &words(&[8])),
        (b"c", b"", &words(&[9])),
    ])
}

#[test]
fn a_field_of_another_table_has_no_value() {
    let (bytes, wide) = (narrow_table(), plain_table());
    let (table, wide) = (Table::parse(&bytes).unwrap(), Table::parse(&wide).unwrap());
    assert_eq!(table.column_of::<u32>(&table.fields()[0]).unwrap().iter().collect::<Vec<_>>(), [7, 8, 9]);
    let last = wide.fields().last().unwrap();
    assert_eq!(last.kind(), FieldKind::Uint);
    assert!(table.column_of::<u32>(last).is_none());
    assert!(table.rows().all(|row| row.value(last).is_none()));
}

/// Each record that the scan for overwritten bytes finds cost a pass over the whole file.
#[test]
fn records_over_each_other_cost_no_more_than_their_file() {
    let mut filler: Vec<u8> = vec![0x11; 64 << 10];
    filler.extend([0xD8, 0xAD, 0xFF, 0x00]);
    let names: Vec<_> = (0..1000).map(|number| format!("r{number:03}").into_bytes()).collect();
    let sections: [Part<'_>; 4] = [
        (b"!!string", b"", &filler),
        (b"!!strtypelistb", b"", &[0]),
        (b"!!version", b"", &[0; 4]),
        (b"!structitem", b"", b"iX\0"),
    ];
    let mut parts = sections.to_vec();
    parts.extend(names.iter().map(|name| (&name[..], &b""[..], &b""[..])));
    let mut bytes = archive(&parts);
    let whole = u32::try_from(bytes.len()).unwrap();
    for entry in 4..parts.len() {
        put(&mut bytes, 16 + 32 * entry + 16, 0);
        put(&mut bytes, 16 + 32 * entry + 20, whole);
    }
    let table = Table::parse_lossy(&bytes, &mut |_| {}).unwrap();
    assert_eq!(table.len(), 1000);
    let most = 4 * u64::from(whole) + (1 << 20);
    for check in [check_table, check_overwritten] {
        let (mut scanned, mut limit) = (0, 0);
        check(&table, &mut |finding| match finding.kind {
            FindingKind::RecordsOverwritten { count, .. } => scanned += count * u64::from(whole),
            FindingKind::WalkLimit { kind: ErrorKind::Limit { limit: found, .. } } => limit = found,
            _ => {}
        });
        assert!(limit == most && scanned > most / 2 && scanned <= most, "{scanned} bytes of {whole}, {limit}");
    }
}
