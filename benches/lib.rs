//! Shared code of the benchmarks: generated inputs, the limits to compare with, and table rows that verify each answer
//! before timing it. See `benches/METHOD.md` for the method.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "benchmarks read files that they generated, and stop at the first error"
)]

pub mod compare;
pub mod inputs;
pub mod limits;
pub mod readers;
#[cfg(feature = "clock")]
pub mod row;
#[cfg(feature = "clock")]
pub mod threads;
pub mod units;

#[cfg(feature = "clock")]
pub use row::Row;
#[cfg(feature = "clock")]
pub use threads::by_threads;
