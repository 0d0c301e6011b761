use std::borrow::Cow;

/// What a field holds.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FieldKind {
    /// A word: a signed integer.
    Int,
    /// A word: an unsigned integer.
    Uint,
    /// A word: an IEEE float.
    Float,
    /// A word: an offset into the strings.
    String,
    /// Two words: an unsigned integer.
    Uint64,
    /// A word of packed bits whose layout nothing tells, or of a type that nobody knows.
    Raw,
    /// Bits: a signed integer, in two's complement.
    BitsInt,
    /// Bits: an unsigned integer.
    BitsUint,
    /// Bits: a fixed-point number as its raw signed integer; the scale is the game's secret.
    BitsFixed,
    /// Bits: an index into the field's array of strings.
    Element,
}

impl FieldKind {
    /// The kind's name, as machine output has it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Int => "int",
            Self::Uint => "uint",
            Self::Float => "float",
            Self::String => "string",
            Self::Uint64 => "uint64",
            Self::Raw => "raw",
            Self::BitsInt => "bits-int",
            Self::BitsUint => "bits-uint",
            Self::BitsFixed => "bits-fixed",
            Self::Element => "string-array",
        }
    }

    /// The type of the field's values.
    pub const fn value_type(self) -> ValueType {
        match self {
            Self::Int | Self::BitsInt | Self::BitsFixed => ValueType::I32,
            Self::Uint | Self::BitsUint | Self::Raw => ValueType::U32,
            Self::Float => ValueType::F32,
            Self::Uint64 => ValueType::U64,
            Self::String | Self::Element => ValueType::Text,
        }
    }

    /// Whether the field shares its word with others.
    pub const fn is_packed(self) -> bool {
        matches!(self, Self::BitsInt | Self::BitsUint | Self::BitsFixed | Self::Element)
    }
}

/// The type of a field's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueType {
    /// `i32`
    I32,
    /// `u32`
    U32,
    /// `f32`
    F32,
    /// `u64`
    U64,
    /// Bytes, UTF-8 in every known file.
    Text,
}

impl ValueType {
    /// The type's name: `i32`, `u32`, `f32`, `u64`, `utf8`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::I32 => "i32",
            Self::U32 => "u32",
            Self::F32 => "f32",
            Self::U64 => "u64",
            Self::Text => "utf8",
        }
    }
}

/// One field of a table's records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field<'a> {
    pub(super) name: Cow<'a, [u8]>,
    pub(super) kind: FieldKind,
    pub(super) word: u32,
    pub(super) bit: u8,
    pub(super) width: u8,
    pub(super) array: Option<usize>,
}

impl<'a> Field<'a> {
    /// The name: the table's own, or a schema's, or one made of the number of the word; unique in the table.
    pub fn name(&self) -> &[u8] {
        &self.name
    }

    /// What the field holds.
    #[inline]
    pub const fn kind(&self) -> FieldKind {
        self.kind
    }

    /// The number of its word in the record, counted from 0; words are 4 bytes.
    #[inline]
    pub const fn word(&self) -> u32 {
        self.word
    }

    /// Its lowest bit in the word; 0 of a field that has words to itself.
    #[inline]
    pub const fn bit(&self) -> u8 {
        self.bit
    }

    /// Its width in bits: 1 to 32, or 64.
    #[inline]
    pub const fn width(&self) -> u8 {
        self.width
    }

    /// The number of its array of strings, if it holds [elements](FieldKind::Element) of one.
    #[inline]
    pub const fn array(&self) -> Option<usize> {
        self.array
    }

    /// Offset of its word from the record's first byte.
    #[inline]
    pub(crate) fn byte(&self) -> usize {
        usize::try_from(self.word).unwrap_or(usize::MAX).saturating_mul(4)
    }

    /// The bits of a word from `low` up, which no field owns, as a field named by its place.
    pub(super) fn unowned(word: u32, low: u8) -> Field<'static> {
        let name = match low {
            31 => format!("word{word}_bit31"),
            low => format!("word{word}_bits{low}_31"),
        };
        let (name, width) = (Cow::Owned(name.into_bytes()), 32_u8.saturating_sub(low));
        Field { name, kind: FieldKind::BitsUint, word, bit: low, width, array: None }
    }

    pub(super) fn whole(name: Cow<'a, [u8]>, kind: FieldKind, word: u32) -> Self {
        let width = if matches!(kind, FieldKind::Uint64) { 64 } else { 32 };
        Self { name, kind, word, bit: 0, width, array: None }
    }

    /// The name that the field has if nothing names it; it never changes between versions.
    pub(super) fn generated_name(&self) -> Vec<u8> {
        if self.kind.is_packed() {
            format!("word{}_bit{}", self.word, self.bit).into_bytes()
        } else {
            format!("word{}", self.word).into_bytes()
        }
    }
}

worldview_core::display_by_name!(FieldKind, ValueType);
