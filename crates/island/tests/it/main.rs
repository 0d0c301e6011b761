//! Tests of the views of WORLD.WDB, with bytes and values calculated by hand.
#![cfg(test)]
#![allow(clippy::arithmetic_side_effects, reason = "a slip fails the test")]

mod animation;
mod corners;
mod directory;
mod material;
mod matrix;
mod names;
mod placement;
mod support;
