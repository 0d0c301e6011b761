use core::arch::x86_64::{__m256i, _mm_sfence, _mm256_stream_si256};
use core::ptr;

use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, transmute};

use super::BigEndian;
use crate::Work;

const WORDS: usize = 16;

/// A cache line, as two vectors. Non-temporal stores only pay off if they write whole lines.
#[derive(FromBytes, IntoBytes, KnownLayout, Immutable)]
#[repr(C, align(64))]
struct Line([__m256i; 2]);

/// Runs [`BigEndian`] with non-temporal stores, for data larger than the cache.
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
        // Unreachable: the lines are aligned, or there are none.
        return;
    };
    for (line, words) in lines.iter_mut().zip(line_words) {
        let mut numbers = [0; WORDS];
        BigEndian { words, out: &mut numbers }.run();
        let vectors: [__m256i; 2] = transmute!(numbers);
        for (to, vector) in line.0.iter_mut().zip(vectors) {
            // SAFETY: `to` is a mutable reference to a vector, so the pointer is aligned, valid for writes and
            // unaliased. The fence below orders the store before anyone else can read it.
            #[expect(unsafe_code, reason = "no safe store goes past the cache")]
            unsafe {
                _mm256_stream_si256(ptr::from_mut(to), vector);
            }
        }
    }
    // SAFETY: part of SSE, which every x86-64 processor has. It makes the stores above visible before any later store.
    #[expect(unsafe_code, reason = "unsafe in Rust 1.88")]
    #[allow(unused_unsafe, reason = "safe in newer versions")]
    unsafe {
        _mm_sfence();
    }
}
