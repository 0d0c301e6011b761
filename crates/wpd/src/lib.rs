//! WPD archives and WDB tables of Final Fantasy XIII, XIII-2 and Lightning Returns as zero-copy views.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let file: &[u8] = include_bytes!("../../../samples/items.wdb");
//! use worldview_wpd::Table;
//!
//! let table = Table::parse(file)?; // every range is checked here, none later
//! for row in table.rows() {
//!     for (field, value) in row.values() {
//!         println!("{} {} {value:?}", row.name().escape_ascii(), field.name().escape_ascii());
//!     }
//! }
//! // A column is settled once, by name and type, and then runs over the records.
//! let prices = table.column::<u32>("uPurchasePrice")?;
//! let dearest = prices.iter().max();
//! let apple = table.by_name("apple_dried"); // binary search, no allocation
//! # let _ = (dearest, apple);
//! # Ok(())
//! # }
//! ```
//!
//! - [`Archive`]: the entries in place, members by number and by name; [`Archive::recover_in`] for damaged headers,
//!   [`Archive::parse_unverified`] for a few lookups in a large file, [`Nesting`] and [`Archive::locate`] for archives in archives.
//! - [`Table`]: sections, field plan, rows; [`Table::column`] for one field of all records as plain values.
//! - [`Schemas`]: field names for the tables of XIII-1, which have none of their own.
//! - [`check_archive`], [`check_table`]: everything worth knowing or mending, as [`Finding`]s.
//! - [`TableDescription`], [`ArchiveDescription`]: all that a file contains, for tools that know no format.
//! - [`edit`]: new files, and what edits write.
//! - [`raw`]: the structures as they lie in the file.
//!
//! All numbers are big-endian on every platform; offsets count from the first byte of the archive that they stand in,
//! and in errors and findings from that of the outermost file; text is bytes, UTF-8 in every known file. [`mod@format`]
//! describes the format.
#![forbid(unsafe_code)]

mod archive;
mod check;
mod column;
mod describe;
pub mod edit;
mod finding;
pub mod labels;
mod lookup;
mod nesting;
mod plan;
pub mod raw;
mod rebuild;
mod records;
mod refusal;
mod scan;
mod schema;
mod sections;
mod strings;
mod table;

pub use archive::{Archive, Member, Members};
pub use check::{check_archive, check_overwritten, check_table};
pub use column::{Column, ColumnIter, ColumnType, Element, FieldError, Value};
pub use describe::{ArchiveDescription, TableDescription};
pub use finding::{Finding, FindingKind};
pub use nesting::{Nested, NestedArchives, Nesting};
pub use plan::{Field, FieldKind, ValueType, is_field_name};
pub use rebuild::repair;
pub use refusal::{ArraysRefusal, MAX_WORDS, Refusal};
pub use schema::{Schema, SchemaError, Schemas};
pub use sections::{Generation, Sections, WordTypes, WordTypesIter};
pub use strings::{StringArray, StringArrayIter, StringArrays, StringArraysIter, Strings};
pub use table::{NameOrigin, Row, Rows, Table, TableOptions};
pub use worldview_core::{Error, ErrorKind, Limit, OffsetBase, Path, Place, PlacePart, Result, Severity, Source};

/// The format, byte by byte, with the evidence for each statement.
#[doc = include_str!("../FORMAT.md")]
#[allow(rustdoc::broken_intra_doc_links, reason = "the page has types such as `u8[3]`, which are no links")]
pub mod format {}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
