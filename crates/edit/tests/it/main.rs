//! Edits, checked against models of what they should do and against the naive readers.
#![cfg(test)]
#![allow(
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a slip fails the test"
)]

mod archives;
mod attributes;
mod csv;
mod import_json;
mod island;
mod json;
mod keys;
mod levels;
mod models;
mod nearest;
mod new_pictures;
mod new_worlds;
mod paths;
mod poses;
mod rez;
mod stored;
mod tables;
mod texture_files;
mod textures;
mod tiled;
mod twice;
mod worlds;

/// What the account of an edited export says.
fn messages(planned: &worldview_edit::Planned) -> Vec<String> {
    planned.account.entries().map(|entry| entry.message.clone()).collect()
}

/// How many times as long random tests run.
fn rounds() -> u64 {
    std::env::var("ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(1)
}
