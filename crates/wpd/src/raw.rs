//! The fixed-layout structures of an archive, as they lie in the file: big-endian on every platform, alignment 1.
//!
//! Byte tables with evidence: `docs/formats/wpd.md`, whose section is named at each structure.

use worldview_core::{Text, record};
use zerocopy::big_endian::U32;

record! {
    /// The header of an archive. `docs/formats/wpd.md`, Archive.
    pub struct Header: 16 {
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

impl Header {
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
    pub(crate) const fn has_name_tail(&self) -> bool {
        const ONES: u128 = u128::from_be_bytes([1; 16]);
        const HIGHS: u128 = u128::from_be_bytes([0x80; 16]);
        let key = self.key();
        // The zeros at the end are the padding; fill them, and look for a zero byte in what is left.
        let padding = key.trailing_zeros() & !7;
        let filled = key | !u128::MAX.unbounded_shl(padding);
        filled.wrapping_sub(ONES) & !filled & HIGHS != 0
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
