//! Tiled maps: the TMX as the `tiled` crate reads it against the descriptions that the levels were built from, and the
//! TMJ, value by value, against the TMX.
#![cfg(feature = "tiled")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a test fails by panicking"
)]

mod attributes;
mod expect;
mod hostile;
mod maps;
mod same;
mod support;
