//! Exports textures as PNG. See [Image](worldview_island::format#image).

use std::io::Write;

use worldview_core::{ErrorKind, OffsetBase};
use worldview_island::Image;

use crate::{Error, Result};

/// Maximum side of a PNG in pixels.
const MAX: u32 = i32::MAX.unsigned_abs();

/// Writes an image as stored, with 8 bits per pixel and its palette.
///
/// If pixels have indices past the end of the palette, it is extended with black as far as necessary.
/// See [Image](worldview_island::format#image).
///
/// # Errors
///
/// Returns an error if the image has no pixels ([`Error::Nothing`]), if a side has more than 2^31 − 1 pixels, which
/// PNG does not allow, or if writing to `out` fails.
pub fn image(image: Image<'_>, mut out: impl Write) -> Result<()> {
    if image.width == 0 || image.height == 0 {
        return Err(Error::Nothing { what: "pixels in this image" });
    }
    for (side, what, field) in [(image.width, "width of an image", 0), (image.height, "height of an image", 4)] {
        if side > MAX {
            let kind = ErrorKind::OutOfRange { found: side.into(), max: MAX.into() };
            return Err(worldview_core::Error::new(kind, what, image.at.saturating_add(field), OffsetBase::File).into());
        }
    }
    let width = usize::try_from(image.width).unwrap_or(usize::MAX);
    // The palette of a PNG has at least one color, and so has every image with a pixel.
    let last = image.pixels.iter().copied().max().unwrap_or(0);
    let colors = image.palette.len().max(usize::from(last) + 1);
    let palette = (0..=u8::MAX).map(|index| image.color(index)).take(colors);
    crate::picture::indexed(&mut out, (image.width, image.height), palette, image.pixels.chunks(width))
}
