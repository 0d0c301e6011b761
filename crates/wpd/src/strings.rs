mod pool;

use zerocopy::big_endian::U32;

use crate::archive::Member;
use crate::refusal::ArraysRefusal;
use crate::sections::{Sections, longs};

pub(crate) use pool::FarEnds;
pub use pool::Strings;

/// The arrays of strings, one for each field of [elements](crate::FieldKind::Element).
/// `docs/formats/wpd.md`, String arrays.
#[derive(Clone, Copy, Debug)]
pub struct StringArrays<'t, 'a> {
    parts: ArrayParts<'a>,
    strings: Strings<'t, 'a>,
}

/// What the sections tell of the arrays.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ArrayParts<'a> {
    bytes: &'a [u8],
    list: &'a [U32],
    per_word: u32,
    bits: u32,
}

impl<'a> ArrayParts<'a> {
    const NONE: Self = Self { bytes: &[], list: &[], per_word: 1, bits: 1 };

    /// The arrays of a table with `fields` fields of elements; none, and why, where they contradict themselves.
    pub(crate) fn of(sections: &Sections<'a>, fields: usize) -> (Self, Option<ArraysRefusal>) {
        let parts = (sections.str_array, sections.str_array_info, sections.str_array_list);
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

    /// How many arrays there are.
    #[inline]
    pub const fn len(&self) -> usize {
        self.parts.list.len()
    }

    /// Whether there are none.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.parts.list.is_empty()
    }

    /// The array of the field whose [`array`](crate::Field::array) is `index`.
    #[inline]
    pub fn get(&self, index: u32) -> Option<StringArray<'t, 'a>> {
        let ArrayParts { bytes, list, per_word, bits } = self.parts;
        let index = usize::try_from(index).ok()?;
        let place = |index: usize| {
            let start = list.get(index)?;
            Some(usize::try_from(start.get()).unwrap_or(usize::MAX).min(bytes.len()))
        };
        let start = place(index)?;
        let end = place(index.saturating_add(1)).unwrap_or(bytes.len());
        Some(StringArray { bytes: bytes.get(start..end).unwrap_or(&[]), per_word, bits, strings: self.strings })
    }

    /// Where the arrays begin, as the section says: offsets into `!!strArray`.
    #[inline]
    pub const fn starts(&self) -> &'a [U32] {
        self.parts.list
    }

    /// Bytes of `!!strArray`.
    #[inline]
    pub(crate) const fn bytes(&self) -> &'a [u8] {
        self.parts.bytes
    }
}

/// One array of strings.
#[derive(Clone, Copy, Debug)]
pub struct StringArray<'t, 'a> {
    bytes: &'a [u8],
    per_word: u32,
    bits: u32,
    strings: Strings<'t, 'a>,
}

impl<'t, 'a> StringArray<'t, 'a> {
    /// An array without elements.
    pub(crate) const fn none() -> Self {
        Self { bytes: &[], per_word: 1, bits: 1, strings: Strings::none() }
    }

    /// Elements, those included that only fill the last word and read as the string at offset 0.
    #[inline]
    pub fn len(&self) -> u64 {
        ((self.bytes.len() / 4) as u64).saturating_mul(self.per_word.into())
    }

    /// Whether there are no elements.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The offset of an element's string; none past the end.
    #[inline]
    pub fn offset(&self, index: u32) -> Option<u32> {
        // `per_word` is at least 1: the checked forms are for the reader's sake.
        let word = longs(self.bytes).get(usize::try_from(index.checked_div(self.per_word)?).ok()?)?.get();
        let shift = index.checked_rem(self.per_word)?.saturating_mul(self.bits);
        Some(word.unbounded_shr(shift) & low_bits(self.bits))
    }

    /// Returns all bytes of the array.
    pub(crate) const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the bytes that the offset of an element takes, or shares with those next to it.
    pub(crate) fn bytes_of(&self, index: u32) -> Option<&'a [u8]> {
        let word = usize::try_from(index.checked_div(self.per_word)?).ok()?.checked_mul(4)?;
        let low = index.checked_rem(self.per_word)?.saturating_mul(self.bits);
        let high = low.saturating_add(self.bits).saturating_sub(1);
        // The lowest bits of a word are in its last byte.
        let byte = |bit: u32| word.saturating_add(3).saturating_sub(usize::try_from(bit / 8).unwrap_or(0));
        self.bytes.get(byte(high)..=byte(low))
    }

    /// An element; none past the end, or where its offset lies outside the strings.
    #[inline]
    pub fn get(&self, index: u32) -> Option<&'a [u8]> {
        self.strings.get(self.offset(index)?)
    }

    /// The elements, in order.
    pub fn iter(&self) -> impl Iterator<Item = Option<&'a [u8]>> + use<'t, 'a> {
        let this = *self;
        (0..u32::try_from(this.len()).unwrap_or(u32::MAX)).map(move |index| this.get(index))
    }

    /// Whether an offset of this array's lies in the strings.
    pub(crate) fn reaches(&self, offset: u32) -> bool {
        self.strings.has(offset)
    }
}

/// A mask of the lowest `bits` bits.
#[inline]
pub(crate) const fn low_bits(bits: u32) -> u32 {
    !u32::MAX.unbounded_shl(bits)
}
