//! Facts about tables, on bytes put together here and values computed by hand from the format's notes.

use crate::support::{Part, archive, file_error, put, words};
use worldview_core::ErrorKind;
use worldview_wpd::{
    Archive, Element, FieldKind, FieldNames, Generation, Schema, Schemas, Table, TableOptions, Value, ValueType,
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
fn a_field_a_word_by_its_type() {
    let bytes = plain_table();
    let table = Table::parse(&bytes).unwrap();
    assert!(Archive::parse(&bytes).unwrap().is_table());
    assert_eq!((table.generation(), table.layout_version(), table.sheet_name()), (Generation::G1, Some(0xABCD), None));
    assert_eq!((table.names(), table.names().name()), (FieldNames::Generated, "generated"));
    assert_eq!((table.record_size(), table.len(), table.is_empty(), table.refused()), (16, 2, false, None));
    assert_eq!((table.words().len(), table.words().is_empty(), table.words().get(4)), (4, false, None));
    assert_eq!(table.words().iter().collect::<Vec<_>>(), [0, 1, 2, 3]);
    assert!(table.string_arrays().is_empty() && table.arrays_refused().is_none());
    let fields: Vec<_> = table.fields().iter().map(|field| (field.name(), field.kind(), field.word())).collect();
    let kinds = [FieldKind::Int, FieldKind::Float, FieldKind::String, FieldKind::Uint];
    assert_eq!(
        fields,
        [(&b"word0"[..], kinds[0], 0), (b"word1", kinds[1], 1), (b"word2", kinds[2], 2), (b"word3", kinds[3], 3)]
    );
    assert_eq!(kinds.map(FieldKind::name), ["int", "float", "string", "uint"]);
    assert_eq!(kinds.map(|kind| kind.value_type().name()), ["i32", "f32", "utf8", "u32"]);
    let row = table.by_name(b"row_b").unwrap();
    assert_eq!((row.index(), row.name(), row.data().len(), row.extra()), (1, &b"row_b"[..], 16, &b""[..]));
    assert_eq!(row.words().iter().map(|word| word.get()).collect::<Vec<_>>(), [6, 0xBE80_0000, 4, u32::MAX]);
    let some = |name| row.by_name(name);
    assert_eq!((some("word0"), some("word3"), some("word4")), (Some(Value::I32(6)), Some(Value::U32(u32::MAX)), None));
    let values: Vec<_> = table.get(0).unwrap().values().map(|(_, value)| value).collect();
    assert_eq!(values, [Value::I32(-5), Value::F32(1.5), Value::Text(Some(b"one")), Value::U32(7)]);
    assert!(table.get(2).is_none() && table.by_name(b"row_c").is_none() && table.by_name(b"!!string").is_none());
    assert_eq!((table.strings().bytes(), table.strings().get(5)), (&b"one\0two\0"[..], Some(&b"wo"[..])));
    assert_eq!((table.strings().get(7), table.strings().get(8)), (Some(&b""[..]), None));
}

#[test]
fn a_column_is_one_type() {
    let bytes = plain_table();
    let table = Table::parse(&bytes).unwrap();
    let column = table.column::<i32>("word0").unwrap();
    assert_eq!((column.len(), column.is_empty(), column.get(1), column.get(2)), (2, false, Some(6), None));
    assert_eq!(column.iter().collect::<Vec<_>>(), [-5, 6]);
    let texts = table.column::<&[u8]>("word2").unwrap();
    assert_eq!(texts.iter().collect::<Vec<_>>(), [&b"one"[..], b"two"]);
    let error = table.column::<u32>("word1").unwrap_err();
    assert_eq!(error.has(), Some(FieldKind::Float));
    assert_eq!(error.to_string(), "the field \"word1\" holds f32 (float), and was asked for as u32");
    let error = table.column::<u32>("price").unwrap_err();
    assert_eq!((error.has(), error.to_string()), (None, "the table has no field \"price\"".to_owned()));
    // Of a table without rows.
    let none = archive(&[(b"!!typelist", b"", &words(&[0]))]);
    let table = Table::parse(&none).unwrap();
    assert!(table.is_empty() && table.rows().len() == 0);
    assert!(table.column::<i32>("word0").unwrap().is_empty());
    // Records of one word: the column is the records.
    let rows: [Part<'_>; 3] =
        [(b"!!typelist", b"", &[0, 0, 0, 3]), (b"a", b"", &[0, 0, 0, 9]), (b"b", b"", &[9, 0, 0, 0])];
    let bytes = archive(&rows);
    let table = Table::parse(&bytes).unwrap();
    let column = table.column::<u32>("word0").unwrap();
    assert_eq!((column.iter().fold(0, |all, value| all ^ value), column.iter().len()), (0x0900_0009, 2));
}

#[test]
fn a_table_of_other_records_is_refused_or_read_in_part() {
    let mut bytes = plain_table();
    // The size of the first record's entry, behind the header and three sections' entries.
    let size = 16 + 3 * 32 + 20;
    let wrong = |bytes: &[u8]| Table::parse(bytes).unwrap_err();
    let error = |found| {
        let kind = ErrorKind::Mismatch { want: 16, found };
        file_error(kind, "size of the record of entry", size as u64).with_index(3)
    };
    put(&mut bytes, size, 15);
    assert_eq!(wrong(&bytes), error(15));
    let lossy = |bytes: &[u8]| {
        let archive = Archive::parse(bytes).unwrap();
        let mut findings = 0;
        let table = TableOptions::new().table_lossy(archive, &mut |_| findings += 1).unwrap();
        let rows: Vec<_> = table.rows().map(|row| (row.name().to_vec(), row.extra().len())).collect();
        (findings, rows)
    };
    let (a, b) = (b"row_a".to_vec(), b"row_b".to_vec());
    assert_eq!(lossy(&bytes), (1, vec![(b.clone(), 0)]), "a record that is too short is left out");
    put(&mut bytes, size, 18);
    assert_eq!(wrong(&bytes), error(18));
    assert_eq!(lossy(&bytes), (1, vec![(a, 2), (b, 0)]), "one that is too long is there");
    // A list of types that ends inside a number.
    let odd = archive(&[(b"!!typelist", b"", &[0, 0, 0, 0, 9])]);
    let kind = ErrorKind::NotWhole { found: 5, unit: 4 };
    assert_eq!(wrong(&odd), file_error(kind, "size of the data of entry", 48).with_index(0));
    let none = archive(&[(b"row", b"", b"")]);
    let why =
        "expected a list of types (!!typelist or another) among the members, found none: this archive is no table";
    assert_eq!(wrong(&none), file_error(ErrorKind::Corrupt { why }, "table", 0));
}

#[test]
fn records_with_gaps_or_sections_between_them() {
    let mut gap = plain_table();
    // The last record moves four bytes back, behind a gap.
    let last = gap.len() - 16;
    gap.splice(last..last, [0xEE; 4]);
    put(&mut gap, 16 + 4 * 32 + 16, u32::try_from(last + 4).unwrap());
    let rows = [words(&[1, 0, 0, 2]), words(&[3, 0, 0, 4])];
    let types = words(&[0, 1, 2, 3]);
    let between: [Part<'_>; 4] =
        [(b"!!typelist", b"", &types), (b"a", b"", &rows[0]), (b"!x", b"", b"?"), (b"b", b"", &rows[1])];
    let between = archive(&between);
    for (file, names, first, last) in [(&gap, ["row_a", "row_b"], -5, 6), (&between, ["a", "b"], 1, 3)] {
        let table = Table::parse(file).unwrap();
        assert_eq!(table.rows().map(|row| row.name()).collect::<Vec<_>>(), names.map(str::as_bytes));
        assert_eq!(table.rows().rev().map(|row| row.index()).collect::<Vec<_>>(), [1, 0]);
        let column = table.column::<i32>("word0").unwrap();
        assert_eq!((column.len(), column.is_empty()), (2, false));
        assert_eq!((column.get(0), column.get(1), column.get(2)), (Some(first), Some(last), None));
        let mut values = column.iter();
        assert_eq!((values.len(), values.next(), values.len()), (2, Some(first), 1));
        assert_eq!((values.next(), values.next()), (Some(last), None));
        assert_eq!(column.iter().fold(0, |all, value| all * 100 + value), first * 100 + last);
        let mut out = [9; 3];
        assert_eq!((column.copy_to(&mut out), out), (2, [first, last, 9]));
        let row = table.by_name(names[1].as_bytes()).unwrap();
        assert_eq!((row.index(), row.by_name("word0")), (1, Some(Value::I32(last))));
        assert!(table.by_name(b"!x").is_none() && table.by_name(b"!!typelist").is_none());
        let archive = table.archive();
        let sections = archive.entries().iter().filter(|entry| table.is_section(entry)).count();
        assert_eq!(sections, archive.entries().len() - 2);
    }
}

/// A table of XIII-2: a float, a word of packed bits with an element of an array, and 64 bits at the end.
fn named_table() -> Vec<u8> {
    // From the low end: 4 bits, 12 bits, an index of 8 bits, and nothing above.
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
    assert_eq!((table.generation(), table.names().name()), (Generation::G3, "embedded"));
    assert_eq!((table.sheet_name(), table.sections().announced_fields()), (Some(&b"sheet"[..]), Some(5)));
    assert_eq!((table.record_size(), table.refused(), table.arrays_refused()), (16, None, None));
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
    assert_eq!((row.by_name("i4Low"), row.by_name("u12High")), (Some(Value::I32(3)), Some(Value::U32(0x7FF))));
    // Two offsets a word, the low half first: 0, 4 and 8; what fills the last word is the string at 0.
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
    assert_eq!((table.names(), table.names().name()), (FieldNames::Schema(&schema), "schema"));
    assert_eq!(table.get(1).unwrap().by_name("iA"), Some(Value::I32(6)));
    // One that does not fit: an error of the strict door, generated names at the other.
    let other = Schema::new("sheet", ["iA", "fB", "sC"]);
    let error = Table::parse_with(&bytes, &other).unwrap_err();
    let why = ErrorKind::Corrupt { why: "expected fields for all words of a record, found too few in the schema" };
    assert_eq!((error.what, error.kind), ("list of types that the schema is for", why));
    let table = TableOptions::new().schema(&other).table(Archive::parse(&bytes).unwrap()).unwrap();
    assert!(table.refused().is_some_and(|(schema, _)| schema == Some(&other)));
    assert_eq!(table.names(), FieldNames::Generated);
    let error = Schemas::parse("sheet a\niX\n\nsheet b\nxY").unwrap_err();
    assert_eq!((error.line(), error.to_string().starts_with("line 5: expected field names")), (5, true));
}
