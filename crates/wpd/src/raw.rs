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

    /// Returns the offset and the size as one number, the offset in the high half.
    #[inline]
    pub(crate) fn place(&self) -> u64 {
        let [_, _, place, _]: [[u8; 8]; 4] = zerocopy::transmute!(*self);
        u64::from_be_bytes(place)
    }

    /// Returns where the data ends.
    #[inline]
    pub(crate) fn end(&self) -> u64 {
        u64::from(self.offset.get()).wrapping_add(self.size.get().into())
    }

    /// Returns whether the data follows that of another entry, and has the same size.
    pub(crate) fn follows(&self, other: &Self) -> bool {
        u64::from(self.offset.get()) == other.end() && self.size == other.size
    }

    /// Returns the two halves of the [key](Self::key).
    #[inline]
    pub(crate) fn halves(&self) -> [u64; 2] {
        let halves: [[u8; 8]; 2] = zerocopy::transmute!(*self.name.raw());
        halves.map(u64::from_be_bytes)
    }

    /// Returns a number that is not zero if there are bytes after the NUL that ends the name. If so, [`key`](Self::key) does
    /// not represent the name.
    #[inline]
    pub(crate) fn name_tail(&self) -> u64 {
        const HIGHS: u64 = u64::from_be_bytes([0x80; 8]);
        // The highest bit of each byte is set unless the byte is zero.
        const fn filled(half: u64) -> u64 {
            (half & !HIGHS).wrapping_add(!HIGHS) | half
        }
        let [first, second] = self.halves().map(filled);
        // For each byte that is zero, whether the one after it is not.
        let tail = !first & (first << 8 | second >> 56) | !second & second << 8;
        tail & HIGHS
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
        for clean in
            [&b""[..], b"a", b"\x01\x01", b"sixteen bytes ok", b"!!string", b"seven bb", b"nine byte", &[0x80; 9]]
        {
            assert_eq!(entry(clean).name_tail(), 0, "{clean:?}");
        }
        for dirty in [
            &b"\0a"[..],
            b"a\0b",
            b"a\0\x01",
            b"\x01\0\x01\0\x01\0\x01\x01",
            b"aaaaaaaaaaaaaa\0b",
            b"aaaaaaa\0b",
            b"\x80\0\0\0\0\0\0\0\0\x80",
        ] {
            assert_ne!(entry(dirty).name_tail(), 0, "{dirty:?}");
        }
    }
}
