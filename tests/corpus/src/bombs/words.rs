//! Mutations that set each count, length and offset of a file to an extreme value or to its own position.

use crate::builder::Built;

/// Values for a word: zero, small numbers that point to the start of the file, and the largest of either sign.
const VALUES: [u32; 7] = [0, 1, 4, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFE, u32::MAX];

/// Returns one copy of the file per labeled word and value, with that word set to an extreme value or to its own
/// offset. `big` selects big-endian words.
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
