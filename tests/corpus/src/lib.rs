//! Test files for worldview, built from plain specs and read back by code that shares nothing with the real readers.
//!
//! This crate favors obviousness over speed. The builder writes exactly what a spec says, and the naive reader reads
//! one byte at a time. Where both agree with the real reader, the format is understood.
#![forbid(unsafe_code)]
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "the code generates its own test data; an overflow or bad index is a bug that a failing test should show"
)]

/// Returns the names and bytes of files in `samples/`.
macro_rules! samples {
    ($($name:literal),*) => {
        vec![$(($name, include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/", $name)).to_vec())),*]
    };
}

pub mod bombs;
pub mod builder;
pub mod drawn;
pub mod ff13;
pub mod hostile;
pub mod island;
pub mod naive;
pub mod rez;
pub mod rng;
pub mod sink;
mod spec;
pub mod tree;
pub mod trial;
pub mod workbook;
pub mod wwd;

/// Returns the name and bytes of every file in `samples/`.
pub fn samples() -> Vec<(&'static str, Vec<u8>)> {
    [wwd::samples(), rez::samples(), ff13::samples(), island::samples(), island::texture_files()].concat()
}

/// Returns the bytes of the file with this name in `samples/`. Panics if no sample has this name.
pub fn sample(name: &str) -> Vec<u8> {
    let found = samples().into_iter().find(|(other, _)| *other == name);
    found.unwrap_or_else(|| panic!("no sample is called {name}")).1
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
