use worldview_corpus::ff13::build::{build_archive, build_table};
use worldview_corpus::ff13::spec::{ArchiveSpec, Generation, MemberSpec, TableSpec};
use worldview_export::Error;
use worldview_export::find::{self, Options, Pattern};
use worldview_wpd::Archive;

use crate::support::{at_its_place, in_archive, in_table, only};

fn table() -> TableSpec {
    let mut table = TableSpec::new(Generation::G3, &["sText", "iCount", "s4Kind", "sOther"])
        .row("record01", ["string02".into(), 1.into(), "kind03".into(), "".into()])
        .row("record04", ["string05".into(), 1.into(), "kind03".into(), "string02".into()]);
    table.sheet_name = Some(b"Sheet06".to_vec());
    table.arrays.first = vec![vec![b"unused07".to_vec()]];
    table
}

#[test]
fn every_text_with_its_place() {
    let bytes = build_table(&table()).bytes;
    for (text, place, what) in [
        ("sheet06", "table", "sheet name"),
        ("record01", "record 0 \"record01\"", "record"),
        ("record04", "record 1 \"record04\"", "record"),
        ("string05", "record 1 \"record04\", field \"sText\"", "string"),
        ("unused07", "string array \"s4Kind\", element 0", "string"),
        ("iCount", "field 1", "field"),
        ("s4kind", "field 2", "field"),
    ] {
        let found = in_table(&bytes, &Pattern::new(text));
        assert_eq!(only(&found, &bytes), (place.into(), what.into()));
    }
}

#[test]
fn a_string_for_each_value_that_refers_to_it() {
    let bytes = build_table(&table()).bytes;
    let places = |pattern: &str| {
        let found = in_table(&bytes, &Pattern::new(pattern));
        found.iter().for_each(|found| at_its_place(found, &bytes));
        assert!(found.windows(2).all(|two| two[0].at == two[1].at), "one string");
        found.into_iter().map(|found| found.place).collect::<Vec<_>>()
    };
    assert_eq!(
        places("string02"),
        ["record 0 \"record01\", field \"sText\"", "record 1 \"record04\", field \"sOther\""]
    );
    assert_eq!(
        places("kind03"),
        ["record 0 \"record01\", field \"s4Kind\"", "record 1 \"record04\", field \"s4Kind\""]
    );
}

#[test]
fn tables_of_xiii_1_have_no_names_of_fields() {
    let bytes = build_table(&TableSpec::new(Generation::G2, &["sText"]).row("one", ["text".into()])).bytes;
    assert!(in_table(&bytes, &Pattern::new("sText")).is_empty());
    let found = in_table(&bytes, &Pattern::new("text"));
    assert_eq!(only(&found, &bytes), ("record 0 \"one\", field \"word0\"".into(), "string".into()));
}

fn archive(member: &str, extension: &str, data: Vec<u8>) -> Vec<u8> {
    let member = MemberSpec { extension: extension.into(), ..MemberSpec::new(member, data) };
    let members = vec![MemberSpec::new("first", *b"bytes with text in them"), member];
    build_archive(&ArchiveSpec { members, ..ArchiveSpec::default() }).bytes
}

#[test]
fn members_and_what_is_nested_in_them() {
    let bytes = archive("outer08", "bin", archive("inner09", "wdb", build_table(&table()).bytes));
    for (text, place, what) in [
        ("outer08", "member 1 \"outer08.bin\"", "member"),
        // By its extension; what lies there is the name.
        ("*.bin", "member 1 \"outer08.bin\"", "member"),
        ("inner09", "member 1 \"outer08.bin\", member 1 \"inner09.wdb\"", "member"),
        (
            "string05",
            "member 1 \"outer08.bin\", member 1 \"inner09.wdb\", record 1 \"record04\", field \"sText\"",
            "string",
        ),
        ("sheet06", "member 1 \"outer08.bin\", member 1 \"inner09.wdb\", table", "sheet name"),
    ] {
        let found = in_archive(&bytes, &Pattern::new(text));
        assert_eq!(only(&found, &bytes), (place.into(), what.into()));
    }
    assert!(in_archive(&bytes, &Pattern::new("bytes with")).is_empty());
}

#[test]
fn what_was_not_searched_is_told_when_all_else_was() {
    let broken = [&b"WPD\0"[..], &[0xFF; 12]].concat();
    let members = vec![
        MemberSpec::new("broken", broken),
        MemberSpec::new("deep", archive("x", "", archive("y", "", Vec::new()))),
        MemberSpec::new("last", Vec::new()),
    ];
    let bytes = build_archive(&ArchiveSpec { members, ..ArchiveSpec::default() }).bytes;
    let archive = Archive::parse(&bytes).unwrap();
    let mut names = Vec::new();
    let options = Options { deepest: 1, ..Options::default() };
    let result = find::archive(&archive, &Pattern::new("*"), &options, &mut |hit| names.push(hit.text.to_owned()));
    assert_eq!(names, ["broken", "deep", "first", "x", "last"]);
    let Err(Error::Format(error)) = result else { panic!("{result:?}") };
    assert_eq!(error.what, "entries");
    let options = Options { deepest: 16, ..options };
    let mut count = 0;
    let result = find::archive(&archive, &Pattern::new("*"), &options, &mut |_| count += 1);
    assert!(result.is_err());
    assert_eq!(count, 7, "and the two of the deepest");
}
