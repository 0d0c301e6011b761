//! The file formats that worldview knows: names, kinds, extensions and signatures. Nothing is opened here.
//!
//! The crate `worldview` re-exports everything in this crate.
#![forbid(unsafe_code)]

mod container;
mod format;

pub use container::Container;
pub use format::{Format, Kind};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
