//! Worldview's few loops that benefit from the wider registers of newer x86-64 processors.
//!
//! Programs are built for baseline x86-64, whose vector unit has 16-byte registers and no byte shuffle. Each loop is compiled twice,
//! for the baseline and for AVX2, and the version that the processor supports runs. Both versions of [`byte_sum`] are compiled from
//! the same source, without intrinsics: the compiler vectorizes it. [`number_corners`], which the compiler cannot vectorize, has a
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
