//! Plans which bits of a record belong to each field, from the field names and the types of the words.

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
    let mut fields = Vec::new();
    let (mut words, mut left, mut arrays) = (0, 0, 0);
    for name in names.split(|&byte| byte == 0).filter(|name| !name.is_empty()) {
        let [letter, rest @ ..] = name else {
            return None;
        };
        let digits = rest.iter().take(2).take_while(|byte| byte.is_ascii_digit());
        let width = digits.fold(0, |width, digit| width * 10 + u32::from(digit - b'0'));
        if !(1..=32).contains(&width) {
            let kind = match (types.get(words)?, letter) {
                (3, b'u') if width == 64 => Kind::Long,
                (2, _) => Kind::Text,
                _ => Kind::Unsigned,
            };
            fields.push(Field { name, word: words, up: 0, down: 0, kind });
            words += 1;
            left = 0;
            continue;
        }
        if width > left {
            types.get(words).filter(|&&kind| kind == 0)?;
            words += 1;
            left = 32;
        }
        let kind = match *letter {
            b'u' => Kind::Unsigned,
            b's' => Kind::Element(arrays),
            _ => Kind::Signed,
        };
        arrays += usize::from(*letter == b's');
        // The first field of a word occupies its lowest bits.
        fields.push(Field { name, word: words - 1, up: left - width, down: 32 - width, kind });
        left -= width;
    }
    (words == types.len() && words > 0).then_some(fields)
}

/// Plans a single field.
pub(super) fn plan_of<'n>(names: &'n [u8], types: &[u8], name: &str) -> Option<Vec<Field<'n>>> {
    let mut fields = plan(names, types)?;
    fields.retain(|field| field.name == name.as_bytes());
    (fields.len() == 1).then_some(fields)
}
