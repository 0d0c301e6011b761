//! Tables with the names of their fields inside, as those of XIII-2 and Lightning Returns.
//!
//! The digest is the wrapping sum of every field of every record: numbers as 32 bits, signed ones with their sign
//! extended; the bits of floats; the two words of a `u64`; and of a string its length, or 0 where there is none. So a
//! reader goes through the directory, `!structitem` and the types of the words, plans the bit fields, and then reads
//! the records.
//!
//! The plan is the same few lines for all but ours and the naive reader (`plan.rs`), since no library knows of such
//! fields; the three peers fill one structure (`owned.rs`) that adds itself up.

use super::Reader;

mod binrw;
pub mod checked;
mod deku;
#[cfg(feature = "clock")]
pub mod ff13;
pub mod naive;
pub mod ours;
mod owned;
mod plan;
mod winnow;

/// All ways of reading a table, by name.
pub const ALL: &[(&str, Reader)] = &[
    ("worldview", ours::by_columns),
    ("worldview, by rows", ours::by_rows),
    ("check per element", checked::digest),
    ("naive reader", naive::digest),
    ("binrw", binrw::digest),
    ("winnow", winnow::digest),
    ("deku", deku::digest),
];

/// One way of reading one field of all records: from the bytes of a file and the field's name to its sum, as part of the
/// digest.
pub type ColumnReader = fn(&[u8], &str) -> Option<u32>;

/// All ways of reading a column, by name.
pub const COLUMN: &[(&str, ColumnReader)] = &[
    ("worldview", ours::column),
    ("check per element", checked::column),
    ("naive reader", naive::column),
    ("binrw", binrw::column),
    ("winnow", winnow::column),
    ("deku", deku::column),
];
