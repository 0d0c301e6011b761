//! Tables with embedded field names, like those of XIII-2 and Lightning Returns.
//!
//! The digest is the wrapping sum of every field of every record: integers as 32 bits, sign-extended if signed; the
//! bits of floats; the two words of a `u64`; and the length of a string, or 0 if there is none. So a reader parses the
//! directory, `!structitem` and the types of the words, plans the bit fields, and then reads the records.
//!
//! `checked` and `binrw` share a short planner (`plan.rs`), since no library supports such fields.

use super::Reader;

#[cfg(feature = "readers")]
mod binrw;
pub mod checked;
pub mod ff13;
pub mod naive;
pub mod ours;
mod plan;

/// All readers of tables, by name.
pub const ALL: &[(&str, Reader)] = &[
    ("worldview", ours::by_columns),
    ("worldview, by rows", ours::by_rows),
    ("check per element", checked::digest),
    ("naive reader", naive::digest),
    #[cfg(feature = "readers")]
    ("binrw", binrw::digest),
];

/// A way of reading one field of all records: from the bytes of a file and the field's name to its part of the digest.
pub type ColumnReader = fn(&[u8], &str) -> Option<u32>;

/// All readers of columns, by name.
pub const COLUMN: &[(&str, ColumnReader)] = &[
    ("worldview", ours::column),
    ("check per element", checked::column),
    ("naive reader", naive::column),
    #[cfg(feature = "readers")]
    ("binrw", binrw::column),
];
