//! Plans which bits of a record belong to each field, from the field names and the types of the words.

use worldview_corpus::ff13::build::{Slot, layout};

/// A field.
#[derive(Clone, Copy)]
pub(super) struct Field<'n> {
    pub(super) name: &'n [u8],
    /// Index of its word.
    pub(super) word: usize,
    /// How far the word is shifted left to discard the bits above the field.
    pub(super) up: u32,
    /// How far it is then shifted right.
    pub(super) down: u32,
    pub(super) kind: Kind,
}

#[derive(Clone, Copy)]
pub(super) enum Kind {
    Signed,
    Unsigned,
    /// A number of two words.
    Long,
    /// An offset of a string.
    Text,
    /// An index into the string array with this index.
    Element(usize),
}

impl Field<'_> {
    /// Returns the field's value in a word.
    #[inline]
    pub(super) fn of(&self, word: u32) -> u32 {
        match self.kind {
            Kind::Signed => ((word << self.up).cast_signed() >> self.down).cast_unsigned(),
            _ => word << self.up >> self.down,
        }
    }
}

/// Says why the fields cannot be planned.
pub(super) const NAMES: &str = "there are no field names, or they do not fit the words";

/// Plans the fields. Returns `None` if the names do not fit the words, or if there are none, which means that the file
/// is not a table.
pub(super) fn plan<'n>(names: &'n [u8], types: &[u8]) -> Option<Vec<Field<'n>>> {
    let names: Vec<_> = names.split(|&byte| byte == 0).filter(|name| !name.is_empty()).collect();
    let layout = layout(&names);
    let field = |(name, slot): (&'n [u8], &Slot)| {
        let is_packed = name.get(1).is_some_and(u8::is_ascii_digit) && slot.width < 64;
        let kind = match (types.get(slot.at / 4)?, slot.letter, slot.array) {
            (0, _, Some(array)) => Kind::Element(array),
            (0, b'u', _) if is_packed => Kind::Unsigned,
            (0, ..) if is_packed => Kind::Signed,
            _ if is_packed => return None,
            (3, b'u', _) if slot.width == 64 => Kind::Long,
            (2, ..) => Kind::Text,
            _ => Kind::Unsigned,
        };
        let bits = slot.width.min(32);
        Some(Field { name, word: slot.at / 4, up: 32 - bits - slot.shift, down: 32 - bits, kind })
    };
    let fields = names.iter().copied().zip(&layout.slots).map(field).collect::<Option<_>>()?;
    (layout.types.len() == types.len() && !types.is_empty()).then_some(fields)
}

/// Plans a single field.
pub(super) fn plan_of<'n>(names: &'n [u8], types: &[u8], name: &str) -> Option<Vec<Field<'n>>> {
    let mut fields = plan(names, types)?;
    fields.retain(|field| field.name == name.as_bytes());
    (fields.len() == 1).then_some(fields)
}
