use worldview_core::{ErrorKind, Result, Source};

use crate::dimensions::checked_sides;
use crate::labels::{BMP, BMP_PALETTE, BMP_PIXELS};
use crate::raw::{BmpHeader, Palette};

/// A BMP picture with palette indices of 8 bits, not packed. See [BMP](crate::format#bmp).
#[derive(Clone, Copy)]
pub struct Bmp<'a> {
    source: Source<'a>,
    header: &'a BmpHeader,
    /// Blue, green, red and an unused byte each.
    colors: &'a [[u8; 4]],
    /// The rows as stored, each filled to a multiple of four bytes.
    rows: Source<'a>,
}

worldview_core::debug_summary!("Bmp", Bmp<'_>, |this| width: this.width(), height: this.height(), colors: this.colors.len());

crate::dimensions::picture!(
    Bmp,
    BmpHeader,
    |header| header.width.get().unsigned_abs(),
    header.height.get().unsigned_abs()
);

impl<'a> Bmp<'a> {
    /// Opens a BMP picture.
    ///
    /// # Errors
    ///
    /// Returns an error if the header is not that of a BMP file, the picture does not have 8 bits per pixel or is packed,
    /// there are more than 256 colors or more pixels than a [`Pid`](crate::Pid) may have, or the palette or the pixels are
    /// truncated.
    pub fn parse(source: impl Into<Source<'a>>) -> Result<Self> {
        let source = source.into();
        let header: &BmpHeader = source.view(0, BMP)?;
        let mismatch = |want: u32, found: u32, what, at: usize| match found == want {
            true => Ok(()),
            false => Err(source.error(ErrorKind::Mismatch { want: want.into(), found: found.into() }, what, at as u64)),
        };
        let signature = u16::from_le_bytes(*header.signature.raw());
        mismatch(u16::from_le_bytes(*b"BM").into(), signature.into(), "signature of a BMP picture", 0)?;
        let planes_at = core::mem::offset_of!(BmpHeader, planes);
        mismatch(1, header.planes.get().into(), "color planes of a BMP picture", planes_at)?;
        let bits_at = core::mem::offset_of!(BmpHeader, bits);
        mismatch(8, header.bits.get().into(), "bits per pixel of a BMP picture", bits_at)?;
        let compression_at = core::mem::offset_of!(BmpHeader, compression);
        mismatch(0, header.compression.get(), "compression of a BMP picture", compression_at)?;
        // Later versions of the header are longer and begin alike; the oldest is shorter.
        let header_at = core::mem::offset_of!(BmpHeader, header_size);
        let length = header.header_size.get();
        if !(40..=1 << 16).contains(&length) {
            let kind = ErrorKind::NotWithin { found: length, min: 40, max: 1 << 16 };
            return Err(source.error(kind, "header length of a BMP picture", header_at as u64));
        }
        let height = header.height.get();
        let height_at = core::mem::offset_of!(BmpHeader, height);
        let width_at = core::mem::offset_of!(BmpHeader, width);
        // Rows from the top have a negative height.
        let upright = height.checked_abs().unwrap_or(height);
        let width = (header.width.get(), "width of a BMP picture", width_at);
        let height = (upright, "height of a BMP picture", height_at);
        let (width, height) = checked_sides(source, width, height, "pixels of a BMP picture (width by height)")?;
        let count = match header.color_count.get() {
            0 => 256,
            count => count,
        };
        if count > 256 {
            let kind = ErrorKind::NotWithin { found: count, min: 0, max: 256 };
            let at = core::mem::offset_of!(BmpHeader, color_count);
            return Err(source.error(kind, "colors of a BMP picture", at as u64));
        }
        let colors_at = (header_at as u64).saturating_add(length.into());
        let outside = |pos: u64, what, at: usize| match pos > source.len() {
            true => Err(source.error(ErrorKind::Outside { found: pos, end: source.len() }, what, at as u64)),
            false => Ok(pos),
        };
        let colors_at = outside(colors_at, "header length of a BMP picture", header_at)?;
        let colors = source.window(colors_at, u64::from(count).saturating_mul(4), BMP_PALETTE)?.bytes().as_chunks().0;
        let size = width.next_multiple_of(4).saturating_mul(height);
        let rows_field = core::mem::offset_of!(BmpHeader, pixels_pos);
        let rows_at = outside(header.pixels_pos.get().into(), "pixel offset of a BMP picture", rows_field)?;
        let rows = source.window(rows_at, size, BMP_PIXELS)?;
        Ok(Self { source, header, colors, rows })
    }

    /// Returns whether the first row of the file is the top of the picture. Usually it is the bottom.
    #[inline]
    pub const fn is_top_down(&self) -> bool {
        self.header.height.get() < 0
    }

    /// Returns the number of pixels.
    #[inline]
    pub const fn len(&self) -> usize {
        (self.width() as usize).saturating_mul(self.height() as usize)
    }

    /// Returns the colors as stored: blue, green, red and an unused byte each. There may be fewer than 256.
    #[inline]
    pub const fn colors(&self) -> &'a [[u8; 4]] {
        self.colors
    }

    /// Returns the colors as a palette; those that the file does not have are black.
    pub fn palette(&self) -> Palette {
        let mut palette = Palette { colors: [[0; 3]; 256] };
        for (to, [blue, green, red, _]) in palette.colors.iter_mut().zip(self.colors) {
            *to = [*red, *green, *blue];
        }
        palette
    }

    /// Returns the rows as stored, each filled to a multiple of four bytes.
    pub(crate) const fn rows(&self) -> &'a [u8] {
        self.rows.bytes()
    }

    /// Returns the bytes before and after the rows.
    pub(crate) fn around(&self) -> [&'a [u8]; 2] {
        let bytes = self.source.bytes();
        let start = self.header.pixels_pos.get() as usize;
        let end = start.saturating_add(self.rows().len());
        [bytes.get(..start).unwrap_or_default(), bytes.get(end..).unwrap_or_default()]
    }

    /// Returns a row as palette indices, in place; row 0 is the top.
    pub fn row(&self, y: u32) -> Option<&'a [u8]> {
        let from_top = self.height().checked_sub(1)?.checked_sub(y)?;
        let row = if self.is_top_down() { y } else { from_top };
        let width = self.width() as usize;
        let start = width.next_multiple_of(4).checked_mul(row as usize)?;
        self.rows.bytes().get(start..start.checked_add(width)?)
    }

    /// Copies the palette indices, in rows from the top.
    ///
    /// # Errors
    ///
    /// Returns an error if the length of `pixels` is not [`len`](Self::len).
    pub fn decode_into(&self, pixels: &mut [u8]) -> Result<()> {
        if pixels.len() != self.len() {
            let kind = ErrorKind::Mismatch { want: self.len() as u64, found: pixels.len() as u64 };
            return Err(self.source.error(kind, "length of the buffer for the pixels of a BMP picture", 0));
        }
        for (to, y) in pixels.chunks_exact_mut(self.width() as usize).zip(0..) {
            to.copy_from_slice(self.row(y).unwrap_or_default());
        }
        Ok(())
    }
}

worldview_core::assert_send_sync!(Bmp<'_>);
