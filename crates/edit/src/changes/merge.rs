use std::collections::HashMap;
use std::fmt;

use worldview_core::Path;

use super::{Change, Changes, Position};
use crate::Value;

/// Two changes of two lists that cannot both be applied.
#[derive(Clone, Debug, PartialEq)]
pub struct MergeConflict {
    /// The change of the first list.
    pub left: Change,
    /// The change of the second list.
    pub right: Change,
}

impl fmt::Display for MergeConflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { left, right } = self;
        write!(f, "{}: ", left.path())?;
        match (left, right) {
            (Change::Set { from: Some(one), to, .. }, Change::Set { from: Some(two), to: other, .. })
                if to == other =>
            {
                write!(f, "expected to be {one} in one list and {two} in the other")
            }
            _ if left.path() == right.path() => {
                write!(f, "{} in one list, {} in the other", ShownChange(left), ShownChange(right))
            }
            _ => write!(f, "{} in one list; {}: {} in the other", ShownChange(left), right.path(), ShownChange(right)),
        }
    }
}

/// A change in words, without its path.
struct ShownChange<'c>(&'c Change);

impl fmt::Display for ShownChange<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, what: &str, fields: &[(String, Value)]| {
            f.write_str(what)?;
            match fields {
                [] => Ok(()),
                [(name, value)] => write!(f, " with {name} {value}"),
                _ => write!(f, " with {} fields", fields.len()),
            }
        };
        match self.0 {
            Change::Set { to, .. } => write!(f, "set to {to}"),
            Change::Add { data: Some(data), .. } => write!(f, "added with {data}"),
            Change::Add { fields, .. } => list(f, "added", fields),
            Change::Remove { .. } => f.write_str("removed"),
            Change::Rename { to, .. } => write!(f, "renamed to {to}"),
            Change::Move { position: Position::Natural, .. } => f.write_str("moved to the end"),
            Change::Move { position: Position::Before(other), .. } => write!(f, "moved before {other}"),
            Change::Move { position: Position::After(other), .. } => write!(f, "moved after {other}"),
        }
    }
}

impl Changes {
    /// Returns the changes of this list and of another one, those that both have once.
    ///
    /// # Errors
    ///
    /// Returns all pairs of changes that conflict: different changes of one place, or of a place and of something that contains it.
    pub fn merge(mut self, other: Self) -> Result<Self, Vec<MergeConflict>> {
        let left = by_path(&self);
        let right = by_path(&other);
        let mut conflicts = Vec::new();
        let mut conflict = |left: &Change, right: &Change| {
            conflicts.push(MergeConflict { left: left.clone(), right: right.clone() });
        };
        // What both lists have is no conflict, whatever else they say about it.
        let is_common = |change: &Change, others: &HashMap<Path, (usize, &Change)>| {
            others.get(change.path()).is_some_and(|(_, other)| *other == change)
        };
        for change in self.iter().filter(|change| !is_common(change, &right)) {
            for outer in enclosing(change, &right) {
                conflict(change, outer);
            }
        }
        let mut added = Vec::new();
        let mut expected = Vec::new();
        for change in other.iter().filter(|change| !is_common(change, &left)) {
            for outer in enclosing(change, &left) {
                conflict(outer, change);
            }
            match left.get(change.path()) {
                None => added.push(change.clone()),
                Some((index, Change::Set { from: old, to, .. })) => match change {
                    Change::Set { from, to: other, .. } if to == other && (old.is_none() || from.is_none()) => {
                        // What one list expects is expected.
                        if old.is_none() {
                            expected.push((*index, change.clone()));
                        }
                    }
                    _ => self.list.get(*index).into_iter().for_each(|left| conflict(left, change)),
                },
                Some((_, different)) => conflict(different, change),
            }
        }
        if !conflicts.is_empty() {
            return Err(conflicts);
        }
        for (index, change) in expected {
            self.list.get_mut(index).into_iter().for_each(|place| *place = change.clone());
        }
        self.list.extend(added);
        Ok(self)
    }
}

fn by_path(changes: &Changes) -> HashMap<Path, (usize, &Change)> {
    changes.iter().enumerate().map(|(index, change)| (change.path().clone(), (index, change))).collect()
}

/// The changes of another list about what contains the place of a change; those of its position or name allow others inside.
fn enclosing<'o>(change: &Change, others: &HashMap<Path, (usize, &'o Change)>) -> Vec<&'o Change> {
    let mut outer = Path::new();
    let mut found = Vec::new();
    let count = change.path().len();
    for segment in change.path().segments().take(count.saturating_sub(1)) {
        outer.push_segment(&segment);
        found.extend(others.get(&outer).map(|(_, change)| *change).filter(|change| !change.is_outer()));
    }
    found
}
