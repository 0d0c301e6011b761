//! The owned door: files that keep their bytes alive, with views that are borrowed from them.
//!
//! [`open`] reads a file, and [`open_with`] loads it in any way. A [`Handle`] owns a share of its [`File`]. It is `Send + Sync + 'static` and cheap to clone, so it can be kept for any time
//! and on any thread: by a game engine, a cache, or a language without lifetimes. Nothing is copied for that.

mod describe;
mod failure;
mod file;
mod handle;
mod island;
mod level;
mod lods;
mod objects;
mod open;
mod options;
mod rez;
mod table;
mod view;

pub use failure::{Failure, Note};
pub use file::{File, Part};
pub use handle::Handle;
pub use island::DatabaseHandle;
pub use level::LevelHandle;
pub use lods::LodsHandle;
pub use objects::ObjectsHandle;
pub use open::{label, open, open_all, open_entry, open_in, open_path, open_with, split_path};
pub use options::Options;
pub use rez::{DirectoryHandle, PictureHandle};
pub use table::{ArchiveHandle, TableHandle};
pub use view::ViewHandle;
