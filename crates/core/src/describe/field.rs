use core::fmt;

use zerocopy::little_endian::I32;

use super::{Flow, Span, Stored, Visit};

/// The purpose of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// The field is content.
    Data,
    /// The field follows from how the content is stored: offsets, sizes, counts, checksums. Comparisons skip it.
    Storage,
    /// The field has no known meaning.
    Reserved,
    /// The field is computed from other fields.
    Derived,
}

/// The name of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FieldName<'d> {
    /// A name that the format defines.
    Static(&'static str),
    /// A name from the file, or one supplied for it.
    Bytes(&'d [u8]),
    /// Bits of a word that belong to no field.
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

/// A text in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TextValue<'d> {
    /// The text itself.
    pub text: &'d [u8],
    /// All bytes that the file stores for the text, including those after a NUL, without the trailing zeros of a fixed
    /// field.
    pub stored: &'d [u8],
    /// Whether `stored` has the usual form for this text.
    pub usual: bool,
    /// The code page of the text.
    pub charset: Charset,
}

impl<'d> TextValue<'d> {
    /// Creates a text that is stored unchanged.
    pub const fn plain(text: &'d [u8], charset: Charset) -> Self {
        Self { text, stored: text, usual: true, charset }
    }

    /// Creates the text of a fixed field: it ends at the first NUL, and `stored` has everything but trailing zeros.
    pub fn fixed(field: &'d [u8]) -> Self {
        let text = field.split(|&byte| byte == 0).next().unwrap_or(field);
        let used = field.iter().rposition(|&byte| byte != 0).map_or(0, |last| last.saturating_add(1));
        let stored = field.get(..used.max(text.len())).unwrap_or(field);
        Self { text, stored, usual: stored.len() == text.len(), charset: Charset::Undeclared }
    }
}

/// The value of a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FieldValue<'d> {
    /// No value: an absent name or section.
    Absent,
    /// A signed integer.
    Int(i64),
    /// An unsigned integer.
    Uint(u64),
    /// A float of 32 bits.
    Float(f32),
    /// Related integers, such as the sides of a rectangle.
    Ints(&'d [I32]),
    /// Related floats, such as a vector.
    Floats(&'d [f32]),
    /// A text.
    Text(TextValue<'d>),
    /// A reference to a text that does not exist: the offset it points to.
    Dangling(u32),
    /// A Boolean.
    Bool(bool),
    /// A word defined by the format or by this library, such as the kind of something.
    Word(&'d str),
    /// Several words of that sort.
    Words(&'d [&'d str]),
    /// Bytes without a known meaning.
    Bytes(&'d [u8]),
    /// Red, green and blue.
    Color([u8; 3]),
}

/// How an integer is shown to people.
#[derive(Clone, Copy)]
pub enum Notation {
    /// As a decimal number.
    Decimal,
    /// As a hexadecimal number: offsets, flags without names, words of unknown meaning.
    Hex,
    /// As a hexadecimal number, with the names of the bits that are set.
    Flags(&'static [(u32, &'static str)]),
    /// As written by this function.
    Named(fn(u32, &mut dyn fmt::Write) -> fmt::Result),
}

/// A field of a part.
#[derive(Clone, Copy)]
pub struct Field<'d> {
    /// The name, unique within the part.
    pub name: FieldName<'d>,
    /// The value.
    pub value: FieldValue<'d>,
    /// The purpose of the field.
    pub role: Role,
    /// The bytes of the value; for a text its own bytes, not those of the reference to it.
    pub at: Option<Span>,
    /// How the value is shown to people, if it is an integer.
    pub notation: Notation,
    /// The offset or index that refers to the value, if the value is stored elsewhere.
    pub reference: Option<u32>,
    /// Bits of an integer that follow from how the content is stored. Comparisons ignore them.
    pub storage_bits: u32,
    /// How the value is stored at its span.
    pub stored: Stored<'d>,
}

impl<'d> Field<'d> {
    /// Creates a content field without a span.
    pub const fn new(name: &'static str, value: FieldValue<'d>) -> Self {
        Self {
            name: FieldName::Static(name),
            value,
            role: Role::Data,
            at: None,
            notation: Notation::Decimal,
            reference: None,
            storage_bits: 0,
            stored: Stored::Nowhere,
        }
    }

    crate::setters! {
        /// Sets the role.
        pub const fn role(role: Role) => role = role;

        /// Sets the span of the value.
        pub const fn at(at: Span) => at = Some(at);

        /// Sets how the value is stored.
        pub const fn stored(stored: Stored<'d>) => stored = stored;

        /// Sets the notation.
        pub const fn notation(notation: Notation) => notation = notation;
    }
}

/// Visits the fields of a fixed-layout structure at `at`, as declared by [`record!`](crate::record). `record` are its
/// bytes.
#[inline]
pub fn visit_fields(record: &[u8], fields: &'static [crate::FieldInfo], at: Span, visitor: &mut dyn Visit) -> Flow {
    visit_fields_with(record, fields, at, visitor, |info| info.notation)
}

/// Does the same with notations that depend on the rest of the file.
#[inline]
pub fn visit_fields_with(
    record: &[u8],
    fields: &'static [crate::FieldInfo],
    at: Span,
    visitor: &mut dyn Visit,
    notation: impl Fn(&'static crate::FieldInfo) -> Notation,
) -> Flow {
    let wants_numbers = visitor.wants_numbers();
    for info in fields {
        if info.is_implied
            || !wants_numbers && !matches!(info.stored, Stored::Text(_) | Stored::Name(_) | Stored::Padded(_))
        {
            continue;
        }
        let value = info.value(record);
        let len = match value {
            FieldValue::Text(text) => text.text.len(),
            _ => info.stored.size().unwrap_or(0),
        };
        visitor.field(&Field {
            name: FieldName::Static(info.name),
            value,
            role: info.role,
            at: Some(Span::new(at.at.saturating_add(info.offset as u64), len as u64, at.space)),
            notation: notation(info),
            reference: None,
            storage_bits: info.storage_bits,
            stored: info.stored,
        })?;
    }
    Flow::Continue(())
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

crate::debug_summary!("Field", Field<'_>, |this| name: this.name, value: this.value, role: this.role, at: this.at);
