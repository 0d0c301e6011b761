//! The same files read in different ways, each to a digest, so that what is compared does the same work.
//!
//! Every reader takes the bytes of a whole file, reads all that the digest is made of, and adds it up; it gives `None`
//! where the file cannot be read. The peers read into structures that own what they hold, as their users do, and add up
//! afterwards. None of them is a bad one on purpose: what a library offers for bulk is used, and what the digest does
//! not need is passed over, by all alike.
//!
//! - `ours`: the views of this project. A range is checked once, and then a slice.
//! - `checked`: the same bytes, but each number by itself, with a check of its own.
//! - `naive`: the reader of `crates/corpus`, which is made to be obviously right.
//! - `binrw`, `winnow`, `deku`: what the libraries of that name make of the format. Lists of numbers are read in bulk
//!   by binrw, which does so by itself, and winnow, which takes a slice and then its words; deku has that for bytes
//!   alone.

pub mod level;
pub mod table;
pub mod world;

/// One way of reading a file: from its bytes to the digest.
pub type Reader = fn(&[u8]) -> Option<u32>;

/// The sum of the little-endian words of a structure or of a list of them.
#[inline]
fn words(bytes: &[u8]) -> u32 {
    bytes.as_chunks().0.iter().fold(0, |sum, word| sum.wrapping_add(u32::from_le_bytes(*word)))
}

/// The sum of bytes, by the quickest loop that there is: what is compared is the reading, not the adding up.
#[inline]
fn bytes(bytes: &[u8]) -> u32 {
    worldview::wwd::byte_sum(bytes)
}

/// What is added up: a wrapping sum of words, the same for every reader.
trait Sum {
    /// The sum of all words.
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
