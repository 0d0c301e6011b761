//! What differs between files that differ in one fact: that, and nothing else.
#![cfg(test)]
#![allow(clippy::arithmetic_side_effects, reason = "a slip fails the test")]

mod archives;
mod blobs;
mod databases;
mod hostile;
mod levels;
mod mutants;
mod objects;
mod shown;
mod support;
mod tables;
