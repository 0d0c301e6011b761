//! Different ways of reading the same files. Each reduces a file to a digest, so that all of them do the same work.
//!
//! Every reader takes the bytes of a whole file, reads everything that is part of the digest, and sums it, or returns an
//! error if the file cannot be read. As in real use, the peers first read into structures that own their contents, and
//! then sum them. All peers are used as well as possible: they use bulk operations if the library has them, and skip
//! what the digest does not need.
//!
//! - `ours`: the views of this project, which check a range once and then use a slice.
//! - `checked`: the same bytes, but with a bounds check for each number.
//! - `naive`: the reader of `tests/corpus`, which favors obviousness over speed.
//! - `binrw`: a reader written with this library, the usual choice for binary formats. It reads lists of numbers in
//!   bulk automatically.
//! - `ff13` (tables of XIII-1): the crate `ff13-formats`.
//!
//! The last two need the feature `readers`.

pub mod level;
pub mod table;
pub mod world;

/// Why a reader cannot read a file, in its own words.
pub type ReadError = Box<dyn std::error::Error + Send + Sync>;

/// The digest of a file, if it can be read.
pub type Digest = Result<u32, ReadError>;

/// A way of reading a file: from its bytes to the digest.
pub type Reader = fn(&[u8]) -> Digest;

/// Returns the sum of the little-endian words of a structure or a list of structures.
#[inline]
fn words(bytes: &[u8]) -> u32 {
    bytes.as_chunks().0.iter().fold(0, |sum, word| sum.wrapping_add(u32::from_le_bytes(*word)))
}

/// Returns the sum of bytes, computed with the fastest loop available, since the comparison is about reading and not
/// about summing.
#[inline]
fn bytes(bytes: &[u8]) -> u32 {
    worldview::wwd::byte_sum(bytes)
}

/// A wrapping sum of words, computed in the same way for every reader.
trait Sum {
    /// Returns the sum of all words.
    fn sum(&self) -> u32;
}

impl Sum for u32 {
    #[inline]
    fn sum(&self) -> u32 {
        *self
    }
}

impl Sum for worldview_core::zerocopy::little_endian::U32 {
    #[inline]
    fn sum(&self) -> u32 {
        self.get()
    }
}

impl<T: Sum> Sum for Option<T> {
    #[inline]
    fn sum(&self) -> u32 {
        self.as_ref().map_or(0, Sum::sum)
    }
}

impl<T: Sum> Sum for Vec<T> {
    #[inline]
    fn sum(&self) -> u32 {
        self.as_slice().sum()
    }
}

impl<T: Sum> Sum for [T] {
    #[inline]
    fn sum(&self) -> u32 {
        self.iter().fold(0, |sum, part| sum.wrapping_add(part.sum()))
    }
}

impl<T: Sum, const N: usize> Sum for [T; N] {
    #[inline]
    fn sum(&self) -> u32 {
        self.as_slice().sum()
    }
}

/// Implements `Sum` for structures as the sum of the listed fields.
#[cfg(feature = "readers")]
macro_rules! sums {
    ($($structure:ident: $($field:ident),+;)+) => {$(
        impl $crate::readers::Sum for $structure {
            fn sum(&self) -> u32 {
                [$(self.$field.sum()),+].sum()
            }
        }
    )+};
}
#[cfg(feature = "readers")]
use sums;
