use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;

use worldview_core::Path;

#[cfg(feature = "wwd")]
use super::tiles::Tiles;
use super::{Change, Changes, Position, place};
use crate::{EditError, Value};

/// Error returned when the changes of two files cannot be merged.
#[derive(Clone, Debug)]
pub enum MergeError {
    /// Changes that cannot both be applied.
    Conflicts(Vec<MergeConflict>),
    /// A change of tiles whose path or value no tiles can have.
    Malformed(EditError),
}

impl fmt::Display for MergeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(error) => error.fmt(f),
            Self::Conflicts(conflicts) => {
                let conflicts: Vec<_> = conflicts.iter().map(ToString::to_string).collect();
                f.write_str(&conflicts.join("\n"))
            }
        }
    }
}

impl std::error::Error for MergeError {}

impl From<EditError> for MergeError {
    fn from(error: EditError) -> Self {
        Self::Malformed(error)
    }
}

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
                write!(f, "expected to be {one} in one file and {two} in the other")
            }
            _ if left.path() == right.path() => {
                write!(f, "{} in one file, {} in the other", ShownChange(left), ShownChange(right))
            }
            _ => write!(f, "{} in one file; {}: {} in the other", ShownChange(left), right.path(), ShownChange(right)),
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
    /// Adds the changes of another list that this one does not have. If some conflict, this list stays as it is.
    ///
    /// Without the file it is not known how many elements have one name, so `object:1` and `object:1#0` count as the same element.
    ///
    /// # Errors
    ///
    /// Returns all pairs of changes that conflict: different changes of one place, of a place and of something that contains it, or of
    /// one tile. Returns an error if a change of tiles has a path or value that tiles cannot have.
    pub fn merge(&mut self, other: &Self) -> Result<(), MergeError> {
        let (left, right) = (by_path(self), by_path(other));
        let mut conflicts = Vec::new();
        let mut conflict = |left: &Change, right: &Change| {
            conflicts.push(MergeConflict { left: left.clone(), right: right.clone() });
        };
        // What both lists have is no conflict, whatever else they say about it.
        let is_common = |place: &Path, change: &Change, others: &Places<'_>| {
            others.get(place).is_some_and(|(_, other)| is_same(change, other))
        };
        for change in &*self {
            let place = place(change.path());
            if !is_common(&place, change, &right) {
                enclosing(&place, change, &right).into_iter().for_each(|outer| conflict(change, outer));
            }
        }
        let (mut added, mut expected) = (Vec::new(), Vec::new());
        #[cfg(feature = "wwd")]
        let tiles = Tiles::of(self)?;
        for change in other {
            let place = place(change.path());
            if is_common(&place, change, &left) {
                continue;
            }
            enclosing(&place, change, &left).into_iter().for_each(|outer| conflict(outer, change));
            #[cfg(feature = "wwd")]
            let tiles = tiles.conflicts(change)?;
            match left.get(&*place) {
                None => {
                    #[cfg(feature = "wwd")]
                    tiles.into_iter().for_each(|tiles| conflict(tiles, change));
                    added.push(change);
                }
                Some((index, same)) => match same.joined(change) {
                    // What one list expects is expected.
                    Some(kept) if std::ptr::eq(kept, change) => expected.push((*index, change)),
                    Some(_) => {}
                    None => conflict(same, change),
                },
            }
        }
        if !conflicts.is_empty() {
            return Err(MergeError::Conflicts(conflicts));
        }
        drop((left, right));
        for (index, change) in expected {
            self.list.get_mut(index).into_iter().for_each(|place| place.clone_from(change));
        }
        self.list.reserve_exact(added.len());
        self.list.extend(added.into_iter().cloned());
        Ok(())
    }
}

/// The changes of a list by their places, with their numbers.
type Places<'c> = HashMap<Cow<'c, Path>, (usize, &'c Change)>;

fn by_path(changes: &Changes) -> Places<'_> {
    changes.iter().enumerate().map(|(index, change)| (place(change.path()), (index, change))).collect()
}

/// Whether two changes are equal, however they spell their paths.
fn is_same(left: &Change, right: &Change) -> bool {
    let plain = |change: &Change| change.clone().with_paths(|path| place(&path).into_owned());
    left == right || plain(left) == plain(right)
}

/// The changes of another list about what contains a place; those of its position or name allow others inside.
fn enclosing<'o>(place: &Path, change: &Change, others: &Places<'o>) -> Vec<&'o Change> {
    let mut outer = Path::new();
    let mut found = Vec::new();
    let count = place.len();
    let mut get = |outer: &Path, allows: fn(&Change) -> bool| {
        found.extend(others.get(outer).map(|(_, change)| *change).filter(|change| !allows(change)));
    };
    for segment in place.segments().take(count.saturating_sub(1)) {
        outer.push_segment(&segment);
        get(&outer, Change::is_outer);
    }
    let Some(last) = place.segments().last().filter(|_| matches!(change, Change::Set { .. })) else { return found };
    match (last.kind, &*last.key) {
        (None, b"name") => get(&outer, |change| !matches!(change, Change::Rename { .. })),
        // Images can be set as a whole.
        (Some("pixel"), _) => {
            outer.push_name(b"pixels");
            get(&outer, |_| false);
        }
        (None, b"color") if change.path().segments().last().is_some_and(|last| last.nth.is_some()) => {
            outer.push_name(b"palette");
            get(&outer, |_| false);
        }
        _ => {}
    }
    found
}
