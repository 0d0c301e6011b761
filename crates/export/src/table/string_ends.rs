use worldview_wpd::{Strings, Table};

/// The string pool of a table, with the end of each string.
///
/// Tables refer to their strings again and again, and most strings are short. Searching for the NUL every time would
/// take longer than everything else, so the NULs are found once and recorded as one bit per byte of the pool.
pub(super) struct StringEnds<'t, 'a> {
    strings: Strings<'t, 'a>,
    /// One bit per byte of the pool, set for NUL, followed by some bits that are always set. Empty if the bits are not
    /// worth computing.
    nuls: Vec<u8>,
}

impl<'t, 'a> StringEnds<'t, 'a> {
    /// Creates the index for an expected number of `looks` at strings.
    pub(super) fn of(table: &'t Table<'a>, looks: usize) -> Self {
        let strings = table.strings();
        let pool = strings.bytes();
        // A search saved is worth scanning a few dozen bytes.
        let nuls = if looks.saturating_mul(32) < pool.len() { Vec::new() } else { nuls(pool) };
        Self { strings, nuls }
    }

    /// Returns the string at an offset, or `None` if the offset is outside the pool.
    pub(super) fn get(&self, offset: u32) -> Option<&'a [u8]> {
        self.strings.get(offset)
    }

    /// Returns the length of the string at an offset, and the bytes from there on. Returns `None` if the string is
    /// longer than those bytes, if the offset is outside the pool, or if fewer bytes are left in it.
    #[inline]
    pub(super) fn short(&self, offset: u32) -> Option<(usize, &'a [[u8; 32]; 2])> {
        let start = usize::try_from(offset).ok()?;
        let bits = u64::from_le_bytes(*self.nuls.get(start / 8..)?.first_chunk()?) >> (start % 8);
        let bytes = self.strings.bytes().get(start..)?.as_chunks().0.first_chunk()?;
        (bits != 0).then_some((bits.trailing_zeros() as usize, bytes))
    }
}

/// Returns one bit per byte, set for zero, with enough bits after the last that eight bytes can always be read.
fn nuls(bytes: &[u8]) -> Vec<u8> {
    let mut nuls = Vec::with_capacity(bytes.len() / 8 + 9);
    let (words, rest) = bytes.as_chunks::<8>();
    nuls.extend(words.iter().map(|word| zeros(u64::from_le_bytes(*word))));
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    nuls.push(zeros(u64::from_le_bytes(last)));
    nuls.extend([0xFF; 8]);
    nuls
}

/// Returns one bit per byte of a word, set for zero.
const fn zeros(word: u64) -> u8 {
    const LOWS: u64 = u64::from_le_bytes([0x7F; 8]);
    // The high bit of each byte is set if any of its other bits is set, and then if it is set itself.
    let any = ((word & LOWS) + LOWS) | word;
    // A single multiplication moves the eight high bits to the highest byte, without carries between them.
    let [.., bits] = (((!any & !LOWS) >> 7).wrapping_mul(0x0102_0408_1020_4080)).to_le_bytes();
    bits
}

#[cfg(test)]
mod tests {
    use worldview_corpus::ff13::build::build_table;
    use worldview_corpus::ff13::spec::{CellSpec, Generation, TableSpec};

    use super::*;

    #[test]
    fn every_string_ends_where_a_search_finds_it() {
        let mut whole = Vec::new();
        for length in 0..200_usize {
            // Bytes close to zero, and bytes that an incorrect search mistakes for zero.
            whole.extend((0..length).map(|at| [1, 0x80, 0xFF, 0x7F, 0x81][(at * 7 + length) % 5]));
            whole.extend((0..length % 4).map(|_| 0));
        }
        for end in (0..=whole.len()).rev().take(80).chain(0..80) {
            let pool = &whole[..end];
            let spec = TableSpec::new(Generation::G2, &["sText"]).section("!!string", Some(pool));
            let file = build_table(&spec.row("row", [CellSpec::Int(0)])).bytes;
            let table = Table::parse(&file).unwrap();
            let (noted, searched) = (StringEnds::of(&table, usize::MAX), StringEnds::of(&table, 0));
            assert!(pool.is_empty() || searched.nuls.is_empty());
            for start in (0..end).filter(|start| *start < 300 || start + 300 > end || start % 7 == 0) {
                let expected = pool[start..].iter().position(|&byte| byte == 0).unwrap_or(end - start);
                let offset = u32::try_from(start).unwrap();
                assert_eq!(noted.get(offset), Some(&pool[start..start + expected]));
                assert!(searched.short(offset).is_none());
                match noted.short(offset) {
                    Some((length, bytes)) => {
                        assert_eq!(length, expected, "{start} of {end}");
                        assert_eq!(bytes.as_flattened(), &pool[start..start + 64], "{start} of {end}");
                    }
                    None => assert!(expected >= 57 || start + 64 > end, "{start} of {end}"),
                }
            }
        }
    }
}
