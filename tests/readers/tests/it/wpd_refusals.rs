//! The table of everything rejected besides broken files: headers that cannot be recovered, paths that do not resolve,
//! schema files, schemas that do not fit, columns of another type.

use std::fmt::Write as _;

use worldview_core::{OffsetBase, Source};
use worldview_corpus::builder::Built;
use worldview_corpus::ff13::build::{build_archive, build_table};
use worldview_corpus::ff13::spec::{ArchiveSpec, Generation, MemberSpec, TableSpec};
use worldview_readers::golden;
use worldview_wpd::{Archive, ColumnType, Element, Schema, Schemas, Table, TableOptions};

use crate::wpd_errors::{archive, patched, spec};

fn archive_of(members: &[(&str, &str, &[u8])]) -> Built {
    let member = |&(name, extension, data): &(&str, &str, &[u8])| MemberSpec {
        extension: extension.into(),
        ..MemberSpec::new(name, data)
    };
    build_archive(&ArchiveSpec { members: members.iter().map(member).collect(), ..ArchiveSpec::default() })
}

/// Returns files with damaged headers, some of them with further damage.
pub(crate) fn damaged() -> Vec<(&'static str, Vec<u8>)> {
    const GONE: [(&str, u32); 2] = [("magic", 0xDEDE_DEDE), ("count", 0xDEDE_DEDE)];
    let with = |words: &[(&str, u32)]| patched(archive(), &[&GONE, words].concat());
    let whole = with(&[]);
    let table = patched(build_table(&spec(Generation::G2)), &GONE);
    vec![
        ("a header that is there", archive().bytes),
        ("a header that is there, a member behind the end", patched(archive(), &[("entry 2 offset", 500)])),
        ("an overwritten header", whole.clone()),
        ("a count alone that is overwritten", patched(archive(), &GONE[1..])),
        ("a magic alone that is overwritten", patched(archive(), &GONE[..1])),
        ("cut in a member", whole[..118].to_vec()),
        ("cut behind the entries", whole[..112].to_vec()),
        ("cut in the entries", whole[..60].to_vec()),
        ("cut in the first entry", whole[..40].to_vec()),
        ("cut in the header", whole[..7].to_vec()),
        ("no bytes", Vec::new()),
        ("a table", table.clone()),
        ("a table cut in its records", table[..310].to_vec()),
        ("a first offset of 0", with(&[("entry 0 offset", 0)])),
        ("a first offset of 16", with(&[("entry 0 offset", 16)])),
        ("a first offset of 113", with(&[("entry 0 offset", 113)])),
        ("a first offset of 128", with(&[("entry 0 offset", 128)])),
        ("a first offset of fewer entries", with(&[("entry 0 offset", 80)])),
        ("a first offset behind the end", with(&[("entry 0 offset", 0x1000_0010)])),
        ("a first offset of most entries", with(&[("entry 0 offset", 0xFFFF_FFF0)])),
        ("text", b"This is no archive, and says so in words, of which there are many.".to_vec()),
    ]
}

fn recovered(out: &mut String) {
    for (name, file) in damaged() {
        writeln!(out, "recover: {name}").unwrap();
        let mut report = |finding: worldview_wpd::Finding<'_>| writeln!(out, "  finding: {finding}").unwrap();
        let result = Archive::recover(Source::new(&file, OffsetBase::File), &mut report);
        match result {
            Err(error) => writeln!(out, "  {error}").unwrap(),
            Ok(archive) => {
                let bytes: usize = archive.members().map(|member| member.data().len()).sum();
                let how = if archive.is_recovered() { "recovers" } else { "opens" };
                write!(out, "  {how} {} members with {bytes} bytes", archive.entries().len()).unwrap();
                let mut broken = 0;
                match TableOptions::new().table_lossy(archive, &mut |_| broken += 1) {
                    Ok(table) => writeln!(out, ", a table of {} rows, {broken} broken", table.len()).unwrap(),
                    Err(_) => writeln!(out).unwrap(),
                }
            }
        }
    }
}

/// Returns an archive with nested archives: intact, broken and missing ones.
fn nest() -> Vec<u8> {
    let inner = build_table(&spec(Generation::G2));
    let cut = &inner.bytes[..150];
    let astray = patched(build_table(&spec(Generation::G2)), &[("record b_row offset", 0x8000)]);
    let pack = archive_of(&[("r_whole.wdb", "", &inner.bytes), ("r_cut.wdb", "", cut)]).bytes;
    let last = archive_of(&[("last", "", b"")]).bytes;
    let members: [(&str, &str, &[u8]); 8] = [
        ("astray", "wdb", &astray),
        ("cut", "wdb", cut),
        ("empty", "", b""),
        ("lost", "wdb", &inner.bytes),
        ("magic", "bin", b"WPD\0"),
        ("pack", "bin", &pack),
        ("text", "txt", b"no archive"),
        ("whole", "wdb", &last),
    ];
    patched(archive_of(&members), &[("entry 3 offset", 0x0010_0000)])
}

fn located(out: &mut String) {
    let file = nest();
    let archive = Archive::parse_lossy(Source::new(&file, OffsetBase::File), &mut |_| {}).unwrap();
    for path in [
        "whole",
        "whole.wdb",
        "whole.wdb/last",
        "whole/last",
        "pack.bin/r_whole.wdb/b_row",
        "pack.bin/r_whole/b_row",
        "pack.bin/r_whole.wdb/b_row/more",
        "pack.bin/r_whole.wdb/no_row",
        "pack.bin/nothing",
        "pack.txt/r_whole.wdb",
        "pack.bin/",
        "/pack.bin",
        "pack.bin//r_whole.wdb",
        "",
        "/",
        "nothing",
        "nothing/inside",
        "text/inside",
        "text.txt/",
        "empty/inside",
        "lost.wdb",
        "lost.wdb/a_row",
        "magic.bin/inside",
        "cut.wdb",
        "cut.wdb/!!string",
        "pack.bin/r_cut.wdb/!!string",
        "astray.wdb/a_row",
        "PACK.BIN/r_whole.wdb",
        "..",
    ] {
        match archive.locate(path.as_bytes()) {
            Ok(None) => writeln!(out, "locate {path:?}\n  nothing").unwrap(),
            Err(error) => writeln!(out, "locate {path:?}\n  {error}").unwrap(),
            Ok(Some((holder, member))) => {
                let (at, name, len) = (member.source().base(), member.name().escape_ascii(), member.data().len());
                let of = holder.entries().len();
                writeln!(out, "locate {path:?}\n  {name}, {len} bytes at {at}, one of {of} members").unwrap();
            }
        }
    }
}

fn schema_files(out: &mut String) {
    for text in [
        "",
        "# nothing but a comment",
        "sheet",
        "sheet A B\niOne",
        "sheet A",
        "sheet A\niOne\nsheet B\nversion 0x1\nsheet C\nuTwo",
        "version 0x1",
        "sheet A\nversion 12\niOne",
        "sheet A\nversion 0x\niOne",
        "sheet A\nversion 0x1234567890\niOne",
        "sheet A\nversion 0x1 0xnine\niOne",
        "sheet A\nversion\niOne",
        "sheet A\nfile\niOne",
        "iOne fTwo\nxThree",
        "iOne\n\n  # more\n  uTwo Three",
        "Version 0x1",
        "iOne, uTwo",
        "sheet \u{795e} # of gods\niOne\u{8a71}",
        "{\"fields\": [\"iOne\"]}",
    ] {
        writeln!(out, "schema file {text:?}").unwrap();
        match Schemas::parse(text) {
            Err(error) => writeln!(out, "  {error}").unwrap(),
            Ok(schemas) => {
                let sheets = schemas.sheets().iter();
                let shown = sheets.map(|sheet| format!("{:?} of {} fields", sheet.name(), sheet.fields().len()));
                writeln!(out, "  sheets: {}", shown.collect::<Vec<_>>().join(", ")).unwrap();
            }
        }
    }
}

fn unfit_schemas(out: &mut String) {
    let [fits, other] = ["iOne fTwo sThree u5Four i27Five", "iOne uTwo"];
    let unfit = [
        "iOne fTwo sThree u5Four u27Five",
        "iOne fTwo",
        "iOne fTwo sThree u5Four i27Five i1Six",
        "iOne fTwo sThree u5Four i28Five",
        "iOne sTwo sThree u5Four i27Five",
        "iOne fTwo sThree u5Four i33Five",
        "iOne fTwo sThree u64Four",
        "iOne xTwo",
        "",
    ];
    let broken = spec(Generation::G3).section("!structitem", Some(b"xOne\0"));
    let g1 = TableSpec::new(Generation::G1, &["iOne", "uTwo"]);
    for (of, file, lists) in [
        ("G2", build_table(&spec(Generation::G2)).bytes, [&[fits, other], &unfit[..]].concat()),
        ("G1", build_table(&g1).bytes, vec![fits, other, "i32One uTwo"]),
        ("G3", build_table(&spec(Generation::G3)).bytes, vec![fits, other]),
        ("G3 with broken names", build_table(&broken).bytes, vec![fits]),
        ("no table", archive().bytes, vec![fits]),
    ] {
        for fields in lists {
            let schema = Schema::new("own", fields.split_whitespace());
            writeln!(out, "schema {fields:?} for {of}").unwrap();
            match Table::parse_with(&file, &schema) {
                Ok(table) => writeln!(out, "  takes {} names", table.name_origin().name()).unwrap(),
                Err(error) => writeln!(out, "  {error}").unwrap(),
            }
            let table = Archive::parse(&file).and_then(|archive| TableOptions::new().schema(&schema).table(archive));
            if let Some((_, why)) = table.ok().and_then(|table| table.schema_mismatch()) {
                writeln!(out, "  refused: {why}").unwrap();
            }
        }
    }
}

/// Returns the error of requesting a column as a type, if any.
fn asked<'a, T: ColumnType<'a>>(table: &Table<'a>, name: &str) -> Option<String> {
    table.column::<T>(name).err().map(|error| error.to_string())
}

/// Returns each field with the types as which it can be read, and the first error for another type.
fn columns() -> Vec<(&'static str, Vec<&'static str>, String)> {
    let fields = ["iOne", "fTwo", "sThree", "uFour", "i5Five", "u5Six", "f5Seven", "s5Eight", "uRaw", "u64Nine"];
    let spec = TableSpec::new(Generation::G3, &fields).section("!!strtypelistb", Some(&[0, 1, 2, 3, 0, 9, 3]));
    let file = build_table(&spec.row("row", [])).bytes;
    let table = Table::parse(&file).unwrap();
    let names = fields.into_iter().chain(["iNone", "", "iOne\0", "a \"quoted\" name", "\u{795e}"]);
    let column = |name: &'static str| {
        let answers = [
            ("i32", asked::<i32>(&table, name)),
            ("u32", asked::<u32>(&table, name)),
            ("f32", asked::<f32>(&table, name)),
            ("u64", asked::<u64>(&table, name)),
            ("text", asked::<&[u8]>(&table, name)),
            ("text or none", asked::<Option<&[u8]>>(&table, name)),
            ("element", asked::<Element<'_>>(&table, name)),
        ];
        let given = answers.iter().filter(|(_, error)| error.is_none()).map(|(of, _)| *of).collect();
        let refused = answers.iter().find_map(|(of, error)| Some(format!("as {of}: {}", error.as_ref()?)));
        (name, given, refused.unwrap_or_default())
    };
    names.map(column).collect()
}

fn unfit_columns(out: &mut String) {
    for (name, _, refused) in columns() {
        writeln!(out, "column {name:?}\n  {refused}").unwrap();
    }
}

#[test]
fn rejections_match_the_golden_table() {
    let mut table = String::new();
    for part in [recovered, located, schema_files, unfit_schemas, unfit_columns] {
        part(&mut table);
    }
    golden::compare("wpd_refusals.txt", &table).unwrap();
}

#[test]
fn a_column_is_available_only_for_the_types_of_its_field() {
    let given: Vec<_> = columns().into_iter().map(|(name, given, _)| (name, given.join(", "))).collect();
    let expected = [
        ("iOne", "i32"),
        ("fTwo", "f32"),
        ("sThree", "text, text or none"),
        ("uFour", "u32"),
        ("i5Five", "i32"),
        ("u5Six", "u32"),
        ("f5Seven", "i32"),
        ("s5Eight", "element"),
        ("uRaw", "u32"),
        ("u64Nine", "u64"),
        ("iNone", ""),
        ("", ""),
        ("iOne\0", ""),
        ("a \"quoted\" name", ""),
        ("\u{795e}", ""),
    ];
    assert_eq!(given, expected.map(|(name, given)| (name, given.to_owned())));
}
