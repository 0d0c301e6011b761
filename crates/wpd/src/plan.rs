//! The field plan: the word and bits of each field. See [Field plan](crate::format#field-plan).

mod field;

use std::borrow::Cow;
use std::collections::HashSet;

use crate::refusal::{MAX_WORDS, Refusal};
use crate::sections::{Generation, Sections, WordTypes};

pub use field::{Field, FieldKind, ValueType};

/// The properties of a table that determine its plan.
#[derive(Clone, Copy)]
pub(crate) struct Layout<'a> {
    pub(crate) generation: Generation,
    pub(crate) words: WordTypes<'a>,
    /// The size of the first record, if there is one.
    pub(crate) first_record: Option<u32>,
}

impl Layout<'_> {
    /// Returns whether the last word is the first half of a 64-bit integer, or `None` if there are no records to tell.
    fn ends_wide(&self) -> Option<bool> {
        let short = self.words.len().saturating_mul(4) as u64;
        self.first_record.map(|size| u64::from(size) == short.saturating_add(4))
    }

    fn last_is_uint(&self) -> bool {
        self.words.len().checked_sub(1).and_then(|last| self.words.get(last)) == Some(WordTypes::UINT)
    }
}

/// The meaningful parts of a field's name.
#[derive(Clone, Copy)]
pub(crate) struct Name {
    pub(crate) letter: u8,
    /// The width in bits that the digits give; 0 without digits.
    pub(crate) width: u8,
}

impl Name {
    /// Parses the letter, and up to two digits after it.
    pub(crate) fn of(name: &[u8]) -> Option<Self> {
        let letter = *name.first().filter(|letter| b"iufs".contains(letter))?;
        let digits = name.iter().skip(1).take(2).take_while(|byte| byte.is_ascii_digit());
        let width = digits.fold(0_u8, |all, &digit| all.saturating_mul(10).saturating_add(digit.saturating_sub(b'0')));
        Some(Self { letter, width })
    }

    /// Returns the kind of a field with a word of its own, given the type of that word.
    fn whole(self, word_type: u32) -> FieldKind {
        match (word_type, self.letter) {
            (WordTypes::BITS | WordTypes::UINT, b'u') | (WordTypes::UINT, _) => FieldKind::Uint,
            (WordTypes::BITS, _) => FieldKind::Int,
            (WordTypes::FLOAT, _) => FieldKind::Float,
            (WordTypes::STRING, _) => FieldKind::String,
            _ => FieldKind::Raw,
        }
    }

    fn packed(self) -> FieldKind {
        match self.letter {
            b'i' => FieldKind::BitsInt,
            b'u' => FieldKind::BitsUint,
            b'f' => FieldKind::BitsFixed,
            _ => FieldKind::Element,
        }
    }

    /// Returns the word type that the letter stands for.
    pub(crate) fn word_type(self) -> u32 {
        match self.letter {
            b'i' => WordTypes::BITS,
            b'f' => WordTypes::FLOAT,
            b's' => WordTypes::STRING,
            _ => WordTypes::UINT,
        }
    }
}

/// Returns whether fields may have a name: the first letter says the type.
///
/// ```
/// assert!(worldview_wpd::is_field_name(b"u4Size"));
/// assert!(!worldview_wpd::is_field_name(b"record"));
/// ```
pub fn is_field_name(name: &[u8]) -> bool {
    Name::of(name).is_some()
}

/// Returns the word type that a field's name implies, or `None` if the name is generated or does not begin with one of
/// the four letters.
pub(crate) fn expected_type(name: &[u8]) -> Option<u32> {
    Name::of(name).map(Name::word_type)
}

/// Assigns named fields to words. A field takes a whole word if its name has no width. Otherwise it takes bits from the
/// low end, and shares the word of the previous field if it fits.
pub(crate) fn named<'a>(
    names: impl Iterator<Item = Cow<'a, [u8]>>,
    layout: Layout<'_>,
    exact: bool,
) -> Result<Vec<Field<'a>>, Refusal> {
    let words = layout.words;
    let mut fields: Vec<Field<'a>> = Vec::new();
    // The next unused word, and the current word with its next free bit.
    let (mut next, mut open, mut bit) = (0_u32, None, 0_u8);
    let mut arrays = 0_usize;
    let mut wide = None;
    for (index, text) in names.enumerate() {
        if index >= MAX_WORDS {
            return Err(Refusal::TooMany);
        }
        let name = Name::of(&text).ok_or(Refusal::Letter { index })?;
        if let Some(index) = wide {
            return Err(Refusal::Wide { index });
        }
        let word_type = |word: u32| usize::try_from(word).ok().and_then(|word| words.get(word));
        let no_word = Refusal::Words { index, words: words.len() };
        match name.width {
            1..=32 => {
                if layout.generation.is_unpacked() && exact {
                    return Err(Refusal::Packed { index });
                }
                let word = match open {
                    Some(word) if bit.saturating_add(name.width) <= 32 => word,
                    _ => {
                        let found = word_type(next).ok_or(no_word)?;
                        if found != WordTypes::BITS {
                            return Err(Refusal::Type { index, word: next, found, wanted: WordTypes::BITS });
                        }
                        bit = 0;
                        let word = next;
                        next = next.saturating_add(1);
                        open = Some(word);
                        word
                    }
                };
                let kind = name.packed();
                let array = (kind == FieldKind::Element).then_some(arrays);
                arrays = arrays.saturating_add(array.is_some().into());
                fields.push(Field { name: text, kind, word, bit, width: name.width, array });
                bit = bit.saturating_add(name.width);
            }
            0 | 64 => {
                open = None;
                let found = word_type(next).ok_or(no_word)?;
                let mut kind = name.whole(found);
                if name.width == 64 {
                    if name.letter != b'u' || found != WordTypes::UINT || layout.ends_wide() == Some(false) {
                        let asks = Refusal::Width { index, width: 64 };
                        return Err(if name.letter == b'u' { Refusal::Wide { index } } else { asks });
                    }
                    wide = Some(index);
                    kind = FieldKind::Uint64;
                }
                if exact && found != name.word_type() {
                    return Err(Refusal::Type { index, word: next, found, wanted: name.word_type() });
                }
                fields.push(Field::whole(text, kind, next));
                next = next.saturating_add(1);
            }
            width => return Err(Refusal::Width { index, width }),
        }
    }
    let used = usize::try_from(next).unwrap_or(usize::MAX);
    if used != words.len() {
        return Err(Refusal::WordsLeft { used, words: words.len() });
    }
    make_unique(&mut fields);
    Ok(fields)
}

/// Compares the letters of a schema's names with the kinds in `!!typelist`, by count.
pub(crate) fn same_kinds<'n>(names: impl Iterator<Item = &'n [u8]>, sections: &Sections<'_>) -> Result<(), Refusal> {
    let Some(kinds) = sections.kinds() else { return Ok(()) };
    let mut counts = [('i', 0_usize, 0_usize), ('f', 0, 0), ('s', 0, 0), ('u', 0, 0)];
    for name in names {
        let letter = name.first().copied().map_or(' ', char::from);
        for (own, count, _) in &mut counts {
            *count = count.saturating_add(usize::from(*own == letter));
        }
    }
    for kind in kinds {
        let kind = usize::try_from(kind.get()).ok();
        if let Some((_, _, count)) = kind.and_then(|kind| counts.get_mut(kind)) {
            *count = count.saturating_add(1);
        }
    }
    match counts.into_iter().find(|(_, names, list)| names != list) {
        Some((letter, names, list)) => Err(Refusal::Kinds { letter, names, list }),
        None => Ok(()),
    }
}

/// Returns the plan of a table without field names: one field per word.
pub(crate) fn generated<'a>(layout: Layout<'_>, sections: &Sections<'_>) -> Vec<Field<'a>> {
    let words = layout.words;
    let one_to_one = layout.generation.is_unpacked()
        || sections
            .kinds()
            .is_some_and(|kinds| kinds.len() == words.len() && kinds.iter().map(|k| k.get()).eq(words.iter()));
    let ends_wide = layout.ends_wide() == Some(true) && layout.last_is_uint();
    let mut fields = Vec::with_capacity(words.len());
    for (word, word_type) in (0..).zip(words.iter()) {
        let kind = match word_type {
            WordTypes::BITS if one_to_one => FieldKind::Int,
            WordTypes::FLOAT => FieldKind::Float,
            WordTypes::STRING => FieldKind::String,
            WordTypes::UINT => FieldKind::Uint,
            _ => FieldKind::Raw,
        };
        fields.push(Field::whole(Cow::Borrowed(&[]), kind, word));
    }
    if let Some(last) = fields.last_mut().filter(|_| ends_wide) {
        (last.kind, last.width) = (FieldKind::Uint64, 64);
    }
    for field in &mut fields {
        field.name = field.generated_name().into();
    }
    fields
}

/// The words that their fields do not fill, each with the lowest bit that is left: fields begin at the low end and leave
/// no gaps.
pub(crate) fn unowned(fields: &[Field<'_>]) -> Vec<(u32, u8)> {
    let mut words: Vec<(u32, u8)> = Vec::new();
    for field in fields.iter().filter(|field| field.kind().is_packed()) {
        let end = field.bit().saturating_add(field.width());
        match words.last_mut() {
            Some((word, low)) if *word == field.word() => *low = end,
            _ => words.push((field.word(), end)),
        }
    }
    words.retain(|&(_, low)| low < 32);
    words
}

/// The bits of [`unowned`] as fields.
pub(crate) fn unowned_fields(fields: &[Field<'_>]) -> impl Iterator<Item = Field<'static>> + use<> {
    unowned(fields).into_iter().map(|(word, low)| Field::unowned(word, low))
}

/// Gives generated names to all but the first of the fields that share a name.
fn make_unique(fields: &mut [Field<'_>]) {
    let mut seen = HashSet::with_capacity(fields.len());
    let mut again = Vec::new();
    for (index, field) in fields.iter().enumerate() {
        if !seen.insert(&*field.name) {
            again.push(index);
        }
    }
    drop(seen);
    for index in again {
        if let Some(field) = fields.get_mut(index) {
            field.name = field.generated_name().into();
        }
    }
}
