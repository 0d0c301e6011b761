//! Packed levels: everything from the file to each tile, object and attribute.
#![allow(missing_docs, reason = "criterion's macros generate undocumented functions")]
#![allow(clippy::unwrap_used, clippy::arithmetic_side_effects, reason = "a benchmark of files that it generated")]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use worldview::Loader;
use worldview::wwd::{self, Level};
use worldview_benches::Row;
use worldview_benches::inputs::{self, LARGE, MIDDLE, SMALL, id, is_trial, sizes};
use worldview_benches::limits::{inflate, open_and_read, read_pass};
use worldview_benches::readers::level;
use worldview_corpus::wwd::spec::Packing;

fn whole_way(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().unwrap();
    for size in sizes(&[SMALL, MIDDLE, LARGE]) {
        let file = inputs::level(size.bytes, Packing::Zlib { level: 6 });
        let path = folder.path().join(size.name);
        std::fs::write(&path, &file).unwrap();
        let raw = inputs::level(size.bytes, Packing::Raw);
        let expected = level::naive::digest(&raw).unwrap();
        let (mut scratch, mut image) = (Vec::new(), Vec::new());
        let (mut bytes, mut block) = (vec![0; file.len() + 1], vec![0; raw.len()]);
        Row::new(criterion, "level: load, unpack, parse, verify, visit", id(size.name), raw.len(), expected)
            .limit("open, read, inflate, read pass", || {
                let read = open_and_read(&path, &mut bytes).unwrap();
                assert!(inflate(bytes.get(1524..read).unwrap(), &mut block));
                read_pass(&block)
            })
            .ours(|| {
                let file = Loader::read().open_in(&path, &mut scratch).unwrap();
                let unpacked = wwd::unpack_in(&file, &mut image).unwrap();
                assert!(!unpacked.checksum().is_unexplained());
                level::ours::visit(&Level::parse(&unpacked).unwrap()).unwrap()
            })
            .reader("naive reader, without the checksum", || level::naive::of_file(black_box(&file)).unwrap());
    }
}

/// A packed level and its image.
struct Packed {
    file: Vec<u8>,
    image: Vec<u8>,
}

impl Packed {
    fn new(file: Vec<u8>) -> Self {
        let image = wwd::unpack(&file).unwrap().to_vec();
        let this = Self { file, image };
        let mut block = vec![0; this.image.len()];
        this.least(&mut block);
        assert!(this.image.get(1524..) == block.get(..this.image.len() - 1524), "the bare inflater makes other bytes");
        this
    }

    /// Inflates the main block into a ready slice and reads it.
    fn least(&self, block: &mut [u8]) -> u64 {
        let block = block.get_mut(..self.image.len() - 1524).unwrap();
        assert!(inflate(black_box(self.file.get(1524..).unwrap()), block));
        read_pass(block)
    }

    fn ours(&self, scratch: &mut Vec<u8>) -> u32 {
        let unpacked = wwd::unpack_in(black_box(&self.file), scratch).unwrap();
        assert!(!unpacked.checksum().is_unexplained());
        level::ours::visit(&Level::parse(&unpacked).unwrap()).unwrap()
    }
}

/// Measures levels that are unpacked one after the other into the same memory.
fn in_turn(criterion: &mut Criterion, group: &str, input: &str, levels: &[Packed], scratch: &mut Vec<u8>) {
    let sum = |digests: &mut dyn Iterator<Item = u32>| digests.fold(0, u32::wrapping_add);
    let expected = sum(&mut levels.iter().map(|level| level::naive::digest(&level.image).unwrap()));
    let lengths = || levels.iter().map(|level| level.image.len());
    let mut block = vec![0; lengths().max().unwrap()];
    Row::new(criterion, group, id(input), lengths().sum(), expected)
        .limit("inflate into a ready slice and a read pass", || {
            levels.iter().fold(0, |sum, level| level.least(&mut block) ^ sum)
        })
        .ours(|| sum(&mut levels.iter().map(|level| level.ours(scratch))));
}

/// Levels as large as those of the games, and small ones next to large ones.
fn mixed(criterion: &mut Criterion) {
    let is_small = is_trial();
    let count = |all: u64| if is_small { 2 } else { all };
    let games: Vec<_> = inputs::levels(if is_small { 2 } else { 79 }).map(Packed::new).collect();
    in_turn(criterion, "packed levels of real sizes", "79 levels", &games, &mut Vec::new());

    let zlib = Packing::Zlib { level: 6 };
    let large = Packed::new(inputs::level(if is_small { 1 << 16 } else { 16 << 20 }, zlib));
    let small = || Packed::new(inputs::level(4 << 10, zlib));
    let mut scratch = Vec::new();
    large.ours(&mut scratch);
    in_turn(criterion, "small level after one of 16 MiB", "4 KiB", &[small()], &mut scratch);
    let all: Vec<_> = std::iter::once(large).chain((0..count(300)).map(|_| small())).collect();
    in_turn(criterion, "a large level and 300 small ones", "16 MiB and 300 of 4 KiB", &all, &mut Vec::new());
}

criterion_group!(benches, whole_way, mixed);
criterion_main!(benches);
