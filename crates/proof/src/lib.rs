//! Proofs that need both sides: the views of the format crates and the independent readers of `worldview-corpus`.
//!
//! [`wwd::agree`] and its like of each format are the heart: any bytes, read by both, must
//! give the same answer. The tests here feed them generated, odd and mutated files; a fuzzer can feed them anything.
#![forbid(unsafe_code)]
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "compares results that were checked; a slip here fails a test and nothing else"
)]

pub mod change;
pub mod fuzz;
pub mod golden;
pub mod island;
pub mod paths;
pub mod tree;
pub mod wpd;
pub mod wwd;

/// What both readers made of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Both read all of it, alike.
    Same,
    /// Both refuse it.
    Refused,
    /// The naive reader gave up on overlapping parts, which it copies.
    TooMuch,
}

/// Compares a value that both readers have.
fn equal<T: PartialEq<U> + std::fmt::Debug + ?Sized, U: std::fmt::Debug + ?Sized>(
    what: &str,
    views: &T,
    naive: &U,
) -> Result<(), String> {
    if views == naive { Ok(()) } else { Err(format!("{what}: the views say {views:?}, the naive reader {naive:?}")) }
}
