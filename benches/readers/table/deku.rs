use deku::ctx::{Endian, Limit, ReadExact};
use deku::no_std_io::{Cursor, Seek as _, SeekFrom};
use deku::reader::Reader;
use deku::{DekuError, DekuRead, DekuReader as _, deku_derive};

use super::owned::Owned;

pub(super) fn digest(bytes: &[u8]) -> Option<u32> {
    table(bytes).ok()?.digest()
}

pub(super) fn column(bytes: &[u8], name: &str) -> Option<u32> {
    table(bytes).ok()?.column(name)
}

#[deku_derive(DekuRead)]
#[deku(magic = b"WPD\0", endian = "big")]
struct Directory {
    #[deku(temp)]
    count: u32,
    #[deku(seek_from_current = "8", count = "count")]
    entries: Vec<Entry>,
}

#[derive(DekuRead)]
#[deku(endian = "endian", ctx = "endian: Endian")]
struct Entry {
    name: [u8; 16],
    offset: u32,
    size: u32,
    #[deku(seek_from_current = "8")]
    _extension: (),
}

fn table(bytes: &[u8]) -> Result<Owned, DekuError> {
    let reader = &mut Reader::new(Cursor::new(bytes));
    let mut table = Owned::default();
    for Entry { name, offset, size, .. } in Directory::from_reader_with_ctx(reader, ())?.entries {
        reader.seek(SeekFrom::Start(offset.into())).map_err(|error| DekuError::Io(error.kind()))?;
        let mut bytes = || Vec::from_reader_with_ctx(reader, ReadExact(size as usize));
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

fn words(reader: &mut Reader<Cursor<&[u8]>>, size: u32) -> Result<Vec<u32>, DekuError> {
    Vec::from_reader_with_ctx(reader, (Limit::new_count(size as usize / 4), Endian::Big))
}
