//! Reads the same bytes as the views, but with a bounds check for each number.

use worldview_core::zerocopy::big_endian::U32;
use worldview_core::{OffsetBase, Result, Source};

use super::plan::{Field, Kind, NAMES, plan, plan_of};
use crate::readers::Digest;

/// Returns the digest of a file.
pub fn digest(bytes: &[u8]) -> Digest {
    let file = Source::new(bytes, OffsetBase::File);
    let sections = Sections::find(file)?;
    let fields = plan(sections.names.bytes(), sections.types.bytes()).ok_or(NAMES)?;
    Ok(records(file, &fields, &sections)?)
}

/// Returns the sum of one field over all records.
pub fn column(bytes: &[u8], name: &str) -> Option<u32> {
    let file = Source::new(bytes, OffsetBase::File);
    let sections = Sections::find(file).ok()?;
    let fields = plan_of(sections.names.bytes(), sections.types.bytes(), name)?;
    records(file, &fields, &sections).ok()
}

/// Reads one word with a bounds check.
fn word(source: Source<'_>, at: u64) -> Result<u32> {
    Ok(source.view::<U32>(at, "word")?.get())
}

/// Returns the data of a directory entry.
fn data(file: Source<'_>, entry: u64) -> Result<Source<'_>> {
    file.window(word(file, entry + 16)?.into(), word(file, entry + 20)?.into(), "member")
}

/// Returns the offsets of all directory entries.
fn entries(file: Source<'_>) -> Result<impl Iterator<Item = u64> + use<>> {
    Ok((0..u64::from(word(file, 4)?)).map(|i| 16 + 32 * i))
}

/// The relevant sections; missing ones are empty.
struct Sections<'a> {
    names: Source<'a>,
    types: Source<'a>,
    strings: Source<'a>,
    array_info: Source<'a>,
    array_starts: Source<'a>,
    array_words: Source<'a>,
}

impl<'a> Sections<'a> {
    fn find(file: Source<'a>) -> Result<Self> {
        let [mut names, mut types, mut strings] = [Source::new(&[], OffsetBase::File); 3];
        let [mut array_info, mut array_starts, mut array_words] = [Source::new(&[], OffsetBase::File); 3];
        for entry in entries(file)? {
            match file.view::<[u8; 16]>(entry, "name")? {
                b"!structitem\0\0\0\0\0" => names = data(file, entry)?,
                b"!!strtypelistb\0\0" => types = data(file, entry)?,
                b"!!string\0\0\0\0\0\0\0\0" => strings = data(file, entry)?,
                b"!!strArrayInfo\0\0" => array_info = data(file, entry)?,
                b"!!strArrayList\0\0" => array_starts = data(file, entry)?,
                b"!!strArray\0\0\0\0\0\0" => array_words = data(file, entry)?,
                _ => {}
            }
        }
        Ok(Self { names, types, strings, array_info, array_starts, array_words })
    }

    /// Returns the length of the string at an offset, determined byte by byte, or 0 if there is
    /// none.
    fn length(&self, offset: u32) -> u32 {
        let at = offset.into();
        let rest = (at..).map_while(|at| self.strings.view::<u8>(at, "byte").ok()).take_while(|byte| **byte != 0);
        rest.fold(0, |length, _| length + 1)
    }

    /// Returns the length of the string with this index in an array.
    fn element(&self, array: usize, number: u32) -> Result<u32> {
        let (a_word, bits) = (self.array_info.view::<u8>(2, "info")?, self.array_info.view::<u8>(3, "info")?);
        let (a_word, bits, array) = (u32::from(*a_word), u32::from(*bits), array as u64);
        let start = word(self.array_starts, 4 * array)?;
        let end = word(self.array_starts, 4 * array + 4).map_or(self.array_words.len(), u64::from);
        let at = u64::from(start) + 4 * u64::from(number / a_word);
        let word = word(self.array_words, at)?;
        let offset = word >> (number % a_word * bits) & u32::MAX >> (32 - bits);
        Ok(if at < end { self.length(offset) } else { 0 })
    }
}

/// Sums all fields of all records, each looked up individually.
fn records(file: Source<'_>, fields: &[Field<'_>], sections: &Sections<'_>) -> Result<u32> {
    let mut sum = 0_u32;
    for entry in entries(file)? {
        if *file.view::<u8>(entry, "name")? == b'!' {
            continue;
        }
        let record = data(file, entry)?;
        for field in fields {
            let at = 4 * field.word as u64;
            let value = field.of(word(record, at)?);
            sum = sum.wrapping_add(match field.kind {
                Kind::Signed | Kind::Unsigned => value,
                Kind::Long => value.wrapping_add(word(record, at + 4)?),
                Kind::Text => sections.length(value),
                Kind::Element(array) => sections.element(array, value).unwrap_or(0),
            });
        }
    }
    Ok(sum)
}
