//! A byte builder that records the positions of named fields, so that a test can corrupt a single one.

use std::collections::BTreeMap;
use std::fmt::{Display, Write as _};

/// Finished bytes, with the positions of the labels.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Built {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// The position of each label.
    pub labels: BTreeMap<String, usize>,
}

/// Bytes under construction, with labeled positions and words that depend on them.
#[derive(Debug, Default)]
pub(crate) struct Builder {
    built: Built,
    /// Whether `field` sets no labels, since those of a large file would take more memory than the file.
    pub(crate) silent: bool,
    /// What the names of labels begin with.
    scope: String,
    /// The start of the part under construction; its offsets count from there.
    base: usize,
    /// The size of each part.
    sizes: BTreeMap<String, usize>,
    /// Words to be set at the end: their positions, and the label whose position from a base they hold, or the part
    /// whose size they hold.
    words: Vec<(usize, String, Option<usize>)>,
    /// The fields of a structure as they are written, for a reader of the same fields.
    layout: Option<Vec<Field>>,
}

/// A field of a structure.
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) name: String,
    /// Offset in the structure.
    pub(crate) at: usize,
    pub(crate) size: usize,
    /// The type of its numbers, or `None` for bytes.
    pub(crate) number: Option<&'static str>,
}

/// Returns the fields of a structure, in file order.
pub(crate) fn layout(structure: &impl Stored) -> Vec<Field> {
    let mut b = Builder { layout: Some(Vec::new()), ..Builder::default() };
    structure.store(&mut b);
    let (mut fields, mut end) = (b.layout.take().unwrap_or_default(), b.len());
    for field in fields.iter_mut().rev() {
        (field.size, end) = (end - field.at, field.at);
    }
    fields.retain(|field| field.size > 0);
    fields
}

impl Builder {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Returns the number of bytes written so far, which is the position of the next one.
    pub(crate) fn len(&self) -> usize {
        self.built.bytes.len()
    }

    /// Returns the full name of a label.
    pub(crate) fn name(&self, name: &str) -> String {
        let dot = if self.scope.is_empty() || name.is_empty() { "" } else { "." };
        format!("{}{dot}{name}", self.scope)
    }

    /// Labels the current position; a later label with the same name replaces an earlier one.
    pub(crate) fn label(&mut self, name: &str) -> &mut Self {
        self.label_at(name, self.len())
    }

    /// Labels any position, written or not.
    pub(crate) fn label_at(&mut self, name: &str, position: usize) -> &mut Self {
        self.built.labels.insert(self.name(name), position);
        self
    }

    /// Labels the current position, unless the builder is silent.
    pub(crate) fn field(&mut self, name: &str) -> &mut Self {
        let at = self.len();
        if let Some(layout) = &mut self.layout {
            layout.push(Field { name: name.to_owned(), at, size: 0, number: None });
        }
        if self.silent { self } else { self.label(name) }
    }

    /// Puts the name of a structure before the labels of its fields.
    pub(crate) fn within(&mut self, name: impl Display, write: impl FnOnce(&mut Self)) -> &mut Self {
        let outer = self.scope.len();
        let dot = if outer == 0 { "" } else { "." };
        let _ = write!(self.scope, "{dot}{name}");
        write(self);
        self.scope.truncate(outer);
        self
    }

    /// Writes a part of the file whose offsets count from its own start.
    pub(crate) fn part(&mut self, name: impl Display, write: impl FnOnce(&mut Self)) -> &mut Self {
        self.within(name, |b| {
            let start = b.len();
            let outer = std::mem::replace(&mut b.base, start);
            write(b.label(""));
            b.base = outer;
            b.sizes.insert(b.scope.clone(), b.len() - start);
        })
    }

    /// Appends bytes unchanged.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.built.bytes.extend_from_slice(bytes);
        self
    }

    /// Appends `count` zero bytes.
    pub(crate) fn zeros(&mut self, count: usize) -> &mut Self {
        self.built.bytes.resize(self.len() + count, 0);
        self
    }

    /// Appends a number of this type.
    fn number(&mut self, of: &'static str, bytes: &[u8]) {
        self.layout.iter_mut().filter_map(|layout| layout.last_mut()).for_each(|field| field.number = Some(of));
        self.bytes(bytes);
    }

    /// Appends a value in its stored form.
    pub(crate) fn put(&mut self, value: impl Stored) -> &mut Self {
        value.store(self);
        self
    }

    /// Appends a word that `finish` sets to the position of a label, given by its full name.
    pub(crate) fn position_of(&mut self, label: String) {
        self.words.push((self.len(), label, Some(self.base)));
        self.put(0_u32);
    }

    /// Appends a word that `finish` sets to the size of a part.
    pub(crate) fn size_of(&mut self, part: String) {
        self.words.push((self.len(), part, None));
        self.put(0_u32);
    }

    /// Sets the words that depend on labels and returns the bytes. Panics if a label was never set or a part never written.
    pub(crate) fn finish(self) -> Built {
        let Self { mut built, sizes, words, .. } = self;
        for (at, name, base) in words {
            let value = base.map_or_else(|| sizes[&name], |base| built.labels[&name] - base);
            built.bytes[at..at + 4].copy_from_slice(&count(value).to_le_bytes());
        }
        built
    }
}

/// Converts a count to the stored width; saturates only for counts that no file can have.
pub(crate) fn count(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

impl Built {
    /// Returns the position of a label.
    pub fn at(&self, label: &str) -> Option<usize> {
        self.labels.get(label).copied()
    }

    /// Returns the little-endian `u32` at a label.
    pub fn read_u32_le(&self, label: &str) -> Option<u32> {
        let bytes = self.bytes.get(self.at(label)?..)?.first_chunk()?;
        Some(u32::from_le_bytes(*bytes))
    }

    /// Overwrites labeled words, little-endian. Panics if a label is unknown.
    pub fn words_le(&mut self, words: &[(&str, u32)]) {
        words.iter().for_each(|(label, value)| self.patch(label, &value.to_le_bytes()));
    }

    /// Overwrites labeled words, big-endian. Panics if a label is unknown.
    pub fn words_be(&mut self, words: &[(&str, u32)]) {
        words.iter().for_each(|(label, value)| self.patch(label, &value.to_be_bytes()));
    }

    /// Overwrites the bytes that start at a label. Panics if the label is unknown or the bytes do not fit.
    pub fn patch(&mut self, label: &str, value: &[u8]) {
        let at = self.at(label).unwrap_or_else(|| panic!("no label {label}"));
        self.bytes[at..at + value.len()].copy_from_slice(value);
    }
}

/// A value with a stored form: little-endian numbers, and the elements of arrays, lists and tuples in order.
pub(crate) trait Stored {
    /// Appends the value.
    fn store(&self, b: &mut Builder);

    /// Appends several values.
    fn store_all(values: &[Self], b: &mut Builder)
    where
        Self: Sized,
    {
        values.iter().for_each(|value| value.store(b));
    }
}

impl Stored for u8 {
    fn store(&self, b: &mut Builder) {
        b.number("u8", &[*self]);
    }

    fn store_all(values: &[Self], b: &mut Builder) {
        b.bytes(values);
    }
}

macro_rules! numbers {
    ($($number:ty)+) => {
        $(impl Stored for $number {
            fn store(&self, b: &mut Builder) {
                b.number(stringify!($number), &self.to_le_bytes());
            }
        })+
    };
}
numbers!(u16 u32 i32 f32);

macro_rules! tuples {
    ($($($field:ident)+;)+) => {
        $(#[allow(non_snake_case, reason = "types and values have the same names")]
        impl<$($field: Stored),+> Stored for ($($field,)+) {
            fn store(&self, b: &mut Builder) {
                let ($($field,)+) = self;
                $($field.store(b);)+
            }
        })+
    };
}
tuples! { A B; A B C; A B C D; A B C D E; A B C D E F; }

impl Stored for () {
    fn store(&self, _: &mut Builder) {}
}

impl<T: Stored> Stored for [T] {
    fn store(&self, b: &mut Builder) {
        T::store_all(self, b);
    }
}

impl<T: Stored> Stored for Vec<T> {
    fn store(&self, b: &mut Builder) {
        T::store_all(self, b);
    }
}

impl<T: Stored, const N: usize> Stored for [T; N] {
    fn store(&self, b: &mut Builder) {
        T::store_all(self, b);
    }
}

impl<T: Stored + ?Sized> Stored for &T {
    fn store(&self, b: &mut Builder) {
        (*self).store(b);
    }
}

impl<T: Stored> Stored for Option<T> {
    fn store(&self, b: &mut Builder) {
        self.iter().for_each(|value| value.store(b));
    }
}
