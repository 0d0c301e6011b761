use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

use crate::{Error, ErrorKind, OffsetBase, Result};

/// A window of bytes that knows its offset, so that each range is checked once and errors can report where they
/// occurred.
///
/// Method arguments count from the window's first byte; offsets in errors count from the first byte of the file or
/// image. All offsets are `u64`, so adding and multiplying a file's 32-bit words cannot overflow on any platform.
///
/// ```
/// use worldview_core::{Source, OffsetBase};
///
/// let file = [1, 2, 3, 4];
/// let source = Source::new(&file, OffsetBase::File);
/// assert_eq!(source.slice(1, 2, "middle").unwrap(), [2, 3]);
/// assert_eq!(source.tail(2, "end").unwrap().base(), 2);
/// ```
#[derive(Clone, Copy)]
pub struct Source<'a> {
    bytes: &'a [u8],
    base: u64,
    space: OffsetBase,
}

crate::debug_summary!("Source", Source<'_>, |this| at: this.base, len: this.len(), space: this.space);

/// Converts anything that holds bytes into a source over a whole file.
impl<'a, T: AsRef<[u8]> + ?Sized> From<&'a T> for Source<'a> {
    #[inline]
    fn from(bytes: &'a T) -> Self {
        Self::new(bytes.as_ref(), OffsetBase::File)
    }
}

impl<'a> Source<'a> {
    /// Creates a window over all of `bytes`.
    #[inline]
    pub const fn new(bytes: &'a [u8], space: OffsetBase) -> Self {
        Self { bytes, base: 0, space }
    }

    /// Creates a window over `bytes`, which begin at offset `base` of their file or image.
    #[inline]
    pub(crate) const fn with_base(bytes: &'a [u8], base: u64, space: OffsetBase) -> Self {
        Self { bytes, base, space }
    }

    /// Returns the bytes of the window.
    #[inline]
    pub const fn bytes(self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the length of the window, in bytes.
    #[inline]
    #[expect(clippy::len_without_is_empty, reason = "a window's length is a bound, its emptiness no state of interest")]
    pub const fn len(self) -> u64 {
        self.bytes.len() as u64
    }

    /// Returns the offset of the window's first byte in its file or image.
    #[inline]
    pub const fn base(self) -> u64 {
        self.base
    }

    /// Returns the space that offsets count in.
    #[inline]
    pub const fn space(self) -> OffsetBase {
        self.space
    }

    /// Returns an error about the part `what` at offset `at` of this window.
    #[inline]
    pub const fn error(self, kind: ErrorKind, what: &'static str, at: u64) -> Error {
        Error::new(kind, what, self.base.saturating_add(at), self.space)
    }

    /// Returns `len` bytes from offset `at`.
    ///
    /// # Errors
    ///
    /// Returns an error ([`ErrorKind::Truncated`]) if fewer bytes are left in the window.
    #[inline]
    pub fn slice(self, at: u64, len: u64, what: &'static str) -> Result<&'a [u8]> {
        let found = usize::try_from(at)
            .ok()
            .and_then(|at| self.bytes.get(at..))
            .and_then(|rest| rest.get(..usize::try_from(len).ok()?));
        found.ok_or_else(|| self.truncated(at, len, what))
    }

    /// Returns the window of `len` bytes from offset `at`.
    ///
    /// # Errors
    ///
    /// Returns an error ([`ErrorKind::Truncated`]) if fewer bytes are left in this window.
    #[inline]
    pub fn window(self, at: u64, len: u64, what: &'static str) -> Result<Self> {
        let bytes = self.slice(at, len, what)?;
        Ok(Self { bytes, base: self.base.saturating_add(at), space: self.space })
    }

    /// Returns the window from offset `at` to the end.
    ///
    /// # Errors
    ///
    /// Returns an error ([`ErrorKind::Truncated`]) if `at` is past the end.
    #[inline]
    pub fn tail(self, at: u64, what: &'static str) -> Result<Self> {
        self.window(at, self.len().saturating_sub(at), what)
    }

    /// Returns the structure at offset `at`, in place.
    ///
    /// # Errors
    ///
    /// Returns an error ([`ErrorKind::Truncated`]) if the window ends before the structure does.
    #[inline]
    pub fn view<T>(self, at: u64, what: &'static str) -> Result<&'a T>
    where
        T: FromBytes + KnownLayout + Immutable + Unaligned,
    {
        let bytes = self.slice(at, size_of::<T>() as u64, what)?;
        T::ref_from_bytes(bytes).map_err(|_| self.truncated(at, size_of::<T>() as u64, what))
    }

    /// Returns `count` structures from offset `at`, in place, as a slice.
    ///
    /// # Errors
    ///
    /// Returns an error ([`ErrorKind::Truncated`]) if the window ends before the structures do.
    #[inline]
    pub fn array<T>(self, at: u64, count: u64, what: &'static str) -> Result<&'a [T]>
    where
        T: FromBytes + KnownLayout + Immutable + Unaligned,
    {
        // No file holds a product past 2^64: saturated, it is reported as truncated.
        let len = count.saturating_mul(size_of::<T>() as u64);
        let bytes = self.slice(at, len, what)?;
        <[T]>::ref_from_bytes(bytes).map_err(|_| self.truncated(at, len, what))
    }

    /// Returns `count` structures from offset `at`, where `count` is a number from the file.
    ///
    /// # Errors
    ///
    /// Returns an error ([`ErrorKind::TooMany`]) if the window cannot hold that many.
    #[inline]
    pub fn counted<T>(self, at: u64, count: u32, what: &'static str) -> Result<&'a [T]>
    where
        T: FromBytes + KnownLayout + Immutable + Unaligned,
    {
        // No structure is larger than 4 GiB.
        self.holds(at, count, u32::try_from(size_of::<T>()).unwrap_or(u32::MAX), what)?;
        self.array(at, count.into(), what)
    }

    /// Checks that the bytes from offset `at` can hold `count` elements of at least `unit` bytes each.
    ///
    /// # Errors
    ///
    /// Returns an error ([`ErrorKind::TooMany`]) if they cannot.
    #[inline]
    pub fn holds(self, at: u64, count: u32, unit: u32, what: &'static str) -> Result<()> {
        let have = self.len().saturating_sub(at);
        if u64::from(count).saturating_mul(unit.into()) > have {
            return Err(self.error(ErrorKind::TooMany { count, unit, have }, what, at));
        }
        Ok(())
    }

    #[cold]
    fn truncated(self, at: u64, need: u64, what: &'static str) -> Error {
        self.error(ErrorKind::Truncated { need, have: self.len().saturating_sub(at) }, what, at)
    }
}
