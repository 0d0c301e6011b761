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

    #[inline]
    fn split(&self) -> (&[u8], Option<&[u8]>) {
        match self.0.split_at_checked(first_nul(&self.0)) {
            Some((text, [_, tail @ ..])) => (text, Some(tail)),
            _ => (&self.0, None),
        }
    }
}

/// Where the first NUL is, or the length where there is none: eight bytes at a time, since names are read by the
/// thousand.
#[inline]
fn first_nul(bytes: &[u8]) -> usize {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    const HIGHS: u64 = u64::from_le_bytes([0x80; 8]);
    let (words, rest) = bytes.as_chunks::<8>();
    let mut at = 0_usize;
    for word in words {
        let word = u64::from_le_bytes(*word);
        // The lowest bit set stands in the first byte that is zero; those above it may be mistaken.
        let zeros = word.wrapping_sub(ONES) & !word & HIGHS;
        if zeros != 0 {
            return at.saturating_add((zeros.trailing_zeros() / 8) as usize);
        }
        at = at.saturating_add(8);
    }
    let in_rest = rest.iter().position(|&byte| byte == 0).unwrap_or(rest.len());
    at.saturating_add(in_rest)
}

impl<const N: usize> fmt::Debug for Text<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.as_bytes().escape_ascii())
    }
}
