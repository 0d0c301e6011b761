//! Values of the left part, kept until the right one is visited, because descriptions only lend them.
//!
//! Bytes that are stored verbatim in a file are kept as their position there.

use std::ops::Range;

use worldview_core::OffsetBase;
use worldview_core::describe::{
    Array, Charset, Counted, Elements, Field, FieldName, FieldValue, Int, Notation, Role, Span, Stored as Form,
    TextValue,
};
use worldview_core::zerocopy::little_endian::{F32, I32, U32};
use worldview_core::zerocopy::{FromBytes as _, IntoBytes as _};

/// The bytes of both files, and a stack for bytes that neither file contains verbatim.
#[derive(Debug)]
pub(super) struct Bytes<'r> {
    left: &'r [u8],
    right: &'r [u8],
    stack: Vec<u8>,
}

/// The location of kept bytes. There may be millions of these, so the type is small.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stored {
    /// The start offset, shifted left by two; the lowest two bits say which of the three byte sequences it refers to.
    place: u64,
    len: usize,
}

const LEFT: u64 = 0;
const RIGHT: u64 = 1;
const STACK: u64 = 2;

impl Stored {
    const fn new(start: usize, len: usize, place: u64) -> Self {
        Self { place: ((start as u64) << 2) | place, len }
    }
}

impl<'r> Bytes<'r> {
    pub(super) const fn new(left: &'r [u8], right: &'r [u8]) -> Self {
        Self { left, right, stack: Vec::new() }
    }

    pub(super) fn keep(&mut self, bytes: &[u8]) -> Stored {
        for (file, place) in [(self.left, LEFT), (self.right, RIGHT)] {
            let start = bytes.as_ptr().addr().wrapping_sub(file.as_ptr().addr());
            if !bytes.is_empty() && file.get(start..).is_some_and(|rest| bytes.len() <= rest.len()) {
                return Stored::new(start, bytes.len(), place);
            }
        }
        let start = self.stack.len();
        self.stack.extend_from_slice(bytes);
        Stored::new(start, bytes.len(), STACK)
    }

    pub(super) fn get(&self, stored: Stored) -> &[u8] {
        let all = match stored.place & 3 {
            LEFT => self.left,
            RIGHT => self.right,
            _ => &self.stack,
        };
        // The offset came from a valid `usize` index.
        let start = usize::try_from(stored.place >> 2).unwrap_or(usize::MAX);
        &all[start..start + stored.len]
    }
}

/// Instead of the size of a field: marks a text that can be set together with the bytes after it, since all of them are counted.
const WHOLE: u16 = u16::MAX - 1;
const WHOLE_WITH_NUL: u16 = u16::MAX - 2;

/// Such a text somewhere.
static COUNTED: Counted = counted(false);
static COUNTED_WITH_NUL: Counted = counted(true);

const fn counted(nul: bool) -> Counted {
    let at = Span::new(0, 0, OffsetBase::File);
    let int = Int::word(4, false);
    Counted { count: at, int, now: 0, most: u32::MAX, to_nul: true, with_nul: None, whole: Some(at), nul }
}

/// A kept field.
#[derive(Clone, Copy, Debug)]
pub(super) struct KeptField {
    name: KeptName,
    value: KeptValue,
    /// An index into the list of notations, after the two common ones.
    notation: u32,
    /// The size of a text field; 0 for values that are not stored, and one of the highest numbers for those that are stored in
    /// another way.
    room: u16,
    pub(super) role: Role,
    pub(super) matched: bool,
}

#[derive(Clone, Copy, Debug)]
enum KeptName {
    Static(&'static str),
    Bytes(Stored),
    Bits(u32, u8, u8),
}

#[derive(Clone, Copy, Debug)]
enum KeptValue {
    Absent,
    Int(i64),
    Uint(u64),
    Float(f32),
    Dangling(u32),
    Bool(bool),
    Color([u8; 3]),
    Ints(Stored),
    Floats(Stored),
    /// The stored bytes, which start with the text, and whether that is their usual form.
    Text(Stored, u32, Charset, bool),
    /// The text, followed by stored bytes that do not start with it.
    OddText(Stored, u32, Charset, bool),
    Word(Stored),
    Bytes(Stored),
}

impl KeptField {
    fn new(field: &Field<'_>, notation: u32, bytes: &mut Bytes<'_>) -> Self {
        let name = match field.name {
            FieldName::Static(name) => KeptName::Static(name),
            FieldName::Bits { word, low, high } => KeptName::Bits(word, low, high),
            FieldName::Bytes(name) => KeptName::Bytes(bytes.keep(name)),
        };
        let value = match field.value {
            FieldValue::Int(int) => KeptValue::Int(int),
            FieldValue::Uint(uint) => KeptValue::Uint(uint),
            FieldValue::Float(float) => KeptValue::Float(float),
            FieldValue::Dangling(at) => KeptValue::Dangling(at),
            FieldValue::Bool(bool) => KeptValue::Bool(bool),
            FieldValue::Color(color) => KeptValue::Color(color),
            FieldValue::Ints(ints) => KeptValue::Ints(bytes.keep(ints.as_bytes())),
            FieldValue::Floats(floats) => KeptValue::Floats(bytes.keep(floats.as_bytes())),
            FieldValue::Word(word) => KeptValue::Word(bytes.keep(word.as_bytes())),
            FieldValue::Words(words) => KeptValue::Word(bytes.keep(words.join(" ").as_bytes())),
            FieldValue::Bytes(all) => KeptValue::Bytes(bytes.keep(all)),
            FieldValue::Text(text) => {
                // No format has text of 4 GiB.
                let len = u32::try_from(text.text.len()).unwrap_or(u32::MAX);
                if text.stored.starts_with(text.text) {
                    KeptValue::Text(bytes.keep(text.stored), len, text.charset, text.usual)
                } else {
                    KeptValue::OddText(bytes.keep(&[text.text, text.stored].concat()), len, text.charset, text.usual)
                }
            }
            _ => KeptValue::Absent,
        };
        let room = match field.stored {
            Form::Nowhere => 0,
            Form::Text(room) => room,
            Form::Counted(Counted { whole: Some(_), nul, .. }) => {
                if *nul {
                    WHOLE_WITH_NUL
                } else {
                    WHOLE
                }
            }
            _ => u16::MAX,
        };
        Self { name, value, notation, room, role: field.role, matched: false }
    }

    pub(super) fn name<'b>(&self, bytes: &'b Bytes<'_>) -> FieldName<'b> {
        match self.name {
            KeptName::Static(name) => FieldName::Static(name),
            KeptName::Bits(word, low, high) => FieldName::Bits { word, low, high },
            KeptName::Bytes(stored) => FieldName::Bytes(bytes.get(stored)),
        }
    }

    /// Calls `then` with the original field.
    pub(super) fn with<T>(&self, kept: &Kept<'_>, then: impl FnOnce(&Field<'_>) -> T) -> T {
        let bytes = &kept.bytes;
        let floats: Vec<f32>;
        let (value, all);
        value = match self.value {
            KeptValue::Absent => FieldValue::Absent,
            KeptValue::Int(int) => FieldValue::Int(int),
            KeptValue::Uint(uint) => FieldValue::Uint(uint),
            KeptValue::Float(float) => FieldValue::Float(float),
            KeptValue::Dangling(at) => FieldValue::Dangling(at),
            KeptValue::Bool(bool) => FieldValue::Bool(bool),
            KeptValue::Color(color) => FieldValue::Color(color),
            KeptValue::Ints(stored) => FieldValue::Ints(<[I32]>::ref_from_bytes(bytes.get(stored)).unwrap_or(&[])),
            KeptValue::Floats(stored) => {
                let words = bytes.get(stored).as_chunks::<4>().0;
                floats = words.iter().copied().map(f32::from_ne_bytes).collect();
                FieldValue::Floats(&floats)
            }
            KeptValue::Word(stored) => {
                all = String::from_utf8_lossy(bytes.get(stored));
                FieldValue::Word(&all)
            }
            KeptValue::Bytes(stored) => FieldValue::Bytes(bytes.get(stored)),
            KeptValue::Text(stored, len, charset, usual) => {
                let stored = bytes.get(stored);
                FieldValue::Text(TextValue { text: &stored[..len as usize], stored, usual, charset })
            }
            KeptValue::OddText(both, len, charset, usual) => {
                let (text, stored) = bytes.get(both).split_at(len as usize);
                FieldValue::Text(TextValue { text, stored, usual, charset })
            }
        };
        let notation = match self.notation {
            0 => Notation::Decimal,
            1 => Notation::Hex,
            other => kept.notations.get(other as usize - 2).copied().unwrap_or(Notation::Decimal),
        };
        let name = self.name(bytes);
        let stored = match self.room {
            0 => Form::Nowhere,
            u16::MAX => Form::Terminated(u32::MAX),
            WHOLE => Form::Counted(&COUNTED),
            WHOLE_WITH_NUL => Form::Counted(&COUNTED_WITH_NUL),
            room => Form::Text(room),
        };
        then(&Field { name, role: self.role, notation, stored, ..Field::new("", value) })
    }
}

/// A kept array.
#[derive(Clone, Copy, Debug)]
pub(super) struct KeptArray {
    pub(super) name: &'static str,
    item: &'static str,
    stored: Stored,
    kind: Kind,
    columns: usize,
    rows_are_items: bool,
    bulk: bool,
    pub(super) role: Role,
    notation: Notation,
    blank: u32,
    pub(super) matched: bool,
}

/// The type of elements; types with the same representation on disk are not distinguished.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Bytes,
    Words,
    Ints,
    Floats,
    Colors,
}

impl KeptArray {
    fn new(array: &Array<'_>, bytes: &mut Bytes<'_>) -> Self {
        let kind = match array.elements {
            Elements::Words(_) | Elements::Indices(_) => Kind::Words,
            Elements::Ints(_) => Kind::Ints,
            Elements::Floats(_) | Elements::StoredFloats(_) => Kind::Floats,
            Elements::Colors(_) => Kind::Colors,
            _ => Kind::Bytes,
        };
        let stored = bytes.keep(&little_endian(&array.elements, 0..array.elements.len()));
        let Array { name, item, columns, rows_are_items, bulk, role, notation, blank, .. } = *array;
        Self { name, item, stored, kind, columns, rows_are_items, bulk, role, notation, blank, matched: false }
    }

    /// Returns the original array.
    pub(super) fn get<'b>(&self, bytes: &'b Bytes<'_>) -> Array<'b> {
        let all = bytes.get(self.stored);
        let elements = match self.kind {
            Kind::Bytes => Elements::Bytes(all),
            Kind::Words => Elements::Words(<[U32]>::ref_from_bytes(all).unwrap_or(&[])),
            Kind::Ints => Elements::Ints(<[I32]>::ref_from_bytes(all).unwrap_or(&[])),
            Kind::Floats => Elements::StoredFloats(<[F32]>::ref_from_bytes(all).unwrap_or(&[])),
            Kind::Colors => Elements::Colors(<[[u8; 3]]>::ref_from_bytes(all).unwrap_or(&[])),
        };
        let Self { name, item, columns, rows_are_items, bulk, role, notation, blank, .. } = *self;
        Array { name, item, elements, columns, rows_are_items, bulk, role, at: None, notation, blank, count: None }
    }
}

/// Returns elements in the byte order of files.
pub(super) fn little_endian<'e>(elements: &Elements<'e>, range: Range<usize>) -> std::borrow::Cow<'e, [u8]> {
    match *elements {
        Elements::Bytes(all) => all[range].into(),
        Elements::Words(all) => all[range].as_bytes().into(),
        Elements::Ints(all) => all[range].as_bytes().into(),
        Elements::StoredFloats(all) => all[range].as_bytes().into(),
        Elements::Colors(all) => all[range].as_bytes().into(),
        Elements::Indices(all) if cfg!(target_endian = "little") => all[range].as_bytes().into(),
        Elements::Floats(all) if cfg!(target_endian = "little") => all[range].as_bytes().into(),
        Elements::Indices(all) => all[range].iter().flat_map(|index| index.to_le_bytes()).collect(),
        Elements::Floats(all) => all[range].iter().flat_map(|float| float.to_le_bytes()).collect(),
        _ => (&[][..]).into(),
    }
}

/// The fields and arrays of one side.
#[derive(Debug, Default)]
pub(super) struct Members {
    pub(super) fields: Vec<KeptField>,
    pub(super) arrays: Vec<KeptArray>,
}

/// The number of members of each kind.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counts {
    pub(super) fields: usize,
    pub(super) arrays: usize,
}

impl Members {
    const fn counts(&self) -> Counts {
        Counts { fields: self.fields.len(), arrays: self.arrays.len() }
    }

    fn truncate(&mut self, counts: Counts) {
        self.fields.truncate(counts.fields);
        self.arrays.truncate(counts.arrays);
    }
}

/// The lengths of the stacks at a point of the walk.
#[derive(Clone, Copy, Debug)]
pub(super) struct Marks {
    pub(super) left: Counts,
    pub(super) right: Counts,
    notations: usize,
    bytes: usize,
}

/// Stacks of what is kept of the parts that the walk is currently in.
#[derive(Debug)]
pub(super) struct Kept<'r> {
    pub(super) bytes: Bytes<'r>,
    notations: Vec<Notation>,
    /// The part of the left side visited so far.
    pub(super) left: Members,
    /// The members that only the right side has, as far as known.
    pub(super) right: Members,
}

impl<'r> Kept<'r> {
    pub(super) fn new(left: &'r [u8], right: &'r [u8]) -> Self {
        Self {
            bytes: Bytes::new(left, right),
            notations: Vec::new(),
            left: Members::default(),
            right: Members::default(),
        }
    }

    pub(super) fn field(&mut self, field: &Field<'_>) -> KeptField {
        let notation = match field.notation {
            Notation::Decimal => 0,
            Notation::Hex => 1,
            other => {
                self.notations.push(other);
                u32::try_from(self.notations.len()).map_or(0, |count| count.saturating_add(1))
            }
        };
        KeptField::new(field, notation, &mut self.bytes)
    }

    pub(super) fn array(&mut self, array: &Array<'_>) -> KeptArray {
        KeptArray::new(array, &mut self.bytes)
    }

    pub(super) const fn marks(&self) -> Marks {
        Marks {
            left: self.left.counts(),
            right: self.right.counts(),
            notations: self.notations.len(),
            bytes: self.bytes.stack.len(),
        }
    }

    /// Removes everything that was kept since `marks` were taken.
    pub(super) fn truncate(&mut self, marks: Marks) {
        self.left.truncate(marks.left);
        self.right.truncate(marks.right);
        self.notations.truncate(marks.notations);
        self.bytes.stack.truncate(marks.bytes);
        if marks.bytes == 0 {
            // Release the memory of a single large array, so that it is not held for the rest of the walk.
            self.bytes.stack.shrink_to(1 << 20);
        }
    }
}
