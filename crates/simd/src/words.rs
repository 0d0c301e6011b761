#[cfg(target_arch = "x86_64")]
mod stream;

use crate::{Work, wide};

/// From this many words on, what is written goes past the cache: 16 MiB. Words and source together then are more than
/// the caches of most machines hold, and a store that need not read first what it overwrites takes two thirds of the
/// time; below, whoever reads the words next would miss them in the cache.
#[cfg(target_arch = "x86_64")]
const STREAM_FROM: usize = 4 << 20;

/// Copies big-endian words as numbers, as many as the shorter of the two has; says how many.
///
/// Takes as long as copying the bytes unchanged.
#[inline]
pub fn big_endian(words: &[[u8; 4]], out: &mut [u32]) -> usize {
    let count = words.len().min(out.len());
    let (Some(words), Some(out)) = (words.get(..count), out.get_mut(..count)) else { return 0 };
    #[cfg(target_arch = "x86_64")]
    if count >= STREAM_FROM && std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the function asks for nothing but a processor with AVX2, and this one has it.
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
