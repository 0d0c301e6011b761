//! A second reader for archives and tables: reads one byte at a time, returns owned values, and shares no code with the
//! real reader.

use super::spec::Generation;

mod archive;
mod names;
mod strings;
mod table;

pub use crate::naive::NaiveError;
use crate::naive::{Budget, Result, byte, bytes_at, until_nul, wide};
pub use archive::{archive, recover};
pub use table::table;

/// A fully parsed archive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NaiveArchive {
    /// Bytes 8 to 16 of the header.
    pub reserved: Vec<u8>,
    /// The members, in the order of the entries.
    pub members: Vec<NaiveMember>,
    /// Indices of members whose data is outside the file; empty unless the archive was recovered.
    pub lost: Vec<usize>,
    /// Whether the header was unusable, so that the count was derived from the first offset.
    pub recovered: bool,
}

/// A member of an archive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NaiveMember {
    /// Name, up to its NUL.
    pub name: Vec<u8>,
    /// Extension, up to its NUL.
    pub extension: Vec<u8>,
    /// What follows the NULs of the name and the extension, without zeros at the end.
    pub tails: [Vec<u8>; 2],
    /// Stored offset of the data.
    pub offset: u32,
    /// Stored size of the data.
    pub size: u32,
    /// The data.
    pub data: Vec<u8>,
}

/// A fully parsed table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NaiveTable {
    /// Which sections the table has.
    pub generation: Generation,
    /// Name of the sheet, up to its NUL.
    pub sheet_name: Option<Vec<u8>>,
    /// The version word.
    pub version: Option<u32>,
    /// The stored number of fields.
    pub field_count: Option<u32>,
    /// Type of each word.
    pub word_types: Vec<u32>,
    /// The words of `!!typelist`, if that section does not hold the word types.
    pub typelist: Option<Vec<u32>>,
    /// Source of the field names.
    pub names: NaiveNames,
    /// The fields.
    pub fields: Vec<NaiveField>,
    /// Record size in bytes.
    pub record_size: usize,
    /// The records, in the order of the archive.
    pub rows: Vec<NaiveRow>,
    /// The string arrays, one for each packed string field, or empty if there are none.
    pub arrays: Vec<Vec<Option<Vec<u8>>>>,
}

/// Source of the field names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NaiveNames {
    /// Stored in the file.
    Embedded,
    /// Passed by the caller.
    Schema,
    /// Generated from the word numbers.
    Generated,
}

/// A field of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NaiveField {
    /// Name.
    pub name: Vec<u8>,
    /// The letter of its kind, unless all names are generated.
    pub letter: Option<u8>,
    /// Whether it occupies part of a word that other fields may share.
    pub packed: bool,
    /// Index of its word.
    pub word: usize,
    /// Lowest bit.
    pub shift: u32,
    /// Width in bits: 1 to 32, or 64.
    pub width: u32,
    /// Type of its values.
    pub value: NaiveType,
    /// Index of its string array.
    pub array: Option<usize>,
}

/// The type of a field's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NaiveType {
    /// Signed integers.
    I32,
    /// Unsigned integers.
    U32,
    /// Floats.
    F32,
    /// Unsigned integers of two words.
    U64,
    /// Strings.
    Text,
}

/// A record of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NaiveRow {
    /// Name.
    pub name: Vec<u8>,
    /// Extension, up to its NUL; empty in known tables.
    pub extension: Vec<u8>,
    /// What follows the NULs of the name and the extension, without zeros at the end.
    pub tails: [Vec<u8>; 2],
    /// One value per field.
    pub values: Vec<NaiveValue>,
    /// The bytes of the record.
    pub data: Vec<u8>,
}

/// The value of a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NaiveValue {
    /// A signed integer.
    I32(i32),
    /// An unsigned integer.
    U32(u32),
    /// The bits of a float.
    F32(u32),
    /// An unsigned integer of two words.
    U64(u64),
    /// A string, or `None` if the offset or index is out of range.
    Text(Option<Vec<u8>>),
}

/// Reads a big-endian `u32`.
fn u32_at(bytes: &[u8], at: u64) -> Result<u32> {
    let mut value = 0;
    for i in 0..4 {
        value = value << 8 | u32::from(byte(bytes, at.saturating_add(i))?);
    }
    Ok(value)
}

/// The bytes after the first NUL, without zeros at the end.
fn after_nul(bytes: &[u8]) -> Vec<u8> {
    let mut tail: Vec<u8> = bytes.iter().skip_while(|&&byte| byte != 0).copied().collect();
    while tail.last() == Some(&0) {
        tail.pop();
    }
    tail.into_iter().skip(1).collect()
}

/// Charged for every owned value in addition to its bytes.
const VALUE: u64 = 32;

/// Creates a budget for a file. A well-formed table needs a few dozen bytes per byte of the file once every cell is an owned
/// value.
fn budget(file: &[u8]) -> Budget {
    Budget(wide(file.len()).saturating_mul(32).saturating_add(64 << 20))
}
