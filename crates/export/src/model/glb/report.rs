use std::collections::HashSet;
use std::fmt;

use worldview_core::Error;

/// The result of an export: what was written and what is missing.
#[non_exhaustive]
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The number of nodes, including those without an object.
    pub nodes: usize,
    /// The number of meshes, each of which is a level of detail.
    pub meshes: usize,
    /// The number of materials.
    pub materials: usize,
    /// The number of textures, each of which has its own picture.
    pub textures: usize,
    /// The number of animations.
    pub animations: usize,
    /// References of a world to models.
    pub references: u64,
    /// How many of them are left out since their model cannot be opened.
    pub unopened: u64,
    /// The reasons why meshes and models are omitted, limited to the first [`Report::MAX_LISTED`].
    pub left_out: Vec<Error>,
    /// The total number of omitted meshes and models.
    pub left_out_count: u64,
    /// Names that lead nowhere, each once for whatever has it; the first [`Report::MAX_LISTED`] of each kind.
    pub unresolved: Vec<Unresolved>,
    /// The total number of unresolved names.
    pub unresolved_count: u64,
    /// The meshes and objects whose names are already known to be unresolved.
    known: HashSet<(ReferenceKind, u64)>,
}

/// A name that cannot be resolved.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unresolved {
    /// The kind of its target.
    pub kind: ReferenceKind,
    /// The decoded name.
    pub name: String,
    /// Offset in the file of the mesh or object with the name.
    pub at: u64,
}

/// The target of a name: one of the two kinds of parts that are shared by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReferenceKind {
    /// A texture. A mesh without its texture is white.
    Texture,
    /// A list of levels of detail. An object without its levels is not drawn.
    Levels,
}

impl fmt::Display for ReferenceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Texture => "texture",
            Self::Levels => "levels of detail",
        })
    }
}

impl Report {
    /// How many errors, and names of each kind, are kept, so that a report of a broken file stays short.
    pub const MAX_LISTED: usize = 64;

    /// Returns the offset in the file of each mesh and object that has a name that leads nowhere, in no order.
    pub fn unresolved_at(&self) -> impl Iterator<Item = (ReferenceKind, u64)> {
        self.known.iter().copied()
    }

    /// Records an omission.
    pub(super) fn leave_out(&mut self, error: Error) {
        self.left_out_count += 1;
        if self.left_out.len() < Self::MAX_LISTED {
            self.left_out.push(error);
        }
    }

    /// Records an unresolved name, once for each mesh or object that has it.
    pub(super) fn miss(&mut self, kind: ReferenceKind, at: u64, name: String) {
        if !self.known.insert((kind, at)) {
            return;
        }
        self.unresolved_count += 1;
        let kept = self.unresolved.iter().filter(|unresolved| unresolved.kind == kind).count();
        if kept < Self::MAX_LISTED {
            self.unresolved.push(Unresolved { kind, name, at });
        }
    }
}
