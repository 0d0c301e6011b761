use core::hash::{Hash as _, Hasher};

use worldview_core::Error;
use worldview_core::describe::{Child, ChildKey, Children, Each, Flow, GO, Likeness, List};

use crate::name;

/// What the lists of a database differ in; [`Listed`] adds what they share.
pub(super) trait Walk {
    /// An element.
    type Item;
    /// What the list is.
    const LIST: List;

    /// Returns what the list is, if that is only known at run time.
    fn list(&self) -> List {
        Self::LIST
    }

    /// Returns the elements in file order.
    fn iter(&self) -> impl Iterator<Item = Self::Item>;

    /// Returns why the list ends before its end.
    fn broken(&self) -> Option<Error> {
        None
    }

    /// Returns the element number `index`, which lies at offset `at` if it has a place.
    fn get(&self, index: u32, at: u64) -> Option<Self::Item>;

    /// Hands over an element as a part.
    fn part<R>(&self, index: u32, item: &Self::Item, then: impl FnOnce(&Child<'_>) -> R) -> R;

    /// Feeds what an element is matched by; by default its key, of a name without its case.
    fn likeness(&self, part: &Child<'_>, round: u32, hasher: &mut dyn Hasher) -> Likeness {
        match part.key {
            ChildKey::Name(text) if round == 0 => feed(text, hasher),
            ChildKey::Number(number) if round == 0 => hasher.write_i64(number),
            _ => return Likeness::None,
        }
        Likeness::Any
    }
}

/// Feeds a name without its case, which means nothing.
pub(super) fn feed(text: &[u8], mut hasher: &mut dyn Hasher) {
    name::NameKey(text).hash(&mut hasher);
}

/// A list as visitors get it.
pub(super) struct Listed<W>(pub(super) W);

impl<W: Walk> Children for Listed<W> {
    fn list(&self) -> List {
        self.0.list()
    }

    fn each(&self, visit: Each<'_>) -> Flow {
        for (index, item) in (0..).zip(self.0.iter()) {
            self.0.part(index, &item, |part| visit(Ok(part)))?;
        }
        self.0.broken().map_or(GO, |error| visit(Err(&error)))
    }

    fn get(&self, index: u32, at: u64, visit: &mut dyn FnMut(&Child<'_>)) {
        if let Some(item) = self.0.get(index, at) {
            self.0.part(index, &item, |part| visit(part));
        }
    }

    fn likeness(&self, part: &Child<'_>, round: u32, hasher: &mut dyn Hasher) -> Likeness {
        self.0.likeness(part, round, hasher)
    }
}
