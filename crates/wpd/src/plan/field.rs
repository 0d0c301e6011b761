use std::borrow::Cow;

use worldview_core::describe::Int;

/// The kind of a field.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FieldKind {
    /// A signed integer of one word.
    Int,
    /// An unsigned integer of one word.
    Uint,
    /// An IEEE float of one word.
    Float,
    /// An offset into the string pool, of one word.
    String,
    /// An unsigned integer of two words.
    Uint64,
    /// A word of packed bits with an unknown layout, or a word of an unknown type.
    Raw,
    /// Packed bits: a signed integer, in two's complement.
    BitsInt,
    /// Packed bits: an unsigned integer.
    BitsUint,
    /// Packed bits: a fixed-point number, as its raw signed integer. The scale is unknown.
    BitsFixed,
    /// Packed bits: an index into the field's array of strings.
    Element,
}

impl FieldKind {
    /// Returns the name used in machine-readable output.
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

    /// Returns the type of the field's values.
    pub const fn value_type(self) -> ValueType {
        match self {
            Self::Int | Self::BitsInt | Self::BitsFixed => ValueType::I32,
            Self::Uint | Self::BitsUint | Self::Raw => ValueType::U32,
            Self::Float => ValueType::F32,
            Self::Uint64 => ValueType::U64,
            Self::String | Self::Element => ValueType::Text,
        }
    }

    /// Returns whether the field may share its word with other fields.
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
    /// Returns the name of the type: `i32`, `u32`, `f32`, `u64`, `utf8`.
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
    /// Returns the name, unique in the table: the table's own, a schema's, or one generated from the index of the word.
    pub fn name(&self) -> &[u8] {
        &self.name
    }

    /// Returns the kind of the field.
    #[inline]
    pub const fn kind(&self) -> FieldKind {
        self.kind
    }

    /// Returns the index of the field's first word in the record, counted from 0. Words are 4 bytes.
    #[inline]
    pub const fn word(&self) -> u32 {
        self.word
    }

    /// Returns the lowest bit in the word; 0 for a field that occupies whole words.
    #[inline]
    pub const fn bit(&self) -> u8 {
        self.bit
    }

    /// Returns the width in bits: 1 to 32, or 64.
    #[inline]
    pub const fn width(&self) -> u8 {
        self.width
    }

    /// Returns how an integer of the field, or its reference to a text, is stored in its words; `None` for a float.
    pub const fn int(&self) -> Option<Int> {
        Some(match self.kind {
            FieldKind::Float => return None,
            FieldKind::Uint64 => Int::word(8, false).big_endian(),
            FieldKind::Int | FieldKind::BitsInt | FieldKind::BitsFixed => {
                Int::word(4, true).big_endian().bits(self.bit, self.width)
            }
            _ => Int::word(4, false).big_endian().bits(self.bit, self.width),
        })
    }

    /// Returns the index of the field's string array, if the field holds [elements](FieldKind::Element) of one.
    #[inline]
    pub const fn array(&self) -> Option<usize> {
        self.array
    }

    /// Returns the offset of the field's first word in the record, in bytes.
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

    /// Returns the name that the field has if it is not named. Generated names are stable across versions.
    pub(super) fn generated_name(&self) -> Vec<u8> {
        if self.kind.is_packed() {
            format!("word{}_bit{}", self.word, self.bit).into_bytes()
        } else {
            format!("word{}", self.word).into_bytes()
        }
    }
}

worldview_core::display_by_name!(FieldKind, ValueType);
