//! The cells of a layer, in each of Tiled's encodings.

use std::io::{self, Read};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::bufread::{GzDecoder, ZlibDecoder};
use worldview_core::Path;

use super::saved::Data;
use worldview_core::quote;
use worldview_edit::{EditError, Result};

/// Decodes cells, of which there must be as many as the layer declares.
pub(super) fn decode(data: &Data, encoding: &str, compression: &str, count: usize, path: &Path) -> Result<Vec<u32>> {
    let wrong = |why: String| EditError::wrong(path, why);
    let gids = match (data, encoding) {
        (Data::Gids(gids), _) => gids.clone(),
        (Data::Text(text), "csv") => {
            let numbers = text.split(',').map(str::trim).filter(|number| !number.is_empty());
            let gids: std::result::Result<Vec<u32>, _> = numbers.map(str::parse).collect();
            gids.map_err(|error| wrong(format!("the cells of the layer are not numbers: {error}")))?
        }
        (Data::Text(text), "base64") => {
            let text: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
            let stored = STANDARD.decode(&text);
            let stored = stored.map_err(|error| wrong(format!("the cells of the layer are not base64: {error}")))?;
            let bytes = inflate(&stored, compression, count.saturating_mul(4));
            let bytes = bytes.map_err(|error| wrong(format!("the cells of the layer do not decompress: {error}")))?;
            let (words, rest) = bytes.as_chunks();
            if !rest.is_empty() {
                return Err(wrong("the cells of the layer end inside a cell".to_owned()));
            }
            words.iter().map(|&word| u32::from_le_bytes(word)).collect()
        }
        (Data::Text(_), other) => {
            return Err(wrong(format!("the cells of the layer have the unknown encoding {}", quote(other))));
        }
    };
    if gids.len() == count {
        return Ok(gids);
    }
    Err(wrong(format!("the layer declares {count} cells and has {}", gids.len())))
}

/// Decompresses at most one byte more than expected, so that a small map can't take much memory.
fn inflate(stored: &[u8], compression: &str, len: usize) -> io::Result<Vec<u8>> {
    let limit = u64::try_from(len).unwrap_or(u64::MAX).saturating_add(1);
    let mut bytes = Vec::new();
    let rest = match compression {
        "" => return Ok(stored.to_vec()),
        "zlib" => {
            let mut decoder = ZlibDecoder::new(stored);
            decoder.by_ref().take(limit).read_to_end(&mut bytes)?;
            decoder.into_inner()
        }
        "gzip" => {
            let mut decoder = GzDecoder::new(stored);
            decoder.by_ref().take(limit).read_to_end(&mut bytes)?;
            decoder.into_inner()
        }
        "zstd" => {
            let mut decoder = ruzstd::decoding::StreamingDecoder::new(stored).map_err(io::Error::other)?;
            decoder.by_ref().take(limit).read_to_end(&mut bytes)?;
            decoder.into_inner()
        }
        other => return Err(io::Error::other(format!("unknown compression {}", quote(other)))),
    };
    if bytes.len() <= len && !rest.is_empty() {
        return Err(io::Error::other("there are more bytes after their end"));
    }
    Ok(bytes)
}
