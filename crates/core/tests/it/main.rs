//! Windows, errors and findings, on bytes built by hand.
#![cfg(test)]
#![allow(clippy::arithmetic_side_effects, reason = "a slip fails the test")]

mod finding;
mod source;
mod wide;
