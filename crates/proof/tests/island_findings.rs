//! What the check finds: in every odd file the same as ever, every finding somewhere, nothing bad in clean files.
#![cfg(test)]
#![allow(clippy::arithmetic_side_effects, reason = "a slip fails the test")]

use std::fmt::Write as _;

use worldview::island::{Contents, Database, Finding, FindingKind, check};
use worldview::{Kind as _, Severity};
use worldview_corpus::island::build::build;
use worldview_corpus::island::generate::{database, edge_cases, small};
use worldview_corpus::island::samples::samples;
use worldview_corpus::island::spec::{
    BlobSpec, DatabaseSpec, ImageSpec, PartSpec, PartsSpec, PlaceSpec, TextureSpec, WorldSpec,
};
use worldview_proof::golden;

/// A finding, told by its parts and as a whole.
#[derive(Clone, Debug, PartialEq)]
struct Line {
    severity: Severity,
    code: &'static str,
    place: String,
    at: u64,
    text: String,
}

impl Line {
    fn of(finding: &Finding<'_>) -> Self {
        Self {
            severity: finding.kind.severity(),
            code: finding.kind.code(),
            place: finding.place.to_string(),
            at: finding.at,
            text: finding.to_string(),
        }
    }
}

/// Everything that both doors and the check say of a file.
fn findings(file: &[u8]) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut note = |finding: Finding<'_>| lines.push(Line::of(&finding));
    match Database::parse_lossy(file, &mut note) {
        Ok(database) => {
            let contents = Contents::read_lossy(&database, &mut note);
            check(&database, &contents, &mut note);
        }
        Err(error) => lines.push(Line {
            severity: Severity::Fatal,
            code: "no database",
            place: error.what.into(),
            at: error.at,
            text: error.to_string(),
        }),
    }
    lines
}

/// The codes with the part of the first of each, and how many there are.
fn summary(lines: &[Line]) -> String {
    let mut text = String::new();
    for (index, line) in lines.iter().enumerate() {
        if lines.iter().take(index).any(|before| before.code == line.code) {
            continue;
        }
        let count = lines.iter().filter(|other| other.code == line.code).count();
        let times = if count > 1 { format!(", {count} times") } else { String::new() };
        writeln!(text, "  {} [{}] {}{times}", line.severity.name(), line.code, line.place).unwrap();
    }
    text
}

#[test]
fn findings_of_every_odd_file() {
    let shape = |text: &str| text.replace(|char: char| char.is_ascii_digit(), "");
    let (mut told, mut clean): (Vec<(String, String, u32)>, u32) = (Vec::new(), 0);
    for (name, file) in edge_cases() {
        let summary = summary(&findings(&file));
        if summary.is_empty() {
            clean += 1;
            continue;
        }
        // Of files in a row that differ in nothing but numbers one stands for all.
        match told.last_mut() {
            Some((first, same, more)) if shape(first) == shape(&name) && shape(same) == shape(&summary) => *more += 1,
            _ => told.push((name, summary, 0)),
        }
    }
    let mut table = String::new();
    for (name, summary, more) in told {
        let more = if more > 0 { format!(", and {more} more like it") } else { String::new() };
        write!(table, "{name}{more}\n{summary}").unwrap();
    }
    writeln!(table, "and nothing of {clean} others").unwrap();
    golden::compare("island_findings.txt", &table).unwrap();
}

/// Files that have what no odd file has.
fn missing_ones() -> Vec<(String, Vec<u8>)> {
    let part = |name: &str| PartsSpec { parts: vec![PartSpec::new(name, Vec::new())], ..PartsSpec::default() };
    let foreign = DatabaseSpec {
        worlds: vec![WorldSpec::new("\u{ce}le").part("leg", 0)],
        blobs: vec![BlobSpec::parts(part("l\u{e9}g"))],
        ..DatabaseSpec::default()
    };
    let texture = TextureSpec::new("large.gif", ImageSpec::plain(256, 512, [1, 2, 3]));
    let large = BlobSpec::parts(PartsSpec { textures: vec![texture], ..part("leg") });
    // Names are looked for again from each of two hundred references to one large blob.
    let mut again = DatabaseSpec { blobs: vec![large], ..DatabaseSpec::default() };
    again.worlds.push((0..200).fold(WorldSpec::new("AGAIN"), |world, _| world.part("leg", 0)));
    // And sixty blobs are most of the file, each from one byte more on.
    let mut over = DatabaseSpec { worlds: vec![WorldSpec::new("OVER")], ..again.clone() };
    let length = 100_000;
    over.worlds[0].parts = (0..60)
        .map(|offset| worldview_corpus::island::spec::PartRefSpec {
            name: b"leg\0".to_vec(),
            place: PlaceSpec::Bytes { offset, length },
        })
        .collect();
    let files =
        [("names that are not ASCII", foreign), ("a blob that is used often", again), ("blobs over each other", over)];
    files.into_iter().map(|(name, spec)| (name.to_owned(), build(&spec).bytes)).collect()
}

#[test]
fn every_finding_is_found_somewhere() {
    let mut first = vec![None; FindingKind::CODES.len()];
    for (name, file) in edge_cases().into_iter().chain(missing_ones()) {
        for line in findings(&file) {
            let of_line = |code: &&(&str, Severity)| **code == (line.code, line.severity);
            if let Some(index) = FindingKind::CODES.iter().position(|code| of_line(&code)) {
                first[index].get_or_insert_with(|| format!("{name}\n  {}", line.text));
            }
        }
    }
    let codes = FindingKind::CODES.iter().map(|(code, _)| code);
    let missing: Vec<_> = codes.zip(&first).filter(|(_, first)| first.is_none()).collect();
    assert!(missing.is_empty(), "found nowhere: {missing:?}");
    let first: Vec<_> = first.into_iter().flatten().collect();
    golden::compare("island_messages.txt", &format!("{}\n", first.join("\n"))).unwrap();
}

#[test]
fn walks_over_the_same_bytes_end() {
    let [_, (_, again), (_, over)] = missing_ones().try_into().unwrap();
    assert_eq!(findings(&again).iter().filter(|line| line.code == "walk-limit").count(), 1);
    let limits = findings(&over).into_iter().filter(|line| line.text.contains("the limit is"));
    assert!(limits.count() > 30);
}

#[test]
fn findings_lie_inside_the_file() {
    let small = (0..100).map(|seed| (format!("seed {seed}"), build(&small(seed)).bytes));
    for (name, file) in edge_cases().into_iter().chain(missing_ones()).chain(small) {
        for line in findings(&file) {
            assert!(line.at <= file.len() as u64, "{name}: {}", line.text);
        }
    }
}

#[test]
fn nothing_is_said_of_clean_databases_and_nothing_bad_of_samples() {
    for seed in 0..3 {
        for line in findings(&database(seed, 300_000)) {
            // Sheets and balls have triangles without an area, and directions are written as they come.
            let is_known = ["placement-skewed", "placement-degenerate", "triangle-degenerate", "flag-value"];
            assert!(is_known.contains(&line.code), "seed {seed}: {}", line.text);
        }
    }
    for (name, file) in samples() {
        for line in findings(&file) {
            // The samples show what the real file has nowhere: colours by name, and models that move.
            let is_known = ["placement-skewed", "alias", "duration"];
            assert!(is_known.contains(&line.code), "{name}: {}", line.text);
        }
    }
}
