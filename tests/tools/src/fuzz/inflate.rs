//! Compares three inflaters on packed main blocks.

use libdeflater::Decompressor;
use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};
use worldview::wwd::unpack;
use worldview_corpus::wwd::HEADER_SIZE;
use worldview_corpus::wwd::naive::{self, adler32};

use worldview_readers::MAX_LEN;

/// Maximum number of inflated bytes in these tests.
const MAX: usize = 1 << 20;

/// Treats the input as the zlib stream of a level's main block. Our inflater and `miniz_oxide`, with which the naive reader
/// inflates, must accept and reject the same streams: where the RFC does not say whether a stream is broken, both follow
/// zlib, which the games embed. What they accept, libdeflate must accept; it also takes codes that zlib rejects.
///
/// The comparison covers whether the output has exactly the announced length, the output itself, and where the stream
/// ends. Bytes after the Adler-32 are ignored.
///
/// Few inputs have a correct Adler-32, so a stream whose blocks are complete is also tried with a corrected one.
pub fn inflate_agree(data: &[u8]) {
    if data.len() > MAX_LEN {
        return;
    }
    let (inflated, _) = blocks(data);
    agree(data, inflated.len());
    if let Some((stream, len)) = with_sum(data) {
        agree(&stream, len);
    }
}

/// Inflates the blocks of a stream. Returns the output up to the first error and, if the last block is complete, the
/// offset of the Adler-32.
fn blocks(stream: &[u8]) -> (Vec<u8>, Option<usize>) {
    let mut out = vec![0; MAX];
    let flags = TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
    let packed = stream.get(2..).unwrap_or_default();
    let (status, taken, made) = decompress(&mut DecompressorOxide::new(), packed, &mut out, 0, flags);
    out.truncate(made);
    (out, (status == TINFLStatus::Done).then_some(2 + taken))
}

/// Returns the stream with a correct Adler-32, and the length of its output, if its blocks are complete.
pub(super) fn with_sum(stream: &[u8]) -> Option<(Vec<u8>, usize)> {
    let (inflated, sum_at) = blocks(stream);
    let sum_at = sum_at?;
    let mut fixed = stream.to_vec();
    fixed.resize(fixed.len().max(sum_at + 4), 0);
    fixed[sum_at..sum_at + 4].copy_from_slice(&adler32(&inflated).to_be_bytes());
    Some((fixed, inflated.len()))
}

fn agree(stream: &[u8], len: usize) {
    for announced in [len, len + 1, len.saturating_sub(1), 1, 300] {
        if announced == 0 || announced > 1032 * stream.len() + 64 {
            continue;
        }
        let file = file(stream, announced);
        match (unpack(&file), naive::unpack(&file)) {
            (Ok(image), Ok(other)) => {
                let block = &image[HEADER_SIZE..];
                assert!(*block == other.image[HEADER_SIZE..], "{announced} bytes: miniz_oxide sees other bytes");
                assert_eq!(image.trailing(), other.trailing, "{announced} bytes: miniz_oxide sees another end");
                let third = libdeflate(stream, announced);
                assert!(third.as_deref() == Some(block), "{announced} bytes: libdeflate refuses, or sees other bytes");
            }
            (ours, other) => {
                let errors = (ours.map(drop), other.map(drop));
                assert!(matches!(errors, (Err(_), Err(_))), "{announced} bytes, ours and miniz_oxide: {errors:?}");
            }
        }
    }
}

/// Builds a level with this main block and no planes.
fn file(stream: &[u8], announced: usize) -> Vec<u8> {
    let mut file = vec![0; HEADER_SIZE];
    file[..4].copy_from_slice(&1524_u32.to_le_bytes());
    file[8] = 3;
    file[744..748].copy_from_slice(&u32::try_from(announced).unwrap_or(u32::MAX).to_le_bytes());
    file.extend(stream);
    file
}

fn libdeflate(stream: &[u8], announced: usize) -> Option<Vec<u8>> {
    let mut out = vec![0; announced];
    let made = Decompressor::new().zlib_decompress(stream, &mut out).ok()?;
    (made == announced).then_some(out)
}
