//! Tests of the viewer, over HTTP.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    missing_docs,
    unreachable_pub,
    reason = "a failure ends the test"
)]

mod client;
mod compare;
mod edits;
mod levels;
mod links;
mod load;
mod places;
mod security;
mod support;
mod tables;
