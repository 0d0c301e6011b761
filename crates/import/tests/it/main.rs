//! Changes from edited exports, and what applying them gives by the naive readers.
#![cfg(test)]
#![allow(
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a slip fails the test"
)]

mod advice;
mod attributes;
mod csv;
mod documents;
mod keys;
mod members;
mod models;
mod new_pictures;
mod new_worlds;
mod poses;
mod switches;
mod textures;
mod tiled;
mod unedited;
mod versions;

use worldview_core::Path;

fn path(text: &str) -> Path {
    text.parse().unwrap()
}

/// Compares lines. Of those that are expected to end with `…`, only the start is.
#[track_caller]
fn begin(found: &[String], expected: &[impl AsRef<str>]) {
    assert_eq!(found.len(), expected.len(), "{found:#?}");
    for (found, expected) in found.iter().zip(expected.iter().map(AsRef::as_ref)) {
        let is_it = expected.strip_suffix('…').map_or(found == expected, |start| found.starts_with(start));
        assert!(is_it, "{found}\n{expected}");
    }
}

/// What the account of an edited export says.
fn messages(planned: &worldview_edit::Planned) -> Vec<String> {
    planned.account.entries().map(|entry| entry.message.clone()).collect()
}
