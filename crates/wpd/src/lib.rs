//! WPD archives and WDB tables of Final Fantasy XIII, XIII-2 and Lightning Returns as zero-copy views.
#![forbid(unsafe_code)]

mod archive;
mod check;
mod column;
mod finding;
mod nesting;
mod plan;
pub mod raw;
mod schema;
mod sections;
mod strings;
mod table;

pub use archive::{Archive, Member};
pub use check::{check_archive, check_table};
pub use column::{Column, ColumnIter, ColumnType, Element, FieldError, Value};
pub use finding::{Finding, FindingKind};
pub use nesting::Nesting;
pub use plan::{Field, FieldKind, Refusal, ValueType};
pub use schema::{Schema, SchemaError, Schemas};
pub use sections::{Generation, MAX_WORDS, Sections, WordTypes};
pub use strings::{ArraysRefusal, StringArray, StringArrays, Strings};
pub use table::{Names, Row, Table, TableOptions};
pub use worldview_core::{Error, ErrorKind, Result};
