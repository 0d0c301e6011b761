//! Compares four inflaters on packed main blocks.

use libdeflater::Decompressor;
use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::{
    TINFL_FLAG_COMPUTE_ADLER32, TINFL_FLAG_PARSE_ZLIB_HEADER, TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF,
};
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};
use worldview::wwd::unpack;
use worldview_corpus::deflate::{Inflated, adler32, inflate};
use worldview_corpus::wwd::HEADER_SIZE;

use worldview_readers::MAX_LEN;

/// Maximum number of inflated bytes in these tests.
const MAX: usize = 1 << 20;

/// Treats the input as the zlib stream of a level's main block. Our inflater, `miniz_oxide`, libdeflate and the literal
/// implementation of the RFC must accept and reject the same streams.
///
/// The comparison covers whether the output has exactly the announced length, the output itself, and where the stream
/// ends. Bytes after the Adler-32 are ignored. Our inflater must always behave like zlib. The other two may accept or
/// reject [`odd`](Inflated::odd) streams, but must produce the same output for those they accept.
///
/// Few inputs have a correct Adler-32, so a stream whose blocks are complete is also tried with a corrected one.
pub fn inflate_agree(data: &[u8]) {
    if data.len() > MAX_LEN {
        return;
    }
    let found = inflate(data, MAX);
    agree(data, &found);
    if let Some(at) = found.sum_at.filter(|_| found.wrong.is_some()) {
        let mut stream = data.to_vec();
        stream.resize(stream.len().max(at + 4), 0);
        stream[at..at + 4].copy_from_slice(&adler32(&found.bytes).to_be_bytes());
        agree(&stream, &inflate(&stream, MAX));
    }
}

fn agree(stream: &[u8], found: &Inflated) {
    let len = found.bytes.len();
    for announced in [len, len + 1, len.saturating_sub(1), 1, 300] {
        if announced == 0 || announced > 1032 * stream.len() + 64 {
            continue;
        }
        let is_right = found.wrong.is_none() && announced == len;
        let why = || format!("{announced} bytes, {:?}", found.wrong);
        match unpack(&file(stream, announced)) {
            Ok(image) => {
                assert!(is_right, "only ours takes {}", why());
                assert!(image[HEADER_SIZE..] == found.bytes, "ours sees other bytes: {}", why());
                let end = found.sum_at.unwrap_or(0) + 4;
                assert_eq!(image.trailing(), &stream[end..], "ours sees another end: {}", why());
            }
            Err(error) => assert!(!is_right, "only ours refuses {}: {error}", why()),
        }
        for (name, other) in [("miniz_oxide", miniz(stream, announced)), ("libdeflate", libdeflate(stream, announced))]
        {
            match other {
                Some(bytes) => {
                    assert!(is_right || found.odd, "only {name} takes {}", why());
                    assert!(!is_right || bytes == found.bytes, "{name} sees other bytes: {}", why());
                }
                None => assert!(!is_right || found.odd, "only {name} refuses {}", why()),
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

fn miniz(stream: &[u8], announced: usize) -> Option<Vec<u8>> {
    let mut out = vec![0; announced];
    let flags = TINFL_FLAG_PARSE_ZLIB_HEADER | TINFL_FLAG_COMPUTE_ADLER32 | TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
    let (status, taken, made) = decompress(&mut DecompressorOxide::new(), stream, &mut out, 0, flags);
    // Compiled for a fuzzer, `miniz_oxide` accepts any checksum.
    let is_right = stream.get(taken.saturating_sub(4)..taken) == Some(&adler32(&out[..made]).to_be_bytes());
    (status == TINFLStatus::Done && is_right && made == announced).then_some(out)
}

fn libdeflate(stream: &[u8], announced: usize) -> Option<Vec<u8>> {
    let mut out = vec![0; announced];
    let made = Decompressor::new().zlib_decompress(stream, &mut out).ok()?;
    (made == announced).then_some(out)
}
