use core::fmt;
use core::hash::Hasher;

use super::{Describe, Flow, GO, Role, Span};
use crate::Error;

/// How the elements of two lists of one kind are matched when files are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pairing {
    /// By their numbers, which other parts refer to.
    Index,
    /// By what they have in common: their keys, or what [`Children::likeness`] says. The order is compared, too.
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
    /// Whether all that an element contains lies in its own bytes: who looks for an offset passes over the others.
    pub enclosed: bool,
    /// Whether [links](super::Visit::link) lead to the elements: they are compared where the links are.
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
            enclosed: false,
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
pub enum ChildKey<'d> {
    /// It has none but its number.
    Index,
    /// A name.
    Name(&'d [u8]),
    /// A number of its own.
    Number(i64),
}

/// An element of a list.
#[derive(Clone, Copy)]
pub struct Child<'d> {
    /// Its number in the list, counted from 0.
    pub index: u32,
    /// What it is called.
    pub key: ChildKey<'d>,
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
    pub target: Option<&'d Child<'d>>,
    /// Whether the element is shared content, and compared where references lead to it; else the reference itself is compared.
    pub content: bool,
}

impl<'d> Child<'d> {
    /// The element number `index` of its list.
    pub const fn new(index: u32, key: ChildKey<'d>, body: &'d dyn Describe) -> Self {
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

    /// Returns the offset to reach the element again with, by [`Children::get`].
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
    fn part(&self) -> Option<Child<'_>> {
        Some(Child { at: self.at, ..Child::new(0, ChildKey::Index, self.body?) })
    }
}

impl Children for Single<'_> {
    fn list(&self) -> List {
        List::single(self.name)
    }

    fn each(&self, visit: Each<'_>) -> Flow {
        self.part().map_or(GO, |part| visit(Ok(&part)))
    }

    fn get(&self, index: u32, _: u64, visit: &mut dyn FnMut(&Child<'_>)) {
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

/// What is done with an element of a list: with the element, or with why the list ends before it.
pub type Each<'e> = &'e mut dyn FnMut(Result<&Child<'_>, &Error>) -> Flow;

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
pub trait Children {
    /// Returns what the list is.
    fn list(&self) -> List;

    /// Hands over all elements in file order; an error is the last.
    fn each(&self, visit: Each<'_>) -> Flow;

    /// Hands over the element number `index`, which lies at offset `at` if it has a place; nothing if there is none.
    ///
    /// Lists that are not indexed use the offset, so that reaching an element does not take walking to it.
    fn get(&self, index: u32, at: u64, visit: &mut dyn FnMut(&Child<'_>));

    /// Feeds to `hasher` what an element has in common with the element of another file that it is matched with.
    ///
    /// Elements are matched in rounds, the first round being 0, until a round gives [`Likeness::None`] for all of them.
    /// By default there is one round, by key.
    fn likeness(&self, part: &Child<'_>, round: u32, hasher: &mut dyn Hasher) -> Likeness {
        if round > 0 {
            return Likeness::None;
        }
        match part.key {
            ChildKey::Index => return Likeness::None,
            ChildKey::Name(name) => hasher.write(name),
            ChildKey::Number(number) => hasher.write_i64(number),
        }
        Likeness::Any
    }
}

impl fmt::Debug for Child<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { index, key, at, .. } = self;
        f.debug_struct("Child").field("index", index).field("key", key).field("at", at).finish_non_exhaustive()
    }
}
