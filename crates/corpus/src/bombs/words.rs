//! Every count, length and offset of a file, made as large as it goes, and made to lead back.

use crate::builder::Built;

/// What a word is made into: nothing, one, the largest of each sign, and the beginning of the file.
const VALUES: [u32; 7] = [0, 1, 4, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFE, u32::MAX];

/// The file with each of its labelled words made into numbers that no file can mean, one at a time, and into its own place;
/// `big` is whether words are big-endian.
pub fn extremes(built: &Built, big: bool) -> impl Iterator<Item = (String, Vec<u8>)> {
    built.labels.iter().flat_map(move |(label, &at)| {
        let own = u32::try_from(at).ok();
        VALUES.into_iter().chain(own).filter_map(move |value| {
            let mut bytes = built.bytes.clone();
            let word = if big { value.to_be_bytes() } else { value.to_le_bytes() };
            bytes.get_mut(at..at.checked_add(4)?)?.copy_from_slice(&word);
            Some((format!("{label} = {value:#x}"), bytes))
        })
    })
}
