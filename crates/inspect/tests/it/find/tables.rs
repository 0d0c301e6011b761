use worldview_core::{OffsetBase, Source};
use worldview_corpus::ff13::build::{build_archive, build_table};
use worldview_corpus::ff13::spec::{ArchiveSpec, Generation, MemberSpec, TableSpec};
use worldview_inspect::find::{self, Pattern};
use worldview_inspect::{Options, Root};
use worldview_wpd::{Archive, ArchiveDescription};

use super::support::{at_its_place, in_archive, in_table, only};

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
    for (text, path, what) in [
        ("sheet06", "@sheet_name", "sheet_name"),
        ("record01", "record01/record", "record"),
        ("record04", "record04/record", "record"),
        ("string05", "record04/sText", "string"),
        ("unused07", "string_array:s4Kind/element#0", "string"),
        ("iCount", "field:iCount/name", "field"),
        ("s4kind", "field:s4Kind/name", "field"),
    ] {
        let found = in_table(&bytes, &Pattern::new(text));
        assert_eq!(only(&found, &bytes), (path.into(), what.into()));
    }
}

#[test]
fn a_string_for_each_value_that_refers_to_it() {
    let bytes = build_table(&table()).bytes;
    let paths = |pattern: &str| {
        let found = in_table(&bytes, &Pattern::new(pattern));
        found.iter().for_each(|found| at_its_place(found, &bytes));
        assert!(found.windows(2).all(|two| two[0].at == two[1].at), "one string");
        found.into_iter().map(|found| found.path).collect::<Vec<_>>()
    };
    assert_eq!(paths("string02"), ["record01/sText", "record04/sOther"]);
    assert_eq!(paths("kind03"), ["record01/s4Kind", "record04/s4Kind"]);
}

#[test]
fn tables_of_xiii_1_have_no_names_of_fields() {
    let bytes = build_table(&TableSpec::new(Generation::G2, &["sText"]).row("one", ["text".into()])).bytes;
    assert!(in_table(&bytes, &Pattern::new("sText")).is_empty());
    let found = in_table(&bytes, &Pattern::new("text"));
    assert_eq!(only(&found, &bytes), ("one/word0".into(), "string".into()));
}

fn archive(member: &str, extension: &str, data: Vec<u8>) -> Vec<u8> {
    let member = MemberSpec { extension: extension.into(), ..MemberSpec::new(member, data) };
    let members = vec![MemberSpec::new("first", *b"bytes with text in them"), member];
    build_archive(&ArchiveSpec { members, ..ArchiveSpec::default() }).bytes
}

#[test]
fn members_and_what_is_nested_in_them() {
    let bytes = archive("outer08", "bin", archive("inner09", "wdb", build_table(&table()).bytes));
    for (text, path, what) in [
        ("outer08", "outer08.bin/@name", "member"),
        // Matched by the extension; the bytes there are the name without it.
        ("*.bin", "outer08.bin/@name", "member"),
        ("inner09", "outer08.bin/inner09.wdb/@name", "member"),
        ("string05", "outer08.bin/inner09.wdb/record04/sText", "string"),
        ("sheet06", "outer08.bin/inner09.wdb/@sheet_name", "sheet_name"),
    ] {
        let found = in_archive(&bytes, &Pattern::new(text));
        assert_eq!(only(&found, &bytes), (path.into(), what.into()));
    }
    assert!(in_archive(&bytes, &Pattern::new("bytes with")).is_empty());
}

#[test]
fn what_was_not_searched_is_reported_when_all_else_was() {
    let broken = [&b"WPD\0"[..], &[0xFF; 12]].concat();
    let members = vec![
        MemberSpec::new("broken", broken),
        MemberSpec::new("deep", archive("x", "", archive("y", "", Vec::new()))),
        MemberSpec::new("last", Vec::new()),
    ];
    let bytes = build_archive(&ArchiveSpec { members, ..ArchiveSpec::default() }).bytes;
    let archive = Archive::parse(&bytes).unwrap();
    let search = |depth| {
        let mut names = Vec::new();
        let body = ArchiveDescription::new(&archive).max_depth(depth);
        let root = Root::new("wpd", Source::new(&bytes, OffsetBase::File), &body);
        let unread =
            find::search(&root, &Pattern::new("*"), &Options::default(), &mut |hit| names.push(hit.text.to_owned()));
        (names, unread.unwrap().map(|error| error.what))
    };
    assert_eq!(search(1), (["broken", "deep", "first", "x", "last"].map(String::from).to_vec(), Some("entries")));
    let (names, unread) = search(16);
    assert_eq!((names.len(), unread), (7, Some("entries")), "and the two of the deepest");
}
