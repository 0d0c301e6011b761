mod pool;

use worldview_core::describe::Int;
use zerocopy::big_endian::U32;

use crate::archive::Member;
use crate::refusal::ArraysRefusal;
use crate::sections::{Sections, longs};

pub(crate) use pool::OverlongStrings;
pub use pool::Strings;

/// The string arrays of a table, one per field of [elements](crate::FieldKind::Element).
/// See [String arrays](crate::format#string-arrays).
#[derive(Clone, Copy)]
pub struct StringArrays<'t, 'a> {
    pub(crate) parts: ArrayParts<'a>,
    strings: Strings<'t, 'a>,
}

worldview_core::debug_summary!("StringArrays", StringArrays<'_, '_>, |this| len: this.len());

/// The layout of the arrays, from the sections.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ArrayParts<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) list: &'a [U32],
    pub(crate) per_word: usize,
    pub(crate) bits: u32,
}

impl<'a> ArrayParts<'a> {
    const NONE: Self = Self { bytes: &[], list: &[], per_word: 1, bits: 1 };

    /// Returns the arrays of a table with `fields` element fields, or no arrays and the reason if they are
    /// inconsistent.
    pub(crate) fn of(sections: &Sections<'a>, fields: usize) -> (Self, Option<ArraysRefusal>) {
        let parts = (sections.str_array(), sections.str_array_info(), sections.str_array_list());
        if let (None, None, None) = parts {
            let refusal = (fields > 0).then_some(ArraysRefusal::Count { arrays: 0, fields });
            return (Self::NONE, refusal);
        }
        match Self::read(parts, fields) {
            Ok(arrays) => (arrays, None),
            Err(refusal) => (Self::NONE, Some(refusal)),
        }
    }

    fn read(
        (array, info, list): (Option<Member<'a>>, Option<Member<'a>>, Option<Member<'a>>),
        fields: usize,
    ) -> Result<Self, ArraysRefusal> {
        let missing = |section| ArraysRefusal::Missing { section };
        let bytes = array.ok_or(missing("!!strArray"))?.data();
        let info = info.ok_or(missing("!!strArrayInfo"))?.data();
        let list = list.ok_or(missing("!!strArrayList"))?.data();
        let Some(&[_, _, per_word, bits]) = info.first_chunk() else {
            return Err(ArraysRefusal::Size { section: "!!strArrayInfo" });
        };
        if per_word == 0 || !(1..=32).contains(&bits) || u32::from(per_word).saturating_mul(bits.into()) > 32 {
            return Err(ArraysRefusal::Packing { per_word, bits });
        }
        if list.len() % 4 != 0 {
            return Err(ArraysRefusal::Size { section: "!!strArrayList" });
        }
        let list = longs(list);
        if list.len() != fields {
            return Err(ArraysRefusal::Count { arrays: list.len(), fields });
        }
        Ok(Self { bytes, list, per_word: per_word.into(), bits: bits.into() })
    }
}

impl<'t, 'a> StringArrays<'t, 'a> {
    pub(crate) const fn new(parts: ArrayParts<'a>, strings: Strings<'t, 'a>) -> Self {
        Self { parts, strings }
    }

    /// Returns the number of arrays.
    #[inline]
    pub const fn len(&self) -> usize {
        self.parts.list.len()
    }

    /// Returns whether there are no arrays.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.parts.list.is_empty()
    }

    /// Returns the array of the field whose [`array`](crate::Field::array) is `index`.
    #[inline]
    pub fn get(&self, index: usize) -> Option<StringArray<'t, 'a>> {
        let ArrayParts { bytes, list, per_word, bits } = self.parts;
        let place = |index: usize| {
            let start = list.get(index)?;
            Some(usize::try_from(start.get()).unwrap_or(usize::MAX).min(bytes.len()))
        };
        let start = place(index)?;
        let end = place(index.saturating_add(1)).unwrap_or(bytes.len());
        Some(StringArray { bytes: bytes.get(start..end).unwrap_or(&[]), per_word, bits, strings: self.strings })
    }

    /// Returns an iterator over the arrays, in the order of their fields.
    pub fn iter(&self) -> StringArraysIter<'t, 'a> {
        StringArraysIter::new(*self)
    }

    /// Returns where the arrays begin, as offsets into `!!strArray`.
    #[inline]
    pub const fn starts(&self) -> &'a [U32] {
        self.parts.list
    }

    /// Returns the bytes of `!!strArray`.
    #[inline]
    pub(crate) const fn bytes(&self) -> &'a [u8] {
        self.parts.bytes
    }
}

/// One string array.
#[derive(Clone, Copy)]
pub struct StringArray<'t, 'a> {
    bytes: &'a [u8],
    per_word: usize,
    bits: u32,
    strings: Strings<'t, 'a>,
}

worldview_core::debug_summary!("StringArray", StringArray<'_, '_>, |this| len: this.len());

impl<'t, 'a> StringArray<'t, 'a> {
    /// Returns an array without elements.
    pub(crate) const fn none() -> Self {
        Self { bytes: &[], per_word: 1, bits: 1, strings: Strings::none() }
    }

    /// Returns the number of elements, including those that only pad the last word and read as the string at offset 0.
    #[inline]
    pub const fn len(&self) -> usize {
        // A word has at most 32 elements. On 32-bit platforms, saturates at what can be counted.
        (self.bytes.len() / 4).saturating_mul(self.per_word)
    }

    /// Returns whether there are no elements.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the offset of an element's string, or `None` if `index` is out of bounds.
    #[inline]
    pub fn offset(&self, index: usize) -> Option<u32> {
        let (word, low) = self.place(index)?;
        Some(longs(self.bytes).get(word)?.get().unbounded_shr(low) & low_bits(self.bits))
    }

    /// Returns the word that has an element, and the element's lowest bit in it.
    #[inline]
    fn place(&self, index: usize) -> Option<(usize, u32)> {
        /// 2<sup>63</sup> divided by each possible number of elements per word, plus one. A division takes as long as finding a
        /// short string. The product is exact for indexes below 2<sup>58</sup>, and no array is longer.
        #[expect(clippy::indexing_slicing, reason = "evaluated by the compiler")]
        const INVERSES: [u64; 33] = {
            let (mut inverses, mut divisor) = ([0; 33], 1);
            while divisor < 33 {
                inverses[divisor] = (1 << 63) / divisor as u64 + 1;
                divisor += 1;
            }
            inverses
        };
        let product = (index as u128).wrapping_mul((*INVERSES.get(self.per_word)?).into());
        let word = usize::try_from(product >> 63).ok()?;
        let nth = u32::try_from(index.wrapping_sub(word.wrapping_mul(self.per_word))).ok()?;
        Some((word, nth.saturating_mul(self.bits)))
    }

    /// Returns all bytes of the array.
    pub(crate) const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the bytes that contain the offset of an element. They may be shared with adjacent elements.
    pub(crate) fn bytes_of(&self, index: usize) -> Option<&'a [u8]> {
        let (word, low) = self.place(index)?;
        let word = word.checked_mul(4)?;
        let high = low.saturating_add(self.bits).saturating_sub(1);
        // The lowest bits of a word are in its last byte.
        let byte = |bit: u32| word.saturating_add(3).saturating_sub(usize::try_from(bit / 8).unwrap_or(0));
        self.bytes.get(byte(high)..=byte(low))
    }

    /// Returns how the offset of an element is stored in [its bytes](Self::bytes_of).
    pub(crate) fn int_of(&self, index: usize) -> Option<Int> {
        let narrow = |number: u32| u8::try_from(number).ok();
        let bytes = u8::try_from(self.bytes_of(index)?.len()).ok()?;
        let low = self.place(index)?.1.checked_rem(8).and_then(narrow)?;
        Some(Int::word(bytes, false).big_endian().bits(low, narrow(self.bits)?))
    }

    /// Returns the string of an element, or `None` if `index`, or the string's offset, is out of bounds.
    #[inline]
    pub fn get(&self, index: usize) -> Option<&'a [u8]> {
        self.strings.get(self.offset(index)?)
    }

    /// Returns the string of an element, by its index as stored in a record.
    #[inline]
    pub(crate) fn text_at(&self, index: u32) -> Option<&'a [u8]> {
        self.get(usize::try_from(index).ok()?)
    }

    /// Returns an iterator over the elements, in order.
    pub fn iter(&self) -> StringArrayIter<'t, 'a> {
        StringArrayIter { array: *self, range: 0..self.len() }
    }

    /// Returns whether a string offset lies inside the pool.
    pub(crate) fn reaches(&self, offset: u32) -> bool {
        self.strings.has(offset)
    }
}

/// An iterator over the elements of a [`StringArray`]. An element is `None` if its offset lies outside the pool.
#[derive(Clone, Debug)]
pub struct StringArrayIter<'t, 'a> {
    array: StringArray<'t, 'a>,
    range: core::ops::Range<usize>,
}

impl<'a> Iterator for StringArrayIter<'_, 'a> {
    type Item = Option<&'a [u8]>;

    #[inline]
    fn next(&mut self) -> Option<Option<&'a [u8]>> {
        self.range.next().map(|index| self.array.get(index))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.range.size_hint()
    }
}

impl DoubleEndedIterator for StringArrayIter<'_, '_> {
    #[inline]
    fn next_back(&mut self) -> Option<Self::Item> {
        self.range.next_back().map(|index| self.array.get(index))
    }
}

impl ExactSizeIterator for StringArrayIter<'_, '_> {}
impl core::iter::FusedIterator for StringArrayIter<'_, '_> {}

worldview_core::into_iter!(['t, 'a] StringArray<'t, 'a> => Option<&'a [u8]>, StringArrayIter<'t, 'a>, iter);

worldview_core::index_iter! {
    /// An iterator over [`StringArrays`], in the order of their fields.
    pub struct StringArraysIter['t, 'a] over StringArrays<'t, 'a> => StringArray<'t, 'a>;
}

worldview_core::into_iter!(['t, 'a] StringArrays<'t, 'a> => StringArray<'t, 'a>, StringArraysIter<'t, 'a>, iter);

/// Returns a mask of the lowest `bits` bits.
#[inline]
pub(crate) const fn low_bits(bits: u32) -> u32 {
    !u32::MAX.unbounded_shl(bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_element_is_placed_by_division() {
        for per_word in 1..=32_usize {
            let bits = u32::try_from(32_usize.div_euclid(per_word)).unwrap();
            let array = StringArray { per_word, bits, ..StringArray::none() };
            let large = usize::try_from(u32::MAX).unwrap();
            for index in (0..1000).chain(large.saturating_sub(1000)..=large) {
                let nth = u32::try_from(index.rem_euclid(per_word)).unwrap();
                assert_eq!(array.place(index), Some((index.div_euclid(per_word), nth.saturating_mul(bits))));
            }
        }
    }
}
