//! Opening files: their parts, with their findings and paths, and errors.

use std::sync::Arc;

use worldview::wpd::Schemas;
use worldview::{At, Entry, Format, OpenError, Opened, Options, SchemaNote, Severity, Walk};
use worldview_corpus::ff13::build::{build_archive, build_table};
use worldview_corpus::ff13::spec::{ArchiveSpec, CellSpec, Generation, MemberSpec, TableSpec};
use worldview_corpus::{island, wwd};

fn table(generation: Generation) -> Vec<u8> {
    let row = |count| [CellSpec::Int(count), CellSpec::from(0.5)];
    build_table(&TableSpec::new(generation, &["iCount", "fWeight"]).row("one", row(1)).row("two", row(2))).bytes
}

fn archive(members: Vec<MemberSpec>) -> Vec<u8> {
    build_archive(&ArchiveSpec { members, ..ArchiveSpec::default() }).bytes
}

/// Returns a table in an archive in an archive, next to a text.
fn nested() -> Vec<u8> {
    let table = MemberSpec { extension: b"wdb".to_vec(), ..MemberSpec::new("small", table(Generation::G3)) };
    let pack = archive(vec![table, MemberSpec::new("notes", &b"plain words"[..])]);
    archive(vec![MemberSpec::new("pack.bin", pack)])
}

/// The path of a part, and its kind with the number of fatal findings, or its error.
type Told = (String, Result<(&'static str, usize), OpenError>);

fn told(opened: &Opened<'_>) -> (&'static str, usize) {
    let mut fatal = 0;
    opened.findings.each(&mut |finding| fatal += usize::from(finding.kind.severity() == Severity::Fatal));
    (opened.kind().name(), fatal)
}

/// Opens a file and everything nested in it.
fn open(options: &Options, file: &[u8], name: &str) -> Vec<Told> {
    open_only(options, file, name, &|_| true)
}

fn open_only(options: &Options, file: &[u8], name: &str, wanted: &dyn Fn(&str) -> bool) -> Vec<Told> {
    let (mut image, mut nested) = (Vec::new(), Vec::new());
    let opened = match worldview::open(file, name, &mut image, options) {
        Ok(opened) => opened,
        Err(error) => return vec![(String::new(), Err(error))],
    };
    let mut parts = vec![(String::new(), Ok(told(&opened)))];
    let wanted = |path: &[Entry<'_, '_>], is_table: bool| !is_table || wanted(&path.last().unwrap().text());
    let mut walk = Walk::new(&opened.asset, opened.at, options).wanted(&wanted);
    while let Some(found) = walk.next(&mut nested) {
        let opened = found.opened.as_ref().map(told).map_err(|failed| failed.error);
        parts.push((found.names().join("/"), opened));
    }
    parts
}

/// Opens what a path leads to.
fn open_at(file: &[u8], name: &str, path: &str) -> Told {
    let (options, mut image, mut inner) = (Options::new(), Vec::new(), Vec::new());
    let opened = worldview::open(file, name, &mut image, &options).unwrap();
    match opened.asset.follow(At::Whole, path.as_bytes()) {
        Ok(trail) => {
            let part = trail.last().unwrap().open(&mut inner, &options);
            (Entry::names(&trail).join("/"), part.as_ref().map(told).map_err(|error| *error))
        }
        Err((trail, error)) => (Entry::names(&trail).join("/"), Err(error)),
    }
}

fn part(inside: &str, kind: &'static str, fatal: usize) -> Told {
    (inside.to_owned(), Ok((kind, fatal)))
}

#[test]
fn a_path_leads_down_to_a_record() {
    let file = nested();
    let all = [part("", "archive", 0), part("pack.bin", "archive", 0), part("pack.bin/small.wdb", "table", 0)];
    assert_eq!(open(&Options::new(), &file, "outer.bin"), all);
    let at = |path| open_at(&file, "outer.bin", path);
    assert_eq!(at("pack.bin"), all[1]);
    assert_eq!(at("pack.bin/small"), all[2]);
    assert_eq!(at("pack.bin/small.wdb/two"), part("pack.bin/small.wdb/two", "record", 0));
    assert_eq!(at("pack.bin/small/!!version"), part("pack.bin/small.wdb/!!version", "data", 0));
    assert_eq!(at("pack.bin/notes"), part("pack.bin/notes", "data", 0));
    assert_eq!(at("pack.bin/nothing"), ("pack.bin".to_owned(), Err(OpenError::NotFound)));
    assert!(matches!(at("pack.bin/notes/more").1, Err(OpenError::InsideData)));
    assert!(matches!(at("pack.bin/small/two/more").1, Err(OpenError::InsideRecord)));
    assert_eq!(open_only(&Options::new(), &file, "outer.bin", &|name| name == "other.wdb"), all[..2]);
    // A record of the file itself is a part of its view, and not opened.
    let (options, mut image, table) = (Options::new(), Vec::new(), table(Generation::G3));
    let opened = worldview::open(&table, "a.wdb", &mut image, &options).unwrap();
    let trail = opened.asset.follow(At::Whole, b"two").unwrap();
    assert_eq!(trail.last().and_then(Entry::at), Some(At::Record(1)));
    assert!(matches!(opened.asset.follow(At::Record(1), b"more"), Err((_, OpenError::InsideRecord))));
    // A level has no members.
    let level = wwd::samples().remove(0).1;
    let mut image = Vec::new();
    let opened = worldview::open(&level, "level.wwd", &mut image, &options).unwrap();
    assert!(matches!(opened.asset.follow(At::Whole, b"plane"), Err((_, OpenError::NoMembers(Format::Wwd)))));
}

#[test]
fn overwritten_headers_are_recovered_on_request() {
    let whole = table(Generation::G3);
    let mut file = whole.clone();
    file[..8].copy_from_slice(b"garbage!");
    let refused = |name| open(&Options::new(), &file, name).remove(0).1.unwrap_err();
    assert!(matches!(refused("a.wdb"), OpenError::Overwritten { is_known: true, .. }));
    assert!(matches!(refused("a.bin"), OpenError::Overwritten { is_known: false, .. }));
    let recover = &Options { recover: true, ..Options::new() };
    assert_eq!(open(recover, &file, "a.bin"), [part("", "table", 0)]);
    // The last record is truncated: an error when opening strictly, a finding when opening lossily.
    file.truncate(file.len() - 4);
    let error = open(recover, &file, "a.wdb").remove(0).1.unwrap_err();
    let expected = open(&Options::new(), &whole[..whole.len() - 4], "a.wdb").remove(0).1.unwrap_err();
    assert!(matches!(error, OpenError::Format(_)));
    assert_eq!(error, expected, "as if the header were whole");
    let parts = open(&Options { lossy: true, ..recover.clone() }, &file, "a.wdb");
    assert!(matches!(parts[..], [(_, Ok(("table", 1..)))]), "{parts:?}");
    // Without entries, the error says why.
    assert!(matches!(open(recover, &[7; 100], "a.wdb")[..], [(_, Err(OpenError::Unrecoverable(_)))]));
    assert_eq!(open(recover, &[7; 100], "a.bin")[0].1, Err(OpenError::Unknown));
    assert_eq!(open(recover, b"", "a.bin")[0].1, Err(OpenError::Empty));
}

#[test]
fn lossy_levels_have_findings_and_catalogues_take_headers_alone() {
    let lossy = Options { lossy: true, ..Options::new() };
    let (name, file) = wwd::samples().remove(0);
    assert_eq!(open(&lossy, &file, name), [part("", "level", 0)]);
    let cut = &file[..file.len() * 3 / 4];
    assert!(matches!(open(&Options::new(), cut, name)[..], [(_, Err(OpenError::Format(_)))]));
    assert!(matches!(open(&lossy, cut, name)[..], [(_, Ok(("level", 1..)))]));
    // The headers are complete.
    assert_eq!(open(&Options { outline: true, ..Options::new() }, cut, name), [part("", "level", 0)]);
    let (name, world) = island::samples().remove(0);
    assert_eq!(open(&Options::new(), &world, name), [part("", "database", 0)]);
}

#[test]
fn field_names_that_are_of_no_use_are_noted() {
    let file = table(Generation::G2);
    let note = |text: &str| {
        let schemas = Some(Arc::new(Schemas::parse(text).unwrap()));
        let (options, mut image) = (Options { schemas, ..Options::new() }, Vec::new());
        match worldview::open(&file, "mine.wdb", &mut image, &options).unwrap().schema {
            Some(SchemaNote::Refused { schema, .. }) => format!("refused {}", schema.name()),
            Some(SchemaNote::Unlisted { .. }) => "unlisted".to_owned(),
            _ => String::new(),
        }
    };
    assert_eq!(note("sheet Mine\nfile mine\niCount fWeight\n"), "");
    assert_eq!(note("sheet Mine\nfile mine\niCount fWeight iMore\n"), "refused Mine");
    assert_eq!(note("sheet Other\nfile other\niCount fWeight\n"), "unlisted");
}
