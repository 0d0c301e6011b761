//! Opens the data files of three game families in place, memory-mapped, as zero-copy views.
//!
//! **Load. Unpack. Parse. Look.** Four steps, each a plain value; nothing is self-referential, nothing hides an
//! allocation.
//!
//! ```
//! # #[cfg(all(feature = "map", feature = "wwd"))]
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use worldview::{Loader, wwd};
//!
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/harbour.wwd");
//! let load = Loader::read(); // `unsafe { Loader::mmap() }` makes the promise of mapping, once
//! let file = load.open(path)?; // bytes
//! let image = wwd::unpack(&file)?; // borrowed if stored plain, inflated once if not
//! let level = wwd::Level::parse(&image)?; // every fixed-size range is checked here, none later
//! for plane in level.planes() {
//!     println!("{}: {} tiles", plane.name().escape_ascii(), plane.tiles().len());
//! }
//! # Ok(())
//! # }
//! # #[cfg(not(all(feature = "map", feature = "wwd")))]
//! # fn main() {}
//! ```
//!
//! This crate re-exports the format crates, a feature each, and adds what tools need that meet files of unknown
//! kind: [`Format::sniff`], [`Container`] for what must be unpacked first, `Asset` and `Opener` over all formats, `bulk`,
//! which works on whole folders side by side, and `parallel`, which does so on the independent parts of one file.
#![forbid(unsafe_code)]

#[cfg(all(feature = "island", feature = "wpd", feature = "wwd"))]
mod asset;
#[cfg(feature = "bulk")]
pub mod bulk;
mod container;
mod format;
#[cfg(feature = "bulk")]
pub mod parallel;

#[cfg(all(feature = "island", feature = "wpd", feature = "wwd"))]
pub use asset::{Asset, OpenError, Opener};
pub use container::Container;
pub use format::Format;
pub use worldview_core::{
    Budget, Error, ErrorKind, Finding, Kind, Part, Path, PathError, Place, Result, Scope, Severity, Source, Space,
    Value, describe,
};
#[cfg(feature = "island")]
pub use worldview_island as island;
#[cfg(feature = "guard")]
pub use worldview_map::guard;
#[cfg(feature = "map")]
pub use worldview_map::{Bytes, Loader, MAP_FROM, STREAM_LIMIT};
#[cfg(feature = "wpd")]
pub use worldview_wpd as wpd;
#[cfg(feature = "wwd")]
pub use worldview_wwd as wwd;
