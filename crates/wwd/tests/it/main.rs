//! Levels, on bytes assembled from the format notes.
#![cfg(test)]
#![allow(clippy::arithmetic_side_effects, reason = "a slip fails the test")]

mod hand_built;
mod packed;
mod trailer;
