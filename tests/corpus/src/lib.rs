//! Test files for worldview, built from plain specs and read back by code that shares nothing with the real readers.
//!
//! This crate favors obviousness over speed. The builder writes exactly what a spec says, and the naive reader reads
//! one byte at a time. Where both agree with the real reader, the format is understood.
#![forbid(unsafe_code)]
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "the code generates its own test data; an overflow or bad index is a bug that a failing test should show"
)]

pub mod bombs;
pub mod builder;
pub mod deflate;
pub mod drawn;
pub mod ff13;
pub mod hostile;
pub mod island;
pub mod rez;
pub mod rng;
pub mod sink;
mod spec;
pub mod tree;
pub mod wwd;

/// Returns the name and bytes of every file in `samples/`.
pub fn samples() -> Vec<(&'static str, Vec<u8>)> {
    [wwd::samples::samples(), rez::samples::samples(), ff13::samples::samples(), island::samples::samples()].concat()
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
