//! The findings of archives and tables: the golden table of the edge cases, a file for every finding, and no problems
//! in clean files.

use worldview_core::{OffsetBase, Source};
use worldview_corpus::builder::Built;
use worldview_corpus::ff13::build::{build_archive, build_table};
use worldview_corpus::ff13::generate::{
    Shape, edge_cases, folder, generic, overwritten_cases, pack, small_table, table,
};
use worldview_corpus::ff13::samples;
use worldview_corpus::ff13::spec::{ArchiveSpec, CellSpec, Generation, MemberSpec, TableSpec};
use worldview_wpd::{self as wpd, Archive, FindingKind, Nesting, TableOptions};

use crate::findings::{self, Line};
use crate::wpd_errors::broken_files;

/// Collects the findings of an archive and its table, from the checks and from lossy parsing of the table.
fn check(archive: &Archive<'_>, lines: &mut Vec<Line>) {
    if archive.is_table() {
        match TableOptions::new().table_lossy(*archive, &mut |one| lines.push(Line::of(&one))) {
            Ok(table) => return wpd::check_table(&table, &mut |one| lines.push(Line::of(&one))),
            Err(error) => lines.push(Line::end("no table", &error)),
        }
    }
    wpd::check_archive(archive, &mut |one| lines.push(Line::of(&one)));
}

/// Returns the findings of a file; a file that cannot be parsed otherwise is recovered from a damaged header.
fn findings_at(source: Source<'_>) -> Vec<Line> {
    let mut lines = Vec::new();
    let opened = Archive::parse_lossy(source, &mut |one| lines.push(Line::of(&one)));
    let opened = opened.or_else(|_| Archive::recover(source, &mut |one| lines.push(Line::of(&one))));
    match opened {
        Ok(archive) => check(&archive, &mut lines),
        Err(error) => lines.push(Line::end("no archive", &error)),
    }
    lines
}

fn findings(file: &[u8]) -> Vec<Line> {
    if Archive::can_rebuild(file) {
        let (mut copy, mut lines) = (Vec::new(), Vec::new());
        let archive = Archive::recover_in(file, &mut copy, &mut |one| lines.push(Line::of(&one))).unwrap();
        check(&archive, &mut lines);
        return lines;
    }
    findings_at(Source::new(file, OffsetBase::File))
}

#[test]
fn findings_of_every_edge_case() {
    findings::hold("wpd_findings.txt", edge_cases().into_iter().map(|(name, file)| (name, findings(&file))));
}

#[test]
fn findings_inside_an_archive_are_those_of_the_file_alone() {
    for (name, file) in edge_cases() {
        let members = vec![MemberSpec::new("before", "text"), MemberSpec::new("file", file.clone())];
        let outer = build_archive(&ArchiveSpec { members, ..ArchiveSpec::default() });
        let archive = Archive::parse(&outer.bytes).unwrap();
        let inside = findings_at(archive.get(1).unwrap().source());
        let base = outer.at("data 1").unwrap() as u64;
        let parts = |lines: Vec<Line>, base| {
            lines.into_iter().map(|line| (line.code, line.place, line.at + base, line.what)).collect::<Vec<_>>()
        };
        assert_eq!(parts(inside, 0), parts(findings(&file), base), "{name}");
    }
}

/// Returns files with findings that no edge case has.
fn missing_ones() -> [Vec<u8>; 4] {
    let two = vec![MemberSpec::new("one", "1"), MemberSpec::new("two", "2")];
    let mut padding = build_archive(&ArchiveSpec { members: two, align: 8, ..ArchiveSpec::default() });
    let first = padding.at("data 0").unwrap();
    padding.bytes[first + 3] = 7;
    let item = TableSpec { version: Some(0x85E6_2C73), ..TableSpec::new(Generation::G2, &["iOne"]) };
    let float = TableSpec::new(Generation::G3, &["fOne"]).row("a", [CellSpec::Float(0x7FC0_0000)]);
    [padding.bytes, build_table(&item).bytes, build_table(&float).bytes, thousand_records().bytes]
}

/// Records of 40 KB that share the same bytes; walked one by one they are 40 MB.
fn thousand_records() -> Built {
    let mut spec = TableSpec::new(Generation::G3, &["uOne"; 10_000]).raw_row("row0000", &[0; 40_000]);
    for row in 1..1000 {
        spec = spec.raw_row(&format!("row{row:04}"), &[]);
    }
    let mut built = build_table(&spec);
    let first = u32::try_from(built.at("record row0000").unwrap()).unwrap();
    for row in 1..1000 {
        built
            .words_be(&[(&format!("record row{row:04} offset"), first), (&format!("record row{row:04} size"), 40_000)]);
    }
    built
}

#[test]
fn every_finding_occurs_in_some_file() {
    let missing = missing_ones().map(|file| ("missing".to_owned(), file));
    let files = edge_cases()
        .into_iter()
        .chain(overwritten_cases())
        .chain(broken_files())
        .chain(missing)
        .map(|(name, file)| (name, findings(&file)));
    assert!(findings::first_of_each(FindingKind::CODES, files).len() >= 40);
}

/// Returns every finding in a file and in its nested archives.
fn all_findings(file: &[u8]) -> Vec<Line> {
    let mut lines = findings(file);
    if let Ok(archive) = Archive::parse(file) {
        let mut nesting = Nesting::new(&archive);
        for member in archive.members() {
            let inner = nesting.enter(&member, 0, &mut |one| lines.push(Line::of(&one)));
            if let Some(inner) = inner.unwrap() {
                check(&inner, &mut lines);
            }
        }
    }
    lines
}

#[test]
fn the_samples_have_no_findings() {
    for (name, file) in samples() {
        assert_eq!(all_findings(&file), [], "{name}");
    }
}

#[test]
fn clean_tables_of_each_generation_have_no_findings() {
    let mut files = folder(1, 20);
    for generation in [Generation::G1, Generation::G2, Generation::G3, Generation::G3Prime] {
        // G1 has one word per field, and neither G1 nor G2 has arrays.
        let can = |shape: &Shape| match (generation, shape.sheet) {
            (Generation::G1, sheet) => sheet == "btsc" || sheet == "EventFlag",
            (Generation::G2, sheet) => sheet != "MonsterBook",
            _ => true,
        };
        for shape in Shape::all().into_iter().filter(can) {
            let shape = Shape { generation, ..shape };
            files.push((format!("{shape:?}"), table(7, 60_000, &shape)));
        }
    }
    let row = |text: &str| [CellSpec::from(text), CellSpec::Int(-3), CellSpec::from(0.5_f32), CellSpec::Int(3)];
    let g0 = TableSpec::new(Generation::G0, &["sOne", "iTwo", "fThree", "uFour"]);
    let g0 = g0.row("a_row", row("lamp_oil")).row("b_row", row("")).row("c_row", row("oil"));
    files.push(("G0".into(), build_table(&g0).bytes));
    files.extend([("pack".into(), pack(1, 6)), ("generic".into(), generic(1, 40))]);
    for (name, file) in files {
        assert_eq!(all_findings(&file), [], "{name}");
    }
}

/// Small tables have unusual floats on purpose, and strings are omitted if there are no records.
#[test]
fn small_tables_have_no_other_findings() {
    for seed in 0..600 {
        let spec = small_table(seed);
        for line in findings(&build_table(&spec).bytes) {
            let expected = match line.code {
                "float-not-finite" => true,
                "section-missing" | "no-records" => spec.rows.is_empty(),
                _ => false,
            };
            assert!(expected, "seed {seed}: {line:?}");
        }
    }
}

/// The last byte of the pool is the NUL of its last string; the offset after it is that of no string.
#[test]
fn a_string_at_the_end_of_the_pool_is_outside() {
    let file = worldview_corpus::sample("items.wdb");
    let table = wpd::Table::parse(&file).unwrap();
    let (field, pool) = (table.fields().iter().find(|field| field.name().starts_with(b"s")).unwrap(), table.strings());
    let place = table.get(0).unwrap().entry().offset.get() as usize + field.word() as usize * 4;
    for (offset, is_outside) in [(pool.bytes().len() - 1, false), (pool.bytes().len(), true)] {
        let mut edited = file.to_vec();
        edited[place..place + 4].copy_from_slice(&u32::try_from(offset).unwrap().to_be_bytes());
        let is_found = findings(&edited).iter().any(|line| line.code == "string-outside");
        assert_eq!(is_found, is_outside, "{offset}");
    }
}
