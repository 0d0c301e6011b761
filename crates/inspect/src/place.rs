//! The segments of paths.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};

use worldview_core::Path;
use worldview_core::describe::{FieldName, Flow, List, Part, PartKey, PartList};

use crate::form;

/// Appends a field, array, link or list of the current part.
pub(crate) fn push_own(path: &mut Path, name: &[u8], in_main: bool) {
    if in_main {
        path.push("@", name, None);
    } else {
        path.push_name(name);
    }
}

/// Appends a field of the current part.
pub(crate) fn push_field(path: &mut Path, name: &FieldName<'_>, in_main: bool) {
    match *name {
        FieldName::Static(name) => push_own(path, name.as_bytes(), in_main),
        FieldName::Bytes(name) => push_own(path, name, in_main),
        FieldName::Bits { .. } => push_own(path, form::name(name).as_bytes(), in_main),
    }
}

/// Appends an item that only has a number.
pub(crate) fn push_number(path: &mut Path, kind: &str, number: u32, in_main: bool) {
    if in_main {
        path.push("@", kind.as_bytes(), Some(number));
    } else {
        path.push_nth(kind.as_bytes(), number);
    }
}

/// Appends an element of a list. If there are several with the same key, it is the `nth`.
pub(crate) fn push_element(path: &mut Path, list: &List, part: &Part<'_>, nth: Option<u32>, in_main: bool) {
    if list.single {
        if !part.body.has_main_list() {
            push_own(path, list.name.as_bytes(), in_main);
        }
        return;
    }
    push_key(path, list.main, (list.kind, part), nth, in_main);
}

/// Appends an element by its kind and key.
pub(crate) fn push_key(
    path: &mut Path,
    is_main: bool,
    (kind, part): (&'static str, &Part<'_>),
    nth: Option<u32>,
    in_main: bool,
) {
    match (part.key, nth) {
        (PartKey::Index, _) => push_number(path, kind, part.index, in_main),
        (PartKey::Name(name), None) if is_main => path.push_name(name),
        (PartKey::Name(name), Some(nth)) if is_main => path.push_nth(name, nth),
        (PartKey::Name(name), nth) => path.push(kind, name, nth),
        (PartKey::Number(number), nth) => path.push(kind, itoa::Buffer::new().format(number).as_bytes(), nth),
    }
}

/// Returns a hash of a key, or `None` for keys that are always unique.
pub(crate) fn hash_key(key: PartKey<'_>, hasher: &RandomState) -> Option<u64> {
    match key {
        PartKey::Index => None,
        PartKey::Name(name) => Some(hasher.hash_one(name)),
        PartKey::Number(number) => Some(hasher.hash_one(number)),
    }
}

/// Counts equal keys in a list that is walked in order.
#[derive(Debug, Default)]
pub(crate) struct Keys {
    hasher: RandomState,
    seen: HashMap<u64, u32>,
    /// How many elements have each key, if they were counted.
    all: HashMap<u64, u32>,
}

impl Keys {
    /// Counts the keys of a list before it is walked.
    pub(crate) fn of(parts: &dyn PartList, list: &List) -> Self {
        let mut keys = Self::default();
        if list.unique || list.single {
            return keys;
        }
        let _ = parts.each(&mut |part| {
            if let Some(hash) = part.ok().and_then(|part| hash_key(part.key, &keys.hasher)) {
                let count = keys.all.entry(hash).or_insert(0);
                *count = count.saturating_add(1);
            }
            Flow::Continue(())
        });
        keys
    }

    /// Returns how many earlier elements had this key, if several have it.
    pub(crate) fn nth_of_several(&mut self, list: &List, key: PartKey<'_>) -> Option<u32> {
        let nth = self.nth(list, key);
        let count = hash_key(key, &self.hasher).and_then(|hash| self.all.get(&hash).copied());
        (nth > 0 || count > Some(1)).then_some(nth)
    }

    /// Returns how many earlier elements had this key; `None` stands for none.
    pub(crate) fn later(&mut self, list: &List, key: PartKey<'_>) -> Option<u32> {
        Some(self.nth(list, key)).filter(|nth| *nth > 0)
    }

    /// Returns how many earlier elements had this key.
    fn nth(&mut self, list: &List, key: PartKey<'_>) -> u32 {
        if list.unique || list.single {
            return 0;
        }
        let Some(hash) = hash_key(key, &self.hasher) else { return 0 };
        let seen = self.seen.entry(hash).or_insert(0);
        let nth = *seen;
        *seen = nth.saturating_add(1);
        nth
    }
}
