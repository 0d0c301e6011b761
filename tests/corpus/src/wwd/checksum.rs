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
