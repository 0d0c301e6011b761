//! Parts: the global ones and those of a blob.

use super::lod::lods;
use super::{Cursor, NaiveError, NaiveLod, NaiveName, NaiveTexture, Place, textures};

/// Parts and their textures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NaiveParts {
    /// Offset of the texture list, from the start of the chunk.
    pub texture_offset: u32,
    /// The parts.
    pub parts: Vec<NaivePart>,
    /// File offset of the end of the last part.
    pub parts_end: u64,
    /// The textures.
    pub textures: Vec<NaiveTexture>,
    /// File offset of the end of the last texture.
    pub textures_end: u64,
}

/// A part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NaivePart {
    /// Offset in the file.
    pub at: u64,
    /// Name.
    pub name: NaiveName,
    /// Offset of the next part, from the start of the chunk.
    pub end_offset: u32,
    /// The levels of detail, coarsest first.
    pub lods: Vec<NaiveLod>,
    /// File offset of the end of the last level.
    pub lods_end: u64,
}

/// Parses the global parts or a part blob.
pub fn parts(bytes: &[u8], place: Place) -> Result<NaiveParts, NaiveError> {
    let start = Cursor::new(bytes, place)?;
    let mut c = start.clone();
    let texture_offset = c.u32()?;
    let mut list = texture_list(&start, texture_offset, 8, 4)?;
    let count = list.count(16)?;
    let textures = textures::list(&mut list, count)?;
    let mut parts = Vec::new();
    for _ in 0..c.count(12)? {
        parts.push(part(&mut c, place)?);
    }
    Ok(NaiveParts { texture_offset, parts, parts_end: c.at, textures, textures_end: list.at })
}

/// Returns a cursor at the texture list. The offset must be at least `before` and leave room for `own` bytes.
pub(super) fn texture_list<'a>(
    start: &Cursor<'a>,
    offset: u32,
    before: u64,
    own: u64,
) -> Result<Cursor<'a>, NaiveError> {
    let offset = u64::from(offset);
    if offset < before || offset + own > start.left() {
        // The offset is the first word of a part chunk and the second of a model.
        let at = start.at + before - 8;
        return Err(NaiveError::new(at, format!("a list of textures at {offset} of {}", start.left())));
    }
    Ok(start.seek(start.at + offset))
}

fn part(c: &mut Cursor<'_>, place: Place) -> Result<NaivePart, NaiveError> {
    let at = c.at;
    let name = c.name()?;
    let count_at = c.at;
    let count = c.u32()?;
    let (end_offset, end) = end(c, place)?;
    let mut inner = c.until(end);
    inner.needs(count_at, count.into(), 4)?;
    let lods = lods(&mut inner, count)?;
    c.at = end;
    Ok(NaivePart { at, name, end_offset, lods, lods_end: inner.at })
}

/// Reads an offset from the start of the chunk or blob, which must not point backwards. Returns it with the file offset
/// that it refers to.
pub(super) fn end(c: &mut Cursor<'_>, place: Place) -> Result<(u32, u64), NaiveError> {
    let at = c.at;
    let offset = c.u32()?;
    let end = place.offset + u64::from(offset);
    if end < c.at || end > c.end {
        return Err(NaiveError::new(at, format!("levels of detail that end at {offset}")));
    }
    Ok((offset, end))
}
