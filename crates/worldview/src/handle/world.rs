//! The contents of a WORLD.WDB, and its index of names, which borrow from the view.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use self_cell::self_cell;

use super::{Cell, Handle, Note};
use crate::Asset;
use crate::island::{Content, Contents, Database, Library, LodsAt, Scope, TextureAt, WorldNames};

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

    /// Calls `look` with the index of names, and with the names of the world that `scope` is in. `None` if it is no WORLD.WDB.
    pub fn with_scope<T>(
        &self,
        scope: Scope,
        look: impl for<'d, 'a> FnOnce(&Library<'d, 'a>, Option<&WorldNames<'a>>) -> T,
    ) -> Option<T> {
        match scope {
            Scope::Part { world, .. } | Scope::Model { world, .. } => {
                self.with_world_names(world, |library, names| look(library, Some(names)))
            }
            Scope::Global | Scope::Blob(_) => self.with_names(|library| look(library, None)),
        }
    }

    /// Returns the models that the worlds of a WORLD.WDB refer to, each blob once: from where its names are resolved, its blob, and the
    /// name that the first world gives it.
    pub fn models(&self) -> impl Iterator<Item = (Scope, usize, &[u8])> {
        let mut seen = HashSet::new();
        let worlds = self.database().into_iter().flat_map(|database| database.worlds());
        let models = worlds.flat_map(|world| {
            let scope = move |model| Scope::Model { world: world.index, model };
            world.models.iter().enumerate().map(move |(index, model)| (scope(index), model))
        });
        models.filter_map(move |(scope, model)| {
            model.blob().filter(|blob| seen.insert(*blob)).map(|blob| (scope, blob, model.name.text()))
        })
    }

    /// Returns the parts of a WORLD.WDB with the scopes of their names: those that are always loaded, then those that worlds refer to, each
    /// blob once.
    pub fn parts(&self) -> Vec<(Scope, LodsAt, &[u8])> {
        let (Some(database), Some(contents)) = (self.database(), self.contents()) else { return Vec::new() };
        let always = contents.parts.iter().flat_map(|parts| parts.iter()).enumerate();
        let mut found: Vec<_> =
            always.map(|(part, view)| (Scope::Global, LodsAt::Global { part }, view.name.text())).collect();
        let mut seen = HashSet::new();
        for world in database.worlds() {
            for (index, reference) in world.parts.iter().enumerate() {
                let Some(blob) = reference.blob().filter(|blob| seen.insert(*blob)) else { continue };
                let content = contents.blobs.get(blob).and_then(|content| content.as_ref().ok());
                let parts = content.and_then(Content::parts).into_iter().flat_map(|parts| parts.iter()).enumerate();
                let scope = Scope::Part { world: world.index, part: index };
                found.extend(parts.map(|(part, view)| (scope, LodsAt::Part { blob, part }, view.name.text())));
            }
        }
        found
    }

    /// Returns where the textures of a WORLD.WDB are: the global ones, those of the global parts, and those of each blob.
    pub fn texture_places(&self) -> Vec<TextureAt> {
        let Some(contents) = self.contents() else { return Vec::new() };
        let global = contents.textures.as_ref().map_or(0, |textures| textures.len());
        let parts = contents.parts.as_ref().map_or(0, |parts| parts.textures.len());
        let blobs = contents.blobs.iter().enumerate().flat_map(|(blob, content)| {
            let count = content.as_ref().map_or(0, |content| content.own_textures().len());
            (0..count).map(move |texture| TextureAt::Blob { blob, texture })
        });
        (0..global).map(TextureAt::Global).chain((0..parts).map(TextureAt::Parts)).chain(blobs).collect()
    }
}
