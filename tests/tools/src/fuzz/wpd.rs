//! Archives and tables.

use worldview::wpd::{Archive, Member, Schema, Table, TableOptions};
use worldview::{Format, OffsetBase, Options, Source, Walk, open};
use worldview_corpus::ff13::build::build_archive;
use worldview_corpus::ff13::spec::{ArchiveSpec, MemberSpec};

use super::{outputs, third, turn};
use crate::paths;
use worldview_readers::{MAX_LEN, holds};

/// Reads an archive, and all archives and tables nested in it.
pub fn wpd_archive(data: &[u8]) {
    if data.len() > MAX_LEN {
        return;
    }
    holds(worldview_readers::wpd::archives_agree(data));
    // Archives that share the bytes of their members are walked until a budget is spent, a hundred times as long as others. A
    // few of them are enough.
    if has_shared_archives(data) && turn(data, 8 * 36) >= 36 {
        return;
    }
    match third(data) {
        0 => {
            holds(worldview_readers::wpd::recoveries_agree(data));
            holds(worldview_readers::wpd::archives_agree(&nested(data)));
        }
        1 => {
            holds(worldview_readers::wpd::lossy_keeps_its_word(data));
            nested_are_found(data);
        }
        _ => outputs(data, |each| paths::all(Format::Wpd, data, 0, each)),
    }
}

/// Returns whether the archives in an archive have more bytes than it has.
fn has_shared_archives(data: &[u8]) -> bool {
    let archive = Archive::parse_lossy(Source::new(data, OffsetBase::File), &mut |_| {});
    archive.is_ok_and(|archive| {
        let nested = archive.members().filter(Member::is_archive).map(|member| member.data().len());
        nested.fold(0, usize::saturating_add) > data.len()
    })
}

/// Opens what is nested in an archive.
fn nested_are_found(data: &[u8]) {
    let Ok(archive) = Archive::parse_lossy(Source::new(data, OffsetBase::File), &mut |_| {}) else { return };
    let len = data.len();
    for lossy in [false, true] {
        let (options, mut image, mut nested) = (Options { lossy, ..Options::new() }, Vec::new(), Vec::new());
        let mut visits = 1_u64;
        if let Ok(opened) = open(data, "fuzz.wpd", &mut image, &options) {
            let mut walk = Walk::new(&opened.asset, opened.at, &options);
            while walk.next(&mut nested).is_some() {
                visits += 1;
            }
        }
        // At most one visit per member of each archive within the walk's budget; each member has an entry of 32 bytes.
        assert!(visits <= (5 * len as u64 + (1 << 20)) / 32 + 2, "{visits} visits in {len} bytes");
    }
    // A path of names resolves to a member with that name, or not at all.
    for member in archive.members().take(20) {
        if let Ok(Some((_, found))) = archive.locate(member.name()) {
            assert!(member.name().starts_with(found.name()));
        }
    }
}

/// Nests the archive in another one, after unrelated bytes.
pub(super) fn nested(data: &[u8]) -> Vec<u8> {
    let member = |name: &str, data: &[u8]| MemberSpec::new(name, data);
    let members = vec![member("before", b"something else"), member("it", data)];
    build_archive(&ArchiveSpec { members, ..ArchiveSpec::default() }).bytes
}

/// Reads a table with its own names, with those of a schema, and without any.
pub fn wdb_table(data: &[u8]) {
    if data.len() > MAX_LEN {
        return;
    }
    holds(worldview_readers::wpd::tables_agree(data, None));
    holds(worldview_readers::wpd::lossy_keeps_its_word(data));
    let Ok(archive) = Archive::parse_lossy(Source::new(data, OffsetBase::File), &mut |_| {}) else { return };
    if let Ok(table) = TableOptions::new().table_lossy(archive, &mut |_| {}) {
        outputs(data, |each| paths::all(Format::Wpd, data, 0, each));
        let names = names(&table);
        let list: Vec<&str> = names.iter().map(String::as_str).collect();
        holds(worldview_readers::wpd::tables_agree(data, Some(&list)));
        let schema = Schema::new("fuzz", names);
        if let Ok(table) = TableOptions::new().schema(&schema).table_lossy(archive, &mut |_| {}) {
            outputs(data, |each| {
                paths::wpd::tables(data, &table, each);
                0
            });
        }
    }
}

/// Returns names whose kinds fit the types of the table's words, depending on the version.
fn names(table: &Table<'_>) -> Vec<String> {
    let mut names = Vec::new();
    let seed = table.layout_version().unwrap_or(0);
    for (number, word) in table.words().iter().enumerate().take(200) {
        // The way in which a word is split into fields differs from word to word.
        let pick = (seed.rotate_right(u32::try_from(number % 32).unwrap_or(0)) % 4) as usize;
        let fields: &[&str] = match (word, pick) {
            (0, 0) => &["i9"],
            (0, 1) => &["u16", "i16"],
            (0, 2) => &["u1", "i31"],
            (0, _) => &["i"],
            (1, _) => &["f"],
            (2, _) => &["s"],
            (_, 0) => &["u64"],
            _ => &["u"],
        };
        names.extend(fields.iter().enumerate().map(|(part, kind)| format!("{kind}Field{number}_{part}")));
    }
    names
}
