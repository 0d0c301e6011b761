use std::io::Cursor;

use binrw::{BinRead, BinResult, binread};

use super::owned::Owned;

pub(super) fn digest(bytes: &[u8]) -> Option<u32> {
    table(bytes).ok()?.digest()
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

fn table(bytes: &[u8]) -> BinResult<Owned> {
    let reader = &mut Cursor::new(bytes);
    let mut table = Owned::default();
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
