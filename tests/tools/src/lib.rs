//! Tests of everything above the format crates: exporters, edits, the verbs of the command, and the bounds on what
//! hostile files can cost.
//!
//! The bodies of the fuzz targets are functions here, so that the tests can replay their inputs on stable Rust.
#![forbid(unsafe_code)]
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "compares checked results; a mistake here only fails a test"
)]

pub mod drawn;
pub mod fuzz;
pub mod paths;

// No package contains the README of the repository, so no published crate can test it.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct RepositoryReadme;
