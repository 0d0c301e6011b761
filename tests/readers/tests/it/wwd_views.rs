//! Compares the views with the naive reader on generated levels, edge cases and mutated levels.

use worldview_corpus::wwd::build::{build, build_image, pack};
use worldview_corpus::wwd::generate::{Shape, edge_cases, level};
use worldview_corpus::wwd::samples;
use worldview_corpus::wwd::spec::{LevelSpec, Packing};
use worldview_readers::Verdict;
use worldview_readers::change::{changed, changes, rounds};
use worldview_readers::roundtrip;
use worldview_readers::wwd::{agree, lossy_keeps_its_word};
use worldview_wwd::outline;

use crate::wwd_errors::broken_levels;

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
        assert_eq!(agree(&file).err(), None, "{name}");
        assert_eq!(lossy_keeps_its_word(&file), Ok(()), "{name}");
    }
}

#[test]
fn every_edge_case_reads_alike() {
    for (name, spec) in edge_cases() {
        let file = build(&spec).bytes;
        assert_eq!(agree(&file), Ok(Verdict::Same), "{name}");
        assert_eq!(lossy_keeps_its_word(&file), Ok(()), "{name}");
    }
}

#[test]
fn every_prefix_of_every_sample() {
    for (name, file) in samples() {
        for len in (0..file.len()).step_by(1 + file.len() / 1000) {
            assert_eq!(agree(&file[..len]).err(), None, "{name}, {len} bytes");
            assert_eq!(lossy_keeps_its_word(&file[..len]), Ok(()), "{name}, {len} bytes");
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

#[test]
fn samples_read_alike() {
    for (name, file) in samples() {
        assert_eq!(agree(&file), Ok(Verdict::Same), "{name}");
    }
}

/// Every fourth level is an edge case; the others are small generated ones.
fn spec(seed: u64) -> LevelSpec {
    let mut odd = edge_cases();
    let pick = usize::try_from(seed / 4).unwrap() % odd.len();
    if seed.is_multiple_of(4) { odd.swap_remove(pick).1 } else { level(seed, &Shape::small()) }
}

#[test]
fn mutated_plain_levels_read_alike() {
    changed(300, 5, |seed, seeds| {
        let seed = seed % 4000;
        let mut spec = spec(seed);
        spec.packing = Packing::Raw;
        let built = build(&spec);
        let labels: Vec<usize> = built.labels.values().copied().collect();
        let mut file = built.bytes;
        changes(seeds, &mut file, &labels, u32::to_le_bytes);
        agree(&file)?;
        lossy_keeps_its_word(&file)?;
        Ok(())
    });
}

#[test]
fn mutated_images_of_packed_levels_read_alike() {
    changed(300, 3, |seed, seeds| {
        let seed = seed % 4000;
        let mut spec = spec(seed);
        spec.packing = Packing::Zlib { level: 6 };
        let built = build_image(&spec);
        let labels: Vec<usize> = built.labels.values().copied().collect();
        let mut image = built.bytes;
        changes(seeds, &mut image, &labels, u32::to_le_bytes);
        if image.len() > 1524 {
            let file = pack(&image, &spec);
            agree(&file)?;
            lossy_keeps_its_word(&file)?;
        }
        Ok(())
    });
}

#[test]
fn mutated_packed_files_read_alike() {
    changed(300, 3, |seed, seeds| {
        let seed = seed % 4000;
        let mut spec = spec(seed);
        spec.packing = Packing::Zlib { level: 9 };
        let mut file = build(&spec).bytes;
        // The labels of a packed level count in its image, so only those in the header are valid in the file.
        let labels: Vec<usize> = build_image(&spec).labels.into_values().filter(|&at| at < 1520).collect();
        changes(seeds, &mut file, &labels, u32::to_le_bytes);
        agree(&file)?;
        lossy_keeps_its_word(&file)?;
        Ok(())
    });
}
