//! The naive reader: one byte at a time, into vectors, straight from the format notes.

mod archive;
mod picture;

pub use crate::naive::NaiveError;
use crate::naive::{Result, byte, bytes_at, i32_at, text_at, u16_at, u32_at, wide};
pub use archive::{NaiveArchive, NaiveDirectory, NaiveEntry, NaiveFile, archive, lossy};
pub use picture::{NaivePicture, NaiveTransparency, bmp, palette, pcx, pid, rid};
