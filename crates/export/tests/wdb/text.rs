use worldview_core::{Source, Space};
use worldview_corpus::ff13::naive::NaiveValue;
use worldview_export::wdb::{self, Selection};
use worldview_wpd::{Archive, Table, TableOptions};

use crate::support::{Data, archive, each_table, float_bits, table};

fn text(write: impl FnOnce(&mut Vec<u8>) -> worldview_export::Result<()>) -> String {
    let mut out = Vec::new();
    write(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn own(name: &str, bytes: &[u8]) -> (String, Data) {
    (name.to_owned(), Data::Own(bytes.to_vec()))
}

#[test]
fn a_table_in_full() {
    let record = |words: [u32; 4]| words.map(u32::to_be_bytes).concat();
    let bytes = archive(&[
        own("!!sheetname", b"Small \"one\"\0"),
        own("!!strArray", &[0, 3, 0, 1]),
        own("!!strArrayInfo", &[0, 0, 2, 16]),
        own("!!strArrayList", &[0; 4]),
        own("!!string", b"\0one\xff\x07\0\xe7\x81\xab"),
        own("!!strtypelistb", &[2, 1, 0, 3]),
        own("!!version", &[1, 2, 3, 4]),
        own("!extra", &[0xab; 33]),
        own("!structitem", b"sText\0fScale\0s4Link\0i5Odd\0uFlags\0"),
        own("first", &record([1, 0.1_f32.to_bits(), 0x8000_01f1, u32::MAX])),
        own("second \\", &record([99, 0x7fa0_0001, 0x0000_0002, 0])),
    ]);
    let found = text(|out| wdb::text::table(&Table::parse(&bytes).unwrap(), out));
    let expected = r#"WDB table
  generation G3
  layout_version 0x01020304
  sheet_name "Small \"one\""
  names embedded
  record_size 16
  records 2
sections
  "!!sheetname" at 0x170 size 12
    536d616c6c20226f6e652200
  "!!strArray" at 0x17c size 4
  "!!strArrayInfo" at 0x180 size 4
    00000210
  "!!strArrayList" at 0x184 size 4
    00000000
  "!!string" at 0x188 size 10
  "!!strtypelistb" at 0x192 size 4
    02010003
  "!!version" at 0x196 size 4
    01020304
  "!extra" at 0x19a size 33
    abababababababababababababababababababababababababababababababab
    ab
  "!structitem" at 0x1bb size 33
fields 5
  0 sText string word 0 utf8
  1 fScale float word 1 f32
  2 s4Link string-array word 2 bits 0 to 3 utf8 string array 0
  3 i5Odd bits-int word 2 bits 4 to 8 i32
  4 uFlags uint word 3 u32
strings 10 bytes
  0x0 ""
  0x1 "one\xff\x07"
  0x7 "火" without NUL
string array 0 s4Link starts 0x0 elements 2
  0 "one\xff\x07" at 0x1
  1 "e\xff\x07" at 0x3
record 0 "first" at 0x1dc
  sText "one\xff\x07"
  fScale 0.1
  s4Link "e\xff\x07" element 1  i5Odd -1  unused bits 0x80000000
  uFlags 4294967295
record 1 "second \\" at 0x1ec
  sText dangling at 0x63
  fScale NaN:0x7fa00001
  s4Link dangling element 2  i5Odd 0
  uFlags 0
"#;
    assert_eq!(found, expected);
}

#[test]
fn some_records_and_fields() {
    let records = [1_u32, 2].map(|value| Data::Own([value << 8, 9, 0xff << 24].map(u32::to_be_bytes).concat()));
    let bytes = table(b"", &[0, 0, 0], "u8A\0i24B\0iC\0u32D\0", records);
    let table = Table::parse(&bytes).unwrap();
    let selection = Selection::ALL.records(&[b"r000001"]).fields(&[b"iC", b"i24B"]);
    let found = text(|out| wdb::text::records(&table, &selection, out));
    let at = 16 + 6 * 32 + b"u8A\0i24B\0iC\0u32D\0".len() + 3 + 4 + 12;
    assert_eq!(found, format!("record 1 \"r000001\" at {at:#x}\n  iC 9\n  i24B 2\n"));
}

#[test]
fn what_is_not_as_it_should_be_is_said() {
    // Names that do not fit, an array without the rest, a record that is too long, a section that is not all there.
    let mut bytes = archive(&[
        own("!!strArray", b""),
        own("!!strtypelist", &[0, 0, 0, 0]),
        own("!!typelist", &[0, 0, 0, 1]),
        own("!structitem", b"iA\0xB\0"),
        own("a", &[0, 0, 0, 255, 1, 2]),
        own("b", &[0; 4]),
        own("!z", b""),
    ]);
    bytes[16 + 6 * 32 + 20..][..4].copy_from_slice(&[0, 0, 1, 0]);
    bytes[16 + 5 * 32 + 3] = b'!';
    bytes[8..12].copy_from_slice(&[0, 0, 0, 5]);
    let source = Source::new(&bytes, Space::File);
    let mut findings = 0;
    let archive = Archive::parse_lossy(source, &mut |_| findings += 1).unwrap();
    let table = TableOptions::new().table_lossy(archive, &mut |_| findings += 1).unwrap();
    let found = text(|out| wdb::text::table(&table, out));
    let expected = r#"WDB table
  generation G3'
  layout_version none
  sheet_name none
  names generated
  names refused embedded: name 1 begins with none of i, u, f, s
  string arrays refused: there is no !!strArrayInfo
  record_size 4
  records 2
  reserved_08 0x5
sections
  "!!strArray" at 0xf0 size 0
  "!!strtypelist" at 0xf0 size 4
    00000000
  "!!typelist" at 0xf4 size 4
    00000001
  "!structitem" at 0xf8 size 6
  "!z" at 0x108 size 256 missing
fields 1
  0 word0 raw word 0 u32
strings 0 bytes
record 0 "a" at 0xfe size 6
  word0 0x000000ff
  extra 0102
record 1 "b" at 0x104 behind NUL of name 0021
  word0 0x00000000
"#;
    assert_eq!(found, expected);
    assert_eq!(findings, 2);
}

#[test]
fn an_archive_by_its_members() {
    let inner = archive(&[own("x", b"1")]);
    let rows = table(b"", &[0], "iA\0", []);
    let mut bytes = archive(&[
        own("data ", b"123"),
        own("inner", &inner),
        own("rows.wdb", &rows),
        own("broken", b"WPD\0\0\0\0\x09"),
        (String::new(), Data::Own(Vec::new())),
    ]);
    bytes[16 + 24..][..8].copy_from_slice(b"clb\0\0z\0\0");
    let found = text(|out| wdb::text::archive(&Archive::parse(&bytes).unwrap(), out));
    let expected = format!(
        "WPD archive\n  members 5\n\
         member 0 \"data \" at 0xb0 size 3 data extension \"clb\" behind NUL of extension 007a\n\
         member 1 \"inner\" at 0xb3 size 49 archive\n\
         member 2 \"rows.wdb\" at 0xe4 size {} table\n\
         member 3 \"broken\" at {:#x} size 8 broken archive\n\
         member 4 \"\" at {:#x} size 0 data\n",
        rows.len(),
        0xe4 + rows.len(),
        0xec + rows.len(),
    );
    assert_eq!(found, expected);
    // Inside another file, offsets are those of that file.
    let outer = archive(&[own("all", &bytes)]);
    let member = Archive::parse(&outer).unwrap().get(b"all").unwrap();
    let found = text(|out| wdb::text::archive(&member.archive().unwrap(), out));
    assert!(found.contains("member 0 \"data \" at 0xe0 size 3"), "{found}");
}

#[test]
fn every_number_is_in_the_text() {
    each_table(|name, table, naive| {
        let found = text(|out| wdb::text::records(table, &Selection::ALL, out));
        let records = found.lines().filter(|line| line.starts_with("record ")).count();
        assert_eq!(records, naive.rows.len(), "{name}");
        // Names and strings may hold anything; numbers are found by the name before them.
        let mut rest = found.as_str();
        for row in &naive.rows {
            for (field, value) in naive.fields.iter().zip(&row.values) {
                let Ok(field) = std::str::from_utf8(&field.name) else { continue };
                let plain = field.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'"');
                let before = format!("  {field} ");
                let Some((_, behind)) = rest.split_once(&before).filter(|_| plain) else { continue };
                rest = behind;
                let word = rest.split([' ', '\n']).next().unwrap();
                let number = word.strip_prefix("0x").map_or_else(|| word.parse(), |hex| i128::from_str_radix(hex, 16));
                match value {
                    NaiveValue::I32(value) => assert_eq!(number, Ok((*value).into()), "{name}"),
                    NaiveValue::U32(value) => assert_eq!(number, Ok((*value).into()), "{name}"),
                    NaiveValue::U64(value) => assert_eq!(number, Ok((*value).into()), "{name}"),
                    NaiveValue::F32(bits) => assert_eq!(float_bits(word), *bits, "{name}"),
                    NaiveValue::Text(None) => assert_eq!(word, "dangling", "{name}"),
                    NaiveValue::Text(Some(_)) => assert!(word.starts_with('"'), "{name}"),
                }
            }
        }
    });
}

#[test]
fn a_plan_as_text() {
    let bytes = table(b"", &[2, 0, 3], "sName\0u1Flag\0f31Angle\0u64Time\0", [Data::Own(vec![0; 16])]);
    let found = text(|out| wdb::text::plan(&Table::parse(&bytes).unwrap(), out));
    let expected = "fields 4\n  0 sName string word 0 utf8\n  1 u1Flag bits-uint word 1 bit 0 u32\n  \
                    2 f31Angle bits-fixed word 1 bits 1 to 31 i32\n  3 u64Time uint64 word 2 to 3 u64\n";
    assert!(found.ends_with(expected), "{found}");
    assert!(found.starts_with("WDB table\n  generation G3\n  layout_version 0x00000102\n"), "{found}");
}

#[test]
fn bytes_that_are_no_text_are_marked() {
    assert_eq!(wdb::utf8(b"plain \xe7\x81\xab"), "plain 火");
    assert_eq!(wdb::utf8(b"\xffa\xe7\x81b\xe7\x81\xab\xc3"), "\\xffa\\xe7\\x81b火\\xc3");
    assert!(matches!(wdb::utf8(b"plain"), std::borrow::Cow::Borrowed(_)));
}
