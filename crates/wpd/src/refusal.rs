//! Why parts of a table that contradict it are not used.

use core::fmt;

/// Words, and fields, that a record can have at the most: the longest known has 115 words and 308 fields.
pub const MAX_WORDS: usize = 1 << 16;

/// Why a list of field names is not trusted.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// More names than a record can have fields.
    TooMany,
    /// A name begins with none of the four letters.
    Letter {
        /// Which name, counted from 0.
        index: usize,
    },
    /// A width that no field can have.
    Width {
        /// Which name, counted from 0.
        index: usize,
        /// The width in the name.
        width: u8,
    },
    /// A 64-bit field where none can be.
    Wide {
        /// Which name, counted from 0.
        index: usize,
    },
    /// The names need more words than there are.
    Words {
        /// The name that has none left, counted from 0.
        index: usize,
        /// The words of a record.
        words: usize,
    },
    /// The names leave words over.
    WordsLeft {
        /// Words that the names take.
        used: usize,
        /// Words of a record.
        words: usize,
    },
    /// A name stands on a word of another type.
    Type {
        /// Which name, counted from 0.
        index: usize,
        /// The word.
        word: u32,
        /// The word's type.
        found: u32,
        /// The type that the name stands for.
        wanted: u32,
    },
    /// A packed field in a table that packs nothing.
    Packed {
        /// Which name, counted from 0.
        index: usize,
    },
    /// The kinds of the names are not those of `!!typelist`.
    Kinds {
        /// The letter whose number differs.
        letter: char,
        /// How many names have it.
        names: usize,
        /// How many fields of the list are of that kind.
        list: usize,
    },
}

impl Refusal {
    /// The name that it is about, counted from 0, where it is about one.
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

    /// The reason in few words, without numbers.
    pub(crate) const fn why(&self) -> &'static str {
        match self {
            Self::TooMany => "expected 65536 names at most, found more in the schema",
            Self::Letter { .. } => "expected names that begin with i, u, f or s, found another in the schema",
            Self::Width { .. } => "expected fields of 32 bits at most, found a wider one in the schema",
            Self::Wide { .. } => {
                "expected a 64-bit field at the end of a longer record alone, found one elsewhere in the schema"
            }
            Self::Words { .. } => "expected fields that fit into the words of a record, found more in the schema",
            Self::WordsLeft { .. } => "expected fields for all words of a record, found too few in the schema",
            Self::Type { .. } => "expected each field on a word of its type, found one on another in the schema",
            Self::Packed { .. } => "expected whole words, since this table packs none, found a bit field in the schema",
            Self::Kinds { .. } => "expected as many fields of each kind as the list has, found others in the schema",
        }
    }
}

/// Names are counted from 0.
impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::TooMany => write!(f, "there are more than {MAX_WORDS} names"),
            Self::Letter { index } => write!(f, "name {index} begins with none of i, u, f, s"),
            Self::Width { index, width } => write!(f, "name {index} asks for {width} bits, a word has 32"),
            Self::Wide { index } => {
                write!(
                    f,
                    "name {index} asks for 64 bits, which only the last can, on a word of type 3, in records of 4 bytes more"
                )
            }
            Self::Words { index, words } => write!(f, "name {index} has no word left of the {words}"),
            Self::WordsLeft { used, words } => write!(f, "the names take {used} of the {words} words"),
            Self::Type { index, word, found, wanted } => {
                write!(f, "name {index} is for type {wanted} and stands on word {word}, of type {found}")
            }
            Self::Packed { index } => write!(f, "name {index} is a bit field, and this table has none"),
            Self::Kinds { letter, names, list } => {
                write!(f, "names that begin with {letter}: {names}; fields of that kind in the list of types: {list}")
            }
        }
    }
}

/// Why a table's arrays of strings cannot be used.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArraysRefusal {
    /// Some of the three sections are there, and this one is not.
    Missing {
        /// The section.
        section: &'static str,
    },
    /// `!!strArrayInfo` gives a number of offsets a word, or of bits an offset, that cannot be.
    Packing {
        /// Offsets a word.
        per_word: u8,
        /// Bits an offset.
        bits: u8,
    },
    /// `!!strArrayInfo` has fewer than four bytes, or `!!strArrayList` is no whole number of words.
    Size {
        /// The section.
        section: &'static str,
    },
    /// There is not one array for each field that needs one.
    Count {
        /// Arrays.
        arrays: usize,
        /// Fields of elements.
        fields: usize,
    },
}

impl fmt::Display for ArraysRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Missing { section } => write!(f, "there is no {section}"),
            Self::Packing { per_word, bits } => {
                write!(f, "!!strArrayInfo gives {per_word} offsets a word, of {bits} bits each")
            }
            Self::Size { section } => write!(f, "{section} has a size that it cannot have"),
            Self::Count { arrays, fields } => write!(f, "there are {arrays} arrays for {fields} fields"),
        }
    }
}
