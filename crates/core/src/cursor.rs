use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

use crate::{Error, ErrorKind, Limit, OffsetBase, Result, Source};

/// A position in a [`Source`], for parts whose size is only known by reading them.
///
/// The `slice`, `view`, `array` and `until_nul` methods advance the cursor; on failure it does not move.
#[derive(Clone, Copy, Debug)]
pub struct Cursor<'a> {
    rest: &'a [u8],
    /// Offset of the end of the source. The position follows from it, so advancing updates only the slice.
    end: u64,
    space: OffsetBase,
}

impl<'a> Cursor<'a> {
    /// Creates a cursor at the first byte of `source`.
    #[inline]
    pub const fn new(source: Source<'a>) -> Self {
        Self { rest: source.bytes(), end: source.base().saturating_add(source.len()), space: source.space() }
    }

    /// Returns the offset of the next byte in its file or image.
    #[inline]
    pub const fn position(&self) -> u64 {
        self.end.saturating_sub(self.rest.len() as u64)
    }

    /// Returns the bytes that have not been read yet.
    #[inline]
    pub const fn rest(&self) -> Source<'a> {
        Source::with_base(self.rest, self.position(), self.space)
    }

    /// Reads the next `len` bytes.
    ///
    /// # Errors
    ///
    /// Returns an error ([`ErrorKind::Truncated`]) if fewer bytes are left.
    #[inline]
    pub fn slice(&mut self, len: u64, what: &'static str) -> Result<&'a [u8]> {
        let Some((taken, rest)) = usize::try_from(len).ok().and_then(|len| self.rest.split_at_checked(len)) else {
            return Err(self.truncated(len, what));
        };
        self.rest = rest;
        Ok(taken)
    }

    /// Reads a structure, in place.
    ///
    /// # Errors
    ///
    /// Returns an error ([`ErrorKind::Truncated`]) if fewer bytes are left than the structure has.
    #[inline]
    pub fn view<T>(&mut self, what: &'static str) -> Result<&'a T>
    where
        T: FromBytes + KnownLayout + Immutable + Unaligned,
    {
        let Ok((taken, rest)) = T::ref_from_prefix(self.rest) else {
            return Err(self.truncated(size_of::<T>() as u64, what));
        };
        self.rest = rest;
        Ok(taken)
    }

    /// Reads `count` structures, in place, as a slice.
    ///
    /// # Errors
    ///
    /// Returns an error ([`ErrorKind::Truncated`]) if fewer bytes are left than the structures have.
    #[inline]
    pub fn array<T>(&mut self, count: u64, what: &'static str) -> Result<&'a [T]>
    where
        T: FromBytes + KnownLayout + Immutable + Unaligned,
    {
        let taken = usize::try_from(count).ok().map(|count| <[T]>::ref_from_prefix_with_elems(self.rest, count));
        let Some(Ok((taken, rest))) = taken else {
            // No file holds a product past 2^64.
            return Err(self.truncated(count.saturating_mul(size_of::<T>() as u64), what));
        };
        self.rest = rest;
        Ok(taken)
    }

    /// Reads the bytes before the next NUL, at most `longest`, and skips the NUL.
    ///
    /// The bound keeps a walk over many overlapping texts from scanning for the same distant NUL again and again.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no NUL within `longest + 1` bytes ([`ErrorKind::Limit`]), or none before the end of
    /// the bytes ([`ErrorKind::Corrupt`]).
    #[inline]
    pub fn until_nul(&mut self, longest: usize, what: &'static str) -> Result<&'a [u8]> {
        let mut bytes = self.rest.iter().take(longest.saturating_add(1));
        let Some(len) = bytes.position(|&byte| byte == 0) else {
            let limit = longest as u64;
            return Err(if self.rest.len() as u64 > limit {
                self.error(ErrorKind::Limit { of: Limit::Text, need: limit.saturating_add(1), limit }, what)
            } else {
                self.error(ErrorKind::Corrupt { why: "expected a NUL before the end of the data, found none" }, what)
            });
        };
        let taken = self.slice(len as u64, what)?;
        self.slice(1, what)?;
        Ok(taken)
    }

    /// Returns an error about the part `what` at the current position.
    #[inline]
    pub const fn error(&self, kind: ErrorKind, what: &'static str) -> Error {
        Error::new(kind, what, self.position(), self.space)
    }

    #[cold]
    fn truncated(&self, need: u64, what: &'static str) -> Error {
        self.error(ErrorKind::Truncated { need, have: self.rest.len() as u64 }, what)
    }
}

impl<'a> Source<'a> {
    /// Returns a cursor at offset `at`.
    ///
    /// # Errors
    ///
    /// Returns an error ([`ErrorKind::Truncated`]) if `at` is past the end.
    #[inline]
    pub fn cursor(self, at: u64, what: &'static str) -> Result<Cursor<'a>> {
        Ok(Cursor::new(self.tail(at, what)?))
    }
}
