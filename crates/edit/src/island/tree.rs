//! The trees of two files, and which of their elements are the same.

use std::collections::HashMap;
use std::ops::Range;

use worldview_core::Path;
use worldview_core::describe::PartList;
use worldview_inspect::diff::between;

use super::list::items;
use super::shape::canonical;
use crate::Result;
use crate::checked::Checked as _;
use crate::list::{element_key, paths};

/// A tree of one side.
pub(super) struct Side<'s> {
    pub(super) parts: &'s dyn PartList,
    bytes: &'s [u8],
    pub(super) keys: Vec<Vec<u8>>,
    /// The bytes of each element with everything below it.
    pub(super) ranges: Vec<Range<usize>>,
    children: Vec<Vec<usize>>,
    paths: Vec<Path>,
}

impl<'s> Side<'s> {
    pub(super) fn of(parts: &'s dyn PartList, bytes: &'s [u8], owner: &Path) -> Self {
        let mut keys = Vec::new();
        let (items, _) = items(parts, true, |part| keys.push(element_key(part.key).unwrap_or_default()));
        let mut children = vec![Vec::new(); items.len()];
        for (at, item) in items.iter().enumerate() {
            if let Some(list) = item.above.and_then(|above| children.get_mut(above)) {
                list.push(at);
            }
        }
        let ranges = items.into_iter().map(|item| item.range).collect();
        Self { parts, bytes, keys, ranges, children, paths: paths(parts, owner) }
    }

    pub(super) fn canonical(&self, at: usize) -> Result<Vec<u8>> {
        canonical(self.parts, self.ranges.get(at).checked()?, self.bytes)
    }

    pub(super) fn children(&self, at: usize) -> &[usize] {
        self.children.get(at).map_or(&[], Vec::as_slice)
    }

    pub(super) fn path(&self, at: usize) -> Path {
        self.paths.get(at).cloned().unwrap_or_default()
    }

    pub(super) fn keys<'k>(&'k self, list: &'k [usize]) -> impl Iterator<Item = &'k [u8]> {
        list.iter().map(|at| self.keys.get(*at).map_or(&[][..], Vec::as_slice))
    }
}

/// Matches elements with equal keys, of several the first with the first, and then what is between the same neighbors. Returns for
/// each element on the left its match on the right.
pub(super) fn partners<'k>(
    left: impl Iterator<Item = &'k [u8]>,
    right: impl Iterator<Item = &'k [u8]>,
) -> (Vec<Option<usize>>, usize) {
    let mut places: HashMap<&[u8], Vec<usize>> = HashMap::new();
    let right: Vec<_> = right.collect();
    for (at, key) in right.iter().enumerate() {
        places.entry(key).or_default().push(at);
    }
    places.values_mut().for_each(|list| list.reverse());
    let mut partners: Vec<_> = left.map(|key| places.get_mut(key)?.pop()).collect();
    between(&mut partners, right.len());
    (partners, right.len())
}
