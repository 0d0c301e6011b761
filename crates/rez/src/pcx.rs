use worldview_core::{ErrorKind, Result, Source};

use crate::dimensions::{MAX_PIXELS, bounded};
use crate::labels::{PCX, PCX_PALETTE, PCX_PIXELS};
use crate::raw::{Palette, PcxHeader};
use crate::runs::{Run, Runs, Tokens};

/// A PCX picture with 8 bits per color plane: palette indices, or red, green and blue. See [PCX](crate::format#pcx).
#[derive(Clone, Copy)]
pub struct Pcx<'a> {
    source: Source<'a>,
    header: &'a PcxHeader,
    palette: Option<&'a Palette>,
    stream: Source<'a>,
}

worldview_core::debug_summary!("Pcx", Pcx<'_>, |this| width: this.width(), height: this.height(), planes: this.header.planes, has_palette: this.palette.is_some());

impl PcxHeader {
    /// Returns the width in pixels.
    pub(crate) const fn width(&self) -> u32 {
        (self.x_max.get() as u32).saturating_sub(self.x_min.get() as u32).saturating_add(1)
    }

    /// Returns the height in pixels.
    pub(crate) const fn height(&self) -> u32 {
        (self.y_max.get() as u32).saturating_sub(self.y_min.get() as u32).saturating_add(1)
    }
}

crate::dimensions::picture!(Pcx, PcxHeader, |header| header.width(), header.height());

impl<'a> Pcx<'a> {
    /// The byte in front of the palette.
    pub(crate) const PALETTE_MARK: u8 = 12;

    /// Opens a PCX picture.
    ///
    /// # Errors
    ///
    /// Returns an error if the header is truncated or not that of a PCX file, the picture does not have 8 bits and 1 or
    /// 3 color planes, the palette of a picture with one plane is truncated, there are more pixels than a [`Pid`](crate::Pid) may
    /// have, or the data is too short to yield them, whatever it contains.
    pub fn parse(source: impl Into<Source<'a>>) -> Result<Self> {
        let source = source.into();
        let header: &PcxHeader = source.view(0, PCX)?;
        let known = [
            (header.manufacturer, [10, 10], "first byte of a PCX picture", 0_usize),
            (header.encoding, [1, 1], "encoding of a PCX picture", core::mem::offset_of!(PcxHeader, encoding)),
            (header.bits, [8, 8], "bits per pixel of a PCX picture", core::mem::offset_of!(PcxHeader, bits)),
            (header.planes, [1, 3], "color planes of a PCX picture", core::mem::offset_of!(PcxHeader, planes)),
        ];
        for (found, [first, second], what, at) in known {
            if found != first && found != second {
                let kind = if first == second {
                    ErrorKind::Mismatch { want: first.into(), found: found.into() }
                } else {
                    ErrorKind::UnknownKind { found: found.into(), known: "1 or 3" }
                };
                return Err(source.error(kind, what, at as u64));
            }
        }
        for (first, last, what, at) in [
            (header.x_min, header.x_max, "last column of a PCX picture", core::mem::offset_of!(PcxHeader, x_max)),
            (header.y_min, header.y_max, "last row of a PCX picture", core::mem::offset_of!(PcxHeader, y_max)),
        ] {
            // A row has at most 65,535 bytes, so a side of 65,536 pixels is no picture either.
            let most = first.get().saturating_add(u16::MAX - 1);
            if last < first || last.get() > most {
                let kind = ErrorKind::NotWithin { found: last.get().into(), min: first.get().into(), max: most.into() };
                return Err(source.error(kind, what, at as u64));
            }
        }
        let this = Self { source, header, palette: None, stream: source.window(PcxHeader::SIZE, 0, PCX)? };
        let (width, height) = (u64::from(this.width()), u64::from(this.height()));
        let line = u64::from(header.bytes_per_line.get());
        if line < width {
            let at = core::mem::offset_of!(PcxHeader, bytes_per_line) as u64;
            let kind =
                ErrorKind::NotWithin { found: header.bytes_per_line.get().into(), min: this.width(), max: 65_535 };
            return Err(source.error(kind, "bytes per row of a PCX picture", at));
        }
        let bytes = line.saturating_mul(height).saturating_mul(header.planes.into());
        let most = MAX_PIXELS.saturating_mul(header.planes.into());
        bounded(source, (bytes, most), "pixels of a PCX picture", core::mem::offset_of!(PcxHeader, x_max))?;
        let (palette, end) = if header.planes == 1 {
            let at = source.len().saturating_sub(Palette::SIZE);
            // Whether its mark is in front of it is a matter for a check.
            (Some(source.view(at.max(PcxHeader::SIZE), PCX_PALETTE)?), at)
        } else {
            (None, source.len())
        };
        let stream = source.window(PcxHeader::SIZE, end.saturating_sub(PcxHeader::SIZE), PCX_PIXELS)?;
        // Two bytes yield at most 63, so this bounds the memory that a small file can ask for.
        let need = bytes.div_ceil(63);
        if need > stream.len() {
            return Err(stream.error(ErrorKind::Truncated { need, have: stream.len() }, PCX_PIXELS, 0));
        }
        Ok(Self { palette, stream, ..this })
    }

    /// Returns the bytes of a decoded pixel: 1 for a palette index, 3 for red, green and blue.
    #[inline]
    pub const fn channels(&self) -> usize {
        self.header.planes as usize
    }

    /// Returns the number of bytes of the decoded picture.
    #[inline]
    pub const fn len(&self) -> usize {
        // At most three times `MAX_PIXELS`.
        (self.width() as usize).saturating_mul(self.height() as usize).saturating_mul(self.channels())
    }

    /// Returns the palette of a picture with one color plane.
    #[inline]
    pub const fn palette(&self) -> Option<&'a Palette> {
        self.palette
    }

    /// Returns the packed pixels.
    #[inline]
    pub const fn stream(&self) -> Source<'a> {
        self.stream
    }

    /// Returns how many bytes the lines of the picture have, with their padding, and how many of them the stream has.
    pub(crate) fn unpacked_len(&self) -> (u64, u64) {
        let need = u64::from(self.header.bytes_per_line.get())
            .saturating_mul(self.height().into())
            .saturating_mul(self.header.planes.into());
        let mut have = 0_u64;
        for run in Runs::new(self.stream.bytes(), false, Tokens::Engine) {
            have = have.saturating_add(run.len() as u64);
            if have >= need {
                break;
            }
        }
        (need, have.min(need))
    }

    /// Decodes the pixels, in rows from the top: palette indices, or red, green and blue of each pixel. `pixels` has
    /// [`len`](Self::len) bytes.
    ///
    /// # Errors
    ///
    /// Returns an error if the stream ends before the last pixel, or `pixels` has the wrong length. In the first case
    /// the remaining pixels are 0, and those before them are valid.
    pub fn decode_into(&self, pixels: &mut [u8]) -> Result<()> {
        if pixels.len() != self.len() {
            let kind = ErrorKind::Mismatch { want: self.len() as u64, found: pixels.len() as u64 };
            return Err(self.source.error(kind, "length of the buffer for the pixels of a PCX picture", 0));
        }
        pixels.fill(0);
        let (width, channels) = (self.width() as usize, self.channels());
        let line = usize::from(self.header.bytes_per_line.get());
        // Each row has a line for each color plane, which may end with padding. Runs may cross the ends of lines.
        let mut bytes = Bytes { runs: Runs::new(self.stream.bytes(), false, Tokens::Engine), run: Run::Skipped(0) };
        for (index, row) in pixels.chunks_exact_mut(width.saturating_mul(channels)).enumerate() {
            for channel in 0..channels {
                let mut x = 0_usize;
                while x < line {
                    let Some(run) = bytes.take(line.saturating_sub(x)) else {
                        let have = index.saturating_mul(width).saturating_add(x.min(width));
                        let kind = ErrorKind::Truncated { need: self.len() as u64, have: have as u64 };
                        return Err(self.stream.error(kind, PCX_PIXELS, 0));
                    };
                    let to = row.iter_mut().skip(x.saturating_mul(channels).saturating_add(channel)).step_by(channels);
                    let to = to.take(width.saturating_sub(x));
                    match run {
                        Run::Repeated(count, value) => to.take(count).for_each(|to| *to = value),
                        Run::Literals(values) => to.zip(values).for_each(|(to, value)| *to = *value),
                        Run::Skipped(_) => {}
                    }
                    x = x.saturating_add(run.len());
                }
            }
        }
        Ok(())
    }
}

/// The bytes of a stream, as parts of runs.
struct Bytes<'a> {
    runs: Runs<'a>,
    run: Run<'a>,
}

impl<'a> Bytes<'a> {
    /// Returns the next bytes that belong to one run, at most `most`, or `None` at the end of the stream.
    fn take(&mut self, most: usize) -> Option<Run<'a>> {
        while self.run.is_empty() {
            self.run = self.runs.next()?;
        }
        let (taken, rest) = match self.run {
            Run::Repeated(count, value) => {
                let taken = count.min(most);
                (Run::Repeated(taken, value), Run::Repeated(count.saturating_sub(taken), value))
            }
            Run::Literals(values) => {
                let (taken, rest) = values.split_at_checked(most).unwrap_or((values, &[]));
                (Run::Literals(taken), Run::Literals(rest))
            }
            Run::Skipped(_) => return None,
        };
        self.run = rest;
        Some(taken)
    }
}

worldview_core::assert_send_sync!(Pcx<'_>);
