//! The limits: what the machine takes for the least that a reader has to do, with nothing around it.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use flate2::{Decompress, FlushDecompress, Status};

/// A read pass: the wrapping sum of all whole 64-bit words, the fastest thing that touches every byte.
pub fn read_pass(bytes: &[u8]) -> u64 {
    let (words, _) = bytes.as_chunks::<8>();
    words.iter().fold(0, |sum, word| sum.wrapping_add(u64::from_le_bytes(*word)))
}

/// Opens a file and reads it into a ready buffer until there is no more, and says how much that was.
///
/// # Errors
///
/// Those of opening and reading.
pub fn open_and_read(path: &Path, buffer: &mut [u8]) -> io::Result<usize> {
    let mut file = File::open(path)?;
    let mut len = 0_usize;
    loop {
        match file.read(buffer.get_mut(len..).unwrap_or(&mut []))? {
            0 => return Ok(len),
            read => len = len.saturating_add(read),
        }
    }
}

/// Inflates a zlib stream into a ready buffer, with the inflater that the library uses; says whether it came to its end.
pub fn inflate(stream: &[u8], out: &mut [u8]) -> bool {
    Decompress::new(true)
        .decompress(stream, out, FlushDecompress::Finish)
        .is_ok_and(|status| status == Status::StreamEnd)
}

/// Inflates as much of a zlib stream as the buffer holds.
pub fn inflate_some(stream: &[u8], out: &mut [u8]) -> u64 {
    let mut zlib = Decompress::new(true);
    match zlib.decompress(stream, out, FlushDecompress::None) {
        Ok(_) => zlib.total_out(),
        Err(_) => 0,
    }
}

/// A part of `buffer` of `len` bytes that begins with a cache line: the kernel's copy into any other place takes several times as
/// long on some machines, from some 100 KiB on.
///
/// # Panics
///
/// If `buffer` is not a line longer.
pub fn in_lines(buffer: &mut [u8], len: usize) -> &mut [u8] {
    const LINE: usize = 64;
    let ahead = buffer.as_ptr().addr().wrapping_neg() % LINE;
    buffer.get_mut(ahead..ahead.saturating_add(len)).expect("a line to spare")
}

/// A part of `buffer` as long as `from` wants and half a page away from it, as far as pages go.
///
/// Where source and destination of a copy lie at the same place of their pages, loads wait for stores that they have
/// nothing to do with, and some machines' `memcpy` takes ten times as long: neither limit nor reader shall meet that by chance.
///
/// # Panics
///
/// If `buffer` is not a page longer than `from`.
pub fn apart<'b, T>(from: &[u8], buffer: &'b mut [T]) -> &'b mut [T] {
    const PAGE: usize = 4096;
    let units = from.len() / size_of::<T>();
    let wanted = from.as_ptr().addr().wrapping_add(PAGE / 2);
    let ahead = wanted.wrapping_sub(buffer.as_ptr().addr()) % PAGE / size_of::<T>();
    buffer.get_mut(ahead..ahead.saturating_add(units)).expect("a page to spare")
}
