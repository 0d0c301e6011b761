//! The fixed-layout structures of an archive, as they lie in the file: big-endian on every platform, alignment 1.
//!
//! Byte tables with evidence: `docs/formats/wpd.md`, whose section is named at each structure. Integers are
//! [`zerocopy::big_endian`] types: `get()` returns the number.

use worldview_core::{Text, record};
use zerocopy::big_endian::U32;

record! {
    /// The header of an archive. `docs/formats/wpd.md`, Archive.
    pub struct ArchiveHeader: 16 {
        /// `WPD` and a NUL.
        pub magic: Text<4>,
        /// Number of entries.
        pub count: U32,
        /// Zero in all known files.
        pub reserved_08: U32,
        /// Zero in all known files.
        pub reserved_0c: U32,
    }
}

impl ArchiveHeader {
    /// The four bytes that an archive begins with.
    pub const MAGIC: [u8; 4] = *b"WPD\0";
}

record! {
    /// One entry of an archive's table. `docs/formats/wpd.md`, Archive.
    pub struct Entry: 32 {
        /// The member's name; may fill all 16 bytes, may begin or end with blanks.
        pub name: Text<16>,
        /// Offset of the data from the archive's first byte.
        pub offset: U32,
        /// Bytes of data, without padding.
        pub size: U32,
        /// Extension without a dot; empty in tables.
        pub extension: Text<8>,
    }
}

impl Entry {
    /// The name field as one number that orders as its bytes do.
    #[inline]
    pub(crate) const fn key(&self) -> u128 {
        u128::from_be_bytes(*self.name.raw())
    }

    /// How long the name is, in an entry without bytes behind the NUL.
    #[inline]
    pub(crate) const fn name_len(&self) -> usize {
        16_usize.wrapping_sub((self.key().trailing_zeros() / 8) as usize)
    }

    /// Whether there are bytes behind the NUL that ends the name; then [`key`](Self::key) does not stand for the name.
    #[inline]
    pub(crate) fn has_name_tail(&self) -> bool {
        const ONES: u64 = u64::from_le_bytes([1; 8]);
        const HIGHS: u64 = u64::from_le_bytes([0x80; 8]);
        // From the first byte that is zero on; none of eight where there is no such byte.
        let from_zero = |half: u64| {
            // The lowest bit set stands in that byte; those above it may be mistaken.
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
