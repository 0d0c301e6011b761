//! A table in a structure that owns its contents.

use super::plan::{Field, Kind, plan, plan_of};

/// The relevant sections and the records.
#[derive(Default)]
pub(super) struct Owned {
    /// `!structitem`: the NUL-terminated names of the fields.
    pub(super) names: Vec<u8>,
    /// `!!strtypelistb`: the types of the words.
    pub(super) types: Vec<u8>,
    /// `!!string`: the NUL-terminated strings.
    pub(super) strings: Vec<u8>,
    /// `!!strArrayInfo`: two zeros, offsets per word, bits per offset.
    pub(super) array_info: Vec<u8>,
    /// `!!strArrayList`: the start of each array.
    pub(super) array_starts: Vec<u32>,
    /// `!!strArray`: the words of offsets.
    pub(super) array_words: Vec<u32>,
    /// The words of each record.
    pub(super) records: Vec<Vec<u32>>,
}

impl Owned {
    /// Returns the sum of all fields of all records.
    pub(super) fn digest(&self) -> Option<u32> {
        self.sum(&plan(&self.names, &self.types)?)
    }

    /// Returns the sum of one field over all records.
    pub(super) fn column(&self, name: &str) -> Option<u32> {
        self.sum(&plan_of(&self.names, &self.types, name)?)
    }

    fn sum(&self, fields: &[Field<'_>]) -> Option<u32> {
        let mut sum = 0_u32;
        for record in &self.records {
            for field in fields {
                let value = field.of(*record.get(field.word)?);
                sum = sum.wrapping_add(match field.kind {
                    Kind::Signed | Kind::Unsigned => value,
                    Kind::Long => value.wrapping_add(*record.get(field.word + 1)?),
                    Kind::Text => self.text(value).map_or(0, length),
                    Kind::Element(array) => self.element(array, value).map_or(0, length),
                });
            }
        }
        Some(sum)
    }

    /// Returns the string at an offset.
    fn text(&self, offset: u32) -> Option<&[u8]> {
        let rest = self.strings.get(offset as usize..).filter(|rest| !rest.is_empty())?;
        let end = rest.iter().position(|&byte| byte == 0);
        rest.get(..end.unwrap_or(rest.len()))
    }

    /// Returns the string with this index in an array.
    fn element(&self, array: usize, number: u32) -> Option<&[u8]> {
        let &[_, _, a_word, bits] = self.array_info.as_slice() else {
            return None;
        };
        let start = *self.array_starts.get(array)? as usize / 4;
        let end = self.array_starts.get(array + 1).map_or(self.array_words.len(), |&end| end as usize / 4);
        let a_word = u32::from(a_word);
        let word = *self.array_words.get(start..end)?.get(number.checked_div(a_word)? as usize)?;
        let bits = u32::from(bits);
        self.text(word >> (number % a_word * bits) & u32::MAX.checked_shr(32 - bits)?)
    }
}

#[expect(clippy::cast_possible_truncation, reason = "no string is that long")]
fn length(text: &[u8]) -> u32 {
    text.len() as u32
}
