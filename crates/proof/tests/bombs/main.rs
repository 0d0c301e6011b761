//! Files that ask for far more than they hold, on every path: what is written, said and allocated stays in proportion.
#![cfg(test)]
#![allow(clippy::arithmetic_side_effects, reason = "a slip fails the test")]

mod archives;
mod databases;
mod levels;

use worldview::Format;
use worldview_corpus::bombs::Bomb;
use worldview_proof::paths::{self, Tally};

/// Bytes written for one of the file and its image. The outputs that are text stop at 32 times by themselves
/// (`worldview_export`'s `Bounded`), maps leave out what would go beyond 28 times.
const WRITTEN: u64 = 32;
/// And besides: maps have a megabyte of tiles in any level, at ten bytes each; a text that is bounded has four megabytes.
const WRITTEN_BESIDES: u64 = 16 << 20;
/// Bytes that are allocated at once for one of the file and its image: views of twelve bytes, lists of names, and what is made
/// of them.
const HELD: u64 = 4;
/// And besides: the batches and buffers of columns, the nodes of a GLB, pictures.
const HELD_BESIDES: u64 = 64 << 20;
/// Findings, hits and differences for one byte; walks go over a file four times at most.
const SAID: u64 = 4;
/// And besides: a walk over any file has a megabyte.
const SAID_BESIDES: u64 = 1 << 20;
/// What a packed level may inflate to here.
const MAX_INFLATE: u64 = 64 << 20;

/// Takes a file through every path, and holds each to the bounds; how many paths there were.
#[track_caller]
fn bounded(format: Format, name: &str, bytes: &[u8]) -> usize {
    let mut runs = Vec::new();
    let image = paths::all(format, bytes, MAX_INFLATE, &mut |path, run| {
        let mut tally = Tally::default();
        let held = allocation_counter::measure(|| run(&mut tally)).bytes_max;
        runs.push((path, held, tally));
    });
    let size = bytes.len() as u64 + image;
    let count = runs.len();
    for (path, held, Tally { written, items, stopped }) in runs {
        let what = format!("{name}: {path}, {stopped:?}, of {size} bytes");
        assert!(written <= WRITTEN * size + WRITTEN_BESIDES, "{what}: {written} written");
        assert!(items <= SAID * size + SAID_BESIDES, "{what}: {items} said");
        assert!(held <= HELD * size + HELD_BESIDES, "{what}: {held} held");
        // Errors say where: an offset, which is in the file or in its image.
        if let Some(why) = stopped {
            let says = [" at offset ", "the limit is ", "nothing to export"].iter().any(|part| why.contains(part));
            assert!(says, "{what}");
        }
    }
    count
}

/// The same for bombs of that size, of which there must be as many.
#[track_caller]
fn all_bounded(format: Format, bombs: &[Bomb], size: usize) {
    for bomb in bombs {
        let paths = bounded(format, bomb.name, &bomb.bytes(size));
        assert!(paths > 3, "{}: {paths} paths, so it did not open", bomb.name);
    }
}
