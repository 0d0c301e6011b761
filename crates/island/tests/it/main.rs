//! The views of WORLD.WDB, on bytes and values that were worked out by hand.
#![cfg(test)]
#![allow(clippy::arithmetic_side_effects, reason = "a slip fails the test")]

mod animation;
mod corners;
mod material;
mod matrix;
mod names;
mod placement;
mod support;
