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
mod island;
mod json;
mod kinds;
mod levels;
mod nearest;
mod paths;
mod rez;
mod switches;
mod tables;
mod texture_files;
mod twice;

use worldview_core::Path;
use worldview_edit::{Change, Changes};

fn path(text: &str) -> Path {
    text.parse().unwrap()
}

/// Changes, as changes files have them.
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
