use worldview_export::table;
use worldview_wpd::{FieldKind, Schemas, Table, TableOptions};

use super::support::{Data, archive, each_table, table};

fn schema_file(table: &Table<'_>) -> String {
    let mut out = Vec::new();
    table::schema_file(table, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn own(name: &str, bytes: &[u8]) -> (String, Data) {
    (name.to_owned(), Data::Own(bytes.to_vec()))
}

#[test]
fn a_schema_file_reads_back() {
    let mut same = 0;
    each_table(|name, table, naive| {
        let text = schema_file(table);
        if table.fields().is_empty() {
            return;
        }
        let schemas = Schemas::parse(&text).unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
        let schema = &schemas.sheets()[0];
        // Bits that no field owns are in no schema.
        let fields: Vec<_> = naive.fields.iter().filter(|field| !field.packed || field.letter.is_some()).collect();
        assert_eq!(schema.fields().len(), fields.len(), "{name}");
        if fields.iter().all(|field| field.letter.is_some()) {
            let plain = |field: &worldview_corpus::ff13::naive::NaiveField| {
                let usual = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
                field.name.iter().all(usual) && !field.name.starts_with(b"word")
            };
            for (written, field) in schema.fields().iter().zip(fields).filter(|(_, field)| plain(field)) {
                assert_eq!(written.as_bytes(), field.name, "{name}");
            }
        }
        let again = TableOptions::new().schemas(&schemas).table(table.archive()).unwrap();
        if again.schema_mismatch().is_none() {
            same += 1;
            // A word that could be packed is a single number until somebody divides it.
            let places = |other: &Table<'_>| -> Vec<_> {
                let fields = other.fields().iter().zip(table.fields());
                let fields = fields.map(|(field, here)| {
                    let types = (here.kind() != FieldKind::Raw).then_some(field.kind().value_type());
                    (field.word(), field.bit(), field.width(), types)
                });
                fields.collect()
            };
            assert_eq!(places(&again), places(table), "{name}\n{text}");
        }
    });
    assert!(same > 200, "{same}");
}

#[test]
fn a_schema_file_says_what_is_where() {
    let bytes = table(b"", &[2, 0, 0], "sName\0u7Race\0i1Flag\0u32All\0", []);
    let expected = "# 3 words.\n  version 0x00000102\n  sName  # word 0, string\n  u7Race  # word 1, bits 0 to 6, bits-uint\n  \
                    i1Flag  # word 1, bit 7, bits-int\n  u32All  # word 2, bits 0 to 31, bits-uint\n";
    assert_eq!(schema_file(&Table::parse(&bytes).unwrap()), expected);
}

#[test]
fn words_that_nothing_names_are_to_be_named() {
    // A word of unknown fields, a float, a string, a number, and a word of an unknown type.
    let types = [0_u32, 1, 2, 3, 9].map(u32::to_be_bytes).concat();
    let kinds = [0_u32, 0, 1, 2, 3, 3, 9].map(u32::to_be_bytes).concat();
    let bytes = archive(&[own("!!string", b"\0"), own("!!strtypelist", &types), own("!!typelist", &kinds)]);
    let expected = "# 5 words; fields, by !!typelist: 2 begin with i, 1 with f, 1 with s, 2 with u.\n  \
                    iWord0  # word 0, raw: one integer, or packed fields to be named here\n  fWord1  # word 1, float\n  \
                    sWord2  # word 2, string\n  uWord3  # word 3, uint\n  \
                    iWord4  # word 4, raw: of type 9, which no schema can name\n";
    assert_eq!(schema_file(&Table::parse(&bytes).unwrap()), expected);
}

#[test]
fn a_name_that_a_schema_file_cannot_hold_is_replaced() {
    let bytes = table(b"", &[0, 0, 1, 2], "i a\0u4#\0i28b\0file\0sheet\0", []);
    let text = schema_file(&Table::parse(&bytes).unwrap());
    let fields: Vec<_> = text.lines().skip(2).map(str::trim).collect();
    assert_eq!(
        fields,
        [
            "iWord0  # word 0, int: in place of \"i a\"",
            "u4Word1Bit0  # word 1, bits 0 to 3, bits-uint: in place of \"u4#\"",
            "i28b  # word 1, bits 4 to 31, bits-int",
            "fWord2  # word 2, float: in place of \"file\"",
            "sWord3  # word 3, string: in place of \"sheet\"",
        ]
    );
}
