//! What the benchmarks share: inputs by seed, and the read pass that is the limit of all of them.
#![forbid(unsafe_code)]

use worldview_corpus::wwd::build::build;
use worldview_corpus::wwd::generate::{Shape, level};
use worldview_corpus::wwd::spec::Packing;

/// The seed of every generated input; part of the benchmark's name.
pub const SEED: u64 = 1;

/// A level file of about `bytes` bytes unpacked.
pub fn level_file(bytes: u64, packing: Packing) -> Vec<u8> {
    build(&level(SEED, &Shape { packing, ..Shape::sized(bytes) })).bytes
}

/// A read pass: the wrapping sum of all whole 64-bit words, the fastest thing that touches every byte.
pub fn read_pass(bytes: &[u8]) -> u64 {
    let (words, _) = bytes.as_chunks::<8>();
    words.iter().fold(0, |sum, word| sum.wrapping_add(u64::from_le_bytes(*word)))
}
