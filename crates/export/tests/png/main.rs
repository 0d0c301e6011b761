//! Pictures, decoded by the `png` crate and compared with what was worked out by hand from the description of a level.
#![cfg(feature = "png")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a test fails by panicking"
)]

mod hostile;
mod images;
mod layers;
mod overlay;
mod planes;
mod sheets;
mod support;
