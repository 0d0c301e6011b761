//! Archives assembled by hand.

use worldview_core::{Error, ErrorKind, OffsetBase};

/// A member: name, extension, data.
pub(crate) type Part<'a> = (&'a [u8], &'a [u8], &'a [u8]);

/// Returns an archive of these members, contiguous and in this order.
pub(crate) fn archive(members: &[Part<'_>]) -> Vec<u8> {
    let mut bytes = [&b"WPD\0"[..], &words(&[u32::try_from(members.len()).unwrap(), 0, 0])].concat();
    let mut at = 16 + 32 * members.len();
    for (name, extension, data) in members {
        let mut entry = [0; 32];
        entry[..name.len()].copy_from_slice(name);
        put(&mut entry, 16, u32::try_from(at).unwrap());
        put(&mut entry, 20, u32::try_from(data.len()).unwrap());
        entry[24..24 + extension.len()].copy_from_slice(extension);
        bytes.extend(entry);
        at += data.len();
    }
    members.iter().for_each(|(_, _, data)| bytes.extend(*data));
    bytes
}

pub(crate) fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_be_bytes()).collect()
}

pub(crate) fn put(bytes: &mut [u8], at: usize, word: u32) {
    bytes[at..at + 4].copy_from_slice(&word.to_be_bytes());
}

pub(crate) fn file_error(kind: ErrorKind, what: &'static str, at: u64) -> Error {
    Error::new(kind, what, at, OffsetBase::File)
}
