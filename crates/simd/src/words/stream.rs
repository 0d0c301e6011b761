use core::arch::x86_64::{__m256i, _mm_sfence, _mm256_stream_si256};
use core::ptr;

use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, transmute};

use super::BigEndian;
use crate::Work;

const WORDS: usize = 16;

/// A line of the cache, as two vectors. Such a store is worth something only if all of a line is written at once.
#[derive(FromBytes, IntoBytes, KnownLayout, Immutable)]
#[repr(C, align(64))]
struct Line([__m256i; 2]);

/// [`BigEndian`] with stores that go past the cache, for more than the cache holds.
#[target_feature(enable = "avx2")]
pub(super) fn big_endian_past(words: &[[u8; 4]], out: &mut [u32]) {
    let start = out.as_ptr().align_offset(align_of::<Line>()).min(out.len()).min(words.len());
    let (head, out) = out.split_at_mut(start);
    let (head_words, words) = words.split_at(start);
    BigEndian { words: head_words, out: head }.run();
    let (lines, tail) = out.as_chunks_mut::<WORDS>();
    let (line_words, tail_words) = words.as_chunks::<WORDS>();
    BigEndian { words: tail_words, out: tail }.run();
    let Ok(lines) = <[Line]>::mut_from_bytes(lines.as_mut_bytes()) else {
        // They are aligned, or there are none.
        return;
    };
    for (line, words) in lines.iter_mut().zip(line_words) {
        let mut numbers = [0; WORDS];
        BigEndian { words, out: &mut numbers }.run();
        let vectors: [__m256i; 2] = transmute!(numbers);
        for (to, vector) in line.0.iter_mut().zip(vectors) {
            // SAFETY: `to` is a reference to a vector, so the pointer is aligned and may be written to, by nobody else
            // meanwhile; the fence below comes before anybody else can look.
            #[expect(unsafe_code, reason = "no safe store goes past the cache")]
            unsafe {
                _mm256_stream_si256(ptr::from_mut(to), vector);
            }
        }
    }
    // Others see what was stored above before whatever is stored later.
    _mm_sfence();
}
