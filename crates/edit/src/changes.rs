mod invert;
#[cfg(feature = "json")]
mod json;
mod merge;
#[cfg(feature = "wwd")]
pub(crate) mod tiles;

use std::borrow::Cow;
use std::collections::HashMap;

use worldview_core::{Path, Segment, quote};

use crate::{EditError, EditErrorKind, Result, Value};

pub(crate) use invert::stored_key;
#[cfg(feature = "json")]
pub use json::SideFiles;
pub use merge::{MergeConflict, MergeError};

/// Where an added or moved element goes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Position {
    /// Where the order of the file puts it: among sorted names, or at the end of a list without an order.
    #[default]
    Natural,
    /// Directly before another element of the original.
    Before(Path),
    /// Directly after another element of the original.
    After(Path),
}

/// One change of a file. All paths refer to the original.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// Gives a value to a field, or other bytes to a member.
    Set {
        /// The field or member.
        path: Path,
        /// The value that the original must have; `None` accepts any.
        from: Option<Value>,
        /// The new value.
        to: Value,
    },
    /// Adds an element.
    Add {
        /// The path that the element will have. Among elements of the main list with one name it gets the next number, or that of a
        /// place between them; removed ones keep theirs until all changes are made.
        path: Path,
        /// An element of the original that gives every field not listed in `fields`; without it they are zero or empty.
        like: Option<Path>,
        /// Where the element goes.
        position: Position,
        /// Fields by name.
        fields: Vec<(String, Value)>,
        /// The bytes of an added archive member.
        data: Option<Value>,
    },
    /// Removes an element.
    Remove {
        /// The element.
        path: Path,
        /// The fields that it must have; all of them, if the removal is to be inverted.
        fields: Vec<(String, Value)>,
        /// The bytes that an archive member must have.
        data: Option<Value>,
        /// Where it was: beside an element that stays, or beside another one that goes too. Only the inverse needs it.
        was: Position,
    },
    /// Gives an element another name.
    Rename {
        /// The element.
        path: Path,
        /// Its new name.
        to: Value,
    },
    /// Moves an element inside its list.
    Move {
        /// The element.
        path: Path,
        /// Where it goes.
        position: Position,
        /// Where it was: beside an element that stays, or beside another one that goes too. Only the inverse needs it.
        was: Position,
    },
}

impl Change {
    /// The largest number of segments that a path of a change may have.
    pub const MAX_SEGMENTS: usize = 256;

    /// Returns a change that gives a value to a field, whatever value it has.
    pub fn set(path: Path, to: impl Into<Value>) -> Self {
        Self::Set { path, from: None, to: to.into() }
    }

    /// Returns a change that removes an element, whatever is in it.
    pub const fn remove(path: Path) -> Self {
        Self::Remove { path, fields: Vec::new(), data: None, was: Position::Natural }
    }

    /// Returns the place of the change.
    pub const fn path(&self) -> &Path {
        match self {
            Self::Set { path, .. }
            | Self::Add { path, .. }
            | Self::Remove { path, .. }
            | Self::Rename { path, .. }
            | Self::Move { path, .. } => path,
        }
    }
}

impl Position {
    /// Returns the element that the position names.
    pub const fn neighbor(&self) -> Option<&Path> {
        match self {
            Self::Natural => None,
            Self::Before(path) | Self::After(path) => Some(path),
        }
    }

    fn with_path(self, map: impl FnOnce(Path) -> Path) -> Self {
        match self {
            Self::Natural => Self::Natural,
            Self::Before(path) => Self::Before(map(path)),
            Self::After(path) => Self::After(map(path)),
        }
    }
}

impl Change {
    /// Returns whether the change is about the place or name of an element in its list, so that others may be about what is inside it.
    pub(crate) const fn is_outer(&self) -> bool {
        matches!(self, Self::Move { .. } | Self::Rename { .. })
    }

    /// Returns the change that says what this and another change of the same place say, unless they differ.
    pub(crate) fn joined<'c>(&'c self, other: &'c Self) -> Option<&'c Self> {
        match (self, other) {
            (Self::Set { from, to, .. }, Self::Set { from: expected, to: same, .. }) if to == same => {
                // What one of them expects is expected.
                match (from, expected) {
                    (Some(from), Some(expected)) => (from == expected).then_some(self),
                    (None, Some(_)) => Some(other),
                    _ => Some(self),
                }
            }
            _ => (self == other).then_some(self),
        }
    }

    /// Returns all paths of the change.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &Path> {
        let (like, beside) = match self {
            Self::Set { .. } | Self::Rename { .. } => ([None], [None, None]),
            Self::Add { like, position, .. } => ([like.as_ref()], [position.neighbor(), None]),
            Self::Remove { was, .. } => ([None], [was.neighbor(), None]),
            Self::Move { position, was, .. } => ([None], [position.neighbor(), was.neighbor()]),
        };
        std::iter::once(self.path()).chain(like.into_iter().chain(beside).flatten())
    }

    /// Returns the path of the element below which the change adds another one, if it names it.
    pub(crate) fn parent(&self) -> Option<Path> {
        let Self::Add { fields, .. } = self else { return None };
        let (_, value) = fields.iter().find(|(name, _)| name == "parent")?;
        std::str::from_utf8(value.as_bytes()?).ok()?.parse().ok()
    }

    /// Replaces this path.
    pub(crate) fn map_parent(&mut self, map: impl FnOnce(Path) -> Path) {
        let parent = self.parent();
        if let (Self::Add { fields, .. }, Some(parent)) = (self, parent)
            && let Some((_, value)) = fields.iter_mut().find(|(name, _)| name == "parent")
        {
            *value = map(parent).as_str().into();
        }
    }

    /// Returns the change with all its paths replaced.
    pub(crate) fn with_paths(self, map: impl Fn(Path) -> Path) -> Self {
        match self {
            Self::Set { path, from, to } => Self::Set { path: map(path), from, to },
            Self::Add { path, like, position, fields, data } => {
                Self::Add { path: map(path), like: like.map(&map), position: position.with_path(&map), fields, data }
            }
            Self::Remove { path, fields, data, was } => {
                Self::Remove { path: map(path), fields, data, was: was.with_path(&map) }
            }
            Self::Rename { path, to } => Self::Rename { path: map(path), to },
            Self::Move { path, position, was } => {
                Self::Move { path: map(path), position: position.with_path(&map), was: was.with_path(&map) }
            }
        }
    }
}

/// Returns an error if a path has more segments than changes may have.
///
/// # Errors
///
/// Returns an error of the kind [`EditErrorKind::PathTooLong`], with the start of the path.
pub fn check_path(path: &Path) -> Result<()> {
    if path.len() <= Change::MAX_SEGMENTS {
        return Ok(());
    }
    Err(EditError::new(
        &path.first(4),
        EditErrorKind::PathTooLong { segments: path.len(), limit: Change::MAX_SEGMENTS },
    ))
}

/// Parses a path of a change.
pub(crate) fn parse_path(text: &str) -> Result<Path> {
    let path =
        text.parse().map_err(|error| EditError::malformed(None, format!("{text}: {error}", text = quote(text))))?;
    check_path(&path)?;
    Ok(path)
}

/// Returns a path as paths are compared without the file: the first of several elements may be the only one.
pub(crate) fn place(path: &Path) -> Cow<'_, Path> {
    if !path.as_str().contains("#0") {
        return Cow::Borrowed(path);
    }
    let mut place = Path::new();
    for segment in path.segments() {
        place.push_segment(&Segment { nth: segment.nth.filter(|nth| *nth > 0), ..segment });
    }
    Cow::Owned(place)
}

/// Returns a path in lower case, without the segment `@level`, which may be left out.
pub fn folded(path: &Path) -> Path {
    let mut folded = Path::new();
    for segment in without_level(path).segments() {
        folded.push_segment(&Segment { key: segment.key.to_ascii_lowercase().into(), ..segment });
    }
    folded
}

fn without_level(path: &Path) -> Path {
    let mut without = Path::new();
    path.segments().filter(|segment| !is_level(segment)).for_each(|segment| without.push_segment(&segment));
    without
}

/// Returns whether a segment is that of the level in an archive, which may be left out of a path.
fn is_level(segment: &Segment<'_>) -> bool {
    segment.kind == Some("@") && *segment.key == *b"level"
}

/// Changes of one file; their order has no meaning.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Changes {
    list: Vec<Change>,
}

impl Changes {
    /// Returns an empty list, which leaves a file as it is.
    pub const fn new() -> Self {
        Self { list: Vec::new() }
    }

    /// Appends a change.
    pub fn push(&mut self, change: Change) {
        self.list.push(change);
    }

    /// Returns the number of changes.
    pub const fn len(&self) -> usize {
        self.list.len()
    }

    /// Returns whether there are no changes.
    pub const fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Returns the same changes for a file that contains this one as `prefix`: an archive and the path of a member.
    #[must_use]
    pub fn prefixed(self, prefix: &Path) -> Self {
        self.into_iter().map(|change| change.with_paths(|path| prefix.joined(&path))).collect()
    }

    /// Returns these changes with those that went [along](crate::Patches::also). Of two of one place, the former stays, and gets the old
    /// value of the latter if it has none.
    #[must_use]
    pub fn along(mut self, also: &Self) -> Self {
        let place = |change: &Change| folded(&place(change.path()));
        let mut rest: HashMap<_, _> = also.iter().map(|change| (place(change), change)).collect();
        if !rest.is_empty() {
            for change in &mut self.list {
                if let (Some(Change::Set { from: old, .. }), Change::Set { from: from @ None, .. }) =
                    (rest.remove(&place(change)), change)
                {
                    from.clone_from(old);
                }
            }
        }
        let also = also.iter().filter(|change| rest.contains_key(&place(change))).cloned();
        // All paths to one object have the level of an archive, or none.
        let is_named = self.iter().any(|change| change.path().segments().any(|segment| is_level(&segment)));
        let shown = |path: Path| if is_named { path } else { without_level(&path) };
        let also: Vec<_> = also.map(|change| change.with_paths(shown)).collect();
        self.extend(also);
        self
    }

    /// Returns the same changes for the part of the file in which they are, which has several paths; the longest is the first.
    pub(crate) fn inside(self, prefixes: &[&Path]) -> Self {
        let behind = |path: Path| {
            let Some(prefix) = prefixes.iter().find(|prefix| path.is_within(prefix)) else { return path };
            path.parts().skip(prefix.len()).collect()
        };
        self.into_iter().map(|change| change.with_paths(behind)).collect()
    }

    /// Returns the changes, in the order in which they were added.
    pub fn iter(&self) -> std::slice::Iter<'_, Change> {
        self.list.iter()
    }
}

impl<'c> IntoIterator for &'c Changes {
    type Item = &'c Change;
    type IntoIter = std::slice::Iter<'c, Change>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl IntoIterator for Changes {
    type Item = Change;
    type IntoIter = std::vec::IntoIter<Change>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}

impl FromIterator<Change> for Changes {
    fn from_iter<I: IntoIterator<Item = Change>>(changes: I) -> Self {
        Self { list: changes.into_iter().collect() }
    }
}

impl Extend<Change> for Changes {
    fn extend<I: IntoIterator<Item = Change>>(&mut self, changes: I) {
        self.list.extend(changes);
    }
}
