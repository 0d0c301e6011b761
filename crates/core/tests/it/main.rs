//! Sources, errors and findings, on hand-built bytes.
#![cfg(test)]
#![allow(clippy::arithmetic_side_effects, reason = "a slip fails the test")]

mod finding;
mod items;
mod source;
mod wide;
