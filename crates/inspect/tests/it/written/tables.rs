use worldview_core::describe::{Field, FieldName, List, Part, PartKey};
use worldview_corpus::ff13::build::build_archive;
use worldview_corpus::ff13::spec::{ArchiveSpec, MemberSpec};
use worldview_inspect::{Options, Root, Select, json, text};

use super::{dump, golden, to_json};
use crate::open::{self, Described};

/// An archive with these members, stored one after another.
fn archive(members: &[(&str, &[u8])]) -> Vec<u8> {
    let members = members.iter().map(|(name, data)| MemberSpec::new(*name, *data)).collect();
    build_archive(&ArchiveSpec { members, align: 1, ..ArchiveSpec::default() }).bytes
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
    golden("table.txt", include_str!("table.txt"), &dump(&open::table, &bytes, "wdb", true));
    golden("table.json", include_str!("table.json"), &to_json(&open::table, &bytes, "wdb"));
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
    let options = Options { select: &One, ..Options::default() };
    let (mut dump, mut json) = (Vec::new(), Vec::new());
    let mut write = |(source, body): Described<'_>| {
        let root = Root::new("wdb", source, body);
        text::write(&root, &options, &mut dump).unwrap();
        json::write(&root, &options, &mut json).unwrap();
    };
    open::table(&small(), &mut write).unwrap();
    assert_eq!(String::from_utf8(dump).unwrap(), "wdb\nrecord 0 \"first\" at 0x1dc  record \"first\"  i5Odd -1\n");
    let expected = r#"{"format":"wdb","version":3,"full":false,"records":[{"at":476,"record":"first","i5Odd":-1}]}"#;
    assert_eq!(String::from_utf8(json).unwrap().trim_end(), expected);
}
