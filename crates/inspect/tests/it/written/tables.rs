use worldview_core::describe::{Field, FieldName, List, Part, PartKey};
use worldview_inspect::json;
use worldview_inspect::{Options, Root, Select, text};
use worldview_wpd::Table;

use super::golden;

/// An archive with these members, stored one after another.
fn archive(members: &[(&str, &[u8])]) -> Vec<u8> {
    let long = |value: usize| u32::try_from(value).unwrap().to_be_bytes();
    let mut out = [&b"WPD\0"[..], &long(members.len()), &[0; 8]].concat();
    let mut offset = 16 + 32 * members.len();
    for (name, data) in members {
        let mut field = [0; 16];
        field[..name.len()].copy_from_slice(name.as_bytes());
        out.extend([&field[..], &long(offset), &long(data.len()), &[0; 8]].concat());
        offset += data.len();
    }
    members.iter().for_each(|(_, data)| out.extend_from_slice(data));
    out
}

/// A table with everything that a table can have.
fn small() -> Vec<u8> {
    let record = |words: [u32; 4]| words.map(u32::to_be_bytes).concat();
    archive(&[
        ("!!sheetname", b"Small \"one\"\0"),
        ("!!strArray", &[0, 3, 0, 1]),
        ("!!strArrayInfo", &[0, 0, 2, 16]),
        ("!!strArrayList", &[0; 4]),
        ("!!string", b"\0one\xff\x07\0\xe7\x81\xab"),
        ("!!strtypelistb", &[2, 1, 0, 3]),
        ("!!version", &[1, 2, 3, 4]),
        ("!extra", &[0xab; 33]),
        ("!structitem", b"sText\0fScale\0s4Link\0i5Odd\0uFlags\0"),
        ("first", &record([1, 0.1_f32.to_bits(), 0x8000_01f1, u32::MAX])),
        ("second \\", &record([99, 0x7fa0_0001, 0x0000_0002, 0])),
    ])
}

#[test]
fn a_table_to_the_letter() {
    let bytes = small();
    let table = Table::parse(&bytes).unwrap();
    let root = Root::new("wdb", table.archive().source(), &table);
    let (mut dump, mut json) = (Vec::new(), Vec::new());
    text::write(&root, &Options { full: true, ..Options::default() }, &mut dump).unwrap();
    golden("table.txt", include_str!("table.txt"), &String::from_utf8(dump).unwrap());
    json::write(&root, &Options::default(), &mut json).unwrap();
    golden("table.json", include_str!("table.json"), &String::from_utf8(json).unwrap());
}

/// Selects one record and one of its fields.
struct One;

impl Select for One {
    fn list(&self, list: &List) -> bool {
        list.name == "records"
    }

    fn part(&self, _: &List, part: &Part<'_>) -> bool {
        part.key == PartKey::Name(b"first")
    }

    fn field(&self, list: Option<&List>, field: &Field<'_>) -> bool {
        list.is_some() && matches!(field.name, FieldName::Static("record") | FieldName::Bytes(b"i5Odd"))
    }
}

#[test]
fn what_is_selected_is_all_there_is() {
    let bytes = small();
    let table = Table::parse(&bytes).unwrap();
    let root = Root::new("wdb", table.archive().source(), &table);
    let options = Options { select: &One, ..Options::default() };
    let mut dump = Vec::new();
    text::write(&root, &options, &mut dump).unwrap();
    assert_eq!(String::from_utf8(dump).unwrap(), "wdb\nrecord 0 \"first\" at 0x1dc  record \"first\"  i5Odd -1\n");
    let mut json = Vec::new();
    json::write(&root, &options, &mut json).unwrap();
    let expected = r#"{"format":"wdb","version":3,"full":false,"records":[{"at":476,"record":"first","i5Odd":-1}]}"#;
    assert_eq!(String::from_utf8(json).unwrap().trim_end(), expected);
}
