use winnow::binary::{be_u32, length_repeat};
use winnow::combinator::{delimited, seq, terminated};
use winnow::error::EmptyError;
use winnow::token::take;
use winnow::{Parser, Result};

use super::owned::Owned;

pub(super) fn digest(bytes: &[u8]) -> Option<u32> {
    table(bytes).ok()?.digest()
}

pub(super) fn column(bytes: &[u8], name: &str) -> Option<u32> {
    table(bytes).ok()?.column(name)
}

struct Entry<'a> {
    name: &'a [u8],
    offset: u32,
    size: u32,
}

fn directory<'a>(input: &mut &'a [u8]) -> Result<Vec<Entry<'a>>, EmptyError> {
    length_repeat(delimited(b"WPD\0", be_u32, take(8_usize)), entry).parse_next(input)
}

fn entry<'a>(input: &mut &'a [u8]) -> Result<Entry<'a>, EmptyError> {
    let entry = seq! {Entry { name: take(16_usize), offset: be_u32, size: be_u32 }};
    terminated(entry, take(8_usize)).parse_next(input)
}

/// Returns the numbers of a slice.
fn words(data: &[u8]) -> Vec<u32> {
    data.as_chunks().0.iter().map(|word| u32::from_be_bytes(*word)).collect()
}

fn table(bytes: &[u8]) -> Result<Owned, EmptyError> {
    let mut table = Owned::default();
    for Entry { name, offset, size } in directory(&mut &*bytes)? {
        let data = take(size as usize).parse_next(&mut bytes.get(offset as usize..).ok_or(EmptyError)?)?;
        match name.split(|&byte| byte == 0).next() {
            Some(b"!structitem") => table.names = data.to_vec(),
            Some(b"!!strtypelistb") => table.types = data.to_vec(),
            Some(b"!!string") => table.strings = data.to_vec(),
            Some(b"!!strArrayInfo") => table.array_info = data.to_vec(),
            Some(b"!!strArrayList") => table.array_starts = words(data),
            Some(b"!!strArray") => table.array_words = words(data),
            Some([b'!', ..]) => {}
            _ => table.records.push(words(data)),
        }
    }
    Ok(table)
}
