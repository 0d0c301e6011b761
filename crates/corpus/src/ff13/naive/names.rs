//! Names of fields, and where a list of them puts each field.

use std::collections::BTreeSet;

use super::{NaiveField, NaiveType};
use crate::ff13::spec::Generation;

/// More names than this are refused.
const MOST_NAMES: usize = 65_536;

/// What decides where fields lie besides their names.
pub(super) struct Words<'a> {
    pub(super) generation: Generation,
    pub(super) types: &'a [u32],
    pub(super) typelist: Option<&'a [u32]>,
    /// The size of the first record.
    pub(super) first_record: Option<u32>,
}

impl Words<'_> {
    fn one_word_a_field(&self) -> bool {
        matches!(self.generation, Generation::G0 | Generation::G1)
    }

    /// Whether the first record has four bytes more than its words.
    fn first_is_longer(&self) -> bool {
        self.first_record.is_some_and(|size| u64::from(size) == 4 * super::wide(self.types.len()) + 4)
    }
}

/// The names in a section: each ends with a NUL, but for a last one that may end with the section.
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

/// The letter and the width of a name, 0 where it has none.
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

/// Where a list of names puts its fields, or `None` when it does not fit the words.
pub(super) fn plan(names: &[Vec<u8>], words: &Words<'_>) -> Option<Vec<NaiveField>> {
    if names.len() > MOST_NAMES {
        return None;
    }
    let mut fields = Vec::new();
    let mut next_word = 0;
    let mut used_bits = 32;
    let mut arrays = 0;
    for (i, name) in names.iter().enumerate() {
        let (letter, width) = grammar(name)?;
        let mut field = NaiveField {
            name: name.clone(),
            letter: Some(letter),
            packed: false,
            word: next_word,
            shift: 0,
            width: 32,
            value: NaiveType::U32,
            array: None,
        };
        match width {
            0 => {
                field.value = full_value(*words.types.get(next_word)?, letter);
                next_word += 1;
                used_bits = 32;
            }
            1..=32 => {
                if used_bits + width > 32 {
                    if *words.types.get(next_word)? != 0 {
                        return None;
                    }
                    next_word += 1;
                    used_bits = 0;
                }
                field.packed = true;
                field.word = next_word - 1;
                field.shift = used_bits;
                field.width = width;
                used_bits += width;
                field.value = match letter {
                    b'u' => NaiveType::U32,
                    b's' => NaiveType::Text,
                    _ => NaiveType::I32,
                };
                if letter == b's' {
                    field.array = Some(arrays);
                    arrays += 1;
                }
            }
            64 if letter == b'u' => {
                let is_last = i + 1 == names.len();
                let there_is_room = words.first_record.is_none() || words.first_is_longer();
                if !is_last || !there_is_room || *words.types.get(next_word)? != 3 {
                    return None;
                }
                field.width = 64;
                field.value = NaiveType::U64;
                next_word += 1;
            }
            _ => return None,
        }
        fields.push(field);
    }
    (next_word == words.types.len()).then_some(fields)
}

/// The type of the word decides, but for the sign of a number.
fn full_value(word_type: u32, letter: u8) -> NaiveType {
    match (word_type, letter) {
        (0, b'u') => NaiveType::U32,
        (0, _) => NaiveType::I32,
        (1, _) => NaiveType::F32,
        (2, _) => NaiveType::Text,
        _ => NaiveType::U32,
    }
}

/// Whether fields that a caller named agree with all that the file says about kinds.
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

/// One field a word.
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

/// Gives generated names to fields whose name an earlier one has.
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
