//! Changes of a file's bytes, as the mutation tests make them and fuzzers do.

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
}

impl Change {
    /// Makes the change; `word` gives a word's bytes in the byte order of the format.
    pub fn apply(&self, bytes: &mut Vec<u8>, labels: &[usize], word: fn(u32) -> [u8; 4]) {
        if bytes.is_empty() {
            return;
        }
        let len = bytes.len();
        match *self {
            Self::Word { label, value } => {
                let at = labels.get(label % labels.len().max(1)).copied().unwrap_or(0);
                if let Some(place) = bytes.get_mut(at..at + 4) {
                    place.copy_from_slice(&word(value));
                }
            }
            Self::Nudge { label, by } => {
                let at = labels.get(label % labels.len().max(1)).copied().unwrap_or(0);
                if let Some(place) = bytes.get_mut(at..).and_then(<[u8]>::first_chunk_mut) {
                    // What gives the bytes of a number gives the number of bytes, too.
                    let value = u32::from_le_bytes(word(u32::from_le_bytes(*place)));
                    *place = word(value.wrapping_add_signed(by.into()));
                }
            }
            Self::Byte { at, value } => bytes[at % len] = value,
            Self::Cut { at } => bytes.truncate(at % len),
            Self::Splice { from, to, len: count } => {
                let (from, to) = (from % len, to % len);
                let count = count.min(len - from).min(len - to);
                bytes.copy_within(from..from + count, to);
            }
        }
    }
}
