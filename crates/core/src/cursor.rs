use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

use crate::{Error, ErrorKind, Result, Source};

/// A position in a [`Source`]: takes one part after the other, for parts whose size is only known by reading them.
///
/// A failed take leaves the cursor where it was.
#[derive(Clone, Copy, Debug)]
pub struct Cursor<'a> {
    rest: Source<'a>,
}

impl<'a> Cursor<'a> {
    /// A cursor at the first byte of `source`.
    #[inline]
    pub const fn new(source: Source<'a>) -> Self {
        Self { rest: source }
    }

    /// Offset of the next byte in its file or image.
    #[inline]
    pub const fn position(&self) -> u64 {
        self.rest.base()
    }

    /// What is not taken yet.
    #[inline]
    pub const fn rest(&self) -> Source<'a> {
        self.rest
    }

    /// Takes the next `len` bytes.
    #[inline]
    pub fn slice(&mut self, len: u64, what: &'static str) -> Result<&'a [u8]> {
        let taken = self.rest.slice(0, len, what)?;
        self.advance(len, what)?;
        Ok(taken)
    }

    /// Takes the structure that lies here.
    #[inline]
    pub fn view<T>(&mut self, what: &'static str) -> Result<&'a T>
    where
        T: FromBytes + KnownLayout + Immutable + Unaligned,
    {
        let taken = self.rest.view(0, what)?;
        self.advance(size_of::<T>() as u64, what)?;
        Ok(taken)
    }

    /// Takes the bytes before the next NUL, `longest` at most, and the NUL.
    ///
    /// The bound is what keeps a walk over many overlapping texts from looking for one NUL far away again and again.
    #[inline]
    pub fn until_nul(&mut self, longest: usize, what: &'static str) -> Result<&'a [u8]> {
        let mut bytes = self.rest.bytes().iter().take(longest.saturating_add(1));
        let Some(len) = bytes.position(|&byte| byte == 0) else {
            let limit = longest as u64;
            return Err(if self.rest.len() > limit {
                self.error(ErrorKind::Limit { need: limit.saturating_add(1), limit }, what)
            } else {
                self.error(ErrorKind::Corrupt { why: "no NUL before the end" }, what)
            });
        };
        let taken = self.slice(len as u64, what)?;
        self.advance(1, what)?;
        Ok(taken)
    }

    /// An error of the part `what` that begins here.
    #[inline]
    pub const fn error(&self, kind: ErrorKind, what: &'static str) -> Error {
        self.rest.error(kind, what, 0)
    }

    #[inline]
    fn advance(&mut self, len: u64, what: &'static str) -> Result<()> {
        self.rest = self.rest.tail(len, what)?;
        Ok(())
    }
}
