use worldview_corpus::ff13::naive::NaiveValue;
use worldview_export::table::{self, Selection};
use worldview_export::{Error, Result};
use worldview_wpd::Table;

use super::support::{Data, each_table, float_bits, shown, table};

fn read(write: impl FnOnce(&mut Vec<u8>) -> Result<()>) -> (Vec<String>, Vec<Vec<String>>) {
    let mut out = Vec::new();
    write(&mut out).unwrap();
    let mut reader = csv::Reader::from_reader(&out[..]);
    let header = reader.headers().unwrap().iter().map(str::to_owned).collect();
    let rows = reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect();
    (header, rows)
}

#[test]
fn every_value_is_in_the_csv() {
    each_table(|name, table, naive| {
        let (header, rows) = read(|out| table::csv::records(table, &Selection::ALL, out));
        let names = naive.fields.iter().map(|field| shown(&field.name));
        assert_eq!(header, std::iter::once("record".into()).chain(names).collect::<Vec<_>>(), "{name}");
        assert_eq!(rows.len(), naive.rows.len(), "{name}");
        for (cells, row) in rows.iter().zip(&naive.rows) {
            assert_eq!(cells[0], shown(&row.name), "{name}");
            assert_eq!(cells.len(), 1 + row.values.len(), "{name}");
            for (cell, value) in cells[1..].iter().zip(&row.values) {
                match value {
                    NaiveValue::I32(value) => assert_eq!(*cell, value.to_string(), "{name}"),
                    NaiveValue::U32(value) => assert_eq!(*cell, value.to_string(), "{name}"),
                    NaiveValue::U64(value) => assert_eq!(*cell, value.to_string(), "{name}"),
                    NaiveValue::F32(bits) => assert_eq!(float_bits(cell), *bits, "{name}"),
                    NaiveValue::Text(text) => assert_eq!(*cell, shown(text.as_deref().unwrap_or(b"")), "{name}"),
                }
            }
        }
    });
}

#[test]
fn every_element_is_in_the_csv() {
    let mut arrays = 0;
    each_table(|name, table, naive| {
        let (header, rows) = read(|out| table::csv::arrays(table, out));
        assert_eq!(header, ["field", "index", "value"]);
        let mut expected = Vec::new();
        for field in &naive.fields {
            let Some(array) = field.array.and_then(|array| naive.arrays.get(array)) else { continue };
            arrays += 1;
            for (index, value) in array.iter().enumerate() {
                let value = shown(value.as_deref().unwrap_or(b""));
                expected.push(vec![shown(&field.name), index.to_string(), value]);
            }
        }
        assert_eq!(rows, expected, "{name}");
    });
    assert!(arrays > 20);
}

#[test]
fn floats_are_as_short_as_can_be_and_odd_ones_keep_their_bits() {
    let floats = [
        (0x3dcc_cccd_u32, "0.1"),
        (0x0000_0000, "0.0"),
        (0x8000_0000, "-0.0"),
        (0x3f80_0000, "1.0"),
        (0x7149_f2ca, "1e+30"),
        (0x0000_0001, "1e-45"),
        (0x7f80_0000, "Infinity"),
        (0xff80_0000, "-Infinity"),
        (0x7fc0_0000, "NaN"),
        (0xffc0_0000, "NaN:0xffc00000"),
        (0x7fa0_0001, "NaN:0x7fa00001"),
        (0xff80_0001, "NaN:0xff800001"),
    ];
    let bytes = table(b"", &[1], "fOne\0", floats.map(|(bits, _)| Data::Own(bits.to_be_bytes().to_vec())));
    let (_, rows) = read(|out| table::csv::records(&Table::parse(&bytes).unwrap(), &Selection::ALL, out));
    assert_eq!(rows.iter().map(|row| &*row[1]).collect::<Vec<_>>(), floats.map(|(_, text)| text));
}

#[test]
fn cells_are_quoted_where_they_must_be() {
    let pool = b"a,b\0say \"hi\"\0two\nlines\0cr\rhere\0plain \0\xff\xfe\xe7\x81\xab\0a\tb\x01\0a\\x09b\0";
    let offsets = [0_u32, 4, 13, 23, 31, 38, 37, 999, 44, 49];
    let bytes = table(pool, &[2], "sOne\0", offsets.map(|at| Data::Own(at.to_be_bytes().to_vec())));
    let mut out = Vec::new();
    table::csv::records(&Table::parse(&bytes).unwrap(), &Selection::ALL, &mut out).unwrap();
    let expected = "record,sOne\nr000000,\"a,b\"\nr000001,\"say \"\"hi\"\"\"\nr000002,\"two\nlines\"\nr000003,\"cr\rhere\"\n\
                    r000004,plain \nr000005,\\xff\\xfe火\nr000006,\nr000007,\nr000008,\"a\tb\x01\"\nr000009,a\\x09b\n";
    assert_eq!(String::from_utf8(out).unwrap(), expected);
}

#[test]
fn records_and_fields_can_be_chosen() {
    let records = [1_u32, 2, 3].map(|value| {
        let words = [value, 10 * value, 100 * value];
        Data::Own(words.iter().flat_map(|word| word.to_be_bytes()).collect())
    });
    let bytes = table(b"", &[0, 0, 3], "iA\0iB\0uC\0", records);
    let table = Table::parse(&bytes).unwrap();
    let rows = |records: &[&[u8]], fields: &[&[u8]]| {
        let mut out = Vec::new();
        table::csv::records(&table, &Selection::ALL.records(records).fields(fields), &mut out)?;
        Ok::<_, Error>(String::from_utf8(out).unwrap())
    };
    // In the order of the selection, each once.
    let some = rows(&[b"r000002", b"r000000", b"r000002"], &[b"uC", b"iA", b"uC"]).unwrap();
    assert_eq!(some, "record,uC,iA\nr000002,300,3\nr000000,100,1\n");
    assert_eq!(rows(&[], &[]).unwrap(), "record\n");
    assert_eq!(rows(&[b"r000001"], &[]).unwrap(), "record\nr000001\n");
    let error = rows(&[b"r000001", b"r00000"], &[]).unwrap_err();
    assert_eq!(error.to_string(), "the table has no record \"r00000\"");
    let error = rows(&[], &[b"iA", b"ia\xff"]).unwrap_err();
    assert_eq!(error.to_string(), "the table has no field \"ia\\\\xff\"");
    assert!(matches!(error, Error::Unknown { what: "field", .. }));
}

#[test]
fn records_that_share_a_name_are_all_meant() {
    let one = |value: u32| Data::Own(value.to_be_bytes().to_vec());
    let mut bytes = table(b"", &[0], "iA\0", [one(1), one(2), one(3)]);
    // Gives the third record the name of the first.
    bytes[16 + 32 * 6 + 6] = b'0';
    let table = Table::parse(&bytes).unwrap();
    let mut out = Vec::new();
    table::csv::records(&table, &Selection::ALL.records(&[b"r000000"]), &mut out).unwrap();
    assert_eq!(String::from_utf8(out).unwrap(), "record,iA\nr000000,1\nr000000,3\n");
}

#[test]
fn a_record_without_name_is_a_row() {
    let mut bytes = table(b"", &[0], "iA\0", [Data::Own(vec![0, 0, 0, 7])]);
    bytes[16 + 32 * 4..][..16].fill(0);
    let table = Table::parse(&bytes).unwrap();
    let (_, rows) = read(|out| table::csv::records(&table, &Selection::ALL.fields(&[]), out));
    assert_eq!(rows, [[""]]);
    let (_, rows) = read(|out| table::csv::records(&table, &Selection::ALL, out));
    assert_eq!(rows, [["", "7"]]);
}

/// Word 65 of `bt_ability` has 29 bits of fields, and real files have 0x60000000 in it.
#[test]
fn bits_that_no_field_owns_are_a_column() {
    let records = [0x0000_0005_u32, 0x6000_0003, 0x8000_0000].map(|word| {
        let words = [word, 0x1234_5678];
        Data::Own(words.iter().flat_map(|word| word.to_be_bytes()).collect())
    });
    let bytes = table(b"", &[0, 0], "u29A\0u31B\0", records);
    let table = Table::parse(&bytes).unwrap();
    let all = read(|out| table::csv::records(&table, &Selection::ALL, out));
    assert_eq!(all.0, ["record", "u29A", "u31B", "word0_bits29_31"]);
    let rows =
        [["r000000", "5", "305419896", "0"], ["r000001", "3", "305419896", "3"], ["r000002", "0", "305419896", "4"]];
    assert_eq!(all.1, rows);
    // Only of the rows that are selected; and by its name, as any field.
    let first = read(|out| table::csv::records(&table, &Selection::ALL.records(&[b"r000000"]), out));
    assert_eq!(first.0, ["record", "u29A", "u31B"]);
    let chosen =
        read(|out| table::csv::records(&table, &Selection::ALL.fields(&[b"word1_bit31", b"word0_bits29_31"]), out));
    assert_eq!(chosen.0, ["record", "word1_bit31", "word0_bits29_31"]);
    assert_eq!(chosen.1[1], ["r000001", "0", "3"]);
}

#[test]
fn the_sheet_is_a_column_on_request() {
    let own = |name: &str, bytes: &[u8]| (name.to_owned(), Data::Own(bytes.to_vec()));
    let file = |sheet: Option<&str>, field: &str| {
        let mut members = vec![own("!!sheetname", sheet.unwrap_or_default().as_bytes())];
        members.retain(|_| sheet.is_some());
        members.extend([own("!!strtypelistb", &[3]), own("!!version", &[0; 4]), own("!structitem", field.as_bytes())]);
        members.push(own("r", &[0, 0, 0, 7]));
        super::support::archive(&members)
    };
    let of = |file: &[u8], write: &dyn Fn(&Table<'_>, &Selection<'_>, &mut Vec<u8>)| {
        let mut out = Vec::new();
        write(&Table::parse(file).unwrap(), &Selection::ALL.sheet(true), &mut out);
        String::from_utf8(out).unwrap()
    };
    let csv = |file: &[u8]| of(file, &|table, selection, out| table::csv::records(table, selection, out).unwrap());
    let json = |file: &[u8]| of(file, &|table, selection, out| table::json::records(table, selection, out).unwrap());
    let (named, nameless, own_field) =
        (file(Some("r,item\0"), "uA\0"), file(None, "uA\0"), file(Some("x\0"), "sheet\0"));
    assert_eq!(csv(&named), "record,sheet,uA\nr,\"r,item\",7\n");
    assert_eq!(json(&named), "{\"record\":\"r\",\"sheet\":\"r,item\",\"uA\":7}\n");
    assert_eq!(csv(&nameless), "record,sheet,uA\nr,,7\n");
    assert_eq!(json(&nameless), "{\"record\":\"r\",\"sheet\":null,\"uA\":7}\n");
    assert_eq!(csv(&own_field), "record,sheet\nr,7\n");
}
