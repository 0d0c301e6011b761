//! The paths of elements that stay, come and go.

use std::collections::HashMap;

use worldview_core::Path;

use super::select::Index;
use super::view::View;
use crate::Position;

pub(super) fn keys(items: &[View<'_, '_>]) -> Vec<Vec<u8>> {
    items.iter().map(|item| item.key().unwrap_or_default()).collect()
}

/// Returns the children of each element of a tree.
pub(super) fn children(items: &[View<'_, '_>]) -> Vec<Vec<usize>> {
    let mut children = vec![Vec::new(); items.len()];
    for (at, item) in items.iter().enumerate() {
        let list = item.parent().and_then(|parent| children.get_mut(parent));
        list.into_iter().for_each(|list: &mut Vec<usize>| list.push(at));
    }
    children
}

/// The paths of a list's elements.
pub(super) struct Places<'p, 'd, 'a> {
    kind: &'static str,
    items: &'p [View<'d, 'a>],
    index: &'p Index,
    parent: Path,
    /// The first element that stays in its place.
    pub(super) first: Option<usize>,
    /// How many elements were added, by key.
    added: HashMap<Option<Vec<u8>>, usize>,
}

impl<'p, 'd, 'a> Places<'p, 'd, 'a> {
    pub(super) fn new(
        kind: &'static str,
        items: &'p [View<'d, 'a>],
        index: &'p Index,
        parent: &Path,
        first: Option<usize>,
    ) -> Self {
        Self { kind, items, index, parent: parent.clone(), first, added: HashMap::new() }
    }

    pub(super) fn path(&self, at: usize) -> Path {
        let mut path = self.parent.clone();
        if let Some(item) = self.items.get(at) {
            self.index.name(self.kind, item, at, &mut path);
        }
        path
    }

    /// Returns the place behind an element that stays, or at the start.
    pub(super) fn position(&self, behind: Option<usize>) -> Position {
        match (behind, self.first) {
            (Some(at), _) => Position::After(self.path(at)),
            (None, Some(first)) => Position::Before(self.path(first)),
            (None, None) => Position::Natural,
        }
    }

    /// Returns a path for a new element.
    pub(super) fn new_path(&mut self, item: &View<'_, '_>) -> Path {
        let key = item.key();
        let old = key.as_ref().map_or(self.items.len(), |key| self.index.count(key));
        let added = self.added.entry(key.clone()).or_default();
        let nth = u32::try_from(old.saturating_add(*added)).unwrap_or(u32::MAX);
        *added = added.saturating_add(1);
        let mut path = self.parent.clone();
        match key {
            Some(key) => path.push(self.kind, &key, (nth > 0).then_some(nth)),
            None => path.push_nth(self.kind.as_bytes(), nth),
        }
        path
    }
}
