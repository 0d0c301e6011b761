use core::hash::{Hash as _, Hasher};

use worldview_core::Error;
use worldview_core::describe::{Each, Flow, List, MatchRule, Part, PartKey, PartList, ShapeNumber, Slots};

use super::element::Element;
use crate::name;

/// What differs between the lists of a database; [`Listed`] adds what they share.
pub(super) trait DatabaseList {
    /// The type of the elements.
    type Item;
    /// The properties of the list.
    const LIST: List;

    /// Returns the properties of the list; overridden where they are only known at run time.
    fn list(&self) -> List {
        Self::LIST
    }

    /// Returns the elements in file order.
    fn iter(&self) -> impl Iterator<Item = Self::Item>;

    /// Returns the error at which the list ends early, if any.
    fn broken(&self) -> Option<Error> {
        None
    }

    /// Returns the element at `index`. `at` is its offset in the file, for lists whose elements have one.
    fn get(&self, index: u32, at: u64) -> Option<Self::Item>;

    /// Passes an element to `then` as a child.
    fn part<R>(&self, index: u32, item: &Self::Item, then: impl FnOnce(&Part<'_>) -> R) -> R;

    /// Feeds the hasher with whatever elements are matched by. By default this is the key; the case of names is
    /// ignored.
    fn match_rule(&self, part: &Part<'_>, round: u32, hasher: &mut dyn Hasher) -> MatchRule {
        match part.key {
            PartKey::Name(text) if round == 0 => feed(text, hasher),
            PartKey::Number(number) if round == 0 => hasher.write_i64(number),
            _ => return MatchRule::None,
        }
        MatchRule::Any
    }

    /// Does the same for changes: by key, then whatever is between the same neighbors.
    fn identity(&self, part: &Part<'_>, round: u32, hasher: &mut dyn Hasher) -> MatchRule {
        match (part.key, round) {
            (PartKey::Name(text), 0) => hasher.write(text),
            (PartKey::Number(number), 0) => hasher.write_i64(number),
            (PartKey::Name(_) | PartKey::Number(_), 1) => return MatchRule::Between,
            _ => return MatchRule::None,
        }
        MatchRule::Any
    }

    /// Returns where the list is stored, if elements can be added and removed.
    fn slots(&self) -> Option<Slots> {
        None
    }

    /// Returns what the elements are, if they can be described outside a file.
    fn element(&self) -> Option<Element> {
        None
    }
}

/// Feeds the hasher with a name, ignoring its case.
pub(super) fn feed(text: &[u8], mut hasher: &mut dyn Hasher) {
    name::NameKey(text).hash(&mut hasher);
}

/// Adapts a [`DatabaseList`] to the list interface of visitors.
pub(super) struct Listed<W>(pub(super) W);

impl<W: DatabaseList> PartList for Listed<W> {
    fn list(&self) -> List {
        self.0.list()
    }

    fn each(&self, visit: Each<'_>) -> Flow {
        for (index, item) in (0..).zip(self.0.iter()) {
            self.0.part(index, &item, |part| visit(Ok(part)))?;
        }
        self.0.broken().map_or(Flow::Continue(()), |error| visit(Err(&error)))
    }

    fn get(&self, index: u32, at: u64, visit: &mut dyn FnMut(&Part<'_>)) {
        if let Some(item) = self.0.get(index, at) {
            self.0.part(index, &item, |part| visit(part));
        }
    }

    fn match_rule(&self, part: &Part<'_>, round: u32, hasher: &mut dyn Hasher) -> MatchRule {
        self.0.match_rule(part, round, hasher)
    }

    fn identity(&self, part: &Part<'_>, round: u32, hasher: &mut dyn Hasher) -> MatchRule {
        self.0.identity(part, round, hasher)
    }

    fn slots(&self) -> Option<Slots> {
        self.0.slots()
    }

    fn blank(&self, wanted: &dyn Fn(ShapeNumber<'_>) -> Option<i64>, make: &mut dyn FnMut(&[u8])) {
        if let Some(blank) = self.0.element().and_then(|element| element.blank(wanted)) {
            make(&blank);
        }
    }

    fn alone(&self, bytes: &[u8], visit: &mut dyn FnMut(&Part<'_>)) {
        if let Some(element) = self.0.element() {
            element.visit(bytes, visit);
        }
    }
}
