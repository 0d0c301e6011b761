//! Proofs that need both sides: the views of the format crates and the independent readers of `worldview-corpus`.
//!
//! [`wwd::agree`] is the heart: any bytes, read by both, must give the same answer. The tests here feed it generated,
//! odd and mutated levels; a fuzzer can feed it anything.
#![forbid(unsafe_code)]
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "compares results that were checked; a slip here fails a test and nothing else"
)]

pub mod golden;
pub mod wwd;
