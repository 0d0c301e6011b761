//! The findings of databases: the golden table of the edge cases, a file for every finding, and no problems in clean
//! files.

use worldview_corpus::island::build::build;
use worldview_corpus::island::generate::{database, edge_cases};
use worldview_corpus::island::samples;
use worldview_corpus::island::spec::{
    BlobSpec, DatabaseSpec, ImageSpec, PartSpec, PartsSpec, PlaceSpec, TextureSpec, WorldSpec,
};
use worldview_island::{Contents, Database, Finding, FindingKind, check};
use worldview_readers::golden;

use crate::findings::{self, Line};
use crate::island_errors::broken_files;

/// Returns the findings of lossy parsing and of the check.
fn findings(file: &[u8]) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut note = |finding: Finding<'_>| lines.push(Line::of(&finding));
    match Database::parse_lossy(file, &mut note) {
        Ok(database) => {
            let contents = Contents::read_lossy(&database, &mut note);
            check(&database, &contents, &mut note);
        }
        Err(error) => lines.push(Line::end("no database", &error)),
    }
    lines
}

#[test]
fn findings_of_every_edge_case() {
    findings::hold("island_findings.txt", edge_cases().into_iter().map(|(name, file)| (name, findings(&file))));
}

/// Returns files with findings that no edge case has.
fn missing_ones() -> Vec<(String, Vec<u8>)> {
    let part = |name: &str| PartsSpec { parts: vec![PartSpec::new(name, Vec::new())], ..PartsSpec::default() };
    let foreign = DatabaseSpec {
        worlds: vec![WorldSpec::new("\u{ce}le").part("leg", 0)],
        blobs: vec![BlobSpec::parts(part("l\u{e9}g"))],
        ..DatabaseSpec::default()
    };
    let texture = TextureSpec::new("large.gif", ImageSpec::plain(256, 512, [1, 2, 3]));
    let large = BlobSpec::parts(PartsSpec { textures: vec![texture], ..part("leg") });
    // Two hundred references to one large blob repeat the same name lookups.
    let mut again = DatabaseSpec { blobs: vec![large], ..DatabaseSpec::default() };
    again.worlds.push((0..200).fold(WorldSpec::new("AGAIN"), |world, _| world.part("leg", 0)));
    // Sixty overlapping blobs, each starting one byte later, cover most of the file.
    let mut over = DatabaseSpec { worlds: vec![WorldSpec::new("OVER")], ..again.clone() };
    let length = 100_000;
    over.worlds[0].parts = (0..60)
        .map(|offset| worldview_corpus::island::spec::PartRefSpec {
            name: b"leg\0".to_vec(),
            place: PlaceSpec::Bytes { offset, length },
        })
        .collect();
    // The game copies the pixels of the second over the first; the one of the blob it ignores.
    let sized = |name: &str, side| TextureSpec::new(name, ImageSpec::plain(side, side, [1, 2, 3]));
    let other = PartsSpec { textures: vec![sized("DOG.gif", 32)], ..part("leg") };
    let sizes = DatabaseSpec {
        textures: vec![sized("dog.gif", 64), sized("Dog.gif", 32)],
        worlds: vec![WorldSpec::new("SIZES").part("leg", 0)],
        blobs: vec![BlobSpec::parts(other)],
        ..DatabaseSpec::default()
    };
    let files = [
        ("names that are not ASCII", foreign),
        ("a blob that is used often", again),
        ("blobs over each other", over),
        ("textures of other sizes", sizes),
    ];
    files.into_iter().map(|(name, spec)| (name.to_owned(), build(&spec).bytes)).collect()
}

#[test]
fn every_finding_occurs_in_some_file() {
    let files = edge_cases()
        .into_iter()
        .chain(broken_files())
        .chain(missing_ones())
        .map(|(name, file)| (name, findings(&file)));
    let first = findings::first_of_each(FindingKind::CODES, files);
    golden::compare("island_messages.txt", &format!("{}\n", first.join("\n"))).unwrap();
}

#[test]
fn walks_over_shared_bytes_terminate() {
    let [_, (_, again), (_, over), _] = missing_ones().try_into().unwrap();
    assert_eq!(findings(&again).iter().filter(|line| line.code == "walk-limit").count(), 1);
    let limits = findings(&over).into_iter().filter(|line| line.text.contains("the limit is"));
    assert!(limits.count() > 30);
}

#[test]
fn textures_of_one_name_have_the_size_of_the_first() {
    let (_, file) = missing_ones().pop().unwrap();
    let said: Vec<_> = findings(&file).into_iter().filter(|line| line.code.contains("size")).collect();
    let [global, blob] = &said[..] else { panic!("{} findings", said.len()) };
    assert_eq!((global.code, blob.code), ("texture-size", "texture-other-size"));
    assert!(global.text.contains("is 32 by 32, but the first texture with this name is 64 by 64"), "{}", global.text);
    assert!(blob.text.contains("part blob \"leg\"") && blob.text.contains("64 by 64"), "{}", blob.text);
}

#[test]
fn samples_have_no_findings_and_clean_databases_only_known_ones() {
    for seed in 0..3 {
        for line in findings(&database(seed, 300_000)) {
            // Sheets and balls have triangles without an area, and directions are random.
            let is_known = ["placement-skewed", "placement-degenerate", "triangle-degenerate", "flag-value"];
            assert!(is_known.contains(&line.code), "seed {seed}: {}", line.text);
        }
    }
    for (name, file) in samples() {
        let said: Vec<_> = findings(&file).into_iter().map(|line| line.text).collect();
        assert!(said.is_empty(), "{name}: {said:?}");
    }
}
