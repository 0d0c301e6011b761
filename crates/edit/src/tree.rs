use std::collections::BTreeMap;

use worldview_core::{Path, Segment};

use crate::{Change, Changes, EditError, EditErrorKind, Result};

/// Changes by the segments of their paths, so that each part of a file gets those that are about it.
#[derive(Debug, Default)]
pub(crate) struct Tree<'c> {
    /// The change of this very place.
    pub(crate) change: Option<&'c Change>,
    pub(crate) children: BTreeMap<Path, Tree<'c>>,
}

impl<'c> Tree<'c> {
    /// Sorts changes.
    ///
    /// # Errors
    ///
    /// Returns an error if two changes are about one place, or one about something that contains the other's place.
    pub(crate) fn of(changes: &'c Changes) -> Result<Self> {
        let mut root = Self::default();
        for change in changes {
            root.insert(change)?;
        }
        Ok(root)
    }

    fn insert(&mut self, change: &'c Change) -> Result<()> {
        let path = change.path();
        let conflict =
            |other: &Change| Err(EditError::new(path, EditErrorKind::Conflict { other: other.path().clone() }));
        let mut node = self;
        for segment in path.segments() {
            if let Some(other) = node.change {
                return conflict(other);
            }
            node = node.children.entry(alone(&segment)).or_default();
        }
        match node.change.or_else(|| node.any()) {
            Some(other) => conflict(other),
            None => {
                node.change = Some(change);
                Ok(())
            }
        }
    }

    /// Returns some change of this place or of one inside it.
    pub(crate) fn any(&self) -> Option<&'c Change> {
        let mut node = self;
        loop {
            match (node.change, node.children.values().next()) {
                (Some(change), _) => return Some(change),
                (None, Some(child)) => node = child,
                (None, None) => return None,
            }
        }
    }
}

/// A path of one segment.
fn alone(segment: &Segment<'_>) -> Path {
    let mut path = Path::new();
    path.push_segment(segment);
    path
}
