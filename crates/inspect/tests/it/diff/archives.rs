use worldview_corpus::ff13::build::{build_archive, build_table};
use worldview_corpus::ff13::spec::{ArchiveSpec, Generation, MemberSpec, TableSpec};

use super::support::{archives, archives_down_to, edited};

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

fn differences(edit: impl FnOnce(&mut ArchiveSpec)) -> Vec<String> {
    let archive = archive();
    let other = edited(&archive, edit);
    archives(&build_archive(&archive).bytes, &build_archive(&other).bytes)
}

#[test]
fn where_members_lie_is_no_difference() {
    assert_eq!(differences(|_| {}), [""; 0]);
    assert_eq!(differences(|archive| archive.align = 128), [""; 0]);
    assert_eq!(differences(|archive| archive.members[0].slot = 64), [""; 0]);
}

#[test]
fn members_by_name_and_extension() {
    assert_eq!(differences(|archive| _ = archive.members.remove(1)), ["- a.txt: 6 bytes"]);
    assert_eq!(differences(|archive| archive.members.insert(0, member("new", "", b"abc"))), ["+ new: 3 bytes"]);
    let two = differences(|archive| archive.members[1].data = b"oxherd".to_vec());
    assert_eq!(two, ["~ a.txt/@byte#1: 0x74 -> 0x78 (the first of 2)"]);
    assert_eq!(differences(|archive| archive.members[0].data.push(1)), ["~ a.bin/@bytes: length: 10 -> 11"]);
    assert_eq!(differences(|archive| archive.members.swap(0, 1)), ["~ @members: order: a.bin -> a.txt"]);
    assert_eq!(differences(|archive| archive.reserved[7] = 1), ["~ reserved_0c: 0x0 -> 0x1"]);
    let twins = edited(&archive(), |archive| archive.members[1].extension = b"bin".to_vec());
    let other = edited(&twins, |archive| archive.members[1].data[0] = b'0');
    let differences = archives(&build_archive(&twins).bytes, &build_archive(&other).bytes);
    assert_eq!(differences, ["~ a.bin#1/@byte#0: 0x6f -> 0x30"]);
}

#[test]
fn tables_and_archives_in_archives() {
    assert_eq!(differences(|archive| archive.members[3].data = table(8)), ["~ t.wdb/one: iCount: 7 -> 8"]);
    let inner = differences(|archive| archive.members[2].data = nested(2));
    assert_eq!(inner, ["~ inner.wpd/table.wdb/one: iCount: 1 -> 2"]);
    // A table compared with something else.
    let other = differences(|archive| archive.members[3].data = b"WPX".to_vec());
    assert_eq!(other, ["- t.wdb/@table", "+ t.wdb/@bytes: 3 bytes"]);
}

#[test]
fn too_deep_archives_are_bytes() {
    let archive = archive();
    let other = edited(&archive, |archive| archive.members[2].data = nested(2));
    let differences = archives_down_to(0, &build_archive(&archive).bytes, &build_archive(&other).bytes);
    assert_eq!(differences.len(), 1, "{differences:?}");
    assert!(differences[0].starts_with("~ inner.wpd/@byte#"), "{differences:?}");
}
