use core::fmt;

use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

/// A fixed field of `N` bytes that holds text up to its first NUL, or to its end.
///
/// The code page is not declared, so this is bytes; a caller that wants characters chooses the page.
#[derive(Clone, Copy, PartialEq, Eq, Hash, FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned)]
#[repr(transparent)]
pub struct Text<const N: usize>([u8; N]);

impl<const N: usize> Text<N> {
    /// The text: the bytes before the first NUL, all `N` where there is none.
    pub fn as_bytes(&self) -> &[u8] {
        self.split().0
    }

    /// What lies behind the text's NUL: zeros in every known file, kept all the same.
    pub fn tail(&self) -> &[u8] {
        self.split().1.unwrap_or(&[])
    }

    /// All `N` bytes.
    pub const fn raw(&self) -> &[u8; N] {
        &self.0
    }

    /// Whether there is a NUL within the field, as editors demand.
    pub fn is_terminated(&self) -> bool {
        self.split().1.is_some()
    }

    /// Whether the text has no bytes.
    pub fn is_empty(&self) -> bool {
        self.as_bytes().is_empty()
    }

    fn split(&self) -> (&[u8], Option<&[u8]>) {
        let mut parts = self.0.splitn(2, |&byte| byte == 0);
        (parts.next().unwrap_or(&[]), parts.next())
    }
}

impl<const N: usize> fmt::Debug for Text<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.as_bytes().escape_ascii())
    }
}
