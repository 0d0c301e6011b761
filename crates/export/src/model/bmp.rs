//! Pictures of textures, as BMP. See [Texture packs](worldview_island::format#texture-packs).
//!
//! Written here and not by a crate: those that write palettes (`image`) bring color management along for 54 bytes of
//! header, and the light ones write 24 bits.

use std::io::Write;

use worldview_core::{ErrorKind, OffsetBase};
use worldview_island::Image;

use crate::{Error, Result};

/// Bytes before the pixels: the file header, the `BITMAPINFOHEADER`, and 256 colors of four bytes.
const START: u32 = 14 + INFO + 4 * 256;
const INFO: u32 = 40;

/// Writes an image as it is stored: 8 bits a pixel, with a palette of 256 colors, the rows from the bottom up.
///
/// Colors past those of the image are black, as the game has them.
///
/// ```
/// use worldview_export::model::bmp;
/// use worldview_island::Database;
///
/// # let file = &worldview_corpus::sample("world.wdb");
/// let database = Database::parse(file)?;
/// let texture = database.textures()?.iter().next().unwrap();
/// let mut out = Vec::new();
/// bmp::image(texture.high(), &mut out)?;
/// assert!(out.starts_with(b"BM"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Returns an error if the image has no pixels ([`Error::Nothing`]), the file would have 2^31 bytes or more, which BMP cannot
/// hold, or writing to `out` fails.
pub fn image(image: Image<'_>, mut out: impl Write) -> Result<()> {
    let Image { at, width, height, pixels, .. } = image;
    if width == 0 || height == 0 {
        return Err(Error::Nothing { what: "pixels in this image" });
    }
    // Each row ends at a multiple of four bytes.
    let padding = (4 - width % 4) % 4;
    let size = (u64::from(width) + u64::from(padding)) * u64::from(height) + u64::from(START);
    let Ok(size) = i32::try_from(size) else {
        let kind = ErrorKind::OutOfRange { found: size.cast_signed(), max: i32::MAX.unsigned_abs().into() };
        return Err(worldview_core::Error::new(kind, "size of an image", at, OffsetBase::File).into());
    };
    let size = size.unsigned_abs();
    out.write_all(b"BM")?;
    let header = [size, 0, START, INFO, width, height];
    out.write_all(header.map(u32::to_le_bytes).as_flattened())?;
    // One plane of 8 bits.
    out.write_all(&[1, 0, 8, 0])?;
    // Not compressed; no size in meters; all 256 colors, none more important than others.
    let rest = [0, size - START, 0, 0, 256, 0];
    out.write_all(rest.map(u32::to_le_bytes).as_flattened())?;
    for index in 0..=u8::MAX {
        let [red, green, blue] = image.color(index);
        out.write_all(&[blue, green, red, 0])?;
    }
    let padding = &[0; 3][..padding as usize];
    for row in pixels.chunks(usize::try_from(width).unwrap_or(usize::MAX)).rev() {
        out.write_all(row)?;
        out.write_all(padding)?;
    }
    Ok(())
}
