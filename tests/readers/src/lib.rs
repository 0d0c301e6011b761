//! Tests that need both sides: the views of the format crates, and the independent readers of `worldview-corpus`.
//!
//! The core is [`wwd::agree`] and its counterparts for the other formats: both readers must give the same answer for
//! any bytes. The tests here run them on generated, edge-case and mutated files, and fuzzers run them on arbitrary
//! bytes. An error is a text with the first difference or broken promise, unless a function says otherwise.
#![forbid(unsafe_code)]
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "compares checked results; a mistake here only fails a test"
)]

pub mod change;
pub mod golden;
pub mod island;
pub mod rez;
pub mod roundtrip;
pub mod tree;
pub mod wpd;
pub mod wwd;

use worldview_core::Error;
use worldview_corpus::naive::NaiveError;

/// The outcome of comparing both readers on a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Both read everything, with the same result.
    Same,
    /// Both reject the file.
    Refused,
    /// The comparison was cut short by a budget, for example because the naive reader copies overlapping parts.
    TooMuch,
}

/// Compares the results of both readers: both read a file, or both refuse it.
pub fn judge<V, N>(
    views: Result<V, Error>,
    naive: Result<N, NaiveError>,
    refused: impl FnOnce(&Error) -> Result<(), String>,
    same: impl FnOnce(V, N) -> Result<(), String>,
) -> Result<Verdict, String> {
    match (views, naive) {
        (Ok(_), Err(error)) if error.is_budget() => Ok(Verdict::TooMuch),
        (Err(error), Err(_)) => refused(&error).map(|()| Verdict::Refused),
        (Err(error), Ok(_)) => Err(format!("only the views refuse: {error}")),
        (Ok(_), Err(error)) => Err(format!("only the naive reader refuses: {error}")),
        (Ok(views), Ok(naive)) => same(views, naive).map(|()| Verdict::Same),
    }
}

/// Checks that the offset of an error or a finding is in the bytes or at their end.
pub fn inside(bytes: &[u8], at: u64, what: impl std::fmt::Display) -> Result<(), String> {
    let len = bytes.len();
    if at <= len as u64 { Ok(()) } else { Err(format!("lies outside its {len} bytes: {what}")) }
}

/// Compares a value of both readers.
pub fn equal<T: PartialEq<U> + std::fmt::Debug + ?Sized, U: std::fmt::Debug + ?Sized>(
    what: &str,
    views: &T,
    naive: &U,
) -> Result<(), String> {
    if views == naive { Ok(()) } else { Err(format!("{what}: the views say {views:?}, the naive reader {naive:?}")) }
}

/// Maximum input length; longer inputs are skipped. Anything they find is also found in shorter ones, a hundred times
/// faster.
pub const MAX_LEN: usize = 1 << 16;

/// Panics with the first difference between two readers, or the first broken promise.
#[track_caller]
pub fn holds<T>(result: Result<T, String>) {
    let why = result.err();
    assert!(why.is_none(), "{}", why.unwrap_or_default());
}
