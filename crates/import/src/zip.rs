//! ZIP archives that anybody can have made: workbooks, and packs of mods.

use std::io::{Cursor, Read as _};

use memchr::memmem;

/// Maximum size of an archive.
const MAX_PACKED: usize = 1 << 27;

/// Maximum number of parts.
const MAX_PARTS: usize = 1 << 14;

/// Takes the name and the bytes of a part; the reason of an error ends the reading.
pub type Take<'t> = &'t mut dyn FnMut(&str, Vec<u8>) -> Result<(), String>;

/// Passes the names of all parts to `wants`, and those parts that it wants to `take`, unpacked.
///
/// # Errors
///
/// Returns the reason if the bytes are no ZIP archive, if it takes more than 128 MiB or has more than 16,384 parts, if the wanted parts
/// together take more than `max` bytes unpacked, or if one of them is a symbolic link, cannot be unpacked, or is refused by `take`.
pub fn parts(bytes: &[u8], max: u64, wants: &mut dyn FnMut(&str) -> bool, take: Take<'_>) -> Result<(), String> {
    if bytes.len() > MAX_PACKED {
        return Err(format!("it takes more than {MAX_PACKED} bytes"));
    }
    // Libraries also open other containers.
    if !bytes.starts_with(b"PK") {
        return Err("it does not begin with a ZIP header".to_owned());
    }
    // The directory, which has an entry for each of these, is read as a whole.
    if memmem::find_iter(bytes, b"PK\x01\x02").count() > MAX_PARTS {
        return Err(format!("it has more than {MAX_PARTS} parts"));
    }
    let mut parts = ::zip::ZipArchive::new(Cursor::new(bytes)).map_err(|error| error.to_string())?;
    let mut left = max;
    for index in 0..parts.len() {
        let part = parts.by_index_raw(index).map_err(|error| error.to_string())?;
        let name = part.name().map_err(|error| error.to_string())?.into_owned();
        drop(part);
        if !wants(&name) {
            continue;
        }
        let part = parts.by_index(index).map_err(|error| error.to_string())?;
        if part.is_symlink() {
            return Err(format!("its part {name} is a symbolic link"));
        }
        let mut unpacked = Vec::new();
        part.take(left.saturating_add(1)).read_to_end(&mut unpacked).map_err(|error| error.to_string())?;
        left = left
            .checked_sub(unpacked.len() as u64)
            .ok_or_else(|| format!("its parts take more than {max} bytes unpacked"))?;
        take(&name, unpacked)?;
    }
    Ok(())
}
