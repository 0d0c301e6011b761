//! Textures: the global ones, and the lists of blobs with their image pairs.

use super::{Cursor, Load, NaiveError, NaiveName, Place, Result, naive};

naive! {
    /// A texture.
    pub struct NaiveTexture |c, has_pairs: bool| {
        /// In a blob's list, a leading `^` marks a texture with two images.
        name: NaiveName,
        @ { let is_pair = has_pairs && name.0.first() == Some(&b'^'); }
        /// The name in ASCII lowercase, by which it is found.
        key: Vec<u8> = name.key().split_off(usize::from(is_pair)),
        /// The only image, or the low-quality one.
        image: NaiveImage,
        /// The high-quality image.
        second: Option<NaiveImage> = c.when(is_pair)?,
    }

    /// An image.
    pub struct NaiveImage |c| {
        /// Offset in the file.
        at: u64 = c.at,
        /// Dimensions in pixels.
        width, height: u32,
        /// Colors: red, green, blue.
        palette: Vec<[u8; 3]>,
        @ {
            if palette.len() > 256 {
                return Err(NaiveError::new(at + 8, format!("{} colors", palette.len())));
            }
        }
        /// One palette index per pixel, top row first.
        pixels: Vec<u8> = c.all(u64::from(width) * u64::from(height))?,
    }
}

impl NaiveTexture {
    /// Returns the image that the game uses by default.
    pub fn best(&self) -> &NaiveImage {
        self.second.as_ref().unwrap_or(&self.image)
    }

    pub(super) fn list(c: &mut Cursor<'_>, count: u32, has_pairs: bool) -> Result<Vec<Self>> {
        (0..count).map(|_| Self::read(c, has_pairs)).collect()
    }
}

/// Parses the global texture chunk; bytes after the last texture are skipped.
pub fn textures(bytes: &[u8], place: Place) -> Result<Vec<NaiveTexture>> {
    let mut c = Cursor::new(bytes, place)?;
    let count: u32 = c.load()?;
    NaiveTexture::list(&mut c, count, false)
}
