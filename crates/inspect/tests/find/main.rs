//! Where texts are found: each once, and at an offset where its bytes lie.
#![cfg(test)]
#![allow(clippy::arithmetic_side_effects, reason = "a slip fails the test")]

mod databases;
mod hostile;
mod levels;
mod shown;
mod support;
mod tables;
