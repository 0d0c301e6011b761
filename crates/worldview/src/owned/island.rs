//! WORLD.WDB.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::island::{Contents, Database, Library, WorldNames};
use self_cell::self_cell;

use super::handle::Held;
use super::{Failure, Note, Part};
use crate::{Asset, World};

self_cell!(
    struct DirectoryCell {
        owner: Part,
        #[covariant]
        dependent: Database,
    }
);

self_cell!(
    struct ContentsCell {
        owner: Arc<DirectoryCell>,
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

/// A WORLD.WDB. Its directory is read when it is opened, its blobs when the first of them is asked for.
pub struct DatabaseHandle {
    directory: Arc<DirectoryCell>,
    lossy: bool,
    findings: Vec<Note>,
    contents: OnceLock<(Arc<ContentsCell>, Vec<Note>)>,
    names: OnceLock<NamesCell>,
}

impl DatabaseHandle {
    pub(crate) fn open(part: Part, lossy: bool) -> Result<Self, Failure> {
        let mut findings = Vec::new();
        let directory = DirectoryCell::try_new(part, |part| {
            if !lossy {
                return Database::parse(part.bytes());
            }
            Database::parse_lossy(part.bytes(), &mut |finding| findings.push(Note::from(&finding)))
        })?;
        let directory = Arc::new(directory);
        Ok(Self { directory, lossy, findings, contents: OnceLock::new(), names: OnceLock::new() })
    }

    /// Returns the directory.
    pub fn database(&self) -> &Database<'_> {
        self.directory.borrow_dependent()
    }

    /// Returns the contents of all blobs and of both chunks. The first call reads them.
    pub fn contents(&self) -> &Contents<'_> {
        self.read().0.borrow_dependent()
    }

    fn read(&self) -> &(Arc<ContentsCell>, Vec<Note>) {
        self.contents.get_or_init(|| {
            let mut findings = Vec::new();
            let cell = ContentsCell::new(Arc::clone(&self.directory), |directory| {
                let database = directory.borrow_dependent();
                if !self.lossy {
                    return Contents::read(database);
                }
                Contents::read_lossy(database, &mut |finding| findings.push(Note::from(&finding)))
            });
            (Arc::new(cell), findings)
        })
    }

    /// Calls `look` with the index of names. The first call builds it.
    pub fn with_names<T>(&self, look: impl FnOnce(&Library<'_, '_>) -> T) -> T {
        self.names().with_dependent(|_, names| look(&names.library))
    }

    /// Calls `look` with the index of names, and with the names that the parts and models of a world register. They are
    /// kept until another world is asked for.
    pub fn with_world_names<T>(
        &self,
        world: usize,
        look: impl for<'d, 'a> FnOnce(&Library<'d, 'a>, &WorldNames<'a>) -> T,
    ) -> T {
        self.names().with_dependent(|_, names| {
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
        })
    }

    fn names(&self) -> &NamesCell {
        self.names.get_or_init(|| {
            NamesCell::new(Arc::clone(&self.read().0), |contents| {
                let database = contents.borrow_owner().borrow_dependent();
                let library = Library::new(database, contents.borrow_dependent());
                Names { library, recent: Mutex::new(None) }
            })
        })
    }

    /// Returns the part that the database was opened from.
    pub fn part(&self) -> &Part {
        self.directory.borrow_owner()
    }

    /// Returns what was left out of the directory and of the blobs, which are read if nobody has read them.
    pub fn findings(&self) -> impl Iterator<Item = &Note> {
        self.findings.iter().chain(&self.read().1)
    }
}

impl Held for DatabaseHandle {
    fn asset(&self) -> Asset<'_, '_> {
        Asset::World(World { database: self.database(), contents: self.contents() })
    }

    fn part(&self) -> &Part {
        self.part()
    }

    fn notes(&self) -> Vec<Note> {
        self.findings().cloned().collect()
    }
}

impl std::fmt::Debug for DatabaseHandle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.database().fmt(f)
    }
}
