//! Lossless edits of game files: an edit is a list of changes, and applying it copies the file and touches only what the
//! changes need.
//!
//! [`Changes`] is the list, with a [documented JSON form](Changes::to_json). A change names a place by its
//! [path](worldview_core::Path), the value that it expects there, and the new value. [`wpd::apply`] applies changes to an archive or
//! table, at any depth of nesting, [`wwd::apply`] to a level, [`rez::apply`] to a REZ archive and the levels in it, and
//! [`island::apply`] to a WORLD.WDB. [`wpd::diff`], [`wwd::diff`], [`rez::diff`] and [`island::diff`] make the changes between two
//! files; the crate `worldview-import` makes those of an export that was edited with another program.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let file: &[u8] = include_bytes!("../../../samples/items.wdb");
//! use worldview_edit::{Change, Changes, Value, wpd};
//!
//! let mut changes = Changes::new();
//! changes.push(Change::set("apple_dried/uPurchasePrice".parse()?, 12_u32));
//! let mut edited = Vec::new();
//! wpd::apply(file, &changes)?.write_to(&mut edited)?;
//!
//! let table = worldview_wpd::Table::parse(&edited)?;
//! let apple = table.by_name("apple_dried").expect("the sample has this record");
//! assert_eq!(apple.get("uPurchasePrice"), Some(worldview_wpd::Value::U32(12)));
//! assert_eq!(edited.len(), file.len());
//! # Ok(())
//! # }
//! ```
//!
//! Each format is a feature, and so is the JSON form; the default is all of them. For edits of tables alone, take
//! `default-features = false` with `wpd`.
#![forbid(unsafe_code)]
#![cfg_attr(
    not(all(
        feature = "files",
        feature = "island",
        feature = "json",
        feature = "rez",
        feature = "wpd",
        feature = "wwd"
    )),
    allow(dead_code, unused_imports, unused_variables, reason = "each format needs its part of what they share")
)]

pub mod account;
mod changes;
mod checked;
mod diff;
mod editor;
mod error;
pub mod fields;
#[cfg(feature = "files")]
mod format;
#[cfg(any(feature = "island", feature = "wpd", feature = "wwd"))]
mod image;
#[cfg(feature = "island")]
pub mod island;
mod list;
pub mod nearest;
pub mod order;
mod pairs;
mod patches;
mod planned;
#[cfg(feature = "files")]
mod repair;
mod resolve;
#[cfg(feature = "rez")]
pub mod rez;
mod tree;
mod used;
mod value;
#[cfg(feature = "wpd")]
pub mod wpd;
#[cfg(feature = "wwd")]
pub mod wwd;

#[cfg(feature = "json")]
pub use changes::SideFiles;
pub use changes::{Change, Changes, MergeConflict, MergeError, Position, check_path, folded};
pub use diff::array_changes;
pub use editor::{Editable, Editor};
pub use error::{ERRORS, EditError, EditErrorKind, Result};
#[cfg(feature = "files")]
pub use format::{FileOptions, apply, diff};
pub use list::{element_key, element_paths, of_kind};
pub use pairs::{LAYOUT, PAIRS};
pub use patches::Patches;
pub use planned::Planned;
#[cfg(feature = "files")]
pub use repair::{REPAIRS, repair};
pub use value::{Float, Value, nearest_float, unhex};
#[cfg(feature = "files")]
pub use worldview_format::Format;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
