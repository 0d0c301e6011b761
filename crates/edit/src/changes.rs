mod json;

use worldview_core::Path;

use crate::Value;

/// Where an added or moved element goes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
        /// The path that the element will have.
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
    },
}

impl Change {
    /// Returns a change that gives a value to a field, whatever value it has.
    pub fn set(path: Path, to: impl Into<Value>) -> Self {
        Self::Set { path, from: None, to: to.into() }
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

/// A list of changes of one file; their order has no meaning.
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
