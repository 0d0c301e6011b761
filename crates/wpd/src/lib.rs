//! WPD archives and WDB tables of Final Fantasy XIII, XIII-2 and Lightning Returns as zero-copy views.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let file: &[u8] = include_bytes!("../../../samples/items.wdb");
//! use worldview_wpd::Table;
//!
//! let table = Table::parse(file)?; // checks every range once
//! for row in table.rows() {
//!     for (field, value) in row.values() {
//!         println!("{} {} {value:?}", row.name().escape_ascii(), field.name().escape_ascii());
//!     }
//! }
//! // A column checks the name and type once, and then reads every record.
//! let prices = table.column::<u32>("uPurchasePrice")?;
//! let dearest = prices.iter().max();
//! let apple = table.by_name("apple_dried"); // binary search, no allocation
//! # let _ = (dearest, apple);
//! # Ok(())
//! # }
//! ```
//!
//! - [`Archive`]: the entries in place, members by index and by name; [`Archive::recover`] for damaged headers,
//!   [`Nesting`] and [`Archive::locate`] for nested archives.
//! - [`Table`]: sections, field plan, rows; [`Table::column`] for one field of all records as plain values.
//! - [`Schemas`]: field names for the tables of XIII-1, which do not include any.
//! - [`check_archive`], [`check_table`]: checks that report [`Finding`]s.
//! - [`TableDescription`], [`ArchiveDescription`]: everything a file contains, for tools that know no format.
//! - [`raw`]: the structures as stored in the file.
//!
//! All numbers are big-endian on every platform. Offsets count from the first byte of the archive that contains them;
//! in errors and findings, they count from the first byte of the outermost file. Text is bytes, which are UTF-8 in
//! every known file. The repository's `docs/formats/wpd.md` describes the format.
#![forbid(unsafe_code)]

mod archive;
mod check;
mod column;
mod describe;
mod finding;
pub mod labels;
mod lookup;
mod nesting;
mod plan;
pub mod raw;
mod records;
mod refusal;
mod schema;
mod sections;
mod strings;
mod table;

pub use archive::{Archive, Member, Members};
pub use check::{check_archive, check_table};
pub use column::{Column, ColumnIter, ColumnType, Element, FieldError, Value};
pub use describe::{ArchiveDescription, TableDescription};
pub use finding::{Finding, FindingKind};
pub use nesting::{Nested, Nesting, Walk};
pub use plan::{Field, FieldKind, ValueType};
pub use refusal::{ArraysRefusal, MAX_WORDS, Refusal};
pub use schema::{Schema, SchemaError, Schemas};
pub use sections::{Generation, Sections, WordTypes, WordTypesIter};
pub use strings::{StringArray, StringArrayIter, StringArrays, StringArraysIter, Strings};
pub use table::{FieldNames, Row, Rows, Table, TableOptions};
pub use worldview_core::{Error, ErrorKind, Limit, Path, Place, PlacePart, Result, Severity, Source, Space};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
