//! A list of levels of detail of WORLD.WDB, with its meshes indexed.

use crate::island::{Lod, LodsAt, Mesh};
use self_cell::self_cell;

use super::Handle;

/// The levels and meshes of one list. In the file, both can only be found by reading what precedes them.
struct Index<'a> {
    levels: Vec<Level<'a>>,
    meshes: Vec<Mesh<'a>>,
}

/// A level with the index of its first mesh. Levels without data take 4 bytes in the file, so they are not kept.
enum Level<'a> {
    Empty(u64),
    Full(Box<Lod<'a>>, usize),
}

self_cell!(
    struct IndexCell {
        owner: Handle,
        #[covariant]
        dependent: Index,
    }
);

/// A list of levels of detail, that of a part or of an object of a model, which keeps its file alive.
pub struct OwnedLods {
    cell: IndexCell,
}

impl OwnedLods {
    /// Opens the list at a location of a WORLD.WDB. Returns `None` if there is no such part or object, or if its blob is broken.
    pub fn of(database: &Handle, at: LodsAt) -> Option<Self> {
        let (start, len) =
            database.with_names(|library| library.lods_at(at).map(|lods| (lods.offset(), lods.len())))??;
        let cell = IndexCell::new(database.clone(), |database| {
            let mut index = Index { levels: Vec::new(), meshes: Vec::new() };
            let mut next = start;
            for _ in 0..len {
                let Some(lod) = lod(database, next) else { break };
                next = lod.end;
                if lod.counts.is_none() && lod.meshes.is_empty() {
                    index.levels.push(Level::Empty(lod.at));
                    continue;
                }
                let first = index.meshes.len();
                index.meshes.extend(lod.meshes);
                index.levels.push(Level::Full(Box::new(lod), first));
            }
            index
        });
        Some(Self { cell })
    }

    /// Returns the number of levels. The coarsest level comes first.
    pub fn len(&self) -> usize {
        self.cell.borrow_dependent().levels.len()
    }

    /// Returns whether there are no levels.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns a level.
    pub fn lod(&self, index: usize) -> Option<Lod<'_>> {
        match self.cell.borrow_dependent().levels.get(index)? {
            Level::Empty(at) => lod(self.cell.borrow_owner(), *at),
            Level::Full(lod, _) => Some(**lod),
        }
    }

    /// Returns a mesh of a level.
    pub fn mesh(&self, level: usize, index: usize) -> Option<&Mesh<'_>> {
        let all = self.cell.borrow_dependent();
        let Level::Full(lod, first) = all.levels.get(level)? else { return None };
        (index < lod.meshes.len()).then(|| all.meshes.get(first.checked_add(index)?)).flatten()
    }
}

/// Reads the level at an offset in the file. The lists were validated when their blobs were read.
fn lod(database: &Handle, at: u64) -> Option<Lod<'_>> {
    let file = database.database()?.source();
    Lod::parse(file.tail(at.checked_sub(file.base())?, "LOD").ok()?).ok()
}

worldview_core::debug_summary!("OwnedLods", OwnedLods, |this| len: this.len());
