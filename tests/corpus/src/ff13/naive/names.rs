//! Field names, and the layout that a list of names implies.

use std::collections::BTreeSet;

use super::{NaiveField, NaiveType};
use crate::ff13::build::{Slot, layout};
use crate::ff13::spec::Generation;

/// Maximum number of names; longer lists are rejected.
const MAX_NAMES: usize = 65_536;

/// What determines the layout besides the names.
pub(super) struct Words<'a> {
    pub(super) generation: Generation,
    pub(super) types: &'a [u32],
    pub(super) typelist: Option<&'a [u32]>,
    /// Size of the first record.
    pub(super) first_record: Option<u32>,
}

impl Words<'_> {
    fn one_word_a_field(&self) -> bool {
        matches!(self.generation, Generation::G0 | Generation::G1)
    }

    /// Returns `true` if the first record is four bytes longer than its words.
    fn first_is_longer(&self) -> bool {
        self.first_record.is_some_and(|size| u64::from(size) == 4 * super::wide(self.types.len()) + 4)
    }
}

/// Splits a section into NUL-terminated names; the last may end with the section instead.
pub(super) fn split(section: &[u8]) -> Vec<Vec<u8>> {
    let mut names = Vec::new();
    let mut name = Vec::new();
    for &byte in section {
        if byte == 0 {
            names.push(name);
            name = Vec::new();
        } else {
            name.push(byte);
        }
    }
    if !name.is_empty() {
        names.push(name);
    }
    names
}

/// Returns the letter and width of a name; the width is 0 if the name has none.
fn grammar(name: &[u8]) -> Option<(u8, u32)> {
    let letter = *name.first()?;
    if !b"iufs".contains(&letter) {
        return None;
    }
    let digit = |at: usize| name.get(at).filter(|byte| byte.is_ascii_digit()).map(|byte| u32::from(byte - b'0'));
    let width = match (digit(1), digit(2)) {
        (Some(tens), Some(ones)) => 10 * tens + ones,
        (Some(ones), None) => ones,
        (None, _) => 0,
    };
    Some((letter, width))
}

/// Returns the fields that a list of names describes, or `None` if they do not fit the words.
pub(super) fn plan(names: &[Vec<u8>], words: &Words<'_>) -> Option<Vec<NaiveField>> {
    if names.len() > MAX_NAMES {
        return None;
    }
    let layout = layout(names);
    if layout.types.len() != words.types.len() {
        return None;
    }
    let field = |(i, (name, slot)): (usize, (&Vec<u8>, Slot))| {
        let (letter, width) = grammar(name)?;
        let word_type = words.types[slot.at / 4];
        let there_is_room = words.first_record.is_none() || words.first_is_longer();
        let value = match (width, letter) {
            (0, _) => full_value(word_type, letter),
            (1..=32, _) if word_type != 0 => return None,
            (1..=32, b'u') => NaiveType::U32,
            (1..=32, b's') => NaiveType::Text,
            (1..=32, _) => NaiveType::I32,
            (64, b'u') if i + 1 == names.len() && there_is_room && word_type == 3 => NaiveType::U64,
            _ => return None,
        };
        let Slot { at, shift, width: bits, array, .. } = slot;
        let packed = (1..=32).contains(&width);
        Some(NaiveField {
            name: name.clone(),
            letter: Some(letter),
            packed,
            word: at / 4,
            shift,
            width: bits,
            value,
            array,
        })
    };
    names.iter().zip(layout.slots).enumerate().map(field).collect()
}

/// Returns the value type of a full word: the word's type decides, except for signedness.
fn full_value(word_type: u32, letter: u8) -> NaiveType {
    match (word_type, letter) {
        (0, b'u') => NaiveType::U32,
        (0, _) => NaiveType::I32,
        (1, _) => NaiveType::F32,
        (2, _) => NaiveType::Text,
        _ => NaiveType::U32,
    }
}

/// Returns `true` if the fields of a schema agree with every type that the file stores.
pub(super) fn schema_agrees(fields: &[NaiveField], words: &Words<'_>) -> bool {
    let kind = |field: &NaiveField| match field.letter {
        Some(b'i') => 0,
        Some(b'f') => 1,
        Some(b's') => 2,
        _ => 3,
    };
    for field in fields {
        if field.packed && words.one_word_a_field() {
            return false;
        }
        if !field.packed && words.types.get(field.word) != Some(&kind(field)) {
            return false;
        }
    }
    let Some(typelist) = words.typelist else {
        return true;
    };
    (0..4).all(|k| {
        let of_file = typelist.iter().filter(|&&value| value == k).count();
        of_file == fields.iter().filter(|field| kind(field) == k).count()
    })
}

/// Generates one field per word.
pub(super) fn generated(words: &Words<'_>) -> Vec<NaiveField> {
    let no_packing = words.one_word_a_field() || words.typelist == Some(words.types);
    let mut fields = Vec::new();
    for (word, &word_type) in words.types.iter().enumerate() {
        let mut field = NaiveField {
            name: format!("word{word}").into_bytes(),
            letter: None,
            packed: false,
            word,
            shift: 0,
            width: 32,
            value: match word_type {
                0 if no_packing => NaiveType::I32,
                1 => NaiveType::F32,
                2 => NaiveType::Text,
                _ => NaiveType::U32,
            },
            array: None,
        };
        if word + 1 == words.types.len() && word_type == 3 && words.first_is_longer() {
            field.width = 64;
            field.value = NaiveType::U64;
        }
        fields.push(field);
    }
    fields
}

/// Gives generated names to fields whose name is already taken by an earlier field.
pub(super) fn part_duplicates(fields: &mut [NaiveField]) {
    let mut seen = BTreeSet::new();
    for field in fields {
        if seen.insert(field.name.clone()) {
            continue;
        }
        let NaiveField { word, shift, .. } = field;
        let name = if field.packed { format!("word{word}_bit{shift}") } else { format!("word{word}") };
        field.name = name.into_bytes();
    }
}
