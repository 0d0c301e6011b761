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
//! Files of unknown kind go through `Opener`, which is how the `worldview` command opens its files too. It recovers
//! archives whose header was overwritten, opens what can be opened of a damaged file, and reports what it left out:
//!
//! ```
//! # #[cfg(all(feature = "island", feature = "map", feature = "wpd", feature = "wwd"))]
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use worldview::{Asset, Findings, Loader, Opener};
//!
//! # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples");
//! let file = Loader::read().open(format!("{folder}/wdbpack.bin"))?;
//! let mut scratch = Vec::new(); // for packed levels, and used again for the next file
//! let opener = Opener::new().recover(true).lossy(true);
//! opener.open(&file, "wdbpack.bin", &mut scratch, &mut |opened| match opened {
//!     Ok(part) => {
//!         match part.asset {
//!             Asset::Table(table) => println!("{}: {} records", part.inside(), table.len()),
//!             Asset::Archive(archive) => println!("{}: {} members", part.inside(), archive.entries().len()),
//!             other => println!("{}: a {}", part.inside(), other.kind()),
//!         }
//!         if let Findings::Archive(findings) = part.findings {
//!             findings.iter().for_each(|finding| println!("  {finding}"));
//!         }
//!     }
//!     Err(failed) => eprintln!("{}: {}", failed.inside(), failed.error),
//! });
//! # Ok(())
//! # }
//! # #[cfg(not(all(feature = "island", feature = "map", feature = "wpd", feature = "wwd")))]
//! # fn main() {}
//! ```
//!
//! This crate re-exports the format crates, a feature each, and adds what tools need that meet files of unknown
//! kind: [`Format::sniff`], [`Container`] for what must be unpacked first, `Opener` and `Asset` over all formats, `bulk`
//! for whole folders on many threads, and `parallel` for the independent parts of one file.
//!
//! Features, the first five on by default: `wpd`, `wwd` and `island`, the formats; `map`, opening files; `bulk`, folders and `parallel`; `inspect`, text, search,
//! comparison and code pages; `json`, the same as JSON and `serde::Serialize`; `guard`, a handler for mapped files that shrink.
#![forbid(unsafe_code)]

#[cfg(all(feature = "island", feature = "wpd", feature = "wwd"))]
mod asset;
#[cfg(feature = "bulk")]
pub mod bulk;
mod container;
#[cfg(feature = "bulk")]
mod engine;
mod format;
#[cfg(all(feature = "island", feature = "wpd", feature = "wwd"))]
mod open_error;
#[cfg(all(feature = "island", feature = "wpd", feature = "wwd"))]
mod opener;
#[cfg(feature = "bulk")]
pub mod parallel;

#[cfg(all(feature = "island", feature = "wpd", feature = "wwd"))]
pub use asset::{Asset, Failed, Findings, Opened, SchemaNote};
pub use container::Container;
pub use format::Format;
#[cfg(all(feature = "island", feature = "wpd", feature = "wwd"))]
pub use open_error::OpenError;
#[cfg(all(feature = "island", feature = "wpd", feature = "wwd"))]
pub use opener::Opener;
pub use worldview_core::{
    Budget, Cursor, Error, ErrorKind, Finding, Kind, Limit, Path, PathError, PathMark, Place, PlacePart, RecordField,
    RecordValue, Recover, Result, Segment, Severity, Source, Space, Text, describe, split_at_unescaped, zerocopy,
};
/// Text, JSON, search and comparison of any file, and a decoder for its texts.
#[cfg(feature = "inspect")]
pub use worldview_inspect as inspect;
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

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

// The README of the repository is in no package, and neither are its tests.
#[cfg(all(doctest, feature = "map", feature = "wpd", feature = "wwd", feature = "island"))]
#[doc = include_str!("../../../README.md")]
struct RepositoryReadme;
