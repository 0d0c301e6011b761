//! WWD levels of the WAP32 engine (Claw, Gruntz, Get Medieval) as zero-copy views.
//!
//! ```
//! # fn main() -> worldview_core::Result<()> {
//! # let file: &[u8] = include_bytes!("../../../samples/harbour.wwd");
//! use worldview_wwd::{self as wwd, TileKind};
//!
//! let image = wwd::unpack(file)?; // borrowed if the file is plain, inflated if packed
//! let level = wwd::Level::parse(&image)?; // checks every part of fixed size once
//! for plane in level.planes() {
//!     let drawn = plane.tiles().iter().filter(|tile| tile.kind() != TileKind::Empty).count();
//!     println!("{}: {drawn} tiles", plane.name().escape_ascii());
//!     for object in plane.objects() {
//!         let object = object?; // objects vary in length; the iterator stops after its first error
//!         println!("  {} at {}, {}", object.logic.escape_ascii(), object.x, object.y);
//!     }
//! }
//! # Ok(())
//! # }
//! ```
//!
//! - [`unpack`], [`unpack_in`], [`Unpacker`]: turn a file into its image.
//! - [`Level`]: views of the image; [`Level::parse_lossy`] opens as much of a broken level as possible.
//! - [`outline`]: only the headers, for catalogs.
//! - [`checksum`]: which of the known rules the header's checksum satisfies.
//! - [`edit`]: main blocks of edited and new levels, packed, with their checksums.
//! - [`check`]: a full check that reports [`Finding`]s.
//! - [`raw`]: the structures as stored in the file.
//!
//! All integers are little-endian. All offsets count from byte 0 of the image. Text is bytes in a code page that the
//! file does not declare. [`mod@format`] describes the format.
#![forbid(unsafe_code)]

mod attributes;
mod check;
mod checksum;
mod describe;
pub mod edit;
mod finding;
pub mod flags;
mod game;
mod inflate;
mod key;
pub mod labels;
mod level;
mod list;
mod names;
mod object;
mod outline;
mod plane;
pub mod raw;
mod switches;
mod tile;
mod trailer;
mod unpack;

pub use attributes::{Attribute, Attributes};
pub use check::check;
pub use checksum::{Checksum, Rule, byte_sum, checksum};
pub use describe::{LevelDescription, describe_file};
pub use finding::{Finding, FindingKind, FoundTiles, ObjectNumbers};
pub use game::Game;
pub use key::ObjectKey;
pub use level::Level;
pub use object::{Metadata, Object, ObjectIter, Objects};
pub use outline::{Outline, outline};
pub use plane::{ImageSetIter, ImageSets, MAX_IMAGE_SET_NAME, Plane};
pub use switches::SwitchTile;
pub use tile::{Tile, TileKind};
pub use trailer::{Favourites, Guide, MapHeader, Orientation, Trailer, TrailerBlock, TrailerBlocks, TrailerContent};
pub use unpack::{Filled, Unpacked, Unpacker, unpack, unpack_in};
pub use worldview_core::{Error, ErrorKind, Limit, OffsetBase, Path, Place, PlacePart, Result, Severity, Source};

/// The format, byte by byte, with the evidence for each statement.
#[doc = include_str!("../FORMAT.md")]
#[allow(rustdoc::broken_intra_doc_links, reason = "the page has types such as `u8[3]`, which are no links")]
pub mod format {}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
