//! Exports the contents of parsed files as modern assets. The functions take the views of the format crates and a
//! [`std::io::Write`].
//!
//! By format (each is a feature that only needs the crate of its format):
//!
//! - `table`: tables as CSV, NDJSON, Arrow and Parquet.
//! - `level`: levels as CSV, Arrow, Parquet, Tiled maps and pictures.
//! - `model`: models, parts and worlds of LEGO Island as GLB, and their textures as pictures.
//!
//! By output (each is a feature, too): `csv`, `xlsx`, `json`, `arrow`, `parquet`, `png`, `tiled`, `glb`. A
//! feature has no effect on formats that lack the output. In addition, there are:
//!
//! - `game` (a feature): levels with the pictures of their game, and these pictures themselves.
//! - `outputs` (a feature): which outputs an asset has, what they are called, and what writes them.
//! - `names` (a feature): converts arbitrary names to file names that are valid on every operating system.
//!
//! All features except `xlsx` and `parquet`, which compile large libraries, are enabled by default. A program that writes tables
//! as CSV needs two of them:
//!
//! ```toml
//! worldview-export = { version = "0.1", default-features = false, features = ["table", "csv"] }
//! ```
//!
//! Text dumps, JSON, searches and comparisons of whole files are in the crate `worldview-inspect`.
//!
//! All functions stream their output, except for GLB, which starts with its length. The cost of an output is limited
//! by the actual contents of the file, not by what its headers claim. Exceeding a limit is an error; for limits on
//! the output it is [`Error::Limit`].
#![forbid(unsafe_code)]
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "works on parsed views and on sizes bounded by them; the format crates keep the lints"
)]

/// Record batches of tables and levels, and files of them. Types of the Arrow crates, which have a new major version every few months,
/// occur only here and in the modules `arrow` of the formats.
#[cfg(feature = "arrow")]
pub mod arrow {
    #[cfg(any(feature = "level", feature = "table"))]
    pub use crate::columns::{BatchFormat, BatchWriter, RecordBatches, read, with_file};
    pub use arrow_array;
    pub use arrow_schema;
}
#[cfg(all(feature = "arrow", any(feature = "level", feature = "table")))]
mod columns;
#[cfg(feature = "csv")]
pub mod csv;
mod error;
#[cfg(feature = "level")]
pub mod level;
#[cfg(feature = "model")]
pub mod model;
#[cfg(feature = "names")]
pub mod names;
#[cfg(feature = "outputs")]
pub mod outputs;
#[cfg(all(feature = "png", any(feature = "level", feature = "model")))]
#[cfg_attr(
    not(all(feature = "level", feature = "model")),
    allow(dead_code, reason = "each format and output needs a part")
)]
pub mod picture;
#[cfg(feature = "game")]
pub mod rez;
#[cfg(feature = "table")]
pub mod table;
#[cfg(any(feature = "table", all(feature = "level", feature = "csv")))]
mod write;
#[cfg(all(feature = "xlsx", any(feature = "level", feature = "table")))]
pub mod xlsx;

pub use error::{Error, Result};
pub use worldview_core::Limit;
pub use worldview_inspect::{Encoding, hex, utf8};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
