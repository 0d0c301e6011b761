//! Modern assets from worldview's views: free functions, views in, [`std::io::Write`] out.
//!
//! - [`text`]: a complete, stable dump of a level.
//! - [`island`]: the models and textures of LEGO Island as text, and by features as JSON and pictures.
//! - `glb`, a feature: models, parts and worlds of LEGO Island as glTF.
//! - [`wdb`]: tables as text, and by features as `csv`, `json`, `arrow` and `parquet`.
//! - `csv` and `json`, features of their names: objects and attributes as tables, whole levels as JSON.
//! - `png`, a feature: pictures of planes, levels, attributes and tilesets.
//! - `tiled`, a feature: maps for the Tiled editor.
//! - [`diff`] and [`find`]: what differs between two files of one kind, and where a text is in one.
//! - `preview`, a feature: small pictures of models and levels, drawn without a graphics card.
//! - `html`, a feature: a page of all that was exported, to look through.
//! - `names`, a feature: file names that every system takes, from names that may hold anything.
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
