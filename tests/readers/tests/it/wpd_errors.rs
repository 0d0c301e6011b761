//! The error table of broken archives and tables: the strict error, and what lossy parsing still opens.

use std::fmt::Write as _;

use worldview_core::{Error, OffsetBase, Source};
use worldview_corpus::builder::Built;
use worldview_corpus::ff13::build::{build_archive, build_table};
use worldview_corpus::ff13::spec::{ArchiveSpec, CellSpec, Generation, MemberSpec, TableSpec};
use worldview_wpd::{Archive, Nesting, Table, TableOptions};

use crate::errors::{self, Answers, Broken};

const MAX: u32 = u32::MAX;

/// Returns an archive with three members: of ten bytes, empty, and of five bytes.
pub(crate) fn archive() -> Built {
    let members = [("zeta", &b"last first"[..]), ("alpha", b""), ("midway", b"12345")];
    let members = members.map(|(name, data)| MemberSpec { extension: b"txb".to_vec(), ..MemberSpec::new(name, data) });
    build_archive(&ArchiveSpec { members: members.to_vec(), ..ArchiveSpec::default() })
}

/// Returns a table of three records with four words, the last one packed. Generation G3 has a fifth and sixth field.
pub(crate) fn spec(generation: Generation) -> TableSpec {
    let fields = match generation {
        Generation::G0 | Generation::G1 => &["iOne", "fTwo", "sThree", "uFour"][..],
        Generation::G3 => &["iOne", "fTwo", "sThree", "u5Four", "i27Five", "s3Six"],
        _ => &["iOne", "fTwo", "sThree", "u5Four", "i27Five"],
    };
    let row = |n: i64, text: &str| {
        let values = [CellSpec::Int(n), 0.5_f32.into(), text.into(), CellSpec::Int(n), CellSpec::Int(-n), text.into()];
        values.into_iter().take(fields.len())
    };
    TableSpec::new(generation, fields).row("a_row", row(1, "lamp")).row("b_row", row(2, "")).row("c_row", row(3, "oil"))
}

fn nested(inner: Vec<u8>) -> Built {
    let members = [("a_text", b"no archive".to_vec()), ("r_inner.wdb", inner), ("z_text", b"12".to_vec())];
    let members = members.map(|(name, data)| MemberSpec::new(name, data)).to_vec();
    build_archive(&ArchiveSpec { members, ..ArchiveSpec::default() })
}

/// Returns a file with some words changed.
pub(crate) fn patched(mut built: Built, words: &[(&str, u32)]) -> Vec<u8> {
    built.words_be(words);
    built.bytes
}

impl Broken {
    /// Adds a file with some words changed.
    fn patched(&mut self, kind: &str, built: Built, words: &[(&str, u32)]) {
        let shown: Vec<_> = words.iter().map(|(label, value)| format!("{label} = {value:#x}")).collect();
        self.bytes(format!("{kind}: {}", shown.join(", ")), patched(built, words));
    }

    fn table(&mut self, name: &str, spec: &TableSpec) {
        self.bytes(format!("{:?}: {name}", spec.generation), build_table(spec).bytes);
    }
}

/// Returns all broken files by name.
pub(crate) fn broken_files() -> Vec<(String, Vec<u8>)> {
    let mut broken = Broken::new("archive: ", archive());
    headers(&mut broken);
    members(&mut broken);
    tables(&mut broken);
    inside(&mut broken);
    broken.files
}

fn headers(broken: &mut Broken) {
    let whole = archive().bytes;
    broken.bytes("an empty file", b"");
    broken.bytes("three bytes of a magic", b"WPD");
    broken.bytes("only a magic", b"WPD\0");
    broken.bytes("a text file", b"This is no archive, and says so in words.");
    broken.bytes("three bytes of a text", b"abc");
    broken.bytes("archive: a last byte of the magic that is not 0", [b"WPD1", &whole[4..]].concat());
    broken.bytes("archive: small letters in the magic", [b"wpd\0", &whole[4..]].concat());
    broken.bytes("archive: an overwritten header", [&[0xDE; 8], &whole[8..]].concat());
    broken.bytes("archive: cut in the header", &whole[..15]);
    broken.bytes("archive: cut behind the header", &whole[..16]);
    broken.bytes("archive: cut in the entries", &whole[..66]);
    broken.bytes("archive: cut behind the entries", &whole[..112]);
    for count in [4, 100, 0x0800_0000, 0x7FFF_FFFF, 0x8000_0000, MAX] {
        broken.patched("archive", archive(), &[("count", count)]);
    }
}

fn members(broken: &mut Broken) {
    let whole = archive().bytes;
    broken.bytes("archive: cut in the first member", &whole[..120]);
    broken.bytes("archive: cut in the last member", &whole[..whole.len() - 1]);
    for words in [
        &[("entry 2 size", 6)][..],
        &[("entry 2 size", MAX)],
        &[("entry 0 size", 0x8000_0000)],
        &[("entry 2 offset", 129)],
        &[("entry 2 offset", 130)],
        &[("entry 0 offset", MAX)],
        &[("entry 0 offset", MAX), ("entry 0 size", 2)],
        &[("entry 0 offset", MAX), ("entry 0 size", MAX)],
        &[("entry 0 offset", 0x8000_0000), ("entry 0 size", 0x8000_0000)],
        &[("entry 1 size", 1), ("entry 1 offset", 200), ("entry 2 size", 9)],
        // An empty member may point anywhere.
        &[("entry 1 offset", MAX)],
    ] {
        broken.patched("archive", archive(), words);
    }
    let last = |name: &str, size: &[u8]| MemberSpec { extension: size.to_vec(), ..MemberSpec::new(name, "data") };
    let odd = [last("sixteen_bytes_ok", b"12345678"), last("a \"quoted\" name", b""), last("\u{795e}\u{8a71}", b"")];
    let odd = || build_archive(&ArchiveSpec { members: odd.to_vec(), ..ArchiveSpec::default() });
    for index in 0..3 {
        broken.patched("archive of odd names", odd(), &[(&format!("entry {index} size"), 5000)]);
    }
}

fn tables(broken: &mut Broken) {
    let [g0, g1, g2, g3, prime] =
        [Generation::G0, Generation::G1, Generation::G2, Generation::G3, Generation::G3Prime].map(spec);
    for (table, list) in [
        (&g0, "__typelist"),
        (&g1, "!!typelist"),
        (&g2, "!!strtypelist"),
        (&g3, "!!strtypelistb"),
        (&prime, "!!typelist"),
    ] {
        broken.table(&format!("no {list}"), &table.clone().section(list, None));
        broken.table(&format!("an empty {list}"), &table.clone().section(list, Some(b"")));
        let size = if list == "!!strtypelistb" { 3 } else { 15 };
        broken.table(&format!("{size} bytes of {list}"), &table.clone().section(list, Some(&vec![0; size])));
    }
    for (table, list, size) in
        [(&g2, "!!strtypelist", 20), (&g2, "!!strtypelist", 12), (&g3, "!!strtypelistb", 6), (&g3, "!!strtypelistb", 4)]
    {
        // One word more or less than the records have, of the type of the others.
        broken.table(&format!("{size} bytes of {list}"), &table.clone().section(list, Some(&vec![0; size])));
    }
    broken.table("5 bytes of !!strtypelist", &prime.clone().section("!!strtypelist", Some(&[0; 5])));
    broken.table("65,537 words", &prime.clone().section("!!strtypelist", Some(&vec![0; 4 * 65_537])));
    broken.table("no list at all", &g2.clone().section("!!strtypelist", None).section("!!typelist", None));
    broken.table("9 bytes of !!typelist", &g2.clone().section("!!typelist", Some(&[0; 9])));
    broken.table("1 byte of !!strtypelist besides", &g3.clone().section("!!strtypelist", Some(b"x")));
    broken.table("65,537 words in bytes", &g3.clone().section("!!strtypelistb", Some(&vec![0; 65_537])));
    broken.table("65,537 words", &g2.clone().section("!!strtypelist", Some(&vec![0; 4 * 65_537])));
    broken.table("65,537 words in G1", &g1.clone().section("!!typelist", Some(&vec![0; 4 * 65_537])));
    for (name, size) in [("one byte", 1), ("one word less", 12), ("one word more", 20), ("no bytes", 0)] {
        broken.table(&format!("a last record of {name}"), &g2.clone().raw_row("d_row", &vec![0; size]));
        broken.table(&format!("a first record of {name}"), &g2.clone().raw_row("_row", &vec![0; size]));
    }
    broken.table("a first record of one word more", &g3.clone().raw_row("_row", &[0; 24]));
    let wide = TableSpec::new(Generation::G3, &["iOne", "u64Two"]);
    broken.table("a u64 and a short record", &wide.clone().raw_row("a", &[0; 12]).raw_row("b", &[0; 8]));
    broken.table("a u64 and a long record", &wide.clone().raw_row("a", &[0; 8]).raw_row("b", &[0; 12]));
    for words in [
        &[("section !!strtypelist offset", 0x0010_0000)][..],
        &[("section !!string size", 0x0010_0000)],
        &[("record b_row offset", 0x0010_0000)],
        &[("record b_row size", 0x0010_0000)],
        &[("record a_row size", 12), ("record c_row size", 8)],
        &[("record c_row size", 17)],
        &[("section !!typelist offset", MAX)],
        &[("section !!typelist size", 0x8000_0000)],
        &[("record a_row size", 0)],
        &[("record b_row size", MAX)],
    ] {
        broken.patched("G2", build_table(&g2), words);
    }
    let whole = build_table(&g3).bytes;
    broken.bytes("G3: cut in the last record", &whole[..whole.len() - 1]);
    broken.bytes("G3: cut before the last record", &whole[..whole.len() - 20]);
}

fn inside(broken: &mut Broken) {
    let inner = |words: &[(&str, u32)]| patched(build_table(&spec(Generation::G2)), words);
    for (name, words) in [
        ("more entries than bytes", &[("count", 1000)][..]),
        ("a record of another size", &[("record b_row size", 12)]),
        ("a record behind its end", &[("record c_row offset", 0x1000)]),
        ("a record longer than what is left", &[("record c_row size", 17)]),
        ("a type list of another size", &[("section !!strtypelist size", 15)]),
        ("another magic", &[("magic", 0x5750_4431)]),
    ] {
        broken.bytes(format!("inside: {name}"), nested(inner(words)).bytes);
    }
    broken.bytes("inside: a header cut before its last byte", nested(inner(&[])[..15].to_vec()).bytes);
    broken.bytes("inside: only a magic", nested(b"WPD\0".to_vec()).bytes);
    broken.bytes("inside: cut in the entries", nested(inner(&[])[..100].to_vec()).bytes);
    broken.patched("around a table", nested(inner(&[])), &[("entry 1 size", 0x1000)]);
    let twice = nested(nested(inner(&[("record b_row size", 12)])).bytes);
    broken.bytes("inside of inside: a record of another size", twice.bytes);
    let mut deep = inner(&[]);
    for _ in 0..17 {
        deep = nested(deep).bytes;
    }
    broken.bytes("seventeen deep", deep);
}

/// Opens everything strictly: the archive, its table, and nested archives.
fn strict(archive: Result<Archive<'_>, Error>) -> Result<(), Error> {
    let archive = archive?;
    if archive.is_table() {
        archive.table()?;
    }
    archive.members().filter(|member| member.is_archive()).try_for_each(|member| strict(member.archive()))
}

/// Opens a whole file strictly; a file that was built as a table must be one.
fn strict_file(name: &str, file: &[u8]) -> Result<(), Error> {
    if name.starts_with('G') { Table::parse(file).map(drop) } else { strict(Archive::parse(file)) }
}

/// Opens everything leniently, and returns all findings.
fn lossy(file: &[u8]) -> Vec<String> {
    let (mut findings, mut opened) = (Vec::new(), Vec::new());
    let archive = Archive::parse_lossy(Source::new(file, OffsetBase::File), &mut |one| findings.push(one.to_string()));
    match archive {
        Ok(archive) => open(&archive, &mut Nesting::new(&archive), 0, &mut findings, &mut opened),
        Err(error) => opened.push(error.to_string()),
    }
    findings.extend(opened);
    findings
}

fn open(
    archive: &Archive<'_>,
    nesting: &mut Nesting,
    depth: u32,
    findings: &mut Vec<String>,
    opened: &mut Vec<String>,
) {
    let members = archive.members().len();
    let bytes: usize = archive.members().map(|member| member.data().len()).sum();
    let mut what = format!("opens {members} members with {bytes} bytes");
    if archive.is_table() {
        match TableOptions::new().table_lossy(*archive, &mut |one| findings.push(one.to_string())) {
            Ok(table) => {
                let (rows, fields, names) = (table.len(), table.fields().len(), table.name_origin().name());
                let values: usize = table.rows().map(|row| row.values().count()).sum();
                write!(what, ", a table of {rows} rows, {fields} fields, {names} names, {values} values").unwrap();
            }
            Err(error) => write!(what, ", and no table: {error}").unwrap(),
        }
    }
    opened.push(what);
    for member in archive.members() {
        match nesting.enter(&member, depth, &mut |one| findings.push(one.to_string())) {
            Ok(Some(inner)) => open(&inner, nesting, depth + 1, findings, opened),
            Ok(None) => {}
            Err(error) => opened.push(error.to_string()),
        }
    }
}

#[test]
fn errors_of_broken_files_match_the_golden_table() {
    let answers = broken_files().into_iter().map(|(name, file)| {
        let (strict, lossy) = (strict_file(&name, &file).err(), lossy(&file));
        Answers { name, strict, space: file.len() as u64, lossy }
    });
    let answers: Vec<_> = answers.collect();
    let expected = [
        // The offset field has the same wrong value, whatever the size field says.
        &[
            "archive: entry 0 offset = 0xffffffff",
            "archive: entry 0 offset = 0xffffffff, entry 0 size = 0x2",
            "archive: entry 0 offset = 0xffffffff, entry 0 size = 0xffffffff",
        ][..],
        // Too few bytes to tell the two apart.
        &["three bytes of a magic", "three bytes of a text"],
        // The first record is equally wrong, and is reported first.
        &["G2: a first record of no bytes", "G2: record a_row size = 0x0"],
        &["G2: a first record of one word less", "G2: record a_row size = 0xc, record c_row size = 0x8"],
        // The missing list depends on the generation, which only the list itself would show.
        &["G0: no __typelist", "G1: no !!typelist", "G3: no !!strtypelistb", "G2: no list at all"],
    ];
    errors::hold("wpd_errors.txt", &answers, &expected);
    // These files are unusual but valid, or were accepted because another list is present.
    let legal = answers.iter().filter(|answers| answers.strict.is_none()).map(|answers| answers.name.as_str());
    assert_eq!(
        legal.collect::<Vec<_>>(),
        [
            "archive: entry 1 offset = 0xffffffff",
            "G3Prime: no !!typelist",
            "G3Prime: an empty !!typelist",
            "inside: another magic",
            "seventeen deep",
        ]
    );
}

const fn later(mut error: Error, bytes: u64) -> Error {
    error.at += bytes;
    error
}

/// Nested in another file, each file must give the same error at the shifted offset.
#[test]
fn offsets_of_errors_count_in_the_outermost_file() {
    let mut compared = 0;
    for (name, file) in broken_files() {
        let outer = nested(file.clone());
        let base = outer.at("data 1").unwrap() as u64;
        let archive = Archive::parse(&outer.bytes).unwrap();
        let within = strict(archive.get(1).unwrap().archive());
        let alone = strict(Archive::parse(&file));
        let moved = alone.map_err(|error| later(error, base));
        assert_eq!(within, moved, "{name}");
        compared += usize::from(within.is_err());
        let outermost = nested(outer.bytes.clone());
        let archive = Archive::parse(&outermost.bytes).unwrap();
        let (_, member) = archive.locate(b"r_inner.wdb/r_inner.wdb").unwrap().unwrap();
        let base = outermost.at("data 1").unwrap() as u64;
        let moved = within.map_err(|error| later(error, base));
        assert_eq!(strict(member.archive()), moved, "{name}");
    }
    assert!(compared >= 60, "{compared}");
}
