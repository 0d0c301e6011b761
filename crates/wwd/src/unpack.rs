use core::ops::Deref;
use std::borrow::Cow;

use worldview_core::{Error, ErrorKind, Limit, OffsetBase, Place, Result, Source};

use crate::checksum::{self, Checksum};
use crate::finding::{Finding, FindingKind};
use crate::inflate::{self, Inflated};
use crate::labels;
use crate::raw::{LevelHeader, PlaneHeader};
use crate::trailer::Trailer;

/// Unpacks a level file with the default limit, like [`Unpacker::unpack`].
///
/// # Errors
///
/// Returns an error in the same cases as [`Unpacker::unpack`].
///
/// ```
/// # fn main() -> worldview_wwd::Result<()> {
/// # let file: &[u8] = include_bytes!("../../../samples/harbour.wwd");
/// let image = worldview_wwd::unpack(file)?;
/// assert!(image.is_packed());
/// assert_eq!(image.len(), 140_215);
/// # Ok(())
/// # }
/// ```
pub fn unpack(file: &[u8]) -> Result<Unpacked<'_>> {
    Unpacker::new().unpack(file)
}

/// Unpacks a level file into a caller's buffer with the default limit, like [`Unpacker::unpack_in`].
///
/// # Errors
///
/// Returns an error in the same cases as [`Unpacker::unpack_in`].
///
/// ```
/// # fn main() -> worldview_wwd::Result<()> {
/// # let file: &[u8] = include_bytes!("../../../samples/harbour.wwd");
/// let mut scratch = Vec::new(); // reused for the next file
/// let image = worldview_wwd::unpack_in(file, &mut scratch)?;
/// assert_eq!(worldview_wwd::Level::parse(&image)?.planes().len(), 3);
/// # Ok(())
/// # }
/// ```
pub fn unpack_in<'a>(file: &'a [u8], scratch: &'a mut Vec<u8>) -> Result<Unpacked<'a>> {
    Unpacker::new().unpack_in(file, scratch)
}

/// Converts a file into its image: the header followed by the main block, inflated if it is packed.
#[derive(Clone, Copy, Debug)]
pub struct Unpacker {
    /// `None` for the default, which depends on the file.
    max_inflate: Option<u64>,
    /// A factor of the default.
    factor: f64,
}

impl Default for Unpacker {
    fn default() -> Self {
        Self::new()
    }
}

impl Unpacker {
    /// Returns an unpacker with the default limit, [`default_limit`](Self::default_limit).
    pub const fn new() -> Self {
        Self { max_inflate: None, factor: 1.0 }
    }

    /// Sets the limit, in bytes, on what a main block may inflate to.
    #[must_use]
    pub const fn max_inflate(mut self, bytes: u64) -> Self {
        self.max_inflate = Some(bytes);
        self
    }

    /// Multiplies the default limit, which applies unless [`max_inflate`](Self::max_inflate) sets another one.
    #[must_use]
    pub const fn times(mut self, factor: f64) -> Self {
        self.factor = factor;
        self
    }

    /// Returns the default limit, in bytes, on what a stored main block of `stored` bytes may inflate to: 400 times as
    /// many, but at least 64 MiB and at most 1 GiB.
    ///
    /// Real levels inflate 40 times on average and 308 times at most; the largest known one inflates to 15 MB.
    ///
    /// ```
    /// use worldview_wwd::Unpacker;
    ///
    /// assert_eq!(Unpacker::default_limit(20_000), 64 << 20);
    /// assert_eq!(Unpacker::default_limit(1_000_000), 400_000_000);
    /// ```
    pub const fn default_limit(stored: usize) -> u64 {
        const MIN: u64 = 64 << 20;
        const RATIO: u64 = 400;
        const MAX: u64 = 1 << 30;

        let limit = (stored as u64).saturating_mul(RATIO);
        if limit < MIN {
            MIN
        } else if limit > MAX {
            MAX
        } else {
            limit
        }
    }

    /// Returns the limit, in bytes, on what `stored` bytes, the main block and what lies behind it, may inflate to.
    pub const fn limit(self, stored: usize) -> u64 {
        match self.max_inflate {
            Some(limit) => limit,
            #[expect(clippy::cast_possible_truncation, reason = "saturates")]
            None => (Self::default_limit(stored) as f64 * self.factor) as u64,
        }
    }

    /// Returns the size in bytes that the image of a file has according to its header, or the [limit](Self::limit) if that is
    /// less; 0 if there is no header.
    pub fn image_len(self, file: &[u8]) -> u64 {
        let header = Source::new(file, OffsetBase::File).view::<LevelHeader>(0, "header");
        header.map_or(0, |header| u64::from(header.main_block_length.get())).min(self.limit(file.len()))
    }

    /// Unpacks a file. A plain file is borrowed, never copied.
    ///
    /// # Errors
    ///
    /// Returns an error if
    ///
    /// - the file has no header,
    /// - the packed main block is truncated, or its Adler-32 is wrong,
    /// - the inflated length differs from that in the header, or
    /// - the inflated length exceeds the limit.
    pub fn unpack(self, file: &[u8]) -> Result<Unpacked<'_>> {
        let mut image = Vec::new();
        let Filled { parts, taken } = self.fill(file, &mut image, None)?;
        Ok(parts.unpacked(taken, Cow::Owned(image)))
    }

    /// Unpacks a file, inflating into `scratch`, which the result borrows.
    ///
    /// Use this for many files: once the scratch buffer has grown to the largest image, it allocates only the
    /// inflater's state.
    ///
    /// # Errors
    ///
    /// Returns an error in the same cases as [`unpack`](Self::unpack).
    pub fn unpack_in<'a>(self, file: &'a [u8], scratch: &'a mut Vec<u8>) -> Result<Unpacked<'a>> {
        let filled = self.fill(file, scratch, None)?;
        Ok(filled.over(scratch))
    }

    /// Unpacks as much of a file as possible, and reports what is wrong.
    ///
    /// A main block that is damaged, truncated or of an unexpected length is inflated as far as possible. If the
    /// header's flags are clearly wrong about whether the block is packed, its contents decide.
    ///
    /// # Errors
    ///
    /// Returns an error if the file has no header, or if the inflated main block exceeds the limit.
    pub fn unpack_lossy<'a>(self, file: &'a [u8], report: &mut dyn FnMut(Finding<'a>)) -> Result<Unpacked<'a>> {
        let mut image = Vec::new();
        let Filled { parts, taken } = self.fill(file, &mut image, Some(report))?;
        Ok(parts.unpacked(taken, Cow::Owned(image)))
    }

    /// Unpacks a file into `image`, strictly or, if there is a `report`, as much of it as possible. Unlike
    /// [`unpack_in`](Self::unpack_in), this does not borrow `image`, which remains empty for a plain file: [`Filled::over`]
    /// returns the unpacked file.
    ///
    /// # Errors
    ///
    /// Returns an error in the same cases as [`unpack`](Self::unpack) or [`unpack_lossy`](Self::unpack_lossy).
    pub fn fill<'a>(
        self,
        file: &'a [u8],
        image: &mut Vec<u8>,
        report: Option<&mut dyn FnMut(Finding<'a>)>,
    ) -> Result<Filled<'a>> {
        image.clear();
        if let Some(report) = report {
            return self.fill_lossy(file, image, report);
        }
        let parts = Parts::of(file)?;
        let taken = match parts.stored {
            Stored::Plain => None,
            Stored::Packed(stream) => Some(self.inflate_exactly(&parts, stream, image)?),
        };
        Ok(Filled { parts, taken })
    }

    fn fill_lossy<'a>(
        self,
        file: &'a [u8],
        image: &mut Vec<u8>,
        report: &mut dyn FnMut(Finding<'a>),
    ) -> Result<Filled<'a>> {
        let mut parts = Parts::of(file)?;
        if let Some((stored, why)) = parts.contradiction() {
            let kind = ErrorKind::Corrupt { why };
            report(broken(Error::new(
                kind,
                labels::HEADER_FLAGS,
                core::mem::offset_of!(LevelHeader, flags) as u64,
                OffsetBase::File,
            )));
            parts.stored = stored;
        }
        let Stored::Packed(stream) = parts.stored else {
            if parts.header.is_packed() {
                let plain = parts.plain();
                start_image(parts.header, image, plain.image.len() as u64)?;
                image.extend_from_slice(split(&plain.image, LevelHeader::SIZE).1);
            }
            return Ok(Filled { parts, taken: None });
        };
        let want = match self.announced(&parts, stream) {
            Ok(want) => want,
            Err(error) if matches!(error.kind, ErrorKind::Limit { .. }) => return Err(error),
            Err(error) => {
                report(broken(error));
                0
            }
        };
        start_image(parts.header, image, want)?;
        let limit = self.limit(stream.len());
        let bound = inflate::ceiling(stream.len()).min(limit);
        let inflated = inflate::inflate_up_to(stream, image, bound)?;
        if inflated.overran && bound == limit {
            return Err(over_limit(bound.saturating_add(1), limit));
        }
        match inflated.end {
            Err(error) => report(broken(error)),
            // If the stored length was reported above, do not report it again.
            Ok(()) if want != 0 => {
                if let Err(error) = expect_length(want, &inflated) {
                    report(broken(error));
                }
            }
            Ok(()) => {}
        }
        Ok(Filled { parts, taken: Some(inflated.taken) })
    }

    /// Inflates into `image`, which must be empty, and returns the length of the stream.
    fn inflate_exactly(self, parts: &Parts<'_>, stream: &[u8], image: &mut Vec<u8>) -> Result<u64> {
        let want = self.announced(parts, stream)?;
        start_image(parts.header, image, want)?;
        let inflated = inflate::inflate_up_to(stream, image, want)?;
        inflated.end?;
        expect_length(want, &inflated)?;
        Ok(inflated.taken)
    }

    /// Returns the inflated length stored in the header, after checking that it is plausible and within the limit.
    fn announced(self, parts: &Parts<'_>, stream: &[u8]) -> Result<u64> {
        let want = u64::from(parts.header.main_block_length.get());
        let max = inflate::ceiling(stream.len());
        if want == 0 || want > max {
            // The game rejects a packed main block with a length of 0.
            let kind = ErrorKind::NotWithin { found: parts.header.main_block_length.get(), min: 1, max };
            const WHAT: &str = "main_block_length (at most 1032 times the bytes after the header)";
            return Err(Error::new(kind, WHAT, MAIN_BLOCK_LENGTH_AT, OffsetBase::File));
        }
        let limit = self.limit(stream.len());
        if want > limit { Err(over_limit(want, limit)) } else { Ok(want) }
    }
}

pub(crate) const fn over_limit(need: u64, limit: u64) -> Error {
    let kind = ErrorKind::Limit { of: Limit::Inflate, need, limit };
    Error::new(kind, "inflated main block", LevelHeader::SIZE, OffsetBase::File)
}

const MAIN_BLOCK_LENGTH_AT: u64 = core::mem::offset_of!(LevelHeader, main_block_length) as u64;

fn broken<'a>(error: Error) -> Finding<'a> {
    Finding {
        kind: FindingKind::Broken { kind: error.kind },
        at: error.at,
        space: error.space(),
        place: Place::of(error.what),
    }
}

fn expect_length(want: u64, inflated: &Inflated) -> Result<()> {
    const WHAT: &str = "inflated main block";
    if inflated.overran {
        return Err(Error::new(ErrorKind::TooLong { want }, WHAT, LevelHeader::SIZE, OffsetBase::File));
    }
    if inflated.len != want {
        let kind = ErrorKind::Mismatch { want, found: inflated.len };
        return Err(Error::new(kind, WHAT, LevelHeader::SIZE, OffsetBase::File));
    }
    Ok(())
}

/// Reserves room for the image, and starts it with the header of a plain file, without the packed flag.
fn start_image(header: &LevelHeader, image: &mut Vec<u8>, inflated: u64) -> Result<()> {
    use zerocopy::IntoBytes;
    // Reserve one byte more than wanted, so that a stream that is too long is noticed.
    inflate::reserve(image, LevelHeader::SIZE.saturating_add(inflated).saturating_add(1))?;
    let mut plain = *header;
    plain.flags.set(header.flags.get() & !crate::flags::PACKED);
    image.extend_from_slice(plain.as_bytes());
    Ok(())
}

/// A file that was unpacked into a buffer, without a borrow of the buffer: the result of [`Unpacker::fill`].
pub struct Filled<'a> {
    parts: Parts<'a>,
    /// The length of the stream of a packed file.
    taken: Option<u64>,
}

worldview_core::debug_summary!("Filled", Filled<'_>, |this| taken: this.taken);

impl<'a> Filled<'a> {
    /// Returns the unpacked file. `image` must be the buffer that was filled.
    pub fn over(&self, image: &'a [u8]) -> Unpacked<'a> {
        self.parts.unpacked(self.taken, Cow::Borrowed(image))
    }
}

/// The parts of a file, before anything is inflated.
struct Parts<'a> {
    file: &'a [u8],
    header: &'a LevelHeader,
    stored: Stored<'a>,
}

#[derive(Clone, Copy)]
enum Stored<'a> {
    Plain,
    /// What follows the header: the zlib stream and everything after it.
    Packed(&'a [u8]),
}

impl<'a> Parts<'a> {
    /// Returns the file with an image, which is empty if that is the file itself.
    fn unpacked(&self, taken: Option<u64>, image: Cow<'a, [u8]>) -> Unpacked<'a> {
        match taken {
            Some(taken) => self.packed(image, taken),
            None if image.is_empty() => self.plain(),
            None => Unpacked { image, ..self.plain() },
        }
    }

    fn of(file: &'a [u8]) -> Result<Self> {
        let source = Source::new(file, OffsetBase::File);
        let header = LevelHeader::of(source)?;
        let stored = if header.is_packed() {
            Stored::Packed(source.tail(LevelHeader::SIZE, "main block")?.bytes())
        } else {
            Stored::Plain
        };
        Ok(Self { file, header, stored })
    }

    /// Returns how the main block is really stored and what is wrong, if its first bytes clearly contradict the flags.
    fn contradiction(&self) -> Option<(Stored<'a>, &'static str)> {
        let block = split(self.file, LevelHeader::SIZE).1;
        let (first, second) = (block.first_chunk()?, block.first_chunk()?);
        let is_plane_header = u64::from(u32::from_le_bytes(*first)) == PlaneHeader::SIZE;
        // The first two bytes of zlib: deflate with a window of 32 KiB, and a multiple of 31 as a check.
        let is_zlib = first[0] == 0x78 && u16::from_be_bytes(*second) % 31 == 0;
        let planes_first = u64::from(self.header.planes_offset.get()) == LevelHeader::SIZE;
        match self.stored {
            Stored::Packed(_) if is_plane_header => Some((
                Stored::Plain,
                "expected a plain level, since the main block begins with a plane header, found the packed flag",
            )),
            Stored::Plain if is_zlib && planes_first && self.header.num_planes.get() != 0 => Some((
                Stored::Packed(block),
                "expected the packed flag, since the main block begins with a zlib stream, found a plain level",
            )),
            _ => None,
        }
    }

    fn plain(&self) -> Unpacked<'a> {
        let trailer = Trailer::find(self.file).map_or(0, |trailer| trailer.bytes().len());
        let (image, trailing) = split(self.file, self.file.len().saturating_sub(trailer) as u64);
        Unpacked { file: self.file, header: self.header, image: Cow::Borrowed(image), trailing, packed: false }
    }

    fn packed(&self, image: Cow<'a, [u8]>, taken: u64) -> Unpacked<'a> {
        let (_, trailing) = split(self.file, LevelHeader::SIZE.saturating_add(taken));
        Unpacked { file: self.file, header: self.header, image, trailing, packed: true }
    }
}

fn split(file: &[u8], at: u64) -> (&[u8], &[u8]) {
    usize::try_from(at).ok().and_then(|at| file.split_at_checked(at)).unwrap_or((file, &[]))
}

/// An unpacked level file: the image, and the rest of the file.
///
/// Dereferences to the bytes of the image. Its header is that of the file without the packed flag, so the image is
/// identical to the level stored as a plain file. See [File](crate::format#file).
#[derive(Clone)]
pub struct Unpacked<'a> {
    file: &'a [u8],
    header: &'a LevelHeader,
    image: Cow<'a, [u8]>,
    trailing: &'a [u8],
    packed: bool,
}

worldview_core::debug_summary!("Unpacked", Unpacked<'_>, |this| packed: this.packed, image: this.image.len(), trailing: this.trailing.len());

impl<'a> Unpacked<'a> {
    /// Returns the header as stored in the file, including the packed flag.
    pub const fn header(&self) -> &'a LevelHeader {
        self.header
    }

    /// Returns whether the main block of the file is packed, whatever its flags say.
    pub const fn is_packed(&self) -> bool {
        self.packed
    }

    /// Returns the space that offsets into the image count in: the file itself if it is plain.
    pub const fn space(&self) -> OffsetBase {
        if self.packed { OffsetBase::Image } else { OffsetBase::File }
    }

    /// Returns the main block as stored, which is the zlib stream of a packed file.
    pub fn stored_block(&self) -> &'a [u8] {
        let end = self.file.len().saturating_sub(self.trailing.len());
        usize::try_from(LevelHeader::SIZE).ok().and_then(|start| self.file.get(start..end)).unwrap_or(&[])
    }

    /// Returns the bytes after the main block: none, an editor's trailer, or bytes that no known program reads.
    pub const fn trailing(&self) -> &'a [u8] {
        self.trailing
    }

    /// Returns the offset of [`trailing`](Self::trailing) in the file.
    pub const fn trailing_at(&self) -> u64 {
        self.file.len().saturating_sub(self.trailing.len()) as u64
    }

    /// Returns WapMap's trailer, if the file ends with one.
    pub fn trailer(&self) -> Option<Trailer<'a>> {
        let trailer = Trailer::find(self.file)?;
        (trailer.offset() >= self.trailing_at()).then_some(trailer)
    }

    /// Returns the bytes of the file.
    pub const fn file(&self) -> &'a [u8] {
        self.file
    }

    /// Returns the image, which lives as long as the file and the buffer; `None` if it is in memory of its own.
    pub const fn image(&self) -> Option<&'a [u8]> {
        match self.image {
            Cow::Borrowed(image) => Some(image),
            Cow::Owned(_) => None,
        }
    }

    /// Returns the image as an owned vector, without copying if it was inflated here.
    ///
    /// ```
    /// # fn main() -> worldview_wwd::Result<()> {
    /// # let file: &[u8] = include_bytes!("../../../samples/harbour.wwd");
    /// let image: Vec<u8> = worldview_wwd::unpack(file)?.into_vec();
    /// let level = worldview_wwd::Level::parse(&image)?;
    /// assert_eq!(level.planes().len(), 3);
    /// # Ok(())
    /// # }
    /// ```
    pub fn into_vec(self) -> Vec<u8> {
        self.image.into_owned()
    }

    /// Returns the checksum and the rules it satisfies, without inflating anything again.
    pub fn checksum(&self) -> Checksum {
        let inflated = self.packed.then(|| split(&self.image, LevelHeader::SIZE).1);
        checksum::of_blocks(self.header.checksum.get(), self.stored_block(), inflated)
    }
}

impl<'a> From<&'a Unpacked<'_>> for Source<'a> {
    fn from(unpacked: &'a Unpacked<'_>) -> Self {
        Self::new(unpacked, unpacked.space())
    }
}

impl Deref for Unpacked<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.image
    }
}

worldview_core::assert_send_sync!(Unpacked<'_>);
