//! Compares the views with the naive reader on generated levels, edge cases and mutated levels.

use worldview_corpus::rng::Rng;
use worldview_corpus::trial::rounds;
use worldview_corpus::wwd::build::{build, build_image, pack};
use worldview_corpus::wwd::generate::{Shape, any, edge_cases, level};
use worldview_corpus::wwd::samples;
use worldview_corpus::wwd::spec::{LevelSpec, Packing};
use worldview_readers::Verdict;
use worldview_readers::change::{at_random, changed};
use worldview_readers::roundtrip;
use worldview_readers::wwd::{agree, lossy_keeps_its_word};
use worldview_wwd::outline;

use crate::wwd_errors::broken_levels;

/// Reads a file in both ways with both readers, which may refuse it.
fn both(file: &[u8]) -> Result<(), String> {
    agree(file)?;
    lossy_keeps_its_word(file)
}

#[test]
fn generated_levels_read_alike() {
    for seed in 0..rounds(6) {
        for shape in [Shape::small(), Shape::claw(), Shape::gruntz()] {
            roundtrip::level(&level(seed, &shape));
        }
    }
}

#[test]
fn a_large_level_reads_alike() {
    let file = build(&level(7, &Shape::sized(8 << 20))).bytes;
    assert_eq!(agree(&file), Ok(Verdict::Same));
}

#[test]
fn every_broken_level_reads_alike() {
    for (name, file) in broken_levels() {
        assert_eq!(both(&file), Ok(()), "{name}");
    }
}

#[test]
fn every_edge_case_and_sample_reads_alike() {
    let edge_cases = edge_cases().into_iter().map(|(name, spec)| (name.to_string(), build(&spec).bytes));
    let samples = samples().into_iter().map(|(name, file)| (name.to_owned(), file));
    for (name, file) in edge_cases.chain(samples) {
        assert_eq!(agree(&file), Ok(Verdict::Same), "{name}");
        assert_eq!(lossy_keeps_its_word(&file), Ok(()), "{name}");
    }
}

#[test]
fn every_prefix_of_every_sample() {
    for (name, file) in samples() {
        for len in (0..file.len()).step_by(1 + file.len() / 1000) {
            assert_eq!(both(&file[..len]), Ok(()), "{name}, {len} bytes");
        }
    }
}

#[test]
fn the_first_kilobytes_are_enough_for_an_outline() {
    for (name, file) in samples() {
        let (mut whole, mut first) = (Vec::new(), Vec::new());
        let want = outline(&file, &mut whole).unwrap();
        let found = outline(&file[..file.len().min(4096)], &mut first).unwrap();
        assert_eq!((found.header, found.planes), (want.header, want.planes), "{name}");
        // The header alone is not enough, except for a level without planes.
        assert!(outline(&file[..1524], &mut first).is_err() || want.planes.is_empty(), "{name}");
    }
}

fn spec(seed: u64) -> LevelSpec {
    any(&mut Rng::new(seed))
}

#[test]
fn mutated_plain_levels_read_alike() {
    at_random(300, 5, |seed, seeds| {
        let mut spec = spec(seed);
        spec.packing = Packing::Raw;
        let built = build(&spec);
        let labels: Vec<usize> = built.labels.values().copied().collect();
        changed(seeds, &built.bytes, &labels, u32::to_le_bytes, both)
    });
}

#[test]
fn mutated_images_of_packed_levels_read_alike() {
    at_random(300, 3, |seed, seeds| {
        let mut spec = spec(seed);
        spec.packing = Packing::Zlib { level: 6 };
        let built = build_image(&spec);
        let labels: Vec<usize> = built.labels.values().copied().collect();
        changed(seeds, &built.bytes, &labels, u32::to_le_bytes, |image| match image.len() {
            ..=1524 => Ok(()),
            _ => both(&pack(image, &spec)),
        })
    });
}

#[test]
fn mutated_packed_files_read_alike() {
    at_random(300, 3, |seed, seeds| {
        let mut spec = spec(seed);
        spec.packing = Packing::Zlib { level: 9 };
        let file = build(&spec).bytes;
        // The labels of a packed level count in its image, so only those in the header are valid in the file.
        let labels: Vec<usize> = build_image(&spec).labels.into_values().filter(|&at| at < 1520).collect();
        changed(seeds, &file, &labels, u32::to_le_bytes, both)
    });
}
