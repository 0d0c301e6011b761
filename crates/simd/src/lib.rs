//! Worldview's few loops that benefit from the wider registers of newer x86-64 processors.
//!
//! Programs are built for baseline x86-64, whose vector unit has 16-byte registers and no byte shuffle. A [`Work`] is
//! compiled twice, for the baseline and for AVX2, and [`wide`] runs the version that the processor supports. Both are
//! compiled from the same source, without intrinsics: the compiler vectorizes it. Only [`number_corners`], which the compiler cannot
//! vectorize, has a version with intrinsics.
//!
//! ```
//! let mut words = [0; 2];
//! worldview_simd::big_endian(&[[0, 0, 1, 2], [0xFF; 4]], &mut words);
//! assert_eq!(words, [0x0102, u32::MAX]);
//! assert_eq!(worldview_simd::byte_sum(&[1, 2, 255]), 258);
//! ```
//!
//! The unsafe code of this crate is four calls: three of functions compiled for AVX2, right after detecting it, and one
//! of a non-temporal store.

mod corners;
mod sum;
mod words;

pub use corners::{Pair, SLACK, number_corners};
pub use sum::byte_sum;
pub use words::big_endian;

/// A loop to compile for wider registers.
///
/// Everything that [`run`](Self::run) calls must be inlined into it; otherwise it is compiled for the baseline only.
/// Mark `run` itself `#[inline(always)]`, and write plain loops over slices.
pub trait Work {
    /// The result of the work.
    type Output;

    /// Does the work.
    fn run(self) -> Self::Output;
}

/// Runs `work`, using AVX2 when available. The result is that of [`Work::run`].
#[inline]
pub fn wide<W: Work>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the function requires only AVX2, which was just detected.
        #[expect(unsafe_code, reason = "code for a feature of the processor, right after asking for that feature")]
        return unsafe { with_avx2(work) };
    }
    work.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn with_avx2<W: Work>(work: W) -> W::Output {
    work.run()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns pseudorandom bytes: the high bytes of a linear congruential generator.
    pub(crate) fn random(len: usize) -> Vec<u8> {
        let mut state = 1_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state.to_be_bytes()[0]
        };
        (0..len).map(|_| next()).collect()
    }

    #[test]
    fn a_work_gives_the_same_either_way() {
        struct Dot<'a>(&'a [u8], &'a [u8]);
        impl Work for Dot<'_> {
            type Output = u64;

            #[inline(always)]
            fn run(self) -> u64 {
                self.0.iter().zip(self.1).fold(0, |sum, (&a, &b)| sum.wrapping_add(u64::from(a).wrapping_mul(b.into())))
            }
        }
        assert_eq!(wide(Dot(&[1, 2, 3], &[10, 100, 200])), 810);
        let (a, b) = (random(1000), random(2000));
        assert_eq!(wide(Dot(&a, &b)), Dot(&a, &b).run());
    }
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
