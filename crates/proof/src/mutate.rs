//! Changes of a file's bytes, as the mutation tests make them and fuzzers do; whole files to change, and the run that puts
//! the command's verbs to them.

mod chance;
#[cfg(feature = "mutate")]
pub mod drive;
mod family;
mod labels;
#[cfg(feature = "mutate")]
mod measure;
mod recipe;
mod source;

pub use family::Family;
pub use recipe::{Broken, Recipe};
pub use source::{Source, Sources};

/// A change of a file's bytes.
#[derive(Clone, Debug)]
pub enum Change {
    /// A word that the builder has a label for, by the label's number.
    Word {
        /// Which label; taken modulo their number.
        label: usize,
        /// What is written there.
        value: u32,
    },
    /// A word that the builder has a label for, made a little larger or smaller.
    Nudge {
        /// Which label; taken modulo their number.
        label: usize,
        /// What is added.
        by: i8,
    },
    /// A byte anywhere.
    Byte {
        /// Where; taken modulo the length.
        at: usize,
        /// What is written there.
        value: u8,
    },
    /// The end, cut off.
    Cut {
        /// Where; taken modulo the length.
        at: usize,
    },
    /// A piece of the file copied over another.
    Splice {
        /// Where the piece begins; taken modulo the length.
        from: usize,
        /// Where it goes; taken modulo the length.
        to: usize,
        /// How long it is, as far as there are bytes.
        len: usize,
    },
    /// A word anywhere.
    At {
        /// Where; taken modulo the length.
        at: usize,
        /// What is written there.
        value: u32,
    },
    /// Half a word that the builder has a label for.
    Half {
        /// Which label; taken modulo their number.
        label: usize,
        /// What is written there.
        value: u16,
    },
    /// A bit anywhere, turned over.
    Bit {
        /// Where its byte is; taken modulo the length.
        at: usize,
        /// Which of the eight; taken modulo their number.
        bit: u8,
    },
    /// A word that the builder has a label for, written in the other byte order.
    Turn {
        /// Which label; taken modulo their number.
        label: usize,
    },
    /// A word that the builder has a label for, with the value of another.
    Borrow {
        /// Which label; taken modulo their number.
        label: usize,
        /// The label of the other; taken modulo their number.
        from: usize,
    },
    /// A word that the builder has a label for, with the position of another, or one near it.
    Point {
        /// Which label; taken modulo their number.
        label: usize,
        /// The label that it then points at; one past the last is the end of the file.
        to: usize,
        /// What is added.
        by: i8,
    },
    /// Bytes put in, and all behind them moved.
    Insert {
        /// Where; taken modulo the length.
        at: usize,
        /// How many.
        len: usize,
        /// What they are.
        value: u8,
    },
    /// Bytes taken out, and all behind them moved.
    Remove {
        /// Where; taken modulo the length.
        at: usize,
        /// How many, as far as there are bytes.
        len: usize,
    },
}

impl Change {
    /// Makes the change; `word` gives a word's bytes in the byte order of the format.
    pub fn apply(&self, bytes: &mut Vec<u8>, labels: &[usize], word: fn(u32) -> [u8; 4]) {
        if bytes.is_empty() {
            return;
        }
        let len = bytes.len();
        let place = |label: usize| labels.get(label % labels.len().max(1)).copied().unwrap_or(0);
        match *self {
            Self::Word { label, value } => put(bytes, place(label), &word(value)),
            Self::Nudge { label, by } => {
                if let Some(value) = get(bytes, place(label), word) {
                    put(bytes, place(label), &word(value.wrapping_add_signed(by.into())));
                }
            }
            Self::Byte { at, value } => bytes[at % len] = value,
            Self::Cut { at } => bytes.truncate(at % len),
            Self::Splice { from, to, len: count } => {
                let (from, to) = (from % len, to % len);
                let count = count.min(len - from).min(len - to);
                bytes.copy_within(from..from + count, to);
            }
            Self::At { at, value } => put(bytes, at % len, &word(value)),
            Self::Half { label, value } => {
                // The half of a word that is not 0 is the whole of a smaller one, in either byte order.
                let [a, b, c, d] = word(value.into());
                let half = if word(1)[0] == 1 { [a, b] } else { [c, d] };
                put(bytes, place(label), &half);
            }
            Self::Bit { at, bit } => bytes[at % len] ^= 1 << (bit % 8),
            Self::Turn { label } => {
                if let Some(value) = get(bytes, place(label), word) {
                    put(bytes, place(label), &word(value.swap_bytes()));
                }
            }
            Self::Borrow { label, from } => {
                if let Some(value) = get(bytes, place(from), word) {
                    put(bytes, place(label), &word(value));
                }
            }
            Self::Point { label, to, by } => {
                let to = labels.get(to % (labels.len() + 1)).copied().unwrap_or(len);
                let to = u32::try_from(to).unwrap_or(u32::MAX).wrapping_add_signed(by.into());
                put(bytes, place(label), &word(to));
            }
            Self::Insert { at, len: count, value } => {
                let at = at % len;
                bytes.splice(at..at, std::iter::repeat_n(value, count));
            }
            Self::Remove { at, len: count } => {
                let at = at % len;
                bytes.drain(at..at.saturating_add(count).min(len));
            }
        }
    }
}

/// Writes over what is there, if there is enough.
fn put(bytes: &mut [u8], at: usize, value: &[u8]) {
    if let Some(place) = at.checked_add(value.len()).and_then(|end| bytes.get_mut(at..end)) {
        place.copy_from_slice(value);
    }
}

/// The number that a word is.
fn get(bytes: &[u8], at: usize, word: fn(u32) -> [u8; 4]) -> Option<u32> {
    let found = bytes.get(at..)?.first_chunk()?;
    // What gives the bytes of a number gives the number of bytes, too.
    Some(u32::from_le_bytes(word(u32::from_le_bytes(*found))))
}

#[cfg(test)]
mod tests {
    use super::Change;

    /// Twelve bytes with labels on three words, changed.
    fn changed(change: &Change, word: fn(u32) -> [u8; 4]) -> Vec<u8> {
        let mut bytes = vec![0, 0, 0, 1, 10, 11, 12, 13, 20, 21, 22, 23];
        change.apply(&mut bytes, &[0, 4, 8], word);
        bytes
    }

    #[test]
    fn each_change_is_what_it_says() {
        let be = |change: &Change| changed(change, u32::to_be_bytes);
        let value = 0x0102_0304;
        for (change, expected) in [
            (Change::Word { label: 4, value }, vec![0, 0, 0, 1, 1, 2, 3, 4, 20, 21, 22, 23]),
            (Change::Nudge { label: 0, by: -2 }, vec![255, 255, 255, 255, 10, 11, 12, 13, 20, 21, 22, 23]),
            (Change::Byte { at: 13, value: 9 }, vec![0, 9, 0, 1, 10, 11, 12, 13, 20, 21, 22, 23]),
            (Change::Cut { at: 5 }, vec![0, 0, 0, 1, 10]),
            (Change::Splice { from: 0, to: 10, len: 9 }, vec![0, 0, 0, 1, 10, 11, 12, 13, 20, 21, 0, 0]),
            (Change::At { at: 6, value }, vec![0, 0, 0, 1, 10, 11, 1, 2, 3, 4, 22, 23]),
            (Change::At { at: 9, value }, vec![0, 0, 0, 1, 10, 11, 12, 13, 20, 21, 22, 23]),
            (Change::Half { label: 1, value: 0x0102 }, vec![0, 0, 0, 1, 1, 2, 12, 13, 20, 21, 22, 23]),
            (Change::Bit { at: 3, bit: 9 }, vec![0, 0, 0, 3, 10, 11, 12, 13, 20, 21, 22, 23]),
            (Change::Turn { label: 0 }, vec![1, 0, 0, 0, 10, 11, 12, 13, 20, 21, 22, 23]),
            (Change::Borrow { label: 2, from: 0 }, vec![0, 0, 0, 1, 10, 11, 12, 13, 0, 0, 0, 1]),
            (Change::Point { label: 0, to: 2, by: 1 }, vec![0, 0, 0, 9, 10, 11, 12, 13, 20, 21, 22, 23]),
            (Change::Point { label: 0, to: 3, by: 0 }, vec![0, 0, 0, 12, 10, 11, 12, 13, 20, 21, 22, 23]),
            (Change::Insert { at: 3, len: 2, value: 7 }, vec![0, 0, 0, 7, 7, 1, 10, 11, 12, 13, 20, 21, 22, 23]),
            (Change::Remove { at: 2, len: 100 }, vec![0, 0]),
        ] {
            assert_eq!(be(&change), expected, "{change:?}");
        }
    }

    #[test]
    fn words_have_the_byte_order_of_the_format() {
        let le = |change: &Change| changed(change, u32::to_le_bytes)[..4].to_vec();
        assert_eq!(le(&Change::Word { label: 0, value: 0x0102_0304 }), [4, 3, 2, 1]);
        assert_eq!(le(&Change::Half { label: 0, value: 0x0102 }), [2, 1, 0, 1]);
        // 0x01000000 and one more.
        assert_eq!(le(&Change::Nudge { label: 0, by: 1 }), [1, 0, 0, 1]);
    }

    #[test]
    fn nothing_has_nothing_to_change() {
        for change in [Change::Cut { at: 1 }, Change::Insert { at: 0, len: 4, value: 1 }, Change::Turn { label: 0 }] {
            let mut bytes = Vec::new();
            change.apply(&mut bytes, &[], u32::to_le_bytes);
            assert!(bytes.is_empty(), "{change:?}");
        }
    }
}
