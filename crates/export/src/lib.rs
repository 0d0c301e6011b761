//! Modern assets from worldview's views: free functions, views in, [`std::io::Write`] out.
//!
//! By format, each a feature that needs only the crate of its own format:
//!
//! - `table`: tables as CSV, NDJSON, Arrow and Parquet.
//! - `level`: levels as CSV, Arrow, Parquet, maps for Tiled and pictures.
//! - `model`: models, parts and worlds of LEGO Island as GLB, and their textures and previews as pictures.
//!
//! By output, each a feature too: `csv`, `json`, `arrow`, `parquet`, `png`, `tiled`, `glb`, `preview`. Those that a format does not
//! have add nothing to it. Besides there are:
//!
//! - `html`, a feature: a page of everything that was exported, to look through.
//! - `names`, a feature: file names that are valid on every operating system, from names that may contain anything.
//!
//! All features but `parquet`, which compiles a C library, are on by default. A program that writes tables as CSV names two:
//!
//! ```toml
//! worldview-export = { version = "0.1", default-features = false, features = ["table", "csv"] }
//! ```
//!
//! Text dumps, JSON, searches and comparisons of whole files are in the crate `worldview-inspect`.
//!
//! Functions stream: none holds an output in memory, except for GLB, which begins with its length. What an output costs is bounded by
//! what the file really contains, not by what its headers claim; past a bound there is an error, [`Error::Limit`] where it is a bound
//! on the output.
#![forbid(unsafe_code)]
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "works on parsed views and on sizes bounded by them; the format crates keep the lints"
)]

#[cfg(all(feature = "arrow", any(feature = "level", feature = "table")))]
mod columns;
#[cfg(feature = "csv")]
pub mod csv;
mod error;
#[cfg(feature = "html")]
pub mod html;
#[cfg(feature = "level")]
pub mod level;
#[cfg(feature = "model")]
pub mod model;
#[cfg(feature = "names")]
pub mod names;
#[cfg(all(feature = "png", any(feature = "level", feature = "model")))]
#[cfg_attr(
    not(all(feature = "level", feature = "model", feature = "preview")),
    allow(dead_code, reason = "each format and output needs a part")
)]
mod picture;
#[cfg(feature = "table")]
pub mod table;
#[cfg(any(feature = "table", all(feature = "level", feature = "csv")))]
mod write;

#[cfg(feature = "arrow")]
pub use arrow_array;
#[cfg(feature = "arrow")]
pub use arrow_schema;
#[cfg(all(feature = "arrow", any(feature = "level", feature = "table")))]
pub use columns::RecordBatches;
pub use error::{Error, Result};
pub use worldview_core::Limit;
pub use worldview_inspect::{Encoding, hex, utf8};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
