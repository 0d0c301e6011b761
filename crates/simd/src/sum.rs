/// Returns the sum of all bytes, modulo 2^32, at the speed of memory.
pub fn byte_sum(bytes: &[u8]) -> u32 {
    crate::widest(|| sum(bytes))
}

/// Reads two bytes at a time as one number `low + 256 * high`, in lanes of 16 bits. One accumulator sums these
/// numbers, modulo 2^16, and another their high bytes; the sum of the low bytes follows from the two. This takes a
/// shift and two additions per two bytes. Widening each byte to a lane of its own takes twice as long.
#[inline(always)]
fn sum(bytes: &[u8]) -> u32 {
    const LANES: usize = 32;
    // The number of bytes of value 255 whose sum fits into a 16-bit lane.
    const ROWS: usize = 257;
    let (numbers, odd) = bytes.as_chunks::<2>();
    let (rows, rest) = numbers.as_chunks::<LANES>();
    let rest = rest.as_flattened().iter().chain(odd);
    let mut total = rest.fold(0_u32, |total, &byte| total.wrapping_add(byte.into()));
    for rows in rows.chunks(ROWS) {
        let (mut both, mut high) = ([0_u16; LANES], [0_u16; LANES]);
        for row in rows {
            for ((both, high), bytes) in both.iter_mut().zip(&mut high).zip(row) {
                let number = u16::from_le_bytes(*bytes);
                *both = both.wrapping_add(number);
                *high = high.wrapping_add(number >> 8);
            }
        }
        for (&both, &high) in both.iter().zip(&high) {
            let low = both.wrapping_sub(high << 8);
            total = total.wrapping_add(low.into()).wrapping_add(high.into());
        }
    }
    total
}

#[cfg(test)]
#[path = "sum/tests.rs"]
mod tests;
