//! The owned door: files that keep their bytes alive, with views that are borrowed from them.
//!
//! [`open`] reads a file, and [`open_with`] loads it in any way. A [`Handle`] owns a share of its [`File`]. It is `Send + Sync + 'static` and cheap to clone, so it can be kept for any time
//! and on any thread: by a game engine, a cache, or a language without lifetimes. Nothing is copied for that.

mod describe;
mod failure;
mod file;
mod handle;
#[cfg(feature = "island")]
mod island;
#[cfg(feature = "wwd")]
mod level;
#[cfg(feature = "island")]
mod lods;
#[cfg(feature = "wwd")]
mod objects;
mod open;
mod options;
#[cfg(feature = "rez")]
mod rez;
#[cfg(feature = "wpd")]
mod table;
#[cfg(feature = "island")]
mod view;

pub use failure::{Failure, Note};
pub use file::{File, Part};
pub use handle::Handle;
#[cfg(feature = "island")]
pub use island::DatabaseHandle;
#[cfg(feature = "wwd")]
pub use level::LevelHandle;
#[cfg(feature = "island")]
pub use lods::LodsHandle;
#[cfg(feature = "wwd")]
pub use objects::ObjectsHandle;
#[cfg(feature = "wpd")]
pub use open::label;
pub use open::{open, open_all, open_entry, open_in, open_path, open_with, split_path};
pub use options::Options;
#[cfg(feature = "rez")]
pub use rez::{DirectoryHandle, PictureHandle};
#[cfg(feature = "wpd")]
pub use table::{ArchiveHandle, TableHandle};
#[cfg(feature = "island")]
pub use view::ViewHandle;
