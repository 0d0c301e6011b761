use core::fmt;
use core::hash::Hasher;
use core::ops::Range;

use super::{Describe, Flow, Role, Span};
use crate::Error;
use crate::edit::EditableList;

/// How the elements of two lists of one kind are matched when files are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pairing {
    /// By index, which other parts refer to.
    Index,
    /// By key, or by what [`PartList::match_rule`] feeds the hasher. The order is compared, too.
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

/// A property that a list has or does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ListFlag {
    /// There can be only one element.
    Single,
    /// Paths name the elements by their keys alone, without the kind, as for members and records.
    Main,
    /// The elements are members or directories of an archive: in patterns, `**` matches them, and their names need no extension.
    Members,
    /// No two elements have the same key.
    Unique,
    /// Names that differ in the case of ASCII letters are one name for those who look for an element.
    IgnoresCase,
    /// The list has so many small elements that only a full dump includes them.
    Bulk,
    /// Each element has a single field, and is shown as that field's value.
    Scalar,
    /// Elements have many short fields, which share lines in a text dump.
    Compact,
    /// The elements lie inside the part that has the list, and do not overlap. A walk that was charged for that part is
    /// not charged for them again.
    Inside,
    /// Everything an element contains lies in the element's own bytes, so that a search for an offset can skip the other
    /// elements.
    Enclosed,
    /// [Links](super::Visit::link) lead to the elements, which are then compared through the links.
    Linked,
    /// Another list of the same part describes the fields of the elements, as `fields` does for the records of a table.
    /// A [`Role::Data`] field that only one of two files has, or whose type differs, is then reported once in that list
    /// instead of for each element.
    Columns,
    /// All elements have the same numbers and the same fields with names of the file, so that a search for names needs only
    /// the first, and their texts are in the source as they are shown: in the bytes of the element that they belong to, or apart from
    /// those of all elements. A search skips elements whose bytes cannot match. Other fields may be absent in some.
    SameFields,
    /// The list contains only selected elements; it may be empty although the file has some.
    Selected,
}

/// The properties of a list of parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct List {
    /// The name of the list, such as `planes`. For a single part it equals `kind`.
    pub name: &'static str,
    /// The name of an element, such as `plane`.
    pub kind: &'static str,
    /// The purpose of the elements. Comparisons skip a list with [`Role::Storage`].
    pub role: Role,
    /// How elements are matched.
    pub pairing: Pairing,
    /// Whether names decide where elements are.
    pub sorting: Sorting,
    /// A bit for each [`ListFlag`].
    flags: u16,
}

impl List {
    /// Creates a list whose elements are matched by key.
    pub const fn new(name: &'static str, kind: &'static str) -> Self {
        Self { name, kind, role: Role::Data, pairing: Pairing::Likeness, sorting: Sorting::None, flags: 0 }
    }

    /// Creates a list whose elements are matched by index.
    pub const fn indexed(name: &'static str, kind: &'static str) -> Self {
        Self { pairing: Pairing::Index, ..Self::new(name, kind) }
    }

    /// Creates a list for a part that occurs only once.
    pub const fn single(name: &'static str) -> Self {
        Self::indexed(name, name).with(&[ListFlag::Single])
    }

    /// Returns whether the list has a property.
    pub const fn is(&self, flag: ListFlag) -> bool {
        self.flags & Self::bit(flag) != 0
    }

    /// Adds properties.
    #[must_use]
    pub const fn with(mut self, mut flags: &[ListFlag]) -> Self {
        while let [first, rest @ ..] = flags {
            self.flags |= Self::bit(*first);
            flags = rest;
        }
        self
    }

    /// Removes a property.
    #[must_use]
    pub const fn without(mut self, flag: ListFlag) -> Self {
        self.flags &= !Self::bit(flag);
        self
    }

    /// Adds a property if `has` is true.
    #[must_use]
    pub const fn with_if(self, has: bool, flag: ListFlag) -> Self {
        if has { self.with(&[flag]) } else { self }
    }

    crate::setters! {
        /// Sets the purpose of the elements.
        pub const fn role(role: Role) => role = role;

        /// Sets whether names decide where elements are.
        pub const fn sorting(sorting: Sorting) => sorting = sorting;
    }

    const fn bit(flag: ListFlag) -> u16 {
        1_u16.wrapping_shl(flag as u32)
    }
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
    /// The bytes of the element. A walk over it is charged for them, unless the list is [inside](ListFlag::Inside)
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

    crate::setters! {
        /// Sets the span of the element.
        pub fn at(at: impl Into<Option<Span>>) => at = at.into();

        /// Sets the span of the bytes that are stored elsewhere.
        pub const fn beside(beside: Span) => beside = Some(beside);

        /// Sets a short summary of the element.
        pub const fn summary(summary: &'d dyn fmt::Display) => summary = Some(summary);
    }

    /// Returns the offset to pass to [`PartList::get`] to reach the element again.
    pub fn offset(&self) -> u64 {
        self.at.map_or(0, |at| at.at)
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

/// A list of parts, or a single part, as visitors see it. Descriptions create them as [`Items`](super::Items).
pub trait PartList {
    /// Returns the properties of the list.
    fn list(&self) -> List;

    /// Calls `visit` for each element in file order. An error comes last.
    fn each(&self, visit: Each<'_>) -> Flow;

    /// Calls `visit` for each element of the whole list, if this is a selection of its elements. Elements with equal keys are numbered
    /// by that.
    fn each_of_all(&self, visit: Each<'_>) -> Flow {
        self.each(visit)
    }

    /// Calls `visit` with the element at `index`, if it exists. `at` is its offset, if it has one.
    ///
    /// Lists without an index use the offset to reach an element without walking the list.
    fn get(&self, index: u32, at: u64, visit: &mut dyn FnMut(&Part<'_>));

    /// Feeds `hasher` what an element has in common with its match in another file.
    ///
    /// Elements are matched in rounds, counted from 0, until a round returns [`MatchRule::None`] for all of them. By
    /// default there is one round, by key.
    fn match_rule(&self, part: &Part<'_>, round: u32, hasher: &mut dyn Hasher) -> MatchRule;

    /// Does the same for changes, whose paths name elements by their keys.
    fn identity(&self, part: &Part<'_>, round: u32, hasher: &mut dyn Hasher) -> MatchRule;

    /// Returns what is known of the bytes of elements.
    fn shortcuts(&self) -> &dyn Shortcuts;

    /// Returns how elements are added, removed and made, for those who edit the file.
    fn editable(&self) -> &dyn EditableList;
}

/// What is known of the bytes of elements without describing them. Comparisons and searches skip elements by it.
///
/// What is not defined rules no element out, as for `()`.
pub trait Shortcuts {
    /// Returns whether an element refers to a text outside of its bytes that begins at an offset in one of the ranges, which are in
    /// order. Searches ask elements with [the same fields](ListFlag::SameFields).
    fn refers_to(&self, index: u32, texts: &[Range<u64>]) -> bool {
        let _ = (index, texts);
        true
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
}

impl Shortcuts for () {}

crate::debug_summary!("Part", Part<'_>, |this| index: this.index, key: this.key, at: this.at);
