//! Where names lead and where objects are, by the views and by the naive reader.
#![cfg(test)]
#![allow(clippy::arithmetic_side_effects, reason = "a slip fails the test")]

use std::sync::LazyLock;

use proptest::prelude::*;
use worldview::island::{ALIASES, color_of};
use worldview_corpus::island::build::build;
use worldview_corpus::island::generate::{database, edge_cases, small, wide_nodes};
use worldview_corpus::island::naive;
use worldview_corpus::island::samples::samples;
use worldview_proof::Verdict;
use worldview_proof::island::{names_agree, poses_agree};
use worldview_proof::mutate::Change;

static ODDITIES: LazyLock<Vec<(String, Vec<u8>)>> = LazyLock::new(edge_cases);

#[test]
fn names_lead_to_the_same() {
    let odd = ODDITIES.iter().map(|(name, file)| (name.clone(), file.clone()));
    let small = (0..100).map(|seed| (format!("seed {seed}"), build(&small(seed)).bytes));
    let samples = samples().into_iter().map(|(name, file)| (name.to_owned(), file));
    let mut compared = 0;
    for (name, file) in odd.chain(small).chain(samples) {
        let verdict = names_agree(&file);
        assert_eq!(verdict.as_ref().err(), None, "{name}");
        compared += u32::from(verdict == Ok(Verdict::Same));
    }
    assert!(compared > 250, "{compared}");
}

#[test]
fn names_of_a_large_database_lead_to_the_same() {
    assert_eq!(names_agree(&database(3, 300_000)), Ok(Verdict::Same));
}

#[test]
fn objects_are_where_the_naive_reader_puts_them() {
    let odd = ODDITIES.iter().map(|(name, file)| (name.clone(), file.clone()));
    let small = (0..150).map(|seed| (format!("seed {seed}"), build(&small(seed)).bytes));
    let samples = samples().into_iter().map(|(name, file)| (name.to_owned(), file));
    let large = [("large".to_owned(), database(4, 400_000)), ("wide".to_owned(), wide_nodes(300))];
    for (name, file) in odd.chain(small).chain(samples).chain(large) {
        assert_eq!(poses_agree(&file).err(), None, "{name}");
    }
}

#[test]
fn colours_are_those_of_the_naive_reader() {
    assert_eq!(ALIASES, naive::ALIASES);
    for (name, color) in ALIASES {
        assert_eq!(color_of(name.to_uppercase().as_bytes()), Some(color), "{name}");
        assert_eq!(color_of(format!("{name} ").as_bytes()), None, "{name}");
    }
}

fn change() -> impl Strategy<Value = Change> {
    // Four letters of a name, of which one may be its end.
    let letters = prop::array::uniform4(prop::sample::select(b"\0aBm^ti1_".to_vec())).prop_map(u32::from_le_bytes);
    let value = prop_oneof![any::<u32>(), 0_u32..3000, any::<f32>().prop_map(f32::to_bits), letters];
    prop_oneof![
        3 => (any::<usize>(), value).prop_map(|(label, value)| Change::Word { label, value }),
        1 => (any::<usize>(), -2_i8..=2).prop_map(|(label, by)| Change::Nudge { label, by }),
    ]
}

/// Whether the bytes there are part of an animation, a name, a placement or a flag.
fn is_of_a_scene(label: &str) -> bool {
    let field = label.rsplit('.').next().unwrap_or(label);
    label.contains("node")
        || field.contains("name")
        || field.ends_with("texture")
        || field.ends_with("material")
        || ["shared", "direction", "up", "visible", "skip_textures", "lod_count", "flags"].contains(&field)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn mutated_scenes_are_alike(seed in 0_u64..4000, changes in prop::collection::vec(change(), 1..8)) {
        let built = build(&small(seed));
        let labels = built.labels.iter().filter(|(label, _)| is_of_a_scene(label)).map(|(_, at)| *at);
        // And the words behind each: a list of keys has one label.
        let labels: Vec<usize> = labels.flat_map(|at| (at..at + 24).step_by(4)).collect();
        let mut file = built.bytes;
        for change in &changes {
            change.apply(&mut file, &labels, u32::to_le_bytes);
        }
        prop_assert_eq!(names_agree(&file).err(), None);
        prop_assert_eq!(poses_agree(&file).err(), None);
    }
}
