//! Tests that compare the views of the format crates with the naive readers, and with tables of expected answers.
#![cfg(test)]
#![allow(clippy::arithmetic_side_effects, clippy::indexing_slicing, reason = "a mistake fails the test")]

mod debug;
mod documented;
mod errors;
mod findings;
mod island_allocations;
mod island_errors;
mod island_findings;
mod island_reach;
mod island_scenes;
mod island_textures;
mod island_views;
mod path_text;
mod rez_errors;
mod rez_findings;
mod rez_pixels;
mod rez_views;
mod stored;
mod wpd_allocations;
mod wpd_errors;
mod wpd_findings;
#[cfg(feature = "peers")]
mod wpd_peer;
mod wpd_refusals;
mod wpd_schemas;
mod wpd_views;
mod wpd_widths;
mod wwd_allocations;
mod wwd_errors;
mod wwd_findings;
mod wwd_views;
