//! What requests for one level share: its pictures, and the painters of its planes.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

use self_cell::self_cell;
use worldview::Handle;
use worldview::rez::Rez;
use worldview::wwd::{Level, Plane};
use worldview_export::level::game::{GamePaths, LevelPictures};
use worldview_export::level::png::region::PlanePainter;
use worldview_verbs::level_folder;

use crate::answer::Failed;
use crate::files::{Files, Opened, Recent, lock};
use crate::library::{Library, walk};

/// The number of levels whose pictures are kept: two that are compared, and the one before.
const KEPT: usize = 3;

/// The number of planes whose painters are kept.
const KEPT_PLANES: usize = 8;

/// The number of edited levels that are kept, and the size of all, in bytes.
const KEPT_EDITED: (usize, u64) = (4, 128 << 20);

/// The maximum number of archives among the given files in which the pictures of a level are looked for, and of files that are looked at
/// to find them.
const MAX_ARCHIVES: (usize, usize) = (16, 20_000);

/// The last levels.
#[derive(Debug, Default)]
pub(crate) struct Sessions {
    /// By the address in memory of what was opened, which they keep.
    plain: Mutex<Recent<usize, Arc<Session>>>,
    /// By the names of the edits.
    edited: Mutex<Recent<String, Arc<Session>>>,
}

/// A level with its pictures.
pub(crate) struct Session {
    opened: Arc<Opened>,
    cell: PaintersCell,
    missing: OnceLock<u64>,
}

/// Where the pictures of a level come from, and the level itself.
struct Sources {
    level: Handle,
    /// The archive that contains the level, and where it is.
    own: Option<Arc<Opened>>,
    game: GamePaths,
    archives: Vec<Arc<Opened>>,
    /// The folder with the pictures of a level that a player made.
    custom: Option<PathBuf>,
    /// Why the game has no pictures.
    error: Option<String>,
}

/// A level and its pictures.
struct FoundPictures<'s> {
    level: &'s Level<'s>,
    pictures: Option<LevelPictures<'s>>,
    error: Option<String>,
}

self_cell!(
    struct FoundPicturesCell {
        owner: Sources,
        #[covariant]
        dependent: FoundPictures,
    }
);

/// The painters of the last planes.
struct Painters<'s>(Mutex<Recent<usize, Arc<PlanePainter<'s>>>>);

self_cell!(
    struct PaintersCell {
        owner: FoundPicturesCell,
        #[not_covariant]
        dependent: Painters,
    }
);

/// Where the pictures of levels can be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PictureSources<'v> {
    pub(crate) files: &'v Files,
    pub(crate) library: &'v Library,
    /// The REZ archive or the folder of a game.
    pub(crate) game: Option<&'v Path>,
}

impl Sessions {
    /// Returns what the requests for a level share. Returns an error if the part is not a level.
    pub(crate) fn get(&self, surroundings: PictureSources<'_>, opened: &Arc<Opened>) -> Result<Arc<Session>, Failed> {
        // Held while pictures are looked for: of several requests at once, one does that.
        let (mut kept, key) = (lock(&self.plain), Arc::as_ptr(opened).addr());
        if let Some(session) = kept.get(|known| *known == key) {
            return Ok(session);
        }
        let session = Arc::new(Session::new(surroundings, opened)?);
        kept.put(key, Arc::clone(&session), (KEPT, u64::MAX), |_| 0);
        Ok(session)
    }

    /// Returns an edited level, if it is still kept.
    pub(crate) fn edited(&self, edits: &str) -> Option<Arc<Session>> {
        lock(&self.edited).get(|known| known == edits)
    }

    /// Keeps an edited level. Returns an error if the part is not a level.
    pub(crate) fn keep_edited(
        &self,
        surroundings: PictureSources<'_>,
        edits: &str,
        opened: &Arc<Opened>,
    ) -> Result<(), Failed> {
        let session = Arc::new(Session::new(surroundings, opened)?);
        let size = |session: &Arc<Session>| {
            let Opened { handle, .. } = &*session.opened;
            handle.part().bytes().len() as u64 + session.opened.weight()
        };
        lock(&self.edited).put(edits.to_owned(), session, KEPT_EDITED, size);
        Ok(())
    }
}

impl Session {
    fn new(surroundings: PictureSources<'_>, opened: &Arc<Opened>) -> Result<Self, Failed> {
        let sources = Sources::of(surroundings, opened);
        let found = FoundPicturesCell::try_new(sources, |sources| FoundPictures::of(sources))?;
        let cell = PaintersCell::new(found, |_| Painters(Mutex::default()));
        Ok(Self { opened: Arc::clone(opened), cell, missing: OnceLock::new() })
    }

    pub(crate) const fn opened(&self) -> &Arc<Opened> {
        &self.opened
    }

    pub(crate) fn level(&self) -> &Level<'_> {
        self.cell.borrow_owner().borrow_dependent().level
    }

    /// Returns a plane. Returns an error if there is no such plane.
    pub(crate) fn plane(&self, index: usize) -> Result<&Plane<'_>, Failed> {
        self.level().planes().get(index).ok_or_else(|| Failed::missing("there is no such plane"))
    }

    /// Returns the pictures of the game, if there are any.
    pub(crate) fn pictures(&self) -> Option<&LevelPictures<'_>> {
        self.cell.borrow_owner().borrow_dependent().pictures.as_ref()
    }

    /// Returns why there are no pictures, if that is because of an error.
    pub(crate) fn error(&self) -> Option<&str> {
        let found = self.cell.borrow_owner().borrow_dependent().error.as_deref();
        found.or(self.sources().error.as_deref())
    }

    /// Returns the names of the files and folders in which pictures are looked for.
    pub(crate) fn places(&self) -> Vec<String> {
        let sources = self.sources();
        let archives = sources.own.iter().chain(&sources.archives).map(|archive| &archive.path);
        let folders = sources.game.unpacked.iter().chain(&sources.custom);
        let names = archives.chain(folders).filter_map(|path| path.file_name());
        names.map(|name| name.to_string_lossy().into_owned()).collect()
    }

    /// Returns the archive that contains the level, if one does.
    pub(crate) fn own_archive(&self) -> Option<&Rez<'_>> {
        self.sources().own.as_deref().and_then(rez)
    }

    /// Returns how many tiles and objects have no picture. The first call decodes all pictures.
    pub(crate) fn missing(&self) -> u64 {
        *self.missing.get_or_init(|| {
            let report = self.pictures().map(|pictures| pictures.resolve(self.level()));
            // A level that cannot be walked has findings that say so.
            report.and_then(Result::ok).map_or(0, |report| {
                let (tiles, objects) = report.missing();
                tiles + objects
            })
        })
    }

    /// Calls `draw` with the painter of a plane. Returns the error of `draw`, or one if there is no such plane.
    pub(crate) fn paint<T>(
        &self,
        plane: usize,
        draw: impl FnOnce(&PlanePainter<'_>) -> Result<T, Failed>,
    ) -> Result<T, Failed> {
        self.cell.with_dependent(|found, painters| {
            let (level, pictures) = (found.borrow_dependent().level, found.borrow_dependent().pictures.as_ref());
            let found = level.planes().get(plane).ok_or_else(|| Failed::missing("there is no such plane"))?;
            let painter = {
                let mut kept = lock(&painters.0);
                kept.get(|index| *index == plane).unwrap_or_else(|| {
                    let painter = Arc::new(PlanePainter::new(level, found).game(pictures));
                    kept.put(plane, Arc::clone(&painter), (KEPT_PLANES, u64::MAX), |_| 0);
                    painter
                })
            };
            draw(&painter)
        })
    }

    fn sources(&self) -> &Sources {
        self.cell.borrow_owner().borrow_owner()
    }
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").field("opened", &self.opened).finish_non_exhaustive()
    }
}

impl Sources {
    fn of(surroundings: PictureSources<'_>, opened: &Arc<Opened>) -> Self {
        let mut sources = Self {
            level: opened.handle.clone(),
            own: None,
            game: GamePaths::default(),
            archives: Vec::new(),
            custom: None,
            error: None,
        };
        if opened.inside.is_empty() {
            // A level that a player made has its pictures in a folder with its name, beside it.
            let custom = level_folder(&opened.path).unwrap_or_else(|why| {
                sources.error = Some(why);
                None
            });
            let custom = custom.and_then(|custom| custom.canonicalize().ok());
            sources.custom = custom.filter(|custom| custom.is_dir() && surroundings.library.contains(custom));
        } else {
            sources.own = surroundings.files.open(&opened.path, b"").ok().filter(|archive| rez(archive).is_some());
        }
        match surroundings.game {
            Some(path) => {
                if let Err(failed) = sources.add_game(surroundings.files, path) {
                    sources.error = Some(format!("{}: {}", path.display(), failed.message));
                }
            }
            None if sources.own.is_none() => sources.archives.extend(best_archive(surroundings, opened)),
            None => {}
        }
        sources
    }

    fn add_game(&mut self, files: &Files, path: &Path) -> Result<(), Failed> {
        self.game = GamePaths::of(path)?;
        for path in &self.game.archives {
            let archive = files.open(path, b"")?;
            if rez(&archive).is_none() {
                return Err(Failed::invalid("is not a REZ archive"));
            }
            self.archives.push(archive);
        }
        Ok(())
    }
}

impl<'s> FoundPictures<'s> {
    fn of(sources: &'s Sources) -> Result<Self, Failed> {
        let level = sources.level.level().ok_or_else(|| Failed::invalid("is not a level"))?;
        let archives = sources.archives.iter().filter_map(|archive| rez(archive));
        let assets = sources.game.assets(sources.own.as_deref().and_then(rez), archives);
        if assets.is_empty() && sources.custom.is_none() {
            return Ok(Self { level, pictures: None, error: None });
        }
        Ok(match LevelPictures::of(&assets, level, sources.custom.as_deref()) {
            Ok(pictures) => {
                Self { level, pictures: Some(pictures).filter(|pictures| !pictures.is_empty()), error: None }
            }
            Err(error) => Self { level, pictures: None, error: Some(error.to_string()) },
        })
    }
}

/// Returns the REZ archive among the given files that has the most image sets of a level, if one has any.
fn best_archive(surroundings: PictureSources<'_>, level: &Opened) -> Option<Arc<Opened>> {
    let level = level.handle.level()?;
    let is_rez = |path: &Path| path.extension().is_some_and(|end| end.eq_ignore_ascii_case("rez"));
    let files = surroundings.library.roots.iter().flat_map(|root| {
        let own = root.path.is_file().then(|| root.path.clone());
        own.into_iter().chain(walk(&root.path).flatten().map(walkdir::DirEntry::into_path))
    });
    let (most, most_files) = MAX_ARCHIVES;
    let archives = files.take(most_files).filter(|path| is_rez(path)).take(most);
    let counted = archives.filter_map(|path| {
        let archive = surroundings.files.open(&path, b"").ok()?;
        let assets = GamePaths::default().assets(None, rez(&archive));
        let pictures = LevelPictures::of(&assets, level, None).ok()?;
        let sets = level.planes().iter().flat_map(|plane| plane.image_sets().iter().map_while(Result::ok));
        let count = sets.filter(|set| pictures.registry().set(set).is_some()).count();
        (count > 0).then_some((count, archive))
    });
    // Of several with as many, the first.
    counted.reduce(|best, next| if next.0 > best.0 { next } else { best }).map(|(_, archive)| archive)
}

/// Returns the archive that was opened, if it is one.
fn rez(opened: &Opened) -> Option<&Rez<'_>> {
    opened.handle.rez()
}
