//! Opened files. The last few are kept, because a page asks for many pieces of the same one.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::SystemTime;

use worldview::{Failure, File, Handle, Loader, Options};

/// The number of opened parts that are kept.
const KEPT: usize = 24;

/// The maximum size, in bytes, of all parts that are kept and take memory of their own: inflated levels, and what was
/// made from files.
const KEPT_BYTES: u64 = 64 << 20;

/// An opened file or part of a file, and what was made from it.
pub(crate) struct Opened {
    pub(crate) path: PathBuf,
    /// The names of the members that lead to the part, joined by `/`.
    pub(crate) inside: Vec<u8>,
    pub(crate) handle: Handle,
    made: Mutex<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>,
}

impl Opened {
    /// Returns what `make` makes of the part, once for all requests.
    ///
    /// `make` must not wait for the thread pool: a thread that waits there takes other requests, which may need the same.
    ///
    /// Returns the error of `make`, which is called again by the next request.
    pub(crate) fn made<T, E>(self: &Arc<Self>, make: impl FnOnce(&Arc<Self>) -> Result<T, E>) -> Result<Arc<T>, E>
    where
        T: Any + Send + Sync,
    {
        // Held while `make` runs: of several requests at once, one makes it.
        let slot = {
            let mut made = lock(&self.made);
            let slot = made.entry(TypeId::of::<T>()).or_insert_with(|| Arc::new(Slot::<T>::default()));
            Arc::clone(slot).downcast::<Slot<T>>()
        };
        let Ok(slot) = slot else { return make(self).map(Arc::new) };
        let mut kept = lock(&slot.0);
        if let Some(kept) = &*kept {
            return Ok(Arc::clone(kept));
        }
        let new = Arc::new(make(self)?);
        *kept = Some(Arc::clone(&new));
        Ok(new)
    }

    /// The memory that the part takes besides its file.
    fn weight(&self) -> u64 {
        match self.handle.unpacked() {
            Some(unpacked) if unpacked.header().is_packed() => unpacked.len() as u64,
            _ => 0,
        }
    }
}

struct Slot<T>(Mutex<Option<Arc<T>>>);

impl<T> Default for Slot<T> {
    fn default() -> Self {
        Self(Mutex::new(None))
    }
}

impl std::fmt::Debug for Opened {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Opened").field("path", &self.path).field("handle", &self.handle).finish_non_exhaustive()
    }
}

/// What a file was when it was opened. If it is something else now, it is opened again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Version {
    len: u64,
    modified: Option<SystemTime>,
}

impl Version {
    pub(crate) fn of(path: &Path) -> std::io::Result<Self> {
        let metadata = std::fs::metadata(path)?;
        Ok(Self { len: metadata.len(), modified: metadata.modified().ok() })
    }
}

#[derive(Debug, Default)]
struct Kept {
    /// The last parts, the newest last.
    parts: Vec<(Version, Arc<Opened>)>,
    /// The files of parts that somebody still has.
    files: HashMap<PathBuf, (Version, Weak<File>)>,
}

/// Opens files, and keeps the last few.
#[derive(Debug)]
pub(crate) struct Files {
    loader: Loader,
    options: Options,
    kept: Mutex<Kept>,
}

impl Files {
    pub(crate) fn new(loader: Loader, options: Options) -> Self {
        Self { loader, options, kept: Mutex::default() }
    }

    /// How files are opened.
    pub(crate) const fn options(&self) -> &Options {
        &self.options
    }

    pub(crate) const fn loader(&self) -> Loader {
        self.loader
    }

    /// Opens a file, or the part of it that names lead to. As much is opened as possible. Returns an error if the file cannot be
    /// read, or if nothing of the part can be opened.
    pub(crate) fn open(&self, path: &Path, inside: &[u8]) -> Result<Arc<Opened>, Failure> {
        let version = Version::of(path)?;
        {
            let mut kept = lock(&self.kept);
            let is_it = |part: &(Version, Arc<Opened>)| part.1.path == path && part.1.inside == inside;
            if let Some(index) = kept.parts.iter().position(is_it) {
                let part = kept.parts.remove(index);
                if part.0 == version && part.1.handle.part().file().check().is_ok() {
                    let opened = Arc::clone(&part.1);
                    kept.parts.push(part);
                    return Ok(opened);
                }
            }
        }
        let file = self.file(path, version)?;
        let handle = Handle::of(&file, inside, &self.options)?;
        let opened =
            Arc::new(Opened { path: path.to_owned(), inside: inside.to_vec(), handle, made: Mutex::default() });
        self.keep(version, &opened);
        Ok(opened)
    }

    /// Loads a file, or returns the one that somebody has already. Returns an error if the file cannot be read.
    pub(crate) fn load(&self, path: &Path) -> Result<Arc<File>, Failure> {
        self.file(path, Version::of(path)?)
    }

    fn file(&self, path: &Path, version: Version) -> Result<Arc<File>, Failure> {
        if let Some((known, file)) = lock(&self.kept).files.get(path)
            && *known == version
            && let Some(file) = file.upgrade()
        {
            return Ok(file);
        }
        let file = File::load(self.loader, path)?;
        let mut kept = lock(&self.kept);
        kept.files.retain(|_, (_, file)| file.strong_count() > 0);
        kept.files.insert(path.to_owned(), (version, Arc::downgrade(&file)));
        Ok(file)
    }

    fn keep(&self, version: Version, opened: &Arc<Opened>) {
        let mut kept = lock(&self.kept);
        kept.parts.push((version, Arc::clone(opened)));
        let weight = |parts: &[(Version, Arc<Opened>)]| parts.iter().map(|(_, part)| part.weight()).sum::<u64>();
        while kept.parts.len() > KEPT || (kept.parts.len() > 1 && weight(&kept.parts) > KEPT_BYTES) {
            kept.parts.remove(0);
        }
    }
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
