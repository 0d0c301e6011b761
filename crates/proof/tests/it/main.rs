//! Tests that need both the views and the naive readers, and tests that inspect the source code.
#![cfg(test)]
#![allow(clippy::arithmetic_side_effects, clippy::indexing_slicing, reason = "a mistake fails the test")]

mod api;
mod bombs;
mod drawn;
mod errors;
mod findings;
mod fuzz_replay;
mod island_allocations;
mod island_errors;
mod island_findings;
mod island_reach;
mod island_scenes;
mod island_views;
mod layers;
mod path_text;
mod rez_errors;
mod rez_findings;
mod rez_views;
mod sample_sources;
mod verbs;
mod workspace;
mod wpd_allocations;
mod wpd_errors;
mod wpd_findings;
mod wpd_peer;
mod wpd_refusals;
mod wpd_schemas;
mod wpd_views;
mod wpd_widths;
mod wwd_allocations;
mod wwd_errors;
mod wwd_goldens;
mod wwd_views;
