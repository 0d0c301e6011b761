//! Archives and tables.

use worldview::wpd::{Archive, Schema, Table, TableOptions};
use worldview::{Opener, Source, Space};
use worldview_corpus::ff13::build::build_archive;
use worldview_corpus::ff13::spec::{ArchiveSpec, MemberSpec};
use worldview_corpus::sink::Count;
use worldview_export::table::{self, Selection};
use worldview_inspect::{Options, Root, json};

use super::{LONGEST, holds, sink, turn};

/// An archive, and all archives and tables in it.
pub fn wpd_archive(data: &[u8]) {
    if data.len() > LONGEST {
        return;
    }
    holds(crate::wpd::archives_agree(data));
    holds(crate::wpd::recoveries_agree(data));
    holds(crate::wpd::lossy_keeps_its_word(data));
    holds(crate::wpd::archives_agree(&nested(data)));
    let Ok(archive) = Archive::parse_lossy(Source::new(data, Space::File), &mut |_| {}) else { return };
    let len = data.len();
    let root = Root::new("wpd", archive.source(), &archive);
    (0..3).for_each(|turn| sink::inspect(&root, turn, (len, len)));
    for lossy in [false, true] {
        let mut visits = 0_u64;
        Opener::new().lossy(lossy).open(data, "fuzz.wpd", &mut Vec::new(), &mut |_| visits += 1);
        // Each member of each archive that the walk's budget pays for, by the 32 bytes of its entry.
        assert!(visits <= (5 * len as u64 + (1 << 20)) / 32 + 2, "{visits} visits in {len} bytes");
    }
    // A way by names leads to a member of that name, or nowhere.
    for member in archive.members().take(20) {
        if let Ok(Some((_, found))) = archive.locate(member.name()) {
            assert!(member.name().starts_with(found.name()));
        }
    }
}

/// The archive as a member of another, behind bytes that are not its own.
pub(super) fn nested(data: &[u8]) -> Vec<u8> {
    let member = |name: &str, data: &[u8]| MemberSpec::new(name, data);
    let members = vec![member("before", b"something else"), member("it", data)];
    build_archive(&ArchiveSpec { members, ..ArchiveSpec::default() }).bytes
}

/// A table, with the names that it has, with those of a list, and without any.
pub fn wdb_table(data: &[u8]) {
    if data.len() > LONGEST {
        return;
    }
    holds(crate::wpd::tables_agree(data, None));
    holds(crate::wpd::lossy_keeps_its_word(data));
    let Ok(archive) = Archive::parse_lossy(Source::new(data, Space::File), &mut |_| {}) else { return };
    if let Ok(table) = TableOptions::new().table_lossy(archive, &mut |_| {}) {
        outputs(data, &table);
        let names = names(&table);
        let list: Vec<&str> = names.iter().map(String::as_str).collect();
        holds(crate::wpd::tables_agree(data, Some(&list)));
        let schema = Schema::new("fuzz", names);
        if let Ok(table) = TableOptions::new().schema(&schema).table_lossy(archive, &mut |_| {}) {
            sink::export("CSV", data.len(), (data.len(), data.len()), |out| {
                table::csv::records(&table, &Selection::default(), out)
            });
        }
    }
}

/// Names whose kinds fit the types of the table's words, if the version does not say otherwise.
fn names(table: &Table<'_>) -> Vec<String> {
    let mut names = Vec::new();
    let seed = table.layout_version().unwrap_or(0);
    for (number, word) in table.words().iter().enumerate().take(200) {
        // What a word of bits is divided into differs from word to word.
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

fn outputs(data: &[u8], table: &Table<'_>) {
    let (len, all) = (data.len(), Selection::default());
    let export = |what, run: &mut dyn FnMut(&mut Count) -> worldview_export::Result<()>| {
        sink::export(what, len, (len, len), |out| run(out));
    };
    let root = Root::new("wdb", table.archive().source(), table);
    let turn = turn(data, 3);
    sink::inspect(&root, turn, (len, len));
    match turn {
        0 => {
            export("CSV", &mut |out| table::csv::records(table, &all, out));
            export("arrays as CSV", &mut |out| table::csv::arrays(table, out));
            export("list of fields", &mut |out| table::schema_file(table, out));
        }
        1 => {
            export("NDJSON", &mut |out| table::json::records(table, &all, out));
            export("arrays as NDJSON", &mut |out| table::json::arrays(table, out));
            export("fields as NDJSON", &mut |out| Ok(json::lines(&root, &["fields"], &Options::default(), out)?));
        }
        _ => {}
    }
}
