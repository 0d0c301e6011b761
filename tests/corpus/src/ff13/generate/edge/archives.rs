//! Archives of arbitrary data, and archives with a damaged header or end.

use super::{Cases, base};
use crate::ff13::build::{build_archive, build_table};
use crate::ff13::spec::{ArchiveSpec, Generation, MemberSpec};

fn three() -> ArchiveSpec {
    let members = [("zeta", &b"last first"[..]), ("alpha", b""), ("midway", b"12345")];
    let members = members.map(|(name, data)| MemberSpec { extension: b"txb".to_vec(), ..MemberSpec::new(name, data) });
    ArchiveSpec { members: members.to_vec(), ..ArchiveSpec::default() }
}

fn of(members: Vec<MemberSpec>) -> ArchiveSpec {
    ArchiveSpec { members, ..ArchiveSpec::default() }
}

pub(super) fn archives(cases: &mut Cases) {
    cases.archive("archive", &three());
    cases.archive("archive without members", &of(Vec::new()));
    cases.archive("archive aligned to 128", &ArchiveSpec { align: 128, first_align: 128, pad_end: true, ..three() });
    cases.archive("archive packed without a gap", &ArchiveSpec { align: 1, first_align: 1, ..three() });
    cases.archive("archive with a gap behind the table", &ArchiveSpec { first_align: 4096, ..three() });
    cases.archive("archive with reserved words", &ArchiveSpec { reserved: *b"reserved", ..three() });
    cases.archive(
        "names of 16 bytes",
        &of(vec![
            MemberSpec { extension: b"12345678".to_vec(), ..MemberSpec::new("0123456789abcdef", "x") },
            MemberSpec::new("fedcba9876543210", "y"),
        ]),
    );
    cases.archive(
        "dirty bytes behind the NUL of a name and an extension",
        &of(vec![MemberSpec { extension: b"clb\0old".to_vec(), ..MemberSpec::new("name\0dirt\0more", "x") }]),
    );
    cases.archive(
        "names that no file can have",
        &of(["", "..", "../up", "/root", "a/b", "c:\\d", "space ", "nul\u{7f}", "CON", "\u{795e}\u{8a71}"]
            .map(|name| MemberSpec::new(name, name))
            .to_vec()),
    );
    cases.archive("duplicate names", &of(vec![MemberSpec::new("same", "one"), MemberSpec::new("same", "two")]));
    cases.bytes("bytes behind the last member", [build_archive(&three()).bytes, b"behind".to_vec()].concat());
    nested(cases);
    for (name, patches) in [
        ("overlapping members", &[("entry 1 offset", 113), ("entry 1 size", 9), ("entry 2 offset", 112)][..]),
        ("data over the table", &[("entry 0 offset", 16), ("entry 0 size", 96)]),
        ("data over the header", &[("entry 0 offset", 0), ("entry 2 offset", 3)]),
        ("an archive that contains itself", &[("entry 0 offset", 0), ("entry 0 size", 129)]),
        ("magic whose last byte is not 0", &[("magic", 0x5750_4401)]),
        ("magic without a W", &[("magic", 0x0050_4400)]),
        ("largest count and a first offset that shows the true one", &[("count", 0x1FFF_FFFF)]),
        ("fewer entries than there are", &[("count", 2)]),
        ("count 0", &[("count", 0)]),
    ] {
        let mut built = build_archive(&three());
        built.words_be(patches);
        cases.bytes(name, built.bytes);
    }
}

fn nested(cases: &mut Cases) {
    let inner = build_table(&base(Generation::G3)).bytes;
    let pack = build_archive(&of(vec![
        MemberSpec::new("r_first.wdb", inner.clone()),
        MemberSpec::new("r_second.wdb", build_table(&base(Generation::G1)).bytes),
        MemberSpec::new("readme", "no archive"),
    ]));
    cases.bytes("nested archives", pack.bytes.clone());
    cases.archive(
        "archives nested twice",
        &of(vec![MemberSpec::new("pack.bin", pack.bytes), MemberSpec::new("z", inner)]),
    );
    let mut deep = b"the innermost".to_vec();
    for depth in 0..20 {
        deep = build_archive(&of(vec![MemberSpec::new(format!("depth{depth}.bin"), deep)])).bytes;
    }
    cases.bytes("archives nested twenty times", deep);
}

/// Tables of XIII-1 as a common extractor damages them: the bytes d8 ad ff 00 over the header, and over more.
pub(super) fn overwritten() -> Vec<(String, Vec<u8>)> {
    let table = build_table(&base(Generation::G2));
    let over = |ranges: &[(usize, usize)], zeroed: std::ops::Range<usize>| {
        let mut bytes = table.bytes.clone();
        for &(start, end) in ranges {
            let pattern = [0xD8, 0xAD, 0xFF, 0x00].into_iter().cycle();
            bytes[start..end].iter_mut().zip(pattern).for_each(|(to, from)| *to = from);
        }
        bytes[zeroed].fill(0);
        bytes
    };
    let record = table.at("record b_row").unwrap_or(0);
    let own = (record, record + 8);
    vec![
        ("overwritten header".into(), over(&[(0, 8)], 0..0)),
        ("overwritten header, and the first name is zeroed".into(), over(&[(0, 8)], 16..32)),
        ("overwritten header and first two entries".into(), over(&[(0, 80)], 0..0)),
        ("overwritten header and record".into(), over(&[(0, 8), own], 0..0)),
        ("overwritten record".into(), over(&[own], 0..0)),
    ]
}
