//! Modern assets from worldview's views: free functions, views in, [`std::io::Write`] out.
//!
//! - [`wdb`]: by features, the records of tables as `csv`, NDJSON (`json`), `arrow` and `parquet`.
//! - `csv` and `json`, features of their names: objects and attributes of levels as tables.
//! - `png`, a feature: pictures of planes, levels, attributes and tilesets, and the textures of LEGO Island ([`island`]).
//! - `tiled`, a feature: maps for the Tiled editor.
//! - `glb`, a feature: models, parts and worlds of LEGO Island as glTF.
//! - `preview`, a feature: small pictures of models and levels, drawn without a graphics card.
//! - `html`, a feature: a page of all that was exported, to look through.
//! - `names`, a feature: file names that every system takes, from names that may hold anything.
//!
//! Text dumps, JSON, searches and comparisons of whole files are in the crate `worldview-inspect`.
//!
//! Functions stream: none holds an output in memory, but for GLB, which begins with its length. What an output costs is bounded by what the file really holds,
//! not by what its headers claim; past a bound the error says so, as [`Error::Limit`] where it is a bound on the output.
#![forbid(unsafe_code)]
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "works on parsed views and on sizes bounded by them; the format crates keep the lints"
)]

#[cfg(feature = "csv")]
pub mod csv;
mod error;
#[cfg(feature = "glb")]
pub mod glb;
#[cfg(feature = "html")]
pub mod html;
pub mod island;
#[cfg(feature = "names")]
pub mod names;
pub mod palette;
#[cfg(feature = "png")]
pub mod png;
#[cfg(feature = "preview")]
pub mod preview;
mod sheet;
#[cfg(feature = "tiled")]
pub mod tiled;
pub mod wdb;

pub use error::{Error, Result};
pub use sheet::{Cell, Sheet};
pub use worldview_core::Limit;
pub use worldview_inspect::{Encoding, hex};
