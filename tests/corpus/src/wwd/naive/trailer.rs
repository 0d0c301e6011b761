//! The trailer that WapMap appends.

use super::{NaiveError, Result};
use crate::naive::{byte, bytes_at, text_at, u32_at};
use crate::wwd::spec::TrailerBlockSpec;

/// A block of a trailer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NaiveBlock {
    /// The kind of block.
    pub id: u8,
    /// Offset of the block in the trailer.
    pub offset: u64,
    /// The bytes of the block.
    pub bytes: Vec<u8>,
    /// The decoded content.
    pub content: TrailerBlockSpec,
}

const OPEN: &[u8] = b"<wm_meta>";
const CLOSE: &[u8] = b"</wm_meta>";

/// Returns the offset of a trailer at the end of `bytes`, or `None`.
pub fn find_trailer(bytes: &[u8]) -> Option<usize> {
    let rest = bytes.strip_suffix(CLOSE)?;
    let size = u32_at(rest, u64::try_from(rest.len().checked_sub(4)?).ok()?).ok()?;
    let start = bytes.len().checked_sub(usize::try_from(size).ok()?)?;
    // The opening tag must end before the size word, so that no byte is part of both.
    let fits = start + OPEN.len() + 4 <= rest.len();
    (fits && bytes.get(start..)?.starts_with(OPEN)).then_some(start)
}

/// Parses the blocks of a trailer, given from its opening to its closing tag.
pub fn trailer(bytes: &[u8]) -> Result<Vec<NaiveBlock>> {
    let inner = bytes.strip_suffix(CLOSE).filter(|inner| inner.starts_with(OPEN));
    let Some(inner) = inner else {
        return Err(NaiveError::new(0, "no trailer between its tags"));
    };
    let mut blocks = Vec::new();
    let mut at = 9;
    while at < u64::try_from(inner.len()).unwrap_or(u64::MAX) {
        let id = byte(inner, at)?;
        let length = u32_at(inner, at + 1)?;
        let bytes = bytes_at(inner, at + 5, length.into())?;
        let content = content(id, &bytes).map_err(|error| NaiveError {
            offset: error.offset.saturating_add(at + 5),
            what: format!("block {id}: {}", error.what),
        })?;
        blocks.push(NaiveBlock { id, offset: at, bytes, content });
        at += 5 + u64::from(length);
    }
    Ok(blocks)
}

/// Decodes a block. A block may be longer than its known fields, but not shorter.
fn content(id: u8, bytes: &[u8]) -> Result<TrailerBlockSpec> {
    let at = std::cell::Cell::new(0);
    let word = || u32_at(bytes, at.replace(at.get() + 4));
    let text = || {
        let (text, next) = text_at(bytes, at.get())?;
        at.set(next);
        Ok(text)
    };
    Ok(match id {
        0 => TrailerBlockSpec::First(word()?),
        1 => TrailerBlockSpec::Last(word()?),
        2 => TrailerBlockSpec::Header {
            wapmap_build: word()?,
            wapmap_version: text()?,
            map_build: word()?,
            map_version: text()?,
            description: text()?,
        },
        3 => {
            let guide = |_| Ok((byte(bytes, at.replace(at.get() + 1))?, word()?));
            TrailerBlockSpec::Guides((0..word()?).map(guide).collect::<Result<_>>()?)
        }
        4 => {
            let place = |_| Ok((text()?, word()?, word()?));
            TrailerBlockSpec::Favourites((0..word()?).map(place).collect::<Result<_>>()?)
        }
        _ => TrailerBlockSpec::Other { id, bytes: bytes.to_vec() },
    })
}
