//! The findings of levels: the golden tables of the edge cases and of unusual layouts, a file for every finding, and nothing
//! worse than curiosities in the samples.

use std::fmt::Write as _;

use worldview_corpus::wwd::build::build;
use worldview_corpus::wwd::generate::{Shape, edge_cases, level};
use worldview_corpus::wwd::naive::find_trailer;
use worldview_corpus::wwd::samples;
use worldview_corpus::wwd::spec::{LevelSpec, PlaneSpec, TrailerSpec};
use worldview_readers::golden;
use worldview_wwd::{FindingKind, Level, Unpacker, check};

use crate::errors::at;

#[test]
fn findings_of_every_edge_case() {
    // Findings of the base level are not due to the edge case.
    let ordinary: Vec<_> = findings(&build(&level(1, &Shape::small())).bytes).iter().map(|line| head(line)).collect();
    let mut table = String::new();
    for (name, spec) in edge_cases() {
        writeln!(table, "{name}").unwrap();
        for line in findings(&build(&spec).bytes) {
            if !ordinary.contains(&head(&line)) {
                writeln!(table, "  {line}").unwrap();
            }
        }
    }
    golden::compare("wwd_findings.txt", &table).unwrap();
}

/// Returns a small level with something unusual: in its description, or words that the builder would not write.
fn odd(change: fn(&mut LevelSpec), words: &[(&str, u32)]) -> Vec<u8> {
    let mut spec = level(1, &Shape::small());
    change(&mut spec);
    let mut built = build(&spec);
    built.words_le(words);
    built.bytes
}

/// Returns levels with an unusual layout or unusual fields, by name.
fn odd_files() -> Vec<(&'static str, Vec<u8>)> {
    let whole = build(&level(1, &Shape::small()));
    let [first, second] = ["plane[1].tiles", "plane[2].tiles"].map(|label| u32::try_from(at(&whole, label)).unwrap());
    let words = |words: &[(&str, u32)]| odd(|_| {}, words);
    // Behind its opening tag, a trailer has the number of the first block, its length and its content.
    let trailer = |behind: usize| {
        let mut file = odd(|spec| spec.trailer = Some(TrailerSpec::default()), &[]);
        let at = find_trailer(&file).unwrap() + behind;
        file[at..at + 4].copy_from_slice(&3_u32.to_le_bytes());
        file
    };
    vec![
        ("two planes share one grid", words(&[("plane[2].tiles_offset", first)])),
        (
            "the grids of two planes lie in the other order",
            words(&[("plane[1].tiles_offset", second), ("plane[2].tiles_offset", first)]),
        ),
        ("a plane begins inside the file header", words(&[("plane[2].tiles_offset", 0)])),
        ("the attributes begin inside the file header", words(&[("header.tile_attribs_offset", 4)])),
        ("bytes at the end", [&whole.bytes[..], &[7; 10]].concat()),
        ("one object fewer than there are", words(&[("plane[1].num_objects", Shape::small().objects - 1)])),
        ("a plain level with another level's length", words(&[("header.main_block_length", 5)])),
        ("tiles without a size", words(&[("plane[1].tile_width", 0)])),
        ("a wrapped plane of 48 pixel tiles", words(&[("plane[1].flags", 1 | 4), ("plane[1].tile_width", 48)])),
        (
            "an object name with a NUL and no metadata",
            odd(|spec| spec.planes[1].objects[0].name = b"left\0right".to_vec(), &[]),
        ),
        ("a trailer whose block is too short", trailer(10)),
        ("a trailer with a wrong size", trailer(14)),
        ("objects at offset 0", words(&[("plane[1].objects_offset", 0)])),
        (
            "plane headers inside the file header",
            odd(|spec| spec.planes.clear(), &[("header.num_planes", 1), ("header.planes_offset", 100)]),
        ),
        ("no planes, and an offset to nowhere", odd(|spec| spec.planes.clear(), &[("header.planes_offset", u32::MAX)])),
        ("two thousand planes over one grid", two_thousand_planes()),
    ]
}

/// Planes of 400 KB that share the same bytes; walked one by one they are 800 MB.
fn two_thousand_planes() -> Vec<u8> {
    let mut spec = level(1, &Shape::small());
    let main = spec.planes.swap_remove(1);
    let mut shared = PlaneSpec::empty(b"Shared", 64, 320, 320);
    shared.tiles.fill(1);
    shared.image_sets = vec![b"BACK".to_vec()];
    let none = PlaneSpec { tiles: Vec::new(), tiles_wide: 0, tiles_high: 0, ..shared.clone() };
    spec.planes = vec![main, shared];
    spec.planes.extend(std::iter::repeat_n(none, 1998));
    let mut built = build(&spec);
    let grid = u32::try_from(built.at("plane[1].tiles").unwrap()).unwrap();
    for plane in 2..2000 {
        for (field, value) in [("tiles_offset", grid), ("tiles_wide", 320), ("tiles_high", 320)] {
            built.words_le(&[(&format!("plane[{plane}].{field}"), value)]);
        }
    }
    built.bytes
}

#[test]
fn findings_of_unusual_layouts() {
    let mut table = String::new();
    for (name, file) in odd_files() {
        writeln!(table, "{name}").unwrap();
        let lines = findings(&file);
        let shown: Vec<_> = lines.iter().filter(|line| !line.contains("-off-main]")).take(12).collect();
        for line in &shown {
            writeln!(table, "  {line}").unwrap();
        }
        if lines.len() > 1000 {
            writeln!(table, "  and more than a thousand more").unwrap();
        }
    }
    golden::compare("wwd_findings_layout.txt", &table).unwrap();
}

#[test]
fn every_finding_occurs_in_some_file() {
    let mut files: Vec<_> = odd_files().into_iter().map(|(_, file)| file).collect();
    files.extend(edge_cases().into_iter().map(|(_, spec)| build(&spec).bytes));
    files.push(odd(|_| {}, &[("plane[1].objects_offset", u32::MAX)]));
    let lines: Vec<_> = files.iter().flat_map(|file| findings(file)).collect();
    for (code, severity) in FindingKind::CODES {
        let start = format!("{} [{code}]", severity.name());
        assert!(lines.iter().any(|line| line.starts_with(&start)), "{start} is found nowhere");
    }
}

/// Returns the severity, code and place of a finding.
fn head(line: &str) -> String {
    line.split(" at offset").next().unwrap().to_owned()
}

#[test]
fn samples_have_nothing_worse_than_curiosities() {
    for (name, file) in samples() {
        let bad: Vec<_> = findings(&file).into_iter().filter(|line| !line.starts_with("curious")).collect();
        assert_eq!(bad, Vec::<String>::new(), "{name}");
    }
}

fn findings(file: &[u8]) -> Vec<String> {
    let mut lines = Vec::new();
    let image = Unpacker::new().unpack_lossy(file, &mut |finding| lines.push(finding.to_string())).unwrap();
    let level = Level::parse_lossy(&image, &mut |finding| lines.push(finding.to_string())).unwrap();
    check(&image, &level, &mut |finding| lines.push(finding.to_string()));
    lines
}
