//! Reasons why inconsistent parts of a table are not used.

use core::fmt;

/// Maximum number of words, and of fields, in a record. The longest known record has 115 words and 308 fields.
pub const MAX_WORDS: usize = 1 << 16;

/// Why a list of field names is not used.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// There are more names than a record can have fields.
    TooMany,
    /// A name does not begin with one of the four letters.
    Letter {
        /// Index of the name, counted from 0.
        index: usize,
    },
    /// A width is larger than a word.
    Width {
        /// Index of the name, counted from 0.
        index: usize,
        /// The width in the name.
        width: u8,
    },
    /// A 64-bit field is where none can be.
    Wide {
        /// Index of the name, counted from 0.
        index: usize,
    },
    /// The names need more words than there are.
    Words {
        /// Index of the first name without a word, counted from 0.
        index: usize,
        /// Number of words in a record.
        words: usize,
    },
    /// The names do not use all words.
    WordsLeft {
        /// Number of words that the names use.
        used: usize,
        /// Number of words in a record.
        words: usize,
    },
    /// The type of a name differs from the type of its word.
    Type {
        /// Index of the name, counted from 0.
        index: usize,
        /// Index of the word.
        word: u32,
        /// Type of the word.
        found: u32,
        /// Type that the name stands for.
        wanted: u32,
    },
    /// There is a packed field in a table that does not pack fields.
    Packed {
        /// Index of the name, counted from 0.
        index: usize,
    },
    /// The kinds of the names differ from those in `!!typelist`.
    Kinds {
        /// The letter whose count differs.
        letter: char,
        /// Number of names with this letter.
        names: usize,
        /// Number of fields of this kind in the list.
        list: usize,
    },
}

impl Refusal {
    /// Returns the index of the name that caused the refusal, counted from 0, if it is about one name.
    pub const fn index(&self) -> Option<usize> {
        match *self {
            Self::Letter { index }
            | Self::Width { index, .. }
            | Self::Wide { index }
            | Self::Words { index, .. }
            | Self::Type { index, .. }
            | Self::Packed { index } => Some(index),
            Self::TooMany | Self::WordsLeft { .. } | Self::Kinds { .. } => None,
        }
    }

    /// Returns the reason in a few words, without numbers.
    pub(crate) const fn why(&self) -> &'static str {
        match self {
            Self::TooMany => "expected at most 65536 names, found more in the schema",
            Self::Letter { .. } => "expected names that begin with i, u, f or s, found a different one in the schema",
            Self::Width { .. } => "expected fields of at most 32 bits, found a wider one in the schema",
            Self::Wide { .. } => {
                "expected a 64-bit field only at the end of a longer record, found one elsewhere in the schema"
            }
            Self::Words { .. } => "expected fields that fit into the words of a record, found more in the schema",
            Self::WordsLeft { .. } => "expected fields for all words of a record, found too few in the schema",
            Self::Type { .. } => {
                "expected each field on a word of its type, found one on a word of another type in the schema"
            }
            Self::Packed { .. } => "expected whole words, since this table has no bit fields, found one in the schema",
            Self::Kinds { .. } => {
                "expected as many fields of each kind as the list has, found other numbers in the schema"
            }
        }
    }
}

/// Counts names from 0.
impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::TooMany => write!(f, "there are more than {MAX_WORDS} names"),
            Self::Letter { index } => write!(f, "name {index} does not begin with i, u, f or s"),
            Self::Width { index, width } => write!(f, "name {index} is {width} bits wide, but a word has 32 bits"),
            Self::Wide { index } => {
                write!(
                    f,
                    "name {index} is a 64-bit field, which must be the last, on a word of type 3, in records with 4 extra bytes"
                )
            }
            Self::Words { index, words } => write!(f, "name {index} has no word left: a record has {words}"),
            Self::WordsLeft { used, words } => write!(f, "the names use only {used} of the {words} words"),
            Self::Type { index, word, found, wanted } => {
                write!(f, "name {index} requires type {wanted}, but word {word} has type {found}")
            }
            Self::Packed { index } => write!(f, "name {index} is a bit field, but this table has none"),
            Self::Kinds { letter, names, list } => {
                write!(f, "{names} names begin with {letter}, but the list of types has {list} fields of that kind")
            }
        }
    }
}

/// Why a table's arrays of strings cannot be used.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArraysRefusal {
    /// Some of the three sections exist, but not this one.
    Missing {
        /// The section.
        section: &'static str,
    },
    /// `!!strArrayInfo` has an invalid number of offsets per word or bits per offset.
    Packing {
        /// Offsets per word.
        per_word: u8,
        /// Bits per offset.
        bits: u8,
    },
    /// `!!strArrayInfo` is shorter than four bytes, or the size of `!!strArrayList` is not a multiple of four.
    Size {
        /// The section.
        section: &'static str,
    },
    /// The number of arrays differs from the number of fields that need one.
    Count {
        /// Number of arrays.
        arrays: usize,
        /// Number of element fields.
        fields: usize,
    },
}

impl fmt::Display for ArraysRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Missing { section } => write!(f, "there is no {section}"),
            Self::Packing { per_word, bits } => {
                write!(f, "!!strArrayInfo gives {per_word} offsets per word of {bits} bits each, which do not fit")
            }
            Self::Size { section } => write!(f, "{section} has an invalid size"),
            Self::Count { arrays, fields } => write!(f, "there are {arrays} arrays, but {fields} fields that need one"),
        }
    }
}
