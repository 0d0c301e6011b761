//! What a packed main block is, by four readers.

use libdeflater::Decompressor;
use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::{
    TINFL_FLAG_COMPUTE_ADLER32, TINFL_FLAG_PARSE_ZLIB_HEADER, TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF,
};
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};
use worldview::wwd::unpack;
use worldview_corpus::deflate::{Inflated, adler32, inflate};
use worldview_corpus::wwd::HEADER_SIZE;

use super::LONGEST;

/// More than this does not come out of what is tried.
const MOST: usize = 1 << 20;

/// A zlib stream as the main block of a level: ours, `miniz_oxide`, libdeflate and the RFC written out must take and
/// refuse the same.
///
/// What is compared: whether exactly as many bytes come out as are announced, which they are, and where the stream ends.
/// Bytes behind the Adler-32 are nobody's. Ours must do what zlib does, always; the two others may take or refuse
/// streams that are [`odd`](Inflated::odd), and must see the same bytes in those that they take.
///
/// Few inputs have an Adler-32 that is right, so a stream whose blocks end is tried with that put right, too.
pub fn inflate_agree(data: &[u8]) {
    if data.len() > LONGEST {
        return;
    }
    let found = inflate(data, MOST);
    agree(data, &found);
    if let Some(at) = found.sum_at.filter(|_| found.wrong.is_some()) {
        let mut stream = data.to_vec();
        stream.resize(stream.len().max(at + 4), 0);
        stream[at..at + 4].copy_from_slice(&adler32(&found.bytes).to_be_bytes());
        agree(&stream, &inflate(&stream, MOST));
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

/// A level of this main block, without planes.
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
    // Compiled for a fuzzer it lets any sum pass.
    let is_right = stream.get(taken.saturating_sub(4)..taken) == Some(&adler32(&out[..made]).to_be_bytes());
    (status == TINFLStatus::Done && is_right && made == announced).then_some(out)
}

fn libdeflate(stream: &[u8], announced: usize) -> Option<Vec<u8>> {
    let mut out = vec![0; announced];
    let made = Decompressor::new().zlib_decompress(stream, &mut out).ok()?;
    (made == announced).then_some(out)
}
