//! REZ archives and PID, PCX, BMP and PAL pictures of the WAP32 engine (Claw, Gruntz, Get Medieval) as zero-copy views.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let file = include_bytes!("../../../samples/harbour.rez");
//! use worldview_rez::{Rez, Picture};
//!
//! let archive = Rez::parse(file)?; // every range is checked here, none later
//! let tiles = archive.directory("LEVEL1/TILES/ACTION").ok_or("no such directory")?;
//! for file in tiles.files() {
//!     let Some(picture) = Picture::of_file(&file) else { continue };
//!     let picture = picture?;
//!     println!("{}: {} x {} pixels", file.path(), picture.width(), picture.height());
//! }
//! # Ok(())
//! # }
//! ```
//!
//! - [`Rez`], [`Directory`], [`File`]: the directory tree in place, and lookup by path ignoring case.
//! - [`Pid`], [`Pcx`], [`Bmp`], [`Palette`]: pictures; [`Picture`] is any of them. Pixels are decoded into memory of the caller,
//!   and palette indices stay indices.
//! - [`Registry`]: which picture the engine shows for an image set and a frame number.
//! - [`check_archive`], [`check_picture`]: everything worth knowing or mending, as [`Finding`]s.
//! - [`edit`]: pixels as pictures store them.
//! - [`raw`]: the structures as they lie in the file.
//!
//! All numbers are little-endian on every platform; offsets count from the first byte of the archive, and in errors and
//! findings from that of the outermost file; names are bytes, ASCII in every known archive. [`mod@format`]
//! describes the formats.
#![forbid(unsafe_code)]

mod archive;
mod bmp;
mod check;
mod describe;
mod dimensions;
pub mod edit;
mod finding;
pub mod flags;
mod labels;
mod palette;
mod pcx;
mod picture;
mod pid;
pub mod raw;
mod registry;
mod runs;

pub use archive::{Directory, DirectoryEntry, Entries, EntryPath, Extension, File, Files, Rez, split_name};
pub use bmp::Bmp;
pub use check::{check_archive, check_picture};
pub use describe::{DescribeFile, RezDescription};
pub use finding::{Finding, FindingKind};
pub use pcx::Pcx;
pub use picture::{Picture, PictureKind};
pub use pid::{ColorKey, Pid, PidDecoding};
pub use raw::Palette;
pub use registry::{ImageSet, Registry, frame_number};
pub use runs::{Run, Runs, Tokens};
pub use worldview_core::{Error, ErrorKind, Limit, OffsetBase, Path, Place, PlacePart, Result, Severity, Source};

/// The format, byte by byte, with the evidence for each statement.
#[doc = include_str!("../FORMAT.md")]
#[allow(rustdoc::broken_intra_doc_links, reason = "the page has types such as `u8[3]`, which are no links")]
pub mod format {}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
