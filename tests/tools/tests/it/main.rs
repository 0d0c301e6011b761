//! Tests of outputs, edits and verbs on generated, odd and hostile files.
#![cfg(test)]
#![allow(
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    clippy::indexing_slicing,
    reason = "a mistake fails the test"
)]

mod bindings;
mod bombs;
mod conservation;
mod declared_once;
mod drawn;
#[cfg(feature = "peers")]
mod edited_peer;
mod fuzz_replay;
mod memory;
mod sample_sources;
mod verbs;
mod wwd_goldens;
