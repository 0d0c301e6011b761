//! What the naive readers share: errors, bytes one at a time, and a bound on what they copy.

use std::fmt;

/// The first error found: where, and what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NaiveError {
    /// Offset in the file, or in the image of a level.
    pub offset: u64,
    /// What is wrong. Starts with `budget` if the file would make the reader do too much work.
    pub what: String,
}

impl NaiveError {
    pub(crate) fn new(offset: u64, what: impl Into<String>) -> Self {
        Self { offset, what: what.into() }
    }

    /// Returns `true` if the file is not broken but would make the reader do too much work.
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

pub(crate) type Result<T> = std::result::Result<T, NaiveError>;

/// Limits how much parts that share bytes can make a reader copy.
pub(crate) struct Budget(pub(crate) u64);

impl Budget {
    pub(crate) fn spend(&mut self, offset: u64, amount: u64) -> Result<()> {
        let left = self.0.checked_sub(amount);
        self.0 = left.ok_or_else(|| NaiveError::new(offset, "budget: the same bytes belong to too many parts"))?;
        Ok(())
    }
}

/// Returns one byte, or an error that says how long the data is.
pub(crate) fn byte(bytes: &[u8], at: u64) -> Result<u8> {
    let found = usize::try_from(at).ok().and_then(|at| bytes.get(at));
    found.copied().ok_or_else(|| NaiveError::new(at, format!("ends after {} bytes", bytes.len())))
}

/// Reads a little-endian `u16`.
pub(crate) fn u16_at(bytes: &[u8], at: u64) -> Result<u16> {
    Ok(u16::from(byte(bytes, at)?) | u16::from(byte(bytes, at.saturating_add(1))?) << 8)
}

/// Reads a little-endian `u32`.
pub(crate) fn u32_at(bytes: &[u8], at: u64) -> Result<u32> {
    Ok(u32::from(u16_at(bytes, at)?) | u32::from(u16_at(bytes, at.saturating_add(2))?) << 16)
}

/// Reads a little-endian `i32`.
pub(crate) fn i32_at(bytes: &[u8], at: u64) -> Result<i32> {
    Ok(u32_at(bytes, at)?.cast_signed())
}

/// Returns `count` bytes; the vector grows only as bytes are read.
pub(crate) fn bytes_at(bytes: &[u8], at: u64, count: u64) -> Result<Vec<u8>> {
    (0..count).map(|i| byte(bytes, at.saturating_add(i))).collect()
}

/// Returns the bytes up to a NUL, which must be there, and the offset after it.
pub(crate) fn text_at(bytes: &[u8], mut at: u64) -> Result<(Vec<u8>, u64)> {
    let mut text = Vec::new();
    loop {
        let byte = byte(bytes, at)?;
        at = at.saturating_add(1);
        if byte == 0 {
            return Ok((text, at));
        }
        text.push(byte);
    }
}

/// Returns the bytes before the first NUL, or all bytes.
pub(crate) fn until_nul(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().copied().take_while(|&byte| byte != 0).collect()
}

/// Widens a length so that arithmetic on it does not overflow.
pub(crate) fn wide(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}
