use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

use worldview_core::{Path, Segment};

use crate::{Change, Changes, EditError, Result, Value};

/// Changes by the segments of their paths, so that each part of a file gets those that are about it.
#[derive(Debug, Default)]
pub(crate) struct Tree<'c> {
    /// The change of this very place.
    pub(crate) change: Option<&'c Change>,
    pub(crate) children: BTreeMap<Path, Tree<'c>>,
    /// Which change of the list it is.
    pub(crate) order: usize,
    /// How many changes of this very place there are, which are equal.
    count: u64,
    /// How many changes of this place, or inside a file that it is, are done in the original already.
    already: Rc<Cell<u64>>,
}

impl<'c> Tree<'c> {
    /// Sorts changes. Equal changes of one place are one. An element may be moved or renamed and changed inside; elements that
    /// `is_container` accepts may also be changed inside if they are added or removed: what they consist of is added and removed by
    /// changes of its own. Errors name paths as `spelled`, the same changes, have them. Returns an error if two changes of one
    /// place differ, or if one is about something that contains the other's place.
    pub(crate) fn of(changes: &'c Changes, spelled: &Changes, is_container: fn(&Change) -> bool) -> Result<Self> {
        let mut root = Self::default();
        for (order, (change, named)) in changes.iter().zip(spelled).enumerate() {
            root.insert(change, order, is_container).map_err(|other| {
                let other = spelled.iter().nth(other).map_or_else(Path::new, |other| other.path().clone());
                EditError::conflict(named.path(), &other)
            })?;
        }
        Ok(root)
    }

    /// Adds a change, unless it conflicts with another one, whose number is the error.
    fn insert(
        &mut self,
        change: &'c Change,
        order: usize,
        is_container: fn(&Change) -> bool,
    ) -> std::result::Result<(), usize> {
        let is_outer = |change: &Change| change.is_outer() || is_container(change);
        let mut node = self;
        for name in change.path().parts() {
            if node.change.is_some_and(|other| !is_outer(other)) {
                return Err(node.order);
            }
            node = node.children.entry(name).or_default();
        }
        if let Some(other) = node.change {
            node.change = Some(other.joined(change).ok_or(node.order)?);
            node.count = node.count.saturating_add(1);
            return Ok(());
        }
        if let Some(inner) = node.first().filter(|_| !is_outer(change)) {
            return Err(inner.order);
        }
        (node.change, node.order, node.count) = (Some(change), order, 1);
        Ok(())
    }

    /// Returns the tree again, for a part that sorts its children.
    pub(crate) fn clone_subtree(&self) -> Self {
        let children = self.children.iter().map(|(name, node)| (name.clone(), node.clone_subtree())).collect();
        Self { change: self.change, children, order: self.order, count: self.count, already: Rc::clone(&self.already) }
    }

    /// Returns what is inside this place.
    pub(crate) fn inside(&self) -> Self {
        Self { change: None, ..self.clone_subtree() }
    }

    /// Notes that what the change of this place says is so already.
    pub(crate) fn is_done_already(&self) {
        self.already.set(self.count);
    }

    /// Notes the same of all changes of this place and inside it.
    pub(crate) fn are_done_already(&self) {
        self.is_done_already();
        self.children.values().for_each(Self::are_done_already);
    }

    /// Where it is noted that what the change of this place says is so already.
    pub(crate) fn note(&self) -> Already {
        Already { count: self.count, already: Rc::clone(&self.already) }
    }

    /// Notes how many changes inside a file that this place is are done already.
    pub(crate) fn done_already_inside(&self, count: u64) {
        self.already.set(self.already.get().saturating_add(count));
    }

    /// Returns how many changes are done in the original already.
    pub(crate) fn count_already(&self) -> u64 {
        self.children.values().map(Self::count_already).fold(self.already.get(), u64::saturating_add)
    }

    /// Returns the segments inside this place.
    pub(crate) fn elements(&self) -> impl Iterator<Item = (Segment<'_>, &Self)> {
        // Each name is one segment.
        self.children.iter().flat_map(|(name, node)| name.segments().map(move |segment| (segment, node)))
    }

    /// Returns them in the order of the list of changes.
    pub(crate) fn in_order(&self) -> Vec<(Segment<'_>, &Self)> {
        let mut children: Vec<_> = self.elements().collect();
        children.sort_by_key(|(_, node)| node.order);
        children
    }

    /// Returns some change of this place or of one inside it.
    pub(crate) fn any(&self) -> Option<&'c Change> {
        self.first()?.change
    }

    /// Returns the path of some change of this place or of one inside it.
    pub(crate) fn path(&self) -> Path {
        self.any().map(|change| change.path().clone()).unwrap_or_default()
    }

    /// Returns how far below this place [`any`](Self::any) change is.
    pub(crate) fn depth(&self) -> usize {
        if self.change.is_some() {
            return 0;
        }
        self.children.values().next().map_or(0, |child| child.depth().saturating_add(1))
    }

    /// Returns all changes of some places and inside them, in the order of the list.
    pub(crate) fn all<'t>(nodes: impl IntoIterator<Item = &'t Self>) -> Vec<&'c Change>
    where
        'c: 't,
    {
        let (mut all, mut open) = (Vec::new(), nodes.into_iter().collect::<Vec<_>>());
        while let Some(node) = open.pop() {
            all.extend(node.change.map(|change| (node.order, change)));
            open.extend(node.children.values());
        }
        all.sort_by_key(|(order, _)| *order);
        all.into_iter().map(|(_, change)| change).collect()
    }

    /// Returns the first node that has a change, among this one and those inside it.
    fn first(&self) -> Option<&Self> {
        let mut node = self;
        while node.change.is_none() {
            node = node.children.values().next()?;
        }
        Some(node)
    }
}

/// Notes that what a change says is so already.
#[derive(Clone, Debug)]
pub(crate) struct Already {
    count: u64,
    already: Rc<Cell<u64>>,
}

impl Already {
    pub(crate) fn note(&self) {
        self.already.set(self.count);
    }
}

/// Returns whether a removal says what was removed, so that it is known to be done if nothing is there.
pub(crate) const fn is_recorded(fields: &[(String, Value)], data: Option<&Value>) -> bool {
    !fields.is_empty() || data.is_some()
}

/// The segment of another element, which must be in the list in which a change is made.
pub(crate) fn sibling<'p>(other: &'p Path, path: &Path, kind: Option<&str>) -> Result<Segment<'p>> {
    let same_list = path.segments().count() == other.segments().count()
        && path.segments().zip(other.segments()).take(path.len().saturating_sub(1)).all(|(left, right)| left == right);
    let is_here = |segment: &Segment<'_>| match (segment.kind, kind) {
        (Some(other), Some(kind)) => other == kind,
        (None, Some(kind)) => segment.nth.is_some() && *segment.key == *kind.as_bytes(),
        (other, None) => other.is_none(),
    };
    let segment = other.segments().last().filter(|segment| same_list && is_here(segment));
    segment.ok_or_else(|| {
        EditError::unsupported(path, "`like`, `before` and `after` must name an element of the same list")
    })
}

/// The error about a change of a kind that its place does not have.
pub(crate) fn unexpected(change: &Change) -> EditError {
    let why = match change {
        Change::Set { .. } => "this part cannot be set as a whole; set its fields",
        Change::Add { .. } => "nothing can be added here",
        Change::Remove { .. } => "this part cannot be removed",
        Change::Rename { .. } => "this part has no name that could change; set its fields",
        Change::Move { .. } => "this part cannot move",
    };
    EditError::unsupported(change.path(), why)
}
