use alloc::vec::Vec;
use core::fmt;
use core::hash::Hasher;
use core::ops::Range;

use super::{Describe, Flow, Int, Role, Span};
use crate::Error;

/// A number that determines the shape of a new element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ShapeNumber<'n> {
    /// The value of a field.
    Field(&'n str),
    /// The number of elements of a list or array, or of bytes in a text.
    Len(&'n str),
}

/// How the elements of two lists of one kind are matched when files are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pairing {
    /// By index, which other parts refer to.
    Index,
    /// By key, or by what [`PartList::match_rule`] returns. The order is compared, too.
    Likeness,
}

/// Whether the elements of a list are in the order of their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sorting {
    /// They are in an order of their own.
    None,
    /// They are sorted, but need not be.
    Usual,
    /// They are sorted, and others find them by that.
    Always,
}

/// The properties of a list of parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct List {
    /// The name of the list, such as `planes`. For a single part it equals `kind`.
    pub name: &'static str,
    /// The name of an element, such as `plane`.
    pub kind: &'static str,
    /// Whether there can be only one element.
    pub single: bool,
    /// Whether paths name the elements by their keys alone, without the kind, as for members and records.
    pub main: bool,
    /// Whether no two elements have the same key.
    pub unique: bool,
    /// Whether names that differ in the case of ASCII letters are one name for those who look for an element.
    pub ignores_case: bool,
    /// Whether the list has so many small elements that only a full dump includes them.
    pub bulk: bool,
    /// Whether each element has a single field, and is shown as that field's value.
    pub scalar: bool,
    /// Whether elements have many short fields, which share lines in a text dump.
    pub compact: bool,
    /// Whether the elements lie inside the part that has the list, and do not overlap. A walk that was charged for that
    /// part is not charged for them again.
    pub inside: bool,
    /// Whether everything an element contains lies in the element's own bytes, so that a search for an offset can skip
    /// the other elements.
    pub enclosed: bool,
    /// Whether [links](super::Visit::link) lead to the elements, which are then compared through the links.
    pub linked: bool,
    /// Whether another list of the same part describes the fields of the elements, as `fields` does for the records of
    /// a table. A [`Role::Data`] field that only one of two files has, or whose type differs, is then reported once in
    /// that list instead of for each element.
    pub columns: bool,
    /// Whether all elements have the same numbers and the same fields with names of the file, so that a search for names needs only
    /// the first, and their texts are in the source as they are shown: in the bytes of the element that they belong to, or apart from
    /// those of all elements. A search skips elements whose bytes cannot match. Other fields may be absent in some.
    pub same_fields: bool,
    /// The purpose of the elements. Comparisons skip a list with [`Role::Storage`].
    pub role: Role,
    /// How elements are matched.
    pub pairing: Pairing,
    /// Whether names decide where elements are.
    pub sorting: Sorting,
}

impl List {
    /// Creates a list whose elements are matched by key.
    pub const fn new(name: &'static str, kind: &'static str) -> Self {
        Self {
            name,
            kind,
            single: false,
            main: false,
            unique: false,
            ignores_case: false,
            bulk: false,
            scalar: false,
            compact: false,
            inside: false,
            enclosed: false,
            linked: false,
            columns: false,
            same_fields: false,
            role: Role::Data,
            pairing: Pairing::Likeness,
            sorting: Sorting::None,
        }
    }

    /// Creates a list whose elements are matched by index.
    pub const fn indexed(name: &'static str, kind: &'static str) -> Self {
        Self { pairing: Pairing::Index, ..Self::new(name, kind) }
    }

    /// Creates a list for a part that occurs only once.
    pub const fn single(name: &'static str) -> Self {
        Self { single: true, ..Self::indexed(name, name) }
    }
}

/// Where a list is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slots {
    /// Where the first element is, or would be.
    pub start: u64,
    /// Where the number of elements is stored, and how.
    pub count: Option<(Span, Int)>,
    /// The field that is the key of an element, or that gives it its number.
    pub key: Option<&'static str>,
    /// Fields of an element that decide which fields it has, or how many bytes.
    pub shape: &'static [&'static str],
}

/// The key of an element, which distinguishes it from the other elements of its list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PartKey<'d> {
    /// Only the index.
    Index,
    /// A name.
    Name(&'d [u8]),
    /// A number that the element stores.
    Number(i64),
}

/// An element of a list.
#[derive(Clone, Copy)]
pub struct Part<'d> {
    /// The index in the list, counted from 0.
    pub index: u32,
    /// The key of the element.
    pub key: PartKey<'d>,
    /// The bytes of the element. A walk over it is charged for them, unless the list is [`inside`](List::inside)
    /// another part.
    pub at: Option<Span>,
    /// Bytes of the element that are stored elsewhere, as those of a member are apart from its entry.
    pub beside: Option<Span>,
    /// The contents of the element.
    pub body: &'d dyn Describe,
    /// A few words about the element, for lists of what was added or removed.
    pub summary: Option<&'d dyn fmt::Display>,
}

/// A field that refers to an element of a list.
#[derive(Clone, Copy, Debug)]
pub struct Link<'d> {
    /// The name of the field.
    pub name: &'static str,
    /// The name of an element, such as `blob`.
    pub kind: &'static str,
    /// The element, or `None` if the reference leads nowhere.
    pub target: Option<&'d Part<'d>>,
    /// Whether the element is shared content that is compared wherever a reference leads to it. Otherwise the reference
    /// itself is compared.
    pub content: bool,
}

impl<'d> Part<'d> {
    /// Creates the element at `index` of its list.
    pub const fn new(index: u32, key: PartKey<'d>, body: &'d dyn Describe) -> Self {
        Self { index, key, at: None, beside: None, body, summary: None }
    }

    /// Sets the span of the element.
    #[must_use]
    pub const fn at(mut self, at: Span) -> Self {
        self.at = Some(at);
        self
    }

    /// Sets the span of the bytes that are stored elsewhere.
    #[must_use]
    pub const fn beside(mut self, beside: Span) -> Self {
        self.beside = Some(beside);
        self
    }

    /// Sets a short summary of the element.
    #[must_use]
    pub const fn summary(mut self, summary: &'d dyn fmt::Display) -> Self {
        self.summary = Some(summary);
        self
    }

    /// Returns the offset to pass to [`PartList::get`] to reach the element again.
    pub fn offset(&self) -> u64 {
        self.at.map_or(0, |at| at.at)
    }
}

/// A single part as a list of one.
pub struct OnePart<'d> {
    /// The name of the part.
    pub name: &'static str,
    /// The part, or `None` if it is absent.
    pub body: Option<&'d dyn Describe>,
    /// The bytes of the part.
    pub at: Option<Span>,
}

impl OnePart<'_> {
    fn part(&self) -> Option<Part<'_>> {
        Some(Part { at: self.at, ..Part::new(0, PartKey::Index, self.body?) })
    }
}

impl PartList for OnePart<'_> {
    fn list(&self) -> List {
        List::single(self.name)
    }

    fn each(&self, visit: Each<'_>) -> Flow {
        self.part().map_or(Flow::Continue(()), |part| visit(Ok(&part)))
    }

    fn get(&self, index: u32, _: u64, visit: &mut dyn FnMut(&Part<'_>)) {
        if let Some(part) = self.part().filter(|_| index == 0) {
            visit(&part);
        }
    }
}

impl fmt::Debug for OnePart<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OnePart").field("name", &self.name).field("is_there", &self.body.is_some()).finish()
    }
}

/// A callback for the elements of a list. It receives each element, or the error that ends the list early.
pub type Each<'e> = &'e mut dyn FnMut(Result<&Part<'_>, &Error>) -> Flow;

/// Whether an element can be matched with similar ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MatchRule {
    /// It is not matched in this round.
    None,
    /// It is matched with an element that fed the hasher the same data. Several such elements are matched in order.
    Any,
    /// It is matched with an element that fed the hasher the same data, if it is the only such unmatched element in
    /// each list.
    Once,
    /// It is matched in order with what is unmatched between the same matched neighbors, whatever the hasher was fed.
    Between,
}

/// A list of parts, or a single part.
pub trait PartList {
    /// Returns the properties of the list.
    fn list(&self) -> List;

    /// Calls `visit` for each element in file order. An error comes last.
    fn each(&self, visit: Each<'_>) -> Flow;

    /// Calls `visit` with the element at `index`, if it exists. `at` is its offset, if it has one.
    ///
    /// Lists without an index use the offset to reach an element without walking the list.
    fn get(&self, index: u32, at: u64, visit: &mut dyn FnMut(&Part<'_>));

    /// Returns where the list is stored, if elements can be added and removed.
    fn slots(&self) -> Option<Slots> {
        None
    }

    /// Calls `make` with the bytes of an empty element whose shape is given by the numbers that `wanted` returns.
    fn blank(&self, wanted: &dyn Fn(ShapeNumber<'_>) -> Option<i64>, make: &mut dyn FnMut(&[u8])) {
        let _ = (wanted, make);
    }

    /// Calls `visit` with the element that `bytes` are, which need not be in a file: those [at](Part::at) the offset 0, followed by
    /// those [beside](Part::beside) it.
    fn alone(&self, bytes: &[u8], visit: &mut dyn FnMut(&Part<'_>)) {
        let _ = (bytes, visit);
    }

    /// Returns whether an element refers to a text outside of its bytes that begins at an offset in one of the ranges, which are in
    /// order. Searches ask elements with [the same fields](List::same_fields).
    fn refers_to(&self, index: u32, texts: &[Range<u64>]) -> bool {
        let _ = (index, texts);
        true
    }

    /// Gives a name to the element that `bytes` are, as for [`alone`](Self::alone), if its name is no field that can be set. `given`
    /// returns the bytes of fields that say how a name is stored.
    ///
    /// # Errors
    ///
    /// Returns in words which names elements can have.
    fn set_name(
        &self,
        bytes: &mut Vec<u8>,
        name: &[u8],
        given: &dyn Fn(&str) -> Option<Vec<u8>>,
    ) -> Result<(), &'static str> {
        let _ = (bytes, name, given);
        Err("elements of this list have no names")
    }

    /// Passes on all bytes but their [own](Self::own) on which the descriptions of elements depend, and returns whether that is known.
    ///
    /// If two lists have the same, two elements with equal keys and own bytes are equal, and need not be compared.
    fn context(&self, visit: &mut dyn FnMut(&[u8])) -> bool {
        let _ = visit;
        false
    }

    /// Returns the bytes of an element on which its description depends, other than by where they are.
    fn own<'s>(&'s self, part: &Part<'_>) -> [&'s [u8]; 3] {
        let _ = part;
        [&[]; 3]
    }

    /// Feeds `hasher` what an element has in common with its match in another file.
    ///
    /// Elements are matched in rounds, counted from 0, until a round returns [`MatchRule::None`] for all of them. By
    /// default there is one round, by key.
    fn match_rule(&self, part: &Part<'_>, round: u32, hasher: &mut dyn Hasher) -> MatchRule {
        if round > 0 { MatchRule::None } else { by_key(part, hasher) }
    }

    /// Does the same for changes, whose paths name elements by their keys.
    fn identity(&self, part: &Part<'_>, round: u32, hasher: &mut dyn Hasher) -> MatchRule {
        if round > 0 { MatchRule::None } else { by_key(part, hasher) }
    }
}

/// Feeds `hasher` the key of an element.
fn by_key(part: &Part<'_>, hasher: &mut dyn Hasher) -> MatchRule {
    match part.key {
        PartKey::Index => return MatchRule::None,
        PartKey::Name(name) => hasher.write(name),
        PartKey::Number(number) => hasher.write_i64(number),
    }
    MatchRule::Any
}

impl fmt::Debug for Part<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { index, key, at, .. } = self;
        f.debug_struct("Part").field("index", index).field("key", key).field("at", at).finish_non_exhaustive()
    }
}
