//! Parts: the global ones and those of a blob.

use super::{Cursor, Load, NaiveLod, NaiveName, NaiveTexture, Place, Result, naive};

naive! {
    /// Parts and their textures.
    pub struct NaiveParts |c| {
        /// Offset of the texture list, from the start of the chunk.
        texture_offset: u32,
        parts: Vec<NaivePart>,
        /// File offset of the end of the last part.
        parts_end: u64 = c.at,
        @ {
            c.jump(texture_offset, 8, 4)?;
            let count: u32 = c.load()?;
        }
        textures: Vec<NaiveTexture> = NaiveTexture::list(c, count, true)?,
        /// File offset of the end of the last texture.
        textures_end: u64 = c.at,
    }

    /// A part.
    pub struct NaivePart |c| {
        /// Offset in the file.
        at: u64 = c.at,
        name: NaiveName,
        @ { let count: u32 = c.load()?; }
        /// Offset of the next part, from the start of the chunk.
        end_offset: u32,
        @ { let mut levels = c.split(end_offset)?; }
        /// The levels of detail, coarsest first.
        lods: Vec<NaiveLod> = levels.all(count)?,
        /// File offset of the end of the last level.
        lods_end: u64 = levels.at,
    }
}

/// Parses the global parts or a part blob.
pub fn parts(bytes: &[u8], place: Place) -> Result<NaiveParts> {
    Cursor::new(bytes, place)?.load()
}
