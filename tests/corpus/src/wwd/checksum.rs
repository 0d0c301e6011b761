//! The checksum rules as plain loops, as the editors compute them; the real reader uses closed forms.

/// The rule of Monolith's editors. It starts at the second byte and reads one byte past the block, which is `tail`.
pub fn editor(block: &[u8], tail: u8) -> u32 {
    let mut sum = 0_u32;
    let mut i = 0_u32;
    for &byte in block.iter().skip(1).chain([&tail]) {
        i = i.wrapping_add(1);
        sum = sum.wrapping_add(u32::from(byte)).wrapping_sub(i);
    }
    // The editor's loop does not run for an empty block, so it reads no byte past it either.
    if block.is_empty() { 0 } else { sum }
}

/// Returns the byte that the editor reads past a packed block: its buffer still holds the unpacked bytes there.
pub fn editor_tail(packed: &[u8], unpacked: &[u8]) -> u8 {
    unpacked.get(packed.len()).copied().unwrap_or(0)
}

/// The rule of WapMap, computed over the stored block; libwap32 computes it over the unpacked one.
pub fn wapmap(block: &[u8]) -> u32 {
    let mut sum = 0_u32.wrapping_sub(160);
    let mut i = 0_u32;
    for &byte in block {
        i = i.wrapping_add(1);
        sum = sum.wrapping_add(u32::from(byte)).wrapping_sub(i);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::{editor, editor_tail, wapmap};

    #[test]
    fn checksums_are_those_computed_by_hand() {
        // The formula from the format notes: (20-1) + (30-2) - 3 + t.
        assert_eq!(editor(&[10, 20, 30], 0), 44);
        assert_eq!(editor(&[10, 20, 30], 255), 299);
        // (10-1) + (20-2) + (30-3) - 160 = 54 - 160.
        assert_eq!(wapmap(&[10, 20, 30]), 0_u32.wrapping_sub(106));
        assert_eq!(editor(&[], 9), 0);
        assert_eq!(wapmap(&[]), 0_u32.wrapping_sub(160));
        // A single byte is skipped, and n is 1.
        assert_eq!(editor(&[77], 5), 4);
    }

    #[test]
    fn the_tail_is_the_unpacked_byte_at_the_packed_length() {
        assert_eq!(editor_tail(&[0; 3], &[1, 2, 3, 4, 5]), 4);
        assert_eq!(editor_tail(&[0; 5], &[1, 2, 3, 4, 5]), 0);
    }

    #[test]
    fn a_raw_block_that_starts_with_160_satisfies_both() {
        let block = [160, 0, 0, 0, 9, 200, 31];
        assert_eq!(editor(&block, 0), wapmap(&block));
    }
}
