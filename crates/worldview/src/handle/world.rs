//! The contents of a WORLD.WDB, and its index of names, which borrow from the view.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use self_cell::self_cell;

use super::{Cell, Handle, Note};
use crate::Asset;
use crate::island::{Contents, Database, Library, WorldNames};

self_cell!(
    struct ContentsCell {
        owner: Arc<Cell>,
        #[covariant]
        dependent: Contents,
    }
);

/// The index of names, which borrows the database and its contents.
struct Names<'c> {
    library: Library<'c, 'c>,
    /// The world that was asked for last, and its names. All worlds may refer to the same blobs, so that the names of all
    /// worlds could take far more memory than the file.
    recent: Mutex<Option<(usize, Arc<WorldNames<'c>>)>>,
}

self_cell!(
    struct NamesCell {
        owner: Arc<ContentsCell>,
        #[not_covariant]
        dependent: Names,
    }
);

/// The parts of a WORLD.WDB that are read on demand.
pub(super) struct Contained {
    contents: Arc<ContentsCell>,
    names: OnceLock<NamesCell>,
    notes: Vec<Note>,
}

fn database<'a>(cell: &'a Cell) -> Option<&'a Database<'a>> {
    if let Asset::Database(database) = &cell.borrow_dependent().asset { Some(database) } else { None }
}

impl Contained {
    /// Reads the contents; `None` if it is no WORLD.WDB.
    fn read(cell: &Arc<Cell>) -> Option<Self> {
        let mut notes = Vec::new();
        let contents = ContentsCell::try_new(Arc::clone(cell), |cell| {
            let database = database(cell).ok_or(())?;
            if !cell.borrow_owner().options.lossy {
                return Ok(Contents::read(database));
            }
            Ok::<_, ()>(Contents::read_lossy(database, &mut |finding| notes.push(Note::from(&finding.any()))))
        });
        Some(Self { contents: Arc::new(contents.ok()?), names: OnceLock::new(), notes })
    }

    fn names(&self) -> Option<&NamesCell> {
        if let Some(names) = self.names.get() {
            return Some(names);
        }
        let names = NamesCell::try_new(Arc::clone(&self.contents), |contents| {
            let database = database(contents.borrow_owner()).ok_or(())?;
            let library = Library::new(database, contents.borrow_dependent());
            Ok::<_, ()>(Names { library, recent: Mutex::new(None) })
        });
        let names = names.ok()?;
        Some(self.names.get_or_init(|| names))
    }
}

impl Handle {
    fn contained(&self) -> Option<&Contained> {
        self.world.get_or_init(|| Contained::read(&self.cell)).as_ref()
    }

    /// Returns the contents of all blobs and of both chunks of a WORLD.WDB; `None` if it is none. The first call reads them.
    pub fn contents(&self) -> Option<&Contents<'_>> {
        self.contained().map(|world| world.contents.borrow_dependent())
    }

    /// Returns what was left out of the contents, which are read if nobody has read them.
    pub(super) fn left_out_of_contents(&self) -> &[Note] {
        self.contained().map_or(&[], |world| &world.notes)
    }

    /// Calls `look` with the index of names of a WORLD.WDB; `None` if it is none. The first call builds it.
    pub fn with_names<T>(&self, look: impl FnOnce(&Library<'_, '_>) -> T) -> Option<T> {
        Some(self.contained()?.names()?.with_dependent(|_, names| look(&names.library)))
    }

    /// Calls `look` with the index of names, and with the names that the parts and models of a world register. They are kept until
    /// another world is asked for. `None` if it is no WORLD.WDB.
    pub fn with_world_names<T>(
        &self,
        world: usize,
        look: impl for<'d, 'a> FnOnce(&Library<'d, 'a>, &WorldNames<'a>) -> T,
    ) -> Option<T> {
        Some(self.contained()?.names()?.with_dependent(|_, names| {
            let mut recent = names.recent.lock().unwrap_or_else(PoisonError::into_inner);
            let found = match &*recent {
                Some((of, found)) if *of == world => Arc::clone(found),
                _ => {
                    let found = Arc::new(names.library.world_names(world));
                    *recent = Some((world, Arc::clone(&found)));
                    found
                }
            };
            drop(recent);
            look(&names.library, &found)
        }))
    }
}
