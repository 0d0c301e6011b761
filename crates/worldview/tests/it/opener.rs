//! The opener: the parts it passes on, with their findings and paths, and its errors.

use worldview::wpd::Schemas;
use worldview::{FindingCode as _, Findings, Format, OpenError, Opener, SchemaNote, Severity};
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

/// Returns each part that is passed to the callback.
fn open(opener: Opener<'_>, file: &[u8], name: &str) -> Vec<Told> {
    let mut parts = Vec::new();
    opener.open(file, name, &mut Vec::new(), &mut |opened| {
        parts.push(match opened {
            Ok(part) => {
                let fatal = match part.findings {
                    Findings::None => 0,
                    Findings::Archive(all) => all.iter().filter(|it| it.kind.severity() == Severity::Fatal).count(),
                    Findings::Level(all) => all.iter().filter(|it| it.kind.severity() == Severity::Fatal).count(),
                    Findings::Database(all) => all.iter().filter(|it| it.kind.severity() == Severity::Fatal).count(),
                    _ => usize::MAX,
                };
                (part.path_in_file(), Ok((part.asset.kind().name(), fatal)))
            }
            Err(failed) => (failed.path_in_file(), Err(failed.error)),
        });
    });
    parts
}

fn part(inside: &str, kind: &'static str, fatal: usize) -> Told {
    (inside.to_owned(), Ok((kind, fatal)))
}

#[test]
fn a_path_leads_down_to_a_record() {
    let file = nested();
    let all = [part("", "archive", 0), part("pack.bin", "archive", 0), part("pack.bin/small.wdb", "table", 0)];
    assert_eq!(open(Opener::new(), &file, "outer.bin"), all);
    assert_eq!(open(Opener::new().nested(false), &file, "outer.bin"), all[..1]);
    let at = |path: &'static str| open(Opener::new().select(path.as_bytes()), &file, "outer.bin");
    assert_eq!(at("pack.bin"), all[1..]);
    assert_eq!(at("pack.bin/small"), all[2..]);
    assert_eq!(at("pack.bin/small.wdb/two"), [part("pack.bin/small.wdb/two", "record", 0)]);
    assert_eq!(at("pack.bin/small/!!version"), [part("pack.bin/small.wdb/!!version", "data", 0)]);
    assert_eq!(at("pack.bin/notes"), [part("pack.bin/notes", "data", 0)]);
    assert_eq!(at("pack.bin/nothing"), [("pack.bin".to_owned(), Err(OpenError::NotFound))]);
    assert!(matches!(at("pack.bin/notes/more")[..], [(_, Err(OpenError::InsideData))]));
    let level = wwd::samples().remove(0).1;
    let inside = open(Opener::new().select(b"plane"), &level, "level.wwd");
    assert_eq!(inside, [(String::new(), Err(OpenError::NoMembers(Format::Wwd)))]);
    let only = |name: &str| name == "other.wdb";
    assert_eq!(open(Opener::new().tables(&only), &file, "outer.bin"), all[..2]);
}

#[test]
fn overwritten_headers_are_recovered_on_request() {
    let whole = table(Generation::G3);
    let mut file = whole.clone();
    file[..8].copy_from_slice(b"garbage!");
    let refused = |name| open(Opener::new(), &file, name).remove(0).1.unwrap_err();
    assert!(matches!(refused("a.wdb"), OpenError::Overwritten { is_known: true, .. }));
    assert!(matches!(refused("a.bin"), OpenError::Overwritten { is_known: false, .. }));
    let recover = Opener::new().recover(true);
    assert_eq!(open(recover, &file, "a.bin"), [part("", "table", 0)]);
    // The last record is truncated: an error when opening strictly, a finding when opening lossily.
    file.truncate(file.len() - 4);
    let error = open(recover, &file, "a.wdb").remove(0).1.unwrap_err();
    let expected = open(Opener::new(), &whole[..whole.len() - 4], "a.wdb").remove(0).1.unwrap_err();
    assert!(matches!(error, OpenError::Format(_)));
    assert_eq!(error, expected, "as if the header were whole");
    let parts = open(recover.lossy(true), &file, "a.wdb");
    assert!(matches!(parts[..], [(_, Ok(("table", 1..)))]), "{parts:?}");
    // Without entries, the error says why.
    assert!(matches!(open(recover, &[7; 100], "a.wdb")[..], [(_, Err(OpenError::Unrecoverable(_)))]));
    assert_eq!(open(recover, &[7; 100], "a.bin")[0].1, Err(OpenError::Unknown));
    assert_eq!(open(recover, b"", "a.bin")[0].1, Err(OpenError::Empty));
}

#[test]
fn lossy_levels_have_findings_and_catalogues_take_headers_alone() {
    let (name, file) = wwd::samples().remove(0);
    assert_eq!(open(Opener::new().lossy(true), &file, name), [part("", "level", 0)]);
    let cut = &file[..file.len() * 3 / 4];
    assert!(matches!(open(Opener::new(), cut, name)[..], [(_, Err(OpenError::Format(_)))]));
    assert!(matches!(open(Opener::new().lossy(true), cut, name)[..], [(_, Ok(("level", 1..)))]));
    // The headers are complete.
    assert_eq!(open(Opener::new().outline(true), cut, name), [part("", "level", 0)]);
    let (name, world) = island::samples().remove(0);
    assert_eq!(open(Opener::new(), &world, name), [part("", "database", 0)]);
}

#[test]
fn field_names_that_are_of_no_use_are_noted() {
    let file = table(Generation::G2);
    let note = |text: &str| {
        let (schemas, mut notes) = (Schemas::parse(text).unwrap(), Vec::new());
        Opener::new().schemas(&schemas).open(&file, "mine.wdb", &mut Vec::new(), &mut |opened| {
            notes.push(match opened.unwrap().schema {
                Some(SchemaNote::Refused { schema, .. }) => format!("refused {}", schema.name()),
                Some(SchemaNote::Unlisted { .. }) => "unlisted".to_owned(),
                _ => String::new(),
            });
        });
        notes.concat()
    };
    assert_eq!(note("sheet Mine\nfile mine\niCount fWeight\n"), "");
    assert_eq!(note("sheet Mine\nfile mine\niCount fWeight iMore\n"), "refused Mine");
    assert_eq!(note("sheet Other\nfile other\niCount fWeight\n"), "unlisted");
}
