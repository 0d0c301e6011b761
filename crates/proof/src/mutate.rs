//! Changes of a file's bytes, as the mutation tests make them and fuzzers do; whole files to change, and the run that puts
//! the command's verbs to them.

mod chance;
#[cfg(feature = "mutate")]
pub mod drive;
mod labels;
#[cfg(feature = "mutate")]
mod measure;
mod recipe;
mod source;

pub use recipe::{Broken, Recipe};
pub use source::{Family, Source, Sources};

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
