//! Pixels as PID pictures store them.

use zerocopy::{FromBytes as _, IntoBytes as _};

use crate::Pid;
use crate::raw::PidHeader;

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
    /// Returns `None` if `pixels` are no rows of `width`, or too many for a picture.
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
        let row = usize::try_from(width).ok().filter(|width| *width > 0 && pixels.len().is_multiple_of(*width))?;
        let height = pixels.len().checked_div(row).filter(|height| *height > 0)?;
        if pixels.len() as u64 > Self::MAX_PIXELS {
            return None;
        }
        let mut header = PidHeader::read_from_bytes(self.header().as_bytes()).ok()?;
        header.width = i32::try_from(width).ok()?.into();
        header.height = i32::try_from(height).ok()?.into();
        let mut out = header.as_bytes().to_vec();
        for row in pixels.chunks(row) {
            if self.is_raw() {
                out.extend(row.iter().map(|pixel| pixel.unwrap_or(self.key())));
            } else if self.has_skip_runs() {
                skips(row, &mut out);
            } else {
                repeats(row, self.key(), &mut out);
            }
        }
        let stream = self.stream().bytes();
        let left = if self.is_raw() { stream.len().saturating_sub(self.len()) } else { self.decoded().left };
        out.extend_from_slice(stream.get(stream.len().saturating_sub(left)..).unwrap_or_default());
        out.extend_from_slice(self.palette().map_or(&[], |palette| palette.as_bytes()));
        Some(out)
    }
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

/// Appends a row as runs of repeated pixels and single literals.
fn repeats(row: &[PidPixel], key: u8, out: &mut Vec<u8>) {
    for run in row.chunk_by(|one, other| one.unwrap_or(key) == other.unwrap_or(key)) {
        let index = run.first().copied().flatten().unwrap_or(key);
        for run in run.chunks(REPEAT_RUN) {
            let count = u8::try_from(run.len()).unwrap_or(u8::MAX);
            if count > 1 || index >= 0xC0 {
                out.push(0xC0 | count);
            }
            out.push(index);
        }
    }
}
