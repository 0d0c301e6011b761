//! Unpacks a file into its image.

use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::{
    TINFL_FLAG_COMPUTE_ADLER32, TINFL_FLAG_PARSE_ZLIB_HEADER, TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF,
};
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};

use super::{NaiveError, Result, find_trailer, read_header, unsigned};
use crate::wwd::HEADER_SIZE;

/// Maximum size of an image, so that no input exhausts the memory of a test machine.
const MAX_UNPACKED: u64 = 512 << 20;

/// The three parts of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NaiveFile {
    /// The header and the unpacked main block.
    pub image: Vec<u8>,
    /// The main block as stored in the file.
    pub stored: Vec<u8>,
    /// The bytes after the stored main block.
    pub trailing: Vec<u8>,
}

/// Splits a file into its parts; reads nothing but the header.
pub fn unpack(file: &[u8]) -> Result<NaiveFile> {
    let header = read_header(file)?;
    if unsigned(&header, "flags") & 2 == 0 {
        // The length of a raw main block is not stored. It extends to the end of the file, or to a trailer that can be
        // found from the end.
        let end = find_trailer(file).filter(|&at| at >= HEADER_SIZE).unwrap_or(file.len());
        let (image, trailing) = file.split_at(end);
        let stored = image[HEADER_SIZE..].to_vec();
        return Ok(NaiveFile { image: image.to_vec(), stored, trailing: trailing.to_vec() });
    }
    let (header_bytes, rest) = file.split_at(HEADER_SIZE);
    let (block, used) = inflate(rest, unsigned(&header, "main_block_length"))?;
    let (stored, trailing) = rest.split_at(used);
    Ok(NaiveFile { image: [header_bytes, &block].concat(), stored: stored.to_vec(), trailing: trailing.to_vec() })
}

/// Computes Adler-32 as printed in section 8.2 of RFC 1950.
pub fn adler32(bytes: &[u8]) -> u32 {
    let (mut a, mut b) = (1_u32, 0_u32);
    for &byte in bytes {
        a = (a + u32::from(byte)) % 65_521;
        b = (b + a) % 65_521;
    }
    (b << 16) | a
}

/// Inflates a main block. Returns the output and the number of input bytes used.
fn inflate(packed: &[u8], declared: u32) -> Result<(Vec<u8>, usize)> {
    let start = 1524;
    if declared == 0 {
        return Err(NaiveError::new(start, "packed, but main_block_length is 0"));
    }
    // Deflate cannot expand data further than this.
    let ceiling = u64::try_from(packed.len()).unwrap_or(u64::MAX).saturating_mul(1032).saturating_add(64);
    let limit = ceiling.min(MAX_UNPACKED);
    let length = usize::try_from(declared).ok().filter(|_| u64::from(declared) <= limit);
    let Some(length) = length else {
        return Err(NaiveError::new(start, format!("main_block_length is {declared}, the limit {limit}")));
    };
    let mut out = vec![0; length];
    let flags = TINFL_FLAG_PARSE_ZLIB_HEADER | TINFL_FLAG_COMPUTE_ADLER32 | TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
    let (status, used, written) = decompress(&mut DecompressorOxide::new(), packed, &mut out, 0, flags);
    // Compiled for a fuzzer, the crate accepts any checksum.
    let sum_at = used.saturating_sub(4);
    let is_right = packed.get(sum_at..used) == Some(&adler32(&out[..written]).to_be_bytes());
    match status {
        TINFLStatus::Done if !is_right => Err(NaiveError::new(start, "zlib stream broken: another sum")),
        TINFLStatus::Done if written == length => Ok((out, used)),
        TINFLStatus::Done => Err(NaiveError::new(start, format!("unpacks to {written} bytes, not {length}"))),
        TINFLStatus::HasMoreOutput => Err(NaiveError::new(start, format!("unpacks to more than {length} bytes"))),
        other => Err(NaiveError::new(start, format!("zlib stream broken: {other:?}"))),
    }
}
