//! The entries of an archive, and their recovery when the header is damaged.

use super::{
    Budget, NaiveArchive, NaiveError, NaiveMember, Result, after_nul, budget, byte, bytes_at, u32_at, until_nul, wide,
};

/// An archive entry.
pub(super) struct Entry {
    /// Name, up to its NUL.
    pub(super) name: Vec<u8>,
    /// Extension, up to its NUL.
    pub(super) extension: Vec<u8>,
    pub(super) tails: [Vec<u8>; 2],
    /// Offset of the data.
    pub(super) offset: u32,
    /// Size of the data.
    pub(super) size: u32,
    /// Offset of the entry itself.
    pub(super) at: u64,
}

impl Entry {
    fn is_inside(&self, file: &[u8]) -> bool {
        self.size == 0 || u64::from(self.offset) + u64::from(self.size) <= wide(file.len())
    }

    /// Returns the data. An entry of size 0 is empty wherever its offset points.
    pub(super) fn data(&self, file: &[u8]) -> Result<Vec<u8>> {
        bytes_at(file, self.offset.into(), self.size.into())
    }
}

/// Parses an archive, or returns the first error in it.
pub fn archive(bytes: &[u8]) -> Result<NaiveArchive> {
    let mut out = NaiveArchive { reserved: bytes_at(bytes, 8, 8)?, ..NaiveArchive::default() };
    let mut budget = budget(bytes);
    for entry in entries(bytes)? {
        out.members.push(member(bytes, &entry, &mut budget)?);
    }
    Ok(out)
}

/// Parses an archive whose header or data may be damaged; members outside the file are returned empty.
pub fn recover(bytes: &[u8]) -> Result<NaiveArchive> {
    let (count, recovered) = match header(bytes) {
        Ok(count) if table_fits(bytes, count.into()) => (count, false),
        _ => (count_by_first_offset(bytes)?, true),
    };
    let mut budget = budget(bytes);
    let mut out = NaiveArchive { reserved: bytes_at(bytes, 8, 8)?, recovered, ..NaiveArchive::default() };
    for i in 0..count {
        let entry = entry(bytes, i)?;
        if entry.is_inside(bytes) {
            out.members.push(member(bytes, &entry, &mut budget)?);
        } else {
            out.lost.push(out.members.len());
            let Entry { name, extension, tails, offset, size, .. } = entry;
            out.members.push(NaiveMember { name, extension, tails, offset, size, data: Vec::new() });
        }
    }
    Ok(out)
}

fn count_by_first_offset(bytes: &[u8]) -> Result<u32> {
    let first = u32_at(bytes, 32)?;
    let refuse = || NaiveError::new(32, format!("no table ends at the first offset, {first}"));
    let table = first.checked_sub(16).ok_or_else(refuse)?;
    if table == 0 || !table.is_multiple_of(32) || !table_fits(bytes, (table / 32).into()) {
        return Err(refuse());
    }
    Ok(table / 32)
}

/// Returns the entries of an undamaged archive.
pub(super) fn entries(bytes: &[u8]) -> Result<Vec<Entry>> {
    let count = header(bytes)?;
    if !table_fits(bytes, count.into()) {
        return Err(NaiveError::new(4, format!("a table of {count} entries is longer than the file")));
    }
    let mut out = Vec::new();
    for i in 0..count {
        let entry = entry(bytes, i)?;
        if !entry.is_inside(bytes) {
            let Entry { at, offset, size, .. } = entry;
            return Err(NaiveError::new(at + 16, format!("{size} bytes at {offset} are not inside the file")));
        }
        out.push(entry);
    }
    Ok(out)
}

fn header(bytes: &[u8]) -> Result<u32> {
    for (at, expected) in [(0, 0x57), (1, 0x50), (2, 0x44), (3, 0x00)] {
        if byte(bytes, at)? != expected {
            return Err(NaiveError::new(at, "the file does not begin with WPD"));
        }
    }
    u32_at(bytes, 4)
}

fn table_fits(bytes: &[u8], count: u64) -> bool {
    16 + 32 * count <= wide(bytes.len())
}

fn entry(bytes: &[u8], i: u32) -> Result<Entry> {
    let at = 16 + 32 * u64::from(i);
    Ok(Entry {
        name: until_nul(&bytes_at(bytes, at, 16)?),
        offset: u32_at(bytes, at + 16)?,
        size: u32_at(bytes, at + 20)?,
        extension: until_nul(&bytes_at(bytes, at + 24, 8)?),
        tails: [after_nul(&bytes_at(bytes, at, 16)?), after_nul(&bytes_at(bytes, at + 24, 8)?)],
        at,
    })
}

fn member(bytes: &[u8], entry: &Entry, budget: &mut Budget) -> Result<NaiveMember> {
    budget.spend(entry.at + 20, entry.size.into())?;
    Ok(NaiveMember {
        name: entry.name.clone(),
        extension: entry.extension.clone(),
        tails: entry.tails.clone(),
        offset: entry.offset,
        size: entry.size,
        data: entry.data(bytes)?,
    })
}
