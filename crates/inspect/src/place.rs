//! The segments of paths.

use std::cell::{Cell, OnceCell};
use std::hash::{BuildHasher as _, RandomState};

use worldview_core::describe::{FieldName, Flow, List, ListFlag, Part, PartKey, PartList};
use worldview_core::{Path, PathMark};

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
    if list.is(ListFlag::Single) {
        if !part.body.has_main_list() {
            push_own(path, list.name.as_bytes(), in_main);
        }
        return;
    }
    push_key(path, list.is(ListFlag::Main), (list.kind, part), nth, in_main);
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

/// An element of a list, inside of others.
pub(crate) struct Element<'i> {
    pub(crate) list: &'i List,
    pub(crate) part: &'i Part<'i>,
    /// All elements of the list.
    pub(crate) parts: &'i dyn PartList,
    pub(crate) repeated: &'i Repeated,
    /// Whether the owner of the list has a main list.
    pub(crate) in_main: bool,
    pub(crate) owner: Option<&'i Element<'i>>,
    /// Where the element begins in the path, once it was added to it.
    pub(crate) mark: Cell<Option<PathMark>>,
}

impl Element<'_> {
    /// Appends the elements around this one, and this one, unless they are in the path already.
    pub(crate) fn enter(&self, path: &mut Path) {
        if self.mark.get().is_some() {
            return;
        }
        if let Some(owner) = self.owner {
            owner.enter(path);
        }
        self.mark.set(Some(path.mark()));
        let nth = self.repeated.nth(self.parts, self.list, self.part);
        push_element(path, self.list, self.part, nth, self.in_main);
    }

    /// Removes this element from the path.
    pub(crate) fn leave(&self, path: &mut Path) {
        if let Some(mark) = self.mark.take() {
            path.truncate(mark);
        }
    }
}

/// The elements of a list that share their keys with others. Nothing is collected until a path needs it.
#[derive(Debug, Default)]
pub(crate) struct Repeated {
    hasher: RandomState,
    /// The hash of each key, and the index of the element, in order.
    keys: OnceCell<Vec<(u64, u32)>>,
}

impl Repeated {
    /// Returns how many earlier elements have the key of an element, if several have it.
    pub(crate) fn nth(&self, parts: &dyn PartList, list: &List, part: &Part<'_>) -> Option<u32> {
        if list.is(ListFlag::Unique) || list.is(ListFlag::Single) {
            return None;
        }
        let hash = hash_key(part.key, &self.hasher)?;
        let keys = self.keys.get_or_init(|| {
            let mut keys = Vec::new();
            let _ = parts.each_of_all(&mut |part| {
                let part = part.ok();
                keys.extend(part.and_then(|part| Some((hash_key(part.key, &self.hasher)?, part.index))));
                Flow::Continue(())
            });
            keys.sort_unstable();
            keys
        });
        let same = keys.get(keys.partition_point(|key| key.0 < hash)..)?;
        let same = same.get(..same.partition_point(|key| key.0 == hash))?;
        let nth = same.partition_point(|key| key.1 < part.index);
        (same.len() > 1).then(|| u32::try_from(nth).unwrap_or(u32::MAX))
    }
}
