//! Worldview's few loops that benefit from the wider registers of newer x86-64 processors.
//!
//! Programs are built for baseline x86-64, whose vector unit has 16-byte registers and no byte shuffle. Each loop is compiled twice,
//! for the baseline and for AVX2, and the version that the processor supports runs. [`widest`] does so for any loop that the
//! compiler vectorizes, such as [`byte_sum`]. [`number_corners`], which the compiler cannot vectorize, has a
//! version with intrinsics.
//!
//! ```
//! assert_eq!(worldview_simd::byte_sum(&[1, 2, 255]), 258);
//! ```
//!
//! The unsafe code of this crate is two calls of functions compiled for AVX2, right after detecting it.

mod corners;
mod sum;

pub use corners::{Pair, number_corners};
pub use sum::byte_sum;

/// Runs `work`, which is compiled twice, for AVX2 if the processor has it. The compiler vectorizes loops that are inlined into it.
///
/// ```
/// let words = [1_u32, 2, 3];
/// assert_eq!(worldview_simd::widest(|| words.iter().sum::<u32>()), 6);
/// ```
#[inline]
pub fn widest<R>(work: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        #[target_feature(enable = "avx2")]
        fn with_avx2<R>(work: impl FnOnce() -> R) -> R {
            work()
        }
        // SAFETY: the function requires only AVX2, which was just detected.
        #[expect(unsafe_code, reason = "code for a feature of the processor, right after asking for that feature")]
        return unsafe { with_avx2(work) };
    }
    work()
}

#[cfg(test)]
mod tests {
    /// Returns pseudorandom bytes: the high bytes of a linear congruential generator.
    pub(crate) fn random(len: usize) -> Vec<u8> {
        let mut state = 1_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state.to_be_bytes()[0]
        };
        (0..len).map(|_| next()).collect()
    }
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
