//! Pictures, decoded by the `png` crate and compared with what was worked out by hand from the description of a level.
#![cfg(feature = "png")]
#![cfg(test)]
#![allow(clippy::arithmetic_side_effects, reason = "a slip fails the test")]

mod hostile;
mod images;
mod layers;
mod overlay;
mod planes;
mod sheets;
mod support;
