//! The fixed-layout structures of an archive, as stored in the file: big-endian on every platform, alignment 1.
//!
//! [`crate::format`] has byte tables with evidence; each structure names its section there. Integers are
//! [`zerocopy::big_endian`] types: `get()` returns the number.

use std::borrow::Cow;

use worldview_core::{Text, record};
use zerocopy::big_endian::U32;

record! {
    /// The header of an archive. See [Archive](crate::format#archive).
    pub struct ArchiveHeader: 16 {
        /// `WPD` and a NUL.
        #[implied]
        pub magic: Text<4>,
        /// Number of entries.
        #[implied]
        pub count: U32,
        /// Zero in all known files.
        #[reserved]
        pub reserved_08: U32,
        /// Zero in all known files.
        #[reserved]
        pub reserved_0c: U32,
    }
}

impl ArchiveHeader {
    /// The magic number at the start of an archive.
    pub const MAGIC: [u8; 4] = *b"WPD\0";
}

record! {
    /// One entry of an archive's table. See [Archive](crate::format#archive).
    pub struct Entry: 32 {
        /// Name of the member. It may fill all 16 bytes, and may begin or end with blanks.
        pub name: Text<16>,
        /// Offset of the data from the archive's first byte.
        #[derived(Offset)]
        pub offset: U32,
        /// Size of the data in bytes, without padding.
        #[derived(Length)]
        pub size: U32,
        /// Extension without a dot; empty in tables.
        pub extension: Text<8>,
    }
}

impl Entry {
    /// Returns the name that the member has in paths: its name, and its extension behind a dot if it has one.
    pub fn label(&self) -> Cow<'_, [u8]> {
        match self.extension.as_bytes() {
            [] => self.name.as_bytes().into(),
            extension => [self.name.as_bytes(), b".", extension].concat().into(),
        }
    }

    /// Returns the name field as a number with the same ordering as the bytes.
    #[inline]
    pub(crate) const fn key(&self) -> u128 {
        u128::from_be_bytes(*self.name.raw())
    }

    /// Returns the length of the name, for an entry without bytes after the NUL.
    #[inline]
    pub(crate) const fn name_len(&self) -> usize {
        16_usize.wrapping_sub((self.key().trailing_zeros() / 8) as usize)
    }

    /// Returns whether there are bytes after the NUL that ends the name. If so, [`key`](Self::key) does not represent
    /// the name.
    #[inline]
    pub(crate) fn has_name_tail(&self) -> bool {
        const ONES: u64 = u64::from_le_bytes([1; 8]);
        const HIGHS: u64 = u64::from_le_bytes([0x80; 8]);
        // Masks the bytes from the first zero byte on; 0 if none of the eight is zero.
        let from_zero = |half: u64| {
            // The lowest set bit is in that byte; higher ones may be false positives.
            let zeros = half.wrapping_sub(ONES) & !half & HIGHS;
            let lowest = zeros & zeros.wrapping_neg();
            !(lowest >> 7).wrapping_sub(1)
        };
        let [first, second] = zerocopy::transmute!(*self.name.raw());
        let (first, second) = (u64::from_le_bytes(first), u64::from_le_bytes(second));
        let in_first = from_zero(first);
        let in_second = if in_first == 0 { from_zero(second) } else { u64::MAX };
        (first & in_first) | (second & in_second) != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zerocopy::FromZeros as _;

    #[test]
    fn bytes_behind_a_nul_are_seen() {
        let entry = |name: &[u8]| {
            let mut entry = Entry::new_zeroed();
            let mut raw = [0; 16];
            raw[..name.len()].copy_from_slice(name);
            entry.name = zerocopy::transmute!(raw);
            entry
        };
        for clean in [&b""[..], b"a", b"\x01\x01", b"sixteen bytes ok", b"!!string"] {
            assert!(!entry(clean).has_name_tail(), "{clean:?}");
        }
        for dirty in [&b"\0a"[..], b"a\0b", b"a\0\x01", b"\x01\0\x01\0\x01\0\x01\x01", b"aaaaaaaaaaaaaa\0b"] {
            assert!(entry(dirty).has_name_tail(), "{dirty:?}");
        }
    }
}
