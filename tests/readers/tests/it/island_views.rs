//! Compares the views with the naive reader on generated databases, edge cases and mutated files.

use std::sync::LazyLock;

use worldview_corpus::island::build::build;
use worldview_corpus::island::generate::{database, edge_cases, small};
use worldview_corpus::island::samples;
use worldview_corpus::island::spec::{
    ActorSpec, BlobSpec, DatabaseSpec, ImageSpec, LodSpec, MeshSpec, ModelRefSpec, ModelSpec, NodeSpec, PartRefSpec,
    PartSpec, PartsSpec, PlaceSpec, RoiSpec, TextureSpec, WorldSpec,
};
use worldview_corpus::trial::rounds;
use worldview_readers::Verdict;
use worldview_readers::change::{at_random, changed};
use worldview_readers::island::{agree, lossy_keeps_its_word, read_all};
use worldview_readers::roundtrip;

use crate::island_errors::broken_files;

/// Reads a file in both ways with both readers, which may refuse it.
fn both(file: &[u8]) -> Result<(), String> {
    agree(file)?;
    lossy_keeps_its_word(file)
}

#[test]
fn small_databases_read_alike() {
    for seed in 0..rounds(60) {
        roundtrip::database(&small(seed));
    }
}

#[test]
fn large_databases_read_alike() {
    for (seed, size) in [(1, 200_000), (2, 200_000), (3, 2_000_000)] {
        let file = database(seed, size);
        assert_eq!(agree(&file), Ok(Verdict::Same), "{size} bytes");
        assert_eq!(read_all(&file), Ok(()), "{size} bytes");
    }
}

#[test]
fn samples_read_alike() {
    for (name, file) in samples() {
        assert_eq!(agree(&file), Ok(Verdict::Same), "{name}");
        assert_eq!(lossy_keeps_its_word(&file), Ok(()), "{name}");
        assert_eq!(read_all(&file), Ok(()), "{name}");
    }
}

#[test]
fn every_edge_case_and_every_broken_file_reads_alike() {
    for (name, file) in edge_cases().into_iter().chain(broken_files()) {
        assert_eq!(both(&file), Ok(()), "{name}");
    }
}

/// Files with many elements of one kind, each of its minimum size, and little data after them.
fn least_ones() -> Vec<(&'static str, DatabaseSpec)> {
    const MANY: usize = 2000;
    let of_worlds = |worlds| DatabaseSpec { worlds, ..DatabaseSpec::default() };
    let of_parts = |parts| DatabaseSpec { parts, ..DatabaseSpec::default() };
    let of_lods =
        |lods| of_parts(PartsSpec { parts: vec![PartSpec { lods, ..PartSpec::default() }], ..PartsSpec::default() });
    let of_model = |model| DatabaseSpec {
        worlds: vec![WorldSpec::new("W").model(ModelRefSpec::new("m", 0))],
        blobs: vec![BlobSpec::model(model)],
        ..DatabaseSpec::default()
    };
    let place = PlaceSpec::Bytes { offset: 0, length: 0 };
    let part = PartRefSpec { name: Vec::new(), place };
    let model = ModelRefSpec { name: Vec::new(), place, presenter: Vec::new(), ..ModelRefSpec::new("", 0) };
    let texture = TextureSpec::default();
    let mut actors = ModelSpec::default();
    actors.animation.actors = vec![ActorSpec::default(); MANY];
    let nodes = NodeSpec { children: vec![NodeSpec::default(); MANY], ..NodeSpec::default() };
    let rois = RoiSpec { children: vec![RoiSpec::shared(""); MANY], ..RoiSpec::default() };
    vec![
        ("worlds", of_worlds(vec![WorldSpec::default(); MANY])),
        ("part references", of_worlds(vec![WorldSpec { parts: vec![part; MANY], ..WorldSpec::default() }])),
        ("model references", of_worlds(vec![WorldSpec { models: vec![model; MANY], ..WorldSpec::default() }])),
        ("global textures", DatabaseSpec { textures: vec![texture.clone(); MANY], ..DatabaseSpec::default() }),
        ("textures", of_parts(PartsSpec { textures: vec![texture.clone(); MANY], ..PartsSpec::default() })),
        ("textures of a model", of_model(ModelSpec { textures: vec![texture; MANY], ..ModelSpec::default() })),
        ("parts", of_parts(PartsSpec { parts: vec![PartSpec::default(); MANY], ..PartsSpec::default() })),
        ("levels", of_lods(vec![LodSpec::empty(4); MANY])),
        ("meshes", of_lods(vec![LodSpec { meshes: vec![MeshSpec::default(); MANY], ..LodSpec::default() }])),
        ("actors", of_model(actors)),
        ("nodes", of_model(ModelSpec::of(RoiSpec::default(), nodes))),
        ("objects", of_model(ModelSpec::of(rois, NodeSpec::default()))),
    ]
}

#[test]
fn the_shortest_elements_are_long_enough() {
    for (name, spec) in least_ones() {
        let file = build(&spec).bytes;
        assert_eq!(agree(&file), Ok(Verdict::Same), "{name}");
        assert_eq!(lossy_keeps_its_word(&file), Ok(()), "{name}");
        // References to empty ranges cannot be followed.
        assert_eq!(read_all(&file).is_ok(), !name.ends_with("references"), "{name}");
    }
}

#[test]
fn a_caret_elsewhere_has_no_special_meaning() {
    let image = || ImageSpec::plain(2, 2, [1, 2, 3]);
    let textures = vec![TextureSpec::new("a^b", image()), TextureSpec::pair("a", image(), image())];
    let parts = PartsSpec { textures: textures.clone(), ..PartsSpec::default() };
    let model = ModelSpec { textures, ..ModelSpec::default() };
    let worlds = vec![WorldSpec::new("W").part("p", 0).model(ModelRefSpec::new("m", 1))];
    let blobs = vec![BlobSpec::parts(parts), BlobSpec::model(model)];
    let file = build(&DatabaseSpec { worlds, blobs, ..DatabaseSpec::default() }).bytes;
    assert_eq!(agree(&file), Ok(Verdict::Same));
    assert_eq!(read_all(&file), Ok(()));
}

static ODDITIES: LazyLock<Vec<(String, Vec<u8>)>> = LazyLock::new(edge_cases);

/// Returns `true` for labels of fields that determine how the rest is read: counts, lengths, offsets, flags.
fn decides(label: &str) -> bool {
    let field = label.rsplit('.').next().unwrap_or(label);
    field.ends_with("count")
        || field.ends_with("_len")
        || field.ends_with("_offset")
        || field.ends_with("counts")
        || ["size", "length", "offset", "flags", "shared", "version", "corners", "width", "height"].contains(&field)
}

#[test]
fn mutated_databases_read_alike() {
    at_random(300, 4, |seed, seeds| {
        let built = build(&small(seed));
        let labels = built.labels.iter().filter(|(label, _)| decides(label)).map(|(_, at)| *at).collect::<Vec<_>>();
        changed(seeds, &built.bytes, &labels, u32::to_le_bytes, both)
    });
}

#[test]
fn mutated_edge_cases_read_alike() {
    at_random(300, 3, |pick, seeds| {
        let file = &ODDITIES[usize::try_from(pick).unwrap() % ODDITIES.len()].1;
        // Nothing is aligned, so a word may start at any byte.
        let labels: Vec<usize> = (0..file.len()).collect();
        changed(seeds, file, &labels, u32::to_le_bytes, both)
    });
}

#[test]
fn every_prefix_of_a_small_database() {
    let file = build(&small(7)).bytes;
    // Every length within the directory and the first blobs, and enough of the others to end in every part.
    for len in (0..file.len()).filter(|len| *len < 3000 || len % 7 == 0) {
        assert_eq!(both(&file[..len]), Ok(()), "{len} bytes");
    }
}
