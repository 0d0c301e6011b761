//! Compares name resolution and poses between the views and the naive reader.

use std::sync::LazyLock;

use worldview_corpus::island::build::build;
use worldview_corpus::island::generate::{database, edge_cases, small, wide_nodes};
use worldview_corpus::island::naive;
use worldview_corpus::island::samples;
use worldview_corpus::island::spec::{BlobSpec, DatabaseSpec, ModelRefSpec, ModelSpec, NodeSpec, RoiSpec, WorldSpec};
use worldview_corpus::rng::Rng;
use worldview_island::{ALIASES, color_of};
use worldview_readers::Verdict;
use worldview_readers::change::{changed, changes};
use worldview_readers::island::{names_agree, poses_agree};

static ODDITIES: LazyLock<Vec<(String, Vec<u8>)>> = LazyLock::new(edge_cases);

#[test]
fn names_resolve_alike() {
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
fn names_of_a_large_database_resolve_alike() {
    assert_eq!(names_agree(&database(3, 300_000)), Ok(Verdict::Same));
}

#[test]
fn poses_match_the_naive_reader() {
    let odd = ODDITIES.iter().map(|(name, file)| (name.clone(), file.clone()));
    let small = (0..150).map(|seed| (format!("seed {seed}"), build(&small(seed)).bytes));
    let samples = samples().into_iter().map(|(name, file)| (name.to_owned(), file));
    let large = [("large".to_owned(), database(4, 400_000)), ("wide".to_owned(), wide_nodes(300))];
    for (name, file) in odd.chain(small).chain(samples).chain(large) {
        assert_eq!(poses_agree(&file).err(), None, "{name}");
    }
}

/// Returns a random tree with a few different names.
fn tree<T>(rng: &mut Rng, names: &[&str], depth: u32, one: &mut impl FnMut(&str, Vec<T>) -> T) -> T {
    let count = if depth == 0 { 0 } else { rng.below(4) };
    let children = (0..count).map(|_| tree(rng, names, depth - 1, one)).collect();
    one(rng.pick(names).unwrap(), children)
}

/// Returns a model whose objects and nodes have few distinct names, so that lookups are ambiguous.
fn confusing(seed: u64) -> ModelSpec {
    let rng = &mut Rng::new(seed);
    let objects = tree(rng, &["a", "B", "c", "d", "e", ""], 5, &mut |name, children| RoiSpec {
        children,
        ..RoiSpec::new(name, Vec::new())
    });
    let mut x = 0.0;
    let nodes = tree(rng, &["A", "b", "c", "d", "e\0x", "f", ""], 5, &mut |name, children| {
        x += 1.0;
        let node = NodeSpec::new(name).translation(0, [x, -x, x * x]).morph(0, u8::from(x % 3.0 > 0.5));
        NodeSpec { children, ..node }
    });
    ModelSpec::of(objects, nodes)
}

#[test]
fn poses_with_ambiguous_names_match_the_naive_reader() {
    for seed in 0..300 {
        let worlds = vec![WorldSpec::new("W").model(ModelRefSpec::new("m", 0).facing([3.0, 0.0, 4.0]))];
        let spec = DatabaseSpec { worlds, blobs: vec![BlobSpec::model(confusing(seed))], ..DatabaseSpec::default() };
        assert_eq!(poses_agree(&build(&spec).bytes), Ok(Verdict::Same), "seed {seed}");
    }
}

#[test]
fn colors_match_the_naive_reader() {
    assert_eq!(ALIASES, naive::ALIASES);
    for (name, color) in ALIASES {
        assert_eq!(color_of(name.to_uppercase().as_bytes()), Some(color), "{name}");
        assert_eq!(color_of(format!("{name} ").as_bytes()), None, "{name}");
    }
}

/// Returns `true` if the label belongs to an animation, a name, a placement or a flag.
fn is_of_a_scene(label: &str) -> bool {
    let field = label.rsplit('.').next().unwrap_or(label);
    label.contains("node")
        || field.contains("name")
        || field.ends_with("texture")
        || field.ends_with("material")
        || ["shared", "direction", "up", "visible", "skip_textures", "lod_count", "flags"].contains(&field)
}

#[test]
fn mutated_scenes_read_alike() {
    changed(150, 7, |seed, seeds| {
        let seed = seed % 4000;
        let built = build(&small(seed));
        let labels = built.labels.iter().filter(|(label, _)| is_of_a_scene(label)).map(|(_, at)| *at);
        // A list of keys has a single label, so the words after each label are included.
        let labels: Vec<usize> = labels.flat_map(|at| (at..at + 24).step_by(4)).collect();
        let mut file = built.bytes;
        changes(seeds, &mut file, &labels, u32::to_le_bytes);
        names_agree(&file)?;
        poses_agree(&file)?;
        Ok(())
    });
}
