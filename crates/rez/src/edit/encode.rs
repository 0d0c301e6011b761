//! Pixels as pictures store them.

use zerocopy::{FromBytes as _, IntoBytes as _};

use crate::raw::{BmpHeader, PcxHeader, PidHeader};
use crate::{Bmp, Palette, Pcx, Pid};

/// The longest runs of the two grammars.
const SKIP_RUN: usize = 0x7F;
const REPEAT_RUN: usize = 0x3F;

/// A pixel of a picture: a palette index, or `None` where it is skipped.
pub type PidPixel = Option<u8>;

impl Pid<'_> {
    /// Returns the picture with other pixels, in rows of `width`. Everything else stays: the flags, and thereby the grammar, the
    /// offset, the palette, and bytes after the last pixel.
    ///
    /// No run crosses the end of a row, as in the files of the games. A skipped pixel of a picture without skipped runs becomes the
    /// [`key`](Self::key).
    ///
    /// Returns `None` if `pixels` are not a whole number of rows of `width`, or too many for a picture.
    ///
    /// ```
    /// use worldview_rez::Pid;
    ///
    /// let words = [10_u32, 0x20, 4, 1, 0, 0, 0, 0].map(u32::to_le_bytes);
    /// let file = [words.as_flattened(), &[0x82, 2, 5, 6]].concat();
    /// let picture = Pid::parse(&file)?;
    ///
    /// let edited = picture.with_pixels(4, &[None, Some(7), Some(7), None]).unwrap();
    /// assert_eq!(edited[32..], [0x81, 2, 7, 7, 0x81]);
    /// # Ok::<(), worldview_rez::Error>(())
    /// ```
    pub fn with_pixels(&self, width: u32, pixels: &[PidPixel]) -> Option<Vec<u8>> {
        let height = i32::try_from(rows_of(width, pixels.len())?).ok()?;
        let mut header = PidHeader::read_from_bytes(self.header().as_bytes()).ok()?;
        (header.width, header.height) = (i32::try_from(width).ok()?.into(), height.into());
        let mut out = header.as_bytes().to_vec();
        for row in pixels.chunks(usize::try_from(width).ok()?) {
            let indices = row.iter().map(|pixel| pixel.unwrap_or(self.key()));
            if self.is_raw() {
                out.extend(indices);
            } else if self.has_skip_runs() {
                skips(row, &mut out);
            } else {
                repeats(&indices.collect::<Vec<_>>(), &mut out);
            }
        }
        let stream = self.stream().bytes();
        let left = if self.is_raw() { stream.len().saturating_sub(self.len()) } else { self.decoded().left };
        out.extend_from_slice(stream.get(stream.len().saturating_sub(left)..).unwrap_or_default());
        out.extend_from_slice(self.palette().map_or(&[], |palette| palette.as_bytes()));
        Some(out)
    }
}

/// Returns the number of rows, or `None` if the pixels do not fill rows of this width or are too many for a picture.
fn rows_of(width: u32, pixels: usize) -> Option<usize> {
    let row = usize::try_from(width).ok().filter(|width| *width > 0 && pixels.is_multiple_of(*width))?;
    pixels.checked_div(row).filter(|height| *height > 0 && pixels as u64 <= Pid::MAX_PIXELS)
}

/// Appends a row as runs of skipped and literal pixels.
fn skips(row: &[PidPixel], out: &mut Vec<u8>) {
    for run in row.chunk_by(|one, other| one.is_some() == other.is_some()).flat_map(|run| run.chunks(SKIP_RUN)) {
        let count = u8::try_from(run.len()).unwrap_or(u8::MAX);
        let is_skipped = run.first() == Some(&None);
        out.push(if is_skipped { 0x80 | count } else { count });
        out.extend(run.iter().flatten());
    }
}

/// Appends a row as runs of repeated bytes and single literals.
fn repeats(row: &[u8], out: &mut Vec<u8>) {
    for run in row.chunk_by(|one, other| one == other).flat_map(|run| run.chunks(REPEAT_RUN)) {
        let (count, byte) = (u8::try_from(run.len()).unwrap_or(u8::MAX), run.first().copied().unwrap_or_default());
        if count > 1 || byte >= 0xC0 {
            out.push(0xC0 | count);
        }
        out.push(byte);
    }
}

impl Pcx<'_> {
    /// Returns the picture with other pixels, in rows of `width`, each pixel with [`channels`](Self::channels) bytes. The header, except
    /// for the size, and the palette stay.
    ///
    /// Returns `None` if `pixels` are not a whole number of rows of `width`, or too many for a picture.
    pub fn with_pixels(&self, width: u32, pixels: &[u8]) -> Option<Vec<u8>> {
        let height = rows_of(width, pixels.len().checked_div(self.channels())?)?;
        let mut header = PcxHeader::read_from_bytes(self.header().as_bytes()).ok()?;
        let last = |first: u16, side: usize| u16::try_from(usize::from(first).checked_add(side)?.checked_sub(1)?).ok();
        header.x_max = last(header.x_min.get(), usize::try_from(width).ok()?)?.into();
        header.y_max = last(header.y_min.get(), height)?.into();
        if width != self.width() {
            // Lines have an even length.
            header.bytes_per_line = u16::try_from(width.next_multiple_of(2)).ok()?.into();
        }
        Self::encode(&header, self.palette(), pixels)
    }

    /// Returns a picture with this header and these pixels, as [`decode_into`](Self::decode_into) returns them: in rows from the top,
    /// one byte for each color plane. No run crosses the end of a line, and the padding of lines is 0.
    ///
    /// Returns `None` if the header is not that of a picture of so many pixels, or only one of the two says that there is a palette:
    /// pictures with one color plane have one.
    ///
    /// ```
    /// use worldview_rez::{Pcx, raw::PcxHeader};
    /// use zerocopy::FromZeros as _;
    ///
    /// let mut header = PcxHeader::new_zeroed();
    /// [header.manufacturer, header.encoding, header.bits, header.planes] = [10, 1, 8, 3];
    /// (header.x_max, header.bytes_per_line) = (1.into(), 2.into());
    ///
    /// let file = Pcx::encode(&header, None, &[255, 9, 0, 255, 9, 1]).unwrap();
    /// assert_eq!(file[128..], [0xC2, 255, 0xC2, 9, 0, 1]);
    /// let mut pixels = [0; 6];
    /// Pcx::parse(&file)?.decode_into(&mut pixels)?;
    /// assert_eq!(pixels, [255, 9, 0, 255, 9, 1]);
    /// # Ok::<(), worldview_rez::Error>(())
    /// ```
    pub fn encode(header: &PcxHeader, palette: Option<&Palette>, pixels: &[u8]) -> Option<Vec<u8>> {
        let (width, height) = (header.width() as usize, header.height() as usize);
        let (planes, line) = (usize::from(header.planes), usize::from(header.bytes_per_line.get()));
        let row = width.checked_mul(planes)?;
        // Padded lines can be far longer than `pixels`.
        let stored = line.checked_mul(planes)?.checked_mul(height)? as u64;
        let is_whole = row.checked_mul(height) == Some(pixels.len()) && line >= width;
        if !is_whole || stored > Pid::MAX_PIXELS.saturating_mul(planes as u64) || palette.is_some() != (planes == 1) {
            return None;
        }
        let (mut out, mut bytes) = (header.as_bytes().to_vec(), Vec::new());
        for row in pixels.chunks(row.max(1)) {
            for plane in 0..planes {
                bytes.clear();
                bytes.extend(row.iter().skip(plane).step_by(planes));
                bytes.resize(line, 0);
                repeats(&bytes, &mut out);
            }
        }
        if let Some(palette) = palette {
            out.push(Self::PALETTE_MARK);
            out.extend_from_slice(palette.as_bytes());
        }
        // Whether the rest of the header is valid is for the reader to decide.
        Pcx::parse(&out).is_ok().then_some(out)
    }
}

impl Bmp<'_> {
    /// Returns the picture with other pixels, in rows of `width` from the top. Everything else stays: the header, the order of the rows,
    /// the palette, and bytes after the last row. So does the padding of rows if the picture keeps its size; otherwise it is 0.
    ///
    /// Returns `None` if `pixels` are not a whole number of rows of `width`, or too many for a picture.
    pub fn with_pixels(&self, width: u32, pixels: &[u8]) -> Option<Vec<u8>> {
        let height = rows_of(width, pixels.len())?;
        let row = usize::try_from(width).ok()?;
        let mut header = BmpHeader::read_from_bytes(self.header().as_bytes()).ok()?;
        let has_size = (width, height) == (self.width(), self.height() as usize);
        let [head, tail] = self.around();
        let mut rows = if has_size {
            self.rows().to_vec()
        } else {
            let rows = vec![0; row.next_multiple_of(4).checked_mul(height)?];
            let height = i32::try_from(height).ok()?;
            header.width = i32::try_from(width).ok()?.into();
            header.height = (if self.is_top_down() { height.checked_neg()? } else { height }).into();
            let whole = [head, &rows, tail].iter().map(|part| part.len()).sum();
            for (field, len) in [(&mut header.file_size, whole), (&mut header.pixels_size, rows.len())] {
                // 0 says that the size is not given.
                if field.get() != 0 {
                    field.set(u32::try_from(len).ok()?);
                }
            }
            rows
        };
        let stored = rows.chunks_exact_mut(row.next_multiple_of(4));
        let copy = |(to, from): (&mut [u8], &[u8])| to.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
        if self.is_top_down() {
            stored.zip(pixels.chunks_exact(row)).for_each(copy);
        } else {
            stored.zip(pixels.chunks_exact(row).rev()).for_each(copy);
        }
        Some([header.as_bytes(), head.get(size_of::<BmpHeader>()..)?, &rows, tail].concat())
    }
}
