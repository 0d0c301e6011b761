//! The protocol by which a file describes what it contains.
//!
//! Each format writes down once what there is in a file: fields, arrays, lists of parts, references. Everything that
//! treats all of it alike (dumps, JSON, searches, comparisons) is a [visitor](Visit) of that description and knows no format.
//!
//! A part implements [`Describe`] and hands its fields to a visitor, in file order. What lies within it comes as
//! [`Parts`]: the visitor decides whether to go through them, and describes an element by calling its
//! [`body`](Part::body). So descriptions nest without a stack of their own, and what nobody asks for is never computed.
//! There is one dynamic call for each field and array, never for each tile or pixel.

use core::fmt;
use core::hash::Hasher;
use core::ops::ControlFlow;

use zerocopy::little_endian::{F32, I32, U32};

use crate::{Error, Space};

/// Whether a walk goes on.
pub type Flow = ControlFlow<()>;

/// Goes on.
pub const GO: Flow = ControlFlow::Continue(());

/// Ends the walk.
pub const STOP: Flow = ControlFlow::Break(());

/// A part of a file that describes what it contains.
pub trait Describe {
    /// Hands each field, array and list of parts to `visitor`, in file order, until it asks to stop.
    fn describe(&self, visitor: &mut dyn Visit) -> Flow;

    /// Whether the part has, or can have, a [`main`](List::main) list: its own fields and single parts then have an `@` in
    /// paths, since the elements of that list go by their bare names. A single part with a main list has no segment of its own.
    fn has_main_list(&self) -> bool {
        false
    }
}

/// What is done with a description.
pub trait Visit {
    /// Visits a field.
    fn field(&mut self, field: &Field<'_>) -> Flow;

    /// Visits many values of one type.
    fn array(&mut self, array: &Array<'_>) -> Flow;

    /// Visits a list of parts, or a single part.
    fn parts(&mut self, parts: &dyn Parts) -> Flow;

    /// Visits a reference to an element of a list.
    fn link(&mut self, link: &Link<'_>) -> Flow;

    /// Visits what could not be read.
    fn broken(&mut self, error: &Error) -> Flow;

    /// Whether arrays and lists that are [`bulk`](List::bulk) are wanted: where they are not, describing does not compute any.
    fn wants_bulk(&self) -> bool {
        true
    }
}

/// Where the bytes of a part or field lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Offset of the first byte, counted in [`space`](Self::space).
    pub at: u64,
    /// Number of bytes.
    pub len: u64,
    /// What the offset counts in.
    pub space: Space,
}

impl Span {
    /// Returns the span of `len` bytes at offset `at` of `space`.
    pub const fn new(at: u64, len: u64, space: Space) -> Self {
        Self { at, len, space }
    }

    /// Returns the span of `bytes`, which must have been taken from the window `source`.
    pub fn of(bytes: &[u8], source: crate::Source<'_>) -> Self {
        let from_start = bytes.as_ptr().addr().wrapping_sub(source.bytes().as_ptr().addr());
        Self::new(source.base().saturating_add(from_start as u64), bytes.len() as u64, source.space())
    }
}

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
pub enum Name<'d> {
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
pub enum Value<'d> {
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
pub struct Field<'d> {
    /// Its name, unique within the part.
    pub name: Name<'d>,
    /// Its value.
    pub value: Value<'d>,
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

impl<'d> Field<'d> {
    /// A field of the content, without a place.
    pub const fn new(name: &'static str, value: Value<'d>) -> Self {
        Self {
            name: Name::Static(name),
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

/// The elements of an [`Array`], in place where that is possible.
#[non_exhaustive]
#[derive(Clone, Copy, Debug)]
pub enum Elements<'d> {
    /// Bytes.
    Bytes(&'d [u8]),
    /// Little-endian words.
    Words(&'d [U32]),
    /// Little-endian signed words.
    Ints(&'d [I32]),
    /// Words.
    Indices(&'d [u32]),
    /// Little-endian floats.
    StoredFloats(&'d [F32]),
    /// Floats.
    Floats(&'d [f32]),
    /// Red, green and blue of each color.
    Colors(&'d [[u8; 3]]),
}

impl Elements<'_> {
    /// Returns the number of elements.
    pub const fn len(&self) -> usize {
        match self {
            Self::Bytes(all) => all.len(),
            Self::Words(all) => all.len(),
            Self::Ints(all) => all.len(),
            Self::Indices(all) => all.len(),
            Self::StoredFloats(all) => all.len(),
            Self::Floats(all) => all.len(),
            Self::Colors(all) => all.len(),
        }
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the element number `index`; a float as its bits, a color as `0xRRGGBB`.
    pub fn bits(&self, index: usize) -> Option<u32> {
        Some(match self {
            Self::Bytes(all) => (*all.get(index)?).into(),
            Self::Words(all) => all.get(index)?.get(),
            Self::Ints(all) => all.get(index)?.get().cast_unsigned(),
            Self::Indices(all) => *all.get(index)?,
            Self::StoredFloats(all) => all.get(index)?.get().to_bits(),
            Self::Floats(all) => all.get(index)?.to_bits(),
            Self::Colors(all) => {
                let [red, green, blue] = *all.get(index)?;
                u32::from_be_bytes([0, red, green, blue])
            }
        })
    }
}

/// Many values of one type: tiles, pixels, coordinates.
#[derive(Clone, Copy)]
pub struct Array<'d> {
    /// The name, unique within the part.
    pub name: &'static str,
    /// What one element, or one row, is called in a path: `tile`, `position`.
    pub item: &'static str,
    /// The elements.
    pub elements: Elements<'d>,
    /// Elements in a row: the columns of a grid, the coordinates of a point; 0 for a plain list.
    pub columns: usize,
    /// Whether a row is one thing, such as a point; in a grid each element is.
    pub rows_are_items: bool,
    /// Whether only a full dump shows it.
    pub bulk: bool,
    /// What it is for.
    pub role: Role,
    /// Where it lies, if it lies in the file as it is.
    pub at: Option<Span>,
    /// How people read an element that is an integer.
    pub notation: Notation,
}

/// How the elements of two lists of one kind are matched when files are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pairing {
    /// By their numbers, which other parts refer to.
    Index,
    /// By what they have in common: their keys, or what [`Parts::likeness`] says. The order is compared, too.
    Likeness,
}

/// What a list of parts is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct List {
    /// What the list is called: `planes`; of a single part the same as `kind`.
    pub name: &'static str,
    /// What an element is called: `plane`.
    pub kind: &'static str,
    /// Whether there can be only one.
    pub single: bool,
    /// Whether the elements' keys are their names in paths, without the kind: members and records.
    pub main: bool,
    /// Whether no two elements have the same key.
    pub unique: bool,
    /// Whether there are so many small elements that only a full dump shows them.
    pub bulk: bool,
    /// Whether an element has a single field, and is shown as its value.
    pub scalar: bool,
    /// Whether elements have many short fields, which share lines in a text dump.
    pub compact: bool,
    /// Whether the elements lie in the part that has the list, and do not overlap: a walk that was charged for that part is
    /// not charged for them.
    pub inside: bool,
    /// Whether [links](Visit::link) lead to the elements: they are compared where the links are.
    pub linked: bool,
    /// Whether another list of the same part describes the fields of the elements, as `fields` does for the records of a
    /// table: a [`Role::Data`] field that only one of two files has, or that has another type there, is reported in that
    /// list and not for each element.
    pub columns: bool,
    /// What the elements are for. Comparisons skip a list that follows from how the content is stored.
    pub role: Role,
    /// How elements are matched.
    pub pairing: Pairing,
}

impl List {
    /// A list whose elements are matched by their keys.
    pub const fn new(name: &'static str, kind: &'static str) -> Self {
        Self {
            name,
            kind,
            single: false,
            main: false,
            unique: false,
            bulk: false,
            scalar: false,
            compact: false,
            inside: false,
            linked: false,
            columns: false,
            role: Role::Data,
            pairing: Pairing::Likeness,
        }
    }

    /// A list whose elements are matched by their numbers.
    pub const fn indexed(name: &'static str, kind: &'static str) -> Self {
        Self { pairing: Pairing::Index, ..Self::new(name, kind) }
    }

    /// A part of which there is only one.
    pub const fn single(name: &'static str) -> Self {
        Self { single: true, ..Self::indexed(name, name) }
    }
}

/// The key of an element: what tells it from the others of its list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Key<'d> {
    /// It has none but its number.
    Index,
    /// A name.
    Name(&'d [u8]),
    /// A number of its own.
    Number(i64),
}

/// An element of a list.
#[derive(Clone, Copy)]
pub struct Part<'d> {
    /// Its number in the list, counted from 0.
    pub index: u32,
    /// What it is called.
    pub key: Key<'d>,
    /// Where it lies. A walk over it is charged for these bytes, unless the list is [`inside`](List::inside) another part.
    pub at: Option<Span>,
    /// What it contains.
    pub body: &'d dyn Describe,
    /// A few words about it, for lists of what was added or removed.
    pub summary: Option<&'d dyn fmt::Display>,
}

/// A field that refers to an element of a list.
#[derive(Clone, Copy, Debug)]
pub struct Link<'d> {
    /// The name of the field.
    pub name: &'static str,
    /// What the element is called: `blob`.
    pub kind: &'static str,
    /// The element, `None` if the reference leads nowhere.
    pub target: Option<&'d Part<'d>>,
    /// Whether the element is shared content, and compared where references lead to it; else the reference itself is compared.
    pub content: bool,
}

impl<'d> Part<'d> {
    /// The element number `index` of its list.
    pub const fn new(index: u32, key: Key<'d>, body: &'d dyn Describe) -> Self {
        Self { index, key, at: None, body, summary: None }
    }

    /// The same element, which lies there.
    #[must_use]
    pub const fn at(mut self, at: Span) -> Self {
        self.at = Some(at);
        self
    }

    /// The same element, in a few words.
    #[must_use]
    pub const fn summary(mut self, summary: &'d dyn fmt::Display) -> Self {
        self.summary = Some(summary);
        self
    }

    /// Returns the offset to reach the element again with, by [`Parts::get`].
    pub fn offset(&self) -> u64 {
        self.at.map_or(0, |at| at.at)
    }
}

/// A single part as a list of one.
pub struct Single<'d> {
    /// What it is called.
    pub name: &'static str,
    /// The part; `None` if there is none.
    pub body: Option<&'d dyn Describe>,
    /// Where it lies.
    pub at: Option<Span>,
}

impl Single<'_> {
    fn part(&self) -> Option<Part<'_>> {
        Some(Part { at: self.at, ..Part::new(0, Key::Index, self.body?) })
    }
}

impl Parts for Single<'_> {
    fn list(&self) -> List {
        List::single(self.name)
    }

    fn each(&self, visit: Each<'_>) -> Flow {
        self.part().map_or(GO, |part| visit(Ok(&part)))
    }

    fn get(&self, index: u32, _: u64, visit: &mut dyn FnMut(&Part<'_>)) {
        if let Some(part) = self.part().filter(|_| index == 0) {
            visit(&part);
        }
    }
}

impl fmt::Debug for Single<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Single").field("name", &self.name).field("is_there", &self.body.is_some()).finish()
    }
}

/// A part that could not be read.
impl Describe for Error {
    fn describe(&self, visitor: &mut dyn Visit) -> Flow {
        visitor.broken(self)
    }
}

/// What is done with an element of a list: with the element, or with why the list ends before it.
pub type Each<'e> = &'e mut dyn FnMut(Result<&Part<'_>, &Error>) -> Flow;

/// Whether an element can be matched with those that are like it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Likeness {
    /// Not in this round.
    None,
    /// With those that gave the hasher the same; several of them in their order.
    Any,
    /// With one that gave the hasher the same, if each list has only one such element that is not matched yet.
    Once,
}

/// A list of parts, or a single part.
pub trait Parts {
    /// Returns what the list is.
    fn list(&self) -> List;

    /// Hands over all elements in file order; an error is the last.
    fn each(&self, visit: Each<'_>) -> Flow;

    /// Hands over the element number `index`, which lies at offset `at` if it has a place; nothing if there is none.
    ///
    /// Lists that are not indexed use the offset, so that reaching an element does not take walking to it.
    fn get(&self, index: u32, at: u64, visit: &mut dyn FnMut(&Part<'_>));

    /// Feeds to `hasher` what an element has in common with the element of another file that it is matched with.
    ///
    /// Elements are matched in rounds, the first round being 0, until a round gives [`Likeness::None`] for all of them.
    /// By default there is one round, by key.
    fn likeness(&self, part: &Part<'_>, round: u32, hasher: &mut dyn Hasher) -> Likeness {
        if round > 0 {
            return Likeness::None;
        }
        match part.key {
            Key::Index => return Likeness::None,
            Key::Name(name) => hasher.write(name),
            Key::Number(number) => hasher.write_i64(number),
        }
        Likeness::Any
    }
}

/// Visits the fields of a fixed-layout structure at `at`, as [`record!`](crate::record) lists them.
///
/// `with` says for each what it is for, how people read it, and whether it is visited at all.
pub fn visit_record<'v>(
    fields: impl Iterator<Item = (&'static str, crate::Value<'v>)>,
    at: u64,
    space: Space,
    visitor: &mut dyn Visit,
    with: impl Fn(&'static str) -> Option<(Role, Notation)>,
) -> Flow {
    let mut at = at;
    for (name, value) in fields {
        let (value, len) = match value {
            crate::Value::Int(int) => (Value::Int(int.into()), 4),
            crate::Value::Uint(word) => (Value::Uint(word.into()), 4),
            crate::Value::Ints(ints) => (Value::Ints(ints), size_of_val(ints) as u64),
            crate::Value::Text(bytes) => (Value::Text(TextValue::fixed(bytes)), bytes.len() as u64),
        };
        if let Some((role, notation)) = with(name) {
            let shown = match value {
                Value::Text(text) => text.text.len() as u64,
                _ => len,
            };
            visitor.field(&Field::new(name, value).role(role).notation(notation).at(Span::new(at, shown, space)))?;
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

impl fmt::Debug for Field<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, value, role, at, .. } = self;
        f.debug_struct("Field")
            .field("name", name)
            .field("value", value)
            .field("role", role)
            .field("at", at)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Array<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, elements, columns, role, at, .. } = self;
        f.debug_struct("Array")
            .field("name", name)
            .field("len", &elements.len())
            .field("columns", columns)
            .field("role", role)
            .field("at", at)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Part<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { index, key, at, .. } = self;
        f.debug_struct("Part").field("index", index).field("key", key).field("at", at).finish_non_exhaustive()
    }
}
