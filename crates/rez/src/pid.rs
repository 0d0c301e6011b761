use worldview_core::{Error, ErrorKind, Result, Source};

use crate::dimensions::checked_sides;
use crate::flags;
use crate::labels::{PID, PID_PALETTE, PID_PIXELS};
use crate::raw::{Palette, PidHeader};
use crate::runs::{Run, Runs, Tokens, decode_repeats, decode_skips};

/// A PID picture, the format of sprites and tiles: palette indices in rows from the top. See [PID](crate::format#pid).
#[derive(Clone, Copy)]
pub struct Pid<'a> {
    source: Source<'a>,
    header: &'a PidHeader,
    palette: Option<&'a Palette>,
    stream: Source<'a>,
    is_raw: bool,
}

worldview_core::debug_summary!("Pid", Pid<'_>, |this| width: this.width(), height: this.height(), flags: this.header.flags.get(), has_palette: this.palette.is_some());

/// What is transparent in a picture with the flag [`TRANSPARENT`](flags::TRANSPARENT).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ColorKey {
    /// A palette index: 0 in Claw and Get Medieval.
    Index(u8),
    /// Every index whose color in the picture's own palette is this one: ff0084 in Gruntz.
    Color([u8; 3]),
}

impl ColorKey {
    /// The key of Claw and Get Medieval.
    pub const CLAW: Self = Self::Index(0);
    /// The key of Gruntz.
    pub const GRUNTZ: Self = Self::Color([0xFF, 0x00, 0x84]);

    /// Returns, for each palette index, whether it is transparent.
    pub fn transparent(self, palette: Option<&Palette>) -> [bool; 256] {
        let mut transparent = [false; 256];
        for (index, transparent) in (0..=u8::MAX).zip(&mut transparent) {
            *transparent = match self {
                Self::Index(key) => index == key,
                Self::Color(key) => palette.is_some_and(|palette| palette.color(index) == key),
            };
        }
        transparent
    }
}

/// How the pixels of a picture were decoded: [`Pid::decoded`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PidDecoding {
    /// The reading of the two tokens that programs disagree about.
    pub tokens: Tokens,
    /// Number of pixels that the stream has.
    pub pixels: usize,
    /// Number of pixels by which the last run exceeds the picture.
    pub overrun: usize,
    /// Number of bytes after the last pixel.
    pub left: usize,
}

crate::dimensions::picture!(
    Pid,
    PidHeader,
    |header| header.width.get().unsigned_abs(),
    header.height.get().unsigned_abs()
);

impl<'a> Pid<'a> {
    /// Maximum number of pixels of a picture.
    pub const MAX_PIXELS: u64 = crate::dimensions::MAX_PIXELS;

    /// Opens a PID picture: checks the header, and that there is a palette if the flags say so.
    ///
    /// # Errors
    ///
    /// Returns an error if the header or the palette is truncated, a side is not positive, there are more than
    /// [`MAX_PIXELS`](Self::MAX_PIXELS), or the stream is too short to yield them, whatever it contains.
    ///
    /// ```
    /// use worldview_rez::Pid;
    ///
    /// // 4 by 1 pixels as runs: two skipped, then the literals 5 and 6.
    /// let words = [10_u32, 0x20, 4, 1, 0, 0, 0, 0].map(u32::to_le_bytes);
    /// let file = [words.as_flattened(), &[0x82, 2, 5, 6]].concat();
    ///
    /// let picture = Pid::parse(&file)?;
    /// let mut pixels = [0; 4];
    /// picture.decode_into(&mut pixels)?;
    /// assert_eq!(pixels, [0, 0, 5, 6]);
    /// # Ok::<(), worldview_rez::Error>(())
    /// ```
    pub fn parse(source: impl Into<Source<'a>>) -> Result<Self> {
        Self::open(source.into(), false)
    }

    /// Opens a RID picture: the same header, and the pixels as they are, without a palette.
    ///
    /// # Errors
    ///
    /// Returns an error in the same cases as [`parse`](Self::parse), and if pixels are truncated.
    pub fn parse_rid(source: impl Into<Source<'a>>) -> Result<Self> {
        Self::open(source.into(), true)
    }

    fn open(source: Source<'a>, is_raw: bool) -> Result<Self> {
        let header: &PidHeader = source.view(0, PID)?;
        let width_at = core::mem::offset_of!(PidHeader, width);
        let height_at = core::mem::offset_of!(PidHeader, height);
        let width = (header.width.get(), "width of a PID picture", width_at);
        let height = (header.height.get(), "height of a PID picture", height_at);
        let (width, height) = checked_sides(source, width, height, "pixels of a PID picture (width by height)")?;
        let pixels = width.saturating_mul(height);
        let has_palette = !is_raw && header.flags.get() & flags::PALETTE != 0;
        // The palette is always at the end, even if there are bytes after the last run.
        let end = if has_palette { source.len().saturating_sub(Palette::SIZE) } else { source.len() };
        let palette = has_palette.then(|| source.view(end.max(PidHeader::SIZE), PID_PALETTE)).transpose()?;
        let stream = source.window(PidHeader::SIZE, end.saturating_sub(PidHeader::SIZE), PID_PIXELS)?;
        // A byte yields at most 127 pixels, so this bounds the memory that a small file can ask for.
        let longest = if is_raw { 1 } else { 127 };
        let need = pixels.div_ceil(longest);
        if need > stream.len() {
            let kind = ErrorKind::Truncated { need, have: stream.len() };
            return Err(stream.error(kind, PID_PIXELS, 0));
        }
        Ok(Self { source, header, palette, stream, is_raw })
    }

    /// Returns the number of pixels.
    #[inline]
    pub const fn len(&self) -> usize {
        // At most `MAX_PIXELS`.
        (self.width() as usize).saturating_mul(self.height() as usize)
    }

    /// Returns the distance from the position of an object to the center of the picture: right and down, in pixels.
    /// Tiles ignore it.
    #[inline]
    pub const fn offset(&self) -> (i32, i32) {
        (self.header.offset_x.get(), self.header.offset_y.get())
    }

    /// Returns the picture's own palette. The palettes of pictures without one belong to their level.
    #[inline]
    pub const fn palette(&self) -> Option<&'a Palette> {
        self.palette
    }

    /// Returns the packed pixels.
    #[inline]
    pub const fn stream(&self) -> Source<'a> {
        self.stream
    }

    /// Returns whether the pixels are stored unpacked, as in RID files.
    #[inline]
    pub const fn is_raw(&self) -> bool {
        self.is_raw
    }

    /// Returns whether the indices are strengths of a light.
    #[inline]
    pub const fn is_light(&self) -> bool {
        self.has(flags::LIGHT)
    }

    /// Returns whether the pixels are stored as runs of skipped and literal pixels.
    #[inline]
    pub const fn has_skip_runs(&self) -> bool {
        self.has(flags::SKIP_RUNS)
    }

    const fn has(&self, flag: u32) -> bool {
        self.header.flags.get() & flag != 0
    }

    /// Returns the index that skipped pixels get.
    pub const fn key(&self) -> u8 {
        let [low, ..] = self.header.key.get().to_le_bytes();
        if self.has(flags::KEY) { low } else { 0 }
    }

    /// Returns the runs of pixels as stored, with this reading of the disputed tokens.
    pub const fn runs(&self, tokens: Tokens) -> Runs<'a> {
        Runs::new(self.stream.bytes(), self.has_skip_runs(), tokens)
    }

    /// Decodes the pixels: one palette index each, in rows from the top. `pixels` has [`len`](Self::len) bytes.
    ///
    /// # Errors
    ///
    /// Returns an error if the stream ends before the last pixel, or `pixels` has the wrong length. In the first case
    /// the remaining pixels are those of a skipped run, and those before them are valid.
    pub fn decode_into(&self, pixels: &mut [u8]) -> Result<()> {
        self.expect_len(pixels.len())?;
        let decoded = self.choose(|tokens| self.decode(tokens, pixels, None));
        self.complete(decoded)
    }

    /// Decodes the pixels as [`decode_into`](Self::decode_into) does, and the opacity of each: 255, or 0 if it is
    /// transparent. Both slices have [`len`](Self::len) bytes.
    ///
    /// Transparent are the skipped pixels of a picture with skip runs; in another picture with the flag
    /// [`TRANSPARENT`](flags::TRANSPARENT), those of the `key`.
    ///
    /// # Errors
    ///
    /// Returns an error in the same cases as [`decode_into`](Self::decode_into).
    pub fn decode_with_opacity(&self, key: ColorKey, pixels: &mut [u8], opacity: &mut [u8]) -> Result<()> {
        self.expect_len(pixels.len())?;
        self.expect_len(opacity.len())?;
        let decoded = self.choose(|tokens| self.decode(tokens, pixels, Some(opacity)));
        if !self.has_skip_runs() && self.has(flags::TRANSPARENT) {
            let transparent = key.transparent(self.palette);
            for (pixel, opacity) in pixels.iter().zip(opacity) {
                if transparent.get(usize::from(*pixel)).is_some_and(|transparent| *transparent) {
                    *opacity = 0;
                }
            }
        }
        self.complete(decoded)
    }

    /// Walks over the stream without decoding it, and returns how it would be decoded.
    pub fn decoded(&self) -> PidDecoding {
        self.choose(|tokens| self.walk(tokens, (0, 0), |_, _| {}))
    }

    fn expect_len(&self, len: usize) -> Result<()> {
        if len == self.len() {
            return Ok(());
        }
        let kind = ErrorKind::Mismatch { want: self.len() as u64, found: len as u64 };
        Err(self.source.error(kind, "length of the buffer for the pixels of a PID picture", 0))
    }

    fn complete(&self, decoded: PidDecoding) -> Result<()> {
        if decoded.pixels >= self.len() {
            return Ok(());
        }
        Err(self.missing(decoded.pixels))
    }

    fn missing(&self, have: usize) -> Error {
        let kind = ErrorKind::Truncated { need: self.len() as u64, have: have as u64 };
        self.stream.error(kind, PID_PIXELS, 0)
    }

    /// Decodes with the engine's tokens; and with those of editors if they alone make the stream end with the picture.
    fn choose(&self, mut decode: impl FnMut(Tokens) -> PidDecoding) -> PidDecoding {
        let is_exact =
            |decoded: &PidDecoding| decoded.pixels == self.len() && decoded.overrun == 0 && decoded.left <= 1;
        let engine = decode(Tokens::Engine);
        if self.is_raw || is_exact(&engine) || !self.runs(Tokens::Engine).any(|run| run.is_empty()) {
            return engine;
        }
        let editor = decode(Tokens::Editor);
        if is_exact(&editor) { editor } else { decode(Tokens::Engine) }
    }

    fn decode(&self, tokens: Tokens, pixels: &mut [u8], mut opacity: Option<&mut [u8]>) -> PidDecoding {
        let key = self.key();
        let stream = self.stream.bytes();
        let start = match tokens {
            Tokens::Engine if self.is_raw => (0, 0),
            Tokens::Engine if self.has_skip_runs() => decode_skips(stream, key, pixels, opacity.as_deref_mut()),
            Tokens::Engine => decode_repeats(stream, pixels),
            Tokens::Editor => (0, 0),
        };
        let opaque = if self.has_skip_runs() { start.1 } else { 0 };
        if let Some(rest) = opacity.as_deref_mut().and_then(|opacity| opacity.get_mut(opaque..)) {
            rest.fill(0xFF);
        }
        let decoded = self.walk(tokens, start, |at, run| {
            let end = at.saturating_add(run.len());
            let Some(rest) = pixels.get_mut(at..) else { return };
            match run {
                Run::Skipped(count) => {
                    fill(rest, count, key);
                    if let Some(clear) = opacity.as_deref_mut().and_then(|opacity| opacity.get_mut(at..end)) {
                        clear.fill(0);
                    }
                }
                Run::Repeated(count, index) => fill(rest, count, index),
                Run::Literals(literals) => {
                    if let Some(to) = rest.get_mut(..literals.len()) {
                        to.copy_from_slice(literals);
                    }
                }
            }
        });
        if let Some(rest) = pixels.get_mut(decoded.pixels..) {
            rest.fill(key);
        }
        if let Some(rest) = opacity.and_then(|opacity| opacity.get_mut(decoded.pixels..)) {
            rest.fill(0);
        }
        decoded
    }

    /// Calls `each` with the runs of the picture and the index of their first pixel, from a byte of the stream and a pixel
    /// on. A run that exceeds the picture is cut.
    fn walk(
        &self,
        tokens: Tokens,
        (read, mut at): (usize, usize),
        mut each: impl FnMut(usize, Run<'a>),
    ) -> PidDecoding {
        let len = self.len();
        if self.is_raw {
            let (pixels, rest) = self.stream.bytes().split_at_checked(len).unwrap_or((self.stream.bytes(), &[]));
            each(0, Run::Literals(pixels));
            return PidDecoding { tokens, pixels: pixels.len(), overrun: 0, left: rest.len() };
        }
        let stream = self.stream.bytes().get(read..).unwrap_or_default();
        let mut runs = Runs::new(stream, self.has_skip_runs(), tokens);
        let (mut overrun, mut left) = (0_usize, 0_usize);
        while at < len
            && let Some(run) = runs.next()
        {
            let have = len.saturating_sub(at);
            let over = run.len().saturating_sub(have);
            let run = match run {
                Run::Skipped(count) => Run::Skipped(count.min(have)),
                Run::Repeated(count, index) => Run::Repeated(count.min(have), index),
                Run::Literals(literals) => Run::Literals(literals.get(..have).unwrap_or(literals)),
            };
            match run {
                // Without skips, literals are a token each, so those after the picture are only bytes that are left.
                Run::Literals(_) if !self.has_skip_runs() => left = over,
                _ => overrun = over,
            }
            each(at, run);
            at = at.saturating_add(run.len());
        }
        PidDecoding { tokens, pixels: at, overrun, left: left.saturating_add(runs.rest().len()) }
    }
}

fn fill(pixels: &mut [u8], count: usize, index: u8) {
    if let Some(to) = pixels.get_mut(..count) {
        to.fill(index);
    }
}

worldview_core::assert_send_sync!(Pid<'_>, ColorKey, PidDecoding);
