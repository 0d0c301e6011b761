//! Views that keep their bytes alive, for bindings to languages without lifetimes.
//!
//! The crates of the project borrow: a level, a table or a model refers to bytes that somebody else holds. Here each
//! [`Handle`] owns a share of its [`File`], so it can be kept for any time and on any thread, and the views are
//! borrowed from the handle: [`LevelHandle::level`], [`TableHandle::table`] and so on. Nothing is copied for that.
#![forbid(unsafe_code)]

mod check;
pub mod compare;
mod describe;
mod failure;
mod file;
mod handle;
mod island;
mod level;
mod lods;
mod objects;
mod open;
mod rez;
mod table;

pub use failure::{Failure, Note};
pub use file::{File, Part};
pub use handle::Handle;
pub use island::DatabaseHandle;
pub use level::LevelHandle;
pub use lods::LodsHandle;
pub use objects::ObjectsHandle;
pub use open::{Options, label, open, open_all, open_entry, split_path};
pub use rez::{DirectoryHandle, PictureHandle};
pub use table::{ArchiveHandle, TableHandle};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
