//! Walks over the objects of a plane.

use crate::wwd::{Object, ObjectIter};
use self_cell::self_cell;

use super::Handle;

self_cell!(
    struct WalkCell {
        owner: Handle,
        #[covariant]
        dependent: ObjectIter,
    }
);

/// A walk over the objects of a plane, which keeps the level alive.
pub struct OwnedObjects {
    cell: WalkCell,
}

impl OwnedObjects {
    /// Starts at the first object of a plane. Returns `None` if there is no such plane.
    pub fn of(level: &Handle, plane: usize) -> Option<Self> {
        let cell = WalkCell::try_new(level.clone(), |level| {
            level.level().and_then(|level| level.planes().get(plane)).map(|plane| plane.objects().iter()).ok_or(())
        });
        Some(Self { cell: cell.ok()? })
    }

    /// Reads the next object and passes it to `look`. Returns `None` after the last object, or after an error.
    pub fn next<T>(&mut self, look: impl FnOnce(crate::Result<Object<'_>>) -> T) -> Option<T> {
        self.cell.with_dependent_mut(|_, walk| walk.next().map(look))
    }
}

impl std::fmt::Debug for OwnedObjects {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.cell.borrow_dependent().fmt(f)
    }
}
