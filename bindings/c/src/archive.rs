//! Archives.
#![expect(unsafe_code, reason = "exported functions")]

use std::ffi::c_char;

use formats::Asset;
use formats::rez::DirectoryEntry;

use crate::error::{Fault, WvStatus, text};
use crate::ffi::{ErrorOut, Grown, Out, WvSpan, answer};
use crate::file::{WvHandle, given};

/// An entry of an archive: a member of a WPD archive, or a directory or file of a REZ directory.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WvEntry {
    /// Size of this structure. The caller sets it.
    pub size: usize,
    /// Whether it is a directory.
    pub is_directory: bool,
    /// Whether a part of the data is missing, which is only possible with `WV_LOSSY`.
    pub is_missing: bool,
    /// Extension without a dot, ending with NUL; may be empty.
    pub extension: [c_char; 12],
    /// Name without extension, as stored.
    pub name: WvSpan,
    /// The data; empty for a directory.
    pub data: WvSpan,
    /// Offset of the data in the file.
    pub offset: u64,
    /// When it was last modified, in seconds since 1970; 0 in WPD archives.
    pub time: u32,
}

/// Returns the number of entries of a WPD archive or REZ directory, or of members of a table's archive, which are sections
/// and records.
#[unsafe(no_mangle)]
pub extern "C" fn wv_entry_count(archive: Option<&WvHandle>, out: Out<'_, usize>, error: ErrorOut<'_>) -> WvStatus {
    answer(out, error, || {
        let handle = given(archive)?.handle();
        match handle.asset() {
            Asset::Archive(archive) => Ok(archive.len()),
            Asset::Table(table) => Ok(table.archive().len()),
            Asset::Rez(_) => Ok(handle.entries().count()),
            _ => Err(Fault::kind("archive or directory", handle.kind().name())),
        }
    })
}

/// Returns an entry of an archive. `wv_open_entry` opens it.
#[unsafe(no_mangle)]
pub extern "C" fn wv_entry(
    archive: Option<&WvHandle>,
    index: usize,
    out: Grown<'_, WvEntry>,
    error: ErrorOut<'_>,
) -> WvStatus {
    answer(out, error, || {
        let given = given(archive)?;
        let archive = match given.handle().asset() {
            Asset::Archive(archive) => *archive,
            Asset::Table(table) => table.archive(),
            _ => return directory_entry(given, index),
        };
        let member = archive.get(index).ok_or_else(|| Fault::index("entry", index, archive.len()))?;
        Ok(WvEntry {
            size: size_of::<WvEntry>(),
            is_directory: false,
            is_missing: (member.data().len() as u64) < u64::from(member.entry().size.get()),
            extension: text(&String::from_utf8_lossy(member.extension())),
            name: member.name().into(),
            data: member.data().into(),
            offset: member.source().base(),
            time: 0,
        })
    })
}

fn directory_entry(handle: &WvHandle, index: usize) -> Result<WvEntry, Fault> {
    let directory = handle.directory()?;
    Ok(match directory.get(index).ok_or_else(|| Fault::index("entry", index, directory.len()))? {
        DirectoryEntry::Directory(found) => WvEntry {
            size: size_of::<WvEntry>(),
            is_directory: true,
            is_missing: false,
            extension: text(""),
            name: found.name().into(),
            data: WvSpan::NONE,
            offset: found.entry().map_or(0, |entry| entry.pos.get().into()),
            time: found.entry().map_or(0, |entry| entry.time.get()),
        },
        DirectoryEntry::File(found) => WvEntry {
            size: size_of::<WvEntry>(),
            is_directory: false,
            is_missing: found.is_missing(),
            extension: text(&String::from_utf8_lossy(found.extension().as_bytes())),
            name: found.name().into(),
            data: found.data().into(),
            offset: found.source().base(),
            time: found.entry().time.get(),
        },
    })
}
