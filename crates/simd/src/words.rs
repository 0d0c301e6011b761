#[cfg(target_arch = "x86_64")]
mod stream;

use crate::{Work, wide};

/// Number of words (16 MiB) from which non-temporal stores are used.
///
/// From this size on, source and destination exceed the caches of most machines, and a store that need not first read
/// what it overwrites takes two thirds of the time. Below it, such stores would evict words that are read next.
#[cfg(target_arch = "x86_64")]
const STREAM_FROM: usize = 4 << 20;

/// Converts big-endian words to numbers, as many as the shorter slice holds, and returns how many.
///
/// This is as fast as copying the bytes unchanged.
#[inline]
pub fn big_endian(words: &[[u8; 4]], out: &mut [u32]) -> usize {
    let count = words.len().min(out.len());
    let (Some(words), Some(out)) = (words.get(..count), out.get_mut(..count)) else { return 0 };
    #[cfg(target_arch = "x86_64")]
    if count >= STREAM_FROM && std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the function requires only AVX2, which was just detected.
        #[expect(unsafe_code, reason = "code for a feature of the processor, right after asking for that feature")]
        unsafe {
            stream::big_endian_past(words, out);
        }
        return count;
    }
    wide(BigEndian { words, out });
    count
}

struct BigEndian<'a, 'o> {
    words: &'a [[u8; 4]],
    out: &'o mut [u32],
}

impl Work for BigEndian<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for (out, word) in self.out.iter_mut().zip(self.words) {
            *out = u32::from_be_bytes(*word);
        }
    }
}

#[cfg(test)]
#[expect(clippy::arithmetic_side_effects, reason = "a slip fails the test")]
#[path = "words/tests.rs"]
mod tests;
