//! What the benchmarks share: inputs by seed, the limits that everything is held against, and rows of the tables, of
//! which each answer is verified before the clock starts. `benches/METHOD.md` tells what is measured and how.
#![forbid(unsafe_code)]
#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "benchmarks read files that they made themselves, and stop at the first that is not as it should be"
)]

pub mod inputs;
pub mod limits;
pub mod readers;
#[cfg(feature = "clock")]
pub mod row;

#[cfg(feature = "clock")]
pub use row::{Row, by_threads};
