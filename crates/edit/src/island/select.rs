//! Which element of a list a path means.

use std::collections::HashMap;

use worldview_core::{Path, Segment};

use super::view::View;
use crate::{EditError, EditErrorKind, Result};

/// The elements of a list by their keys.
pub(super) struct Index {
    keys: HashMap<Vec<u8>, Vec<usize>>,
    len: usize,
}

impl Index {
    pub(super) fn of(items: &[View<'_, '_>]) -> Self {
        Self::of_keys(items.iter().map(View::key))
    }

    /// Takes the key of each element.
    pub(super) fn of_keys(all: impl Iterator<Item = Option<Vec<u8>>>) -> Self {
        let (mut keys, mut len): (HashMap<Vec<u8>, Vec<usize>>, usize) = (HashMap::new(), 0);
        for (index, key) in all.enumerate() {
            key.into_iter().for_each(|key| keys.entry(key).or_default().push(index));
            len = index.saturating_add(1);
        }
        Self { keys, len }
    }

    /// Returns the element that a segment means.
    pub(super) fn find(&self, segment: &Segment<'_>, path: &Path) -> Result<usize> {
        let error = |kind| Err(EditError::new(path, kind));
        let nth = segment.nth.map(|nth| usize::try_from(nth).unwrap_or(usize::MAX));
        if segment.kind.is_none() {
            return match nth.filter(|nth| *nth < self.len) {
                Some(nth) => Ok(nth),
                None => error(EditErrorKind::NotFound),
            };
        }
        let all = self.keys.get(&*segment.key).map_or(&[][..], Vec::as_slice);
        match (all, nth) {
            ([one], None) => Ok(*one),
            ([], _) => error(EditErrorKind::NotFound),
            (_, None) => error(EditErrorKind::Ambiguous { count: all.len() }),
            (_, Some(nth)) => match all.get(nth) {
                Some(index) => Ok(*index),
                None => error(EditErrorKind::NotFound),
            },
        }
    }

    /// Appends the segment that names an element. Keys that occur once have no number.
    pub(super) fn name(&self, kind: &str, item: &View<'_, '_>, index: usize, path: &mut Path) {
        self.name_key(kind, item.key(), index, path);
    }

    /// Returns the same for an element with this key.
    pub(super) fn name_key(&self, kind: &str, key: Option<Vec<u8>>, index: usize, path: &mut Path) {
        let number = |index: usize| u32::try_from(index).unwrap_or(u32::MAX);
        match key {
            None => path.push_nth(kind.as_bytes(), number(index)),
            Some(key) => {
                let all = self.keys.get(&key).map_or(&[][..], Vec::as_slice);
                let nth = all.binary_search(&index).unwrap_or(0);
                path.push(kind, &key, (all.len() > 1).then(|| number(nth)));
            }
        }
    }

    /// Returns the number of elements with a key.
    pub(super) fn count(&self, key: &[u8]) -> usize {
        self.keys.get(key).map_or(0, Vec::len)
    }
}

/// Splits a path into that of the parent and the last segment.
pub(super) fn split(path: &Path) -> Option<(Path, Segment<'_>)> {
    let mut parent = Path::new();
    let mut segments = path.segments();
    let mut last = segments.next()?;
    for segment in segments {
        parent.push_segment(&last);
        last = segment;
    }
    Some((parent, last))
}
