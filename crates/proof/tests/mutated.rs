//! A slice of the mutation run: broken files of every format through all verbs, in this process.
#![cfg(test)]
#![cfg(feature = "mutate")]
#![allow(clippy::arithmetic_side_effects, reason = "a slip fails the test")]

use worldview_proof::mutate::drive::{Driver, Fault};
use worldview_proof::mutate::{Family, Recipe, Sources};

/// Files of a family; `just mutate` does many more.
const FILES: u64 = 200;

fn verbs_hold(family: Family) {
    let sources = Sources::new(family, []);
    let mut driver = Driver::new(family).unwrap();
    let mut faults = Vec::new();
    for number in 0..FILES {
        let recipe = Recipe::new(&sources, 1, number);
        let told = recipe.to_string();
        driver
            .run(number, &recipe.make(family), &mut |verb, fault| {
                // How long it takes is for the run, which tells a machine that is busy from work that is endless.
                if !matches!(fault, Fault::Slow { .. }) {
                    faults.push(format!("{verb} {fault}, {told}"));
                }
            })
            .unwrap();
    }
    assert!(faults.is_empty(), "{faults:#?}");
    // Every verb has had its turn.
    let runs: Vec<_> = driver.costs().values().map(|cost| cost.runs).collect();
    assert!(runs.len() > 20 && runs.iter().all(|&runs| runs > 0), "{runs:?}");
}

#[test]
fn tables_and_archives() {
    verbs_hold(Family::Ff13);
}

#[test]
fn levels() {
    verbs_hold(Family::Wwd);
}

#[test]
fn databases() {
    verbs_hold(Family::Island);
}

#[test]
fn a_seed_and_a_number_are_one_file() {
    for family in Family::ALL {
        let make = |seed, number| Recipe::new(&Sources::new(family, []), seed, number).make(family);
        let (one, other) = (make(7, 11), make(7, 12));
        assert_eq!(one, make(7, 11));
        assert_ne!(one, other);
    }
}

#[test]
fn most_files_are_broken() {
    for family in Family::ALL {
        let sources = Sources::new(family, []);
        let changed = (0..100).filter(|&number| {
            let file = Recipe::new(&sources, 3, number).make(family);
            file.whole != file.broken
        });
        assert!(changed.count() > 85, "{}", family.name());
    }
}
