//! The naive reader: one byte at a time, into vectors, straight from the format notes.

mod archive;
mod picture;

pub use archive::{NaiveArchive, NaiveDirectory, NaiveEntry, NaiveFile, archive, lossy};
pub use picture::{NaivePicture, NaiveTransparency, bmp, palette, pcx, pid, rid};

/// Why a file cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NaiveError {
    /// Offset of the byte or field that is wrong.
    pub at: u64,
    /// The reason.
    pub why: String,
}

impl NaiveError {
    fn new(at: u64, why: impl Into<String>) -> Self {
        Self { at, why: why.into() }
    }
}

type Result<T> = std::result::Result<T, NaiveError>;

fn byte(bytes: &[u8], at: u64) -> Result<u8> {
    let found = usize::try_from(at).ok().and_then(|at| bytes.get(at)).copied();
    found.ok_or_else(|| NaiveError::new(at, "past the end of the file"))
}

fn u16_at(bytes: &[u8], at: u64) -> Result<u16> {
    Ok(u16::from(byte(bytes, at)?) | u16::from(byte(bytes, at + 1)?) << 8)
}

fn u32_at(bytes: &[u8], at: u64) -> Result<u32> {
    Ok(u32::from(u16_at(bytes, at)?) | u32::from(u16_at(bytes, at + 2)?) << 16)
}

fn i32_at(bytes: &[u8], at: u64) -> Result<i32> {
    Ok(u32_at(bytes, at)?.cast_signed())
}

fn bytes_at(bytes: &[u8], at: u64, count: u64) -> Result<Vec<u8>> {
    // The last byte first, so that a count from a file cannot make this long.
    if count > 0 {
        byte(bytes, at.saturating_add(count - 1))?;
    }
    (at..at + count).map(|at| byte(bytes, at)).collect()
}

fn wide(len: usize) -> u64 {
    len as u64
}
