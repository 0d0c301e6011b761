//! Elements by what changes call them.

use std::collections::HashMap;

use worldview_core::describe::{Flow, List, ListFlag, Part, PartKey, PartList};
use worldview_core::{Path, Segment};

use crate::changes::stored_key;
use crate::fields;
use crate::order::numbers;
use crate::tree::{Tree, sibling};
use crate::{Change, EditError, EditErrorKind, Result, Value};

/// Which element of a list each segment names.
pub(crate) struct Names {
    pub(crate) list: List,
    pub(crate) by_key: Keys<Vec<usize>>,
    /// The elements by their names in upper case, if case is ignored.
    alike: HashMap<Vec<u8>, Vec<usize>>,
    /// The field that is the key of an element.
    key: Option<Path>,
}

/// The elements with the keys that changes name. The others, which may be many, are not stored.
pub(crate) struct Keys<T> {
    all: HashMap<Vec<u8>, T>,
    /// A bit for each name, as most elements have others.
    marks: u64,
    numbers: HashMap<i64, Vec<u8>>,
}

impl<T: Default> Keys<T> {
    pub(crate) fn of<'s>(segments: impl Iterator<Item = Segment<'s>>) -> Self {
        let mut keys = Self { all: HashMap::new(), marks: 0, numbers: HashMap::new() };
        for segment in segments {
            let key = segment.key.into_owned();
            let number = std::str::from_utf8(&key).ok().and_then(|text| text.parse::<i64>().ok());
            // A number has one spelling.
            let number = number.filter(|number| number.to_string().as_bytes() == key);
            keys.numbers.extend(number.map(|number| (number, key.clone())));
            keys.marks |= fields::mark(&key);
            keys.all.insert(key, T::default());
        }
        keys
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&[u8], &T)> {
        self.all.iter().map(|(key, all)| (key.as_slice(), all))
    }

    pub(crate) fn get(&self, key: &[u8]) -> Option<&T> {
        self.all.get(key)
    }

    pub(crate) fn get_mut(&mut self, key: PartKey<'_>) -> Option<&mut T> {
        match key {
            PartKey::Index => None,
            PartKey::Name(name) if self.marks & fields::mark(name) == 0 => None,
            PartKey::Name(name) => self.all.get_mut(name),
            PartKey::Number(number) => self.all.get_mut(self.numbers.get(&number)?),
        }
    }
}

impl Names {
    /// Prepares for all elements that changes of the list name, and for the keys that they give. `key` is the field that is the key of
    /// an element.
    pub(crate) fn of_changes(list: List, key: Option<&str>, changes: &[(Segment<'_>, &Tree<'_>)]) -> Self {
        let key = key.map(|name| Path::new().with(|path| path.push_name(name.as_bytes())));
        let all = || changes.iter().filter_map(|(_, node)| node.change);
        let parents: Vec<_> = all().filter_map(Change::parent).collect();
        let others = all().flat_map(|change| change.paths().skip(1)).chain(&parents);
        let others = others.filter_map(|path| path.segments().last());
        let new_keys = changes.iter().filter_map(|(_, node)| new_key(list, key.as_ref(), node));
        let new_keys = new_keys.map(|key| Segment { kind: None, key: key.into(), nth: None });
        let named = changes.iter().map(|(segment, _)| segment.clone());
        let mut alike = HashMap::new();
        let segments = named.chain(others).chain(new_keys).inspect(|segment| {
            if list.is(ListFlag::IgnoresCase) {
                alike.insert(segment.key.to_ascii_uppercase(), Vec::new());
            }
        });
        let by_key = Keys::of(segments);
        Self { list, by_key, alike, key }
    }

    /// Takes an element of the list.
    pub(crate) fn note(&mut self, key: PartKey<'_>, index: usize) {
        if let Some(list) = self.by_key.get_mut(key) {
            list.push(index);
        }
        if let (PartKey::Name(name), true) = (key, self.list.is(ListFlag::IgnoresCase))
            && let Some(list) = self.alike.get_mut(&name.to_ascii_uppercase())
        {
            list.push(index);
        }
    }

    /// Returns the elements beside which none can have a name.
    pub(crate) fn alike(&self, name: &[u8]) -> &[usize] {
        match self.list.is(ListFlag::IgnoresCase) {
            true => self.alike.get(&name.to_ascii_uppercase()),
            false => self.by_key.get(name),
        }
        .map_or(&[], Vec::as_slice)
    }

    pub(crate) fn find(&self, segment: &Segment<'_>, path: &Path, count: usize) -> Result<usize> {
        let nth = usize::try_from(segment.nth.unwrap_or(0)).unwrap_or(usize::MAX);
        let found = if segment.kind.is_none() && !self.list.is(ListFlag::Main) {
            // An element without a key, by its number.
            segment.nth.map(|_| nth).filter(|nth| *nth < count && *segment.key == *self.list.kind.as_bytes())
        } else {
            let all = self.by_key.get(&segment.key).map_or(&[][..], Vec::as_slice);
            if all.len() > 1 && segment.nth.is_none() {
                return Err(EditError::new(path, EditErrorKind::Ambiguous { count: all.len() }));
            }
            all.get(nth).copied()
        };
        found.ok_or_else(|| EditError::not_found(path))
    }

    /// Returns the element that changes are about. If they give it another key, it may have that already. Of several that have it,
    /// any is meant if nothing else about it changes.
    pub(crate) fn find_changed(
        &self,
        (segment, node): (&Segment<'_>, &Tree<'_>),
        path: &Path,
        count: usize,
    ) -> Result<usize> {
        self.find(segment, path, count).or_else(|error| {
            let is_lost = matches!(error.kind, EditErrorKind::NotFound);
            let new = if is_lost { new_key(self.list, self.key.as_ref(), node) } else { None };
            let is_all = node.children.len() <= usize::from(!matches!(node.change, Some(Change::Rename { .. })));
            match new.and_then(|key| self.by_key.get(&key)).map(Vec::as_slice) {
                Some([first, others @ ..]) if others.is_empty() || is_all => Ok(*first),
                _ => Err(error),
            }
        })
    }

    /// Names the element that is not there, instead of what a change says of it.
    pub(super) fn of_element(&self, error: EditError, node: &Tree<'_>) -> EditError {
        match (&error.kind, node.change) {
            (EditErrorKind::NotFound, None) if self.list.is(ListFlag::Main) => {
                let path = error.path.first(error.path.len().saturating_sub(node.depth()));
                EditError { path, ..error }
            }
            _ => error,
        }
    }

    pub(crate) fn sibling(&self, other: &Path, path: &Path, count: usize) -> Result<usize> {
        let kind = (!self.list.is(ListFlag::Main)).then_some(self.list.kind);
        self.find(&sibling(other, path, kind)?, other, count)
    }
}

/// Returns the key that changes of an element give it: by a new name, by other bytes of WORLD.WDB, or by the field that is the key and
/// had another value.
fn new_key(list: List, field: Option<&Path>, node: &Tree<'_>) -> Option<Vec<u8>> {
    let to = match (node.change, field) {
        (Some(Change::Rename { to, .. }), _) => to,
        (Some(Change::Set { from: Some(_), to, .. }), _) if !list.is(ListFlag::Main) => {
            return stored_key(list.kind, to.as_bytes()?);
        }
        (_, Some(field)) => match node.children.get(field)?.change? {
            Change::Set { from: Some(_), to, .. } => to,
            _ => return None,
        },
        _ => return None,
    };
    match to {
        Value::Integer(number) => Some(number.to_string().into_bytes()),
        _ if list.is(ListFlag::Main) => to.as_bytes().map(<[u8]>::to_vec),
        _ => fields::name_of(to),
    }
}

/// Returns the paths of elements with their keys, of which those that repeat have a number. `is_main` says whether names in the path of
/// the owner are those of another list.
pub fn element_paths(list: &List, keys: &[Option<Vec<u8>>], owner: &Path, is_main: bool) -> Vec<Path> {
    let path = |((index, key), nth): ((u32, &Option<Vec<u8>>), Option<u32>)| {
        owner.with(|path| match key {
            None if is_main => path.push("@", list.kind.as_bytes(), Some(index)),
            None => path.push_nth(list.kind.as_bytes(), index),
            Some(key) if list.is(ListFlag::Main) => path.push_segment(&Segment { kind: None, key: key.into(), nth }),
            Some(key) => path.push(list.kind, key, nth),
        })
    };
    (0..).zip(keys).zip(numbers(keys)).map(path).collect()
}

/// Returns the paths of all elements of a list that go by their kind.
pub(crate) fn paths(parts: &dyn PartList, owner: &Path) -> Vec<Path> {
    let mut keys = Vec::new();
    let _ = parts.each(&mut |part| {
        keys.extend(part.ok().map(|part| element_key(part.key)));
        Flow::Continue(())
    });
    element_paths(&parts.list(), &keys, owner, false)
}

/// Calls `then` with each element of such a list that can be read, and its path.
pub(crate) fn each_with_path(parts: &dyn PartList, owner: &Path, then: &mut dyn FnMut(&Part<'_>, Path)) {
    let mut paths = paths(parts, owner).into_iter();
    let _ = parts.each(&mut |part| {
        part.ok().zip(paths.next()).into_iter().for_each(|(part, path)| then(part, path));
        Flow::Continue(())
    });
}

/// Returns the key of an element, as paths write it.
pub fn element_key(key: PartKey<'_>) -> Option<Vec<u8>> {
    match key {
        PartKey::Index => None,
        PartKey::Name(name) => Some(name.to_vec()),
        PartKey::Number(number) => Some(number.to_string().into_bytes()),
    }
}
