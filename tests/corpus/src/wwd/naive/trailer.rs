//! The trailer that WapMap appends.

use super::NaiveError;
use super::parts::{byte, bytes_at, u32_at};

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
    pub content: NaiveContent,
}

/// The decoded content of a trailer block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NaiveContent {
    /// Block 0: the size of the trailer.
    MetaInfo(u32),
    /// Block 1, the last one: the size of the trailer again.
    MetaEndInfo(u32),
    /// Block 2.
    Header {
        /// Build number of the editor.
        wapmap_build: u32,
        /// Version of the editor.
        wapmap_version: Vec<u8>,
        /// Build number of the map.
        map_build: u32,
        /// Version of the map.
        map_version: Vec<u8>,
        /// Free text.
        description: Vec<u8>,
    },
    /// Block 3: orientation and position of each guide.
    Guides(Vec<(u8, u32)>),
    /// Block 4: name, x and y of each bookmarked place.
    Favourites(Vec<(Vec<u8>, u32, u32)>),
    /// A block of any other kind.
    Unknown,
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
pub fn trailer(bytes: &[u8]) -> Result<Vec<NaiveBlock>, NaiveError> {
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
fn content(id: u8, bytes: &[u8]) -> Result<NaiveContent, NaiveError> {
    let mut at = 0;
    Ok(match id {
        0 => NaiveContent::MetaInfo(u32_at(bytes, 0)?),
        1 => NaiveContent::MetaEndInfo(u32_at(bytes, 0)?),
        2 => NaiveContent::Header {
            wapmap_build: next_u32(bytes, &mut at)?,
            wapmap_version: next_text(bytes, &mut at)?,
            map_build: next_u32(bytes, &mut at)?,
            map_version: next_text(bytes, &mut at)?,
            description: next_text(bytes, &mut at)?,
        },
        3 => {
            let mut guides = Vec::new();
            for _ in 0..next_u32(bytes, &mut at)? {
                let orientation = byte(bytes, at)?;
                at += 1;
                guides.push((orientation, next_u32(bytes, &mut at)?));
            }
            NaiveContent::Guides(guides)
        }
        4 => {
            let mut places = Vec::new();
            for _ in 0..next_u32(bytes, &mut at)? {
                let name = next_text(bytes, &mut at)?;
                places.push((name, next_u32(bytes, &mut at)?, next_u32(bytes, &mut at)?));
            }
            NaiveContent::Favourites(places)
        }
        _ => NaiveContent::Unknown,
    })
}

fn next_u32(bytes: &[u8], at: &mut u64) -> Result<u32, NaiveError> {
    let value = u32_at(bytes, *at)?;
    *at += 4;
    Ok(value)
}

fn next_text(bytes: &[u8], at: &mut u64) -> Result<Vec<u8>, NaiveError> {
    let mut text = Vec::new();
    loop {
        let byte = byte(bytes, *at)?;
        *at += 1;
        if byte == 0 {
            return Ok(text);
        }
        text.push(byte);
    }
}
