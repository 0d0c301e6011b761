use core::fmt;

use zerocopy::little_endian::I32;

use super::{Flow, GO, Span, Visit};
use crate::Space;

/// What a field is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// It says something about the content.
    Data,
    /// It follows from how the content is stored: offsets, sizes, counts, checksums. Comparisons skip it.
    Storage,
    /// It has no known meaning.
    Reserved,
    /// It is computed from other fields.
    Derived,
}

/// The name of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LeafName<'d> {
    /// A name of the format.
    Static(&'static str),
    /// A name that the file gives, or that was given for it.
    Bytes(&'d [u8]),
    /// Bits of a word that no field owns.
    Bits {
        /// The number of the word, counted from 0.
        word: u32,
        /// The lowest bit.
        low: u8,
        /// The highest bit.
        high: u8,
    },
}

/// The code page of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Charset {
    /// The file does not declare one.
    Undeclared,
    /// UTF-8 in every known file.
    Utf8,
}

/// A text of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TextValue<'d> {
    /// The text itself.
    pub text: &'d [u8],
    /// All bytes that the file has for it, those behind a NUL as well, without a fixed field's zeros at the end.
    pub stored: &'d [u8],
    /// Whether `stored` is what any file has for this text.
    pub usual: bool,
    /// How to decode it.
    pub charset: Charset,
}

impl<'d> TextValue<'d> {
    /// A text that is stored as it is.
    pub const fn plain(text: &'d [u8], charset: Charset) -> Self {
        Self { text, stored: text, usual: true, charset }
    }

    /// The text of a fixed field: up to its first NUL, with all bytes that are not zeros at its end.
    pub fn fixed(field: &'d [u8]) -> Self {
        let text = field.split(|&byte| byte == 0).next().unwrap_or(field);
        let used = field.iter().rposition(|&byte| byte != 0).map_or(0, |last| last.saturating_add(1));
        let stored = field.get(..used.max(text.len())).unwrap_or(field);
        Self { text, stored, usual: stored.len() == text.len(), charset: Charset::Undeclared }
    }
}

/// The value of a field.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LeafValue<'d> {
    /// There is none: an absent name, a section that is not there.
    Absent,
    /// A signed integer.
    Int(i64),
    /// An unsigned integer.
    Uint(u64),
    /// A float of 32 bits.
    Float(f32),
    /// Integers that belong together: the sides of a rectangle.
    Ints(&'d [I32]),
    /// Floats that belong together: a vector.
    Floats(&'d [f32]),
    /// A text.
    Text(TextValue<'d>),
    /// A reference to a text that leads nowhere: where it points to.
    Dangling(u32),
    /// Yes or no.
    Bool(bool),
    /// A word of the format or of this library, such as the kind of something.
    Word(&'d str),
    /// Several such words.
    Words(&'d [&'d str]),
    /// Bytes without a known meaning.
    Bytes(&'d [u8]),
    /// Red, green and blue.
    Color([u8; 3]),
}

/// How people read an integer.
#[derive(Clone, Copy)]
pub enum Notation {
    /// As a decimal number.
    Decimal,
    /// As a hexadecimal number: offsets, flags without names, words of unknown meaning.
    Hex,
    /// As a hexadecimal number, with the names of the bits that are set.
    Flags(&'static [(u32, &'static str)]),
    /// As this function writes it.
    Named(fn(u32, &mut dyn fmt::Write) -> fmt::Result),
}

/// A field of a part.
#[derive(Clone, Copy)]
pub struct Leaf<'d> {
    /// Its name, unique within the part.
    pub name: LeafName<'d>,
    /// Its value.
    pub value: LeafValue<'d>,
    /// What it is for.
    pub role: Role,
    /// Where its value lies; of a text, its bytes and not what refers to them.
    pub at: Option<Span>,
    /// How people read it, if it is an integer.
    pub notation: Notation,
    /// What refers to the value, if it does not lie where the field does: an offset or index.
    pub reference: Option<u32>,
    /// Bits of an integer that follow from how the content is stored. Comparisons ignore them.
    pub storage_bits: u32,
}

impl<'d> Leaf<'d> {
    /// A field of the content, without a place.
    pub const fn new(name: &'static str, value: LeafValue<'d>) -> Self {
        Self {
            name: LeafName::Static(name),
            value,
            role: Role::Data,
            at: None,
            notation: Notation::Decimal,
            reference: None,
            storage_bits: 0,
        }
    }

    /// The same field with another role.
    #[must_use]
    pub const fn role(mut self, role: Role) -> Self {
        self.role = role;
        self
    }

    /// The same field, whose value lies there.
    #[must_use]
    pub const fn at(mut self, at: Span) -> Self {
        self.at = Some(at);
        self
    }

    /// The same field in another notation.
    #[must_use]
    pub const fn notation(mut self, notation: Notation) -> Self {
        self.notation = notation;
        self
    }
}

/// Visits the fields of a fixed-layout structure at `at`, as [`record!`](crate::record) lists them.
///
/// `with` says for each what it is for, how people read it, and whether it is visited at all.
pub fn visit_record<'v>(
    fields: impl Iterator<Item = (&'static str, crate::RecordValue<'v>)>,
    at: u64,
    space: Space,
    visitor: &mut dyn Visit,
    with: impl Fn(&'static str) -> Option<(Role, Notation)>,
) -> Flow {
    let (mut at, wants_numbers) = (at, visitor.wants_numbers());
    for (name, value) in fields {
        let (value, len) = match value {
            crate::RecordValue::Int(int) => (LeafValue::Int(int.into()), 4),
            crate::RecordValue::Uint(word) => (LeafValue::Uint(word.into()), 4),
            crate::RecordValue::Ints(ints) => (LeafValue::Ints(ints), size_of_val(ints) as u64),
            crate::RecordValue::Text(bytes) => (LeafValue::Text(TextValue::fixed(bytes)), bytes.len() as u64),
        };
        if !wants_numbers && !matches!(value, LeafValue::Text(_)) {
            // Nobody asks for it.
        } else if let Some((role, notation)) = with(name) {
            let shown = match value {
                LeafValue::Text(text) => text.text.len() as u64,
                _ => len,
            };
            visitor.field(&Leaf::new(name, value).role(role).notation(notation).at(Span::new(at, shown, space)))?;
        }
        at = at.saturating_add(len);
    }
    GO
}

impl fmt::Debug for Notation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Decimal => "Decimal",
            Self::Hex => "Hex",
            Self::Flags(_) => "Flags",
            Self::Named(_) => "Named",
        })
    }
}

impl fmt::Debug for Leaf<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, value, role, at, .. } = self;
        f.debug_struct("Leaf")
            .field("name", name)
            .field("value", value)
            .field("role", role)
            .field("at", at)
            .finish_non_exhaustive()
    }
}
