use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

use crate::{Error, ErrorKind, Result, Space};

/// A window of bytes that knows its place, so that every range taken from it is checked once and every error can say
/// where it was.
///
/// Offsets given to the methods count from the window's first byte; offsets in errors count from the first byte of
/// the file or image. They are `u64` throughout: a file's 32-bit words are added and multiplied without overflow
/// whatever the machine.
///
/// ```
/// use worldview_core::{Source, Space};
///
/// let file = [1, 2, 3, 4];
/// let source = Source::new(&file, Space::File);
/// assert_eq!(source.slice(1, 2, "middle").unwrap(), [2, 3]);
/// assert_eq!(source.tail(2, "end").unwrap().base(), 2);
/// ```
#[derive(Clone, Copy)]
pub struct Source<'a> {
    bytes: &'a [u8],
    base: u64,
    space: Space,
}

crate::debug_summary!("Source", Source<'_>, |this| at: this.base, len: this.len(), space: this.space);

/// Anything that holds bytes is a source of its own file, counted from its first byte.
impl<'a, T: AsRef<[u8]> + ?Sized> From<&'a T> for Source<'a> {
    #[inline]
    fn from(bytes: &'a T) -> Self {
        Self::new(bytes.as_ref(), Space::File)
    }
}

impl<'a> Source<'a> {
    /// The window over all of `bytes`.
    #[inline]
    pub const fn new(bytes: &'a [u8], space: Space) -> Self {
        Self { bytes, base: 0, space }
    }

    /// The window over `bytes`, which begin at offset `base` of their file or image.
    #[inline]
    pub(crate) const fn at(bytes: &'a [u8], base: u64, space: Space) -> Self {
        Self { bytes, base, space }
    }

    /// The bytes of the window.
    #[inline]
    pub const fn bytes(self) -> &'a [u8] {
        self.bytes
    }

    /// Bytes in the window.
    #[inline]
    #[expect(clippy::len_without_is_empty, reason = "a window's length is a bound, its emptiness no state of interest")]
    pub const fn len(self) -> u64 {
        self.bytes.len() as u64
    }

    /// Offset of the window's first byte in its file or image.
    #[inline]
    pub const fn base(self) -> u64 {
        self.base
    }

    /// What offsets count in.
    #[inline]
    pub const fn space(self) -> Space {
        self.space
    }

    /// An error of the part `what` at `at` of this window.
    #[inline]
    pub const fn error(self, kind: ErrorKind, what: &'static str, at: u64) -> Error {
        Error::new(kind, what, self.base.saturating_add(at), self.space)
    }

    /// The `len` bytes from `at` on; [`ErrorKind::Truncated`] where they are not all there.
    #[inline]
    pub fn slice(self, at: u64, len: u64, what: &'static str) -> Result<&'a [u8]> {
        let found = usize::try_from(at)
            .ok()
            .and_then(|at| self.bytes.get(at..))
            .and_then(|rest| rest.get(..usize::try_from(len).ok()?));
        found.ok_or_else(|| self.truncated(at, len, what))
    }

    /// The window of `len` bytes from `at` on; [`ErrorKind::Truncated`] where they are not all there.
    #[inline]
    pub fn window(self, at: u64, len: u64, what: &'static str) -> Result<Self> {
        let bytes = self.slice(at, len, what)?;
        Ok(Self { bytes, base: self.base.saturating_add(at), space: self.space })
    }

    /// The window from `at` to the end; [`ErrorKind::Truncated`] where it would begin behind the end.
    #[inline]
    pub fn tail(self, at: u64, what: &'static str) -> Result<Self> {
        self.window(at, self.len().saturating_sub(at), what)
    }

    /// The structure at `at`, in place.
    #[inline]
    pub fn view<T>(self, at: u64, what: &'static str) -> Result<&'a T>
    where
        T: FromBytes + KnownLayout + Immutable + Unaligned,
    {
        let bytes = self.slice(at, size_of::<T>() as u64, what)?;
        T::ref_from_bytes(bytes).map_err(|_| self.truncated(at, size_of::<T>() as u64, what))
    }

    /// The `count` structures from `at` on, in place, as a plain slice.
    #[inline]
    pub fn array<T>(self, at: u64, count: u64, what: &'static str) -> Result<&'a [T]>
    where
        T: FromBytes + KnownLayout + Immutable + Unaligned,
    {
        // A product past 2^64 cannot lie in any file: saturated, it is reported as the truncation that it is.
        let len = count.saturating_mul(size_of::<T>() as u64);
        let bytes = self.slice(at, len, what)?;
        <[T]>::ref_from_bytes(bytes).map_err(|_| self.truncated(at, len, what))
    }

    /// The same, where the number of structures is a count of the file; [`ErrorKind::TooMany`] where they are not all
    /// there.
    #[inline]
    pub fn counted<T>(self, at: u64, count: u32, what: &'static str) -> Result<&'a [T]>
    where
        T: FromBytes + KnownLayout + Immutable + Unaligned,
    {
        // No structure of a file is longer than a 32-bit number says.
        self.holds(at, count, u32::try_from(size_of::<T>()).unwrap_or(u32::MAX), what)?;
        self.array(at, count.into(), what)
    }

    /// Refuses, as [`ErrorKind::TooMany`], a count of elements of at least `unit` bytes each that the bytes from `at` on
    /// cannot hold.
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
