//! Textures: the global ones, and the lists of blobs with their image pairs.

use super::{Cursor, NaiveError, NaiveName, Place};

/// A texture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NaiveTexture {
    /// Name. In a blob's list, a leading `^` marks a texture with two images.
    pub name: NaiveName,
    /// The name in ASCII lowercase, by which it is found.
    pub key: Vec<u8>,
    /// The only image, or the low-quality one.
    pub image: NaiveImage,
    /// The high-quality image.
    pub second: Option<NaiveImage>,
}

/// An image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NaiveImage {
    /// Offset in the file.
    pub at: u64,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Colors: red, green, blue.
    pub palette: Vec<[u8; 3]>,
    /// One palette index per pixel, top row first.
    pub pixels: Vec<u8>,
}

impl NaiveTexture {
    /// Returns the image that the game uses by default.
    pub fn best(&self) -> &NaiveImage {
        self.second.as_ref().unwrap_or(&self.image)
    }
}

/// Parses the global texture chunk; bytes after the last texture are skipped.
pub fn textures(bytes: &[u8], place: Place) -> Result<Vec<NaiveTexture>, NaiveError> {
    let mut c = Cursor::new(bytes, place)?;
    let mut out = Vec::new();
    for _ in 0..c.count(16)? {
        let name = c.name()?;
        out.push(NaiveTexture { key: name.key(), name, image: image(&mut c)?, second: None });
    }
    Ok(out)
}

/// Reads `count` entries of a blob's list.
pub(super) fn list(c: &mut Cursor<'_>, count: u32) -> Result<Vec<NaiveTexture>, NaiveError> {
    let mut out = Vec::new();
    for _ in 0..count {
        let name = c.name()?;
        let mut key = name.key();
        let is_pair = key.first() == Some(&b'^');
        if is_pair {
            key.remove(0);
        }
        let image = image(c)?;
        let second = if is_pair { Some(self::image(c)?) } else { None };
        out.push(NaiveTexture { name, key, image, second });
    }
    Ok(out)
}

fn image(c: &mut Cursor<'_>) -> Result<NaiveImage, NaiveError> {
    let at = c.at;
    let (width, height) = (c.u32()?, c.u32()?);
    let colors = c.count(3)?;
    if colors > 256 {
        return Err(NaiveError::new(at + 8, format!("{colors} colors")));
    }
    let mut palette = Vec::new();
    for _ in 0..colors {
        palette.push([c.u8()?, c.u8()?, c.u8()?]);
    }
    let pixels = u64::from(width) * u64::from(height);
    c.needs(at, pixels, 1)?;
    Ok(NaiveImage { at, width, height, palette, pixels: c.bytes(pixels)? })
}
