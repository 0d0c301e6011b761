//! The dimensions of pictures of any format.

use worldview_core::{ErrorKind, Limit, Result, Source};

/// Maximum number of pixels of a picture.
pub(crate) const MAX_PIXELS: u64 = 1 << 26;

/// Checks the sides of a picture, each with its name and the offset of its field, and the number of its pixels.
pub(crate) fn checked_sides(
    source: Source<'_>,
    width: (i32, &'static str, usize),
    height: (i32, &'static str, usize),
    pixels: &'static str,
) -> Result<(u64, u64)> {
    let side = |(side, what, at): (i32, _, usize)| {
        let kind = match u32::try_from(side) {
            Ok(0) => ErrorKind::NotWithin { found: 0, min: 1, max: MAX_PIXELS },
            Ok(side) => return Ok(u64::from(side)),
            Err(_) => ErrorKind::OutOfRange { found: side.into(), max: MAX_PIXELS },
        };
        Err(source.error(kind, what, at as u64))
    };
    let (columns, rows) = (side(width)?, side(height)?);
    bounded(source, (columns.saturating_mul(rows), MAX_PIXELS), pixels, width.2)?;
    Ok((columns, rows))
}

/// Checks the number of pixels of a picture.
pub(crate) fn bounded(source: Source<'_>, (need, most): (u64, u64), what: &'static str, at: usize) -> Result<()> {
    if need <= most {
        return Ok(());
    }
    Err(source.error(ErrorKind::Limit { of: Limit::Pixels, need, limit: MAX_PIXELS }, what, at as u64))
}

/// Implements what the views of all pictures have: the header, the bytes, and the size.
macro_rules! picture {
    ($view:ident, $raw:ident, |$header:ident| $width:expr, $height:expr) => {
        impl<'a> $view<'a> {
            /// Returns the header.
            #[inline]
            pub const fn header(&self) -> &'a $raw {
                self.header
            }

            /// Returns the bytes of the picture and their offset in the file.
            #[inline]
            pub const fn source(&self) -> Source<'a> {
                self.source
            }

            /// Returns the width in pixels.
            #[inline]
            pub const fn width(&self) -> u32 {
                let $header = self.header;
                $width
            }

            /// Returns the height in pixels.
            #[inline]
            pub const fn height(&self) -> u32 {
                let $header = self.header;
                $height
            }

            /// Returns `false`: a picture has at least one pixel.
            #[inline]
            pub const fn is_empty(&self) -> bool {
                false
            }
        }
    };
}

pub(crate) use picture;
