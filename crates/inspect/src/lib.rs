//! Text dumps, JSON, search and comparison of everything that a file contains.
//!
//! This crate is independent of formats. Each format crate describes its files by the protocol of
//! [`worldview_core::describe`], and the functions of this crate walk such a description:
//!
//! - [`text`]: a complete, stable dump as lines of text.
//! - `json` (a feature): the same as JSON.
//! - [`find`]: searches for text, and reports paths and offsets.
//! - [`diff`]: compares two files of the same format.
//! - [`locate()`]: maps offsets to paths.
//! - [`Selected`]: what [patterns of paths](PathPattern) select, as a description of its own.
//! - [`each_matching_field`]: finds fields by patterns of their paths.
//! - [`browse`]: shows what is directly inside a part, level by level.
//!
//! ```
//! use worldview_inspect::{Options, Root, text};
//! use worldview_wwd::{LevelDescription, Level, unpack};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let file: &[u8] = include_bytes!("../../../samples/harbour.wwd");
//! let unpacked = unpack(file)?;
//! let level = Level::parse(&unpacked)?;
//! let described = LevelDescription::new(&unpacked, &level);
//! let mut dump = Vec::new();
//! text::write(&Root::new("wwd", level.image(), &described), &Options::default(), &mut dump)?;
//! assert!(String::from_utf8(dump)?.contains("\nplane 1 \"Action\""));
//! # Ok(())
//! # }
//! ```
//!
//! Parts of a file may overlap, and a few bytes may ask for many lines of output. Every walk is therefore charged
//! for the bytes it visits, and every output is bounded by the size of the file. Exceeding a limit is an error.
#![forbid(unsafe_code)]
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "works on parsed views and on sizes bounded by them; the format crates keep the lints"
)]

mod bounded;
pub mod browse;
pub mod diff;
mod encoding;
mod error;
pub mod find;
mod form;
mod glob;
#[cfg(feature = "json")]
pub mod json;
mod locate;
mod matching;
mod meter;
mod place;
mod root;
mod selected;
mod selection;
pub mod text;

pub use bounded::Bound;
pub use encoding::{Encoding, hex, ints};
pub use error::{Error, Result};
pub use form::{Quoted, float, name as field_name, utf8};
pub use locate::locate;
pub use matching::each_matching_field;
pub use root::{Everything, Options, Root, Select, first_field};
pub use selected::{Selected, is_empty};
pub use selection::{HasExact, NamePattern, PathPattern, Selection, expand_braces, is_called, stem};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
