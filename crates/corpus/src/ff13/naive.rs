//! A second reader of archives and tables: one byte at a time, owned results, no code shared with the real one.

use std::fmt;

use super::spec::Generation;

mod archive;
mod names;
mod strings;
mod table;

pub use archive::{archive, recover};
pub use table::table;

/// The first thing wrong: where in the file, and what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NaiveError {
    /// Offset in the file.
    pub offset: u64,
    /// What is wrong; it begins with `budget` when the file would make the reader copy too much.
    pub what: String,
}

/// An archive read whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NaiveArchive {
    /// The bytes 8 to 16 of the header.
    pub reserved: Vec<u8>,
    /// The members, in the order of the table.
    pub members: Vec<NaiveMember>,
    /// Members whose data is not inside the file; only a recovered archive has any.
    pub lost: Vec<usize>,
    /// Whether the header was of no use and the count comes from the first offset.
    pub recovered: bool,
}

/// One member of an archive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NaiveMember {
    /// The name, up to its NUL.
    pub name: Vec<u8>,
    /// The extension, up to its NUL.
    pub extension: Vec<u8>,
    /// Where the table says that the data begins.
    pub offset: u32,
    /// What the table says that its size is.
    pub size: u32,
    /// The data.
    pub data: Vec<u8>,
}

/// A table read whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NaiveTable {
    /// Which sections there are.
    pub generation: Generation,
    /// Name of the sheet, up to its NUL.
    pub sheet_name: Option<Vec<u8>>,
    /// The version word.
    pub version: Option<u32>,
    /// The number of fields as the file says it.
    pub field_count: Option<u32>,
    /// Type of each word.
    pub word_types: Vec<u32>,
    /// The words of `!!typelist` where it is not the type of the words.
    pub typelist: Option<Vec<u32>>,
    /// Where the names of the fields come from.
    pub names: NaiveNames,
    /// The fields.
    pub fields: Vec<NaiveField>,
    /// Bytes of a record.
    pub record_size: usize,
    /// The records, in the order of the archive.
    pub rows: Vec<NaiveRow>,
    /// The arrays of strings, one for each packed field of strings, or none at all.
    pub arrays: Vec<Vec<Option<Vec<u8>>>>,
}

/// Where the names of the fields come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NaiveNames {
    /// From the file.
    Embedded,
    /// From the caller.
    Schema,
    /// From the numbers of the words.
    Generated,
}

/// One field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NaiveField {
    /// Its name.
    pub name: Vec<u8>,
    /// The letter of its kind, unless all names are generated.
    pub letter: Option<u8>,
    /// Whether it takes a part of a word that may hold others too.
    pub packed: bool,
    /// The number of its word.
    pub word: usize,
    /// Its lowest bit.
    pub shift: u32,
    /// Its bits: 1 to 32, or 64.
    pub width: u32,
    /// What its values are.
    pub value: NaiveType,
    /// The number of its array of strings.
    pub array: Option<usize>,
}

/// What the values of a field are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NaiveType {
    /// Signed numbers.
    I32,
    /// Unsigned numbers.
    U32,
    /// Floats.
    F32,
    /// Unsigned numbers of two words.
    U64,
    /// Strings.
    Text,
}

/// One record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NaiveRow {
    /// Its name.
    pub name: Vec<u8>,
    /// A value for each field.
    pub values: Vec<NaiveValue>,
    /// Its bytes.
    pub data: Vec<u8>,
}

/// The value of a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NaiveValue {
    /// A signed number.
    I32(i32),
    /// An unsigned number.
    U32(u32),
    /// The bits of a float.
    F32(u32),
    /// An unsigned number of two words.
    U64(u64),
    /// A string, or `None` where the offset or index leads nowhere.
    Text(Option<Vec<u8>>),
}

impl NaiveError {
    fn new(offset: u64, what: impl Into<String>) -> Self {
        Self { offset, what: what.into() }
    }

    /// Whether the file is not wrong but would make the reader copy too much.
    pub fn is_budget(&self) -> bool {
        self.what.starts_with("budget")
    }
}

impl fmt::Display for NaiveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at offset {}", self.what, self.offset)
    }
}

impl std::error::Error for NaiveError {}

/// One byte, or an error that says where the bytes end.
fn byte(bytes: &[u8], at: u64) -> Result<u8, NaiveError> {
    let found = usize::try_from(at).ok().and_then(|at| bytes.get(at));
    found.copied().ok_or_else(|| NaiveError::new(at, format!("ends after {} bytes", bytes.len())))
}

/// Four bytes, the most significant first.
fn u32_at(bytes: &[u8], at: u64) -> Result<u32, NaiveError> {
    let mut value = 0;
    for i in 0..4 {
        value = value << 8 | u32::from(byte(bytes, at.saturating_add(i))?);
    }
    Ok(value)
}

/// `count` bytes; the list only grows by bytes that are there.
fn bytes_at(bytes: &[u8], at: u64, count: u64) -> Result<Vec<u8>, NaiveError> {
    let mut out = Vec::new();
    for i in 0..count {
        out.push(byte(bytes, at.saturating_add(i))?);
    }
    Ok(out)
}

/// The bytes before the first NUL, or all of them.
fn until_nul(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for &byte in bytes {
        if byte == 0 {
            break;
        }
        out.push(byte);
    }
    out
}

/// Bounds what members, records and strings that share their bytes can make the reader copy.
struct Budget {
    left: u64,
}

impl Budget {
    /// An owned value costs this besides the bytes that it holds.
    const VALUE: usize = 32;

    /// An honest table takes a few dozen bytes for each of its own once every cell is an owned value.
    fn new(file: &[u8]) -> Self {
        Self { left: wide(file.len()).saturating_mul(32).saturating_add(64 << 20) }
    }

    fn spend(&mut self, offset: u64, bytes: usize) -> Result<(), NaiveError> {
        let left = self.left.checked_sub(wide(bytes));
        self.left = left.ok_or_else(|| NaiveError::new(offset, "budget: the same bytes belong to too many parts"))?;
        Ok(())
    }
}

/// A length as a number that never overflows.
fn wide(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}
