use worldview_corpus::ff13::build::{build_archive, build_table};
use worldview_corpus::ff13::spec::{ArchiveSpec, Generation, MemberSpec, TableSpec};
use worldview_export::diff::Options;

use crate::support::{archives, edited};

fn member(name: &str, extension: &str, data: &[u8]) -> MemberSpec {
    MemberSpec { extension: extension.into(), ..MemberSpec::new(name, data) }
}

fn table(count: i64) -> Vec<u8> {
    build_table(&TableSpec::new(Generation::G3, &["iCount"]).row("one", [count.into()])).bytes
}

fn nested(count: i64) -> Vec<u8> {
    let members = vec![member("table", "wdb", &table(count)), member("x", "bin", b"data")];
    build_archive(&ArchiveSpec { members, ..ArchiveSpec::default() }).bytes
}

fn archive() -> ArchiveSpec {
    let members = vec![
        member("a", "bin", b"some bytes"),
        member("a", "txt", b"others"),
        member("inner", "wpd", &nested(1)),
        member("t", "wdb", &table(7)),
    ];
    ArchiveSpec { members, ..ArchiveSpec::default() }
}

fn told(edit: impl FnOnce(&mut ArchiveSpec)) -> Vec<String> {
    let archive = archive();
    let other = edited(&archive, edit);
    archives(&build_archive(&archive).bytes, &build_archive(&other).bytes, &Options::default())
}

#[test]
fn where_members_lie_is_no_difference() {
    assert_eq!(told(|_| {}), [""; 0]);
    assert_eq!(told(|archive| archive.align = 128), [""; 0]);
    assert_eq!(told(|archive| archive.members[0].slot = 64), [""; 0]);
}

#[test]
fn members_by_name_and_extension() {
    assert_eq!(told(|archive| _ = archive.members.remove(1)), ["- member 1 \"a.txt\": 6 bytes"]);
    assert_eq!(told(|archive| archive.members.insert(0, member("new", "", b"abc"))), ["+ member 0 \"new\": 3 bytes"]);
    assert_eq!(
        told(|archive| archive.members[1].data = b"oxherd".to_vec()),
        ["~ member 1 \"a.txt\": data: 0x74 at 1 -> 0x78 at 1 (the first of 2)"]
    );
    assert_eq!(told(|archive| archive.members[0].data.push(1)), ["~ member 0 \"a.bin\": length: 10 -> 11"]);
    assert_eq!(
        told(|archive| archive.members.swap(0, 1)),
        ["~ members: order: member 0 \"a.bin\" -> member 0 \"a.txt\""]
    );
    assert_eq!(told(|archive| archive.reserved[7] = 1), ["~ archive: reserved_0c: 0x0 -> 0x1"]);
    let twins = edited(&archive(), |archive| archive.members[1].extension = b"bin".to_vec());
    let other = edited(&twins, |archive| archive.members[1].data[0] = b'0');
    let told = archives(&build_archive(&twins).bytes, &build_archive(&other).bytes, &Options::default());
    assert_eq!(told, ["~ member 1 \"a.bin\": data: 0x6f at 0 -> 0x30 at 0"]);
}

#[test]
fn tables_and_archives_in_archives() {
    assert_eq!(
        told(|archive| archive.members[3].data = table(8)),
        ["~ member 3 \"t.wdb\", record 0 \"one\": iCount: 7 -> 8"]
    );
    assert_eq!(
        told(|archive| archive.members[2].data = nested(2)),
        ["~ member 2 \"inner.wpd\", member 0 \"table.wdb\", record 0 \"one\": iCount: 1 -> 2"]
    );
    // A table against something else is bytes.
    let other = told(|archive| archive.members[3].data = b"WPX".to_vec());
    let length = table(7).len();
    assert_eq!(
        other,
        [
            format!("~ member 3 \"t.wdb\": length: {length} -> 3"),
            "~ member 3 \"t.wdb\": data: 0x44 at 2 -> 0x58 at 2".into()
        ]
    );
}

#[test]
fn too_deep_archives_are_bytes() {
    let archive = archive();
    let other = edited(&archive, |archive| archive.members[2].data = nested(2));
    let options = Options { deepest: 0, ..Options::default() };
    let told = archives(&build_archive(&archive).bytes, &build_archive(&other).bytes, &options);
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].starts_with("~ member 2 \"inner.wpd\": data: 0x01 at "), "{told:?}");
}
