use std::io::Cursor;

use binrw::{BinRead, BinResult, binread};

use super::plan::{Field, Kind, NAMES, plan, plan_of};
use crate::readers::Digest;

pub(super) fn digest(bytes: &[u8]) -> Digest {
    let table = table(bytes)?;
    let fields = plan(&table.names, &table.types).ok_or(NAMES)?;
    Ok(table.sum(&fields).ok_or("a record is too short")?)
}

pub(super) fn column(bytes: &[u8], name: &str) -> Option<u32> {
    table(bytes).ok()?.column(name)
}

#[binread]
#[br(big, magic = b"WPD\0")]
struct Directory {
    #[br(temp, pad_after = 8)]
    count: u32,
    #[br(count = count)]
    entries: Vec<Entry>,
}

#[derive(BinRead)]
#[br(big)]
struct Entry {
    name: [u8; 16],
    offset: u32,
    #[br(pad_after = 8)]
    size: u32,
}

#[derive(BinRead)]
#[br(import { size: u32 })]
struct Bytes(#[br(count = size)] Vec<u8>);

#[derive(BinRead)]
#[br(big, import { size: u32 })]
struct Words(#[br(count = size / 4)] Vec<u32>);

fn table(bytes: &[u8]) -> BinResult<Table> {
    let reader = &mut Cursor::new(bytes);
    let mut table = Table::default();
    for Entry { name, offset, size } in Directory::read(reader)?.entries {
        reader.set_position(offset.into());
        let mut bytes = || BinResult::Ok(Bytes::read_be_args(reader, binrw::args! { size })?.0);
        match name.split(|&byte| byte == 0).next() {
            Some(b"!structitem") => table.names = bytes()?,
            Some(b"!!strtypelistb") => table.types = bytes()?,
            Some(b"!!string") => table.strings = bytes()?,
            Some(b"!!strArrayInfo") => table.array_info = bytes()?,
            Some(b"!!strArrayList") => table.array_starts = words(reader, size)?,
            Some(b"!!strArray") => table.array_words = words(reader, size)?,
            Some([b'!', ..]) => {}
            _ => table.records.push(words(reader, size)?),
        }
    }
    Ok(table)
}

fn words(reader: &mut Cursor<&[u8]>, size: u32) -> BinResult<Vec<u32>> {
    Ok(Words::read_args(reader, binrw::args! { size })?.0)
}

/// The relevant sections and the records of a table.
#[derive(Default)]
struct Table {
    /// `!structitem`: the NUL-terminated names of the fields.
    names: Vec<u8>,
    /// `!!strtypelistb`: the types of the words.
    types: Vec<u8>,
    /// `!!string`: the NUL-terminated strings.
    strings: Vec<u8>,
    /// `!!strArrayInfo`: two zeros, offsets per word, bits per offset.
    array_info: Vec<u8>,
    /// `!!strArrayList`: the start of each array.
    array_starts: Vec<u32>,
    /// `!!strArray`: the words of offsets.
    array_words: Vec<u32>,
    /// The words of each record.
    records: Vec<Vec<u32>>,
}

impl Table {
    /// Returns the sum of one field over all records.
    fn column(&self, name: &str) -> Option<u32> {
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
