//! Limits of reading: trees of any depth, and no access outside of the bytes in question.

use std::ops::Range;

use worldview_corpus::island::build::build;
use worldview_corpus::island::generate::{deep_nodes, deep_rois, small, wide_nodes};
use worldview_corpus::island::naive;
use worldview_corpus::island::samples;
use worldview_corpus::island::spec::{BlobSpec, DatabaseSpec, ModelRefSpec, WorldSpec};
use worldview_corpus::rng::Rng;
use worldview_island::{Content, Contents, Database, Rig, check};
use worldview_readers::Verdict;
use worldview_readers::island::{agree, same_content, same_directory};

/// More than the depth of the deepest tree that a file of the real one's size could hold.
const DEEP: usize = 600_000;

/// Runs a closure on a stack too small for recursion of that depth.
fn on_a_small_stack(run: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(256 << 10).spawn(run).unwrap().join().unwrap();
}

#[test]
fn deep_trees_need_no_stack() {
    on_a_small_stack(|| {
        for (name, file) in [("nodes", deep_nodes(DEEP)), ("objects", deep_rois(DEEP))] {
            let database = Database::parse(&file).unwrap();
            let content = database.blobs()[0].read().unwrap();
            let model = content.model().unwrap();
            assert_eq!(model.rois.len().max(model.animation.nodes.len()), DEEP, "{name}");
            let deepest =
                if name == "nodes" { model.animation.nodes.parent(DEEP - 1) } else { model.rois.parent(DEEP - 1) };
            assert_eq!(deepest, Some(DEEP - 2), "{name}");
            drop(content);
            database.blobs()[0].read_lossy(&mut |finding| panic!("{finding}")).unwrap();
        }
    });
}

#[test]
fn deep_and_wide_trees_read_alike() {
    on_a_small_stack(|| {
        for file in [deep_nodes(60_000), deep_rois(60_000), wide_nodes(20_000)] {
            assert_eq!(agree(&file), Ok(Verdict::Same));
        }
    });
}

#[test]
fn deep_and_wide_trees_are_posed_and_checked_quickly() {
    on_a_small_stack(|| {
        for file in [deep_nodes(DEEP), deep_rois(DEEP), wide_nodes(100_000)] {
            let database = Database::parse(&file).unwrap();
            let contents = Contents::read_lossy(&database, &mut |finding| panic!("{finding}"));
            let model = contents.blobs[0].as_ref().unwrap().model().unwrap();
            let rig = Rig::new(model);
            assert_eq!(rig.pose(0.0).len(), model.rois.len());
            let mut findings = 0_u32;
            check(&database, &contents, &mut |_| findings += 1);
            assert!(findings > 90_000, "expected one per node or object: {findings}");
        }
    });
}

/// Replaces all bytes outside of some ranges with different ones.
fn noise(file: &[u8], keep: &[Range<u64>], seed: u64) -> Vec<u8> {
    let mut rng = Rng::new(seed);
    let is_kept = |at: usize| keep.iter().any(|range| range.contains(&(at as u64)));
    let other = |byte: u8, rng: &mut Rng| byte.wrapping_add(1 + u8::try_from(rng.below(255)).unwrap());
    file.iter().enumerate().map(|(at, &byte)| if is_kept(at) { byte } else { other(byte, &mut rng) }).collect()
}

/// Returns the ranges that opening a file may read: the directory and the sizes of the two chunks.
fn opened(database: &Database<'_>) -> [Range<u64>; 2] {
    let end = database.directory_end();
    let second = database.parts_chunk().base();
    [0..end + 4, second - 4..second]
}

fn files() -> Vec<Vec<u8>> {
    let small = (0..40).map(|seed| build(&small(seed)).bytes);
    small.chain(samples().into_iter().map(|(_, file)| file)).collect()
}

#[test]
fn opening_reads_the_directory_and_two_sizes() {
    for (seed, file) in (0..).zip(files()) {
        let directory = naive::directory(&file).unwrap();
        let other = noise(&file, &opened(&Database::parse(&file).unwrap()), seed);
        assert!(other != file);
        let database = Database::parse(&other).unwrap();
        assert_eq!(same_directory(&database, &directory), Ok(()), "file {seed}");
    }
}

#[test]
fn reading_a_blob_reads_nothing_else() {
    for (seed, file) in (0..).zip(files()) {
        let database = Database::parse(&file).unwrap();
        let naive = naive::database(&file).unwrap();
        for (blob, naive) in database.blobs().iter().zip(&naive.blobs) {
            let [directory, size] = opened(&database);
            let own = blob.source.base()..blob.source.base() + blob.source.len();
            let other = noise(&file, &[directory, size, own], seed);
            let database = Database::parse(&other).unwrap();
            let content = database.blobs()[blob.index()].read().unwrap();
            // This compares levels and meshes as well, and decodes every mesh.
            assert_eq!(same_content(&content, naive.content.as_ref().unwrap()), Ok(()), "file {seed}");
        }
    }
}

/// Returns the offsets of parts, or of objects and nodes, and those of textures.
fn offsets(content: &Content<'_>) -> [Vec<u64>; 2] {
    let textures = |textures: worldview_island::Textures<'_>| textures.iter().map(|texture| texture.at).collect();
    match content {
        Content::Parts(parts) => [parts.iter().map(|part| part.at).collect(), textures(parts.textures)],
        Content::Model(model) => [model.rois.iter().map(|roi| roi.at).collect(), textures(model.textures)],
    }
}

#[test]
fn a_truncated_blob_shows_the_start_of_the_whole() {
    let mut shown = [0; 2];
    for seed in 0..30 {
        for blob in small(seed).blobs.into_iter().take(5) {
            let world = WorldSpec::new("CUT");
            let is_parts = matches!(blob.content, worldview_corpus::island::spec::ContentSpec::Parts(_));
            let world = if is_parts { world.part("cut", 0) } else { world.model(ModelRefSpec::new("cut", 0)) };
            let blobs: Vec<BlobSpec> = vec![blob];
            let mut built = build(&DatabaseSpec { worlds: vec![world], blobs, ..DatabaseSpec::default() });
            let label = if is_parts { "world[0].part[0].length" } else { "world[0].model[0].length" };
            let length = built.read_u32_le(label).unwrap();
            let file = built.bytes.clone();
            let database = Database::parse(&file).unwrap();
            let whole = offsets(&database.blobs()[0].read().unwrap());
            for cut in (0..length).rev().step_by(11) {
                built.words_le(&[(label, cut)]);
                let database = Database::parse(&built.bytes).unwrap();
                let Ok(content) = database.blobs()[0].read_lossy(&mut |_| {}) else { continue };
                for (kind, (shows, whole)) in offsets(&content).iter().zip(&whole).enumerate() {
                    assert!(whole.starts_with(shows), "seed {seed}, {cut} of {length} bytes");
                    shown[kind] += shows.len();
                }
            }
        }
    }
    assert!(shown.iter().all(|count| *count > 500), "lossy parsing shows too little: {shown:?}");
}
