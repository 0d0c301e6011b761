use std::collections::HashSet;
use std::fmt;

use worldview_core::Error;

/// What became of an export: how much there is of what, and what is not there.
#[non_exhaustive]
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Nodes: objects, and what holds them in place.
    pub nodes: usize,
    /// Meshes: levels of detail.
    pub meshes: usize,
    /// Materials.
    pub materials: usize,
    /// Textures, each with its own picture.
    pub textures: usize,
    /// Animations.
    pub animations: usize,
    /// References of a world to models.
    pub references: u64,
    /// How many of them are left out since their model cannot be opened.
    pub unopened: u64,
    /// Why meshes and models are left out; the first [`Report::MOST`] of them.
    pub left_out: Vec<Error>,
    /// How many are left out.
    pub left_out_count: u64,
    /// Names that lead nowhere, each once for whatever has it; the first [`Report::MOST`] of each kind.
    pub unresolved: Vec<Unresolved>,
    /// How many lead nowhere.
    pub unresolved_count: u64,
    /// The meshes and objects whose names are known to lead nowhere.
    known: HashSet<(ReferenceKind, u64)>,
}

/// A name that leads nowhere.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unresolved {
    /// What it refers to.
    pub kind: ReferenceKind,
    /// The name, decoded.
    pub name: String,
    /// Offset in the file of the mesh or object that has it.
    pub at: u64,
}

/// What a name refers to: the two kinds of parts that files share by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReferenceKind {
    /// A texture; without it a mesh is white.
    Texture,
    /// A list of levels of detail; without it an object is not drawn.
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
    pub const MOST: usize = 64;

    /// Returns the offset in the file of each mesh and object that has a name that leads nowhere, in no order.
    pub fn unresolved_at(&self) -> impl Iterator<Item = (ReferenceKind, u64)> {
        self.known.iter().copied()
    }

    /// Notes something that is left out.
    pub(super) fn leave_out(&mut self, error: Error) {
        self.left_out_count += 1;
        if self.left_out.len() < Self::MOST {
            self.left_out.push(error);
        }
    }

    /// Notes a name that leads nowhere, once for each thing that has it.
    pub(super) fn miss(&mut self, kind: ReferenceKind, at: u64, name: String) {
        if !self.known.insert((kind, at)) {
            return;
        }
        self.unresolved_count += 1;
        let kept = self.unresolved.iter().filter(|unresolved| unresolved.kind == kind).count();
        if kept < Self::MOST {
            self.unresolved.push(Unresolved { kind, name, at });
        }
    }
}
