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

use worldview_core::Path;
use worldview_edit::{Change, Changes};

fn path(text: &str) -> Path {
    text.parse().unwrap()
}

/// A list of changes, as files of changes have them.
fn list(changes: &str) -> Changes {
    Changes::from_json(format!(r#"{{"worldview_changes":1,"changes":[{changes}]}}"#).as_bytes()).unwrap()
}

fn change(json: &str) -> Change {
    list(json).into_iter().next().unwrap()
}

/// The addition of an element without anything.
fn add(path: &str) -> Change {
    change(&format!(r#"{{"add":"{path}"}}"#))
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

/// How many times as long random tests run.
fn rounds() -> u64 {
    std::env::var("ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(1)
}
