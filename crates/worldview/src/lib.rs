//! Reads the data files of three game families: FFXIII tables, Claw/Gruntz levels and LEGO Island models, as zero-copy
//! views of memory-mapped files.
//!
//! **Load. Unpack. Parse. Look.** Four steps, each of which returns a plain value; nothing is self-referential, and
//! nothing hides an allocation.
//!
//! ```
//! # #[cfg(all(feature = "map", feature = "wwd"))]
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use worldview::{Loader, wwd};
//!
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/harbour.wwd");
//! let load = Loader::read(); // to map large files, use `unsafe { Loader::mmap() }`
//! let file = load.open(path)?; // bytes
//! let image = wwd::unpack(&file)?; // borrowed if the file is plain, inflated if packed
//! let level = wwd::Level::parse(&image)?; // checks every part of fixed size once
//! for plane in level.planes() {
//!     println!("{}: {} tiles", plane.name().escape_ascii(), plane.tiles().len());
//! }
//! # Ok(())
//! # }
//! # #[cfg(not(all(feature = "map", feature = "wwd")))]
//! # fn main() {}
//! ```
//!
//! `Handle` opens a file of unknown kind and owns its bytes: it is `Send + Sync + 'static`, cheap to clone, and lends its view.
//!
//! ```
//! # #[cfg(all(feature = "owned", feature = "wpd", feature = "wwd"))]
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use worldview::{Asset, Handle};
//!
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/items.wdb");
//! let file = Handle::open(path)?; // `Handle::load` takes a loader, which may map the file
//! match file.asset() {
//!     Asset::Table(table) => println!("{} records", table.len()),
//!     Asset::Level(level, _) => println!("{} planes", level.planes().len()),
//!     _ => println!("a {}", file.kind()),
//! }
//! # Ok(())
//! # }
//! # #[cfg(not(all(feature = "owned", feature = "wpd", feature = "wwd")))]
//! # fn main() {}
//! ```
//!
//! If another program truncates a mapped file, the missing part reads as zeros if the `guard` is installed; otherwise
//! the process is killed. So `Loader::mmap` is unsafe, and `Handle::open` reads.
//!
//! `open` is the same door for loops, which borrow the bytes and reuse memory for the next file. Either way, `Options` say
//! whether to recover archives whose header was overwritten, and whether to open as much as possible of a damaged file and report what
//! is left out. `Walk` opens everything that is nested in an archive:
//!
//! ```
//! # #[cfg(all(feature = "map", feature = "wpd"))]
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use worldview::{Asset, Loader, Options, Walk, open};
//!
//! # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples");
//! let file = Loader::read().open(format!("{folder}/wdbpack.bin"))?;
//! let options = Options { recover: true, lossy: true, ..Options::new() };
//! let (mut image, mut nested) = (Vec::new(), Vec::new()); // for packed levels; reused for the next file
//! let archive = open(&file, "wdbpack.bin", &mut image, &options)?;
//! let mut walk = Walk::new(&archive.asset, archive.at, &options);
//! while let Some(found) = walk.next(&mut nested) {
//!     match &found.opened {
//!         Ok(part) => println!("{}: a {}, {} findings", found.names().join("/"), part.kind(), part.findings.len()),
//!         Err(failed) => eprintln!("{}: {}", found.names().join("/"), failed.error),
//!     }
//! }
//! # Ok(())
//! # }
//! # #[cfg(not(all(feature = "map", feature = "wpd")))]
//! # fn main() {}
//! ```
//!
//! This crate re-exports the format crates, each behind a feature, and adds what tools need to handle files of unknown
//! kind: [`Format::sniff`], [`Container`] for files that must be unpacked first, `open`, `Handle` and `Asset` for all formats,
//! `bulk` to process whole folders on many threads, and `parallel` for the independent parts of one file.
//!
//! `export` writes what a file contains in other formats, and `edit` changes the file itself:
//!
//! ```
//! # #[cfg(all(feature = "edit", feature = "export", feature = "wpd"))]
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use worldview::edit::{self, Change, Changes};
//! use worldview::export::table::{Selection, csv};
//! use worldview::{Format, wpd::Table};
//!
//! # let file: &[u8] = include_bytes!("../../../samples/items.wdb");
//! let mut sheet = Vec::new();
//! csv::records(&Table::parse(file)?, &Selection::default(), &mut sheet)?;
//!
//! let changes = Changes::from_iter([Change::set("apple_dried/uPurchasePrice".parse()?, 12_u32)]);
//! let edited = edit::apply(Format::Wpd, file, &changes, &edit::FileOptions::default())?.to_vec();
//! assert_eq!(edited.len(), file.len());
//! # Ok(())
//! # }
//! # #[cfg(not(all(feature = "edit", feature = "export", feature = "wpd")))]
//! # fn main() {}
//! ```
//!
//! # What may change
//!
//! The structures in the modules `raw` of the format crates follow what is known of the formats. A minor version may split or rename
//! a field whose meaning was unknown, such as `reserved_2d8`, so read what you need by the methods of the views, which stay. New
//! findings, codes, formats and fields of descriptions may come with any version: the enums are `#[non_exhaustive]`. Everything else
//! follows semantic versioning, checked by `cargo semver-checks`.
//!
//! Types of two other libraries are part of the interface: raw structures implement the traits of `zerocopy` 0.8, and the modules
//! behind the feature `arrow` take and return the types of `arrow-array` 60. A new major version of either is one of this library.
//!
//! # Features
//!
//! The first eight features are enabled by default. Formats and the rest can be combined in any way: with `wwd` and `owned` alone,
//! levels are opened, and any other file is [`OpenError::Disabled`].
//!
//! - `wpd`, `wwd`, `rez`, `island`: the formats
//! - `map`: opening files
//! - `owned`: `Handle`
//! - `bulk`: folders, and `parallel`
//! - `code-pages`: all code pages of the Encoding Standard; without them there are Windows-1252, Windows-1250 and UTF-8
//! - `inspect`: text, search and comparison
//! - `json`: the same as JSON and `serde::Serialize`, and `facts` about files
//! - `guard`: a handler for mapped files that shrink
//! - `edit`: edits of files
//! - `export`: outputs of the enabled formats; with `game`, `arrow`, `parquet` and `xlsx` also those that need more libraries. With
//!   `arrow`, `bulk` has a stream of the rows of many files
//! - `outputs`: which outputs an opened file has, and what writes them; of levels, REZ archives and pictures with `game`
//! - `import`: changes from edited exports; it enables all formats
#![forbid(unsafe_code)]
#![cfg_attr(
    not(all(feature = "bulk", feature = "island", feature = "rez", feature = "wpd", feature = "wwd")),
    allow(
        clippy::only_used_in_recursion,
        clippy::ptr_arg,
        dead_code,
        unused_imports,
        unused_mut,
        unused_variables,
        reason = "each format needs its part of what they share"
    )
)]

#[cfg(any(feature = "island", feature = "rez", feature = "wpd", feature = "wwd"))]
mod asset;
#[cfg(all(feature = "bulk", any(feature = "island", feature = "rez", feature = "wpd", feature = "wwd")))]
pub mod bulk;
#[cfg(all(feature = "inspect", any(feature = "island", feature = "rez", feature = "wpd", feature = "wwd")))]
mod describe_asset;
#[cfg(feature = "bulk")]
mod engine;
#[cfg(any(feature = "island", feature = "rez", feature = "wpd", feature = "wwd"))]
mod entry;
#[cfg(all(feature = "json", any(feature = "island", feature = "rez", feature = "wpd", feature = "wwd")))]
pub mod facts;
#[cfg(all(feature = "owned", any(feature = "island", feature = "rez", feature = "wpd", feature = "wwd")))]
mod handle;
#[cfg(any(feature = "island", feature = "rez", feature = "wpd", feature = "wwd"))]
mod open;
#[cfg(any(feature = "island", feature = "rez", feature = "wpd", feature = "wwd"))]
mod open_error;
#[cfg(feature = "bulk")]
pub mod parallel;
#[cfg(any(feature = "island", feature = "rez", feature = "wpd", feature = "wwd"))]
mod walk;

#[cfg(feature = "wpd")]
pub use asset::SchemaNote;
#[cfg(any(feature = "island", feature = "rez", feature = "wpd", feature = "wwd"))]
pub use asset::{Asset, At, Failed, Findings, Opened};
#[cfg(any(feature = "island", feature = "rez", feature = "wpd", feature = "wwd"))]
pub use entry::{Entry, Trail};
#[cfg(all(feature = "owned", feature = "island"))]
pub use handle::OwnedLods;
#[cfg(all(feature = "owned", feature = "wwd"))]
pub use handle::OwnedObjects;
#[cfg(all(feature = "owned", any(feature = "island", feature = "rez", feature = "wpd", feature = "wwd")))]
pub use handle::{Failure, File, Handle, Note, Part, split_path, system_text};
#[cfg(any(feature = "island", feature = "rez", feature = "wpd", feature = "wwd"))]
pub use open::{Options, open, open_noting};
#[cfg(any(feature = "island", feature = "rez", feature = "wpd", feature = "wwd"))]
pub use open_error::OpenError;
#[cfg(any(feature = "island", feature = "rez", feature = "wpd", feature = "wwd"))]
pub use walk::{Found, Walk, Wanted};
pub use worldview_core::{
    AnyFinding, Budget, Cursor, Error, ErrorKind, FieldInfo, Finding, FindingCode, Limit, OffsetBase, OnProblem, Path,
    PathError, PathMark, Place, PlacePart, RecordField, Result, Segment, Severity, Source, Text, brief, describe,
    excerpt, printable, split_at_unescaped, zerocopy,
};
/// Edits files without loss: lists of changes, applied to the original bytes.
#[cfg(feature = "edit")]
pub use worldview_edit as edit;
/// Exports tables, levels and models as CSV, JSON, Arrow, Parquet, Tiled maps, PNG and GLB.
#[cfg(feature = "export")]
pub use worldview_export as export;
pub use worldview_format::{Container, Format, Kind};
/// Compares edited exports with the original, and returns the changes.
#[cfg(feature = "import")]
pub use worldview_import as import;
/// Prints, searches and compares files of any format as text or JSON, and decodes their texts.
#[cfg(feature = "inspect")]
pub use worldview_inspect as inspect;
#[cfg(feature = "island")]
pub use worldview_island as island;
#[cfg(feature = "guard")]
pub use worldview_map::guard;
#[cfg(feature = "map")]
pub use worldview_map::{Advice, Bytes, Loader, MAP_FROM, STREAM_LIMIT};
#[cfg(feature = "rez")]
pub use worldview_rez as rez;
#[cfg(feature = "wpd")]
pub use worldview_wpd as wpd;
#[cfg(feature = "wwd")]
pub use worldview_wwd as wwd;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
