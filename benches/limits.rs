//! The limits: how long the machine takes for the minimum that a reader has to do, without any overhead.

pub mod rez;
#[cfg(feature = "clock")]
pub mod table;
pub mod world;

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use flate2::{Decompress, FlushDecompress, Status};

/// A read pass: the wrapping sum of all whole 64-bit words, which is the fastest way to touch every byte.
pub fn read_pass(bytes: &[u8]) -> u64 {
    let (words, _) = bytes.as_chunks::<8>();
    words.iter().fold(0, |sum, word| sum.wrapping_add(u64::from_le_bytes(*word)))
}

/// Opens a file, reads all of it into an existing buffer, and returns the number of bytes.
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

/// Calls `each` with every file below a folder, in any order.
pub fn walk(folder: &Path, each: &mut dyn FnMut(&Path)) {
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if entry.file_type().unwrap().is_dir() { walk(&path, each) } else { each(&path) }
    }
}

/// Calls `each` with every file below a folder and its bytes, in any order. They are read into `buffer`, which is larger than
/// any of the files.
pub fn walk_and_read(folder: &Path, buffer: &mut [u8], each: &mut dyn FnMut(&Path, &[u8])) {
    walk(folder, &mut |path| {
        let read = open_and_read(path, buffer).unwrap();
        each(path, buffer.get(..read).unwrap());
    });
}

/// Returns the sum of the sizes of all entries of an archive, which are after its header of 16 bytes.
pub fn entries(archive: &[u8]) -> u64 {
    let word = |bytes: &[u8], at: usize| {
        bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |word| u32::from_be_bytes(*word))
    };
    let entries = archive.get(16..).unwrap_or(&[]).as_chunks::<32>().0;
    entries.iter().take(word(archive, 4) as usize).map(|entry| u64::from(word(entry, 20))).sum()
}

/// Returns the sum of the field `i12Offset` of records of 16 bytes, which is in the low bits of their last word.
pub fn column_of_16(records: &[u8]) -> u32 {
    let records = records.as_chunks::<16>().0.iter();
    records
        .fold(0_i32, |sum, [.., a, b, c, d]| sum.wrapping_add(i32::from_be_bytes([*a, *b, *c, *d]) << 20 >> 20))
        .cast_unsigned()
}

/// Inflates a zlib stream into an existing buffer with the library's inflater. Returns `true` if the stream ended.
pub fn inflate(stream: &[u8], out: &mut [u8]) -> bool {
    Decompress::new(true)
        .decompress(stream, out, FlushDecompress::Finish)
        .is_ok_and(|status| status == Status::StreamEnd)
}

/// Inflates as much of a zlib stream as the buffer can hold. Returns the number of bytes.
pub fn inflate_some(stream: &[u8], out: &mut [u8]) -> u64 {
    let mut zlib = Decompress::new(true);
    match zlib.decompress(stream, out, FlushDecompress::None) {
        Ok(_) => zlib.total_out(),
        Err(_) => 0,
    }
}

/// Returns `len` bytes of `buffer` that start at a cache line. On some machines, the kernel's copy to any other address
/// takes several times as long from about 100 KiB on. `buffer` is a cache line longer.
pub fn in_lines(buffer: &mut [u8], len: usize) -> &mut [u8] {
    const LINE: usize = 64;
    let ahead = buffer.as_ptr().addr().wrapping_neg() % LINE;
    buffer.get_mut(ahead..ahead.saturating_add(len)).expect("the buffer is a cache line longer")
}

/// Returns a part of `buffer` with the size of `from`, half a page away from it modulo the page size.
///
/// If source and destination of a copy have the same offset within their pages, loads wait for unrelated stores, and
/// some machines' `memcpy` takes ten times as long. Neither a limit nor a reader should run into that by chance. `buffer` is a
/// page longer than `from`.
pub fn apart<'b, T>(from: &[u8], buffer: &'b mut [T]) -> &'b mut [T] {
    const PAGE: usize = 4096;
    let units = from.len() / size_of::<T>();
    let wanted = from.as_ptr().addr().wrapping_add(PAGE / 2);
    let ahead = wanted.wrapping_sub(buffer.as_ptr().addr()) % PAGE / size_of::<T>();
    buffer.get_mut(ahead..ahead.saturating_add(units)).expect("the buffer is a page longer")
}
