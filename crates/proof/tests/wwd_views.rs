//! The views equal the naive reader: on generated levels, on every legal oddity, on mutated levels.
#![cfg(test)]
#![allow(clippy::arithmetic_side_effects, reason = "a slip fails the test")]

use proptest::prelude::*;
use worldview_corpus::rng::Rng;
use worldview_corpus::wwd::build::{build, build_image, pack};
use worldview_corpus::wwd::generate::{Shape, edge_cases, level};
use worldview_corpus::wwd::samples::samples;
use worldview_corpus::wwd::spec::{LevelSpec, Packing};
use worldview_proof::Verdict;
use worldview_proof::mutate::Change;
use worldview_proof::wwd::{agree, lossy_keeps_its_word};

#[test]
fn generated_levels_read_alike() {
    for seed in 0..40 {
        for shape in [Shape::small(), Shape::claw(), Shape::gruntz()] {
            let file = build(&level(seed, &shape)).bytes;
            assert_eq!(agree(&file), Ok(Verdict::Same), "seed {seed}, {shape:?}");
        }
    }
}

#[test]
fn a_large_level_reads_alike() {
    let file = build(&level(7, &Shape::sized(8 << 20))).bytes;
    assert_eq!(agree(&file), Ok(Verdict::Same));
}

#[test]
fn every_legal_oddity_reads_alike() {
    for (name, spec) in edge_cases() {
        let file = build(&spec).bytes;
        assert_eq!(agree(&file), Ok(Verdict::Same), "{name}");
        assert_eq!(lossy_keeps_its_word(&file), Ok(()), "{name}");
    }
}

#[test]
fn samples_read_alike() {
    for (name, file) in samples() {
        assert_eq!(agree(&file), Ok(Verdict::Same), "{name}");
    }
}

fn change() -> impl Strategy<Value = Change> {
    let value = prop_oneof![
        any::<u32>(),
        0_u32..400,
        Just(u32::MAX),
        Just(0x8000_0000),
        Just(0x7FFF_FFFF),
        Just(1524),
        1500_u32..40_000,
    ];
    prop_oneof![
        6 => (any::<usize>(), value).prop_map(|(label, value)| Change::Word { label, value }),
        3 => (any::<usize>(), any::<u8>()).prop_map(|(at, value)| Change::Byte { at, value }),
        1 => any::<usize>().prop_map(|at| Change::Cut { at }),
        1 => (any::<usize>(), any::<usize>(), 1_usize..200)
            .prop_map(|(from, to, len)| Change::Splice { from, to, len }),
    ]
}

/// Every fourth level is an odd one, the others are small generated ones.
fn spec(seed: u64) -> LevelSpec {
    let mut odd = edge_cases();
    let pick = usize::try_from(seed / 4).unwrap() % odd.len();
    if seed.is_multiple_of(4) { odd.swap_remove(pick).1 } else { level(seed, &Shape::small()) }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn mutated_plain_levels_read_alike(seed in 0_u64..4000, changes in prop::collection::vec(change(), 1..6)) {
        let mut spec = spec(seed);
        spec.packing = Packing::Raw;
        let built = build(&spec);
        let labels: Vec<usize> = built.labels.values().copied().collect();
        let mut file = built.bytes;
        for change in &changes {
            change.apply(&mut file, &labels, u32::to_le_bytes);
        }
        prop_assert_eq!(agree(&file).err(), None);
        prop_assert_eq!(lossy_keeps_its_word(&file).err(), None);
    }

    #[test]
    fn mutated_images_of_packed_levels_read_alike(seed in 0_u64..4000, changes in prop::collection::vec(change(), 1..4)) {
        let mut spec = spec(seed);
        spec.packing = Packing::Zlib { level: 6 };
        let built = build_image(&spec);
        let labels: Vec<usize> = built.labels.values().copied().collect();
        let mut image = built.bytes;
        for change in &changes {
            change.apply(&mut image, &labels, u32::to_le_bytes);
        }
        if image.len() > 1524 {
            let file = pack(&image, &spec);
            prop_assert_eq!(agree(&file).err(), None);
            prop_assert_eq!(lossy_keeps_its_word(&file).err(), None);
        }
    }

    #[test]
    fn mutated_packed_files_read_alike(seed in 0_u64..4000, changes in prop::collection::vec(change(), 1..4)) {
        let mut spec = spec(seed);
        spec.packing = Packing::Zlib { level: 9 };
        let mut file = build(&spec).bytes;
        // The labels of a packed level count in its image: only those of the header hold in the file.
        let labels: Vec<usize> = build_image(&spec).labels.into_values().filter(|&at| at < 1520).collect();
        for change in &changes {
            change.apply(&mut file, &labels, u32::to_le_bytes);
        }
        prop_assert_eq!(agree(&file).err(), None);
        prop_assert_eq!(lossy_keeps_its_word(&file).err(), None);
    }
}

#[test]
fn random_bytes_are_refused_alike() {
    let mut rng = Rng::new(1);
    for _ in 0..2000 {
        let len = rng.below(4000);
        let mut bytes: Vec<u8> = (0..len).map(|_| u8::try_from(rng.below(256)).unwrap()).collect();
        if let Some(signature) = bytes.first_chunk_mut() {
            *signature = 1524_u32.to_le_bytes();
        }
        assert_eq!(agree(&bytes).err(), None, "{bytes:?}");
    }
}
