//! Opens files as bytes. Small files are read, large ones memory-mapped.
//!
//! ```
//! use worldview_map::Loader;
//!
//! # fn main() -> std::io::Result<()> {
//! let load = Loader::read(); // safe; to map large files, use `unsafe { Loader::mmap() }`
//! # let dir = tempfile::tempdir()?;
//! # let path = dir.path().join("level.wwd");
//! # std::fs::write(&path, b"level")?;
//! let file = load.open(path)?;
//! assert_eq!(&file[..], b"level");
//! # Ok(())
//! # }
//! ```
//!
//! This crate has nearly all unsafe code of worldview's libraries: the mapping call, behind the promise that callers of
//! [`Loader::mmap`] make once, and with the feature `guard` a handler that keeps the process alive when a mapped file
//! shrinks.

mod bytes;
#[cfg(feature = "guard")]
pub mod guard;
mod loader;
mod origin;

pub use bytes::{Advice, Bytes};
pub use loader::{Loader, MAP_FROM, STREAM_LIMIT};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
