//! Archives and tables, on bytes assembled from the format notes.
#![cfg(test)]
#![allow(clippy::arithmetic_side_effects, reason = "a slip fails the test")]

mod archives;
mod describe;
mod support;
mod tables;
#[path = "../../../../tests/tree.rs"]
mod tree;
