use zerocopy::IntoBytes as _;
use zerocopy::big_endian::U32;

use crate::sections::longs;
use crate::strings::{ArrayParts, StringArrays, low_bits};

/// The sections of string arrays whose elements have other offsets.
#[non_exhaustive]
#[derive(Clone, Debug)]
pub struct RepackedArrays {
    /// The bytes of `!!strArray`.
    pub array: Vec<u8>,
    /// The bytes of `!!strArrayList`.
    pub list: Vec<u8>,
    /// The elements in a word and the bits of an element, the last two bytes of `!!strArrayInfo`, if these are others.
    pub packing: Option<[u8; 2]>,
}

impl StringArrays<'_, '_> {
    /// Returns the sections for elements with these offsets into the pool, by array; elements that only pad the last word are among
    /// them.
    ///
    /// As long as every offset fits, the packing stays, and so do bits that no element owns and bytes behind the last word of an array.
    /// Returns `None` if there are other arrays than these, or if `!!strArray` would be larger than 32 bits can express.
    pub fn repacked(&self, offsets: &[&[u32]]) -> Option<RepackedArrays> {
        let ArrayParts { bytes: old, list: starts, per_word, bits } = self.parts;
        let largest = offsets.iter().copied().flatten().max().copied().unwrap_or(0);
        let needed = u32::BITS.saturating_sub(largest.leading_zeros()).max(1);
        let is_kept = needed <= bits;
        let (per_word, bits) =
            if is_kept { (per_word, bits) } else { (usize::try_from(u32::BITS.checked_div(needed)?).ok()?, needed) };
        if starts.len() != offsets.len() {
            return None;
        }
        let mut array = old.get(..usize::try_from(starts.first()?.get()).ok()?)?.to_vec();
        let mut list = Vec::with_capacity(starts.len());
        for (stored, offsets) in self.iter().zip(offsets) {
            list.push(U32::new(u32::try_from(array.len()).ok()?));
            for (number, chunk) in offsets.chunks(per_word).enumerate() {
                let shift = |nth: u32| nth.saturating_mul(bits);
                let word = (0..).zip(chunk).fold(0, |word, (nth, offset)| word | offset.unbounded_shl(shift(nth)));
                let owned = low_bits(shift(u32::try_from(per_word).ok()?));
                let kept = longs(stored.bytes()).get(number).filter(|_| is_kept).map_or(0, |word| word.get() & !owned);
                array.extend_from_slice(U32::new(word | kept).as_bytes());
            }
            if is_kept {
                array.extend_from_slice(stored.bytes().get(stored.bytes().len() & !3..)?);
            }
        }
        let packing = if is_kept { None } else { Some([u8::try_from(per_word).ok()?, u8::try_from(bits).ok()?]) };
        Some(RepackedArrays { array, list: list.as_bytes().to_vec(), packing })
    }
}
