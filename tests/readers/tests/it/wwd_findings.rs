//! The findings of levels: the golden tables of the edge cases and of unusual layouts, a file for every finding, and nothing
//! worse than curiosities in the samples.

use std::fmt::Write as _;

use worldview_corpus::builder::Built;
use worldview_corpus::wwd::build::build;
use worldview_corpus::wwd::generate::{Shape, edge_cases, level};
use worldview_corpus::wwd::samples;
use worldview_corpus::wwd::spec::{LevelSpec, PlaneSpec, TrailerSpec};
use worldview_readers::golden;
use worldview_wwd::{FindingKind, Level, Unpacker, check};

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

/// Returns a level with something unusual that the builder would not write by itself.
fn patched(change: impl FnOnce(&mut LevelSpec), patch: impl FnOnce(&mut Built)) -> Vec<u8> {
    let mut spec = level(1, &Shape::small());
    change(&mut spec);
    let mut built = build(&spec);
    patch(&mut built);
    built.bytes
}

/// Returns levels with an unusual layout or unusual fields, by name.
fn odd_files() -> Vec<(&'static str, Vec<u8>)> {
    let set = |built: &mut Built, label: &str, value: u32| assert!(built.patch_u32_le(label, value), "{label}");
    let at = |built: &Built, label: &str| u32::try_from(built.at(label).unwrap()).unwrap();
    let plain = |patch: fn(&mut Built)| patched(|_| {}, patch);
    vec![
        ("two planes share one grid", {
            patched(
                |_| {},
                |built| {
                    let grid = at(built, "plane[1].tiles");
                    set(built, "plane[2].tiles_offset", grid);
                },
            )
        }),
        ("the grids of two planes lie in the other order", {
            patched(
                |_| {},
                |built| {
                    let (first, second) = (at(built, "plane[1].tiles"), at(built, "plane[2].tiles"));
                    set(built, "plane[1].tiles_offset", second);
                    set(built, "plane[2].tiles_offset", first);
                },
            )
        }),
        (
            "a plane begins inside the file header",
            plain(|built| assert!(built.patch_u32_le("plane[2].tiles_offset", 0))),
        ),
        ("the attributes begin inside the file header", {
            plain(|built| assert!(built.patch_u32_le("header.tile_attribs_offset", 4)))
        }),
        ("bytes at the end", plain(|built| built.bytes.extend([7; 10]))),
        ("one object fewer than there are", {
            plain(|built| {
                let count = built.read_u32_le("plane[1].num_objects").unwrap();
                assert!(built.patch_u32_le("plane[1].num_objects", count - 1));
            })
        }),
        (
            "a plain level with another level's length",
            plain(|built| assert!(built.patch_u32_le("header.main_block_length", 5))),
        ),
        ("tiles without a size", plain(|built| assert!(built.patch_u32_le("plane[1].tile_width", 0)))),
        (
            "a wrapped plane of 48 pixel tiles",
            plain(|built| {
                assert!(built.patch_u32_le("plane[1].flags", 1 | 4));
                assert!(built.patch_u32_le("plane[1].tile_width", 48));
            }),
        ),
        ("an object name with a NUL and no metadata", {
            patched(|spec| spec.planes[1].objects[0].name = b"left\0right".to_vec(), |_| {})
        }),
        ("a trailer whose block is too short", {
            let mut file = patched(|spec| spec.trailer = Some(TrailerSpec::default()), |_| {});
            let trailer = worldview_corpus::wwd::naive::find_trailer(&file).unwrap();
            // The length of the first block, after the opening tag and the block's number.
            file[trailer + 10..trailer + 14].copy_from_slice(&3_u32.to_le_bytes());
            file
        }),
        ("a trailer with a wrong size", {
            let mut file = patched(|spec| spec.trailer = Some(TrailerSpec::default()), |_| {});
            let trailer = worldview_corpus::wwd::naive::find_trailer(&file).unwrap();
            // The content of the first block, after the opening tag, the block's number and its length.
            file[trailer + 14..trailer + 18].copy_from_slice(&3_u32.to_le_bytes());
            file
        }),
        ("objects at offset 0", plain(|built| assert!(built.patch_u32_le("plane[1].objects_offset", 0)))),
        ("plane headers inside the file header", {
            patched(
                |spec| spec.planes.clear(),
                |built| {
                    set(built, "header.num_planes", 1);
                    set(built, "header.planes_offset", 100);
                },
            )
        }),
        ("no planes, and an offset to nowhere", {
            patched(|spec| spec.planes.clear(), |built| set(built, "header.planes_offset", u32::MAX))
        }),
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
            assert!(built.patch_u32_le(&format!("plane[{plane}].{field}"), value));
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
    files.push(patched(|_| {}, |built| assert!(built.patch_u32_le("plane[1].objects_offset", u32::MAX))));
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
